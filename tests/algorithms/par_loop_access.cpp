// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Accesses one by one: direct and through maps.

#include "Sporos_MeshCases.hpp"
#include "Sporos_Test.hpp"

#include <cmath>
#include <type_traits>

namespace ParLoopAccess {

using namespace Sporos;
using namespace Sporos::Test;

template <class Exec>
using Memory = typename Exec::memory_space;

template <class Exec, class T = double, int N = 1>
using Values = Dat<T, N, Kokkos::LayoutRight, Memory<Exec>>;

struct Accumulate {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 3> a, Write<Real, 3> b,
                                  ReadWrite<Real, 3> c, Inc<Real, 3> d) const {
    for (int k = 0; k < 3; ++k) {
      b[k] = a[k] + c[k];
      c[k] = Real(2) * c[k] - a[k];
      d[k] += a[k];
    }
  }
};

template <class Exec, class LA, class LB>
void check_direct(int n) {
  using M = Memory<Exec>;
  const Set set("set", n);
  const auto va = small_values(3 * std::size_t(n), 1),
             vc = small_values(3 * std::size_t(n), 2),
             vd = small_values(3 * std::size_t(n), 3);
  const Dat<double, 3, LA, M> a("a", set, va), c("c", set, vc);
  const Dat<double, 3, LB, M> b("b", set), d("d", set, vd);
  par_loop("accumulate", Exec{}, set, Accumulate{}, read(a), write(b), rw(c),
           inc(d));
  const auto hb = b.to_host(), hc = c.to_host(), hd = d.to_host();
  bool right = true;
  for (std::size_t k = 0; k < va.size(); ++k)
    right = right && hb[k] == va[k] + vc[k] && hc[k] == 2 * vc[k] - va[k] &&
            hd[k] == vd[k] + va[k];
  CHECK(right);
}

TEMPLATE_LIST_TEST_CASE("direct accesses in all layouts", "[par_loop]",
                        Spaces) {
  for (const int n : {0, 1, 15, 10000}) {
    check_direct<TestType, Kokkos::LayoutRight, Kokkos::LayoutLeft>(n);
    check_direct<TestType, Kokkos::LayoutLeft, Kokkos::LayoutRight>(n);
  }
}

struct ByIndex {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 2> first, Read<Real, 2> second,
                                  Write<Real, 1> out, Inc<Real, 1> last) const {
    out[0] = first[0] + second[1];
    last[0] += first[1];
  }
};

TEMPLATE_LIST_TEST_CASE("single indices, also of maps of run-time arity",
                        "[par_loop]", Spaces) {
  using M     = Memory<TestType>;
  const int n = 500, targets = 90;
  const Set from("from", n), to("to", targets);
  const auto entries = random_entries(n, 3, targets, 9);
  const Map<dynamic_arity, M> map("map", from, to, 3, entries);
  const auto vx = small_values(2 * std::size_t(targets), 4);
  const Values<TestType, double, 2> x("x", to, vx);
  const Values<TestType> out("out", from), y("y", to);
  par_loop("by_index", TestType{}, from, ByIndex{}, read(x, map, 0),
           read(x, map, 2), write(out), inc(y, map, 1));
  const auto hout = out.to_host();
  std::vector<double> expected(std::size_t(targets), 0);
  bool right = true;
  for (std::size_t e = 0; e < std::size_t(n); ++e) {
    const auto t = [&](std::size_t i) {
      return std::size_t(entries[3 * e + i]);
    };
    right = right && hout[e] == vx[2 * t(0)] + vx[2 * t(2) + 1];
    expected[t(1)] += vx[2 * t(0) + 1];
  }
  CHECK(right);
  CHECK(y.to_host() == expected);
}

struct Permute {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 2> a, Write<Real, 2> to,
                                  ReadWrite<Real, 1> twice) const {
    to[0] = a[1];
    to[1] = a[0];
    twice[0] *= Real(2);
  }
};

