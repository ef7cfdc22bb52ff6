// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Meshes as VTK files: what is written is read back.

#include "Sporos_Test.hpp"
#include "Sporos_WrongCalls.hpp"

#include <Sporos_MeshVtk.hpp>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace MeshVtkFiles {

using namespace Sporos;
using namespace Sporos::Test;

using C = Kokkos::complex<float>;
template <class T, int N, class Layout = Kokkos::LayoutRight>
using Values = Dat<T, N, Layout, HostMemory>;

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The values of an array, whose tag must be there.
template <class T>
std::vector<T> array(const std::string& file, const std::string& tag) {
  INFO(file.substr(0, file.find("<AppendedData")));
  const std::size_t at = file.find("<DataArray " + tag + " format");
  REQUIRE(at != std::string::npos);
  const std::string mark = "<AppendedData encoding=\"raw\">\n_";
  const std::size_t offset =
      std::stoul(file.substr(file.find("offset=\"", at) + 8, 20));
  const char* const data = file.data() + file.find(mark) + mark.size() + offset;
  std::uint64_t bytes;
  std::memcpy(&bytes, data, sizeof bytes);
  REQUIRE(bytes < file.size());
  std::vector<T> values(bytes / sizeof(T));
  std::memcpy(values.data(), data + sizeof bytes, bytes);
  return values;
}

std::string tag(const std::string& type, const std::string& name, int n) {
  return "type=\"" + type + "\" Name=\"" + name + "\" NumberOfComponents=\"" +
         std::to_string(n) + '"';
}

const std::string path = "mesh_vtk_test.vtu";

TEST_CASE("triangles with data of all types", "[mesh_vtk]") {
  const HostExec exec{};
  const Set nodes("nodes", 4), cells("cells", 2);
  const Values<float, 2, Kokkos::LayoutLeft> x(
      "x", nodes, std::vector<float>{0, 0, 1, 0, 0, 1, 1, 1});
  const Map<3, HostMemory> corners("corners", cells, nodes,
                                   std::vector<int>{0, 1, 2, 1, 3, 2});
  MeshVtk vtk(exec, x, corners);
  using Winds = Values<double, dynamic_components, Kokkos::LayoutLeft>;
  vtk.add(exec,
          Winds("wind", nodes, 2, std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}));
  vtk.add(exec, Values<std::uint8_t, 1>("a < b & \"c\"", cells,
                                        std::vector<std::uint8_t>{7, 9}));
  vtk.add(exec, Values<C, 2>("wave", cells,
                             std::vector<C>{{1, 2}, {3, 4}, {5, 6}, {7, 8}}));
  vtk.write(path);
  const std::string file = content(path);
  CHECK(file.find("<Piece NumberOfPoints=\"4\" NumberOfCells=\"2\">") !=
        std::string::npos);
  CHECK(file.find("<PointData Vectors=\"wind\">") != std::string::npos);
  CHECK(file.find("<CellData Scalars=\"a &lt; b &amp; &quot;c&quot;\">") !=
        std::string::npos);
  CHECK(array<float>(file, tag("Float32", "points", 3)) ==
        std::vector<float>{0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0});
  CHECK(array<int>(file, tag("Int32", "connectivity", 1)) ==
        std::vector<int>{0, 1, 2, 1, 3, 2});
  CHECK(array<std::int64_t>(file, tag("Int64", "offsets", 1)) ==
        std::vector<std::int64_t>{3, 6});
  CHECK(array<std::uint8_t>(file, tag("UInt8", "types", 1)) ==
        std::vector<std::uint8_t>{5, 5});
  CHECK(array<double>(file, tag("Float64", "wind", 3)) ==
        std::vector<double>{1, 2, 0, 3, 4, 0, 5, 6, 0, 7, 8, 0});
  CHECK(array<std::uint8_t>(file, tag("UInt8", "a &lt; b &amp; &quot;c&quot;",
                                      1)) == std::vector<std::uint8_t>{7, 9});
  CHECK(array<float>(file, tag("Float32", "wave", 4)) ==
        std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8});

  const std::string whole = "mesh_vtk_test.pvtu";
  vtk.write_parallel(whole, {"a.vtu", "b&c.vtu"});
  const std::string all = content(whole);
  for (const std::string text :
       {"<PPointData Vectors=\"wind\">",
        "<PDataArray type=\"Float32\" "
        "Name=\"wave\" NumberOfComponents=\"4\"/>",
        "<PPoints>",
        "<Piece Source=\"a.vtu\"/>\n<Piece Source=\"b&amp;c.vtu\"/>\n"
        "</PUnstructuredGrid>\n</VTKFile>\n"})
    CHECK(all.find(text) != std::string::npos);
  CHECK(all.find("AppendedData") == std::string::npos);
  std::filesystem::remove(path);
  std::filesystem::remove(whole);
}

