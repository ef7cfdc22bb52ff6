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

namespace Sporos {
namespace Impl {

template <class Exec, class Real, class Delta, class Group>
struct SpreadSerial {
  GroupPoints<Real, Delta::support, Group> points;
  Delta delta;
  typename Group::T factor;
  int n;

  KOKKOS_FUNCTION void operator()(int) const {
    using T             = typename Group::T;
    constexpr bool host = is_host_space_v<Exec>;
    const Group& group  = points.group;
    for (int i = 0; i < n; ++i) {
      const int place = points.places(i);
      points.template for_each_component<host>(
          delta, i, [&](int c, const auto& stencil) {
            add_stencil<host, false>(group.field_of(c), stencil,
                                     factor * T(group.value(c, place)));
          });
    }
  }
};

/// fields += spread strengths, by one thread.
template <class Exec, int Dim, class Real, class Delta, class Group>
void spread_serial(const Exec& exec,
                   const ParticleBins<Exec, Dim, Real, Delta::support>& bins,
                   const Delta& delta, const Group& group,
                   typename Group::T factor) {
  Kokkos::parallel_for(
      "Sporos::spread::serial",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(exec, 0, 1),
      SpreadSerial<Exec, Real, Delta, Group>{
          {bins, group}, delta, factor, bins.n});
}

}  // namespace Impl
}  // namespace Sporos

#endif
