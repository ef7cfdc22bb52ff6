// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SPREADSERIAL_HPP
#define SPOROS_SPREADSERIAL_HPP

/// \file Sporos_SpreadSerial.hpp
/// spread, algorithm `serial` (serial-spread of Kassen, Shankar, Fogelson).
/// What: one thread adds one point after another, in sorted order, to the
/// field. Cost: s^Dim additions to memory per point. Wins: never but for a
/// handful of points; it is the reference that judges the
///   others.

#include <particle_grid/stencil/Sporos_PointStencil.hpp>
#include <particle_grid/stencil/Sporos_StridedVector.hpp>

namespace Sporos {
namespace Impl {

template <class Exec, int Dim, class Real, class Delta, class S, class T>
struct SpreadSerial {
  SortedPoints<Dim, Real, Delta::support> points;
  Delta delta;
  StridedVector<S> strengths;
  FieldAccess<T, Dim> field;
  T factor;
  int n;

  KOKKOS_FUNCTION void operator()(int) const {
    constexpr bool host = is_host_space_v<Exec>;
    PointStencil<T, Dim, Delta::support> s;
    for (int i = 0; i < n; ++i)
      if (points.template stencil<host>(delta, i, s))
        add_stencil<host, false>(field, s,
                                 factor * T(strengths(points.permutation[i])));
  }
};

/// field += spread strengths, by one thread. S may be const.
template <class Exec, int Dim, class Real, class Delta, class S, class T>
void spread_serial(const Exec& exec,
                   const ParticleBins<Exec, Dim, Real, Delta::support>& bins,
                   const Delta& delta, const StridedVector<S>& strengths,
                   const FieldAccess<T, Dim>& field, const Staggering& g,
                   T factor) {
  Kokkos::parallel_for(
      "Sporos::spread::serial",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(exec, 0, 1),
      SpreadSerial<Exec, Dim, Real, Delta, S, T>{
          SortedPoints<Dim, Real, Delta::support>(bins, g), delta, strengths,
          field, factor, bins.n});
}

}  // namespace Impl
}  // namespace Sporos

#endif
