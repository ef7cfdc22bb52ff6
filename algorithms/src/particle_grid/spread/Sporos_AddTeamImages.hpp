// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_ADDTEAMIMAGES_HPP
#define SPOROS_ADDTEAMIMAGES_HPP

/// \file Sporos_AddTeamImages.hpp
/// Adds images of tiles in memory to a field.

#include <particle_grid/bins/Sporos_BinKernels.hpp>
#include <particle_grid/stencil/Sporos_FieldAccess.hpp>

#include <cstddef>
#include <cstdint>

namespace Sporos {
namespace Impl {

/// Adds sums to grid points along direction 2 that may lie outside the grid.
/// All are loaded before the first is stored.
template <class T, int Dim, std::size_t Length>
KOKKOS_FORCEINLINE_FUNCTION void add_to_line(const FieldAccess<T, Dim>& field,
                                             int x, int y, int z,
                                             const T (&sum)[Length]) {
  constexpr int length = int(Length);
  x                    = field.index(0, x);
  y                    = field.index(1, y);
  if (x < 0 || y < 0) return;
  T* const line = field.data + x * field.stride[0] + y * field.stride[1];
  int place[length];
  T before[length] = {};
  SPOROS_UNROLL
  for (int j = 0; j < length; ++j) {
    place[j] = sum[j] != T(0) ? field.index(2, z + j) : -1;
    if (place[j] >= 0) before[j] = line[place[j] * field.stride[2]];
  }
  SPOROS_UNROLL
  for (int j = 0; j < length; ++j)
    if (place[j] >= 0) line[place[j] * field.stride[2]] = before[j] + sum[j];
}

/// Adds the images of all tiles to the field, each grid point by one thread: a
/// team takes the grid points that a tile touches before the next one does. For
/// whole grids whose tiles with points all have slots.
template <class Tile>
struct AddTeamImages {
  using Sizes              = typename Tile::Sizes;
  using T                  = typename Tile::T;
  static constexpr int Dim = Tile::Dim;
  /// Tiles that touch the grid points of a team, in a direction (three: the
  /// last one may be narrower than the support) and in all
  static constexpr int row = 3, near = Dim == 1 ? 3 : Dim == 2 ? 9 : 27;
  static constexpr int team_size = adding_team;
  using Table                    = typename Tile::template ScratchView<int>;
  Tile tile;
  typename Tile::Cells cells;
  const PointRange* ranges;
  const BinCounts* counts;
  const T* slots;

