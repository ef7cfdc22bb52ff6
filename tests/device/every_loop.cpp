// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every strategy of mesh loops with every staging and order of a team's
// threads, with both layouts, against a plain loop; matrices by all of them;
// all kinds of arguments of blocks of targets; bits of any_ranks.

#include "Sporos_AllOf.hpp"
#include "Sporos_MatrixCases.hpp"
#include "Sporos_Test.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace EveryLoop {

using namespace Sporos;
using namespace Sporos::Test;

/// All options that a loop distinguishes.
std::vector<LoopOptions> every_option(int block_size) {
  std::vector<LoopOptions> every;
  for (const LoopStrategy strategy : all_of<LoopStrategy>())
    for (const Staging staging : all_of<Staging>())
      for (const bool kernel_by_color : {false, true})
        for (const bool sort_by_color : {false, true}) {
          LoopOptions o;
          o.strategy        = strategy;
          o.staging         = staging;
          o.block_size      = block_size;
          o.kernel_by_color = kernel_by_color;
          o.sort_by_color   = sort_by_color;
          if (strategy == LoopStrategy::hierarchical ||
              (staging == Staging::automatic && !kernel_by_color &&
               sort_by_color))
            every.push_back(o);
        }
  return every;
}

template <class Exec, class Layout>
void check_every(int block_size) {
  ExchangeCase<Exec, 2, Layout> c(3000, 800, banded_entries(3000, 2, 800, 4));
  for (const LoopOptions& o : every_option(block_size)) {
    INFO(text(o) << ", kernel by colour " << o.kernel_by_color
                 << ", sorted by colour " << o.sort_by_color);
    c.run(Exec{}, c.from, o);
    CHECK(c.right());
  }
}

/// Dats of components that are counted at run time.
struct AddSums {
  template <class Real>
  KOKKOS_FUNCTION void operator()(
      Read<Real, dynamic_components, 2> x, Inc<Real, dynamic_components, 2> y,
      ReadWrite<Real, dynamic_components> own) const {
    for (int c = 0; c < y.component_count(); ++c)
      for (int i = 0; i < 2; ++i) y(i, c) += x(i, c) + Real(2) * x(1 - i, c);
    for (int c = 0; c < own.component_count(); ++c)
      own[c] = own[c] + x(0, 0) - Real(c);
  }
};

TEMPLATE_LIST_TEST_CASE("every strategy with components counted at run time",
                        "[every]", Spaces) {
  using Layout = typename TestType::array_layout;
  using M      = typename TestType::memory_space;
  using Values = Dat<double, dynamic_components, Layout, M>;
  const int n = 2000, targets = 500, count = 3;
  const auto entries = banded_entries(n, 2, targets, 4);
  const auto hx      = small_values(std::size_t(targets * count), 1);
  const auto old     = small_values(std::size_t(n), 2);
  const Set from("elements", n), to("targets", targets);
  const Map<2, M> map("map", from, to, entries);
  const Values x("x", to, count, hx);
  std::vector<double> sums(hx.size()), owns = old;
  for (int e = 0; e < n; ++e) {
    const auto at = [&](int i, int c) {
      return std::size_t(entries[std::size_t(2 * e + i)] * count + c);
    };
    for (int c = 0; c < count; ++c)
      for (int i = 0; i < 2; ++i)
        sums[at(i, c)] += hx[at(i, c)] + 2 * hx[at(1 - i, c)];
    owns[std::size_t(e)] += hx[at(0, 0)];
  }
  for (const LoopOptions& o : every_option(96)) {
    INFO(text(o));
    const Values y("y", to, count), own("own", from, 1, old);
    par_loop("sums", TestType{}, from, o, AddSums{}, read(x, map), inc(y, map),
             rw(own));
    Kokkos::fence();
    CHECK(y.to_host() == sums);
    CHECK(own.to_host() == owns);
  }
}

TEST_CASE("all strategies and stagings of loops are known", "[every]") {
  CHECK(all_of<LoopStrategy>().size() == 7);
  CHECK(all_of<Staging>().size() == 4);
}

TEMPLATE_LIST_TEST_CASE("every strategy of mesh loops", "[every]", Spaces) {
  SECTION("LayoutRight") { check_every<TestType, Kokkos::LayoutRight>(96); }
  SECTION("LayoutLeft") { check_every<TestType, Kokkos::LayoutLeft>(0); }
}

