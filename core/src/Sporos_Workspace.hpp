// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Scratch memory that only grows: what plans own so that they allocate
/// nothing once they have seen their largest problem.

#ifndef SPOROS_WORKSPACE_HPP
#define SPOROS_WORKSPACE_HPP

#include "Sporos_KokkosCompat.hpp"

#include <cstddef>
#include <string>
#include <utility>

namespace Sporos {

/// Growable array of T in MemorySpace. Its contents are whatever the last user
/// left there, and are lost when it grows. Copies share the memory they have at
/// the time of the copy, like copies of a View.
template <class T, class MemorySpace>
class WorkspaceView {
 public:
  using value_type   = T;                              ///< of the entries
  using memory_space = MemorySpace;                    ///< where they are
  using view_type    = Kokkos::View<T*, MemorySpace>;  ///< what view() gives

  /// Holds nothing yet. label: of the allocation, for Kokkos Tools.
  explicit WorkspaceView(std::string label = "Sporos::workspace")
      : m_label(std::move(label)) {}

  /// A view of exactly n entries, not initialised. Allocates (and then waits
  /// for exec, which may still use the old memory) only if n is larger than
  /// ever before; then a quarter more than before at least, so that slow growth
  /// does not allocate in every step.
  template <class Exec>
  view_type require(const Exec& exec, std::size_t n) {
    if (n > m_data.extent(0)) grow(exec, n);
    return n == m_data.extent(0)
               ? m_data
               : view_type(Kokkos::subview(m_data,
                                           std::make_pair(std::size_t(0), n)));
  }

  /// Number of entries that need no allocation.
  std::size_t capacity() const { return m_data.extent(0); }

  /// Memory held.
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
