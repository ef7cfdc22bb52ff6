// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Nufft_Image.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace NufftApp {
namespace {

const double pi = std::acos(-1.);

struct Ellipse {
  double x, y, half_x, half_y, turn, value;
};

/// A head, sides from -1 to 1, y up.
const Ellipse head[] = {
    {0, 0, .70, .90, 0, 1.0},       {0, -.01, .64, .83, 0, -.65},
    {-.24, .02, .14, .34, .3, -.2}, {.24, .02, .11, .28, -.3, -.2},
    {0, .42, .20, .18, 0, .25},     {0, -.38, .30, .12, 0, .15},
    {-.12, -.60, .05, .05, 0, .3},  {.02, -.60, .03, .03, 0, .3},
    {.14, -.60, .02, .05, 0, .3},   {.42, .42, .06, .10, .6, .4}};

/// The mean over 3 x 3 places of a pixel.
double head_at(double x, double y, double pixel) {
  double sum = 0;
  for (const Ellipse& e : head)
    for (int k = 0; k < 9; ++k) {
      const double u = x + (k % 3 - 1) * pixel / 3 - e.x;
      const double v = y + (k / 3 - 1) * pixel / 3 - e.y;
      const double a = (std::cos(e.turn) * u + std::sin(e.turn) * v) / e.half_x;
      const double b = (std::cos(e.turn) * v - std::sin(e.turn) * u) / e.half_y;
      if (a * a + b * b < 1) sum += e.value / 9;
    }
  return sum;
}

/// Spokes through the centre of the spectrum, close enough at its edge.
struct Spokes {
  int spokes, samples;  ///< samples on each

  explicit Spokes(int side) : spokes(side * 8 / 5), samples(2 * side) {}
  std::size_t size() const {
    return std::size_t(spokes) * std::size_t(samples);
  }
  /// Distance from the centre; negative: on the other side.
  double radius(std::size_t j) const {
    const int along = int(j % std::size_t(samples));
    return pi * (2 * along + 1 - samples) / samples;
  }
  double angle(std::size_t j) const {
    return pi * double(j / std::size_t(samples)) / spokes;
  }
  /// Share of the spectrum that the sample stands for.
  double weight(std::size_t j) const {
    const double area =
        std::fabs(radius(j)) * (2 * pi / samples) * (pi / spokes);
    return area / (4 * pi * pi);
  }
};

template <class T>
Positions<T> positions(const Spokes& s) {
  const Positions<T> points("NufftApp::spokes", s.size(), 2);
  const auto x = Kokkos::create_mirror_view(points);
  for (std::size_t j = 0; j < s.size(); ++j) {
    x(j, 0) = T(s.radius(j) * std::sin(s.angle(j)));
    x(j, 1) = T(s.radius(j) * std::cos(s.angle(j)));
  }
  Kokkos::deep_copy(points, x);
  return points;
}

/// Draws the sample of largest magnitude of each pixel, in logarithms.
template <class Samples>
std::vector<double> picture_of(const Spokes& s, const Samples& z, int side) {
  std::vector<double> picture(std::size_t(side) * std::size_t(side), 0.);
  double largest = 0;
  for (std::size_t j = 0; j < s.size(); ++j)
    largest = std::max(largest, double(Kokkos::abs(z(j))));
  for (std::size_t j = 0; j < s.size(); ++j) {
    const double scale = s.radius(j) / (2 * pi);
    const auto at      = [&](double unit) {
      return std::min(side - 1, int((.5 + scale * unit) * side));
    };
    double& pixel =
        picture[std::size_t(at(std::sin(s.angle(j)))) * std::size_t(side) +
                std::size_t(at(std::cos(s.angle(j))))];
    const double magnitude = double(Kokkos::abs(z(j))) / largest;
    pixel = std::max(pixel, 1 + std::log10(std::max(magnitude, 1e-6)) / 5);
  }
  return picture;
}

}  // namespace

template <class T>
Reconstruction reconstruct(const Exec& exec, AnyTransform<T>& transform,
                           int side) {
  using Complex = Kokkos::complex<T>;
  Reconstruction r;
  r.side = side;
  const Spokes spokes(side);
  const std::size_t pixels = std::size_t(side) * std::size_t(side);
  const Vector<Complex> image("NufftApp::image", pixels);
  const Vector<Complex> samples("NufftApp::samples", spokes.size());
  const auto on_host = Kokkos::create_mirror_view(image);
  for (std::size_t k = 0; k < pixels; ++k) {
    const double x = 2 * (double(k % std::size_t(side)) + .5) / side - 1;
    const double y = 1 - 2 * (double(k / std::size_t(side)) + .5) / side;
    r.original.push_back(head_at(x, y, 2. / side));
    on_host(k) = Complex(T(r.original.back()));
  }
  Kokkos::deep_copy(exec, image, on_host);

  transform.update(positions<T>(spokes));
  transform.type2(image, samples, -1);
  const auto z = Kokkos::create_mirror_view(samples);
  Kokkos::deep_copy(z, samples);
  r.samples = picture_of(spokes, z, side);
  for (std::size_t j = 0; j < spokes.size(); ++j) z(j) *= T(spokes.weight(j));
  Kokkos::deep_copy(samples, z);
  transform.type1(samples, image, 1);

  Kokkos::deep_copy(on_host, image);
  double error = 0, scale = 0;
  for (std::size_t k = 0; k < pixels; ++k) {
    r.image.push_back(double(on_host(k).real()));
    error += std::pow(r.image[k] - r.original[k], 2);
    scale += std::pow(r.original[k], 2);
  }
  r.error = std::sqrt(error / scale);
  return r;
}

template Reconstruction reconstruct(const Exec&, AnyTransform<float>&, int);
template Reconstruction reconstruct(const Exec&, AnyTransform<double>&, int);

AppCommon::Image draw(const Reconstruction& r) {
  const int gap = std::max(2, r.side / 40);
  AppCommon::Image picture(3 * r.side + 2 * gap, r.side, {{1, 1, 1}});
  int left = 0;
  for (const auto* panel : {&r.original, &r.samples, &r.image}) {
    for (std::size_t k = 0; k < panel->size(); ++k) {
      const float v = std::min(1.f, std::max(0.f, float((*panel)[k])));
      picture.set(left + int(k % std::size_t(r.side)),
                  int(k / std::size_t(r.side)), {{v, v, v}});
    }
    left += r.side + gap;
  }
  return picture;
}

}  // namespace NufftApp
