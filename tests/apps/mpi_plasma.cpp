// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plasma code on many ranks. The runs of the program itself judge the
// frequency, the growth, and what is conserved.
#include "Sporos_Refused.hpp"
#include "Sporos_Test.hpp"

#include "Plasma_Output.hpp"
#include "Plasma_Ranks.hpp"
#include "Plasma_Simulation.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

using namespace PlasmaApp;
using Sporos::Test::check_refused_on_ranks;

namespace {

namespace fs = std::filesystem;

Options small(Problem problem) {
  Options o;
  o.problem = problem;
  o.cells   = 32;
  o.across  = 8;
  o.points  = 2;
  return o;
}

/// A simulation on the ranks of a communicator.
struct Run {
  Setup setup;
  std::unique_ptr<World> world;
  Simulation simulation;

  Run(MPI_Comm comm, const Options& o, bool any_ranks)
      : setup(o),
        world(
            make_world_of_ranks(Sporos::Communicator(comm), setup, any_ranks)),
        simulation(Exec{}, *world, setup, .1) {}

  void steps(int n) {
    for (int i = 0; i < n; ++i) simulation.step();
  }
};

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos;
       at             = text.find(part, at + 1))
    ++n;
  return n;
}

/// A folder that all ranks share, empty, and gone in the end.
struct Folder {
  fs::path path;

  explicit Folder(const std::string& name)
      : path(fs::temp_directory_path() / name) {
    if (rank() == 0) fs::remove_all(path);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  Folder(const Folder&)            = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank() == 0) fs::remove_all(path);
  }
  static int rank() {
    int r = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &r);
    return r;
  }
};

}  // namespace

// Beams cross the slabs, so that particles migrate in every step.
TEST_CASE("plasma: with any_ranks all bits are those of one rank", "[plasma]") {
  for (const Problem problem : {Problem::two_stream, Problem::oscillation}) {
    Run many(MPI_COMM_WORLD, small(problem), true);
    Run one(MPI_COMM_SELF, small(problem), true);
    many.steps(40);
    one.steps(40);
    CHECK(many.simulation.series().amplitude ==
          one.simulation.series().amplitude);
    CHECK(many.simulation.conserved().lost == 0);
    CHECK(many.simulation.conserved().momentum ==
          one.simulation.conserved().momentum);

    const Particles &p = many.simulation.particles(),
                    &q = one.simulation.particles();
    std::vector<std::size_t> at(std::size_t(one.setup.count()), 0);
    for (std::size_t i = 0; i < q.number.extent(0); ++i)
      at[std::size_t(q.number(i))] = i;
    int different = 0;
    for (std::size_t i = 0; i < p.number.extent(0); ++i)
      for (std::size_t d = 0; d < 2; ++d) {
        const std::size_t k = at[std::size_t(p.number(i))];
        different += p.x(i, d) != q.x(k, d) || p.v(i, d) != q.v(k, d);
      }
    CHECK(different == 0);

    const InnerField mine = many.simulation.density(),
                     all  = one.simulation.density();
    const auto first      = std::size_t(many.world->first);
    different             = 0;
    for (std::size_t i = 0; i < mine.extent(0); ++i)
      for (std::size_t j = 0; j < mine.extent(1); ++j)
        different += mine(i, j) != all(first + i, j);
    CHECK(different == 0);
  }
}

TEST_CASE("plasma: without any_ranks only rounding depends on ranks",
          "[plasma]") {
  Run many(MPI_COMM_WORLD, small(Problem::oscillation), false);
  Run one(MPI_COMM_SELF, small(Problem::oscillation), false);
  const auto plain = make_world_of_one(one.setup);
  Simulation process(Exec{}, *plain, one.setup, .1);
  many.steps(30);
  one.steps(30);
  for (int i = 0; i < 30; ++i) process.step();
  for (std::size_t i = 0; i < 30; ++i) {
    const auto a = many.simulation.series().amplitude[i];
    CHECK(std::abs(a - one.simulation.series().amplitude[i]) < 1e-14);
    CHECK(std::abs(a - process.series().amplitude[i]) < 1e-14);
  }
}

