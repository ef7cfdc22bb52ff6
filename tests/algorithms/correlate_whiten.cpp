// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Phase correlation against plain transforms.

#include "Sporos_CorrelateCases.hpp"
#include "Sporos_PlainWhitened.hpp"
#include "Sporos_TestArray.hpp"
#include "Sporos_WrongCalls.hpp"

#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace CorrelateWhiten {

using namespace Sporos;
using Test::Spaces;
using Complex      = std::complex<double>;
constexpr double u = std::numeric_limits<double>::epsilon();

template <class Exec>
using Matrices = Kokkos::View<double***, Kokkos::LayoutRight, Exec>;
template <class Exec>
using Plan = CrossCorrelatePlan<Exec, double>;

/// All pairs of n left and m right matrices; the first results.
template <class Exec, class Left, class Right>
std::vector<double> whitened(const CorrelateExtents& e, CorrelateOptions o,
                             const Left& left, const Right& right) {
  o.pairing = Pairing::n_to_m;
  o.whiten  = true;
  const Matrices<Exec> l("left", e.n, e.left_h, e.left_w),
      r("right", e.m, e.right_h, e.right_w);
  const auto fill = [](const auto& to, const auto& value) {
    const auto host = Kokkos::create_mirror_view(to);
    for (int i = 0; i < int(host.extent(0)); ++i)
      for (int y = 0; y < int(host.extent(1)); ++y)
        for (int x = 0; x < int(host.extent(2)); ++x)
          host(i, y, x) = value(i, y, x);
    Kokkos::deep_copy(to, host);
  };
  fill(l, left);
  fill(r, right);
  const Exec exec{};
  const Plan<Exec> plan(exec, e, o, true);
  const Kokkos::View<double****, Kokkos::LayoutRight, Exec> out(
      "out", e.n, e.m, plan.shifts().rows(), plan.shifts().columns());
  cross_correlate(exec, plan, l, r, out);
  exec.fence();
  return Test::host_values(out);
}

/// Numbers of any size and sign, far from 0.
double left_value(int i, int y, int x) {
  return 1000 * Test::correlate_value<double>(i, y, x, 0) + 500;
}
double right_value(int j, int y, int x) {
  return 1e-3 * Test::correlate_value<double>(j, y, x, 5);
}

template <class Exec, class Left, class Right>
void check_case(const CorrelateExtents& e, const CorrelateOptions& o,
                const Left& left, const Right& right) {
  const auto got    = whitened<Exec>(e, o, left, right);
  const auto shifts = correlate_shifts(e.left_h, e.left_w, e.right_h, e.right_w,
                                       o.mode, o.window);
  const bool centered = o.normalize == Normalize::mean_only;
  const auto values   = [&](const auto& from, int i, int h, int w) {
    double mean = 0;
    for (int k = 0; k < h * w; ++k) mean += from(i, k / w, k % w) / h / w;
    return [=](int y, int x) {
      return Complex(from(i, y, x) - (centered ? mean : 0));
    };
  };
  std::size_t at = 0;
  double worst   = 0;
  for (int i = 0; i < e.n; ++i)
    for (int j = 0; j < e.m; ++j) {
      const Test::PlainWhitened plain(
          {e, shifts, true}, values(left, i, e.left_h, e.left_w),
          values(right, j, e.right_h, e.right_w), centered, u);
      CHECK(plain.tolerance() < (centered ? .05 : 1e-10));
      for (int dy = shifts.dy0; dy < shifts.dy1; ++dy)
        for (int dx = shifts.dx0; dx < shifts.dx1; ++dx)
          worst = Test::larger_error(
              worst, std::abs(got[at++] - plain(dy, dx)) /
                         (centered ? 1e-10 : plain.tolerance()));
    }
  INFO(e.left_h << " x " << e.left_w << ", mode " << int(o.mode));
  CHECK(at == got.size());
  CHECK(worst <= 1);
}

template <class Exec>
constexpr bool has_fft = Impl::has_correlate_fft<Exec>;

TEMPLATE_LIST_TEST_CASE("whitened correlations are those of plain transforms",
                        "[correlate]", Spaces) {
  if (!has_fft<TestType>) return;
  CorrelateOptions o;
  check_case<TestType>({2, 3, 9, 11, 6, 7}, o, left_value, right_value);
  check_case<TestType>({1, 1, 3, 2, 8, 1}, o, left_value, right_value);
  o.normalize = Normalize::mean_only;
  o.mode      = CorrelateMode::window;
  o.algorithm = CorrelateAlgorithm::fft;
  o.window    = {2, 6, -3, 1};
  check_case<TestType>({1, 2, 9, 11, 6, 7}, o, left_value, right_value);
  o.window = {-9, 12, -20, -4};  // partly without overlap
  check_case<TestType>({1, 2, 9, 11, 6, 7}, o, left_value, right_value);
  o.window = {12, 14, -30, 20};  // without
  check_case<TestType>({1, 2, 9, 11, 6, 7}, o, left_value, right_value);
}

