// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Spread and interpolate by their definitions, on the host, in double: sums
/// over all periodic images of the grid points near a point, with the formulas
/// of Sporos_ReferenceDelta.hpp. Shares no code with the library.

#ifndef SPOROS_TRANSFERREFERENCE_HPP
#define SPOROS_TRANSFERREFERENCE_HPP

#include "Sporos_ReferenceDelta.hpp"

#include <Sporos_Grid.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

namespace Sporos {
namespace Test {

/// Where the points are.
enum class Cloud {
  uniform,    ///< all over the domain
  far,        ///< uniform, many periods away, or up to 6 cells beyond walls
  ghosts,     ///< within 1.5 cells of lower and upper ends
  clustered,  ///< most in few cells
  one_cell,   ///< all in one cell
  edges,      ///< on grid points, edges of cells and of the domain
  sorted      ///< along a line, one after another
};

/// A grid, points, and the staggerings that points are sorted for and that the
/// field has.
template <int Dim>
struct Problem {
  std::array<int, Dim> cells;
  std::array<bool, Dim> wall;
  Cloud cloud      = Cloud::uniform;
  int n            = 997;
  int components   = 1;
  Staggering plan  = {{0., 0., 0.}};
  Staggering field = {{0., 0., 0.}};

  bool one_staggering() const {
    for (int d = 0; d < Dim; ++d)
      if (plan[d] != field[d]) return false;
    return true;
  }
  std::string name() const {
    std::string s = "cells";
    for (int d = 0; d < Dim; ++d)
      s += ' ' + std::to_string(cells[d]) + (wall[d] ? " wall" : "");
    s += ", cloud " + std::to_string(int(cloud)) + ", n " + std::to_string(n);
    s += ", components " + std::to_string(components) + ", plan g";
    for (int d = 0; d < Dim; ++d) s += ' ' + std::to_string(plan[d]);
    s += ", field g";
    for (int d = 0; d < Dim; ++d) s += ' ' + std::to_string(field[d]);
    return s;
  }
};

/// The grid of a problem: other spacing and origin in each direction.
template <class Real, int Dim>
Grid<Dim, Real> grid_of(const Problem<Dim>& problem) {
  const double h[3] = {.37, .125, 1.1}, origin[3] = {-1.3, 0., 2.5};
  Kokkos::Array<int, Dim> cells{};
  Kokkos::Array<Real, Dim> spacing{}, lower{};
  Kokkos::Array<Boundary, Dim> boundary{};
  for (int d = 0; d < Dim; ++d) {
    cells[d]    = problem.cells[d];
    spacing[d]  = Real(h[d]);
    lower[d]    = Real(origin[d]);
    boundary[d] = problem.wall[d] ? Boundary::wall : Boundary::periodic;
  }
  return Grid<Dim, Real>(cells, spacing, boundary, lower);
}

/// Positions, point by point, in the precision of the grid.
template <int Dim, class Real>
std::vector<Real> make_positions(const Problem<Dim>& problem,
                                 const Grid<Dim, Real>& grid) {
  std::mt19937_64 generator(20 + unsigned(problem.n));
  std::uniform_real_distribution<double> uniform(0., 1.);
  std::normal_distribution<double> normal;
  const bool exact = sizeof(Real) == 8;
  std::vector<Real> x;
  for (int i = 0; i < problem.n; ++i)
    for (int d = 0; d < Dim; ++d) {
      const double n = grid.cells(d);
      double u       = n * uniform(generator);  // in cells
      switch (problem.cloud) {
        case Cloud::uniform: break;
        case Cloud::far:
          if (problem.wall[d])
            u = (n + 12.) * uniform(generator) - 6.;
          else
            u += n * std::floor((exact ? 1e5 : 9.) * (uniform(generator) - .5));
          break;
        case Cloud::ghosts:
          u = 3. * uniform(generator) - 1.5 + ((i >> d) % 2 ? n : 0.);
          break;
        case Cloud::clustered:
          if (i % 8) u = .6 * n + .3 * normal(generator);
          break;
        case Cloud::one_cell: u = std::floor(.4 * n) + .02 + .4 * u / n; break;
        case Cloud::edges:
          u = std::floor(u) + (i % 3 == 2 ? .5 : 0.) + (i % 7 ? 0. : 1.);
          break;
        case Cloud::sorted: u = n * (i + .437) / problem.n; break;
      }
      Real value = Real(grid.origin(d) + u * grid.spacing(d));
      if (problem.cloud == Cloud::edges && problem.wall[d])
        value = std::min(
            std::max(value, grid.origin(d)),
            Real(grid.origin(d) + Real(grid.cells(d)) * grid.spacing(d)));
      x.push_back(value);
    }
  return x;
}

/// Numbers in [-1, 1) with all digits.
template <class T>
std::vector<T> random_numbers(std::size_t n, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<T> uniform(-1, 1);
  std::vector<T> v(n);
  for (T& x : v) x = uniform(generator);
  return v;
}

/// Grid points and weights (phi, without 1 / h) of one coordinate.
struct Row {
  std::vector<int> index;
  std::vector<double> weight;
};

/// Weights as small as the square root of this are of no account: cells of
/// points are found in the precision of Real.
template <class Delta, int Dim, class Real>
class Reference {
 public:
  /// weight(d, x): the weight in direction d of a grid point x cells above a
  /// point
  template <class Weight>
  Reference(const Problem<Dim>& problem, const Grid<Dim, Real>& grid,
            const std::vector<Real>& positions, const Weight& weight)
      : m_grid(grid), m_rows(positions.size()) {
    m_size = 1;
    for (int d = 0; d < Dim; ++d) {
      m_points[d] = m_grid.points(d, problem.field[d]);
      m_size *= std::size_t(m_points[d]);
      m_volume *= grid.spacing(d);
    }
    for (int i = 0; i < problem.n; ++i) {
      bool in = true;
      for (int d = 0; d < Dim; ++d)
        in = in && inside(d, positions[i * Dim + d], problem.plan[d]);
      m_inside.push_back(in);
      for (int d = 0; in && d < Dim; ++d)
        m_rows[i * Dim + d] = row(d, positions[i * Dim + d], problem.field[d],
                                  [&](double to) { return weight(d, to); });
    }
  }
  Reference(const Problem<Dim>& problem, const Grid<Dim, Real>& grid,
            const std::vector<Real>& positions)
      : Reference(problem, grid, positions,
                  [](int d, double x) { return phi_in(d, Delta{}, x); }) {}