template <class Case>
void check_matrices(Case c) {
  for (const LoopOptions& o : every_option(96)) {
    INFO(text(o) << ", kernel by colour " << o.kernel_by_color
                 << ", sorted by colour " << o.sort_by_color);
    c.run(c.from, o);
    CHECK(c.right());
    c.template run<true>(c.from, o);
    CHECK(c.right());
  }
}

TEMPLATE_LIST_TEST_CASE("every strategy of matrices, positions stored or not",
                        "[every]", Spaces) {
  check_matrices(MatrixCase<TestType, double, 3, 3, 1, 1>(1000, 300, 300, 1));
  check_matrices(
      MatrixCase<TestType, double, 2, 2, 2, 1, true>(1000, 300, 200, 2));
}

/// Two arguments increment one dat; minima through a map; direct writes and
/// increments; globals.
struct Mix {
  KOKKOS_FUNCTION void operator()(int e, Read<double, 2> v, Inc<double, 3, 2> a,
                                  Inc<double, 3> b, Reduce<double, 1, 2> least,
                                  Write<double, 1> w, Inc<double, 2> own,
                                  Reduce<double, 1> sum,
                                  GlobalWrite<double, 1> last) const {
    for (int c = 0; c < 3; ++c) {
      a(0, c) += v[0] + c;
      a(1, c) -= v[1];
      b[c] += v[0] * v[1];
    }
    least(0, 0) = Sporos::min(least(0, 0), v[0]);
    least(1, 0) = Sporos::min(least(1, 0), v[1]);
    if (v[0] > 0) w[0] = v[1];
    own[1] += v[0];
    sum[0] += v[0] - v[1];
    last[0] = e;
  }
};

template <class Exec>
struct MixCase {
  using Memory = typename Exec::memory_space;
  template <int N>
  using Values           = Dat<double, N, Kokkos::LayoutRight, Memory>;
  static constexpr int n = 3000, targets = 900;
  Set from{"from", n}, to{"to", targets}, others{"others", targets};
  Map<2, Memory> ends{"ends", from, to, banded_entries(n, 2, targets, 1)};
  Map<3, Memory> one{"one", from, to, banded_entries(n, 3, targets, 2)};
  Map<2, Memory> far{"far", from, others, random_entries(n, 2, targets, 3)};
  Values<2> v{"v", from, small_values(2 * std::size_t(n), 4)};
  Values<3> x{"x", to};
  Values<1> least{"least", others}, w{"w", from};
  Values<2> own{"own", from};

  /// All results, one after another.
  template <class Range>
  std::vector<double> run(const Range& range, const LoopOptions& o) {
    x.assign(std::vector<double>(3 * std::size_t(targets), 2));
    least.assign(std::vector<double>(std::size_t(targets), 5));
    w.assign(std::vector<double>(std::size_t(n), 7));
    own.assign(std::vector<double>(2 * std::size_t(n), 1));
    double total = 3;
    const Global<double, 1, Memory> last("last", -1.);
    par_loop("mix", Exec{}, range, o, Mix{}, element_index(), read(v),
             inc(x, ends), inc(x, one, 2), Sporos::min(least, far), write(w),
             inc(own), sum(total), write(last));
    std::vector<double> all{total, last.value(Exec{}, 0)};
    for (const auto& part :
         {x.to_host(), least.to_host(), w.to_host(), own.to_host()})
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }
};

TEMPLATE_LIST_TEST_CASE("owners of targets, all arguments", "[every]", Spaces) {
  MixCase<TestType> c;
  std::vector<int> list;
  for (int e = MixCase<TestType>::n - 1; e > 0; e -= 3) list.push_back(e);
  const Subset<typename TestType::memory_space> some("some", c.from, list);
  LoopOptions serial, owners;
  serial.strategy = LoopStrategy::serial;
  owners.strategy = LoopStrategy::owners;
  CHECK(c.run(c.from, owners) == c.run(c.from, serial));
  CHECK(c.run(c.from.range(10, 2011), owners) ==
        c.run(c.from.range(10, 2011), serial));
  CHECK(c.run(some, owners) == c.run(some, serial));
  CHECK(c.run(c.from, LoopOptions{}) == c.run(c.from, serial));
}

