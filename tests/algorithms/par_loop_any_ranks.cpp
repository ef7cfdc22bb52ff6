// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// LoopOptions::any_ranks: bits that depend neither on the order of elements nor
// on which of them share a pack.

#include "Sporos_MeshCases.hpp"
#include "Sporos_Test.hpp"

#include <Sporos_ExactSum.hpp>
#include <Sporos_ParLoop.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace ParLoopAnyRanks {

using namespace Sporos;

LoopOptions any_ranks(int block_size = 0) {
  LoopOptions o;
  o.any_ranks  = true;
  o.block_size = block_size;
  return o;
}

/// Magnitudes from 1e-18 to 1e18, half of them negative.
template <class T>
std::vector<T> wild_values(std::size_t n, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> exponent(-18, 18), sign(-1, 1);
  std::vector<T> values(n);
  for (T& v : values)
    v = T(std::copysign(std::pow(10., exponent(generator)), sign(generator)));
  return values;
}

std::vector<int> shuffled(int n, unsigned seed) {
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(seed));
  return order;
}
/// The rows of `width` values in another order.
template <class T>
std::vector<T> in_order(const std::vector<T>& rows,
                        const std::vector<int>& order, std::size_t width) {
  std::vector<T> result;
  for (const int k : order)
    for (std::size_t c = 0; c < width; ++c)
      result.push_back(rows[std::size_t(k) * width + c]);
  return result;
}

/// The sum of column c of rows of two, without rounding before the end.
template <class T>
T exact_column(const std::vector<T>& rows, std::size_t c, T start) {
  ExactSum<T> sum(start);
  for (std::size_t k = c; k < rows.size(); k += 2) sum.add(rows[k]);
  return sum.value();
}

struct AddBoth {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 2> v, Reduce<Real, 2> sum) const {
    sum[0] += v[0];
    sum[1] += v[1];
  }
};
/// AddBoth for numbers alone: the call operator takes no packs.
template <class T>
struct AddNumbers {
  KOKKOS_FUNCTION void operator()(Read<T, 2> v, Reduce<T, 2> sum) const {
    sum[0] += v[0];
    sum[1] += v[1];
  }
};

