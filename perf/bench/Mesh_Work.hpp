// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_BENCH_MESH_WORK_HPP
#define SPOROS_BENCH_MESH_WORK_HPP

/// \file Mesh_Work.hpp
/// What each row runs.

#include "Bench_Measure.hpp"
#include "Mesh_Loops.hpp"
#include "Mesh_Peers.hpp"
#include "Mesh_Problem.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace Bench {

/// A strategy with its staging, by the name that it has in rows.
struct NamedOptions {
  const char* name;
  Sporos::LoopStrategy strategy;
  Sporos::Staging staging = Sporos::Staging::automatic;
  bool kernel_by_color    = false;
};

inline const std::vector<NamedOptions>& named_options() {
  using S                                    = Sporos::LoopStrategy;
  using G                                    = Sporos::Staging;
  static const std::vector<NamedOptions> all = {
      {"automatic", S::automatic},
      {"serial", S::serial},
      {"global_coloring", S::global_coloring},
      {"hierarchical", S::hierarchical, G::none},
      {"hierarchical_increments", S::hierarchical, G::increments},
      {"hierarchical_all", S::hierarchical, G::all},
      {"hierarchical_by_color", S::hierarchical, G::all, true},
      {"gather", S::gather},
      {"owners", S::owners},
      {"atomic", S::atomic}};
  return all;
}

inline Sporos::LoopOptions row_options(const Row& row) {
  for (const NamedOptions& n : named_options())
    if (row.strategy == n.name) {
      Sporos::LoopOptions options;
      options.strategy        = n.strategy;
      options.staging         = n.staging;
      options.kernel_by_color = n.kernel_by_color;
      options.packs           = row.packs;
      return options;
    }
  throw std::invalid_argument("no strategy is called " + row.strategy);
}

/// The simulation of a row, after one iteration.
inline std::shared_ptr<AirfoilApp::AnySimulation> row_simulation(
    const Row& row, MeshCache& cache) {
  AirfoilApp::Options options;
  options.layout                               = row.layout;
  options.ordering                             = row.renumbering();
  std::shared_ptr<AirfoilApp::AnySimulation> s = AirfoilApp::make_simulation(
      AirfoilApp::whole_mesh(cache.quads(row.size, row.is_shuffled())), options,
      row_options(row));
  s->iterate(false);
  return s;
}

inline Work airfoil_work(const Row& row, MeshCache& cache) {
  Work work;
  std::shared_ptr<AirfoilApp::AnySimulation> s;
  work.setup_ms  = milliseconds([&] { s = row_simulation(row, cache); });
  const int loop = airfoil_loop(row.kernel);
  if (row.kernel == "iteration") {
    work.run = [s] { s->iterate(false); };
  } else if (row.kernel == "plan_res_calc") {
    work.run = [s] { s->make_plan(); };
  } else if (row.kernel == "reorder") {
    work.before = [s] { s->reorder("random"); };
    work.run    = [s, ordering = row.ordering] { s->reorder(ordering); };
  } else {
    work.run = [s, loop] { s->run(AirfoilApp::Loop(loop)); };
  }
  return work;
}

inline Work airfoil_peer(const Row& row, MeshCache& cache) {
  Work work;
  using Airfoil = ByHand::Airfoil<double>;
  const auto& m = cache.quads(row.size, row.is_shuffled());
  std::shared_ptr<Airfoil> a;
  work.setup_ms = milliseconds([&] {
    a = std::make_shared<Airfoil>(m, ByHand::way(row.strategy));
    a->iterate();
  });
  if (row.kernel == "iteration") work.run = [a] { a->iterate(); };
  switch (airfoil_loop(row.kernel)) {
    case AirfoilApp::save_soln: work.run = [a] { a->save_soln(); }; break;
    case AirfoilApp::adt_calc: work.run = [a] { a->adt_calc(); }; break;
    case AirfoilApp::res_calc: work.run = [a] { a->res_calc(); }; break;
    case AirfoilApp::update: work.run = [a] { a->update(); }; break;
    default: break;
  }
  return work;
}

template <class Loop>
Work box_work(const Row& row, MeshCache& cache) {
  Work work;
  const auto options = row_options(row);
  const Exec exec;
  std::shared_ptr<Loop> loop;
  work.setup_ms = milliseconds([&] {
    loop = std::make_shared<Loop>(cache.hexes(row.size));
    loop->run(exec, options);
  });
  work.run      = [=] {
    loop->run(exec, options);
    exec.fence();
  };
  return work;
}

template <class Loop>
Work box_peer(const Row& row, MeshCache& cache) {
  Work work;
  std::shared_ptr<Loop> loop;
  work.setup_ms = milliseconds([&] {
    loop = std::make_shared<Loop>(cache.hexes(row.size),
                                  ByHand::way(row.strategy));
  });
  work.run      = [loop] { loop->run(); };
  return work;
}

inline Work make_work(const Row& row, MeshCache& cache) {
  using Right = Kokkos::LayoutRight;
  using Left  = Kokkos::LayoutLeft;
  Work work;
  if (!row.on_box())
    work = row.by_hand() ? airfoil_peer(row, cache) : airfoil_work(row, cache);
  else if (row.kernel == "stress_forces")
    work = row.by_hand() ? box_peer<ByHand::Stress<double>>(row, cache)
           : row.layout == "aos"
               ? box_work<StressLoop<double, Right>>(row, cache)
               : box_work<StressLoop<double, Left>>(row, cache);
  else
    work = row.by_hand()         ? box_peer<ByHand::Flux<double>>(row, cache)
           : row.layout == "aos" ? box_work<FluxLoop<double, Right>>(row, cache)
                                 : box_work<FluxLoop<double, Left>>(row, cache);
  if (!work.run)
    throw std::invalid_argument("no row is called " + row_name(row));
  work.moved = row_bytes(row, cache);
  return work;
}

}  // namespace Bench

#endif
