// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Plasma_Output.hpp"

#include "Plasma_Vtk.hpp"

#include <App_ColorMaps.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace PlasmaApp {
namespace {

constexpr int width = 720, height = 480;

/// Particles per pixel: x to the right, velocity along x upwards.
std::vector<double> phase_space(const Simulation& s) {
  const Particles& p = s.particles();
  double speed       = 0;
  for (std::size_t i = 0; i < p.v.extent(0); ++i)
    speed = std::max(speed, std::fabs(p.v(i, 0)));
  speed = 1.1 * s.world().largest(speed);
  std::vector<double> count(std::size_t(width) * height, 0.);
  for (std::size_t i = 0; i < p.v.extent(0); ++i) {
    const double u   = p.x(i, 0) / s.setup().length[0];
    const double w   = speed > 0 ? .5 - .5 * p.v(i, 0) / speed : .5;
    const int column = std::min(width - 1, int(u * width));
    const int row    = std::min(height - 1, int(w * height));
    count[std::size_t(row) * width + std::size_t(column)] += 1;
  }
  s.world().sum(count);
  return count;
}

/// A particle becomes a soft dot of a few pixels: each pass adds to a pixel
/// half of both neighbours, along x (step 1) or velocity (step width).
void soften(std::vector<double>& count, std::size_t step) {
  for (int pass = 0; pass < 3; ++pass) {
    const std::vector<double> before = count;
    for (std::size_t i = step; i + step < count.size(); ++i)
      count[i] = .5 * before[i] + .25 * (before[i - step] + before[i + step]);
  }
}

AppCommon::Image draw(std::vector<double> count) {
  soften(count, 1);
  soften(count, width);
  AppCommon::Image image(width, height);
  const double most = *std::max_element(count.begin(), count.end());
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const double n = count[std::size_t(y) * width + std::size_t(x)];
      const double t = std::log1p(300 * n / most) / std::log1p(300.);
      image.set(x, y, AppCommon::color_of(AppCommon::ColorMap::fire, t));
    }
  return image;
}

}  // namespace

std::string write_files(const Simulation& s, const std::string& folder) {
  const World& world              = s.world();
  const std::string picture       = folder + "/phase.png";
  const std::vector<double> count = phase_space(s);
  world.together([&] {
    if (world.rank == 0) draw(count).save(picture);
  });
  write_vtk(s, folder);
  return AppCommon::drawn(picture);
}

}  // namespace PlasmaApp
