// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Meshes of Gmsh, in four formats, whole and damaged.

#include "Sporos_GmshCases.hpp"
#include "Sporos_Test.hpp"
#include "Sporos_WrongCalls.hpp"

#include <Sporos_MeshFileGmsh.hpp>

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace MeshFileGmsh {

using namespace Sporos;
using namespace Sporos::Test;

/// Reads a file with these contents.
GmshMesh read(const std::string& contents) {
  static const std::string path =
      (std::filesystem::temp_directory_path() /
       ("sporos_gmsh_" + std::to_string(std::random_device{}()) + ".msh"))
          .string();
  std::ofstream(path, std::ios::binary) << contents;
  struct Remove {
    ~Remove() { std::remove(path.c_str()); }
  } remove;
  return read_mesh_gmsh(path);
}

std::string replaced(const std::string& text, const std::string& from,
                     const std::string& to) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.substr(0, at) + to + text.substr(at + from.size());
}

using List = std::vector<int>;

bool in_range(const GmshMesh& mesh) {
  bool right = true;
  for (const GmshElements& e : mesh.elements) {
    right = right && e.members.size() == mesh.groups.size() &&
            e.nodes.size() % std::size_t(e.arity) == 0;
    for (const int n : e.nodes) right = right && n >= 0 && n < mesh.nodes();
    for (const auto& list : e.members)
      for (const int k : list) right = right && k >= 0 && k < e.size();
  }
  return right;
}

TEST_CASE("meshes of Gmsh are read in all formats", "[gmsh]") {
  for (const bool is_new : {false, true})
    for (const bool binary : {false, true}) {
      CAPTURE(is_new, binary);
      const GmshMesh mesh = read(gmsh_square(is_new, binary));
      CHECK(mesh.nodes() == 4);
      CHECK(mesh.coordinates ==
            std::vector<double>{0, 0, -2, 1, 0, -2, 1, 1, -2, 0, 0.5, -2});
      CHECK(mesh.coordinates_of(2) ==
            std::vector<double>{0, 0, 1, 0, 1, 1, 0, 0.5});
      CHECK(in_range(mesh));
      CHECK(mesh.elements.size() == 3);
      CHECK(mesh.of("point").nodes == List{0});
      CHECK(mesh.of("line").nodes == List{0, 1, 1, 2});
      const GmshElements& triangles = mesh.of("triangle");
      CHECK(triangles.nodes == List{0, 1, 2, 0, 2, 3});
      CHECK(triangles.size() == 2);
      CHECK(triangles.type == 2);
      CHECK(triangles.dimension == 2);
      CHECK(triangles.arity == 3);
      CHECK(mesh.groups.size() == 4);
      CHECK(mesh.groups[0].name == "wall");
      CHECK(mesh.groups[3].name == "");
      CHECK(mesh.groups[3].dimension == 0);
      CHECK(mesh.groups[3].tag == 9);
      CHECK(mesh.in_group("line", "wall") == List{0});
      CHECK(mesh.in_group("triangle", "a plate") == List{0, 1});
      CHECK(mesh.in_group("triangle", "wall").empty());
      CHECK(mesh.in_group("triangle", "none").empty());
      CHECK(mesh.in_group("point", "") == List{0});
    }
  const std::string empty =
      "$MeshFormat\r\n4.1 0 8\r\n$EndMeshFormat\r\n$Nodes\r\n0 0 0 0\r\n"
      "$EndNodes\r\n$Elements\r\n0 0 0 0\r\n$EndElements\r\n";
  CHECK(read(empty).nodes() == 0);
  CHECK(read(empty).elements.empty());
}

TEST_CASE("what is not in a mesh of Gmsh is refused", "[gmsh]") {
  const GmshMesh mesh = read(gmsh_square(true, false));
  check_refused("expected one of the mesh: line, triangle, point, got prism",
                [&] { mesh.of("prism"); });
  check_refused("a group of the mesh: wall, a plate, none, , got Wall",
                [&] { mesh.in_group("line", "Wall"); });
  check_refused("expected 1, 2 or 3, got 4", [&] { mesh.coordinates_of(4); });
}

/// Reads a file in which one text is replaced.
void check_damage(bool is_new, const std::string& from, const std::string& to,
                  const std::string& says) {
  const auto [got, right_type] = thrown_by<std::runtime_error>(
      [&] { read(replaced(gmsh_square(is_new, false), from, to)); });
  CAPTURE(got, says);
  CHECK(right_type);
  CHECK(got.find("Sporos::read_mesh_gmsh: ") == 0);
  CHECK(got.find(says) != std::string::npos);
}

