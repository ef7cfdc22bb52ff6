// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PARTICLEGRID_HPP
#define SPOROS_PARTICLEGRID_HPP

/// \file Sporos_ParticleGrid.hpp
/// Particle-grid transfer: spread values of scattered points to a uniform grid
/// and interpolate fields to the points, with a regularised delta function.
///
/// \code
///   Sporos::Grid<3> grid({128, 128, 128}, 1. / 128);
///   Sporos::ParticleGridPlan plan(exec, grid, Sporos::Cosine4{}, positions);
///   Sporos::spread(exec, plan, strengths, field);
///   Sporos::interpolate(exec, plan, field, values);
///   plan.update(exec, positions);  // after the points moved
/// \endcode

#include <Sporos_DeltaFunctions.hpp>
#include <Sporos_Grid.hpp>
#include <particle_grid/Sporos_InterpolatePoints.hpp>
#include <particle_grid/Sporos_InterpolateTiledHost.hpp>
#include <particle_grid/Sporos_Plan.hpp>
#include <particle_grid/Sporos_SpreadAtomic.hpp>
#include <particle_grid/Sporos_SpreadSerial.hpp>
#include <particle_grid/Sporos_SpreadSweep.hpp>
#include <particle_grid/Sporos_SpreadTiledDevice.hpp>
#include <particle_grid/Sporos_SpreadTiledHost.hpp>
#include <particle_grid/Sporos_TransferChecks.hpp>

#include <optional>

