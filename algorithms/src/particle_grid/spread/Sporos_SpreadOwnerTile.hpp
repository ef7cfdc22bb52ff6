// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SPREADOWNERTILE_HPP
#define SPOROS_SPREADOWNERTILE_HPP

/// \file Sporos_SpreadOwnerTile.hpp
/// A team sums up what the points near a block of grid points add to it.

#include <particle_grid/bins/Sporos_ParticleBins.hpp>
#include <particle_grid/spread/Sporos_OwnerPoints.hpp>
#include <particle_grid/spread/Sporos_StagedPoint.hpp>
#include <particle_grid/stencil/Sporos_Weights.hpp>
#include <particle_grid/tiles/Sporos_TeamTile.hpp>
#include <particle_grid/tiles/Sporos_TileOwners.hpp>

#include <cstddef>
#include <cstdint>

namespace Sporos {
namespace Impl {

template <class Real, class Delta, class Group_, class Exec>
struct SpreadOwnerTile {
  using Group                  = Group_;
  using T                      = typename Group::T;
  static constexpr int Dim     = Group::dim;
  static constexpr int Support = Delta::support;
  using Points                 = TilePoints<Dim, Real, Support>;
  using Shape                  = TileShape<Dim, Support, false>;
  using Owners                 = TileOwners<Dim, Real, Support>;
  using Rows                   = OwnerRows<Dim, Support>;
  using Near                   = OwnerPoints<Dim, Real, Support>;
  using Threads                = OwnerThreads<Dim, Support>;
  /// Components that share weights, at most, and passes with other weights
  static constexpr int most  = Group::sets == 1 ? Group::most : Group::parts;
  static constexpr int terms = Group::sets == 1 ? 1 : Group::terms;
  using Staged               = StagedPoint<T, Dim, Support, most>;
  using Piece                = typename Staged::Piece;
  /// Grid points of a block
  static constexpr int size = 1 << Shape::log2_cells;
  /// The threads that own grid points, in whole warps
  static constexpr int team_size = Math::max(
      least_owner_team, ceil_div(Threads::count, warp_threads) * warp_threads);
  /// Points that are staged at a time, in scratch that the block needs, too
  static constexpr int slots =
      Math::min(most_staged_by_owners,
                Math::max(int(sizeof(T)) * size, owner_staging_bytes) /
                    int(sizeof(Piece)) / Staged::pieces / staged_points_step *
                    staged_points_step);
  static_assert(slots > 0, "see owner_staging_bytes");
  template <class V>
  using ScratchView = Kokkos::View<V*, typename Exec::scratch_memory_space,
                                   Kokkos::MemoryUnmanaged>;
  using Sums        = T[most][owned_row];

  Delta delta;
  TiledPoints<Dim, Real, Support, Group::sets> points;
  Group group;
  T factor;

  /// The scratch of a team
  struct Scratch {
    static constexpr int pieces =
        Math::max(slots * Staged::pieces, size / Staged::lanes);
    ScratchView<Piece> staged;
    ScratchView<int> starts;  ///< staged points before a piece of rows
    ScratchView<int> firsts;  ///< sorted point of a piece of rows
    ScratchView<int> near;    ///< of near tiles: begins and ends of their
                              ///< points, indices of ranges
    ScratchView<std::uint16_t> pieces_of;  ///< the piece of a staged point

    template <class Member>
    KOKKOS_FUNCTION explicit Scratch(const Member& team)
        : staged(team.team_scratch(0), pieces),
          starts(team.team_scratch(0), Rows::listed + 1),
          firsts(team.team_scratch(0), Rows::listed),
          near(team.team_scratch(0), 3 * Owners::most_near),
          pieces_of(team.team_scratch(0), slots) {}

    static std::size_t bytes() {
      return ScratchView<Piece>::shmem_size(pieces) +
             ScratchView<int>::shmem_size(Rows::listed + 1) +
             ScratchView<int>::shmem_size(Rows::listed) +
             ScratchView<int>::shmem_size(3 * Owners::most_near) +
             ScratchView<std::uint16_t>::shmem_size(slots);
    }

    KOKKOS_FORCEINLINE_FUNCTION T* numbers() const {
      return reinterpret_cast<T*>(staged.data());
    }
    KOKKOS_FORCEINLINE_FUNCTION int* begins() const { return near.data(); }
    KOKKOS_FORCEINLINE_FUNCTION int* ends() const {
      return near.data() + Owners::most_near;
    }
    KOKKOS_FORCEINLINE_FUNCTION int* indices() const {
      return near.data() + 2 * Owners::most_near;
    }
  };

