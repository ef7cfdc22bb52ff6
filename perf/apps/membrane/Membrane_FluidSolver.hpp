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
/// The velocity is the curl of a stream function at the cell corners, so that
/// its discrete divergence is zero. The mean velocity does not change, since
/// the forces of a closed loop sum to zero. Viscosity and the stream function
/// of the forces are pointwise in waves; WaveTransform leads there and back.
template <class ExecSpace>
class FluidSolver {
 public:
  using Field = Matrix<ExecSpace>;
  using Faces = FaceField<ExecSpace>;

  /// Fluid that moves with a mean velocity.
  FluidSolver(const ExecSpace& exec, int n, double h, double viscosity,
              double dt, double mean_x = 0, double mean_y = 0);

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
  /// Solves for the waves of the new stream function:
  /// (1 - implicit laplace) new = (1 + explicit_part laplace) m_stream
  ///     - dt laplace^-1 curl (force - div(w w))
  /// and makes velocities of it. Waves that `keep` has room for stay there.
  void solve(const ExecSpace& exec, const Faces& w, double dt, double implicit,
             double explicit_part, const Field& keep, const Faces& velocity);

  double m_h, m_viscosity, m_dt, m_mean[2];
  WaveTransform<ExecSpace> m_transform;
  Laplacian<ExecSpace> m_laplacian;
  Faces m_velocity, m_middle, m_force, m_source;
  Field m_corners;          // curl, then stream function
  Field m_stream, m_waves;  // waves at the last full step, and of m_corners
};

}  // namespace MembraneApp

#include "Membrane_FluidSolver_impl.hpp"

#endif
