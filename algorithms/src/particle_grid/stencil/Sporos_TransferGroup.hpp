// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_TRANSFERGROUP_HPP
#define SPOROS_TRANSFERGROUP_HPP

/// \file Sporos_TransferGroup.hpp
/// The components that one pass over the points serves together: weights and
/// cells of a point are found once for all of them.

#include <Sporos_Grid.hpp>
#include <Sporos_KokkosCompat.hpp>
#include <particle_grid/bins/Sporos_GridConstants.hpp>
#include <particle_grid/stencil/Sporos_FieldAccess.hpp>
#include <particle_grid/stencil/Sporos_StridedVector.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// Where the values of a point are: points come in the plan's order, values are
/// in the given order, or in the plan's (permutation is null).
struct PointPlaces {
  const int* permutation;
  KOKKOS_FORCEINLINE_FUNCTION int operator()(int i) const {
    return permutation == nullptr ? i : permutation[i];
  }
};

/// How the components of a group differ. All but `alike` have a component
/// (complex numbers: two) for each direction, component parts * k for internal
/// direction k, and a point has two sets of weights in each direction:
/// component k takes set 0 in direction k and set 1 in the others.
enum class GroupKind {
  alike,  ///< fields of one staggering; one set of weights
  faces,  ///< component k lives on the faces of direction k. Set 0: weights of
          ///< grid points on faces, set 1: of those in the middle of cells
  gradient,  ///< component k of values is the derivative in direction k of one
             ///< field. Set 0: derivatives, set 1: weights
  gradient_and_value  ///< also component Dim, the value itself
};

/// Up to G real components. V and T: values of points and of fields; what is
/// read may be const.
/// Vector: where values are; SplitVector for own points and copies of others
template <class T_, class V_, int Dim_, int G,
          GroupKind Kind = GroupKind::alike, class Vector = StridedVector<V_>>
struct TransferGroup {
  using T                     = T_;
  using V                     = V_;
  static constexpr int dim    = Dim_;
  static constexpr int most   = G;
  static constexpr int sets   = Kind == GroupKind::alike ? 1 : 2;
  static constexpr bool faces = Kind == GroupKind::faces;
  /// Are there derivatives?
  static constexpr bool derives = sets == 2 && !faces;
  /// Directions, and the value itself
  static constexpr int terms =
      Kind == GroupKind::gradient_and_value ? Dim_ + 1 : Dim_;
  static constexpr int parts = sets == 2 ? G / terms : 1;
  /// The most fields, and images of a tile
  static constexpr int most_images = derives ? parts : G;
  /// Are there copies of points, whose values nobody reads?
  static constexpr bool splits = std::is_same_v<Vector, SplitVector<V_>>;

  int count = 0;
  FieldAccess<T, Dim_> field[G];
  Vector values[G];
  Staggering staggering[sets] = {};
  int face_direction[Dim_] = {};  ///< of the grid, of the faces of component k
  bool in_plan_order       = false;  ///< of values

  /// The number of components. (A constant where it can be: devices keep what
  /// a loop over components computes again and again in registers, of which
  /// the rows of wide delta functions need too many.)
  KOKKOS_FORCEINLINE_FUNCTION int used() const { return G == 1 ? 1 : count; }
  /// The number of different fields; field c is that of components c, c +
  /// parts,
  /// ... of a gradient.
  KOKKOS_FORCEINLINE_FUNCTION int images() const {
    return derives ? parts : count;
  }