  /// Do points of a part reach the grid points that begin so many cells after
  /// its tile in the last direction?
  KOKKOS_FUNCTION bool reaches(const PointRange& part, int after) const {
    int extra = 0;
    for (const auto& shift : points.shifts.of_set)
      extra = Math::max(extra, shift.extra[Dim - 1]);
    const int last =
        Owners::Cells::local_cell(points.locals[part.end - 1], Dim - 1);
    return last + Support - 1 + extra >= after;
  }

  /// The layers of a block in which a part has points
  KOKKOS_FUNCTION typename Rows::Layers layers(
      const Owners& owners, const typename Owners::Block& block,
      const PointRange& part) const {
    if constexpr (Dim < 3) {
      return {0, 1};
    } else {
      const auto& cells = owners.cells;
      const bool laps   =  // the block meets itself
          cells.wraps[2] && cells.cells[2] <= Shape::extent(2) + Support;
      if (laps) return {0, Rows::layers};
      const int below = Support - block.after[2];
      const int first = Owners::Cells::local_cell(points.locals[part.begin], 2);
      const int last =
          Owners::Cells::local_cell(points.locals[part.end - 1], 2);
      return {Math::max(0, first + below),
              Math::min(Rows::layers, last + below + 1)};
    }
  }

  /// Sums up what the points of the near tiles (scratch.near) in some layers
  /// add to a block.
  /// Calls store.put_image(team, image, sums) with the sums of all its grid
  /// points, those along direction 0 side by side. image: see TransferGroup
  template <class Member, class Store>
  KOKKOS_FUNCTION void sum_block(const Member& team, const Owners& owners,
                                 const typename Owners::Block& block,
                                 const typename Rows::Layers& layers,
                                 const Scratch& scratch,
                                 const Store& store) const {
    Sums sums = {};
    for (int term = 0; term < terms; ++term) {
      const int c     = term * Group::parts;
      const auto seen = Points::template component<Group>(points, c);
      Near near{owners,         points.locals, scratch.begins(),
                scratch.ends(), block,         {}};
      for (int k = 0; k < Dim; ++k)
        near.reach[k] = Support - 1 + seen.shift.extra[k];
      for (int pass = 0;; ++pass) {
        const auto below = near.below(pass);
        if (pass > 0 && !below.any) break;
        const int first =
            Dim > 2 ? Math::max(layers.first, Support - near.reach[2]) : 0;
        for (int layer = first; layer < layers.end;
             layer += Rows::listed_layers)
          add_layers(team, seen, c, near, below, pass, layer, layers.end,
                     scratch, sums);
      }
      if (Group::derives && term + 1 < terms) continue;
      store_images(team, Group::derives ? 0 : c, scratch, sums, store);
    }
  }

 private:
  /// Components that share weights
  KOKKOS_FORCEINLINE_FUNCTION int used() const {
    return Group::sets == 1 ? group.used() : most;
  }

