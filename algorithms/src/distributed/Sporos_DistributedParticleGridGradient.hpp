// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_DISTRIBUTEDPARTICLEGRIDGRADIENT_HPP
#define SPOROS_DISTRIBUTEDPARTICLEGRIDGRADIENT_HPP

/// \file Sporos_DistributedParticleGridGradient.hpp
/// Gradients and dipoles of points and a grid that are spread out over MPI
/// ranks.
///
/// \code
///   Sporos::DistributedParticleGridPlan plan(exec, blocks, Sporos::Bao6{},
///                                            positions);
///   Sporos::interpolate_gradient(exec, plan, potential, gradients);
///   Sporos::spread_dipoles(exec, plan, moments, field);
/// \endcode

#include <Sporos_DistributedParticleGrid.hpp>
#include <Sporos_ParticleGridGradient.hpp>

#include <cstddef>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// Stands in for ValuesOfCopies in calls without values.
struct NoValuesOfCopies {
  static NoValues rows() { return {}; }
  static NoValues sorted() { return {}; }
  static void store() {}
};

/// Values: of rank 1 for one field, or NoValues
template <class Exec, int Dim, class Real, class Delta, class Target,
          class Values, class Gradients, class Options>
void interpolate_gradient_on_ranks(
    const char* function, const Exec& exec,
    const DistributedParticleGridPlan<Exec, Dim, Real, Delta>& plan,
    const Target& target, const Values& values, const Gradients& gradients,
    const Options& options) {
  auto& state      = plan.state(function);
  const auto& grid = state.grid;
  using State      = std::decay_t<decltype(state)>;
  agree_on_call<Dim>(
      function, state, target,
      [&] {
        check_gradients<Delta>(function, grid.grid(), state.own,
                               target.fields[0], values, gradients,
                               [&](const char* argument, const auto& one) {
                                 target.template check<Exec>(
                                     function, grid, state.own, argument, one);
                               });
        check_interpolate_options(function, state, options);
      },
      "");
  if (!grid.has_block()) return;
  target.template exchange<false>(exec, state);
  const auto run = [&](const auto& all_gradients, const auto& all_values) {
    interpolate_gradient_checked(function, exec, state.local,
                                 target.part(state), all_values, all_gradients,
                                 options);
  };
  if (state.mode == BorderMode::ghost_sums) return run(gradients, values);
  const ValuesOfCopies<State, Gradients> of_gradients(exec, state, gradients,
                                                      state.values);
  const auto of_values = [&] {
    if constexpr (std::is_same_v<Values, NoValues>)
      return NoValuesOfCopies();
    else
      return ValuesOfCopies<State, Values>(exec, state, values,
                                           state.more_values);
  }();
  with_values(run, of_gradients, of_values);
  of_gradients.store();
  of_values.store();
}

template <class Exec, int Dim, class Real, class Delta, class Moments,
          class Target, class Options>
void spread_dipoles_on_ranks(
    const Exec& exec,
    const DistributedParticleGridPlan<Exec, Dim, Real, Delta>& plan,
    const Moments& moments, const Target& target, const Options& options) {
  constexpr const char* name = "Sporos::spread_dipoles";
  auto& state                = plan.state(name);
  const auto& grid           = state.grid;
  agree_on_call<Dim>(
      name, state, target,
      [&] {
        check_dipoles<Delta>(
            name, grid.grid(), state.own, moments, target.fields[0],
            [&](const char* argument, const auto& one) {
              target.template check<Exec>(name, grid, state.own, argument, one);
            });
        check_spread_options(name, state, options);
      },
      type_in_words<RealPartOf<Moments>>());
  spread_values_on_ranks(exec, state, moments, target, [&](const auto& all) {
    spread_dipoles_checked(exec, state.local, all, target.part(state), options);
  });
}

/// The field of a call, which has one component.
template <int Dim, class Plan, class Field, class Options>
auto field_of_call(const Plan& plan, const char* function, const Field& field,
                   const Options& options) {
  static_assert(Kokkos::is_view<Field>::value && view_rank_v<Field> == Dim,
                "Sporos::interpolate_gradient, Sporos::spread_dipoles: the "
                "field must be a View whose rank is the dimension of the grid");
  return fields_of_call<Dim>(plan, function, field, options);
}

}  // namespace Impl