TEST_CASE("shapes of cells", "[mesh_vtk]") {
  const HostExec exec{};
  const Set nodes("nodes", 8), cells("cells", 1);
  const Values<double, 3> x("x", nodes);
  const Values<double, dynamic_components> flat("flat", nodes, 2),
      line("line", nodes, 1);
  const auto type = [&](const auto& at, int arity, VtkCell shape) {
    const Map<dynamic_arity, HostMemory> map(
        "map", cells, nodes, arity, std::vector<int>(std::size_t(arity), 0));
    MeshVtk(exec, at, map, shape).write(path);
    return int(array<std::uint8_t>(content(path), tag("UInt8", "types", 1))[0]);
  };
  CHECK(type(x, 2, VtkCell::automatic) == 3);
  CHECK(type(x, 3, VtkCell::automatic) == 5);
  CHECK(type(flat, 4, VtkCell::automatic) == 9);
  CHECK(type(x, 4, VtkCell::quadrilateral) == 9);
  CHECK(type(x, 4, VtkCell::automatic) == 10);
  CHECK(type(x, 8, VtkCell::automatic) == 12);
  std::filesystem::remove(path);

  const Set none("none", 0);
  const Values<double, 2> nowhere("nowhere", none);
  const Map<3, HostMemory> no_cells("no_cells", none, none, std::vector<int>{});
  MeshVtk(exec, nowhere, no_cells).write(path);
  CHECK(content(path).find("NumberOfCells=\"0\"") != std::string::npos);
  std::filesystem::remove(path);

  // what is refused
  const Set others("others", 8);
  const Values<double, 3> y("y", others), unmade;
  const Map<3, HostMemory> map("map", cells, nodes, std::vector<int>{0, 1, 2}),
      gaps("gaps", cells, nodes, std::vector<int>{0, -1, 2},
           MissingEntries::allowed);
  const Map<5, HostMemory> five("five", cells, nodes, std::vector<int>(5));
  MeshVtk vtk(exec, x, map);
  vtk.add(exec, x);
  const std::string f = "Sporos::MeshVtk", add = f + "::add";
  Untouched untouched;
  check_wrong_calls(
      {{"coordinates of another set", [&] { MeshVtk(exec, y, map); }, f, "map",
        "a map to the set of the coordinates, others", "one to nodes"},
       {"one coordinate", [&] { MeshVtk(exec, line, map); }, f, "line",
        "two or three coordinates", "1"},
       {"no coordinates", [&] { MeshVtk(exec, unmade, map); }, f, "coordinates",
        "", "default"},
       {"no map", [&] { MeshVtk(exec, x, Map<3, HostMemory>()); }, f, "cells",
        "", "default"},
       {"no such cells", [&] { MeshVtk(exec, x, five); }, f, "five",
        "cells of 2, 3, 4 or 8 nodes", "5"},
       {"another shape", [&] { MeshVtk(exec, x, map, VtkCell::tetrahedron); },
        f, "map", "the arity of the shape", "3"},
       {"a missing node", [&] { MeshVtk(exec, x, gaps); }, f, "gaps",
        "a node at each entry", "-1 at element 0"},
       {"another set", [&] { vtk.add(exec, y); }, add, "y",
        "a dat of nodes or cells, nodes or cells", "a dat of others"},
       {"twice", [&] { vtk.add(exec, x); }, add, "x", "a name of its own",
        "added before"}},
      untouched, 9);
  check_refused<std::runtime_error>("no/such/folder/x.vtu",
                                    [&] { vtk.write("no/such/folder/x.vtu"); });
}

}  // namespace MeshVtkFiles
