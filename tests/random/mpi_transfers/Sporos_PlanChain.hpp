// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The part of a random chain that makes and updates plans, and updates that
/// must be refused.

#ifndef SPOROS_PLANCHAIN_HPP
#define SPOROS_PLANCHAIN_HPP

#include "Sporos_MigrationChain.hpp"
#include "Sporos_RandomGrid.hpp"
#include "Sporos_RandomPoints.hpp"

#include <Sporos_DistributedParticleGrid.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace Sporos {
namespace Test {

template <int Dim, class Real, class Delta>
class PlanChain : protected MigrationChain<Dim, Real> {
 protected:
  using Blocks = DistributedGrid<Dim, Real>;
  using Plan   = DistributedParticleGridPlan<ChainExec, Dim, Real, Delta>;
  using Base   = MigrationChain<Dim, Real>;
  using typename Base::Numbers;
  using typename Base::Vectors;

  /// A plan and the points that it was made for, in their order.
  struct Side {
    static constexpr int dim = Dim;
    Blocks blocks;
    Plan plan;
    std::vector<int> numbers;
  };

  PlanChain(RandomCase& random, const Communicator& comm)
      : Base(random, comm) {}

  void tell(const Grid<Dim, Real>& grid) {
    m_did << Dim << " directions, " << sizeof(Real) << " bytes, support "
          << int(Delta::support) << ", staggering "
          << Impl::in_words<Dim>(m_options.plan.staggering) << ", any_ranks "
          << m_options.plan.any_ranks << ", contiguous "
          << int(m_options.plan.contiguous) << ", borders "
          << int(m_options.borders) << '\n';
    for (int d = 0; d < Dim; ++d)
      m_did << grid.cells(d)
            << (grid.boundary(d) == Boundary::wall ? " wall " : " ring ")
            << grid.spacing(d) << " from " << grid.origin(d) << "; ";
    m_did << '\n';
  }

  Plan new_plan(const Blocks& blocks, const RandomPoints<Dim, Real>& points) {
    const auto x = positions_of(m_local, points);
    if (!m_options.plan.any_ranks)
      return Plan(ChainExec{}, blocks, Delta{}, x, m_options);
    return Plan(ChainExec{}, blocks, Delta{}, x, view_of(m_local), m_options);
  }

  void update(Plan& plan, const RandomPoints<Dim, Real>& points) {
    const auto x = positions_of(m_local, points);
    m_numbered   = m_options.plan.any_ranks || m_random.chance(10);
    m_did << "update" << (m_numbered ? " with numbers" : "") << '\n';
    if (m_numbered)
      plan.update(ChainExec{}, x, view_of(m_local));
    else
      plan.update(ChainExec{}, x);
    require(plan.size() == m_local.size(), "the plan has another size");
  }

  /// Is what is wrong on one rank refused on all, with the plan as it was?
  void refuse_update(const Side& side, const RandomPoints<Dim, Real>& points) {
    const int rank = victim(points);
    if (rank < 0) return;
    const bool wrong    = rank == m_comm.rank();
    const Vectors x     = positions_of(m_local, points);
    const auto numbers  = view_of(m_local);
    const std::size_t n = x.extent(0);
    Plan plan           = side.plan;
    const auto call     = [&] {
      if (m_options.plan.any_ranks)
        plan.update(ChainExec{}, x, numbers);
      else
        plan.update(ChainExec{}, x);
    };
    switch (m_random.integer(0, m_options.plan.any_ranks ? 3 : 1)) {
      case 0:
        if (wrong) x(n / 2, 0) = std::numeric_limits<Real>::infinity();
        must_refuse("infinity in update", "NaN or infinity at point", call);
        break;
      case 1: {
        int other = -1;
        for (const auto& list : points.held)
          if (&list != &points.held[std::size_t(rank)] && !list.empty())
            other = list.front();
        if (other < 0) return;
        if (wrong)
          for (std::size_t d = 0; d < Dim; ++d)
            x(n - 1, d) = points.points[std::size_t(other)].x[d];
        must_refuse("another rank's point", "points in the block of this rank",
                    call);
        break;
      }
      case 2:
        if (wrong) numbers(n / 2) = -3;
        must_refuse("a negative number", "not negative", call);
        break;
      default: {
        const Numbers more("more", n + (wrong ? 1 : 0));
        must_refuse("extents of numbers", "extent(0)",
                    [&] { plan.update(ChainExec{}, x, more); });
      }
    }
    require(side.plan.size() == side.numbers.size(),
            "a refused update changed the plan");
  }

  void check_permutation(const Plan& a, const Plan& b) const {
    const auto p = a.local().permutation(), q = b.local().permutation();
    bool same = p.extent(0) == q.extent(0);
    for (std::size_t i = 0; same && i < p.extent(0); ++i) same = p(i) == q(i);
    require(same, "the order of points is not that of a new plan");
  }

  /// The plan of all points on one rank.
  void add_one(std::vector<Side>& others,
               const RandomPoints<Dim, Real>& points) {
    Side one;
    for (const auto& list : points.held)
      one.numbers.insert(one.numbers.end(), list.begin(), list.end());
    std::sort(one.numbers.begin(), one.numbers.end());
    DistributedGridOptions<Dim> options;
    options.ghosts = m_grid_options.ghosts;
    static const Communicator self(MPI_COMM_SELF);
    const bool made = makes("one rank", [&] {
      one.blocks = Blocks(self, points.grid(), options);
      one.plan   = Plan(ChainExec{}, one.blocks, Delta{},
                        positions_of(one.numbers, points), view_of(one.numbers),
                        m_options);
    });
    if (made) others.push_back(one);
    if (made) m_did << "a plan of one rank; ";
  }

  using Base::m_comm;
  using Base::m_did;
  using Base::m_random;
  using Base::makes;
  using Base::must_refuse;
  using Base::positions_of;
  using Base::victim;
  using Base::view_of;

  DistributedPlanOptions m_options;
  DistributedGridOptions<Dim> m_grid_options;
  std::vector<int> m_local;  ///< numbers of the points of this rank
  bool m_numbered = false;
};

}  // namespace Test
}  // namespace Sporos

#endif
