// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Membrane_Picture.hpp"

#include "App_ColorMaps.hpp"

#include <Perf_Numbers.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace MembraneApp {
namespace {

/// Runs row(y) for all rows of a picture on the host's cores.
template <class Row>
void for_each_row(const char* label, int rows, const Row& row) {
  using Host = Kokkos::DefaultHostExecutionSpace;
  const Host host;
  Kokkos::parallel_for(label, Kokkos::RangePolicy<Host>(host, 0, rows), row);
  host.fence();
}

/// A periodic grid function between its points: the cubic B-spline with its
/// values as coefficients, which is smooth and never overshoots.
class SmoothField {
 public:
  SmoothField(const std::vector<double>& values, int n, double offset_x,
              double offset_y)
      : m_values(values), m_n(n), m_offset{offset_x, offset_y} {}

  /// At (x, y) in the unit square; the value with indices i, j is at
  /// ((i + offset_x) / n, (j + offset_y) / n).
  float operator()(double x, double y) const {
    int i, j;
    double wx[4], wy[4];
    weights(x * m_n - m_offset[0], i, wx);
    weights(y * m_n - m_offset[1], j, wy);
    double sum = 0;
    for (int b = 0; b < 4; ++b) {
      const size_t row =
          static_cast<size_t>(wrapped(j + b)) * static_cast<size_t>(m_n);
      for (int a = 0; a < 4; ++a)
        sum +=
            wx[a] * wy[b] * m_values[row + static_cast<size_t>(wrapped(i + a))];
    }
    return static_cast<float>(sum);
  }

 private:
  /// For indices at most one period away.
  int wrapped(int i) const { return i < 0 ? i + m_n : i < m_n ? i : i - m_n; }

  static void weights(double x, int& first, double* w) {
    const double cell = std::floor(x), t = x - cell, s = 1 - t;
    first = static_cast<int>(cell) - 1;
    w[0]  = s * s * s / 6;
    w[1]  = (4 - 6 * t * t + 3 * t * t * t) / 6;
    w[2]  = (4 - 6 * s * s + 3 * s * s * s) / 6;
    w[3]  = t * t * t / 6;
  }

  const std::vector<double>& m_values;
  int m_n;
  double m_offset[2];
};

/// Dark where nothing turns; cold colours clockwise, warm ones against it. The
/// square root shows weak vorticity, too.
Color vorticity_color(double share) {
  return color_of(share < 0 ? ColorMap::ice : ColorMap::fire,
                  std::sqrt(std::abs(share)));
}

/// The fields of a frame at the pixels.
struct PixelFields {
  int size;
  std::vector<float> speed, vorticity;
  std::vector<Pixel> direction;  ///< of the flow, length 1 or 0, y down
  std::vector<float> grain;      ///< noise

  PixelFields(const Frame& f, int pixels) : size(pixels) {
    const size_t count = index(0, pixels);
    speed.resize(count);
    vorticity.resize(count);
    direction.resize(count);
    Perf::Random noise(1);
    for (size_t k = 0; k < count; ++k)
      grain.push_back(static_cast<float>(noise.uniform()));
    const SmoothField x(f.x, f.cells, 0, 0.5), y(f.y, f.cells, 0.5, 0),
        w(f.vorticity, f.cells, 0, 0);
    for_each_row("MembraneApp::draw::fields", pixels, [&](int j) {
      const double py = 1 - (j + 0.5) / pixels;
      for (int i = 0; i < pixels; ++i) {
        const double px = (i + 0.5) / pixels;
        const size_t k  = index(i, j);
        const float u = x(px, py), v = y(px, py);
        speed[k]           = std::sqrt(u * u + v * v);
        const float factor = speed[k] > 1e-12f ? 1 / speed[k] : 0.f;
        direction[k]       = {factor * u, -factor * v};
        vorticity[k]       = w(px, py);
      }
    });
  }

