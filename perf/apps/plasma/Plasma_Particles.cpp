// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Plasma_Particles.hpp"

#include "Plasma_Theory.hpp"

#include <cmath>
#include <cstddef>

namespace PlasmaApp {
namespace {

KOKKOS_INLINE_FUNCTION double wrapped(double x, double length) {
  return x - length * std::floor(x / length);
}

/// Particle after particle along y, row after row along x, beam after beam: no
/// place has more of them than another, so that the start is without noise.
struct Place {
  Setup m_setup;
  Particles m_p;
  std::int64_t m_first;

  KOKKOS_FUNCTION void operator()(int i) const {
    const Setup& s          = m_setup;
    const std::int64_t id   = m_first + i;
    const std::int64_t row  = id / s.lattice[1];
    const std::int64_t beam = row / s.lattice[0];
    const double x =
        (double(row % s.lattice[0]) + .5) * s.length[0] / double(s.lattice[0]);
    const double y =
        (double(id % s.lattice[1]) + .5) * s.length[1] / double(s.lattice[1]);
    m_p.x(i, 0)   = wrapped(x + s.shift * std::sin(s.wave * x), s.length[0]);
    m_p.x(i, 1)   = y;
    m_p.v(i, 0)   = beam == 0 ? s.velocity : -s.velocity;
    m_p.v(i, 1)   = 0;
    m_p.number(i) = id;
  }
};

struct Push {
  Setup m_setup;
  Particles m_p;
  Pairs m_field;
  double m_kick, m_drift;

  KOKKOS_FUNCTION void operator()(int i) const {
    for (int d = 0; d < 2; ++d) {
      m_p.v(i, d) -= m_kick * m_field(i, d);
      m_p.x(i, d) =
          wrapped(m_p.x(i, d) + m_drift * m_p.v(i, d), m_setup.length[d]);
    }
  }
};

}  // namespace

Setup::Setup(const Options& o) {
  const double pi = std::acos(-1.);
  const bool beam = o.problem == Problem::two_stream;
  velocity        = beam ? 1 : 0;
  wave            = beam ? fastest_wave() : 1;
  length[0]       = 2 * pi / wave;
  length[1]       = length[0] * o.across / o.cells;
  shift           = (beam ? 1e-7 : 1e-2) / wave;
  cells[0]        = o.cells;
  cells[1]        = o.across;
  lattice[0]      = std::int64_t(o.cells) * o.points;
  lattice[1]      = std::int64_t(o.across) * o.points;
  beams           = beam ? 2 : 1;
}

Particles make_particles(const Exec& exec, const Setup& setup,
                         std::int64_t first, std::int64_t end) {
  const auto n = std::size_t(end - first);
  Particles p{Pairs("PlasmaApp::x", n), Pairs("PlasmaApp::v", n),
              Numbers("PlasmaApp::number", n)};
  Kokkos::parallel_for("PlasmaApp::place",
                       Kokkos::RangePolicy<Exec>(exec, 0, int(n)),
                       Place{setup, p, first});
  return p;
}

void push(const Exec& exec, const Setup& setup, const Particles& p,
          const Pairs& field, double kick, double drift) {
  Kokkos::parallel_for("PlasmaApp::push",
                       Kokkos::RangePolicy<Exec>(exec, 0, int(p.x.extent(0))),
                       Push{setup, p, field, kick, drift});
}

}  // namespace PlasmaApp
