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
/// different grid points. Hosts have teams of one thread, and one unit.
template <class Exec, int Dim, int Support>
struct TeamUnits {
  using Shape = TileShape<Dim, Support, false>;

  static constexpr bool one       = is_host_space_v<Exec>;
  static constexpr bool rows      = Dim == 2 || (Dim == 3 && Support <= 4);
  static constexpr int log2_cells = one ? Shape::log2_cells
                                    : rows
                                        ? Shape::log2_below(1)
                                        : (Dim == 1 ? 3 : Shape::log2_below(2));
  static constexpr int count      = 1 << (Shape::log2_cells - log2_cells);
  static constexpr int outer      = one || Dim < 3 ? 1 : Shape::extent(2);
  static constexpr int inner      = count / outer;

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
  /// points of a unit that are staged at a time
  static constexpr int batch  = one                        ? 16
                                : groups > 16              ? 8
                                : groups > 4 || lanes < 24 ? 16
                                                           : 24;
  static constexpr int staged = groups * batch;
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
  using Units                  = TeamUnits<Exec, Dim, Support>;
  /// The image; its rows follow one another.
  static constexpr int pitch = Sizes::extent(0);
  static constexpr int plane = pitch * Sizes::extent(1);
  static constexpr int size  = plane * Sizes::extent(2);
  /// What is staged of a point: weights, and pairs of places in the two
  /// directions along which lanes lie. Odd numbers: no bank conflicts
  static constexpr int weights_of_point = (Dim * Support) | 1;
  static constexpr int places_of_point  = 2 * (Support | 1);
  template <class V>
  using ScratchView = Kokkos::View<V*, typename Exec::scratch_memory_space,
                                   Kokkos::MemoryUnmanaged>;

  Delta delta;
  TiledPoints<Dim, Real, Support, Group::sets> points;
  Group group;
  T factor;

  static constexpr int team_size =
      is_host_space_v<Exec> ? 1 : ceil_div(Units::threads, 32) * 32;

  static std::size_t scratch_bytes() {
    return ScratchView<T>::shmem_size(size) +
           ScratchView<T>::shmem_size(Units::staged * weights_of_point) +
           ScratchView<int>::shmem_size(Units::count + 1) +
           ScratchView<std::uint16_t>::shmem_size(Units::staged *
                                                  places_of_point);
  }

  /// The scratch of a team
  struct Scratch {
    ScratchView<T> image, weights;
    ScratchView<int> first;
    ScratchView<std::uint16_t> places;

    template <class Member>
    KOKKOS_FUNCTION explicit Scratch(const Member& team)
        : image(team.team_scratch(0), size),
          weights(team.team_scratch(0), Units::staged * weights_of_point),
          first(team.team_scratch(0), Units::count + 1),
          places(team.team_scratch(0), Units::staged * places_of_point) {}
  };

