// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_AIRFOIL_ANYSIMULATION_HPP
#define SPOROS_AIRFOIL_ANYSIMULATION_HPP

/// \file Airfoil_AnySimulation.hpp
/// The airfoil code in whatever precision and layout.

#include "Airfoil_Fields.hpp"
#include "Airfoil_FlowMesh.hpp"
#include "Airfoil_Options.hpp"

#include <Sporos_MeshGenerators.hpp>
#include <Sporos_LoopPlan.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace AirfoilApp {

/// The loops of an iteration, by number.
enum Loop { save_soln, adt_calc, res_calc, bres_calc, update };
constexpr int loops                     = 5;
constexpr const char* loop_names[loops] = {"save_soln", "adt_calc", "res_calc",
                                           "bres_calc", "update"};

/// Calls of one loop, and what they took.
struct Usage {
  int calls         = 0;
  double seconds    = 0;
  std::size_t bytes = 0;  ///< useful ones of one call, see useful_bytes
};

/// Bytes of one call of a loop that no implementation can avoid to move: each
/// dat and map that it uses once, those that it increments or reads and writes
/// twice.
std::size_t useful_bytes(const Counts& mesh, Loop loop,
                         std::size_t bytes_of_real);

class AnySimulation {
 public:
  virtual ~AnySimulation() = default;

  /// One loop; waits for it. update sets change().
  virtual void run(Loop loop) = 0;
  /// Two Runge-Kutta stages; waits for them.
  /// \param timed fences after each loop and counts what it takes
  virtual void iterate(bool timed) = 0;
  /// Root of the mean squared change of the last update.
  virtual double change() const = 0;

  /// Fields of the cells of this process.
  virtual Fields fields() const = 0;
  /// Number in the whole mesh, before it was reordered, of each of these cells.
  virtual std::vector<std::int64_t> cell_numbers() const = 0;
  /// Sum of the hashes of the cells of this process: of the number of a cell in
  /// the whole mesh and the bits of its solution.
  virtual std::uint64_t hash() const = 0;
  /// What the plan of res_calc chose, in words; empty on many ranks, whose
  /// loops have several plans.
  virtual std::string describe() const = 0;
  /// Renumbers the mesh: natural (does nothing), rcm, gps, metis, random.
  virtual void reorder(const std::string& ordering) = 0;
  /// Makes that plan anew; the loops keep their own.
  virtual void make_plan() const              = 0;
  virtual const Usage& usage(Loop loop) const = 0;
};

/// What the options say of loops.
Sporos::LoopOptions loop_options(const Options& options);

/// Starts from the undisturbed flow, on the mesh in the order that the options
/// ask for.
std::unique_ptr<AnySimulation> make_simulation(const FlowMesh& mesh,
                                               const Options& options);
/// Starts from the undisturbed flow on all of a mesh.
std::unique_ptr<AnySimulation> make_simulation(const Sporos::QuadMesh& mesh,
                                               const Options& options);
/// Starts from the undisturbed flow with other options of the loops.
std::unique_ptr<AnySimulation> make_simulation(
    const FlowMesh& mesh, const Options& options,
    const Sporos::LoopOptions& loop_options);

/// Starts in one precision and layout: Airfoil_Simulation_*.cpp.
template <class T, class Layout>
std::unique_ptr<AnySimulation> make_simulation_of(
    const FlowMesh& mesh, const Options& options,
    const Sporos::LoopOptions& loop_options);

/// The mesh with nodes, cells, edges and boundary edges renumbered at random.
Sporos::QuadMesh shuffled(const Sporos::QuadMesh& mesh, unsigned seed);

}  // namespace AirfoilApp

#endif
