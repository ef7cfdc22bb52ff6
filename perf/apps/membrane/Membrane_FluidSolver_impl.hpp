// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MEMBRANE_FLUIDSOLVER_IMPL_HPP
#define SPOROS_MEMBRANE_FLUIDSOLVER_IMPL_HPP

#include "Membrane_FluidSolver.hpp"

namespace MembraneApp {
namespace Impl {

/// source = force - div(w w). Squares of a component live at the cell centres,
/// mixed products at the corners.
template <class ExecSpace>
struct Source {
  FaceField<ExecSpace> w, force, source;
  int n;
  double inverse_h;

  KOKKOS_FUNCTION double center(const Matrix<ExecSpace>& f, int i0, int j0,
                                int i1, int j1) const {
    const double mean = 0.5 * (f(i0, j0) + f(i1, j1));
    return mean * mean;
  }
  /// (i, j) at the corner h (i, j), im and jm are the indices before
  KOKKOS_FUNCTION double corner(int i, int j, int im, int jm) const {
    return 0.25 * (w.x(i, j) + w.x(i, jm)) * (w.y(i, j) + w.y(im, j));
  }

  KOKKOS_FUNCTION void operator()(int i, int j) const {
    const int ip = i + 1 < n ? i + 1 : 0, im = i > 0 ? i - 1 : n - 1;
    const int jp = j + 1 < n ? j + 1 : 0, jm = j > 0 ? j - 1 : n - 1;
    source.x(i, j) =
        force.x(i, j) -
        inverse_h * (center(w.x, i, j, ip, j) - center(w.x, im, j, i, j) +
                     corner(i, jp, im, j) - corner(i, j, im, jm));
    source.y(i, j) =
        force.y(i, j) -
        inverse_h * (center(w.y, i, j, i, jp) - center(w.y, i, jm, i, j) +
                     corner(ip, j, i, jm) - corner(i, j, im, jm));
  }
};

/// source = (1 + explicit_part laplace) coefficients + dt scale source
template <class ExecSpace>
struct Combine {
  SpectralBasis<ExecSpace> basis;
  FaceField<ExecSpace> coefficients, source;
  double dt_scale, explicit_part;

  KOKKOS_FUNCTION void operator()(int i, int j) const {
    const double factor =
        1 + explicit_part * (basis.eigenvalue(i) + basis.eigenvalue(j));
    source.x(i, j) = factor * coefficients.x(i, j) + dt_scale * source.x(i, j);
    source.y(i, j) = factor * coefficients.y(i, j) + dt_scale * source.y(i, j);
  }
};

/// Poisson problem: laplace potential = div source
template <class ExecSpace>
struct Potential {
  SpectralBasis<ExecSpace> basis;
  FaceField<ExecSpace> source;
  Matrix<ExecSpace> potential;

  KOKKOS_FUNCTION void operator()(int i, int j) const {
    const int pi = basis.partner(i), pj = basis.partner(j);
    const double div =
        basis.even(i) * source.x(i, j) + basis.odd(i) * source.x(pi, j) +
        basis.even(j) * source.y(i, j) + basis.odd(j) * source.y(i, pj);
    const double laplace = basis.eigenvalue(i) + basis.eigenvalue(j);
    potential(i, j)      = i == 0 && j == 0 ? 0. : div / laplace;
  }
};

/// Helmholtz problem: (1 - implicit laplace) out = source - grad potential
template <class ExecSpace>
struct Project {
  SpectralBasis<ExecSpace> basis;
  FaceField<ExecSpace> source;
  Matrix<ExecSpace> potential;
  FaceField<ExecSpace> out;
  double implicit;

  KOKKOS_FUNCTION void operator()(int i, int j) const {
    const int pi = basis.partner(i), pj = basis.partner(j);
    const double factor =
        1 / (1 - implicit * (basis.eigenvalue(i) + basis.eigenvalue(j)));
    out.x(i, j) = factor * (source.x(i, j) + basis.even(i) * potential(i, j) -
                            basis.odd(i) * potential(pi, j));
    out.y(i, j) = factor * (source.y(i, j) + basis.even(j) * potential(i, j) -
                            basis.odd(j) * potential(i, pj));
  }
};

template <class ExecSpace>
struct Scale {
  Matrix<ExecSpace> field;
  double factor;
  KOKKOS_FUNCTION void operator()(int i, int j) const { field(i, j) *= factor; }
};

}  // namespace Impl

template <class ExecSpace>
FluidSolver<ExecSpace>::FluidSolver(const ExecSpace& exec, int n, double h,
                                    double viscosity, double dt)
    : m_n(n),
      m_h(h),
      m_viscosity(viscosity),
      m_dt(dt),
      m_pressure_dt(dt),
      m_basis(exec, n, h),
      m_transform(exec, n),
      m_velocity("MembraneApp::velocity", n),
      m_middle("MembraneApp::middle", n),
      m_force("MembraneApp::force", n),
      m_coefficients("MembraneApp::coefficients", n),
      m_middle_coefficients("MembraneApp::middle_coefficients", n),
      m_source_values("MembraneApp::source_values", n),
      m_source("MembraneApp::source", n),
      m_potential("MembraneApp::potential", n, n) {}

template <class ExecSpace>
void FluidSolver<ExecSpace>::solve(const ExecSpace& exec, const Faces& w,
                                   double dt, double implicit,
                                   double explicit_part, const Faces& out,
                                   const Faces& values) {
  Impl::for_points(
      "MembraneApp::solve::source", exec, m_n,
      Impl::Source<ExecSpace>{w, m_force, m_source_values, m_n, 1 / m_h});
  m_transform.to_coefficients(exec, {m_source_values.x, m_source_values.y},
                              {m_source.x, m_source.y});
  Impl::for_points(
      "MembraneApp::solve::combine", exec, m_n,
      Impl::Combine<ExecSpace>{m_basis, m_coefficients, m_source,
                               dt * m_transform.scale(), explicit_part});
  Impl::for_points("MembraneApp::solve::potential", exec, m_n,
                   Impl::Potential<ExecSpace>{m_basis, m_source, m_potential});
  Impl::for_points(
      "MembraneApp::solve::project", exec, m_n,
      Impl::Project<ExecSpace>{m_basis, m_source, m_potential, out, implicit});
  m_transform.to_values(exec, {out.x, out.y}, {values.x, values.y});
  m_pressure_dt = dt;
}

template <class ExecSpace>
void FluidSolver<ExecSpace>::advance_to_middle(const ExecSpace& exec) {
  solve(exec, m_velocity, m_dt / 2, m_viscosity * m_dt / 2, 0.,
        m_middle_coefficients, m_middle);
}

template <class ExecSpace>
void FluidSolver<ExecSpace>::advance(const ExecSpace& exec) {
  solve(exec, m_middle, m_dt, m_viscosity * m_dt / 2, m_viscosity * m_dt / 2,
        m_coefficients, m_velocity);
}

template <class ExecSpace>
void FluidSolver<ExecSpace>::pressure(const ExecSpace& exec,
                                      const Field& p) const {
  m_transform.to_values(exec, {m_potential}, {p});
  Impl::for_points("MembraneApp::pressure", exec, m_n,
                   Impl::Scale<ExecSpace>{p, 1 / m_pressure_dt});
}

}  // namespace MembraneApp

#endif
