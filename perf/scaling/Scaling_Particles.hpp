// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SCALING_PARTICLES_HPP
#define SPOROS_SCALING_PARTICLES_HPP

/// \file Scaling_Particles.hpp
/// What a rank of a grid cut into boxes computes and sends in a step of update,
/// spread and interpolate, counted for uniform points in three dimensions.

#include "Scaling_Network.hpp"

#include <algorithm>

namespace Scaling {

/// The rank with the largest box, all of whose neighbours have as large ones.
struct BoxCounts {
  double cells        = 0;  ///< of the box
  double points       = 0;  ///< owned
  double ghost_points = 0;  ///< points of others whose support meets the box
  double ghost_values =
      0;  ///< grid points around the box in supports of points
  double neighbours = 0;
  double ranks      = 0;
};

/// \param cells of the grid in each direction
/// \param ranks in each direction
/// \param density points per cell
/// \param support of the delta function
inline BoxCounts count_box(const long long (&cells)[3], const int (&ranks)[3],
                           double density, int support) {
  double box = 1, touched = 1, read = 1, around = 1;
  for (int d = 0; d < 3; ++d) {
    const double side = double((cells[d] + ranks[d] - 1) / ranks[d]);
    const int extra   = ranks[d] > 1 ? 1 : 0;
    box *= side;
    touched *= side + extra * (support - 1);
    read *= side + extra * support;  // one more for staggered fields
    around *= std::min(3, ranks[d]);
  }
  return {box,        box * density, (touched - box) * density,
          read - box, around - 1,    double(ranks[0]) * ranks[1] * ranks[2]};
}

/// What ranks agree on in an update: errors and the largest of some counts.
constexpr double agreement_bytes = 8. * 7;
/// How many copies go from one block to another, in each direction.
constexpr double count_bytes = 4. * 27;

/// Predicted milliseconds where ranks send copies of points: how many they are,
/// positions and numbers with an update, strengths with a spread, fields with
/// an interpolation.
inline double ghost_points_time(const BoxCounts& b, const Machine& m) {
  const double work = (m.update + m.spread) * (b.points + b.ghost_points) +
                      m.interpolate * b.points;
  return work * 1e-6 + m.reduction(b.ranks, agreement_bytes) +
         m.exchange(b.neighbours, count_bytes * b.neighbours) +
         m.exchange(b.neighbours, 32 * b.ghost_points) +
         m.exchange(b.neighbours, 8 * b.ghost_points) +
         m.exchange(b.neighbours, 8 * b.ghost_values);
}

/// Predicted milliseconds where ranks send sums of grid points with a spread,
/// and fields with an interpolation.
inline double ghost_sums_time(const BoxCounts& b, const Machine& m) {
  const double work = (m.update + m.spread + m.interpolate) * b.points;
  return work * 1e-6 + m.reduction(b.ranks, agreement_bytes) +
         2 * m.exchange(b.neighbours, 8 * b.ghost_values);
}

}  // namespace Scaling

#endif
