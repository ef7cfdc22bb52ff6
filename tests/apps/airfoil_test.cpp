// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Sporos_Test.hpp>

#include "App_Test.hpp"
#include "Airfoil_AnySimulation.hpp"
#include "Airfoil_Mesh.hpp"
#include "Airfoil_Run.hpp"
#include "Airfoil_Serial.hpp"

#include <Sporos_MeshFile.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

using namespace AirfoilApp;

namespace {

/// Small, and no number of cells or edges is a multiple of a pack's width.
Sporos::QuadMesh small_mesh() { return naca0012_mesh(21, 17); }

constexpr int iterations = 12;

/// Changes of all iterations by the plain code.
template <class T>
std::vector<double> expected(const Sporos::QuadMesh& mesh) {
  SerialAirfoil<T> a(mesh);
  std::vector<double> changes;
  for (int k = 0; k < iterations; ++k) changes.push_back(a.iterate());
  return changes;
}

std::vector<double> computed(const Sporos::QuadMesh& mesh, const Options& o) {
  const auto simulation = make_simulation(mesh, o);
  std::vector<double> changes;
  for (int k = 0; k < iterations; ++k) {
    simulation->iterate(k % 2 == 0);
    changes.push_back(simulation->change());
  }
  return changes;
}

double off(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = a.size() == b.size() ? 0 : 1;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double d = std::abs(a[k] / b[k] - 1);
    if (!(d <= largest)) largest = d;
  }
  return largest;
}

}  // namespace

TEST_CASE("airfoil: every strategy computes what plain loops compute",
          "[airfoil]") {
  const auto mesh      = small_mesh();
  const auto reference = expected<double>(mesh);
  Options o;
  o.block_size = 64;
  for (const auto& strategy : strategy_names())
    for (const char* layout : {"aos", "soa"})
      for (const bool scalar : {false, true}) {
        o.strategy = strategy;
        o.layout   = layout;
        o.scalar   = scalar;
        INFO(strategy << ' ' << layout << (scalar ? " scalar" : " packs"));
        CHECK(off(computed(mesh, o), reference) < 1e-12);
      }
}

TEST_CASE("airfoil: single precision", "[airfoil]") {
  const auto mesh      = small_mesh();
  const auto reference = expected<double>(mesh);
  Options o;
  o.use_float = true;
  for (const char* layout : {"aos", "soa"})
    for (const char* strategy : {"automatic", "gather"}) {
      o.layout   = layout;
      o.strategy = strategy;
      CHECK(off(computed(mesh, o), reference) < 1e-3);
    }
}

TEST_CASE("airfoil: renumbering changes rounding only", "[airfoil]") {
  const auto mesh      = small_mesh();
  const auto reference = expected<double>(mesh);
  CHECK(off(expected<double>(shuffled(mesh, 3)), reference) < 1e-12);
  Options o;
  for (const char* ordering : {"natural", "rcm", "gps", "metis"})
    for (const unsigned seed : {0u, 5u}) {
#ifndef SPOROS_HAVE_METIS
      if (std::string(ordering) == "metis") continue;
#endif
      o.ordering = ordering;
      INFO(ordering << " after shuffle " << seed);
      CHECK(off(computed(seed == 0 ? mesh : shuffled(mesh, seed), o),
                reference) < 1e-12);
    }
}

TEST_CASE("airfoil: fields belong to the cells, whatever the order",
          "[airfoil]") {
  const auto mesh = small_mesh();
  Options o;
  o.ordering = "rcm";
  o.layout   = "soa";
  SerialAirfoil<double> serial(mesh);
  const auto simulation = make_simulation(shuffled(mesh, 7), o);
  for (int k = 0; k < iterations; ++k) {
    serial.iterate();
    simulation->iterate(false);
  }
  // cells by the coordinates of their first node
  const auto sorted = [](const Fields& f) {
    std::vector<std::array<double, 4>> rows;
    for (std::size_t c = 0; c < f.cells(); ++c) {
      const auto n = 2 * std::size_t(f.cell_nodes[4 * c]);
      rows.push_back(
          {f.coordinates[n], f.coordinates[n + 1], f.mach(c), f.pressure(c)});
    }
    std::sort(rows.begin(), rows.end());
    return rows;
  };
  // two cells at the cut share their first node: compare sums of both
  const auto a = sorted({mesh.coordinates, mesh.cell_nodes, serial.q});
  const auto b = sorted(simulation->fields());
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (std::size_t c = 0; c < a.size(); ++c)
    for (std::size_t k = 0; k < 4; ++k)
      largest =
          Sporos::Test::larger_error(largest, std::abs(a[c][k] - b[c][k]));
  CHECK(largest < 1e-12);
}

