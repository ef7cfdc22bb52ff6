// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_INTERPOLATEPOINTS_HPP
#define SPOROS_INTERPOLATEPOINTS_HPP

/// \file Sporos_InterpolatePoints.hpp
/// interpolate, algorithms `serial`, `sorted`, and without a plan (par-interp
/// of Kassen, Shankar, Fogelson).
/// What: a work item per point (on hosts some; one for all: `serial`) reads the
///   field around the point; in the plan's order, or in the given order.
/// Cost: s^Dim reads of the field per point.
/// Wins: on devices; without a plan for points that are used once or coherent
///   already.

#include <particle_grid/Sporos_PointStencil.hpp>
#include <particle_grid/Sporos_StridedVector.hpp>

#include <cstddef>

namespace Sporos {
namespace Impl {

/// Asks for a row of a stencil.
template <class T, int Support>
struct PrefetchRow {
  std::ptrdiff_t first;

  template <int Dim>
  KOKKOS_FORCEINLINE_FUNCTION PrefetchRow(
      const FieldAccess<const T, Dim>& field,
      const PointStencil<T, Dim, Support>& s)
      : first(s.first[0] * field.stride[0]) {}
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const T* line, T) const {
    SPOROS_PREFETCH(line + first);
  }
};

/// Points in sorted order, a block or all of them per work item. Hosts ask for
/// the rows of all points of a block before they read the first.
template <class Exec, int Dim, class Real, class Delta, class T, class V>
struct InterpolateSorted {
  struct All {};
  static constexpr bool host = is_host_space_v<Exec>;
  static constexpr int block = host ? 16 : 1;
  using Stencil              = PointStencil<T, Dim, Delta::support>;

  SortedPoints<Dim, Real, Delta::support> points;
  Delta delta;
  FieldAccess<const T, Dim> field;
  StridedVector<V> values;
  int n;
  /// Does the field lie beyond a core's own caches? There asking pays.
  bool far;

  KOKKOS_FUNCTION int blocks() const { return ceil_div(n, block); }

  KOKKOS_FUNCTION void operator()(int b) const {
    const int begin = b * block, count = Math::min(block, n - begin);
    Stencil s[block];
    bool inside[block];
    for (int i = 0; i < count; ++i) {
      inside[i] = points.template stencil<host>(delta, begin + i, s[i]);
      if constexpr (host)
        if (far && inside[i]) prefetch(s[i]);
    }
    for (int i = 0; i < count; ++i)
      values(points.permutation[begin + i]) =
          V(inside[i] ? dot_stencil<host>(field, s[i]) : T(0));
  }
  KOKKOS_FUNCTION void operator()(All, int) const {
    for (int b = 0; b < blocks(); ++b) (*this)(b);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(const Stencil& s) const {
    PrefetchRow<T, Delta::support> row(field, s);
    for_each_stencil_row(field, s, T(0), row);
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
              values, bins.n, false});
}

template <class Exec, int Dim, class Real, class Delta, class T, class V>
void interpolate_sorted(
    const Exec& exec, const ParticleBins<Exec, Dim, Real, Delta::support>& bins,
    const Delta& delta, const FieldAccess<const T, Dim>& field,
    const StridedVector<V>& values, const Staggering& g) {
  const InterpolateSorted<Exec, Dim, Real, Delta, T, V> functor{
      SortedPoints<Dim, Real, Delta::support>(bins, g),
      delta,
      field,
      values,
      bins.n,
      grid_points(field) > (std::size_t(4) << 20) / sizeof(T)};
  Kokkos::parallel_for("Sporos::interpolate::sorted",
                       Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(
                           exec, 0, functor.blocks()),
                       functor);
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