/// Sums whose bits depend on their order, in three kinds of increments, and
/// globals.
struct Rough {
  KOKKOS_FUNCTION void operator()(int e, Read<double, 2> v, Inc<double, 3, 2> a,
                                  Inc<double, 3> b, Inc<double, 1, 2> far,
                                  Write<double, 1> w, Inc<double, 2> own,
                                  Reduce<double, 1> sum,
                                  Reduce<double, 1> least,
                                  GlobalWrite<double, 1> last) const {
    const double f = v[0] * v[1] + v[0], g = v[0] - v[1] * v[1];
    for (int c = 0; c < 3; ++c) {
      a(0, c) += f + c * g;
      a(1, c) -= g * v[0];
      b[c] += f * g - c * v[1];
    }
    far(0, 0) += f;
    far(1, 0) += g * v[1];
    w[0] = f;
    own[1] += g;
    sum[0] += f * v[1] + g;
    least[0] = Sporos::min(least[0], f);
    last[0]  = e;
  }
};

template <class Exec, class Layout>
struct RoughCase {
  using Memory = typename Exec::memory_space;
  template <int N>
  using Values           = Dat<double, N, Layout, Memory>;
  static constexpr int n = 2600, targets = 800;
  Set from{"from", n}, to{"to", targets}, others{"others", targets};
  Map<2, Memory> ends, far;
  Map<3, Memory> one;
  Values<2> v{"v", from}, own{"own", from};
  Values<3> x{"x", to};
  Values<1> y{"y", others}, w{"w", from};

  explicit RoughCase(bool local)
      : ends("ends", from, to, entries(2, 1, local)),
        far("far", from, others, entries(2, 3, local)),
        one("one", from, to, entries(3, 2, local)) {
    std::vector<double> values;
    for (int k = 0; k < 2 * n; ++k)
      values.push_back(std::sin(1.7 * k) * std::exp(double(k % 13) - 6));
    v.assign(values);
  }
  static std::vector<int> entries(int arity, unsigned seed, bool local) {
    return local ? banded_entries(n, arity, targets, seed)
                 : random_entries(n, arity, targets, seed);
  }

  /// All results, one after another.
  template <class Range>
  std::vector<double> run(const Range& range, const LoopOptions& o) {
    x.assign(std::vector<double>(3 * std::size_t(targets), 1. / 3));
    y.assign(std::vector<double>(std::size_t(targets), 0.7));
    w.assign(std::vector<double>(std::size_t(n), 7));
    own.assign(std::vector<double>(2 * std::size_t(n), 0.1));
    double total = 0.3, least = 1;
    const Global<double, 1, Memory> last("last", -1.);
    par_loop("rough", Exec{}, range, o, Rough{}, element_index(), read(v),
             inc(x, ends), inc(x, one, 2), inc(y, far), write(w), inc(own),
             sum(total), Sporos::min(least), write(last));
    std::vector<double> all{total, least, last.value(Exec{}, 0)};
    for (const auto& part :
         {x.to_host(), y.to_host(), w.to_host(), own.to_host()})
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }
};

template <class Exec, class Layout>
void check_rough(bool local) {
  INFO("local: " << local);
  RoughCase<Exec, Layout> c(local);
  LoopOptions o;
  o.any_ranks     = true;
  const auto bits = c.run(c.from, o);
  for (const LoopStrategy s : {LoopStrategy::gather, LoopStrategy::owners}) {
    o.strategy = s;
    CHECK(c.run(c.from, o) == bits);
  }
  // the order of a list does not matter
  std::vector<int> list;
  for (int e = 0; e < c.n; e += 2) list.push_back(e);
  o.strategy       = LoopStrategy::automatic;
  using Some       = Subset<typename Exec::memory_space>;
  const auto some  = c.run(Some("some", c.from, list), o);
  const auto moved = [&] {
    std::shuffle(list.begin(), list.end(), std::mt19937(3));
    return Some("moved", c.from, list);
  }();
  for (const LoopStrategy s : {LoopStrategy::automatic, LoopStrategy::gather}) {
    o.strategy = s;
    auto other = c.run(moved, o);
    other[2]   = some[2];  // the list has an order for this one
    CHECK(other == some);
  }
}

TEMPLATE_LIST_TEST_CASE("any_ranks: blocks of targets and kept increments",
                        "[every]", Spaces) {
  for (const bool local : {true, false}) {
    check_rough<TestType, Kokkos::LayoutRight>(local);
    check_rough<TestType, Kokkos::LayoutLeft>(local);
  }
}

}  // namespace EveryLoop
