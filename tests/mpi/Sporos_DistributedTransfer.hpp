// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A problem of particle-grid transfer whose points and grid are spread out
/// over ranks, and what one rank computes of it.

#ifndef SPOROS_DISTRIBUTEDTRANSFER_HPP
#define SPOROS_DISTRIBUTEDTRANSFER_HPP

#include <Sporos_DistributedParticleGrid.hpp>
#include <Sporos_Test.hpp>
#include <Sporos_TestArray.hpp>
#include <Sporos_TransferReference.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace Sporos {
namespace Test {

/// Which rank has the points before they migrate, and whether they come in the
/// order of their numbers afterwards.
enum class PointDeal { in_turn, all_on_last, by_number };

/// Points in the order of their numbers, the same on all ranks.
template <int Dim, class Real>
struct AllPoints {
  Grid<Dim, Real> grid;
  std::vector<Real> x, strength;  ///< strength: three of each point

  explicit AllPoints(const Problem<Dim>& p)
      : grid(grid_of<Real>(p)),
        x(make_positions(p, grid)),
        strength(random_numbers<Real>(std::size_t(p.n) * 3, 11)) {}
  int size() const { return int(strength.size() / 3); }
};

/// The points of a rank, after they have migrated, and its blocks.
template <class Exec, int Dim, class Real, class Delta>
struct RankPoints {
  using Memory = typename Exec::memory_space;
  using Blocks = DistributedGrid<Dim, Real>;
  using Plan   = DistributedParticleGridPlan<Exec, Dim, Real, Delta>;
  template <int More>
  using Field   = Kokkos::View<typename DataType<Real, Dim + More>::type,
                             Kokkos::LayoutRight, Memory>;
  using Values  = Kokkos::View<Real*, Memory>;
  using Vectors = Kokkos::View<Real**, Kokkos::LayoutLeft, Memory>;

  Blocks blocks;
  Kokkos::View<Real**, Kokkos::LayoutRight, Memory> x;
  Kokkos::View<std::int64_t*, Memory> number;
  Vectors strengths;

  RankPoints(MPI_Comm comm, const AllPoints<Dim, Real>& all, PointDeal deal)
      : blocks(Communicator(comm), all.grid, options()) {
    const int rank = blocks.comm().rank(), size = blocks.comm().size();
    std::vector<int> mine;
    for (int i = all.size() - 1; i >= 0; --i)  // not sorted
      if (deal == PointDeal::all_on_last ? rank == size - 1 : i % size == rank)
        mine.push_back(i);
    x             = decltype(x)("x", mine.size(), Dim);
    number        = decltype(number)("number", mine.size());
    strengths     = Vectors("strengths", mine.size(), 3);
    const auto hx = Kokkos::create_mirror_view(x);
    const auto hn = Kokkos::create_mirror_view(number);
    const auto hs = Kokkos::create_mirror_view(strengths);
    for (std::size_t k = 0; k < mine.size(); ++k) {
      const std::size_t i = std::size_t(mine[k]);
      for (int d = 0; d < Dim; ++d) hx(k, d) = all.x[i * Dim + d];
      for (int c = 0; c < 3; ++c) hs(k, c) = all.strength[i * 3 + c];
      hn(k) = std::int64_t(i);
    }
    Kokkos::deep_copy(x, hx);
    Kokkos::deep_copy(number, hn);
    Kokkos::deep_copy(strengths, hs);
    if (deal == PointDeal::by_number)
      migrate_by_number(Exec{}, blocks, MigrateOptions{}, number, x, strengths);
    else
      migrate(Exec{}, blocks, x, number, strengths);
  }
  static DistributedGridOptions<Dim> options() {
    DistributedGridOptions<Dim> o;
    o.ghosts = Delta::support / 2 + 1;
    return o;
  }

  Plan plan(BorderMode mode, bool any_ranks, const Staggering& g) const {
    DistributedPlanOptions o;
    o.borders         = mode;
    o.plan.any_ranks  = any_ranks;
    o.plan.staggering = g;
    if (any_ranks) return Plan(Exec{}, blocks, Delta{}, x, number, o);
    return Plan(Exec{}, blocks, Delta{}, x, o);
  }
  /// The first n points of this rank.
  RankPoints first(std::size_t n) const {
    RankPoints some = *this;
    const auto rows = std::make_pair(std::size_t(0), n);
    some.x          = Kokkos::subview(x, rows, Kokkos::ALL());
    some.number     = Kokkos::subview(number, rows);
    return some;
  }
  /// Component c of the strengths.
  Values component(int c) const {
    const Values v("component", x.extent(0));
    Kokkos::deep_copy(
        v, Kokkos::subview(strengths,
                           std::make_pair(std::size_t(0), x.extent(0)), c));
    return v;
  }

  template <int More = 0>
  Field<More> field(const Staggering& g, std::size_t components = 1) const {
    std::size_t e[4] = {1, 1, 1, 1};
    for (int d = 0; d < Dim; ++d) e[d] = std::size_t(blocks.extent(d, g[d]));
    e[Dim] = components;
    if constexpr (Dim + More == 1) return Field<More>("field", e[0]);
    if constexpr (Dim + More == 2) return Field<More>("field", e[0], e[1]);
    if constexpr (Dim + More == 3)
      return Field<More>("field", e[0], e[1], e[2]);
    if constexpr (Dim + More == 4)
      return Field<More>("field", e[0], e[1], e[2], e[3]);
  }

  /// f(place in the block's field, place in the whole field) for the grid
  /// points of this rank. Places count grid points: the last direction of the
  /// block is fastest, and the first one of the whole field.
  template <class F>
  void for_each_own(const Staggering& g, const F& f) const {
    int n[3] = {1, 1, 1}, m[3] = {1, 1, 1}, e[3] = {1, 1, 1};
    int first[3] = {0, 0, 0}, ghosts[3] = {0, 0, 0};
    for (int d = 0; d < Dim; ++d) {
      n[d]      = blocks.points(d, g[d]);
      m[d]      = blocks.grid().points(d, g[d]);
      e[d]      = blocks.extent(d, g[d]);
      first[d]  = blocks.first(d);
      ghosts[d] = blocks.ghosts();
    }
    for (int i = 0; i < n[0]; ++i)
      for (int j = 0; j < n[1]; ++j)
        for (int k = 0; k < n[2]; ++k)
          f((std::size_t(i + ghosts[0]) * e[1] + j + ghosts[1]) * e[2] + k +
                ghosts[2],
            (std::size_t(k + first[2]) * m[1] + j + first[1]) * m[0] + i +
                first[0]);
  }
};

/// How far values are from the expected ones, against the largest of these.
struct Distance {
  double apart = 0, most = 0;
  void add(double found, double expected) {
    apart = larger_error(apart, std::fabs(found - expected));
    most  = std::max(most, std::fabs(expected));
  }
  template <class Real>
  bool is_small(double roundings = 4000) const {
    return apart <=
           most * roundings * double(std::numeric_limits<Real>::epsilon());
  }
};

/// Numbers for whole fields, the same on all ranks.
template <class Real, int Dim>
std::vector<Real> whole_numbers(const Grid<Dim, Real>& grid,
                                const Staggering& g, unsigned seed) {
  std::size_t n = 1;
  for (int d = 0; d < Dim; ++d) n *= std::size_t(grid.points(d, g[d]));
  return random_numbers<Real>(n, seed);
}

}  // namespace Test
}  // namespace Sporos

#endif
