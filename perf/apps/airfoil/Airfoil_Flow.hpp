// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_AIRFOIL_FLOW_HPP
#define SPOROS_AIRFOIL_FLOW_HPP

/// \file Airfoil_Flow.hpp
/// The gas and the undisturbed flow, and what the airfoil code computes for one
/// cell or edge, on plain pointers.

#include <Kokkos_Core.hpp>

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

/// What the loops do, written by hand on pointers to the components of one
/// element: the reference of the tests, and a peer of the benchmark.
namespace ByHand {

template <class T>
KOKKOS_FORCEINLINE_FUNCTION void save_soln(const T* q, T* old) {
  for (int c = 0; c < 4; ++c) old[c] = q[c];
}

/// Area of the cell over the largest stable time step.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void adt_calc(const Flow<T>& flow, const T* x0,
                                          const T* x1, const T* x2, const T* x3,
                                          const T* q, T* adt) {
  using std::abs;
  using std::sqrt;
  const T inverse = T(1) / q[0];
  const T u = inverse * q[1], v = inverse * q[2];
  const T sound =
      sqrt(flow.gamma * flow.gm1 * (inverse * q[3] - T(0.5) * (u * u + v * v)));
  const auto side = [&](const T* a, const T* b) {
    const T dx = b[0] - a[0], dy = b[1] - a[1];
    return abs(u * dy - v * dx) + sound * sqrt(dx * dx + dy * dy);
  };
  *adt = (side(x0, x1) + side(x1, x2) + side(x2, x3) + side(x3, x0)) /
         flow.courant;
}

/// Flux through the edge from cell 0 to cell 1.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void flux(const Flow<T>& flow, const T* x0,
                                      const T* x1, const T* q0, const T* q1,
                                      T mu, T* f) {
  const T dx = x0[0] - x1[0], dy = x0[1] - x1[1];
  const T i0 = T(1) / q0[0];
  const T p0 =
      flow.gm1 * (q0[3] - T(0.5) * i0 * (q0[1] * q0[1] + q0[2] * q0[2]));
  const T v0 = i0 * (q0[1] * dy - q0[2] * dx);
  const T i1 = T(1) / q1[0];
  const T p1 =
      flow.gm1 * (q1[3] - T(0.5) * i1 * (q1[1] * q1[1] + q1[2] * q1[2]));
  const T v1 = i1 * (q1[1] * dy - q1[2] * dx);
  f[0]       = T(0.5) * (v0 * q0[0] + v1 * q1[0]) + mu * (q0[0] - q1[0]);
  f[1]       = T(0.5) * (v0 * q0[1] + p0 * dy + v1 * q1[1] + p1 * dy) +
         mu * (q0[1] - q1[1]);
  f[2] = T(0.5) * (v0 * q0[2] - p0 * dx + v1 * q1[2] - p1 * dx) +
         mu * (q0[2] - q1[2]);
  f[3] =
      T(0.5) * (v0 * (q0[3] + p0) + v1 * (q1[3] + p1)) + mu * (q0[3] - q1[3]);
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION void res_calc(const Flow<T>& flow, const T* x0,
                                          const T* x1, const T* q0, const T* q1,
                                          T adt0, T adt1, T* res0, T* res1) {
  T f[4];
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
    const T p = flow.gm1 * (q[3] - T(0.5) / q[0] * (q[1] * q[1] + q[2] * q[2]));
    res[1] += p * (x0[1] - x1[1]);
    res[2] -= p * (x0[0] - x1[0]);
  } else {
    T f[4];
    flux(flow, x0, x1, q, flow.far, adt * flow.viscosity, f);
    for (int c = 0; c < 4; ++c) res[c] += f[c];
  }
}

/// \return sum of the squared changes
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T update(const T* old, T* q, T* res, T adt) {
  const T factor = T(1) / adt;
  T sum          = 0;
  for (int c = 0; c < 4; ++c) {
    const T change = factor * res[c];
    q[c]           = old[c] - change;
    res[c]         = 0;
    sum += change * change;
  }
  return sum;
}

}  // namespace ByHand
}  // namespace AirfoilApp

#endif
