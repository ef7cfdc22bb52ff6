// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_ELASTICITY_MODEL_HPP
#define SPOROS_ELASTICITY_MODEL_HPP

/// \file Elasticity_Model.hpp
/// Assembly, solution and error on cells of any kind.

#include "Elasticity_Options.hpp"
#include "Elasticity_World.hpp"

#include <Sporos_MeshVtk.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace ElasticityApp {

/// What a run found.
struct Result {
  std::int64_t cells = 0, unknowns = 0;  ///< of all processes
  std::int64_t nonzeros = 0;  ///< blocks, of this process, then of all
  double size           = 0;  ///< of a cell, the third root of the mean volume
  double error          = 0;  ///< in L2, relative to the displacements
  double deflection = 0;  ///< the lowest displacement along the last direction
  int iterations    = 0;
  double residual   = 0;
  double sparsity_time = 0, first_time = 0, assembly_time = 0, solve_time = 0;
  std::uint64_t bits =
      0;  ///< a hash of the solution: of this process, then of all
};

/// A problem on a mesh. All functions are collective.
class Model {
 public:
  virtual ~Model() = default;

  /// Assembles twice, to measure it, and solves.
  virtual Result solve() = 0;
  /// Adds the solution, which halos have, to a file.
  virtual void add_to(Sporos::MeshVtk& vtk) const = 0;
  /// The solution at the local nodes, and how many values a node has.
  virtual std::vector<double> solution() const = 0;
  virtual int components() const               = 0;
};

std::unique_ptr<Model> make_model(const LocalMesh& mesh,
                                  const Options& options);

/// make_model for cells of this many nodes, C unknowns at each.
template <int Nodes, int C>
std::unique_ptr<Model> make_model_of(const LocalMesh& mesh,
                                     const Options& options);

}  // namespace ElasticityApp

#endif
