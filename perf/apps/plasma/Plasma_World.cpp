// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Plasma_World.hpp"

#include <Sporos_ParticleGrid.hpp>

#include <algorithm>
#include <cstddef>
#include <new>

namespace PlasmaApp {
namespace {

/// FFTW's own copy with exchanged indices: (n, m) becomes (m, n).
FftPlan transpose(fftw_complex* from, fftw_complex* to, int n, int m) {
  const fftw_iodim indices[2] = {{n, m, 1}, {m, 1, n}};
  return {fftw_plan_guru_dft(0, nullptr, 2, indices, from, to, FFTW_FORWARD,
                             FFTW_ESTIMATE),
          fftw_destroy_plan};
}

class WorldOfOne : public World {
 public:
  explicit WorldOfOne(const Setup& setup)
      : m_grid({{setup.cells[0], setup.cells[1]}}, setup.spacing()) {
    rows = setup.cells[0];
  }

  Transposes transposes() const override {
    const int n = m_grid.cells(0), m = m_grid.cells(1) / 2 + 1;
    const auto count = std::size_t(n) * std::size_t(m);
    Transposes t;
    t.rows         = wave_memory(count);
    t.columns      = wave_memory(count);
    t.column_count = m;
    t.to_columns   = transpose(as_fftw(t.rows), as_fftw(t.columns), n, m);
    t.to_rows      = transpose(as_fftw(t.columns), as_fftw(t.rows), m, n);
    return t;
  }

  void sort(const Exec& exec, Particles& p) override {
    if (m_is_made)
      m_plan.update(exec, p.x);
    else
      m_plan = Plan(exec, m_grid, Delta{}, p.x);
    m_is_made = true;
  }
  void spread(const Exec& exec, const Values& charges,
              const Field& density) const override {
    Sporos::spread(exec, m_plan, charges, density);
  }
  void interpolate(const Exec& exec, const Vectors& field,
                   const Pairs& at_particles) const override {
    Sporos::interpolate(exec, m_plan, field, at_particles);
  }

 private:
  using Plan = Sporos::ParticleGridPlan<Exec, 2, double, Delta>;

  Sporos::Grid<2> m_grid;
  Plan m_plan;
  bool m_is_made = false;
};

}  // namespace

std::shared_ptr<std::complex<double>> wave_memory(std::size_t count) {
  std::shared_ptr<std::complex<double>> memory(
      reinterpret_cast<std::complex<double>*>(fftw_alloc_complex(count)),
      fftw_free);
  if (count > 0 && memory == nullptr) throw std::bad_alloc();
  return memory;
}

fftw_complex* as_fftw(const std::shared_ptr<std::complex<double>>& memory) {
  return reinterpret_cast<fftw_complex*>(memory.get());
}

std::unique_ptr<World> make_world_of_one(const Setup& setup) {
  return std::make_unique<WorldOfOne>(setup);
}

std::int64_t lost(const Exec& exec, const World& world, const Particles& p,
                  std::int64_t count) {
  Numbers known("PlasmaApp::known", p.number.extent(0));
  std::size_t n = 0;
  for (std::size_t i = 0; i < p.number.extent(0); ++i)
    if (p.number(i) >= 0 && p.number(i) < count) known(n++) = p.number(i);
  const std::size_t strangers = p.number.extent(0) - n;
  Kokkos::resize(known, n);
  world.meet(exec, known, count);
  n = known.extent(0);
  std::sort(known.data(), known.data() + n);
  std::size_t different = 0, several = 0;
  for (std::size_t i = 0, end = 0; i < n; i = end) {
    while (end < n && known(end) == known(i)) ++end;
    ++different;
    several += end - i > 1;
  }
  std::vector<double> sums{double(strangers + several), double(different)};
  world.sum(sums);
  return std::int64_t(sums[0]) + count - std::int64_t(sums[1]);
}

}  // namespace PlasmaApp
