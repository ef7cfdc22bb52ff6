// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SPREADTEAMTILE_HPP
#define SPOROS_SPREADTEAMTILE_HPP

/// \file Sporos_SpreadTeamTile.hpp
/// A team adds the points of a tile into an image of it in scratch.

#include <particle_grid/bins/Sporos_ParticleBins.hpp>
#include <particle_grid/stencil/Sporos_Weights.hpp>
#include <particle_grid/tiles/Sporos_TeamTile.hpp>

#include <cstddef>
#include <cstdint>

namespace Sporos {
namespace Impl {

/// How the points of a tile are shared out: a tile has outer * inner units of
/// consecutive cells. Units apart() from one another in either direction touch
/// different grid points.
template <int Dim, int Support>
struct TeamUnits {
  using Shape = TileShape<Dim, Support, false>;

  static constexpr bool rows = Dim == 2 || (Dim == 3 && Support <= 4);
  static constexpr int log2_cells =
      rows ? Shape::log2_below(1) : (Dim == 1 ? 3 : Shape::log2_below(2));
  static constexpr int count = 1 << (Shape::log2_cells - log2_cells);
  static constexpr int outer = Dim < 3 ? 1 : Shape::extent(2);
  static constexpr int inner = count / outer;

  /// extra: 1 if points may carry into the next cell
  KOKKOS_FUNCTION static constexpr int outer_apart(int extra) {
    return outer == 1 ? 1 : Support + extra;
  }
  KOKKOS_FUNCTION static constexpr int inner_apart(int extra) {
    return inner == 1 ? 1 : Dim == 1 ? 2 : Support + extra;
  }
  static constexpr int inner_groups = ceil_div(inner, inner_apart(0));
  static constexpr int groups = inner_groups * ceil_div(outer, outer_apart(0));
  /// threads of a group
  static constexpr int lanes   = Support * (Dim > 1 ? Support : 1);
  static constexpr int threads = groups * lanes;
};

template <class Real, class Delta, class Group_, class Exec>
struct SpreadTeamTile {
  using Group                  = Group_;
  using T                      = typename Group::T;
  static constexpr int Dim     = Group::dim;
  static constexpr int Support = Delta::support;
  using Points                 = TilePoints<Dim, Real, Support>;
  using Sizes                  = TeamTileShape<Dim, Support>;
  using Cells                  = TiledCells<Dim, Real, Support, false>;
  using Units                  = TeamUnits<Dim, Support>;
  /// The image; its rows follow one another.
  static constexpr int pitch = Sizes::extent(0);
  static constexpr int plane = pitch * Sizes::extent(1);
  static constexpr int size  = plane * Sizes::extent(2);
  static_assert(size < 1 << 16, "places have 16 bits for the image");
  /// What is staged of a point: weights (an odd number of them: no bank
  /// conflicts) and its place.
  static constexpr int weights_of_point = (Dim * Support) | 1;
  /// Points that are staged at a time: as many as fit into scratch with the
  /// image.
  static constexpr int fitting = (tile_team_bytes - size * int(sizeof(T))) /
                                 (weights_of_point * int(sizeof(T)) + 4);
  static constexpr int slots =
      fitting < most_staged_points
          ? fitting / staged_points_step * staged_points_step
          : most_staged_points;
  static_assert(slots >= Units::groups && slots * slots <= 1 << 16,
                "see inverse");
  template <class V>
  using ScratchView = Kokkos::View<V*, typename Exec::scratch_memory_space,
                                   Kokkos::MemoryUnmanaged>;

  Delta delta;
  TiledPoints<Dim, Real, Support, Group::sets> points;
  Group group;
  T factor;

  /// The threads of all groups, in whole warps, and enough to stage points
  static constexpr int team_size = Math::max(
      least_spread_team, ceil_div(Units::threads, warp_threads) * warp_threads);

