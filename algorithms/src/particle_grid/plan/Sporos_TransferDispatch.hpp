// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_TRANSFERDISPATCH_HPP
#define SPOROS_TRANSFERDISPATCH_HPP

/// \file Sporos_TransferDispatch.hpp
/// The way from a call of spread or interpolate to an algorithm.

#include <particle_grid/interpolate/Sporos_InterpolatePoints.hpp>
#include <particle_grid/interpolate/Sporos_InterpolateTiledTeams.hpp>
#include <particle_grid/interpolate/Sporos_InterpolateTiledHost.hpp>
#include <particle_grid/plan/Sporos_Plan.hpp>
#include <particle_grid/spread/Sporos_SpreadAtomic.hpp>
#include <particle_grid/spread/Sporos_SpreadSerial.hpp>
#include <particle_grid/sweep/Sporos_SpreadSweep.hpp>
#include <particle_grid/spread/Sporos_SpreadTiledTeams.hpp>
#include <particle_grid/spread/Sporos_SpreadTiledHost.hpp>
#include <particle_grid/plan/Sporos_TransferChecks.hpp>
#include <particle_grid/plan/Sporos_TransferOptions.hpp>

#include <type_traits>

namespace Sporos {
namespace Impl {

/// Where one component of spread comes from and goes to.
template <class Exec, int Dim, class Real, class Delta, class S, class T>
struct SpreadCall {
  const Exec& exec;
  PlanState<Exec, Dim, Real, Delta>& plan;
  const StridedVector<S>& strengths;
  const FieldAccess<T, Dim>& field;
  const Staggering& staggering;
  T factor = T(Real(1) / plan.grid.cell_volume());

  void serial() const {
    spread_serial(exec, plan.bins, plan.delta, strengths, field, staggering,
                  factor);
  }
  void atomic() const {
    spread_atomic(exec, plan.bins, plan.delta, strengths, field, staggering,
                  factor);
  }
  void sweep() const {
    spread_sweep(exec, plan.bins, plan.delta, strengths, field, staggering,
                 factor, plan.sweep);
  }
  /// columns 0: the default number
  void sweep_buffered(int columns, const SweepBuffer<T>& buffer) const {
    spread_sweep_buffered(exec, plan.bins, plan.delta, strengths, field,
                          staggering, factor, columns_or_default(columns),
                          buffer, plan.sweep);
  }
  void sweep_buffered_on_the_fly(int columns) const {
    spread_sweep_on_the_fly(exec, plan.bins, plan.delta, strengths, field,
                            staggering, factor, columns_or_default(columns),
                            plan.sweep);
  }
  void tiled() const {
    if constexpr (is_synchronous_space_v<Exec>)
      spread_tiled_host(exec, plan.bins, plan.delta, strengths, field,
                        staggering, factor, plan.slots);
    else
      spread_tiled_device(exec, plan.bins, plan.delta, strengths, field,
                          staggering, factor, plan.slots);
  }

