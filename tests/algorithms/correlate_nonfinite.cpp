// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Infinities and NaNs in matrices: which results they reach, algorithm by
// algorithm, as docs/cross_correlation.md says; and very large and small
// numbers.

#include "Sporos_CorrelateCases.hpp"

#include <cmath>
#include <limits>

namespace CorrelateNonfinite {

using namespace Sporos;
using Test::Spaces;

/// Does it multiply elements of overlaps, and nothing else?
template <class Exec>
bool overlaps_only(const CorrelateOptions& o) {
  using A = CorrelateAlgorithm;
  if (o.algorithm == A::basic || o.algorithm == A::team_per_shift) return true;
  return o.algorithm == A::lane_group_per_shift &&
         (!Impl::is_host_space_v<Exec> || o.staged ||
          o.distribution == WorkDistribution::rectangle ||
          o.distribution == WorkDistribution::triangle);
}

/// value: of one element
template <class Exec>
void check_nonfinite(bool in_left, float value) {
  const int h = 7, w = 9, y0 = 2, x0 = 6;  // where it is
  const Kokkos::View<float***, Exec> left("left", 1, h, w),
      right("right", 1, h, w);
  const auto host = Kokkos::create_mirror(left);
  for (int y = 0; y < h; ++y)  // nowhere constant
    for (int x = 0; x < w; ++x) host(0, y, x) = float(1 + (y * y + x * 3) % 5);
  Kokkos::deep_copy(left, host);
  Kokkos::deep_copy(right, host);
  host(0, y0, x0) = value;
  Kokkos::deep_copy(in_left ? left : right, host);
  const Kokkos::View<float****, Exec> out("out", 1, 1, 2 * h - 1, 2 * w - 1);
  const Kokkos::View<int***, Exec> ones("ones", 1, h, w);
  Kokkos::deep_copy(ones, 1);
  for (const Test::NamedCorrelate& a : Test::correlate_algorithms<Exec>(
           Test::CorrelateCase{{1, 1, h, w, h, w}}, Pairing::n_to_m, 4)) {
    const auto judge = [&](Normalize measure, bool masked) {
      const auto result = Test::host_copy(out);
      int lost = 0, more = 0;
      for (int dy = 1 - h; dy < h; ++dy)
        for (int dx = 1 - w; dx < w; ++dx) {
          const int y    = in_left ? y0 - dy : y0 + dy;
          const int x    = in_left ? x0 - dx : x0 + dx;
          const bool met = y >= 0 && y < h && x >= 0 && x < w;
          const bool finite =
              std::isfinite(result(0, 0, dy + h - 1, dx + w - 1));
          lost += met && finite;
          more += !met && !finite;
        }
      INFO(a.name << ", in " << (in_left ? "left" : "right") << ", " << value
                  << ", measure " << int(measure) << ", masked " << masked);
      CHECK(lost == 0);
      if (overlaps_only<Exec>(a.options) &&
          (measure == Normalize::none || measure == Normalize::local_norm_only))
        CHECK(more == 0);
    };
    CorrelateOptions options = a.options;
    for (const Normalize measure :
         {Normalize::none, Normalize::local, Normalize::local_mean_only,
          Normalize::local_norm_only, Normalize::square_difference,
          Normalize::square_difference_normalized}) {
      options.normalize = measure;
      cross_correlate(left, right, out, options);
      judge(measure, false);
      cross_correlate(left, ones, right, NoMask(), out, options);
      judge(measure, true);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("infinite elements reach the shifts that meet them",
                        "[correlate]", Spaces) {
  using Limits = std::numeric_limits<float>;
  for (const bool in_left : {true, false})
    for (const float value : {Limits::infinity(), Limits::quiet_NaN()})
      check_nonfinite<TestType>(in_left, value);
}

TEMPLATE_LIST_TEST_CASE("local coefficients of floats at any scale",
                        "[correlate]", Spaces) {
  const int h = 11, w = 7;
  const Kokkos::View<float***, TestType> left("left", 1, h, w),
      right("right", 1, h, w);
  const Kokkos::View<float****, TestType> out("out", 1, 1, 2 * h - 1,
                                              2 * w - 1);
  const Kokkos::View<int***, TestType> mask("mask", 1, h, w);
  const auto fill = [&](const auto& view, int seed, auto scale) {
    const auto host = Kokkos::create_mirror_view(view);
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x)
        host(0, y, x) = scale * ((y * y * seed + x * 3) % 5);
    Kokkos::deep_copy(view, host);
  };
  fill(mask, 2, 1);
  for (const auto algorithm :
       {CorrelateAlgorithm::automatic, CorrelateAlgorithm::basic})
    for (const Normalize measure :
         {Normalize::local, Normalize::local_norm_only,
          Normalize::square_difference_normalized})
      for (const bool masked : {false, true}) {
        CorrelateOptions options;
        options.pairing   = Pairing::n_to_m;
        options.algorithm = algorithm;
        options.normalize = measure;
        const auto result = [&](float scale) {
          fill(left, 1, scale);
          fill(right, 3, scale);
          if (masked)
            cross_correlate(left, mask, right, NoMask(), out, options);
          else
            cross_correlate(left, right, out, options);
          return Test::host_values(out);
        };
        const auto expected = result(1);
        INFO("measure " << int(measure) << ", masked " << masked);
        CHECK(result(0x1p-100f) == expected);
        CHECK(result(0x1p+100f) == expected);
      }
}

}  // namespace CorrelateNonfinite
