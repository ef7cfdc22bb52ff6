// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What kernels write: through several columns of a map, not at all, globals.

#include "Sporos_MeshCases.hpp"
#include "Sporos_Test.hpp"

#include <numeric>

namespace ParLoopWrites {

using namespace Sporos;
using namespace Sporos::Test;

/// Element e of n has targets of its own, two of 2 n, and one of a few that
/// all elements increment.
template <class Exec, class Layout>
struct WriteCase {
  using Memory = typename Exec::memory_space;
  int n;
  Set from, to, few;
  std::vector<int> own_entries, shared_entries;
  Map<2, Memory> own, shared;
  Dat<double, 1, Layout, Memory> a;
  Dat<double, 3, Layout, Memory> b;
  Dat<double, 1, Layout, Memory> y;

  explicit WriteCase(int size)
      : n(size),
        from("from", n),
        to("to", 2 * n),
        few("few", n / 4 + 1),
        own_entries(2 * std::size_t(n)),
        shared_entries(banded_entries(n, 2, n / 4 + 1, 3)),
        own("own", from, to, permuted()),
        shared("shared", from, few, shared_entries),
        a("a", from, small_values(std::size_t(n), 4)),
        b("b", to),
        y("y", few) {}

  const std::vector<int>& permuted() {
    for (std::size_t k = 0; k < own_entries.size(); ++k)
      own_entries[k] = int(k * 7 % own_entries.size());
    return own_entries;
  }
  void reset() const {
    b.assign(small_values(6 * std::size_t(n), 5));
    y.assign(small_values(std::size_t(few.size()), 6));
  }
  /// What y gets if element e increments both of its targets by a.
  std::vector<double> y_expected() const {
    auto expected = small_values(std::size_t(few.size()), 6);
    const auto va = a.to_host();
    for (std::size_t k = 0; k < shared_entries.size(); ++k)
      expected[std::size_t(shared_entries[k])] += va[k / 2];
    return expected;
  }
};

struct WriteBoth {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 1> a, Write<Real, 3> first,
                                  ReadWrite<Real, 3> second,
                                  Inc<Real, 1, 2> y) const {
    for (int c = 0; c < 3; ++c) {
      first[c] = a[0] + Real(c);
      second[c] -= a[0];
    }
    y(0, 0) += a[0];
    y(1, 0) += a[0];
  }
};

template <class Exec, class Layout>
void check_both_columns(int n) {
  const WriteCase<Exec, Layout> c(n);
  c.reset();
  auto expected      = c.b.to_host();
  const auto va      = c.a.to_host();
  const auto targets = c.own_entries;
  for (std::size_t e = 0; e < va.size(); ++e)
    for (std::size_t k = 0; k < 3; ++k) {
      expected[3 * std::size_t(targets[2 * e]) + k] = va[e] + double(k);
      expected[3 * std::size_t(targets[2 * e + 1]) + k] -= va[e];
    }
  for (LoopOptions o : all_options(64)) {
    INFO(text(o) << ", " << n << " elements");
    o.check_disjoint = true;
    c.reset();
    par_loop("both", Exec{}, c.from, o, WriteBoth{}, read(c.a),
             write(c.b, c.own, 0, disjoint), rw(c.b, c.own, 1, disjoint),
             inc(c.y, c.shared));
    CHECK(c.b.to_host() == expected);
    CHECK(c.y.to_host() == c.y_expected());
  }
}

TEMPLATE_LIST_TEST_CASE("two columns of a map that write one dat", "[par_loop]",
                        Spaces) {
  check_both_columns<TestType, Kokkos::LayoutRight>(500);
  check_both_columns<TestType, Kokkos::LayoutLeft>(41);
}

/// Writes component 0 where a > 0, component 1 always and 2 never.
struct WriteSome {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 1> a, Write<Real, 3> own,
                                  Write<Real, 3, 2> b,
                                  Inc<Real, 1, 2> y) const {
    own[0] = select(a[0] > Real(0), a[0], own[0]);
    own[1] = a[0];
    for (int i = 0; i < 2; ++i) {
      b(i, 0) = select(a[0] > Real(0), a[0], b(i, 0));
      b(i, 1) = a[0];
      y(i, 0) += a[0];
    }
  }
};

/// Writes like WriteSome, with branches, for numbers alone.
struct WriteSomeNumbers {
  KOKKOS_FUNCTION void operator()(Read<double, 1> a, Write<double, 3> own,
                                  Write<double, 3, 2> b,
                                  Inc<double, 1, 2> y) const {
    if (a[0] > 0) own[0] = a[0];
    own[1] = a[0];
    for (int i = 0; i < 2; ++i) {
      if (a[0] > 0) b(i, 0) = a[0];
      b(i, 1) = a[0];
      y(i, 0) += a[0];
    }
  }
};

