// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Plasma_Poisson.hpp"

#include <cmath>
#include <cstddef>

namespace PlasmaApp {
namespace {

using Complex = Kokkos::complex<double>;
using Waves   = Kokkos::View<Complex**, Kokkos::LayoutRight, Exec>;

/// Rows of real numbers with the gap that the complex ones need.
struct Rows {
  double* m_data;
  int m_row;

  KOKKOS_FUNCTION double& operator()(int i, int j) const {
    return m_data[std::ptrdiff_t(i) * m_row + j];
  }
};

struct CopyIn {
  Field m_field;
  Rows m_rows;
  int m_columns, m_ghosts;

  KOKKOS_FUNCTION void operator()(int i) const {
    for (int j = 0; j < m_columns; ++j)
      m_rows(i, j) = m_field(i + m_ghosts, j + m_ghosts);
  }
};

struct CopyOut {
  Field m_field;
  Rows m_rows;
  int m_columns, m_ghosts;
  double m_scale;

  KOKKOS_FUNCTION void operator()(int i) const {
    for (int j = 0; j < m_columns; ++j)
      m_field(i + m_ghosts, j + m_ghosts) = m_scale * m_rows(i, j);
  }
};

/// One component of the field from the density, wave by wave. The highest wave
/// of an even number of points has no derivative: its sign is not known.
struct Gradient {
  Waves m_density;
  Complex* m_out;
  int m_first, m_cells[2], m_direction;
  double m_wave[2];

  KOKKOS_FUNCTION void operator()(int i) const {
    const int n       = m_cells[0];
    const int ki      = m_first + i <= n / 2 ? m_first + i : m_first + i - n;
    const int columns = int(m_density.extent(1));
    for (int j = 0; j < columns; ++j) {
      const double k[2] = {m_wave[0] * ki, m_wave[1] * j};
      const double k2   = k[0] * k[0] + k[1] * k[1];
      const bool known  = m_direction == 0 ? 2 * ki != n : 2 * j != m_cells[1];
      const double f    = k2 > 0 && known ? k[m_direction] / k2 : 0;
      const Complex d   = m_density(i, j);
      m_out[std::ptrdiff_t(i) * columns + j] =
          Complex(f * d.imag(), -f * d.real());
    }
  }
};

}  // namespace

Poisson::Poisson(const World& world, const Setup& setup)
    : m_world(world),
      m_cells{setup.cells[0], setup.cells[1]},
      m_wave{setup.wave, setup.wave * setup.length[0] / setup.length[1]},
      m_transforms(world.transforms()),
      m_density("PlasmaApp::density", std::size_t(world.rows),
                std::size_t(m_cells[1] / 2 + 1)) {}

void Poisson::solve(const Exec& exec, const Field& density, const Field& ex,
                    const Field& ey) {
  double* const data = m_transforms.data.get();
  const Kokkos::RangePolicy<Exec> rows(exec, 0, m_world.rows);
  Kokkos::parallel_for("PlasmaApp::copy_in", rows,
                       CopyIn{density,
                              {data, 2 * (m_cells[1] / 2 + 1)},
                              m_cells[1],
                              m_world.ghosts});
  exec.fence();
  fftw_execute(m_transforms.forward.get());
  const Kokkos::View<Complex**, Kokkos::LayoutRight, Exec,
                     Kokkos::MemoryTraits<Kokkos::Unmanaged>>
      waves(reinterpret_cast<Complex*>(data), m_density.extent(0),
            m_density.extent(1));
  Kokkos::deep_copy(exec, m_density, waves);
  exec.fence();
  const int at = 1 - m_world.first;  // the longest wave
  m_total     = m_world.first == 0 && m_world.rows > 0 ? waves(0, 0).real() : 0;
  m_amplitude = 0;
  if (at >= 0 && at < m_world.rows) {
    const Complex a = waves(at, 0);
    m_amplitude     = std::complex<double>(a.imag(), -a.real()) /
                  (m_wave[0] * m_cells[0] * m_cells[1]);
  }
  inverse(exec, 0, ex);
  inverse(exec, 1, ey);
}

void Poisson::inverse(const Exec& exec, int direction, const Field& e) {
  double* const data = m_transforms.data.get();
  const Kokkos::RangePolicy<Exec> rows(exec, 0, m_world.rows);
  Kokkos::parallel_for("PlasmaApp::gradient", rows,
                       Gradient{m_density,
                                reinterpret_cast<Complex*>(data),
                                m_world.first,
                                {m_cells[0], m_cells[1]},
                                direction,
                                {m_wave[0], m_wave[1]}});
  exec.fence();
  fftw_execute(m_transforms.backward.get());
  Kokkos::parallel_for("PlasmaApp::copy_out", rows,
                       CopyOut{e,
                               {data, 2 * (m_cells[1] / 2 + 1)},
                               m_cells[1],
                               m_world.ghosts,
                               1. / (double(m_cells[0]) * m_cells[1])});
  exec.fence();
}

}  // namespace PlasmaApp
