// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_WORKSPACE_HPP
#define SPOROS_WORKSPACE_HPP

/// \file Sporos_Workspace.hpp
/// Scratch memory that only grows. Plans own it, so that they allocate nothing
/// after their largest problem.

#include <Sporos_KokkosCompat.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace Sporos {
namespace Impl {

template <class MemorySpace>
using Words = Kokkos::View<std::uint64_t*, MemorySpace>;

/// The memory of a workspace. Plans have many: their functions are compiled
/// once.
template <class MemorySpace>
struct WorkspaceWords {
  const char* label;
  Words<MemorySpace> words;

  explicit WorkspaceWords(const char* label_) noexcept : label(label_) {}

  /// Replaces words by at least n, and at least a quarter more than before.
  template <class Exec>
  void grow(const Exec& exec, std::size_t n) {
    const std::size_t old = words.extent(0);
    if (old > 0) fence(exec, std::string(label) + "::grow");
    words = Words<MemorySpace>();  // first: old and new need not exist together
    words = make_view<Words<MemorySpace>>(
        Kokkos::view_alloc(exec, Kokkos::WithoutInitializing,
                           std::string(label)),
        n > old + old / 4 ? n : old + old / 4);
  }
};

}  // namespace Impl

/// Growable array of T in MemorySpace. The contents are undefined for a new
/// user and lost when it grows. Like copies of a View, copies share the memory
/// that they have at the time of the copy. Entries of all types lie in words:
/// Kokkos would compile an allocation for each type.
template <class T, class MemorySpace>
class WorkspaceView {
 public:
  using value_type   = T;            ///< type of an entry
  using memory_space = MemorySpace;  ///< memory of the entries
  /// what require() returns; valid until the workspace grows, and as long as a
  /// copy of it exists
  using view_type =
      Kokkos::View<T*, MemorySpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  /// Allocates nothing. label: name of later allocations for Kokkos Tools; is
  /// not copied, so it must exist as long as the workspace, as a literal does.
  explicit WorkspaceView(const char* label = "Sporos::workspace") noexcept
      : m_memory(label) {}

  /// A view of exactly n entries, not initialised. Allocates only if n is
  /// larger than ever before, then at least a quarter more than before, so that
  /// slow growth does not allocate in every step. Before that it waits for
  /// exec, which may still use the old memory.
  template <class Exec>
  view_type require(const Exec& exec, std::size_t n) {
    return Impl::make_view<view_type>(require_data(exec, n), n);
  }

  /// A pointer to n entries: the memory of require(exec, n).
  template <class Exec>
  T* require_data(const Exec& exec, std::size_t n) {
    if (n > capacity())
      m_memory.grow(exec, Impl::ceil_div(n * sizeof(T), sizeof(std::uint64_t)));
    return reinterpret_cast<T*>(m_memory.words.data());
  }

  /// Number of entries that fit without an allocation.
  std::size_t capacity() const { return bytes() / sizeof(T); }

  /// Bytes of memory.
  std::size_t bytes() const {
    return m_memory.words.extent(0) * sizeof(std::uint64_t);
  }

 private:
  Impl::WorkspaceWords<MemorySpace> m_memory;
};

}  // namespace Sporos

#endif
