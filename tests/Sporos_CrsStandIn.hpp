// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What to_crs and to_bsr ask of a matrix of Kokkos Kernels.

#ifndef SPOROS_CRSSTANDIN_HPP
#define SPOROS_CRSSTANDIN_HPP

#include <Kokkos_Core.hpp>

#include <string>

namespace Sporos {
namespace Test {

template <class T, class Ordinal, class Memory, class Size>
struct CrsStandIn {
  using ordinal_type = Ordinal;
  using size_type    = Size;
  using values_type  = Kokkos::View<T*, Memory>;
  using row_map_type = Kokkos::View<const Size*, Kokkos::LayoutLeft, Memory>;
  using index_type   = Kokkos::View<Ordinal*, Kokkos::LayoutLeft, Memory>;
  struct Graph {
    row_map_type row_map;
    index_type entries;
  };

  Ordinal rows, columns, block;
  Size nonzeros;
  Graph graph;
  values_type values;

  CrsStandIn(const std::string&, Ordinal rows_, Ordinal columns_,
             Size nonzeros_, const values_type& values_,
             const row_map_type& row_map, const index_type& entries,
             Ordinal block_ = 1)
      : rows(rows_),
        columns(columns_),
        block(block_),
        nonzeros(nonzeros_),
        graph{row_map, entries},
        values(values_) {}
  Ordinal numRows() const { return rows; }
  Ordinal numCols() const { return columns; }
};

}  // namespace Test
}  // namespace Sporos

#endif
