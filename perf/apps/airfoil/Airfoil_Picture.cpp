// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Airfoil_Picture.hpp"

#include "App_ColorMaps.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

namespace AirfoilApp {
namespace {

using AppCommon::Color;
using AppCommon::Image;
using AppCommon::mix;

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

/// The part of the plane that is shown, and its pixels (y down).
struct Window {
  double left, top, scale;
  int width, height;

  double column(double x) const { return (x - left) * scale; }
  double line(double y) const { return (top - y) * scale; }
};

/// Means over the cells around each node; nodes at the same place (on both
/// sides of the cut behind the profile) share theirs.
std::vector<double> at_nodes(const Fields& f, const std::vector<double>& cell) {
  std::map<std::pair<double, double>, std::size_t> place;
  std::vector<std::size_t> same(f.nodes());
  for (std::size_t n = 0; n < f.nodes(); ++n) {
    const double x = f.coordinates[2 * n], y = f.coordinates[2 * n + 1];
    same[n] = y == 0 ? place.emplace(std::make_pair(x, y), n).first->second : n;
  }
  std::vector<double> sum(f.nodes(), 0.), count(f.nodes(), 0.);
  for (std::size_t c = 0; c < f.cells(); ++c)
    for (std::size_t k = 0; k < 4; ++k) {
      const std::size_t n = same[std::size_t(f.cell_nodes[4 * c + k])];
      sum[n] += cell[c];
      count[n] += 1;
    }
  std::vector<double> mean(f.nodes());
  for (std::size_t n = 0; n < f.nodes(); ++n)
    mean[n] = sum[same[n]] / std::max(1., count[same[n]]);
  return mean;
}

struct Corner {
  double x, y, value;
};

/// Values at the pixels of a triangle, linear between its corners.
void fill(std::vector<double>& pixels, const Window& w, const Corner& a,
          const Corner& b, const Corner& c) {
  const double area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  if (area == 0) return;
  const auto low = [](double p, double q, double r) {
    return int(std::max(0., std::floor(std::min({p, q, r}) - 0.5)));
  };
  const auto high = [](double p, double q, double r, int end) {
    return int(std::min(end - 1., std::ceil(std::max({p, q, r}))));
  };
  // neighbours overlap by less than can be seen, so that no gap stays
  constexpr double margin = -1e-9;
  for (int j = low(a.y, b.y, c.y); j <= high(a.y, b.y, c.y, w.height); ++j)
    for (int i = low(a.x, b.x, c.x); i <= high(a.x, b.x, c.x, w.width); ++i) {
      const double x = i + 0.5, y = j + 0.5;
      const double s =
          ((x - a.x) * (c.y - a.y) - (y - a.y) * (c.x - a.x)) / area;
      const double t =
          ((b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x)) / area;
      if (s < margin || t < margin || s + t > 1 - margin) continue;
      pixels[std::size_t(j) * std::size_t(w.width) + std::size_t(i)] =
          a.value + s * (b.value - a.value) + t * (c.value - a.value);
    }
}

/// The values at all pixels; nothing where there are no cells.
std::vector<double> rasterized(const Fields& f, const Window& w,
                               const std::vector<double>& values) {
  std::vector<double> pixels(std::size_t(w.width) * std::size_t(w.height),
                             nothing);
  for (std::size_t c = 0; c < f.cells(); ++c) {
    Corner p[4];
    double left = 1e300, right = -1e300, top = 1e300, bottom = -1e300;
    for (std::size_t k = 0; k < 4; ++k) {
      const auto n = std::size_t(f.cell_nodes[4 * c + k]);
      p[k]  = {w.column(f.coordinates[2 * n]), w.line(f.coordinates[2 * n + 1]),
               values[n]};
      left  = std::min(left, p[k].x);
      right = std::max(right, p[k].x);
      top   = std::min(top, p[k].y);
      bottom = std::max(bottom, p[k].y);
    }
    if (right < 0 || left > w.width || bottom < 0 || top > w.height) continue;
    fill(pixels, w, p[0], p[1], p[2]);
    fill(pixels, w, p[0], p[2], p[3]);
  }
  return pixels;
}

Color shade(double s) {
  return AppCommon::color_of(AppCommon::ColorMap::viridis, s);
}

/// Scale of a picture: colours from low to high, a line at each step.
struct Scale {
  double low, high, step;
  double relative(double v) const { return (v - low) / (high - low); }
  int band(double v) const { return int(std::floor(v / step)); }
};

Scale scale_of(const std::vector<double>& pixels) {
  std::vector<double> v;
  for (const double p : pixels)
    if (!std::isnan(p)) v.push_back(p);
  if (v.empty()) return {0, 1, 0.1};
  std::sort(v.begin(), v.end());
  const double low = v[v.size() / 500], high = v[v.size() - 1 - v.size() / 500];
  const double raw   = std::max(high - low, 1e-6) / 24;
  const double power = std::pow(10., std::floor(std::log10(raw)));
  double step        = 10 * power;
  for (const double nice : {5., 2., 1.})
    if (nice * power >= raw) step = nice * power;
  return {low, std::max(high, low + 1e-6), step};
}

/// Colours and lines at twice the resolution, averaged.
Image painted(const std::vector<double>& v, const Window& fine,
              const Scale& scale) {
  const Color profile{{0.93f, 0.93f, 0.93f}}, line{{1, 1, 1}};
  Image image(fine.width / 2, fine.height / 2);
  const auto at = [&](int i, int j) {
    return v[std::size_t(std::min(j, fine.height - 1)) *
                 std::size_t(fine.width) +
             std::size_t(std::min(i, fine.width - 1))];
  };
  for (int j = 0; j < image.height(); ++j)
    for (int i = 0; i < image.width(); ++i) {
      Color sum{{0, 0, 0}};
      for (int k = 0; k < 4; ++k) {
        const int x = 2 * i + k % 2, y = 2 * j + k / 2;
        const double here = at(x, y), right = at(x + 1, y), down = at(x, y + 1);
        Color c = profile;
        if (!std::isnan(here)) {
          c = shade(scale.relative(here));
          const bool crossed =
              (!std::isnan(right) && scale.band(right) != scale.band(here)) ||
              (!std::isnan(down) && scale.band(down) != scale.band(here));
          if (crossed) c = mix(c, line, 0.55f);
        }
        for (std::size_t p = 0; p < 3; ++p) sum[p] += c[p] / 4;
      }
      image.set(i, j, sum);
    }
  return image;
}

/// A bar of the colours with the values at its ends.
void add_legend(Image& image, const Scale& scale) {
  const int width = image.width() / 3, height = std::max(4, image.width() / 90);
  const int left = image.width() / 40;
  const int top  = image.height() - image.width() / 40 - height;
  for (int j = 0; j < height; ++j)
    for (int i = 0; i < width; ++i)
      image.set(left + i, top + j, shade((i + 0.5) / width));
  const Color white{{1, 1, 1}};
  const float size = float(image.width()) / 60, y = float(top) - 0.6f * size;
  char text[2][32];
  std::snprintf(text[0], sizeof text[0], "%.3f", scale.low);
  std::snprintf(text[1], sizeof text[1], "%.3f", scale.high);
  image.text(float(left), y, size, text[0], white);
  image.text_before(float(left + width), y, size, text[1], white);
}

}  // namespace

Image draw(const Fields& f, const std::string& quantity, int pixels) {
  if (quantity != "mach" && quantity != "pressure")
    throw std::invalid_argument("draw: quantity: takes mach or pressure, got " +
                                quantity);
  std::vector<double> cell(f.cells());
  for (std::size_t c = 0; c < f.cells(); ++c)
    cell[c] = quantity == "mach" ? f.mach(c) : f.pressure(c);
  const double shown = 2;  // chords
  const Window fine{-0.5, shown * 5 / 16, 2 * pixels / shown, 2 * pixels,
                    2 * (5 * pixels / 8)};
  const auto values = rasterized(f, fine, at_nodes(f, cell));
  const Scale scale = scale_of(values);
  Image image       = painted(values, fine, scale);
  add_legend(image, scale);
  return image;
}

}  // namespace AirfoilApp
