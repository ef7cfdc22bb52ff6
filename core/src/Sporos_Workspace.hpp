// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Scratch memory that only grows. Plans own it, so that they allocate nothing
/// after their largest problem.

#ifndef SPOROS_WORKSPACE_HPP
#define SPOROS_WORKSPACE_HPP

#include "Sporos_KokkosCompat.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

namespace Sporos {

/// Growable array of T in MemorySpace. The contents are undefined for a new
/// user and lost when it grows. Like copies of a View, copies share the memory
/// that they have at the time of the copy. Structs lie in words, and their
/// views do not own them: Kokkos would compile kernels that make and destroy
/// them for each type.
template <class T, class MemorySpace>
class WorkspaceView {
  using Word = std::conditional_t<std::is_class_v<T>, std::uint64_t, T>;
  using Data = Kokkos::View<Word*, MemorySpace>;

 public:
  using value_type   = T;            ///< type of an entry
  using memory_space = MemorySpace;  ///< memory of the entries
  /// what require() returns
  using view_type = std::conditional_t<
      std::is_class_v<T>,
      Kokkos::View<T*, MemorySpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>,
      Data>;

  /// Allocates nothing. label: name of later allocations for Kokkos Tools.
  explicit WorkspaceView(std::string label = "Sporos::workspace")
      : m_label(std::move(label)) {}

  /// A view of exactly n entries, not initialised. Allocates only if n is
  /// larger than ever before, then at least a quarter more than before, so that
  /// slow growth does not allocate in every step. Before that it waits for
  /// exec, which may still use the old memory.
  template <class Exec>
  view_type require(const Exec& exec, std::size_t n) {
    if (n > capacity()) grow(exec, n);
    if constexpr (std::is_class_v<T>)
      return view_type(reinterpret_cast<T*>(m_data.data()), n);
    else
      return n == capacity()
                 ? m_data
                 : view_type(m_data, std::make_pair(std::size_t(0), n));
  }

  /// Number of entries that fit without an allocation.
  std::size_t capacity() const {
    return m_data.extent(0) * sizeof(Word) / sizeof(T);
  }

  /// Bytes of memory.
  std::size_t bytes() const { return m_data.extent(0) * sizeof(Word); }

 private:
  template <class Exec>
  void grow(const Exec& exec, std::size_t n) {
    const std::size_t old = m_data.extent(0);
    if (old > 0) Impl::fence(exec, m_label + "::grow");
    const std::size_t words = (n * sizeof(T) + sizeof(Word) - 1) / sizeof(Word);
    m_data = Data();  // first: old and new need not exist together
    m_data =
        Data(Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, m_label),
             words > old + old / 4 || old == 0 ? words : old + old / 4);
  }

  std::string m_label;
  Data m_data;
};

}  // namespace Sporos

#endif  // SPOROS_WORKSPACE_HPP