template <class Exec, class T, class Kernel>
void check_sums(int n, int block_size, const Kernel& kernel) {
  using Memory = typename Exec::memory_space;
  const Exec exec{};
  const Set set("elements", n);
  auto rows = wild_values<T>(2 * std::size_t(n), 1);
  // what is left after large numbers cancel
  for (std::size_t k = 0; k + 3 < rows.size() / 2; k += 4) {
    rows[k]     = T(1e15);
    rows[k + 2] = T(-1e15);
  }
  const T start[2]    = {T(0.1), T(-3e7)};
  const T expected[2] = {exact_column(rows, 0, start[0]),
                         exact_column(rows, 1, start[1])};
  for (const unsigned seed : {0u, 1u}) {
    std::vector<int> order = shuffled(n, 7);
    if (seed == 0) std::iota(order.begin(), order.end(), 0);
    const Dat<T, 2, Kokkos::LayoutRight, Memory> v("v", set,
                                                   in_order(rows, order, 2));
    T host[2] = {start[0], start[1]};
    par_loop("add", exec, set, any_ranks(block_size), kernel, read(v),
             sum(host));
    const Global<T, 2, Memory> global("sums");
    global.assign({start[0], start[1]});
    par_loop("add", exec, set, any_ranks(block_size), kernel, read(v),
             sum(global));
    exec.fence();
    for (int c = 0; c < 2; ++c) {
      CHECK(host[c] == expected[c]);
      CHECK(global.value(c) == expected[c]);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("sums of any_ranks are exact in any order",
                        "[par_loop]", Test::Spaces) {
  for (const int n : {0, 1, 2, 7, 1000, 10007}) {
    check_sums<TestType, double>(n, 0, AddBoth{});
    check_sums<TestType, float>(n, 37, AddBoth{});
    check_sums<TestType, double>(n, 64, AddNumbers<double>{});
  }
}

/// Two products in one sum: compilers may contract either.
struct Products {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 4> v, Write<Real, 2> out,
                                  Inc<Real, 1> grows, ReadWrite<Real, 1> state,
                                  Reduce<Real, 1> sum) const {
    out[0] = v[0] * v[1] + v[2] * v[3];
    out[1] = v[0] * v[1] - v[2] * v[3];
    sum[0] += v[0] * v[2] - v[1] * v[3];
    grows[0] += v[0] * v[3];
    state[0] = state[0] * v[0] + v[1] * v[2];
  }
};

/// The loop over all elements, or over [0, cut) and [cut, n).
template <class Exec, class Layout>
struct ProductsCase {
  using Memory = typename Exec::memory_space;
  std::vector<double> out, grows, state;
  double total = 0.25;

  ProductsCase(const std::vector<double>& values, const LoopOptions& options,
               int cut = 0) {
    const Exec exec{};
    const int n = int(values.size()) / 4;
    const Set set("elements", n);
    const Dat<double, 4, Layout, Memory> v("v", set, values);
    const Dat<double, 2, Layout, Memory> o("out", set);
    const Dat<double, 1, Layout, Memory> g("grows", set), s("state", set);
    g.assign(std::vector<double>(std::size_t(n), 1. / 3));
    s.assign(std::vector<double>(std::size_t(n), 0.7));
    for (const auto& range : {set.range(0, cut), set.range(cut, n)})
      par_loop("products", exec, range, options, Products{}, read(v), write(o),
               inc(g), rw(s), sum(total));
    out   = o.to_host();
    grows = g.to_host();
    state = s.to_host();
  }
};

template <class Exec, class Layout>
void check_places(int n) {
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> values(4 * std::size_t(n));
  for (double& v : values) v = uniform(generator);
  const ProductsCase<Exec, Layout> whole(values, any_ranks());
  const auto same = [&](const ProductsCase<Exec, Layout>& other,
                        const std::vector<int>& order) {
    CHECK(other.out == in_order(whole.out, order, 2));
    CHECK(other.grows == in_order(whole.grows, order, 1));
    CHECK(other.state == in_order(whole.state, order, 1));
  };
  std::vector<int> as_it_is(static_cast<std::size_t>(n));
  std::iota(as_it_is.begin(), as_it_is.end(), 0);
  for (const int block_size : {1, 3, 64}) {
    const ProductsCase<Exec, Layout> blocks(values, any_ranks(block_size));
    same(blocks, as_it_is);
    CHECK(blocks.total == whole.total);
  }
  LoopOptions no_packs = any_ranks(5);
  no_packs.packs       = false;
  const ProductsCase<Exec, Layout> scalars(values, no_packs);
  same(scalars, as_it_is);
  CHECK(scalars.total == whole.total);
  for (const int cut : {1, 2, 3, 5, n - 1})
    same(ProductsCase<Exec, Layout>(values, any_ranks(), cut), as_it_is);
  const auto order = shuffled(n, 4);
  const ProductsCase<Exec, Layout> moved(in_order(values, order, 4),
                                         any_ranks());
  same(moved, order);
  CHECK(moved.total == whole.total);
}

TEMPLATE_LIST_TEST_CASE("no bit of any_ranks tells the place of an element",
                        "[par_loop]", Test::Spaces) {
  check_places<TestType, Kokkos::LayoutRight>(1003);
  check_places<TestType, Kokkos::LayoutLeft>(77);
}

struct AddIndex {
  template <class Real>
  KOKKOS_FUNCTION void operator()(ElementIndex<Real> e,
                                  Reduce<Real> sum) const {
    sum[0] += index_as<Real>(e) - 2147483637.;
  }
};

TEMPLATE_LIST_TEST_CASE(
    "the last elements that an int can number, with any_ranks", "[par_loop]",
    Test::Spaces) {
  const int end = std::numeric_limits<int>::max();
  const Set set("set", end);
  double total = 0;
  par_loop("last", TestType{}, set.range(end - 10, end), any_ranks(),
           AddIndex{}, element_index(), sum(total));
  CHECK(total == 45);
  CHECK(Impl::FewElements{end - 2, end - 1}(7) == end - 1);
}

struct Scatter {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 2> v, Inc<Real, 2, 2> a,
                                  Inc<Real, 2> b, Reduce<Real, 2> sum) const {
    for (int c = 0; c < 2; ++c) {
      a(0, c) += v[c];
      a(1, c) -= v[c];
      b[c] += v[1 - c];
      sum[c] += v[c];
    }
  }
};

/// Increments through two maps in the order of elements.
template <class Exec, class T>
void check_increments(int n, int targets) {
  using Memory = typename Exec::memory_space;
  const Exec exec{};
  const Set from("from", n), to("to", targets);
  const auto ends = Test::random_entries(n, 2, targets, 5);
  const auto one  = Test::random_entries(n, 1, targets, 6);
  const Map<2, Memory> two_map("ends", from, to, ends);
  const Map<1, Memory> one_map("one", from, to, one);
  const auto rows  = wild_values<T>(2 * std::size_t(n), 8);
  const auto start = wild_values<T>(2 * std::size_t(targets), 9);
  const Dat<T, 2, Kokkos::LayoutRight, Memory> v("v", from, rows);
  const Dat<T, 2, Kokkos::LayoutRight, Memory> x("x", to, start);
  T total[2] = {0, 0};
  par_loop("scatter", exec, from, any_ranks(), Scatter{}, read(v),
           inc(x, two_map), inc(x, one_map, 0), sum(total));
  auto expected = start;
  for (std::size_t e = 0; e < std::size_t(n); ++e) {
    for (std::size_t c = 0; c < 2; ++c) {
      expected[2 * std::size_t(ends[2 * e]) + c] += rows[2 * e + c];
      expected[2 * std::size_t(ends[2 * e + 1]) + c] -= rows[2 * e + c];
    }
    for (std::size_t c = 0; c < 2; ++c)
      expected[2 * std::size_t(one[e]) + c] += rows[2 * e + 1 - c];
  }
  CHECK(x.to_host() == expected);
  for (std::size_t c = 0; c < 2; ++c)
    CHECK(total[c] == exact_column(rows, c, T(0)));
}

TEMPLATE_LIST_TEST_CASE(
    "increments of any_ranks are added in the order of elements", "[par_loop]",
    Test::Spaces) {
  check_increments<TestType, double>(5003, 900);
  check_increments<TestType, float>(811, 7);
}

/// Contributions without reductions.
struct Spread {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 2> v, Inc<Real, 1, 2> a,
                                  Inc<Real, 1> b, Inc<Real, 2> c,
                                  Reduce<Real, 1, 2> least) const {
    a(0, 0) += v[0];
    a(1, 0) -= v[0];
    b[0] += v[1];
    c[0] += v[0];
    c[1] -= v[1];
    for (int i = 0; i < 2; ++i) least(i, 0) = Sporos::min(least(i, 0), v[1]);
  }
};
/// Spread for numbers alone: the call operator takes no packs.
template <class T>
struct SpreadNumbers {
  KOKKOS_FUNCTION void operator()(Read<T, 2> v, Inc<T, 1, 2> a, Inc<T, 1> b,
                                  Inc<T, 2> c, Reduce<T, 1, 2> least) const {
    Spread{}(v, a, b, c, least);
  }
};

