// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DistributeOptions::any_ranks: some steps of a made-up flow code, with sums,
// minima, increments through two maps and subsets, have the bits that loops
// over the whole mesh in one process have.
#include "Sporos_RankMeshes.hpp"
#include "Sporos_Refused.hpp"

#include <Sporos_Test.hpp>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace MeshLoopBitsOnRanks {

using namespace Sporos;
using namespace Sporos::Test;
using Exec   = Kokkos::DefaultExecutionSpace;
using Memory = Exec::memory_space;

namespace {

/// Values whose sums depend on the order of the terms.
template <class T>
std::vector<T> rough_values(int n, double seed) {
  std::vector<T> values;
  for (int k = 0; k < n; ++k)
    values.push_back(
        T(std::sin(seed + 1.7 * double(k)) * std::exp(double(k % 23) - 11)));
  return values;
}

struct Weigh {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 2> q, Write<Real, 2> w,
                                  Reduce<Real, 1> least) const {
    w[0]     = q[0] * q[0] + q[1] * q[1];
    w[1]     = q[0] * q[1] - w[0] * q[0];
    least[0] = Sporos::min(least[0], w[1]);
  }
};
struct Flux {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 2, 2> q, Read<Real, 2, 2> w,
                                  Read<Real, 1> length, Inc<Real, 2, 2> res,
                                  Inc<Real, 1> corner, Reduce<Real, 2> sum,
                                  Reduce<Real, 1> most) const {
    const Real f = length[0] * (q(0, 0) * w(1, 0) - q(1, 0) * w(0, 0));
    const Real g = q(0, 1) * w(1, 1) + length[0] * q(1, 1);
    res(0, 0) += f;
    res(0, 1) += g;
    res(1, 0) -= f * q(1, 1);
    res(1, 1) -= g;
    corner[0] += f * g;
    sum[0] += f * f;
    sum[1] += g;
    most[0] = Sporos::max(most[0], f);
  }
};
/// Without reductions: blocks of targets run it (see Sporos_LoopAlike.hpp).
struct Carry {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 2, 2> q, Read<Real, 1> length,
                                  Inc<Real, 2, 2> res,
                                  Inc<Real, 1> corner) const {
    const Real f = length[0] * q(1, 1);
    for (int i = 0; i < 2; ++i) {
      res(i, 0) += f * q(i, 0);
      res(i, 1) += f * q(1 - i, 1) - length[0] * q(i, 1);
    }
    corner[0] += f * q(0, 1);
  }
};
/// The update of a step, for numbers alone: the call operator takes no packs.
template <class T>
struct Update {
  KOKKOS_FUNCTION void operator()(ReadWrite<T, 2> q, ReadWrite<T, 2> res,
                                  Read<T, 1> corner, Reduce<T, 1> rms,
                                  Reduce<std::int64_t, 1> count) const {
    for (int c = 0; c < 2; ++c) {
      q[c]   = q[c] * T(0.75) + T(1e-3) * res[c] * corner[0];
      res[c] = 0;
      rms[0] += q[c] * q[c];
    }
    count[0] += 1;
  }
};

struct Totals {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 2> q, Reduce<Real, 2> sum,
                                  Reduce<Real, 2> most) const {
    for (int c = 0; c < 2; ++c) {
      sum[c] += q[c];
      most[c] = Sporos::max(most[c], q[c]);
    }
  }
};

/// What a mesh gives its loops, whether it is distributed or not.
template <class T, class Layout>
struct Flow {
  Set edges, cells, nodes;
  Map<2, Memory> edge_cells;
  Map<1, Memory> edge_node;
  Dat<T, 2, Layout, Memory> q, w, res;
  Dat<T, 1, Layout, Memory> length, corner;
  Subset<Memory> some;

  /// The sums of all steps, in order.
  template <class... Options>
  std::vector<T> run(int steps, const Options&... options) const {
    const Dat<T, 1, Layout, Memory> at_cells("at cells", cells);
    const Global<T, 2, Memory> total("total");
    total.assign({T(0.1), T(-0.3)});
    std::vector<T> series;
    for (int step = 0; step < steps; ++step) {
      T least = 1, most = 0, rms = T(0.5);
      std::int64_t count = 0;
      par_loop("weigh", Exec{}, cells, options..., Weigh{}, read(q), write(w),
               Sporos::min(least));
      const auto flux = [&](const auto& range) {
        par_loop("flux", Exec{}, range, options..., Flux{}, read(q, edge_cells),
                 read(w, edge_cells), read(length), inc(res, edge_cells),
                 inc(corner, edge_node, 0), sum(total), Sporos::max(most));
        par_loop("carry", Exec{}, range, options..., Carry{},
                 read(q, edge_cells), read(length), inc(res, edge_cells),
                 inc(corner, edge_node, 0));
      };
      flux(edges);
      flux(some);
      par_loop("update", Exec{}, cells, options..., Update<T>{}, rw(q), rw(res),
               read(at_cells), sum(rms), sum(count));
      Exec().fence();
      series.insert(series.end(), {least, most, rms, T(count), total.value(0),
                                   total.value(1)});
    }
    return series;
  }
};

