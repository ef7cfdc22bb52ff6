// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_AIRFOIL_WORLD_HPP
#define SPOROS_AIRFOIL_WORLD_HPP

/// \file Airfoil_World.hpp
/// What of a run depends on how many processes share it.

#include "Airfoil_Fields.hpp"
#include "Airfoil_FlowMesh.hpp"
#include "Airfoil_Options.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace AirfoilApp {

/// The processes of a run. All functions are collective.
class World {
 public:
  virtual ~World() = default;

  /// Is this the process that prints?
  virtual bool prints() const = 0;
  /// Reads or generates the mesh.
  /// \throws std::invalid_argument for options that these processes cannot obey
  /// \throws std::runtime_error for files that cannot be read or written
  virtual FlowMesh make_mesh(const Options& options) = 0;
  /// How many processes deal the mesh out, in words; empty for one.
  virtual std::string describe() const = 0;
  /// The sum of what all processes hand in, modulo 2^64.
  virtual std::uint64_t sum(std::uint64_t mine) const = 0;
  /// Makes a folder for files. \throws std::runtime_error if it cannot be made
  virtual void make_folder(const std::string& path) const = 0;
  /// Writes the flow into the folder that the options name, which exists.
  /// \return the names of the files
  virtual std::string write_files(const Fields& fields,
                                  const Options& options) const = 0;
};

/// The MPI ranks of the program if there are many, else this process.
std::unique_ptr<World> make_world();

}  // namespace AirfoilApp

#endif
