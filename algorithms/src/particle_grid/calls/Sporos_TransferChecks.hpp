// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_TRANSFERCHECKS_HPP
#define SPOROS_TRANSFERCHECKS_HPP

/// \file Sporos_TransferChecks.hpp
/// Preconditions of spread and interpolate.

#include <Sporos_ViewChecks.hpp>
#include <Sporos_ParticleGridPlan.hpp>
#include <Sporos_TransferOptions.hpp>
#include <particle_grid/stencil/Sporos_RealParts.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace Sporos {
namespace Impl {

/// Shapes of a field on the grid and of the values of n points; both have
/// memory, and share none. points(d, g): grid points in direction d
template <class Exec, int Dim, class Real, class Points, class Values,
          class Field>
void check_fields(const char* function, const Grid<Dim, Real>& grid,
                  const Points& points_of, const Staggering& g, std::size_t n,
                  const char* argument, const Values& values,
                  const Field& field, const char* field_name = "field") {
  static_assert(Kokkos::is_view<Values>::value &&
                    (view_rank_v<Values> == 1 || view_rank_v<Values> == 2),
                "Sporos::spread, Sporos::interpolate: values of points must be "
                "a View of rank 1, (n), or 2, (n, components)");
  static_assert(
      Kokkos::is_view<Field>::value &&
          view_rank_v<Field> == Dim + view_rank_v<Values> - 1,
      "Sporos::spread, Sporos::interpolate: a field must be a View whose rank "
      "is the dimension of the grid, plus one if points have components");
  static_assert(is_accessible_v<Exec, Values> && is_accessible_v<Exec, Field>,
                "Sporos::spread, Sporos::interpolate: all Views must be "
                "accessible to the execution space");
  static_assert(is_floating_view_v<Values> && is_floating_view_v<Field> &&
                    real_parts_v<Values> == real_parts_v<Field>,
                "Sporos::spread, Sporos::interpolate: fields and values must "
                "be float or double, both real or both Kokkos::complex");
  check_staggering<Dim>(function, g);
  check(values.extent(0) == n, function, argument,
        text("extent(0) == ", n, ", the number of points"), extents(values));
  for (int d = 0; d < Dim; ++d) {
    const std::size_t points = std::size_t(points_of.points(d, g[d]));
    check(field.extent(d) == points, function, field_name,
          text("extent(", d, ") == ", points,
               ", the points of the grid with staggering ", g[d]),
          extents(field));
    check(grid.cells(d) > 0, function, "grid", text("cells in direction ", d),
          grid.cells(d));
  }
  check_components<1>(function, argument, values);
  if constexpr (view_rank_v<Values> == 2)
    check(field.extent(Dim) == values.extent(1), function, field_name,
          text("extent(", Dim, ") == ", values.extent(1), ", the components"),
          extents(field));
  check_memory(function, argument, values);
  check_memory(function, field_name, field);
  check_apart(function, argument, values, field_name, field);
}

/// Options of spread that contradict each other.
inline void check_spread(const char* function, const SpreadOptions& options) {
  using Algorithm   = SpreadAlgorithm;
  const Algorithm a = options.algorithm;
  check(options.columns >= 0, function, "options.columns",
        "a number of columns, or 0", options.columns);
  check_enum(function, "options.algorithm", a);
  check(options.columns == 0 || a == Algorithm::automatic ||
            a == Algorithm::sweep_buffered ||
            a == Algorithm::sweep_buffered_on_the_fly,
        function, "options.columns",
        "0 for all algorithms but the buffered sweeps", options.columns);
}

/// What spread writes.
template <class Field, class Strengths>
void check_written_fields(const Field& field, const Strengths&) {
  static_assert(!std::is_const<typename Field::value_type>::value,
                "Sporos::spread: the field must not be const");
  check_written("Sporos::spread", "field", field);
}
/// Fields that are written share memory neither with one another nor with what
/// is read.
template <class Field, std::size_t N, class Values>
void check_fields_apart(const char* function,
                        const Kokkos::Array<Field, N>& fields,
                        const char* argument, const Values& values) {
  for (std::size_t k = 0; k < N; ++k) {
    check_apart(function, "fields", fields[k], argument, values);
    for (std::size_t j = 0; j < k; ++j)
      check_apart(function, "fields", fields[k], "another one", fields[j]);
  }
}
template <class Field, std::size_t N, class Strengths>
void check_written_fields(const Kokkos::Array<Field, N>& fields,
                          const Strengths& strengths) {
  for (std::size_t k = 0; k < N; ++k)
    check_written_fields(fields[k], strengths);
  check_fields_apart("Sporos::spread", fields, "strengths", strengths);
}
template <class Field, std::size_t N, class Strengths>
void check_written_fields(const OnFaces<Field, N>& faces,
                          const Strengths& strengths) {
  check_written_fields(faces.fields, strengths);
}

/// What interpolate writes.
template <class Values>
void check_written_values(const Values& values) {
  static_assert(!std::is_const<typename Values::value_type>::value,
                "Sporos::interpolate: the values must not be const");
  check_written("Sporos::interpolate", "values", values);
}

/// The values of interpolate share no memory with any of its fields.
template <class Field, class Values>
void check_values_apart(const Field&, const Values&) {
  // of one field: see check_fields
}
template <class Field, std::size_t N, class Values>
void check_values_apart(const Kokkos::Array<Field, N>& fields,
                        const Values& values) {
  for (std::size_t k = 0; k < N; ++k)
    check_apart("Sporos::interpolate", "values", values, "fields", fields[k]);
}
template <class Field, std::size_t N, class Values>
void check_values_apart(const OnFaces<Field, N>& faces, const Values& values) {
  check_values_apart(faces.fields, values);
}

inline void check_interpolate(const char* function, InterpolateAlgorithm a) {
  check_enum(function, "options.algorithm", a);
}

/// Does a delta function tell of its rounding errors, as
/// ExponentialOfSemicircle does?
template <class Delta, class = void>
constexpr bool tells_rounding_v = false;
template <class Delta>
constexpr bool tells_rounding_v<
    Delta, std::void_t<decltype(std::declval<const Delta&>()
                                    .template rounding<float>(1))>> = true;

/// Throws where rounding would spoil what is computed with a delta function.
template <class T, class Delta>
void check_rounding(const char* function, const Delta& delta, int directions) {
  if constexpr (tells_rounding_v<Delta>) {
    const double error = delta.template rounding<T>(directions);
    check(error <= .01, function, "delta",
          text("a kernel whose errors of rounding in ",
               sizeof(T) == sizeof(float) ? "float" : "double",
               " are at most 0.01: a finer grid (upsampling), less support or "
               "fields of double"),
          error);
  }
}

/// staggering: unset: that of the plan
template <class Exec, int Dim, class Plan, class Values, class Field>
void check_transfer(const char* function, const Plan& plan,
                    const std::optional<Staggering>& staggering,
                    const char* argument, const Values& values,
                    const Field& field, const char* field_name = "field") {
  check_fields<Exec, Dim>(function, plan.grid(), plan.state(),
                          staggering.value_or(plan.options().staggering),
                          plan.size(), argument, values, field, field_name);
  check_rounding<RealPartOf<Field>>(function, plan.delta(), Dim);
}

/// Shape of a caller's buffer; options must not contradict it.
template <class Exec, int Dim, class Plan, class Strengths, class Field,
          class Buffer, class Options>
void check_buffer(const char* function, const Plan&, const Strengths& strengths,
                  const Field& field, const Buffer& buffer,
                  const Options& options) {
  static_assert(view_rank_v<Buffer> == 2 && is_accessible_v<Exec, Buffer> &&
                    std::is_same<typename Buffer::value_type,
                                 typename Field::value_type>::value,
                "Sporos::spread: buffer must be a View of rank 2, (grid points "
                "of the field, columns), of the field's value type, accessible "
                "to the execution space");
  using Algorithm = std::decay_t<decltype(options.algorithm)>;
  check(options.algorithm == Algorithm::sweep_buffered ||
            options.algorithm == Algorithm::automatic,
        function, "options.algorithm",
        "sweep_buffered or automatic, since a buffer is given",
        int(options.algorithm));
  std::size_t points = 1;
  for (int d = 0; d < Dim; ++d) points *= field.extent(d);
  check(buffer.extent(0) == points && buffer.extent(1) > 0, function, "buffer",
        text("extents (", points, ", columns > 0)"), extents(buffer));
  check_written(function, "buffer", buffer);
  check_apart(function, "buffer", buffer, "field", field);
  check_apart(function, "buffer", buffer, "strengths", strengths);
}

/// Several fields: component k of values is for field k.
template <std::size_t N, class Values>
void check_array(const char* function, const char* argument,
                 const Values& values) {
  static_assert(view_rank_v<Values> == 2,
                "Sporos::spread, Sporos::interpolate: an array of fields needs "
                "values of shape (n, fields)");
  static_assert(has_columns_v<Values, int(N)>,
                "Sporos::spread, Sporos::interpolate: values must have a "
                "component for each field: View<T* [fields]>");
  check(values.extent(1) == N, function, argument, text("extents (n, ", N, ")"),
        extents(values));
}

/// Vector fields on marker-and-cell grids.
template <int Dim, std::size_t N, class Values>
void check_faces(const char* function, const char* argument,
                 const Values& values, bool has_staggering) {
  static_assert(N == std::size_t(Dim),
                "Sporos::spread, Sporos::interpolate: on_faces needs one field "
                "for each direction");
  check_array<N>(function, argument, values);
  check(!has_staggering, function, "options.staggering",
        "none: fields[k] is on the faces of direction k", "a staggering");
}

/// f(k, component k of values, field k, its name) for all of several fields
template <class Field, std::size_t N, class Values, class F>
void for_each_field(const Kokkos::Array<Field, N>& fields, const Values& values,
                    const F& f) {
  for (std::size_t k = 0; k < N; ++k)
    f(k, Kokkos::subview(values, Kokkos::ALL(), k), fields[k],
      ("fields[" + std::to_string(k) + "]").c_str());
}

/// All of them, before anything is written
template <class Exec, int Dim, class Plan, class Values, class Field,
          std::size_t N>
void check_transfer(const char* function, const Plan& plan,
                    const std::optional<Staggering>& staggering,
                    const char* argument, const Values& values,
                    const Kokkos::Array<Field, N>& fields) {
  check_array<N>(function, argument, values);
  for_each_field(
      fields, values,
      [&](std::size_t, const auto& value, const auto& field, const char* name) {
        check_transfer<Exec, Dim>(function, plan, staggering, argument, value,
                                  field, name);
      });
}
template <class Exec, int Dim, class Plan, class Values, class Field,
          std::size_t N>
void check_transfer(const char* function, const Plan& plan,
                    const std::optional<Staggering>& staggering,
                    const char* argument, const Values& values,
                    const OnFaces<Field, N>& faces) {
  check_faces<Dim, N>(function, argument, values, staggering.has_value());
  for_each_field(faces.fields, values,
                 [&](std::size_t k, const auto& value, const auto& field,
                     const char* name) {
                   check_transfer<Exec, Dim>(function, plan,
                                             Plan::grid_type::face(int(k)),
                                             argument, value, field, name);
                 });
}

}  // namespace Impl
}  // namespace Sporos

#endif