/// Through maps to two sets; two arguments increment one dat.
template <class Exec, class T, class Kernel>
void check_spread(int n, int targets, const Kernel& kernel) {
  using Memory = typename Exec::memory_space;
  using Layout = Kokkos::LayoutRight;
  const Set from("from", n), to("to", targets), others("others", 2 * targets);
  const auto ends = Test::random_entries(n, 2, targets, 5);
  const auto one  = Test::random_entries(n, 1, targets, 6);
  const auto far  = Test::banded_entries(n, 1, 2 * targets, 7);
  const Map<2, Memory> two_map("ends", from, to, ends);
  const Map<1, Memory> one_map("one", from, to, one);
  const Map<1, Memory> far_map("far", from, others, far);
  const auto rows  = wild_values<T>(2 * std::size_t(n), 8);
  const auto start = wild_values<T>(std::size_t(targets), 9);
  const Dat<T, 2, Layout, Memory> v("v", from, rows), y("y", others);
  const Dat<T, 1, Layout, Memory> x("x", to, start), low("low", to, start);
  par_loop("spread", Exec{}, from, any_ranks(), kernel, read(v),
           inc(x, two_map), inc(x, one_map, 0), inc(y, far_map, 0),
           Sporos::min(low, two_map));
  Exec().fence();
  auto to_y = y.to_host(), to_x = start, to_low = start;
  std::fill(to_y.begin(), to_y.end(), T(0));
  for (std::size_t e = 0; e < std::size_t(n); ++e) {
    to_x[std::size_t(ends[2 * e])] += rows[2 * e];
    to_x[std::size_t(ends[2 * e + 1])] -= rows[2 * e];
    to_x[std::size_t(one[e])] += rows[2 * e + 1];
    to_y[2 * std::size_t(far[e])] += rows[2 * e];
    to_y[2 * std::size_t(far[e]) + 1] -= rows[2 * e + 1];
    for (std::size_t i = 0; i < 2; ++i) {
      T& least = to_low[std::size_t(ends[2 * e + i])];
      least    = std::min(least, rows[2 * e + 1]);
    }
  }
  CHECK(x.to_host() == to_x);
  CHECK(y.to_host() == to_y);
  CHECK(low.to_host() == to_low);
}

