// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// ExponentialOfSemicircle: its polynomials against the formula, its Fourier
// transform against another quadrature, and the promise that waves are spread
// exactly but for the error of the kernel.

#include "Sporos_Test.hpp"

#include "Sporos_WrongCalls.hpp"

#include <Sporos_ParticleGrid.hpp>
#include <Sporos_Pack.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <random>
#include <stdexcept>
#include <tuple>
#include <vector>

namespace SemicircleTest {

using namespace Sporos;

template <int... S>
using Kernels = std::tuple<ExponentialOfSemicircle<S>...>;
using All     = Kernels<2, 3, 4, 5, 6, 7, 8, 11, 16>;
using UpTo8   = Kernels<2, 3, 4, 5, 6, 7, 8>;

const double pi = std::acos(-1.);

/// The error that a support promises.
template <class Kernel>
double promised() {
  return std::pow(10., 1 - Kernel::support);
}

template <class Kernel>
std::vector<double> fractions() {
  std::vector<double> r;
  for (int i = 0; i <= 100; ++i)
    r.push_back(i / 100. - (Kernel::support % 2 ? .5 : 0.));
  return r;
}

/// Distance of grid point k above a point with the fraction r.
template <class Kernel>
double distance(int k, double r) {
  return k - (Kernel::support - 1) / 2 - r;
}

/// exp(beta (sqrt(1 - z^2) - 1)), beta for a grid that is twice as fine.
template <class Kernel>
double semicircle(double x) {
  constexpr int s   = Kernel::support;
  const double beta = .75 * pi * s - 2.2 / s;
  const double z    = std::min(1., std::fabs(2 * x / s));
  return std::exp(beta * (std::sqrt(1 - z * z) - 1));
}

/// Integral of semicircle(x) cos(omega x) by the tanh-sinh rule.
template <class Kernel>
double integral(double omega) {
  const double step = 1. / 600;
  double sum        = 0;
  for (double u = -3.5; u < 3.5; u += step) {
    const double s = pi / 2 * std::sinh(u);
    const double x = .5 * Kernel::support * std::tanh(s);
    sum += semicircle<Kernel>(x) * std::cos(omega * x) * std::cosh(u) /
           (std::cosh(s) * std::cosh(s));
  }
  return sum * step * .5 * Kernel::support * pi / 2;
}

template <class Kernel, class T = double>
std::vector<T> weights(const Kernel& kernel, double r) {
  std::vector<T> w(static_cast<std::size_t>(Kernel::support));
  kernel.weights(T(r), w.data());
  return w;
}

TEMPLATE_LIST_TEST_CASE("semicircle: polynomials are the formula", "[delta]",
                        All) {
  const TestType kernel;
  const double peak = 1 / integral<TestType>(0);
  // half the step at the ends of the support, if rounding does not exceed it
  const double bound = .6 * peak * std::exp(-kernel.beta()) + 1e-14;
  if (TestType::support < 16) CHECK(bound < promised<TestType>());
  double worst = 0, worst_float = 0, worst_formula = 0;
  for (const double r : fractions<TestType>()) {
    const auto w  = weights(kernel, r);
    const auto wf = weights<TestType, float>(kernel, r);
    for (int k = 0; k < TestType::support; ++k) {
      const double x        = distance<TestType>(k, r);
      const double expected = peak * semicircle<TestType>(x);
      const auto i          = std::size_t(k);
      worst = Test::larger_error(worst, std::fabs(w[i] - expected));
      worst_float =
          Test::larger_error(worst_float, std::fabs(wf[i] - expected));
      if (std::fabs(x) < TestType::support / 2. - 1e-9)
        worst_formula =
            Test::larger_error(worst_formula, std::fabs(kernel(x) - expected));
    }
  }
  CHECK(worst < bound);
  CHECK(worst_float < bound + 1e-6);
  CHECK(worst_formula < 1e-14);
  CHECK(kernel(TestType::support / 2. + 1e-9) == 0);
}

TEMPLATE_LIST_TEST_CASE("semicircle: weights are symmetric", "[delta]", All) {
  constexpr int s = TestType::support;
  const TestType kernel;
  for (const double r : fractions<TestType>()) {
    const auto w        = weights(kernel, r);
    const auto mirrored = weights(kernel, (s % 2 ? 0. : 1.) - r);
    for (std::size_t k = 0; k < w.size(); ++k)
      REQUIRE(std::fabs(w[k] - mirrored[w.size() - 1 - k]) < 1e-15);
  }
}

TEMPLATE_LIST_TEST_CASE("semicircle: transform", "[delta]", All) {
  const TestType kernel;
  const double scale = 1 / integral<TestType>(0);
  for (const double step : {.1, pi / 2, 7.}) {
    const auto values = kernel.transform(step, 6);
    REQUIRE(values.size() == 6);
    CHECK(values[0] == Approx(1).epsilon(1e-14));
    for (int k = 0; k < 6; ++k) {
      CAPTURE(step, k);
      const double exact = scale * integral<TestType>(k * step);
      CHECK(std::fabs(values[std::size_t(k)] - exact) < 1e-13);
    }
  }
  CHECK(kernel.transform(1., 0).empty());
}

/// Relative error of waves after interpolation and division, root mean square
/// over positions and all waves for which the grid is fine enough.
template <class Kernel>
double wave_error(const Kernel& kernel, double upsampling) {
  constexpr int waves  = 20;
  const double highest = pi / upsampling;
  const auto transform = kernel.transform(highest / (2 * waves), 2 * waves);
  double squares       = 0;
  for (int wave = 1; wave < 2 * waves; wave += 2)
    for (const double r : fractions<Kernel>()) {
      const double omega = highest * wave / (2 * waves);
      const auto w       = weights(kernel, r);
      double re = 0, im = 0;
      for (int k = 0; k < Kernel::support; ++k) {
        const double x = distance<Kernel>(k, r);
        re += w[std::size_t(k)] * std::cos(omega * x);
        im += w[std::size_t(k)] * std::sin(omega * x);
      }
      re = re / transform[std::size_t(wave)] - 1;
      im = im / transform[std::size_t(wave)];
      squares += re * re + im * im;
    }
  return std::sqrt(squares / waves / double(fractions<Kernel>().size()));
}

TEMPLATE_LIST_TEST_CASE("semicircle: waves are interpolated", "[delta]",
                        UpTo8) {
  const double error = wave_error(TestType(), 2);
  CHECK(error < promised<TestType>());
  // not much less either, else a smaller support would do
  CHECK(error > .3 * promised<TestType>());
  for (const double upsampling : {1.7, 2.5}) {
    CAPTURE(upsampling);
    const double own = wave_error(TestType(upsampling), upsampling);
    CHECK((own < error) == (upsampling > 2));
    // shapes for other grids are worse, or equal to what beta promises
    CHECK(own < 1.01 * wave_error(TestType(upsampling - .5), upsampling));
    CHECK(own < 1.01 * wave_error(TestType(upsampling + .5), upsampling));
  }
}

template <class T, int W, class Kernel>
double pack_error(const Kernel& kernel) {
  using P      = Pack<T, W>;
  const auto r = fractions<Kernel>();
  double worst = 0;
  for (std::size_t i = 0; i + W <= r.size(); i += 2) {
    P w[Kernel::support];
    kernel.weights(P::generate([&](int l) { return T(r[i + std::size_t(l)]); }),
                   w);
    for (int l = 0; l < W; ++l) {
      const auto one = weights<Kernel, T>(kernel, r[i + std::size_t(l)]);
      for (int k = 0; k < Kernel::support; ++k)
        worst = Test::larger_error(
            worst, std::fabs(double(w[k][l]) - double(one[std::size_t(k)])));
    }
  }
  return worst / double(std::numeric_limits<T>::epsilon());
}

TEMPLATE_LIST_TEST_CASE("semicircle: packs give the weights of their lanes",
                        "[delta]", All) {
  const TestType kernel;
  CHECK(pack_error<double, 1>(kernel) < 4);
  CHECK(pack_error<double, 4>(kernel) < 4);
  CHECK(pack_error<double, 8>(kernel) < 4);
  CHECK(pack_error<float, 4>(kernel) < 4);
  CHECK(pack_error<float, 16>(kernel) < 4);
}

TEST_CASE("semicircle: the shape may be chosen", "[delta]") {
  const ExponentialOfSemicircle<6> usual, flat(1.25), steep(4.);
  CHECK(usual.beta() == Approx(4.5 * pi - 2.2 / 6));
  CHECK(flat.beta() == Approx(3.6 * pi - 2.2 / 6));
  CHECK(flat(0.) < usual(0.));
  CHECK(usual(0.) < steep(0.));
  CHECK(flat.transform(1., 1)[0] == Approx(1));
  CHECK(weights(steep, .5)[2] == Approx(steep(.5)));
  using Kernel = ExponentialOfSemicircle<4>;
  CHECK_NOTHROW(Kernel(1.1));
  CHECK_THROWS_AS(Kernel(1.09), std::invalid_argument);
  CHECK_THROWS_AS(Kernel(std::nan("")), std::invalid_argument);
  CHECK_THROWS_AS(Kernel(HUGE_VAL), std::invalid_argument);
}

// ---- errors to expect ------------------------------------------------------

/// The sums of e^(-i m x) times strengths over random points, for random waves
/// m, in 2D: by their definition, and by spread to a grid of T, a transform of
/// the grid and division. Returns the relative error, root mean square.
template <int Support, class T>
double measured_error(double upsampling) {
  using Exec          = Kokkos::DefaultHostExecutionSpace;
  using Complex       = std::complex<double>;
  constexpr int waves = 40, points = 400, trials = 60;
  const int n    = int(upsampling * waves);
  const double h = 2 * pi / n;
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> uniform(0, 1);
  const Kokkos::View<double* [2], Exec> x("x", points);
  const Kokkos::View<T*, Exec> strengths("strengths", points);
  for (int i = 0; i < points; ++i) {
    for (int d = 0; d < 2; ++d) x(i, d) = 2 * pi * uniform(generator);
    strengths(i) = T(uniform(generator) - .5);
  }
  const Kokkos::View<T**, Exec> field("field", n, n);
  const ExponentialOfSemicircle<Support> kernel(upsampling);
  const ParticleGridPlan<Exec, 2, double, ExponentialOfSemicircle<Support>>
      plan(Exec{}, Grid<2>({n, n}, h), kernel, x);
  spread(plan, strengths, field);
  const std::vector<double> fourier = kernel.transform(h, waves / 2 + 1);
  double errors = 0, sizes = 0;
  for (int trial = 0; trial < trials; ++trial) {
    int m[2];
    double scale = h * h;
    for (int& k : m) {
      k = int(uniform(generator) * waves) - waves / 2;
      scale /= fourier[std::size_t(std::abs(k))];
    }
    Complex right = 0, found = 0;
    for (int i = 0; i < points; ++i)
      right += double(strengths(i)) *
               std::polar(1., -(m[0] * x(i, 0) + m[1] * x(i, 1)));
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b)
        found +=
            double(field(a, b)) * std::polar(1., -h * (m[0] * a + m[1] * b));
    errors += std::norm(found * scale - right);
    sizes += std::norm(right);
  }
  return std::sqrt(errors / sizes);
}

