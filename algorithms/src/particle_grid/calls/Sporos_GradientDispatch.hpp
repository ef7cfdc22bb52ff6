// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_GRADIENTDISPATCH_HPP
#define SPOROS_GRADIENTDISPATCH_HPP

/// \file Sporos_GradientDispatch.hpp
/// The way from a call of interpolate_gradient, interpolate_with_gradient or
/// spread_dipoles to an algorithm.

#include <Sporos_ParticleGridPlan.hpp>
#include <Sporos_ProfilingRegion.hpp>
#include <Sporos_ViewChecks.hpp>
#include <particle_grid/calls/Sporos_TransferDispatch.hpp>
#include <particle_grid/stencil/Sporos_DerivedWeights.hpp>

#include <cstddef>
#include <limits>
#include <optional>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// Throws unless T holds the factors of derivatives, `scale` over spacing.
template <class T, int Dim, class Real>
void check_slopes(const char* function, const Grid<Dim, Real>& grid,
                  Real scale) {
  for (int d = 0; d < Dim; ++d) {
    const Real factor = scale / grid.spacing(d);
    const T to        = T(factor);
    check(factor - factor == 0 && to - to == 0 &&
              to >= std::numeric_limits<T>::min(),
          function, "field",
          text("a type that holds ", factor, ", the factor of derivatives"),
          sizeof(T) == sizeof(float) ? "float" : "double");
  }
}

/// Preconditions of vectors of n points, (n, Dim). check_one(values): those of
/// one component
template <int Dim, class Delta, class Vectors, class CheckOne>
void check_vectors(const char* function, std::size_t n, const char* argument,
                   const Vectors& vectors, const CheckOne& check_one) {
  static_assert(has_derivatives_v<Delta>,
                "Sporos::interpolate_gradient, Sporos::spread_dipoles: the "
                "delta function needs a function derivatives(r, d), see "
                "Sporos_DeltaFunctions.hpp");
  static_assert(Kokkos::is_view<Vectors>::value &&
                    (view_rank_v<Vectors> == 2 ||
                     (view_rank_v<Vectors> == 1 && Dim == 1)),
                "Sporos::interpolate_gradient, Sporos::spread_dipoles: vectors "
                "of points must be a View of rank 2, (n, Dim); in one "
                "dimension also of rank 1");
  static_assert(has_columns_v<Vectors, Dim>,
                "Sporos::interpolate_gradient, Sporos::spread_dipoles: vectors "
                "of points must have as many components as the grid has "
                "dimensions: View<T* [Dim]>");
  if constexpr (view_rank_v<Vectors> == 2) {
    check(vectors.extent(0) == n && vectors.extent(1) == std::size_t(Dim),
          function, argument, text("extents (", n, ", ", Dim, ")"),
          extents(vectors));
    check_memory(function, argument, vectors);
    check_one(Kokkos::subview(vectors, Kokkos::ALL(), 0));
  } else {
    check_one(vectors);
  }
}

/// What a call without values has in their place.
struct NoValues {};

/// Preconditions of gradients, and of values unless they are NoValues, of n
/// points. check_one(argument, values): those of values of rank 1 with the
/// field
template <class Delta, int Dim, class Real, class Field, class Values,
          class Gradients, class CheckOne>
void check_gradients(const char* function, const Grid<Dim, Real>& grid,
                     std::size_t n, const Field& field,
                     [[maybe_unused]] const Values& values,
                     const Gradients& gradients, const CheckOne& check_one) {
  static_assert(!std::is_const<typename Gradients::value_type>::value,
                "Sporos::interpolate_gradient: the gradients must not be "
                "const");
  check_vectors<Dim, Delta>(
      function, n, "gradients", gradients,
      [&](const auto& one) { check_one("gradients", one); });
  check_written(function, "gradients", gradients);
  check_apart(function, "gradients", gradients, "field", field);
  check_slopes<RealPartOf<Field>>(function, grid, Real(1));
  if constexpr (!std::is_same_v<Values, NoValues>) {
    static_assert(std::is_same_v<typename Values::value_type,
                                 typename Gradients::value_type>,
                  "Sporos::interpolate_with_gradient: values and gradients "
                  "must hold numbers of one type");
    check_one("values", values);
    check_written(function, "values", values);
    check_apart(function, "values", values, "gradients", gradients);
  }
}

/// Preconditions of dipoles, see check_gradients.
template <class Delta, int Dim, class Real, class Moments, class Field,
          class CheckOne>
void check_dipoles(const char* function, const Grid<Dim, Real>& grid,
                   std::size_t n, const Moments& moments, const Field& field,
                   const CheckOne& check_one) {
  static_assert(!std::is_const<typename Field::value_type>::value,
                "Sporos::spread_dipoles: the field must not be const");
  check_vectors<Dim, Delta>(
      function, n, "moments", moments,
      [&](const auto& one) { check_one("moments", one); });
  check_written(function, "field", field);
  check_apart(function, "field", field, "moments", moments);
  check_slopes<RealPartOf<Field>>(function, grid, Real(1) / grid.cell_volume());
}

