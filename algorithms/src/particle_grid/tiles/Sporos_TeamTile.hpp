// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_TEAMTILE_HPP
#define SPOROS_TEAMTILE_HPP

/// \file Sporos_TeamTile.hpp
/// A tile plus halo in the scratch of a team: its sizes, where points lie in
/// it, and teams with room for it. For spaces whose kernels are asynchronous.

#include <Sporos_Error.hpp>
#include <particle_grid/bins/Sporos_ParticleBins.hpp>
#include <particle_grid/bins/Sporos_TiledCells.hpp>
#include <particle_grid/stencil/Sporos_TransferGroup.hpp>

#include <cstddef>
#include <cstdint>

namespace Sporos {
namespace Impl {

/// Sizes of the image of a tile
template <int Dim, int Support>
struct TeamTileShape {
  using Shape = TileShape<Dim, Support, false>;
  /// grid points in direction k, one carried cell included
  KOKKOS_FUNCTION static constexpr int extent(int k) {
    return k < Dim ? Shape::extent(k) + Support : 1;
  }
  static constexpr int pitch = extent(0) | 1;  // odd: no bank conflicts
  static constexpr int plane = pitch * extent(1);
  static constexpr int size  = plane * extent(2);
};

/// The sorted points of bins by tile, as one component sees them.
template <int Dim, class Real, int Support>
struct TilePoints {
  using Cells = TiledCells<Dim, Real, Support, false>;

  const std::uint16_t* locals;
  const Real* fractions;
  std::size_t pitch;
  StaggeringShift<Dim, Real, Support> shift;

  /// Component c of a Group
  template <class Group>
  KOKKOS_FORCEINLINE_FUNCTION static TilePoints component(
      const TiledPoints<Dim, Real, Support, Group::sets>& points, int c) {
    return {points.locals, points.fractions, points.pitch,
            points.shifts.template component<Group>(c)};
  }

  /// The first grid point of sorted point i in the image of its tile, in
  /// direction k, and its fraction
  KOKKOS_FORCEINLINE_FUNCTION int locate(int i, int k, Real& r) const {
    return locate(i, locals[i], k, r);
  }
  /// local: locals[i]
  KOKKOS_FORCEINLINE_FUNCTION int locate(int i, std::uint32_t local, int k,
                                         Real& r) const {
    r              = fractions[k * pitch + i];
    const int cell = Cells::local_cell(local, k);
    if (shift.extra[k] == 0) return cell;
    return cell + shift.apply(k, r) + shift.low[k];
  }
};

/// Teams of `threads` threads, at most Most, with so much scratch each; throws
/// if the space does not give it.
template <int Most, class Exec>
auto tile_teams(const char* function, const Exec& exec, int league,
                std::size_t scratch_bytes, int threads = Most) {
  using Teams    = LightTeams<Exec, TeamBound<Most>>;
  const auto all = std::size_t(Teams::scratch_size_max(0));
  check(scratch_bytes <= all, function, "options.algorithm",
        text("one that needs at most ", all,
             " bytes of scratch, as sweep or sorted"),
        text("tiled, which needs ", scratch_bytes));
  Teams teams(exec, league, threads);
  teams.set_scratch_size(0, Kokkos::PerTeam(int(scratch_bytes)));
  return teams;
}

}  // namespace Impl
}  // namespace Sporos

#endif
