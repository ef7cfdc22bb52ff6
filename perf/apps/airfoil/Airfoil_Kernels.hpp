// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_AIRFOIL_KERNELS_HPP
#define SPOROS_AIRFOIL_KERNELS_HPP

/// \file Airfoil_Kernels.hpp
/// The kernels of the airfoil code's loops. Those that are templates over their
/// real type are run on packs of several elements where that is possible.

#include "Airfoil_Flow.hpp"

#include <Sporos_ParLoop.hpp>

namespace AirfoilApp {

using Sporos::Inc;
using Sporos::Read;
using Sporos::ReadWrite;
using Sporos::Reduce;
using Sporos::Write;

/// Cells: keeps the solution.
struct SaveSoln {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 4> q, Write<Real, 4> old) const {
    Element::save_soln(&q[0], &old[0]);
  }
};

/// Cells: area over time step.
template <class T>
struct AdtCalc {
  Flow<T> flow;

  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 2, 4> x, Read<Real, 4> q,
                                  Write<Real, 1> adt) const {
    adt[0] =
        Element::adt_calc(flow, &x(0, 0), &x(1, 0), &x(2, 0), &x(3, 0), &q[0]);
  }
};

/// Edges: flux between two cells.
template <class T>
struct ResCalc {
  Flow<T> flow;

  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 2, 2> x, Read<Real, 4, 2> q,
                                  Read<Real, 1, 2> adt,
                                  Inc<Real, 4, 2> res) const {
    Element::res_calc(flow, &x(0, 0), &x(1, 0), &q(0, 0), &q(1, 0), adt(0, 0),
                      adt(1, 0), &res(0, 0), &res(1, 0));
  }
};

/// Boundary edges: flux through the boundary.
template <class T>
struct BresCalc {
  Flow<T> flow;

  KOKKOS_FUNCTION void operator()(Read<T, 2, 2> x, Read<T, 4, 1> q,
                                  Read<T, 1, 1> adt, Read<int, 1> flag,
                                  Inc<T, 4, 1> res) const {
    Element::bres_calc(flow, &x(0, 0), &x(1, 0), &q[0], adt[0], flag[0],
                       &res[0]);
  }
};

/// Cells: next stage of the solution and its squared change.
struct Update {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 4> old, Write<Real, 4> q,
                                  ReadWrite<Real, 4> res, Read<Real, 1> adt,
                                  Reduce<Real, 1> change) const {
    change[0] += Element::update(&old[0], &q[0], &res[0], adt[0]);
  }
};

}  // namespace AirfoilApp

#endif
