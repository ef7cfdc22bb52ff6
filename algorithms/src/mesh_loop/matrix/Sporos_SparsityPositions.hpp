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

/// The positions of the entries of an element, row by row, -1 where one of the
/// maps names nothing; finds the first element that has one which is nowhere.
/// positions: null if they are not stored
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
    int* to = positions == nullptr ? nullptr : positions + e * row_stride;
    for (std::int64_t i = 0; i < rows.arity; ++i)
      for (std::int64_t j = 0; j < columns.arity; ++j) {
        const int r        = row[i * rows.column_stride];
        const int c        = column[j * columns.column_stride];
        const bool couples = r >= 0 && c >= 0;
        const int at       = couples ? nonzeros.find(r, c) : -1;
        if (at < 0 && e < first && (couples || !missing)) first = e;
        if (to == nullptr) continue;
        *to = at;
        to += column_stride;
      }
  }
};

/// The positions for a pair of maps, made for these versions of them.
template <class Memory>
struct KnownPositions {
  std::shared_ptr<MapState> rows, columns;
  bool searched             = false;  ///< none is stored, the map has no View
  std::uint64_t row_version = 0, column_version = 0;  ///< 0: not made
  Map<dynamic_arity, Memory> map;

  bool are_for(const MapState* row_map, const MapState* column_map) const {
    return rows.get() == row_map && columns.get() == column_map;
  }
  std::int64_t elements() const { return rows->from->size; }
  std::int64_t count() const { return elements() * map.arity(); }
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

  NonZeros entries() const { return crs.nonzeros(); }
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

/// "rows, columns": of two maps and of that to the positions
[[gnu::cold]] inline std::string names_of_maps(const std::string& rows,
                                               const std::string& columns,
                                               bool searched) {
  return rows + ", " + columns + (searched ? ", searched" : "");
}

/// Throws for an entry of element e that the sparsity lacks.
template <class Exec, class Memory>
[[noreturn, gnu::cold]] void throw_missing(const Exec& exec, const Asking& who,
                                           const SparsityState<Memory>& state,
                                           const KnownPositions<Memory>& known,
                                           const Map<0, Memory>& row_map,
                                           const Map<0, Memory>& column_map,
                                           std::size_t e) {
  const auto rows    = on_host(exec, row_map.view());
  const auto columns = on_host(exec, column_map.view());
  const auto offsets = on_host(exec, state.crs.offsets);
  const auto numbers = on_host(exec, state.crs.columns);
  const NonZeros nonzeros{offsets.data(), numbers.data()};
  const auto lacks = [&](int row, int column) {
    return row >= 0 && column >= 0 ? nonzeros.find(row, column) < 0
                                   : !known.map.has_missing();
  };
  std::size_t k = 0;
  while (
      !lacks(rows(e, k / columns.extent(1)), columns(e, k % columns.extent(1))))
    ++k;
  throw_invalid(who.function, who.argument,
                text("entries that the sparsity ", state.name,
                     " has (make it from this pair of maps, too, and again "
                     "after reorder)"),
                text("row ", rows(e, k / columns.extent(1)), ", column ",
                     columns(e, k % columns.extent(1)), " of element ", e,
                     " of ", known.rows->from->name));
}

/// The map from elements to the non-zeros that a pair of maps names, with
/// missing entries where those maps may have some; searched: without a View.
/// Waits for exec if it has to be made.
template <class Exec, class Memory>
Map<dynamic_arity, Memory> find_positions(
    const Exec& exec, const Asking& who, SparsityState<Memory>& state,
    const Map<dynamic_arity, Memory>& row_map,
    const Map<dynamic_arity, Memory>& column_map, bool searched = false) {
  using View                 = typename Map<0, Memory>::view_type;
  const MapState *const rows = row_map.state().get(), *const columns =
                                                          column_map.state()
                                                              .get();
  check_couples(who, rows, columns, *state.rows.state(),
                *state.columns.state());
  KnownPositions<Memory>* known = nullptr;
  for (auto& k : state.known)
    if (k.are_for(rows, columns) && k.searched == searched) known = &k;
  if (known != nullptr && known->row_version == rows->version &&
      known->column_version == columns->version)
    return known->map;
  const int n = executed_elements(*rows->from);
  if (known == nullptr) {
    auto of         = std::make_shared<MapState>();
    of->name        = names_of_maps(rows->name, columns->name, searched);
    of->from        = rows->from;
    of->to          = state.nonzeros.state();
    of->arity       = rows->arity * columns->arity;
    of->distributed = rows->distributed;
    of->missing     = rows->missing || columns->missing;
    View positions;
    if (!searched)
      positions = new_view<View>(exec, "Sporos::Sparsity::positions",
                                 rows->from->size, of->arity);
    state.known.push_back({row_map.state(), column_map.state(), searched, 0, 0,
                           Map<0, Memory>(of, positions)});
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
