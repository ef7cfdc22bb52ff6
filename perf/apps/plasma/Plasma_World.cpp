// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Plasma_World.hpp"

#include <new>

namespace PlasmaApp {
namespace {

class WorldOfOne : public World {
 public:
  explicit WorldOfOne(const Setup& setup)
      : m_cells{setup.cells[0], setup.cells[1]} {
    rows = setup.cells[0];
  }

  Transforms transforms() const override {
    const std::size_t n =
        std::size_t(m_cells[0]) * std::size_t(m_cells[1] / 2 + 1);
    Transforms t;
    t.data.reset(fftw_alloc_real(2 * n), fftw_free);
    if (t.data == nullptr) throw std::bad_alloc();
    auto* const z = reinterpret_cast<fftw_complex*>(t.data.get());
    t.forward.reset(fftw_plan_dft_r2c_2d(m_cells[0], m_cells[1], t.data.get(),
                                         z, FFTW_ESTIMATE),
                    fftw_destroy_plan);
    t.backward.reset(fftw_plan_dft_c2r_2d(m_cells[0], m_cells[1], z,
                                          t.data.get(), FFTW_ESTIMATE),
                     fftw_destroy_plan);
    return t;
  }

 private:
  int m_cells[2];
};

}  // namespace

std::int64_t World::lost(const Particles& p, std::int64_t count) const {
  std::vector<int> times(std::size_t(count), 0);
  std::int64_t strangers = 0;
  for (std::size_t i = 0; i < p.number.extent(0); ++i) {
    const std::int64_t id = p.number(i);
    if (id >= 0 && id < count)
      ++times[std::size_t(id)];
    else
      ++strangers;
  }
  return strangers + not_once(times);
}

std::int64_t not_once(const std::vector<int>& count) {
  std::int64_t n = 0;
  for (const int times : count) n += times != 1;
  return n;
}

std::unique_ptr<World> make_world_of_one(const Setup& setup) {
  return std::make_unique<WorldOfOne>(setup);
}

}  // namespace PlasmaApp
