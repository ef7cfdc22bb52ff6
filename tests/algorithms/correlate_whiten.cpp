// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Phase correlation against plain transforms.

#include "Sporos_CorrelateCases.hpp"
#include "Sporos_PlainWhitened.hpp"
#include "Sporos_WrongCalls.hpp"

#include <cmath>
#include <complex>
#include <string>
#include <utility>
#include <vector>

namespace CorrelateWhiten {

using namespace Sporos;
using Test::Spaces;
using Complex = std::complex<double>;

template <class Exec, class T>
void check_case(const CorrelateExtents& e, CorrelateOptions o,
                double tolerance) {
  o.pairing         = Pairing::n_to_m;
  o.whiten          = true;
  const auto shifts = correlate_shifts(e.left_h, e.left_w, e.right_h, e.right_w,
                                       o.mode, o.window);
  using Three       = Kokkos::View<T***, Kokkos::LayoutRight, Exec>;
  const Three left("left", e.n, e.left_h, e.left_w),
      right("right", e.m, e.right_h, e.right_w);
  const Kokkos::View<T****, Kokkos::LayoutRight, Exec> out(
      "out", e.n, e.m, shifts.rows(), shifts.columns());
  const auto filled = [](const Three& to, int side) {
    const auto host = Kokkos::create_mirror_view(to);
    // of any size: phases do not know it
    for (std::size_t k = 0; k < host.size(); ++k)
      host.data()[k] =
          T(1000) * Test::correlate_value<T>(0, int(k), 7, side) + T(500);
    Kokkos::deep_copy(to, host);
    return host;
  };
  const auto l = filled(left, 0), r = filled(right, 1);
  cross_correlate(left, right, out, o);
  const auto got =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
  const Impl::CorrelateShape s{e, shifts, true};
  std::size_t at = 0;
  double worst   = 0;
  for (int i = 0; i < e.n; ++i)
    for (int j = 0; j < e.m; ++j)
      for (const Complex& v :
           Test::plain_whitened(s, l.data() + i * e.left_h * e.left_w,
                                r.data() + j * e.right_h * e.right_w,
                                o.normalize == Normalize::mean_only)) {
        const double error =
            std::abs(Complex(Test::widen(got.data()[at++])) - v);
        worst = error <= worst ? worst : error;
      }
  INFO(e.left_h << " x " << e.left_w << ", mode " << int(o.mode));
  CHECK(at == got.size());
  CHECK(worst <= tolerance);
}

template <class Exec>
constexpr bool has_fft = Impl::has_correlate_fft<Exec>;

TEMPLATE_LIST_TEST_CASE("whitened correlations are those of plain transforms",
                        "[correlate]", Spaces) {
  if (!has_fft<TestType>) return;
  CorrelateOptions o;
  check_case<TestType, double>({2, 3, 9, 11, 6, 7}, o, 1e-12);
  o.normalize = Normalize::mean_only;
  o.mode      = CorrelateMode::window;
  o.algorithm = CorrelateAlgorithm::fft;
  o.window    = {2, 6, -3, 1};
  check_case<TestType, double>({1, 2, 9, 11, 6, 7}, o, 1e-12);
  o.window = {-9, 12, -20, -4};  // partly without overlap
  check_case<TestType, double>({1, 2, 9, 11, 6, 7}, o, 1e-12);
}

TEMPLATE_LIST_TEST_CASE("moved textures have a peak of one element",
                        "[correlate]", Spaces) {
  if (!has_fft<TestType>) return;
  const int size = 40;
  Test::TestArray<TestType, double, 2, Kokkos::LayoutRight> left({40, 40}),
      right({40, 40}), out({79, 79});
  const auto value = [](int y, int x) {
    return Test::correlate_value<double>(0, y, x, 0);
  };
  // of another contrast and brightness
  right.set([&](std::size_t k) {
    return 1e-3 * value(int(k) / size, int(k) % size) + 7.;
  });
  left.set([&](std::size_t k) {
    return 50. * value(int(k) / size - 3, int(k) % size + 5) - 4.;
  });
  CorrelateOptions o;
  o.whiten    = true;
  o.normalize = Normalize::mean_only;
  cross_correlate(TestType(), left.const_view(), right.const_view(), out.view(),
                  o);
  const auto results = out.get();
  std::size_t best   = 0;
  for (std::size_t k = 0; k < results.size(); ++k)
    if (results[k] > results[best]) best = k;
  CHECK(int(best) == (3 + 39) * 79 + (-5 + 39));
  CHECK(results[best] > .4);
  CHECK(results[best] < 1.001);
  // nothing to correlate
  right.set([](std::size_t) { return 3.; });
  cross_correlate(TestType(), left.const_view(), right.const_view(), out.view(),
                  o);
  bool nothing = true;
  for (const double v : out.get()) nothing = nothing && v == 0.;
  CHECK(nothing);
}

TEST_CASE("wrong calls with whiten", "[wrong_calls]") {
  using Exec = Test::HostExec;
  const Exec exec;
  const Test::Untouched untouched;
  const std::string p = "Sporos::CrossCorrelatePlan";
  const auto made     = [&](auto change) {
    return [=] {
      CorrelateOptions o;
      o.whiten = true;
      change(o);
      CrossCorrelatePlan<Exec, double>(exec, {1, 1, 4, 4, 3, 3}, o);
    };
  };
  std::vector<Test::WrongCall> calls = {
      {"by the definition",
       made([](auto& o) { o.algorithm = CorrelateAlgorithm::tile; }), p,
       "options.whiten", "take fft", "true for tile"},
      {"a coefficient", made([](auto& o) { o.normalize = Normalize::local; }),
       p, "options.whiten", "none or mean_only", "local"},
      {"integers",
       [&] {
         CorrelateOptions o;
         o.whiten = true;
         Impl::check_measure("Sporos::CrossCorrelatePlan", o, false);
       },
       p, "options.whiten", "floating-point out", "an integer out"}};
  if (has_fft<Exec>) {
    calls.push_back({"exact", made([](auto& o) {
                       o.exactness = CorrelateExactness::by_definition;
                     }),
                     p, "options.exactness", "relative_to_norms",
                     "by_definition, which options.whiten needs"});
    calls.push_back({"masks",
                     [&] {
                       const Kokkos::View<double**, Test::HostMemory> m("m", 4,
                                                                        4),
                           out("out", 7, 7);
                       CorrelateOptions o;
                       o.whiten = true;
                       cross_correlate(exec, m, m, m, NoMask(), out, o);
                     },
                     "Sporos::cross_correlate", "options.whiten",
                     "false, with masks", "true"});
  }
  Test::check_wrong_calls(calls, untouched, 3);
}

}  // namespace CorrelateWhiten