/// The mesh as arrays.
template <class T>
struct Arrays {
  int n_edges, n_cells, n_nodes;
  std::vector<int> edge_cells, edge_node, list;
  std::vector<T> q, length;

  Arrays(int edges, int cells, int nodes)
      : n_edges(edges),
        n_cells(cells),
        n_nodes(nodes),
        edge_cells(banded_entries(edges, 2, cells, 1)),
        edge_node(random_entries(edges, 1, nodes, 2)),
        q(rough_values<T>(2 * cells, 3)),
        length(rough_values<T>(edges, 4)) {
    for (int e = 0; e < edges; e += 3) list.push_back(e);
  }

  template <class Layout>
  Flow<T, Layout> whole() const {
    Flow<T, Layout> f;
    f.edges      = Set("edges", n_edges);
    f.cells      = Set("cells", n_cells);
    f.nodes      = Set("nodes", n_nodes);
    f.edge_cells = Map<2, Memory>("edge_cells", f.edges, f.cells, edge_cells);
    f.edge_node  = Map<1, Memory>("edge_node", f.edges, f.nodes, edge_node);
    f.q          = Dat<T, 2, Layout, Memory>("q", f.cells, q);
    f.length     = Dat<T, 1, Layout, Memory>("length", f.edges, length);
    return finish(f, list);
  }

  template <class Layout>
  static Flow<T, Layout> finish(Flow<T, Layout> f,
                                const std::vector<int>& elements) {
    f.w      = Dat<T, 2, Layout, Memory>("w", f.cells);
    f.res    = Dat<T, 2, Layout, Memory>("res", f.cells);
    f.corner = Dat<T, 1, Layout, Memory>("corner", f.nodes);
    f.some   = Subset<Memory>("some", f.edges, elements);
    return f;
  }
};

/// A Flow on ranks, to which the mesh was dealt out.
template <class T, class Layout>
struct RankFlow {
  Communicator comm{MPI_COMM_WORLD};
  GlobalMesh global{comm};
  GlobalSet edges, cells, nodes;
  DistributedMesh<Exec> mesh;
  Flow<T, Layout> flow;

  RankFlow(const Arrays<T>& a, Deal deal, const DistributeOptions& options) {
    const auto rows = block(comm, a.edge_cells, 2);
    const auto gq   = block(comm, a.q, 2);
    edges           = global.set("edges", std::int64_t(rows.size() / 2));
    cells           = global.set("cells", std::int64_t(gq.size() / 2));
    nodes           = global.set(
                  "nodes",
                  std::int64_t(
                      block(comm, std::vector<int>(std::size_t(a.n_nodes)), 1).size()));
    const auto m_cells = global.map<2>("edge_cells", edges, cells, rows);
    const auto m_node =
        global.map<1>("edge_node", edges, nodes, block(comm, a.edge_node, 1));
    const auto d_q = global.dat<T, 2>("q", cells, gq);
    const auto d_length =
        global.dat<T, 1>("length", edges, block(comm, a.length, 1));
    mesh = distribute(
        Exec{}, global,
        MeshPartition::given(cells, ranks_of(comm, deal, a.n_cells)), options);
    flow.edges      = mesh.set(edges);
    flow.cells      = mesh.set(cells);
    flow.nodes      = mesh.set(nodes);
    flow.edge_cells = mesh.map(m_cells);
    flow.edge_node  = mesh.map(m_node);
    flow.q          = mesh.template dat<Layout>(d_q);
    flow.length     = mesh.template dat<Layout>(d_length);
    std::vector<int> some;
    const auto& numbers = mesh.global_numbers(edges);
    for (std::size_t e = 0; e < numbers.size(); ++e)
      if (int(e) < mesh.local(edges).executed && numbers[e] % 3 == 0)
        some.push_back(int(e));
    flow = Arrays<T>::finish(flow, some);
  }
};

