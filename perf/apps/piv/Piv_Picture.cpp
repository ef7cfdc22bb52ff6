// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Piv_Files.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace PivApp {
namespace {

using AppCommon::Color;
using AppCommon::DistanceMap;
using AppCommon::GreyImage;
using AppCommon::Image;
using AppCommon::Path;

constexpr int colors    = 24;  // steps of the scale
constexpr int margin    = 96;  // for the scale, pixels
constexpr Color outlier = {{1.f, 0.15f, 0.15f}};

/// From violet over green to yellow.
Color color(float t) {
  static const std::vector<Color> stops = {{{0.45f, 0.30f, 0.85f}},
                                           {{0.20f, 0.55f, 0.95f}},
                                           {{0.10f, 0.80f, 0.70f}},
                                           {{0.55f, 0.90f, 0.35f}},
                                           {{1.00f, 0.92f, 0.25f}}};
  const float s       = t * static_cast<float>(stops.size() - 1);
  const std::size_t k = std::min(stops.size() - 2, static_cast<std::size_t>(s));
  return AppCommon::mix(stops[k], stops[k + 1], s - static_cast<float>(k));
}

double length(const Vectors& v, int n) {
  const auto k = static_cast<std::size_t>(n);
  return std::hypot(v.dx[k], v.dy[k]);
}

/// A length that few vectors exceed.
double full_scale(const Vectors& v) {
  std::vector<double> lengths;
  for (int n = 0; n < v.grid.size(); ++n) lengths.push_back(length(v, n));
  const auto at = lengths.begin() + static_cast<std::ptrdiff_t>(
                                        0.99 * double(lengths.size() - 1));
  std::nth_element(lengths.begin(), at, lengths.end());
  return std::max(*at, 1e-3);
}

/// Shaft and head, centred at (x, y).
void add_arrow(DistanceMap& map, double x, double y, double dx, double dy) {
  const auto at = [&](double along, double across) {
    return AppCommon::Pixel{static_cast<float>(x + along * dx - across * dy),
                            static_cast<float>(y + along * dy + across * dx)};
  };
  map.add({at(-0.5, 0), at(0.5, 0)});
  map.add({at(0.18, 0.17), at(0.5, 0), at(0.18, -0.17)});
}

Image background(const GreyImage& grey, int width) {
  Image image(width, grey.height, {{0.07f, 0.07f, 0.09f}});
  for (int y = 0; y < grey.height; ++y)
    for (int x = 0; x < grey.width; ++x) {
      const float v = 0.03f + 0.6f * grey(y, x);
      image(x, y)   = {{v, v, v + 0.02f}};
    }
  return image;
}

void draw_scale(Image& image, double largest) {
  const int left   = image.width() - margin + 16;
  const int height = std::min(360, image.height() - 48), top = 24;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < 14; ++x)
      image(left + x, top + y) =
          color(1 - static_cast<float>(y) / static_cast<float>(height - 1));
  for (int k = 0; k <= 4; ++k) {
    char text[32];
    std::snprintf(text, sizeof text, "%.*f", largest < 2 ? 2 : 1,
                  largest * k / 4);
    image.text(static_cast<float>(left + 20),
               static_cast<float>(top + height * (4 - k) / 4 + 5), 11, text,
               {{0.9f, 0.9f, 0.9f}});
  }
}

}  // namespace

Image draw(const Vectors& v, const AppCommon::GreyImage& grey, double scale) {
  const int every      = std::max(1, (22 + v.grid.step - 1) / v.grid.step);
  const double largest = full_scale(v);
  if (scale <= 0) scale = 1.05 * every * v.grid.step / largest;
  Image image = background(grey, grey.width + margin);
  // all arrows of a colour at once; the last are the outliers
  for (int c = 0; c <= colors; ++c) {
    DistanceMap map(image.width(), image.height(), 3);
    for (int n = 0; n < v.grid.size(); ++n) {
      const int i = n % v.grid.nx, j = n / v.grid.nx;
      if (i % every != 0 || j % every != 0) continue;
      const auto k = static_cast<std::size_t>(n);
      const int of_length =
          std::min(colors - 1,
                   static_cast<int>(length(v, n) / largest * (colors - 0.001)));
      if (c != (v.status[k] == Status::replaced ? colors : of_length)) continue;
      add_arrow(map, v.grid.x(n) + 0.5, v.grid.y(n) + 0.5, scale * v.dx[k],
                scale * v.dy[k]);
    }
    image.draw(
        map, 1.8f,
        c == colors ? outlier : color(static_cast<float>(c) / (colors - 1)));
  }
  draw_scale(image, largest);
  return image;
}

}  // namespace PivApp
