// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Minima and maxima of dats, direct and through maps.

#include "Sporos_MeshCases.hpp"
#include "Sporos_Test.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace ParLoopMinMax {

using namespace Sporos;
using namespace Sporos::Test;

/// Offers a to both ends, 2 a to one of them, and both to the element itself.
struct Offer {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 1> a, Reduce<Real, 2, 2> low,
                                  Reduce<Real, 1> high, Reduce<Real, 1> own_low,
                                  Reduce<Real, 1> own_high) const {
    using Sporos::max;
    using Sporos::min;
    for (int i = 0; i < 2; ++i) low(i, 0) = min(low(i, 0), a[0]);
    low(1, 1)   = min(low(1, 1), a[0] + a[0]);
    high[0]     = max(high[0], a[0]);
    own_low[0]  = min(own_low[0], a[0]);
    own_high[0] = max(own_high[0], a[0] + a[0]);
  }
};

template <class T>
void lower(T& value, T v) {
  value = std::min(value, v);
}
template <class T>
void raise(T& value, T v) {
  value = std::max(value, v);
}

template <class Exec, class Layout, class T>
void check_offers(int n) {
  using M           = typename Exec::memory_space;
  const int targets = n / 3 + 2;
  const auto size   = std::size_t(n);
  const Set from("from", n), to("to", targets);
  const auto entries = banded_entries(n, 2, targets, 3);
  const Map<2, M> map("map", from, to, entries);
  const auto va = small_values<T>(size, 1);
  const Dat<T, 1, Layout, M> a("a", from, va), own_low("own_low", from),
      own_high("own_high", from), high("high", to);
  const Dat<T, 2, Layout, M> low("low", to);
  const std::vector<T> low_before(2 * std::size_t(targets), T(3)),
      high_before(std::size_t(targets), T(-2)), own(size, T(1));
  auto low_expected = low_before, high_expected = high_before,
       own_low_expected = own, own_high_expected = own;
  for (std::size_t e = 0; e < size; ++e) {
    const auto s = std::size_t(entries[2 * e]);
    const auto t = std::size_t(entries[2 * e + 1]);
    lower(low_expected[2 * s], va[e]);
    lower(low_expected[2 * t], va[e]);
    lower(low_expected[2 * t + 1], T(va[e] + va[e]));
    raise(high_expected[s], va[e]);
    lower(own_low_expected[e], va[e]);
    raise(own_high_expected[e], T(va[e] + va[e]));
  }
  for (LoopOptions o : all_options(64))
    for (const bool by_color : {false, true}) {
      INFO(text(o) << ", " << n << " elements, by colour: " << by_color);
      o.kernel_by_color = by_color;
      low.assign(low_before);
      high.assign(high_before);
      own_low.assign(own);
      own_high.assign(own);
      par_loop("offer", Exec{}, from, o, Offer{}, read(a), min(low, map),
               max(high, map, 0), min(own_low), max(own_high));
      CHECK(low.to_host() == low_expected);
      CHECK(high.to_host() == high_expected);
      CHECK(own_low.to_host() == own_low_expected);
      CHECK(own_high.to_host() == own_high_expected);
    }
}

TEMPLATE_LIST_TEST_CASE("minima and maxima of dats", "[par_loop]", Spaces) {
  check_offers<TestType, Kokkos::LayoutRight, double>(500);
  check_offers<TestType, Kokkos::LayoutLeft, double>(41);
  check_offers<TestType, Kokkos::LayoutRight, int>(200);
}

struct OfferNeighbours {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 1> a, Reduce<Real, 1> own,
                                  Reduce<Real, 1, 2> others) const {
    using Sporos::min;
    own[0]       = min(own[0], a[0]);
    others(0, 0) = min(others(0, 0), a[0]);
    others(1, 0) = min(others(1, 0), a[0]);
  }
};

