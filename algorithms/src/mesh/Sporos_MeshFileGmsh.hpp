// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MESHFILEGMSH_HPP
#define SPOROS_MESHFILEGMSH_HPP

/// \file Sporos_MeshFileGmsh.hpp
/// Reads meshes of Gmsh (`.msh`, versions 2.2 and 4.1, text and binary).
///
/// \code
///   const Sporos::GmshMesh mesh = Sporos::read_mesh_gmsh("plate.msh");
///   const Sporos::Set nodes("nodes", mesh.nodes());
///   const Sporos::Set cells("cells", mesh.of("triangle").size());
///   const Sporos::Map<3> corners("corners", cells, nodes,
///                                mesh.of("triangle").nodes);
///   const Sporos::Set edges("edges", mesh.of("line").size());
///   const Sporos::Subset wall("wall", edges, mesh.in_group("line", "wall"));
/// \endcode

#include <Sporos_Error.hpp>
#include <mesh/files/Sporos_GmshReader.hpp>
#include <mesh/files/Sporos_MeshText.hpp>

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace Sporos {

/// A mesh of Gmsh in host arrays. Elements and nodes are numbered from 0 in the
/// order of the file, elements of each shape on their own.
struct GmshMesh {
  std::vector<double> coordinates;     ///< x, y, z of each node
  std::vector<GmshElements> elements;  ///< of each shape in the file
  std::vector<GmshGroup> groups;       ///< of all elements

  /// Number of nodes.
  int nodes() const { return int(coordinates.size() / 3); }

  /// The first `dimension` coordinates of each node.
  /// \throws std::invalid_argument unless it is 1, 2 or 3
  std::vector<double> coordinates_of(int dimension) const {
    Impl::check(dimension >= 1 && dimension <= 3,
                "Sporos::GmshMesh::coordinates_of", "dimension", "1, 2 or 3",
                dimension);
    std::vector<double> some;
    some.reserve(coordinates.size() / 3 * std::size_t(dimension));
    for (std::size_t k = 0; k < coordinates.size(); ++k)
      if (int(k % 3) < dimension) some.push_back(coordinates[k]);
    return some;
  }

  /// The elements of a shape: "point", "line", "triangle", "quadrilateral",
  /// "tetrahedron", "hexahedron", "prism", "pyramid", and those with more
  /// nodes, such as "line3", "triangle6", "tetrahedron10". \throws
  /// std::invalid_argument for a shape that the mesh lacks; the message
  ///   names those that are there
  const GmshElements& of(const std::string& shape) const {
    std::string names;
    for (const GmshElements& e : elements) {
      if (e.name == shape) return e;
      names += (names.empty() ? "" : ", ") + e.name;
    }
    Impl::throw_invalid("Sporos::GmshMesh::of", "shape",
                        "one of the mesh: " + names, shape);
  }

  /// The elements of a shape that belong to groups of this name, ascending, as
  /// Subset takes them. None if those groups have other elements only.
  /// \throws std::invalid_argument for a shape or a name that the mesh lacks
  std::vector<int> in_group(const std::string& shape,
                            const std::string& name) const {
    const GmshElements& some = of(shape);
    std::set<int> list;
    std::string names;
    bool found = false;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      names += (names.empty() ? "" : ", ") + groups[g].name;
      if (groups[g].name != name) continue;
      found = true;
      list.insert(some.members[g].begin(), some.members[g].end());
    }
    Impl::check(found, "Sporos::GmshMesh::in_group", "name",
                "a group of the mesh: " + names, name);
    return {list.begin(), list.end()};
  }
};

/// Reads a mesh of Gmsh, of one part. Sections that it does not know, such as
/// $NodeData, are skipped. O(n log n).
/// \throws std::runtime_error with the name of the file; for truncated or
///         corrupt contents also with the line (of binary files: the byte), the
///         record, the field, and what was expected and is there
inline GmshMesh read_mesh_gmsh(const std::string& path) {
  const std::string contents = Impl::whole_file("Sporos::read_mesh_gmsh", path);
  Impl::GmshContents read    = Impl::GmshReader(path, contents).read();
  return {std::move(read.coordinates), std::move(read.elements),
          std::move(read.groups)};
}

}  // namespace Sporos

#endif
