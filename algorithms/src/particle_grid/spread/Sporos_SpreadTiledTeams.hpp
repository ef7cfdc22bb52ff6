// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SPREADTILEDTEAMS_HPP
#define SPOROS_SPREADTILEDTEAMS_HPP

/// \file Sporos_SpreadTiledTeams.hpp
/// spread, algorithm `tiled` for many threads per team.
/// What: a team adds the points of a tile into an image of the tile plus halo
///   in scratch. Groups of threads take units of the tile (rows of cells, ...)
///   that lie so far apart that they touch different grid points; a barrier
///   comes before the next units. The threads of a group all work on one point
///   after the other, each on the grid points that are its own modulo the
///   support: no atomics, a fixed order. Where bins.all_in_parts(), all images
///   go to memory at once, and AddTeamImages adds them to the field. Else the
///   tiles of one colour run at once; those with many points are summed in
///   parts beforehand, all at once.
/// Cost: s^Dim additions to scratch per point, one pass over the image per
///   tile with points.
/// Wins: on GPUs, except against atomics where points are sparse.

#include <Sporos_ProfilingRegion.hpp>
#include <particle_grid/bins/Sporos_ParticleBins.hpp>
#include <particle_grid/spread/Sporos_AddTeamImages.hpp>
#include <particle_grid/spread/Sporos_SpreadTeamTile.hpp>
#include <particle_grid/tiles/Sporos_TeamTile.hpp>

#include <cstddef>
#include <cstdint>

namespace Sporos {
namespace Impl {

/// Sums the parts of tiles, each into slots of its own, one for each component.
template <class Tile>
struct SpreadTeamParts {
  using T = typename Tile::T;
  Tile tile;
  const PointRange* parts;
  const BinCounts* counts;
  T* slots;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int i = team.league_rank();
    if (i >= counts->parts) return;
    const typename Tile::Scratch scratch(team);
    const int first = parts[i].slot, n = parts[i].slots;
    const int begin = parts[first].begin, end = parts[first + n - 1].end;
    for (int c = 0; c < tile.group.images(); ++c) {
      tile.accumulate(team, c, begin, end, i - first, n, scratch);
      T* const slot =
          slots + (std::size_t(i) * tile.group.images() + c) * Tile::size;
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, Tile::size),
                           [&](int j) { slot[j] = scratch.image(j); });
    }
  }
};

/// Adds up the sums of the parts of each tile that is cut, in its first slots.
/// There is a team for each part; it takes a share of the grid points of its
/// tile, and cuts the list of parts where it has more threads than grid points.
template <class Tile>
struct SumTeamParts {
  using T                      = typename Tile::T;
  static constexpr int threads = sum_parts_team;
  const PointRange* parts;
  const BinCounts* counts;
  T* slots;
  int components;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int i = team.league_rank();
    if (i >= counts->parts) return;
    const int first = parts[i].slot, n = parts[i].slots,
              size = Tile::size * components;
    if (n == 1) return;
    const auto cut = [](int all, int k, int pieces) {
      return int(std::int64_t(all) * k / pieces);
    };
    const int begin = cut(size, i - first, n);
    const int count = cut(size, i - first + 1, n) - begin;
    if (count == 0) return;
    T* const sum   = slots + std::size_t(first) * size + begin;
    const auto add = [&](int e, int from, int to) {
      T all = 0;
      for (int k = from; k < to; ++k) all += sum[std::size_t(k) * size + e];
      return all;
    };
    const int pieces = Math::min(n, threads / count);
    if (pieces < 2) {
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, count),
                           [&](int e) { sum[e] = add(e, 0, n); });
      return;
    }
    const typename Tile::template ScratchView<T> found(team.team_scratch(0),
                                                       threads);
    Kokkos::parallel_for(
        Kokkos::TeamThreadRange(team, count * pieces), [&](int k) {
          const int piece = k / count;
          found(k) =
              add(k % count, cut(n, piece, pieces), cut(n, piece + 1, pieces));
        });
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, count), [&](int e) {
      T all = 0;
      for (int k = e; k < count * pieces; k += count) all += found(k);
      sum[e] = all;
    });
  }
};

