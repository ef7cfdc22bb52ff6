// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_BLOCKFIELDS_HPP
#define SPOROS_BLOCKFIELDS_HPP

/// \file Sporos_BlockFields.hpp
/// What distributed spread and interpolate do with fields: one field, several,
/// or one on the faces of each direction.

#include <Sporos_DistributedGrid.hpp>
#include <Sporos_ForEachIndex.hpp>
#include <particle_grid/calls/Sporos_TransferChecks.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace Sporos {
namespace Impl {

/// The part of a field of a block that is a window around the block.
template <int Dim, class Real, class Field>
auto window_view(const DistributedGrid<Dim, Real>& grid,
                 const GridWindow<Dim>& window, const Staggering& g,
                 const Field& field) {
  std::array<std::pair<std::size_t, std::size_t>, Dim> in;
  for (int d = 0; d < Dim; ++d) {
    const int first = grid.ghosts() - layers_of(grid, window, d, 0);
    in[d].first     = std::size_t(first);
    in[d].second    = std::size_t(first + window.points(grid.grid(), d, g[d]));
  }
  const auto part = [&](const auto&... indices) {
    if constexpr (sizeof...(indices) == view_rank_v<Field>)
      return Kokkos::subview(field, indices...);
    else
      return Kokkos::subview(field, indices..., Kokkos::ALL());
  };
  return std::apply(part, in);
}

/// Zeroes the innermost ghost layers of a field that have owners.
template <class Exec, int Dim, class Real, class Field>
void zero_ghosts(const Exec& exec, const DistributedGrid<Dim, Real>& grid,
                 const Staggering& g, const GhostReach<Dim>& reach,
                 const Field& field) {
  using Entries    = FieldEntries<RealPartOf<Field>, Dim>;
  const auto& list = grid.lists(exec, g, reach).receive().entries;
  for_each_index("Sporos::spread::zero_ghosts",
                 Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(
                     exec, 0, int(list.extent(0))),
                 ZeroEntries<Entries, std::decay_t<decltype(list)>>{
                     Entries(field), list, real_components<Dim>(field)});
}

/// Shapes and memory of a field and of the values of n points.
template <class Exec, int Dim, class Real, class Values, class Field>
void check_block_transfer(const char* function,
                          const DistributedGrid<Dim, Real>& grid,
                          const Staggering& g, std::size_t n,
                          const char* argument, const Values& values,
                          const Field& field, const char* field_name) {
  static_assert(Kokkos::is_view<Values>::value &&
                    (view_rank_v<Values> == 1 || view_rank_v<Values> == 2),
                "Sporos::spread, Sporos::interpolate: values of points must be "
                "a View of rank 1, (n), or 2, (n, components)");
  static_assert(view_rank_v<Field> == Dim + view_rank_v<Values> - 1,
                "Sporos::spread, Sporos::interpolate: a field must be a View "
                "whose rank is the dimension of the grid, plus one if points "
                "have components");
  static_assert(!std::is_const<typename Field::value_type>::value,
                "Sporos::spread, Sporos::interpolate: ghost layers of a field "
                "on many ranks are written: it must not be const");
  check_block_field<Exec>(function, grid, g, field, field_name);
  check(values.extent(0) == n, function, argument,
        text("extent(0) == ", n, ", the number of points of this rank"),
        extents(values));
  if constexpr (view_rank_v<Values> == 2)
    check(field.extent(Dim) == values.extent(1), function, field_name,
          text("extent(", Dim, ") == ", values.extent(1), ", the components"),
          extents(field));
  check_memory(function, argument, values);
  check_written(function, field_name, field);
  check_apart(function, argument, values, field_name, field);
}

/// Which fields a call has: one, several with one staggering, or those on the
/// faces of all directions.
enum class FieldsOf { one, array, faces };

template <class Field, std::size_t N, FieldsOf What>
struct BlockFields {
  Kokkos::Array<Field, N> fields;
  std::array<Staggering, N> g;
  bool has_staggering;  ///< does the call have one?

