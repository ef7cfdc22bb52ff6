// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plan that is updated while points move, and migrate between ranks, gives
// the bits of a new one. (On hosts updates repair the order of the points.)
#include "Sporos_DistributedTransfer.hpp"
#include "Sporos_SlowRun.hpp"
#include "Sporos_ToolsRecorder.hpp"
#include "Sporos_WrongCalls.hpp"
#if defined(__linux__)
#include "Sporos_MemoryLimit.hpp"
#endif

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

namespace TransferUpdateOnRanks {

using namespace Sporos;
using namespace Sporos::Test;
using Exec = Kokkos::DefaultExecutionSpace;

namespace {

constexpr Staggering node = {{0., 0., 0.}};

/// Moves every step-th point by up to `cells` cells.
template <class Points>
void move(Points& p, int step, double cells) {
  const auto x      = host_copy(p.x);
  const auto number = host_copy(p.number);
  for (std::size_t i = 0; i < x.extent(0); ++i)
    if (number(i) % step == 0)
      for (std::size_t d = 0; d < x.extent(1); ++d)
        x(i, d) += cells * p.blocks.grid().spacing(int(d)) *
                   std::sin(double(number(i)) * double(d + 1) + x(i, d));
  Kokkos::deep_copy(p.x, x);
}

template <class View>
bool same_bits(const View& a, const View& b) {
  const auto ha = host_copy(a), hb = host_copy(b);
  return ha.size() == hb.size() &&
         (ha.size() == 0 || std::memcmp(ha.data(), hb.data(),
                                        ha.size() * sizeof(*ha.data())) == 0);
}

template <class Points, class Plan>
void check_same(const Points& p, const Plan& plan, const Plan& made,
                const Staggering& g = node) {
  CHECK(same_bits(plan.local().permutation(), made.local().permutation()));
  const auto strength = p.component(0);
  const auto a = p.field(g), b = p.field(g);
  spread(Exec{}, plan, strength, a);
  spread(Exec{}, made, strength, b);
  const auto ha = host_copy(a), hb = host_copy(b);
  int other = 0;
  p.for_each_own(g, [&](std::size_t at, std::size_t) {
    other += std::memcmp(ha.data() + at, hb.data() + at, sizeof(double)) != 0;
  });
  CHECK(other == 0);
  const auto u = p.component(1), v = p.component(2);
  interpolate(Exec{}, plan, a, u);
  interpolate(Exec{}, made, b, v);
  CHECK(same_bits(u, v));
}

template <int Dim>
void check_updates(const Problem<Dim>& problem) {
  const AllPoints<Dim, double> all(problem);
  for (const bool any_ranks : {true, false})
    for (const BorderMode mode :
         {BorderMode::ghost_points, BorderMode::ghost_sums}) {
      if (any_ranks && mode == BorderMode::ghost_sums) continue;
      CAPTURE(problem.name(), any_ranks, int(mode));
      RankPoints<Exec, Dim, double, Cosine4> p(MPI_COMM_WORLD, all,
                                               PointDeal::by_number);
      auto plan = p.plan(mode, any_ranks, node);
      // few points, none, all: what is repaired, and what is sorted anew
      for (const int step : {20, 7, 1000000, 1, 20}) {
        CAPTURE(step);
        move(p, step, step == 1 ? 3. : .6);
        migrate_by_number(Exec{}, p.blocks, MigrateOptions{}, p.number, p.x,
                          p.strengths);
        if (any_ranks)
          plan.update(Exec{}, p.x, p.number);
        else
          plan.update(Exec{}, p.x);
        check_same(p, plan, p.plan(mode, any_ranks, node));
      }
    }
}

/// Numbers in the order of the points, those of rank 0 first; unless they
/// ascend, the last two are the other way round.
template <class Points>
void number_anew(const Points& p, bool ascend) {
  const auto number = host_copy(p.number);
  const int n       = int(number.extent(0));
  for (int i = 0; i < n; ++i) {
    const int late = !ascend && n > 1 && i >= n - 2 ? 2 * n - 3 - i : i;
    number(i)      = p.blocks.comm().rank() * std::int64_t(100000) + late;
  }
  Kokkos::deep_copy(p.number, number);
}

/// Ranks lose and get points, others as many, while they have copies; with
/// any_ranks points come by number or not. Points of one cell are own ones and
/// copies where the cells of the plan lie across borders of blocks.
template <class Delta>
void check_lost_points() {
  const AllPoints<2, double> all(
      {{{60, 49}}, {{false, true}}, Cloud::uniform, 6000, 1, node, node});
  RankPoints<Exec, 2, double, Delta> p(MPI_COMM_WORLD, all,
                                       PointDeal::by_number);
  const std::size_t n    = p.x.extent(0),
                    rank = std::size_t(p.blocks.comm().rank());
  struct Mode {
    BorderMode borders;
    bool any_ranks;
  };
  for (const Staggering& g :
       {node, Staggering{{.5, .5, .5}}, Staggering{{0., .5, 0.}}})
    for (const Mode mode : {Mode{BorderMode::ghost_points, false},
                            Mode{BorderMode::ghost_points, true},
                            Mode{BorderMode::ghost_sums, false}}) {
      number_anew(p, true);
      auto plan              = p.plan(mode.borders, mode.any_ranks, g);
      const std::size_t even = rank % 2 == 0 ? 1 : 0;
      for (const std::size_t less :
           {even * 60, std::size_t(0), (1 - even) * 60, 50 - even * 40,
            even * 60, std::size_t(30)}) {
        CAPTURE(int(Delta::support), g[0], g[1], int(mode.borders),
                mode.any_ranks, less);
        const auto some = p.first(n > less ? n - less : 0);
        number_anew(some, less != 30 && less != 50);
        if (mode.any_ranks)
          plan.update(Exec{}, some.x, some.number);
        else
          plan.update(Exec{}, some.x);
        check_same(some, plan, some.plan(mode.borders, mode.any_ranks, g), g);
      }
    }
}

/// Allocations of a step that is taken again: a plan keeps what it needs.
template <class Points, class Plan>
std::vector<std::string> allocations_of_step(const Points& p,
                                             const Plan& plan) {
  const auto strength = p.component(0), value = p.component(1);
  const auto field = p.field(node);
  const auto step  = [&] {
    Plan(plan).update(Exec{}, p.x, p.number);
    spread(Exec{}, plan, strength, field);
    interpolate(Exec{}, plan, field, value);
  };
  step();
  step();
  const Test::Recorder recorder;
  step();
  CHECK(!Test::events.kernels.empty());
  CHECK(Test::regions_match());
  CHECK(Test::saw_region("Sporos::DistributedParticleGridPlan::update"));
  CHECK(Test::saw_region("Sporos::exchange::start"));
  CHECK(Test::saw_region("Sporos::exchange::finish"));
  return Test::events.allocations;
}

}  // namespace

TEST_CASE("a step that is taken again allocates nothing") {
  const AllPoints<2, double> all(
      {{{60, 49}}, {{false, true}}, Cloud::uniform, 3000, 1, node, node});
  const RankPoints<Exec, 2, double, Cosine4> p(MPI_COMM_WORLD, all,
                                               PointDeal::by_number);
  for (const BorderMode mode :
       {BorderMode::ghost_points, BorderMode::ghost_sums})
    CHECK(allocations_of_step(p, p.plan(mode, false, node)) ==
          std::vector<std::string>());
  CHECK(allocations_of_step(p, p.plan(BorderMode::automatic, true, node)) ==
        std::vector<std::string>());
}

TEST_CASE("updated plans have the bits of new ones in two directions") {
  check_updates<2>(
      {{{60, 49}}, {{false, true}}, Cloud::uniform, 3000, 1, node, node});
}
TEST_CASE("updated plans have the bits of new ones in three directions") {
  check_updates<3>({{{32, 20, 17}},
                    {{false, false, false}},
                    Cloud::uniform,
                    4000,
                    1,
                    node,
                    node});
}

TEST_CASE("updated plans lose no points, supports odd and even") {
  check_lost_points<Roma3>();
  check_lost_points<Cosine4>();
}

#if defined(__linux__)
TEST_CASE(
    "a distributed plan that ran out of memory is refused until the next "
    "update") {
  using Host = Kokkos::DefaultHostExecutionSpace;
  if (Test::slow_run) return;
  const int n = 1000000, few = 1000;
  const Kokkos::View<double* [2], Host> x("x", n);
  const Kokkos::View<std::int64_t*, Host> numbers("numbers", n);
  for (int i = 0; i < n; ++i) {
    x(i, 0)    = double(i) / n;
    x(i, 1)    = double(i % 1000) / 1000;
    numbers(i) = n - i;
  }
  const auto rows    = std::make_pair(0, few);
  const auto some    = Kokkos::subview(x, rows, Kokkos::ALL());
  const auto some_of = Kokkos::subview(numbers, rows);
  const DistributedGrid<2> blocks(Communicator(MPI_COMM_SELF),
                                  Grid<2>({64, 64}, 1. / 64));
  DistributedPlanOptions options;
  options.plan.any_ranks = true;
  DistributedParticleGridPlan plan(Host{}, blocks, Cosine4{}, some, some_of,
                                   options);
  const Kokkos::View<double*, Host> v("v", few);
  const Kokkos::View<double**, Host> field("field", blocks.extent(0, 0.),
                                           blocks.extent(1, 0.));
  const auto call = [&] { spread(Host{}, plan, v, field); };
  call();
  int refusals = 0;
  bool enough  = false;
  for (int mebibytes = 4; !enough; mebibytes += 4) {
    try {
      const Test::MemoryLimit limit(rlim_t(mebibytes) << 20);
      plan.update(Host{}, x, numbers);
      enough = true;
    } catch (const std::exception&) {
      const std::string said = error_of(call);
      if (said != "nothing was thrown") {  // else the plan is as it was
        ++refusals;
        CHECK_THAT(said, Catch::Contains("whose update ended with an "
                                         "exception; update it again"));
      }
    }
    plan.update(Host{}, some, some_of);
    REQUIRE(error_of(call) == "nothing was thrown");
  }
  CHECK(refusals > 0);
}
#endif

}  // namespace TransferUpdateOnRanks