template <class Exec, class Layout, class Kernel>
void check_conditional(int n) {
  const WriteCase<Exec, Layout> c(n);
  const Dat<double, 3, Layout, typename Exec::memory_space> own("own", c.from);
  c.reset();
  const auto own_before = small_values(3 * std::size_t(n), 7);
  auto b_expected = c.b.to_host(), own_expected = own_before;
  const auto va = c.a.to_host();
  for (std::size_t e = 0; e < va.size(); ++e) {
    const auto write = [&](std::vector<double>& v, std::size_t row) {
      if (va[e] > 0) v[3 * row] = va[e];
      v[3 * row + 1] = va[e];
    };
    write(own_expected, e);
    write(b_expected, std::size_t(c.own_entries[2 * e]));
    write(b_expected, std::size_t(c.own_entries[2 * e + 1]));
  }
  for (LoopOptions o : all_options(64))
    for (const bool by_color : {false, true}) {
      INFO(text(o) << ", " << n << " elements, by colour: " << by_color);
      o.kernel_by_color = by_color;
      c.reset();
      own.assign(own_before);
      par_loop("some", Exec{}, c.from, o, Kernel{}, read(c.a), write(own),
               write(c.b, c.own, disjoint), inc(c.y, c.shared));
      CHECK(own.to_host() == own_expected);
      CHECK(c.b.to_host() == b_expected);
      CHECK(c.y.to_host() == c.y_expected());
    }
}

TEMPLATE_LIST_TEST_CASE("memory keeps what a kernel does not write",
                        "[par_loop]", Spaces) {
  check_conditional<TestType, Kokkos::LayoutRight, WriteSome>(500);
  check_conditional<TestType, Kokkos::LayoutLeft, WriteSome>(41);
  check_conditional<TestType, Kokkos::LayoutRight, WriteSomeNumbers>(41);
}

/// Every element writes component 0, none writes 1.
struct WriteGlobal {
  template <class Real>
  KOKKOS_FUNCTION void operator()(ElementIndex<Real> e, Read<Real, 1> a,
                                  Inc<Real, 1, 2> y, GlobalWrite<Real, 2> last,
                                  GlobalWrite<Real, 1> value) const {
    y(0, 0) += a[0];
    y(1, 0) += a[0];
    last[0]  = index_as<Real>(e);
    value[0] = a[0];
  }
};

/// Elements with a > 0 write component 0, none writes 1.
struct WriteGlobalSometimes {
  KOKKOS_FUNCTION void operator()(int e, Read<double, 1> a, Inc<double, 1, 2> y,
                                  GlobalWrite<double, 2> last,
                                  GlobalWrite<double, 1> value) const {
    y(0, 0) += a[0];
    y(1, 0) += a[0];
    if (a[0] > 0) {
      last[0]  = e;
      value[0] = a[0];
    }
  }
};

template <class Kernel, class Exec, class Range>
void check_global(const WriteCase<Exec, Kokkos::LayoutRight>& c,
                  const Range& range, double last, double value) {
  using M = typename Exec::memory_space;
  const Exec exec{};
  const Global<double, 2, M> g("g");
  const Global<double, 1, M> v("v");
  for (LoopOptions o : all_options(64))
    for (const bool packs : {true, false}) {
      o.packs = packs;
      INFO(text(o) << ", " << range.size() << " elements");
      c.reset();
      g.assign(-5.);
      v.assign(-5.);
      par_loop("global", exec, range, o, Kernel{}, element_index(), read(c.a),
               inc(c.y, c.shared), write(g), write(v));
      CHECK(g.value(exec, 0) == last);
      CHECK(g.value(exec, 1) == -5);
      CHECK(v.value(exec, 0) == value);
    }
}

TEMPLATE_LIST_TEST_CASE("the last element that writes a global", "[par_loop]",
                        Spaces) {
  using M     = typename TestType::memory_space;
  const int n = slow_run ? 400 : 3000;
  const WriteCase<TestType, Kokkos::LayoutRight> c(n);
  const auto va   = c.a.to_host();
  const auto last = [&](int end) {  // before end with a > 0
    while (!(va[std::size_t(end) - 1] > 0)) --end;
    return end - 1;
  };
  for (const int end : {n, 300, 3}) {
    const auto k = std::size_t(last(end));
    check_global<WriteGlobal>(c, c.from.range(0, end), end - 1,
                              va[std::size_t(end) - 1]);
    check_global<WriteGlobalSometimes>(c, c.from.range(0, end), double(k),
                                       va[k]);
  }
  // in the order of a list
  std::vector<int> list(std::size_t(n), 0);
  for (int k = 0; k < n; ++k) list[std::size_t(k)] = n - 1 - k;
  const Subset<M> backwards("backwards", c.from, list);
  check_global<WriteGlobal>(c, backwards, 0, va[0]);
  // nobody
  check_global<WriteGlobalSometimes>(c, c.from.range(7, 7), -5, -5);
  c.a.assign(std::vector<double>(std::size_t(n), -1.));
  check_global<WriteGlobalSometimes>(c, c.from.range(0, n), -5, -5);
}

TEST_CASE("validate sees a promise that two arguments break together",
          "[plan]") {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  using M    = Exec::memory_space;
  const Set edges("edges", 10), nodes("nodes", 11);
  const Map<2, M> ends("ends", edges, nodes, chain_entries(10));
  const Dat<double, 1, Kokkos::LayoutRight, M> b("b", nodes), c("c", nodes);
  const auto plan = [&](const auto&... args) {
    return validate(LoopPlan<Exec>(Exec{}, edges, LoopOptions{}, args...));
  };
  CHECK(plan(write(b, ends, 0, disjoint), write(c, ends, 1, disjoint)) == "");
  if (Sporos::Impl::checks_enabled) return;  // plans are refused then
  CHECK(plan(write(b, ends, 0, disjoint), write(b, ends, 1, disjoint)) ==
        "argument 1, write(b, ends, 1) writes target 1 of elements 1 and 0, "
        "which were promised to be disjoint");
}

}  // namespace ParLoopWrites
