// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Points that all ranks know, and which rank should hold which of them.

#ifndef SPOROS_RANDOMPOINTS_HPP
#define SPOROS_RANDOMPOINTS_HPP

#include <Sporos_DistributedGrid.hpp>
#include <Sporos_RandomDriver.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace Sporos {
namespace Test {

/// A number in [-1, 1) that the keys tell.
inline double number_of(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  const std::uint64_t bits = next_seed(next_seed(next_seed(a) ^ b) ^ c);
  return double(std::int64_t(bits)) * 0x1p-63;
}

/// The points of all ranks by number, and the numbers that each rank holds in
/// its order. The same on all ranks, since all draw the same random numbers.
template <int Dim, class Real>
class RandomPoints {
 public:
  struct Point {
    std::array<Real, Dim> x;
    bool exists = true;
  };

  RandomPoints(RandomCase& random, const DistributedGrid<Dim, Real>& blocks)
      : m_random(random),
        m_blocks(blocks),
        m_near(random.one_of({0, 5, 40})),
        held(std::size_t(blocks.comm().size())) {
    std::array<int, 2 * Dim> mine;
    for (std::size_t d = 0; d < Dim; ++d) {
      mine[2 * d]     = blocks.first(int(d));
      mine[2 * d + 1] = blocks.cells(int(d));
    }
    m_of_ranks.resize(held.size());
    MPI_Allgather(mine.data(), 2 * Dim, MPI_INT, m_of_ranks.data(), 2 * Dim,
                  MPI_INT, blocks.comm().mpi());
  }

  std::vector<Point> points;

 private:
  RandomCase& m_random;
  const DistributedGrid<Dim, Real>& m_blocks;
  int m_near;  ///< percent of points near blocks
  std::vector<std::array<int, 2 * Dim>> m_of_ranks;

 public:
  std::vector<std::vector<int>> held;

  const Grid<Dim, Real>& grid() const { return m_blocks.grid(); }
  std::size_t count() const {
    std::size_t n = 0;
    for (const auto& list : held) n += list.size();
    return n;
  }

  /// New points on random ranks, or on one.
  void appear(int n) {
    const int ranks = int(held.size());
    const int one   = m_random.chance(25) ? m_random.integer(0, ranks - 1) : -1;
    const bool together = m_random.chance(15);
    const auto where    = anywhere();
    for (int i = 0; i < n; ++i) {
      const int rank = one >= 0 ? one : m_random.integer(0, ranks - 1);
      held[std::size_t(rank)].push_back(int(points.size()));
      points.push_back({together ? beside(where, .5) : anywhere()});
    }
  }

  /// Points of random ranks vanish: some, or the last ones.
  void vanish(int percent) {
    for (auto& list : held) {
      if (m_random.chance(40)) continue;
      if (m_random.chance(50)) {
        const std::size_t less = list.size() * std::size_t(percent) / 100;
        for (std::size_t k = list.size() - less; k < list.size(); ++k)
          points[std::size_t(list[k])].exists = false;
        list.resize(list.size() - less);
      } else {
        for (const int i : list)
          points[std::size_t(i)].exists = !m_random.chance(percent);
        forget(list);
      }
    }
  }

  /// Some move by up to so many cells.
  void move(int percent, double cells) {
    for (Point& p : points)
      if (p.exists && m_random.chance(percent)) p.x = beside(p.x, cells);
  }
  void teleport(int percent) {
    for (Point& p : points)
      if (p.exists && m_random.chance(percent)) p.x = anywhere();
  }
  /// Some gather in half a cell.
  void gather(int percent) {
    const auto where = anywhere();
    for (Point& p : points)
      if (p.exists && m_random.chance(percent)) p.x = beside(where, .25);
  }

  /// The rank that owns a point, and whether it is beyond a wall.
  int owner(const std::array<Real, Dim>& x, bool& beyond) const {
    const auto& grid = m_blocks.grid();
    std::array<int, Dim> cell;
    beyond = false;
    for (int d = 0; d < Dim; ++d) {
      const auto k    = std::size_t(d);
      const long n    = grid.cells(d);
      const Real at   = (x[k] - grid.origin(d)) * (Real(1) / grid.spacing(d));
      const long low  = long(std::floor(at));
      const bool wall = grid.boundary(d) == Boundary::wall;
      beyond  = beyond || (wall && (low < 0 || low >= n) && at != Real(n));
      cell[k] = wall ? int(std::max(0l, std::min(low, n - 1)))
                     : int((low % n + n) % n);
    }
    for (std::size_t r = 0; r < m_of_ranks.size(); ++r) {
      bool here = true;
      for (std::size_t d = 0; d < Dim; ++d) {
        const int from = cell[d] - m_of_ranks[r][2 * d];
        here           = here && from >= 0 && from < m_of_ranks[r][2 * d + 1];
      }
      if (here) return int(r);
    }
    return -1;
  }

  /// What migrate does to `held`. Returns for each rank the points that it
  /// sends, gets, and has beyond walls.
  std::vector<std::array<std::size_t, 3>> migrate(bool drop, bool by_number) {
    std::vector<std::array<std::size_t, 3>> report(held.size());
    std::vector<std::vector<int>> next(held.size());
    for (std::size_t from = 0; from < held.size(); ++from)
      for (const int i : held[from]) {
        Point& p = points[std::size_t(i)];
        bool beyond;
        const auto to = std::size_t(owner(p.x, beyond));
        if (beyond) ++report[from][2];
        if (beyond && drop) {
          p.exists = false;
          continue;
        }
        next[to].push_back(i);
        if (to != from) ++report[from][0], ++report[to][1];
      }
    held = next;
    if (by_number)
      for (auto& list : held) std::sort(list.begin(), list.end());
    return report;
  }

  /// A place in the grid, next to a block, beyond walls, periods away.
  std::array<Real, Dim> anywhere() {
    const auto& grid = m_blocks.grid();
    std::array<Real, Dim> x;
    const auto& block =
        m_of_ranks[m_random.integer<std::size_t>(0, m_of_ranks.size() - 1)];
    const bool near = m_random.chance(m_near);
    const int far   = m_random.chance(5) ? 3 : 0;
    for (std::size_t d = 0; d < Dim; ++d) {
      const int n = grid.cells(int(d));
      double at   = m_random.real(0, n);
      if (near && m_random.chance(60)) {
        const int border =
            block[2 * d] + (m_random.chance(50) ? block[2 * d + 1] : 0);
        at = border + m_random.real(-1.5, 1.5);
      }
      if (m_random.chance(3)) at = std::floor(at);
      if (m_random.chance(3)) at = m_random.real(-3, 0);
      if (m_random.chance(3)) at = n + m_random.real(0, 3);
      at += double(n) * m_random.integer(-far, far);
      x[d] =
          Real(double(grid.origin(int(d))) + at * double(grid.spacing(int(d))));
    }
    return x;
  }

 private:
  std::array<Real, Dim> beside(std::array<Real, Dim> x, double cells) {
    for (std::size_t d = 0; d < Dim; ++d)
      x[d] += Real(m_random.real(-cells, cells) *
                   double(m_blocks.grid().spacing(int(d))));
    return x;
  }
  void forget(std::vector<int>& list) {
    list.erase(
        std::remove_if(list.begin(), list.end(),
                       [&](int i) { return !points[std::size_t(i)].exists; }),
        list.end());
  }
};

}  // namespace Test
}  // namespace Sporos

#endif
