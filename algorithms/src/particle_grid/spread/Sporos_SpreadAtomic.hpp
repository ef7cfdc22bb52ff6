// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SPREADATOMIC_HPP
#define SPOROS_SPREADATOMIC_HPP

/// \file Sporos_SpreadAtomic.hpp
/// spread, algorithm `atomic`.
/// What: a work item per point, in sorted order, adds to the field atomically.
/// Cost: s^Dim atomic additions per point; the order of the sums, and with it
///   the last bits, change from run to run.
/// Wins: nowhere on hosts; for scattered points on devices with fast atomics.

#include <particle_grid/stencil/Sporos_PointStencil.hpp>

namespace Sporos {
namespace Impl {

template <class Exec, class Real, class Delta, class Group>
struct SpreadAtomic {
  GroupPoints<Real, Delta::support, Group> points;
  Delta delta;
  typename Group::T factor;

  KOKKOS_FUNCTION void operator()(int i) const {
    using T             = typename Group::T;
    constexpr bool host = is_host_space_v<Exec>;
    const Group& group  = points.group;
    const int place     = points.places(i);
    points.template for_each_component<host>(
        delta, i, [&](int c, const auto& stencil) {
          add_stencil<host, true>(group.field_of(c), stencil,
                                  factor * T(group.value(c, place)));
        });
  }
};

/// fields += spread strengths, by atomic additions.
template <class Exec, int Dim, class Real, class Delta, class Group>
void spread_atomic(const Exec& exec,
                   const ParticleBins<Exec, Dim, Real, Delta::support>& bins,
                   const Delta& delta, const Group& group,
                   typename Group::T factor) {
  Kokkos::parallel_for(
      "Sporos::spread::atomic",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(exec, 0, bins.n),
      SpreadAtomic<Exec, Real, Delta, Group>{{bins, group}, delta, factor});
}

}  // namespace Impl
}  // namespace Sporos

#endif