TEMPLATE_LIST_TEST_CASE("blocks of targets add in the order of elements",
                        "[par_loop]", Test::Spaces) {
  check_spread<TestType, double>(5003, 1900, Spread{});
  check_spread<TestType, float>(4001, 5100, Spread{});
  check_spread<TestType, double>(3001, 1100, SpreadNumbers<double>{});
  check_spread<TestType, double>(3, 2, Spread{});
}

struct Extremes {
  KOKKOS_FUNCTION void operator()(Read<double> v, Reduce<std::int64_t> count,
                                  Reduce<double> least,
                                  Reduce<double> sum) const {
    count[0] += v[0] < 0 ? -1 : (std::int64_t(1) << 40);
    least[0] = v[0] < least[0] ? v[0] : least[0];
    sum[0] += v[0];
  }
};

TEMPLATE_LIST_TEST_CASE("integers, zeros, infinities and NaN with any_ranks",
                        "[par_loop]", Test::Spaces) {
  using Memory       = typename TestType::memory_space;
  const double large = std::numeric_limits<double>::max();
  const double inf   = std::numeric_limits<double>::infinity();
  const auto run     = [&](const std::vector<double>& values) {
    const Set set("elements", int(values.size()));
    const Dat<double, 1, Kokkos::LayoutRight, Memory> v("v", set, values);
    std::int64_t count = 3;
    double least = 1, total = 0;
    par_loop("extremes", TestType{}, set, any_ranks(), Extremes{}, read(v),
                 sum(count), Sporos::min(least), sum(total));
    CHECK(count ==
              3 + std::accumulate(values.begin(), values.end(), std::int64_t(0),
                                  [](std::int64_t s, double x) {
                                return s + (x < 0 ? -1 : std::int64_t(1) << 40);
                              }));
    return std::make_pair(least, total);
  };
  for (const auto& zeros :
       {std::vector<double>{0., -0., 2.}, std::vector<double>{-0., 2., 0.}}) {
    const double least = run(zeros).first;
    CHECK(least == 0);
    CHECK(!std::signbit(least));
  }
  CHECK(run({large, large, -large, 1, -large}).second == 1);
  CHECK(run({1, inf, 2}).second == inf);
  CHECK(std::isnan(run({inf, 1, -inf}).second));
}

struct CountSmall {
  KOKKOS_FUNCTION void operator()(Read<short> v, Reduce<short> sum,
                                  Reduce<unsigned char> count) const {
    sum[0]   = short(sum[0] + v[0]);
    count[0] = static_cast<unsigned char>(count[0] + 5);
  }
};

TEMPLATE_LIST_TEST_CASE("sums of integers smaller than int with any_ranks",
                        "[par_loop]", Test::Spaces) {
  const Set set("elements", 60);
  std::vector<short> values(60);
  std::iota(values.begin(), values.end(), short(-20));
  const Dat<short, 1, Kokkos::LayoutRight, typename TestType::memory_space> v(
      "v", set, values);
  short total         = 7;
  unsigned char count = 1;
  par_loop("small", TestType{}, set, any_ranks(), CountSmall{}, read(v),
           sum(total), sum(count));
  CHECK(total == 7 + 570);
  CHECK(count == 301 % 256);
}

#ifndef KOKKOS_ENABLE_CUDA  // device code has no long double
struct AddOther {
  KOKKOS_FUNCTION void operator()(Read<long double> v,
                                  Reduce<long double> sum) const {
    sum[0] += v[0];
  }
};
#endif

