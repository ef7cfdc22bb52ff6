// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_ELASTICITY_KERNELS_HPP
#define SPOROS_ELASTICITY_KERNELS_HPP

/// \file Elasticity_Kernels.hpp
/// Kernels of loops over cells.

#include "Elasticity_Theory.hpp"
#include "Elasticity_World.hpp"

#include <Sporos_Accessors.hpp>
#include <Sporos_Matrix.hpp>

namespace ElasticityApp {

using Sporos::Inc;
using Sporos::MatInc;
using Sporos::Read;
using Sporos::Reduce;

/// The shape functions of a cell at the points of a quadrature.
struct ShapeTable {
  using Values = Kokkos::View<const double*, Exec::memory_space>;

  int points = 0;
  Values weights;
  Values shapes;  ///< of each point and node: value, three derivatives
};
ShapeTable shape_table(Shape shape, int order, bool fine);

/// What integrals need at one point of a cell.
template <int Nodes, class Real>
struct CellPoint {
  const double* shapes;
  Real place[3];
  Real weight;               ///< a part of the cell's volume
  Real gradients[Nodes][3];  ///< of the shape functions

  KOKKOS_FUNCTION CellPoint(const ShapeTable& table, int q,
                            const Read<Real, 3, Nodes>& x)
      : shapes(table.shapes.data() + q * Nodes * 4) {
    Real jacobian[3][3];  // of place d along direction e
    for (int d = 0; d < 3; ++d) {
      place[d] = jacobian[d][0] = jacobian[d][1] = jacobian[d][2] = Real(0);
      for (int n = 0; n < Nodes; ++n) {
        place[d] = place[d] + Real(value(n)) * x(n, d);
        for (int e = 0; e < 3; ++e)
          jacobian[d][e] =
              jacobian[d][e] + Real(shapes[4 * n + 1 + e]) * x(n, d);
      }
    }
    Real inverse[3][3];
    for (int d = 0; d < 3; ++d)
      for (int e = 0; e < 3; ++e) {
        const int d1 = (d + 1) % 3, d2 = (d + 2) % 3, e1 = (e + 1) % 3,
                  e2  = (e + 2) % 3;
        inverse[e][d] = jacobian[d1][e1] * jacobian[d2][e2] -
                        jacobian[d1][e2] * jacobian[d2][e1];
      }
    const Real volume = jacobian[0][0] * inverse[0][0] +
                        jacobian[0][1] * inverse[1][0] +
                        jacobian[0][2] * inverse[2][0];
    weight = Real(table.weights(q)) * Sporos::abs(volume);
    for (int n = 0; n < Nodes; ++n)
      for (int d = 0; d < 3; ++d) {
        Real sum(0);
        for (int e = 0; e < 3; ++e)
          sum = sum + Real(shapes[4 * n + 1 + e]) * inverse[e][d];
        gradients[n][d] = sum / volume;
      }
  }
  KOKKOS_FUNCTION double value(int n) const { return shapes[4 * n]; }
};

/// The matrix and the right-hand side of a cell.
template <int Nodes, int C>
struct CellMatrix {
  ShapeTable table;
  Load load;
  bool lift;  ///< takes what given values contribute from the right-hand side

  template <class Real>
  KOKKOS_FUNCTION void add(const Read<Real, 3, Nodes>& x,
                           const Read<Real, C, Nodes>& given,
                           const MatInc<Real, Nodes, Nodes, C, C>& a,
                           const Inc<Real, C, Nodes>& b) const {
    for (int q = 0; q < table.points; ++q) {
      const CellPoint<Nodes, Real> p(table, q, x);
      Real force[C];
      load.force(p.place, force);
      for (int i = 0; i < Nodes; ++i) {
        for (int c = 0; c < C; ++c)
          b(i, c) += p.weight * Real(p.value(i)) * force[c];
        for (int j = 0; j < Nodes; ++j) add_block(p, i, j, a);
      }
    }
    if (!lift) return;
    for (int i = 0; i < Nodes; ++i)
      for (int c = 0; c < C; ++c)
        for (int j = 0; j < Nodes; ++j)
          for (int d = 0; d < C; ++d) b(i, c) -= a(i, c, j, d) * given(j, d);
  }

 private:
  template <class Real>
  KOKKOS_FUNCTION void add_block(
      const CellPoint<Nodes, Real>& p, int i, int j,
      const MatInc<Real, Nodes, Nodes, C, C>& a) const {
    const Real(&f)[3] = p.gradients[i];
    const Real(&g)[3] = p.gradients[j];
    const Real mu     = Real(load.material.mu) * p.weight;
    const Real both   = mu * (f[0] * g[0] + f[1] * g[1] + f[2] * g[2]);
    if constexpr (C == 1) {
      a(i, 0, j, 0) += both;
    } else {
      const Real lambda = Real(load.material.lambda) * p.weight;
      for (int c = 0; c < C; ++c) {
        for (int d = 0; d < C; ++d)
          a(i, c, j, d) += lambda * f[c] * g[d] + mu * f[d] * g[c];
        a(i, c, j, c) += both;
      }
    }
  }
};

/// Integrals over cells: the square of the error, that of the displacements
/// that are known, the volume.
template <int Nodes, int C>
struct CellNorms {
  ShapeTable table;
  Load load;

  KOKKOS_FUNCTION void operator()(Read<double, 3, Nodes> x,
                                  Read<double, C, Nodes> u,
                                  Reduce<double, 3> sums) const {
    for (int q = 0; q < table.points; ++q) {
      const CellPoint<Nodes, double> p(table, q, x);
      double exact[C];
      load.displacement(p.place, exact);
      for (int c = 0; c < C; ++c) {
        double error = exact[c];
        for (int n = 0; n < Nodes; ++n) error -= p.value(n) * u(n, c);
        sums[0] += p.weight * error * error;
        sums[1] += p.weight * exact[c] * exact[c];
      }
      sums[2] += p.weight;
    }
  }
};

/// Tetrahedra with four nodes are assembled on packs. The matrices of a pack of
/// other cells fill a cache, and take compilers long.
template <int Nodes, int C, bool Packs = Nodes == 4>
struct Assemble {
  CellMatrix<Nodes, C> cell;

  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 3, Nodes> x,
                                  Read<Real, C, Nodes> given,
                                  MatInc<Real, Nodes, Nodes, C, C> a,
                                  Inc<Real, C, Nodes> b) const {
    cell.add(x, given, a, b);
  }
};
template <int Nodes, int C>
struct Assemble<Nodes, C, false> {
  CellMatrix<Nodes, C> cell;

  KOKKOS_FUNCTION void operator()(Read<double, 3, Nodes> x,
                                  Read<double, C, Nodes> given,
                                  MatInc<double, Nodes, Nodes, C, C> a,
                                  Inc<double, C, Nodes> b) const {
    cell.add(x, given, a, b);
  }
};

}  // namespace ElasticityApp

#endif