  template <class Exec, int Dim, class Real, class Values>
  void check(const char* function, const DistributedGrid<Dim, Real>& grid,
             std::size_t n, const char* argument, const Values& values) const {
    if constexpr (What == FieldsOf::one) {
      check_block_transfer<Exec>(function, grid, g[0], n, argument, values,
                                 fields[0], "field");
    } else {
      if constexpr (What == FieldsOf::faces)
        check_faces<Dim, N>(function, argument, values, has_staggering);
      else
        check_array<N>(function, argument, values);
      for_each_field(fields, values,
                     [&](std::size_t k, const auto& value, const auto& field,
                         const char* name) {
                       check_block_transfer<Exec>(function, grid, g[k], n,
                                                  argument, value, field, name);
                     });
      check_fields_apart(function, fields, argument, values);
    }
  }
  template <int Dim, class Delta>
  void check_rounding(const char* function, const Delta& delta) const {
    Impl::check_rounding<RealPartOf<Field>>(function, delta, Dim);
  }
  template <int Dim>
  std::string kind() const {
    const std::string fields_of = What == FieldsOf::one ? ""
                                  : What == FieldsOf::faces
                                      ? "faces, "
                                      : std::to_string(N) + " fields, ";
    return fields_of + kind_of_field<Dim>(g[0], fields[0]);
  }
  /// Fills or adds up the ghost layers that points of the block touch; zero()
  /// clears these layers.
  /// \param state of the plan
  template <bool Adds, class Exec, class State>
  void exchange(const Exec& exec, const State& state) const {
    exchange<Adds>(exec, state, std::make_index_sequence<N>());
  }
  template <class Exec, class State>
  void zero(const Exec& exec, const State& state) const {
    for (std::size_t k = 0; k < N; ++k)
      zero_ghosts(exec, state.grid, g[k], state.touched(g[k]), fields[k]);
  }
  /// The parts in the window of the plan.
  template <class State>
  auto part(const State& state) const {
    const auto one = [&](std::size_t k) {
      return window_view(state.grid, state.window, g[k], fields[k]);
    };
    if constexpr (What == FieldsOf::one) {
      return one(0);
    } else {
      Kokkos::Array<decltype(one(0)), N> parts;
      for (std::size_t k = 0; k < N; ++k) parts[k] = one(k);
      if constexpr (What == FieldsOf::faces)
        return on_faces(parts);
      else
        return parts;
    }
  }

 private:
  template <bool Adds, class Exec, class State, std::size_t... K>
  void exchange(const Exec& exec, const State& state,
                std::index_sequence<K...>) const {
    run_ghosts(exec, state.grid,
               ghost_part<Adds>(exec, state.grid, g[K], state.touched(g[K]),
                                fields[K])...);
  }
};

/// The fields of a call whose options have the given staggering; without one
/// they have that of the plan.
template <int Dim, class Field>
BlockFields<Field, 1, FieldsOf::one> block_fields(
    const Field& field, const std::optional<Staggering>& given,
    const Staggering& of_plan) {
  return {{{field}}, {given.value_or(of_plan)}, given.has_value()};
}
template <int Dim, class Field, std::size_t N>
BlockFields<Field, N, FieldsOf::array> block_fields(
    const Kokkos::Array<Field, N>& fields,
    const std::optional<Staggering>& given, const Staggering& of_plan) {
  BlockFields<Field, N, FieldsOf::array> all{fields, {}, given.has_value()};
  all.g.fill(given.value_or(of_plan));
  return all;
}
template <int Dim, class Field, std::size_t N>
BlockFields<Field, N, FieldsOf::faces> block_fields(
    const OnFaces<Field, N>& faces, const std::optional<Staggering>& given,
    const Staggering&) {
  BlockFields<Field, N, FieldsOf::faces> all{
      faces.fields, {}, given.has_value()};
  for (std::size_t k = 0; k < N; ++k) all.g[k] = Grid<Dim>::face(int(k));
  return all;
}

}  // namespace Impl
}  // namespace Sporos

#endif