TEST_CASE("what any_ranks refuses", "[par_loop]") {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  using Host = Exec::memory_space;
  const Set set("elements", 3);
  const Dat<double, 2, Kokkos::LayoutRight, Host> v("v", set);
  double sums[2]    = {1, 2};
  const auto throws = [&](const LoopOptions& o, const std::string& text) {
    CHECK_THROWS_WITH(
        par_loop("add", Exec{}, set, o, AddBoth{}, read(v), sum(sums)),
        Catch::Contains(text));
    CHECK((sums[0] == 1 && sums[1] == 2));
  };
  for (const LoopStrategy s :
       {LoopStrategy::serial, LoopStrategy::global_coloring,
        LoopStrategy::hierarchical, LoopStrategy::atomic}) {
    LoopOptions o = any_ranks();
    o.strategy    = s;
    throws(o, std::string("options.strategy: expected automatic, gather or "
                          "owners together with any_ranks, got ") +
                  name(s));
  }
  LoopOptions staged = any_ranks();
  staged.staging     = Staging::all;
  throws(staged,
         "options.staging: expected automatic or none together with any_ranks, "
         "got all");
#ifndef KOKKOS_ENABLE_CUDA
  const Dat<long double, 1, Kokkos::LayoutRight, Host> w("w", set);
  long double other = 0;
  CHECK_THROWS_WITH(
      par_loop("add", Exec{}, set, any_ranks(), AddOther{}, read(w),
               sum(other)),
      Catch::Contains("argument 1, a global: expected a sum of float, double "
                      "or integers together with any_ranks, got one of "
                      "another type"));
  CHECK_THROWS_WITH(
      LoopPlan<Exec>(Exec{}, set, any_ranks(), read(w), sum(other)),
      Catch::Contains("argument 1, a global: expected a sum of float, double "
                      "or integers together with any_ranks"));
#endif
}

TEMPLATE_LIST_TEST_CASE("plans tell that they are those of any_ranks",
                        "[par_loop]", Test::Spaces) {
  using M     = typename TestType::memory_space;
  const int n = 300;
  const Set from("from", n), to("to", n);
  const Map<2, M> map("map", from, to, Test::banded_entries(n, 2, n, 1));
  const Map<9, M> wide("wide", from, to, Test::banded_entries(n, 9, n, 1));
  const Dat<double, 1, Kokkos::LayoutRight, M> x("x", to), own("own", from);
  const Dat<double, dynamic_components, Kokkos::LayoutRight, M> y("y", to, 3);
  LoopOptions gather = any_ranks();
  gather.strategy    = LoopStrategy::gather;
  const auto is = [&](const LoopPlan<TestType>& plan, LoopStrategy strategy,
                      const std::string& words) {
    CHECK(plan.strategy() == strategy);
    CHECK_THAT(plan.describe(), Catch::Contains("any_ranks was asked for") ||
                                    Catch::Contains("(any_ranks) were asked"));
    CHECK_THAT(plan.describe(), Catch::Contains(words));
    CHECK(validate(plan) == "");
  };
  const TestType exec{};
  constexpr bool host  = Impl::is_host_space_v<TestType>;
  const auto else_host = host ? LoopStrategy::owners : LoopStrategy::gather;
  using Plan           = LoopPlan<TestType>;
  is(Plan(exec, from, any_ranks(), inc(x, map)), LoopStrategy::owners,
     "blocks of targets: ");
  is(Plan(exec, from, gather, inc(x, map)), LoopStrategy::gather,
     "increments are kept");
  is(Plan(exec, from, any_ranks(), rw(own), inc(x, map)), LoopStrategy::gather,
     "elements see what they change");
  is(Plan(exec, from, any_ranks(), inc(y, map)), else_host,
     host ? "blocks of targets: " : "components are counted at run time");
  is(Plan(exec, from, any_ranks(), inc(x, wide)), else_host,
     host ? "blocks of targets: " : "increments more than 8 targets");
  const Map<2, M> one("one", from, to, std::vector<int>(2 * n, 5));
  is(Plan(exec, from, any_ranks(), inc(x, one)), LoopStrategy::owners,
     "blocks of targets: ");
  const Dat<double, 64, Kokkos::LayoutRight, M> z("z", to);
  is(Plan(exec, from, any_ranks(), inc(z, one)), else_host,
     host ? "blocks of targets: " : "do not fit in scratch");
}

}  // namespace ParLoopAnyRanks
