// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Elasticity_MeshFile.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

namespace ElasticityApp {
namespace {

using NodeList = std::vector<int>;

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw std::runtime_error("elasticity: --mesh: " + name + ": " + why);
}

/// The cells of a mesh: of one shape, with corners first.
struct Cells {
  Shape shape = Shape::tetrahedra;
  int arity   = 0;
  NodeList nodes;

  int count() const { return int(nodes.size()) / arity; }
  const int* of(int cell) const { return nodes.data() + cell * arity; }
};

/// The cells of the file as they are.
Cells cells_of(const std::string& name, const Sporos::GmshMesh& mesh) {
  Cells cells;
  for (const Sporos::GmshElements& e : mesh.elements) {
    if (e.dimension < 3) continue;
    const bool is_cube = e.name == "hexahedron" || e.name == "hexahedron27";
    if (!is_cube && e.name != "tetrahedron" && e.name != "tetrahedron10")
      refuse(name,
             "expected cells that are tetrahedron, tetrahedron10, hexahedron "
             "or hexahedron27, got " +
                 e.name);
    if (cells.arity > 0) refuse(name, "expected cells of one shape, got more");
    cells.shape = is_cube ? Shape::hexahedra : Shape::tetrahedra;
    cells.arity = e.arity;
    cells.nodes = e.nodes;
  }
  if (cells.arity == 0) refuse(name, "expected cells, got none");
  return cells;
}

/// NodeList in the middle between others, each once.
class NewNodes {
 public:
  explicit NewNodes(std::vector<double>& coordinates)
      : m_coordinates(coordinates) {}

  /// The node between these, made at the first call.
  int between(NodeList nodes) {
    std::sort(nodes.begin(), nodes.end());
    const int next   = int(m_coordinates.size() / 3);
    const auto found = m_known.emplace(nodes, next);
    if (!found.second) return found.first->second;
    for (int d = 0; d < 3; ++d) {
      double sum = 0;
      for (const int n : nodes) sum += m_coordinates[std::size_t(3 * n + d)];
      m_coordinates.push_back(sum / double(nodes.size()));
    }
    return next;
  }

 private:
  std::vector<double>& m_coordinates;
  std::map<NodeList, int> m_known;
};

/// Cells with the nodes that the order needs.
Cells with_order(const Cells& cells, int order,
                 std::vector<double>& coordinates) {
  const int corners = corner_count(cells.shape);
  Cells out;
  out.shape = cells.shape;
  out.arity = node_count(cells.shape, order);
  NewNodes new_nodes(coordinates);
  for (int c = 0; c < cells.count(); ++c) {
    const int* const from = cells.of(c);
    out.nodes.insert(out.nodes.end(), from,
                     from + std::min(cells.arity, out.arity));
    if (order == 1 || cells.arity > corners) continue;
    for (const NodeList& some : between(cells.shape)) {
      NodeList nodes;
      for (const int k : some) nodes.push_back(from[k]);
      out.nodes.push_back(new_nodes.between(nodes));
    }
  }
  return out;
}

/// The corners of a face, sorted, as its name.
NodeList face_name(const int* cell, const NodeList& face, int corners) {
  NodeList name;
  for (const int k : face)
    if (k < corners) name.push_back(cell[k]);
  std::sort(name.begin(), name.end());
  return name;
}

/// The faces that belong to one cell alone: its number and that of the face.
std::map<NodeList, std::pair<int, int>> boundary_of(
    const Cells& cells, const std::vector<NodeList>& in_cell) {
  std::map<NodeList, std::pair<int, int>> once;
  std::set<NodeList> twice;
  const int corners = corner_count(cells.shape);
  for (int c = 0; c < cells.count(); ++c)
    for (std::size_t f = 0; f < in_cell.size(); ++f) {
      const NodeList name = face_name(cells.of(c), in_cell[f], corners);
      if (twice.count(name) > 0) continue;
      if (once.emplace(name, std::make_pair(c, int(f))).second) continue;
      once.erase(name);
      twice.insert(name);
    }
  return once;
}

/// The names of the faces of a group.
std::set<NodeList> clamped_faces(const std::string& name,
                                 const Sporos::GmshMesh& mesh) {
  std::set<NodeList> names;
  for (std::size_t g = 0; g < mesh.groups.size(); ++g) {
    if (mesh.groups[g].name != clamped_group) continue;
    for (const Sporos::GmshElements& e : mesh.elements) {
      if (e.dimension != 2) continue;
      const int corners = e.name.rfind("triangle", 0) == 0 ? 3 : 4;
      for (const int k : e.members[g]) {
        const int* const at = e.nodes.data() + k * e.arity;
        NodeList face(at, at + corners);
        std::sort(face.begin(), face.end());
        names.insert(face);
      }
    }
  }
  if (names.empty())
    refuse(name, std::string("expected a group \"") + clamped_group +
                     "\" of faces where the cantilever is clamped, got none");
  return names;
}

/// For each node, is its value given?
std::vector<int> fixed_nodes(const Options& o, const std::string& name,
                             const Sporos::GmshMesh& mesh, const Cells& cells,
                             std::size_t nodes) {
  const bool is_beam = o.problem == Problem::cantilever;
  const auto in_cell = faces(cells.shape, o.order);
  std::set<NodeList> clamped;
  if (is_beam) clamped = clamped_faces(name, mesh);
  std::vector<int> fixed(nodes, 0);
  for (const auto& face : boundary_of(cells, in_cell)) {
    if (is_beam && clamped.count(face.first) == 0) continue;
    const int* const cell = cells.of(face.second.first);
    for (const int k : in_cell[std::size_t(face.second.second)])
      fixed[std::size_t(cell[k])] = 1;
  }
  return fixed;
}

}  // namespace

MeshBlock file_block(const Options& options, const std::string& name,
                     const Sporos::GmshMesh& mesh, int rank, int size) {
  std::vector<double> x = mesh.coordinates;
  const Cells cells     = with_order(cells_of(name, mesh), options.order, x);
  const std::size_t all = x.size() / 3;
  const auto fixed      = fixed_nodes(options, name, mesh, cells, all);
  MeshBlock block;
  block.shape     = cells.shape;
  block.order     = options.order;
  const auto part = [&](std::size_t n, int r) {
    return std::ptrdiff_t(block_begin(std::int64_t(n), r, size));
  };
  const auto first = part(all, rank), last = part(all, rank + 1);
  block.coordinates.assign(x.begin() + 3 * first, x.begin() + 3 * last);
  block.fixed.assign(fixed.begin() + first, fixed.begin() + last);
  const auto count = std::size_t(cells.count());
  for (auto c = part(count, rank); c < part(count, rank + 1); ++c)
    for (int k = 0; k < cells.arity; ++k) {
      const int node = cells.of(int(c))[k];
      block.cell_nodes.push_back(node);
      block.unknowns.push_back(fixed[std::size_t(node)] != 0 ? -1 : node);
    }
  return block;
}

}  // namespace ElasticityApp