/// All pairs of operands of that many dimensions.
template <class Exec, int Dimensions>
void check_operand(const CorrelateExtents& e, CorrelateOptions o) {
  constexpr bool volume = Dimensions == 3;
  o.operand = volume ? CorrelateOperand::volume : CorrelateOperand::signal;
  o.pairing = Pairing::n_to_m;
  o.whiten  = true;
  const auto shifts   = correlate_shifts(e, o);
  const bool centered = o.normalize == Normalize::mean_only;
  const auto view     = [](auto rank, auto... extents) {
    return Kokkos::View<
        typename Test::DataType<double, decltype(rank)::value>::type,
        Kokkos::LayoutRight, Exec>("view", extents...);
  };
  const auto filled = [&](int n, int d, int h, int w, int seed) {
    using Rank   = std::integral_constant<int, Dimensions + 1>;
    const auto v = [&] {
      if constexpr (volume)
        return view(Rank(), n, d, h, w);
      else
        return view(Rank(), n, w);
    }();
    const auto host = Kokkos::create_mirror_view(v);
    for (int k = 0; k < int(host.span()); ++k)
      host.data()[k] = Test::correlate_value<double>(0, 0, k, seed);
    Kokkos::deep_copy(v, host);
    return v;
  };
  const auto left  = filled(e.n, e.left_d, e.left_h, e.left_w, 0);
  const auto right = filled(e.m, e.right_d, e.right_h, e.right_w, 5);
  const auto out   = [&] {
    using Rank = std::integral_constant<int, Dimensions + 2>;
    if constexpr (volume)
      return view(Rank(), e.n, e.m, shifts.planes(), shifts.rows(),
                    shifts.columns());
    else
      return view(Rank(), e.n, e.m, shifts.columns());
  }();
  const Exec exec{};
  cross_correlate(exec, Plan<Exec>(exec, left, right, out, o), left, right,
                  out);
  exec.fence();
  const auto values = [&](const std::vector<double>& all, int i, int d, int h,
                          int w) {
    const double* const from = all.data() + i * d * h * w;
    double mean              = 0;
    for (int k = 0; centered && k < d * h * w; ++k) mean += from[k] / d / h / w;
    return [=](int z, int y, int x) {
      return Complex(from[(z * h + y) * w + x] - mean);
    };
  };
  const auto l = Test::host_values(left), r = Test::host_values(right),
             got = Test::host_values(out);
  std::size_t at = 0;
  double worst   = 0;
  for (int i = 0; i < e.n; ++i)
    for (int j = 0; j < e.m; ++j) {
      const Test::PlainWhitened plain(
          {e, shifts, true}, values(l, i, e.left_d, e.left_h, e.left_w),
          values(r, j, e.right_d, e.right_h, e.right_w), centered, u);
      for (int dz = shifts.dz0; dz < shifts.dz1; ++dz)
        for (int dy = shifts.dy0; dy < shifts.dy1; ++dy)
          for (int dx = shifts.dx0; dx < shifts.dx1; ++dx)
            worst = Test::larger_error(worst,
                                       std::abs(got[at++] - plain(dy, dx, dz)));
    }
  INFO(Dimensions << " dimensions, mode " << int(o.mode));
  CHECK(at == got.size());
  CHECK(worst <= 1e-10);
}

TEMPLATE_LIST_TEST_CASE("whitened signals and volumes", "[correlate]", Spaces) {
  if (!has_fft<TestType>) return;
  CorrelateOptions o;
  check_operand<TestType, 1>({3, 2, 1, 20, 1, 7}, o);
  check_operand<TestType, 3>({2, 2, 4, 5, 2, 4, 3, 2}, o);
  o.normalize = Normalize::mean_only;
  o.mode      = CorrelateMode::window;
  o.window    = {0, 1, 5, 24};  // partly without overlap
  check_operand<TestType, 1>({3, 2, 1, 20, 1, 7}, o);
  o.window = {2, 4, -3, 1, -5, 2};
  check_operand<TestType, 3>({2, 1, 4, 5, 2, 4, 3, 2}, o);
  o.window = {-2, 4, -3, 1, 2, 5};
  check_operand<TestType, 3>({1, 2, 4, 5, 2, 4, 3, 2}, o);
}

