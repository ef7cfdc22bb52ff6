// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_POINTSTENCIL_HPP
#define SPOROS_POINTSTENCIL_HPP

/// \file Sporos_PointStencil.hpp
/// One point at a time: its weights, its grid points, and how to add to them or
/// read them. What every algorithm but `tiled` is made of.

#include <Sporos_KokkosCompat.hpp>
#include <Sporos_Pack.hpp>
#include <Sporos_RowPack.hpp>
#include <particle_grid/bins/Sporos_ParticleBins.hpp>
#include <particle_grid/bins/Sporos_TiledCells.hpp>
#include <particle_grid/stencil/Sporos_FieldAccess.hpp>
#include <particle_grid/stencil/Sporos_TransferGroup.hpp>
#include <particle_grid/stencil/Sporos_Weights.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// Weights and grid points of one point. Lower indices: internal directions.
template <class T, int Dim, int Support>
struct PointStencil {
  static constexpr int lanes = next_power_of_two(Dim);
  static constexpr int pitch = next_power_of_two(Support);

  T weight[lanes][pitch];
  /// first grid point; in [0, points) in a periodic direction
  int first[Dim];

  /// Where the grid points of direction k lie in the field, from its start on;
  /// negative: there is none.
  template <class Field>
  KOKKOS_FORCEINLINE_FUNCTION void find_places(
      const Field& field, int k, std::ptrdiff_t (&places)[Support]) const {
    int i = first[k];
    SPOROS_UNROLL
    for (int j = 0; j < Support; ++j) {
      const bool inside = i >= 0 && i < field.points[k];
      places[j]         = inside ? i * field.stride[k] : -1;
      ++i;  // several times around a ring of few grid points
      if (field.wraps[k] && i == field.points[k]) i = 0;
    }
  }

  /// Direction k of another stencil
  KOKKOS_FORCEINLINE_FUNCTION void take(int k, const PointStencil& other) {
    first[k] = other.first[k];
    SPOROS_UNROLL
    for (int j = 0; j < Support; ++j) weight[k][j] = other.weight[k][j];
  }

  /// Fills the weights of a set from the fractions. Hosts compute those of all
  /// directions at once, one direction a lane, where packs are registers.
  template <bool Host, class Delta, class Real>
  KOKKOS_FORCEINLINE_FUNCTION void set_weights(const Delta& delta, int set,
                                               const Real (&r)[Dim]) {
    using P = Pack<T, lanes>;
    if constexpr (Host && packs_are_registers && Dim > 1 &&
                  HasWeights<Delta, P>::value) {
      P w[Support];
      delta.weights(P::generate([&](int k) {
                      return k < Dim ? T(r[k < Dim ? k : 0]) : T(0);
                    }),
                    w);
      store_transposed<Support>(w, &weight[0][0], pitch);
    } else {
      for (int k = 0; k < Dim; ++k)
        scalar_weights(delta, set, k, T(r[k]), weight[k]);
    }
  }
};

/// First grid point of the support of a cell (numbered from the ghost cell),
/// wrapped in periodic directions.
template <class Cells>
KOKKOS_FORCEINLINE_FUNCTION int first_grid_point(const Cells& cells, int k,
                                                 int cell) {
  const int first = cells.grid_cell(k, cell) - Cells::before;
  return cells.wraps[k] ? ring_index(first, cells.cells[k]) : first;
}

/// The sorted points of bins.
template <int Dim, class Real, int Support>
struct SortedPoints {
  using Cells = TiledCells<Dim, Real, Support>;

  Cells cells;
  const std::uint32_t* keys;
  std::uint32_t key_end;
  const std::uint16_t* locals;
  const Real* fractions;
  std::size_t pitch;
  const int* permutation;

  template <class Bins>
  explicit SortedPoints(const Bins& bins)
      : cells(bins.cells),
        keys(bins.keys.data()),
        key_end(bins.cells.key_end()),
        locals(bins.locals),
        fractions(bins.fractions),
        pitch(bins.pitch),
        permutation(bins.permutation.data()) {}

