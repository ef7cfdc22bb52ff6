// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SPARSITYPOSITIONS_HPP
#define SPOROS_SPARSITYPOSITIONS_HPP

/// \file Sporos_SparsityPositions.hpp
/// Where the entries of a matrix are that an element couples: a map from
/// elements to non-zeros, kept for each pair of maps.

#include <Sporos_Error.hpp>
#include <Sporos_ForEachIndex.hpp>
#include <Sporos_Mesh.hpp>
#include <mesh/state/Sporos_MeshState.hpp>
#include <mesh_loop/matrix/Sporos_SparsityBuild.hpp>
#include <mesh_loop/plan/Sporos_LoopChecks.hpp>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace Sporos {
namespace Impl {

/// Non-zeros as kernels see them.
struct NonZeros {
  const std::int64_t* offsets;
  const int* columns;

  /// Where a row has a column; -1: nowhere. O(log).
  KOKKOS_FORCEINLINE_FUNCTION int find(int row, int column) const {
    const int end = int(offsets[row + 1]);
    const int at  = partition_point(int(offsets[row]), end,
                                    [&](int k) { return columns[k] < column; });
    return at < end && columns[at] == column ? at : -1;
  }
};

/// The positions of the entries of an element, row by row, -1 where one of the
/// maps names nothing; finds the first element that has one which is nowhere.
struct FindPositions {
  EntryTable rows, columns;
  NonZeros nonzeros;
  bool missing;  ///< may entries of the maps be negative?
  int* positions;
  std::ptrdiff_t row_stride, column_stride;
  using value_type = std::int64_t;

  KOKKOS_FUNCTION void operator()(int e, std::int64_t& first) const {
    const int* const row    = rows.data + e * rows.row_stride;
    const int* const column = columns.data + e * columns.row_stride;
    int* to                 = positions + e * row_stride;
    for (std::int64_t i = 0; i < rows.arity; ++i)
      for (std::int64_t j = 0; j < columns.arity; ++j) {
        const int r        = row[i * rows.column_stride];
        const int c        = column[j * columns.column_stride];
        const bool couples = r >= 0 && c >= 0;
        *to                = couples ? nonzeros.find(r, c) : -1;
        if (*to < 0 && e < first && (couples || !missing)) first = e;
        to += column_stride;
      }
  }
};

/// The positions for a pair of maps, made for these versions of them.
template <class Memory>
struct KnownPositions {
  std::shared_ptr<MapState> rows, columns;
  std::uint64_t row_version = 0, column_version = 0;  ///< 0: not made
  Map<dynamic_arity, Memory> map;

  bool are_for(const MapState* row_map, const MapState* column_map) const {
    return rows.get() == row_map && columns.get() == column_map;
  }
};

/// How a rank takes its rows in products.
template <class Memory>
struct RankRows {
  /// Owned rows: first those without a column in the halo.
  Kokkos::View<int*, Memory> list;
  int interior = 0;  ///< how many these are
  /// The non-zeros of each row in the order of global columns; empty: as they
  /// are
  Kokkos::View<std::uint32_t*, Memory> order;
  bool made = false;
};

template <class Memory>
struct SparsityState {
  std::string name;
  Set rows, columns, nonzeros;
  CompressedRows<Memory> crs;
  bool has_diagonal  = false;  ///< each row is known to have its own column
  int owned_nonzeros = 0;      ///< of the rows that this rank owns
  RankRows<Memory> on_ranks;   ///< of distributed sets
  std::vector<KnownPositions<Memory>> known;
  WorkspaceView<unsigned char, Memory> marks{"Sporos::Sparsity::marks"};

