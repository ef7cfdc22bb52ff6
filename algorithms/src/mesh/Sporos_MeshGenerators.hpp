// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MESHGENERATORS_HPP
#define SPOROS_MESHGENERATORS_HPP

/// \file Sporos_MeshGenerators.hpp
/// Meshes as host arrays, as generators and files provide them, and generators
/// of structured grids.
///
/// Pass the arrays to the constructors of `Map` and `Dat`:
///
///     const Sporos::QuadMesh mesh = Sporos::quad_mesh(100, 50);
///     Sporos::Set cells("cells", mesh.cells()), nodes("nodes", mesh.nodes());
///     Sporos::Map<4> cell_nodes("cell_nodes", cells, nodes, mesh.cell_nodes);
///     Sporos::Dat<double, 2> x("x", nodes, mesh.coordinates);

#include <Sporos_Error.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <vector>

namespace Sporos {

/// Quadrilaterals in the plane and the edges between them. In an array with k
/// entries per element, those of element e are at k e, ..., k e + k - 1.
///
/// For an edge with the nodes 0 and 1, the vector (y0 - y1, x1 - x0) is normal
/// to the edge and as long as it. It points out of the first cell of the edge,
/// into the second cell or out of the mesh, as in OP2's airfoil code.
struct QuadMesh {
  std::vector<double> coordinates;  ///< 2 per node
  std::vector<int> cell_nodes;      ///< 4 per cell, counter-clockwise
  std::vector<int> edge_nodes;      ///< 2 per edge between two cells
  std::vector<int> edge_cells;      ///< 2 per edge
  std::vector<int> boundary_nodes;  ///< 2 per boundary edge
  std::vector<int> boundary_cells;  ///< 1 per boundary edge
  std::vector<int> boundary_flags;  ///< 1 per boundary edge: which boundary

  /// Number of nodes.
  int nodes() const { return int(coordinates.size() / 2); }
  /// Number of cells.
  int cells() const { return int(cell_nodes.size() / 4); }
  /// Number of edges between two cells.
  int edges() const { return int(edge_nodes.size() / 2); }
  /// Number of boundary edges.
  int boundary_edges() const { return int(boundary_cells.size()); }
};

/// Hexahedra in space and the faces between them; arrays as in QuadMesh. Seen
/// from outside of its first cell, the four nodes of a face are in
/// counter-clockwise order. The nodes of a cell are those of its lower face,
/// counter-clockwise as seen from above, then those of its upper face.
struct HexMesh {
  std::vector<double> coordinates;  ///< 3 per node
  std::vector<int> cell_nodes;      ///< 8 per cell
  std::vector<int> face_nodes;      ///< 4 per face between two cells
  std::vector<int> face_cells;      ///< 2 per face
  std::vector<int> boundary_nodes;  ///< 4 per boundary face
  std::vector<int> boundary_cells;  ///< 1 per boundary face
  std::vector<int> boundary_flags;  ///< 1 per boundary face: which boundary

  /// Number of nodes.
  int nodes() const { return int(coordinates.size() / 3); }
  /// Number of cells.
  int cells() const { return int(cell_nodes.size() / 8); }
  /// Number of faces between two cells.
  int faces() const { return int(face_nodes.size() / 4); }
  /// Number of boundary faces.
  int boundary_faces() const { return int(boundary_cells.size()); }
};

namespace Impl {

inline void append(std::vector<int>& to, std::initializer_list<int> values) {
  to.insert(to.end(), values);
}

/// Throws unless n cells per direction make a mesh whose elements ints count.
template <class Cells>
void check_structured(const char* function, const char* names,
                      const Cells& cells) {
  std::int64_t elements = std::int64_t(cells.size());
  for (const int n : cells) {
    check(n > 0, function, names, "positive numbers of cells", n);
    elements *= std::int64_t(n) + 1;
    check(elements <= std::numeric_limits<int>::max(), function, names,
          "fewer than 2^31 nodes, edges or faces", "more");
  }
}

/// Throws unless a length is positive and finite.
inline void check_length(const char* function, const char* name, double a) {
  check(a > 0 && a < std::numeric_limits<double>::infinity(), function, name,
        "a positive finite length", a);
}

/// i a / n, with both ends exact
inline double lattice(int i, int n, double a) {
  return i == n ? a : double(i) * (a / double(n));
}

}  // namespace Impl

/// A rectangle of nx x ny equal cells: cell i + nx j, node i + (nx + 1) j. The
/// edges of a cell follow each other: right, then upper. Boundary flags are
/// 1 below (y = 0), 2 on the right, 3 above, 4 on the left, in that order.
/// \param nx,ny cells along each side, positive
/// \param width,height sides of the rectangle; one corner is the origin
/// \throws std::invalid_argument for numbers or lengths that are not positive,
///   and for 2^31 elements of a set or more
inline QuadMesh quad_mesh(int nx, int ny, double width = 1, double height = 1) {
  constexpr const char* function = "Sporos::quad_mesh";
  Impl::check_structured(function, "nx, ny", std::vector<int>{nx, ny});
  Impl::check_length(function, "width", width);
  Impl::check_length(function, "height", height);
  QuadMesh m;
  const auto node = [nx](int i, int j) { return i + (nx + 1) * j; };
  const auto cell = [nx](int i, int j) { return i + nx * j; };
  for (int j = 0; j <= ny; ++j)
    for (int i = 0; i <= nx; ++i) {
      m.coordinates.push_back(Impl::lattice(i, nx, width));
      m.coordinates.push_back(Impl::lattice(j, ny, height));
    }
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      Impl::append(m.cell_nodes, {node(i, j), node(i + 1, j),
                                  node(i + 1, j + 1), node(i, j + 1)});
      if (i + 1 < nx) {
        Impl::append(m.edge_nodes, {node(i + 1, j + 1), node(i + 1, j)});
        Impl::append(m.edge_cells, {cell(i, j), cell(i + 1, j)});
      }
      if (j + 1 < ny) {
        Impl::append(m.edge_nodes, {node(i, j + 1), node(i + 1, j + 1)});
        Impl::append(m.edge_cells, {cell(i, j), cell(i, j + 1)});
      }
    }
  const auto boundary = [&](int first, int second, int inner, int flag) {
    Impl::append(m.boundary_nodes, {first, second});
    m.boundary_cells.push_back(inner);
    m.boundary_flags.push_back(flag);
  };
  for (int i = 0; i < nx; ++i)
    boundary(node(i + 1, 0), node(i, 0), cell(i, 0), 1);
  for (int j = 0; j < ny; ++j)
    boundary(node(nx, j + 1), node(nx, j), cell(nx - 1, j), 2);
  for (int i = 0; i < nx; ++i)
    boundary(node(i, ny), node(i + 1, ny), cell(i, ny - 1), 3);
  for (int j = 0; j < ny; ++j)
    boundary(node(0, j), node(0, j + 1), cell(0, j), 4);
  return m;
}