  /// scratch.image = sum of the points [begin, end) of component c
  template <class Member>
  KOKKOS_FUNCTION void accumulate(const Member& team, int c, int begin, int end,
                                  const Scratch& scratch) const {
    const auto seen = Points::template component<Group>(points, c);
    if (c > 0) team.team_barrier();  // all have read the image
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, size),
                         [&](int i) { scratch.image(i) = 0; });
    if (c == 0) find_first_points(team, begin, end, scratch.first);
    team.team_barrier();
    const int outer_apart = Units::outer_apart(seen.shift.extra[Dim - 1]);
    const int inner_apart = Units::inner_apart(seen.shift.extra[Dim > 1]);
    for (int outer = 0; outer < outer_apart; ++outer)
      for (int inner = 0; inner < inner_apart; ++inner)
        add_units(team, seen, c, {outer, inner, outer_apart, inner_apart},
                  scratch);
  }

 private:
  /// The units that the groups of a team take at once
  struct Phase {
    int outer, inner, outer_apart, inner_apart;

    /// The points of a group's unit
    KOKKOS_FORCEINLINE_FUNCTION void points_of(int g, const int* first,
                                               int& begin, int& end) const {
      const int o = outer + g / Units::inner_groups * outer_apart;
      const int i = inner + g % Units::inner_groups * inner_apart;
      begin = end = 0;
      if (g >= Units::groups || o >= Units::outer || i >= Units::inner) return;
      begin = first[o * Units::inner + i];
      end   = first[o * Units::inner + i + 1];
    }
    /// Points of the unit that has most
    KOKKOS_FORCEINLINE_FUNCTION int most(const int* first) const {
      int n = 0;
      for (int o = outer; o < Units::outer; o += outer_apart)
        for (int i = inner; i < Units::inner; i += inner_apart) {
          const int* const of = first + o * Units::inner + i;
          if (of[1] - of[0] > n) n = of[1] - of[0];
        }
      return n;
    }
  };

  /// first(u): the first point in unit u of the tile or a later one
  template <class Member>
  KOKKOS_FUNCTION void find_first_points(const Member& team, int begin, int end,
                                         const ScratchView<int>& first) const {
    const auto unit = [&](int i) {
      return int(points.locals[i]) >> Units::log2_cells;
    };
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, end - begin + 1),
                         [&](int j) {
                           const int i    = begin + j;
                           const int low  = j == 0 ? 0 : unit(i - 1) + 1;
                           const int high = i == end ? Units::count : unit(i);
                           for (int u = low; u <= high; ++u) first(u) = i;
                         });
  }

  template <class Member>
  KOKKOS_FUNCTION void add_units(const Member& team, const Points& seen, int c,
                                 const Phase& phase,
                                 const Scratch& scratch) const {
    const int* const first = &scratch.first(0);
    // the one thread of a host's team is all lanes of its group
    const int g     = team.team_rank() / Units::lanes;
    const int lane  = team.team_rank() % Units::lanes;
    const int lanes = Units::one ? 1 : Units::lanes;
    const int slot  = g * Units::batch;
    const int most  = phase.most(first);
    int begin, end;
    phase.points_of(g, first, begin, end);
    for (int skip = 0; skip < most; skip += Units::batch) {
      const int i = begin + skip;
      const int n = end - i < Units::batch ? end - i : Units::batch;
      for (int p = lane; p < n; p += lanes)
        stage(seen, c, i + p, slot + p, scratch);
      team.team_barrier();
      add_points(lane, slot, n, scratch);
      if constexpr (Units::one)
        for (int l = 1; l < Units::lanes; ++l) add_points(l, slot, n, scratch);
      team.team_barrier();
    }
  }

  /// Weights of point i and the places of its grid points in the image, at
  /// `slot`. In the directions along which lanes lie, the grid point x is
  /// number x % Support.
  KOKKOS_FUNCTION void stage(const Points& seen, int c, int i, int slot,
                             const Scratch& scratch) const {
    const T strength            = factor * T(group.value(c, points.places(i)));
    T* const weights            = &scratch.weights(0) + slot * weights_of_point;
    std::uint16_t* const places = &scratch.places(0) + slot * places_of_point;
    int first[3]                = {};
    Real r[Dim];
    SPOROS_UNROLL
    for (int k = 0; k < Dim; ++k) first[k] = seen.locate(i, k, r[k]);
    SPOROS_UNROLL
    for (int k = 0; k < Dim; ++k) {
      T w[Support];
      scalar_weights(delta, T(r[k]), w);
      const T scale = k == Dim - 1 ? strength : T(1);
      int number    = k < 2 ? int(unsigned(first[k]) % Support) : 0;
      SPOROS_UNROLL
      for (int j = 0; j < Support; ++j) {
        weights[k * Support + number] = w[j] * scale;
        if (k < 2)
          places[2 * number + k] =
              std::uint16_t(k == 0 ? first[0] + j
                                   : (first[1] + j) * pitch + first[2] * plane);
        number = next_lane(number);
      }
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION static int next_lane(int a) {
    if constexpr ((Support & (Support - 1)) == 0)
      return (a + 1) & (Support - 1);
    else
      return a + 1 < Support ? a + 1 : 0;
  }

  /// Adds n staged points to the grid points of a lane. Keeps the sums in
  /// registers as long as points that follow one another share grid points.
  KOKKOS_FUNCTION void add_points(int lane, int slot, int n,
                                  const Scratch& scratch) const {
    if (n <= 0) return;
    constexpr int planes = Dim > 2 ? Support : 1;
    const int a = lane % Support, b = lane / Support;
    const T* w   = &scratch.weights(0) + slot * weights_of_point;
    const T *w_a = w + a, *w_b = w + Support + b;
    const std::uint16_t* const places =
        &scratch.places(0) + slot * places_of_point;
    const std::uint16_t *place_a = places + 2 * a,
                        *place_b = places + 2 * b + 1;
    const auto place             = [&] {
      return int(*place_a) + (Dim > 1 ? int(*place_b) : 0);
    };
    T* image = &scratch.image(place());
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
      T* const next = &scratch.image(place());
      // before the image, which the compiler must take for the same memory
      T wz[planes] = {};
      const T wx = *w_a, wy = Dim > 1 ? *w_b : T(1);
      if constexpr (Dim == 3) {
        SPOROS_UNROLL
        for (int j = 0; j < planes; ++j) wz[j] = w[2 * Support + j];
      }
      if (next != image) {
        store();
        image = next;
        load();
      }
      if constexpr (Dim == 3) {
        const T wxy = wx * wy;
        SPOROS_UNROLL
        for (int j = 0; j < planes; ++j)
          sum[j] += Units::one ? wy * wz[j] * wx : wxy * wz[j];
      } else if constexpr (Dim == 2) {
        sum[0] += wy * wx;
      } else {
        sum[0] += wx;
      }
      w += weights_of_point;
      w_a += weights_of_point;
      w_b += weights_of_point;
      place_a += places_of_point;
      place_b += places_of_point;
    }
    store();
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
