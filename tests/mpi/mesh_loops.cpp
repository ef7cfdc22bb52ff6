// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over meshes on several ranks against plain serial loops over the whole
// mesh. Values are small integers: sums are exact, so that every strategy must
// give the same numbers.
#include "Sporos_MeshCases.hpp"

#include <Sporos_DistributedMesh.hpp>
#include <Sporos_ParLoop.hpp>
#include <Sporos_Reorder.hpp>
#include <Sporos_Test.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

using namespace Sporos;
using namespace Sporos::Test;
using Exec   = Kokkos::DefaultExecutionSpace;
using Memory = Exec::memory_space;

namespace {

/// The rows of this rank's block of an array with `width` values an element.
template <class T>
std::vector<T> block(const Communicator& comm, const std::vector<T>& all,
                     std::size_t width) {
  const std::size_t n = all.size() / width, ranks = std::size_t(comm.size());
  const std::size_t r = std::size_t(comm.rank());
  return std::vector<T>(
      all.begin() + std::ptrdiff_t(n * r / ranks * width),
      all.begin() + std::ptrdiff_t(n * (r + 1) / ranks * width));
}

/// How elements are dealt out.
enum class Deal { blocks, cyclic, all_to_last, half };

std::vector<int> ranks_of(const Communicator& comm, Deal deal, int n) {
  std::vector<int> ranks;
  for (int i = 0; i < n; ++i)
    ranks.push_back(deal == Deal::blocks
                        ? int(std::int64_t(i) * comm.size() / n)
                    : deal == Deal::cyclic ? i % comm.size()
                    : deal == Deal::half   ? (i < n / 2 ? 0 : comm.size() - 1)
                                           : comm.size() - 1);
  return block(comm, ranks, 1);
}

/// The case of Sporos_MeshCases.hpp, dealt out to ranks.
template <class T, int Arity, class Layout>
struct RankCase {
  ExchangeCase<Kokkos::DefaultHostExecutionSpace, Arity, Kokkos::LayoutRight>
      whole;
  Communicator comm;
  GlobalMesh global;
  GlobalSet from, to;
  DistributedMesh<Exec> mesh;
  Map<Arity, Memory> map;
  Dat<T, 2, Layout, Memory> x, u;
  Dat<T, 1, Layout, Memory> w;
  Dat<T, 3, Layout, Memory> y;

  RankCase(Deal deal, int n, int targets, const std::vector<int>& entries)
      : whole(n, targets, entries), comm(MPI_COMM_WORLD), global(comm) {
    const auto as = [](const std::vector<double>& values) {
      return std::vector<T>(values.begin(), values.end());
    };
    const auto rows = block(comm, entries, Arity);
    const auto gx   = block(comm, as(whole.x.to_host()), 2);
    from            = global.set("elements", std::int64_t(rows.size() / Arity));
    to              = global.set("targets", std::int64_t(gx.size() / 2));
    const auto m    = global.map<Arity>("map", from, to, rows);
    const auto dx   = global.dat<T, 2>("x", to, gx);
    const auto dw =
        global.dat<T, 1>("w", from, block(comm, as(whole.w.to_host()), 1));
    const auto dy =
        global.dat<T, 3>("y", to, block(comm, as(whole.y.to_host()), 3));
    mesh = distribute(Exec{}, global,
                      MeshPartition::given(to, ranks_of(comm, deal, targets)));
    map  = mesh.map(m);
    x    = mesh.template dat<Layout>(dx);
    w    = mesh.template dat<Layout>(dw);
    y    = mesh.template dat<Layout>(dy);
    u    = Dat<T, 2, Layout, Memory>("u", mesh.set(from));
  }

  /// Owned values, in blocks, against what the whole mesh gives.
  template <class D>
  bool same(const GlobalSet& set, const D& dat,
            const std::vector<double>& expected) const {
    const auto values = mesh.to_blocks(set, dat);
    const auto mine   = block(comm, expected, std::size_t(D::components));
    return std::equal(values.begin(), values.end(), mine.begin(), mine.end(),
                      [](T a, double b) { return double(a) == b; });
  }
};

template <class T, int Arity, class Layout, class... Options>
void check_exchange(Deal deal, int n, int targets,
                    const std::vector<int>& entries,
                    const Options&... options) {
  RankCase<T, Arity, Layout> c(deal, n, targets, entries);
  Global<T, 2, Memory> total("total");
  total.assign({1, 2});
  T least = 5;
  par_loop("exchange", Exec{}, c.mesh.set(c.from), options...,
           Exchange<Arity>{}, read(c.x, c.map), read(c.w), write(c.u),
           inc(c.y, c.map), sum(total), min(least));
  CHECK(c.same(c.from, c.u, c.whole.u_expected));
  CHECK(c.same(c.to, c.y, c.whole.y_expected));
  CHECK(double(total.value(0)) == c.whole.total_expected[0]);
  CHECK(double(total.value(1)) == c.whole.total_expected[1]);
  CHECK(double(least) == c.whole.least_expected);
}

}  // namespace

