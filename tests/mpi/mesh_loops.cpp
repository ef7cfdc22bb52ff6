// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over meshes on several ranks against plain serial loops over the whole
// mesh. Values are small integers: sums are exact, so that every strategy must
// give the same numbers.
#include "Sporos_Collectives.hpp"
#include "Sporos_RankMeshes.hpp"

#include <Sporos_DatVectors.hpp>
#include <Sporos_MeshVtk.hpp>
#include <Sporos_Test.hpp>
#include <Sporos_WrongCalls.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace MeshLoopsOnRanks {

using namespace Sporos;
using namespace Sporos::Test;
using Exec   = Kokkos::DefaultExecutionSpace;
using Memory = Exec::memory_space;

namespace {

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

struct Last {
  KOKKOS_FUNCTION void operator()(Read<int, 1> v, Reduce<int, 1> most) const {
    most[0] = max(most[0], v[0]);
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

TEST_CASE("halos of dats that the caller makes on ranks are filled") {
  for (const Deal deal : deals) {
    const Chain c(deal, 61);
    const auto points = c.mesh.set(c.points);
    std::vector<int> values(std::size_t(points.size()), -1000);
    for (int p = 0; p < points.owned(); ++p)
      values[std::size_t(p)] =
          int(c.mesh.global_numbers(c.points)[std::size_t(p)]);
    const Dat<int, 1> v("v", points, values), sum("sum", points);
    par_loop("add", Exec{}, c.mesh.set(c.edges), AddAll{}, read(v, c.map),
             inc(sum, c.map));
    CHECK(c.mesh.to_blocks(c.points, sum) == c.added());
  }
}

TEST_CASE("the caller's kernels read halos that were filled for them") {
  for (const Deal deal : deals) {
    const Chain c(deal, 61);
    const auto points   = c.mesh.set(c.points);
    const auto& numbers = c.mesh.global_numbers(c.points);
    const Dat<int, 2, Kokkos::LayoutLeft> v("v", points);
    const auto host = Kokkos::create_mirror_view(v.view());
    for (int round : {1, 2}) {
      for (int p = 0; p < points.size(); ++p)
        for (int k : {0, 1})
          host(p, k) = p < points.owned()
                           ? round * int(numbers[std::size_t(p)]) - k
                           : -1000;
      Kokkos::deep_copy(v.view(), host);
      v.modified();
      for (int times = 0; times < 2; ++times) {
        const auto waits = collectives_of([&] { c.mesh.fill_halo(Exec{}, v); });
        CHECK(waits.all() ==
              (round == 1 || Sporos::Impl::checks_enabled ? 1 : 0));
      }
      Kokkos::deep_copy(host, v.view());
      for (int p = 0; p < points.size(); ++p)
        for (int k : {0, 1})
          CHECK(host(p, k) == round * int(numbers[std::size_t(p)]) - k);
    }
    const auto edges = c.mesh.set(c.edges);
    const auto ends  = c.map.to_host();
    for (int e = 0; e < edges.core(); ++e)
      for (int k : {0, 1}) CHECK(ends[std::size_t(2 * e + k)] < points.owned());
    CHECK(edges.core() <= edges.owned());
    const Chain other(deal, 5);
    Test::check_refused(
        "Sporos::DistributedMesh::fill_halo: v: expected a dat "
        "of a set of this mesh, got one of another set, points",
        [&] { other.mesh.fill_halo(Exec{}, v); });
    Test::check_refused("default-constructed",
                        [&] { c.mesh.fill_halo(Exec{}, Dat<int, 1>()); });
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
    const auto number = c.dat("number", c.edges, c.n);
    const Global<int, 2> last("last", -5);
    check_refused("the lists of the ranks have no common order", [&] {
      par_loop("write", Exec{}, some, WriteMultiples{}, read(number),
               write(last));
    });
    CHECK(last.value(0) == -5);
  }
}

TEST_CASE("ranges of global numbers on ranks") {
  const Chain c(Deal::cyclic, 50);
  const auto v = c.dat("v", c.points, c.n + 1);
  for (const auto& [begin, end] : {std::pair{0, 50}, {7, 31}, {50, 50}}) {
    INFO(begin << " to " << end);
    const auto part   = c.mesh.range(c.edges, begin, end);
    const auto sum    = Dat<int, 1>("sum", c.mesh.set(c.points));
    int most          = -1;
    const auto number = c.dat("number", c.edges, c.n);
    par_loop("add", Exec{}, part, AddAll{}, read(v, c.map), inc(sum, c.map));
    par_loop("last", Exec{}, part, Last{}, read(number), Sporos::max(most));
    std::vector<int> expected(std::size_t(c.n) + 1);
    for (int e = begin; e < end; ++e) {
      expected[std::size_t(e)] += e + 2 * (e + 1);
      expected[std::size_t(e) + 1] += e + 1;
    }
    CHECK(c.mesh.to_blocks(c.points, sum) == block(c.comm, expected, 1));
    CHECK(most == (begin < end ? end - 1 : -1));
  }
  check_refused(
      "Sporos::DistributedMesh::range: edges: expected 0 <= begin <= end <= "
      "50, got begin 7, end 51",
      [&] { c.mesh.range(c.edges, 7, 51); });
  check_refused("0 <= begin <= end <= 50, got begin 8, end 7",
                [&] { c.mesh.range(c.edges, 8, 7); });
  check_refused("0 <= begin <= end <= 50, got begin -1, end 7",
                [&] { c.mesh.range(c.edges, -1, 7); });
}

TEST_CASE("gathered increments have the same bits on any number of ranks") {
  const int n = 300, targets = 90;
  const auto entries = random_entries(n, 2, targets, 21);
  std::vector<double> values(static_cast<std::size_t>(targets));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = 1. / (3. + double(i * 7 % 11)) + 1e5 * double(i % 3);
  LoopOptions options;
  options.strategy = LoopStrategy::gather;
  options.packs    = false;
  const auto run   = [&](const Communicator& comm, Deal deal) {
    GlobalMesh global(comm);
    const auto rows  = block(comm, entries, 2);
    const auto mine  = block(comm, values, 1);
    const auto edges = global.set("edges", std::int64_t(rows.size() / 2));
    const auto to    = global.set("targets", std::int64_t(mine.size()));
    const auto m     = global.map<2>("map", edges, to, rows);
    const auto v     = global.dat<double, 1>("v", to, mine);
    const auto mesh =
        distribute(Exec{}, global,
                     MeshPartition::given(to, ranks_of(comm, deal, targets)));
    const auto from = mesh.dat(v), sum = mesh.dat(v);
    for (int step = 0; step < 3; ++step) {
      par_loop("add", Exec{}, mesh.set(edges), options, AddAll{},
                 read(from, mesh.map(m)), inc(sum, mesh.map(m)));
      par_loop("add", Exec{}, mesh.set(edges), options, AddAll{},
                 read(sum, mesh.map(m)), inc(from, mesh.map(m)));
    }
    return mesh.to_blocks(to, from);
  };
  const auto alone = run(Communicator(MPI_COMM_SELF), Deal::blocks);
  const Communicator world(MPI_COMM_WORLD);
  for (const Deal deal : deals)
    CHECK(run(world, deal) == block(world, alone, 1));
}

TEST_CASE("files for ParaView have the owned cells of each rank") {
  const Chain c(Deal::cyclic, 20);
  const std::size_t n = 2 * 21;
  const auto x        = c.mesh.dat(c.global.dat<double, 2>(
      "x", c.points, block(c.comm, std::vector<double>(n, 1.), 2)));
  const auto number   = c.dat("number", c.edges, 20);
  MeshVtk vtk(Exec{}, x, c.map);
  vtk.add(Exec{}, number);
  const std::string path =
      "mesh_loops_" + std::to_string(c.comm.rank()) + ".vtu";
  vtk.write(path);
  std::ifstream file(path);
  std::string line;
  for (int k = 0; k < 4; ++k) std::getline(file, line);
  CHECK(line == "<Piece NumberOfPoints=\"" +
                    std::to_string(c.mesh.set(c.points).size()) +
                    "\" NumberOfCells=\"" +
                    std::to_string(c.mesh.set(c.edges).owned()) + "\">");
  file.close();
  std::filesystem::remove(path);
  scale(Exec{}, 2, x);
  CHECK_THROWS_AS(MeshVtk(Exec{}, x, c.map), std::invalid_argument);
  c.mesh.fill_halo(Exec{}, x);
  CHECK_NOTHROW(MeshVtk(Exec{}, x, c.map));
}

}  // namespace MeshLoopsOnRanks