  static std::size_t scratch_bytes() {
    return 2 * Table::shmem_size(near) + Table::shmem_size(1);
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    // the tiles that touch the grid points: slots (negative: none), and how
    // far they begin before the team's
    const Table slot(team.team_scratch(0), near),
        before(team.team_scratch(0), near), tiles(team.team_scratch(0), 1);
    int at[3] = {0, 0, 0}, number = team.league_rank();
    for (int k = 0; k < Dim; ++k) {
      at[k] = number % cells.tiles[k];
      number /= cells.tiles[k];
    }
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, near),
                         [&](int j) { slot(j) = find_slot(at, j, before(j)); });
    team.team_barrier();
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      int n = 0;
      for (int j = 0; j < near; ++j) {
        if (slot(j) < 0) continue;
        slot(n)     = slot(j);
        before(n++) = before(j);
      }
      tiles(0) = n;
    });
    team.team_barrier();
    if (tiles(0) == 0) return;
    for (int c = 0; c < tile.group.images(); ++c)
      add_component(team, c, at, tiles(0), &slot(0), &before(0));
  }

 private:
  static constexpr int bits = 10;  ///< of a distance in a direction
  /// Grid points of a column that a thread adds
  static constexpr int length = Math::min(4, Tile::Cells::Shape::extent(2));

  KOKKOS_FORCEINLINE_FUNCTION int last_extent(int k) const {
    return cells.cells[k] -
           (cells.tiles[k] - 1) * Tile::Cells::Shape::extent(k);
  }

  /// The slot of neighbour j of the team's tile `at`, and where it begins.
  KOKKOS_FUNCTION int find_slot(const int (&at)[3], int j, int& before) const {
    std::uint32_t number = 0, pitch = 1;
    before = 0;
    for (int k = 0; k < Dim; ++k, j /= row) {
      int t = at[k], far = 0;
      for (int step = j % row; step > 0; --step) {
        if (t == 0 && !cells.wraps[k]) return -1;
        far += t > 0 ? Tile::Cells::Shape::extent(k) : last_extent(k);
        t = t > 0 ? t - 1 : cells.tiles[k] - 1;
      }
      if (far >= Sizes::extent(k)) return -1;
      before |= far << (k * bits);
      number += std::uint32_t(t) * pitch;
      pitch *= std::uint32_t(cells.tiles[k]);
    }
    // where all tiles before it have points, it is its own index
    const int last = Math::min(int(number), counts->listed - 1);
    if (last < 0) return -1;
    const int t = ranges[last].tile == number
                      ? last
                      : partition_point(0, last, [&](int i) {
                          return ranges[i].tile < number;
                        });
    return ranges[t].tile == number ? ranges[t].slot : -1;
  }

  /// Grid points of the team in direction k
  KOKKOS_FORCEINLINE_FUNCTION int points(int k, int t) const {
    if (t + 1 < cells.tiles[k]) return Tile::Cells::Shape::extent(k);
    return cells.wraps[k] ? last_extent(k) : Sizes::extent(k);
  }

  template <class Member>
  KOKKOS_FUNCTION void add_component(const Member& team, int c,
                                     const int (&at)[3], int tiles,
                                     const int* slot, const int* before) const {
    const FieldAccess<T, Dim> field = tile.group.field_of(c);
    const auto shift =
        tile.points.shifts.template component<typename Tile::Group>(c);
    int first[3] = {0, 0, 0}, n[3] = {1, 1, 1};
    for (int k = 0; k < Dim; ++k) {
      first[k] =
          first_touched(cells, shift, k, at[k] * Tile::Cells::Shape::extent(k));
      n[k] = points(k, at[k]);
    }
    const std::size_t step = std::size_t(tile.group.images()) * Tile::size;
    const T* const images  = slots + std::size_t(c) * Tile::size;
    const int columns      = n[0] * n[1];
    Kokkos::parallel_for(
        Kokkos::TeamThreadRange(team, columns * ceil_div(n[2], length)),
        [&](int i) {
          const int column = i % columns, z = i / columns * length;
          const int x = column % n[0], y = column / n[0];
          T sum[length] = {};
          for (int j = 0; j < tiles; ++j) {
            constexpr int mask    = (1 << bits) - 1;
            const int in_image[3] = {x + (before[j] & mask),
                                     y + (before[j] >> bits & mask),
                                     z + (before[j] >> (2 * bits))};
            if (in_image[0] >= Sizes::extent(0) ||
                in_image[1] >= Sizes::extent(1) ||
                in_image[2] >= Sizes::extent(2))
              continue;
            add_column(images + std::size_t(slot[j]) * step +
                           in_image[2] * Tile::plane +
                           in_image[1] * Tile::pitch + in_image[0],
                       Math::min(n[2] - z, Sizes::extent(2) - in_image[2]),
                       sum);
          }
          add_to_line(field, first[0] + x, first[1] + y, first[2] + z, sum);
        });
  }

  /// sum += the first n grid points of a column of an image; all are loaded
  /// before the first is added
  KOKKOS_FORCEINLINE_FUNCTION static void add_column(const T* column, int n,
                                                     T (&sum)[length]) {
    T value[length];
    SPOROS_UNROLL
    for (int z = 0; z < length; ++z)
      value[z] = column[(z < n ? z : 0) * Tile::plane];
    SPOROS_UNROLL
    for (int z = 0; z < length; ++z) sum[z] += z < n ? value[z] : T(0);
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
