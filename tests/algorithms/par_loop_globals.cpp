// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Globals that are read and reduced; lambdas, integers, floats.

#include "Sporos_MeshCases.hpp"
#include "Sporos_Test.hpp"

namespace ParLoopGlobals {

using namespace Sporos;
using namespace Sporos::Test;

template <class Exec>
using Memory = typename Exec::memory_space;

template <class Exec, class T = double, int N = 1>
using Values = Dat<T, N, Kokkos::LayoutRight, Memory<Exec>>;

struct Globals {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 1> a, GlobalRead<Real, 2> g,
                                  GlobalRead<Real, 1> h, Reduce<Real, 2> s,
                                  Reduce<Real, 1> low,
                                  Reduce<Real, 1> high) const {
    using Sporos::max;
    using Sporos::min;
    s[0] += a[0] * g[0];
    s[1] += a[0] + h[0];
    low[0]  = min(low[0], a[0] * g[1]);
    high[0] = max(high[0], a[0]);
  }
};

TEMPLATE_LIST_TEST_CASE("globals are read and reduced", "[par_loop]", Spaces) {
  using M = Memory<TestType>;
  const TestType exec{};
  for (const int n : {0, 1, 100, 20001}) {
    const Set set("set", n);
    const auto va = small_values(std::size_t(n), 7);
    const Values<TestType> a("a", set, va);
    const Global<double, 2, M> g("g", 3.), s("s", 10.);
    const Global<double, 1, M> low("low", 20.), high("high", -20.);
    double sums[2] = {1, 2}, least = 30, most = -30;
    double expected[2] = {0, 0}, lowest = 20, highest = -20;
    for (const double v : va) {
      expected[0] += 3 * v;
      expected[1] += v + 4;
      lowest  = v * 3 < lowest ? v * 3 : lowest;
      highest = v > highest ? v : highest;
    }
    const auto loop = [&](auto to_s, auto to_low, auto to_high) {
      par_loop("globals", exec, set, Globals{}, read(a), read(g), read(4.),
               to_s, to_low, to_high);
    };
    loop(sum(s), Sporos::min(low), Sporos::max(high));
    CHECK(s.value(exec, 0) == 10 + expected[0]);
    CHECK(s.value(exec, 1) == 10 + expected[1]);
    CHECK(low.value(exec, 0) == lowest);
    CHECK(high.value(exec, 0) == highest);
    loop(sum(sums), Sporos::min(least), Sporos::max(most));
    CHECK(sums[0] == 1 + expected[0]);
    CHECK(sums[1] == 2 + expected[1]);
    CHECK(least == (n > 0 ? lowest : 30));
    CHECK(most == (n > 0 ? highest : -30));
  }
}

template <class Exec>
void check_lambda() {
  using M = Memory<Exec>;
  const Set from("from", 1000), to("to", 1001);
  const Map<2, M> map("map", from, to, chain_entries(1000));
  const Values<Exec, int> count("count", to);
  const Values<Exec, float> w("w", from, small_values<float>(1000, 8));
  const Values<Exec, float> y("y", to);
  par_loop(
      "lambda", Exec{}, from,
      KOKKOS_LAMBDA(Read<float> a, Inc<int, 1, 2> c, Inc<float, 1, 2> b) {
        c(0, 0) += 1;
        c(1, 0) += 1;
        b(0, 0) += a[0];
        b(1, 0) -= a[0];
      },
      read(w), inc(count, map), inc(y, map));
  const auto hc = count.to_host();
  CHECK(hc[0] == 1);
  CHECK(hc[500] == 2);
  CHECK(hc[1000] == 1);
  const auto hw = w.to_host(), hy = y.to_host();
  CHECK(hy[500] == hw[500] - hw[499]);
}

TEMPLATE_LIST_TEST_CASE("globals of an instance", "[par_loop]", Spaces) {
  const TestType exec{};
  const Global<double, 2, typename TestType::memory_space> g(exec, "g", 2.5);
  CHECK(g.value(exec, 0) == 2.5);
  CHECK(g.value(exec, 1) == 2.5);
  CHECK(g.name() == "g");
}

TEMPLATE_LIST_TEST_CASE("lambdas, integers, floats", "[par_loop]", Spaces) {
  check_lambda<TestType>();
}

/// Names plain numbers beside a pack, and says how large that is.
struct PlainNumbers {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Write<Real> a, GlobalRead<double, 3> g,
                                  GlobalRead<double, 2> h) const {
    a[0] = Real(g[2] * h[1] + double(sizeof(Real)));
  }
};

TEMPLATE_LIST_TEST_CASE("constants that a kernel on packs takes as numbers",
                        "[par_loop]", Spaces) {
  using M = Memory<TestType>;
  const TestType exec{};
  const Set set("set", 1003);
  const Values<TestType> a("a", set);
  const Global<double, 3, M> g("g");
  g.assign({1., 2., 3.});
  CHECK(g.value(exec, 1) == 2);
  const double h[2] = {4., 5.};
  par_loop("numbers", exec, set, PlainNumbers{}, write(a), read(g), read(h));
  const auto values    = a.to_host(exec);
  constexpr int lanes  = native_pack_width<double>;
  constexpr bool packs = Sporos::Impl::is_host_space_v<TestType> && lanes > 1;
  CHECK(values[0] == 15 + sizeof(double) * (packs ? lanes : 1));
  CHECK(values[1002] == 15 + sizeof(double));
}

}  // namespace ParLoopGlobals
