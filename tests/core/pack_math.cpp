// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Comparisons, choices and functions of packs lane by lane against those of
// scalars, through one function template for both.

#include "Sporos_Test.hpp"

#include <Sporos_Pack.hpp>

#include <cmath>
#include <limits>
#include <tuple>
#include <type_traits>

namespace PackMathTest {

using Sporos::Mask;
using Sporos::Pack;

using Packs = Sporos::Test::unless_reduced<
    std::tuple<Pack<double, 8>, Pack<float, 4>, Pack<int, 8>>,
    std::tuple<Pack<double, 1>, Pack<double, 4>, Pack<double, 32>,
               Pack<float, 16>>>;

template <class P>
using Scalar = typename P::value_type;

/// Both signs, zeros of both, equal lanes in (a, b).
template <class P>
P pack_a() {
  return P::generate([](int i) { return Scalar<P>(i % 7 - 3); });
}
template <class P>
P pack_b() {
  return P::generate(
      [](int i) { return Scalar<P>(i % 3 == 0 ? i % 7 - 3 : 2 - i % 5); });
}

template <class M, class F>
bool mask_is(const M& m, const F& f) {
  for (int i = 0; i < M::width; ++i)
    if (m[i] != f(i)) return false;
  return true;
}

TEMPLATE_LIST_TEST_CASE("pack comparisons", "[pack]", Packs) {
  using P   = TestType;
  using T   = Scalar<P>;
  const P a = pack_a<P>(), b = pack_b<P>();
  CHECK(mask_is(a < b, [&](int i) { return a[i] < b[i]; }));
  CHECK(mask_is(a <= b, [&](int i) { return a[i] <= b[i]; }));
  CHECK(mask_is(a > b, [&](int i) { return a[i] > b[i]; }));
  CHECK(mask_is(a >= b, [&](int i) { return a[i] >= b[i]; }));
  CHECK(mask_is(a == b, [&](int i) { return a[i] == b[i]; }));
  CHECK(mask_is(a != b, [&](int i) { return a[i] != b[i]; }));
  CHECK(mask_is(a < T(1), [&](int i) { return a[i] < T(1); }));
  CHECK(mask_is(T(1) <= a, [&](int i) { return T(1) <= a[i]; }));
  const auto m = a<b, n = a> T(0);
  CHECK(mask_is(m && n, [&](int i) { return m[i] && n[i]; }));
  CHECK(mask_is(m || n, [&](int i) { return m[i] || n[i]; }));
  CHECK(mask_is(m ^ n, [&](int i) { return m[i] != n[i]; }));
  CHECK(mask_is(!m, [&](int i) { return !m[i]; }));
  CHECK(any_of(a == a));
  CHECK(all_of(a == a));
  CHECK_FALSE(any_of(a != a));
  auto last = Mask<T, P::width>(false);
  CHECK_FALSE(any_of(last));
  last.set(P::width - 1, true);
  CHECK(any_of(last));
  CHECK(all_of(last) == (P::width == 1));
}

TEMPLATE_LIST_TEST_CASE("pack comparisons with NaN", "[pack]", Packs) {
  using P = TestType;
  using T = Scalar<P>;
  if constexpr (std::is_floating_point<T>::value) {
    const P nan(std::numeric_limits<T>::quiet_NaN()), a = pack_a<P>();
    CHECK_FALSE(any_of(nan < a));
    CHECK_FALSE(any_of(nan >= a));
    CHECK_FALSE(any_of(nan == nan));
    CHECK(all_of(nan != nan));
    CHECK(all_of(!(nan <= a)));
  }
}

/// What a user's kernel might do, for any real type.
template <class Real>
Real kernel(const Real& a, const Real& b) {
  using Sporos::abs;
  using Sporos::max;
  using Sporos::min;
  using Sporos::select;
  Real c = select(a < b && !(a == Real(1)), a - b, 2 * a + b);
  c      = select(c > 0, c, Real(3));
  c      = max(c, min(abs(a), 1));
  c /= Real(2);
  return c + select(a < b, Real(1), Real(2));
}

TEMPLATE_LIST_TEST_CASE("pack functions are those of scalars", "[pack]",
                        Packs) {
  using P   = TestType;
  using T   = Scalar<P>;
  const P a = pack_a<P>(), b = pack_b<P>();
  const auto equal = [](const P& p, const auto& f) {
    for (int i = 0; i < P::width; ++i)
      if (!(p[i] == f(i))) return false;
    return true;
  };
  CHECK(equal(kernel(a, b), [&](int i) { return kernel<T>(a[i], b[i]); }));
  CHECK(equal(min(a, b), [&](int i) { return std::min(a[i], b[i]); }));
  CHECK(equal(max(a, b), [&](int i) { return std::max(a[i], b[i]); }));
  CHECK(equal(Sporos::min(a, b), [&](int i) { return std::min(a[i], b[i]); }));
  CHECK(
      equal(Sporos::max(T(1), b), [&](int i) { return std::max(T(1), b[i]); }));
  CHECK(equal(Sporos::fma(a, T(2), b),
              [&](int i) { return T(a[i] * T(2) + b[i]); }));
  CHECK(equal(Sporos::select(a < b, a, T(2)),
              [&](int i) { return a[i] < b[i] ? a[i] : T(2); }));
  CHECK(Sporos::any_of(a == a));
  CHECK(Sporos::all_of(a == a));
  CHECK(equal(max(a, T(1)), [&](int i) { return std::max(a[i], T(1)); }));
  CHECK(equal(abs(a), [&](int i) { return T(std::abs(a[i])); }));
  CHECK(equal(select(a < b, T(1), T(2)),
              [&](int i) { return a[i] < b[i] ? T(1) : T(2); }));
  if constexpr (std::is_floating_point<T>::value) {
    CHECK(equal(abs(-(a * T(0))), [](int) { return T(0); }));
    CHECK_FALSE(std::signbit(abs(P(T(-0.)))[0]));
    CHECK(equal(Sporos::sqrt(abs(a)),
                [&](int i) { return std::sqrt(std::abs(a[i])); }));
    CHECK(equal(exp(a), [&](int i) { return std::exp(a[i]); }));
    CHECK(equal(sin(a), [&](int i) { return std::sin(a[i]); }));
    CHECK(equal(cos(a), [&](int i) { return std::cos(a[i]); }));
    CHECK(equal(log(abs(a) + T(1)),
                [&](int i) { return std::log(std::abs(a[i]) + T(1)); }));
    CHECK(equal(pow(abs(a), b - T(.5)),
                [&](int i) { return std::pow(std::abs(a[i]), b[i] - T(.5)); }));
    CHECK(equal(pow(a, 2), [&](int i) { return std::pow(a[i], T(2)); }));
  }
}

TEMPLATE_LIST_TEST_CASE("minima and maxima with NaN are NaN", "[pack]", Packs) {
  using P = TestType;
  using T = Scalar<P>;
  if constexpr (std::is_floating_point<T>::value) {
    const T nan = std::numeric_limits<T>::quiet_NaN();
    const P a   = pack_a<P>();
    for (int lane = 0; lane < P::width; ++lane) {
      P some = a;
      some.set(lane, nan);
      for (const P& p : {min(some, a), min(a, some), max(some, a), max(a, some),
                         Sporos::min(some, some), Sporos::max(some, T(1)),
                         Sporos::min(T(1), some)})
        for (int i = 0; i < P::width; ++i) CHECK((p[i] != p[i]) == (i == lane));
    }
    for (const T one : {T(1), std::numeric_limits<T>::infinity()}) {
      CHECK(std::isnan(Sporos::min(nan, one)));
      CHECK(std::isnan(Sporos::min(one, nan)));
      CHECK(std::isnan(Sporos::max(nan, one)));
      CHECK(std::isnan(Sporos::max(one, nan)));
    }
  }
}

TEST_CASE("functions of scalars", "[pack]") {
  static_assert(Sporos::pack_width<double> == 1, "");
  static_assert(Sporos::pack_width<Pack<float, 4>> == 4, "");
  static_assert(std::is_same<Sporos::scalar_of<Pack<float, 4>>, float>::value,
                "");
  static_assert(std::is_same<decltype(Sporos::sqrt(1.f)), float>::value, "");
  static_assert(std::is_same<decltype(Sporos::sqrt(2)), double>::value, "");
  CHECK(Sporos::sqrt(4.) == 2.);
  CHECK(Sporos::sqrt(2) == std::sqrt(2.));
  CHECK(Sporos::exp(1) == std::exp(1.));
  CHECK(Sporos::abs(-3) == 3);
  CHECK(Sporos::abs(-3.5) == 3.5);
  CHECK(Sporos::min(1, 2.5) == 1.);
  CHECK(Sporos::max(1, 2.5) == 2.5);
  CHECK(Sporos::fma(2., 3., 4.) == 10.);
  CHECK(Sporos::pow(2., 3) == 8.);
  CHECK(Sporos::select(true, 1, 2.5) == 1.);
  CHECK(Sporos::any_of(true));
  CHECK_FALSE(Sporos::all_of(false));
}

}  // namespace PackMathTest
