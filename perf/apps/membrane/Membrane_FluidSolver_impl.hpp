// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MEMBRANE_FLUIDSOLVER_IMPL_HPP
#define SPOROS_MEMBRANE_FLUIDSOLVER_IMPL_HPP

#include "Membrane_FluidSolver.hpp"

namespace MembraneApp {
namespace Impl {

/// source = force - div(w w). Squares of a component live at the cell centres,
/// mixed products at the corners. (As a call, it would keep rows from being
/// vectorised.)
template <class ExecSpace>
struct Source {
  FaceField<ExecSpace> w, force, source;
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

  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j,
                                              const Around& a) const {
    source.x(i, j) =
        force.x(i, j) -
        inverse_h * (center(w.x, i, j, a.ip, j) - center(w.x, a.im, j, i, j) +
                     corner(i, a.jp, a.im, j) - corner(i, j, a.im, a.jm));
    source.y(i, j) =
        force.y(i, j) -
        inverse_h * (center(w.y, i, j, i, a.jp) - center(w.y, i, a.jm, i, j) +
                     corner(a.ip, j, i, a.jm) - corner(i, j, a.im, a.jm));
  }
};

/// Waves of the new stream function from those of the curl of the source.
template <class ExecSpace>
struct Solve {
  Laplacian<ExecSpace> laplacian;
  Matrix<ExecSpace> stream, waves, keep;
  double dt_scale, implicit, explicit_part;

  KOKKOS_FUNCTION void operator()(int i, int j, const Around&) const {
    const double laplace = laplacian(i, j);
    const double above   = (1 + explicit_part * laplace) * laplace;
    const double below   = (1 - implicit * laplace) * laplace;
    // the constant part of a stream function is free
    keep(i, j) = waves(i, j) = (above * stream(i, j) - dt_scale * waves(i, j)) /
                               (below < 0 ? below : 1.);
  }
};

/// The velocity of which `stream` is the stream function at the corners.
template <class ExecSpace>
struct Curl {
  Matrix<ExecSpace> stream;
  FaceField<ExecSpace> velocity;
  double inverse_h, mean_x, mean_y;

  KOKKOS_FUNCTION void operator()(int i, int j, const Around& a) const {
    velocity.x(i, j) = mean_x + inverse_h * (stream(i, a.jp) - stream(i, j));
    velocity.y(i, j) = mean_y - inverse_h * (stream(a.ip, j) - stream(i, j));
  }
};

/// Poisson problem: laplace new = old
template <class ExecSpace>
struct Poisson {
  Laplacian<ExecSpace> laplacian;
  Matrix<ExecSpace> waves;
  double scale;

  KOKKOS_FUNCTION void operator()(int i, int j, const Around&) const {
    const double laplace = laplacian(i, j);
    waves(i, j)          = laplace < 0 ? scale * waves(i, j) / laplace : 0.;
  }
};

}  // namespace Impl

template <class ExecSpace>
FluidSolver<ExecSpace>::FluidSolver(const ExecSpace& exec, int n, double h,
                                    double viscosity, double dt, double mean_x,
                                    double mean_y)
    : m_h(h),
      m_viscosity(viscosity),
      m_dt(dt),
      m_mean{mean_x, mean_y},
      m_transform(exec, n),
      m_laplacian(m_transform.laplacian(exec, h)),
      m_velocity("MembraneApp::velocity", n),
      m_middle("MembraneApp::middle", n),
      m_force("MembraneApp::force", n),
      m_source("MembraneApp::source", n),
      m_corners("MembraneApp::corners", n, n),
      m_stream(m_transform.waves()),
      m_waves(m_transform.waves()) {
  Kokkos::deep_copy(exec, m_velocity.x, mean_x);
  Kokkos::deep_copy(exec, m_velocity.y, mean_y);
}

template <class ExecSpace>
void FluidSolver<ExecSpace>::solve(const ExecSpace& exec, const Faces& w,
                                   double dt, double implicit,
                                   double explicit_part, const Field& keep,
                                   const Faces& velocity) {
  Impl::for_points("MembraneApp::solve::source", exec, m_source.x,
                   Impl::Source<ExecSpace>{w, m_force, m_source, 1 / m_h});
  vorticity(exec, m_h, m_source, m_corners);
  m_transform.to_waves(exec, m_corners, m_waves);
  Impl::for_points("MembraneApp::solve::waves", exec, m_waves,
                   Impl::Solve<ExecSpace>{m_laplacian, m_stream, m_waves, keep,
                                          dt * m_transform.scale(), implicit,
                                          explicit_part});
  m_transform.to_values(exec, m_waves, m_corners);
  Impl::for_points("MembraneApp::solve::curl", exec, m_corners,
                   Impl::Curl<ExecSpace>{m_corners, velocity, 1 / m_h,
                                         m_mean[0], m_mean[1]});
}

template <class ExecSpace>
void FluidSolver<ExecSpace>::advance_to_middle(const ExecSpace& exec) {
  solve(exec, m_velocity, m_dt / 2, m_viscosity * m_dt / 2, 0., m_waves,
        m_middle);
}

template <class ExecSpace>
void FluidSolver<ExecSpace>::advance(const ExecSpace& exec) {
  solve(exec, m_middle, m_dt, m_viscosity * m_dt / 2, m_viscosity * m_dt / 2,
        m_stream, m_velocity);
}

template <class ExecSpace>
void FluidSolver<ExecSpace>::pressure(const ExecSpace& exec,
                                      const Field& p) const {
  divergence(exec, m_h, m_source, p);
  m_transform.to_waves(exec, p, m_waves);
  Impl::for_points(
      "MembraneApp::pressure", exec, m_waves,
      Impl::Poisson<ExecSpace>{m_laplacian, m_waves, m_transform.scale()});
  m_transform.to_values(exec, m_waves, p);
}

}  // namespace MembraneApp

#endif
