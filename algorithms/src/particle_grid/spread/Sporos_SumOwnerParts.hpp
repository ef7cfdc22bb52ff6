// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SUMOWNERPARTS_HPP
#define SPOROS_SUMOWNERPARTS_HPP

/// \file Sporos_SumOwnerParts.hpp
/// Adds the sums of the parts of crowded tiles to a field.

#include <particle_grid/spread/Sporos_SpreadOwnerTile.hpp>
#include <particle_grid/tiles/Sporos_TileOwners.hpp>

#include <cstddef>
#include <cstdint>

namespace Sporos {
namespace Impl {

/// A block in a field: its grid points
template <class Tile>
struct BlockInField {
  using T                  = typename Tile::T;
  static constexpr int Dim = Tile::Dim;
  using Owners             = typename Tile::Owners;

  FieldAccess<T, Dim> field;
  int first[3]  = {0, 0, 0};  ///< may lie outside the grid, as others
  int points[3] = {1, 1, 1};

  KOKKOS_FUNCTION BlockInField(const Tile& tile, const Owners& owners,
                               const typename Owners::Block& block, int image)
      : field(tile.group.field_of(image)) {
    const auto shift =
        tile.points.shifts.template component<typename Tile::Group>(image);
    SPOROS_UNROLL
    for (int k = 0; k < Dim; ++k) {
      first[k]  = first_touched(owners.cells, shift, k,
                                block.at[k] * Tile::Shape::extent(k));
      points[k] = owners.width(k, block.at[k]);
    }
  }

  /// Where the grid point at x, y, z in the block is; null: outside the grid
  KOKKOS_FORCEINLINE_FUNCTION T* at(int x, int y, int z) const {
    x = field.index(0, first[0] + x);
    y = field.index(1, first[1] + y);
    z = field.index(2, first[2] + z);
    if (x < 0 || y < 0 || z < 0) return nullptr;
    return field.data + x * field.stride[0] + y * field.stride[1] +
           z * field.stride[2];
  }
};

/// Adds up the parts of crowded tiles near a block and adds the sums to it.
/// There is a team for each part. Those of the first crowded tile near a block
/// take a share of its grid points each,
/// and cut the list of parts where they have more threads than grid points.
template <class Tile>
struct SumOwnerParts {
  using T                      = typename Tile::T;
  using Owners                 = typename Tile::Owners;
  static constexpr int Dim     = Tile::Dim;
  static constexpr int threads = sum_parts_team;
  using Image                  = PartImage<Dim, Tile::Support>;
  using Table                  = typename Tile::template ScratchView<int>;
  using Sums                   = typename Tile::template ScratchView<T>;

  Tile tile;
  Owners owners;
  const PointRange* parts;
  const T* slots;

  static std::size_t scratch_bytes() {
    return (2 + Dim) * Table::shmem_size(Owners::most_near) +
           Sums::shmem_size(threads);
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int near = owners.near(), i = team.league_rank();
    if (i >= owners.counts->parts) return;
    const PointRange part = parts[i];
    const Crowd crowd(team);
    for (int j = 0; j < near; ++j) {
      typename Owners::Block block;
      if (!owners.reached(part.tile, j, block)) continue;
      if (j > 0 && is_crowded(block)) continue;
      const int all = list_crowd(team, block, part, crowd);
      if (all > 0)
        add_share(team, block, i - part.slot, part.slots, all, crowd);
      team.team_barrier();  // all have read the crowd
    }
  }

 private:
  /// The crowded tiles near a block: the slots of their parts that reach it,
  /// and how far their grid points begin before the block's
  struct Crowd {
    Table slot, slots, before[Dim];
    Sums sums;

    template <class Member>
    KOKKOS_FUNCTION explicit Crowd(const Member& team)
        : slot(team.team_scratch(0), Owners::most_near),
          slots(team.team_scratch(0), Owners::most_near),
          sums(team.team_scratch(0), threads) {
      for (int k = 0; k < Dim; ++k)
        before[k] = Table(team.team_scratch(0), Owners::most_near);
    }
    /// Lists near tile j. The last of its parts reach farthest. Tiles that are
    /// not cut have none.
    KOKKOS_FUNCTION void list(const Tile& work, const PointRange* ranges,
                              const PointRange& range, int j,
                              const int (&begin)[Dim]) const {
      const int skipped = partition_point(0, range.slots, [&](int p) {
        return !work.reaches(ranges[range.slot + p], begin[Dim - 1]);
      });
      slot(j)           = range.slot + skipped;
      slots(j)          = range.slots - skipped;
      for (int k = 0; k < Dim; ++k) before[k](j) = begin[k];
    }
  };

