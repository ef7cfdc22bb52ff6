// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Non-uniform FFTs of type 3 against the sums by definition.

#include "Sporos_NufftType3Data.hpp"
#include "Sporos_Test.hpp"

#include <cmath>

namespace NufftType3 {

using namespace Sporos::Test;
using Sporos::NufftWidths;
using Exec = LastSpace;

using Widths1 = NufftWidths<2, 6, 10, 16>;
using Widths2 = NufftWidths<3, 8, 13>;
using Widths3 = NufftWidths<4, 7>;

constexpr Cloud all_clouds[] = {Cloud::box, Cloud::clustered, Cloud::equal,
                                Cloud::at_ends, Cloud::off_centre};

template <int Dim, class T, class Widths>
void check_type3(const Type3Case& c) {
  const Exec exec;
  const Type3Data<Dim, T, typename SharedMemory<Exec>::type> data(c);
  const auto plan = planned_type3<Exec, Dim, T, Widths>(c, data);
  plan.type3(exec, data.values, data.results, c.sign);
  exec.fence();
  CAPTURE(Dim, c.points, c.frequencies, int(c.of_points), int(c.of_frequencies),
          c.extent, c.band, c.tolerance, c.upsampling, c.sign, data.rounding());
  INFO(plan.describe());
  CHECK(data.error(c.sign) < c.tolerance + data.rounding());
  CHECK(plan.size() == std::size_t(c.points));
  CHECK(plan.frequencies() == std::size_t(c.frequencies));
}

/// Tolerances 10^-first, ..., 10^-last with each of the clouds: sizes, signs
/// and upsamplings alternate.
template <int Dim, class T, class Widths>
void check_tolerances(int first, int last, double product) {
  for (int k = first; k <= last; ++k)
    for (const Cloud cloud : all_clouds) {
      const int turn = k + int(cloud);
      Type3Case c{40 + turn,
                  30 + 2 * k,
                  cloud,
                  all_clouds[turn % 5],
                  .1 * (1 + turn % 7),
                  0,
                  std::pow(10., -k)};
      c.band       = product / (1 + turn % 3) / c.extent;
      c.upsampling = turn % 4 == 0 ? 2.25 : 0;
      c.sign       = turn % 2 ? 1 : -1;
      check_type3<Dim, T, Widths>(c);
    }
}

TEST_CASE("nufft type 3: errors are below the tolerance, double", "[nufft]") {
  check_tolerances<1, double, Widths1>(1, 13, 200);
  check_tolerances<2, double, Widths2>(1, 9, 25);
  check_tolerances<3, double, Widths3>(1, 4, 8);
}

TEST_CASE("nufft type 3: errors are below the tolerance, float", "[nufft]") {
  check_tolerances<1, float, NufftWidths<5, 9>>(1, 5, 50);
  check_tolerances<2, float, NufftWidths<4>>(1, 2, 15);
}

TEST_CASE("nufft type 3: few and many points and frequencies", "[nufft]") {
  for (const int points : {0, 1, 2, 3, 300})
    for (const int frequencies : {0, 1, 2, 3, 200})
      for (const Cloud cloud : all_clouds) {
        check_type3<1, double, Widths1>(
            {points, frequencies, cloud, Cloud::box, 3, 30, 1e-9});
        check_type3<2, double, Widths2>(
            {points, frequencies, Cloud::off_centre, cloud, 1e-3, 3e3, 1e-4});
      }
  for (const int points : {0, 1, 20})
    check_type3<3, double, Widths3>(
        {points, 20 - points, Cloud::box, Cloud::box, 5, 1, 1e-4});
}

TEST_CASE("nufft type 3: products from 0 to thousands, any scale", "[nufft]") {
  for (const double band : {0., 1e-300, 1e-9, 1e-3, 1., 40., 3e3})
    check_type3<1, double, Widths1>(
        {50, 60, Cloud::box, Cloud::box, 1, band, 1e-8});
  for (const double extent : {1e-140, 1e-20, 1e30, 1e140})
    check_type3<1, double, Widths1>(
        {50, 60, Cloud::box, Cloud::clustered, extent, 10 / extent, 1e-8});
  check_type3<1, double, Widths1>(
      {50, 60, Cloud::equal, Cloud::equal, 1e140, 1e-140, 1e-8});
  check_type3<1, double, Widths1>(
      {50, 60, Cloud::box, Cloud::box, 1e140, 0, 1e-8});
  check_type3<1, double, Widths1>(
      {50, 60, Cloud::box, Cloud::box, 0, 1e140, 1e-8});
}

TEST_CASE("nufft type 3: all upsamplings", "[nufft]") {
  for (const double upsampling : {1.25, 1.4, 1.6, 1.8, 2., 2.7, 4.})
    for (const Cloud cloud : {Cloud::box, Cloud::at_ends})
      check_type3<1, double, Widths1>(
          {200, 100, cloud, cloud, 10, 10, 1e-7, upsampling});
}

}  // namespace NufftType3
