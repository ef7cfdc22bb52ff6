// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_TRANSFERDISPATCH_HPP
#define SPOROS_TRANSFERDISPATCH_HPP

/// \file Sporos_TransferDispatch.hpp
/// The way from a call of spread or interpolate to an algorithm.

#include <particle_grid/interpolate/Sporos_InterpolateGiven.hpp>
#include <particle_grid/interpolate/Sporos_InterpolatePoints.hpp>
#include <particle_grid/interpolate/Sporos_InterpolateTiledTeams.hpp>
#include <particle_grid/interpolate/Sporos_InterpolateTiledHost.hpp>
#include <Sporos_Compiled.hpp>
#include <Sporos_ParticleGridPlan.hpp>
#include <Sporos_ProfilingRegion.hpp>
#include <particle_grid/spread/Sporos_SpreadOwners.hpp>
#include <particle_grid/spread/Sporos_SpreadReplicated.hpp>
#include <particle_grid/spread/Sporos_SpreadPoints.hpp>
#include <particle_grid/sweep/Sporos_SpreadSweep.hpp>
#include <particle_grid/spread/Sporos_SpreadTiledTeams.hpp>
#include <particle_grid/spread/Sporos_SpreadTiledHost.hpp>
#include <particle_grid/calls/Sporos_TransferChecks.hpp>
#include <particle_grid/stencil/Sporos_DerivedWeights.hpp>
#include <Sporos_TransferOptions.hpp>

#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

