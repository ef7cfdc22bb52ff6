// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The loops of the chains, each in a file of its own. They return whether the
/// mesh has what they need.

#ifndef SPOROS_LOOPS_HPP
#define SPOROS_LOOPS_HPP

#include "Sporos_LoopChain.hpp"

namespace Sporos {
namespace Test {

bool loops_of_double(LoopChain& chain);     ///< families of double
bool loops_of_float(LoopChain& chain);      ///< families of float
bool loops_of_unsigned(LoopChain& chain);   ///< a family of integers
bool direct_loops(LoopChain& chain);        ///< loops without maps
bool loops_at_one_index(LoopChain& chain);  ///< through maps of any arity
bool writing_loops(LoopChain& chain);       ///< write through maps
bool matrix_loops(LoopChain& chain);        ///< assemble matrices

/// Wrong calls on some ranks, which all ranks must refuse. Returns what is
/// wrong.
std::string refusals(RandomCase& random, const Communicator& comm);

/// A mesh that is written to an HDF5 file and read back. Returns what is wrong;
/// nothing without HDF5.
std::string random_files(RandomCase& random, const Communicator& comm);

}  // namespace Test
}  // namespace Sporos

#endif