  static std::size_t scratch_bytes() {
    return ScratchView<T>::shmem_size(size) +
           ScratchView<T>::shmem_size(slots * weights_of_point) +
           ScratchView<int>::shmem_size(3 * Units::count + 1) +
           ScratchView<std::uint32_t>::shmem_size(slots);
  }

  /// The scratch of a team
  struct Scratch {
    ScratchView<T> image, weights;
    ScratchView<int> units;
    ScratchView<std::uint32_t> places;

    template <class Member>
    KOKKOS_FUNCTION explicit Scratch(const Member& team)
        : image(team.team_scratch(0), size),
          weights(team.team_scratch(0), slots * weights_of_point),
          units(team.team_scratch(0), 3 * Units::count + 1),
          places(team.team_scratch(0), slots) {}
  };

  /// scratch.image = sums of image c (see Group::images) of part number `part`
  /// of the parts of a tile with the sorted points [begin, end). A part has a
  /// share of the points of each unit.
  template <class Member>
  KOKKOS_FUNCTION void accumulate(const Member& team, int c, int begin, int end,
                                  int part, int parts,
                                  const Scratch& scratch) const {
    if (c > 0) team.team_barrier();  // all have read the image
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, size),
                         [&](int i) { scratch.image(i) = 0; });
    if (c == 0) find_units(team, begin, end, part, parts, &scratch.units(0));
    team.team_barrier();
    for (int component = c; component < (Group::derives ? group.used() : c + 1);
         component += Group::most_images) {
      const auto seen = Points::template component<Group>(points, component);
      const Phases phases(&scratch.units(0), seen.shift);
      for (int phase = 0; phase < phases.count();)
        phase += add_phases(team, seen, component, phases, phase, scratch);
    }
  }

 private:
  /// n / d = n * inverse >> 16 for n * d < 2^16
  KOKKOS_FORCEINLINE_FUNCTION static int inverse(int d) {
    return (1 << 16) / d + 1;
  }

  /// In each phase a group takes one unit, far enough from those of the others.
  struct Phases {
    const int *begins, *ends;  ///< of the points of units
    int outer_apart, inner_apart, inverse_inner;

    template <class Shift>
    KOKKOS_FUNCTION Phases(const int* units, const Shift& shift)
        : begins(units),
          ends(units + Units::count),
          outer_apart(Units::outer_apart(shift.extra[Dim - 1])),
          inner_apart(Units::inner_apart(shift.extra[Dim > 1])),
          inverse_inner(inverse(inner_apart)) {}

    KOKKOS_FUNCTION int count() const { return outer_apart * inner_apart; }
    /// The unit of a group, negative if there is none
    KOKKOS_FORCEINLINE_FUNCTION int unit(int phase, int g) const {
      const int row = phase * inverse_inner >> 16;
      const int o   = row + g / Units::inner_groups * outer_apart;
      const int i =
          phase - row * inner_apart + g % Units::inner_groups * inner_apart;
      const bool is_one =
          g < Units::groups && o < Units::outer && i < Units::inner;
      return is_one ? o * Units::inner + i : -1;
    }
    KOKKOS_FORCEINLINE_FUNCTION int points(int unit) const {
      return unit < 0 ? 0 : ends[unit] - begins[unit];
    }
    /// Points of the unit that has most
    KOKKOS_FORCEINLINE_FUNCTION int most(int phase) const {
      int n = 0;
      SPOROS_UNROLL
      for (int g = 0; g < Units::groups; ++g)
        n = Math::max(n, points(unit(phase, g)));
      return n;
    }
  };

