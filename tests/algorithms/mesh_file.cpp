// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Sporos_FileLimit.hpp"
#include "Sporos_Test.hpp"
#include "Sporos_WrongCalls.hpp"

#include <Sporos_MeshFile.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using Sporos::QuadMesh;
using Sporos::Test::thrown_by;

/// A file with these contents that goes away with the object.
class File {
 public:
  explicit File(const std::string& contents = "") {
    static int number = 0;
    path              = (std::filesystem::temp_directory_path() /
            ("sporos_mesh_file_" + std::to_string(std::size_t(this)) + '_' +
             std::to_string(number++) + ".dat"))
               .string();
    std::ofstream(path, std::ios::binary) << contents;
  }
  File(const File&)            = delete;
  File& operator=(const File&) = delete;
  ~File() { std::remove(path.c_str()); }

  std::string path;
};

/// Two cells side by side.
const char* const two_cells =
    " 6 2 1 6 \n"
    " 0.000000 0.000000 \n 1.000000 0.000000 \n 2.5e+00 -0 \n"
    " 0.000000 1.000000 \n 1.000000 1.000000 \n 2.500000 1.000000 \n"
    " 0 1 4 3 \n 1 2 5 4 \n"
    " 4 1 0 1 \n"
    " 1 0 0 1 \n 2 1 1 1 \n 5 2 1 2 \n 4 5 1 2 \n 3 4 0 2 \n 0 3 0 -7 \n";

std::string replaced(const std::string& text, const std::string& from,
                     const std::string& to) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.substr(0, at) + to + text.substr(at + from.size());
}

std::string contents_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// What the reader says of these contents, after the name of the file.
std::string complaint(const std::string& contents) {
  const File file(contents);
  const auto [text, right_type] =
      thrown_by<std::runtime_error>([&] { Sporos::read_mesh(file.path); });
  CHECK(right_type);
  const std::string begin = "Sporos::read_mesh: " + file.path + ':';
  return text.rfind(begin, 0) == 0 ? text.substr(begin.size()) : text;
}

/// of two_cells with one replacement
std::string complaint(const std::string& from, const std::string& to) {
  return complaint(replaced(two_cells, from, to));
}

void check_equal(const QuadMesh& a, const QuadMesh& b) {
  CHECK(a.coordinates == b.coordinates);
  CHECK(a.cell_nodes == b.cell_nodes);
  CHECK(a.edge_nodes == b.edge_nodes);
  CHECK(a.edge_cells == b.edge_cells);
  CHECK(a.boundary_nodes == b.boundary_nodes);
  CHECK(a.boundary_cells == b.boundary_cells);
  CHECK(a.boundary_flags == b.boundary_flags);
}

}  // namespace

TEST_CASE("mesh file: reads what OP2 writes", "[mesh_file]") {
  const File file(two_cells);
  const QuadMesh m = Sporos::read_mesh(file.path);
  CHECK(m.nodes() == 6);
  CHECK(m.cells() == 2);
  CHECK(m.edges() == 1);
  CHECK(m.boundary_edges() == 6);
  CHECK(m.coordinates ==
        std::vector<double>{0, 0, 1, 0, 2.5, 0, 0, 1, 1, 1, 2.5, 1});
  CHECK(m.cell_nodes == std::vector<int>{0, 1, 4, 3, 1, 2, 5, 4});
  CHECK(m.edge_nodes == std::vector<int>{4, 1});
  CHECK(m.edge_cells == std::vector<int>{0, 1});
  CHECK(m.boundary_nodes ==
        std::vector<int>{1, 0, 2, 1, 5, 2, 4, 5, 3, 4, 0, 3});
  CHECK(m.boundary_cells == std::vector<int>{0, 1, 1, 1, 0, 0});
  CHECK(m.boundary_flags == std::vector<int>{1, 1, 2, 2, 2, -7});
}

TEST_CASE("mesh file: blank lines, tabs, carriage returns, no last line end",
          "[mesh_file]") {
  std::string text = replaced(two_cells, " 0 1 4 3 \n", "\r\n\n\t0\t1 4 3\r\n");
  text.resize(text.size() - 2);
  const File plain(two_cells), other(text);
  check_equal(Sporos::read_mesh(plain.path), Sporos::read_mesh(other.path));
}

TEST_CASE("mesh file: what is written is read again", "[mesh_file]") {
  QuadMesh m       = Sporos::quad_mesh(37, 23, 1. / 3, 1e-5);
  m.coordinates[3] = -0.1;
  m.coordinates[4] = std::numeric_limits<double>::max();
  m.coordinates[5] = std::numeric_limits<double>::denorm_min();
  const File file;
  Sporos::write_mesh(file.path, m);
  check_equal(Sporos::read_mesh(file.path), m);
  Sporos::write_mesh(file.path, QuadMesh{});
  check_equal(Sporos::read_mesh(file.path), QuadMesh{});
}

