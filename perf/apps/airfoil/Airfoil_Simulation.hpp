// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_AIRFOIL_SIMULATION_HPP
#define SPOROS_AIRFOIL_SIMULATION_HPP

/// \file Airfoil_Simulation.hpp
/// The airfoil code as loops over a mesh.

#include "Airfoil_AnySimulation.hpp"
#include "Airfoil_Kernels.hpp"

#include <Sporos_Mesh.hpp>
#include <Sporos_Reorder.hpp>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace AirfoilApp {

/// Sets, maps and data.
/// \tparam Layout LayoutRight: components of an element together (AoS);
///         LayoutLeft: each component by itself (SoA)
template <class T, class Layout>
struct AirfoilMesh {
  using Exec = Kokkos::DefaultExecutionSpace;
  template <class V, int N>
  using Dat = Sporos::Dat<V, N, Layout>;
  template <int Arity>
  using Map = Sporos::Map<Arity>;

  Sporos::Set nodes, cells, edges, boundary;
  Map<4> cell_nodes;
  Map<2> edge_nodes, edge_cells, boundary_nodes;
  Map<1> boundary_cells;
  Dat<T, 2> x;
  Dat<T, 4> q, old, res;
  Dat<T, 1> adt;
  Dat<int, 1> flag;

  AirfoilMesh(const Sporos::QuadMesh& m, const Flow<T>& flow)
      : nodes("nodes", m.nodes()),
        cells("cells", m.cells()),
        edges("edges", m.edges()),
        boundary("boundary", m.boundary_edges()),
        cell_nodes("cell_nodes", cells, nodes, m.cell_nodes),
        edge_nodes("edge_nodes", edges, nodes, m.edge_nodes),
        edge_cells("edge_cells", edges, cells, m.edge_cells),
        boundary_nodes("boundary_nodes", boundary, nodes, m.boundary_nodes),
        boundary_cells("boundary_cells", boundary, cells, m.boundary_cells),
        x("x", nodes,
          std::vector<T>(m.coordinates.begin(), m.coordinates.end())),
        q("q", cells, everywhere(flow, m.cells())),
        old("old", cells),
        res("res", cells),
        adt("adt", cells),
        flag("flag", boundary, m.boundary_flags) {}

  /// All that is renumbered together.
  Sporos::Mesh all() const {
    return Sporos::Mesh(edge_cells, edge_nodes, cell_nodes, boundary_cells,
                        boundary_nodes, x, q, old, res, adt, flag);
  }

 private:
  static std::vector<T> everywhere(const Flow<T>& flow, int n) {
    std::vector<T> q(4 * std::size_t(n));
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = flow.far[i % 4];
    return q;
  }
};

template <class T, class Layout>
class Simulation final : public AnySimulation {
 public:
  Simulation(const Sporos::QuadMesh& mesh, const Options& options,
             const Sporos::LoopOptions& loop_options)
      : m_options(loop_options), m(mesh, m_flow), m_change("change") {
    for (int k = 0; k < loops; ++k)
      m_usage[std::size_t(k)].bytes = useful_bytes(mesh, Loop(k), sizeof(T));
    reorder(options.ordering);
  }

  void reorder(const std::string& ordering) override {
    Sporos::ReorderOptions options;
    options.ordering = Sporos::mesh_ordering(ordering);
    if (options.ordering == Sporos::MeshOrdering::natural) return;
    if (m_options.block_size > 0) options.block_size = m_options.block_size;
    Sporos::reorder(m.all(), options);
  }

  void run(Loop loop) override {
    launch(loop);
    m_exec.fence();
  }

  void iterate(bool timed) override {
    const auto one = [&](Loop loop) { timed ? measure(loop) : launch(loop); };
    one(save_soln);
    for (int stage = 0; stage < 2; ++stage) {
      one(adt_calc);
      one(res_calc);
      one(bres_calc);
      one(update);
    }
    m_exec.fence();
  }

  double change() const override {
    return std::sqrt(double(m_change.value(m_exec, 0)) / m.cells.size());
  }

  Fields fields() const override {
    const auto x = m.x.to_host();
    const auto q = m.q.to_host();
    return {{x.begin(), x.end()}, m.cell_nodes.to_host(), {q.begin(), q.end()}};
  }

  std::string describe() const override { return plan().describe(); }

  void make_plan() const override { plan(); }

  const Usage& usage(Loop loop) const override {
    return m_usage[std::size_t(loop)];
  }

 private:
  auto plan() const {
    using Sporos::inc;
    using Sporos::read;
    return Sporos::LoopPlan<Kokkos::DefaultExecutionSpace>(
        m_exec, m.edges, m_options, read(m.x, m.edge_nodes),
        read(m.q, m.edge_cells), read(m.adt, m.edge_cells),
        inc(m.res, m.edge_cells));
  }

  void launch(Loop loop) {
    using Sporos::inc;
    using Sporos::par_loop;
    using Sporos::read;
    using Sporos::rw;
    using Sporos::write;
    switch (loop) {
      case save_soln:
        par_loop("save_soln", m_exec, m.cells, m_options, SaveSoln{}, read(m.q),
                 write(m.old));
        break;
      case adt_calc:
        par_loop("adt_calc", m_exec, m.cells, m_options, AdtCalc<T>{m_flow},
                 read(m.x, m.cell_nodes), read(m.q), write(m.adt));
        break;
      case res_calc:
        par_loop("res_calc", m_exec, m.edges, m_options, ResCalc<T>{m_flow},
                 read(m.x, m.edge_nodes), read(m.q, m.edge_cells),
                 read(m.adt, m.edge_cells), inc(m.res, m.edge_cells));
        break;
      case bres_calc:
        par_loop("bres_calc", m_exec, m.boundary, m_options,
                 BresCalc<T>{m_flow}, read(m.x, m.boundary_nodes),
                 read(m.q, m.boundary_cells), read(m.adt, m.boundary_cells),
                 read(m.flag), inc(m.res, m.boundary_cells));
        break;
      case update:
        m_change.assign(m_exec, T(0));
        par_loop("update", m_exec, m.cells, m_options, Update{}, read(m.old),
                 write(m.q), rw(m.res), read(m.adt), sum(m_change));
        break;
    }
  }

  void measure(Loop loop) {
    using Clock      = std::chrono::steady_clock;
    const auto start = Clock::now();
    run(loop);
    Usage& usage = m_usage[std::size_t(loop)];
    usage.seconds +=
        std::chrono::duration<double>(Clock::now() - start).count();
    ++usage.calls;
  }

  Kokkos::DefaultExecutionSpace m_exec;
  Flow<T> m_flow;
  Sporos::LoopOptions m_options;
  AirfoilMesh<T, Layout> m;
  Sporos::Global<T, 1> m_change;
  std::array<Usage, loops> m_usage;
};

template <class T, class Layout>
std::unique_ptr<AnySimulation> make_simulation_of(
    const Sporos::QuadMesh& mesh, const Options& options,
    const Sporos::LoopOptions& loop_options) {
  return std::make_unique<Simulation<T, Layout>>(mesh, options, loop_options);
}

}  // namespace AirfoilApp

#endif