namespace {

constexpr Deal deals[] = {Deal::blocks, Deal::cyclic, Deal::all_to_last,
                          Deal::half};

/// target = value + 1, through a map.
struct Increase {
  template <class Real>
  KOKKOS_FUNCTION void operator()(ReadWrite<Real, 1> to,
                                  Read<Real, 1> from) const {
    to[0] = Real(2) * to[0] + from[0];
  }
};
struct AddAll {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 1, 2> from,
                                  Inc<Real, 1, 2> to) const {
    to(0, 0) += from(0, 0) + Real(2) * from(1, 0);
    to(1, 0) += from(1, 0);
  }
};
struct Halve {
  KOKKOS_FUNCTION void operator()(ReadWrite<int, 1> v,
                                  ReadWrite<int, 1> sum) const {
    v[0]   = (v[0] + sum[0]) % 1000;
    sum[0] = 0;
  }
};
struct Extremes {
  KOKKOS_FUNCTION void operator()(Read<int, 1> v, Reduce<int, 1, 2> low,
                                  Reduce<int, 1, 2> high,
                                  Reduce<int, 1> top) const {
    for (int i = 0; i < 2; ++i) {
      low(i, 0)  = min(low(i, 0), v[0]);
      high(i, 0) = max(high(i, 0), v[0]);
    }
    top[0] = max(top[0], v[0]);
  }
};
struct WriteMultiples {
  KOKKOS_FUNCTION void operator()(Read<int, 1> number,
                                  GlobalWrite<int, 2> last) const {
    if (number[0] % 7 == 3) last[0] = number[0];
    if (number[0] < 0) last[1] = 1;
  }
};

/// Edges 0-1, 1-2, ... with numbers, dealt out by their points.
struct Chain {
  Communicator comm{MPI_COMM_WORLD};
  GlobalMesh global{comm};
  int n;
  GlobalSet edges, points;
  DistributedMesh<Exec> mesh;
  Map<2, Memory> map;

  Chain(Deal deal, int n_edges) : n(n_edges) {
    const auto rows = block(comm, chain_entries(n), 2);
    points          = global.set("points", std::int64_t(numbers(n + 1).size()));
    edges           = global.set("edges", std::int64_t(rows.size() / 2));
    const auto m    = global.map<2>("ends", edges, points, rows);
    mesh =
        distribute(Exec{}, global,
                   MeshPartition::given(points, ranks_of(comm, deal, n + 1)));
    map = mesh.map(m);
  }
  std::vector<int> numbers(int count) const {
    std::vector<int> all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), 0);
    return block(comm, all, 1);
  }
  Dat<int, 1> dat(const std::string& name, const GlobalSet& set,
                  int count) const {
    return mesh.dat(global.dat<int, 1>(name, set, numbers(count)));
  }
};

}  // namespace

TEST_CASE("loops on ranks give what loops over the whole mesh give") {
  for (const Deal deal : deals) {
    check_exchange<double, 2, Kokkos::LayoutRight>(
        deal, 400, 150, banded_entries(400, 2, 150, 7));
    check_exchange<float, 4, Kokkos::LayoutLeft>(
        deal, 300, 120, banded_entries(300, 4, 120, 8));
    check_exchange<float, 1, Kokkos::LayoutRight>(deal, 90, 70,
                                                  random_entries(90, 1, 70, 9));
    // fewer elements than ranks, and none
    check_exchange<double, 2, Kokkos::LayoutRight>(deal, 3, 2,
                                                   {0, 1, 1, 0, 0, 0});
    check_exchange<double, 2, Kokkos::LayoutRight>(deal, 0, 5, {});
  }
}

