// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Digits of long sums: every algorithm that sums by the definition.

#include "Sporos_CorrelateCases.hpp"

#include <cmath>

namespace CorrelateSums {

using namespace Sporos;
using Test::Spaces;

enum class Values { equal, nearly_equal, any_sign };

template <class T>
T value_of(Values values, int y, int x, int side) {
  const float v = Test::correlate_value<float>(0, y, x, side);
  const float r = values == Values::equal          ? (side == 0 ? .1f : .3f)
                  : values == Values::nearly_equal ? 30000 + std::round(3 * v)
                                                   : v;
  if constexpr (Impl::is_complex_v<T>)
    return T(r, r / 2);
  else
    return T(r);
}

/// Shifts of matrices that overlap almost wholly.
template <class Exec, class T>
void check_sums(int h, int w, Values values, int shifts = 2) {
  using View = Kokkos::View<T***, Kokkos::LayoutRight, Exec>;
  const View left("left", 1, h, w), right("right", 1, h, w);
  const Kokkos::View<T****, Kokkos::LayoutRight, Exec> out("out", 1, 1, 1,
                                                           shifts);
  const auto l = Kokkos::create_mirror_view(left);
  const auto r = Kokkos::create_mirror_view(right);
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      l(0, y, x) = value_of<T>(values, y, x, 0);
      r(0, y, x) = value_of<T>(values, y, x, 5);
    }
  Kokkos::deep_copy(left, l);
  Kokkos::deep_copy(right, r);
  Test::wide<T> expected[2] = {};
  double magnitudes         = 0;
  for (int dx = 0; dx < shifts; ++dx)
    for (int y = 0; y < h; ++y)
      for (int x = 0; x + dx < w; ++x) {
        const auto a = Test::widen(l(0, y, x + dx));
        const auto b = Test::widen(r(0, y, x));
        if constexpr (Impl::is_complex_v<T>)
          expected[dx] += a * std::conj(b);
        else
          expected[dx] += a * b;
        if (dx == 0) magnitudes += std::abs(a) * std::abs(b);
      }
  Test::CorrelateCase c{
      {1, 1, h, w, h, w}, CorrelateMode::window, {0, 1, 0, shifts}};
  for (Test::NamedCorrelate& a :
       Test::correlate_algorithms<Exec>(c, Pairing::n_to_m, int(sizeof(T)))) {
    if (a.options.algorithm == CorrelateAlgorithm::fft) continue;
    if (a.options.staged && w > 2000) continue;
    // the largest: each algorithm once
    if (h * w > 1000000 &&
        (a.options.distribution != WorkDistribution::automatic ||
         a.options.algorithm == CorrelateAlgorithm::automatic))
      if (a.name != "shuffle 1") continue;
    cross_correlate(left, right, out, a.options);
    const auto host = Test::host_values(out);
    double worst    = 0;
    for (std::size_t k = 0; k < host.size(); ++k)
      worst = Test::larger_error(
          worst, double(std::abs(Test::widen(host[k]) - expected[k])));
    INFO(h << " x " << w << ", values " << int(values) << ", " << a.name
           << ", bytes " << sizeof(T));
    CHECK(worst <= 1e-6 * magnitudes);
  }
}

TEMPLATE_LIST_TEST_CASE("long sums keep their digits", "[correlate]", Spaces) {
  using Exec = TestType;
  for (const Values v :
       {Values::equal, Values::nearly_equal, Values::any_sign}) {
    if (Test::slow_run) {
      check_sums<Exec, float>(150, 160, v);
      continue;
    }
    check_sums<Exec, float>(256, 256, v);
    check_sums<Exec, float>(40, 4001, v);
    check_sums<Exec, float>(3000, 17, v);
    check_sums<Exec, Kokkos::complex<float>>(200, 150, v);
  }
  if (!Test::slow_run) check_sums<Exec, float>(4096, 4096, Values::equal, 1);
}

}  // namespace CorrelateSums
