// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_BENCH_MESH_KERNELS_HPP
#define SPOROS_BENCH_MESH_KERNELS_HPP

/// \file Mesh_Kernels.hpp
/// Two loops of other codes with large increments, for one element and with
/// Real either a number or a pack of them:
///
///   stress_forces  hexahedra to their 8 nodes, 3 forces each, as LULESH's
///                  IntegrateStressForElems
///   face_flux      faces to their 2 cells, 5 conserved quantities each, as in
///                  miniAero

#include <Sporos_Pack.hpp>

namespace Bench {

/// Adds a quarter of the area of a face, as a vector, to its four nodes.
/// \param x,normal 3 per node of the hexahedron
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void add_face_normal(const Real* x, Real* normal,
                                                 int a, int b, int c, int d) {
  Real u[3], v[3];
  for (int k = 0; k < 3; ++k) {
    u[k] = x[3 * d + k] + x[3 * c + k] - x[3 * b + k] - x[3 * a + k];
    v[k] = x[3 * c + k] + x[3 * b + k] - x[3 * d + k] - x[3 * a + k];
  }
  for (int k = 0; k < 3; ++k) {
    const int l = (k + 1) % 3, m = (k + 2) % 3;
    const Real area = Real(0.0625) * (u[l] * v[m] - u[m] * v[l]);
    normal[3 * a + k] += area;
    normal[3 * b + k] += area;
    normal[3 * c + k] += area;
    normal[3 * d + k] += area;
  }
}

/// Determinant of the Jacobian at the middle of a hexahedron times 8: its
/// volume if it is a parallelepiped.
/// \param x 3 per node
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real hex_volume(const Real* x) {
  Real j[3][3];  // by direction of the cell, then by coordinate
  for (int k = 0; k < 3; ++k) {
    const Real a = x[18 + k] - x[k], b = x[15 + k] - x[9 + k];
    const Real c = x[21 + k] - x[3 + k], d = x[12 + k] - x[6 + k];
    j[0][k] = Real(0.125) * (a + b - c - d);
    j[1][k] = Real(0.125) * (a - b + c - d);
    j[2][k] = Real(0.125) * (a + b + c + d);
  }
  Real sum = Real(0);
  for (int k = 0; k < 3; ++k) {
    const int l = (k + 1) % 3, m = (k + 2) % 3;
    sum += j[0][k] * (j[1][l] * j[2][m] - j[1][m] * j[2][l]);
  }
  return Real(8) * sum;
}

/// \param x 3 coordinates for each of the 8 nodes
/// \param stress its diagonal
/// \param force 3 for each of the nodes; is added to
/// \return volume of the element
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real stress_forces(const Real* x,
                                               const Real* stress,
                                               Real* force) {
  Real normal[24];
  for (int k = 0; k < 24; ++k) normal[k] = Real(0);
  add_face_normal(x, normal, 0, 1, 2, 3);
  add_face_normal(x, normal, 0, 4, 5, 1);
  add_face_normal(x, normal, 1, 5, 6, 2);
  add_face_normal(x, normal, 2, 6, 7, 3);
  add_face_normal(x, normal, 3, 7, 4, 0);
  add_face_normal(x, normal, 4, 7, 6, 5);
  for (int n = 0; n < 8; ++n)
    for (int k = 0; k < 3; ++k)
      force[3 * n + k] -= stress[k] * normal[3 * n + k];
  return hex_volume(x);
}

/// Flux of a gas with the given state along a normal.
template <class Real>
struct NormalFlux {
  Real value[5];
  Real fastest;  ///< wave speed times area

  KOKKOS_FORCEINLINE_FUNCTION NormalFlux(const Real* q, const Real* normal,
                                         Real area) {
    using Sporos::abs;
    using Sporos::sqrt;
    const Real inverse = Real(1) / q[0];
    const Real volume =
        inverse * (q[1] * normal[0] + q[2] * normal[1] + q[3] * normal[2]);
    const Real kinetic =
        Real(0.5) * inverse * (q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const Real pressure = Real(0.4) * (q[4] - kinetic);
    value[0]            = volume * q[0];
    for (int k = 0; k < 3; ++k)
      value[k + 1] = volume * q[k + 1] + pressure * normal[k];
    value[4] = volume * (q[4] + pressure);
    fastest  = abs(volume) + area * sqrt(Real(1.4) * pressure * inverse);
  }
};

/// Rusanov's flux of the three-dimensional Euler equations through a face.
/// \param p,q density, momentum, energy on both sides
/// \param normal from p to q, its length the area
/// \param out,in what changes on both sides; are added to
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void face_flux(const Real* p, const Real* q,
                                           const Real* normal, Real* out,
                                           Real* in) {
  using Sporos::max;
  using Sporos::sqrt;
  const Real area = sqrt(normal[0] * normal[0] + normal[1] * normal[1] +
                         normal[2] * normal[2]);
  const NormalFlux<Real> a(p, normal, area), b(q, normal, area);
  const Real wave = max(a.fastest, b.fastest);
  for (int c = 0; c < 5; ++c) {
    const Real f = Real(0.5) * (a.value[c] + b.value[c] - wave * (q[c] - p[c]));
    out[c] -= f;
    in[c] += f;
  }
}

}  // namespace Bench

#endif
