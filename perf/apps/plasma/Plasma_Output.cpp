// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Plasma_Output.hpp"

#include <App_Image.hpp>
#include <App_VtkFile.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace PlasmaApp {
namespace {

namespace fs = std::filesystem;

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
  const AppCommon::Color dark{{.03f, .04f, .10f}}, warm{{.95f, .45f, .15f}},
      light{{1.f, .97f, .85f}};
  AppCommon::Image image(width, height, dark);
  const double most = *std::max_element(count.begin(), count.end());
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const double n = count[std::size_t(y) * width + std::size_t(x)];
      const float t  = float(std::log1p(300 * n / most) / std::log1p(300.));
      image(x, y)    = t < .6f ? AppCommon::mix(dark, warm, t / .6f)
                               : AppCommon::mix(warm, light, (t - .6f) / .4f);
    }
  return image;
}

/// Grid points are in the middle of cells of VTK, so that slabs share none.
void xml_head(std::ostream& out, const Setup& s, const char* type) {
  out.precision(17);
  out << '<' << type << " WholeExtent=\"0 " << s.cells[0] << " 0 " << s.cells[1]
      << " 0 0\" Origin=\"" << -.5 * s.spacing() << ' ' << -.5 * s.spacing()
      << " 0\" Spacing=\"" << s.spacing() << ' ' << s.spacing() << ' '
      << s.spacing() << '"';
}

std::string extent(const World& world, const Setup& s) {
  std::ostringstream out;
  out << world.first << ' ' << world.first + world.rows << " 0 " << s.cells[1]
      << " 0 0";
  return out.str();
}

void write_slab(const Simulation& s, const std::string& path) {
  std::vector<float> density, e;
  const Strided rho = s.density(), ex = s.ex(), ey = s.ey();
  for (std::size_t j = 0; j < rho.extent(1); ++j)
    for (std::size_t i = 0; i < rho.extent(0); ++i) {
      density.push_back(float(rho(i, j)));
      e.push_back(float(ex(i, j)));
      e.push_back(float(ey(i, j)));
      e.push_back(0);
    }
  AppCommon::VtkFile file(path + ".part", "ImageData");
  xml_head(file.xml(), s.setup(), "ImageData");
  file.xml() << ">\n<Piece Extent=\"" << extent(s.world(), s.setup())
             << "\">\n<CellData Scalars=\"density\" Vectors=\"field\">\n";
  file.array("Float32", "density", 1, density);
  file.array("Float32", "field", 3, e);
  file.xml() << "</CellData>\n</Piece>\n</ImageData>\n";
  file.close();
  fs::rename(path + ".part", path);
}

}  // namespace

std::string write_files(const Simulation& s, const std::string& folder) {
  fs::create_directories(folder);
  const std::vector<double> count = phase_space(s);
  const std::string picture = folder + "/phase." + AppCommon::image_extension();
  if (s.world().rank == 0) {
    const std::string part =
        folder + "/phase-part." + AppCommon::image_extension();
    draw(count).save(part);
    fs::rename(part, picture);
  }
  write_slab(s, folder + "/fields.vti");
  return picture;
}

}  // namespace PlasmaApp