TEST_CASE("all strategies give the same on ranks") {
  const auto entries = random_entries(500, 3, 200, 3);
  for (const LoopOptions& options : all_options(32)) {
    INFO(text(options));
    check_exchange<double, 3, Kokkos::LayoutRight>(Deal::blocks, 500, 200,
                                                   entries, options);
  }
  LoopOptions scalars;
  scalars.packs = false;
  check_exchange<double, 3, Kokkos::LayoutLeft>(Deal::cyclic, 500, 200, entries,
                                                scalars);
}

TEST_CASE("halos follow what loops write, with one message per neighbour") {
  for (const Deal deal : deals) {
    const Chain c(deal, 61);
    const auto v   = c.dat("v", c.points, c.n + 1);
    const auto sum = Dat<int, 1>("sum", c.mesh.set(c.points));
    std::vector<int> whole(std::size_t(c.n) + 1);
    std::iota(whole.begin(), whole.end(), 0);
    auto* const parts = static_cast<Sporos::Impl::RankParts<Exec>*>(
        c.mesh.set(c.edges).state()->parts.get());
    std::size_t neighbours = 0;
    for (const auto& rank_and_list : c.mesh.local(c.points).send)
      neighbours += rank_and_list.second.empty() ? 0 : 1;
    for (int step = 0; step < 4; ++step) {
      par_loop("add", Exec{}, c.mesh.set(c.edges), AddAll{}, read(v, c.map),
               inc(sum, c.map));
      // the first step needs no message: halos came with the mesh
      CHECK(parts->messages_sent() == std::size_t(step) * neighbours);
      par_loop("halve", Exec{}, c.mesh.set(c.points), Halve{}, rw(v), rw(sum));
      auto next = whole;
      for (std::size_t e = 0; e < std::size_t(c.n); ++e) {
        next[e] += whole[e] + 2 * whole[e + 1];
        next[e + 1] += whole[e + 1];
      }
      for (int& x : next) x %= 1000;
      whole = next;
      CHECK(c.mesh.to_blocks(c.points, v) == block(c.comm, whole, 1));
    }
  }
}

TEST_CASE("minima, maxima and writes through maps, and reductions on ranks") {
  for (const Deal deal : deals) {
    const Chain c(deal, 40);
    const auto number = c.dat("number", c.edges, c.n);
    const auto low    = c.dat("low", c.points, c.n + 1);
    const auto high   = c.dat("high", c.points, c.n + 1);
    int top           = 7;
    par_loop("extremes", Exec{}, c.mesh.set(c.edges), Extremes{}, read(number),
             Sporos::min(low, c.map), Sporos::max(high, c.map),
             Sporos::max(top));
    std::vector<int> lows, highs;
    for (int p = 0; p <= c.n; ++p) {
      lows.push_back(p == 0 ? 0 : p - 1);
      highs.push_back(p);
    }
    CHECK(c.mesh.to_blocks(c.points, low) == block(c.comm, lows, 1));
    CHECK(c.mesh.to_blocks(c.points, high) == block(c.comm, highs, 1));
    CHECK(top == c.n - 1);
    // each edge writes its first point
    par_loop("increase", Exec{}, c.mesh.set(c.edges), Increase{},
             rw(high, c.map, 0, disjoint), read(number));
    for (int p = 0; p < c.n; ++p) highs[std::size_t(p)] = 3 * p;
    CHECK(c.mesh.to_blocks(c.points, high) == block(c.comm, highs, 1));
    // the last one in the order of global numbers
    Global<int, 2> last("last", -5);
    par_loop("write", Exec{}, c.mesh.set(c.edges), WriteMultiples{},
             read(number), write(last));
    CHECK(last.value(0) == 38);
    CHECK(last.value(1) == -5);
  }
}

TEST_CASE("subsets on ranks") {
  for (const Deal deal : deals) {
    const Chain c(deal, 50);
    const auto v    = c.dat("v", c.points, c.n + 1);
    const auto sum  = Dat<int, 1>("sum", c.mesh.set(c.points));
    const auto& all = c.mesh.global_numbers(c.edges);
    std::vector<int> list;
    for (std::size_t e = all.size(); e-- > 0;)
      if (all[e] % 3 != 0) list.push_back(int(e));
    const Subset some("some", c.mesh.set(c.edges), list);
    v.modified();
    par_loop("add", Exec{}, some, AddAll{}, read(v, c.map), inc(sum, c.map));
    std::vector<int> expected(std::size_t(c.n) + 1);
    for (int e = 0; e < c.n; ++e) {
      if (e % 3 == 0) continue;
      expected[std::size_t(e)] += e + 2 * (e + 1);
      expected[std::size_t(e) + 1] += e + 1;
    }
    CHECK(c.mesh.to_blocks(c.points, sum) == block(c.comm, expected, 1));
  }
}

