// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_ELASTICITY_ELEMENTS_HPP
#define SPOROS_ELASTICITY_ELEMENTS_HPP

/// \file Elasticity_Elements.hpp
/// Cells with linear or quadratic functions, and points for integrals. Nodes
/// are in the order of Gmsh.

#include <array>
#include <vector>

namespace ElasticityApp {

enum class Shape { tetrahedra, hexahedra };

using Place = std::array<double, 3>;

/// The corners of a cell.
int corner_count(Shape shape);
/// The nodes of a cell: 4 or 10, 8 or 27.
int node_count(Shape shape, int order);

/// The corners between which each further node of a quadratic cell is: two for
/// edges, four for faces, eight for the middle.
const std::vector<std::vector<int>>& between(Shape shape);

/// The places of the nodes in the reference cell: the tetrahedron with the
/// corners 0, e1, e2, e3, or the unit cube.
std::vector<Place> places(Shape shape, int order);

/// The nodes of each face of a cell, its corners first.
std::vector<std::vector<int>> faces(Shape shape, int order);

/// Values and derivatives of all shape functions at a place: values[n],
/// gradients[n][d].
struct ShapeValues {
  std::vector<double> values;
  std::vector<Place> gradients;
};
ShapeValues shape_values(Shape shape, int order, const Place& at);

/// Points and weights of an integral over the reference cell.
struct Quadrature {
  std::vector<Place> points;
  std::vector<double> weights;
};
/// That of degree 2 or 5 on tetrahedra, with 2 or 3 points in each direction on
/// hexahedra.
Quadrature quadrature(Shape shape, bool fine);

}  // namespace ElasticityApp

#endif
