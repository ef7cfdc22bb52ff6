// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATETILECOPY_HPP
#define SPOROS_CORRELATETILECOPY_HPP

/// \file Sporos_CorrelateTileCopy.hpp
/// Copies parts of matrices to scratch, for `tile` on devices: 16 bytes of
/// scratch at a time where rows of a matrix begin and end at multiples of what
/// these hold, else element by element.

#include <Sporos_Lanes.hpp>
#include <cross_correlation/problem/Sporos_CorrelateConstants.hpp>

#include <cstddef>
#include <cstdint>

namespace Sporos {
namespace Impl {

/// Elements that one load or store of `Bytes` takes.
template <class T, int Bytes>
inline constexpr int wide_elements = Bytes / int(sizeof(T)) > 1
                                         ? Bytes / int(sizeof(T))
                                         : 1;

/// What one load or store takes.
template <class T, int Bytes>
struct alignas(wide_elements<T, Bytes> * sizeof(T)) WideElements {
  T v[wide_elements<T, Bytes>];
};

/// N values that follow one another at a multiple of Bytes.
template <int N, int Bytes, class T, class A>
KOKKOS_FORCEINLINE_FUNCTION void load_wide(const T* from, A (&to)[N]) {
  using Wide      = WideElements<T, Bytes>;
  constexpr int n = wide_elements<T, Bytes>;
  static_assert(N % n == 0, "load_wide: whole loads");
  SPOROS_UNROLL
  for (int k = 0; k < N; k += n) {
    const Wide w = *reinterpret_cast<const Wide*>(from + k);
    SPOROS_UNROLL
    for (int j = 0; j < n; ++j) to[k + j] = A(w.v[j]);
  }
}
template <int N, class A>
KOKKOS_FORCEINLINE_FUNCTION void store_wide(const A (&from)[N], A* to) {
  using Wide = WideElements<A, N* int(sizeof(A))>;
  Wide w;
  SPOROS_UNROLL
  for (int k = 0; k < N; ++k) w.v[k] = from[k];
  *reinterpret_cast<Wide*>(to) = w;
}

/// A matrix of which a team copies parts, with zeros around it. Columns that a
/// copy begins with, and their number, are multiples of tile_step from those of
/// the first copy.
template <class T, class A>
class TileSource {
  static constexpr int n = wide_elements<A, 16>;
  static constexpr int bytes =
      n * int(sizeof(T)) < 16 ? n * int(sizeof(T)) : 16;
  const T* m_data;
  std::ptrdiff_t m_y, m_x;
  int m_height, m_width;
  bool m_wide;

 public:
  /// \param x the first column of the first copy
  KOKKOS_FORCEINLINE_FUNCTION TileSource(const T* data, std::ptrdiff_t y_stride,
                                         std::ptrdiff_t x_stride, int height,
                                         int width, int x)
      : m_data(data),
        m_y(y_stride),
        m_x(x_stride),
        m_height(height),
        m_width(width),
        m_wide(n > 1 && x_stride == 1 && (width | x | int(y_stride)) % n == 0 &&
               reinterpret_cast<std::uintptr_t>(data) % bytes == 0) {}

  /// Rows [y, y + rows) and columns [x, x + columns), zeros where the matrix
  /// ends. `Some`: loads of a thread that are under way at once.
  template <int Some, class Member>
  KOKKOS_FORCEINLINE_FUNCTION void copy(const Member& team, int y, int rows,
                                        int x, int columns, A* to,
                                        int pitch) const {
    if constexpr (n > 1)
      if (m_wide) {
        copy_rows<n, wide_copy_lanes, Some>(team, y, rows, x, columns, to,
                                            pitch);
        return;
      }
    copy_rows<1, copy_lanes, Some>(team, y, rows, x, columns, to, pitch);
  }

 private:
  template <int N, int Lanes, int Some, class Member>
  KOKKOS_FORCEINLINE_FUNCTION void copy_rows(const Member& team, int y,
                                             int rows, int x, int columns,
                                             A* to, int pitch) const {
    constexpr int rows_of_warp = warp_threads / Lanes, next = Lanes * N;
    const int first = device_lane() % Lanes * N;
    const int step  = team.team_size() * rows_of_warp;
    for (int r = team.team_rank() * rows_of_warp + device_lane() / Lanes;
         r < rows; r += step) {
      // no column lies in a row that is none
      const bool has       = unsigned(y + r) < unsigned(m_height);
      const unsigned width = has ? unsigned(m_width) : 0u;
      const T* const row   = m_data + (y + r) * m_y;
      for (int c = first; c < columns; c += Some * next) {
        A v[Some][N];
        SPOROS_UNROLL
        for (int k = 0; k < Some; ++k) {
          const int at = x + c + k * next;
          SPOROS_UNROLL
          for (int q = 0; q < N; ++q) v[k][q] = A(0);
          if (unsigned(at) < width) {
            if constexpr (N > 1)
              load_wide<N, bytes>(row + at, v[k]);
            else
              v[k][0] = A(row[at * m_x]);
          }
        }
        SPOROS_UNROLL
        for (int k = 0; k < Some; ++k)
          if (c + k * next < columns)
            store_wide(v[k], to + r * pitch + c + k * next);
      }
    }
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