TEMPLATE_LIST_TEST_CASE("writes through maps that are promised disjoint",
                        "[par_loop]", Spaces) {
  using M     = Memory<TestType>;
  const int n = 300;
  const Set from("from", n), to("to", n);
  std::vector<int> entries;
  for (int e = 0; e < n; ++e) entries.push_back(e * 7 % n);
  const Map<1, M> map("map", from, to, entries);
  const auto va = small_values(2 * n, 5), vt = small_values(n, 6);
  const Values<TestType, double, 2> a("a", from, va), b("b", to);
  const Values<TestType> t("t", to, vt);
  LoopOptions o;
  o.check_disjoint = true;
  par_loop("permute", TestType{}, from, o, Permute{}, read(a),
           write(b, map, disjoint), rw(t, map, 0, disjoint));
  const auto hb = b.to_host(), ht = t.to_host();
  bool right = true;
  for (std::size_t e = 0; e < std::size_t(n); ++e) {
    const auto k = std::size_t(entries[e]);
    right = right && hb[2 * k] == va[2 * e + 1] && hb[2 * k + 1] == va[2 * e] &&
            ht[k] == 2 * vt[k];
  }
  CHECK(right);
}

struct AddNothing {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Inc<Real, 1, 2>) const {}
};

TEMPLATE_LIST_TEST_CASE("no increment leaves every bit alone", "[par_loop]",
                        Spaces) {
  using M = Memory<TestType>;
  const Set from("from", 100), to("to", 101);
  const Map<2, M> map("map", from, to, chain_entries(100));
  const Values<TestType> y("y", to, std::vector<double>(101, -0.));
  par_loop("nothing", TestType{}, from, AddNothing{}, inc(y, map));
  int negative = 0;
  for (const double v : y.to_host()) negative += std::signbit(v) ? 1 : 0;
  CHECK(negative == 101);
}

/// Writes the element's number twice, and adds it to two targets.
struct Number {
  template <class Real>
  KOKKOS_FUNCTION void operator()(ElementIndex<Real> e, Write<Real, 2> out,
                                  Inc<Real, 1, 2> y) const {
    out[0] = index_as<Real>(e);
    out[1] = index_as<Real>(e + e);
    y(0, 0) += index_as<Real>(e);
    y(1, 0) -= index_as<Real>(e);
  }
};
static_assert(
    std::is_invocable_v<const Number&, Pack<int, 4>, Write<Pack<double, 4>, 2>,
                        Inc<Pack<double, 4>, 1, 2>>,
    "runs on packs");
struct NumberAsInt {
  template <class Real>
  KOKKOS_FUNCTION void operator()(int e, Write<Real, 2> out,
                                  Inc<Real, 1, 2> y) const {
    out[0] = e;
    out[1] = 2 * e;
    y(0, 0) += e;
    y(1, 0) -= e;
  }
};

template <class Exec, class Kernel>
void check_element_index(int n, int begin, int end) {
  using M = Memory<Exec>;
  const Set from("from", n), to("to", n / 3 + 1);
  const auto entries = banded_entries(n, 2, n / 3 + 1, 8);
  const Map<2, M> map("map", from, to, entries);
  const Values<Exec, double, 2> out("out", from);
  const Values<Exec> y("y", to);
  std::vector<double> expected(2 * std::size_t(n), 0),
      y_expected(std::size_t(to.size()), 0);
  for (int e = begin; e < end; ++e) {
    const auto k    = 2 * std::size_t(e);
    expected[k]     = e;
    expected[k + 1] = 2 * e;
    y_expected[std::size_t(entries[k])] += e;
    y_expected[std::size_t(entries[k + 1])] -= e;
  }
  for (const LoopOptions& o : all_options(64)) {
    INFO(text(o));
    out.assign(std::vector<double>(2 * std::size_t(n), 0));
    y.assign(std::vector<double>(std::size_t(to.size()), 0));
    par_loop("number", Exec{}, from.range(begin, end), o, Kernel{},
             element_index(), write(out), inc(y, map));
    CHECK(out.to_host() == expected);
    CHECK(y.to_host() == y_expected);
  }
}

TEMPLATE_LIST_TEST_CASE("the number of the element", "[par_loop]", Spaces) {
  check_element_index<TestType, Number>(500, 0, 500);
  check_element_index<TestType, Number>(500, 77, 300);
  check_element_index<TestType, NumberAsInt>(200, 77, 200);
}

TEST_CASE("without an instance", "[par_loop]") {
  const Set set("set", 100);
  const auto all = [](double value) { return std::vector<double>(300, value); };
  const Dat<double, 3> a("a", set, all(2)), b("b", set), c("c", set, all(5)),
      d("d", set, all(7));
  par_loop("accumulate", set, Accumulate{}, read(a), write(b), rw(c), inc(d));
  CHECK(b.to_host() == all(7));
  CHECK(c.to_host() == all(8));
  CHECK(d.to_host() == all(9));
}

}  // namespace ParLoopAccess
