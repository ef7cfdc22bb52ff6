// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Piv_Flow.hpp"

#include <Perf_Numbers.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace PivApp {
namespace {

using Perf::Random;

constexpr double pi         = 3.14159265358979323846;
constexpr double background = 0.05;
constexpr double brightness = 0.75;

/// Means of exp(-8 (x - center)^2 / diameter^2) over the pixels from first on.
void pixel_means(double center, double diameter, int first,
                 std::vector<double>& means) {
  const double scale = std::sqrt(8.) / diameter;
  double low         = std::erf(scale * (first - 0.5 - center));
  for (std::size_t k = 0; k < means.size(); ++k) {
    const double high =
        std::erf(scale * (first + static_cast<double>(k) + 0.5 - center));
    means[k] = (high - low) * std::sqrt(pi) / 2 / scale;
    low      = high;
  }
}

/// Draws particles of one diameter.
class Painter {
 public:
  explicit Painter(double diameter)
      : m_diameter(diameter),
        m_reach(static_cast<int>(std::ceil(1.2 * diameter)) + 1),
        m_x(static_cast<std::size_t>(2 * m_reach + 1)),
        m_y(m_x) {}

  void add(GreyImage& image, const Vector& p, double bright) {
    const int x0 = static_cast<int>(std::lround(p.x)) - m_reach;
    const int y0 = static_cast<int>(std::lround(p.y)) - m_reach;
    pixel_means(p.x, m_diameter, x0, m_x);
    pixel_means(p.y, m_diameter, y0, m_y);
    const int x1 = std::min(image.width, x0 + 2 * m_reach + 1);
    const int y1 = std::min(image.height, y0 + 2 * m_reach + 1);
    for (int y = std::max(0, y0); y < y1; ++y)
      for (int x = std::max(0, x0); x < x1; ++x)
        image(y, x) +=
            static_cast<float>(bright * m_x[static_cast<std::size_t>(x - x0)] *
                               m_y[static_cast<std::size_t>(y - y0)]);
  }

 private:
  double m_diameter;
  int m_reach;
  std::vector<double> m_x, m_y;
};

/// Noise, and what a camera does: a value is one of 2^bits steps.
void expose(GreyImage& image, double noise, Random& random) {
  const double steps = image.bits == 8 ? 255 : 65535;
  for (float& value : image.values) {
    const double v =
        background + value + (noise > 0 ? noise * random.normal() : 0);
    value = static_cast<float>(
        std::round(std::min(1., std::max(0., v)) * steps) / steps);
  }
}

}  // namespace

Flow::Flow(const Options& o)
    : m_name(o.flow),
      m_center{(o.width - 1) / 2., (o.height - 1) / 2.},
      m_uniform{o.displacement * std::cos(o.angle * pi / 180),
                o.displacement * std::sin(o.angle * pi / 180)},
      m_height(o.height),
      m_largest(o.displacement),
      m_core(o.core * std::min(o.width, o.height)) {}

Vector Flow::moved(const Vector& p, double time) const {
  const double x = p.x - m_center.x, y = p.y - m_center.y;
  if (m_name == "uniform")
    return {p.x + time * m_uniform.x, p.y + time * m_uniform.y};
  if (m_name == "shear")
    return {p.x + time * m_largest * 2 * y / m_height, p.y};
  // Rankine vortex: a solid body within the core, free of rotation outside
  const double square = std::max(x * x + y * y, m_core * m_core);
  const double angle  = time * m_largest * m_core / square;
  const double c = std::cos(angle), s = std::sin(angle);
  return {m_center.x + c * x - s * y, m_center.y + s * x + c * y};
}

std::pair<GreyImage, GreyImage> synthetic_pair(const Options& o) {
  const Flow flow(o);
  GreyImage a(o.width, o.height, o.bits), b = a;
  Random random(static_cast<std::uint64_t>(o.seed));
  Painter painter(o.diameter);
  // particles that come in from outside are needed, too
  const double margin = o.displacement + 1.2 * o.diameter + 1;
  const double width = o.width + 2 * margin, height = o.height + 2 * margin;
  const auto particles =
      static_cast<std::int64_t>(std::llround(o.density * width * height));
  for (std::int64_t k = 0; k < particles; ++k) {
    const Vector p{random.uniform() * width - margin - 0.5,
                   random.uniform() * height - margin - 0.5};
    const double bright = brightness * (0.5 + 0.5 * random.uniform());
    painter.add(a, flow.moved(p, -0.5), bright);
    painter.add(b, flow.moved(p, 0.5), bright);
  }
  expose(a, o.noise, random);
  expose(b, o.noise, random);
  return {std::move(a), std::move(b)};
}

}  // namespace PivApp
