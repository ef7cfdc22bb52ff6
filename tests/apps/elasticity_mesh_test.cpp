// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Sporos_Test.hpp>

#include "App_Test.hpp"
#include "Elasticity_Mesh.hpp"
#include "Elasticity_MeshFile.hpp"
#include "Elasticity_Run.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

using namespace ElasticityApp;

namespace {

/// The volume of the cells of a block that has all nodes; -1 if one is turned
/// inside out.
double volume_of(const MeshBlock& b) {
  const auto n       = std::size_t(node_count(b.shape, b.order));
  const Quadrature q = quadrature(b.shape, true);
  double sum         = 0;
  for (std::size_t c = 0; c < b.cell_nodes.size() / n; ++c)
    for (std::size_t p = 0; p < q.points.size(); ++p) {
      const ShapeValues s = shape_values(b.shape, b.order, q.points[p]);
      double j[3][3]      = {};
      for (std::size_t k = 0; k < n; ++k)
        for (std::size_t d = 0; d < 3; ++d)
          for (std::size_t e = 0; e < 3; ++e)
            j[d][e] +=
                s.gradients[k][e] *
                b.coordinates[std::size_t(b.cell_nodes[c * n + k]) * 3 + d];
      const double det = j[0][0] * (j[1][1] * j[2][2] - j[1][2] * j[2][1]) -
                         j[0][1] * (j[1][0] * j[2][2] - j[1][2] * j[2][0]) +
                         j[0][2] * (j[1][0] * j[2][1] - j[1][1] * j[2][0]);
      if (det <= 0) return -1;
      sum += q.weights[p] * det;
    }
  return sum;
}

/// The unit cube as a mesh of Gmsh: one cube, or six tetrahedra.
Sporos::GmshMesh cube_of_gmsh(Shape shape) {
  Sporos::GmshMesh m;
  Options o;
  o.shape           = shape;
  o.cells           = 1;
  const MeshBlock b = box_block(o, 1, 0, 1);
  m.coordinates     = b.coordinates;
  const bool cube   = shape == Shape::hexahedra;
  m.groups          = {{"fixed", 2, 1}};
  Sporos::GmshElements sides{"triangle", 2, 2, 3, {0, 2, 6, 0, 6, 4}, {{0, 1}}};
  if (cube) sides = {"quadrilateral", 3, 2, 4, {0, 2, 6, 4}, {{0}}};
  m.elements.push_back(sides);
  m.elements.push_back(
      {cube ? "hexahedron" : "tetrahedron",
       cube ? 5 : 4,
       3,
       cube ? 8 : 4,
       std::vector<int>(b.cell_nodes.begin(), b.cell_nodes.end()),
       {{}}});
  return m;
}

void check_file_refused(const Options& o, const Sporos::GmshMesh& m,
                        const std::string& why) {
  try {
    file_block(o, "x.msh", m, 0, 1);
    CHECK_FALSE("it was taken");
  } catch (const std::runtime_error& e) {
    CHECK(std::string(e.what()).find("--mesh: x.msh: " + why) !=
          std::string::npos);
  }
}

/// The box of the options as text of Gmsh, version 2.2.
std::string text_of_gmsh(const MeshBlock& b) {
  std::ostringstream out;
  out.precision(17);
  out << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n"
      << b.fixed.size() << '\n';
  for (std::size_t n = 0; n < b.fixed.size(); ++n)
    out << n + 1 << ' ' << b.coordinates[3 * n] << ' '
        << b.coordinates[3 * n + 1] << ' ' << b.coordinates[3 * n + 2] << '\n';
  out << "$EndNodes\n$Elements\n" << b.cell_nodes.size() / 4 << '\n';
  for (std::size_t c = 0; c < b.cell_nodes.size() / 4; ++c) {
    out << c + 1 << " 4 2 0 1";
    for (std::size_t k = 0; k < 4; ++k)
      out << ' ' << b.cell_nodes[4 * c + k] + 1;
    out << '\n';
  }
  out << "$EndElements\n";
  return out.str();
}

}  // namespace

