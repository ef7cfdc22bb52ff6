// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PARTICLEGRIDGRADIENT_HPP
#define SPOROS_PARTICLEGRIDGRADIENT_HPP

/// \file Sporos_ParticleGridGradient.hpp
/// Gradients of what interpolate gives, and the adjoint, which spreads dipoles.
///
/// \code
///   Sporos::ParticleGridPlan plan(exec, grid, Sporos::Bao6{}, positions);
///   Sporos::interpolate_gradient(exec, plan, potential, gradients);
///   Sporos::spread_dipoles(exec, plan, moments, field);
/// \endcode
///
/// The delta function needs `derivatives`, see Sporos_DeltaFunctions.hpp.

#include <Sporos_ParticleGrid.hpp>
#include <particle_grid/calls/Sporos_GradientDispatch.hpp>

namespace Sporos {

/// The gradient of what interpolate gives, with respect to the positions:
/// gradients(i, k) = h^d sum_x d/dX_k delta_h(x - X_i) field(x), in units of
/// the field per length. Overwrites gradients; points outside the grid get 0.
///
/// \param exec the execution-space instance in which it runs
/// \param plan a plan for the positions X_i
/// \param field one real or complex number for each grid point, see spread
/// \param gradients shape (n, Dim), in one dimension also (n); real if the
/// field
///   is, else complex; in the order of the positions, or see in_plan_order
/// \param options algorithm and staggering
/// \throws std::invalid_argument like interpolate, and if the type of the field
///   does not hold the inverse of a spacing
/// Asynchronous in exec. Complexity: s^d operations per point, twice those of
/// interpolate, in one pass over the field; `unsorted` takes Dim passes.
template <class Exec, int Dim, class Real, class Delta, class Field,
          class Gradients>
void interpolate_gradient(const Exec& exec,
                          const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
                          const Field& field, const Gradients& gradients,
                          const InterpolateOptions& options) {
  Impl::interpolate_gradient_checked("Sporos::interpolate_gradient", exec, plan,
                                     field, Impl::NoValues{}, gradients,
                                     options);
}

/// Gradients with `automatic`, at the staggering of the plan. Compiles only the
/// choice of `automatic` and `serial`.
template <class Exec, int Dim, class Real, class Delta, class Field,
          class Gradients>
void interpolate_gradient(const Exec& exec,
                          const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
                          const Field& field, const Gradients& gradients) {
  Impl::interpolate_gradient_checked("Sporos::interpolate_gradient", exec, plan,
                                     field, Impl::NoValues{}, gradients,
                                     Impl::AutomaticOptions{});
}

/// Gradients with `automatic` in the default instance of the plan's space.
/// Waits for the result.
template <class Exec, int Dim, class Real, class Delta, class Field,
          class Gradients>
void interpolate_gradient(const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
                          const Field& field, const Gradients& gradients) {
  const Exec exec{};
  interpolate_gradient(exec, plan, field, gradients);
  Impl::fence(exec, "Sporos::interpolate_gradient");
}

/// Interpolates a field and its gradient in one pass, which takes as long as
/// the gradient alone. \param exec, plan, field, gradients, options see
/// interpolate_gradient \param values shape (n), numbers of the type of
/// gradients; both in the order
///   of the positions, or both wrapped in in_plan_order
/// \throws std::invalid_argument like interpolate_gradient
/// Asynchronous in exec.
template <class Exec, int Dim, class Real, class Delta, class Field,
          class Values, class Gradients>
void interpolate_with_gradient(
    const Exec& exec, const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
    const Field& field, const Values& values, const Gradients& gradients,
    const InterpolateOptions& options) {
  Impl::interpolate_gradient_checked("Sporos::interpolate_with_gradient", exec,
                                     plan, field, values, gradients, options);
}

/// Interpolates a field and its gradient with `automatic`, at the staggering of
/// the plan.
template <class Exec, int Dim, class Real, class Delta, class Field,
          class Values, class Gradients>
void interpolate_with_gradient(
    const Exec& exec, const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
    const Field& field, const Values& values, const Gradients& gradients) {
  Impl::interpolate_gradient_checked("Sporos::interpolate_with_gradient", exec,
                                     plan, field, values, gradients,
                                     Impl::AutomaticOptions{});
}

/// Adds dipoles of points to a field:
/// field(x) += sum_i sum_k moments(i, k) d/dX_k delta_h(x - X_i),
/// as pairs of points with opposite strengths do whose distance goes to 0 and
/// whose moment, strength times distance, stays. This is the adjoint of
/// interpolate_gradient: h^d <spread_dipoles m, e> = <m, interpolate_gradient
/// e>.
///
/// \param exec the execution-space instance in which it runs
/// \param plan a plan for the positions X_i
/// \param moments shape (n, Dim), in one dimension also (n), see the gradients
///   of interpolate_gradient
/// \param field one real or complex number for each grid point, see spread
/// \param options algorithm, staggering and columns
/// \throws std::invalid_argument like spread, and if the type of the field does
///   not hold the inverse of a cell volume times a spacing
/// Asynchronous in exec, except sweep_buffered_on_the_fly. Complexity: s^d
/// operations per point, twice those of spread, in one pass; the sweeps and
/// `replicated` take Dim passes.
template <class Exec, int Dim, class Real, class Delta, class Moments,
          class Field>
void spread_dipoles(const Exec& exec,
                    const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
                    const Moments& moments, const Field& field,
                    const SpreadOptions& options) {
  Impl::spread_dipoles_checked(exec, plan, moments, field, options);
}

/// Adds dipoles with `automatic`, at the staggering of the plan. Compiles only
/// the choice of `automatic` and `serial`.
template <class Exec, int Dim, class Real, class Delta, class Moments,
          class Field>
void spread_dipoles(const Exec& exec,
                    const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
                    const Moments& moments, const Field& field) {
  Impl::spread_dipoles_checked(exec, plan, moments, field,
                               Impl::AutomaticOptions{});
}

/// Adds dipoles with `automatic` in the default instance of the plan's space.
/// Waits for the result.
template <class Exec, int Dim, class Real, class Delta, class Moments,
          class Field>
void spread_dipoles(const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
                    const Moments& moments, const Field& field) {
  const Exec exec{};
  spread_dipoles(exec, plan, moments, field);
  Impl::fence(exec, "Sporos::spread_dipoles");
}

}  // namespace Sporos

#endif
