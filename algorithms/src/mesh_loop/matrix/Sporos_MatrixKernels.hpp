// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MATRIXKERNELS_HPP
#define SPOROS_MATRIXKERNELS_HPP

/// \file Sporos_MatrixKernels.hpp
/// Kernels over the rows of a matrix.

#include <Sporos_ForEachIndex.hpp>
#include <mesh_loop/arguments/Sporos_BoundArgs.hpp>
#include <mesh_loop/matrix/Sporos_SparsityPositions.hpp>

#include <cstdint>
#include <string>

namespace Sporos {
namespace Impl {

/// Components begin, ..., end - 1 of a block.
struct Components {
  int begin, end;
  KOKKOS_FORCEINLINE_FUNCTION bool has(int c) const {
    return begin <= c && c < end;
  }
};

/// Some rows: those of a list, or all.
struct RowList {
  const int* list;  ///< null: row k is number k
  KOKKOS_FORCEINLINE_FUNCTION int operator()(int k) const {
    return list != nullptr ? list[k] : k;
  }
};

/// The first of some rows that does not have its own column.
struct FirstWithoutDiagonal {
  NonZeros nonzeros;
  RowList rows;
  using value_type = std::int64_t;

  KOKKOS_FUNCTION void operator()(int k, std::int64_t& first) const {
    if (k < first && nonzeros.find(rows(k), rows(k)) < 0) first = k;
  }
};

/// The diagonal becomes that of a dat, or a number.
template <class T, int R, class Rows>
struct SetDiagonal {
  NonZeros nonzeros;
  T* values;
  Rows diagonal;  ///< used if its data are not null
  T number;

  KOKKOS_FUNCTION void operator()(int row) const {
    T* const block   = values + Offset(nonzeros.find(row, row)) * R * R;
    const bool given = diagonal.data != nullptr;
    for (int c = 0; c < R; ++c)
      block[c * R + c] =
          given ? diagonal.row(row)[c * diagonal.component_stride()] : number;
  }
};

/// Rows become 0, their diagonal a number.
template <class T, int R, int C>
struct ZeroRows {
  NonZeros nonzeros;
  T* values;
  RowList rows;
  Components components;
  T diagonal;

  KOKKOS_FUNCTION void operator()(int l) const {
    const int row = rows(l);
    for (std::int64_t k = nonzeros.offsets[row]; k < nonzeros.offsets[row + 1];
         ++k) {
      const bool own = nonzeros.columns[k] == row;
      for (int c = components.begin; c < components.end; ++c)
        for (int d = 0; d < C; ++d)
          values[(k * R + c) * C + d] = own && c == d ? diagonal : T();
    }
  }
};

/// Marks the rows of a list; others are not marked.
struct MarkRows {
  unsigned char* marks;
  RowList rows;
  KOKKOS_FUNCTION void operator()(int k) const { marks[rows(k)] = 1; }
};
struct ClearMarks {
  unsigned char* marks;
  KOKKOS_FUNCTION void operator()(int row) const { marks[row] = 0; }
};

/// Rows and columns of marked rows become 0, the diagonal there a number; what
/// the columns times x would have given is taken from b, in an order.
template <class T, int R, class X, class B>
struct ZeroRowsColumns {
  NonZeros nonzeros;
  T* values;
  const unsigned char* marks;
  Components components;
  T diagonal;
  X x;
  B b;                         ///< used if its data are not null
  const std::uint32_t* order;  ///< null: in that of the columns

  KOKKOS_FUNCTION void operator()(int row) const {
    const bool lifts = b.data != nullptr;
    for (std::int64_t place = nonzeros.offsets[row];
         place < nonzeros.offsets[row + 1]; ++place) {
      const auto k     = order != nullptr ? std::int64_t(order[place]) : place;
      const int column = nonzeros.columns[k];
      if (marks[row] == 0 && marks[column] == 0) continue;
      T* const block = values + k * R * R;
      for (int c = 0; c < R; ++c)
        for (int d = 0; d < R; ++d) {
          T& v = block[c * R + d];
          if (marks[row] != 0 && components.has(c)) {
            v = column == row && c == d ? diagonal : T();
          } else if (marks[column] != 0 && components.has(d)) {
            if (lifts)
              b.row(row)[c * b.component_stride()] -=
                  v * x.row(column)[d * x.component_stride()];
            v = T();
          }
        }
    }
    if (!lifts || marks[row] == 0) return;
    for (int c = components.begin; c < components.end; ++c)
      b.row(row)[c * b.component_stride()] =
          diagonal * x.row(row)[c * x.component_stride()];
  }
};

/// y = A x, the products of a row in the order of its columns.
template <class T, int R, int C, class X, class Y>
struct MultiplyRows {
  NonZeros nonzeros;
  const T* values;
  X x;
  Y y;

  KOKKOS_FUNCTION void operator()(int row) const {
    multiply(row, [](std::int64_t k) { return k; });
  }
  /// at(k): the non-zero that comes in the place of k
  template <class At>
  KOKKOS_FORCEINLINE_FUNCTION void multiply(int row, const At& at) const {
    T sum[R];
    for (int c = 0; c < R; ++c) sum[c] = T();
    for (std::int64_t place = nonzeros.offsets[row];
         place < nonzeros.offsets[row + 1]; ++place) {
      const auto k         = std::int64_t(at(place));
      const T* const block = values + k * R * C;
      const T* const of_x  = x.row(nonzeros.columns[k]);
      T xs[C];
      for (int d = 0; d < C; ++d) xs[d] = of_x[d * x.component_stride()];
      for (int c = 0; c < R; ++c)
        for (int d = 0; d < C; ++d) sum[c] += block[c * C + d] * xs[d];
    }
    for (int c = 0; c < R; ++c) y.row(row)[c * y.component_stride()] = sum[c];
  }
};

template <class Exec, class Functor>
void for_rows(const char* label, const Exec& exec, int n, const Functor& f) {
  for_each_index(
      label, Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(exec, 0, n), f);
}

/// Throws unless each of n rows has its own column, which is known or found
/// out by a kernel, for which this waits.
template <class Exec, class Memory>
void check_diagonal(const char* function, const std::string& mat,
                    const Exec& exec, const SparsityState<Memory>& s,
                    const RowList& rows, int n) {
  check(s.rows == s.columns, function, mat.c_str(),
        "a matrix whose rows and columns are of one set",
        text("one of ", s.rows.name(), " and ", s.columns.name()));
  if (s.has_diagonal) return;
  std::int64_t first;
  reduce_min<Kokkos::HostSpace>(
      "Sporos::Mat::find_diagonal",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(exec, 0, n),
      FirstWithoutDiagonal{s.entries(), rows}, &first);
  fence(exec, "Sporos::Mat::find_diagonal");
  if (first >= n) return;
  auto row = int(first);
  if (rows.list != nullptr)
    copy_values<Kokkos::HostSpace, Memory>(
        exec, &row, const_cast<int*>(rows.list) + first, 1);
  throw_invalid(function, mat.c_str(),
                "a sparsity with the diagonal of these rows "
                "(SparsityOptions::diagonal adds it)",
                text(s.name, ", which lacks that of row ", row));
}

}  // namespace Impl
}  // namespace Sporos

#endif
