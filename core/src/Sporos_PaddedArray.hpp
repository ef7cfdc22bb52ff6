// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PADDEDARRAY_HPP
#define SPOROS_PADDEDARRAY_HPP

/// \file Sporos_PaddedArray.hpp
/// Arrays in the scratch memory of a team.

#include <Sporos_KokkosCompat.hpp>

#include <cstddef>

namespace Sporos {
namespace Impl {

/// Bytes that scratch memory of GPUs gives at once: it has 32 banks of 4 bytes,
/// NVIDIA's and AMD's.
inline constexpr int scratch_row = 128;

/// An array that leaves out one entry after every row of scratch. With these
/// gaps, threads of a warp meet in no bank when they access entries side by
/// side, nor when each of them has 2, 4, 8 or 16 consecutive entries and all
/// access their k-th one.
template <class T>
struct PaddedArray {
  static constexpr unsigned row =
      sizeof(T) < scratch_row ? unsigned(scratch_row / sizeof(T)) : 1u;

  T* m_data;

  KOKKOS_INLINE_FUNCTION static unsigned position(int i) {
    return unsigned(i) + unsigned(i) / row;
  }
  KOKKOS_INLINE_FUNCTION T& operator[](int i) const {
    return m_data[position(i)];
  }
  /// Entry from + i, where `from` starts a row or the row of `from` holds it
  /// too. A loop over one of the two keeps the position of the other.
  KOKKOS_INLINE_FUNCTION T& at(int from, int i) const {
    return m_data[position(from) + position(i)];
  }

  /// Entries of memory for an array of n.
  KOKKOS_INLINE_FUNCTION static constexpr std::size_t room(int n) {
    return std::size_t(n) + std::size_t(n) / row;
  }
};

/// The next part of the team's scratch memory.
template <class T, class Member>
KOKKOS_INLINE_FUNCTION T* team_scratch(const Member& member,
                                       std::size_t entries) {
  return static_cast<T*>(member.team_scratch(0).get_shmem(entries * sizeof(T)));
}

}  // namespace Impl
}  // namespace Sporos

#endif
