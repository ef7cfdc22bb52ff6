// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Points and a grid on many MPI ranks: points go to their ranks, then spread.
#include <Sporos_DistributedParticleGrid.hpp>

#include <cmath>
#include <cstdio>

int run(const Sporos::Communicator& comm) {
  using Exec = Kokkos::DefaultExecutionSpace;
  const Exec exec;

  // Each rank has 1000 points anywhere in the unit square.
  const int n = 1000, rank = comm.rank();
  Kokkos::View<double**> positions("positions", n, 2);
  Kokkos::View<double*> charges("charges", n);
  Kokkos::parallel_for(
      "points", Kokkos::RangePolicy<Exec>(exec, 0, n), KOKKOS_LAMBDA(int i) {
        positions(i, 0) = std::fmod(0.618 * i + 0.1 * rank, 1.);
        positions(i, 1) = (i + 0.5) / n;
        charges(i)      = 1. / n;
      });

  // A block of the grid for each rank, with layers of ghosts around it.
  const Sporos::Grid<2> grid({64, 64}, 1. / 64);
  const Sporos::DistributedGrid<2> blocks(comm, grid);
  Kokkos::View<double**> density("density", blocks.extent(0, 0.),
                                 blocks.extent(1, 0.));

  Sporos::migrate(exec, blocks, positions, charges);  // Views get new extents
  const Sporos::DistributedParticleGridPlan plan(exec, blocks,
                                                 Sporos::Peskin4{}, positions);
  Sporos::spread(exec, plan, charges, density);

  // The integral of the density over the blocks, without their ghosts.
  const int ghosts = blocks.ghosts(), rows = int(density.extent(0));
  const int columns = int(density.extent(1));
  double total      = 0;
  Kokkos::parallel_reduce(
      "total", Kokkos::RangePolicy<Exec>(exec, ghosts, rows - ghosts),
      KOKKOS_LAMBDA(int i, double& sum) {
        for (int j = ghosts; j < columns - ghosts; ++j)
          sum += density(i, j) / (64 * 64);
      },
      total);
  MPI_Allreduce(MPI_IN_PLACE, &total, 1, MPI_DOUBLE, MPI_SUM, comm.mpi());
  if (rank == 0) std::printf("charge on %d ranks %.6f\n", comm.size(), total);
  return std::abs(total - comm.size()) < 1e-9 ? 0 : 1;
}

int main(int argc, char* argv[]) {
  int threads = 0;  // Kokkos runs threads, of which one sends messages
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads);
  Kokkos::initialize(argc, argv);
  const int result = run(Sporos::Communicator(MPI_COMM_WORLD));
  Kokkos::finalize();
  MPI_Finalize();
  return result;
}
