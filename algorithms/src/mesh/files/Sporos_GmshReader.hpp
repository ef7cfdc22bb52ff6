// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_GMSHREADER_HPP
#define SPOROS_GMSHREADER_HPP

/// \file Sporos_GmshReader.hpp
/// Reads the sections of a Gmsh file.

#include <mesh/files/Sporos_GmshInput.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace Sporos {

/// Elements that have a name in Gmsh (a physical group).
struct GmshGroup {
  std::string name;   ///< "" if only its tag is known
  int dimension = 0;  ///< of its elements
  int tag       = 0;  ///< its number in Gmsh, at least 1
};

/// All elements of one shape, in the order of the file.
struct GmshElements {
  std::string name;        ///< of the shape: "triangle"
  int type      = 0;       ///< its number in Gmsh
  int dimension = 0;       ///< 0: points, to 3: volumes
  int arity     = 0;       ///< nodes of an element
  std::vector<int> nodes;  ///< from 0, arity for each element, in Gmsh's order
  /// for each group of the mesh: the elements that belong to it, ascending
  std::vector<std::vector<int>> members;

  /// Number of elements.
  int size() const {
    return arity == 0 ? 0 : int(nodes.size() / std::size_t(arity));
  }
};

namespace Impl {

struct GmshShape {
  int type, dimension, arity;
  const char* name;
};

/// The shape of this number, or null.
inline const GmshShape* gmsh_shape(int type) {
  static constexpr GmshShape shapes[] = {{1, 1, 2, "line"},
                                         {2, 2, 3, "triangle"},
                                         {3, 2, 4, "quadrilateral"},
                                         {4, 3, 4, "tetrahedron"},
                                         {5, 3, 8, "hexahedron"},
                                         {6, 3, 6, "prism"},
                                         {7, 3, 5, "pyramid"},
                                         {8, 1, 3, "line3"},
                                         {9, 2, 6, "triangle6"},
                                         {10, 2, 9, "quadrilateral9"},
                                         {11, 3, 10, "tetrahedron10"},
                                         {12, 3, 27, "hexahedron27"},
                                         {13, 3, 18, "prism18"},
                                         {14, 3, 14, "pyramid14"},
                                         {15, 0, 1, "point"},
                                         {16, 2, 8, "quadrilateral8"},
                                         {17, 3, 20, "hexahedron20"},
                                         {18, 3, 15, "prism15"},
                                         {19, 3, 13, "pyramid13"},
                                         {21, 2, 10, "triangle10"},
                                         {26, 1, 4, "line4"},
                                         {29, 3, 20, "tetrahedron20"}};
  for (const GmshShape& shape : shapes)
    if (shape.type == type) return &shape;
  return nullptr;
}

/// What a file has.
struct GmshContents {
  std::vector<double> coordinates;  ///< three for each node
  std::vector<GmshElements> elements;
  std::vector<GmshGroup> groups;
};

class GmshReader {
 public:
  GmshReader(const std::string& path, const std::string& contents)
      : m_in(path, contents) {}

  GmshContents read() {
    if (m_in.section() != "MeshFormat")
      m_in.fail("expected $MeshFormat at the beginning");
    format();
    m_in.end_section("MeshFormat");
    std::set<std::string> seen = {"MeshFormat"};
    for (std::string name; !(name = m_in.section()).empty();) {
      if (name == "PartitionedEntities")
        m_in.fail("expected a mesh of one part, got $PartitionedEntities");
      if (!section(name)) {
        m_in.skip_section(name);
        continue;
      }
      m_in.end_section(name);
      if (!seen.insert(name).second)
        m_in.fail(text("expected one section $", name, ", got a second one"));
    }
    for (const char* const name : {"Nodes", "Elements"})
      if (seen.count(name) == 0)
        m_in.fail(text("expected a section $", name, ", got none"));
    for (auto& [type, elements] : m_elements) {
      elements.members.resize(m_mesh.groups.size());
      m_mesh.elements.push_back(std::move(elements));
    }
    return std::move(m_mesh);
  }

 private:
  static constexpr int most = std::numeric_limits<int>::max();
  static constexpr std::int64_t most_tag =
      std::numeric_limits<std::int64_t>::max();
  using Entity = std::pair<int, int>;  ///< dimension, tag

  void format() {
    const auto version = m_in.number<double>({"format", -1, "version"}, 0);
    if (version != 2.2 && version != 4.1)
      m_in.refuse({"format", -1, "version"}, "2.2 or 4.1", version);
    m_new            = version > 4;
    const int binary = m_in.number<int>({"format", -1, "file type"}, 0, 1);
    m_in.number<int>({"format", -1, "size of numbers"}, 8, 8);
    if (binary == 0) return;
    m_in.set_binary();
    m_in.begin_bytes();
    // another number where bytes are in another order
    m_in.raw<int>({"format", -1, "one, in the bytes of this machine"}, 1, 1);
  }