TEST_CASE("loops that do not fit distributed sets are refused on all ranks") {
  const Chain c(Deal::blocks, 30);
  const Set edges = c.mesh.set(c.edges), points = c.mesh.set(c.points);
  const auto v   = c.dat("v", c.points, c.n + 1);
  const auto sum = Dat<int, 1>("sum", points);
  const auto run = [&](const auto& set, const auto&... how) {
    par_loop("add", Exec{}, set, how..., AddAll{}, read(v, c.map),
             inc(sum, c.map));
  };
  const auto throws = [&](const auto& call, const std::string& words) {
    std::string text;
    try {
      call();
    } catch (const std::invalid_argument& e) {
      text = e.what();
    }
    INFO(text);
    CHECK(text.find(words) != std::string::npos);
  };
  const int n = edges.size();
  if (n > 0) {  // a range of nothing is all of an empty set
    throws([&] { run(edges.range(0, n - 1)); },
           "expected all of a distributed set or subset, got a range of");
    std::vector<int> list(std::size_t(edges.owned()), 0);
    std::iota(list.begin(), list.end(), 0);
    const Subset some("some", edges, list);
    if (!list.empty())
      throws([&] { run(some.range(0, 0)); },
             "expected all of a distributed set or subset, got a range of");
    throws([&] { Subset("s", edges, std::vector<int>{n}); },
           "expected numbers in [0, ");
  }
  LoopOptions options;
  options.blocks = {0, n};
  throws([&] { run(edges, options); },
         "Sporos::par_loop: options.blocks: expected none for a distributed "
         "set, got 2");
  throws([&] { LoopPlan<Exec>(Exec{}, edges, LoopOptions{}, inc(sum, c.map)); },
         "Sporos::LoopPlan: edges: expected a set that is not distributed");
  throws([&] { plan_of(Exec{}, edges, LoopOptions{}, inc(sum, c.map)); },
         "expected a set that is not distributed over ranks, got one that is");
  throws([&] { Mesh(c.map, v); },
         "Sporos::Mesh::add: edges: expected a set that is not distributed");
  throws([&] { Mesh().add(points.range(0, 0)); },
         "Sporos::Mesh::add: points: expected a set that is not distributed");
  throws([&] { run(points); }, "expected a map from the set of the loop");
  throws([&] { run(Set("edges", n)); },
         "expected a map from the set of the loop");
  throws([&] { Dat<int, 1>().modified(); }, "Sporos::Dat::modified: dat");
  throws([&] { v.assign(std::vector<int>(std::size_t(points.size()) + 1)); },
         "Sporos::Dat::assign: v: expected");
  throws(
      [&] {
        par_loop("increase", Exec{}, edges, Increase{}, rw(v, c.map, 0),
                 read(v, c.map, 1));
      },
      "the promise that no target is written twice");
  throws(
      [&] {
        par_loop("add", Exec{}, edges, AddAll{}, read(v, c.map), inc(v, c.map));
      },
      "expected another dat");
  throws(
      [&] {
        par_loop("add", Exec{}, edges, AddAll{}, read(Dat<int, 1>(), c.map),
                 inc(sum, c.map));
      },
      "an initialised handle");
#ifdef KOKKOS_ENABLE_SERIAL
  if constexpr (!std::is_same_v<Exec, Kokkos::Serial>)
    if constexpr (Sporos::Impl::is_host_space_v<Exec>)
      throws(
          [&] {
            par_loop("add", Kokkos::Serial(), edges, AddAll{}, read(v, c.map),
                     inc(sum, c.map));
          },
          "expected the execution space for which the mesh was distributed");
#endif
  run(edges);  // nothing hangs, and the next loop is right
  std::vector<int> expected(std::size_t(c.n) + 1);
  for (int e = 0; e < c.n; ++e) {
    expected[std::size_t(e)] += e + 2 * (e + 1);
    expected[std::size_t(e) + 1] += e + 1;
  }
  CHECK(c.mesh.to_blocks(c.points, sum) == block(c.comm, expected, 1));
}