TEST_CASE("mesh file: many records", "[mesh_file]") {
  const QuadMesh m = Sporos::quad_mesh(300, 300);  // more than one buffer
  const File file;
  Sporos::write_mesh(file.path, m);
  check_equal(Sporos::read_mesh(file.path), m);
}

TEST_CASE("mesh file: numbers too small for a double", "[mesh_file]") {
  const File file("2 0 0 0\n 1e-400 -2.5e-999\n 1e-320 4.9e-324\n");
  CHECK(Sporos::read_mesh(file.path).coordinates ==
        std::vector<double>{0, 0, 1e-320, 4.9e-324});
}

TEST_CASE("mesh file: numbers as Fortran writes them", "[mesh_file]") {
  const File file(
      "+6 0 0 0\n 0.5D+00 -0.25d+01\n +.5 1.\n 1D3 1.5Q-2\n"
      "  0.5000000000-102 -0.25+103\n 0.1D-399 .5E0\n +1.d0 -.5d-0\n");
  CHECK(Sporos::read_mesh(file.path).coordinates ==
        std::vector<double>{0.5, -2.5, 0.5, 1, 1000, 1.5e-2, 0.5e-102,
                            -0.25e103, 0, 0.5, 1, -0.5});
  for (const char* const wrong :
       {"0.5D", "0.5D+", "0.5DE1", "0.5E1D1", "0.5D1D1", "D1", "+-5", "++5",
        "+", "-+5", "1-2", "0.5--2", "0.5D+-2", "0.5D999", "+inf", "+nan",
        "0.5-", "0.5 D0"})
    CHECK(complaint("2.5e+00", wrong)
              .rfind(std::string("4: node 2, coordinate "), 0) == 0);
  CHECK(complaint("2.5e+00", "0.5DE1") ==
        "4: node 2, coordinate 0: expected a finite number, got '0.5DE1'");
  CHECK(complaint(" 1 2 5 4 ", " 1 2 +-5 4 ") ==
        "9: cell 1, node 2: expected an integer from 0 to 5, got '+-5'");
  CHECK(complaint(" 1 2 5 4 ", " 1 2 5D0 4 ") ==
        "9: cell 1, node 2: expected an integer from 0 to 5, got '5D0'");
}

TEST_CASE("mesh file: corrupt contents", "[mesh_file]") {
  CHECK(complaint("") == "1: the file is empty");
  CHECK(complaint(" 6 2 1 6", "6 2 1") ==
        "1: header, count 3: expected an integer from 0 to 2147483647, got "
        "the end of the line");
  CHECK(complaint(" 6 2 1 6", "6 2 -1 6") ==
        "1: header, count 2: expected an integer from 0 to 2147483647, got "
        "'-1'");
  CHECK(complaint(" 6 2 1 6", "6 99999999999 1 6") ==
        "1: header, count 1: expected an integer from 0 to 2147483647, got "
        "'99999999999'");
  CHECK(complaint("2.5e+00", "2.5f0") ==
        "4: node 2, coordinate 0: expected a finite number, got '2.5f0'");
  CHECK(complaint(" -0 \n", " nan\n") ==
        "4: node 2, coordinate 1: expected a finite number, got 'nan'");
  CHECK(complaint(" -0 \n", " 1e999\n") ==
        "4: node 2, coordinate 1: expected a finite number, got '1e999'");
  CHECK(complaint(" -0 \n", " -1e999\n") ==
        "4: node 2, coordinate 1: expected a finite number, got '-1e999'");
  CHECK(complaint(" -0 \n", " 0 0 \n") ==
        "4: node 2: expected the end of the line, got '0'");
  CHECK(complaint(" -0 \n", "\n") ==
        "4: node 2, coordinate 1: expected a finite number, got the end of the "
        "line");
  CHECK(complaint(" 1 2 5 4 ", " 1 6 5 4 ") ==
        "9: cell 1, node 1: expected an integer from 0 to 5, got '6'");
  CHECK(complaint(" 1 2 5 4 ", " 1 2 5.0 4 ") ==
        "9: cell 1, node 2: expected an integer from 0 to 5, got '5.0'");
  CHECK(complaint(" 4 1 0 1 ", " 4 1 0 2 ") ==
        "10: edge 0, cell 1: expected an integer from 0 to 1, got '2'");
  CHECK(complaint(" 5 2 1 2 ", " 5 2 -1 2 ") ==
        "13: boundary edge 2, cell: expected an integer from 0 to 1, got '-1'");
  CHECK(complaint("0 1 0 0\n 0 0 0 0\n") ==
        "2: cell 0, node 0: expected no node, as the mesh has none, got '0'");
  CHECK(complaint("1 0 0 1\n 0 0\n 0 0 3 0\n") ==
        "3: boundary edge 0, cell: expected no cell, as the mesh has none, got "
        "'3'");
  CHECK(complaint(" 5 2 1 2 ", " 5 2 1 \x01z ") ==
        "13: boundary edge 2, flag: expected an integer from -2147483648 to "
        "2147483647, got '?z'");
}

