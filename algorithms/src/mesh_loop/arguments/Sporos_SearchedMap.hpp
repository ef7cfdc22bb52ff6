// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SEARCHEDMAP_HPP
#define SPOROS_SEARCHEDMAP_HPP

/// \file Sporos_SearchedMap.hpp
/// Non-zeros of matrices as kernels see them, and the map from elements to
/// non-zeros of which no entry is stored: each is searched for in its row when
/// a loop needs it.

#include <Sporos_Mesh.hpp>
#include <mesh_loop/arguments/Sporos_BoundTargets.hpp>
#include <mesh_loop/arguments/Sporos_LoopBundle.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace Sporos {
namespace Impl {

/// Non-zeros as kernels see them.
struct NonZeros {
  const std::int64_t* offsets;
  const int* columns;

  /// Where a row has a column that it has. O(log), as many steps for all
  /// columns of a row, without a branch.
  KOKKOS_FORCEINLINE_FUNCTION int place(int row, int column) const {
    int at = int(offsets[row]);
    for (int n = int(offsets[row + 1]) - at; n > 1;) {
      const int half = n / 2;
      at += columns[at + half] <= column ? half : 0;
      n -= half;
    }
    return at;
  }
  /// Where a row has a column; -1: nowhere. O(log).
  KOKKOS_FORCEINLINE_FUNCTION int find(int row, int column) const {
    if (offsets[row] == offsets[row + 1]) return -1;
    const int at = place(row, column);
    return columns[at] == column ? at : -1;
  }
};

/// Rows of columns, compressed.
template <class Memory>
struct CompressedRows {
  Kokkos::View<std::int64_t*, Memory> offsets;
  Kokkos::View<int*, Memory> columns;

  NonZeros nonzeros() const { return {offsets.data(), columns.data()}; }
};

/// In place of a View of positions: what they are found from.
template <class Memory>
struct SearchedEntries {
  using memory_space = Memory;
  using map_view     = typename Map<dynamic_arity, Memory>::view_type;
  map_view rows, columns;  ///< entries of the two maps
  CompressedRows<Memory> crs;
};

template <class View>
constexpr bool is_searched_v = false;
template <class Memory>
constexpr bool is_searched_v<SearchedEntries<Memory>> = true;

/// The map from elements to the non-zeros of a matrix, which the elements name
/// through two maps of arities Rows and Columns.
template <int Rows, int Columns, class Memory>
class SearchedMap {
 public:
  using memory_space                = Memory;
  using view_type                   = SearchedEntries<Memory>;
  static constexpr int static_arity = Rows * Columns;

  SearchedMap(std::shared_ptr<MapState> state, view_type entries)
      : m_state(std::move(state)), m_entries(std::move(entries)) {}
  const std::shared_ptr<MapState>& state() const { return m_state; }
  const view_type& view() const { return m_entries; }

 private:
  std::shared_ptr<MapState> m_state;
  view_type m_entries;
};

/// A call, since loops over packs have one for each lane and entry.
SPOROS_NOINLINE KOKKOS_INLINE_FUNCTION int place_by_call(
    const NonZeros& nonzeros, int row, int column) {
  return nonzeros.place(row, column);
}

/// Entry i of a searched map; Target: one of the map to the rows, or columns
template <int Columns, class RowTarget, class ColumnTarget>
struct SearchedTarget {
  static constexpr bool direct      = false;
  static constexpr bool consecutive = false;
  static constexpr bool partial     = false;
  RowTarget rows;
  ColumnTarget columns;
  NonZeros nonzeros;

  /// Negative where one of the maps names nothing.
  KOKKOS_FORCEINLINE_FUNCTION int operator()(int e, int i) const {
    const int row = rows(e, i / Columns), column = columns(e, i % Columns);
    if ((row | column) < 0) return -1;
    if constexpr (is_device_pass)
      return nonzeros.place(row, column);
    else
      return place_by_call(nonzeros, row, column);
  }
};

template <int Rows, int Columns, class Memory>
auto map_target(const SearchedMap<Rows, Columns, Memory>& map, int) {
  const auto& entries = map.view();
  const Map<Rows, Memory> rows(map.state(), entries.rows);
  const Map<Columns, Memory> columns(map.state(), entries.columns);
  using RowTarget    = decltype(map_target(rows, 0));
  using ColumnTarget = decltype(map_target(columns, 0));
  return SearchedTarget<Columns, RowTarget, ColumnTarget>{
      map_target(rows, 0), map_target(columns, 0), entries.crs.nonzeros()};
}

}  // namespace Impl
}  // namespace Sporos

#endif