  /// Where the points of units begin in the part, and where they end
  template <class Member>
  KOKKOS_FUNCTION void find_units(const Member& team, int begin, int end,
                                  int part, int parts, int* units) const {
    constexpr int count = Units::count;
    int* const first    = units + 2 * count;  // point of a unit in the tile
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, count + 1), [&](int u) {
      first[u] = partition_point(begin, end, [&](int i) {
        return int(points.locals[i]) >> Units::log2_cells < u;
      });
    });
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, count), [&](int u) {
      const auto n = std::int64_t(first[u + 1] - first[u]);
      units[u]     = first[u] + (parts == 1 ? 0 : int(n * part / parts));
      units[count + u] =
          parts == 1 ? first[u + 1] : first[u] + int(n * (part + 1) / parts);
    });
  }

  /// Adds the points of some phases from `phase` on: of as many as have slots
  /// for all of their points, or of one in batches.
  /// \return how many phases
  template <class Member>
  KOKKOS_FUNCTION int add_phases(const Member& team, const Points& seen, int c,
                                 const Phases& phases, int phase,
                                 const Scratch& scratch) const {
    constexpr int groups = Units::groups;
    int together = 1, most = phases.most(phase);
    if (most > slots / groups) {
      add_crowded(team, seen, c, phases, phase, most, scratch);
      return 1;
    }
    while (phase + together < phases.count()) {
      const int n = Math::max(most, phases.most(phase + together));
      if (n > slots / (groups * (together + 1))) break;
      most = n;
      ++together;
    }
    if (most == 0) return together;
    const int per_unit = inverse(most);
    Kokkos::parallel_for(
        Kokkos::TeamThreadRange(team, together * groups * most), [&](int s) {
          const int row  = s * per_unit >> 16;
          const int unit = phases.unit(phase + row / groups, row % groups);
          const int p    = s - row * most;
          if (p < phases.points(unit))
            stage(seen, c, phases.begins[unit] + p, s, scratch);
        });
    team.team_barrier();
    const int g = group_of(team);
    for (int k = 0; k < together; ++k) {
      add_points(team, (k * groups + g) * most,
                 phases.points(phases.unit(phase + k, g)), scratch);
      team.team_barrier();
    }
    return together;
  }

  /// Adds the points of one phase that do not fit into the slots, some points
  /// of each unit at a time. Only units with points have slots.
  template <class Member>
  KOKKOS_FUNCTION void add_crowded(const Member& team, const Points& seen,
                                   int c, const Phases& phases, int phase,
                                   int most, const Scratch& scratch) const {
    int busy = 0;
    for (int g = 0; g < Units::groups; ++g)
      if (phases.points(phases.unit(phase, g)) > 0) ++busy;
    const int batch = slots / busy, per_unit = inverse(batch);
    int slot = 0;  // of the first point of this thread's group
    for (int g = 0; g < group_of(team) && g < Units::groups; ++g)
      if (phases.points(phases.unit(phase, g)) > 0) slot += batch;
    const int mine = phases.points(phases.unit(phase, group_of(team)));
    for (int skip = 0; skip < most; skip += batch) {
      Kokkos::parallel_for(
          Kokkos::TeamThreadRange(team, batch * busy), [&](int s) {
            const int row = s * per_unit >> 16;
            const int p   = skip + s - row * batch;
            int unit = -1, before = row;
            for (int g = 0; g < Units::groups; ++g) {
              const int of_group = phases.unit(phase, g);
              if (phases.points(of_group) > 0 && before-- == 0) unit = of_group;
            }
            if (p < phases.points(unit))
              stage(seen, c, phases.begins[unit] + p, s, scratch);
          });
      team.team_barrier();
      add_points(team, slot, Math::min(mine - skip, batch), scratch);
      team.team_barrier();
    }
  }

  /// The group of a thread; those without one get a number above.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION static int group_of(const Member& team) {
    return team.team_rank() / Units::lanes;
  }

  /// Weights of point i and the place of its first grid point in the image, at
  /// `slot`. In the directions along which lanes lie, the grid point x is
  /// number x % Support. Bits 0 to 15 of a place are that of the first grid
  /// point in the image, 16 to 23 and 24 to 31 its numbers.
  KOKKOS_FUNCTION void stage(const Points& seen, int c, int i, int slot,
                             const Scratch& scratch) const {
    const T strength = factor * T(group.value(c, points.places(i)));
    T* const weights = &scratch.weights(0) + slot * weights_of_point;
    int first[3]     = {};
    Real r[Dim];
    SPOROS_UNROLL
    for (int k = 0; k < Dim; ++k) first[k] = seen.locate(i, k, r[k]);
    scratch.places(slot) =
        unsigned(first[0] + first[1] * pitch + first[2] * plane) |
        unsigned(first[0]) % Support << 16 | unsigned(first[1]) % Support << 24;
    SPOROS_UNROLL
    for (int k = 0; k < Dim; ++k) {
      T w[Support];
      scalar_weights(delta, Group::set(c, k), k, T(r[k]), w);
      const T scale = k == Dim - 1 ? strength : T(1);
      int number    = k < 2 ? int(unsigned(first[k]) % Support) : 0;
      SPOROS_UNROLL
      for (int j = 0; j < Support; ++j) {
        weights[k * Support + number] = w[j] * scale;
        number                        = next_lane(number);
      }
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION static int next_lane(int a) {
    if constexpr ((Support & (Support - 1)) == 0)
      return (a + 1) & (Support - 1);
    else
      return a + 1 < Support ? a + 1 : 0;
  }

  /// What a lane reads of a staged point
  struct Staged {
    static constexpr int planes = Dim > 2 ? Support : 1;
    T* image;
    T wx, wy, wz[planes];

    /// w: weights of the point
    KOKKOS_FORCEINLINE_FUNCTION Staged(T* tile, unsigned place, const T* w,
                                       int a, int b) {
      image = tile + (place & 0xffff) + after(a, int(place >> 16 & 0xff)) +
              (Dim > 1 ? after(b, int(place >> 24)) * pitch : 0);
      wx = w[a];
      wy = Dim > 1 ? w[Support + b] : T(1);
      SPOROS_UNROLL
      for (int j = 0; j < planes; ++j)
        wz[j] = Dim > 2 ? w[(Dim > 2 ? 2 : 0) * Support + j] : T(1);
    }
  };

  /// Grid points from number `from` to number a, modulo the support
  KOKKOS_FORCEINLINE_FUNCTION static int after(int a, int from) {
    if constexpr ((Support & (Support - 1)) == 0)
      return (a - from) & (Support - 1);
    else
      return a < from ? a - from + Support : a - from;
  }

  /// Adds n staged points to the grid points of this thread's lane of its
  /// group. Keeps the sums in registers as long as points that follow one
  /// another share grid points.
  template <class Member>
  KOKKOS_FUNCTION void add_points(const Member& team, int slot, int n,
                                  const Scratch& scratch) const {
    if (n <= 0) return;
    constexpr int planes = Staged::planes;
    const int lane       = team.team_rank() % Units::lanes;
    const int a = lane % Support, b = lane / Support;
    const T* w                 = &scratch.weights(slot * weights_of_point);
    const std::uint32_t* place = &scratch.places(slot);
    T* const tile              = &scratch.image(0);
    Staged point(tile, *place, w, a, b);
    T* image = point.image;
    T sum[planes];
    const auto load = [&] {
      SPOROS_UNROLL
      for (int j = 0; j < planes; ++j) sum[j] = image[j * plane];
    };
    const auto store = [&] {
      SPOROS_UNROLL
      for (int j = 0; j < planes; ++j) image[j * plane] = sum[j];
    };
    load();
    for (int p = 0; p < n; ++p) {
      // the next point is read before the image is written
      if (p + 1 < n) {
        ++place;
        w += weights_of_point;
      }
      const Staged next(tile, *place, w, a, b);
      if (point.image != image) {
        store();
        image = point.image;
        load();
      }
      if constexpr (Dim == 3) {
        const T wxy = point.wx * point.wy;
        SPOROS_UNROLL
        for (int j = 0; j < planes; ++j) sum[j] += wxy * point.wz[j];
      } else if constexpr (Dim == 2) {
        sum[0] += point.wy * point.wx;
      } else {
        sum[0] += point.wx;
      }
      point = next;
    }
    store();
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
