// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATETILEKERNELS_HPP
#define SPOROS_CORRELATETILEKERNELS_HPP

/// \file Sporos_CorrelateTileKernels.hpp
/// Inner loops of cross-correlation on hosts. The sums of many shifts stay in
/// SIMD registers, and are added to memory in the end; the loops have no
/// branches.

#include <Sporos_Pack.hpp>
#include <Sporos_RowPack.hpp>

#include <cstddef>
#include <utility>

namespace Sporos {
namespace Impl {

/// Addresses of a register tile. Rows of left start where shift (0, 0) of the
/// tile meets column 0 of right; right points to the row that meets the first
/// row of left at row 0 of the tile.
template <class T>
struct TileArgs {
  const T* left;
  const T* right;
  T* sums;
  std::ptrdiff_t left_pitch, right_pitch, sums_pitch;
  int rows;            ///< rows of left
  int x_begin, x_end;  ///< columns of right
};

/// Keeps p in a register. Compilers would load the operand again for each use,
/// and loads limit these loops.
template <class T, int W>
SPOROS_ALWAYS_INLINE Pack<T, W> keep(Pack<T, W> p) {
#ifdef SPOROS_PACK_VECTOR_EXTENSIONS
  auto v = p.v[0];
#if defined(__AVX512F__)
  __asm__("" : "+v"(v));
#elif defined(__SSE2__)
  __asm__("" : "+x"(v));
#endif
  p.v[0] = v;
#endif
  return p;
}

/// sums(i, v) += left(l, x + v) right(l - i, x) over all rows l and columns x,
/// for Rows rows i of shifts and Vectors registers v of consecutive x shifts:
/// left by unaligned load, right by broadcast.
template <class T, int Rows, int Vectors>
void correlate_tile(const TileArgs<T>& t) {
  constexpr int W = native_pack_width<T>;
  using P         = Pack<T, W>;
  P sums[Rows][Vectors];
  SPOROS_UNROLL
  for (int i = 0; i < Rows; ++i) SPOROS_UNROLL
  for (int v = 0; v < Vectors; ++v) sums[i][v] = P(T(0));
  const T* left  = t.left;
  const T* right = t.right;
  for (int l = 0; l < t.rows; ++l) {
    for (int x = t.x_begin; x < t.x_end; ++x) {
      P a[Vectors];
      SPOROS_UNROLL
      for (int v = 0; v < Vectors; ++v) a[v] = keep(P::load(left + x + v * W));
      const T* r = right + x;
      SPOROS_UNROLL
      for (int i = 0; i < Rows; ++i) {
        const P b(*r);
        r -= t.right_pitch;
        SPOROS_UNROLL
        for (int v = 0; v < Vectors; ++v) sums[i][v] = fma(a[v], b, sums[i][v]);
      }
    }
    left += t.left_pitch;
    right += t.right_pitch;
  }
  SPOROS_UNROLL
  for (int i = 0; i < Rows; ++i) SPOROS_UNROLL
  for (int v = 0; v < Vectors; ++v) {
    T* const to = t.sums + i * t.sums_pitch + v * W;
    (P::load(to) + sums[i][v]).store(to);
  }
}

/// Moves sums of blocks to totals, in `rows` rows of n.
template <class T>
[[gnu::noinline]] void move_blocks(T* blocks, T* totals, std::ptrdiff_t pitch,
                                   int rows, int n) {
  for (int i = 0; i < rows; ++i, blocks += pitch, totals += pitch) {
    SPOROS_IVDEP
    for (int k = 0; k < n; ++k) move_sum(blocks[k], totals[k]);
  }
}

/// results[k] is the sum of the lanes of sums[k], from number First on.
template <int First, class T, int W, int N>
SPOROS_ALWAYS_INLINE void sum_lanes(const Pack<T, W> (&sums)[N], T* results) {
  if constexpr (First < N) {
    constexpr int n = previous_power_of_two(N - First < W ? N - First : W);
    Pack<T, W> group[n];
    SPOROS_UNROLL
    for (int i = 0; i < n; ++i) group[i] = sums[First + i];
    sum_each(group).store(results + First);
    sum_lanes<First + n>(sums, results);
  }
}

/// sums(i, c) += left(l, x + c) right(l - i, x) over all rows l and columns x,
/// for Rows x Columns shifts: lanes are columns of right (x_begin
/// and x_end are multiples of the width), and are added in the end.
template <class T, int Rows, int Columns>
void correlate_dot(const TileArgs<T>& t) {
  constexpr int W = native_pack_width<T>;
  using P         = Pack<T, W>;
  P sums[Rows * Columns];
  SPOROS_UNROLL
  for (int k = 0; k < Rows * Columns; ++k) sums[k] = P(T(0));
  const auto add = [&](const T* left, const T* right) {
    P b[Rows];
    SPOROS_UNROLL
    for (int i = 0; i < Rows; ++i) {
      b[i] = keep(P::load(right));
      right -= t.right_pitch;
    }
    SPOROS_UNROLL
    for (int c = 0; c < Columns; ++c) {
      const P a = keep(P::load(left + c));
      SPOROS_UNROLL
      for (int i = 0; i < Rows; ++i)
        sums[i * Columns + c] = fma(a, b[i], sums[i * Columns + c]);
    }
  };
  struct Way {
    int steps;
    std::ptrdiff_t left, right;
  };
  Way outer{t.rows, t.left_pitch, t.right_pitch};
  Way inner{(t.x_end - t.x_begin) / W, W, W};
  if (inner.steps <= outer.steps) std::swap(inner, outer);
  const T *outer_left = t.left + t.x_begin, *outer_right = t.right + t.x_begin;
  for (int i = 0; i < outer.steps; ++i) {
    const T *left = outer_left, *right = outer_right;
    for (int j = 0; j < inner.steps; ++j) {
      add(left, right);
      left += inner.left;
      right += inner.right;
    }
    outer_left += outer.left;
    outer_right += outer.right;
  }
  T results[Rows * Columns];
  sum_lanes<0>(sums, results);
  using Row = RowPack<T, Columns>;
  SPOROS_UNROLL
  for (int i = 0; i < Rows; ++i) {
    T* const out = t.sums + i * t.sums_pitch;
    Row row      = Row::load(out);
    row.add_product(Row::load(results + i * Columns), T(1));
    row.store(out);
  }
}

/// Registers of shifts that a tile of so many rows may have.
constexpr int tile_vectors(int rows) {
  const int n = (simd_registers - simd_registers / 4) / rows;
  return n > 4 ? 4 : n;
}

template <class T>
using TileKernel = void (*)(const TileArgs<T>&);

template <class T, int Rows>
TileKernel<T> tile_kernel(int vectors) {
  constexpr int most = tile_vectors(Rows);
  if constexpr (most > 3)
    if (vectors == 4) return correlate_tile<T, Rows, 4>;
  if constexpr (most > 2)
    if (vectors == 3) return correlate_tile<T, Rows, 3>;
  if constexpr (most > 1)
    if (vectors == 2) return correlate_tile<T, Rows, 2>;
  return correlate_tile<T, Rows, 1>;
}

/// The kernel for rows in {2, 3, 4, 6, 8} and vectors <= tile_vectors(rows).
template <class T>
TileKernel<T> tile_kernel(int rows, int vectors) {
  switch (rows) {
    case 8: return tile_kernel<T, 8>(vectors);
    case 6: return tile_kernel<T, 6>(vectors);
    case 4: return tile_kernel<T, 4>(vectors);
    case 3: return tile_kernel<T, 3>(vectors);
    default: return tile_kernel<T, 2>(vectors);
  }
}

/// Rows of shifts in a dot tile, and the most columns.
constexpr int dot_rows     = simd_registers >= 32 ? 6 : 3;
constexpr int dot_rows_few = simd_registers >= 32 ? 4 : 2;
constexpr int dot_columns  = simd_registers >= 32 ? 4 : 3;

template <class T, int Rows>
TileKernel<T> dot_columns_kernel(int columns) {
  if constexpr (dot_columns > 3)
    if (columns == 4) return correlate_dot<T, Rows, 4>;
  if (columns == 3) return correlate_dot<T, Rows, 3>;
  if (columns == 2) return correlate_dot<T, Rows, 2>;
  return correlate_dot<T, Rows, 1>;
}

/// The kernel of a dot tile of dot_rows or dot_rows_few rows.
template <class T>
TileKernel<T> dot_kernel(int rows, int columns) {
  return rows == dot_rows ? dot_columns_kernel<T, dot_rows>(columns)
                          : dot_columns_kernel<T, dot_rows_few>(columns);
}

}  // namespace Impl
}  // namespace Sporos

#endif
