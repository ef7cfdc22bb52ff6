// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SCRATCHWORDS_HPP
#define SPOROS_SCRATCHWORDS_HPP

/// \file Sporos_ScratchWords.hpp
/// Scratch memory of teams in words, and places for values in it.

#include <Sporos_KokkosCompat.hpp>

#include <cstddef>
#include <cstdint>

namespace Sporos {
namespace Impl {

using TeamWords = std::uint64_t;

/// The first place for values of T at or after `memory`, which is aligned for
/// words only.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T* place_for(TeamWords* memory) {
  if constexpr (alignof(T) > alignof(TeamWords)) {
    constexpr std::uintptr_t mask = alignof(T) - 1;
    const auto address            = reinterpret_cast<std::uintptr_t>(memory);
    return reinterpret_cast<T*>((address + mask) & ~mask);
  } else {
    return reinterpret_cast<T*>(memory);
  }
}

/// Most bytes that place_for skips for values of such an alignment.
constexpr std::size_t placing_bytes(std::size_t alignment) {
  return alignment > alignof(TeamWords) ? alignment - alignof(TeamWords) : 0;
}

}  // namespace Impl
}  // namespace Sporos

#endif
