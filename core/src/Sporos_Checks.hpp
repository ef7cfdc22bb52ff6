// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CHECKS_HPP
#define SPOROS_CHECKS_HPP

/// \file Sporos_Checks.hpp
/// Checks that cost time: on if SPOROS_ENABLE_CHECKS is defined (the option
/// Sporos_ENABLE_CHECKS of CMake), for all files of a program or for none.
/// Nothing is left of them if they are off.

#include <Kokkos_Core.hpp>

namespace Sporos {
namespace Impl {

#ifdef SPOROS_ENABLE_CHECKS
constexpr bool checks_enabled = true;
#else
constexpr bool checks_enabled = false;
#endif

/// In kernels: ends the program, if checks are on, unless index is in [0, end).
KOKKOS_FORCEINLINE_FUNCTION void check_index([[maybe_unused]] int index,
                                             [[maybe_unused]] int end,
                                             [[maybe_unused]] const char* why) {
  if constexpr (checks_enabled)
    if (index < 0 || index >= end) Kokkos::abort(why);
}

}  // namespace Impl
}  // namespace Sporos

#endif