namespace Sporos {

/// How spread resolves that points share grid points. All but `atomic` give the
/// same bits on every run and at any number of threads.
enum class SpreadAlgorithm {
  automatic,       ///< tiled; sweep_buffered for support above 7
  serial,          ///< one thread: the reference
  sweep,           ///< one segmented reduction for each of the s^d shifts
  sweep_buffered,  ///< several shifts at a time into a buffer of columns
  sweep_buffered_on_the_fly,  ///< the same with a buffer for this call only
  tiled,  ///< tiles of cells summed in cache or scratch, colour by colour
  atomic  ///< atomic additions, for comparison: not repeatable
};

/// Options of spread.
struct SpreadOptions {
  /// How shared grid points are dealt with.
  SpreadAlgorithm algorithm = SpreadAlgorithm::automatic;
  /// Staggering of the field; none: the one of the plan.
  std::optional<Staggering> staggering = std::nullopt;
  /// Columns of the buffer of the buffered sweeps, 0: the largest divisor of
  /// s^d that is at most 10. More columns: fewer sweeps, more memory.
  int columns = 0;
};

/// How interpolate visits the points. All give repeatable results.
enum class InterpolateAlgorithm {
  automatic,  ///< tiled on hosts if the support is at most 7, else sorted
  serial,     ///< one thread: the reference
  sorted,     ///< a work item per point, in the plan's order
  tiled       ///< tiles of the field are read once into cache
};

/// Options of interpolate.
struct InterpolateOptions {
  /// How points are visited.
  InterpolateAlgorithm algorithm = InterpolateAlgorithm::automatic;
  /// Staggering of the field; none: the one of the plan.
  std::optional<Staggering> staggering = std::nullopt;
};

namespace Impl {

template <class Exec, int Dim, class Real, class Delta, class S, class T>
void spread_component(const Exec& exec, PlanState<Exec, Dim, Real, Delta>& plan,
                      const StridedVector<S>& strengths,
                      const FieldAccess<T, Dim>& field, const Staggering& g,
                      const SpreadOptions& options,
                      const SweepBuffer<T>& buffer) {
  const auto& bins  = plan.bins;
  const T factor    = T(Real(1) / plan.grid.cell_volume());
  const auto& delta = plan.delta;
  const int columns =
      options.columns > 0 ? options.columns : default_columns<Dim, Delta>();
  constexpr bool tiles = Delta::support <= max_tiled_support;
  switch (options.algorithm) {
    case SpreadAlgorithm::serial:
      return spread_serial(exec, bins, delta, strengths, field, g, factor);
    case SpreadAlgorithm::atomic:
      return spread_atomic(exec, bins, delta, strengths, field, g, factor);
    case SpreadAlgorithm::sweep:
      return spread_sweep(exec, bins, delta, strengths, field, g, factor,
                          plan.sweep);
    case SpreadAlgorithm::sweep_buffered_on_the_fly:
      return spread_sweep_on_the_fly(exec, bins, delta, strengths, field, g,
                                     factor, columns, plan.sweep);
    case SpreadAlgorithm::sweep_buffered: break;
    case SpreadAlgorithm::automatic:
    case SpreadAlgorithm::tiled:
      if constexpr (tiles && is_synchronous_space_v<Exec>)
        return spread_tiled_host(exec, bins, delta, strengths, field, g, factor,
                                 plan.slots, plan.records);
      else if constexpr (tiles)
        return spread_tiled_device(exec, bins, delta, strengths, field, g,
                                   factor, plan.slots);
      else
        check(options.algorithm == SpreadAlgorithm::automatic, "Sporos::spread",
              "options.algorithm",
              text("one for any support; tiled takes at most ",
                   max_tiled_support),
              text("tiled with support ", int(Delta::support)));
  }
  spread_sweep_buffered(exec, bins, delta, strengths, field, g, factor, columns,
                        buffer, plan.sweep);
}

template <class Exec, int Dim, class Real, class Delta, class T, class V>
void interpolate_component(const Exec& exec,
                           PlanState<Exec, Dim, Real, Delta>& plan,
                           const FieldAccess<T, Dim>& field,
                           const StridedVector<V>& values, const Staggering& g,
                           InterpolateAlgorithm algorithm) {
  constexpr bool tiles = Delta::support <= max_tiled_support;
  if (algorithm == InterpolateAlgorithm::serial)
    return interpolate_serial(exec, plan.bins, plan.delta, field, values, g);
  if (algorithm != InterpolateAlgorithm::sorted) {
    if constexpr (tiles && is_synchronous_space_v<Exec>)
      return interpolate_tiled_host(exec, plan.bins, plan.delta, field, values,
                                    g, plan.records);
    check(tiles || algorithm == InterpolateAlgorithm::automatic,
          "Sporos::interpolate", "options.algorithm",
          text("one for any support; tiled takes at most ", max_tiled_support),
          text("tiled with support ", int(Delta::support)));
  }
  interpolate_sorted(exec, plan.bins, plan.delta, field, values, g);
}

template <class Exec, int Dim, class Real, class Delta, class Strengths,
          class Field>
void spread_checked(const Exec& exec,
                    const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
                    const Strengths& strengths, const Field& field,
                    const SpreadOptions& options,
                    const SweepBuffer<typename Field::value_type>& buffer) {
  auto& state        = plan.state();
  const Staggering g = options.staggering.value_or(plan.options().staggering);
  check_transfer<Exec, Dim>("Sporos::spread", plan, g, "strengths", strengths,
                            field);
  check(options.columns >= 0, "Sporos::spread", "options.columns",
        "a number of columns, or 0", options.columns);
  if (plan.size() == 0) return;
  for (int c = 0; c < components(strengths); ++c)
    spread_component(
        exec, state,
        StridedVector<typename Strengths::const_value_type>(strengths, c),
        FieldAccess<typename Field::value_type, Dim>(field, state.bins.cells,
                                                     c),
        g, options, buffer);
}

}  // namespace Impl

/// Spreads: field(x) += sum_i delta_h(x - X_i) strengths(i) with delta_h(x) =
/// prod_d phi(x_d / h_d) / h_d. The field is added to, not overwritten.
///
/// \param exec the execution-space instance in which it runs
/// \param plan made or updated for the positions X_i
/// \param strengths shape (n), or (n, c) for c components; any layout
/// \param field shape (points(0), ..., points(Dim - 1)) of the grid at the
///   staggering of options, or with c as last extent; any layout, any strides
/// \param options algorithm, staggering and columns
/// \throws std::invalid_argument for wrong extents, a staggering outside [0, 1)
///   or options that cannot be met; nothing is written then
/// Asynchronous in exec. Strengths that are NaN or infinite spoil grid points
/// up to 64 bytes apart. Complexity: see SpreadAlgorithm; s^d operations per
/// point. (Kassen, Shankar, Fogelson, algorithms serial-spread, par-spread,
/// pa-spread and otf-spread; `tiled` is this library's own.)
template <class Exec, int Dim, class Real, class Delta, class Strengths,
          class Field>
void spread(const Exec& exec,
            const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
            const Strengths& strengths, const Field& field,
            const SpreadOptions& options = {}) {
  Impl::spread_checked(exec, plan, strengths, field, options,
                       Impl::SweepBuffer<typename Field::value_type>());
}

/// The same with a caller's buffer for `sweep_buffered`.
/// \param exec the execution-space instance in which it runs
/// \param plan, strengths, field as above
/// \param buffer shape (grid points of the field, columns), values of the same
///   type as field, any layout; its contents are overwritten. Its second extent
///   is the number of columns, whatever options.columns says.
/// \param options staggering; the algorithm is sweep_buffered
template <class Exec, int Dim, class Real, class Delta, class Strengths,
          class Field, class Buffer>
std::enable_if_t<Kokkos::is_view<Buffer>::value> spread(
    const Exec& exec, const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
    const Strengths& strengths, const Field& field, const Buffer& buffer,
    SpreadOptions options = {}) {
  Impl::check_buffer<Exec, Dim>("Sporos::spread", plan, field, buffer, options);
  options.algorithm = SpreadAlgorithm::sweep_buffered;
  options.columns   = int(buffer.extent(1));
  Impl::spread_checked(exec, plan, strengths, field, options,
                       Impl::SweepBuffer<typename Field::value_type>(buffer));
}

/// Spreads a vector field on a marker-and-cell grid: component k of strengths,
/// shape (n, Dim), goes to fields[k] at the staggering of face k.
template <class Exec, int Dim, class Real, class Delta, class Strengths,
          class Field, std::size_t N>
void spread(const Exec& exec,
            const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
            const Strengths& strengths, const Kokkos::Array<Field, N>& fields,
            SpreadOptions options = {}) {
  Impl::check_faces<Dim, N>("Sporos::spread", "strengths", strengths,
                            options.staggering.has_value());
  for (int k = 0; k < Dim; ++k)  // all of them before anything is written
    Impl::check_transfer<Exec, Dim>(
        "Sporos::spread", plan, Grid<Dim, Real>::face(k), "strengths",
        Kokkos::subview(strengths, Kokkos::ALL(), k), fields[k]);
  for (int k = 0; k < Dim; ++k) {
    options.staggering = Grid<Dim, Real>::face(k);
    spread(exec, plan, Kokkos::subview(strengths, Kokkos::ALL(), k), fields[k],
           options);
  }
}

/// The same in the default instance of the plan's space; waits for the result.
template <class Exec, int Dim, class Real, class Delta, class Strengths,
          class Field>
void spread(const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
            const Strengths& strengths, const Field& field,
            const SpreadOptions& options = {}) {
  const Exec exec{};
  spread(exec, plan, strengths, field, options);
  Impl::fence(exec, "Sporos::spread");
}

/// Makes a plan for one use and spreads. Waits for the result.
template <class Exec, int Dim, class Real, class Delta, class Positions,
          class Strengths, class Field>
void spread(const Exec& exec, const Grid<Dim, Real>& grid, const Delta& delta,
            const Positions& positions, const Strengths& strengths,
            const Field& field, const SpreadOptions& options = {}) {
  PlanOptions plan_options;
  if (options.staggering) plan_options.staggering = *options.staggering;
  const ParticleGridPlan<Exec, Dim, Real, Delta> plan(exec, grid, delta,
                                                      positions, plan_options);
  spread(exec, plan, strengths, field, options);
  Impl::fence(exec, "Sporos::spread");
}

/// Interpolates: values(i) = h^d sum_x delta_h(x - X_i) field(x), the adjoint
/// of spread: h^d <spread L, e> = <L, interpolate e>. Values are overwritten;
/// points outside the grid get 0.
///
/// \param exec the execution-space instance in which it runs
/// \param plan made or updated for the positions X_i
/// \param field see spread
/// \param values shape (n), or (n, c)
/// \param options algorithm and staggering
/// \throws std::invalid_argument as spread
/// Asynchronous in exec. (Kassen, Shankar, Fogelson, algorithm par-interp.)
template <class Exec, int Dim, class Real, class Delta, class Field,
          class Values>
void interpolate(const Exec& exec,
                 const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
                 const Field& field, const Values& values,
                 const InterpolateOptions& options = {}) {
  auto& state        = plan.state();
  const Staggering g = options.staggering.value_or(plan.options().staggering);
  Impl::check_transfer<Exec, Dim>("Sporos::interpolate", plan, g, "values",
                                  values, field);
  if (plan.size() == 0) return;
  for (int c = 0; c < Impl::components(values); ++c)
    Impl::interpolate_component(
        exec, state,
        Impl::FieldAccess<typename Field::const_value_type, Dim>(
            field, state.bins.cells, c),
        Impl::StridedVector<typename Values::value_type>(values, c), g,
        options.algorithm);
}

/// Interpolates a vector field on a marker-and-cell grid: fields[k], at the
/// staggering of face k, to component k of values, shape (n, Dim).
template <class Exec, int Dim, class Real, class Delta, class Field,
          std::size_t N, class Values>
void interpolate(const Exec& exec,
                 const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
                 const Kokkos::Array<Field, N>& fields, const Values& values,
                 InterpolateOptions options = {}) {
  Impl::check_faces<Dim, N>("Sporos::interpolate", "values", values,
                            options.staggering.has_value());
  for (int k = 0; k < Dim; ++k)  // all of them before anything is written
    Impl::check_transfer<Exec, Dim>(
        "Sporos::interpolate", plan, Grid<Dim, Real>::face(k), "values",
        Kokkos::subview(values, Kokkos::ALL(), k), fields[k]);
  for (int k = 0; k < Dim; ++k) {
    options.staggering = Grid<Dim, Real>::face(k);
    interpolate(exec, plan, fields[k],
                Kokkos::subview(values, Kokkos::ALL(), k), options);
  }
}

/// The same in the default instance of the plan's space; waits for the result.
template <class Exec, int Dim, class Real, class Delta, class Field,
          class Values>
void interpolate(const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
                 const Field& field, const Values& values,
                 const InterpolateOptions& options = {}) {
  const Exec exec{};
  interpolate(exec, plan, field, values, options);
  Impl::fence(exec, "Sporos::interpolate");
}

/// Interpolates without a plan, points in the order in which they are given:
/// for a single use, or for points that are coherent already. Asynchronous in
/// exec; s^d operations per point.
/// \param exec the execution-space instance in which it runs
/// \param grid the grid
/// \param delta the delta function
/// \param positions see ParticleGridPlan; points that are not finite get 0
/// \param field shape as for spread
/// \param values shape (n), or (n, c)
/// \param staggering of the field
/// \throws std::invalid_argument for wrong extents
template <class Exec, int Dim, class Real, class Delta, class Positions,
          class Field, class Values>
void interpolate(const Exec& exec, const Grid<Dim, Real>& grid,
                 const Delta& delta, const Positions& positions,
                 const Field& field, const Values& values,
                 const Staggering& staggering = Staggering{{0., 0., 0.}}) {
  using Plan  = ParticleGridPlan<Exec, Dim, Real, Delta>;
  using Cells = Impl::TiledCells<Dim, Real, Delta::support>;
  Plan::check_positions("Sporos::interpolate", positions);
  Impl::check_fields<Exec, Dim>("Sporos::interpolate", grid, Delta::support,
                                staggering, positions.extent(0), "values",
                                values, field);
  if (positions.extent(0) == 0) return;
  const Cells cells(
      grid, staggering,
      std::is_same<typename Field::array_layout, Kokkos::LayoutRight>::value);
  for (int c = 0; c < Impl::components(values); ++c)
    Impl::interpolate_unsorted(
        exec, cells, positions, delta,
        Impl::FieldAccess<typename Field::const_value_type, Dim>(field, cells,
                                                                 c),
        Impl::StridedVector<typename Values::value_type>(values, c));
}

}  // namespace Sporos

#endif