  NonZeros entries() const { return {crs.offsets.data(), crs.columns.data()}; }
};

/// Elements with rows in maps: those of a distributed set that are only read
/// have none.
inline int executed_elements(const SetState& set) {
  return set.parts == nullptr ? set.size : set.parts->executed;
}

/// Who asks for positions: "Sporos::par_loop", "inc(A, rows, columns)".
struct Asking {
  const char* function;
  const char* argument;
};

/// Throws unless two maps lead from one set to the rows and the columns.
[[gnu::cold]] inline void check_couples(const Asking& who,
                                        const MapState* row_map,
                                        const MapState* column_map,
                                        const SetState& rows,
                                        const SetState& columns) {
  check_handle(row_map != nullptr && column_map != nullptr, who.function,
               who.argument);
  for (const MapState* map : {row_map, column_map}) {
    check(map->valid, who.function, who.argument,
          "maps whose entries Map::modified() took",
          map->name + " with entries that it refused");
    check(map->distributed ||
              (map->from->parts == nullptr && map->to->parts == nullptr),
          who.function, who.argument,
          "maps of the mesh that was distributed, since halos follow from them",
          map->name + ", from or to a distributed set, which was made by hand");
  }
  check(row_map->from == column_map->from, who.function, who.argument,
        text("two maps from one set, ", set_in_words(*row_map->from)),
        text("a column map from ",
             other_in_words(*column_map->from, *row_map->from)));
  check(row_map->to.get() == &rows, who.function, who.argument,
        text("a row map to ", set_in_words(rows)),
        text("one to ", other_in_words(*row_map->to, rows)));
  check(column_map->to.get() == &columns, who.function, who.argument,
        text("a column map to ", set_in_words(columns)),
        text("one to ", other_in_words(*column_map->to, columns)));
}

/// Throws for an entry that the sparsity lacks.
template <class Exec, class Memory>
[[noreturn, gnu::cold]] void throw_missing(const Exec& exec, const Asking& who,
                                           const SparsityState<Memory>& state,
                                           const KnownPositions<Memory>& known,
                                           const Map<0, Memory>& row_map,
                                           const Map<0, Memory>& column_map,
                                           std::size_t e) {
  const auto positions = on_host(exec, known.map.view());
  const auto rows      = on_host(exec, row_map.view());
  const auto columns   = on_host(exec, column_map.view());
  const auto row_of    = [&](std::size_t k) {
    return rows(e, k / columns.extent(1));
  };
  const auto column_of = [&](std::size_t k) {
    return columns(e, k % columns.extent(1));
  };
  const bool missing = known.map.has_missing();
  std::size_t k      = 0;
  while (positions(e, k) >= 0 ||
         (missing && (row_of(k) < 0 || column_of(k) < 0)))
    ++k;
  throw_invalid(who.function, who.argument,
                text("entries that the sparsity ", state.name,
                     " has (make it from this pair of maps, too, and again "
                     "after reorder)"),
                text("row ", row_of(k), ", column ", column_of(k),
                     " of element ", e, " of ", known.rows->from->name));
}

/// The map from elements to the non-zeros that a pair of maps names, with
/// missing entries where those maps may have some. Waits for exec if it has to
/// be made.
template <class Exec, class Memory>
Map<dynamic_arity, Memory> find_positions(
    const Exec& exec, const Asking& who, SparsityState<Memory>& state,
    const Map<dynamic_arity, Memory>& row_map,
    const Map<dynamic_arity, Memory>& column_map) {
  using View                 = typename Map<0, Memory>::view_type;
  const MapState *const rows = row_map.state().get(), *const columns =
                                                          column_map.state()
                                                              .get();
  check_couples(who, rows, columns, *state.rows.state(),
                *state.columns.state());
  KnownPositions<Memory>* known = nullptr;
  for (auto& k : state.known)
    if (k.are_for(rows, columns)) known = &k;
  if (known != nullptr && known->row_version == rows->version &&
      known->column_version == columns->version)
    return known->map;
  const int n = executed_elements(*rows->from);
  if (known == nullptr) {
    auto of         = std::make_shared<MapState>();
    of->name        = rows->name + ", " + columns->name;
    of->from        = rows->from;
    of->to          = state.nonzeros.state();
    of->arity       = rows->arity * columns->arity;
    of->distributed = rows->distributed;
    of->missing     = rows->missing || columns->missing;
    const auto v    = new_view<View>(exec, "Sporos::Sparsity::positions",
                                  rows->from->size, of->arity);
    state.known.push_back(
        {row_map.state(), column_map.state(), 0, 0, Map<0, Memory>(of, v)});
    known = &state.known.back();
  }
  ++known->map.state()->version;
  known->row_version = 0;
  const View& to     = known->map.view();
  std::int64_t first;
  reduce_min<Kokkos::HostSpace>(
      "Sporos::Sparsity::positions",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(exec, 0, n),
      FindPositions{entry_table(row_map.view()), entry_table(column_map.view()),
                    state.entries(), known->map.has_missing(), to.data(),
                    std::ptrdiff_t(to.stride(0)), std::ptrdiff_t(to.stride(1))},
      &first);
  fence(exec, "Sporos::Sparsity::positions");
  if (first < n)
    throw_missing(exec, who, state, *known, row_map, column_map,
                  std::size_t(first));
  known->row_version    = rows->version;
  known->column_version = columns->version;
  return known->map;
}

}  // namespace Impl
}  // namespace Sporos

#endif
