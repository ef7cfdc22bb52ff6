// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_COPYLISTS_HPP
#define SPOROS_COPYLISTS_HPP

/// \file Sporos_CopyLists.hpp
/// Which copies of points travel between neighbouring blocks. Those for one
/// block in one direction follow one another, so that their periodic image is
/// known on both sides. (Points of one cell have one owner and one direction:
/// those that a cell gets stay in the order of their owner.)

#include <Sporos_DistributedGrid.hpp>
#include <distributed/messages/Sporos_ExchangeLists.hpp>
#include <distributed/grids/Sporos_NearBorders.hpp>
#include <distributed/messages/Sporos_SparseMessages.hpp>
#include <particle_grid/bins/Sporos_CellWindow.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>

namespace Sporos {
namespace Impl {

/// Consecutive copies of one message and image.
template <int Dim>
struct CopyRanges {
  int end[Borders<Dim>::codes]            = {};  ///< ascending
  int message[Borders<Dim>::codes]        = {};
  std::uint8_t image[Borders<Dim>::codes] = {};
  int n                                   = 0;

  void add(int count, int of_message, std::uint8_t of_image) {
    if (count == 0) return;
    end[n]     = (n > 0 ? end[n - 1] : 0) + count;
    message[n] = of_message;
    image[n++] = of_image;
  }
  KOKKOS_FUNCTION int find(int k) const {
    int range = 0;
    while (end[range] <= k) ++range;
    return range;
  }
};

/// Sets the message of each copy that a rank sends or receives, and lists those
/// that it receives, as the rows after `own`.
template <int Dim>
struct ListCopies {
  CopyRanges<Dim> ranges;
  int* messages;
  int own              = 0;
  int* entries         = nullptr;  ///< null: of copies that it sends
  std::uint8_t* images = nullptr;

  KOKKOS_FUNCTION void operator()(int k) const {
    const int range = ranges.find(k);
    messages[k]     = ranges.message[range];
    if (entries == nullptr) return;
    entries[k] = own + k;
    images[k]  = ranges.image[range];
  }
};

/// The blocks around the own one to which copies may go, by rank, then
/// direction: the place in this order is the key of a copy.
template <int Dim, class Real>
class CopyLists {
  static constexpr int codes = Borders<Dim>::codes;
  using Counts = std::array<int, std::size_t(Borders<Dim>::codes)>;

 public:
  using Ranges = CopyRanges<Dim>;

  /// \param window of this rank's plan: nothing travels where it ends with the
  ///   block
  CopyLists(const DistributedGrid<Dim, Real>& grid,
            const GridWindow<Dim>& window)
      : m_grid(grid) {
    for (int code = 0; code < codes; ++code) {
      const int rank = rank_of(window, code);
      if (rank >= 0) m_mine[rank] = {};
      m_rank[std::size_t(code)] = rank;
    }
    for (const auto& counts : m_mine)
      for (int code = 0; code < codes; ++code)
        if (m_rank[std::size_t(code)] == counts.first)
          m_key[std::size_t(code)] = m_keys.add(code);
  }

  const CopyKeys<Dim>& keys() const { return m_keys; }

  /// Tells neighbours how many copies come. Collective between neighbours.
  /// \param begins of the copies of each key, and the end
  template <class Begins>
  void swap(const Begins& begins) {
    for (std::size_t code = 0; code < codes; ++code)
      if (m_rank[code] >= 0)
        m_mine[m_rank[code]][code] =
            begins(m_key[code] + 1) - begins(m_key[code]);
    m_theirs = swap_counts(m_grid.comm(), m_mine);
  }

  /// Number of all copies that come
  std::size_t coming() const {
    std::size_t all = 0;
    for (const auto& from : m_theirs)
      for (const int count : from.second) all += std::size_t(count);
    return all;
  }

  /// Sets ranks and numbers of copies of a side; returns its ranges.
  template <class Side>
  Ranges send(Side& side) const {
    return ranges(m_mine, side);
  }
  /// Call it if an int can hold all that come.
  template <class Side>
  Ranges receive(Side& side) const {
    return ranges(m_theirs, side);
  }

 private:
  /// The rank in a direction; -1: none, beyond a wall, or the own block
  int rank_of(const GridWindow<Dim>& window, int code) const {
    if (code == codes / 2 || !m_grid.has_block()) return -1;
    std::array<int, Dim> number;
    for (int d = 0; d < Dim; ++d, code /= 3) {
      if (code % 3 != 1 && layers_of(m_grid, window, d, code % 3 / 2) == 0)
        return -1;
      const int n = m_grid.blocks(d);
      number[d]   = (m_grid.block(d) + code % 3 - 1 + n) % n;
    }
    return m_grid.all_blocks().rank(number);
  }

  /// The image that points of the block in a direction have here.
  std::uint8_t image(int code) const {
    std::uint8_t images = 0;
    for (int d = 0; d < Dim; ++d, code /= 3) {
      const int n = m_grid.blocks(d), from = m_grid.block(d) + code % 3 - 1;
      images = std::uint8_t(images | PointImages::bits(from < 0    ? -1
                                                       : from >= n ? 1
                                                                   : 0,
                                                       d));
    }
    return images;
  }

  /// Counts are those of the sender's directions, which are opposite to those
  /// of the receiver.
  template <class Side>
  Ranges ranges(const std::map<int, Counts>& counts, Side& side) const {
    Ranges all;
    side.first = {0};
    for (const auto& [rank, of_rank] : counts) {
      const int message = int(side.ranks.size());
      for (int code = 0; code < codes; ++code)
        all.add(of_rank[std::size_t(code)], message, image(codes - 1 - code));
      const std::size_t end = all.n > 0 ? std::size_t(all.end[all.n - 1]) : 0;
      if (end == side.first.back()) continue;
      side.ranks.push_back(rank);
      side.first.push_back(end);
    }
    return all;
  }

  const DistributedGrid<Dim, Real>& m_grid;
  std::array<int, std::size_t(Borders<Dim>::codes)> m_rank;
  std::array<int, std::size_t(Borders<Dim>::codes)> m_key;  ///< of m_keys
  CopyKeys<Dim> m_keys;
  std::map<int, Counts> m_mine, m_theirs;  ///< of all neighbours, by direction
};

}  // namespace Impl
}  // namespace Sporos

#endif
