// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_INTERPOLATEPOINTS_HPP
#define SPOROS_INTERPOLATEPOINTS_HPP

/// \file Sporos_InterpolatePoints.hpp
/// interpolate, algorithms `serial`, `sorted`, and without a plan (par-interp
/// of Kassen, Shankar, Fogelson).
/// What: a work item per point (one for all: `serial`) reads the field around
///   the point; in the plan's order, or in the given order.
/// Cost: s^Dim reads of the field per point.
/// Wins: on devices where points are sparse; without a plan for points that are
///   used once or coherent already.

#include <Sporos_ForEachIndex.hpp>
#include <particle_grid/stencil/Sporos_GradientStencil.hpp>
#include <particle_grid/stencil/Sporos_PointStencil.hpp>

#include <type_traits>

namespace Sporos {
namespace Impl {

/// A point in sorted order per work item, or all of them.
template <bool Serial, class Exec, class Real, class Delta, class Group>
struct InterpolateSorted {
  static constexpr bool host = is_host_space_v<Exec>;

  GroupPoints<Real, Delta::support, Group> points;
  Delta delta;
  int n;

  KOKKOS_FUNCTION void operator()(int i) const {
    for (const int end = Serial ? n : i + 1; i < end; ++i) one(i);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void one(int i) const {
    using V            = typename Group::V;
    const Group& group = points.group;
    const int place    = points.places(i);
    if constexpr (Group::derives) {
      derive(i, place);
      return;
    }
    const bool inside = points.template for_each_component<host>(
        delta, i, [&](int c, const auto& stencil) {
          group.value(c, place) =
              V(dot_stencil<host>(group.field_of(c), stencil));
        });
    if (inside) return;
    for (int c = 0; c < group.used(); ++c) group.value(c, place) = V(0);
  }

  /// Derivatives, and values
  KOKKOS_FORCEINLINE_FUNCTION void derive(int i, int place) const {
    using Points       = GroupPoints<Real, Delta::support, Group>;
    using T            = typename Points::T;
    constexpr int Dim  = Group::dim;
    const Group& group = points.group;
    typename Points::Stencil sets[Points::Sets];
    const bool inside = points.template find_sets<host>(delta, i, sets);
    for (int part = 0; part < Group::parts; ++part) {
      T sums[Dim + 1] = {};
      if (inside) {
        const FieldAccess<const T, Dim> field = group.field_of(part);
        GradientStencil<T, Dim, Delta::support>(field, sets)
            .dot(field.data, sums);
      }
      SPOROS_UNROLL
      for (int k = 0; k < Group::terms; ++k)
        group.value(k * Group::parts + part, place) =
            typename Group::V(sums[k]);
    }
  }
};

/// Points without a cell, the last ones of n, get 0. There are few of them:
/// each thread looks for several.
template <class Group>
struct ZeroWithoutCell {
  const BinCounts* counts;
  PointPlaces places;
  Group group;
  int n, threads;

  KOKKOS_FUNCTION void operator()(int thread) const {
    for (int i = counts->inside + thread; i < n; i += threads)
      for (int c = 0; c < group.count; ++c)
        group.value(c, places(i)) = typename Group::V(0);
  }
};

/// Points in the given order, straight from their positions.
template <class Exec, class Real, class Delta, class Positions, class Group>
struct InterpolateUnsorted {
  static constexpr int Dim = Group::dim;
  using T                  = std::remove_const_t<typename Group::T>;
  using V                  = typename Group::V;

  TiledCells<Dim, Real, Delta::support> cells;
  Positions positions;
  Delta delta;
  Group group;

  KOKKOS_FUNCTION void operator()(int i) const {
    constexpr bool host = is_host_space_v<Exec>;
    PointStencil<T, Dim, Delta::support> s;
    Real r[Dim];
    bool inside = true;
    for (int k = 0; k < Dim; ++k) {
      int cell = 0;
      r[k]     = 0;
      if (cells.locate(k, Real(positions(i, cells.dir[k])), cell, r[k]) !=
          Located::inside)
        inside = false;
      s.first[k] = first_grid_point(cells, k, cell);
    }
    if (inside) s.template set_weights<host>(delta, 0, r);
    for (int c = 0; c < group.used(); ++c)
      group.value(c, i) =
          V(inside ? dot_stencil<host>(group.field_of(c), s) : T(0));
  }
};

template <bool Serial, class Exec, int Dim, class Real, class Delta,
          class Group>
void interpolate_points(
    const Exec& exec, const ParticleBins<Exec, Dim, Real, Delta::support>& bins,
    const Delta& delta, const Group& group) {
  for_each_index(
      Serial ? "Sporos::interpolate::serial" : "Sporos::interpolate::sorted",
      LightRange<Exec, Kokkos::IndexType<int>, TeamBound<point_threads>>(
          exec, 0, Serial ? 1 : bins.n),
      InterpolateSorted<Serial, Exec, Real, Delta, Group>{
          {bins, group}, delta, bins.n});
}

/// Cells are those of the fields' staggering.
template <class Exec, int Dim, class Real, class Delta, class Positions,
          class Group>
void interpolate_unsorted(const Exec& exec,
                          const TiledCells<Dim, Real, Delta::support>& cells,
                          const Positions& positions, const Delta& delta,
                          const Group& group) {
  for_each_index(
      "Sporos::interpolate::unsorted",
      LightRange<Exec, Kokkos::IndexType<int>, TeamBound<point_threads>>(
          exec, 0, positions.n),
      InterpolateUnsorted<Exec, Real, Delta, Positions, Group>{cells, positions,
                                                               delta, group});
}

}  // namespace Impl
}  // namespace Sporos

#endif
