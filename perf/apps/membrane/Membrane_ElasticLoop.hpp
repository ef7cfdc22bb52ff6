// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MEMBRANE_ELASTICLOOP_HPP
#define SPOROS_MEMBRANE_ELASTICLOOP_HPP

/// \file Membrane_ElasticLoop.hpp
/// A closed loop of springs: start shape, forces, energy, and its measures.

#include "Membrane_Options.hpp"

#include <Kokkos_Core.hpp>
#include <Perf_Numbers.hpp>

#include <cmath>

namespace MembraneApp {

/// Positions, velocities or forces: one row per membrane point. A component is
/// contiguous, as it is spread and interpolated by itself.
template <class MemorySpace>
using Points     = Kokkos::View<double**, Kokkos::LayoutLeft, MemorySpace>;
using HostPoints = Points<Kokkos::HostSpace>;

/// The law of the springs: the tension in the membrane X(s), 0 <= s < 2 pi, is
/// stiffness (|dX/ds| - rest / ds) along the tangent.
struct Springs {
  double stiffness;  ///< force per dX/ds
  double ds;         ///< parameter distance of neighbours
  double rest;       ///< rest length of a spring

  /// Tension per distance of the ends of a spring of this length.
  KOKKOS_FUNCTION double factor(double length) const {
    if (rest == 0) return stiffness / ds;
    return length > 0 ? stiffness / ds * (1 - rest / length) : 0.;
  }
};

/// The springs that the options ask for.
inline Springs make_springs(const Options& o) {
  const double two_pi = 2 * std::acos(-1.);
  const double circle = two_pi * std::sqrt(o.axis_x * o.axis_y);
  return {o.stiffness, two_pi / o.points, o.rest_length * circle / o.points};
}

/// The start shape: an ellipse in the centre of the square; a seed moves it by
/// up to half a cell and adds five random waves to its radius.
inline HostPoints start_shape(const Options& o) {
  HostPoints x("MembraneApp::start_shape", o.points, 2);
  const double two_pi = 2 * std::acos(-1.);
  Perf::Random numbers(o.seed);
  const auto random = [&] { return numbers.uniform(-0.5, 0.5); };
  double shift[2] = {0, 0}, wave[5][2] = {};
  if (o.seed != 0) {
    for (auto& s : shift) s = random() / o.grid;
    for (auto& w : wave)
      for (auto& part : w) part = o.perturbation * random();
  }
  for (int k = 0; k < o.points; ++k) {
    const double angle = two_pi * k / o.points;
    double radius      = 1;
    for (int m = 0; m < 5; ++m)
      radius += wave[m][0] * std::cos((m + 2) * angle) +
                wave[m][1] * std::sin((m + 2) * angle);
    x(k, 0) = 0.5 + shift[0] + radius * o.axis_x * std::cos(angle);
    x(k, 1) = 0.5 + shift[1] + radius * o.axis_y * std::sin(angle);
  }
  return x;
}

/// Area, centre and principal axes of a polygon.
struct Shape {
  double area;
  double center[2];
  double
      axes[2];  ///< half axes of the ellipse with the same moments, long first
  double ratio() const { return axes[0] / axes[1]; }
};

/// Measures a closed polygon from the moments of its area, in O(points).
inline Shape measure(const HostPoints& x) {
  const int n = static_cast<int>(x.extent(0));
  // relative to the first corner, so that no digits are lost
  double a = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0;
  for (int k = 0; k < n; ++k) {
    const int l     = k + 1 < n ? k + 1 : 0;
    const double x0 = x(k, 0) - x(0, 0), y0 = x(k, 1) - x(0, 1);
    const double x1 = x(l, 0) - x(0, 0), y1 = x(l, 1) - x(0, 1);
    const double cross = x0 * y1 - x1 * y0;
    a += cross / 2;
    sx += cross * (x0 + x1) / 6;
    sy += cross * (y0 + y1) / 6;
    sxx += cross * (x0 * x0 + x0 * x1 + x1 * x1) / 12;
    syy += cross * (y0 * y0 + y0 * y1 + y1 * y1) / 12;
    sxy += cross * (2 * x0 * y0 + x0 * y1 + x1 * y0 + 2 * x1 * y1) / 24;
  }
  const double cx = sx / a, cy = sy / a;
  const double xx = sxx / a - cx * cx, yy = syy / a - cy * cy;
  const double xy   = sxy / a - cx * cy;
  const double mean = (xx + yy) / 2, d = std::hypot((xx - yy) / 2, xy);
  Shape s;
  s.area      = a;
  s.center[0] = cx + x(0, 0);
  s.center[1] = cy + x(0, 1);
  s.axes[0]   = 2 * std::sqrt(mean + d);
  s.axes[1]   = 2 * std::sqrt(mean - d);
  return s;
}

namespace Impl {

/// strength(k) = force on point k: force per ds times ds
template <class MemorySpace>
struct ElasticForce {
  Points<MemorySpace> x, strength;
  Springs springs;
  int n;

  KOKKOS_FUNCTION void operator()(int k) const {
    const int next = k + 1 < n ? k + 1 : 0, last = k > 0 ? k - 1 : n - 1;
    const double ax = x(next, 0) - x(k, 0), ay = x(next, 1) - x(k, 1);
    const double bx = x(k, 0) - x(last, 0), by = x(k, 1) - x(last, 1);
    const double a = springs.factor(std::sqrt(ax * ax + ay * ay));
    const double b = springs.factor(std::sqrt(bx * bx + by * by));
    strength(k, 0) = a * ax - b * bx;
    strength(k, 1) = a * ay - b * by;
  }
};

template <class MemorySpace>
struct ElasticEnergy {
  Points<MemorySpace> x;
  Springs springs;
  int n;

  KOKKOS_FUNCTION void operator()(int k, double& energy) const {
    const int next  = k + 1 < n ? k + 1 : 0;
    const double dx = x(next, 0) - x(k, 0), dy = x(next, 1) - x(k, 1);
    const double stretch = std::sqrt(dx * dx + dy * dy) - springs.rest;
    energy += springs.stiffness / (2 * springs.ds) * stretch * stretch;
  }
};

/// to = from + dt velocity
template <class MemorySpace>
struct Move {
  Points<MemorySpace> from, velocity, to;
  double dt;
  KOKKOS_FUNCTION void operator()(int k) const {
    for (int d = 0; d < 2; ++d) to(k, d) = from(k, d) + dt * velocity(k, d);
  }
};

template <class MemorySpace>
struct ColumnSum {
  Points<MemorySpace> values;
  int column;
  KOKKOS_FUNCTION void operator()(int k, double& s) const {
    s += values(k, column);
  }
};

template <class MemorySpace>
struct ColumnAbsSum {
  Points<MemorySpace> values;
  int column;
  KOKKOS_FUNCTION void operator()(int k, double& s) const {
    const double v = values(k, column);
    s += v < 0 ? -v : v;
  }
};

/// Runs a functor over all rows.
template <class ExecSpace, class Functor>
void for_rows(const char* label, const ExecSpace& exec, int n,
              const Functor& functor) {
  Kokkos::parallel_for(label, Kokkos::RangePolicy<ExecSpace>(exec, 0, n),
                       functor);
}

template <class ExecSpace, class Functor>
double sum_rows(const char* label, const ExecSpace& exec, int n,
                const Functor& functor) {
  double s = 0;
  Kokkos::parallel_reduce(label, Kokkos::RangePolicy<ExecSpace>(exec, 0, n),
                          functor, s);
  return s;
}

}  // namespace Impl
}  // namespace MembraneApp

#endif
