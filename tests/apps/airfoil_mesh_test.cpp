// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Sporos_Test.hpp>

#include "Airfoil_Mesh.hpp"
#include "Airfoil_Serial.hpp"
#include "Airfoil_Spline.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <vector>

using namespace AirfoilApp;

TEST_CASE("airfoil mesh: not-a-knot splines reproduce cubics", "[airfoil]") {
  const auto cubic = [](double x) { return 1 + x * (2 - x * (3 - 0.5 * x)); };
  for (const int n : {4, 5, 9}) {
    std::vector<double> x, y;
    for (int k = 0; k < n; ++k) {
      x.push_back(0.3 * k + 0.05 * k * k);
      y.push_back(cubic(x.back()));
    }
    const NotAKnotSpline spline(x, y);
    for (double at = -1; at < 6; at += 0.37)
      CHECK(spline(at) == Approx(cubic(at)).epsilon(1e-11));
  }
}

TEST_CASE("airfoil mesh: splines are twice differentiable and not a knot",
          "[airfoil]") {
  const std::vector<double> x{0, 1, 1.5, 3, 4, 4.2}, y{0, 2, -1, 0.5, 0.25, 1};
  const NotAKnotSpline s(x, y);
  const double h   = 1e-3;
  const auto third = [&](double at) {
    return (s(at + 1.5 * h) - 3 * s(at + 0.5 * h) + 3 * s(at - 0.5 * h) -
            s(at - 1.5 * h)) /
           (h * h * h);
  };
  for (std::size_t k = 0; k < x.size(); ++k) CHECK(s(x[k]) == Approx(y[k]));
  for (std::size_t k = 1; k + 1 < x.size(); ++k) {
    const double left = (s(x[k] - 2 * h) - 2 * s(x[k] - h) + s(x[k])) / (h * h);
    const double right =
        (s(x[k] + 2 * h) - 2 * s(x[k] + h) + s(x[k])) / (h * h);
    CHECK(left == Approx(right).margin(0.5));
  }
  CHECK(third(0.9) == Approx(third(1.1)).epsilon(1e-3));
  CHECK(third(3.9) == Approx(third(4.1)).epsilon(1e-3));
  CHECK(std::abs(third(1.4) - third(1.6)) > 1);
  CHECK_THROWS_AS(NotAKnotSpline({0, 1, 2}, {0, 1, 2}), std::invalid_argument);
  CHECK_THROWS_AS(NotAKnotSpline({0, 1, 1, 2}, {0, 1, 2, 3}),
                  std::invalid_argument);
  CHECK_THROWS_AS(NotAKnotSpline({0, 1, 2, 3}, {0, 1, 2}),
                  std::invalid_argument);
}

TEST_CASE("airfoil mesh: rounding is that of printing", "[airfoil]") {
  std::vector<double> values{0,
                             -0.,
                             6.25e-6,
                             0.5e-6,
                             1.5e-6,
                             1.0000005,
                             -2.5e-6,
                             1. / 3,
                             -8.1234565,
                             123.4567895,
                             0.0000004999999999999999};
  unsigned random = 1;
  for (int k = 0; k < 20000; ++k) {
    random = random * 1664525u + 1013904223u;
    // many of them close to ties
    values.push_back((double(random >> 12) + 0.5) * 1e-6 - 0.1);
  }
  for (const double v : values) {
    char text[64];
    std::snprintf(text, sizeof text, "%f", v);
    CHECK(rounded_to_6_decimals(v) == std::strtod(text, nullptr));
  }
}

TEST_CASE("airfoil mesh: numbers of the published meshes", "[airfoil]") {
  const auto m = naca0012_mesh(40, 30);
  CHECK(m.nodes() == (3 * 40 + 1) * 31);
  CHECK(m.cells() == 3 * 40 * 30);
  CHECK(m.edges() == (3 * 40 - 1) * 30 + 3 * 40 * 29 + 40);
  CHECK(m.boundary_edges() == 40 + 3 * 40 + 2 * 30);
  CHECK_THROWS_AS(naca0012_mesh(3, 10), std::invalid_argument);
  CHECK_THROWS_AS(naca0012_mesh(10, 1), std::invalid_argument);
  CHECK_THROWS_AS(naca0012_mesh(40000, 40000), std::invalid_argument);
}

