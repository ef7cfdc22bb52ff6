// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_ELASTICITY_WORLD_HPP
#define SPOROS_ELASTICITY_WORLD_HPP

/// \file Elasticity_World.hpp
/// What one process and many ranks do differently.

#include "Elasticity_Mesh.hpp"

#include <Sporos_Mesh.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ElasticityApp {

using Exec = Kokkos::DefaultExecutionSpace;

/// What a process works on.
struct LocalMesh {
  Shape shape = Shape::tetrahedra;
  int order   = 1;
  Sporos::Set nodes, cells;
  Sporos::Map<> cell_nodes;
  Sporos::Map<> unknowns;  ///< without nodes whose values are given
  Sporos::Dat<double, 3> coordinates;
  std::vector<int> fixed;                     ///< of local nodes, 1: given
  std::vector<std::int64_t> numbers;          ///< of local nodes in the mesh
  std::int64_t all_nodes = 0, all_cells = 0;  ///< of all processes
  std::shared_ptr<const void> owner;          ///< of what the sets need
};

/// The processes of a run. All functions are collective.
class World {
 public:
  virtual ~World() = default;

  int rank = 0, size = 1;

  /// Deals a mesh out to the processes.
  virtual LocalMesh deal(const MeshBlock& block) const = 0;
  /// The sum over all processes, modulo 2^64.
  virtual std::uint64_t sum(std::uint64_t mine) const { return mine; }
  /// Calls f, and throws on all processes if f does on one.
  virtual void together(const std::function<void()>& f) const { f(); }
};

std::unique_ptr<World> make_world_of_one();

}  // namespace ElasticityApp

#endif
