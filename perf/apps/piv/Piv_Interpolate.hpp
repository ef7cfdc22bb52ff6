// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PIV_INTERPOLATE_HPP
#define SPOROS_PIV_INTERPOLATE_HPP

/// \file Piv_Interpolate.hpp
/// Values between the pixels of an image and between the windows of a grid.

#include "Piv_Field.hpp"

namespace PivApp {

enum class Interpolation {
  bilinear,  ///< 2 x 2 pixels
  bicubic,   ///< the spline of degree 3 through all pixels
  biquintic  ///< the spline of degree 5 through all pixels
};

/// Elements [first, first + count) of a row with their weights.
struct Taps {
  int first = 0, count = 1;
  double weight[6] = {1, 0, 0, 0, 0, 0};
};

/// What to take of n elements for the value at a place: a line through two,
/// also beyond the ends; with is_cubic, where there are two elements on each
/// side, a cubic through the inner ones (Keys 1981, a = -1/2).
KOKKOS_INLINE_FUNCTION Taps taps(bool is_cubic, double place, int n) {
  Taps t;
  if (n < 2) return t;
  const int cell = place < 1 ? 0 : place >= n - 2 ? n - 2 : int(place);
  const double s = place - cell;
  if (!is_cubic || cell < 1 || cell + 2 >= n) {
    t.first     = cell;
    t.count     = 2;
    t.weight[0] = 1 - s;
    t.weight[1] = s;
    return t;
  }
  t.first     = cell - 1;
  t.count     = 4;
  t.weight[0] = s * (s * (1 - .5 * s) - .5);
  t.weight[1] = s * s * (1.5 * s - 2.5) + 1;
  t.weight[2] = s * (s * (2 - 1.5 * s) + .5);
  t.weight[3] = s * s * (.5 * s - .5);
  return t;
}

/// The displacement (y, x) between the windows of a field; up to one step
/// beyond the outer ones lines go on, further out values stay.
struct Predictor {
  WindowGrid grid;
  Kokkos::View<const double* [2], Kokkos::LayoutRight, Exec> moves;
  bool is_cubic;

  struct Move {
    double y = 0, x = 0;
  };
  KOKKOS_FUNCTION Taps along(double place, int n) const {
    const double p = (place - grid.middle()) / grid.step;
    return taps(is_cubic, p < -1 ? -1 : p > n ? double(n) : p, n);
  }
  KOKKOS_FUNCTION Move operator()(double y, double x) const {
    const Taps ty = along(y, grid.ny), tx = along(x, grid.nx);
    Move sum;
    for (int j = 0; j < ty.count; ++j)
      for (int i = 0; i < tx.count; ++i) {
        const int n    = (ty.first + j) * grid.nx + tx.first + i;
        const double w = ty.weight[j] * tx.weight[i];
        sum.y += w * moves(n, 0);
        sum.x += w * moves(n, 1);
      }
    return sum;
  }
};

/// A place among n pixels; NaN becomes the first one.
KOKKOS_INLINE_FUNCTION double within(double place, int n) {
  return place > 0 ? (place < n - 1 ? place : double(n - 1)) : 0.;
}

/// The number of a pixel in a row that is reflected at its outer pixels.
KOKKOS_INLINE_FUNCTION int reflected(int at, int n) {
  if (at >= 0 && at < n) return at;
  if (n == 1) return 0;
  const int period = 2 * (n - 1), m = (at % period + period) % period;
  return m < n ? m : period - m;
}

/// What to take of the coefficients of a spline.
KOKKOS_INLINE_FUNCTION Taps spline_taps(Interpolation kind, double place) {
  Taps t;
  double* const w = t.weight;
  const int cell  = int(place);
  const double s  = place - cell;
  if (kind == Interpolation::bicubic) {
    const double r = 1 - s;
    t.first        = cell - 1;
    t.count        = 4;
    w[0]           = r * r * r / 6;
    w[1]           = s * s * (.5 * s - 1) + 2. / 3;
    w[2]           = r * r * (.5 * r - 1) + 2. / 3;
    w[3]           = s * s * s / 6;
    return t;
  }
  // Thevenaz et al., "Interpolation revisited", 2000
  t.first        = cell - 2;
  t.count        = 6;
  const double p = s * (s - 1), m = s - .5, q = p * (p - 3);
  w[5]            = s * s * s * s * s / 120;
  w[0]            = (.2 + p + p * p) / 24 - w[5];
  const double t0 = (p * (p - 5) + 9.2) / 24, t1 = -m * (q + 4) / 12;
  const double u0 = (1.8 - q) / 16, u1 = m * (p * p - p - 5) / 24;
  w[2] = t0 + t1;
  w[3] = t0 - t1;
  w[1] = u0 + u1;
  w[4] = u0 - u1;
  return t;
}

/// The value of an image at a place; beyond its edges that of the edge.
/// \param image pixels for bilinear, else spline_coefficients
KOKKOS_INLINE_FUNCTION float sampled(
    const Kokkos::View<const float**, Kokkos::LayoutRight, Exec>& image,
    Interpolation kind, double y, double x) {
  const int h = int(image.extent(0)), w = int(image.extent(1));
  y                 = within(y, h);
  x                 = within(x, w);
  const bool linear = kind == Interpolation::bilinear;
  const Taps ty     = linear ? taps(false, y, h) : spline_taps(kind, y);
  const Taps tx     = linear ? taps(false, x, w) : spline_taps(kind, x);
  const bool inside = tx.first >= 0 && tx.first + tx.count <= w;
  double sum        = 0;
  for (int j = 0; j < ty.count; ++j) {
    const float* const from = &image(reflected(ty.first + j, h), 0);
    double row              = 0;
    for (int i = 0; i < tx.count; ++i)
      row += tx.weight[i] *
             double(from[inside ? tx.first + i : reflected(tx.first + i, w)]);
    sum += ty.weight[j] * row;
  }
  return float(sum);
}

/// Coefficients of the spline through the pixels of an image, which is
/// reflected at its outer pixels. In place; `work` is as large. Leaves pixels
/// for bilinear.
void spline_coefficients(const Exec& exec, Interpolation kind,
                         const Pixels& image, const Pixels& work);

/// Moves the pixels of both images half of what a field predicts, so that
/// particles of both come to the same place: to_a(p) = a(p - d(p) / 2),
/// to_b(p) = b(p + d(p) / 2).
/// \param a, b as for sampled
void deform(const Exec& exec, const Pixels& a, const Pixels& b,
            const Predictor& predictor, Interpolation kind, const Pixels& to_a,
            const Pixels& to_b);

}  // namespace PivApp

#endif