TEST_CASE("airfoil mesh: blocks are the whole mesh, cut", "[airfoil]") {
  const auto whole = naca0012_mesh(9, 5);
  for (const int parts : {1, 2, 3, 5, 8}) {
    Sporos::QuadMesh all;
    const auto append = [](auto& to, const auto& values) {
      to.insert(to.end(), values.begin(), values.end());
    };
    for (int part = 0; part < parts; ++part) {
      const auto block = naca0012_mesh(9, 5, part, parts);
      append(all.coordinates, block.coordinates);
      append(all.cell_nodes, block.cell_nodes);
      append(all.edge_nodes, block.edge_nodes);
      append(all.edge_cells, block.edge_cells);
      append(all.boundary_nodes, block.boundary_nodes);
      append(all.boundary_cells, block.boundary_cells);
      append(all.boundary_flags, block.boundary_flags);
    }
    CHECK(all.coordinates == whole.coordinates);
    CHECK(all.cell_nodes == whole.cell_nodes);
    CHECK(all.edge_nodes == whole.edge_nodes);
    CHECK(all.edge_cells == whole.edge_cells);
    CHECK(all.boundary_nodes == whole.boundary_nodes);
    CHECK(all.boundary_cells == whole.boundary_cells);
    CHECK(all.boundary_flags == whole.boundary_flags);
  }
}

TEST_CASE("airfoil mesh: the published mesh, to the last digit", "[airfoil]") {
  // the sums belong to a mesh with which the published results come out
  const auto m = naca0012_mesh(400, 600);
  CHECK(m.nodes() == 721801);
  CHECK(m.cells() == 720000);
  CHECK(m.edges() == 1438600);
  CHECK(m.boundary_edges() == 2800);
  std::uint64_t sum = 0;
  for (const double x : m.coordinates)
    sum = sum * 31 + std::uint64_t(std::llround(1e6 * x));
  CHECK(sum == 0x6459e3eb832d8c87);
  sum = 0;
  for (const auto* v :
       {&m.cell_nodes, &m.edge_nodes, &m.edge_cells, &m.boundary_nodes,
        &m.boundary_cells, &m.boundary_flags})
    for (const int i : *v) sum = sum * 31 + std::uint64_t(i);
  CHECK(sum == 0x6c83bf636c13b170);
}

TEST_CASE("airfoil mesh: normals of each cell add up to nothing", "[airfoil]") {
  const auto m = naca0012_mesh(40, 30);
  std::vector<double> sum(2 * std::size_t(m.cells()), 0.);
  const auto add = [&](int n0, int n1, int cell, double sign) {
    const double* a = &m.coordinates[2 * std::size_t(n0)];
    const double* b = &m.coordinates[2 * std::size_t(n1)];
    sum[2 * std::size_t(cell)] += sign * (a[1] - b[1]);
    sum[2 * std::size_t(cell) + 1] += sign * (b[0] - a[0]);
  };
  for (std::size_t e = 0; e < std::size_t(m.edges()); ++e)
    for (std::size_t k = 0; k < 2; ++k)
      add(m.edge_nodes[2 * e], m.edge_nodes[2 * e + 1], m.edge_cells[2 * e + k],
          k == 0 ? 1 : -1);
  int walls = 0;
  for (std::size_t b = 0; b < std::size_t(m.boundary_edges()); ++b) {
    add(m.boundary_nodes[2 * b], m.boundary_nodes[2 * b + 1],
        m.boundary_cells[b], 1);
    walls += m.boundary_flags[b] == wall;
  }
  CHECK(walls == 40);
  double largest = 0;
  for (const double s : sum)
    largest = Sporos::Test::larger_error(largest, std::abs(s));
  CHECK(largest < 1e-12);
}

TEST_CASE("airfoil mesh: the profile is a NACA0012", "[airfoil]") {
  const auto m = naca0012_mesh(100, 10);
  double left = 1, right = 0, highest = 0, at = 0;
  for (std::size_t b = 0; b < 100; ++b) {
    REQUIRE(m.boundary_flags[b] == wall);
    const auto n = 2 * std::size_t(m.boundary_nodes[2 * b]);
    // the generator shifts the nose to -0.0077
    const double x = m.coordinates[n], y = m.coordinates[n + 1];
    left  = std::min(left, x);
    right = std::max(right, x);
    if (y > highest) at = x;
    highest = std::max(highest, y);
  }
  CHECK(left == Approx(-0.0077).margin(1e-5));
  CHECK(right == Approx(1).margin(1e-3));
  CHECK(highest == Approx(0.0595).margin(1e-4));
  CHECK(at == Approx(0.3).margin(0.02));
}

TEST_CASE("airfoil mesh: an undisturbed flow without a profile stays",
          "[airfoil]") {
  auto m = naca0012_mesh(20, 16);
  for (int& flag : m.boundary_flags) flag = far_field;
  SerialAirfoil<double> a(m);
  CHECK(a.iterate() < 1e-14);
}
