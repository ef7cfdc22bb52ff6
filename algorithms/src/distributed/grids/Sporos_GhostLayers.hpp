// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_GHOSTLAYERS_HPP
#define SPOROS_GHOSTLAYERS_HPP

/// \file Sporos_GhostLayers.hpp
/// The grid points in the ghost layers of a block, and who owns them.

#include <distributed/messages/Sporos_Exchange.hpp>
#include <distributed/grids/Sporos_GridBlocks.hpp>
#include <particle_grid/stencil/Sporos_RealParts.hpp>

#include <array>
#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <vector>

namespace Sporos {
namespace Impl {

/// Directions around a block: one digit 0, 1 or 2 for each direction of the
/// grid, that of direction 0 first. The middle one is the own block.
template <int Dim>
constexpr int direction_codes = Dim == 1   ? 3
                                : Dim == 2 ? 9
                                           : 27;

/// Where real component c of an entry is. Values have 1 or 2 real parts, so
/// that no division is needed.
KOKKOS_FORCEINLINE_FUNCTION std::ptrdiff_t offset_of_component(
    int c, int parts, std::ptrdiff_t component_stride) {
  return component_stride * (c >> (parts - 1)) + (c & (parts - 1));
}

/// A field of a block with its ghost layers as an array of grid points, the
/// last direction fastest, of `parts` times as many real components.
template <class T, int Dim>
struct FieldEntries {
  T* data = nullptr;
  std::ptrdiff_t stride[Dim]{}, component_stride = 0;
  int extent[Dim]{};
  int parts = 1;  ///< or 2
  bool in_order =
      false;  ///< the next entry is `stride` of the last direction on

  template <class View>
  explicit FieldEntries(const View& view)
      : data(real_data<T>(view)), parts(real_parts_v<View>) {
    for (int d = 0; d < Dim; ++d) {
      stride[d] = std::ptrdiff_t(view.stride(d)) * parts;
      extent[d] = int(view.extent(d));
    }
    in_order = true;
    for (int d = 0; d + 1 < Dim; ++d)
      in_order = in_order && stride[d] == stride[d + 1] * extent[d + 1];
    if constexpr (view_rank_v < View >> Dim)
      component_stride = std::ptrdiff_t(view.stride(Dim)) * parts;
  }

  KOKKOS_FUNCTION T& operator()(int entry, int c) const {
    T* at = data + offset_of_component(c, parts, component_stride);
    if (in_order) return at[stride[Dim - 1] * entry];
    for (int d = Dim - 1; d >= 0; --d) {
      at += stride[d] * (entry % extent[d]);
      entry /= extent[d];
    }
    return *at;
  }
};

/// Sets the listed entries to zero.
template <class Entries, class List>
struct ZeroEntries {
  Entries values;
  List list;
  int components;

  KOKKOS_FUNCTION void operator()(int i) const {
    for (int c = 0; c < components; ++c) values(list(i), c) = 0;
  }
};

/// Rows of a View of shape (n) or (n, c), complex numbers as two real
/// components.
template <class T>
struct RowEntries {
  T* data                         = nullptr;
  std::ptrdiff_t row_stride       = 0;
  std::ptrdiff_t component_stride = 0;
  int parts                       = 1;  ///< or 2

  RowEntries() = default;
  template <class View>
  explicit RowEntries(const View& view)
      : data(real_data<T>(view)),
        row_stride(std::ptrdiff_t(view.stride(0)) * real_parts_v<View>),
        parts(real_parts_v<View>) {
    if constexpr (view_rank_v<View> == 2)
      component_stride = std::ptrdiff_t(view.stride(1)) * parts;
  }
  KOKKOS_FORCEINLINE_FUNCTION T& operator()(std::ptrdiff_t row, int c) const {
    return data[row * row_stride +
                offset_of_component(c, parts, component_stride)];
  }
};

/// Rows that follow one another.
template <class T>
RowEntries<T> packed_rows(T* data, int components) {
  RowEntries<T> rows;
  rows.data             = data;
  rows.row_stride       = components;
  rows.component_stride = 1;
  return rows;
}

/// Entries below `split` are rows of the first array, the others of the second:
/// what is sent and what is received may lie in two arrays.
template <class T>
struct TwoArrays {
  RowEntries<const T> first;
  RowEntries<T> second;
  int split;

