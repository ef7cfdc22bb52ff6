// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MATRIXEXPAND_HPP
#define SPOROS_MATRIXEXPAND_HPP

/// \file Sporos_MatrixExpand.hpp
/// Arrays of matrices as other types, shared where they can be. Users include
/// Sporos_MatrixCrs.hpp.

#include <Sporos_Error.hpp>
#include <Sporos_ForEachIndex.hpp>
#include <Sporos_KokkosCompat.hpp>
#include <mesh_loop/matrix/Sporos_SparsityBuild.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace Sporos {
namespace Impl {

/// Throws unless integers of a type count n.
template <class Integer>
void check_counts(const char* function, const char* type, const char* what,
                  std::int64_t n) {
  const auto most = std::uint64_t(std::numeric_limits<Integer>::max());
  check(std::uint64_t(n) <= most, function, type,
        text("an integer that counts ", n, ' ', what), "one up to ", most);
}

template <class Target, class Source>
struct ConvertEntries {
  Target target;
  Source source;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    target(k) = static_cast<typename Target::non_const_value_type>(source(k));
  }
};

/// The first n entries as a View of another type, which shares their memory if
/// it can, else has a copy, made in exec.
template <class Target, class Exec, class Source>
Target shared_or_copied(const Exec& exec, const Source& source,
                        std::int64_t n) {
  using Value = typename Target::value_type;
  using New   = typename Target::non_const_type;
  const auto some =
      Kokkos::subview(source, std::make_pair(std::size_t(0), std::size_t(n)));
  constexpr bool of_type =
      std::is_same_v<typename Target::non_const_value_type,
                     typename Source::non_const_value_type> &&
      (std::is_const_v<Value> || !std::is_const_v<typename Source::value_type>);
  constexpr bool in_memory =
      Kokkos::SpaceAccessibility<typename Target::memory_space,
                                 typename Source::memory_space>::assignable;
  if constexpr (of_type && in_memory &&
                !std::is_same_v<typename Source::array_layout,
                                Kokkos::LayoutStride>) {
    return Target(some);
  } else {
    static_assert(
        is_accessible_v<Exec, Target> && is_accessible_v<Exec, Source>,
        "Sporos::to_crs, to_bsr, from_crs: the execution space cannot "
        "access the memory of an array");
    const New copy = new_view<New>(exec, "Sporos::Mat::copied", std::size_t(n));
    for_each_index(
        "Sporos::Mat::copied",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec, 0, n),
        ConvertEntries<New, std::decay_t<decltype(some)>>{copy, some});
    return Target(copy);
  }
}

/// The rows of a row of blocks, one after another; at the end of the rows that
/// of all numbers.
template <int R, int C, class Offsets, class Columns, class Values>
struct ExpandRow {
  int rows;
  const std::int64_t* block_offsets;
  const int* block_columns;
  const typename Values::value_type* block_values;
  Offsets offsets;
  Columns columns;
  Values values;

  KOKKOS_FUNCTION void operator()(int row) const {
    using Integer            = typename Offsets::value_type;
    const std::int64_t begin = block_offsets[row];
    if (row == rows) {
      offsets(std::int64_t(rows) * R) = Integer(begin * R * C);
      return;
    }
    const std::int64_t end = block_offsets[row + 1];
    std::int64_t to        = begin * R * C;
    for (int c = 0; c < R; ++c) {
      offsets(std::int64_t(row) * R + c) = Integer(to);
      for (std::int64_t k = begin; k < end; ++k)
        for (int d = 0; d < C; ++d, ++to) {
          columns(to) = typename Columns::value_type(
              std::int64_t(block_columns[k]) * C + d);
          values(to) = block_values[(k * R + c) * C + d];
        }
    }
  }
};

/// Arrays of a Crs.
template <class Crs>
struct ExpandedRows {
  typename Crs::row_map_type::non_const_type offsets;
  typename Crs::index_type::non_const_type columns;
  typename Crs::values_type::non_const_type values;
};

/// The rows of blocks of R x C values, each a row of numbers. In exec.
template <int R, int C, class Crs, class Exec, class Memory, class T>
ExpandedRows<Crs> expanded_rows(const Exec& exec, int rows,
                                std::int64_t nonzeros,
                                const CompressedRows<Memory>& crs,
                                const T* values) {
  using Rows                  = ExpandedRows<Crs>;
  constexpr const char* label = "Sporos::to_crs";
  const auto n                = std::size_t(nonzeros);
  const Rows to{
      new_view<decltype(Rows::offsets)>(exec, label, std::size_t(rows) * R + 1),
      new_view<decltype(Rows::columns)>(exec, label, n),
      new_view<decltype(Rows::values)>(exec, label, n)};
  for_each_index(
      label,
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(exec, 0, rows + 1),
      ExpandRow<R, C, decltype(Rows::offsets), decltype(Rows::columns),
                decltype(Rows::values)>{rows, crs.offsets.data(),
                                        crs.columns.data(), values, to.offsets,
                                        to.columns, to.values});
  return to;
}

}  // namespace Impl
}  // namespace Sporos

#endif
