// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last rank leaves a test case in which the others wait for it: the job
// must end, and say where.
#include <Sporos_Test.hpp>

#include <mpi.h>

TEST_CASE("all ranks come to this end") { CHECK(true); }

TEST_CASE("the last rank leaves the others") {
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  REQUIRE(rank + 1 < size);
  MPI_Barrier(MPI_COMM_WORLD);
}
