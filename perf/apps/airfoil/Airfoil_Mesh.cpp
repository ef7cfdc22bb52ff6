// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Airfoil_Mesh.hpp"

#include "Airfoil_Spline.hpp"

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace AirfoilApp {
namespace {

/// Half thickness of the profile with a sharp trailing edge: 0 at 0 and 1.
double naca0012_half_thickness(double x) {
  if (x == 1) return 0;
  return 0.594689181 *
         (0.298222773 * std::sqrt(x) - 0.127125232 * x - 0.357907906 * x * x +
          0.291984971 * x * x * x - 0.105174696 * x * x * x * x);
}

/// The profile in the plane of square roots, where it is a bump between -1 and
/// 1: heights over the abscissae of a lattice.
NotAKnotSpline profile_in_root_plane() {
  constexpr int points   = 100;
  constexpr double focus = 0.0077;  // inside the nose, where the root branches
  const double right     = std::acos(0.);
  std::vector<double> x, y;
  for (int k = 0; k < points; ++k) {
    const double angle = k == points - 1 ? right : k * (right / (points - 1));
    const double s     = std::sin(angle) * std::sin(angle);
    const std::complex<double> root =
        std::sqrt(std::complex<double>(s - focus, naca0012_half_thickness(s)));
    x.push_back(root.real());
    y.push_back(root.imag());
  }
  std::vector<double> both_x, both_y;
  for (std::size_t k = x.size(); k-- > 1;) {
    both_x.push_back(-x[k]);
    both_y.push_back(y[k]);
  }
  both_x.insert(both_x.end(), x.begin(), x.end());
  both_y.insert(both_y.end(), y.begin(), y.end());
  return NotAKnotSpline(both_x, both_y);
}

/// Numbers of nodes and cells; i along the profile, j away from it.
struct Numbering {
  int along, layers;
  int width() const { return 3 * along; }
  int node(int i, int j) const { return i + (width() + 1) * j; }
  int cell(int i, int j) const { return i + width() * j; }
};

/// Numbers [begin, end).
struct Span {
  int begin, end;
};

/// One of `parts` nearly equal parts of n numbers.
Span part_of(int n, int part, int parts) {
  const auto cut = [&](int p) { return int(std::int64_t(n) * p / parts); };
  return {cut(part), cut(part + 1)};
}

/// Coordinates of the nodes of these rows.
std::vector<double> coordinates(const Numbering& m, const Span& rows) {
  const NotAKnotSpline profile = profile_in_root_plane();
  const double side            = 3;  // of the root plane: [-3, 3] x [0, 3]
  const int last               = m.width();
  std::vector<double> xy(2 * std::size_t(last + 1) *
                         std::size_t(rows.end - rows.begin));
  for (int i = 0; i <= last; ++i) {
    const double x = i == last ? side : -side + i * (2 * side / last);
    // between the cuts, -1 < x < 1, the lower side is the profile
    const double low = i > m.along && i < 2 * m.along ? profile(x) : 0;
    for (int j = rows.begin; j < rows.end; ++j) {
      const double y =
          j == m.layers ? side : low + j * ((side - low) / m.layers);
      double* to = &xy[2 * std::size_t(m.node(i, j - rows.begin))];
      to[0]      = rounded_to_6_decimals(x * x - y * y);
      to[1]      = rounded_to_6_decimals(2 * x * y);
    }
  }
  return xy;
}

void add_cells(Sporos::QuadMesh& mesh, const Numbering& m, const Span& layers) {
  for (int j = layers.begin; j < layers.end; ++j)
    for (int i = 0; i < m.width(); ++i)
      mesh.cell_nodes.insert(mesh.cell_nodes.end(),
                             {m.node(i, j), m.node(i + 1, j),
                              m.node(i + 1, j + 1), m.node(i, j + 1)});
}

/// Edges between cells, cell by cell: first those across the cut, then upper
/// and right ones.
void add_edges(Sporos::QuadMesh& mesh, const Numbering& m, const Span& layers) {
  const auto edge = [&](int node1, int node2, int cell1, int cell2) {
    mesh.edge_nodes.insert(mesh.edge_nodes.end(), {node1, node2});
    mesh.edge_cells.insert(mesh.edge_cells.end(), {cell1, cell2});
  };
  for (int j = layers.begin; j < layers.end; ++j)
    for (int i = 0; i < m.width(); ++i) {
      if (j == 0 && i < m.along)
        edge(m.node(i, j), m.node(i + 1, j), m.cell(m.width() - 1 - i, j),
             m.cell(i, j));
      if (j + 1 < m.layers)
        edge(m.node(i, j + 1), m.node(i + 1, j + 1), m.cell(i, j),
             m.cell(i, j + 1));
      if (i + 1 < m.width())
        edge(m.node(i + 1, j), m.node(i + 1, j + 1), m.cell(i + 1, j),
             m.cell(i, j));
    }
}

/// Boundary edge k: the profile comes first, then the far field clockwise in
/// the root plane... seen from the far field's right end.
void add_boundary_edge(Sporos::QuadMesh& mesh, const Numbering& m, int k) {
  const auto edge = [&](int node1, int node2, int cell, int flag) {
    mesh.boundary_nodes.insert(mesh.boundary_nodes.end(), {node1, node2});
    mesh.boundary_cells.push_back(cell);
    mesh.boundary_flags.push_back(flag);
  };
  const int right = m.width(), top = m.layers;
  if (k < m.along) {
    const int i = m.along + k;
    return edge(m.node(i + 1, 0), m.node(i, 0), m.cell(i, 0), wall);
  }
  k -= m.along;
  if (k < top)
    return edge(m.node(right, k + 1), m.node(right, k), m.cell(right - 1, k),
                far_field);
  k -= top;
  if (k < right) {
    const int i = right - 1 - k;
    return edge(m.node(i, top), m.node(i + 1, top), m.cell(i, top - 1),
                far_field);
  }
  const int j = top - 1 - (k - right);
  edge(m.node(0, j), m.node(0, j + 1), m.cell(0, j), far_field);
}

}  // namespace

double rounded_to_6_decimals(double value) {
  const double scaled = value * 1e6;
  double whole        = std::nearbyint(scaled);
  // the product may have been rounded to a tie that the exact one is not
  if (std::abs(scaled - whole) == 0.5) {
    const double rest = std::fma(value, 1e6, -scaled);
    if (rest > 0) whole = std::ceil(scaled);
    if (rest < 0) whole = std::floor(scaled);
  }
  return whole / 1e6;
}

Sporos::QuadMesh naca0012_mesh(int along, int layers, int part, int parts) {
  if (along < 4 || layers < 2 || 6. * along * layers >= 2e9)
    throw std::invalid_argument(
        "naca0012_mesh: takes at least 4 cells along and 2 layers, and fewer "
        "than 2e9 edges, got " +
        std::to_string(along) + " x " + std::to_string(layers));
  const Numbering m{along, layers};
  const Span mine = part_of(layers, part, parts);
  Span rows       = mine;
  if (part + 1 == parts) ++rows.end;  // the far field
  Sporos::QuadMesh mesh;
  mesh.coordinates = coordinates(m, rows);
  add_cells(mesh, m, mine);
  add_edges(mesh, m, mine);
  const Span boundary = part_of(4 * along + 2 * layers, part, parts);
  for (int k = boundary.begin; k < boundary.end; ++k)
    add_boundary_edge(mesh, m, k);
  return mesh;
}

}  // namespace AirfoilApp
