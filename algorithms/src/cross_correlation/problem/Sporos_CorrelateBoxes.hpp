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
  const Sum* rows_of;  ///< in_columns: (k, y.n, x.count)
  Sum* to;             ///< rows, or in_columns (k, y.count, x.count)
  bool in_columns = false;
  int planes      = 1;  ///< k counts the planes of volumes

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
    const int groups          = ceil_div(y.n, Lanes);
    const int y0              = int(index % groups) * Lanes;
    const int here            = Math::min(Lanes, y.n - y0);
    const int plane           = planes == 1 ? 0 : int(k % planes);
    const std::int64_t number = planes == 1 ? k : k / planes;
    const C* const data =
        from.matrix(i0 + int(number / m), j0 + int(number % m)) +
        plane * from.z + y0 * from.y;
    Sum* const here_to = to + (k * y.n + y0) * x.count;
    x.template sum_block<Lanes, Sum>(
        int(index / groups), here, x.count,
        [&](int d, Sum* sums) {
          for (int l = 0; l < here; ++l) {
            const W v = W(data[l * from.y + d * from.x]);
            sums[l].add({v, square_of(v)});
          }
        },
        [&](int d) { return here_to + d; });
  }
  KOKKOS_FUNCTION void sum_columns(std::int64_t k, std::int64_t index) const {
    const int groups         = ceil_div(x.count, Lanes);
    const int x0             = int(index % groups) * Lanes;
    const int here           = Math::min(Lanes, x.count - x0);
    const Sum* const of_rows = rows_of + k * y.n * x.count + x0;
    Sum* const here_to       = to + k * y.count * x.count + x0;
    y.template sum_block<Lanes, Sum>(
        int(index / groups), here, 1,
        [&](int d, Sum* sums) {
          const Sum* const row = of_rows + std::ptrdiff_t(d) * x.count;
          for (int l = 0; l < here; ++l) sums[l].add(row[l]);
        },
        [&](int d) { return here_to + std::ptrdiff_t(d) * x.count; });
  }
};

/// Boxes of one side: result (oz, oy, ox) of matrix k is at k pitch + oz z + oy
/// y + ox x.
template <class W>
struct Boxes {
  const BoxSum<W>* data;
  std::int64_t pitch;
  std::int64_t y, x, z;

  /// The boxes of matrix k in a plane of shifts
  KOKKOS_FORCEINLINE_FUNCTION const BoxSum<W>* plane(std::int64_t k,
                                                     int oz) const {
    return data + k * pitch + oz * z;
  }
};

template <class Exec, class C>
struct BoxWorkspace {
  using Space = WorkspaceView<BoxSum<wide_sum<C>>, typename Exec::memory_space>;
  Space rows{"Sporos::cross_correlate::box_rows"};
  Space boxes{"Sporos::cross_correlate::boxes"};
  Space volumes{"Sporos::cross_correlate::box_volumes"};

  std::size_t bytes() const {
    return rows.bytes() + boxes.bytes() + volumes.bytes();
  }
};

/// The directions of the boxes of one side.
struct BoxAxes {
  BoxAxis z, y, x;

  /// Are there planes to add up?
  bool volumes() const { return z.n > 1 || z.count > 1; }
  /// Entries of all workspaces for a matrix.
  std::int64_t entries() const {
    return (z.n * (std::int64_t(y.n) + y.count) +
            (volumes() ? std::int64_t(z.count) * y.count : 0)) *
           x.count;
  }
};

/// Boxes of ni x nj matrices from (i0, j0) on. Those of volumes are boxes of
/// planes, which are summed as the rows of a matrix are.
template <class Exec, class C>
Boxes<wide_sum<C>> sum_boxes(const Exec& exec, const MatrixBatch<const C>& from,
                             int i0, int ni, int j0, int nj, const BoxAxes& a,
                             BoxWorkspace<Exec, C>& space) {
  using Kernel             = SumBoxes<C, is_host_space_v<Exec> ? 8 : 1>;
  const std::int64_t count = std::int64_t(ni) * nj, matrices = count * a.z.n;
  const std::int64_t width = a.x.count, plane = a.y.count * width;
  const auto run = [&](const Kernel& kernel, std::int64_t n) {
    for_each_index("Sporos::cross_correlate::boxes",
                   Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(
                       exec, 0, n * kernel.indices_of_matrix()),
                   kernel);
  };
  Kernel kernel{
      from,
      i0,
      j0,
      nj,
      a.y,
      a.x,
      nullptr,
      space.rows.require_data(exec, std::size_t(matrices * a.y.n * width))};
  kernel.planes = a.z.n;
  run(kernel, matrices);
  kernel.in_columns = true;
  kernel.rows_of    = kernel.to;
  kernel.to = space.boxes.require_data(exec, std::size_t(matrices * plane));
  run(kernel, matrices);
  if (a.volumes()) {
    kernel.y       = a.z;
    kernel.x.count = int(plane);
    kernel.rows_of = kernel.to;
    kernel.to      = space.volumes.require_data(
             exec, std::size_t(count * a.z.count * plane));
    run(kernel, count);
  }
  return {kernel.to, a.z.count * plane, a.y.all ? 0 : width, a.x.all ? 0 : 1,
          a.z.all ? 0 : plane};
}

}  // namespace Impl
}  // namespace Sporos

#endif
