// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATEBOXES_HPP
#define SPOROS_CORRELATEBOXES_HPP

/// \file Sporos_CorrelateBoxes.hpp
/// Sums of what a matrix has in the overlap of each shift, and of the squares.
/// Sums of windows of rows, then of these in columns. A window is the end of
/// one block, as long as the window, and the beginning of the next: sums of
/// squares are sums of positive numbers, and lose no digits as differences of
/// summed-area tables would. Four additions per element or result, for any size
/// of the windows. (Van Herk's and Gil and Werman's algorithm, for sums.)

#include <Sporos_ForEachIndex.hpp>
#include <cross_correlation/problem/Sporos_CorrelateLocalCopies.hpp>

#include <cstdint>

namespace Sporos {
namespace Impl {

template <class W>
struct BoxSum {
  W sum;
  double squares;

  KOKKOS_FORCEINLINE_FUNCTION void add(const BoxSum& o) {
    sum += o.sum;
    squares += o.squares;
  }
};

/// Windows [d, d + window) of n elements for shifts d from `first` on. Elements
/// outside count as 0. Result k of `count`, of shift first + k, has its place
/// at to + k step.
struct BoxAxis {
  int n, window, first, count, to, step;
  bool all = false;  ///< all windows contain all elements: one result

  /// Windows of left at shifts [d0, d1), or of right at [1 - d1, 1 - d0),
  /// reversed.
  BoxAxis(int n_, int window_, int d0, int d1, bool reversed)
      : n(n_),
        window(window_),
        first(reversed ? 1 - d1 : d0),
        count(d1 - d0),
        to(reversed ? count - 1 : 0),
        step(reversed ? -1 : 1) {
    if (first + count - 1 > 0 || first + window < n) return;
    all   = true;
    count = 1;
    to    = 0;
  }
  KOKKOS_FUNCTION int blocks() const { return ceil_div(count, window); }

  /// The windows that begin in a block, for several rows or columns.
  /// \param load(k, sums) adds element k
  /// \param place(k) where sums of result k are
  /// \param pitch from one row or column to the next
  template <int Lanes, class Sum, class Load, class Place>
  KOKKOS_FUNCTION void sum_block(int block, int lanes, std::ptrdiff_t pitch,
                                 const Load& load, const Place& place) const {
    const int begin = first + block * window;
    const int end   = Math::min(begin + window, first + count);
    Sum sums[Lanes] = {};
    for (int d = Math::max(Math::min(begin + window, n), end) - 1; d >= begin;
         --d) {
      if (d >= 0 && d < n) load(d, sums);
      if (d >= end) continue;
      Sum* const at = place(to + (d - first) * step);
      for (int l = 0; l < lanes; ++l) at[l * pitch] = sums[l];
    }
    for (int l = 0; l < Lanes; ++l) sums[l] = Sum{};
    for (int d = begin + 1; d < end; ++d) {
      const int k = d + window - 1;
      if (k >= 0 && k < n) load(k, sums);
      Sum* const at = place(to + (d - first) * step);
      for (int l = 0; l < lanes; ++l) at[l * pitch].add(sums[l]);
    }
  }
};

/// Sums of several matrices, of Lanes rows, then Lanes columns by a thread.
template <class C, int Lanes>
struct SumBoxes {
  using W   = wide_sum<C>;
  using Sum = BoxSum<W>;
  MatrixBatch<const C> from;
  int i0, j0, m;  ///< matrix k is (i0 + k / m, j0 + k % m)
  BoxAxis y, x;
  Sum *rows, *boxes;  ///< (k, y.n, x.count) and (k, y.count, x.count)
  bool in_columns = false;

  KOKKOS_FUNCTION std::int64_t indices_of_matrix() const {
    return in_columns ? std::int64_t(y.blocks()) * ceil_div(x.count, Lanes)
                      : std::int64_t(x.blocks()) * ceil_div(y.n, Lanes);
  }
  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    const std::int64_t of_matrix = indices_of_matrix(), k = index / of_matrix;
    index %= of_matrix;
    if (in_columns)
      sum_columns(k, index);
    else
      sum_rows(k, index);
  }

