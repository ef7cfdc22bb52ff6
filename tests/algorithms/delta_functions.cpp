// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Delta functions against their published formulas and identities.

#include "Sporos_ReferenceDelta.hpp"
#include "Sporos_Test.hpp"

#include <Sporos_DeltaFunctions.hpp>
#include <Sporos_Pack.hpp>
#include <particle_grid/stencil/Sporos_PointStencil.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <type_traits>
#include <vector>

namespace DeltaTest {

using namespace Sporos;
using Sporos::Test::phi;
using Sporos::Test::Promises;

using Deltas =
    std::tuple<Hat2, Roma3, Cosine4, Peskin4, Bao6, BSpline<2>, BSpline<3>,
               BSpline<4>, BSpline<5>, BSpline<6>, BSpline<10>, BSpline<16>>;
using AllDeltas =
    Sporos::Test::concatenate<Deltas,
                              std::tuple<Test::UserQuadratic, Test::UserHat,
                                         Test::UserWide8, Test::UserNearest>>;

/// Fractions over the whole range, ends included.
template <class Delta>
std::vector<double> fractions() {
  const double low = Delta::support % 2 ? -.5 : 0.;
  std::vector<double> r;
  for (int i = 0; i <= 997; ++i) r.push_back(low + i / 997.);
  for (double tiny : {1e-3, 1e-8, 1e-15}) {
    r.push_back(low + tiny);
    r.push_back(low + 1. - tiny);
    r.push_back(low + .5 + tiny);
  }
  return r;
}

/// Distance of the point above grid point number `before`, and of grid point j
/// above the point.
template <class Delta>
constexpr int before = (Delta::support - 1) / 2;

template <class Delta, class T = double>
std::vector<double> weights(double r) {
  T w[Delta::support];
  Impl::scalar_weights(Delta{}, T(r), w);
  return std::vector<double>(w, w + Delta::support);
}

template <class Delta>
double moment(double r, int power) {
  const std::vector<double> w = weights<Delta>(r);
  double sum                  = 0;
  for (int j = 0; j < Delta::support; ++j)
    sum += std::pow(r - (j - before<Delta>), power) * w[j];
  return sum;
}

/// Largest |f(r) - expected| over all fractions.
template <class Delta, class F>
double deviation(double expected, const F& f) {
  double worst = 0;
  for (const double r : fractions<Delta>())
    worst = Test::larger_error(worst, std::fabs(f(r) - expected));
  return worst;
}

TEMPLATE_LIST_TEST_CASE("weights are the published functions", "[delta]",
                        AllDeltas) {
  for (const double r : fractions<TestType>()) {
    const std::vector<double> w   = weights<TestType>(r);
    const std::vector<double> w32 = weights<TestType, float>(r);
    for (int j = 0; j < TestType::support; ++j) {
      if (std::is_same<TestType, Test::UserNearest>::value && r == .5) continue;
      const double expected = phi(TestType{}, double(j - before<TestType>) - r);
      // square roots: at the ends of the support rounding grows
      INFO("r = " << r << ", j = " << j);
      REQUIRE(std::fabs(w[j] - expected) < 4e-8);
      if (r > 1e-6 - .5 && std::fabs(r) > 1e-6 && std::fabs(r - .5) > 1e-6 &&
          r < 1. - 1e-6)
        REQUIRE(std::fabs(w[j] - expected) < 2e-13);
      REQUIRE(std::fabs(w32[j] - expected) < 4e-4);
      if (r > 1e-2 - .5 && std::fabs(r) > 1e-2 && std::fabs(r - .5) > 1e-2 &&
          r < 1. - 1e-2)
        REQUIRE(std::fabs(w32[j] - expected) < 5e-6);
    }
  }
}

using Smooth =
    Sporos::Test::concatenate<Deltas, std::tuple<ExponentialOfSemicircle<5>,
                                                 ExponentialOfSemicircle<12>>>;

TEMPLATE_LIST_TEST_CASE("derivatives are limits of differences of weights",
                        "[delta]", Smooth) {
  constexpr int s = TestType::support;
  const TestType delta{};
  for (const double r : fractions<TestType>()) {
    const double step = 1e-5;
    double d[s], low[s], high[s];
    float d32[s];
    delta.derivatives(r, d);
    delta.derivatives(float(r), d32);
    delta.weights(r - step, low);
    delta.weights(r + step, high);
    INFO("r = " << r);
    for (int j = 0; j < s; ++j) {
      REQUIRE(std::fabs(d[j] - (high[j] - low[j]) / (2 * step)) < 1e-8);
      REQUIRE(std::fabs(d[j] - double(d32[j])) < 1e-5);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("weights sum to one", "[delta]", Deltas) {
  CHECK(deviation<TestType>(
            1., [](double r) { return moment<TestType>(r, 0); }) < 5e-15);
  for (const double r : fractions<TestType>()) {
    double sum = 0;
    for (const double w : weights<TestType, float>(r)) sum += w;
    REQUIRE(std::fabs(sum - 1.) < 1e-6);
  }
}

TEMPLATE_LIST_TEST_CASE("even and odd sums, first moments, squares", "[delta]",
                        Deltas) {
  using Promise   = Promises<TestType>;
  const auto even = [](double r) {
    const std::vector<double> w = weights<TestType>(r);
    double sum                  = 0;
    for (int j = 0; j < TestType::support; j += 2) sum += w[j];
    return sum;
  };
  const auto squares = [](double r) {
    double sum = 0;
    for (const double w : weights<TestType>(r)) sum += w * w;
    return sum;
  };
  const auto first      = [](double r) { return moment<TestType>(r, 1); };
  constexpr bool varies = TestType::support < 7;  // wide splines hardly do
  if (Promise::even_odd_halves)
    CHECK(deviation<TestType>(.5, even) < 5e-15);
  else if (varies)
    CHECK(deviation<TestType>(.5, even) > .05);
  if (Promise::first_moment)
    CHECK(deviation<TestType>(0., first) < 1e-14);
  else
    CHECK(deviation<TestType>(0., first) > .02);
  if (Promise::squares > 0)
    CHECK(deviation<TestType>(Promise::squares, squares) < 1e-13);
  else if (varies)
    CHECK(deviation<TestType>(squares(.25), squares) > .002);
}

TEST_CASE("moments of single functions", "[delta]") {
  const double K = 59. / 60. - std::sqrt(29.) / 20.;
  CHECK(deviation<Bao6>(K, [](double r) { return moment<Bao6>(r, 2); }) <
        2e-14);
  CHECK(deviation<Bao6>(0., [](double r) { return moment<Bao6>(r, 3); }) <
        5e-14);
  CHECK(weights<Bao6>(0.)[2] == Approx(0.446481226756).epsilon(1e-11));
  const double cosine =
      deviation<Cosine4>(0., [](double r) { return moment<Cosine4>(r, 1); });
  CHECK(cosine == Approx(0.02108816).epsilon(1e-4));
  CHECK(deviation<BSpline<4>>(1. / 3., [](double r) {
          return moment<BSpline<4>>(r, 2);
        }) < 1e-14);
  CHECK(deviation<BSpline<6>>(
            .5, [](double r) { return moment<BSpline<6>>(r, 2); }) < 1e-14);
}

TEMPLATE_LIST_TEST_CASE("weights are symmetric and not negative", "[delta]",
                        Deltas) {
  constexpr int s = TestType::support;
  for (const double r : fractions<TestType>()) {
    const std::vector<double> w = weights<TestType>(r);
    const std::vector<double> mirrored =
        weights<TestType>((s % 2 ? 0. : 1.) - r);
    for (int j = 0; j < s; ++j) {
      INFO("r = " << r << ", j = " << j);
      REQUIRE(w[j] > -1e-15);
      // next to the ends of the support square roots lose half the digits
      REQUIRE(std::fabs(w[j] - mirrored[s - 1 - j]) < 5e-8);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("functions are continuous from cell to cell", "[delta]",
                        Deltas) {
  constexpr int s                 = TestType::support;
  const double low                = s % 2 ? -.5 : 0.;
  const std::vector<double> first = weights<TestType>(low);
  const std::vector<double> last  = weights<TestType>(low + 1.);
  CHECK(std::fabs(last[0]) < 1e-8);
  CHECK(std::fabs(first[s - 1]) < 1e-8);
  for (int j = 0; j + 1 < s; ++j)
    CHECK(std::fabs(first[j] - last[j + 1]) < 1e-8);
}

template <class Delta, class T, int W>
void check_packs() {
  using P                      = Pack<T, W>;
  const std::vector<double> rs = fractions<Delta>();
  double worst                 = 0;
  for (std::size_t i = 0; i + W <= rs.size(); i += 3) {
    P w[Delta::support];
    Delta{}.weights(P::generate([&](int l) { return T(rs[i + l]); }), w);
    for (int l = 0; l < W; ++l) {
      T one[Delta::support];
      Delta{}.weights(T(rs[i + l]), one);
      for (int j = 0; j < Delta::support; ++j)
        worst = Test::larger_error(worst,
                                   std::fabs(double(w[j][l]) - double(one[j])));
    }
  }
  // packs fuse multiplication and addition, scalars need not
  CHECK(worst < (sizeof(T) == 8 ? 5e-8 : 5e-4));
  if (!std::is_same<Delta, Roma3>::value &&
      !std::is_same<Delta, Peskin4>::value && !std::is_same<Delta, Bao6>::value)
    CHECK(worst < 8 * std::numeric_limits<T>::epsilon());
}

TEMPLATE_LIST_TEST_CASE("packs give the weights of their lanes", "[delta]",
                        Deltas) {
  check_packs<TestType, double, 1>();
  check_packs<TestType, double, 2>();
  check_packs<TestType, double, 4>();
  check_packs<TestType, double, 8>();
  check_packs<TestType, float, 4>();
  check_packs<TestType, float, 16>();
}

TEST_CASE("what a delta function can be called with", "[delta]") {
  CHECK(Impl::HasWeights<Cosine4, double>::value);
  CHECK(Impl::HasWeights<Cosine4, Pack<float, 8>>::value);
  CHECK(Impl::HasWeights<Test::UserHat, double>::value);
  CHECK(!Impl::HasWeights<Test::UserHat, float>::value);
  CHECK(!Impl::HasWeights<Test::UserHat, Pack<double, 4>>::value);
}

}  // namespace DeltaTest
