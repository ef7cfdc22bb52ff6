// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Wrong calls that all ranks must refuse.

#ifndef SPOROS_REFUSED_HPP
#define SPOROS_REFUSED_HPP

#include "Sporos_WrongCalls.hpp"

#include <mpi.h>

#include <functional>
#include <string>

namespace Sporos {
namespace Test {

/// All ranks throw, with this text.
inline void check_refused_on_ranks(const std::string& text,
                                   const std::function<void()>& call) {
  check_refused(text, call);
  MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace Test
}  // namespace Sporos

#endif
