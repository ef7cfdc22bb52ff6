// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_WIDESORT_HPP
#define SPOROS_WIDESORT_HPP

/// \file Sporos_WideSort.hpp
/// Sorts points by cell on grids of more cells than 32 bits can number: by the
/// cell in the tile first, then by the tile. Costs two sorts.

#include <Sporos_ForEachIndex.hpp>
#include <Sporos_KokkosCompat.hpp>
#include <Sporos_SortByKey.hpp>
#include <Sporos_Workspace.hpp>
#include <particle_grid/bins/Sporos_BinKernels.hpp>

#include <cstddef>
#include <cstdint>

namespace Sporos {
namespace Impl {

template <class Exec>
class WideSort {
 public:
  using memory_space = typename Exec::memory_space;
  using Keys  = typename WorkspaceView<std::uint32_t, memory_space>::view_type;
  using Order = typename WorkspaceView<int, memory_space>::view_type;

  /// Room for the cells in their tiles of n points, in the given order. The
  /// caller writes them before sort(), which keeps them.
  std::uint32_t* in_tile(const Exec& exec, std::size_t n) {
    m_in_tile_used = m_in_tile.require_data(exec, n);
    return m_in_tile_used;
  }

  /// Sets keys to the sorted tiles, and permutation as sort_by_key does.
  /// cells: TiledCells with keys that hold tiles; write(cells, keys): writes
  /// the keys of all points in the given order
  template <class Cells, class Write>
  void sort(const Exec& exec, const Cells& cells, const Keys& keys,
            const Order& permutation,
            SortWorkspace<std::uint32_t, memory_space>& workspace,
            const Write& write) {
    const std::size_t n = keys.extent(0);
    const Keys tiles    = m_tiles.require(exec, n);
    const Order order   = m_order.require(exec, n);
    for_each_index("Sporos::sort_by_tile::copy", Range(exec, 0, int(n)),
                   KeepKeys{m_in_tile_used, keys.data(), keys.data()});
    reserve_sort(exec, workspace, n);
    sort_by_key(exec, workspace, keys, order, Cells::Shape::log2_cells + 1);
    write(cells, tiles.data());
    permute(exec, tiles.data(), order, keys.data());
    sort_by_key(exec, workspace, keys, permutation, cells.key_bits());
    permute(exec, order.data(), permutation, permutation.data());
  }

  /// The cells in their tiles, of sorted points.
  void write_locals(const Exec& exec, const Order& permutation,
                    std::uint16_t* locals) const {
    permute(exec, m_in_tile_used, permutation, locals);
  }

  std::size_t bytes() const {
    return m_in_tile.bytes() + m_tiles.bytes() + m_order.bytes();
  }

 private:
  template <class T>
  using Space = WorkspaceView<T, memory_space>;
  using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>;

  template <class From, class To>
  static void permute(const Exec& exec, const From* from, const Order& order,
                      To* to) {
    for_each_index("Sporos::sort_by_tile::permute",
                   Range(exec, 0, int(order.extent(0))),
                   Permute<From, To>{from, order.data(), to});
  }

  std::uint32_t* m_in_tile_used = nullptr;
  Space<std::uint32_t> m_in_tile{"Sporos::sort_by_tile::in_tile"};
  Space<std::uint32_t> m_tiles{"Sporos::sort_by_tile::tiles"};
  Space<int> m_order{"Sporos::sort_by_tile::order"};
};

}  // namespace Impl
}  // namespace Sporos

#endif