  /// Reads a section; false for one that is not known.
  bool section(const std::string& name) {
    if (name == "PhysicalNames")
      physical_names();
    else if (name == "Entities" && m_new)
      entities();
    else if (name == "Nodes")
      m_new ? new_nodes() : old_nodes();
    else if (name == "Elements")
      m_new ? new_elements() : old_elements();
    else
      return false;
    return true;
  }

  void physical_names() {
    const int n = m_in.number<int>({"group", -1, "count"}, 0, most);
    for (int k = 0; k < n; ++k) {
      const int dimension = m_in.number<int>({"group", k, "dimension"}, 0, 3);
      const int tag       = m_in.number<int>({"group", k, "tag"}, 1, most);
      const GmshField field{"group", k, "name"};
      m_mesh.groups[group(dimension, tag)].name = m_in.quoted(field);
    }
  }
  /// The number of a group, which is made where it is new. Gmsh takes a
  /// negative tag for the same one, with elements turned around.
  std::size_t group(int dimension, int tag) {
    const int positive = tag < 0 ? -tag : tag;
    const auto made =
        m_groups.insert({{dimension, positive}, m_mesh.groups.size()});
    if (made.second) m_mesh.groups.push_back({"", dimension, positive});
    return made.first->second;
  }

  void entities() {
    static constexpr const char* names[] = {"point", "curve", "surface",
                                            "volume"};
    std::int64_t counts[4];
    m_in.begin_bytes();
    for (auto& count : counts)
      count = m_in.raw<std::int64_t>({"entities", -1, "count"}, 0, most);
    for (int d = 0; d < 4; ++d)
      for (std::int64_t k = 0; k < counts[d]; ++k) {
        const Entity entity{d, m_in.raw<int>({names[d], k, "tag"})};
        for (int i = 0; i < (d == 0 ? 3 : 6); ++i)
          m_in.raw<double>({names[d], k, "bound"});
        auto& of = m_entities[entity];
        for (auto left = tags(names[d], k, "number of groups"); left > 0;
             --left)
          if (const int tag =
                  m_in.raw<int>({names[d], k, "group"}, -most, most);
              tag != 0)
            of.insert(group(d, tag));
        if (d == 0) continue;
        for (auto left = tags(names[d], k, "number of bounds"); left > 0;
             --left)
          m_in.raw<int>({names[d], k, "boundary"});
      }
  }
  std::int64_t tags(const char* record, std::int64_t k, const char* name) {
    return m_in.raw<std::int64_t>({record, k, name}, 0, most);
  }

  void old_nodes() {
    const int n = m_in.number<int>({"nodes", -1, "count"}, 0, most);
    m_in.begin_bytes();
    for (int k = 0; k < n; ++k) {
      add_node(k, m_in.raw<int>({"node", k, "tag"}, 1, most));
      coordinates(k);
    }
    sort_nodes();
  }
  void new_nodes() {
    m_in.begin_bytes();
    const auto blocks = tags("nodes", -1, "number of blocks");
    const auto n      = tags("nodes", -1, "count");
    for (const char* const name : {"least tag", "largest tag"})
      m_in.raw<std::int64_t>({"nodes", -1, name});
    for (std::int64_t b = 0, k = 0; b < blocks; ++b) {
      const int d = m_in.raw<int>({"block of nodes", b, "dimension"}, 0, 3);
      m_in.raw<int>({"block of nodes", b, "entity"});
      const int parametric =
          m_in.raw<int>({"block of nodes", b, "parametric"}, 0, 1);
      const auto own =
          m_in.raw<std::int64_t>({"block of nodes", b, "count"}, 0, n - k);
      for (auto i = k; i < k + own; ++i)
        add_node(i, m_in.raw<std::int64_t>({"node", i, "tag"}, 1, most_tag));
      for (const auto end = k + own; k < end; ++k) {
        coordinates(k);
        for (int i = 0; i < d * parametric; ++i)
          m_in.raw<double>({"node", k, "parameter"});
      }
    }
    if (std::int64_t(m_nodes.size()) != n)
      m_in.refuse({"nodes", -1, "count"}, text("blocks of ", n, " nodes"),
                  m_nodes.size());
    sort_nodes();
  }
  void add_node(std::int64_t k, std::int64_t tag) {
    m_nodes.push_back({tag, int(k)});
  }
  void coordinates(std::int64_t k) {
    for (int d = 0; d < 3; ++d)
      m_mesh.coordinates.push_back(m_in.raw<double>({"node", k, "coordinate"}));
  }
  void sort_nodes() {
    std::sort(m_nodes.begin(), m_nodes.end());
    for (std::size_t k = 1; k < m_nodes.size(); ++k)
      if (m_nodes[k - 1].first == m_nodes[k].first)
        m_in.refuse({"node", m_nodes[k].second, "tag"}, "one that is new",
                    m_nodes[k].first);
    m_dense = m_nodes.empty() || m_nodes.back().first - m_nodes.front().first ==
                                     std::int64_t(m_nodes.size()) - 1;
    m_has_nodes = true;
  }
  int node(std::int64_t element, std::int64_t tag) const {
    auto at = m_nodes.begin();
    if (!m_dense)
      at = std::lower_bound(m_nodes.begin(), m_nodes.end(),
                            std::make_pair(tag, 0));
    else if (!m_nodes.empty() && tag >= at->first &&
             tag <= m_nodes.back().first)
      at += tag - at->first;
    if (at == m_nodes.end() || at->first != tag)
      m_in.refuse({"element", element, "node"}, "the tag of a node", tag);
    return at->second;
  }

