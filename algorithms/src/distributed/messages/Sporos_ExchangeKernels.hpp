// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_EXCHANGEKERNELS_HPP
#define SPOROS_EXCHANGEKERNELS_HPP

/// \file Sporos_ExchangeKernels.hpp
/// Entries of arrays into messages and back.

#include <Sporos_Pack.hpp>
#include <distributed/messages/Sporos_ExchangeLists.hpp>
#include <particle_grid/bins/Sporos_GridConstants.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace Sporos {
namespace Impl {

/// Where the entries of a part lie in a buffer of messages: entry e of message
/// m begins at byte shift(m) + e * bytes of an entry.
template <class T, class MemorySpace>
struct MessageEntries {
  Kokkos::View<unsigned char*, MemorySpace> buffer;
  Kokkos::View<const std::int64_t*, MemorySpace> shift;
  Kokkos::View<const int*, MemorySpace> message;
  int components;

  KOKKOS_FUNCTION T* operator()(int e) const {
    const std::int64_t byte = shift(message(e)) + std::int64_t(e) * components *
                                                      std::int64_t(sizeof(T));
    return reinterpret_cast<T*>(buffer.data() + byte);
  }
};

/// Packs: into messages, else out of them.
template <bool Packs, class T, class MemorySpace, class Values>
struct MoveEntries {
  MessageEntries<T, MemorySpace> packed;
  Kokkos::View<const int*, MemorySpace> entries;
  Values values;

  KOKKOS_FUNCTION void operator()(int e) const {
    if (e + entries_ahead < int(entries.extent(0))) {
      if constexpr (Packs)
        SPOROS_PREFETCH(&values(entries(e + entries_ahead), 0));
      else
        SPOROS_PREFETCH_WRITE(&values(entries(e + entries_ahead), 0));
    }
    T* const in_message = packed(e);
    const int entry     = entries(e);
    for (int c = 0; c < packed.components; ++c) {
      if constexpr (Packs)
        in_message[c] = values(entry, c);
      else
        values(entry, c) = in_message[c];
    }
  }
};

/// One work item for each target: no two of them meet.
template <class T, class MemorySpace, class Values>
struct AddEntries {
  MessageEntries<T, MemorySpace> packed;
  ExchangeSums<MemorySpace> sums;
  Values values;

  KOKKOS_FUNCTION void operator()(int t) const {
    if (t + entries_ahead < int(sums.targets.extent(0)))
      SPOROS_PREFETCH_WRITE(&values(sums.targets(t + entries_ahead), 0));
    const int target = sums.targets(t);
    for (int p = sums.offsets(t); p < sums.offsets(t + 1); ++p) {
      const T* const from = packed(sums.places(p));
      for (int c = 0; c < packed.components; ++c) values(target, c) += from[c];
    }
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