  /// The set of weights of component c in internal direction k.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int set(int c, int k) {
    return sets == 2 && c / parts != k ? 1 : 0;
  }

  /// The field and a value of component c. (By selection: kernels of devices
  /// would copy arrays that they index by what only the run time knows.)
  KOKKOS_FORCEINLINE_FUNCTION FieldAccess<T, Dim_> field_of(int c) const {
    FieldAccess<T, Dim_> one = field[0];
    SPOROS_UNROLL
    for (int i = 1; i < G; ++i) {
      if (c != i) continue;
      one.data = field[i].data;
      if constexpr (faces) one = field[i];
    }
    return one;
  }
  KOKKOS_FORCEINLINE_FUNCTION V& value(int c, int place) const {
    Vector one = values[0];
    SPOROS_UNROLL
    for (int i = 1; i < G; ++i)
      if (c == i) {
        one.move_to(values[i]);
        if constexpr (Kind == GroupKind::gradient_and_value) one = values[i];
      }
    return one(place);
  }

  /// The components of internal direction k as a group.
  TransferGroup<T, V, Dim_, parts, GroupKind::alike, Vector> term(int k) const {
    TransferGroup<T, V, Dim_, parts, GroupKind::alike, Vector> one;
    one.count         = parts;
    one.staggering[0] = staggering[1];
    if constexpr (faces)
      one.staggering[0][face_direction[k]] = staggering[0][face_direction[k]];
    one.in_plan_order = in_plan_order;
    for (int part = 0; part < parts; ++part) {
      one.field[part]  = field[k * parts + part];
      one.values[part] = values[k * parts + part];
    }
    return one;
  }

  template <class Bins>
  PointPlaces places(const Bins& bins) const {
    return PointPlaces{in_plan_order ? nullptr : bins.permutation.data()};
  }

  /// Does component c have other grid points, or weights, than the one before?
  static constexpr bool moves(int c) {
    return sets == 2 ? c % parts == 0 : c == 0;
  }

  /// Components that lie side by side at grid points which follow one another
  /// along direction 0: all, or 1.
  int together() const {
    if constexpr (faces || most_images == 1) return 1;
    if (field[0].stride[0] != images()) return 1;
    for (int c = 1; c < images(); ++c)
      if (field[c].data != field[0].data + c) return 1;
    return images();
  }
  /// Do rows along direction 0 lie in one piece, one for each component or one
  /// for all?
  bool rows() const {
    for (int c = 0; c < count; ++c)
      if (field[c].stride[0] != together()) return false;
    return true;
  }
  /// To prefetch the values of a point: components 0, n, 2 n, ... They are all
  /// if the values of a point lie apart. Else the first, and the last unless
  /// both lie in one line of memory.
  int prefetch_step() const {
    const std::ptrdiff_t apart = values[count - 1].data - values[0].data;
    if (count == 1 || apart <= -8 || apart >= 8) return 1;
    const auto bytes = std::size_t(values[0].stride) * sizeof(V);
    return bytes <= 64 && (bytes & (bytes - 1)) == 0 ? count : count - 1;
  }
};

/// f(integral constant n) for a number from 1 to Most of components
template <int Most, class F>
void with_count(int n, const F& f) {
  if constexpr (Most > 1)
    if (n != Most) return with_count<Most - 1>(n, f);
  f(std::integral_constant<int, Most>{});
}

/// The shifts of all sets of weights of a group.
template <int Dim, class Real, int Support, int Sets>
struct StaggeringShifts {
  using Shift = StaggeringShift<Dim, Real, Support>;
  Shift of_set[Sets];

  template <class Cells>
  StaggeringShifts(const Cells& cells, const Staggering (&g)[Sets]) {
    for (int s = 0; s < Sets; ++s) of_set[s] = Shift(cells, g[s]);
  }
  /// What component c of a group is shifted by.
  template <class Group>
  KOKKOS_FORCEINLINE_FUNCTION Shift component(int c) const {
    Shift shift = of_set[0];
    SPOROS_UNROLL
    for (int k = 0; k < Dim; ++k) {
      if (Group::set(c, k) == 0) continue;
      shift.delta[k] = of_set[Sets - 1].delta[k];
      shift.low[k]   = of_set[Sets - 1].low[k];
      shift.extra[k] = of_set[Sets - 1].extra[k];
    }
    return shift;
  }
};

/// The sorted points of bins by tile, with what Sets sets of weights (see
/// TransferGroup) are shifted by
template <int Dim, class Real, int Support, int Sets>
struct TiledPoints {
  const std::uint16_t* locals;  ///< cells in tiles
  const Real* fractions;
  std::size_t pitch;
  PointPlaces places;  ///< of the values
  StaggeringShifts<Dim, Real, Support, Sets> shifts;

  template <class Bins, class Group>
  TiledPoints(const Bins& bins, const Group& group)
      : locals(bins.locals),
        fractions(bins.fractions),
        pitch(bins.pitch),
        places(group.places(bins)),
        shifts(bins.cells, group.staggering) {}
};

}  // namespace Impl
}  // namespace Sporos

#endif
