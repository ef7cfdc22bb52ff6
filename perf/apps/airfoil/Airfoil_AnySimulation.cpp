// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Airfoil_AnySimulation.hpp"

#include <Kokkos_Core.hpp>

namespace AirfoilApp {

std::unique_ptr<AnySimulation> make_simulation(const FlowMesh& mesh,
                                               const Options& o) {
  return make_simulation(mesh, o, loop_options(o));
}

std::unique_ptr<AnySimulation> make_simulation(const Sporos::QuadMesh& mesh,
                                               const Options& o) {
  return make_simulation(whole_mesh(mesh), o);
}

std::unique_ptr<AnySimulation> make_simulation(const FlowMesh& mesh,
                                               const Options& o,
                                               const Sporos::LoopOptions& l) {
  using Aos      = Kokkos::LayoutRight;
  using Soa      = Kokkos::LayoutLeft;
  const bool aos = o.layout == "aos";
  if (o.use_float)
    return aos ? make_simulation_of<float, Aos>(mesh, o, l)
               : make_simulation_of<float, Soa>(mesh, o, l);
  return aos ? make_simulation_of<double, Aos>(mesh, o, l)
             : make_simulation_of<double, Soa>(mesh, o, l);
}

std::size_t useful_bytes(const Counts& m, Loop loop, std::size_t real) {
  const auto nodes    = std::size_t(m.nodes) * real;
  const auto cells    = std::size_t(m.cells) * real;
  const auto boundary = std::size_t(m.boundary_edges) * real;
  const auto entries  = [](std::int64_t elements, std::size_t arity) {
    return std::size_t(elements) * arity * sizeof(int);
  };
  switch (loop) {
    case save_soln: return 4 * cells + 4 * cells;
    case adt_calc: return entries(m.cells, 4) + 2 * nodes + 4 * cells + cells;
    case res_calc:  // nodes and cells of edges
      return entries(m.edges, 2 + 2) + 2 * nodes + 4 * cells + cells +
             2 * 4 * cells;
    case bres_calc:  // nodes, cells and flags; about as many nodes and cells as
                     // edges
      return entries(m.boundary_edges, 2 + 1 + 1) + 2 * boundary +
             4 * boundary + boundary + 2 * 4 * boundary;
    case update: return 4 * cells + 4 * cells + 2 * 4 * cells + cells;
  }
  return 0;
}

Sporos::LoopOptions loop_options(const Options& o) {
  using Sporos::LoopStrategy;
  using Sporos::Staging;
  const LoopStrategy strategies[] = {
      LoopStrategy::automatic,       LoopStrategy::serial,
      LoopStrategy::global_coloring, LoopStrategy::hierarchical,
      LoopStrategy::gather,          LoopStrategy::owners,
      LoopStrategy::atomic};
  const Staging stagings[] = {Staging::automatic, Staging::none,
                              Staging::increments, Staging::all};
  Sporos::LoopOptions options;
  for (const LoopStrategy s : strategies)
    if (o.strategy == Sporos::name(s)) options.strategy = s;
  for (const Staging s : stagings)
    if (o.staging == Sporos::name(s)) options.staging = s;
  options.block_size = o.block_size;
  options.packs      = !o.scalar;
  options.any_ranks  = o.any_ranks;
  return options;
}

}  // namespace AirfoilApp
