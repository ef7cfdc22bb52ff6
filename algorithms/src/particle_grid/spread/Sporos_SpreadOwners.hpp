// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SPREADOWNERS_HPP
#define SPOROS_SPREADOWNERS_HPP

/// \file Sporos_SpreadOwners.hpp
/// spread, algorithm `tiled` for many threads per team, for delta functions
/// whose tiles have no image in scratch.
/// What: a team owns the grid points of a block, as large as a tile, without
///   those around. It stages the points of the tile and of the cells below that
///   reach the block; each thread adds all of them, in order, to a few grid
///   points of its own, whose sums it keeps in registers. The block is added to
///   the field once: no atomics, no colours. The parts of crowded tiles have
///   sums of their own in memory, which a second launch adds.
/// Cost: s^Dim multiply-adds in registers per point, times (8 + s - 1) / 8 as
///   threads have rows of 8; weights are found once for each block that a point
///   reaches, 3 times for a support of 8 in 3D.
/// Wins: for wide delta functions, against sweeps. For a support of 4 it takes
///   more instructions than images of tiles.

#include <Sporos_ProfilingRegion.hpp>
#include <particle_grid/bins/Sporos_ParticleBins.hpp>
#include <particle_grid/spread/Sporos_SpreadOwnerTile.hpp>
#include <particle_grid/spread/Sporos_SumOwnerParts.hpp>
#include <particle_grid/tiles/Sporos_TeamTile.hpp>
#include <particle_grid/tiles/Sporos_TileOwners.hpp>

#include <cstddef>
#include <cstdint>

namespace Sporos {
namespace Impl {

/// The first teams sum up a block each, without crowded tiles. They are as many
/// as there are blocks, or (`sparse`) one for each tile with points and block
/// that it reaches, of which those of the first tile near a block have work.
/// The other teams have the part of a tile each, and sum up what it adds to
/// the blocks that it reaches.
template <class Tile>
struct SpreadOwners {
  using T                  = typename Tile::T;
  static constexpr int Dim = Tile::Dim;
  using Owners             = typename Tile::Owners;
  using Block              = typename Owners::Block;
  using Image              = PartImage<Dim, Tile::Support>;

  Tile tile;
  Owners owners;
  const PointRange* parts;
  T* slots;
  int block_teams;
  bool sparse;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int rank = team.league_rank(), near = owners.near();
    const typename Tile::Scratch scratch(team);
    const bool is_part = rank >= block_teams;
    if (is_part && rank - block_teams >= owners.counts->parts) return;
    for (int j = 0; j < (is_part ? near : 1); ++j) {
      Block block;
      PointRange part{};
      int tile_index = -1;
      if (is_part) {
        part = parts[rank - block_teams];
        if (!owners.reached(part.tile, j, block) ||
            !tile.reaches(part, block.after[Dim - 1]))
          continue;
      } else if (sparse) {
        tile_index = rank / near;
        if (tile_index >= owners.counts->listed) return;
        const PointRange range = owners.ranges[tile_index];
        if (range.begin == range.end ||
            !owners.reached(range.tile, rank % near, block))
          return;
      } else {
        block = owners.block(rank);
      }
      if (j > 0) team.team_barrier();  // all have read the lists of points
      if (!find_points(team, block, part, tile_index, scratch)) continue;
      T* const image = is_part ? slots + std::size_t(rank - block_teams) *
                                             tile.group.images() * Image::size
                               : nullptr;
      const auto layers =
          is_part ? tile.layers(owners, block, part)
                  : typename Tile::Rows::Layers{0, Tile::Rows::layers};
      tile.sum_block(team, owners, block, layers, scratch,
                     Store{*this, block, image});
    }
  }