/// Adds the tiles of one colour to the field; each grid point by one thread.
template <class Tile>
struct SpreadTeamTiles {
  using Sizes              = typename Tile::Sizes;
  using T                  = typename Tile::T;
  static constexpr int Dim = Tile::Dim;
  Tile tile;
  typename Tile::Cells cells;
  const PointRange* ranges;
  const int* by_color;
  const BinCounts* counts;
  const T* slots;
  int color;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const typename Tile::Scratch scratch(team);
    const int begin = counts->color_begin[color];
    const int end   = counts->color_end[color];
    for (int t = begin + team.league_rank(); t < end; t += team.league_size()) {
      add_tile(team, ranges[by_color[t]], scratch);
      team.team_barrier();  // before the next tile's image
    }
  }

 private:
  template <class Member>
  KOKKOS_FUNCTION void add_tile(const Member& team, const PointRange& range,
                                const typename Tile::Scratch& scratch) const {
    const int components = tile.group.images();
    for (int c = 0; c < components; ++c)
      if (range.slots > 0) {
        add(team, c, range.tile,
            slots + (std::size_t(range.slot) * components + c) * Tile::size);
      } else {
        tile.accumulate(team, c, range.begin, range.end, 0, 1, scratch);
        add(team, c, range.tile, &scratch.image(0));
      }
  }

  template <class Member>
  KOKKOS_FUNCTION void add(const Member& team, int component,
                           std::uint32_t number, const T* image) const {
    const FieldAccess<T, Dim> field = tile.group.field_of(component);
    const auto shift =
        tile.points.shifts.template component<typename Tile::Group>(component);
    int cell[Dim];
    cells.first_cell(number, cell);
    int first[3] = {0, 0, 0};
    bool wraps   = false;
    for (int k = 0; k < Dim; ++k) {
      first[k] = first_touched(cells, shift, k, cell[k]);
      wraps = wraps || (field.wraps[k] && field.points[k] < Sizes::extent(k));
    }
    if (wraps) return add_wrapped(team, field, first, image);
    Kokkos::parallel_for(
        Kokkos::TeamThreadRange(team, Tile::plane), [&](int i) {
          add_column(field, first[0] + i % Tile::pitch,
                     first[1] + i / Tile::pitch, first[2], image + i);
        });
  }

  KOKKOS_FORCEINLINE_FUNCTION static void add_column(
      const FieldAccess<T, Dim>& field, int x, int y, int z, const T* column) {
    T sum[Sizes::extent(2)];
    SPOROS_UNROLL
    for (int j = 0; j < Sizes::extent(2); ++j) sum[j] = column[j * Tile::plane];
    add_to_line(field, x, y, z, sum);
  }

  /// The image covers grid points several times.
  template <class Member>
  KOKKOS_FUNCTION static void add_wrapped(const Member& team,
                                          const FieldAccess<T, Dim>& field,
                                          const int (&first)[3],
                                          const T* image) {
    // grid points that it covers, each once, and how often it wraps
    int count[3] = {1, 1, 1}, period[3] = {1, 1, 1}, extent[3] = {1, 1, 1};
    for (int k = 0; k < Dim; ++k) {
      extent[k] = Sizes::extent(k);
      period[k] = field.wraps[k] ? field.points[k] : extent[k];
      count[k]  = extent[k] < period[k] ? extent[k] : period[k];
    }
    Kokkos::parallel_for(
        Kokkos::TeamThreadRange(team, count[0] * count[1] * count[2]),
        [&](int i) {
          const int x = i % count[0];
          const int y = i / count[0] % count[1];
          const int z = i / count[0] / count[1];
          T sum       = 0;
          for (int c = z; c < extent[2]; c += period[2])
            for (int b = y; b < extent[1]; b += period[1])
              for (int a = x; a < extent[0]; a += period[0])
                sum += image[c * Tile::plane + b * Tile::pitch + a];
          if (sum == T(0)) return;
          const int x_in = field.index(0, first[0] + x);
          const int y_in = field.index(1, first[1] + y);
          const int z_in = field.index(2, first[2] + z);
          if (x_in >= 0 && y_in >= 0 && z_in >= 0)
            field.data[x_in * field.stride[0] + y_in * field.stride[1] +
                       z_in * field.stride[2]] += sum;
        });
  }
};

/// fields += spread strengths
template <class Exec, int Dim, class Real, class Delta, class Group,
          class Slots>
void spread_tiled_device(
    const Exec& exec,
    const ParticleBins<Exec, Dim, Real, Delta::support, false>& bins,
    const Delta& delta, const Group& group, typename Group::T factor,
    Slots& slot_space) {
  using T         = typename Group::T;
  constexpr int s = Delta::support;
  using Tile      = SpreadTeamTile<Real, Delta, Group, Exec>;
  using Bins      = ParticleBins<Exec, Dim, Real, s, false>;
  const Tile tile{delta, {bins, group}, group, factor};
  const auto teams = [&](int league, int team_size = Tile::team_size) {
    return tile_teams<Math::max(adding_team, Tile::team_size)>(
        "Sporos::spread", exec, league, Tile::scratch_bytes(), team_size);
  };
  T* slots                = nullptr;
  const std::size_t parts = bins.part_bound();
  if (parts > 0) {
    const ProfilingRegion region("Sporos::spread::stage");
    slots =
        typed_scratch<T>(exec, slot_space, parts * Tile::size * group.images());
    const SpreadTeamParts<Tile> kernel{tile, bins.parts, bins.counts, slots};
    Kokkos::parallel_for("Sporos::spread::tiled_parts", teams(int(parts)),
                         kernel);
    using Sum = SumTeamParts<Tile>;
    Kokkos::parallel_for(
        "Sporos::spread::sum_parts",
        tile_teams<Sum::threads>(
            "Sporos::spread", exec, int(parts),
            Tile::template ScratchView<T>::shmem_size(Sum::threads)),
        Sum{bins.parts, bins.counts, slots, group.images()});
  }
  const ProfilingRegion region("Sporos::spread::sum");
  if (bins.all_in_parts()) {
    using Add = AddTeamImages<Tile>;
    Kokkos::parallel_for(
        "Sporos::spread::add_images",
        tile_teams<Add::team_size>("Sporos::spread", exec,
                                   int(bins.cells.tile_count()),
                                   Add::scratch_bytes()),
        Add{tile, bins.cells, bins.ranges, bins.counts, slots});
    return;
  }
  // most tiles are cut: many threads each add the sums of their parts
  const bool most_cut = bins.n / bins.part_points() > bins.tile_bound();
  const int adding    = most_cut ? adding_team : Tile::team_size;
  // a team takes several tiles where many of them can hold few points alone
  const int most = Math::max(1, Math::max(exec.concurrency() / Tile::team_size,
                                          bins.n / points_a_team));
  for (int c = 0; c < Bins::Cells::colors; ++c) {
    const int league = Math::min(bins.color_bound(c), most);
    if (league == 0) continue;
    const SpreadTeamTiles<Tile> kernel{
        tile, bins.cells, bins.ranges, bins.by_color, bins.counts, slots, c};
    Kokkos::parallel_for("Sporos::spread::tiled", teams(league, adding),
                         kernel);
  }
}

}  // namespace Impl
}  // namespace Sporos

#endif
