// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Random grids in blocks, and options of plans.

#ifndef SPOROS_RANDOMGRID_HPP
#define SPOROS_RANDOMGRID_HPP

#include <Sporos_DistributedParticleGrid.hpp>
#include <Sporos_RandomDriver.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

namespace Sporos {
namespace Test {

/// Options of a plan with a delta function of this support.
inline DistributedPlanOptions random_plan_options(RandomCase& random) {
  DistributedPlanOptions options;
  for (int d = 0; d < 3; ++d)
    options.plan.staggering[d] = random.chance(20)
                                     ? std::floor(random.real(0, 1) * 64) / 64
                                     : random.one_of({0., 0., .5});
  options.plan.any_ranks = random.chance(40);
  options.plan.contiguous =
      random.one_of({ContiguousDirection::automatic, ContiguousDirection::first,
                     ContiguousDirection::last});
  options.plan.positions =
      random.one_of({PlanPositions::copy, PlanPositions::view});
  options.borders =
      options.plan.any_ranks
          ? random.one_of({BorderMode::automatic, BorderMode::ghost_points})
          : random.one_of({BorderMode::automatic, BorderMode::ghost_points,
                           BorderMode::ghost_points, BorderMode::ghost_sums});
  return options;
}

/// Cuts at random places; blocks are as thick as ghost layers.
inline std::vector<int> random_cuts(RandomCase& random, int blocks, int cells,
                                    int ghosts) {
  std::vector<int> cuts{0};
  for (int b = 1; b < blocks; ++b)
    cuts.push_back(
        random.integer(cuts.back() + ghosts, cells - (blocks - b) * ghosts));
  cuts.push_back(cells);
  return cuts;
}

/// A grid that mostly has a block for each rank; sets blocks and cuts.
template <int Dim, class Real>
Grid<Dim, Real> random_grid(RandomCase& random, int ranks,
                            DistributedGridOptions<Dim>& options) {
  Kokkos::Array<int, Dim> cells;
  Kokkos::Array<Real, Dim> h, origin;
  Kokkos::Array<Boundary, Dim> boundary;
  const int least = options.ghosts;
  int left        = ranks;
  for (int d = 0; d < Dim; ++d) {
    int blocks = d + 1 == Dim || random.chance(50) ? left : 1;
    for (const int factor : {2, 3})
      if (blocks % factor == 0 && blocks > factor && d + 1 < Dim)
        blocks = random.chance(50) ? factor : blocks;
    left /= blocks;
    if (random.chance(30)) options.blocks[d] = blocks;
    cells[d] = least * blocks +
               random.integer(0, Dim == 1   ? 600
                                 : Dim == 2 ? random.one_of({5, 40, 90})
                                            : random.one_of({3, 12, 24}));
    if (random.chance(5)) cells[d] = random.integer(1, 2 * least);
    h[d]        = Real(random.one_of({1., .5, .3, .017}));
    boundary[d] = random.chance(60) ? Boundary::periodic : Boundary::wall;
    origin[d]   = Real(random.chance(50) ? 0 : random.real(-2, 2));
    if (blocks > 1 && cells[d] >= least * blocks && random.chance(30))
      options.cuts[std::size_t(d)] =
          random_cuts(random, blocks, cells[d], least);
  }
  return Grid<Dim, Real>(cells, h, boundary, origin);
}

}  // namespace Test
}  // namespace Sporos

#endif