 private:
  KOKKOS_FUNCTION void sum_rows(std::int64_t k, std::int64_t index) const {
    const int groups = ceil_div(y.n, Lanes);
    const int y0     = int(index % groups) * Lanes;
    const int here   = Math::min(Lanes, y.n - y0);
    const C* const data =
        from.matrix(i0 + int(k / m), j0 + int(k % m)) + y0 * from.y;
    Sum* const to = rows + (k * y.n + y0) * x.count;
    x.template sum_block<Lanes, Sum>(
        int(index / groups), here, x.count,
        [&](int d, Sum* sums) {
          for (int l = 0; l < here; ++l) {
            const W v = W(data[l * from.y + d * from.x]);
            sums[l].add({v, square_of(v)});
          }
        },
        [&](int d) { return to + d; });
  }
  KOKKOS_FUNCTION void sum_columns(std::int64_t k, std::int64_t index) const {
    const int groups         = ceil_div(x.count, Lanes);
    const int x0             = int(index % groups) * Lanes;
    const int here           = Math::min(Lanes, x.count - x0);
    const Sum* const of_rows = rows + k * y.n * x.count + x0;
    Sum* const to            = boxes + k * y.count * x.count + x0;
    y.template sum_block<Lanes, Sum>(
        int(index / groups), here, 1,
        [&](int d, Sum* sums) {
          const Sum* const row = of_rows + std::ptrdiff_t(d) * x.count;
          for (int l = 0; l < here; ++l) sums[l].add(row[l]);
        },
        [&](int d) { return to + std::ptrdiff_t(d) * x.count; });
  }
};

/// Boxes of one side: result (oy, ox) of matrix k is at k pitch + oy y + ox x.
template <class W>
struct Boxes {
  const BoxSum<W>* data;
  std::int64_t pitch;
  std::int64_t y, x;

  KOKKOS_FORCEINLINE_FUNCTION const BoxSum<W>& operator()(std::int64_t k,
                                                          int oy,
                                                          int ox) const {
    return data[k * pitch + oy * y + ox * x];
  }
};

template <class Exec, class C>
struct BoxWorkspace {
  using Space = WorkspaceView<BoxSum<wide_sum<C>>, typename Exec::memory_space>;
  Space rows{"Sporos::cross_correlate::box_rows"};
  Space boxes{"Sporos::cross_correlate::boxes"};

  std::size_t bytes() const { return rows.bytes() + boxes.bytes(); }
};

/// Entries of both workspaces for a matrix.
inline std::int64_t box_entries(const BoxAxis& y, const BoxAxis& x) {
  return (std::int64_t(y.n) + y.count) * x.count;
}

/// Boxes of ni x nj matrices from (i0, j0) on.
template <class Exec, class C>
Boxes<wide_sum<C>> sum_boxes(const Exec& exec, const MatrixBatch<const C>& from,
                             int i0, int ni, int j0, int nj, const BoxAxis& y,
                             const BoxAxis& x, BoxWorkspace<Exec, C>& space) {
  const std::int64_t count = std::int64_t(ni) * nj, width = x.count;
  SumBoxes<C, is_host_space_v<Exec> ? 8 : 1> kernel{
      from,
      i0,
      j0,
      nj,
      y,
      x,
      space.rows.require_data(exec, std::size_t(count * y.n * width)),
      space.boxes.require_data(exec, std::size_t(count * y.count * width))};
  for (const bool in_columns : {false, true}) {
    kernel.in_columns = in_columns;
    for_each_index("Sporos::cross_correlate::boxes",
                   Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(
                       exec, 0, count * kernel.indices_of_matrix()),
                   kernel);
  }
  return {kernel.boxes, y.count * width, y.all ? 0 : width, x.all ? 0 : 1};
}

}  // namespace Impl
}  // namespace Sporos

#endif
