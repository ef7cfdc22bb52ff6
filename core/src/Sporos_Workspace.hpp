// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Scratch memory that only grows. Plans own it, so that they allocate nothing
/// after their largest problem.

#ifndef SPOROS_WORKSPACE_HPP
#define SPOROS_WORKSPACE_HPP

#include "Sporos_KokkosCompat.hpp"

#include <cstddef>
#include <string>
#include <utility>

namespace Sporos {

/// Growable array of T in MemorySpace. The contents are undefined for a new
/// user and lost when it grows. Like copies of a View, copies share the memory
/// that they have at the time of the copy.
template <class T, class MemorySpace>
class WorkspaceView {
 public:
  using value_type   = T;            ///< type of an entry
  using memory_space = MemorySpace;  ///< memory of the entries
  using view_type    = Kokkos::View<T*, MemorySpace>;  ///< type of view()

  /// Allocates nothing. label: name of later allocations for Kokkos Tools.
  explicit WorkspaceView(std::string label = "Sporos::workspace")
      : m_label(std::move(label)) {}

  /// A view of exactly n entries, not initialised. Allocates only if n is
  /// larger than ever before, then at least a quarter more than before, so that
  /// slow growth does not allocate in every step. Before that it waits for
  /// exec, which may still use the old memory.
  template <class Exec>
  view_type require(const Exec& exec, std::size_t n) {
    if (n > m_data.extent(0)) grow(exec, n);
    return n == m_data.extent(0)
               ? m_data
               : view_type(Kokkos::subview(m_data,
                                           std::make_pair(std::size_t(0), n)));
  }

  /// Number of entries that fit without an allocation.
  std::size_t capacity() const { return m_data.extent(0); }

  /// Bytes of memory.
  std::size_t bytes() const { return m_data.extent(0) * sizeof(T); }

 private:
  template <class Exec>
  void grow(const Exec& exec, std::size_t n) {
    const std::size_t old = m_data.extent(0);
    if (old > 0) Impl::fence(exec, m_label + "::grow");
    m_data = view_type();  // first: old and new need not exist together
    m_data = view_type(
        Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, m_label),
        n > old + old / 4 || old == 0 ? n : old + old / 4);
  }

  std::string m_label;
  view_type m_data;
};

}  // namespace Sporos

#endif  // SPOROS_WORKSPACE_HPP