 private:
  static int columns_or_default(int columns) {
    return columns > 0 ? columns : default_columns<Dim, Delta>();
  }
};

/// Whether a call may take any algorithm, or only `automatic` and `serial`.
template <class Options>
constexpr bool has_all_v = !std::is_same<Options, AutomaticOptions>::value;

/// The algorithm of a call: that of its options, else that of the environment.
template <class Options, class Algorithm>
Algorithm algorithm_of([[maybe_unused]] const Options& options,
                       Algorithm environment) {
  if constexpr (has_all_v<Options>)
    if (options.algorithm != Algorithm::automatic) return options.algorithm;
  return environment;
}

/// Can a call take the algorithm? `automatic` would take `taken`.
template <class Options, class Algorithm>
void check_algorithm(const char* function, const char* variable,
                     Algorithm algorithm, Algorithm taken, int support) {
  check(algorithm != Algorithm::tiled || support <= max_tiled_support, function,
        "options.algorithm",
        text("another algorithm; tiled takes at most ", max_tiled_support),
        text("tiled with support ", support));
  if constexpr (!has_all_v<Options>)
    check(algorithm == Algorithm::automatic || algorithm == Algorithm::serial ||
              algorithm == taken,
          function, variable,
          "automatic, serial or the choice of automatic (calls without "
          "options compile no other)",
          "another algorithm");
}

template <bool All, class Exec, int Dim, class Real, class Delta, class S,
          class T>
void run_spread(const SpreadCall<Exec, Dim, Real, Delta, S, T>& call,
                SpreadAlgorithm algorithm, int columns,
                const SweepBuffer<T>& buffer) {
  using A = SpreadAlgorithm;
  if (algorithm == A::serial) return call.serial();
  if constexpr (All) {
    if (algorithm == A::sweep) return call.sweep();
    if (algorithm == A::sweep_buffered)
      return call.sweep_buffered(columns, buffer);
    if (algorithm == A::sweep_buffered_on_the_fly)
      return call.sweep_buffered_on_the_fly(columns);
    if (algorithm == A::atomic) return call.atomic();
  }
  if constexpr (has_tiles_v<Delta>)
    call.tiled();
  else
    call.sweep_buffered(columns, buffer);
}

template <class Exec, int Dim, class Real, class Delta, class Strengths,
          class Field, class Options>
void spread_checked(const Exec& exec,
                    const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
                    const Strengths& strengths, const Field& field,
                    const Options& options,
                    const SweepBuffer<typename Field::value_type>& buffer =
                        SweepBuffer<typename Field::value_type>()) {
  using S            = typename Strengths::const_value_type;
  using T            = typename Field::value_type;
  auto& state        = plan.state("Sporos::spread");
  const Staggering g = options.staggering.value_or(plan.options().staggering);
  check_transfer<Exec, Dim>("Sporos::spread", plan, g, "strengths", strengths,
                            field);
  check_written_field(field);
  int columns = 0;
  if constexpr (has_all_v<Options>) {
    check_spread("Sporos::spread", options);
    columns = options.columns;
  }
  const SpreadAlgorithm algorithm = algorithm_of(options, state.spread);
  check_algorithm<Options>("Sporos::spread", "SPOROS_SPREAD", algorithm,
                           automatic_spread<Delta>, Delta::support);
  if (plan.size() == 0) return;
  for (int c = 0; c < components(strengths); ++c) {
    const StridedVector<S> from(strengths, c);
    const FieldAccess<T, Dim> to(field, state.bins.cells, c);
    run_spread<has_all_v<Options>>(
        SpreadCall<Exec, Dim, Real, Delta, S, T>{exec, state, from, to, g},
        algorithm, columns, buffer);
  }
}

/// Component k of strengths to fields[k], on the faces of direction k.
template <class Exec, int Dim, class Real, class Delta, class Strengths,
          class Field, std::size_t N, class Options>
void spread_to_faces(const Exec& exec,
                     const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
                     const Strengths& strengths,
                     const Kokkos::Array<Field, N>& fields, Options options) {
  plan.state("Sporos::spread");
  check_faces<Dim, N>("Sporos::spread", "strengths", strengths,
                      options.staggering.has_value());
  for (int k = 0; k < Dim; ++k)  // all of them before anything is written
    check_transfer<Exec, Dim>(
        "Sporos::spread", plan, Grid<Dim, Real>::face(k), "strengths",
        Kokkos::subview(strengths, Kokkos::ALL(), k), fields[k], face_names[k]);
  check_fields_apart("Sporos::spread", fields, "strengths", strengths);
  for (int k = 0; k < Dim; ++k) {
    options.staggering = Grid<Dim, Real>::face(k);
    spread_checked(exec, plan, Kokkos::subview(strengths, Kokkos::ALL(), k),
                   fields[k], options);
  }
}

/// With a plan for one use.
template <class Exec, int Dim, class Real, class Delta, class Positions,
          class Strengths, class Field, class Options>
void spread_once(const Exec& exec, const Grid<Dim, Real>& grid,
                 const Delta& delta, const Positions& positions,
                 const Strengths& strengths, const Field& field,
                 const Options& options) {
  PlanOptions plan_options;
  if (options.staggering) plan_options.staggering = *options.staggering;
  const ParticleGridPlan<Exec, Dim, Real, Delta> plan(exec, grid, delta,
                                                      positions, plan_options);
  spread_checked(exec, plan, strengths, field, options);
  fence(exec, "Sporos::spread");
}

/// One component of interpolate.
template <bool All, class Exec, int Dim, class Real, class Delta, class T,
          class V>
void run_interpolate(const Exec& exec, PlanState<Exec, Dim, Real, Delta>& plan,
                     const FieldAccess<T, Dim>& field,
                     const StridedVector<V>& values, const Staggering& g,
                     InterpolateAlgorithm algorithm) {
  using A              = InterpolateAlgorithm;
  constexpr A taken    = automatic_interpolate<Exec, Delta>;
  constexpr bool tiles = has_tiles_v<Delta> && (All || taken == A::tiled);
  if (algorithm == A::automatic) algorithm = taken;
  if (algorithm == A::serial)
    return interpolate_serial(exec, plan.bins, plan.delta, field, values, g);
  if constexpr (All || taken == A::sorted)
    if (algorithm == A::sorted)
      return interpolate_sorted(exec, plan.bins, plan.delta, field, values, g);
  if constexpr (tiles && is_synchronous_space_v<Exec>)
    interpolate_tiled_host(exec, plan.bins, plan.delta, field, values, g);
  else if constexpr (tiles)
    interpolate_tiled_device(exec, plan.bins, plan.delta, field, values, g);
}

template <class Exec, int Dim, class Real, class Delta, class Field,
          class Values, class Options>
void interpolate_checked(const Exec& exec,
                         const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
                         const Field& field, const Values& values,
                         const Options& options) {
  auto& state        = plan.state("Sporos::interpolate");
  const Staggering g = options.staggering.value_or(plan.options().staggering);
  check_transfer<Exec, Dim>("Sporos::interpolate", plan, g, "values", values,
                            field);
  check_written_values(values);
  using Algorithm = InterpolateAlgorithm;
  if constexpr (has_all_v<Options>)
    check_interpolate("Sporos::interpolate", options.algorithm);
  const Algorithm algorithm = algorithm_of(options, state.interpolate);
  check_algorithm<Options>("Sporos::interpolate", "SPOROS_INTERPOLATE",
                           algorithm, automatic_interpolate<Exec, Delta>,
                           Delta::support);
  if (plan.size() == 0) return;
  for (int c = 0; c < components(values); ++c)
    run_interpolate<has_all_v<Options>>(
        exec, state,
        FieldAccess<typename Field::const_value_type, Dim>(field,
                                                           state.bins.cells, c),
        StridedVector<typename Values::value_type>(values, c), g, algorithm);
}

/// fields[k], on the faces of direction k, to component k of values.
template <class Exec, int Dim, class Real, class Delta, class Field,
          std::size_t N, class Values, class Options>
void interpolate_from_faces(
    const Exec& exec, const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
    const Kokkos::Array<Field, N>& fields, const Values& values,
    Options options) {
  plan.state("Sporos::interpolate");
  check_faces<Dim, N>("Sporos::interpolate", "values", values,
                      options.staggering.has_value());
  for (int k = 0; k < Dim; ++k)  // all of them before anything is written
    check_transfer<Exec, Dim>(
        "Sporos::interpolate", plan, Grid<Dim, Real>::face(k), "values",
        Kokkos::subview(values, Kokkos::ALL(), k), fields[k], face_names[k]);
  for (int k = 0; k < Dim; ++k)
    check_apart("Sporos::interpolate", "values", values, "fields", fields[k]);
  for (int k = 0; k < Dim; ++k) {
    options.staggering = Grid<Dim, Real>::face(k);
    interpolate_checked(exec, plan, fields[k],
                        Kokkos::subview(values, Kokkos::ALL(), k), options);
  }
}

}  // namespace Impl
}  // namespace Sporos

#endif