  /// Cell, with the plan's ghost cells from 0 on, and fraction of sorted point
  /// i for the plan's staggering. False for a point without a cell.
  KOKKOS_FORCEINLINE_FUNCTION bool locate(int i, int (&cell)[Dim],
                                          Real (&r)[Dim]) const {
    const std::uint32_t key = keys[i];
    if (key >= key_end) return false;
    cells.first_cell(key >> cells.log2_local, cell);
    const std::uint32_t local = cells.wide_keys() ? locals[i] : key;
    for (int k = 0; k < Dim; ++k) {
      cell[k] += Cells::local_cell(local, k);
      r[k] = fractions[k * pitch + i];
    }
    return true;
  }
  /// To another staggering; a carry may lead one cell beyond.
  KOKKOS_FORCEINLINE_FUNCTION void apply(
      const StaggeringShift<Dim, Real, Support>& shift, int (&cell)[Dim],
      Real (&r)[Dim]) const {
    for (int k = 0; k < Dim; ++k)
      if (shift.extra[k] != 0)
        cell[k] = cells.carried(k, cell[k], shift.apply(k, r[k]));
  }
};

/// The sorted points of bins, as the components of a group see them.
template <class Real, int Support, class Group>
struct GroupPoints {
  static constexpr int Dim  = Group::dim;
  static constexpr int Sets = Group::sets;
  using T                   = std::remove_const_t<typename Group::T>;
  using Stencil             = PointStencil<T, Dim, Support>;

  SortedPoints<Dim, Real, Support> points;
  StaggeringShifts<Dim, Real, Support, Sets> shifts;
  Group group;
  PointPlaces places;  ///< of the values of sorted points

  template <class Bins>
  GroupPoints(const Bins& bins, const Group& group_)
      : points(bins),
        shifts(bins.cells, group_.staggering),
        group(group_),
        places(group_.places(bins)) {}

  /// Finds the sets of weights of sorted point i. False for a point without a
  /// cell.
  template <bool Host, class Delta>
  KOKKOS_FORCEINLINE_FUNCTION bool find_sets(const Delta& delta, int i,
                                             Stencil (&sets)[Sets]) const {
    int cell[Dim];
    Real r[Dim];
    if (!points.locate(i, cell, r)) return false;
    SPOROS_UNROLL
    for (int s = 0; s < Sets; ++s)
      set_stencil<Host>(delta, s, cell, r, sets[s]);
    return true;
  }

  /// f(component, stencil) for all components of sorted point i. False, and no
  /// call, for a point without a cell.
  template <bool Host, class Delta, class F>
  KOKKOS_FORCEINLINE_FUNCTION bool for_each_component(const Delta& delta, int i,
                                                      const F& f) const {
    Stencil sets[Sets];
    if (!find_sets<Host>(delta, i, sets)) return false;
    if constexpr (Sets == 1) {
      for (int c = 0; c < group.used(); ++c) f(c, sets[0]);
    } else {
      SPOROS_UNROLL
      for (int face = 0; face < Dim; ++face) {
        Stencil s = sets[1];
        s.take(face, sets[0]);
        SPOROS_UNROLL
        for (int part = 0; part < Group::parts; ++part)
          f(face * Group::parts + part, s);
      }
    }
    return true;
  }

 private:
  template <bool Host, class Delta>
  KOKKOS_FORCEINLINE_FUNCTION void set_stencil(const Delta& delta, int set,
                                               const int (&cell)[Dim],
                                               const Real (&r)[Dim],
                                               Stencil& s) const {
    int to_cell[Dim];
    Real to_r[Dim];
    for (int k = 0; k < Dim; ++k) {
      to_cell[k] = cell[k];
      to_r[k]    = r[k];
    }
    points.apply(shifts.of_set[set], to_cell, to_r);
    for (int k = 0; k < Dim; ++k)
      s.first[k] = first_grid_point(points.cells, k, to_cell[k]);
    s.template set_weights<Host>(delta, set, to_r);
  }
};

/// Adds one term, atomically if other threads may add to the same place.
template <bool Atomic, class T>
KOKKOS_FORCEINLINE_FUNCTION void add_term(T& place, T term) {
  if constexpr (Atomic)
    Kokkos::atomic_add(&place, term);
  else
    place += term;
}

/// Calls row(line, w) for each row of the stencil that lies in the grid; w is
/// the product of `value` and the weights of the other directions.
template <class T, class W, int Dim, int Support, class Row>
KOKKOS_FORCEINLINE_FUNCTION void for_each_stencil_row(
    const FieldAccess<T, Dim>& field, const PointStencil<W, Dim, Support>& s,
    W value, Row& row) {
  std::ptrdiff_t y[Support] = {}, z[Support] = {};
  if constexpr (Dim > 1) s.find_places(field, 1, y);
  if constexpr (Dim > 2) s.find_places(field, 2, z);
  SPOROS_UNROLL
  for (int c = 0; c < (Dim > 2 ? Support : 1); ++c) {
    if (z[c] < 0) continue;
    W wz = value;
    if constexpr (Dim > 2) wz *= s.weight[2][c];
    SPOROS_UNROLL
    for (int b = 0; b < (Dim > 1 ? Support : 1); ++b) {
      if (y[b] < 0) continue;
      W wyz = wz;
      if constexpr (Dim > 1) wyz *= s.weight[1][b];
      row(field.data + z[c] + y[b], wyz);
    }
  }
}

