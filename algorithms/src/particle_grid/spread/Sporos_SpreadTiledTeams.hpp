// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SPREADTILEDTEAMS_HPP
#define SPOROS_SPREADTILEDTEAMS_HPP

/// \file Sporos_SpreadTiledTeams.hpp
/// spread, algorithm `tiled` for many threads per team.
/// What: a team adds the points of a tile into an image of the tile plus halo
///   in scratch. Weights of a batch of points are staged in scratch; each
///   thread owns rows (in one and two dimensions pieces of rows) of the image
///   and visits, through the first point of every cell, just the points that
///   touch them: no atomics, a fixed order. Tiles of one colour run at once;
///   crowded tiles are summed in parts beforehand.
/// Cost: s^Dim additions to scratch per point, one pass over the image per
///   tile with points.
/// Wins: on GPUs, always.

#include <particle_grid/bins/Sporos_ParticleBins.hpp>
#include <particle_grid/stencil/Sporos_Weights.hpp>
#include <particle_grid/tiles/Sporos_TeamTile.hpp>

#include <cstddef>
#include <cstdint>

namespace Sporos {
namespace Impl {

template <class Real, class Delta, class Group_, class Exec, int Batch>
struct SpreadTeamTile {
  using Group                       = Group_;
  using T                           = typename Group::T;
  static constexpr int Dim          = Group::dim;
  static constexpr int Support      = Delta::support;
  using Points                      = TilePoints<Dim, Real, Support>;
  using Sizes                       = TeamTileShape<Dim, Support>;
  using Shape                       = TileShape<Dim, Support, false>;
  using Cells                       = TiledCells<Dim, Real, Support, false>;
  static constexpr int piece_points = Dim == 3 ? Sizes::extent(0) : 8;
  static constexpr int pieces       = ceil_div(Sizes::extent(0), piece_points) *
                                Sizes::extent(1) * Sizes::extent(2);
  static constexpr int weights_of_batch = Batch * Dim * Support;
  template <class V>
  using ScratchView = Kokkos::View<V*, typename Exec::scratch_memory_space,
                                   Kokkos::MemoryUnmanaged>;

  Delta delta;
  GroupTilePoints<Real, Support, Group> points;
  Group group;
  T factor;

  static std::size_t scratch_bytes() {
    return ScratchView<T>::shmem_size(Sizes::size) +
           ScratchView<T>::shmem_size(weights_of_batch) +
           ScratchView<int>::shmem_size(Sizes::cells + 1) +
           ScratchView<int>::shmem_size(Batch * Dim);
  }

  /// The scratch of a team
  struct Scratch {
    ScratchView<T> image, weights;
    ScratchView<int> first, cells;

    template <class Member>
    KOKKOS_FUNCTION explicit Scratch(const Member& team)
        : image(team.team_scratch(0), Sizes::size),
          weights(team.team_scratch(0), weights_of_batch),
          first(team.team_scratch(0), Sizes::cells + 1),
          cells(team.team_scratch(0), Batch * Dim) {}
  };

