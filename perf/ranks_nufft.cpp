// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Times non-uniform FFTs of 10^6 random points, complex double, tolerance
/// 1e-6, on the ranks of MPI:
///
///   ranks_nufft plain MODES [POINTS]         one rank, a plan without MPI
///   ranks_nufft distributed MODES [POINTS]   a plan of all ranks
///
/// with MODES modes in each of three directions. Each rank gives points of the
/// whole period, so that values travel to the slabs of their points. Prints the
/// median milliseconds of set_points, type 1 and type 2, which take turns.
/// perf/ranks.sh runs it.

#include "Perf_Numbers.hpp"

#include <Sporos_DistributedNufft.hpp>
#include <Sporos_Nufft.hpp>

#include <mpi.h>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using Exec    = Kokkos::DefaultHostExecutionSpace;
using Complex = Kokkos::complex<double>;
/// What a tolerance of 1e-6 may take.
using Widths = Sporos::NufftWidths<7, 8, 9, 10, 11, 12>;

constexpr int rounds = 12, warm_up = 2;

/// This rank's share of the points: each rank-th one.
struct Data {
  Kokkos::View<double**, Exec> points;
  Kokkos::View<Complex*, Exec> values;
  Kokkos::View<Complex***, Exec> coefficients;

  Data(int rank, int ranks, int all_points, int rows, int modes)
      : points("points", share(rank, ranks, all_points), 3),
        values("values", points.extent(0)),
        coefficients("coefficients", std::size_t(rows), std::size_t(modes),
                     std::size_t(modes)) {
    const double pi = std::acos(-1.);
    Perf::Random random(5);
    for (int j = 0; j < all_points; ++j) {
      double p[3];
      for (double& x : p) x = random.uniform(-pi, pi);
      const Complex value(random.uniform(), random.uniform());
      if (j % ranks != rank) continue;
      const auto at = std::size_t(j / ranks);
      for (int d = 0; d < 3; ++d) points(at, std::size_t(d)) = p[d];
      values(at) = value;
    }
  }

 private:
  static std::size_t share(int rank, int ranks, int all_points) {
    return std::size_t((all_points - rank + ranks - 1) / ranks);
  }
};

/// Prints the median time of each step.
template <class Plan>
void measure(Plan& plan, const Data& data) {
  const Exec exec;
  std::vector<double> times[3];
  for (int round = 0; round < rounds; ++round)
    for (int step = 0; step < 3; ++step) {
      exec.fence();
      MPI_Barrier(MPI_COMM_WORLD);
      const double begin = MPI_Wtime();
      if (step == 0)
        plan.set_points(exec, data.points);
      else if (step == 1)
        plan.type1(exec, data.values, data.coefficients);
      else
        plan.type2(exec, data.coefficients, data.values);
      exec.fence();
      MPI_Barrier(MPI_COMM_WORLD);
      if (round >= warm_up) times[step].push_back(MPI_Wtime() - begin);
    }
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int step = 0; step < 3 && rank == 0; ++step)
    std::printf("%.3f%c", 1e3 * Perf::median(times[step]),
                step < 2 ? ' ' : '\n');
}

void run(bool distributed, int modes, int points) {
  const Exec exec;
  const Kokkos::Array<int, 3> all{{modes, modes, modes}};
  Sporos::DistributedNufftOptions options;
  options.nufft.points = std::size_t(points);
  if (distributed) {
    const Sporos::Communicator comm(MPI_COMM_WORLD);
    Sporos::DistributedNufftPlan<Exec, 3, double, Widths> plan(exec, comm, all,
                                                               options);
    measure(plan, Data(comm.rank(), comm.size(), points, plan.rows(), modes));
  } else {
    Sporos::NufftPlan<Exec, 3, double, Widths> plan(exec, all, options.nufft);
    measure(plan, Data(0, 1, points, modes, modes));
  }
}

}  // namespace

int main(int argc, char* argv[]) {
  const std::string mode = argc > 2 ? argv[1] : "";
  const int modes        = argc > 2 ? std::atoi(argv[2]) : 0;
  const int points       = argc > 3 ? std::atoi(argv[3]) : 1000000;
  int threads = 0, ranks = 0, status = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if ((mode != "distributed" && (mode != "plain" || ranks > 1)) || modes < 1 ||
      points < 1) {
    std::fprintf(stderr,
                 "ranks_nufft: expected distributed or, on one rank, plain, "
                 "modes and points, got \"%s\" %d %d on %d ranks\n",
                 mode.c_str(), modes, points, ranks);
    status = 2;
  } else {
    const Kokkos::ScopeGuard kokkos(argc, argv);
    run(mode == "distributed", modes, points);
  }
  MPI_Finalize();
  return status;
}
