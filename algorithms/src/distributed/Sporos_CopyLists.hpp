// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_COPYLISTS_HPP
#define SPOROS_COPYLISTS_HPP

/// \file Sporos_CopyLists.hpp
/// Which copies of points travel between neighbouring blocks. Those for one
/// block in one direction follow one another, so that their periodic image is
/// known on both sides. (Points of one cell have one owner and one direction:
/// those that a cell gets stay in the order of their owner.)

#include <Sporos_DistributedGrid.hpp>
#include <distributed/Sporos_ExchangeLists.hpp>
#include <distributed/Sporos_NearBorders.hpp>
#include <distributed/Sporos_SparseMessages.hpp>
#include <particle_grid/bins/Sporos_CellWindow.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace Sporos {
namespace Impl {

/// Sets the images of copies that a rank receives, in ranges.
template <int Dim>
struct CopyImages {
  int end[Borders<Dim>::codes]            = {};  ///< of the ranges, ascending
  std::uint8_t image[Borders<Dim>::codes] = {};
  int ranges                              = 0;
  std::uint8_t* images                    = nullptr;

  void add(int count, std::uint8_t of) {
    if (count == 0) return;
    end[ranges]     = (ranges > 0 ? end[ranges - 1] : 0) + count;
    image[ranges++] = of;
  }
  KOKKOS_FUNCTION void operator()(int k) const {
    int range = 0;
    while (end[range] <= k) ++range;
    images[k] = image[range];
  }
};

template <int Dim>
class CopyLists {
  static constexpr int codes = Borders<Dim>::codes;
  using Counts = std::array<int, std::size_t(Borders<Dim>::codes)>;

 public:
  FlatLists send;  ///< own points
  CopyImages<Dim> images;

  /// Collective between neighbours.
  /// \param window of this rank's plan: nothing travels where it ends with the
  ///   block
  /// \param points, to: n points and the direction of the block for each copy
  template <class Real>
  CopyLists(const DistributedGrid<Dim, Real>& grid,
            const GridWindow<Dim>& window, const int* points, const int* to,
            int n)
      : m_ranks(ranks_of(grid, window)) {
    Counts count{};
    for (int k = 0; k < n; ++k) ++count[std::size_t(to[k])];
    sort(points, to, n, count);
    std::map<int, Counts> counts;  // of all neighbours
    for (int code = 0; code < codes; ++code)
      if (m_ranks[std::size_t(code)] >= 0)
        counts[m_ranks[std::size_t(code)]][std::size_t(code)] =
            count[std::size_t(code)];
    m_coming = swap_counts(grid.comm(), counts);
    for (const auto& [rank, from] : m_coming)
      for (int code = 0; code < codes; ++code) {
        const int n_from = from[std::size_t(code)];
        m_all += std::size_t(n_from);
        if (n_from > 0) images.add(n_from, image(grid, codes - 1 - code));
      }
  }

  /// Number of all copies that come
  std::size_t coming() const { return m_all; }

  /// What comes, as the rows after `own`. Call it if an int can hold them.
  FlatLists receive(int own) const {
    FlatLists lists;
    lists.entries.reserve(m_all);
    for (const auto& [rank, from] : m_coming) {
      for (const int count : from)
        for (int k = 0; k < count; ++k)
          lists.entries.push_back(own + int(lists.entries.size()));
      lists.end_of(rank);
    }
    return lists;
  }

 private:
  using Ranks = std::array<int, std::size_t(Borders<Dim>::codes)>;

  /// The rank in each direction; -1: none, beyond a wall, or the own block
  template <class Real>
  static Ranks ranks_of(const DistributedGrid<Dim, Real>& grid,
                        const GridWindow<Dim>& window) {
    Ranks ranks;
    for (int code = 0; code < codes; ++code)
      ranks[std::size_t(code)] = rank_of(grid, window, code);
    return ranks;
  }
  template <class Real>
  static int rank_of(const DistributedGrid<Dim, Real>& grid,
                     const GridWindow<Dim>& window, int code) {
    if (code == codes / 2) return -1;
    std::array<int, Dim> number;
    for (int d = 0; d < Dim; ++d, code /= 3) {
      if (code % 3 != 1 && layers_of(grid, window, d, code % 3 / 2) == 0)
        return -1;
      const int n = grid.blocks(d);
      number[d]   = (grid.block(d) + code % 3 - 1 + n) % n;
    }
    return grid.all_blocks().rank(number);
  }

  /// The image that points of the block in a direction have here.
  template <class Real>
  static std::uint8_t image(const DistributedGrid<Dim, Real>& grid, int code) {
    std::uint8_t images = 0;
    for (int d = 0; d < Dim; ++d, code /= 3) {
      const int n = grid.blocks(d), from = grid.block(d) + code % 3 - 1;
      images = std::uint8_t(images | PointImages::bits(from < 0    ? -1
                                                       : from >= n ? 1
                                                                   : 0,
                                                       d));
    }
    return images;
  }

  /// Points by rank, then direction, in their order.
  void sort(const int* points, const int* to, int n, const Counts& count) {
    send.entries.resize(std::size_t(n));
    std::map<int, std::vector<int>> directions;
    for (int code = 0; code < codes; ++code)
      if (m_ranks[std::size_t(code)] >= 0)
        directions[m_ranks[std::size_t(code)]].push_back(code);
    std::array<int*, std::size_t(Borders<Dim>::codes)> place{};
    int* next = send.entries.data();
    for (const auto& [rank, list] : directions) {
      int* const begin = next;
      for (const int code : list) {
        place[std::size_t(code)] = next;
        next += count[std::size_t(code)];
      }
      if (next == begin) continue;
      send.ranks.push_back(rank);
      send.first.push_back(std::size_t(next - send.entries.data()));
    }
    for (int k = 0; k < n; ++k) *place[std::size_t(to[k])]++ = points[k];
  }

  Ranks m_ranks;
  std::map<int, Counts> m_coming;
  std::size_t m_all = 0;
};

}  // namespace Impl
}  // namespace Sporos

#endif