  /// scratch.image = sum of the points [begin, end) of component c
  template <class Member>
  KOKKOS_FUNCTION void accumulate(const Member& team, int c, int begin, int end,
                                  const Scratch& scratch) const {
    const Points seen = points.component(c);
    if (c > 0) team.team_barrier();  // all have read the image
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, Sizes::size),
                         [&](int i) { scratch.image(i) = 0; });
    if (c == 0) find_first_points(team, begin, end, scratch.first);
    for (int i = begin; i < end; i += Batch) {
      const int last = i + Batch < end ? i + Batch : end;
      team.team_barrier();
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, last - i),
                           [&](int p) { stage(seen, c, i, p, scratch); });
      team.team_barrier();
      Kokkos::parallel_for(
          Kokkos::TeamThreadRange(team, pieces),
          [&](int piece) { add_piece(seen, piece, i, last, scratch); });
    }
    team.team_barrier();
  }

 private:
  /// first(c): the first point whose cell in the tile is c or later
  template <class Member>
  KOKKOS_FUNCTION void find_first_points(const Member& team, int begin, int end,
                                         const ScratchView<int>& first) const {
    Kokkos::parallel_for(
        Kokkos::TeamThreadRange(team, end - begin + 1), [&](int j) {
          const int i    = begin + j;
          const int low  = j == 0 ? 0 : int(points.locals[i - 1]) + 1;
          const int high = i == end ? Sizes::cells : int(points.locals[i]);
          for (int c = low; c <= high; ++c) first(c) = i;
        });
  }

  /// weights and cell of point i + p
  KOKKOS_FUNCTION void stage(const Points& seen, int c, int i, int p,
                             const Scratch& scratch) const {
    const T strength = factor * T(group.value(c, points.places(i + p)));
    for (int k = 0; k < Dim; ++k) {
      Real r;
      scratch.cells(p * Dim + k) = seen.locate(i + p, k, r);
      T w[Support];
      scalar_weights(delta, T(r), w);
      const T scale = k == Dim - 1 ? strength : T(1);
      for (int j = 0; j < Support; ++j)
        scratch.weights((p * Dim + k) * Support + j) = w[j] * scale;
    }
  }

  /// Adds the staged points to the piece of a row that this thread owns.
  KOKKOS_FUNCTION void add_piece(const Points& seen, int piece, int batch_begin,
                                 int batch_end, const Scratch& scratch) const {
    const int* const first = &scratch.first(0);
    const int* const cells = &scratch.cells(0);
    const T* const weights = &scratch.weights(0);
    constexpr int per_row =
        (Sizes::extent(0) + piece_points - 1) / piece_points;
    const int x0 = piece % per_row * piece_points;
    const int y  = piece / per_row % Sizes::extent(1);
    const int z  = piece / per_row / Sizes::extent(1);
    T* const row =
        &scratch.image(0) + (z * Sizes::extent(1) + y) * Sizes::pitch;
    // cells before the carry that may reach the piece
    const int c0 = clamp(0, x0 - Support + 1 - seen.shift.extra[0]);
    const int c1 = clamp(0, x0 + piece_points + seen.shift.low[0]);
    if (c0 >= c1) return;
    int y0 = 0, y1 = 1, z0 = 0, z1 = 1;
    if constexpr (Dim > 1) {
      y0 = clamp(1, y - Support + 1 - seen.shift.extra[1]);
      y1 = clamp(1, y + 1 + seen.shift.low[1]);
    }
    if constexpr (Dim > 2) {
      z0 = clamp(2, z - Support + 1 - seen.shift.extra[2]);
      z1 = clamp(2, z + 1 + seen.shift.low[2]);
    }
    for (int cz = z0; cz < z1; ++cz)
      for (int cy = y0; cy < y1; ++cy) {
        int cell = 0;
        if constexpr (Dim > 1) cell += cy << Shape::log2_below(1);
        if constexpr (Dim > 2) cell += cz << Shape::log2_below(2);
        int p         = first[cell + c0];
        const int end = first[cell + c1];
        if (p < batch_begin) p = batch_begin;
        for (; p < end && p < batch_end; ++p)
          add_point(row, x0, y, z, cells + (p - batch_begin) * Dim,
                    weights + (p - batch_begin) * Dim * Support);
      }
  }

  KOKKOS_FORCEINLINE_FUNCTION static int clamp(int k, int c) {
    return c < 0 ? 0 : c > Shape::extent(k) ? Shape::extent(k) : c;
  }

  KOKKOS_FORCEINLINE_FUNCTION void add_point(T* row, int x0, int y, int z,
                                             const int* cell,
                                             const T* w) const {
    T factor_yz = 1;
    if constexpr (Dim > 1) {
      const int j = y - cell[1];
      if (j < 0 || j >= Support) return;
      factor_yz = w[Support + j];
    }
    if constexpr (Dim > 2) {
      const int j = z - cell[2];
      if (j < 0 || j >= Support) return;
      factor_yz *= w[2 * Support + j];
    }
    for (int j = 0; j < Support; ++j) {
      const int x = cell[0] + j;
      if (x >= x0 && x < x0 + piece_points) row[x] += factor_yz * w[j];
    }
  }
};

/// Sums the parts of tiles that are cut, each into slots of its own, one for
/// each component.
template <class Tile, class Counts>
struct SpreadTeamParts {
  using T = typename Tile::T;
  Tile tile;
  const PointRange* parts;
  Counts counts;
  T* slots;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int i = team.league_rank();
    if (i >= counts().parts) return;
    const typename Tile::Scratch scratch(team);
    for (int c = 0; c < tile.group.count; ++c) {
      tile.accumulate(team, c, parts[i].begin, parts[i].end, scratch);
      T* const slot =
          slots + (std::size_t(i) * tile.group.count + c) * Tile::Sizes::size;
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, Tile::Sizes::size),
                           [&](int j) { slot[j] = scratch.image(j); });
    }
  }
};

