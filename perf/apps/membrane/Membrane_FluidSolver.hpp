// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MEMBRANE_FLUIDSOLVER_HPP
#define SPOROS_MEMBRANE_FLUIDSOLVER_HPP

/// \file Membrane_FluidSolver.hpp
/// Incompressible flow in a periodic square on a marker-and-cell grid.

#include "Membrane_Fields.hpp"

namespace MembraneApp {

/// Solves  du/dt + div(u u) + grad p = viscosity laplace u + force,  div u = 0
/// (density 1) in n x n cells of the width h by the implicit-explicit midpoint
/// rule of Peskin, "The immersed boundary method", 2002, section 6: a step is a
/// backward Euler half step to the middle of the time step followed by a
/// Crank-Nicolson step with the force and the convection of the middle. Space
/// is discretised with central differences, convection in conservative form.
///
/// Helmholtz and Poisson problems are solved together in the coefficients of
/// SpectralBasis, where they are pointwise; WaveTransform leads there and back.
/// The velocity's discrete divergence is zero to rounding.
template <class ExecSpace>
class FluidSolver {
 public:
  using Field = Matrix<ExecSpace>;
  using Faces = FaceField<ExecSpace>;

  /// Fluid at rest.
  FluidSolver(const ExecSpace& exec, int n, double h, double viscosity,
              double dt);

  /// Velocity at the last full step and in the middle of a step.
  const Faces& velocity() const { return m_velocity; }
  const Faces& middle() const { return m_middle; }
  /// Force per area that the two halves of a step read; the caller fills it.
  const Faces& force() const { return m_force; }

  /// First half of a step: middle() from velocity() and force().
  void advance_to_middle(const ExecSpace& exec);
  /// Second half: velocity() at the end of the step.
  void advance(const ExecSpace& exec);
  /// Pressure at the cell centres (mean zero) that went with the last half
  /// step.
  void pressure(const ExecSpace& exec, const Field& p) const;

 private:
  /// Solves for the coefficients `out` and transforms them to `values`:
  /// (1 - implicit laplace) out + dt grad p =
  ///     (1 + explicit_part laplace) coefficients + dt (force - div(w w)).
  void solve(const ExecSpace& exec, const Faces& w, double dt, double implicit,
             double explicit_part, const Faces& out, const Faces& values);

  int m_n;
  double m_h, m_viscosity, m_dt;
  double m_pressure_dt;  // time step that m_potential is scaled with
  SpectralBasis<ExecSpace> m_basis;
  WaveTransform<ExecSpace> m_transform;
  Faces m_velocity, m_middle, m_force;
  Faces m_coefficients, m_middle_coefficients;  // of velocity and middle
  Faces m_source_values, m_source;              // right-hand side
  Field m_potential;
};

}  // namespace MembraneApp

#include "Membrane_FluidSolver_impl.hpp"

#endif
