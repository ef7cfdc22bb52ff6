// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Plasma_Simulation.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

namespace PlasmaApp {
namespace {

struct LargestSpeed {
  Pairs m_v;

  KOKKOS_FUNCTION void operator()(int i, double& most) const {
    for (int d = 0; d < 2; ++d) {
      const double speed = std::fabs(m_v(i, d));
      most               = speed > most ? speed : most;
    }
  }
};

double largest_speed(const Exec& exec, const Pairs& v) {
  double most = 0;
  Kokkos::parallel_reduce("PlasmaApp::largest_speed",
                          Kokkos::RangePolicy<Exec>(exec, 0, int(v.extent(0))),
                          LargestSpeed{v}, Kokkos::Max<double>(most));
  exec.fence();
  return most;
}

std::int64_t first_of(const World& world, std::int64_t count, int rank) {
  return count / world.size * rank + count % world.size * rank / world.size;
}

std::size_t extent(const World& world, int cells) {
  return std::size_t(cells + 2 * world.ghosts);
}

/// The indices without ghost layers.
std::pair<std::size_t, std::size_t> inner(const World& world, std::size_t n) {
  const auto g = std::size_t(world.ghosts);
  return {g, n - g};
}

}  // namespace

Simulation::Simulation(const Exec& exec, World& world, const Setup& setup,
                       double step)
    : m_exec(exec),
      m_world(world),
      m_setup(setup),
      m_step(step),
      m_particles(make_particles(
          exec, setup, first_of(world, setup.count(), world.rank),
          first_of(world, setup.count(), world.rank + 1))),
      m_density("PlasmaApp::density", extent(world, world.rows),
                extent(world, setup.cells[1])),
      m_field("PlasmaApp::field", extent(world, world.rows),
              extent(world, setup.cells[1])),
      m_poisson(world, setup) {
  m_series.step = step;
  m_start       = total_velocity();
}

InnerField Simulation::density() const {
  return Kokkos::subview(m_density, inner(m_world, m_density.extent(0)),
                         inner(m_world, m_density.extent(1)));
}

InnerVectors Simulation::field() const {
  return Kokkos::subview(m_field, inner(m_world, m_field.extent(0)),
                         inner(m_world, m_field.extent(1)), Kokkos::ALL);
}

void Simulation::step() {
  m_world.sort(m_exec, m_particles);
  resize_values();
  Kokkos::deep_copy(m_exec, m_density, 0.);
  m_world.spread(m_exec, m_charges, m_density);
  m_poisson.solve(m_exec, m_density, m_field);
  m_world.interpolate(m_exec, m_field, m_at_particles);
  const double kick = m_steps == 0 ? m_step / 2 : m_step;
  push(m_exec, m_setup, m_particles, m_at_particles, kick, m_step);
  ++m_steps;
  record();
}

void Simulation::resize_values() {
  const std::size_t n = m_particles.x.extent(0);
  if (m_charges.extent(0) == n) return;
  m_charges      = Values("PlasmaApp::charges", n);
  m_at_particles = Pairs("PlasmaApp::at_particles", n);
  Kokkos::deep_copy(m_exec, m_charges, m_setup.charge());
}

std::vector<double> Simulation::total_velocity() {
  using Sums = Kokkos::View<Sporos::ExactSum<double>*, Exec>;
  const Sums sums("PlasmaApp::sums", 2);
  Sporos::exact_sum(m_exec, m_workspace, m_particles.v, sums);
  m_exec.fence();
  std::vector<Sporos::ExactSum<double>> all{sums(0), sums(1)};
  m_world.sum(all);
  return {all[0].value(), all[1].value()};
}

void Simulation::record() {
  std::vector<double> sums{m_poisson.total(), m_poisson.amplitude().real(),
                           m_poisson.amplitude().imag()};
  m_world.sum(sums);
  m_series.amplitude.emplace_back(sums[1], sums[2]);
  const double expected = m_setup.charge() * double(m_setup.count());
  const double volume   = m_setup.spacing() * m_setup.spacing();
  m_conserved.charge =
      std::max(m_conserved.charge, std::fabs(sums[0] * volume / expected - 1));
  const double speed = m_world.largest(largest_speed(m_exec, m_particles.v));
  const std::vector<double> now = total_velocity();
  for (std::size_t d = 0; d < 2; ++d)
    m_conserved.momentum =
        std::max(m_conserved.momentum, std::fabs(now[d] - m_start[d]) /
                                           (speed * double(m_setup.count())));
}

Conserved Simulation::conserved() const {
  Conserved c = m_conserved;
  c.lost      = lost(m_exec, m_world, m_particles, m_setup.count());
  return c;
}

}  // namespace PlasmaApp
