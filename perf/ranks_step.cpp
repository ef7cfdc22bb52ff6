// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Times a step of particles, update, spread and interpolate, with 10^6 random
/// points in 128^3 cells, cosine4, double, on the ranks of MPI:
///
///   ranks_step plain           one rank, a plan without MPI
///   ranks_step ghost_sums      a distributed plan with these borders,
///   ranks_step ghost_points    or
///   ranks_step any_ranks       with the same bits on any number of ranks
///
/// Prints the median milliseconds of a step. Each step moves points by a tenth
/// of a cell; points stay with their ranks. perf/ranks.sh runs it.

#include "Perf_Numbers.hpp"

#include <Sporos_DistributedParticleGrid.hpp>
#include <Sporos_Migrate.hpp>
#include <Sporos_ParticleGrid.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using Exec      = Kokkos::DefaultExecutionSpace;
using Positions = Kokkos::View<double**, Exec>;
using Values    = Kokkos::View<double*, Exec>;
using Numbers   = Kokkos::View<std::int64_t*, Exec>;
using Field     = Kokkos::View<double***, Exec>;

constexpr int cells = 128, all_points = 1000000, steps = 12, warm_up = 3;

/// This rank's share of the points: each rank-th one, in the unit cube.
void make_points(const Sporos::Communicator& comm, const Positions& x,
                 const Numbers& numbers) {
  const auto to     = Kokkos::create_mirror_view(x);
  const auto number = Kokkos::create_mirror_view(numbers);
  Perf::Random random(5);
  for (int i = 0; i < all_points; ++i) {
    const double p[3] = {random.uniform(), random.uniform(), random.uniform()};
    if (i % comm.size() != comm.rank()) continue;
    const int at = i / comm.size();
    for (int k = 0; k < 3; ++k) to(at, k) = p[k];
    number(at) = i;
  }
  Kokkos::deep_copy(x, to);
  Kokkos::deep_copy(numbers, number);
}

/// Moves each point along one direction, forth in even steps and back in odd
/// ones, where it stays in the box of this rank's points.
struct Move {
  Positions x;
  double low[3], high[3], by;

  explicit Move(const Positions& positions) : x(positions), by(.1 / cells) {
    const auto host =
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), x);
    for (int k = 0; k < 3; ++k) {
      low[k]  = 1;
      high[k] = 0;
      for (std::size_t i = 0; i < host.extent(0); ++i) {
        low[k]  = std::min(low[k], host(i, k) + 2 * by);
        high[k] = std::max(high[k], host(i, k) - 2 * by);
      }
    }
  }
  KOKKOS_FUNCTION void operator()(int i) const {
    const int k       = i % 3;
    const double next = x(i, k) + by;
    if (next > low[k] && next < high[k]) x(i, k) = next;
  }
};

/// Prints the median of the steps with a plan; update() takes new positions.
template <class Plan, class Update>
void measure(const Sporos::Communicator& comm, const Plan& plan,
             const Positions& x, const Field& field, const Update& update) {
  const Exec exec;
  const int n = int(x.extent(0));
  const Values strengths("strengths", std::size_t(n)),
      values("values", std::size_t(n));
  Kokkos::deep_copy(strengths, 1.);
  Move move(x);
  std::vector<double> times;
  for (int step = 0; step < steps; ++step) {
    Kokkos::parallel_for("move", Kokkos::RangePolicy<Exec>(exec, 0, n), move);
    move.by = -move.by;
    exec.fence();
    MPI_Barrier(comm.mpi());
    const double begin = MPI_Wtime();
    update();
    Sporos::spread(exec, plan, strengths, field);
    Sporos::interpolate(exec, plan, field, values);
    exec.fence();
    MPI_Barrier(comm.mpi());
    if (step >= warm_up) times.push_back(MPI_Wtime() - begin);
  }
  if (comm.rank() == 0) std::printf("%.3f\n", 1e3 * Perf::median(times));
}

void run(const Sporos::Communicator& comm, const std::string& mode) {
  const Exec exec;
  const Sporos::Grid<3> grid({cells, cells, cells}, 1. / cells);
  const int n = (all_points - comm.rank() + comm.size() - 1) / comm.size();
  Positions x("positions", std::size_t(n), 3);
  Numbers numbers("numbers", std::size_t(n));
  make_points(comm, x, numbers);
  if (mode == "plain") {
    Sporos::ParticleGridPlan plan(exec, grid, Sporos::Cosine4{}, x);
    const Field field("field", cells, cells, cells);
    return measure(comm, plan, x, field, [&] { plan.update(exec, x); });
  }
  const Sporos::DistributedGrid<3> blocks(comm, grid);
  Sporos::migrate_by_number(exec, blocks, Sporos::MigrateOptions{}, numbers, x);
  Sporos::DistributedPlanOptions options;
  options.plan.any_ranks = mode == "any_ranks";
  if (mode == "ghost_sums") options.borders = Sporos::BorderMode::ghost_sums;
  if (mode == "ghost_points")
    options.borders = Sporos::BorderMode::ghost_points;
  Sporos::DistributedParticleGridPlan plan(exec, blocks, Sporos::Cosine4{}, x,
                                           numbers, options);
  const Field field("field", std::size_t(blocks.extent(0, 0.)),
                    std::size_t(blocks.extent(1, 0.)),
                    std::size_t(blocks.extent(2, 0.)));
  measure(comm, plan, x, field, [&] { plan.update(exec, x, numbers); });
}

}  // namespace

int main(int argc, char* argv[]) {
  const std::vector<std::string> modes{"plain", "ghost_sums", "ghost_points",
                                       "any_ranks"};
  const std::string mode = argc == 2 ? argv[1] : "";
  int threads = 0, ranks = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int status = 0;
  if (std::find(modes.begin(), modes.end(), mode) == modes.end() ||
      (mode == "plain" && ranks > 1)) {
    std::fprintf(stderr,
                 "ranks_step: expected plain (on one rank), ghost_sums, "
                 "ghost_points or any_ranks, got \"%s\" on %d ranks\n",
                 mode.c_str(), ranks);
    status = 2;
  } else {
    Kokkos::ScopeGuard kokkos(argc, argv);
    run(Sporos::Communicator(MPI_COMM_WORLD), mode);
  }
  MPI_Finalize();
  return status;
}