  size_t index(int i, int j) const {
    return static_cast<size_t>(j) * static_cast<size_t>(size) +
           static_cast<size_t>(i);
  }
};

/// Line integral convolution: the mean of noise along the streamline through a
/// pixel, spread to about [0, 1].
float streamline_texture(const PixelFields& f, int i, int j, int length) {
  const float side = static_cast<float>(f.size);
  const auto wrap  = [side](float x) {
    return x < 0 ? x + side : x >= side ? x - side : x;
  };
  const size_t here = f.index(i, j);
  float sum = f.grain[here], count = 1;
  for (int way = -1; way <= 1; way += 2) {
    float x = static_cast<float>(i) + 0.5f, y = static_cast<float>(j) + 0.5f;
    size_t at = here;
    for (int k = 0; k < length; ++k) {
      x = wrap(x + static_cast<float>(way) * f.direction[at].x);
      y = wrap(y + static_cast<float>(way) * f.direction[at].y);
      // rounding may bring a tiny negative number to the very end
      at = f.index(std::min(static_cast<int>(x), f.size - 1),
                   std::min(static_cast<int>(y), f.size - 1));
      sum += f.grain[at];
      count += 1;
    }
  }
  const float spread = std::sqrt(count) * 0.9f;
  return std::min(1.f, std::max(0.f, 0.5f + (sum / count - 0.5f) * spread));
}

/// A closed loop in pixels, repeated where it crosses the sides of the square.
std::vector<Path> loop_paths(const HostPoints& points, int pixels) {
  Path loop;
  float low[2] = {1e30f, 1e30f}, high[2] = {-1e30f, -1e30f};
  const size_t n = points.extent(0);
  for (size_t k = 0; k <= n; ++k) {
    const Pixel p{static_cast<float>(points(k % n, 0) * pixels),
                  static_cast<float>((1 - points(k % n, 1)) * pixels)};
    low[0]  = std::min(low[0], p.x);
    low[1]  = std::min(low[1], p.y);
    high[0] = std::max(high[0], p.x);
    high[1] = std::max(high[1], p.y);
    loop.push_back(p);
  }
  const float side = static_cast<float>(pixels);
  std::vector<Path> paths;
  const auto first = [side](float h) { return std::ceil(-h / side) * side; };
  for (float y = first(high[1]); low[1] + y < side; y += side)
    for (float x = first(high[0]); low[0] + x < side; x += side) {
      paths.push_back(loop);
      for (Pixel& p : paths.back()) p = {p.x + x, p.y + y};
    }
  return paths;
}

void draw_background(Image& image, const PixelFields& f,
                     const PictureScale& scale) {
  const int length = std::max(6, f.size / 40);
  for_each_row("MembraneApp::draw::background", f.size, [&](int j) {
    for (int i = 0; i < f.size; ++i) {
      const size_t k = f.index(i, j);
      Color color = vorticity_color(double(f.vorticity[k]) / scale.vorticity);
      const float speed    = f.speed[k] / static_cast<float>(scale.speed);
      const float strength = std::min(1.f, std::sqrt(speed));
      const float texture  = streamline_texture(f, i, j, length);
      for (float& part : color)
        part = part * (1 + 0.55f * strength * (texture - 0.5f)) +
               0.05f * strength * texture;
      image.set(i, j, color);
    }
  });
}

void draw_membranes(Image& image, const Frame& frame, const HostPoints& start) {
  const float unit = static_cast<float>(image.width()) / 720;
  image.draw(loop_paths(start, image.width()),
             {1.3f * unit, {{0.85f, 0.88f, 0.95f}}, 0.75f, 7 * unit, 6 * unit});
  const auto membrane = loop_paths(frame.points, image.width());
  image.glow(membrane, 7 * unit, {{0, 0, 0}}, 0.45f);
  image.draw(membrane, {3.4f * unit, {{1.f, 0.98f, 0.92f}}});
}

void draw_labels(Image& image, const Frame& frame, const PictureScale& scale) {
  const float side = static_cast<float>(image.width()), unit = side / 720;
  const Color ink{{0.93f, 0.95f, 1.f}};
  char text[32];
  std::snprintf(text, sizeof text, "t = %.3f", frame.time);
  image.text(22 * unit, 42 * unit, 19 * unit, text, ink, 0.95f);

  // colour bar: from -scale to +scale as the picture shows them
  const int left  = static_cast<int>(side - 196 * unit);
  const int right = static_cast<int>(side - 22 * unit);
  const int top   = static_cast<int>(side - 30 * unit);
  for (int i = left; i < right; ++i) {
    const Color c = vorticity_color(2. * (i - left) / (right - left) - 1);
    for (int j = top; j < top + static_cast<int>(8 * unit); ++j)
      image.set(i, j, c);
  }
  const float base = static_cast<float>(top) - 9 * unit, size = 12 * unit;
  std::snprintf(text, sizeof text, "%.3g", -scale.vorticity);
  image.text(static_cast<float>(left), base, size, text, ink, 0.85f);
  std::snprintf(text, sizeof text, "+%.3g", scale.vorticity);
  image.text_before(static_cast<float>(right), base, size, text, ink, 0.85f);
  image.text(static_cast<float>(left + right) / 2 - 4 * unit, base, size, "ω",
             ink, 0.85f);
}

/// The value below which the given share of all values lies.
double quantile(std::vector<double>& values, double share) {
  const auto at =
      values.begin() + static_cast<std::ptrdiff_t>(
                           share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace

PictureScale picture_scale(const std::vector<Frame>& frames) {
  PictureScale scale{0, 0};
  for (const Frame& f : frames) {
    std::vector<double> size;
    for (const double w : f.vorticity) size.push_back(std::abs(w));
    scale.vorticity = std::max(scale.vorticity, quantile(size, 0.995));
    for (size_t k = 0; k < size.size(); ++k)
      size[k] = std::hypot(f.x[k], f.y[k]);
    scale.speed = std::max(scale.speed, quantile(size, 0.99));
  }
  // two digits, so that the label tells the truth; 1 where nothing moves
  if (scale.vorticity > 0) {
    const double unit =
        std::pow(10., std::floor(std::log10(scale.vorticity)) - 1);
    scale.vorticity = std::ceil(scale.vorticity / unit) * unit;
  } else {
    scale.vorticity = 1;
  }
  if (!(scale.speed > 0)) scale.speed = 1;
  return scale;
}

Image draw(const Frame& frame, const HostPoints& start,
           const PictureScale& scale, int pixels) {
  Image image(pixels, pixels);
  draw_background(image, PixelFields(frame, pixels), scale);
  draw_membranes(image, frame, start);
  draw_labels(image, frame, scale);
  return image;
}

void write_pictures(const std::string& folder, const std::vector<Frame>& frames,
                    int pixels) {
  if (frames.empty() || !can_draw()) return;
  const PictureScale scale = picture_scale(frames);
  const HostPoints start   = frames.front().points;
  for (size_t k = 0; k < frames.size(); ++k) {
    char name[64];
    std::snprintf(name, sizeof name, "/frame_%04zu.png", k);
    draw(frames[k], start, scale, pixels).save(folder + name);
  }

  // most happens at the beginning
  const size_t last     = frames.size() - 1;
  const size_t wanted[] = {last / 24, last / 8, last / 4, last};
  size_t chosen[4];
  for (int k = 0; k < 4; ++k)
    chosen[k] = std::min(
        last, std::max(wanted[k], k == 0 ? size_t(1) : chosen[k - 1] + 1));
  const int panel = pixels * 5 / 9, gap = std::max(1, panel / 50);
  Image strip(4 * panel + 3 * gap, panel, {{1, 1, 1}});
  for (int k = 0; k < 4; ++k)
    strip.paste(draw(frames[chosen[k]], start, scale, panel), k * (panel + gap),
                0);
  strip.save(folder + "/membrane.png");
}

}  // namespace MembraneApp
