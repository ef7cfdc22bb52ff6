// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_BLOCKFIELDS_HPP
#define SPOROS_BLOCKFIELDS_HPP

/// \file Sporos_BlockFields.hpp
/// What distributed spread and interpolate do with fields: one field, or one on
/// the faces of each direction.

#include <Sporos_DistributedGrid.hpp>
#include <particle_grid/plan/Sporos_TransferChecks.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace Sporos {
namespace Impl {

/// The part of a field of a block that is a window around the block.
template <int Dim, class Real, class Field>
auto window_view(const DistributedGrid<Dim, Real>& grid,
                 const GridWindow<Dim>& window, const Staggering& g,
                 const Field& field) {
  std::pair<std::size_t, std::size_t> in[3];
  for (int d = 0; d < Dim; ++d) {
    const int first = grid.ghosts() - layers_of(grid, window, d, 0);
    in[d].first     = std::size_t(first);
    in[d].second    = std::size_t(first + window.points(grid.grid(), d, g[d]));
  }
  constexpr bool components = view_rank_v < Field >> Dim;
  const auto all            = Kokkos::ALL();
  if constexpr (Dim == 1 && components)
    return Kokkos::subview(field, in[0], all);
  else if constexpr (Dim == 1)
    return Kokkos::subview(field, in[0]);
  else if constexpr (Dim == 2 && components)
    return Kokkos::subview(field, in[0], in[1], all);
  else if constexpr (Dim == 2)
    return Kokkos::subview(field, in[0], in[1]);
  else if constexpr (components)
    return Kokkos::subview(field, in[0], in[1], in[2], all);
  else
    return Kokkos::subview(field, in[0], in[1], in[2]);
}

/// Zeroes the innermost ghost layers of a field that have owners.
template <class Exec, int Dim, class Real, class Field>
void zero_ghosts(const Exec& exec, const DistributedGrid<Dim, Real>& grid,
                 const Staggering& g, const GhostReach<Dim>& reach,
                 const Field& field) {
  using Entries    = FieldEntries<RealPartOf<Field>, Dim>;
  const auto& list = grid.template lists<typename Exec::memory_space>(g, reach)
                         .receive()
                         .entries;
  Kokkos::parallel_for("Sporos::spread::zero_ghosts",
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

/// One field with staggering g. reach_of(staggering): the ghost layers that
/// points of the block touch
template <class Field>
struct OneField {
  const Field& field;
  Staggering g;

  template <class Exec, int Dim, class Real, class Values>
  void check(const char* function, const DistributedGrid<Dim, Real>& grid,
             std::size_t n, const char* argument, const Values& values) const {
    check_block_transfer<Exec>(function, grid, g, n, argument, values, field,
                               "field");
  }
  template <int Dim>
  std::string kind() const {
    return kind_of_field<Dim>(g, field);
  }
  template <bool Adds, class Exec, int Dim, class Real, class Reach>
  void exchange(const Exec& exec, const DistributedGrid<Dim, Real>& grid,
                const Reach& reach_of) const {
    run_ghosts(exec, grid,
               ghost_part<Adds, typename Exec::memory_space>(
                   grid, g, reach_of(g), field));
  }
  template <class Exec, int Dim, class Real, class Reach>
  void zero(const Exec& exec, const DistributedGrid<Dim, Real>& grid,
            const Reach& reach_of) const {
    zero_ghosts(exec, grid, g, reach_of(g), field);
  }
  template <int Dim, class Real>
  auto part(const DistributedGrid<Dim, Real>& grid,
            const GridWindow<Dim>& window) const {
    return window_view(grid, window, g, field);
  }
};

/// fields[k] on the faces of direction k.
template <class Field, std::size_t N>
struct FaceFields {
  const Kokkos::Array<Field, N>& fields;

  template <class Exec, int Dim, class Real, class Values>
  void check(const char* function, const DistributedGrid<Dim, Real>& grid,
             std::size_t n, const char* argument, const Values& values) const {
    check_faces<Dim, N>(function, argument, values, false);
    for (int k = 0; k < Dim; ++k)
      check_block_transfer<Exec>(
          function, grid, Grid<Dim, Real>::face(k), n, argument,
          Kokkos::subview(values, Kokkos::ALL(), k), fields[k], face_names[k]);
    check_fields_apart(function, fields, argument, values);
  }
  template <int Dim>
  std::string kind() const {
    return "faces, " +
           kind_of_field<Dim>(Grid<Dim, double>::face(0), fields[0]);
  }
  template <bool Adds, class Exec, int Dim, class Real, class Reach>
  void exchange(const Exec& exec, const DistributedGrid<Dim, Real>& grid,
                const Reach& reach_of) const {
    using Memory = typename Exec::memory_space;
    using Part   = decltype(ghost_part<Adds, Memory>(
        grid, std::declval<const Staggering&>(), fields[0]));
    std::vector<Part> parts;
    for (int k = 0; k < Dim; ++k) {
      const Staggering g = Grid<Dim, Real>::face(k);
      parts.push_back(
          ghost_part<Adds, Memory>(grid, g, reach_of(g), fields[k]));
    }
    run_ghosts(exec, grid, parts);
  }
  template <class Exec, int Dim, class Real, class Reach>
  void zero(const Exec& exec, const DistributedGrid<Dim, Real>& grid,
            const Reach& reach_of) const {
    for (int k = 0; k < Dim; ++k) {
      const Staggering g = Grid<Dim, Real>::face(k);
      zero_ghosts(exec, grid, g, reach_of(g), fields[k]);
    }
  }
  template <int Dim, class Real>
  auto part(const DistributedGrid<Dim, Real>& grid,
            const GridWindow<Dim>& window) const {
    using Part = decltype(window_view(
        grid, window, std::declval<const Staggering&>(), fields[0]));
    Kokkos::Array<Part, N> parts;
    for (int k = 0; k < Dim; ++k)
      parts[k] = window_view(grid, window, Grid<Dim, Real>::face(k), fields[k]);
    return parts;
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