/// Adds the tiles of one colour to the field; each grid point by one thread.
template <class Tile, class Counts>
struct SpreadTeamTiles {
  using Sizes              = typename Tile::Sizes;
  using T                  = typename Tile::T;
  static constexpr int Dim = Tile::Dim;
  Tile tile;
  typename Tile::Cells cells;
  const PointRange* ranges;
  const int* by_color;
  Counts counts;
  const T* slots;
  int color;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int t = counts().color_begin[color] + team.league_rank();
    if (t >= counts().color_begin[color + 1]) return;
    const PointRange range = ranges[by_color[t]];
    const int components   = tile.group.count;
    if (range.slots > 0) {
      // no barrier: a thread adds to the same grid points each time
      for (int c = 0; c < components; ++c)
        for (int j = 0; j < range.slots; ++j)
          add(team, c, range.tile,
              slots +
                  (std::size_t(range.slot + j) * components + c) * Sizes::size);
    } else {
      const typename Tile::Scratch scratch(team);
      for (int c = 0; c < components; ++c) {
        tile.accumulate(team, c, range.begin, range.end, scratch);
        add(team, c, range.tile, &scratch.image(0));
      }
    }
  }

 private:
  template <class Member>
  KOKKOS_FUNCTION void add(const Member& team, int component,
                           std::uint64_t number, const T* image) const {
    const FieldAccess<T, Dim> field = tile.group.field_of(component);
    const auto shift                = tile.points.component(component).shift;
    int cell[Dim];
    cells.first_cell(number, cell);
    // grid points that the image covers, each once, and how often it wraps
    int first[3] = {0, 0, 0}, count[3] = {1, 1, 1}, period[3] = {1, 1, 1};
    int extent[3] = {1, 1, 1};
    for (int k = 0; k < Dim; ++k) {
      first[k]  = first_touched(cells, shift, k, cell[k]);
      extent[k] = Sizes::extent(k);
      period[k] = field.ghosts[k] != 0 ? extent[k] : field.points[k];
      count[k]  = extent[k] < period[k] ? extent[k] : period[k];
    }
    Kokkos::parallel_for(
        Kokkos::TeamThreadRange(team, count[0] * count[1] * count[2]),
        [&](int i) {
          const int x  = i % count[0];
          const int y  = i / count[0] % count[1];
          const int z  = i / count[0] / count[1];
          const int gx = field.index(0, first[0] + x);
          const int gy = field.index(1, first[1] + y);
          const int gz = field.index(2, first[2] + z);
          if (gx < 0 || gy < 0 || gz < 0) return;
          T sum = 0;
          for (int c = z; c < extent[2]; c += period[2])
            for (int b = y; b < extent[1]; b += period[1])
              for (int a = x; a < extent[0]; a += period[0])
                sum += image[(c * Sizes::extent(1) + b) * Sizes::pitch + a];
          if (sum != T(0))
            field.data[gx * field.stride[0] + gy * field.stride[1] +
                       gz * field.stride[2]] += sum;
        });
  }
};

/// Points that are staged at a time: as many as scratch has room for, which is
/// 32 KiB on hosts and, on CUDA, what Kokkos leaves of 48 KiB.
template <class Exec, class T, int Dim, int Support>
constexpr int team_batch() {
  using Sizes = TeamTileShape<Dim, Support>;
  if (is_host_space_v<Exec>) return 16;
  int batch        = Support <= 4 ? 128 : 64;
  const auto bytes = [&] {
    return (Sizes::size + batch * Dim * Support) * int(sizeof(T)) +
           (Sizes::cells + 1 + batch * Dim) * int(sizeof(int)) + 64;
  };
  while (batch > 1 && bytes() > 40944) batch /= 2;
  return batch;
}

/// fields += spread strengths
template <class Exec, int Dim, class Real, class Delta, class Group,
          class Slots>
void spread_tiled_device(
    const Exec& exec,
    const ParticleBins<Exec, Dim, Real, Delta::support, false>& bins,
    const Delta& delta, const Group& group, typename Group::T factor,
    Slots& slot_space) {
  using T             = typename Group::T;
  constexpr int s     = Delta::support;
  constexpr int batch = team_batch<Exec, T, Dim, s>();
  using Tile          = SpreadTeamTile<Real, Delta, Group, Exec, batch>;
  using Bins          = ParticleBins<Exec, Dim, Real, s, false>;
  using Count         = typename Bins::Count;
  const Tile tile{delta, {bins, group}, group, factor};
  const auto teams = [&](int league) {
    return tile_teams("Sporos::spread", exec, league, Tile::scratch_bytes());
  };
  T* slots                = nullptr;
  const std::size_t parts = bins.part_bound();
  if (parts > 0) {
    slots = typed_scratch<T>(exec, slot_space,
                             parts * Tile::Sizes::size * group.count);
    const SpreadTeamParts<Tile, Count> kernel{tile, bins.parts.data(),
                                              bins.counts, slots};
    Kokkos::parallel_for("Sporos::spread::tiled_parts", teams(int(parts)),
                         kernel);
  }
  for (int c = 0; c < Bins::Cells::colors; ++c) {
    const int league = bins.color_bound(c);
    if (league == 0) continue;
    const SpreadTeamTiles<Tile, Count> kernel{tile,
                                              bins.cells,
                                              bins.ranges.data(),
                                              bins.by_color.data(),
                                              bins.counts,
                                              slots,
                                              c};
    Kokkos::parallel_for("Sporos::spread::tiled", teams(league), kernel);
  }
}

}  // namespace Impl
}  // namespace Sporos

#endif