TEST_CASE("plasma: particles that ranks lose or double are found", "[plasma]") {
  Run run(MPI_COMM_WORLD, small(Problem::two_stream), false);
  run.steps(2);
  const Particles& p       = run.simulation.particles();
  const std::int64_t count = run.setup.count();
  const bool last          = run.world->rank == run.world->size - 1;
  const auto wrong         = [&] { return lost(Exec{}, *run.world, p, count); };
  CHECK(wrong() == 0);

  // The last rank takes a number that rank 0 has for its own.
  std::int64_t number = p.number(0);
  MPI_Bcast(&number, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
  const std::size_t at = p.number.extent(0) - 1;
  if (last) p.number(at) = number;
  CHECK(wrong() == 2);
  if (last) p.number(at) = count;
  CHECK(wrong() == 2);
}

TEST_CASE("plasma: each rank writes its files, and rank 0 their index",
          "[plasma]") {
  Run run(MPI_COMM_WORLD, small(Problem::two_stream), false);
  run.steps(1);
  const int size = run.world->size;
  if (size == 1) return;
  const Folder folder("sporos-plasma-" + std::to_string(size));
  run.world->together(
      [&] { std::filesystem::create_directories(folder.path); });
  write_files(run.simulation, folder.path.string());
  const std::string fields    = text_of(folder.path / "fields.pvti"),
                    particles = text_of(folder.path / "particles.pvtp");
  CHECK(count_of(fields, "<Piece Extent=") == std::size_t(size));
  CHECK(count_of(particles, "<Piece Source=") == std::size_t(size));
  for (int r = 0; r < size; ++r) {
    const std::string name = "fields-" + std::to_string(r) + ".vti";
    CHECK(count_of(fields, "Source=\"" + name + '"') == 1);
    // The index has the extent that the piece itself has.
    const std::string piece = text_of(folder.path / name);
    const auto begin        = piece.find("Extent=", piece.find("<Piece"));
    const std::string extent =
        piece.substr(begin, piece.find('>', begin) - begin);
    CHECK(count_of(fields, extent + " Source=\"" + name) == 1);
  }
  const auto mine = "particles-" + std::to_string(run.world->rank) + ".vtp";
  const auto n    = std::to_string(run.simulation.particles().x.extent(0));
  CHECK(count_of(text_of(folder.path / mine), "NumberOfPoints=\"" + n + '"') ==
        1);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(std::distance(fs::directory_iterator(folder.path), {}) == 2 * size + 3);
  MPI_Barrier(MPI_COMM_WORLD);

  // The last rank cannot write: all throw, and no index names what is not
  // there.
  const auto last = "fields-" + std::to_string(size - 1) + ".vti";
  if (run.world->rank == 0) {
    fs::remove(folder.path / last);
    fs::create_directories(folder.path / last / "in the way");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_THROWS_AS(write_files(run.simulation, folder.path.string()),
                  std::runtime_error);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_FALSE(fs::exists(folder.path / "fields.pvti"));
}

TEST_CASE("plasma: slabs that are too thin are refused on all ranks",
          "[plasma]") {
  const Sporos::Communicator comm(MPI_COMM_WORLD);
  Options o = small(Problem::oscillation);
  o.across  = 4;
  check_refused_on_ranks("--across takes at least 8",
                         [&] { make_world_of_ranks(comm, Setup(o), false); });
  o       = small(Problem::oscillation);
  o.cells = 17;  // 5, 5, 5 and 2 rows on four ranks
  if (comm.size() == 4)
    check_refused_on_ranks("of 17 rows one of 4 ranks gets 2",
                           [&] { make_world_of_ranks(comm, Setup(o), false); });
}
