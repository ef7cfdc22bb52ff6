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
#include <particle_grid/stencil/Sporos_StridedVector.hpp>

namespace Sporos {
namespace Impl {

template <class Exec, int Dim, class Real, class Delta, class S, class T>
struct SpreadAtomic {
  SortedPoints<Dim, Real, Delta::support> points;
  Delta delta;
  StridedVector<S> strengths;
  FieldAccess<T, Dim> field;
  T factor;

  KOKKOS_FUNCTION void operator()(int i) const {
    constexpr bool host = is_host_space_v<Exec>;
    PointStencil<T, Dim, Delta::support> s;
    if (points.template stencil<host>(delta, i, s))
      add_stencil<host, true>(field, s,
                              factor * T(strengths(points.permutation[i])));
  }
};

/// field += spread strengths, by atomic additions. S may be const.
template <class Exec, int Dim, class Real, class Delta, class S, class T>
void spread_atomic(const Exec& exec,
                   const ParticleBins<Exec, Dim, Real, Delta::support>& bins,
                   const Delta& delta, const StridedVector<S>& strengths,
                   const FieldAccess<T, Dim>& field, const Staggering& g,
                   T factor) {
  Kokkos::parallel_for(
      "Sporos::spread::atomic",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(exec, 0, bins.n),
      SpreadAtomic<Exec, Dim, Real, Delta, S, T>{
          SortedPoints<Dim, Real, Delta::support>(bins, g), delta, strengths,
          field, factor});
}

}  // namespace Impl
}  // namespace Sporos

#endif
