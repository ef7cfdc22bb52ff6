// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_INTERPOLATETILEDTEAMS_HPP
#define SPOROS_INTERPOLATETILEDTEAMS_HPP

/// \file Sporos_InterpolateTiledTeams.hpp
/// interpolate, algorithm `tiled` for many threads per team.
/// What: a team copies a tile of the field plus halo into scratch; each thread
///   serves points of the tile from there. Crowded tiles are served in parts,
///   by a team each.
/// Cost: s^Dim reads of scratch per point, one read of the image per tile with
///   points, or part of it.
/// Wins: from 128 points a tile on; else `sorted`, which reads through the
///   cache.

#include <Sporos_ForEachIndex.hpp>
#include <particle_grid/interpolate/Sporos_InterpolatePoints.hpp>
#include <particle_grid/stencil/Sporos_GradientStencil.hpp>
#include <particle_grid/stencil/Sporos_Weights.hpp>
#include <particle_grid/tiles/Sporos_TeamTile.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// Serves the points of tiles and of parts of tiles, a team each.
template <class Exec, class Real, class Delta, class Group>
struct InterpolateTeamTiles {
  static constexpr int Dim     = Group::dim;
  static constexpr int Support = Delta::support;
  using T                      = std::remove_const_t<typename Group::T>;
  using V                      = typename Group::V;
  using Sizes                  = TeamTileShape<Dim, Support>;
  using Image = Kokkos::View<T*, typename Exec::scratch_memory_space,
                             Kokkos::MemoryUnmanaged>;

  TiledPoints<Dim, Real, Support, Group::sets> points;
  TiledCells<Dim, Real, Support, false> cells;
  Delta delta;
  Group group;
  const PointRange *ranges, *parts;
  const BinCounts* counts;
  int most_tiles;  ///< teams that serve tiles; the others serve parts

