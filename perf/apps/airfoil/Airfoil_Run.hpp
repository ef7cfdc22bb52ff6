// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_AIRFOIL_RUN_HPP
#define SPOROS_AIRFOIL_RUN_HPP

/// \file Airfoil_Run.hpp
/// A whole run: the mesh, the iterations, the files, the summary.

#include "Airfoil_FlowMesh.hpp"
#include "Airfoil_Options.hpp"

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>

namespace AirfoilApp {

/// Changes by iteration.
using History = std::map<int, double>;

/// A line of rms in the format of OP2's code, which begins and ends with a
/// blank.
std::string rms_line(int iteration, double change);

/// A line that tells whether two results have the same bits: the hash of the
/// solution and the last change as a hexadecimal number.
std::string bits_line(std::uint64_t hash, double change);

/// What is to be said of a history; `ok` is false if it is not what it should
/// be.
struct Verdict {
  bool ok;
  std::string text;
};

/// Compares with OP2's published values (at 100, 200, ... 1000 iterations) on
/// the mesh that they are for: in double precision the printed digits must be
/// the same, and the last one be right to 1e-5 %; in single precision it must
/// be right to 0.1 %. On other meshes the change must shrink.
Verdict judge(const Counts& mesh, const Options& options,
              const History& history);

/// Reads or generates the mesh, runs, prints and writes the files; under
/// mpiexec on all ranks together, of which one prints. \return false if the
/// check failed \throws std::invalid_argument for options that many ranks
/// cannot obey \throws std::runtime_error for files that cannot be read or
/// written
bool run(const Options& options, std::ostream& out);

}  // namespace AirfoilApp

#endif
