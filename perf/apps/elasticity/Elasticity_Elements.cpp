// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Elasticity_Elements.hpp"

#include <cmath>
#include <cstddef>

namespace ElasticityApp {
namespace {

using List  = std::vector<int>;
using Lists = std::vector<List>;

constexpr double cube_corners[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0},
                                       {0, 1, 0}, {0, 0, 1}, {1, 0, 1},
                                       {1, 1, 1}, {0, 1, 1}};

Place corner(Shape shape, int k) {
  if (shape == Shape::hexahedra)
    return {cube_corners[k][0], cube_corners[k][1], cube_corners[k][2]};
  return {k == 1 ? 1. : 0., k == 2 ? 1. : 0., k == 3 ? 1. : 0.};
}

/// The polynomial of one direction that is 1 at `place` and 0 at the other
/// nodes, and its derivative.
void lagrange(int order, double place, double x, double& value, double& slope) {
  if (order == 1) {
    value = place == 0 ? 1 - x : x;
    slope = place == 0 ? -1 : 1;
  } else if (place == 0) {
    value = (1 - x) * (1 - 2 * x);
    slope = 4 * x - 3;
  } else if (place == 1) {
    value = x * (2 * x - 1);
    slope = 4 * x - 1;
  } else {
    value = 4 * x * (1 - x);
    slope = 4 - 8 * x;
  }
}

ShapeValues on_cube(int order, const Place& at) {
  ShapeValues s;
  for (const Place& p : places(Shape::hexahedra, order)) {
    double v[3], d[3];
    for (std::size_t k = 0; k < 3; ++k)
      lagrange(order, p[k], at[k], v[k], d[k]);
    s.values.push_back(v[0] * v[1] * v[2]);
    s.gradients.push_back(
        {d[0] * v[1] * v[2], v[0] * d[1] * v[2], v[0] * v[1] * d[2]});
  }
  return s;
}

ShapeValues on_tetrahedron(int order, const Place& at) {
  const double l[4]   = {1 - at[0] - at[1] - at[2], at[0], at[1], at[2]};
  const Place slope[] = {{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  ShapeValues s;
  const auto add = [&](double value, double a, int i, double b, int j) {
    s.values.push_back(value);
    Place g;
    for (std::size_t d = 0; d < 3; ++d)
      g[d] = a * slope[i][d] + b * slope[j][d];
    s.gradients.push_back(g);
  };
  for (int k = 0; k < 4; ++k)
    if (order == 1)
      add(l[k], 1, k, 0, k);
    else
      add(l[k] * (2 * l[k] - 1), 4 * l[k] - 1, k, 0, k);
  if (order == 2)
    for (const List& e : between(Shape::tetrahedra))
      add(4 * l[e[0]] * l[e[1]], 4 * l[e[1]], e[0], 4 * l[e[0]], e[1]);
  return s;
}

/// Is a place on a face of the reference cell?
bool is_on(Shape shape, const Place& p, int face) {
  if (shape == Shape::hexahedra) return p[std::size_t(face / 2)] == face % 2;
  return face < 3 ? p[std::size_t(face)] == 0 : p[0] + p[1] + p[2] == 1;
}

Quadrature on_cube(bool fine) {
  const double far       = std::sqrt(fine ? .6 : 1 / 3.) / 2;
  const List at          = fine ? List{-1, 0, 1} : List{-1, 1};
  const double weight[3] = {fine ? 5 / 18. : .5, 8 / 18., fine ? 5 / 18. : .5};
  Quadrature q;
  for (const int i : at)
    for (const int j : at)
      for (const int k : at) {
        q.points.push_back({.5 + i * far, .5 + j * far, .5 + k * far});
        q.weights.push_back(weight[i + 1] * weight[j + 1] * weight[k + 1]);
      }
  return q;
}

/// The points with barycentric coordinates (a, a, a, 1 - 3 a).
void add_four(Quadrature& q, double a, double weight) {
  for (std::size_t k = 0; k < 4; ++k) {
    Place p{a, a, a};
    if (k < 3) p[k] = 1 - 3 * a;
    q.points.push_back(p);
    q.weights.push_back(weight / 6);
  }
}

/// Degree 2 with 4 points, or degree 5 with 14 (N. J. Walkington, Quadrature on
/// simplices of arbitrary dimension).
Quadrature on_tetrahedron(bool fine) {
  Quadrature q;
  if (!fine) {
    add_four(q, .1381966011250105, .25);
    return q;
  }
  add_four(q, .31088591926330060980, .11268792571801585080);
  add_four(q, .09273525031089122640, .07349304311636194954);
  const double a = .04550370412564964949, b = .5 - a;
  for (int i = 0; i < 4; ++i)
    for (int j = i + 1; j < 4; ++j) {
      double l[4] = {b, b, b, b};
      l[i] = l[j] = a;
      q.points.push_back({l[1], l[2], l[3]});
      q.weights.push_back(.04254602077708146644 / 6);
    }
  return q;
}

}  // namespace

int corner_count(Shape shape) { return shape == Shape::hexahedra ? 8 : 4; }

int node_count(Shape shape, int order) {
  return corner_count(shape) + (order == 1 ? 0 : int(between(shape).size()));
}

const Lists& between(Shape shape) {
  static const Lists tetrahedron{{0, 1}, {1, 2}, {0, 2},
                                 {0, 3}, {2, 3}, {1, 3}};
  static const Lists cube{{0, 1},
                          {0, 3},
                          {0, 4},
                          {1, 2},
                          {1, 5},
                          {2, 3},
                          {2, 6},
                          {3, 7},
                          {4, 5},
                          {4, 7},
                          {5, 6},
                          {6, 7},
                          {0, 1, 2, 3},
                          {0, 1, 4, 5},
                          {0, 3, 4, 7},
                          {1, 2, 5, 6},
                          {2, 3, 6, 7},
                          {4, 5, 6, 7},
                          {0, 1, 2, 3, 4, 5, 6, 7}};
  return shape == Shape::hexahedra ? cube : tetrahedron;
}

std::vector<Place> places(Shape shape, int order) {
  std::vector<Place> all;
  for (int k = 0; k < corner_count(shape); ++k) all.push_back(corner(shape, k));
  if (order == 1) return all;
  for (const List& corners : between(shape)) {
    Place middle{0, 0, 0};
    for (const int k : corners)
      for (std::size_t d = 0; d < 3; ++d)
        middle[d] += corner(shape, k)[d] / double(corners.size());
    all.push_back(middle);
  }
  return all;
}

Lists faces(Shape shape, int order) {
  const std::vector<Place> all = places(shape, order);
  Lists found(shape == Shape::hexahedra ? 6 : 4);
  for (std::size_t f = 0; f < found.size(); ++f)
    for (std::size_t n = 0; n < all.size(); ++n)
      if (is_on(shape, all[n], int(f))) found[f].push_back(int(n));
  return found;
}

ShapeValues shape_values(Shape shape, int order, const Place& at) {
  return shape == Shape::hexahedra ? on_cube(order, at)
                                   : on_tetrahedron(order, at);
}

Quadrature quadrature(Shape shape, bool fine) {
  return shape == Shape::hexahedra ? on_cube(fine) : on_tetrahedron(fine);
}

}  // namespace ElasticityApp
