// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_INTERPOLATEPOINTS_HPP
#define SPOROS_INTERPOLATEPOINTS_HPP

/// \file Sporos_InterpolatePoints.hpp
/// interpolate, algorithms `serial`, `sorted`, and without a plan (par-interp
/// of Kassen, Shankar, Fogelson).
/// What: a work item per point (one for all: `serial`) reads the field around
///   the point; in the plan's order, or in the given order.
/// Cost: s^Dim reads of the field per point.
/// Wins: on devices; without a plan for points that are used once or coherent
///   already.

#include <particle_grid/stencil/Sporos_PointStencil.hpp>
#include <particle_grid/stencil/Sporos_StridedVector.hpp>

#include <cstddef>

namespace Sporos {
namespace Impl {

/// A point in sorted order per work item, or all of them.
template <class Exec, int Dim, class Real, class Delta, class T, class V>
struct InterpolateSorted {
  struct All {};
  static constexpr bool host = is_host_space_v<Exec>;

  SortedPoints<Dim, Real, Delta::support> points;
  Delta delta;
  FieldAccess<const T, Dim> field;
  StridedVector<V> values;
  int n;

  KOKKOS_FUNCTION void operator()(int i) const {
    PointStencil<T, Dim, Delta::support> s;
    const bool inside = points.template stencil<host>(delta, i, s);
    values(points.permutation[i]) =
        V(inside ? dot_stencil<host>(field, s) : T(0));
  }
  KOKKOS_FUNCTION void operator()(All, int) const {
    for (int i = 0; i < n; ++i) (*this)(i);
  }
};

/// Points in the given order, straight from their positions.
template <class Exec, int Dim, class Real, class Delta, class Positions,
          class T, class V>
struct InterpolateUnsorted {
  TiledCells<Dim, Real, Delta::support> cells;
  Positions positions;
  Delta delta;
  FieldAccess<const T, Dim> field;
  StridedVector<V> values;

  KOKKOS_FUNCTION void operator()(int i) const {
    constexpr bool host = is_host_space_v<Exec>;
    PointStencil<T, Dim, Delta::support> s;
    Real r[Dim];
    bool inside = true;
    for (int k = 0; k < Dim; ++k) {
      int cell = 0;
      r[k]     = 0;
      if (cells.locate(k, Real(coordinate(positions, i, cells.dir[k])), cell,
                       r[k]) != Located::inside)
        inside = false;
      s.first[k] = first_grid_point(cells, k, cell);
    }
    T value = 0;
    if (inside) {
      s.template set_weights<host>(delta, r);
      value = dot_stencil<host>(field, s);
    }
    values(i) = V(value);
  }
};

template <class Exec, int Dim, class Real, class Delta, class T, class V>
void interpolate_serial(
    const Exec& exec, const ParticleBins<Exec, Dim, Real, Delta::support>& bins,
    const Delta& delta, const FieldAccess<const T, Dim>& field,
    const StridedVector<V>& values, const Staggering& g) {
  using Functor = InterpolateSorted<Exec, Dim, Real, Delta, T, V>;
  Kokkos::parallel_for(
      "Sporos::interpolate::serial",
      Kokkos::RangePolicy<Exec, typename Functor::All, Kokkos::IndexType<int>>(
          exec, 0, 1),
      Functor{SortedPoints<Dim, Real, Delta::support>(bins, g), delta, field,
              values, bins.n});
}

template <class Exec, int Dim, class Real, class Delta, class T, class V>
void interpolate_sorted(
    const Exec& exec, const ParticleBins<Exec, Dim, Real, Delta::support>& bins,
    const Delta& delta, const FieldAccess<const T, Dim>& field,
    const StridedVector<V>& values, const Staggering& g) {
  Kokkos::parallel_for(
      "Sporos::interpolate::sorted",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(exec, 0, bins.n),
      InterpolateSorted<Exec, Dim, Real, Delta, T, V>{
          SortedPoints<Dim, Real, Delta::support>(bins, g), delta, field,
          values, bins.n});
}

/// Cells are those of the field's staggering; the field lives on them.
template <class Exec, int Dim, class Real, class Delta, class Positions,
          class T, class V>
void interpolate_unsorted(const Exec& exec,
                          const TiledCells<Dim, Real, Delta::support>& cells,
                          const Positions& positions, const Delta& delta,
                          const FieldAccess<const T, Dim>& field,
                          const StridedVector<V>& values) {
  Kokkos::parallel_for(
      "Sporos::interpolate::unsorted",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(
          exec, 0, int(positions.extent(0))),
      InterpolateUnsorted<Exec, Dim, Real, Delta, Positions, T, V>{
          cells, positions, delta, field, values});
}

}  // namespace Impl
}  // namespace Sporos

#endif
