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

Field field(const std::string& label, const World& world, const Setup& setup) {
  return Field(label, std::size_t(world.rows + 2 * world.ghosts),
               std::size_t(setup.cells[1] + 2 * world.ghosts));
}

}  // namespace

Simulation::Simulation(const Exec& exec, const World& world, const Setup& setup,
                       double step)
    : m_exec(exec),
      m_world(world),
      m_setup(setup),
      m_step(step),
      m_grid({{setup.cells[0], setup.cells[1]}}, setup.spacing()),
      m_particles(make_particles(
          exec, setup, first_of(world, setup.count(), world.rank),
          first_of(world, setup.count(), world.rank + 1))),
      m_density(field("PlasmaApp::density", world, setup)),
      m_ex(field("PlasmaApp::ex", world, setup)),
      m_ey(field("PlasmaApp::ey", world, setup)),
      m_poisson(world, setup) {
  m_series.step = step;
  m_start       = total_velocity();
}

Strided Simulation::inside(const Field& f) const {
  const std::size_t g = std::size_t(m_world.ghosts);
  return Kokkos::subview(f, std::make_pair(g, f.extent(0) - g),
                         std::make_pair(g, f.extent(1) - g));
}

void Simulation::sort() {
  m_world.migrate(m_exec, m_particles);
  if (!m_plan && m_world.window)
    m_plan.emplace(m_exec, m_grid, Sporos::BSpline<4>{}, m_particles.x,
                   *m_world.window);
  else if (!m_plan)
    m_plan.emplace(m_exec, m_grid, Sporos::BSpline<4>{}, m_particles.x);
  else
    m_plan->update(m_exec, m_particles.x);
  const std::size_t n = m_particles.x.extent(0);
  if (m_charges.extent(0) == n) return;
  m_charges = Kokkos::View<double*, Exec>("PlasmaApp::charges", n);
  m_field   = Pairs("PlasmaApp::field", n);
  Kokkos::deep_copy(m_exec, m_charges, m_setup.charge());
}

void Simulation::step() {
  sort();
  Kokkos::deep_copy(m_exec, m_density, 0.);
  Sporos::spread(m_exec, *m_plan, m_charges, m_density);
  m_world.add_ghosts(m_exec, m_density);
  m_poisson.solve(m_exec, m_density, m_ex, m_ey);
  m_world.fill_ghosts(m_exec, m_ex, m_ey);
  Sporos::interpolate(m_exec, *m_plan, m_ex,
                      Kokkos::subview(m_field, Kokkos::ALL, 0));
  Sporos::interpolate(m_exec, *m_plan, m_ey,
                      Kokkos::subview(m_field, Kokkos::ALL, 1));
  const double kick = m_steps == 0 ? m_step / 2 : m_step;
  push(m_exec, m_setup, m_particles, m_field, kick, m_step);
  ++m_steps;
  record();
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
  m_conserved.charge =
      std::max(m_conserved.charge,
               std::fabs(sums[0] * m_grid.cell_volume() / expected - 1));
  const double speed = m_world.largest(largest_speed(m_exec, m_particles.v));
  const std::vector<double> now = total_velocity();
  for (std::size_t d = 0; d < 2; ++d)
    m_conserved.momentum =
        std::max(m_conserved.momentum, std::fabs(now[d] - m_start[d]) /
                                           (speed * double(m_setup.count())));
}

Conserved Simulation::conserved() const {
  Conserved c = m_conserved;
  c.lost      = m_world.lost(m_particles, m_setup.count());
  return c;
}

}  // namespace PlasmaApp
