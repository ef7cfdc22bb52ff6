// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Sporos_Test.hpp"

#include <Sporos_MeshGenerators.hpp>

#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <vector>

namespace {

using Sporos::HexMesh;
using Sporos::QuadMesh;
using Point = std::array<double, 3>;

std::size_t row(int element, int width) {
  return std::size_t(element) * std::size_t(width);
}

Point node(const QuadMesh& m, int n) {
  return {m.coordinates[row(n, 2)], m.coordinates[row(n, 2) + 1], 0};
}
Point node(const HexMesh& m, int n) {
  return {m.coordinates[row(n, 3)], m.coordinates[row(n, 3) + 1],
          m.coordinates[row(n, 3) + 2]};
}

template <class Mesh>
Point centre(const Mesh& m, const std::vector<int>& nodes, int element,
             int arity) {
  Point c{};
  for (int k = 0; k < arity; ++k)
    for (std::size_t d = 0; d < 3; ++d)
      c[d] += node(m, nodes[row(element, arity) + std::size_t(k)])[d] / arity;
  return c;
}

Point minus(const Point& a, const Point& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
double dot(const Point& a, const Point& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
          a[0] * b[1] - a[1] * b[0]};
}

/// Normal of an edge, as QuadMesh defines it.
Point normal(const QuadMesh& m, const std::vector<int>& nodes, int e) {
  const Point a = node(m, nodes[row(e, 2)]), b = node(m, nodes[row(e, 2) + 1]);
  return {a[1] - b[1], b[0] - a[0], 0};
}
/// Normal of a face, as HexMesh defines it.
Point normal(const HexMesh& m, const std::vector<int>& nodes, int f) {
  const int* n = &nodes[row(f, 4)];
  Point out    = cross(minus(node(m, n[2]), node(m, n[0])),
                       minus(node(m, n[3]), node(m, n[1])));
  for (double& x : out) x /= 2;
  return out;
}

/// Sum over all cells of the normals of their edges or faces, as far as they
/// are not 0: for meshes without holes there are none.
template <class Mesh>
double largest_gap(const Mesh& m, const std::vector<int>& inner_nodes,
                   const std::vector<int>& inner_cells, int inner) {
  std::vector<Point> sum(std::size_t(m.cells()), Point{});
  const auto add = [&](int cell, const Point& n, double sign) {
    for (std::size_t d = 0; d < 3; ++d)
      sum[std::size_t(cell)][d] += sign * n[d];
  };
  for (int e = 0; e < inner; ++e) {
    add(inner_cells[row(e, 2)], normal(m, inner_nodes, e), 1);
    add(inner_cells[row(e, 2) + 1], normal(m, inner_nodes, e), -1);
  }
  for (std::size_t b = 0; b < m.boundary_cells.size(); ++b)
    add(m.boundary_cells[b], normal(m, m.boundary_nodes, int(b)), 1);
  double gap = 0;
  for (const Point& p : sum) gap = Sporos::Test::larger_error(gap, dot(p, p));
  return gap;
}

std::map<int, int> count(const std::vector<int>& values) {
  std::map<int, int> n;
  for (const int v : values) ++n[v];
  return n;
}

}  // namespace

TEST_CASE("mesh generators: numbers of a quad mesh", "[mesh_generators]") {
  const QuadMesh m = Sporos::quad_mesh(5, 3, 10, 3);
  CHECK(m.nodes() == 6 * 4);
  CHECK(m.cells() == 15);
  CHECK(m.edges() == 4 * 3 + 5 * 2);
  CHECK(m.boundary_edges() == 16);
  CHECK(m.edge_cells.size() == m.edge_nodes.size());
  CHECK(m.boundary_nodes.size() == 32);
  CHECK(count(m.boundary_flags) ==
        std::map<int, int>{{1, 5}, {2, 3}, {3, 5}, {4, 3}});
  CHECK(node(m, 23) == Point{10, 3, 0});
  CHECK(node(m, 7) == Point{2, 1, 0});
}

