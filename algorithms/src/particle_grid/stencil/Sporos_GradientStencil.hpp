// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_GRADIENTSTENCIL_HPP
#define SPOROS_GRADIENTSTENCIL_HPP

/// \file Sporos_GradientStencil.hpp
/// One point at a time: derivatives of a field, and dipoles, all directions in
/// one pass over the grid points.

#include <Sporos_KokkosCompat.hpp>
#include <particle_grid/stencil/Sporos_FieldAccess.hpp>
#include <particle_grid/stencil/Sporos_PointStencil.hpp>

#include <cstddef>

namespace Sporos {
namespace Impl {

/// sums[k] += derivative in direction k of what a point reads, sums[Dim] += its
/// value. slope, weight: by direction. line(b, c): a row of grid points, null
/// if there is none; value(row, a): a value in it
template <int Dim, int Support, class Weights, class Line, class Value, class T>
KOKKOS_FORCEINLINE_FUNCTION void add_gradient_sums(const Weights& slope,
                                                   const Weights& weight,
                                                   const Line& line,
                                                   const Value& value,
                                                   T (&sums)[Dim + 1]) {
  SPOROS_UNROLL
  for (int c = 0; c < (Dim > 2 ? Support : 1); ++c) {
    T along_x = 0, along_y = 0, plane = 0;
    SPOROS_UNROLL
    for (int b = 0; b < (Dim > 1 ? Support : 1); ++b) {
      const T* const at = line(b, c);
      if (at == nullptr) continue;
      T row_slope = 0, row = 0;
      SPOROS_UNROLL
      for (int a = 0; a < Support; ++a) {
        const T one = value(at, a);
        row_slope += slope[0][a] * one;
        row += weight[0][a] * one;
      }
      const T wy = Dim > 1 ? weight[Dim > 1][b] : T(1);
      along_x += wy * row_slope;
      plane += wy * row;
      if constexpr (Dim > 1) along_y += slope[1][b] * row;
    }
    const T wz = Dim > 2 ? weight[Dim - 1][c] : T(1);
    sums[0] += wz * along_x;
    if constexpr (Dim > 1) sums[1] += wz * along_y;
    if constexpr (Dim > 2) sums[2] += slope[2][c] * plane;
    sums[Dim] += wz * plane;
  }
}

/// The sets of weights of a point, see GroupKind::gradient, and where its grid
/// points lie in a field.
template <class T, int Dim, int Support>
struct GradientStencil {
  using Stencil               = PointStencil<T, Dim, Support>;
  static constexpr int rows   = Dim > 1 ? Support : 1;
  static constexpr int planes = Dim > 2 ? Support : 1;
  const Stencil &slope, &weight;
  std::ptrdiff_t x[Support], y[Support], z[Support];

  template <class Field>
  KOKKOS_FORCEINLINE_FUNCTION GradientStencil(const Field& field,
                                              const Stencil (&sets)[2])
      : slope(sets[0]), weight(sets[1]), y{}, z{} {
    weight.find_places(field, 0, x);
    if constexpr (Dim > 1) weight.find_places(field, 1, y);
    if constexpr (Dim > 2) weight.find_places(field, 2, z);
  }

  /// The first grid point of a row in the field; null: there is none.
  template <class T_>
  KOKKOS_FORCEINLINE_FUNCTION T_* line(T_* data, int b, int c) const {
    return z[c] < 0 || y[b] < 0 ? nullptr : data + z[c] + y[b];
  }

  /// sums[k] += derivative in direction k, sums[Dim] += value
  KOKKOS_FORCEINLINE_FUNCTION void dot(const T* data,
                                       T (&sums)[Dim + 1]) const {
    add_gradient_sums<Dim, Support>(
        slope.weight, weight.weight,
        [&](int b, int c) { return line(data, b, c); },
        [&](const T* row, int a) { return x[a] < 0 ? T(0) : row[x[a]]; }, sums);
  }

  /// field += sum of moments[k] times the derivative in direction k
  template <bool Atomic>
  KOKKOS_FORCEINLINE_FUNCTION void add(T* data, const T (&moments)[Dim]) const {
    SPOROS_UNROLL
    for (int c = 0; c < planes; ++c) {
      if (z[c] < 0) continue;
      const T wz       = Dim > 2 ? weight.weight[Dim - 1][c] : T(1);
      const T moment_x = moments[0] * wz;
      const T moment_y = Dim > 1 ? moments[Dim > 1] * wz : T(0);
      const T across =
          Dim > 2 ? moments[Dim - 1] * slope.weight[Dim - 1][c] : T(0);
      SPOROS_UNROLL
      for (int b = 0; b < rows; ++b) {
        T* const row = line(data, b, c);
        if (row == nullptr) continue;
        const T wy       = Dim > 1 ? weight.weight[Dim > 1][b] : T(1);
        const T of_slope = moment_x * wy;
        const T of_weight =
            Dim > 1 ? moment_y * slope.weight[Dim > 1][b] + across * wy : T(0);
        SPOROS_UNROLL
        for (int a = 0; a < Support; ++a)
          if (x[a] >= 0)
            add_term<Atomic>(row[x[a]], of_slope * slope.weight[0][a] +
                                            of_weight * weight.weight[0][a]);
      }
    }
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
