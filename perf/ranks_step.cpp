// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Times a step of particles, update, spread and interpolate, with 10^6 random
/// points in 128^3 cells, cosine4, double, on the ranks of MPI:
///
///   ranks_step plain           one rank, a plan without MPI
///   ranks_step distributed     distributed plans with ghost_sums, with
///                              ghost_points and with any_ranks
///
/// Prints the median milliseconds of a step with each plan. The plans take
/// turns, so that other work of the machine slows all of them alike. Each step
/// moves points by a tenth of a cell; points stay with their ranks.
/// perf/ranks.sh runs it.

#include "Perf_Numbers.hpp"

#include <Sporos_DistributedParticleGrid.hpp>
#include <Sporos_Migrate.hpp>
#include <Sporos_ParticleGrid.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace {

using Exec      = Kokkos::DefaultExecutionSpace;
using Positions = Kokkos::View<double**, Exec>;
using Values    = Kokkos::View<double*, Exec>;
using Numbers   = Kokkos::View<std::int64_t*, Exec>;
using Field     = Kokkos::View<double***, Exec>;

constexpr int cells = 128, all_points = 1000000, rounds = 24, warm_up = 3;

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

/// What every plan uses in a step.
struct Data {
  Positions x;
  Numbers numbers;
  Field field;
  Values strengths, values;

  explicit Data(const Sporos::Communicator& comm)
      : x("positions", share(comm), 3), numbers("numbers", share(comm)) {
    make_points(comm, x, numbers);
  }
  /// Once points are with their ranks. Shape of `field`: that of the block.
  void make_rest(int nx, int ny, int nz) {
    field = Field("field", std::size_t(nx), std::size_t(ny), std::size_t(nz));
    strengths = Values("strengths", x.extent(0));
    values    = Values("values", x.extent(0));
    Kokkos::deep_copy(strengths, 1.);
  }

 private:
  static std::size_t share(const Sporos::Communicator& comm) {
    return std::size_t((all_points - comm.rank() + comm.size() - 1) /
                       comm.size());
  }
};

template <class Plan>
void transfer(const Plan& plan, const Data& data) {
  Sporos::spread(Exec(), plan, data.strengths, data.field);
  Sporos::interpolate(Exec(), plan, data.field, data.values);
}

/// Prints the median time of each step; in each round, all have their turn.
void measure(const Sporos::Communicator& comm, const Positions& x,
             const std::vector<std::function<void()>>& steps) {
  const Exec exec;
  Move move(x);
  std::vector<std::vector<double>> times(steps.size());
  for (int round = 0; round < rounds; ++round) {
    Kokkos::parallel_for(
        "move", Kokkos::RangePolicy<Exec>(exec, 0, int(x.extent(0))), move);
    move.by = -move.by;
    for (std::size_t k = 0; k < steps.size(); ++k) {
      exec.fence();
      MPI_Barrier(comm.mpi());
      const double begin = MPI_Wtime();
      steps[k]();
      exec.fence();
      MPI_Barrier(comm.mpi());
      if (round >= warm_up) times[k].push_back(MPI_Wtime() - begin);
    }
  }
  for (std::size_t k = 0; k < steps.size() && comm.rank() == 0; ++k)
    std::printf("%.3f%c", 1e3 * Perf::median(times[k]),
                k + 1 < steps.size() ? ' ' : '\n');
}

void run_plain(const Sporos::Communicator& comm, const Sporos::Grid<3>& grid) {
  const Exec exec;
  Data data(comm);
  data.make_rest(cells, cells, cells);
  Sporos::ParticleGridPlan plan(exec, grid, Sporos::Cosine4{}, data.x);
  measure(comm, data.x, {[&] {
            plan.update(exec, data.x);
            transfer(plan, data);
          }});
}

void run_distributed(const Sporos::Communicator& comm,
                     const Sporos::Grid<3>& grid) {
  const Exec exec;
  Data data(comm);
  const Sporos::DistributedGrid<3> blocks(comm, grid);
  Sporos::migrate_by_number(exec, blocks, Sporos::MigrateOptions{},
                            data.numbers, data.x);
  data.make_rest(blocks.extent(0, 0.), blocks.extent(1, 0.),
                 blocks.extent(2, 0.));
  Sporos::DistributedPlanOptions sums, points, any_ranks;
  sums.borders             = Sporos::BorderMode::ghost_sums;
  points.borders           = Sporos::BorderMode::ghost_points;
  any_ranks.plan.any_ranks = true;
  std::vector<std::function<void()>> steps;
  for (const auto& options : {sums, points, any_ranks}) {
    Sporos::DistributedParticleGridPlan plan(exec, blocks, Sporos::Cosine4{},
                                             data.x, data.numbers, options);
    steps.push_back([plan, exec, &data]() mutable {
      plan.update(exec, data.x, data.numbers);
      transfer(plan, data);
    });
  }
  measure(comm, data.x, steps);
}

}  // namespace

int main(int argc, char* argv[]) {
  const std::string mode = argc == 2 ? argv[1] : "";
  int threads = 0, ranks = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int status = 0;
  if (mode != "distributed" && (mode != "plain" || ranks > 1)) {
    std::fprintf(stderr,
                 "ranks_step: expected distributed, or plain on one rank, got "
                 "\"%s\" on %d ranks\n",
                 mode.c_str(), ranks);
    status = 2;
  } else {
    Kokkos::ScopeGuard kokkos(argc, argv);
    const Sporos::Communicator comm(MPI_COMM_WORLD);
    const Sporos::Grid<3> grid({cells, cells, cells}, 1. / cells);
    if (mode == "plain")
      run_plain(comm, grid);
    else
      run_distributed(comm, grid);
  }
  MPI_Finalize();
  return status;
}