TEST_CASE("elasticity: the box is filled, and blocks make it up",
          "[elasticity]") {
  for (const Shape shape : {Shape::tetrahedra, Shape::hexahedra})
    for (const int order : {1, 2}) {
      Options o;
      o.shape           = shape;
      o.order           = order;
      const MeshBlock b = box_block(o, 3, 0, 1);
      CHECK(volume_of(b) == Approx(1).epsilon(1e-13));
      o.distort = 0;
      CHECK(volume_of(box_block(o, 3, 0, 1)) == Approx(1).epsilon(1e-13));
      const auto across        = std::size_t(3 * order + 1);
      const std::size_t inside = (across - 2) * (across - 2) * (across - 2);
      CHECK(std::count(b.fixed.begin(), b.fixed.end(), 0) ==
            std::ptrdiff_t(inside));
      for (std::size_t k = 0; k < b.unknowns.size(); ++k) {
        const auto n = std::size_t(b.cell_nodes[k]);
        if (b.unknowns[k] != (b.fixed[n] != 0 ? -1 : b.cell_nodes[k]))
          FAIL("a node that is not fixed is missing, or a fixed one is there");
      }
      o.distort = .1;
      MeshBlock all;
      for (int rank = 0; rank < 5; ++rank) {
        const MeshBlock part = box_block(o, 3, rank, 5);
        all.coordinates.insert(all.coordinates.end(), part.coordinates.begin(),
                               part.coordinates.end());
        all.cell_nodes.insert(all.cell_nodes.end(), part.cell_nodes.begin(),
                              part.cell_nodes.end());
        all.fixed.insert(all.fixed.end(), part.fixed.begin(), part.fixed.end());
      }
      CHECK(all.coordinates == b.coordinates);
      CHECK(all.cell_nodes == b.cell_nodes);
      CHECK(all.fixed == b.fixed);
    }
  Options o;
  o.problem         = Problem::cantilever;
  o.length          = 2.5;
  const MeshBlock b = box_block(o, 2, 0, 1);
  CHECK(volume_of(b) == Approx(2.5));
  CHECK(std::count(b.fixed.begin(), b.fixed.end(), 1) == 9);
}

TEST_CASE("elasticity: meshes of Gmsh get the nodes of quadratic cells",
          "[elasticity]") {
  for (const Shape shape : {Shape::tetrahedra, Shape::hexahedra}) {
    const Sporos::GmshMesh m = cube_of_gmsh(shape);
    Options o;
    o.order           = 2;
    const MeshBlock b = file_block(o, "x.msh", m, 0, 1);
    CHECK(b.fixed.size() == 27);
    CHECK(volume_of(b) == Approx(1).epsilon(1e-13));
    CHECK(std::count(b.fixed.begin(), b.fixed.end(), 0) == 1);
    const std::set<std::int64_t> used(b.cell_nodes.begin(), b.cell_nodes.end());
    CHECK(used.size() == 27);

    // The file's own nodes are taken.
    Sporos::GmshMesh quadratic = m;
    quadratic.coordinates      = b.coordinates;
    auto& cells                = quadratic.elements[1];
    cells.nodes.assign(b.cell_nodes.begin(), b.cell_nodes.end());
    cells.arity = node_count(shape, 2);
    cells.name += std::to_string(cells.arity);
    CHECK(file_block(o, "x.msh", quadratic, 0, 1).cell_nodes == b.cell_nodes);
    o.order = 1;
    CHECK(file_block(o, "x.msh", quadratic, 0, 1).cell_nodes ==
          file_block(o, "x.msh", m, 0, 1).cell_nodes);

    // A cantilever is fixed where its group says.
    o.problem            = Problem::cantilever;
    o.order              = 2;
    const MeshBlock beam = file_block(o, "x.msh", m, 0, 1);
    CHECK(std::count(beam.fixed.begin(), beam.fixed.end(), 1) == 9);
    for (std::size_t n = 0; n < beam.fixed.size(); ++n)
      CHECK(beam.fixed[n] == (beam.coordinates[3 * n] == 0));
  }
}

TEST_CASE("elasticity: meshes of other cells are refused", "[elasticity]") {
  Options o;
  Sporos::GmshMesh m = cube_of_gmsh(Shape::tetrahedra);
  m.elements.push_back(cube_of_gmsh(Shape::hexahedra).elements[1]);
  check_file_refused(o, m, "expected cells of one shape, got more");
  m.elements.resize(1);
  check_file_refused(o, m, "expected cells, got none");
  m.elements.push_back({"prism", 6, 3, 6, {0, 1, 2, 3, 4, 5}, {{}}});
  check_file_refused(o, m, "expected cells that are tetrahedron");
  m           = cube_of_gmsh(Shape::tetrahedra);
  m.groups[0] = {"other", 2, 1};
  o.problem   = Problem::cantilever;
  check_file_refused(o, m, "expected a group \"fixed\" of faces");
}

TEST_CASE("elasticity: files are solved as boxes are", "[elasticity]") {
  const AppTest::Folder folder("sporos-elasticity-mesh-test");
  std::filesystem::create_directories(folder.path);
  Options box;
  box.problem   = Problem::poisson;
  box.no_files  = true;
  Options files = box;
  std::vector<double> errors;
  for (const int cells : {2, 3}) {
    const std::string path =
        (folder.path / (std::to_string(cells) + ".msh")).string();
    std::ofstream(path) << text_of_gmsh(box_block(box, cells, 0, 1));
    files.mesh.push_back(path);
    box.cells = cells;
    errors.push_back(run(*make_world_of_one(), box).results[0].error);
  }
  const Report r = run(*make_world_of_one(), files);
  for (std::size_t k = 0; k < 2; ++k)
    CHECK(r.results[k].error == Approx(errors[k]).epsilon(1e-9));
  files.mesh = {(folder.path / "none.msh").string()};
  CHECK_THROWS_AS(run(*make_world_of_one(), files), std::runtime_error);
}
