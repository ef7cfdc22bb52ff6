// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Elasticity_Mesh.hpp"

#include <cmath>
#include <cstddef>

namespace ElasticityApp {
namespace {

using Lattice = std::array<std::int64_t, 3>;

/// Nodes of a box at the points of a lattice.
class Box {
 public:
  Box(const Options& o, int cells) : m_options(o) {
    const bool is_beam = o.problem == Problem::cantilever;
    m_length           = is_beam ? o.length : 1;
    m_cubes = {is_beam ? std::int64_t(std::ceil(cells * m_length)) : cells,
               cells, cells};
    for (std::size_t d = 0; d < 3; ++d) m_nodes[d] = m_cubes[d] * o.order + 1;
  }

  std::int64_t cubes() const { return m_cubes[0] * m_cubes[1] * m_cubes[2]; }
  std::int64_t nodes() const { return m_nodes[0] * m_nodes[1] * m_nodes[2]; }

  std::int64_t number(const Lattice& at) const {
    return at[0] + m_nodes[0] * (at[1] + m_nodes[1] * at[2]);
  }
  Lattice node(std::int64_t number) const { return split(number, m_nodes); }
  /// The node at the lowest corner of a cube.
  Lattice cube(std::int64_t number) const {
    Lattice at = split(number, m_cubes);
    for (auto& i : at) i *= m_options.order;
    return at;
  }

  bool is_fixed(const Lattice& at) const {
    if (at[0] == 0) return true;
    if (m_options.problem == Problem::cantilever) return false;
    for (std::size_t d = 0; d < 3; ++d)
      if (at[d] == 0 || at[d] == m_nodes[d] - 1) return true;
    return false;
  }

  Place place(const Lattice& at) const {
    Place x;
    for (std::size_t d = 0; d < 3; ++d)
      x[d] = double(at[d]) / double(m_nodes[d] - 1);
    if (m_options.problem == Problem::cantilever) {
      x[0] *= m_length;
      return x;
    }
    const double pi   = std::acos(-1.);
    const double bend = m_options.distort / pi * std::sin(pi * x[0]) *
                        std::sin(pi * x[1]) * std::sin(pi * x[2]);
    return {x[0] + bend, x[1] - bend, x[2] + bend};
  }

 private:
  static Lattice split(std::int64_t number, const Lattice& n) {
    return {number % n[0], number / n[0] % n[1], number / n[0] / n[1]};
  }

  const Options& m_options;
  double m_length;
  Lattice m_cubes, m_nodes;
};

using BoxCell = std::vector<Lattice>;  ///< the nodes, from a corner of the cube

/// The node at a place between corners.
Lattice combined(const Place& p, const Lattice (&corners)[4], int order) {
  const double l[4] = {1 - p[0] - p[1] - p[2], p[0], p[1], p[2]};
  Lattice at;
  for (std::size_t d = 0; d < 3; ++d) {
    double sum = 0;
    for (std::size_t k = 0; k < 4; ++k) sum += l[k] * double(corners[k][d]);
    at[d] = std::llround(order * sum);
  }
  return at;
}

/// The six tetrahedra of a cube around its diagonal: one for each order in
/// which a path from corner to corner takes the three directions (H. W. Kuhn).
/// Cubes beside each other fit.
std::vector<BoxCell> tetrahedra(int order) {
  constexpr std::size_t paths[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                       {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  std::vector<BoxCell> cells;
  for (const auto& path : paths) {
    Lattice corners[4] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {1, 1, 1}};
    const bool odd     = cells.size() >= 3;  // turned the other way
    corners[odd ? 2 : 1][path[0]] = 1;
    corners[odd ? 1 : 2]          = {1, 1, 1};
    corners[odd ? 1 : 2][path[2]] = 0;
    BoxCell cell;
    for (const Place& p : places(Shape::tetrahedra, order))
      cell.push_back(combined(p, corners, order));
    cells.push_back(cell);
  }
  return cells;
}

std::vector<BoxCell> cells_of_cube(Shape shape, int order) {
  if (shape == Shape::tetrahedra) return tetrahedra(order);
  BoxCell cell;
  for (const Place& p : places(shape, order))
    cell.push_back({std::llround(order * p[0]), std::llround(order * p[1]),
                    std::llround(order * p[2])});
  return {cell};
}

}  // namespace

MeshBlock box_block(const Options& options, int cells, int rank, int size) {
  const Box box(options, cells);
  MeshBlock block;
  block.shape    = options.shape;
  block.order    = options.order;
  const auto end = [&](std::int64_t n) {
    return block_begin(n, rank + 1, size);
  };
  for (auto n = block_begin(box.nodes(), rank, size); n < end(box.nodes());
       ++n) {
    const Lattice at = box.node(n);
    const Place x    = box.place(at);
    block.coordinates.insert(block.coordinates.end(), x.begin(), x.end());
    block.fixed.push_back(box.is_fixed(at));
  }
  const auto in_cube = cells_of_cube(options.shape, options.order);
  for (auto c = block_begin(box.cubes(), rank, size); c < end(box.cubes());
       ++c) {
    const Lattice corner = box.cube(c);
    for (const BoxCell& cell : in_cube)
      for (const Lattice& from : cell) {
        const Lattice at{corner[0] + from[0], corner[1] + from[1],
                         corner[2] + from[2]};
        block.cell_nodes.push_back(box.number(at));
        block.unknowns.push_back(box.is_fixed(at) ? -1 : box.number(at));
      }
  }
  return block;
}

}  // namespace ElasticityApp