  // only what is received, in the second array, is written
  KOKKOS_FORCEINLINE_FUNCTION T& operator()(int row, int c) const {
    return row < split ? const_cast<T&>(first(row, c)) : second(row - split, c);
  }
};

/// Ghost layers at the lower and upper end of each direction.
template <int Dim>
struct GhostReach {
  std::array<int, Dim> low, high;
};

/// Grid points that travel between the blocks of a grid for fields with
/// `points` grid points in a block, to which `ghosts` layers are added at each
/// end: what a rank owns is sent, what is in its ghost layers received; only
/// the innermost layers, as many as `reach` says. Ghost layers beyond walls
/// take no part. The points of a side are in the order of
/// memory of fields, so that neighbouring threads of devices take neighbours:
/// `first_fastest`, the same on all ranks, or the last direction.
template <int Dim>
class GhostLists {
 public:
  template <class Real>
  GhostLists(const Grid<Dim, Real>& grid, const GridBlocks<Dim>& blocks,
             int rank, const std::array<int, Dim>& points, int ghosts,
             const GhostReach<Dim>& reach, bool first_fastest)
      : m_points(points),
        m_ghosts(ghosts),
        m_reach(reach),
        m_first_fastest(first_fastest) {
    if (rank >= blocks.size()) return;  // without a block
    std::array<int, Dim> mine;
    for (int d = 0; d < Dim; ++d) mine[d] = blocks.number(rank, d);
    constexpr int codes = direction_codes<Dim>;
    // the other rank meets the opposite direction: both see the same order
    for (int code = 0; code < codes; ++code) {
      if (code == codes / 2) continue;  // the own block
      add(grid, blocks, mine, code, true, receive);
      add(grid, blocks, mine, codes - 1 - code, false, send);
    }
  }

  RankLists send, receive;

 private:
  /// code: of the direction to the other block
  template <class Real>
  void add(const Grid<Dim, Real>& grid, const GridBlocks<Dim>& blocks,
           std::array<int, Dim> other, int code, bool in_ghosts,
           RankLists& lists) const {
    int begin[3] = {0, 0, 0}, end[3] = {1, 1, 1}, extent[3] = {1, 1, 1};
    for (int d = 0; d < Dim; ++d, code /= 3) {
      const int n = blocks.count[d], m = m_points[d], g = m_ghosts;
      const int to = code % 3 - 1;
      other[d] += to;
      if (other[d] < 0 || other[d] >= n) {
        if (grid.boundary(d) == Boundary::wall) return;
        other[d] = (other[d] + n) % n;
      }
      extent[d] = m + 2 * g;
      // the upper layers of the block below are the lowest points of this one
      const bool at_low = to < 0;
      const int layers = at_low == in_ghosts ? m_reach.low[d] : m_reach.high[d];
      begin[d]         = to == 0     ? g
                         : in_ghosts ? (at_low ? g - layers : g + m)
                                     : (at_low ? g : g + m - layers);
      end[d]           = to == 0 ? g + m : begin[d] + layers;
    }
    std::vector<int>& list = lists[blocks.rank(other)];
    const int outer = m_first_fastest ? 2 : 0, inner = 2 - outer;
    int at[3];
    for (at[outer] = begin[outer]; at[outer] < end[outer]; ++at[outer])
      for (at[1] = begin[1]; at[1] < end[1]; ++at[1])
        for (at[inner] = begin[inner]; at[inner] < end[inner]; ++at[inner])
          list.push_back((at[0] * extent[1] + at[1]) * extent[2] + at[2]);
  }

  std::array<int, Dim> m_points;
  int m_ghosts;
  GhostReach<Dim> m_reach;
  bool m_first_fastest;
};

/// What a distributed grid keeps for one memory space.
template <int Dim, class Real, class MemorySpace>
struct GhostMemory {
  using Lists = ExchangeLists<MemorySpace>;
  /// An exchange for each combination of arrays that travels.
  struct Kept {
    Exchange<MemorySpace> exchange;
    bool started = false;
    std::vector<const void*> fields;  ///< that start() took
  };
  using Key = std::vector<std::size_t>;

  BlockLocator<Dim, Real, MemorySpace> locator;
  /// by points of a block and ghost layers
  std::map<std::array<int, 3 * Dim>, Lists> lists;
  std::map<Key, std::list<Kept>> kept;  ///< more where several are under way
  AgreedKinds agreed;                   ///< calls of fill_ghosts and add_ghosts
  std::shared_ptr<Exchange<MemorySpace>> migration;  ///< of points
};

}  // namespace Impl
}  // namespace Sporos

#endif
