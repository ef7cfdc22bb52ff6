// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Plasma_Poisson.hpp"

#include <cstddef>

namespace PlasmaApp {
namespace {

using Complex = Kokkos::complex<double>;
using Waves   = Kokkos::View<Complex**, Kokkos::LayoutRight, Exec>;

/// Lines of complex numbers; those of rows hold two real numbers each, the last
/// one or two of which are not used before the transform.
struct Lines {
  std::complex<double>* m_data;
  int m_length;

  std::complex<double>* line(int i) const {
    return m_data + std::ptrdiff_t(i) * m_length;
  }
  double* real(int i) const { return reinterpret_cast<double*>(line(i)); }
  fftw_complex* waves(int i) const {
    return reinterpret_cast<fftw_complex*>(line(i));
  }
};

/// Transforms the density row by row.
struct RowsForward {
  Field m_density;
  Lines m_rows;
  int m_columns, m_ghosts;
  fftw_plan m_plan;

  void operator()(int i) const {
    double* const row = m_rows.real(i);
    for (int j = 0; j < m_columns; ++j)
      row[j] = m_density(i + m_ghosts, j + m_ghosts);
    fftw_execute_dft_r2c(m_plan, row, m_rows.waves(i));
  }
};

struct ColumnsForward {
  Lines m_columns;
  Waves m_density;
  fftw_plan m_plan;

  void operator()(int j) const {
    fftw_execute_dft(m_plan, m_columns.waves(j),
                     reinterpret_cast<fftw_complex*>(&m_density(j, 0)));
  }
};

/// One component of the field from the density, wave by wave, transformed
/// column by column. The highest wave of an even number of points has no
/// derivative: its sign is not known.
struct GradientBackward {
  Waves m_density;
  Lines m_columns;
  int m_first, m_cells[2], m_direction;
  double m_wave[2];
  fftw_plan m_plan;

  void operator()(int column) const {
    const int n = m_cells[0], j = m_first + column;
    std::complex<double>* const out = m_columns.line(column);
    for (int i = 0; i < n; ++i) {
      const int ki      = i <= n / 2 ? i : i - n;
      const double k[2] = {m_wave[0] * ki, m_wave[1] * j};
      const double k2   = k[0] * k[0] + k[1] * k[1];
      const bool known  = m_direction == 0 ? 2 * ki != n : 2 * j != m_cells[1];
      const double f    = k2 > 0 && known ? k[m_direction] / k2 : 0;
      const Complex d   = m_density(column, i);
      out[i]            = {f * d.imag(), -f * d.real()};
    }
    fftw_execute_dft(m_plan, m_columns.waves(column), m_columns.waves(column));
  }
};

struct RowsBackward {
  Lines m_rows;
  Vectors m_field;
  int m_columns, m_ghosts, m_direction;
  double m_scale;
  fftw_plan m_plan;

  void operator()(int i) const {
    const double* const row = m_rows.real(i);
    fftw_execute_dft_c2r(m_plan, m_rows.waves(i), m_rows.real(i));
    for (int j = 0; j < m_columns; ++j)
      m_field(i + m_ghosts, j + m_ghosts, m_direction) = m_scale * row[j];
  }
};

FftPlan owned(fftw_plan plan) { return {plan, fftw_destroy_plan}; }

Lines rows_of(const Transposes& t, const int (&cells)[2]) {
  return {t.rows.get(), cells[1] / 2 + 1};
}

Lines columns_of(const Transposes& t, const int (&cells)[2]) {
  return {t.columns.get(), cells[0]};
}

}  // namespace

LinePlans::LinePlans(const int (&cells)[2], const Transposes& t) {
  // wherever a line lies in memory, its transform has the same bits
  constexpr unsigned any   = FFTW_ESTIMATE | FFTW_UNALIGNED;
  const Lines rows         = rows_of(t, cells);
  fftw_complex* const from = as_fftw(t.columns);
  fftw_complex* const to   = as_fftw(t.rows);
  row_forward =
      owned(fftw_plan_dft_r2c_1d(cells[1], rows.real(0), rows.waves(0), any));
  row_backward =
      owned(fftw_plan_dft_c2r_1d(cells[1], rows.waves(0), rows.real(0), any));
  column_forward =
      owned(fftw_plan_dft_1d(cells[0], from, to, FFTW_FORWARD, any));
  column_backward =
      owned(fftw_plan_dft_1d(cells[0], from, from, FFTW_BACKWARD, any));
}

Poisson::Poisson(const World& world, const Setup& setup)
    : m_world(world),
      m_cells{setup.cells[0], setup.cells[1]},
      m_wave{setup.wave, setup.wave * setup.length[0] / setup.length[1]},
      m_transposes(world.transposes()),
      m_density("PlasmaApp::density", std::size_t(m_transposes.column_count),
                std::size_t(m_cells[0])),
      m_plans(m_cells, m_transposes) {}

void Poisson::solve(const Exec& exec, const Field& density,
                    const Vectors& field) {
  forward(exec, density);
  m_total     = 0;
  m_amplitude = 0;
  if (m_transposes.first_column == 0 && m_transposes.column_count > 0) {
    const Complex longest = m_density(0, 1);
    m_total               = m_density(0, 0).real();
    m_amplitude = std::complex<double>(longest.imag(), -longest.real()) /
                  (m_wave[0] * m_cells[0] * m_cells[1]);
  }
  backward(exec, 0, field);
  backward(exec, 1, field);
}

void Poisson::forward(const Exec& exec, const Field& density) {
  Kokkos::parallel_for(
      "PlasmaApp::rows_forward",
      Kokkos::RangePolicy<Exec>(exec, 0, m_world.rows),
      RowsForward{density, rows_of(m_transposes, m_cells), m_cells[1],
                  m_world.ghosts, m_plans.row_forward.get()});
  exec.fence();
  fftw_execute(m_transposes.to_columns.get());
  Kokkos::parallel_for(
      "PlasmaApp::columns_forward",
      Kokkos::RangePolicy<Exec>(exec, 0, m_transposes.column_count),
      ColumnsForward{columns_of(m_transposes, m_cells), m_density,
                     m_plans.column_forward.get()});
  exec.fence();
}

void Poisson::backward(const Exec& exec, int direction, const Vectors& field) {
  Kokkos::parallel_for(
      "PlasmaApp::gradient_backward",
      Kokkos::RangePolicy<Exec>(exec, 0, m_transposes.column_count),
      GradientBackward{m_density,
                       columns_of(m_transposes, m_cells),
                       m_transposes.first_column,
                       {m_cells[0], m_cells[1]},
                       direction,
                       {m_wave[0], m_wave[1]},
                       m_plans.column_backward.get()});
  exec.fence();
  fftw_execute(m_transposes.to_rows.get());
  Kokkos::parallel_for("PlasmaApp::rows_backward",
                       Kokkos::RangePolicy<Exec>(exec, 0, m_world.rows),
                       RowsBackward{rows_of(m_transposes, m_cells), field,
                                    m_cells[1], m_world.ghosts, direction,
                                    1. / (double(m_cells[0]) * m_cells[1]),
                                    m_plans.row_backward.get()});
  exec.fence();
}

}  // namespace PlasmaApp