TEST_CASE("mesh file: truncated and too long files", "[mesh_file]") {
  const std::string text = two_cells;
  const auto cut         = [&](const std::string& where, std::size_t keep) {
    return complaint(text.substr(0, text.find(where) + keep));
  };
  CHECK(cut(" 2.5e+00", 0) == "4: the file ends before node 2 of 6");
  CHECK(cut(" 1 2 5 4", 4) ==
        "9: cell 1, node 2: expected an integer from 0 to 5, got the end of "
        "the file");
  CHECK(cut(" 4 5 1 2", 0) == "14: the file ends before boundary edge 3 of 6");
  CHECK(complaint(text + "\n 1 ") ==
        "18: expected the end of the file, got '1'");
  // a header that announces more than fits into memory
  CHECK(complaint(" 6 2 1 6", "2147483647 2147483647 2147483647 2") ==
        "8: node 6: expected the end of the line, got '4'");
}

TEST_CASE("mesh file: every single cut is noticed", "[mesh_file]") {
  std::string text = two_cells;
  while (text.back() != '7') text.pop_back();
  for (std::size_t keep = 0; keep < text.size() - 1; ++keep)
    if (complaint(text.substr(0, keep)) == "nothing was thrown")
      FAIL_CHECK(keep);
}

TEST_CASE("mesh file: files that are not there, meshes that are none",
          "[mesh_file]") {
  using Catch::Matchers::Equals;
  CHECK_THROWS_WITH(Sporos::read_mesh("/nowhere/mesh.dat"),
                    Equals("Sporos::read_mesh: cannot open /nowhere/mesh.dat: "
                           "No such file or directory"));
  CHECK_THROWS_WITH(
      Sporos::write_mesh("/nowhere/mesh.dat", Sporos::quad_mesh(1, 1)),
      Equals("Sporos::write_mesh: cannot create /nowhere/mesh.dat: No such "
             "file or directory"));
  CHECK_THROWS_AS(Sporos::read_mesh("/"), std::runtime_error);
  QuadMesh m = Sporos::quad_mesh(2, 2);
  m.edge_cells.pop_back();
  CHECK_THROWS_WITH(Sporos::write_mesh("/nowhere/mesh.dat", m),
                    Equals("Sporos::write_mesh: edge_cells: expected 8 values, "
                           "got 7"));
}

TEST_CASE("mesh file: what would not be read is not written", "[mesh_file]") {
  const File file("as before");
  const auto refused = [&](const std::string& says, const auto& spoil) {
    QuadMesh m = Sporos::quad_mesh(2, 2);
    spoil(m);
    CHECK_THROWS_WITH(Sporos::write_mesh(file.path, m),
                      "Sporos::write_mesh: " + says);
    CHECK_THROWS_AS(Sporos::write_mesh(file.path, m), std::invalid_argument);
  };
  refused("coordinates: expected finite numbers, got nan at 1",
          [](QuadMesh& m) {
            m.coordinates[1] = std::numeric_limits<double>::quiet_NaN();
          });
  refused("coordinates: expected finite numbers, got -inf at 17",
          [](QuadMesh& m) {
            m.coordinates[17] = -std::numeric_limits<double>::infinity();
          });
  refused("cell_nodes: expected numbers in [0, 9), got 9 at 15",
          [](QuadMesh& m) { m.cell_nodes[15] = 9; });
  refused("edge_nodes: expected numbers in [0, 9), got -1 at 0",
          [](QuadMesh& m) { m.edge_nodes[0] = -1; });
  refused("edge_cells: expected numbers in [0, 4), got 4 at 2",
          [](QuadMesh& m) { m.edge_cells[2] = 4; });
  refused("boundary_nodes: expected numbers in [0, 9), got 77 at 3",
          [](QuadMesh& m) { m.boundary_nodes[3] = 77; });
  refused("boundary_cells: expected numbers in [0, 4), got -4 at 7",
          [](QuadMesh& m) { m.boundary_cells[7] = -4; });
  CHECK(contents_of(file.path) == "as before");
}

TEST_CASE("mesh file: a file stays as it is until the new one is complete",
          "[mesh_file]") {
  const QuadMesh m = Sporos::quad_mesh(60, 60);
  const File file("as before"), other;
  const std::string part = file.path + ".part";
  {
    const Sporos::Test::FileLimit limit(4096);
    CHECK_THROWS_WITH(
        Sporos::write_mesh(file.path, m),
        "Sporos::write_mesh: cannot write " + file.path + ": File too large");
  }
  CHECK(contents_of(file.path) == "as before");
  CHECK_FALSE(std::filesystem::exists(part));
  Sporos::write_mesh(file.path, m);
  CHECK_FALSE(std::filesystem::exists(part));
  check_equal(Sporos::read_mesh(file.path), m);
  // a link stays one
  const std::string link = other.path + ".link";
  std::filesystem::create_symlink(other.path, link);
  Sporos::write_mesh(link, m);
  CHECK(std::filesystem::is_symlink(link));
  CHECK(std::filesystem::remove(link));
  check_equal(Sporos::read_mesh(other.path), m);
}