  std::size_t size() const { return m_size; }  ///< grid points
  int points(int d) const { return m_points[d]; }
  bool is_inside(int i) const { return m_inside[i]; }
  double volume() const { return m_volume; }

  /// Calls f(grid point, weight) for all grid points of point i, first
  /// direction fastest.
  template <class F>
  void visit(int i, const F& f) const {
    if (!m_inside[i]) return;
    visit_from(i, Dim - 1, 0, 1., f);
  }

  /// Sum over the points; scale: the sum of absolute values.
  template <class T>
  void spread(const std::vector<T>& strengths, int components, int component,
              std::vector<double>& field, double& scale) const {
    std::vector<double> absolute(m_size);
    field.assign(m_size, 0.);
    for (std::size_t i = 0; i < m_inside.size(); ++i) {
      const double l = double(strengths[i * components + component]) / m_volume;
      visit(int(i), [&](std::size_t p, double w) {
        field[p] += w * l;
        absolute[p] += std::fabs(w * l);
      });
    }
    scale = 0;
    for (const double a : absolute) scale = std::max(scale, a);
  }

  /// Interpolated value of point i.
  template <class F>
  double interpolate(int i, const F& field) const {
    double sum = 0;
    visit(i, [&](std::size_t p, double w) { sum += w * field(p); });
    return sum;
  }

 private:
  static constexpr double half = Delta::support % 2 ? .5 : 0.;

  double in_cells(int d, Real x, double g) const {
    return (double(x) - m_grid.origin(d)) / m_grid.spacing(d) - g;
  }
  /// Next to walls the cell may be one outside.
  bool inside(int d, Real x, double g) const {
    if (m_grid.boundary(d) == Boundary::periodic) return true;
    const double cell = std::floor(in_cells(d, x, g) + half);
    return cell >= -1 && cell <= m_grid.cells(d);
  }
  template <class Weight>
  Row row(int d, Real x, double g, const Weight& weight) const {
    const double u        = in_cells(d, x, g);
    const long long first = (long long)(std::floor(u)) - Delta::support;
    const long long n     = m_grid.cells(d);
    Row row;
    for (long long j = first; j < first + 2 * Delta::support + 2; ++j) {
      const double w = weight(double(j) - u);
      if (w == 0.) continue;
      long long index = j;
      if (m_grid.boundary(d) == Boundary::periodic)
        index = (j % n + n) % n;
      else if (j < 0 || j >= m_points[d])
        continue;
      row.index.push_back(int(index));
      row.weight.push_back(w);
    }
    return row;
  }
  template <class F>
  void visit_from(int i, int d, std::size_t above, double w, const F& f) const {
    const Row& row = m_rows[std::size_t(i) * Dim + d];
    for (std::size_t j = 0; j < row.index.size(); ++j) {
      const std::size_t p = above * m_points[d] + row.index[j];
      if (d == 0)
        f(p, w * row.weight[j]);
      else
        visit_from(i, d - 1, p, w * row.weight[j], f);
    }
  }

  Grid<Dim, Real> m_grid;
  std::array<int, Dim> m_points{};
  std::size_t m_size = 1;
  double m_volume    = 1;
  std::vector<bool> m_inside;
  std::vector<Row> m_rows;
};

}  // namespace Test
}  // namespace Sporos

#endif
