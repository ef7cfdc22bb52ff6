// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_ELASTICITY_SOLVER_HPP
#define SPOROS_ELASTICITY_SOLVER_HPP

/// \file Elasticity_Solver.hpp
/// Conjugate gradients with the inverse blocks of the diagonal as
/// preconditioner.

#include "Elasticity_World.hpp"

#include <Sporos_Matrix.hpp>

namespace ElasticityApp {

/// Values of the unknowns, of the right-hand side and so on: C at each node.
template <int C>
using Vector = Sporos::Dat<double, C>;
template <int C>
using Matrix = Sporos::Mat<double, C, C>;

/// When conjugate gradients end.
struct Target {
  double tolerance;  ///< of the residual, relative to that of the start
  int iterations;    ///< the most
};

struct Solved {
  int iterations  = 0;
  double residual = 0;  ///< relative to that of the start
};

/// Collective. Solves A x = b from a first x. Rows without a diagonal have no
/// unknown: x stays as it is there. Sums have the same bits at any number of
/// threads, and of ranks if those of the mesh have.
template <int C>
Solved conjugate_gradients(const Exec& exec, const Matrix<C>& A,
                           const Vector<C>& b, const Vector<C>& x,
                           const Target& target);

}  // namespace ElasticityApp

#endif
