// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MAPROWS_HPP
#define SPOROS_MAPROWS_HPP

/// \file Sporos_MapRows.hpp
/// Maps of arguments without their types, and their entries on the host, where
/// plans are made.

#include <Sporos_ForEachIndex.hpp>
#include <Sporos_HostCopy.hpp>
#include <Sporos_Mesh.hpp>
#include <mesh_loop/arguments/Sporos_SearchedMap.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// Rows of a map in memory of the host, which `owner` keeps.
struct HostRows {
  const int* data           = nullptr;
  std::ptrdiff_t row_stride = 0, column_stride = 0;
  std::shared_ptr<const void> owner;
};

/// A map's View without its type.
struct MapEntries {
  std::shared_ptr<const void> view;
  HostRows (*read)(const void* view, int first, int n) = nullptr;
  bool searched = false;  ///< is no entry stored?
};

/// Rows first, ..., first + n - 1 of a map's View on the host; waits for them.
template <class View>
HostRows read_rows(const void* view, int first, int n) {
  const View& entries = *static_cast<const View*>(view);
  if constexpr (is_on_host_v<View>) {
    fence(typename View::execution_space{}, "Sporos::on_host");
    const std::ptrdiff_t row = std::ptrdiff_t(entries.stride(0));
    return {entries.data() + first * row, row,
            std::ptrdiff_t(entries.stride(1)),
            std::shared_ptr<const void>(std::shared_ptr<void>(), view)};
  } else {
    // column by column, as no kernel of the default instance may reach them
    static_assert(
        std::is_same_v<typename View::array_layout, Kokkos::LayoutLeft>,
        "Sporos::par_loop: columns of maps on devices are contiguous");
    const typename View::execution_space exec{};
    const auto host =
        host_array<int>("Sporos::on_host", std::size_t(n) * entries.extent(1));
    fence(exec, "Sporos::on_host");
    for (std::size_t i = 0; i < entries.extent(1); ++i)
      copy_values<Kokkos::HostSpace, typename View::memory_space>(
          exec, host.data() + i * std::size_t(n),
          entries.data() + i * entries.stride(1) + first, std::size_t(n),
          "Sporos::on_host");
    return {host.data(), 1, n, std::make_shared<decltype(host)>(host)};
  }
}

/// Rows of a searched map, row by row. Elements that no loop runs may name
/// other rows than those of the matrix.
struct SearchRows {
  EntryTable rows, columns;
  int row_count;
  NonZeros nonzeros;
  int* to;

  void operator()(std::int64_t e) const {
    const int* const row    = rows.data + e * rows.row_stride;
    const int* const column = columns.data + e * columns.row_stride;
    int* at                 = to + e * rows.arity * columns.arity;
    for (std::int64_t i = 0; i < rows.arity; ++i)
      for (std::int64_t j = 0; j < columns.arity; ++j) {
        const int r = row[i * rows.column_stride];
        const int c = column[j * columns.column_stride];
        *at++ = r >= 0 && r < row_count && c >= 0 ? nonzeros.find(r, c) : -1;
      }
  }
};

/// Rows first, ..., first + n - 1 of a searched map on the host, which plans
/// look at and forget. Devices: found by the host, in copies of what they have.
template <class Memory>
HostRows search_rows(const void* view, int first, int n) {
  using Exec             = Kokkos::DefaultHostExecutionSpace;
  using View             = typename SearchedEntries<Memory>::map_view;
  const auto& entries    = *static_cast<const SearchedEntries<Memory>*>(view);
  const HostRows rows    = read_rows<View>(&entries.rows, first, n);
  const HostRows columns = read_rows<View>(&entries.columns, first, n);
  const auto offsets     = on_host(entries.crs.offsets);
  const auto numbers     = on_host(entries.crs.columns);
  const auto table       = [](const HostRows& r, const View& v) {
    return EntryTable{r.data, r.row_stride, r.column_stride,
                      std::int64_t(v.extent(1))};
  };
  const std::size_t width = entries.rows.extent(1) * entries.columns.extent(1);
  const auto found =
      host_array<int>("Sporos::LoopPlan::positions", std::size_t(n) * width);
  const Exec exec{};
  for_each_index(
      "Sporos::LoopPlan::positions",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec, 0, n),
      SearchRows{table(rows, entries.rows), table(columns, entries.columns),
                 int(offsets.extent(0)) - 1,
                 NonZeros{offsets.data(), numbers.data()}, found.data()});
  fence(exec, "Sporos::LoopPlan::positions");
  return {found.data(), std::ptrdiff_t(width), 1,
          std::make_shared<std::decay_t<decltype(found)>>(found)};
}

/// A copy of a View of a map, without its type.
template <class View>
MapEntries map_entries(const View& view) {
  const auto kept = std::make_shared<View>(view);
  if constexpr (is_searched_v<View>)
    return {kept, search_rows<typename View::memory_space>, true};
  else
    return {kept, read_rows<View>};
}
template <class View>
MapEntries entries_of_pointer(const void* view) {
  return map_entries(*static_cast<const View*>(view));
}

}  // namespace Impl
}  // namespace Sporos

#endif
