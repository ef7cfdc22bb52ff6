// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MEMBRANE_SIMULATION_IMPL_HPP
#define SPOROS_MEMBRANE_SIMULATION_IMPL_HPP

#include "Membrane_Simulation.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace MembraneApp {
namespace Impl {

/// The membrane's waves are the stiffest part of the coupled problem: one of
/// length 2 h oscillates about as fast as sqrt(stiffness |dX/ds| pi^2 / h^3).
/// The factor leaves about half of what the narrowest delta function (hat2)
/// bears at small viscosity.
inline double stable_time_step(const Options& o) {
  const double h       = 1. / o.grid;
  const double pi      = std::acos(-1.);
  const double longest = std::max(o.axis_x, o.axis_y);
  // a membrane without force stays where it is
  if (o.stiffness == 0) return 0.25 * h;
  return std::min(2.5 / pi * h * std::sqrt(h / (o.stiffness * longest)),
                  0.25 * h / std::sqrt(o.stiffness));
}

template <class MemorySpace>
Points<MemorySpace> points_array(const std::string& name, int n) {
  return Points<MemorySpace>("MembraneApp::Simulation::" + name, n, 2);
}

/// The start shape in the memory of the execution space.
template <class ExecSpace>
Points<typename ExecSpace::memory_space> device_start_shape(
    const ExecSpace& exec, const Options& o) {
  auto x =
      points_array<typename ExecSpace::memory_space>("positions", o.points);
  Kokkos::deep_copy(exec, x, start_shape(o));
  exec.fence();
  return x;
}

/// Copies a field to the host, x index fastest as in VTK files.
template <class ExecSpace>
std::vector<double> host_copy(const ExecSpace& exec,
                              const Matrix<ExecSpace>& field) {
  auto host = Kokkos::create_mirror_view(field);
  Kokkos::deep_copy(exec, host, field);
  exec.fence();
  std::vector<double> values;
  values.reserve(field.size());
  for (size_t j = 0; j < field.extent(1); ++j)
    for (size_t i = 0; i < field.extent(0); ++i) values.push_back(host(i, j));
  return values;
}

template <class ExecSpace, class View>
HostPoints host_points(const ExecSpace& exec, const View& x) {
  HostPoints host("MembraneApp::host_points", x.extent(0), 2);
  Kokkos::deep_copy(exec, host, x);
  exec.fence();
  return host;
}

}  // namespace Impl

inline Options resolve(Options o) {
  if (o.points == 0) o.points = 4 * o.grid;
  const bool automatic_step = o.time_step == 0;
  if (automatic_step) o.time_step = Impl::stable_time_step(o);
  if (o.steps == 0) {
    o.steps = std::max(1, static_cast<int>(std::ceil(o.time / o.time_step)));
    if (automatic_step) o.time_step = o.time / o.steps;
  }
  o.time = o.steps * o.time_step;
  return o;
}

template <class ExecSpace>
template <class MakeTransfer>
Simulation<ExecSpace>::Simulation(const ExecSpace& exec, const Options& o,
                                  const MakeTransfer& make_transfer)
    : m_exec(exec),
      m_options(o),
      m_h(1. / o.grid),
      m_springs(make_springs(o)),
      m_positions(Impl::device_start_shape(exec, o)),
      m_middle(Impl::points_array<memory_space>("middle", o.points)),
      m_velocity(Impl::points_array<memory_space>("velocity", o.points)),
      m_strengths(Impl::points_array<memory_space>("strengths", o.points)),
      m_transfer(make_transfer(exec, o, m_positions)),
      m_fluid(exec, o.grid, 1. / o.grid, o.viscosity, o.time_step) {}

template <class ExecSpace>
void Simulation<ExecSpace>::account(double& seconds) {
  m_exec.fence();
  seconds += m_timer.seconds();
  m_timer.reset();
}