TEST_CASE("damaged text files of Gmsh", "[gmsh]") {
  const std::string nodes = "$Nodes\n4\n1\n0\n0\n-2\n",
                    first = "$Elements\n5\n1\n15\n2\n9\n1\n1\n";
  check_damage(false, "$MeshFormat", "$Mesh", ":1: expected $MeshFormat");
  check_damage(false, "2.2", "3", ":2: format, version: expected 2.2 or 4.1");
  check_damage(false, "2.2 0", "2.2 2",
               ":2: format, file type: expected an integer from 0 to 1, got "
               "'2'");
  check_damage(false, " 8\n", " 4\n", ":2: format, size of numbers");
  check_damage(false, "$EndMesh", "$Mesh", ":3: expected $EndMeshFormat, got");
  check_damage(false, "1 3 \"wall\"", "1 3 wall",
               ":6: group 0, name: expected a name in double quotes, got "
               "'wall'");
  check_damage(false, "1 3 \"wall\"", "4 3 \"wall\"", ":6: group 0, dimension");
  check_damage(false, "$EndNotes", "$Notes", "expected $EndNotes, got the end");
  check_damage(false, nodes, "$Nodes\n4\n1\n0\nnan\n-2\n",
               ":17: node 0, coordinate: expected a finite number, got 'nan'");
  check_damage(false, nodes, "$Nodes\n4\n0\n0\n0\n-2\n",
               ":15: node 0, tag: expected an integer from 1 to 2147483647");
  check_damage(false, nodes, "$Nodes\n4\n5\n0\n0\n-2\n",
               "node 2, tag: expected one that is new, got 5");
  check_damage(false, nodes, "$Nodes\n3\n1\n0\n0\n-2\n", "expected $EndNodes");
  check_damage(false, nodes, "$Nodes\n4x\n1\n0\n0\n-2\n",
               ":14: nodes, count: expected an integer");
  check_damage(false, "$Nodes\n4", "$Node\n4", "expected $EndNode, got");
  check_damage(false, first, "$Elements\n5\n1\n20\n2\n9\n1\n1\n",
               "element 0, type: expected a shape that Sporos knows, got 20");
  check_damage(false, first, "$Elements\n5\n1\n15\n2\n9\n1\n3\n",
               "element 0, node: expected the tag of a node, got 3");
  check_damage(false, first, "$Elements\n5\n1\n15\n-1\n9\n1\n3\n",
               "element 0, number of tags: expected an integer from 0");
  check_damage(false, first, "$Elements\n6\n1\n15\n2\n9\n1\n1\n",
               "element 5, number: expected an integer");
  check_damage(false, "$EndElements\n",
               "$EndElements\n$Elements\n0\n$EndElements",
               "expected one section $Elements, got a second one");
  check_damage(false, "$EndElements\n", "$EndElements\nmore",
               "expected a section such as $Nodes, got 'more'");
  check_damage(true, "$Entities\n", "$PartitionedEntities\n",
               "expected a mesh of one part");
  check_damage(true, "$Nodes\n3\n4", "$Nodes\n3\n5",
               "nodes, count: expected blocks of 5 nodes, got 4");
  check_damage(true, "$Nodes\n3\n4", "$Nodes\n3\n3",
               "block of nodes 2, count: expected an integer from 0 to 0");
  check_damage(true, "$Elements\n4\n5", "$Elements\n4\n6",
               "elements, count: expected blocks of 6 elements, got 5");
  check_damage(true, "$Elements\n4\n5\n1\n5\n0\n", "$Elements\n4\n5\n1\n5\n1\n",
               "block of elements 0, type: expected a shape of dimension 1, "
               "got point");
  const std::string head = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
  for (const auto& [rest, says] :
       std::vector<std::pair<std::string, std::string>>{
           {"", "expected a section $Nodes, got none"},
           {"$Nodes\n0\n$EndNodes", "expected a section $Elements, got none"},
           {"$Elements\n1\n1 15 0 1\n$EndElements",
            ":6: expected $Nodes before $Elements"}})
    CHECK(thrown_by<std::runtime_error>([&, &r = rest] {
            read(head + r);
          }).first.find(says) != std::string::npos);
}

TEST_CASE("truncated and changed files of Gmsh", "[gmsh]") {
  std::mt19937 random(5);
  for (const bool is_new : {false, true})
    for (const bool binary : {false, true}) {
      CAPTURE(is_new, binary);
      const std::string whole = gmsh_square(is_new, binary);
      std::size_t refused     = 0;
      for (std::size_t n = 0; n + 1 < whole.size(); ++n)
        refused += thrown_by<std::runtime_error>([&] {
                     read(whole.substr(0, n));
                   }).second;
      CHECK(refused == whole.size() - 1);
      bool right = true;
      for (int k = 0; k < 400; ++k) {
        std::string other              = whole;
        other[random() % other.size()] = char(random() % 256);
        try {
          right = right && in_range(read(other));
        } catch (const std::runtime_error&) {
        }
      }
      CHECK(right);
    }
  const std::string binary = gmsh_square(false, true);
  std::string turned       = binary;
  turned[20]               = 0;  // bytes of the number one, in another order
  turned[23]               = 1;
  CHECK(thrown_by<std::runtime_error>([&] { read(turned); })
            .first.find("byte 20: format, one, in the bytes of this machine: "
                        "expected an integer from 1 to 1, got 16777216") !=
        std::string::npos);
}

}  // namespace MeshFileGmsh