TEMPLATE_LIST_TEST_CASE("the minimum over an element and its neighbours",
                        "[par_loop]", Spaces) {
  using M     = typename TestType::memory_space;
  const int n = 700;
  const Set set("set", n);
  const auto entries = banded_entries(n, 2, n, 5);
  const Map<2, M> map("map", set, set, entries);
  const auto va = small_values(n, 2);
  const Dat<double, 1, Kokkos::LayoutRight, M> a("a", set, va), b("b", set);
  const std::vector<double> before(n, 5.);
  auto expected = before;
  for (std::size_t e = 0; e < va.size(); ++e) {
    lower(expected[e], va[e]);
    for (std::size_t i = 0; i < 2; ++i)
      lower(expected[std::size_t(entries[2 * e + i])], va[e]);
  }
  for (const LoopOptions& o : all_options(64)) {
    INFO(text(o));
    b.assign(before);
    par_loop("neighbours", TestType{}, set, o, OfferNeighbours{}, read(a),
             min(b), min(b, map));
    CHECK(b.to_host() == expected);
  }
}

/// Both orders of both functions.
struct OfferNan {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 1> a, Reduce<Real, 2> low,
                                  Reduce<Real, 2> high,
                                  Reduce<Real, 1, 2> to) const {
    using Sporos::max;
    using Sporos::min;
    low[0]  = min(low[0], a[0]);
    low[1]  = min(a[0], low[1]);
    high[0] = max(high[0], a[0]);
    high[1] = max(a[0], high[1]);
    for (int i = 0; i < 2; ++i) to(i, 0) = min(to(i, 0), a[0]);
  }
};

template <class Exec, class T>
void check_nan(int n, int place) {
  using M           = typename Exec::memory_space;
  using Values      = Dat<T, 1, Kokkos::LayoutRight, M>;
  const int targets = n / 3 + 5;
  const auto at     = std::size_t(place);
  const Set from("from", n), to("to", targets);
  const auto entries = banded_entries(n, 2, targets, 3);
  const Map<2, M> map("map", from, to, entries);
  auto values = small_values<T>(std::size_t(n), 1);
  values[at]  = std::numeric_limits<T>::quiet_NaN();
  const Values a("a", from, values), x("x", to);
  for (LoopOptions o : all_options(64))
    for (const bool packs : {true, false}) {
      o.packs = packs;
      INFO(text(o) << ", NaN at " << place << " of " << n);
      x.assign(std::vector<T>(std::size_t(targets), T(3)));
      T low[2] = {1, 1};
      const Global<T, 2, M> high("high");
      par_loop("offer", Exec{}, from, o, OfferNan{}, read(a), min(low),
               max(high), min(x, map));
      for (int c = 0; c < 2; ++c) {
        CHECK(std::isnan(low[c]));
        CHECK(std::isnan(high.value(Exec{}, c)));
      }
      const auto x_now = x.to_host();
      for (int t = 0; t < targets; ++t)
        CHECK(std::isnan(x_now[std::size_t(t)]) ==
              (t == entries[2 * at] || t == entries[2 * at + 1]));
      // and it stays
      T old[2] = {std::numeric_limits<T>::quiet_NaN(), 1};
      par_loop("offer", Exec{}, from.range(0, place), o, OfferNan{}, read(a),
               min(old), max(high), min(x, map));
      CHECK(std::isnan(old[0]));
      CHECK_FALSE(std::isnan(old[1]));
      CHECK(std::isnan(high.value(Exec{}, 0)));
      CHECK(std::isnan(x.to_host()[std::size_t(entries[2 * at])]));
    }
}

TEMPLATE_LIST_TEST_CASE("a NaN makes minima and maxima NaN", "[par_loop]",
                        Spaces) {
  for (const int n : {1, 7, 300})
    for (const int place : {0, 1, n / 2, n - 1})
      if (place < n) check_nan<TestType, double>(n, place);
  check_nan<TestType, float>(130, 40);
}

}  // namespace ParLoopMinMax
