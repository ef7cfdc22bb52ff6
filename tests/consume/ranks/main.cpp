// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A code of a user's on many ranks: each block of a grid gets the rank of its
// owner, and ghost layers those of the neighbours.

#include <Sporos_GhostExchange.hpp>

#include <cstdio>

static int run() {
  const Sporos::Communicator comm(MPI_COMM_WORLD);
  const Sporos::DistributedGrid<1> blocks(comm, Sporos::Grid<1>({40}, 1.));
  const Kokkos::View<double*, Kokkos::HostSpace> field("field",
                                                       blocks.extent(0, 0.));
  Kokkos::deep_copy(field, double(comm.rank()));
  Sporos::fill_ghosts(Kokkos::DefaultHostExecutionSpace(), blocks,
                      Sporos::Grid<1>::node(), field);
  Kokkos::fence();
  const int last = comm.size() - 1, rank = comm.rank();
  const double before = rank > 0 ? rank - 1 : last;
  const double after  = rank < last ? rank + 1 : 0;
  const bool right = field(0) == before && field(field.extent(0) - 1) == after;
  std::printf("rank %d of %d: %s\n", rank, comm.size(), right ? "ok" : "wrong");
  return right ? 0 : 1;
}

int main(int argc, char* argv[]) {
  int threads = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads);
  int wrong = 0;
  {
    Kokkos::ScopeGuard kokkos(argc, argv);
    wrong = run();
  }
  MPI_Finalize();
  return wrong;
}
