// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SPARSITYKERNELS_HPP
#define SPOROS_SPARSITYKERNELS_HPP

/// \file Sporos_SparsityKernels.hpp
/// Steps that make a sparsity: the map entries that name each row, and the
/// columns of each row, ascending and each once.

#include <Sporos_KokkosCompat.hpp>
#include <mesh/state/Sporos_MeshState.hpp>
#include <mesh_loop/plan/Sporos_LoopConstants.hpp>

#include <cstdint>

namespace Sporos {
namespace Impl {

/// The row that each entry of a map names, as a key; n_rows where it names
/// nothing.
struct RowKeys {
  EntryTable entries;
  int n_rows;
  std::uint32_t* keys;

  KOKKOS_FUNCTION void operator()(int k) const {
    const int row = entries(k);
    keys[k]       = std::uint32_t(row < 0 ? n_rows : row);
  }
};

/// Where the sorted keys of each row begin, for n_rows + 1 rows.
struct RowStarts {
  const std::uint32_t* keys;
  int n;
  int* starts;

  KOKKOS_FUNCTION void operator()(int row) const {
    const auto key = std::uint32_t(row);
    starts[row] = partition_point(0, n, [&](int k) { return keys[k] < key; });
  }
};

/// Room for the columns of a row: one for each time that an element couples it.
struct AddRoom {
  const int* starts;
  int columns;  ///< that an element names
  std::int64_t* room;

  KOKKOS_FUNCTION void operator()(int row) const {
    room[row] += std::int64_t(starts[row + 1] - starts[row]) * columns;
  }
};

/// Numbers that become where each begins; the last becomes their sum.
struct NumbersToOffsets {
  std::int64_t* numbers;
  int n;

  KOKKOS_FUNCTION void operator()(std::int64_t k, std::int64_t& sum,
                                  bool final) const {
    const std::int64_t own = k < n ? numbers[k] : 0;
    if (final) numbers[k] = sum;
    sum += own;
  }
};

/// Columns that were found so far, in the room of each row.
struct FoundColumns {
  const std::int64_t* room;
  std::uint32_t* columns;
  int* counts;

  KOKKOS_FORCEINLINE_FUNCTION std::int64_t size(int row) const {
    return room[row + 1] - room[row];
  }
};

/// Each row has its own column.
struct StartWithDiagonal {
  FoundColumns found;
  bool diagonal;

  KOKKOS_FUNCTION void operator()(int row) const {
    found.counts[row] = diagonal;
    if (diagonal) found.columns[found.room[row]] = std::uint32_t(row);
  }
};

/// Puts a column into n ascending ones, unless it is there; how many there are
/// then.
KOKKOS_FORCEINLINE_FUNCTION int insert_column(std::uint32_t* columns, int n,
                                              std::uint32_t column) {
  const int at =
      partition_point(0, n, [&](int k) { return columns[k] < column; });
  if (at < n && columns[at] == column) return n;
  for (int k = n; k > at; --k) columns[k] = columns[k - 1];
  columns[at] = column;
  return n + 1;
}

/// Adds the columns of the elements that name a row; those of rows with much
/// room as they come.
struct CollectColumns {
  const int *starts, *order;
  int row_arity;
  EntryTable columns;
  FoundColumns found;

  KOKKOS_FUNCTION void operator()(int row) const {
    std::uint32_t* const own = found.columns + found.room[row];
    const bool inserts       = found.size(row) <= most_inserted_columns;
    int n                    = found.counts[row];
    for (int k = starts[row]; k < starts[row + 1]; ++k) {
      const int* const entries =
          columns.data + order[k] / row_arity * columns.row_stride;
      for (std::int64_t j = 0; j < columns.arity; ++j) {
        const int named = entries[j * columns.column_stride];
        if (named < 0) continue;
        const auto column = std::uint32_t(named);
        if (inserts)
          n = insert_column(own, n, column);
        else
          own[n++] = column;
      }
    }
    found.counts[row] = n;
  }
};

/// Sorts n numbers in place (Shell sort).
KOKKOS_INLINE_FUNCTION void shell_sort(std::uint32_t* v, int n) {
  for (int gap = n; gap > 1;) {
    gap = Math::max(1, int(std::int64_t(gap) * 5 / 11));
    for (int i = gap; i < n; ++i) {
      const std::uint32_t moved = v[i];
      int k                     = i;
      for (; k >= gap && v[k - gap] > moved; k -= gap) v[k] = v[k - gap];
      v[k] = moved;
    }
  }
}

/// Sorts the columns of rows that were taken as they came, unless they are
/// sorted by now, and leaves each once.
struct UniqueColumns {
  FoundColumns found;

  KOKKOS_FUNCTION void operator()(int row) const {
    const std::int64_t size = found.size(row);
    if (size <= most_inserted_columns) return;
    std::uint32_t* const own = found.columns + found.room[row];
    const int n              = found.counts[row];
    if (size <= most_sorted_by_thread) shell_sort(own, n);
    int kept = 0;
    for (int k = 0; k < n; ++k)
      if (kept == 0 || own[kept - 1] != own[k]) own[kept++] = own[k];
    found.counts[row] = kept;
  }
};

/// Minus the most room of a row that no thread sorts, if there is one.
struct LongestRow {
  const std::int64_t* room;
  using value_type = std::int64_t;

  KOKKOS_FUNCTION void operator()(int row, std::int64_t& least) const {
    const std::int64_t size = room[row + 1] - room[row];
    if (size > most_sorted_by_thread && -size < least) least = -size;
  }
};

/// numbers[row] = counts[row]
struct CountsToNumbers {
  const int* counts;
  std::int64_t* numbers;

  KOKKOS_FUNCTION void operator()(int row) const { numbers[row] = counts[row]; }
};

/// The columns of each row without the room between.
struct PackColumns {
  FoundColumns found;
  const std::int64_t* offsets;
  int* columns;

  KOKKOS_FUNCTION void operator()(int row) const {
    const std::uint32_t* const own = found.columns + found.room[row];
    int* const to                  = columns + offsets[row];
    for (int k = 0; k < found.counts[row]; ++k) to[k] = int(own[k]);
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