  /// The elements of a shape, to which a section adds.
  GmshElements& shape(const char* record, std::int64_t k) {
    if (!m_has_nodes) m_in.fail("expected $Nodes before $Elements");
    const int type               = m_in.raw<int>({record, k, "type"});
    const GmshShape* const known = gmsh_shape(type);
    if (known == nullptr)
      m_in.refuse({record, k, "type"}, "a shape that Sporos knows", type);
    GmshElements& elements = m_elements[type];
    elements.name          = known->name;
    elements.type          = type;
    elements.dimension     = known->dimension;
    elements.arity         = known->arity;
    return elements;
  }
  /// Element k of the file: `Tag` is the type of tags of nodes.
  template <class Tag>
  void add_nodes(GmshElements& elements, std::int64_t k) {
    for (int i = 0; i < elements.arity; ++i)
      elements.nodes.push_back(
          node(k, m_in.raw<Tag>({"element", k, "node"}, 1)));
  }
  void add_member(GmshElements& elements, std::size_t group, int element) {
    if (elements.members.size() <= group) elements.members.resize(group + 1);
    elements.members[group].push_back(element);
  }
  /// The first tag of an element names its group; 0: none.
  void old_element(GmshElements& elements, std::int64_t k, int n_tags) {
    for (int t = 0; t < n_tags; ++t) {
      const int tag = m_in.raw<int>({"element", k, "tag"}, -most, most);
      if (t == 0 && tag != 0)
        add_member(elements, group(elements.dimension, tag), elements.size());
    }
    add_nodes<int>(elements, k);
  }
  void old_elements() {
    const int n = m_in.number<int>({"elements", -1, "count"}, 0, most);
    m_in.begin_bytes();
    for (int k = 0; k < n;) {
      if (!m_in.is_binary()) m_in.raw<int>({"element", k, "number"});
      GmshElements& elements = shape("element", k);
      const int own =
          !m_in.is_binary()
              ? 1
              : m_in.raw<int>({"element", k, "number of its block"}, 1, n - k);
      const int n_tags =
          m_in.raw<int>({"element", k, "number of tags"}, 0, most);
      for (const int end = k + own; k < end; ++k) {
        if (m_in.is_binary()) m_in.raw<int>({"element", k, "number"});
        old_element(elements, k, n_tags);
      }
    }
  }
  void new_elements() {
    m_in.begin_bytes();
    const auto blocks = tags("elements", -1, "number of blocks");
    const auto n      = tags("elements", -1, "count");
    for (const char* const name : {"least tag", "largest tag"})
      m_in.raw<std::int64_t>({"elements", -1, name});
    std::int64_t k = 0;
    for (std::int64_t b = 0; b < blocks; ++b) {
      const char* const record = "block of elements";
      const int d              = m_in.raw<int>({record, b, "dimension"}, 0, 3);
      const Entity entity{d, m_in.raw<int>({record, b, "entity"})};
      GmshElements& elements = shape(record, b);
      if (elements.dimension != d)
        m_in.refuse({record, b, "type"}, text("a shape of dimension ", d),
                    elements.name);
      const auto own = m_in.raw<std::int64_t>({record, b, "count"}, 0, n - k);
      const auto& groups = m_entities[entity];
      for (const auto end = k + own; k < end; ++k) {
        m_in.raw<std::int64_t>({"element", k, "tag"});
        for (const std::size_t g : groups)
          add_member(elements, g, elements.size());
        add_nodes<std::int64_t>(elements, k);
      }
    }
    if (k != n)
      m_in.refuse({"elements", -1, "count"}, text("blocks of ", n, " elements"),
                  k);
  }

  GmshInput m_in;
  GmshContents m_mesh;
  bool m_new = false, m_has_nodes = false, m_dense = false;
  std::vector<std::pair<std::int64_t, int>> m_nodes;  ///< tag, number
  std::map<int, GmshElements> m_elements;             ///< of each type
  std::map<Entity, std::size_t> m_groups;
  std::map<Entity, std::set<std::size_t>> m_entities;  ///< their groups
};

}  // namespace Impl
}  // namespace Sporos

#endif