 private:
  /// Lists the points near a block: those of a part, or, if that is empty, of
  /// all tiles that are not crowded. False if there are none or the team of
  /// another tile has the block.
  /// tile_index: a team's tile, of ranges; negative: the team has the block
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION bool find_points(
      const Member& team, const Block& block, const PointRange& part,
      int tile_index, const typename Tile::Scratch& scratch) const {
    const int near     = owners.near();
    const bool is_part = part.begin < part.end;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, near), [&](int j) {
      int before[Dim]      = {};
      const int t          = owners.near_range(block, j, before);
      const PointRange all = t < 0 ? PointRange{} : owners.ranges[t];
      const bool takes =
          is_part ? t >= 0 && all.tile == part.tile : all.slots == 0;
      scratch.begins()[j]  = takes ? (is_part ? part : all).begin : 0;
      scratch.ends()[j]    = takes ? (is_part ? part : all).end : 0;
      scratch.indices()[j] = t;
    });
    team.team_barrier();
    bool any = false;
    for (int j = 0; j < near; ++j) {
      const int t = scratch.indices()[j];
      if (t >= 0 && t < tile_index) return false;
      any = any || scratch.begins()[j] < scratch.ends()[j];
    }
    return any;
  }

  /// Adds a block to the field, or copies it into the image of a part.
  struct Store {
    const SpreadOwners& kernel;
    const Block& block;
    T* images;  ///< null: to the field
    static constexpr int plane =
        Tile::Shape::extent(0) * Tile::Shape::extent(1);
    /// Grid points that are loaded before the first is stored
    static constexpr int length = Math::min(4, Tile::Shape::extent(2));

    template <class Member>
    KOKKOS_FORCEINLINE_FUNCTION void put_image(const Member& team, int image,
                                               const T* sums) const {
      const BlockInField<Tile> to(kernel.tile, kernel.owners, block, image);
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, plane), [&](int i) {
        const int x = i % Tile::Shape::extent(0);
        const int y = i / Tile::Shape::extent(0);
        if (x >= to.points[0] || y >= to.points[1]) return;
        if (images != nullptr)
          copy_column(images + std::size_t(image) * Image::size, x, y,
                      to.points[2], sums + i);
        else
          add_column(to, x, y, sums + i);
      });
    }

   private:
    KOKKOS_FORCEINLINE_FUNCTION void copy_column(T* image, int x, int y, int n,
                                                 const T* sums) const {
      int z = 0;
      if constexpr (Dim > 1) y += block.after[Dim > 1 ? 1 : 0];
      if constexpr (Dim > 2) z = block.after[Dim > 2 ? 2 : 0];
      x += block.after[0];
      if (x >= Image::extent(0) || y >= Image::extent(1)) return;
      const int end = Math::min(n, Image::extent(2) - z);
      for (int j = 0; j < end; ++j)
        image[Image::place(x, y, z + j)] = sums[j * plane];
    }

    KOKKOS_FORCEINLINE_FUNCTION static void add_column(
        const BlockInField<Tile>& to, int x, int y, const T* sums) {
      const auto& field    = to.field;
      constexpr int extent = Tile::Shape::extent(2);
      const int points     = to.points[Dim > 2 ? 2 : 0];
      x                    = field.index(0, to.first[0] + x);
      y                    = field.index(1, to.first[1] + y);
      if (x < 0 || y < 0) return;
      T* const line    = field.data + x * field.stride[0] + y * field.stride[1];
      const bool whole = to.first[2] >= 0 &&
                         to.first[2] + extent <= field.points[2] &&
                         (Dim < 3 || points == extent);
      for (int z = 0; z < extent; z += length) {
        T* place[length];
        T sum[length], before[length] = {};
        SPOROS_UNROLL
        for (int j = 0; j < length; ++j) {
          const int at = to.first[2] + z + j;
          const int in = whole ? at : z + j < points ? field.index(2, at) : -1;
          sum[j]       = sums[(z + j) * plane];
          place[j]     = line + Math::max(in, 0) * field.stride[2];
          if (in < 0) sum[j] = 0;
          if (sum[j] != T(0)) before[j] = *place[j];
        }
        SPOROS_UNROLL
        for (int j = 0; j < length; ++j)
          if (sum[j] != T(0)) *place[j] = before[j] + sum[j];
      }
    }
  };
};

/// fields += spread strengths
template <class Exec, int Dim, class Real, class Delta, class Group,
          class Slots>
void spread_by_owners(
    const Exec& exec,
    const ParticleBins<Exec, Dim, Real, Delta::support, false>& bins,
    const Delta& delta, const Group& group, typename Group::T factor,
    Slots& slot_space) {
  using T      = typename Group::T;
  using Tile   = SpreadOwnerTile<Real, Delta, Group, Exec>;
  using Spread = SpreadOwners<Tile>;
  const ProfilingRegion region("Sporos::spread::sum");
  const Tile tile{delta, {bins, group}, group, factor};
  const typename Tile::Owners owners(bins);
  const std::size_t parts = bins.part_bound();
  T* slots                = nullptr;
  if (parts > 0)
    slots = typed_scratch<T>(exec, slot_space,
                             parts * Spread::Image::size * group.images());
  const std::uint64_t blocks = owners.block_count(),
                      reached =
                          std::uint64_t(bins.tile_bound()) * owners.near();
  const bool sparse         = reached < blocks;
  const std::uint64_t first = sparse ? reached : blocks;
  Kokkos::parallel_for(
      "Sporos::spread::owners",
      tile_teams<Tile::team_size>("Sporos::spread", exec, int(first + parts),
                                  Tile::Scratch::bytes()),
      Spread{tile, owners, bins.parts, slots, int(first), sparse});
  if (parts == 0) return;
  using Sum = SumOwnerParts<Tile>;
  Kokkos::parallel_for(
      "Sporos::spread::sum_parts",
      tile_teams<Sum::threads>("Sporos::spread", exec, int(parts),
                               Sum::scratch_bytes()),
      Sum{tile, owners, bins.parts, slots});
}

}  // namespace Impl
}  // namespace Sporos

#endif
