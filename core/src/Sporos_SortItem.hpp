// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SORTITEM_HPP
#define SPOROS_SORTITEM_HPP

/// \file Sporos_SortItem.hpp
/// What sort_by_key moves, and where it lies (use Sporos_SortByKey.hpp).

#include <Sporos_KokkosCompat.hpp>

#include <cstddef>
#include <cstdint>

namespace Sporos {
namespace Impl {

/// What moves through the passes: a key and where it came from. 32-bit keys
/// share one word with their index.
template <class Key>
struct SortItem {
  static_assert(sizeof(Key) == 8, "keys are 32- or 64-bit unsigned integers");
  Key m_key;
  std::uint32_t m_index;

  KOKKOS_INLINE_FUNCTION static SortItem make(Key key, std::uint32_t index) {
    return SortItem{key, index};
  }
  KOKKOS_INLINE_FUNCTION Key key() const { return m_key; }
  KOKKOS_INLINE_FUNCTION std::uint32_t index() const { return m_index; }
};

template <>
struct SortItem<std::uint32_t> {
  std::uint64_t m_word;

  KOKKOS_INLINE_FUNCTION static SortItem make(std::uint32_t key,
                                              std::uint32_t index) {
    return SortItem{std::uint64_t(index) << 32 | key};
  }
  KOKKOS_INLINE_FUNCTION std::uint32_t key() const {
    return static_cast<std::uint32_t>(m_word);
  }
  KOKKOS_INLINE_FUNCTION std::uint32_t index() const {
    return static_cast<std::uint32_t>(m_word >> 32);
  }
};

/// Staged only: where items lie between passes. All keys come first and then
/// all indices, as passes that count digits read keys alone.
template <class Key>
struct SortColumns {
  Key* m_keys;
  std::uint32_t* m_indices;

  KOKKOS_INLINE_FUNCTION static SortColumns in(SortItem<Key>* memory, int n) {
    Key* const keys = reinterpret_cast<Key*>(memory);
    return SortColumns{keys, reinterpret_cast<std::uint32_t*>(keys + n)};
  }
  KOKKOS_INLINE_FUNCTION SortColumns at(int start) const {
    return SortColumns{m_keys + start, m_indices + start};
  }
  KOKKOS_INLINE_FUNCTION Key key(int j) const { return m_keys[j]; }
  KOKKOS_INLINE_FUNCTION SortItem<Key> item(int j) const {
    return SortItem<Key>::make(m_keys[j], m_indices[j]);
  }
  KOKKOS_INLINE_FUNCTION void set(std::size_t j,
                                  const SortItem<Key>& item) const {
    m_keys[j]    = item.key();
    m_indices[j] = item.index();
  }
};

/// The keys that the caller gave, with their places.
template <class Keys>
struct SortInput {
  using Key = typename Keys::non_const_value_type;

  const Keys& m_keys;
  int m_start;

  KOKKOS_INLINE_FUNCTION SortInput at(int start) const {
    return SortInput{m_keys, start};
  }
  KOKKOS_INLINE_FUNCTION Key key(int j) const { return m_keys(m_start + j); }
  KOKKOS_INLINE_FUNCTION SortItem<Key> item(int j) const {
    return SortItem<Key>::make(m_keys(m_start + j),
                               static_cast<std::uint32_t>(m_start + j));
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