/// Do the grid points of direction 0 follow one another in the field?
template <class T, class W, int Dim, int Support>
KOKKOS_FORCEINLINE_FUNCTION bool is_one_run(
    const FieldAccess<T, Dim>& field, const PointStencil<W, Dim, Support>& s) {
  return s.first[0] >= 0 && s.first[0] + Support <= field.points[0];
}

/// line[first ...] += w weights of direction 0, anywhere
template <bool Atomic, class T, int Dim, int Support>
struct AddRow {
  const PointStencil<T, Dim, Support>& s;
  std::ptrdiff_t x[Support];

  KOKKOS_FORCEINLINE_FUNCTION
  AddRow(const FieldAccess<T, Dim>& field,
         const PointStencil<T, Dim, Support>& s_)
      : s(s_) {
    s.find_places(field, 0, x);
  }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(T* line, T w) const {
    SPOROS_UNROLL
    for (int a = 0; a < Support; ++a)
      if (x[a] >= 0) add_term<Atomic>(line[x[a]], w * s.weight[0][a]);
  }
};

/// Adds to a contiguous row at once, on hosts.
template <class T, int Support>
struct AddPackedRow {
  RowPack<T, Support> weights;
  int first;

  SPOROS_ALWAYS_INLINE void operator()(T* line, T w) const {
    RowPack<T, Support> row = RowPack<T, Support>::load(line + first);
    row.add_product(weights, w);
    row.store(line + first);
  }
};

/// field += value stencil
template <bool Host, bool Atomic, class T, int Dim, int Support>
KOKKOS_FORCEINLINE_FUNCTION void add_stencil(
    const FieldAccess<T, Dim>& field, const PointStencil<T, Dim, Support>& s,
    T value) {
  if constexpr (Host && packs_are_registers && !Atomic) {
    if (field.stride[0] == 1 && is_one_run(field, s)) {
      AddPackedRow<T, Support> row{RowPack<T, Support>::load(s.weight[0]),
                                   s.first[0]};
      return for_each_stencil_row(field, s, value, row);
    }
  }
  AddRow<Atomic, T, Dim, Support> row(field, s);
  for_each_stencil_row(field, s, value, row);
}

/// sum += w times the products of a row, anywhere
template <class T, int Dim, int Support>
struct DotRow {
  const PointStencil<T, Dim, Support>& s;
  std::ptrdiff_t x[Support];
  T sum = 0;

  KOKKOS_FORCEINLINE_FUNCTION
  DotRow(const FieldAccess<const T, Dim>& field,
         const PointStencil<T, Dim, Support>& s_)
      : s(s_) {
    s.find_places(field, 0, x);
  }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const T* line, T w) {
    T row = 0;
    SPOROS_UNROLL
    for (int a = 0; a < Support; ++a)
      if (x[a] >= 0) row += s.weight[0][a] * line[x[a]];
    sum += w * row;
  }
};

/// Adds the products of weights and contiguous rows, on hosts: one column a
/// lane.
template <class T, int Support>
struct DotPackedRow {
  using Row = ReadRowPack<T, Support>;
  Row sums;
  int first;

  SPOROS_ALWAYS_INLINE void operator()(const T* line, T w) {
    sums.add_product(Row::load(line + first), w);
  }
};

/// sum of weights times field
template <bool Host, class T, int Dim, int Support>
KOKKOS_FORCEINLINE_FUNCTION T
dot_stencil(const FieldAccess<const T, Dim>& field,
            const PointStencil<T, Dim, Support>& s) {
  if constexpr (Host && packs_are_registers) {
    if (field.stride[0] == 1 && is_one_run(field, s)) {
      const T zeros[Support] = {};
      using Dot              = DotPackedRow<T, Support>;
      Dot row{Dot::Row::load(zeros), s.first[0]};
      for_each_stencil_row(field, s, T(1), row);
      return row.sums.dot(Dot::Row::load(s.weight[0]));
    }
  }
  DotRow<T, Dim, Support> row(field, s);
  for_each_stencil_row(field, s, T(1), row);
  return row.sum;
}

}  // namespace Impl
}  // namespace Sporos

#endif
