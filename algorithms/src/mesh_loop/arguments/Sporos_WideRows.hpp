// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_WIDEROWS_HPP
#define SPOROS_WIDEROWS_HPP

/// \file Sporos_WideRows.hpp
/// Rows of components that devices read and write 16 bytes at a time:
/// neighbouring threads have neighbouring rows, and each access of a warp to
/// one component would touch the memory of all of them.

#include <Sporos_KokkosCompat.hpp>

#include <cstdint>

namespace Sporos {
namespace Impl {

/// Values that are read and written at once.
template <class T, int Lanes>
struct alignas(Lanes > 1 ? Lanes * sizeof(T) : alignof(T)) WideValues {
  static constexpr int lanes = Lanes;
  T v[Lanes];
};

/// 16 bytes, or one value.
template <class T, int N>
struct WideRow {
  static constexpr int lanes =
      16 % sizeof(T) == 0 && N * sizeof(T) % 16 == 0 ? int(16 / sizeof(T)) : 1;
  using type = WideValues<T, lanes>;
};

template <class T, int N, class Rows>
constexpr bool can_be_wide_v = Rows::contiguous&& WideRow<T, N>::lanes > 1;

KOKKOS_FORCEINLINE_FUNCTION bool is_wide_aligned(const void* p) {
  return reinterpret_cast<std::uintptr_t>(p) % 16 == 0;
}

/// N values that follow one another to or from memory; where they fill 16 bytes
/// they lie at a multiple of these.
template <int N, class T>
KOKKOS_FORCEINLINE_FUNCTION void load_wide(const T* row, T* v) {
  constexpr int lanes = is_device_pass ? WideRow<T, N>::lanes : 1;
  SPOROS_UNROLL
  for (int c = 0; c < N; c += lanes) {
    if constexpr (lanes > 1) {
      const auto w =
          *reinterpret_cast<const typename WideRow<T, N>::type*>(row + c);
      SPOROS_UNROLL
      for (int j = 0; j < lanes; ++j) v[c + j] = w.v[j];
    } else {
      v[c] = row[c];
    }
  }
}
template <int N, class T>
KOKKOS_FORCEINLINE_FUNCTION void store_wide(T* row, const T* v) {
  constexpr int lanes = is_device_pass ? WideRow<T, N>::lanes : 1;
  SPOROS_UNROLL
  for (int c = 0; c < N; c += lanes) {
    if constexpr (lanes > 1) {
      typename WideRow<T, N>::type w;
      SPOROS_UNROLL
      for (int j = 0; j < lanes; ++j) w.v[j] = v[c + j];
      *reinterpret_cast<typename WideRow<T, N>::type*>(row + c) = w;
    } else {
      row[c] = v[c];
    }
  }
}

/// Row i of a dat to registers, and back.
template <int N, class Rows, class T>
KOKKOS_FORCEINLINE_FUNCTION void load_row(const Rows& rows, int i, T* v) {
  const T* const row = rows.row(i);
  if constexpr (is_device_pass && can_be_wide_v<T, N, Rows>)
    if (is_wide_aligned(rows.data)) return load_wide<N>(row, v);
  SPOROS_UNROLL
  for (int c = 0; c < N; ++c) v[c] = row[c * rows.component_stride()];
}
template <int N, class Rows, class T>
KOKKOS_FORCEINLINE_FUNCTION void store_row(const Rows& rows, int i,
                                           const T* v) {
  T* const row = rows.row(i);
  if constexpr (is_device_pass && can_be_wide_v<T, N, Rows>)
    if (is_wide_aligned(rows.data)) return store_wide<N>(row, v);
  SPOROS_UNROLL
  for (int c = 0; c < N; ++c) row[c * rows.component_stride()] = v[c];
}

}  // namespace Impl
}  // namespace Sporos

#endif
