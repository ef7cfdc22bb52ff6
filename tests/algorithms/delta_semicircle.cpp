// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// ExponentialOfSemicircle: its polynomials against the formula, its Fourier
// transform against another quadrature, and the promise that waves are spread
// exactly but for the error of the kernel.

#include "Sporos_Test.hpp"

#include <Sporos_DeltaFunctions.hpp>
#include <Sporos_Pack.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
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
  CHECK_NOTHROW(Kernel(1.));
  CHECK_THROWS_AS(Kernel(.99), std::invalid_argument);
  CHECK_THROWS_AS(Kernel(std::nan("")), std::invalid_argument);
  CHECK_THROWS_AS(Kernel(HUGE_VAL), std::invalid_argument);
}

}  // namespace SemicircleTest
