// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Elasticity_Solver.hpp"

#include <Sporos_DatVectors.hpp>
#include <Sporos_ParLoop.hpp>

#include <cmath>
#include <cstdint>

namespace ElasticityApp {
namespace {

/// Inverts the block of a row that is on the diagonal (Gauss and Jordan; the
/// matrix is positive definite); 0 where there is none.
template <int C>
struct InvertDiagonal {
  const std::int64_t* offsets;
  const int* columns;
  const double* values;
  double* inverses;  ///< C x C of each row

  KOKKOS_FUNCTION void operator()(int row) const {
    double* const inverse = inverses + std::int64_t(row) * C * C;
    for (int k = 0; k < C * C; ++k) inverse[k] = 0;
    for (std::int64_t k = offsets[row]; k < offsets[row + 1]; ++k)
      if (columns[k] == row) invert(values + k * C * C, inverse);
  }

 private:
  KOKKOS_FUNCTION void invert(const double* from, double* inverse) const {
    double a[C][C];
    for (int i = 0; i < C; ++i)
      for (int j = 0; j < C; ++j) {
        a[i][j]            = from[i * C + j];
        inverse[i * C + j] = i == j;
      }
    for (int k = 0; k < C; ++k) {
      const double pivot = a[k][k];
      for (int j = 0; j < C; ++j) {
        a[k][j] /= pivot;
        inverse[k * C + j] /= pivot;
      }
      for (int i = 0; i < C; ++i) {
        const double factor = a[i][k];
        for (int j = 0; j < C && i != k; ++j) {
          a[i][j] -= factor * a[k][j];
          inverse[i * C + j] -= factor * inverse[k * C + j];
        }
      }
    }
  }
};

/// z = D r with the blocks D.
template <int C>
struct ApplyBlocks {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Sporos::Read<Real, C * C> d,
                                  Sporos::Read<Real, C> r,
                                  Sporos::Write<Real, C> z) const {
    for (int i = 0; i < C; ++i) {
      Real sum = d[i * C] * r[0];
      for (int j = 1; j < C; ++j) sum = sum + d[i * C + j] * r[j];
      z[i] = sum;
    }
  }
};

template <int C>
Sporos::Dat<double, C * C> inverse_diagonal(const Exec& exec,
                                            const Matrix<C>& A) {
  const auto& sparsity = A.sparsity();
  Sporos::Dat<double, C * C> inverses("inverse diagonal", sparsity.row_set());
  Kokkos::parallel_for(
      "ElasticityApp::invert_diagonal",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(
          exec, 0, sparsity.row_set().owned()),
      InvertDiagonal<C>{sparsity.row_offsets().data(),
                        sparsity.columns().data(), A.values().data(),
                        inverses.view().data()});
  inverses.modified();
  return inverses;
}

}  // namespace

template <int C>
Solved conjugate_gradients(const Exec& exec, const Matrix<C>& A,
                           const Vector<C>& b, const Vector<C>& x,
                           const Target& target) {
  const Sporos::Set& nodes = A.sparsity().row_set();
  const auto inverses      = inverse_diagonal(exec, A);
  const Vector<C> r("r", nodes), z("z", nodes), p("p", nodes), q("q", nodes);
  const auto precondition = [&] {
    Sporos::par_loop("precondition", exec, nodes, ApplyBlocks<C>{},
                     Sporos::read(inverses), Sporos::read(r), Sporos::write(z));
    return Sporos::dot(exec, r, z);
  };
  Sporos::multiply(exec, A, x, r);
  Sporos::axpby(exec, 1, b, -1, r);
  double rz = precondition();
  Sporos::copy(exec, z, p);
  Solved s;
  const double start = rz;
  s.residual         = start > 0 ? 1 : 0;
  while (s.residual > target.tolerance && s.iterations < target.iterations) {
    Sporos::multiply(exec, A, p, q);
    const double step = rz / Sporos::dot(exec, p, q);
    Sporos::axpy(exec, step, p, x);
    Sporos::axpy(exec, -step, q, r);
    const double before = rz;
    rz                  = precondition();
    Sporos::axpby(exec, 1, z, rz / before, p);
    s.residual = std::sqrt(rz / start);
    ++s.iterations;
  }
  return s;
}

template Solved conjugate_gradients<1>(const Exec&, const Matrix<1>&,
                                       const Vector<1>&, const Vector<1>&,
                                       const Target&);
template Solved conjugate_gradients<3>(const Exec&, const Matrix<3>&,
                                       const Vector<3>&, const Vector<3>&,
                                       const Target&);

}  // namespace ElasticityApp
