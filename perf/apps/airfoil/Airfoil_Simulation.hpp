// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_AIRFOIL_SIMULATION_HPP
#define SPOROS_AIRFOIL_SIMULATION_HPP

/// \file Airfoil_Simulation.hpp
/// The airfoil code as loops over a mesh.

#include "Airfoil_AnySimulation.hpp"
#include "Airfoil_Hash.hpp"
#include "Airfoil_Kernels.hpp"

#include <Sporos_Mesh.hpp>
#include <Sporos_Reorder.hpp>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace AirfoilApp {

/// The mesh and the data on it.
/// \tparam Layout LayoutRight: components of an element together (AoS);
///         LayoutLeft: each component by itself (SoA)
template <class T, class Layout>
struct AirfoilMesh : FlowMesh {
  template <class V, int N>
  using Dat = Sporos::Dat<V, N, Layout>;

  Dat<T, 2> x;
  Dat<T, 4> q, old, res;
  Dat<T, 1> adt;
  Dat<int, 1> flag;

  AirfoilMesh(const FlowMesh& mesh, const Flow<T>& flow)
      : FlowMesh(mesh),
        x("x", nodes, std::vector<T>(coordinates.begin(), coordinates.end())),
        q("q", cells, everywhere(flow, cells.size())),
        old("old", cells),
        res("res", cells),
        adt("adt", cells),
        flag("flag", boundary, flags) {}

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
  Simulation(const FlowMesh& mesh, const Options& options,
             const Sporos::LoopOptions& loop_options)
      : m_options(loop_options), m(mesh, m_flow), m_change("change") {
    for (int k = 0; k < loops; ++k)
      m_usage[std::size_t(k)].bytes =
          useful_bytes(m.counts, Loop(k), sizeof(T));
    // those of many ranks were renumbered when they were dealt out
    if (mesh.cell_numbers.empty()) reorder(options.ordering);
  }

  void reorder(const std::string& ordering) override {
    Sporos::ReorderOptions options;
    options.ordering = Sporos::mesh_ordering(ordering);
    if (options.ordering == Sporos::MeshOrdering::natural) return;
    if (m_options.block_size > 0) options.block_size = m_options.block_size;
    const auto reordering = Sporos::reorder(m.all(), options);
    std::vector<std::int64_t> numbers;
    for (const int c : reordering.order(m.cells)) numbers.push_back(number(c));
    m.cell_numbers = std::move(numbers);
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
    return std::sqrt(double(m_change.value(m_exec, 0)) /
                     double(m.counts.cells));
  }

  Fields fields() const override {
    const auto x      = m.x.to_host();
    const auto q      = m.q.to_host();
    const auto nodes  = m.cell_nodes.to_host();
    const auto values = 4 * std::ptrdiff_t(m.owned_cells);
    return {{x.begin(), x.end()},
            {nodes.begin(), nodes.begin() + values},
            {q.begin(), q.begin() + values}};
  }

  std::uint64_t hash() const override {
    const auto q      = m.q.to_host();
    std::uint64_t sum = 0;
    for (int c = 0; c < m.owned_cells; ++c) {
      CellHash cell(number(c));
      cell.add(&q[4 * std::size_t(c)], 4 * sizeof(T));
      sum += cell.value();
    }
    return sum;
  }

  std::vector<std::int64_t> cell_numbers() const override {
    std::vector<std::int64_t> numbers;
    for (int c = 0; c < m.owned_cells; ++c) numbers.push_back(number(c));
    return numbers;
  }

  std::string describe() const override {
    return m.edges.is_distributed() ? "" : plan().describe();
  }

  void make_plan() const override { plan(); }

  const Usage& usage(Loop loop) const override {
    return m_usage[std::size_t(loop)];
  }

 private:
  std::int64_t number(int cell) const {
    return m.cell_numbers.empty() ? cell : m.cell_numbers[std::size_t(cell)];
  }

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
    const FlowMesh& mesh, const Options& options,
    const Sporos::LoopOptions& loop_options) {
  return std::make_unique<Simulation<T, Layout>>(mesh, options, loop_options);
}

}  // namespace AirfoilApp

#endif
