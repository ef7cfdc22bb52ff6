// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elasticity code on many ranks. The runs of the program itself judge the
// orders of errors.
#include "Sporos_Test.hpp"

#include "App_Test.hpp"
#include "Elasticity_Ranks.hpp"
#include "Elasticity_Run.hpp"

#include <mpi.h>

#include <filesystem>
#include <string>

using namespace ElasticityApp;

namespace {

Options small(Problem problem, Shape shape, int order, Boundary boundary) {
  Options o;
  o.problem  = problem;
  o.shape    = shape;
  o.order    = order;
  o.boundary = boundary;
  o.cells    = order == 1 ? 3 : 2;
  o.no_files = true;
  return o;
}

Report run_on(MPI_Comm comm, const Options& o) {
  return run(*make_world_of_ranks(Sporos::Communicator(comm), o.any_ranks), o);
}

const Options cases[] = {
    small(Problem::elasticity, Shape::tetrahedra, 1, Boundary::rows),
    small(Problem::elasticity, Shape::tetrahedra, 2, Boundary::missing),
    small(Problem::poisson, Shape::tetrahedra, 1, Boundary::missing),
    small(Problem::poisson, Shape::hexahedra, 2, Boundary::rows),
    small(Problem::elasticity, Shape::hexahedra, 1, Boundary::missing)};

}  // namespace

TEST_CASE("elasticity: with any_ranks all bits are those of one rank",
          "[elasticity]") {
  for (Options o : cases) {
    o.any_ranks       = true;
    const Result many = run_on(MPI_COMM_WORLD, o).results[0],
                 one  = run_on(MPI_COMM_SELF, o).results[0];
    INFO(int(o.problem) << ' ' << int(o.shape) << ' ' << o.order);
    CHECK(many.bits == one.bits);
    CHECK(many.error == one.error);
    CHECK(many.iterations == one.iterations);
    CHECK(many.unknowns == one.unknowns);
    CHECK(many.nonzeros == one.nonzeros);
  }
}

TEST_CASE("elasticity: without any_ranks only rounding depends on ranks",
          "[elasticity]") {
  for (const Options& o : {cases[1], cases[3]}) {
    const Result many  = run_on(MPI_COMM_WORLD, o).results[0],
                 plain = run(*make_world_of_one(), o).results[0];
    CHECK(many.error == Approx(plain.error).epsilon(1e-8));
    CHECK(many.size == Approx(plain.size));
    CHECK(many.residual <= o.tolerance);
  }
}

TEST_CASE("elasticity: each rank writes its file, and rank 0 their index",
          "[elasticity]") {
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  Options o         = cases[0];
  o.no_files        = false;
  const auto folder = std::filesystem::temp_directory_path() /
                      ("sporos-elasticity-" + std::to_string(size));
  if (rank == 0) std::filesystem::remove_all(folder);
  MPI_Barrier(MPI_COMM_WORLD);
  o.output               = folder.string();
  const Report r         = run_on(MPI_COMM_WORLD, o);
  const std::string mine = size == 1
                               ? "elasticity.vtu"
                               : "elasticity-" + std::to_string(rank) + ".vtu";
  CHECK(std::filesystem::file_size(folder / mine) > 1000);
  CHECK(std::filesystem::exists(r.files[0]));
  CHECK(std::filesystem::path(r.files[0]).extension() ==
        (size == 1 ? ".vtu" : ".pvtu"));
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) std::filesystem::remove_all(folder);
}