/// The components of vectors of points, and values, as a group.
template <class T, class V, class Field, class Vectors, class Values,
          class Cells>
auto gradient_group(const Field& field, const Vectors& given,
                    [[maybe_unused]] const Values& values, const Cells& cells,
                    const Staggering& g) {
  constexpr int Dim    = std::extent<decltype(cells.dir)>::value;
  constexpr int parts  = real_parts_v<Field>;
  constexpr bool alone = std::is_same_v<Values, NoValues>;
  constexpr auto kind =
      alone ? GroupKind::gradient : GroupKind::gradient_and_value;
  TransferGroup<T, V, Dim, (alone ? Dim : Dim + 1) * parts, kind,
                VectorOf<V, Vectors>>
      group;
  group.count         = group.most;
  group.staggering[0] = group.staggering[1] = g;
  group.in_plan_order = PointValues<Vectors>::in_plan_order;
  for (int c = 0; c < group.most; ++c) {
    const int k = c / parts, part = c % parts;
    group.field[c] = FieldAccess<T, Dim>(field, cells, part);
    if (k < Dim)
      group.values[c] = PointValues<Vectors>::template vector<V>(
          given, cells.dir[k < Dim ? k : 0] * parts + part);
    else if constexpr (!alone)
      group.values[c] = PointValues<Values>::template vector<V>(values, part);
  }
  return group;
}

/// Plan and instance fit each other, and no update has failed.
template <class Exec, int Dim, class Real, class Delta>
auto& checked_state(const char* function, const Exec& exec,
                    const ParticleGridPlan<Exec, Dim, Real, Delta>& plan) {
  auto& state = plan.state(function);
  state.check_whole(function);
  state.bins.check_device(function, exec);
  return state;
}

/// Values: of rank 1 for one field, or NoValues
template <class Exec, int Dim, class Real, class Delta, class Field,
          class Values, class Gradients, class Options>
void interpolate_gradient_checked(
    const char* function, const Exec& exec,
    const ParticleGridPlan<Exec, Dim, Real, Delta>& plan, const Field& field,
    const Values& values, const Gradients& given, const Options& options) {
  const ProfilingRegion region(function);
  auto& state           = checked_state(function, exec, plan);
  const auto& gradients = view_of(given);
  using GradientsView   = std::decay_t<decltype(gradients)>;
  static_assert(std::is_same_v<Values, NoValues> ||
                    PointValues<Values>::in_plan_order ==
                        PointValues<Gradients>::in_plan_order,
                "Sporos::interpolate_with_gradient: values and gradients must "
                "be in one order");
  if constexpr (!PointValues<Gradients>::splits)  // the caller has checked them
    check_gradients<Delta>(
        function, plan.grid(), plan.size(), field, view_of(values), gradients,
        [&](const char* argument, const auto& one) {
          check_transfer<Exec, Dim>(function, plan, options.staggering,
                                    argument, one, field);
        });
  state.given.check_not_written(function, "gradients", gradients);
  if constexpr (!std::is_same_v<Values, NoValues>)
    state.given.check_not_written(function, "values", view_of(values));
  const auto algorithm = choose_interpolate<Exec, Delta>(
      function, options, state.interpolate, state.bins);
  if (plan.size() == 0) return;
  run_interpolate<compiled_v<Options>>(
      exec, state,
      gradient_group<const RealPartOf<Field>, RealPartOf<GradientsView>>(
          field, given, values, state.bins.cells,
          options.staggering.value_or(plan.options().staggering)),
      algorithm);
}

template <class Exec, int Dim, class Real, class Delta, class Moments,
          class Field, class Options>
void spread_dipoles_checked(
    const Exec& exec, const ParticleGridPlan<Exec, Dim, Real, Delta>& plan,
    const Moments& given, const Field& field, const Options& options) {
  const char* const function = "Sporos::spread_dipoles";
  const ProfilingRegion region(function);
  auto& state         = checked_state(function, exec, plan);
  const auto& moments = view_of(given);
  using MomentsView   = std::decay_t<decltype(moments)>;
  using T             = RealPartOf<Field>;
  if constexpr (!PointValues<Moments>::splits)  // the caller has checked them
    check_dipoles<Delta>(function, plan.grid(), plan.size(), moments, field,
                         [&](const char* argument, const auto& one) {
                           check_transfer<Exec, Dim>(function, plan,
                                                     options.staggering,
                                                     argument, one, field);
                         });
  int columns          = 0;
  const auto algorithm = choose_spread<Exec, Delta>(
      function, options, state.spread, state.options.any_ranks, columns);
  if (plan.size() == 0) return;
  run_spread<compiled_v<Options>>(
      exec, state,
      gradient_group<T, const RealPartOf<MomentsView>>(
          field, given, NoValues{}, state.bins.cells,
          options.staggering.value_or(plan.options().staggering)),
      algorithm, columns, SweepBuffer<T>());
}

}  // namespace Impl
}  // namespace Sporos

#endif
