// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CHECKS_HPP
#define SPOROS_CHECKS_HPP

/// \file Sporos_Checks.hpp
/// Checks that cost time. Define SPOROS_ENABLE_CHECKS (CMake: the option
/// Sporos_ENABLE_CHECKS) in all files of a program or in none. When off, they
/// cost nothing.

#include <Kokkos_Core.hpp>

namespace Sporos {
namespace Impl {

#ifdef SPOROS_ENABLE_CHECKS
constexpr bool checks_enabled = true;
#else
constexpr bool checks_enabled = false;
#endif

/// In kernels: if checks are on, ends the program unless 0 <= index < end.
KOKKOS_FORCEINLINE_FUNCTION void check_index([[maybe_unused]] int index,
                                             [[maybe_unused]] int end,
                                             [[maybe_unused]] const char* why) {
  if constexpr (checks_enabled)
    if (index < 0 || index >= end) Kokkos::abort(why);
}

}  // namespace Impl
}  // namespace Sporos

#endif
