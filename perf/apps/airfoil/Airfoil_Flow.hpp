// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_AIRFOIL_FLOW_HPP
#define SPOROS_AIRFOIL_FLOW_HPP

/// \file Airfoil_Flow.hpp
/// The gas and the undisturbed flow, and what the airfoil code computes for one
/// cell or edge.

#include <Sporos_Pack.hpp>

#include <cmath>

namespace AirfoilApp {

/// Constants of the flow. They are single-precision numbers in OP2's code,
/// which shows in the digits of its published results.
template <class T>
struct Flow {
  T gamma     = T(1.4f);  ///< ratio of specific heats
  T gm1       = T(double(1.4f) - 1);
  T courant   = T(0.9f);
  T viscosity = T(0.05f);  ///< factor of the artificial one
  T far[4];  ///< density, momentum, energy of the undisturbed flow

  Flow() {
    const double mach = 0.4f, gas = 1.4f;
    const double speed  = std::sqrt(gas) * mach;  // pressure and density 1
    const double energy = 1 / (gas - 1) + 0.5 * speed * speed;
    far[0]              = 1;
    far[1]              = T(speed);
    far[2]              = 0;
    far[3]              = T(energy);
  }
};

/// What the loops do for one element, on pointers to its components and with
/// Real either T or a pack of several T.
namespace Element {

template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void save_soln(const Real* q, Real* old) {
  for (int c = 0; c < 4; ++c) old[c] = q[c];
}

/// What a side of a cell contributes to its area over the largest time step.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real side(const Real* a, const Real* b, Real u,
                                      Real v, Real sound) {
  using Sporos::abs;
  using Sporos::sqrt;
  const Real dx = b[0] - a[0], dy = b[1] - a[1];
  return abs(u * dy - v * dx) + sound * sqrt(dx * dx + dy * dy);
}

/// Area of the cell over the largest stable time step.
template <class T, class Real>
KOKKOS_FORCEINLINE_FUNCTION Real adt_calc(const Flow<T>& flow, const Real* x0,
                                          const Real* x1, const Real* x2,
                                          const Real* x3, const Real* q) {
  using Sporos::sqrt;
  const Real inverse = T(1) / q[0];
  const Real u = inverse * q[1], v = inverse * q[2];
  const Real sound =
      sqrt(flow.gamma * flow.gm1 * (inverse * q[3] - T(0.5) * (u * u + v * v)));
  return (side(x0, x1, u, v, sound) + side(x1, x2, u, v, sound) +
          side(x2, x3, u, v, sound) + side(x3, x0, u, v, sound)) /
         flow.courant;
}

/// What both cells of an edge contribute to its flux, apart from viscosity.
template <class Real>
struct Stream {
  Real pressure;
  Real volume;  ///< through the edge
};

template <class T, class Real, class Q>
KOKKOS_FORCEINLINE_FUNCTION Stream<Real> stream(const Flow<T>& flow, const Q* q,
                                                Real dx, Real dy) {
  const Real inverse = T(1) / q[0];
  return {flow.gm1 * (q[3] - T(0.5) * inverse * (q[1] * q[1] + q[2] * q[2])),
          inverse * (q[1] * dy - q[2] * dx)};
}

/// Flux through the edge (x0, x1) from the state p to the state q.
/// \param mu viscosity
template <class T, class Real, class Q>
KOKKOS_FORCEINLINE_FUNCTION void flux(const Flow<T>& flow, const Real* x0,
                                      const Real* x1, const Real* p, const Q* q,
                                      Real mu, Real* f) {
  const Real dx = x0[0] - x1[0], dy = x0[1] - x1[1];
  const Stream<Real> a = stream(flow, p, dx, dy), b = stream(flow, q, dx, dy);
  f[0] = T(0.5) * (a.volume * p[0] + b.volume * q[0]) + mu * (p[0] - q[0]);
  f[1] = T(0.5) * (a.volume * p[1] + a.pressure * dy + b.volume * q[1] +
                   b.pressure * dy) +
         mu * (p[1] - q[1]);
  f[2] = T(0.5) * (a.volume * p[2] - a.pressure * dx + b.volume * q[2] -
                   b.pressure * dx) +
         mu * (p[2] - q[2]);
  f[3] = T(0.5) *
             (a.volume * (p[3] + a.pressure) + b.volume * (q[3] + b.pressure)) +
         mu * (p[3] - q[3]);
}

/// Adds to what flows out of both cells.
template <class T, class Real>
KOKKOS_FORCEINLINE_FUNCTION void res_calc(const Flow<T>& flow, const Real* x0,
                                          const Real* x1, const Real* q0,
                                          const Real* q1, Real adt0, Real adt1,
                                          Real* res0, Real* res1) {
  Real f[4];
  flux(flow, x0, x1, q0, q1, T(0.5) * (adt0 + adt1) * flow.viscosity, f);
  for (int c = 0; c < 4; ++c) {
    res0[c] += f[c];
    res1[c] -= f[c];
  }
}

/// \param flag 1: nothing flows through; else: the undisturbed flow is beyond
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void bres_calc(const Flow<T>& flow, const T* x0,
                                           const T* x1, const T* q, T adt,
                                           int flag, T* res) {
  if (flag == 1) {
    const T dx = x0[0] - x1[0], dy = x0[1] - x1[1];
    const T p = stream(flow, q, dx, dy).pressure;
    res[1] += p * dy;
    res[2] -= p * dx;
  } else {
    T f[4];
    flux(flow, x0, x1, q, flow.far, adt * flow.viscosity, f);
    for (int c = 0; c < 4; ++c) res[c] += f[c];
  }
}

/// \return sum of the squared changes
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real update(const Real* old, Real* q, Real* res,
                                        Real adt) {
  const Real factor = Real(1) / adt;
  Real sum          = Real(0);
  for (int c = 0; c < 4; ++c) {
    const Real change = factor * res[c];
    q[c]              = old[c] - change;
    res[c]            = Real(0);
    sum += change * change;
  }
  return sum;
}

}  // namespace Element
}  // namespace AirfoilApp

#endif
