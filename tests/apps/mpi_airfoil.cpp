// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The airfoil application on all ranks against plain loops over the whole mesh.
#include "Sporos_Refused.hpp"

#include "Airfoil_AnySimulation.hpp"
#include "Airfoil_Mesh.hpp"
#include "Airfoil_Run.hpp"
#include "Airfoil_Serial.hpp"
#include "Airfoil_World.hpp"

#include <Sporos_MeshFile.hpp>
#include <Sporos_Test.hpp>

#include <mpi.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

using namespace AirfoilApp;

namespace {

constexpr int iterations = 3;

int rank() {
  int r = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &r);
  return r;
}
int ranks() {
  int n = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  return n;
}

/// The largest number of all ranks; infinity if one is NaN, which MPI_MAX may
/// drop.
double largest_of(double mine) {
  if (std::isnan(mine)) mine = std::numeric_limits<double>::infinity();
  MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return mine;
}

Options small_problem() {
  Options o;
  o.along      = 21;
  o.layers     = 17;
  o.iterations = 20;
  o.every      = 5;
  o.quiet      = true;
  o.picture    = "none";
  return o;
}

/// A folder that all ranks share; rank 0 removes it.
class SharedFolder {
 public:
  SharedFolder() {
    std::uint64_t number = std::uint64_t(std::size_t(this));
    MPI_Bcast(&number, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    path = (std::filesystem::temp_directory_path() /
            ("sporos_airfoil_" + std::to_string(number) + '_' +
             std::to_string(ranks())))
               .string();
    std::filesystem::create_directories(path);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  SharedFolder(const SharedFolder&)            = delete;
  SharedFolder& operator=(const SharedFolder&) = delete;
  ~SharedFolder() {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank() == 0) std::filesystem::remove_all(path);
  }

  std::string path;
};

/// Distance of the changes and of q from those of plain loops.
double off(const Options& o) {
  const auto whole = naca0012_mesh(o.along, o.layers);
  SerialAirfoil<double> serial(whole);
  const FlowMesh mesh   = make_world()->make_mesh(o);
  const auto simulation = make_simulation(mesh, o);
  double largest        = 0;
  for (int k = 0; k < iterations; ++k) {
    const double expected = serial.iterate();
    simulation->iterate(k % 2 == 0);
    largest = Sporos::Test::larger_error(
        largest, std::abs(simulation->change() / expected - 1));
  }
  const Fields fields = simulation->fields();
  const auto numbers  = simulation->cell_numbers();
  for (std::size_t c = 0; c < fields.cells(); ++c) {
    const auto g = std::size_t(numbers[c]);
    for (std::size_t k = 0; k < 4; ++k)
      largest = Sporos::Test::larger_error(
          largest, std::abs(fields.q[4 * c + k] - serial.q[4 * g + k]));
  }
  std::int64_t cells = std::int64_t(fields.cells());
  MPI_Allreduce(MPI_IN_PLACE, &cells, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  CHECK(cells == mesh.counts.cells);
  return largest_of(largest);
}

}  // namespace

TEST_CASE(
    "airfoil on ranks: every strategy computes what plain loops compute") {
  Options o    = small_problem();
  o.block_size = 64;
  for (const auto& strategy : strategy_names()) {
    INFO(strategy);
    o.strategy = strategy;
    CHECK(off(o) < 1e-12);
  }
  o.strategy = "automatic";
  o.layout   = "soa";
  CHECK(off(o) < 1e-12);
  o.scalar = true;
  CHECK(off(o) < 1e-12);
}

TEST_CASE("airfoil on ranks: each rank renumbers its part") {
  Options o = small_problem();
  for (const char* ordering : {"rcm", "gps", "random"}) {
    INFO(ordering);
    o.ordering = ordering;
    CHECK(off(o) < 1e-12);
  }
}

TEST_CASE("airfoil on ranks: more ranks than layers") {
  Options o = small_problem();
  o.along   = 4;
  o.layers  = 2;
  CHECK(off(o) < 1e-12);
}

TEST_CASE("airfoil on ranks: the same from a file") {
  const SharedFolder folder;
  Options o = small_problem();
  o.mesh    = folder.path + "/new_grid.dat";
  if (rank() == 0) Sporos::write_mesh(o.mesh, naca0012_mesh(o.along, o.layers));
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(off(o) < 1e-12);
}

TEST_CASE("airfoil on ranks: one rank prints the series of one process") {
  Options o        = small_problem();
  const auto whole = naca0012_mesh(o.along, o.layers);
  SerialAirfoil<double> serial(whole);
  std::string expected;
  for (int k = 1; k <= o.iterations; ++k) {
    const double change = serial.iterate();
    if (k % o.every == 0) expected += rms_line(k, change) + '\n';
  }
  std::ostringstream out;
  CHECK(run(o, out));
  CHECK(out.str() == (rank() == 0 ? expected : ""));
  o.quiet = false;
  out.str("");
  CHECK(run(o, out));
  if (ranks() > 1 && rank() == 0)
    CHECK(out.str().find(std::to_string(ranks()) + " ranks, dealt out") !=
          std::string::npos);
}

namespace {

/// What one process says of the bits of its result.
std::string bits_of_one(const Options& o) {
  const auto mesh       = naca0012_mesh(o.along, o.layers);
  const auto simulation = make_simulation(mesh, o);
  for (int k = 0; k < o.iterations; ++k) simulation->iterate(false);
  return bits_line(simulation->hash(), simulation->change());
}

}  // namespace

TEST_CASE("airfoil on ranks: the bits are those of one process") {
  Options o   = small_problem();
  o.any_ranks = true;
  for (const bool single : {false, true})
    for (const char* layout : {"aos", "soa"}) {
      o.use_float = single;
      o.layout    = layout;
      std::ostringstream out;
      CHECK(run(o, out));
      const std::string expected = bits_of_one(o);
      if (rank() != 0) continue;
      const std::string text = out.str();
      CHECK(text.substr(text.find("hash")) == expected + '\n');
    }
}

TEST_CASE("airfoil on ranks: a file for each part, and one for all") {
  if (ranks() == 1) return;
  const SharedFolder folder;
  Options o = small_problem();
  o.output  = folder.path + "/out";
  o.picture = "mach";
  std::ostringstream out;
  CHECK(run(o, out));
  std::ifstream whole(o.output + "/airfoil.pvtu");
  int pieces = 0, cells = 0, files = 0;
  for (std::string line; std::getline(whole, line);)
    if (line.find("<Piece Source=") == 0) {
      std::ifstream piece(o.output + "/airfoil_" + std::to_string(pieces) +
                          ".vtu");
      CHECK(line ==
            "<Piece Source=\"airfoil_" + std::to_string(pieces) + ".vtu\"/>");
      for (std::string text; std::getline(piece, text);) {
        const auto at = text.find("NumberOfCells=\"");
        if (at != std::string::npos) cells += std::stoi(text.substr(at + 15));
      }
      ++pieces;
    }
  CHECK(pieces == ranks());
  CHECK(cells == 3 * o.along * o.layers);
  for (const auto& file : std::filesystem::directory_iterator(o.output)) {
    CHECK(file.path().extension() != ".part");
    ++files;
  }
  CHECK(files == ranks() + 1);
  MPI_Barrier(MPI_COMM_WORLD);
}

TEST_CASE("airfoil on ranks: what needs the whole mesh is refused") {
  if (ranks() == 1) return;
  const auto refused = [](const std::string& text, const Options& o) {
    std::ostringstream out;
    Sporos::Test::check_refused_on_ranks(text, [&] { run(o, out); });
    CHECK(out.str().empty());
  };
  const std::string why =
      ": only one process can do that, as it needs the whole mesh; got ";
  const std::string many = " and " + std::to_string(ranks()) + " ranks";
  Options o              = small_problem();
  o.shuffle              = 3;
  refused("airfoil: --shuffle" + why + '3' + many, o);
  o            = small_problem();
  o.write_mesh = "mesh.dat";
  refused("airfoil: --write-mesh" + why + "mesh.dat" + many, o);
  o        = small_problem();
  o.output = "/proc/none";
  o.mesh   = "/no/such/mesh.dat";
  refused("Sporos::read_mesh_block: cannot open /no/such/mesh.dat", o);
}
