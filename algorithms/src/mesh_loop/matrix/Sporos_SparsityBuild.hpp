// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SPARSITYBUILD_HPP
#define SPOROS_SPARSITYBUILD_HPP

/// \file Sporos_SparsityBuild.hpp
/// The non-zeros of a matrix from pairs of maps: the entries of each row map
/// are sorted by row; then each row collects the columns of its elements. Rows
/// of many elements are sorted one after another by all threads.

#include <Sporos_Error.hpp>
#include <Sporos_ForEachIndex.hpp>
#include <Sporos_HostCopy.hpp>
#include <Sporos_SortByKey.hpp>
#include <mesh/state/Sporos_MeshCopy.hpp>
#include <mesh_loop/arguments/Sporos_SearchedMap.hpp>
#include <mesh_loop/matrix/Sporos_SparsityKernels.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace Sporos {
namespace Impl {

/// Entries of a map with `arity` columns.
template <class View>
EntryTable entry_table(const View& entries) {
  return {entries.data(), std::ptrdiff_t(entries.stride(0)),
          std::ptrdiff_t(entries.stride(1)), std::int64_t(entries.extent(1))};
}

/// A number of a device's array on the host; waits for exec.
template <class Memory, class Exec, class T>
T value_on_host(const Exec& exec, const Kokkos::View<T*, Memory>& v,
                std::size_t k) {
  T value;
  copy_values<Kokkos::HostSpace, Memory>(exec, &value, v.data() + k, 1,
                                         "Sporos::Sparsity::number");
  return value;
}

template <class Exec, class Memory>
class SparsityBuilder {
 public:
  template <class T>
  using Array = Kokkos::View<T*, Memory>;

  SparsityBuilder(const Exec& exec, const std::string& name, int rows,
                  int columns)
      : m_exec(exec), m_name(name), m_rows(rows), m_columns(columns) {}

  /// Rows and columns: the Views of two maps from one set, whose first elements
  /// count.
  template <class View>
  void add_pair(const std::string& map, int elements, const View& rows,
                const View& columns) {
    const std::int64_t n = elements * std::int64_t(rows.extent(1));
    check(n <= std::numeric_limits<int>::max(), "Sporos::Sparsity",
          m_name.c_str(), text("fewer than 2^31 entries of the map ", map), n);
    Pair pair;
    pair.row_arity  = int(rows.extent(1));
    pair.columns    = entry_table(columns);
    pair.starts     = array<int>("starts", std::size_t(m_rows) + 1);
    pair.order      = array<int>("order", std::size_t(n));
    const auto keys = array<std::uint32_t>("keys", std::size_t(n));
    each("row_keys", int(n), RowKeys{entry_table(rows), m_rows, keys.data()});
    sort_by_key(m_exec, m_sort, keys, pair.order,
                bit_width(std::uint32_t(m_rows)));
    each("row_starts", m_rows + 1,
         RowStarts{keys.data(), int(n), pair.starts.data()});
    m_pairs.push_back(pair);
  }

  /// Waits for exec.
  CompressedRows<Memory> rows(bool diagonal) {
    const auto room = array<std::int64_t>("room", std::size_t(m_rows) + 1);
    Kokkos::deep_copy(m_exec, room, std::int64_t(diagonal));
    for (const Pair& pair : m_pairs)
      each("add_room", m_rows,
           AddRoom{pair.starts.data(), int(pair.columns.arity), room.data()});
    scan(room);
    const auto all     = value_on_host(m_exec, room, std::size_t(m_rows));
    const auto columns = array<std::uint32_t>("candidates", std::size_t(all));
    const auto counts  = array<int>("counts", std::size_t(m_rows));
    const FoundColumns found{room.data(), columns.data(), counts.data()};
    each("diagonal", m_rows, StartWithDiagonal{found, diagonal});
    for (const Pair& pair : m_pairs)
      each("collect", m_rows,
           CollectColumns{pair.starts.data(), pair.order.data(), pair.row_arity,
                          pair.columns, found});
    sort_long_rows(room, columns, counts);
    each("unique", m_rows, UniqueColumns{found});
    return compressed(found);
  }

 private:
  struct Pair {
    int row_arity;
    EntryTable columns;
    Array<int> starts, order;  ///< map entries of each row
  };

  template <class T>
  Array<T> array(const char* what, std::size_t n) const {
    return new_view<Array<T>>(m_exec, std::string("Sporos::Sparsity::") + what,
                              n);
  }
  template <class Functor>
  void each(const char* step, int n, const Functor& f) const {
    for_each_index(
        std::string("Sporos::Sparsity::") + step,
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(m_exec, 0, n), f);
  }
  void scan(const Array<std::int64_t>& numbers) const {
    scan_index<std::int64_t>(
        "Sporos::Sparsity::scan",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(
            m_exec, 0, std::int64_t(m_rows) + 1),
        NumbersToOffsets{numbers.data(), m_rows});
  }

  /// Rows whose columns a thread would sort for too long.
  void sort_long_rows(const Array<std::int64_t>& room,
                      const Array<std::uint32_t>& columns,
                      const Array<int>& counts) {
    std::int64_t longest;
    reduce_min<Kokkos::HostSpace>(
        "Sporos::Sparsity::longest",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(m_exec, 0, m_rows),
        LongestRow{room.data()}, &longest);
    fence(m_exec, "Sporos::Sparsity::longest");
    if (longest >= 0) return;  // there is none
    check(-longest <= std::numeric_limits<int>::max(), "Sporos::Sparsity",
          m_name.c_str(), "fewer than 2^31 couplings of a row", -longest);
    const auto begins = on_host(m_exec, room);
    const auto sizes  = on_host(m_exec, counts);
    const auto order  = array<int>("order", std::size_t(-longest));
    for (int row = 0; row < m_rows; ++row) {
      const auto begin = begins(std::size_t(row));
      if (begins(std::size_t(row) + 1) - begin <= most_sorted_by_thread)
        continue;
      const auto n = std::size_t(sizes(std::size_t(row)));
      sort_by_key(m_exec, m_sort,
                  make_view<Array<std::uint32_t>>(columns.data() + begin, n),
                  make_view<Array<int>>(order.data(), n),
                  bit_width(std::uint32_t(m_columns)));
    }
  }

  CompressedRows<Memory> compressed(const FoundColumns& found) const {
    CompressedRows<Memory> crs;
    crs.offsets = array<std::int64_t>("row_offsets", std::size_t(m_rows) + 1);
    each("counts", m_rows, CountsToNumbers{found.counts, crs.offsets.data()});
    scan(crs.offsets);
    const auto n = value_on_host(m_exec, crs.offsets, std::size_t(m_rows));
    check(n <= std::numeric_limits<int>::max(), "Sporos::Sparsity",
          m_name.c_str(), "fewer than 2^31 non-zeros", n);
    crs.columns = array<int>("columns", std::size_t(n));
    each("pack", m_rows,
         PackColumns{found, crs.offsets.data(), crs.columns.data()});
    fence(m_exec, "Sporos::Sparsity::pack");
    return crs;
  }

  const Exec& m_exec;
  const std::string& m_name;
  int m_rows, m_columns;
  std::vector<Pair> m_pairs;
  SortWorkspace<std::uint32_t, Memory> m_sort;
};

}  // namespace Impl
}  // namespace Sporos

#endif