/// The gradient of what interpolate gives, with respect to the positions, as on
/// one rank. Fills the ghost layers that it reads first. Collective.
/// \param exec the execution-space instance in which it runs
/// \param plan a plan for the positions X_i
/// \param field of the block with ghost layers, see DistributedGrid; one real
///   or complex number for each grid point
/// \param gradients of this rank's points, shape (n, Dim), in one dimension
///   also (n), in the order of the positions
/// \param options as on one rank, the same on all
/// \throws std::invalid_argument as on one rank; nothing is written. On all
///   ranks if one is wrong in the first call for fields of this kind, later on
///   that rank alone, see docs/distributed.md.
/// Complexity: as on one rank, and a message for each neighbour.
template <class Exec, int Dim, class Real, class Delta, class Field,
          class Gradients>
void interpolate_gradient(
    const Exec& exec,
    const DistributedParticleGridPlan<Exec, Dim, Real, Delta>& plan,
    const Field& field, const Gradients& gradients,
    const InterpolateOptions& options) {
  constexpr const char* name = "Sporos::interpolate_gradient";
  Impl::interpolate_gradient_on_ranks(
      name, exec, plan, Impl::field_of_call<Dim>(plan, name, field, options),
      Impl::NoValues{}, gradients, options);
}
/// Gradients with `automatic`, at the staggering of the plan.
template <class Exec, int Dim, class Real, class Delta, class Field,
          class Gradients>
void interpolate_gradient(
    const Exec& exec,
    const DistributedParticleGridPlan<Exec, Dim, Real, Delta>& plan,
    const Field& field, const Gradients& gradients) {
  constexpr const char* name = "Sporos::interpolate_gradient";
  const Impl::AutomaticOptions options;
  Impl::interpolate_gradient_on_ranks(
      name, exec, plan, Impl::field_of_call<Dim>(plan, name, field, options),
      Impl::NoValues{}, gradients, options);
}

/// Interpolates a field and its gradient in one pass. Collective; arguments and
/// exceptions as for interpolate_gradient. \param exec, plan, field, gradients,
/// options see there \param values of this rank's points, shape (n), numbers of
/// the type of gradients
template <class Exec, int Dim, class Real, class Delta, class Field,
          class Values, class Gradients>
void interpolate_with_gradient(
    const Exec& exec,
    const DistributedParticleGridPlan<Exec, Dim, Real, Delta>& plan,
    const Field& field, const Values& values, const Gradients& gradients,
    const InterpolateOptions& options) {
  constexpr const char* name = "Sporos::interpolate_with_gradient";
  Impl::interpolate_gradient_on_ranks(
      name, exec, plan, Impl::field_of_call<Dim>(plan, name, field, options),
      values, gradients, options);
}
/// Interpolates a field and its gradient with `automatic`, at the staggering of
/// the plan.
template <class Exec, int Dim, class Real, class Delta, class Field,
          class Values, class Gradients>
void interpolate_with_gradient(
    const Exec& exec,
    const DistributedParticleGridPlan<Exec, Dim, Real, Delta>& plan,
    const Field& field, const Values& values, const Gradients& gradients) {
  constexpr const char* name = "Sporos::interpolate_with_gradient";
  const Impl::AutomaticOptions options;
  Impl::interpolate_gradient_on_ranks(
      name, exec, plan, Impl::field_of_call<Dim>(plan, name, field, options),
      values, gradients, options);
}

/// Adds dipoles of the points of all ranks to a field, as on one rank.
/// Collective; exceptions as for interpolate_gradient.
/// \param exec the execution-space instance in which it runs
/// \param plan a plan for the positions X_i
/// \param moments of this rank's points, shape (n, Dim), in one dimension also
///   (n), in the order of the positions
/// \param field of the block with ghost layers; what these hold afterwards is
///   undefined
/// \param options as on one rank, the same on all
/// Waits for exec before it sends. Complexity: as on one rank, and a message
/// for each neighbour as for spread, with Dim components with ghost_points.
template <class Exec, int Dim, class Real, class Delta, class Moments,
          class Field>
void spread_dipoles(
    const Exec& exec,
    const DistributedParticleGridPlan<Exec, Dim, Real, Delta>& plan,
    const Moments& moments, const Field& field, const SpreadOptions& options) {
  Impl::spread_dipoles_on_ranks(
      exec, plan, moments,
      Impl::field_of_call<Dim>(plan, "Sporos::spread_dipoles", field, options),
      options);
}
/// Adds dipoles with `automatic`, at the staggering of the plan.
template <class Exec, int Dim, class Real, class Delta, class Moments,
          class Field>
void spread_dipoles(
    const Exec& exec,
    const DistributedParticleGridPlan<Exec, Dim, Real, Delta>& plan,
    const Moments& moments, const Field& field) {
  const Impl::AutomaticOptions options;
  Impl::spread_dipoles_on_ranks(
      exec, plan, moments,
      Impl::field_of_call<Dim>(plan, "Sporos::spread_dipoles", field, options),
      options);
}

}  // namespace Sporos

#endif
