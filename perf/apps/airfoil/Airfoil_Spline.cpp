// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Airfoil_Spline.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace AirfoilApp {
namespace {

/// A row of the tridiagonal system for the slopes.
struct Row {
  double lower, diagonal, upper, right;
};

/// Gaussian elimination without exchange of rows.
std::vector<double> solve(std::vector<Row> rows) {
  const std::size_t n = rows.size();
  for (std::size_t i = 1; i < n; ++i) {
    const double factor = rows[i].lower / rows[i - 1].diagonal;
    rows[i].diagonal -= factor * rows[i - 1].upper;
    rows[i].right -= factor * rows[i - 1].right;
  }
  std::vector<double> solution(n);
  for (std::size_t i = n; i-- > 0;)
    solution[i] =
        (rows[i].right - (i + 1 < n ? rows[i].upper * solution[i + 1] : 0.)) /
        rows[i].diagonal;
  return solution;
}

/// The end condition, with the outermost interval of width a and secant slope
/// s next to one of width b and secant slope t.
double end_value(double a, double b, double s, double t) {
  return ((3 * a + 2 * b) * b * s + a * a * t) / (a + b);
}

std::vector<double> slopes(const std::vector<double>& x,
                           const std::vector<double>& y) {
  const std::size_t n = x.size();
  std::vector<double> h(n - 1), s(n - 1);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    h[i] = x[i + 1] - x[i];
    s[i] = (y[i + 1] - y[i]) / h[i];
  }
  std::vector<Row> rows(n);
  rows[0] = {0, h[1], h[0] + h[1], end_value(h[0], h[1], s[0], s[1])};
  for (std::size_t i = 1; i + 1 < n; ++i)
    rows[i] = {h[i], 2 * (h[i - 1] + h[i]), h[i - 1],
               3 * (h[i] * s[i - 1] + h[i - 1] * s[i])};
  rows[n - 1] = {h[n - 2] + h[n - 3], h[n - 3], 0,
                 end_value(h[n - 2], h[n - 3], s[n - 2], s[n - 3])};
  return solve(std::move(rows));
}

}  // namespace

NotAKnotSpline::NotAKnotSpline(std::vector<double> x, std::vector<double> y)
    : m_x(std::move(x)), m_y(std::move(y)) {
  if (m_x.size() < 4)
    throw std::invalid_argument("NotAKnotSpline: x: takes at least 4 points");
  if (m_y.size() != m_x.size())
    throw std::invalid_argument("NotAKnotSpline: y: takes a value for each x");
  const auto not_above = [](double a, double b) { return !(a < b); };
  if (std::adjacent_find(m_x.begin(), m_x.end(), not_above) != m_x.end())
    throw std::invalid_argument("NotAKnotSpline: x: takes ascending numbers");
  m_slope = slopes(m_x, m_y);
}

double NotAKnotSpline::operator()(double at) const {
  const auto above    = std::upper_bound(m_x.begin() + 1, m_x.end() - 1, at);
  const std::size_t i = std::size_t(above - m_x.begin()) - 1;
  const double h = m_x[i + 1] - m_x[i], t = at - m_x[i];
  const double secant = (m_y[i + 1] - m_y[i]) / h;
  const double square = (3 * secant - 2 * m_slope[i] - m_slope[i + 1]) / h;
  const double cube   = (m_slope[i] + m_slope[i + 1] - 2 * secant) / (h * h);
  return m_y[i] + t * (m_slope[i] + t * (square + t * cube));
}

}  // namespace AirfoilApp
