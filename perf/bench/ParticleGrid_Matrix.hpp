// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_BENCH_PARTICLEGRID_MATRIX_HPP
#define SPOROS_BENCH_PARTICLEGRID_MATRIX_HPP

/// \file ParticleGrid_Matrix.hpp
/// Spread and interpolate as sparse matrix-vector products of Kokkos Kernels:
/// a row for each point, a column for each grid point, 64 entries a row.

#ifdef SPOROS_HAVE_KOKKOSKERNELS

#include "ParticleGrid_Peers.hpp"

#include <KokkosSparse_CrsMatrix.hpp>
#include <KokkosSparse_spmv.hpp>

#include <cstddef>
#include <type_traits>

namespace Bench {

template <class T>
struct TransferMatrix {
  using Matrix =
      KokkosSparse::CrsMatrix<T, int, typename Exec::device_type, void, int>;
  using RowMap  = typename Matrix::row_map_type::non_const_type;
  using Entries = typename Matrix::index_type::non_const_type;
  using Numbers = typename Matrix::values_type::non_const_type;

  Matrix matrix;
  double setup_ms   = 0;
  std::size_t bytes = 0;

  /// Rows with their lengths summed up in starts.
  TransferMatrix(int rows, int columns, const RowMap& starts,
                 const Entries& entries, const Numbers& numbers)
      : matrix("bench::matrix", rows, columns, int(entries.extent(0)), numbers,
               starts, entries),
        bytes(starts.extent(0) * sizeof(int) +
              entries.extent(0) * (sizeof(int) + sizeof(T))) {}
};

template <class T>
struct FillMatrix {
  Positions<const T> positions;
  int cells;
  typename TransferMatrix<T>::RowMap starts;
  typename TransferMatrix<T>::Entries entries;
  typename TransferMatrix<T>::Numbers numbers;

  KOKKOS_FUNCTION void operator()(int i) const {
    const Stencil<T> s(positions, i, cells);
    constexpr bool right =
        std::is_same<typename Exec::array_layout, Kokkos::LayoutRight>::value;
    constexpr int first = right ? 0 : 2, last = 2 - first;
    int k         = 64 * i;
    starts(i + 1) = k + 64;
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b)
        for (int c = 0; c < 4; ++c, ++k) {
          entries(k) = (s.index[first][a] * cells + s.index[1][b]) * cells +
                       s.index[last][c];
          numbers(k) = s.weight[first][a] * s.weight[1][b] * s.weight[last][c];
        }
  }
};

/// The matrix that interpolates.
template <class T>
TransferMatrix<T> make_matrix(const Positions<T>& positions, int cells) {
  using M     = TransferMatrix<T>;
  const int n = int(positions.extent(0));
  const Exec exec;
  const FillMatrix<T> fill{
      positions, cells, typename M::RowMap("bench::matrix::starts", n + 1),
      typename M::Entries(
          Kokkos::view_alloc(Kokkos::WithoutInitializing, "bench::entries"),
          64 * std::size_t(n)),
      typename M::Numbers(
          Kokkos::view_alloc(Kokkos::WithoutInitializing, "bench::numbers"),
          64 * std::size_t(n))};
  Kokkos::parallel_for("Sporos::bench::fill_matrix",
                       Kokkos::RangePolicy<Exec>(exec, 0, n), fill);
  exec.fence();
  return M(n, cells * cells * cells, fill.starts, fill.entries, fill.numbers);
}

struct CountTag {};
struct ScanTag {};
struct MoveTag {};

/// Counting sort of the entries by column.
template <class T>
struct Transpose {
  using M = TransferMatrix<T>;
  typename M::Entries from_entries;
  typename M::Numbers from_numbers;
  typename M::RowMap starts, next;
  typename M::Entries entries;
  typename M::Numbers numbers;

  KOKKOS_FUNCTION void operator()(CountTag, int k) const {
    Kokkos::atomic_fetch_add(&starts(from_entries(k) + 1), 1);
  }
  KOKKOS_FUNCTION void operator()(ScanTag, int j, int& sum, bool last) const {
    sum += starts(j);
    if (last) starts(j) = next(j) = sum;
  }
  KOKKOS_FUNCTION void operator()(MoveTag, int k) const {
    const int at = Kokkos::atomic_fetch_add(&next(from_entries(k)), 1);
    entries(at)  = k / 64;
    numbers(at)  = from_numbers(k);
  }
};

template <class T>
TransferMatrix<T> make_transpose(const TransferMatrix<T>& from) {
  using M        = TransferMatrix<T>;
  const int rows = int(from.matrix.numCols());
  const int n    = int(from.matrix.nnz());
  const Exec exec;
  const Transpose<T> f{
      from.matrix.graph.entries,
      from.matrix.values,
      typename M::RowMap("bench::transpose::starts", rows + 1),
      typename M::RowMap("bench::transpose::next", rows + 1),
      typename M::Entries(
          Kokkos::view_alloc(Kokkos::WithoutInitializing, "bench::entries"), n),
      typename M::Numbers(
          Kokkos::view_alloc(Kokkos::WithoutInitializing, "bench::numbers"),
          n)};
  Kokkos::parallel_for("Sporos::bench::transpose_count",
                       Kokkos::RangePolicy<Exec, CountTag>(exec, 0, n), f);
  Kokkos::parallel_scan("Sporos::bench::transpose_scan",
                        Kokkos::RangePolicy<Exec, ScanTag>(exec, 0, rows + 1),
                        f);
  Kokkos::parallel_for("Sporos::bench::transpose_move",
                       Kokkos::RangePolicy<Exec, MoveTag>(exec, 0, n), f);
  exec.fence();
  return M(rows, int(from.matrix.numRows()), f.starts, f.entries, f.numbers);
}

/// y = alpha A x or y = alpha A^T x ("T"). With beta 0 the product writes all
/// of y, so that a field needs no zeroing before: cheaper than deep_copy.
template <class T, class X, class Y>
Work spmv_work(const TransferMatrix<T>& a, const char* mode, T alpha,
               const X& x, const Y& y) {
  Work work;
  work.setup_ms     = a.setup_ms;
  work.bytes        = a.bytes;
  const auto matrix = a.matrix;
  work.run          = [=] {
    KokkosSparse::spmv(mode, alpha, matrix, x, T(0), y);
    Exec().fence();
  };
  return work;
}

}  // namespace Bench

#endif
#endif
