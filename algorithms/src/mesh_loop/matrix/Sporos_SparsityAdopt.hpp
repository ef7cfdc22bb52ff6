// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SPARSITYADOPT_HPP
#define SPOROS_SPARSITYADOPT_HPP

/// \file Sporos_SparsityAdopt.hpp
/// Compressed rows that a user has made.

#include <Sporos_Error.hpp>
#include <Sporos_ForEachIndex.hpp>
#include <Sporos_ViewChecks.hpp>
#include <mesh/state/Sporos_MeshCopy.hpp>
#include <mesh_loop/matrix/Sporos_SparsityBuild.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace Sporos {
namespace Impl {

/// The first row that does not begin where the last one ended, or whose columns
/// are out of range or do not ascend.
struct FirstWrongRow {
  const std::int64_t* offsets;
  const int* columns;
  std::int64_t nonzeros;
  int n_columns;
  using value_type = std::int64_t;

  KOKKOS_FUNCTION bool is_wrong(int row) const {
    const std::int64_t begin = offsets[row], end = offsets[row + 1];
    if (begin < 0 || begin > end || end > nonzeros || (row == 0 && begin != 0))
      return true;
    for (std::int64_t k = begin; k < end; ++k)
      if (columns[k] < 0 || columns[k] >= n_columns ||
          (k > begin && columns[k - 1] >= columns[k]))
        return true;
    return false;
  }
  KOKKOS_FUNCTION void operator()(int row, std::int64_t& first) const {
    if (row < first && is_wrong(row)) first = row;
  }
};

/// Copies offsets and checks all. Waits for exec.
template <class Exec, class Memory, class Offsets>
CompressedRows<Memory> adopt_rows(const Exec& exec, const std::string& name,
                                  int rows, int columns, const Offsets& offsets,
                                  const Kokkos::View<int*, Memory>& numbers) {
  static_assert(Kokkos::is_view<Offsets>::value,
                "Sporos::Sparsity: offsets must be a View of rank 1");
  static_assert(std::is_integral<typename Offsets::non_const_value_type>::value,
                "Sporos::Sparsity: offsets must be integers");
  static_assert(Kokkos::SpaceAccessibility<Exec, Memory>::accessible,
                "Sporos::Sparsity: the execution space cannot access the "
                "memory of the columns");
  constexpr const char* function = "Sporos::Sparsity";
  const auto n                   = std::int64_t(numbers.extent(0));
  check(offsets.extent(0) == std::size_t(rows) + 1, function, name.c_str(),
        text("offsets(", std::size_t(rows) + 1, ")"), extents(offsets));
  check(n <= std::numeric_limits<int>::max(), function, name.c_str(),
        "fewer than 2^31 non-zeros", n);
  check_memory(function, name.c_str(), offsets);
  check_memory(function, name.c_str(), numbers);
  CompressedRows<Memory> crs;
  crs.columns = numbers;
  crs.offsets = new_view<Kokkos::View<std::int64_t*, Memory>>(
      exec, "Sporos::Sparsity::row_offsets", std::size_t(rows) + 1);
  copy_entries(exec, crs.offsets, offsets);
  const auto end = value_on_host(exec, crs.offsets, std::size_t(rows));
  check(end == n, function, name.c_str(),
        text("a last offset of ", n, ", the number of columns"), end);
  std::int64_t first;
  reduce_min<Kokkos::HostSpace>(
      "Sporos::Sparsity::check",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(exec, 0, rows),
      FirstWrongRow{crs.offsets.data(), numbers.data(), n, columns}, &first);
  fence(exec, "Sporos::Sparsity::check");
  check(first >= rows, function, name.c_str(),
        text("offsets from 0 that do not descend, and in each row ascending "
             "columns in [0, ",
             columns, ")"),
        "others in row ", first);
  return crs;
}

}  // namespace Impl
}  // namespace Sporos

#endif
