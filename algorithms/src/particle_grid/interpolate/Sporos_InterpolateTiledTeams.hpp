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
/// Wins: where tiles hold many points for each grid point; else `sorted`, which
///   reads through the cache.

#include <particle_grid/stencil/Sporos_PointStencil.hpp>
#include <particle_grid/stencil/Sporos_StridedVector.hpp>
#include <particle_grid/tiles/Sporos_TeamTile.hpp>

#include <cstddef>
#include <cstdint>

namespace Sporos {
namespace Impl {

/// Serves the points of a list of tiles, or of parts of tiles, a team each.
template <class Exec, int Dim, class Real, class Delta, class T, class V,
          class Counts>
struct InterpolateTeamTiles {
  static constexpr int Support = Delta::support;
  using Sizes                  = TeamTileShape<Dim, Support>;
  using Image = Kokkos::View<T*, typename Exec::scratch_memory_space,
                             Kokkos::MemoryUnmanaged>;

  TilePoints<Dim, Real, Support> points;
  TiledCells<Dim, Real, Support, false> cells;
  Delta delta;
  FieldAccess<const T, Dim> field;
  StridedVector<V> values;
  const PointRange* ranges;
  Counts counts;
  bool parts;

  static std::size_t scratch_bytes() { return Image::shmem_size(Sizes::size); }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int t = team.league_rank();
    if (t >= (parts ? counts().parts : counts().tiles)) return;
    const PointRange range = ranges[t];
    if (range.slots > 0) return;  // its parts are served
    const Image image(team.team_scratch(0), Sizes::size);
    load(team, range.tile, image);
    team.team_barrier();
    const FieldAccess<const T, Dim> around = tile_field(image.data());
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, range.end - range.begin),
                         [&](int p) { serve(range.begin + p, around); });
  }

 private:
  /// image = the field around a tile, zero outside the grid
  template <class Member>
  KOKKOS_FUNCTION void load(const Member& team, std::uint64_t tile,
                            const Image& image) const {
    int cell[Dim], first[3] = {0, 0, 0};
    cells.first_cell(tile, cell);
    for (int k = 0; k < Dim; ++k)
      first[k] = first_touched(cells, points.shift, k, cell[k]);
    Kokkos::parallel_for(
        Kokkos::TeamThreadRange(team, Sizes::size), [&](int i) {
          const int y  = i / Sizes::pitch % Sizes::extent(1);
          const int z  = i / Sizes::pitch / Sizes::extent(1);
          const int gx = field.index(0, first[0] + i % Sizes::pitch);
          const int gy = field.index(1, first[1] + y);
          const int gz = field.index(2, first[2] + z);
          image(i) =
              gx < 0 || gy < 0 || gz < 0
                  ? T(0)
                  : field.data[gx * field.stride[0] + gy * field.stride[1] +
                               gz * field.stride[2]];
        });
  }

  /// The image as a field of its own, in which nothing wraps
  KOKKOS_FUNCTION FieldAccess<const T, Dim> tile_field(const T* image) const {
    FieldAccess<const T, Dim> around = field;
    around.data                      = image;
    for (int k = 0; k < Dim; ++k) {
      around.stride[k] = k == 0   ? 1
                         : k == 1 ? Sizes::pitch
                                  : Sizes::pitch * Sizes::extent(1);
      around.points[k] = Sizes::extent(k);
      around.ghosts[k] = 1;
    }
    return around;
  }

  KOKKOS_FUNCTION void serve(int i,
                             const FieldAccess<const T, Dim>& around) const {
    PointStencil<T, Dim, Support> s;
    Real r[Dim];
    for (int k = 0; k < Dim; ++k) s.first[k] = points.locate(i, k, r[k]);
    s.template set_weights<false>(delta, r);
    values(points.permutation[i]) = V(dot_stencil<false>(around, s));
  }
};

/// Points without a cell get 0.
template <class V, class Counts>
struct ZeroWithoutCell {
  Counts counts;
  const int* permutation;
  StridedVector<V> values;

  KOKKOS_FUNCTION void operator()(int i) const {
    if (i >= counts().inside) values(permutation[i]) = V(0);
  }
};

template <class Exec, int Dim, class Real, class Delta, class T, class V>
void interpolate_tiled_device(
    const Exec& exec,
    const ParticleBins<Exec, Dim, Real, Delta::support, false>& bins,
    const Delta& delta, const FieldAccess<const T, Dim>& field,
    const StridedVector<V>& values, const Staggering& g) {
  using Bins = ParticleBins<Exec, Dim, Real, Delta::support, false>;
  using Tiles =
      InterpolateTeamTiles<Exec, Dim, Real, Delta, T, V, typename Bins::Count>;
  Tiles tiles{TilePoints<Dim, Real, Delta::support>(bins, g),
              bins.cells,
              delta,
              field,
              values,
              bins.ranges.data(),
              bins.counts,
              false};
  const auto teams = [&](int league) {
    return tile_teams("Sporos::interpolate", exec, league,
                      Tiles::scratch_bytes());
  };
  Kokkos::parallel_for("Sporos::interpolate::tiled", teams(bins.tile_bound()),
                       tiles);
  const std::size_t parts = Bins::part_bound(bins.n);
  if (parts > 0) {
    tiles.ranges = bins.parts.data();
    tiles.parts  = true;
    Kokkos::parallel_for("Sporos::interpolate::tiled_parts", teams(int(parts)),
                         tiles);
  }
  Kokkos::parallel_for(
      "Sporos::interpolate::outside",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(exec, 0, bins.n),
      ZeroWithoutCell<V, typename Bins::Count>{
          bins.counts, bins.permutation.data(), values});
}

}  // namespace Impl
}  // namespace Sporos

#endif