  /// Is the tile of a block crowded? Then its teams have the block.
  KOKKOS_FORCEINLINE_FUNCTION bool is_crowded(
      const typename Owners::Block& block) const {
    int before[Dim] = {};
    const int t     = owners.near_range(block, 0, before);
    return t >= 0 && owners.ranges[t].slots > 0;
  }

  /// Lists the crowded tiles near a block; gives the number of their parts, or
  /// 0 if the teams of another tile have the block.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION int list_crowd(
      const Member& team, const typename Owners::Block& block,
      const PointRange& part, const Crowd& crowd) const {
    const int near = owners.near();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, near), [&](int j) {
      int before[Dim] = {};
      const int t     = owners.near_range(block, j, before);
      crowd.list(tile, parts, t < 0 ? PointRange{} : owners.ranges[t], j,
                 before);
    });
    team.team_barrier();
    int all = 0;
    for (int j = 0; j < near; ++j) {
      const bool is_own =
          unsigned(crowd.slot(j) - part.slot) < unsigned(part.slots);
      if (all == 0 && crowd.slots(j) > 0 && !is_own) return 0;
      all += crowd.slots(j);
    }
    return all;
  }

  /// Share number `share` of the grid points of a block, of all components
  template <class Member>
  KOKKOS_FUNCTION void add_share(const Member& team,
                                 const typename Owners::Block& block, int share,
                                 int shares, int all,
                                 const Crowd& crowd) const {
    const auto cut = [](int n, int k, int pieces) {
      return int(std::int64_t(n) * k / pieces);
    };
    const int size = Tile::size * tile.group.images();
    const int from = cut(size, share, shares);
    const int n    = cut(size, share + 1, shares) - from;
    if (n == 0) return;
    const int pieces = Math::max(1, Math::min(all, threads / n));
    if (pieces == 1) {
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n), [&](int e) {
        add(block, from + e, sum(block, from + e, 0, all, crowd));
      });
      return;
    }
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n * pieces), [&](int k) {
      const int piece = k / n;
      crowd.sums(k)   = sum(block, from + k % n, cut(all, piece, pieces),
                            cut(all, piece + 1, pieces), crowd);
    });
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n), [&](int e) {
      T total = 0;
      for (int k = e; k < n * pieces; k += n) total += crowd.sums(k);
      add(block, from + e, total);
    });
  }

  /// Place of number e of the grid points of all components
  struct Place {
    int image, x[3];

    KOKKOS_FORCEINLINE_FUNCTION explicit Place(int e)
        : image(e >> Tile::Shape::log2_cells) {
      for (int k = 0; k < 3; ++k)
        x[k] =
            k < Dim ? Tile::Owners::Cells::local_cell(std::uint32_t(e), k) : 0;
    }
  };

  /// The sum of number e of the parts from `part` to `end`
  KOKKOS_FUNCTION T sum(const typename Owners::Block& block, int e, int part,
                        int end, const Crowd& crowd) const {
    const Place at(e);
    for (int k = 0; k < Dim; ++k)  // the last block of a ring may be narrow
      if (at.x[k] >= owners.width(k, block.at[k])) return 0;
    const std::size_t step = std::size_t(tile.group.images()) * Image::size;
    T total                = 0;
    for (int j = 0; end > 0; ++j) {
      const int n = crowd.slots(j);
      int x[3]    = {0, 0, 0};
      bool inside = true;
      for (int k = 0; k < Dim; ++k) {
        x[k]   = at.x[k] + crowd.before[k](j);
        inside = inside && x[k] < Image::extent(k);
      }
      if (inside) {
        const T* const image = slots + std::size_t(crowd.slot(j)) * step +
                               std::size_t(at.image) * Image::size +
                               Image::place(x[0], x[1], x[2]);
        for (int p = part; p < Math::min(n, end); ++p)
          total += image[std::size_t(p) * step];
      }
      part = Math::max(0, part - n);
      end -= n;
    }
    return total;
  }

  KOKKOS_FUNCTION void add(const typename Owners::Block& block, int e,
                           T sum) const {
    if (sum == T(0)) return;
    const Place at(e);
    const BlockInField<Tile> to(tile, owners, block, at.image);
    T* const place = to.at(at.x[0], at.x[1], at.x[2]);
    if (place != nullptr) *place += sum;
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
