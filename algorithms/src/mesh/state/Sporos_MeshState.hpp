// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MESHSTATE_HPP
#define SPOROS_MESHSTATE_HPP

/// \file Sporos_MeshState.hpp
/// What handles of sets and maps share, and the range check of maps. Users
/// include Sporos_Mesh.hpp.

#include <Sporos_Error.hpp>
#include <Sporos_ForEachIndex.hpp>
#include <Sporos_ViewChecks.hpp>
#include <mesh/state/Sporos_MeshCopy.hpp>
#include <mesh/state/Sporos_SetParts.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace Sporos {
namespace Impl {

/// Plans of loops over a set, whatever their execution space.
struct CachedPlan {
  virtual ~CachedPlan() = default;
  std::atomic<std::uint64_t> last_use{0};  ///< by the clock of the set
};

struct SetState {
  std::string name;
  int size = 0;
  /// Plans of loops over this set (see LoopPlan): they live as long as the set
  std::vector<std::shared_ptr<CachedPlan>> plans;
  std::atomic<std::uint64_t> clock{0};  ///< counts loops
  std::shared_ptr<SetParts> parts;      ///< null: not distributed
};

/// A map's name, sizes and version, whatever its memory space.
struct MapState {
  std::string name;
  std::shared_ptr<SetState> from, to;
  int arity             = 0;
  std::uint64_t version = 1;
  bool distributed      = false;  ///< made by Sporos::distribute, with its sets
  bool missing          = false;  ///< negative entries name nothing
  bool valid            = true;   ///< the last modified() found no wrong entry
};

[[gnu::cold, gnu::noinline]] inline std::shared_ptr<DatState> new_dat_state(
    const std::string& name, bool stale = false) {
  return std::make_shared<DatState>(DatState{name, stale, {}});
}

/// May numbers of elements be too large for `int`? Such are checked before they
/// are copied to one.
template <class T>
constexpr bool is_wide_index_v = sizeof(T) > sizeof(int) ||
                                 (sizeof(T) == sizeof(int) &&
                                  !std::is_signed_v<T>);

/// Throws unless a View has `columns` values for each element of a set.
template <class View>
[[gnu::cold]] void check_rows(const char* function, const std::string& name,
                              const char* what, const SetState& set,
                              int columns, const View& view) {
  if (view.extent(0) != std::size_t(set.size) ||
      column_count(view) != std::size_t(columns))
    throw_invalid(function, name.c_str(),
                  text(what, " of shape (", set.size, ", ", columns,
                       ") for the set ", set.name),
                  extents(view));
  check_memory(function, name.c_str(), view);
}

/// Throws unless a host array has `columns` values for each element of a set.
[[gnu::cold, gnu::noinline]] inline void check_length(
    const char* function, const std::string& name, const char* what,
    const SetState& set, int columns, std::size_t length) {
  const std::size_t expected = std::size_t(set.size) * std::size_t(columns);
  check(length == expected, function, name.c_str(),
        text(expected, ' ', what, ", ", columns, " for each element of ",
             set.name),
        length);
}

/// Entries of a map, row by row.
template <class T>
struct EntriesOf {
  const T* data;
  std::ptrdiff_t row_stride, column_stride;
  std::int64_t arity;

  KOKKOS_FUNCTION T operator()(std::int64_t k) const {
    return data[k / arity * row_stride + k % arity * column_stride];
  }
};
using EntryTable = EntriesOf<int>;

/// The first entry of a map that is out of range, in row-major order. least: 0,
/// or less where negative entries are allowed
template <class T>
struct FirstOutOfRange {
  EntriesOf<T> entries;
  int least, size;
  using value_type = std::int64_t;

  KOKKOS_FUNCTION void operator()(std::int64_t k, std::int64_t& first) const {
    const auto t = std::int64_t(entries(k));
    if ((t < least || t >= size) && k < first) first = k;
  }
};

/// Row-major place of the first entry outside [least, size); more than n if
/// none. Waits for the result.
template <class Exec, class T>
[[gnu::cold, gnu::noinline]] std::int64_t first_out_of_range(
    const Exec& exec, const EntriesOf<T>& entries, std::int64_t n, int least,
    int size) {
  using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;
  std::int64_t first;
  reduce_min<Kokkos::HostSpace>("Sporos::Map::check_range", Range(exec, 0, n),
                                FirstOutOfRange<T>{entries, least, size},
                                &first);
  fence(exec, "Sporos::Map::check_range");
  return first;
}

/// The least entry that a map may have: of unsigned integers those are 0, since
/// the largest would become negative.
template <class T>
int least_entry(const MapState& map) {
  return map.missing && std::is_signed_v<T> ? std::numeric_limits<int>::min()
                                            : 0;
}

/// Throws std::invalid_argument that names the first entry out of range. Waits
/// for the result.
template <class Exec, class Entries>
[[gnu::cold]] void check_map_range(const Exec& exec, const MapState& map,
                                   const Entries& entries) {
  const auto arity = std::int64_t(entries.extent(1));
  // elements of a distributed set that are only read have no entries
  const auto rows = map.from->parts == nullptr
                        ? std::int64_t(entries.extent(0))
                        : std::int64_t(map.from->parts->executed);
  const auto n    = rows * arity;
  if (n == 0) return;
  std::ptrdiff_t column = 0;  // of a View of rank 1
  if constexpr (view_rank_v < Entries >> 1)
    column = std::ptrdiff_t(entries.stride(1));
  const std::int64_t first = first_out_of_range(
      exec,
      EntriesOf<typename Entries::non_const_value_type>{
          entries.data(), std::ptrdiff_t(entries.stride(0)), column, arity},
      n, least_entry<typename Entries::non_const_value_type>(map),
      map.to->size);
  if (first >= n) return;
  const auto e    = std::size_t(first / arity);
  const auto i    = std::size_t(first % arity);
  const auto host = on_host(exec, entries);
  throw_invalid("Sporos::Map", map.name.c_str(),
                text("entries in [0, ", map.to->size, ") of the set ",
                     map.to->name, map.missing ? ", or negative ones" : ""),
                entry(host, e, i), " at element ", e, " of ", map.from->name,
                ", index ", i);
}

/// Throws std::invalid_argument that names the first entry out of range, for
/// entries that may not fit an `int`, before they are copied, in any memory.
/// Other entries are checked after the copy.
template <class Exec, class Entries>
[[gnu::cold]] void check_wide_entries(const Exec& exec, const MapState& map,
                                      const Entries& entries) {
  if constexpr (Kokkos::is_view<Entries>::value) {
    if constexpr (!is_wide_index_v<typename Entries::value_type>) {
      return;
    } else {
      fence(exec, "Sporos::Map::check_range");
      check_map_range(instance_for<Entries>(exec), map, entries);
    }
  } else if constexpr (is_wide_index_v<typename Entries::value_type>) {
    using Rows = Kokkos::View<const typename Entries::value_type**,
                              Kokkos::LayoutRight, Kokkos::HostSpace,
                              Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    check_map_range(Kokkos::DefaultHostExecutionSpace{}, map,
                    make_view<Rows>(entries.data(), map.from->size, map.arity));
  }
}

}  // namespace Impl
}  // namespace Sporos

#endif