  static constexpr int team_size =
      Dim == 3 ? interpolate_team_3d : interpolate_team;
  static std::size_t scratch_bytes() { return Image::shmem_size(Sizes::size); }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int t = team.league_rank(), p = t - most_tiles;
    if (p < 0 ? t >= counts->listed : p >= counts->parts) return;
    const PointRange range = p < 0 ? ranges[t] : parts[p];
    // there are no points, or its parts are served
    if (p < 0 && (range.begin == range.end || range.slots > 0)) return;
    const Image image(team.team_scratch(0), Sizes::size);
    for (int c = 0; c < group.images(); ++c) {
      if (c > 0) team.team_barrier();  // all have read the image
      serve_component(team, range, c, image);
    }
  }

 private:
  using Points               = TilePoints<Dim, Real, Support>;
  using Field                = FieldAccess<const T, Dim>;
  static constexpr int plane = Sizes::plane;

  template <class Member>
  KOKKOS_FUNCTION void serve_component(const Member& team,
                                       const PointRange& range, int c,
                                       const Image& image) const {
    const auto seen   = Points::template component<Group>(points, c);
    const Field field = group.field_of(c);
    load(team, range.tile, seen, field, image);
    team.team_barrier();
    Kokkos::parallel_for(
        Kokkos::TeamThreadRange(team, range.end - range.begin), [&](int p) {
          const int i = range.begin + p;
          if constexpr (Group::derives)
            set_gradient(seen, i, c, image.data());
          else
            group.value(c, points.places(i)) = V(dot(seen, i, image.data()));
        });
  }

  /// image = the field around a tile, zero outside the grid
  template <class Member>
  KOKKOS_FUNCTION void load(const Member& team, std::uint32_t tile,
                            const Points& seen, const Field& field,
                            const Image& image) const {
    int cell[Dim], first[3] = {0, 0, 0};
    cells.first_cell(tile, cell);
    for (int k = 0; k < Dim; ++k)
      first[k] = first_touched(cells, seen.shift, k, cell[k]);
    // a thread copies a column: it looks for its grid points once, and loads
    // them all before it stores the first
    constexpr int length = Sizes::extent(2);
    const bool whole = first[2] >= 0 && first[2] + length <= field.points[2];
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, plane), [&](int i) {
      const int x     = field.index(0, first[0] + i % Sizes::pitch);
      const int y     = field.index(1, first[1] + i / Sizes::pitch);
      const bool some = x >= 0 && y >= 0;
      const T* const line =
          field.data + (some ? x * field.stride[0] + y * field.stride[1] : 0);
      int z[length];
      SPOROS_UNROLL
      for (int j = 0; j < length; ++j) {
        z[j] = whole ? first[2] + j : field.index(2, first[2] + j);
        if (!some) z[j] = -1;
      }
      T value[length];
      SPOROS_UNROLL
      for (int j = 0; j < length; ++j)
        value[j] = line[(z[j] < 0 ? 0 : z[j]) * field.stride[2]];
      SPOROS_UNROLL
      for (int j = 0; j < length; ++j)
        image(i + j * plane) = z[j] < 0 ? T(0) : value[j];
    });
  }

  /// Derivatives, and the value, of field `part` at sorted point i
  KOKKOS_FUNCTION void set_gradient(const Points& seen, int i, int part,
                                    const T* image) const {
    T slope[Dim][Support], weight[Dim][Support], sums[Dim + 1] = {};
    SPOROS_UNROLL
    for (int k = 0; k < Dim; ++k) {
      Real r;
      image += seen.locate(i, k, r) * (k == 0   ? 1
                                       : k == 1 ? Sizes::pitch
                                                : plane);
      scalar_weights(delta, 0, k, T(r), slope[k]);
      scalar_weights(delta, 1, k, T(r), weight[k]);
    }
    add_gradient_sums<Dim, Support>(
        slope, weight,
        [&](int b, int c) { return image + c * plane + b * Sizes::pitch; },
        [](const T* row, int a) { return row[a]; }, sums);
    SPOROS_UNROLL
    for (int k = 0; k < Group::terms; ++k)
      group.value(k * Group::parts + part, points.places(i)) = V(sums[k]);
  }

  /// The value of sorted point i: the image times its weights
  KOKKOS_FUNCTION T dot(const Points& seen, int i, const T* image) const {
    T w[3][Support] = {};
    SPOROS_UNROLL
    for (int k = 0; k < Dim; ++k) {
      Real r;
      image += seen.locate(i, k, r) * (k == 0   ? 1
                                       : k == 1 ? Sizes::pitch
                                                : plane);
      scalar_weights(delta, 0, k, T(r), w[k]);
    }
    T sum = 0;
    SPOROS_UNROLL
    for (int c = 0; c < (Dim > 2 ? Support : 1); ++c) {
      SPOROS_UNROLL
      for (int b = 0; b < (Dim > 1 ? Support : 1); ++b) {
        T row = 0;
        SPOROS_UNROLL
        for (int a = 0; a < Support; ++a)
          row += w[0][a] * image[c * plane + b * Sizes::pitch + a];
        sum += (Dim > 2 ? w[2][c] : T(1)) * (Dim > 1 ? w[1][b] : T(1)) * row;
      }
    }
    return sum;
  }
};

template <class Exec, int Dim, class Real, class Delta, class Group>
void interpolate_tiled_device(
    const Exec& exec,
    const ParticleBins<Exec, Dim, Real, Delta::support, false>& bins,
    const Delta& delta, const Group& group) {
  using Tiles     = InterpolateTeamTiles<Exec, Real, Delta, Group>;
  const int tiles = bins.all_in_parts() ? 0 : bins.tile_bound();
  Kokkos::parallel_for(
      "Sporos::interpolate::tiled",
      tile_teams<Tiles::team_size>("Sporos::interpolate", exec,
                                   tiles + int(bins.part_bound()),
                                   Tiles::scratch_bytes()),
      Tiles{{bins, group},
            bins.cells,
            delta,
            group,
            bins.ranges,
            bins.parts,
            bins.counts,
            tiles});
  const int threads = Math::min(bins.n, zeroing_threads);
  for_each_index("Sporos::interpolate::outside",
                 LightRange<Exec, Kokkos::IndexType<int>>(exec, 0, threads),
                 ZeroWithoutCell<Group>{bins.counts, group.places(bins), group,
                                        bins.n, threads});
}

}  // namespace Impl
}  // namespace Sporos

#endif