template <class T, class Layout, class... Options>
void check_bits(const Arrays<T>& arrays, Deal deal,
                const DistributeOptions& distributed,
                const Options&... options) {
  constexpr int steps = 3;
  LoopOptions alone;
  alone.any_ranks   = true;
  const auto whole  = arrays.template whole<Layout>();
  const auto series = whole.run(steps, alone);
  const RankFlow<T, Layout> ranks(arrays, deal, distributed);
  CHECK(ranks.flow.run(steps, options...) == series);
  const auto same = [&](const GlobalSet& set, const auto& mine,
                        const auto& all) {
    using Columns = std::decay_t<decltype(all)>;
    CHECK(ranks.mesh.to_blocks(set, mine) ==
          block(ranks.comm, all.to_host(), std::size_t(Columns::components)));
  };
  same(ranks.cells, ranks.flow.q, whole.q);
  same(ranks.cells, ranks.flow.w, whole.w);
  same(ranks.nodes, ranks.flow.corner, whole.corner);
}

}  // namespace

TEST_CASE("a mesh distributed with any_ranks has the bits of one process") {
  DistributeOptions any_ranks;
  any_ranks.any_ranks = true;
  for (const Deal deal : deals) {
    check_bits<double, Kokkos::LayoutRight>(Arrays<double>(4501, 1403, 1207),
                                            deal, any_ranks);
    check_bits<float, Kokkos::LayoutLeft>(Arrays<float>(3703, 2301, 99), deal,
                                          any_ranks);
  }
  check_bits<double, Kokkos::LayoutRight>(Arrays<double>(5, 3, 2), Deal::blocks,
                                          any_ranks);
}

TEST_CASE("the bits do not depend on how ranks number their elements") {
  DistributeOptions options;
  options.any_ranks        = true;
  options.reorder.ordering = MeshOrdering::random;
  check_bits<double, Kokkos::LayoutRight>(Arrays<double>(2501, 703, 607),
                                          Deal::cyclic, options);
}

TEST_CASE("loops with any_ranks have the bits of one process") {
  LoopOptions options;
  options.any_ranks  = true;
  options.block_size = 50;
  check_bits<double, Kokkos::LayoutRight>(Arrays<double>(4501, 1403, 1207),
                                          Deal::cyclic, {}, options);
}

TEST_CASE("loops with any_ranks over no elements leave the same zeros") {
  LoopOptions any_ranks;
  any_ranks.any_ranks = true;
  const auto check    = [&](const Set& set) {
    const Dat<double, 2> q("q", set), w("w", set);
    const Global<double, 2> total("total", -0.), most("most", -0.);
    double least = -0.;
    par_loop("weigh", Exec{}, set, any_ranks, Weigh{}, read(q), write(w),
                Sporos::min(least));
    par_loop("totals", Exec{}, set, any_ranks, Totals{}, read(q), sum(total),
                Sporos::max(most));
    CHECK(std::signbit(least) == false);
    CHECK(std::signbit(most.value(1)) == false);
    CHECK(std::signbit(total.value(0)) == true);  // the sum of -0 alone
  };
  GlobalMesh global{Communicator(MPI_COMM_WORLD)};
  const auto none = global.set("none", 0);
  check(distribute(Exec{}, global, MeshPartition::given(none, {})).set(none));
  check(Set("none", 0));
}

TEST_CASE("what any_ranks refuses on ranks") {
  const Communicator comm(MPI_COMM_WORLD);
  const Chain plain(Deal::blocks, 20);
  if (comm.size() > 1) {
    DistributeOptions differ;
    differ.any_ranks = comm.rank() == 0;
    CHECK_THROWS_WITH(
        distribute(Exec{}, plain.global,
                   MeshPartition::given(
                       plain.points, ranks_of(comm, Deal::blocks, plain.n + 1)),
                   differ),
        Catch::Contains("options.any_ranks: expected the same on all ranks"));
  }
  const auto v      = plain.dat("v", plain.points, plain.n + 1);
  const auto before = v.to_host();
  LoopOptions serial;
  serial.any_ranks = true;
  serial.strategy  = LoopStrategy::serial;
  CHECK_THROWS_WITH(par_loop("add", Exec{}, plain.mesh.set(plain.edges), serial,
                             AddAll{}, read(v, plain.map), inc(v, plain.map)),
                    Catch::Contains("automatic, gather or owners together with "
                                    "any_ranks, got serial"));
  CHECK(v.to_host() == before);
}

}  // namespace MeshLoopBitsOnRanks