template <class ExecSpace>
void Simulation<ExecSpace>::step() {
  const int n     = m_options.points;
  const double dt = m_options.time_step;
  using Move      = Impl::Move<memory_space>;
  m_timer.reset();

  m_transfer->update(m_exec, m_positions);
  account(m_shares.update);
  m_transfer->interpolate(m_exec, m_fluid.velocity(), m_velocity);
  account(m_shares.interpolate);
  Impl::for_rows("MembraneApp::move_to_middle", m_exec, n,
                 Move{m_positions, m_velocity, m_middle, dt / 2});
  Impl::for_rows(
      "MembraneApp::elastic_force", m_exec, n,
      Impl::ElasticForce<memory_space>{m_middle, m_strengths, m_springs, n});
  account(m_shares.membrane);
  m_transfer->update(m_exec, m_middle);
  account(m_shares.update);
  Kokkos::deep_copy(m_exec, m_fluid.force().x, 0.);
  Kokkos::deep_copy(m_exec, m_fluid.force().y, 0.);
  m_transfer->spread(m_exec, m_strengths, m_fluid.force());
  account(m_shares.spread);
  m_fluid.advance_to_middle(m_exec);
  account(m_shares.fluid);
  m_transfer->interpolate(m_exec, m_fluid.middle(), m_velocity);
  account(m_shares.interpolate);
  Impl::for_rows("MembraneApp::move", m_exec, n,
                 Move{m_positions, m_velocity, m_positions, dt});
  account(m_shares.membrane);
  m_fluid.advance(m_exec);
  account(m_shares.fluid);
  ++m_step;
}

template <class ExecSpace>
Status Simulation<ExecSpace>::status() const {
  const int n = m_options.points;
  Status s;
  s.step    = m_step;
  s.time    = m_step * m_options.time_step;
  s.shape   = measure(Impl::host_points(m_exec, m_positions));
  s.elastic = Impl::sum_rows(
      "MembraneApp::elastic_energy", m_exec, n,
      Impl::ElasticEnergy<memory_space>{m_positions, m_springs, n});
  s.kinetic = kinetic_energy(m_exec, m_h, m_fluid.velocity());

  const Matrix<ExecSpace> div("MembraneApp::status::divergence", m_options.grid,
                              m_options.grid);
  divergence(m_exec, m_h, m_fluid.velocity(), div);
  s.max_velocity = std::max(max_abs(m_exec, m_fluid.velocity().x),
                            max_abs(m_exec, m_fluid.velocity().y));
  if (s.max_velocity > 0)
    s.divergence = max_abs(m_exec, div) * m_h / s.max_velocity;

  const Matrix<ExecSpace> force[2] = {m_fluid.force().x, m_fluid.force().y};
  double error = 0, size = 0;
  for (int d = 0; d < 2; ++d) {
    error +=
        std::abs(sum(m_exec, force[d]) * m_h * m_h -
                 Impl::sum_rows("MembraneApp::total_force", m_exec, n,
                                Impl::ColumnSum<memory_space>{m_strengths, d}));
    size += Impl::sum_rows("MembraneApp::absolute_force", m_exec, n,
                           Impl::ColumnAbsSum<memory_space>{m_strengths, d});
  }
  s.force_error = size > 0 ? error / size : error;
  return s;
}

template <class ExecSpace>
Frame Simulation<ExecSpace>::frame() const {
  const int n = m_options.grid;
  Frame f;
  f.step   = m_step;
  f.time   = m_step * m_options.time_step;
  f.cells  = n;
  f.points = Impl::host_points(m_exec, m_positions);
  f.x      = Impl::host_copy(m_exec, m_fluid.velocity().x);
  f.y      = Impl::host_copy(m_exec, m_fluid.velocity().y);
  const Matrix<ExecSpace> field("MembraneApp::frame::field", n, n);
  vorticity(m_exec, m_h, m_fluid.velocity(), field);
  f.vorticity = Impl::host_copy(m_exec, field);
  m_fluid.pressure(m_exec, field);
  f.pressure = Impl::host_copy(m_exec, field);
  return f;
}

}  // namespace MembraneApp

#endif
