// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SPREADPOINTS_HPP
#define SPOROS_SPREADPOINTS_HPP

/// \file Sporos_SpreadPoints.hpp
/// spread, algorithms `serial` (serial-spread of Kassen, Shankar, Fogelson) and
/// `atomic`.
/// What: points are added to the field in sorted order, by one thread, or
///   atomically by a work item each.
/// Cost: s^Dim additions to memory per point. The order of atomic sums, and
///   with it the last bits, change from run to run.
/// Wins: `serial` for a handful of points, it is the reference that judges the
///   others; `atomic` for scattered points on devices with fast atomics.
/// And `tiled` on hosts for delta functions that are too wide for images of
/// tiles: columns of tiles of one colour run in parallel, colours one after
/// another, and a thread adds the points of a column to the field.

#include <Sporos_ForEachIndex.hpp>
#include <particle_grid/bins/Sporos_ColumnsOfColor.hpp>
#include <particle_grid/bins/Sporos_ParticleBins.hpp>
#include <particle_grid/stencil/Sporos_GradientStencil.hpp>
#include <particle_grid/stencil/Sporos_PointStencil.hpp>

namespace Sporos {
namespace Impl {

/// Adds a point, or all of them one after another.
template <bool Atomic, class Exec, class Real, class Delta, class Group>
struct SpreadPoints {
  using T = typename Group::T;

  GroupPoints<Real, Delta::support, Group> points;
  Delta delta;
  T factor;
  int n;

  KOKKOS_FUNCTION void operator()(int i) const {
    for (const int end = Atomic ? i + 1 : n; i < end; ++i) add(i);
  }

  KOKKOS_FORCEINLINE_FUNCTION void add(int i) const {
    constexpr bool host = is_host_space_v<Exec>;
    const Group& group  = points.group;
    const int place     = points.places(i);
    if constexpr (Group::derives) {
      add_dipole(i, place);
      return;
    }
    points.template for_each_component<host>(
        delta, i, [&](int c, const auto& stencil) {
          add_stencil<host, Atomic>(group.field_of(c), stencil,
                                    factor * T(group.value(c, place)));
        });
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void add_dipole(int i, int place) const {
    using Points        = GroupPoints<Real, Delta::support, Group>;
    constexpr bool host = is_host_space_v<Exec>;
    constexpr int Dim   = Group::dim;
    const Group& group  = points.group;
    typename Points::Stencil sets[Points::Sets];
    if (!points.template find_sets<host>(delta, i, sets)) return;
    for (int part = 0; part < Group::parts; ++part) {
      T moments[Dim];
      SPOROS_UNROLL
      for (int k = 0; k < Dim; ++k)
        moments[k] = factor * T(group.value(k * Group::parts + part, place));
      const FieldAccess<T, Dim> field = group.field_of(part);
      GradientStencil<T, Dim, Delta::support>(field, sets)
          .template add<Atomic>(field.data, moments);
    }
  }
};

/// Adds the points of the tiles of one colour, a column at a time: i is the
/// place of its first tile in by_color.
template <class Points>
struct SpreadColumns {
  Points points;
  ColumnsOfColor columns;

  void operator()(int i) const {
    if (!columns.starts(i)) return;
    const TileList column = columns.column_at(i);
    for (int p = column.first_point(); p < column.end_point(); ++p)
      points.add(p);
  }
};

/// fields += spread strengths, by columns of tiles, on hosts.
template <class Exec, int Dim, class Real, class Delta, class Group>
void spread_columns(const Exec& exec,
                    const ParticleBins<Exec, Dim, Real, Delta::support>& bins,
                    const Delta& delta, const Group& group,
                    typename Group::T factor) {
  using Points = SpreadPoints<false, Exec, Real, Delta, Group>;
  for_each_color("Sporos::spread::tiled", exec, bins,
                 [&](const ColumnsOfColor& columns) {
                   return SpreadColumns<Points>{
                       {{bins, group}, delta, factor, bins.n}, columns};
                 });
}

/// fields += spread strengths, by atomic additions or by one thread.
template <bool Atomic, class Exec, int Dim, class Real, class Delta,
          class Group>
void spread_points(const Exec& exec,
                   const ParticleBins<Exec, Dim, Real, Delta::support>& bins,
                   const Delta& delta, const Group& group,
                   typename Group::T factor) {
  for_each_index(
      Atomic ? "Sporos::spread::atomic" : "Sporos::spread::serial",
      LightRange<Exec, Kokkos::IndexType<int>, TeamBound<point_threads>>(
          exec, 0, Atomic ? bins.n : 1),
      SpreadPoints<Atomic, Exec, Real, Delta, Group>{
          {bins, group}, delta, factor, bins.n});
}

}  // namespace Impl
}  // namespace Sporos

#endif