  /// Adds the points of the layers from `layer` on, up to the end or as many as
  /// are listed at a time.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void add_layers(
      const Member& team, const Points& seen, int c, const Near& near,
      const typename Near::Below& below, int pass, int layer, int end_layer,
      const Scratch& scratch, Sums& sums) const {
    const int pieces =
        Math::min(Rows::listed, (end_layer - layer) * Rows::layer);
    const int share = ceil_div(pieces, team.team_size());
    const int low   = Math::min(pieces, team.team_rank() * share);
    const int high  = Math::min(pieces, low + share);
    int found       = 0;
    for (int e = low; e < high; ++e) {
      int first         = 0;
      const int n       = near.find(below, pass, layer, e, first);
      scratch.starts(e) = n;
      scratch.firsts(e) = first;
      found += n;
    }
    int start = team.team_scan(found);
    for (int e = low; e < high; ++e) {
      const int n       = scratch.starts(e);
      scratch.starts(e) = start;
      start += n;
    }
    if (low < high && high == pieces) scratch.starts(pieces) = start;
    team.team_barrier();
    const int first = scratch.starts(low), last = scratch.starts(high);
    for (int from = 0, l = 0; l * Rows::layer < pieces;) {
      const int n = batch(scratch, pieces, from, l);
      if (first < from + n && last > from)
        for (int e = low; e < high; ++e) {
          const int end = Math::min(scratch.starts(e + 1), from + n);
          for (int p = Math::max(scratch.starts(e), from); p < end; ++p)
            scratch.pieces_of(p - from) = std::uint16_t(e);
        }
      team.team_barrier();
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n), [&](int slot) {
        const int e = scratch.pieces_of(slot);
        stage(seen, c, below, e,
              scratch.firsts(e) + from + slot - scratch.starts(e),
              scratch.numbers() + slot * Staged::pitch);
      });
      team.team_barrier();
      if (n > 0) add_staged(team, near, layer, from, n, scratch, sums);
      team.team_barrier();
      from += n;
    }
  }

  /// Points of a batch that begins with point `from` in listed layer l: those
  /// of whole layers, so that a thread visits a row once, unless one has more.
  /// Moves l to the layer after them.
  KOKKOS_FORCEINLINE_FUNCTION int batch(const Scratch& scratch, int pieces,
                                        int from, int& l) const {
    int n = 0;
    for (bool fits = true; fits && l * Rows::layer < pieces;) {
      const int all = scratch.starts((l + 1) * Rows::layer) - from;
      fits          = all <= slots;
      if (fits || n == 0) n = Math::min(all, slots);
      if (fits) ++l;
    }
    return n;
  }

  /// Weights and values of sorted point i, of piece e
  KOKKOS_FUNCTION void stage(const Points& seen, int c,
                             const typename Near::Below& below, int e, int i,
                             T* to) const {
    const int place           = points.places(i);
    const std::uint32_t local = points.locals[i];
    T scale                   = factor;
    if constexpr (Staged::folds) scale *= T(group.value(c, place));
    Real r[Dim];
    int cells[Dim];
    SPOROS_UNROLL
    for (int k = 0; k < Dim; ++k) cells[k] = seen.locate(i, local, k, r[k]);
    SPOROS_UNROLL
    for (int k = 0; k < Dim; ++k) {
      T w[Support];
      scalar_weights(delta, Group::set(c, k), k, T(r[k]), w);
      if (k == Dim - 1 && Staged::folds) {
        SPOROS_UNROLL
        for (int j = 0; j < Support; ++j) w[j] *= scale;
      }
      if (k == 0)
        stage_row(cells[k] - first_cell(below, e % Rows::pieces), w, to);
      else
        stage_weights(cells[k] - Points::Cells::local_cell(local, k), w,
                      to + (k == 1 ? Staged::y : Staged::z));
    }
    if constexpr (!Staged::folds) {
      SPOROS_UNROLL
      for (int part = 0; part < most; ++part)
        if (part < used())
          to[Staged::values + part] = factor * T(group.value(c + part, place));
    }
  }

  /// The cell in the tile at which the weights of a piece begin
  KOKKOS_FORCEINLINE_FUNCTION static int first_cell(
      const typename Near::Below& below, int piece) {
    if (piece == 0) return below.before;
    return Threads::columns == 1 ? 0 : (piece - 1) * owned_row;
  }

  /// Weights of direction 0 from `place` on; the part that is read
  KOKKOS_FORCEINLINE_FUNCTION static void stage_row(int place,
                                                    const T (&w)[Support],
                                                    T* to) {
    Piece* const whole = reinterpret_cast<Piece*>(to);
    SPOROS_UNROLL
    for (int j = 0; j < Staged::x_size / Staged::lanes; ++j) whole[j] = Piece{};
    SPOROS_UNROLL
    for (int j = 0; j < Support; ++j)
      if (unsigned(place + j) < unsigned(Staged::x_size)) to[place + j] = w[j];
  }
  /// Weights of direction 1 or 2. carry: 0 or 1
  KOKKOS_FORCEINLINE_FUNCTION static void stage_weights(int carry,
                                                        const T (&w)[Support],
                                                        T* to) {
    to[carry == 0 ? Support : 0] = 0;
    SPOROS_UNROLL
    for (int j = 0; j < Support; ++j) to[carry + j] = w[j];
  }

  /// Adds n staged points to the grid points of this thread, in order. They are
  /// the points from number `from` on of the layers that are listed.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void add_staged(const Member& team,
                                              const Near& near, int layer,
                                              int from, int n,
                                              const Scratch& scratch,
                                              Sums& sums) const {
    if (team.team_rank() >= Threads::count) return;
    const Threads own(team.team_rank());
    const int last = scratch.pieces_of(n - 1) / Rows::layer;
    for (int l = scratch.pieces_of(0) / Rows::layer; l <= last; ++l) {
      // in a layer so many cells below the row
      const int z = Dim > 2 ? own.z + Support - (layer + l) : 0;
      if (Dim > 2 && unsigned(z) > unsigned(near.reach[2])) continue;
      const int low     = own.y / Threads::side_y * Threads::side_y;
      const int row_end = Dim > 1 ? low + Threads::side_y : 1;
      for (int row = Dim > 1 ? low - near.reach[1] : 0; row < row_end; ++row) {
        const int y = Dim > 1 ? own.y - row : 0;
        if (Dim > 1 && unsigned(y) > unsigned(near.reach[1])) continue;
        const int e =
            (l * Rows::rows + (Dim > 1 ? row + Support : 0)) * Rows::pieces;
        add_row(own.column, e, y, z, from, n, scratch, sums);
      }
    }
  }

  /// Adds those of a row, whose pieces begin with e, to this thread's column. y
  /// and z: how far its grid points are after the row
  KOKKOS_FORCEINLINE_FUNCTION void add_row(int column, int e, int y, int z,
                                           int from, int n,
                                           const Scratch& scratch,
                                           Sums& sums) const {
    if constexpr (Threads::columns == 1) {
      add_points(e, e + Rows::pieces, 0, y, z, from, n, scratch, sums);
    } else {
      const int first = column < Staged::reach ? 0 : 1 + column - Staged::reach;
      for (int p = first; p <= column + 1; ++p)
        add_points(e + p, e + p + 1,
                   (column - (p == 0 ? 0 : p - 1)) * owned_row, y, z, from, n,
                   scratch, sums);
    }
  }

  /// x: where its weights of direction 0 are
  KOKKOS_FORCEINLINE_FUNCTION void add_points(int e, int e_end, int x, int y,
                                              int z, int from, int n,
                                              const Scratch& scratch,
                                              Sums& sums) const {
    const int begin = Math::max(scratch.starts(e) - from, 0);
    const int end   = Math::min(scratch.starts(e_end) - from, n);
    const T* point  = scratch.numbers() + begin * Staged::pitch;
    for (int p = begin; p < end; ++p, point += Staged::pitch) {
      T weight = 1;
      if constexpr (Dim > 1) weight = point[Staged::y + y];
      if constexpr (Dim > 2) weight *= point[Staged::z + z];
      const Piece* const row = reinterpret_cast<const Piece*>(point + x);
      Piece w[owned_row / Staged::lanes];
      SPOROS_UNROLL
      for (int j = 0; j < owned_row / Staged::lanes; ++j) w[j] = row[j];
      SPOROS_UNROLL
      for (int part = 0; part < most; ++part) {
        if (!Staged::folds && part >= used()) continue;
        const T by =
            Staged::folds ? weight : weight * point[Staged::values + part];
        SPOROS_UNROLL
        for (int j = 0; j < owned_row; ++j)
          sums[part][j] += by * w[j / Staged::lanes].value[j % Staged::lanes];
      }
    }
  }

  /// Hands the sums to store, and zeroes them.
  template <class Member, class Store>
  KOKKOS_FORCEINLINE_FUNCTION void store_images(const Member& team, int c,
                                                const Scratch& scratch,
                                                Sums& sums,
                                                const Store& store) const {
    constexpr int plane = Shape::extent(0) * Shape::extent(1);
    SPOROS_UNROLL
    for (int part = 0; part < most; ++part) {
      if (part >= used()) continue;
      if (part > 0) team.team_barrier();  // all have read the image
      if (team.team_rank() < Threads::count) {
        const Threads own(team.team_rank());
        Piece* const row = reinterpret_cast<Piece*>(
            scratch.numbers() + own.z * plane + own.y * Shape::extent(0) +
            own.column * owned_row);
        SPOROS_UNROLL
        for (int j = 0; j < owned_row; ++j) {
          row[j / Staged::lanes].value[j % Staged::lanes] = sums[part][j];
          sums[part][j]                                   = 0;
        }
      }
      team.team_barrier();
      store.put_image(team, c + part, scratch.numbers());
    }
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