namespace Impl {

/// Numbers of a box of hexahedra.
struct HexNumbering {
  int n[3];

  int node(int i, int j, int k) const {
    return i + (n[0] + 1) * (j + (n[1] + 1) * k);
  }
  int cell(int i, int j, int k) const { return i + n[0] * (j + n[1] * k); }

  /// Nodes of the lower face in direction d of the lattice cube at (i, j, k),
  /// counter-clockwise as seen from the end of direction d.
  void face(std::vector<int>& to, int d, int i, int j, int k,
            bool outward_is_up) const {
    const int e = (d + 1) % 3, f = (d + 2) % 3;
    const int turn[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    for (int corner = 0; corner < 4; ++corner) {
      const int c = outward_is_up ? corner : (4 - corner) % 4;
      int at[3]   = {i, j, k};
      at[e] += turn[c][0];
      at[f] += turn[c][1];
      to.push_back(node(at[0], at[1], at[2]));
    }
  }
};

/// Calls f(i, j, k) for all of a box, i fastest.
template <class F>
void for_box(int nx, int ny, int nz, const F& f) {
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) f(i, j, k);
}

/// The faces of one boundary of a box: the first (side 0) or last (1) layer of
/// direction d.
inline void append_boundary(HexMesh& m, const HexNumbering& h, int d,
                            int side) {
  int n[3] = {h.n[0], h.n[1], h.n[2]};
  n[d]     = 1;
  for_box(n[0], n[1], n[2], [&](int i, int j, int k) {
    int at[3] = {i, j, k};
    at[d]     = side == 0 ? 0 : h.n[d] - 1;
    m.boundary_cells.push_back(h.cell(at[0], at[1], at[2]));
    at[d] += side;
    h.face(m.boundary_nodes, d, at[0], at[1], at[2], side == 1);
    m.boundary_flags.push_back(1 + 2 * d + side);
  });
}

}  // namespace Impl

/// A box of nx x ny x nz equal cells: cell i + nx (j + ny k), nodes likewise.
/// The faces of a cell follow each other: towards larger x, y, z. Boundary
/// flags are 1 and 2 at the lower and upper end of x, 3 and 4 of y, 5 and 6 of
/// z, in that order.
/// \param nx,ny,nz cells along each side, positive
/// \param width,height,depth sides of the box; one corner is the origin
/// \throws std::invalid_argument for numbers or lengths that are not positive,
///   and for 2^31 elements of a set or more
inline HexMesh hex_mesh(int nx, int ny, int nz, double width = 1,
                        double height = 1, double depth = 1) {
  constexpr const char* function = "Sporos::hex_mesh";
  Impl::check_structured(function, "nx, ny, nz", std::vector<int>{nx, ny, nz});
  Impl::check_length(function, "width", width);
  Impl::check_length(function, "height", height);
  Impl::check_length(function, "depth", depth);
  HexMesh m;
  const Impl::HexNumbering h{{nx, ny, nz}};
  Impl::for_box(nx + 1, ny + 1, nz + 1, [&](int i, int j, int k) {
    m.coordinates.push_back(Impl::lattice(i, nx, width));
    m.coordinates.push_back(Impl::lattice(j, ny, height));
    m.coordinates.push_back(Impl::lattice(k, nz, depth));
  });
  Impl::for_box(nx, ny, nz, [&](int i, int j, int k) {
    for (int up = 0; up < 2; ++up)
      Impl::append(m.cell_nodes,
                   {h.node(i, j, k + up), h.node(i + 1, j, k + up),
                    h.node(i + 1, j + 1, k + up), h.node(i, j + 1, k + up)});
    for (int d = 0; d < 3; ++d) {
      int next[3] = {i, j, k};
      if (++next[d] == h.n[d]) continue;
      h.face(m.face_nodes, d, next[0], next[1], next[2], true);
      Impl::append(m.face_cells,
                   {h.cell(i, j, k), h.cell(next[0], next[1], next[2])});
    }
  });
  for (int d = 0; d < 3; ++d)
    for (int side = 0; side < 2; ++side) Impl::append_boundary(m, h, d, side);
  return m;
}

}  // namespace Sporos

#endif