namespace Sporos {
namespace Impl {

/// Components of a View that one pass serves: those of a number, or up to
/// max_group.
template <class Values>
constexpr int group_size =
    view_rank_v<Values> == 1 ? real_parts_v<Values> : max_group;

/// The vector of a real component of values, see PointValues.
template <class V, class Given>
using VectorOf =
    decltype(PointValues<Given>::template vector<V>(std::declval<Given>(), 0));

/// Do two fields differ by nothing but where they are?
template <class Field>
bool same_strides(const Field& a, const Field& b) {
  bool same = true;
  for (int d = 0; d < view_rank_v<Field>; ++d)
    same = same && a.stride(d) == b.stride(d);
  return same;
}

/// run(group) for groups of the components of values and field, as real
/// numbers T and V, of which one is const.
template <class T, class V, class Field, class Given, class Cells, class Run>
void for_each_group(const Field& field, const Given& given, const Cells& cells,
                    const Staggering& g, const Run& run) {
  constexpr int Dim  = std::extent<decltype(cells.dir)>::value;
  const auto& values = view_of(given);
  constexpr int most = group_size<std::decay_t<decltype(values)>>;
  for (int first = 0; first < real_components<1>(values); first += most) {
    TransferGroup<T, V, Dim, most, GroupKind::alike, VectorOf<V, Given>> group;
    group.count         = Math::min(most, real_components<1>(values) - first);
    group.staggering[0] = g;
    group.in_plan_order = PointValues<Given>::in_plan_order;
    for (int c = 0; c < group.count; ++c) {
      group.field[c] = FieldAccess<T, Dim>(field, cells, first + c);
      group.values[c] =
          PointValues<Given>::template vector<V>(given, first + c);
    }
    run(group);
  }
}

/// run(group) for groups of several fields, field k with component k of values.
/// The fields of a group have the same strides.
template <class T, class V, class Field, std::size_t N, class Given,
          class Cells, class Run>
void for_each_group(const Kokkos::Array<Field, N>& fields, const Given& given,
                    const Cells& cells, const Staggering& g, const Run& run) {
  using Values        = std::decay_t<decltype(view_of(given))>;
  constexpr int Dim   = std::extent<decltype(cells.dir)>::value;
  constexpr int parts = real_parts_v<Values>;
  for (int k = 0; k < int(N);) {
    TransferGroup<T, V, Dim, max_group, GroupKind::alike, VectorOf<V, Given>>
        group;
    group.staggering[0] = g;
    group.in_plan_order = PointValues<Given>::in_plan_order;
    const int first     = k;
    while (k < int(N) && group.count + parts <= max_group &&
           same_strides(fields[first], fields[k])) {
      for (int part = 0; part < parts; ++part, ++group.count) {
        const int c    = group.count;
        group.field[c] = FieldAccess<T, Dim>(fields[k], cells, part);
        group.values[c] =
            PointValues<Given>::template vector<V>(given, k * parts + part);
      }
      ++k;
    }
    run(group);
  }
}

/// run(group) for one group: the fields on the faces of all directions and
/// their components of values.
template <class T, class V, class Field, std::size_t N, class Given,
          class Cells, class Run>
void for_each_group(const OnFaces<Field, N>& faces, const Given& given,
                    const Cells& cells, const Staggering&, const Run& run) {
  using Values      = std::decay_t<decltype(view_of(given))>;
  constexpr int Dim = int(N), parts = real_parts_v<Values>;
  TransferGroup<T, V, Dim, Dim * parts, GroupKind::faces, VectorOf<V, Given>>
      group;
  group.count         = group.most;
  group.staggering[0] = Grid<Dim>::node();
  group.staggering[1] = Grid<Dim>::cell_center();
  group.in_plan_order = PointValues<Given>::in_plan_order;
  for (int k = 0; k < Dim; ++k) {
    const int d             = cells.dir[k];
    group.face_direction[k] = d;
    for (int part = 0; part < parts; ++part) {
      const int c    = k * parts + part;
      group.field[c] = FieldAccess<T, Dim>(faces.fields[d], cells, part);
      group.values[c] =
          PointValues<Given>::template vector<V>(given, d * parts + part);
    }
  }
  run(group);
}

/// The delta function of a plan as a group takes it: with derivatives, if the
/// group has any.
template <class Plan, class Group>
decltype(auto) delta_of(const Plan& plan, const Group&) {
  if constexpr (Group::derives) {
    using T = std::remove_const_t<typename Group::T>;
    GradientDelta<std::decay_t<decltype(plan.delta)>, T, Group::dim> delta{
        plan.delta, {}};
    for (int k = 0; k < Group::dim; ++k)
      delta.inverse_h[k] = T(plan.bins.cells.inverse_h[k]);
    return delta;
  } else {
    return (plan.delta);
  }
}

/// Calls run(part, delta) for the parts of a group with one set of weights
/// each.
template <class Group, class Delta, class Run>
void for_each_term(const Group& group, const Delta& delta, const Run& run) {
  if constexpr (Group::sets == 1) {
    run(group, delta);
  } else if constexpr (Group::derives) {
    for (int k = 0; k < Group::terms; ++k)
      run(group.term(k), PartialDelta<Delta>{delta, k});
  } else {
    for (int k = 0; k < Group::terms; ++k) run(group.term(k), delta);
  }
}

/// What calls with these options compile.
template <class Options>
constexpr Compiled compiled_v =
    std::is_same_v<Options, AutomaticOptions> ? Compiled::automatic
                                              : Compiled::all;

/// The algorithms that take points in the given order.
constexpr SpreadAlgorithm given_order(SpreadAlgorithm) {
  return SpreadAlgorithm::replicated;
}
/// See given_order of spread
constexpr InterpolateAlgorithm given_order(InterpolateAlgorithm) {
  return InterpolateAlgorithm::unsorted;
}

/// The algorithm of a call: that of its options, else the given one, of the
/// environment. Throws if the call cannot take it. `automatic` would take
/// `taken`; with any_ranks those alone are taken that promise the same bits.
template <class Options, class Algorithm>
Algorithm choose_algorithm(const char* function, const char* variable,
                           [[maybe_unused]] const Options& options,
                           Algorithm algorithm,
                           [[maybe_unused]] Algorithm taken, int support,
                           int most_tiled, bool any_ranks, bool on_host) {
  if constexpr (compiled_v<Options> == Compiled::all)
    if (options.algorithm != Algorithm::automatic)
      algorithm = options.algorithm;
  check(algorithm != Algorithm::tiled || support <= most_tiled, function,
        "options.algorithm",
        text("a support of at most ", most_tiled,
             " for tiled (automatic takes another algorithm for wider ones)"),
        support);
  check(on_host || algorithm != given_order(Algorithm()), function,
        "options.algorithm",
        "automatic or tiled, since devices sort the points of a plan",
        "replicated or unsorted, which are for hosts");
  if constexpr (compiled_v<Options> == Compiled::automatic)
    check(algorithm == Algorithm::automatic || algorithm == Algorithm::serial ||
              algorithm == taken,
          function, variable,
          "automatic, serial or the choice of automatic (calls without "
          "options compile no other: pass options)",
          "another algorithm");
  check(!any_ranks || algorithm == Algorithm::automatic ||
            algorithm == Algorithm::tiled,
        function, "options.algorithm",
        "automatic or tiled, since the plan has any_ranks",
        "another algorithm");
  return algorithm;
}

/// 1 / cell volume as T, which may have a smaller range than the grid's type.
template <class T, int Dim, class Real>
T inverse_volume(const Grid<Dim, Real>& grid) {
  const Real inverse = Real(1) / grid.cell_volume();
  if constexpr (sizeof(T) < sizeof(Real))
    check(inverse >= Real(std::numeric_limits<T>::min()) &&
              inverse <= Real(std::numeric_limits<T>::max()),
          "Sporos::spread", "field",
          text("a type that holds the inverse ", inverse, " of a cell volume"),
          "float");
  return T(inverse);
}

/// May a call without options, which compiles the choices of `automatic` alone,
/// take the algorithm that the environment names?
template <class Exec, class Delta, class Algorithm>
bool is_choice(Algorithm environment) {
  return has_given_order_v<Exec, Delta> &&
         (environment == given_order(environment) ||
          environment == Algorithm::tiled);
}

/// columns 0: what the library takes
template <Compiled What, class Exec, int Dim, class Real, class Delta,
          class Group>
void run_spread(const Exec& exec, PlanState<Exec, Dim, Real, Delta>& plan,
                const Group& group, SpreadAlgorithm algorithm, int columns,
                const SweepBuffer<typename Group::T>& buffer) {
  using Algorithm      = SpreadAlgorithm;
  constexpr bool tiles = Delta::support <= most_tiled_v<Exec>;
  const auto& bins     = plan.bins;
  const auto& delta    = delta_of(plan, group);
  const auto factor    = inverse_volume<typename Group::T>(plan.grid);
  if (algorithm == Algorithm::automatic && plan.replicates)
    algorithm = Algorithm::replicated;
  if constexpr (is_host_space_v<Exec> &&
                (What == Compiled::all || has_given_order_v<Exec, Delta>)) {
    if (algorithm == Algorithm::replicated) {
      plan.use_given(exec, group.in_plan_order);
      return for_each_term(group, delta,
                           [&](const auto& part, const auto& of_part) {
                             spread_replicated(exec, plan.given, bins, of_part,
                                               part, factor, plan.slots);
                           });
    }
  }
  plan.sort(exec);
  if (algorithm == Algorithm::serial)
    return spread_points<false>(exec, bins, delta, group, factor);
  if constexpr (What == Compiled::all) {
    if (algorithm == Algorithm::atomic)
      return spread_points<true>(exec, bins, delta, group, factor);
    if (algorithm == Algorithm::sweep)
      return for_each_term(group, delta,
                           [&](const auto& part, const auto& of_part) {
                             spread_sweep(exec, bins, of_part, part, factor,
                                          plan.sweep_workspace());
                           });
  }
  if constexpr (What == Compiled::all || !tiles) {
    const bool on_the_fly = algorithm == Algorithm::sweep_buffered_on_the_fly;
    if (!tiles || algorithm == Algorithm::sweep_buffered || on_the_fly)
      return for_each_term(
          group, delta, [&](const auto& part, const auto& of_part) {
            spread_sweep_buffered(exec, bins, of_part, part, factor,
                                  columns > 0 ? columns : sweep_columns, buffer,
                                  on_the_fly, plan.sweep_workspace());
          });
  }
  constexpr bool host = is_host_space_v<Exec>, image = has_tiles_v<Exec, Delta>;
  if constexpr (tiles && host && image)
    spread_tiled_host(exec, bins, delta, group, factor, plan.slots);
  else if constexpr (tiles && host)
    spread_columns(exec, bins, delta, group, factor);
  else if constexpr (tiles && image)
    spread_tiled_device(exec, bins, delta, group, factor, plan.slots);
  else if constexpr (tiles)
    spread_by_owners(exec, bins, delta, group, factor, plan.slots);
}

/// The algorithm of a call of spread, and the number of columns; throws for
/// options that are impossible.
template <class Exec, class Delta, class Options>
SpreadAlgorithm choose_spread(const char* function, const Options& options,
                              SpreadAlgorithm environment, bool any_ranks,
                              int& columns) {
  if constexpr (compiled_v<Options> == Compiled::all) {
    check_spread(function, options);
    columns = options.columns;
  }
  return choose_algorithm(
      function, "SPOROS_SPREAD", options, environment,
      is_choice<Exec, Delta>(environment) ? environment
                                          : automatic_spread<Exec, Delta>,
      Delta::support, most_tiled_v<Exec>, any_ranks, is_host_space_v<Exec>);
}

/// Field: a View; or an array of Views, or OnFaces, which take component k of
/// strengths each.
template <class Exec, int Dim, class Real, class Delta, class Strengths,
          class Field, class Options>
void spread_checked(const Exec& exec,
                    const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
                    const Strengths& given, const Field& field,
                    const Options& options,
                    const SweepBuffer<RealOfField<Field>>& buffer =
                        SweepBuffer<RealOfField<Field>>()) {
  const ProfilingRegion region("Sporos::spread");
  auto& state = plan.state("Sporos::spread");
  state.check_whole("Sporos::spread");
  state.bins.check_device("Sporos::spread", exec);
  const auto& strengths = view_of(given);
  using StrengthsView   = std::decay_t<decltype(strengths)>;
  if constexpr (!PointValues<Strengths>::splits)  // the caller has checked it
    check_transfer<Exec, Dim>("Sporos::spread", plan, options.staggering,
                              "strengths", strengths, field);
  check_written_fields(field, strengths);
  int columns = 0;
  const auto algorithm =
      choose_spread<Exec, Delta>("Sporos::spread", options, state.spread,
                                 state.options.any_ranks, columns);
  if (plan.size() == 0) return;
  for_each_group<RealOfField<Field>, const RealPartOf<StrengthsView>>(
      field, given, state.bins.cells,
      options.staggering.value_or(plan.options().staggering),
      [&](const auto& group) {
        run_spread<compiled_v<Options>>(exec, state, group, algorithm, columns,
                                        buffer);
      });
}

/// With a plan for one use.
template <class Exec, int Dim, class Real, class Delta, class Positions,
          class Strengths, class Field, class Options>
void spread_once(const Exec& exec, const Grid<Dim, Real>& grid,
                 const Delta& delta, const Positions& positions,
                 const Strengths& strengths, const Field& field,
                 const Options& options) {
  static_assert(!PointValues<Strengths>::in_plan_order,
                "Sporos::spread: without a plan there is no plan's order");
  PlanOptions plan_options;
  if (options.staggering) plan_options.staggering = *options.staggering;
  const ParticleGridPlan<Exec, Dim, Real, Delta> plan(exec, grid, delta,
                                                      positions, plan_options);
  spread_checked(exec, plan, strengths, field, options);
  fence(exec, "Sporos::spread");
}

template <Compiled What, class Exec, int Dim, class Real, class Delta,
          class Group>
void run_interpolate(const Exec& exec, PlanState<Exec, Dim, Real, Delta>& plan,
                     const Group& group, InterpolateAlgorithm algorithm) {
  using Algorithm      = InterpolateAlgorithm;
  constexpr bool tiles = has_tiles_v<Exec, Delta>, host = is_host_space_v<Exec>;
  const auto& delta = delta_of(plan, group);
  if (algorithm == Algorithm::automatic && plan.replicates)
    algorithm = Algorithm::unsorted;
  if constexpr (host &&
                (What == Compiled::all || has_given_order_v<Exec, Delta>)) {
    if (algorithm == Algorithm::unsorted) {
      plan.use_given(exec, group.in_plan_order);
      return for_each_term(
          group, delta, [&](const auto& part, const auto& of_part) {
            interpolate_given(exec, plan.given, plan.bins, of_part, part);
          });
    }
  }
  plan.sort(exec);
  if (algorithm == Algorithm::automatic)
    algorithm = automatic_interpolate<Exec, Delta>(plan.bins);
  if (algorithm == Algorithm::serial)
    return interpolate_points<true>(exec, plan.bins, delta, group);
  if constexpr (What == Compiled::all || !tiles || !host)
    if (algorithm == Algorithm::sorted)
      return interpolate_points<false>(exec, plan.bins, delta, group);
  if constexpr (tiles && host)
    interpolate_tiled_host(exec, plan.bins, delta, group);
  else if constexpr (tiles)
    interpolate_tiled_device(exec, plan.bins, delta, group);
}

/// The algorithm of a call of interpolate; throws for one that is impossible.
template <class Exec, class Delta, class Options, class Bins>
InterpolateAlgorithm choose_interpolate(const char* function,
                                        const Options& options,
                                        InterpolateAlgorithm environment,
                                        const Bins& bins) {
  if constexpr (compiled_v<Options> == Compiled::all)
    check_interpolate(function, options.algorithm);
  // calls for devices without options compile sorted and tiled: they can take
  // either of them from the environment
  constexpr bool both = has_tiles_v<Exec, Delta> && !is_host_space_v<Exec>;
  return choose_algorithm(function, "SPOROS_INTERPOLATE", options, environment,
                          both || is_choice<Exec, Delta>(environment)
                              ? environment
                              : automatic_interpolate<Exec, Delta>(bins),
                          Delta::support, most_images_v<Exec>, bins.any_ranks,
                          is_host_space_v<Exec>);
}

/// Field: a View; or an array of Views, or OnFaces, which give component k of
/// values each.
template <class Exec, int Dim, class Real, class Delta, class Field,
          class Values, class Options>
void interpolate_checked(const Exec& exec,
                         const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
                         const Field& field, const Values& given,
                         const Options& options) {
  const ProfilingRegion region("Sporos::interpolate");
  auto& state = plan.state("Sporos::interpolate");
  state.check_whole("Sporos::interpolate");
  state.bins.check_device("Sporos::interpolate", exec);
  const auto& values = view_of(given);
  using ValuesView   = std::decay_t<decltype(values)>;
  if constexpr (!PointValues<Values>::splits)  // the caller has checked it
    check_transfer<Exec, Dim>("Sporos::interpolate", plan, options.staggering,
                              "values", values, field);
  check_written_values(values);
  check_values_apart(field, values);
  state.given.check_not_written("Sporos::interpolate", "values", values);
  const auto algorithm = choose_interpolate<Exec, Delta>(
      "Sporos::interpolate", options, state.interpolate, state.bins);
  if (plan.size() == 0) return;
  for_each_group<const RealOfField<Field>, RealPartOf<ValuesView>>(
      field, given, state.bins.cells,
      options.staggering.value_or(plan.options().staggering),
      [&](const auto& group) {
        run_interpolate<compiled_v<Options>>(exec, state, group, algorithm);
      });
}

}  // namespace Impl
}  // namespace Sporos

#endif