TEMPLATE_LIST_TEST_CASE("frequencies of which a matrix has nothing",
                        "[correlate]", Spaces) {
  if (!has_fft<TestType>) return;
  CorrelateOptions o;
  const auto one = [](int, int, int) { return .1; };
  // of 8 ones among 16 numbers each second frequency is nothing but rounding
  check_case<TestType>({1, 1, 8, 8, 9, 9}, o, one, right_value);
  check_case<TestType>({1, 1, 9, 9, 8, 8}, o, left_value, one);
  const auto all_zero = [](const std::vector<double>& v) {
    for (const double a : v)
      if (!(a == 0.)) return false;
    return true;
  };
  const auto zero = [](int, int, int) { return 0.; };
  CHECK(all_zero(whitened<TestType>({1, 1, 5, 4, 5, 4}, o, zero, right_value)));
  CHECK(all_zero(whitened<TestType>({1, 1, 5, 4, 5, 4}, o, left_value, zero)));
  o.normalize = Normalize::mean_only;
  CHECK(all_zero(whitened<TestType>({1, 1, 5, 7, 3, 3}, o, one, right_value)));
  CHECK(all_zero(whitened<TestType>({1, 1, 5, 7, 3, 3}, o, left_value, one)));
  // no number is no phase
  const auto bad = [](int, int y, int x) { return y + x == 3 ? NAN : 1.; };
  for (const double v :
       whitened<TestType>({1, 1, 5, 4, 3, 3}, o, bad, right_value))
    CHECK(std::isnan(v));
}

TEMPLATE_LIST_TEST_CASE("moved textures have a peak of one element",
                        "[correlate]", Spaces) {
  if (!has_fft<TestType>) return;
  const auto value = [](int y, int x) {
    return Test::correlate_value<double>(0, y, x, 0);
  };
  CorrelateOptions o;
  o.normalize = Normalize::mean_only;
  // of another contrast and brightness
  const auto results = whitened<TestType>(
      {1, 1, 40, 40, 40, 40}, o,
      [&](int, int y, int x) { return 50. * value(y - 3, x + 5) - 4.; },
      [&](int, int y, int x) { return 1e-3 * value(y, x) + 7.; });
  std::size_t best = 0;
  for (std::size_t k = 0; k < results.size(); ++k)
    if (results[k] > results[best]) best = k;
  CHECK(int(best) == (3 + 39) * 79 + (-5 + 39));
  CHECK(results[best] > .4);
  CHECK(results[best] < 1.001);
}

TEMPLATE_LIST_TEST_CASE(
    "automatic whitens by fft, and a result is that of "
    "any shifts asked for",
    "[correlate]", Spaces) {
  if (!has_fft<TestType>) return;
  const CorrelateExtents e{1, 1, 9, 11, 6, 7};
  CorrelateOptions o;
  o.whiten = true;
  const Plan<TestType> plan(TestType(), e, o, true);
  CHECK(plan.algorithm() == CorrelateAlgorithm::fft);
  CHECK(plan.describe().find("whitened") != std::string::npos);
  const auto full = whitened<TestType>(e, o, left_value, right_value);
  o.mode          = CorrelateMode::window;
  o.window        = {-2, 3, 4, 9};
  const auto part = whitened<TestType>(e, o, left_value, right_value);
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 5; ++x)
      CHECK(std::fabs(part[std::size_t(y * 5 + x)] -
                      full[std::size_t((y + 3) * 17 + x + 10)]) < 1e-12);
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
  std::vector<Test::WrongCall> calls;
  using A = CorrelateAlgorithm;
  for (const A a : {A::basic, A::tile, A::shuffle, A::lane_group_per_shift,
                    A::team_per_shift})
    calls.push_back({Impl::name_of(a), made([=](auto& o) { o.algorithm = a; }),
                     p, "options.whiten", "take fft",
                     std::string("true for ") + Impl::name_of(a)});
  using N = Normalize;
  for (const N n : {N::whole, N::local, N::local_mean_only, N::local_norm_only,
                    N::square_difference, N::square_difference_normalized})
    calls.push_back({Impl::name_of(n), made([=](auto& o) { o.normalize = n; }),
                     p, "options.whiten", "none or mean_only",
                     Impl::name_of(n)});
  calls.push_back(
      {"integers",
       [&] {
         CorrelateOptions o;
         o.whiten = true;
         Impl::check_measure("Sporos::CrossCorrelatePlan", o, false);
       },
       p, "options.whiten", "floating-point out", "an integer out"});
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
  Test::check_wrong_calls(calls, untouched, 12);
}

}  // namespace CorrelateWhiten
