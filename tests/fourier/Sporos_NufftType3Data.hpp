// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Cases of non-uniform FFTs of type 3 and the sums by definition.

#ifndef SPOROS_NUFFTTYPE3DATA_HPP
#define SPOROS_NUFFTTYPE3DATA_HPP

#include <Sporos_NufftType3.hpp>

#include "Sporos_NufftData.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <vector>

namespace Sporos {
namespace Test {

/// Where points or frequencies of a case are, within about `extent` of the
/// origin.
enum class Cloud { box, clustered, equal, at_ends, off_centre };

struct Type3Case {
  int points, frequencies;
  Cloud of_points, of_frequencies;
  double extent, band;  ///< half of the box of points, of frequencies
  double tolerance;
  double upsampling = 0;
  int sign          = 1;
};

/// Data of a case, in Memory that the host reaches.
template <int Dim, class T, class Memory>
struct Type3Data {
  using Complex = Kokkos::complex<T>;
  using Exact   = std::complex<double>;
  using Points  = Kokkos::View<T**, Kokkos::LayoutLeft, Memory>;
  Points points, frequencies;
  Kokkos::View<Complex*, Memory> values, results;

  explicit Type3Data(const Type3Case& c)
      : points("points", std::size_t(c.points), Dim),
        frequencies("frequencies", std::size_t(c.frequencies), Dim),
        values("values", std::size_t(c.points)),
        results("results", std::size_t(c.frequencies)) {
    Numbers numbers(std::uint64_t(c.points * 31 + c.frequencies));
    fill(points, c.of_points, c.extent, numbers);
    fill(frequencies, c.of_frequencies, c.band, numbers);
    for (std::size_t i = 0; i < values.extent(0); ++i) {
      const T re = T(numbers.next());
      values(i)  = Complex(re, T(numbers.next()));
    }
  }

  /// sum_j values(j) exp(sign i s_m x_j), in double with phases in long double.
  std::vector<Exact> direct(int sign) const {
    std::vector<Exact> out(results.extent(0));
    for (std::size_t m = 0; m < out.size(); ++m)
      for (std::size_t j = 0; j < values.extent(0); ++j) {
        long double phase = 0;
        for (int d = 0; d < Dim; ++d)
          phase += (long double)(frequencies(m, d)) *
                   (long double)(points(j, d)) * sign;
        out[m] += Exact(double(values(j).real()), double(values(j).imag())) *
                  Exact(double(cosl(phase)), double(sinl(phase)));
      }
    return out;
  }
  /// What rounding of phases may add to the error.
  double rounding() const {
    double phase = 1;
    for (int d = 0; d < Dim; ++d)
      phase += largest(points, d) * largest(frequencies, d);
    return 16 * double(std::numeric_limits<T>::epsilon()) +
           4 * std::numeric_limits<double>::epsilon() * phase;
  }
  /// Relative, see l2_error.
  double error(int sign) const {
    return l2_error(results, direct(sign),
                    squares(values) * double(results.extent(0)));
  }

 private:
  static double largest(const Points& x, int d) {
    double most = 0;
    for (std::size_t i = 0; i < x.extent(0); ++i)
      most = std::max(most, std::fabs(double(x(i, d))));
    return most;
  }
  static void fill(const Points& x, Cloud cloud, double extent,
                   Numbers& numbers) {
    for (int i = 0; i < int(x.extent(0)); ++i)
      for (int d = 0; d < Dim; ++d)
        x(i, d) = T(extent * place(cloud, i, d, numbers.next()));
  }
  static double place(Cloud cloud, int i, int d, double u) {
    switch (cloud) {
      case Cloud::clustered: return .3 * d + u * u * u;
      case Cloud::equal: return .7 - d;
      case Cloud::at_ends: return (i + d) % 3 == 0 ? -1 : 1;
      case Cloud::off_centre: return 20 * (d + 1) + u;
      default: return u;
    }
  }
};

template <class Exec, int Dim, class T, class Widths, class Data>
NufftType3Plan<Exec, Dim, T, Widths> planned_type3(const Type3Case& c,
                                                   const Data& data) {
  const Exec exec;
  NufftOptions options;
  options.tolerance  = c.tolerance;
  options.upsampling = c.upsampling;
  NufftType3Plan<Exec, Dim, T, Widths> plan(exec, options);
  plan.set_points(exec, data.points, data.frequencies);
  return plan;
}

}  // namespace Test
}  // namespace Sporos

#endif
