// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PARTICLEGRID_HPP
#define SPOROS_PARTICLEGRID_HPP

/// \file Sporos_ParticleGrid.hpp
/// Particle-grid transfer: spreads values of scattered points to a uniform grid
/// and interpolates fields at the points, with a regularised delta function.
///
/// \code
///   Sporos::Grid<3> grid({128, 128, 128}, 1. / 128);
///   Sporos::ParticleGridPlan plan(exec, grid, Sporos::Cosine4{}, positions);
///   Sporos::spread(exec, plan, strengths, field);
///   Sporos::interpolate(exec, plan, field, values);
///   plan.update(exec, positions);  // after the points moved
/// \endcode

#include <Sporos_ProfilingRegion.hpp>
#include <Sporos_DeltaFunctions.hpp>
#include <Sporos_Grid.hpp>
#include <Sporos_ParticleGridPlan.hpp>
#include <Sporos_TransferOptions.hpp>
#include <particle_grid/calls/Sporos_TransferDispatch.hpp>
#include <particle_grid/calls/Sporos_TransferCompiled.hpp>

namespace Sporos {

/// Adds values of points to a field:
/// field(x) += sum_i delta_h(x - X_i) strengths(i)
/// with delta_h(x) = prod_d phi(x_d / h_d) / h_d.
///
/// \param exec the execution-space instance in which it runs
/// \param plan a plan for the positions X_i
/// \param strengths shape (n), or (n, c) for c components; float, double or
///   Kokkos::complex of these; any layout; in the order of the positions, or
///   see in_plan_order
/// \param field shape (points(0), ..., points(Dim - 1)) of the grid at the
///   staggering of options, or with c as last extent; real if strengths are,
///   else complex; any layout and strides
/// \param options algorithm, staggering and columns
/// \throws std::invalid_argument for wrong extents, Views without memory or
///   with common memory, a staggering outside [0, 1), and impossible options;
///   nothing is written
/// Asynchronous in exec, except sweep_buffered_on_the_fly, which waits because
/// it frees its buffer. A strength that is NaN or infinite may also spoil grid
/// points near its support. Complexity: see
/// SpreadAlgorithm; s^d operations per point and real component, and s d
/// weights per point for each four real components. (Kassen, Shankar, Fogelson,
/// algorithms serial-spread, par-spread, pa-spread and otf-spread; `tiled` is
/// this library's own.)
template <class Exec, int Dim, class Real, class Delta, class Strengths,
          class Field>
void spread(const Exec& exec,
            const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
            const Strengths& strengths, const Field& field,
            const SpreadOptions& options) {
  Impl::spread_checked(exec, plan, strengths, field, options);
}

/// Spreads with `automatic`, at the staggering of the plan. Compiles only the
/// choice of `automatic` and `serial`.
template <class Exec, int Dim, class Real, class Delta, class Strengths,
          class Field>
void spread(const Exec& exec,
            const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
            const Strengths& strengths, const Field& field) {
  Impl::spread_checked(exec, plan, strengths, field, Impl::AutomaticOptions{});
}

/// Spreads with `sweep_buffered` and your own buffer.
/// \param exec the execution-space instance in which it runs
/// \param plan, strengths, field as above
/// \param buffer shape (grid points of the field, columns), values of the same
///   type as field, any layout; its contents are overwritten. Its second extent
///   is the number of columns; options.columns is ignored.
/// \param options the staggering; the algorithm must be automatic or
///   sweep_buffered
/// \throws std::invalid_argument also for a buffer of wrong shape or with
///   memory of the other Views, and for a plan with PlanOptions::any_ranks
template <class Exec, int Dim, class Real, class Delta, class Strengths,
          class Field, class Buffer>
std::enable_if_t<Kokkos::is_view<Buffer>::value> spread(
    const Exec& exec, const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
    const Strengths& strengths, const Field& field, const Buffer& buffer,
    SpreadOptions options = {}) {
  Impl::check_buffer<Exec, Dim>(
      "Sporos::spread", plan, Impl::view_of(strengths), field, buffer, options);
  options.algorithm = SpreadAlgorithm::sweep_buffered;
  options.columns   = int(buffer.extent(1));
  Impl::spread_checked(exec, plan, strengths, field, options,
                       Impl::SweepBuffer<Impl::RealPartOf<Field>>(buffer));
}

/// Spreads several components: adds component k of strengths, shape (n, N), to
/// fields[k]. All fields have the staggering of the options or, if that is
/// unset, of the plan.
template <class Exec, int Dim, class Real, class Delta, class Strengths,
          class Field, std::size_t N>
void spread(const Exec& exec,
            const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
            const Strengths& strengths, const Kokkos::Array<Field, N>& fields,
            const SpreadOptions& options) {
  Impl::spread_checked(exec, plan, strengths, fields, options);
}

/// Spreads several components with `automatic`, at the staggering of the plan.
template <class Exec, int Dim, class Real, class Delta, class Strengths,
          class Field, std::size_t N>
void spread(const Exec& exec,
            const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
            const Strengths& strengths, const Kokkos::Array<Field, N>& fields) {
  Impl::spread_checked(exec, plan, strengths, fields, Impl::AutomaticOptions{});
}

/// Spreads a vector field on a marker-and-cell grid: adds component k of
/// strengths, shape (n, Dim), to faces.fields[k] at the staggering of face k,
/// all components in one pass over the points. options.staggering is unset.
template <class Exec, int Dim, class Real, class Delta, class Strengths,
          class Field, std::size_t N>
void spread(const Exec& exec,
            const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
            const Strengths& strengths, const OnFaces<Field, N>& faces,
            const SpreadOptions& options) {
  Impl::spread_checked(exec, plan, strengths, faces, options);
}

/// Spreads a vector field on a marker-and-cell grid with `automatic`.
template <class Exec, int Dim, class Real, class Delta, class Strengths,
          class Field, std::size_t N>
void spread(const Exec& exec,
            const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
            const Strengths& strengths, const OnFaces<Field, N>& faces) {
  Impl::spread_checked(exec, plan, strengths, faces, Impl::AutomaticOptions{});
}

/// Spreads with `automatic` in the default instance of the plan's space. Waits
/// for the result.
template <class Exec, int Dim, class Real, class Delta, class Strengths,
          class Field>
void spread(const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
            const Strengths& strengths, const Field& field) {
  const Exec exec{};
  spread(exec, plan, strengths, field);
  Impl::fence(exec, "Sporos::spread");
}
/// Spreads with options in the default instance of the plan's space. Waits for
/// the result.
template <class Exec, int Dim, class Real, class Delta, class Strengths,
          class Field>
void spread(const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
            const Strengths& strengths, const Field& field,
            const SpreadOptions& options) {
  const Exec exec{};
  spread(exec, plan, strengths, field, options);
  Impl::fence(exec, "Sporos::spread");
}

/// Makes a plan for one use, spreads, and waits for the result.
template <class Exec, int Dim, class Real, class Delta, class Positions,
          class Strengths, class Field>
void spread(const Exec& exec, const Grid<Dim, Real>& grid, const Delta& delta,
            const Positions& positions, const Strengths& strengths,
            const Field& field, const SpreadOptions& options) {
  Impl::spread_once(exec, grid, delta, positions, strengths, field, options);
}

/// Makes a plan for one use, spreads with `automatic`, and waits for the
/// result.
template <class Exec, int Dim, class Real, class Delta, class Positions,
          class Strengths, class Field>
void spread(const Exec& exec, const Grid<Dim, Real>& grid, const Delta& delta,
            const Positions& positions, const Strengths& strengths,
            const Field& field) {
  Impl::spread_once(exec, grid, delta, positions, strengths, field,
                    Impl::AutomaticOptions{});
}

/// Reads a field at the points:
/// values(i) = h^d sum_x delta_h(x - X_i) field(x).
/// This is the adjoint of spread: h^d <spread L, e> = <L, interpolate e>.
/// Overwrites values; points outside the grid get 0.
///
/// \param exec the execution-space instance in which it runs
/// \param plan a plan for the positions X_i
/// \param field see spread
/// \param values shape (n), or (n, c); see strengths of spread
/// \param options algorithm and staggering
/// \throws std::invalid_argument like spread
/// Asynchronous in exec. Complexity: s^d operations per point and real
/// component. (Kassen, Shankar, Fogelson, algorithm par-interp.)
template <class Exec, int Dim, class Real, class Delta, class Field,
          class Values>
void interpolate(const Exec& exec,
                 const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
                 const Field& field, const Values& values,
                 const InterpolateOptions& options) {
  Impl::interpolate_checked(exec, plan, field, values, options);
}

/// Reads a field at the points with `automatic`, at the staggering of the plan.
/// Compiles only the choice of `automatic` and `serial`.
template <class Exec, int Dim, class Real, class Delta, class Field,
          class Values>
void interpolate(const Exec& exec,
                 const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
                 const Field& field, const Values& values) {
  Impl::interpolate_checked(exec, plan, field, values,
                            Impl::AutomaticOptions{});
}

/// Interpolates several components: reads fields[k] for component k of values,
/// shape (n, N). All fields have the staggering of the options or, if that is
/// unset, of the plan.
template <class Exec, int Dim, class Real, class Delta, class Field,
          std::size_t N, class Values>
void interpolate(const Exec& exec,
                 const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
                 const Kokkos::Array<Field, N>& fields, const Values& values,
                 const InterpolateOptions& options) {
  Impl::interpolate_checked(exec, plan, fields, values, options);
}

/// Interpolates several components with `automatic`, at the staggering of the
/// plan.
template <class Exec, int Dim, class Real, class Delta, class Field,
          std::size_t N, class Values>
void interpolate(const Exec& exec,
                 const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
                 const Kokkos::Array<Field, N>& fields, const Values& values) {
  Impl::interpolate_checked(exec, plan, fields, values,
                            Impl::AutomaticOptions{});
}

/// Interpolates a vector field on a marker-and-cell grid: reads
/// faces.fields[k], at the staggering of face k, for component k of values,
/// shape (n, Dim). options.staggering is unset.
template <class Exec, int Dim, class Real, class Delta, class Field,
          std::size_t N, class Values>
void interpolate(const Exec& exec,
                 const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
                 const OnFaces<Field, N>& faces, const Values& values,
                 const InterpolateOptions& options) {
  Impl::interpolate_checked(exec, plan, faces, values, options);
}

/// Interpolates a vector field on a marker-and-cell grid with `automatic`.
template <class Exec, int Dim, class Real, class Delta, class Field,
          std::size_t N, class Values>
void interpolate(const Exec& exec,
                 const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
                 const OnFaces<Field, N>& faces, const Values& values) {
  Impl::interpolate_checked(exec, plan, faces, values,
                            Impl::AutomaticOptions{});
}

/// Interpolates with `automatic` in the default instance of the plan's space.
/// Waits for the result.
template <class Exec, int Dim, class Real, class Delta, class Field,
          class Values>
void interpolate(const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
                 const Field& field, const Values& values) {
  const Exec exec{};
  interpolate(exec, plan, field, values);
  Impl::fence(exec, "Sporos::interpolate");
}
/// Interpolates with options in the default instance of the plan's space. Waits
/// for the result.
template <class Exec, int Dim, class Real, class Delta, class Field,
          class Values>
void interpolate(const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
                 const Field& field, const Values& values,
                 const InterpolateOptions& options) {
  const Exec exec{};
  interpolate(exec, plan, field, values, options);
  Impl::fence(exec, "Sporos::interpolate");
}

/// Interpolates without a plan and takes the points in the given order, for a
/// single use or for points that are sorted already. Asynchronous in exec; s^d
/// operations per point.
/// \param exec the execution-space instance in which it runs
/// \param grid the grid
/// \param delta the delta function
/// \param positions see ParticleGridPlan; points that are not finite get 0
/// \param field shape as for spread
/// \param values shape (n), or (n, c)
/// \param staggering of the field
/// \throws std::invalid_argument for wrong extents, Views without memory, and
///   values that share memory with positions or field
template <class Exec, int Dim, class Real, class Delta, class Positions,
          class Field, class Values>
void interpolate(const Exec& exec, const Grid<Dim, Real>& grid,
                 const Delta& delta, const Positions& positions,
                 const Field& field, const Values& values,
                 const Staggering& staggering = Staggering{{0., 0., 0.}}) {
  static_assert(!Impl::PointValues<Values>::in_plan_order,
                "Sporos::interpolate: without a plan there is no plan's order");
  const Impl::ProfilingRegion region("Sporos::interpolate");
  using Plan  = ParticleGridPlan<Exec, Dim, Real, Delta>;
  using Cells = Impl::TiledCells<Dim, Real, Delta::support>;
  Plan::check_positions("Sporos::interpolate", positions);
  Impl::check_fields<Exec, Dim>("Sporos::interpolate", grid, grid, staggering,
                                positions.extent(0), "values", values, field);
  Impl::check_rounding<Impl::RealPartOf<Field>>("Sporos::interpolate", delta,
                                                Dim);
  Impl::check_written_values(values);
  Impl::check_apart("Sporos::interpolate", "values", values, "positions",
                    positions);
  if (positions.extent(0) == 0) return;
  const Cells cells(
      grid, staggering,
      std::is_same<typename Field::array_layout, Kokkos::LayoutRight>::value);
  Impl::for_each_group<const Impl::RealPartOf<Field>, Impl::RealPartOf<Values>>(
      field, values, cells, staggering, [&](const auto& group) {
        Impl::interpolate_unsorted(
            exec, cells,
            Impl::PointPositions<typename Positions::const_value_type, Dim>(
                positions),
            Impl::oriented(delta, cells.dir), group);
      });
}

}  // namespace Sporos

#endif
