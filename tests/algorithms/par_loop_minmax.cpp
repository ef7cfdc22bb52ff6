// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Minima and maxima of dats, direct and through maps.

#include "Sporos_MeshCases.hpp"
#include "Sporos_Test.hpp"

#include <algorithm>

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

}  // namespace ParLoopMinMax