template <int Support, class T>
void check_expected_error(double upsampling) {
  const double measured = measured_error<Support, T>(upsampling);
  const double expected = ExponentialOfSemicircle<Support>(upsampling)
                              .template expected_error<T>(2);
  CAPTURE(Support, sizeof(T), upsampling, measured, expected);
  CHECK(measured < 3 * expected);
  CHECK(measured > expected / 3);
}

TEST_CASE("semicircle: the error to expect of upsampling and precision",
          "[delta]") {
  for (const double upsampling : {1.25, 2.}) {
    check_expected_error<4, double>(upsampling);
    check_expected_error<7, float>(upsampling);
    check_expected_error<12, double>(upsampling);
    check_expected_error<12, float>(upsampling);
  }
  using Seven = ExponentialOfSemicircle<7>;
  CHECK(Seven(2).expected_error(1) < 1e-6);
  CHECK(Seven(1.25).expected_error(1) > 1e-5);
  CHECK(Seven(2).expected_error(3) ==
        Approx(std::sqrt(3.) * Seven(2).expected_error(1)));
}

TEST_CASE("semicircle: fields that rounding spoils are refused", "[delta]") {
  using Exec   = Kokkos::DefaultHostExecutionSpace;
  using Kernel = ExponentialOfSemicircle<16>;
  const Kokkos::View<double* [3], Exec> x("x", 2);
  const Kokkos::View<float***, Exec> field("field", 20, 20, 20);
  const Kokkos::View<double***, Exec> finer("finer", 20, 20, 20);
  const Kokkos::View<float*, Exec> values("values", 2);
  const Kokkos::View<double*, Exec> numbers("numbers", 2);
  const Grid<3> grid({20, 20, 20}, 1.);
  const ParticleGridPlan<Exec, 3, double, Kernel> coarse(Exec{}, grid,
                                                         Kernel(1.25), x),
      fine(Exec{}, grid, Kernel(2), x);
  const char* const text =
      "delta: expected a kernel whose errors of rounding in float are at most "
      "0.01";
  Test::check_refused(text, [&] { spread(coarse, values, field); });
  Test::check_refused(text, [&] { interpolate(coarse, field, values); });
  Test::check_refused(
      text, [&] { interpolate(Exec{}, grid, Kernel(1.25), x, field, values); });
  CHECK_NOTHROW(spread(coarse, numbers, finer));
  CHECK_NOTHROW(spread(fine, values, field));
}

}  // namespace SemicircleTest