TEST_CASE("airfoil: useful bytes of the published mesh", "[airfoil]") {
  Sporos::QuadMesh m;
  m.coordinates.resize(2 * 721801);
  m.cell_nodes.resize(4 * 720000);
  m.edge_nodes.resize(2 * 1438600);
  m.edge_cells.resize(2 * 1438600);
  // Sulyok et al.: 109.446416 MB
  CHECK(useful_bytes(m, res_calc, 8) == 109446416);
  CHECK(useful_bytes(m, save_soln, 8) == 720000 * 64);
  CHECK(useful_bytes(m, update, 4) == 720000 * 17 * 4);
}

TEST_CASE("airfoil: lines of rms look like OP2's", "[airfoil]") {
  CHECK(rms_line(100, 5.021864e-4) == " 100  5.02186e-04 ");
}

TEST_CASE("airfoil: a history is judged by the published values", "[airfoil]") {
  Sporos::QuadMesh m;
  m.coordinates.resize(2 * 721801);
  m.cell_nodes.resize(4 * 720000);
  m.edge_nodes.resize(2 * 1438600);
  m.boundary_cells.resize(2800);
  Options o;
  CHECK(judge(m, o, {{100, 5.02186e-4}, {200, 3.417461e-4}}).ok);
  CHECK_FALSE(judge(m, o, {{100, 5.02187e-4}, {200, 3.41746e-4}}).ok);
  CHECK(judge(m, o, {{1000, 0.0001060114637578}}).ok);
  CHECK(judge(m, o, {{1000, 0.0001060114637578 * (1 + 0.9e-7)}}).ok);
  CHECK_FALSE(judge(m, o, {{1000, 0.0001060114637578 * (1 + 1.1e-7)}}).ok);
  CHECK_FALSE(judge(m, o, {{1000, std::nan("")}}).ok);
  o.use_float = true;
  CHECK(judge(m, o, {{1000, 0.000106012}}).ok);
  CHECK_FALSE(judge(m, o, {{1000, 0.0001062}}).ok);
  m.edge_nodes.pop_back();
  m.edge_nodes.pop_back();
  CHECK(judge(m, o, {{100, 2.}, {200, 1.}}).ok);
  CHECK_FALSE(judge(m, o, {{100, 2.}, {200, 2.1}}).ok);
}

TEST_CASE("airfoil: a run with all its files", "[airfoil]") {
  const AppTest::Folder folder("sporos_airfoil_test");
  std::filesystem::create_directories(folder.path);
  Options o;
  o.along      = 20;
  o.layers     = 16;
  o.iterations = 20;
  o.every      = 5;
  o.pixels     = 128;
  o.output     = folder.path.string() + "/out";
  o.write_mesh = folder.path.string() + "/new_grid.dat";
  std::ostringstream first, second;
  CHECK(run(o, first));
  for (const char* text : {"960 cells", " 5  ", " 20  ", "res_calc", "PASSED"})
    CHECK(first.str().find(text) != std::string::npos);
  std::ifstream vtk(o.output + "/airfoil.vtu");
  std::string line;
  std::getline(vtk, line);
  CHECK(line == "<?xml version=\"1.0\"?>");
  CHECK(std::distance(std::filesystem::directory_iterator(o.output),
                      std::filesystem::directory_iterator{}) == 2);

  // the same from the file that was written, and nothing but rms
  o.mesh       = o.write_mesh;
  o.write_mesh = "";
  o.quiet      = true;
  o.picture    = "none";
  CHECK(run(o, second));
  CHECK(second.str().size() == 3 * 18 + 17);
  CHECK(first.str().find(second.str()) != std::string::npos);
}