TEST_CASE("mesh generators: quad edges lie between their cells",
          "[mesh_generators]") {
  const QuadMesh m = Sporos::quad_mesh(4, 7);
  std::set<std::set<int>> pairs;
  for (int e = 0; e < m.edges(); ++e) {
    const int a = m.edge_cells[row(e, 2)], b = m.edge_cells[row(e, 2) + 1];
    CHECK(pairs.insert({a, b}).second);
    const Point way =
        minus(centre(m, m.cell_nodes, b, 4), centre(m, m.cell_nodes, a, 4));
    const Point n = normal(m, m.edge_nodes, e);
    CHECK(dot(way, n) == Approx(1. / (4 * 7)));
    CHECK(dot(way, way) * dot(n, n) == Approx(1. / (4 * 7 * 4 * 7)));
  }
  CHECK(largest_gap(m, m.edge_nodes, m.edge_cells, m.edges()) < 1e-28);
}

TEST_CASE("mesh generators: numbers of a hex mesh", "[mesh_generators]") {
  const HexMesh m = Sporos::hex_mesh(4, 3, 2, 4, 6, 1);
  CHECK(m.nodes() == 60);
  CHECK(m.cells() == 24);
  CHECK(m.faces() == 3 * 6 + 4 * 2 * 2 + 4 * 3 * 1);
  CHECK(m.boundary_faces() == 2 * (12 + 8 + 6));
  CHECK(m.face_cells.size() == 2 * std::size_t(m.faces()));
  CHECK(m.boundary_nodes.size() == 4 * std::size_t(m.boundary_faces()));
  CHECK(count(m.boundary_flags) ==
        std::map<int, int>{{1, 6}, {2, 6}, {3, 8}, {4, 8}, {5, 12}, {6, 12}});
  CHECK(node(m, 59) == Point{4, 6, 1});
  CHECK(node(m, 1 + 5 * (2 + 4 * 1)) == Point{1, 4, .5});
}

TEST_CASE("mesh generators: hex faces lie between their cells",
          "[mesh_generators]") {
  const HexMesh m = Sporos::hex_mesh(3, 4, 5, 3, 4, 5);
  std::set<std::set<int>> pairs;
  for (int f = 0; f < m.faces(); ++f) {
    const int a = m.face_cells[row(f, 2)], b = m.face_cells[row(f, 2) + 1];
    CHECK(pairs.insert({a, b}).second);
    const Point way =
        minus(centre(m, m.cell_nodes, b, 8), centre(m, m.cell_nodes, a, 8));
    const Point n = normal(m, m.face_nodes, f);
    CHECK(dot(minus(way, n), minus(way, n)) < 1e-24);
    const Point to_face =
        minus(centre(m, m.face_nodes, f, 4), centre(m, m.cell_nodes, a, 8));
    CHECK(dot(to_face, n) == Approx(0.5));
  }
  CHECK(largest_gap(m, m.face_nodes, m.face_cells, m.faces()) < 1e-24);
}

TEST_CASE("mesh generators: hex cells go round upwards", "[mesh_generators]") {
  const HexMesh m = Sporos::hex_mesh(2, 2, 2);
  for (int c = 0; c < m.cells(); ++c) {
    const int* n = &m.cell_nodes[row(c, 8)];
    for (int up = 0; up < 8; up += 4) {
      const Point a = minus(node(m, n[up + 1]), node(m, n[up]));
      const Point b = minus(node(m, n[up + 3]), node(m, n[up]));
      const Point d = minus(node(m, n[up + 2]), node(m, n[up]));
      CHECK(cross(a, b) == Point{0, 0, .25});
      CHECK(d == Point{.5, .5, 0});
    }
    CHECK(minus(node(m, n[4]), node(m, n[0])) == Point{0, 0, .5});
  }
}
