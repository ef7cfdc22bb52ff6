// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "App_ColorMaps.hpp"
#include "Piv_Files.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace PivApp {
namespace {

using AppCommon::Color;
using AppCommon::GreyImage;
using AppCommon::Image;
using AppCommon::Path;

constexpr int margin    = 96;  // for the scale, pixels
constexpr Color outlier = {{1.f, 0.15f, 0.15f}};

Color color(double t) {
  return AppCommon::color_of(AppCommon::ColorMap::bright, t);
}

double length(const Vectors& v, int n) {
  const auto k = static_cast<std::size_t>(n);
  return std::hypot(v.dx[k], v.dy[k]);
}

/// A length that few vectors exceed.
double full_scale(const Vectors& v) {
  std::vector<double> lengths;
  for (int n = 0; n < v.grid.size(); ++n)
    if (v.status[static_cast<std::size_t>(n)] != Status::masked)
      lengths.push_back(length(v, n));
  if (lengths.empty()) return 1e-3;
  const auto at = lengths.begin() + static_cast<std::ptrdiff_t>(
                                        0.99 * double(lengths.size() - 1));
  std::nth_element(lengths.begin(), at, lengths.end());
  return std::max(*at, 1e-3);
}

/// Shaft and head, centred at (x, y).
std::vector<Path> arrow(double x, double y, double dx, double dy) {
  const auto at = [&](double along, double across) {
    return AppCommon::Pixel{static_cast<float>(x + along * dx - across * dy),
                            static_cast<float>(y + along * dy + across * dx)};
  };
  return {{at(-0.5, 0), at(0.5, 0)},
          {at(0.18, 0.17), at(0.5, 0), at(0.18, -0.17)}};
}

Image darkened(const GreyImage& grey, int width) {
  Image image(width, grey.height, {{0.07f, 0.07f, 0.09f}});
  for (int y = 0; y < grey.height; ++y)
    for (int x = 0; x < grey.width; ++x) {
      const float v = 0.03f + 0.6f * grey(y, x);
      image.set(x, y, {{v, v, v + 0.02f}});
    }
  return image;
}

void draw_scale(Image& image, double largest) {
  const int left   = image.width() - margin + 16;
  const int height = std::min(360, image.height() - 48), top = 24;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < 14; ++x)
      image.set(left + x, top + y, color(1 - double(y) / (height - 1)));
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
  Image image = darkened(grey, grey.width + margin);
  for (const bool outliers : {false, true})  // the last ones stay visible
    for (int n = 0; n < v.grid.size(); ++n) {
      const int i = n % v.grid.nx, j = n / v.grid.nx;
      const auto k = static_cast<std::size_t>(n);
      if (i % every != 0 || j % every != 0) continue;
      if (v.status[k] == Status::masked) continue;
      if ((v.status[k] == Status::replaced) != outliers) continue;
      image.draw(arrow(v.grid.x(n) + 0.5, v.grid.y(n) + 0.5, scale * v.dx[k],
                       scale * v.dy[k]),
                 {1.8f, outliers ? outlier : color(length(v, n) / largest)});
    }
  draw_scale(image, largest);
  return image;
}

}  // namespace PivApp
