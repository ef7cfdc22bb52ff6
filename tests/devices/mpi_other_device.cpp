// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What is distributed over ranks, in an instance on another device than the
// current one, gives the bits that it gives on the first device.

#include "Sporos_MeshCases.hpp"
#include "Sporos_OtherDevice.hpp"
#include "Sporos_RankMeshes.hpp"
#include "Sporos_Test.hpp"

#include <Sporos_DistributedMesh.hpp>
#include <Sporos_DistributedParticleGrid.hpp>
#include <Sporos_Migrate.hpp>

#include <cstdint>
#include <vector>

namespace OtherDeviceOfRanks {

using namespace Sporos;
using namespace Sporos::Test;

using Points  = Kokkos::View<double**, Kokkos::LayoutRight, Memory>;
using Numbers = Test::Numbers;

struct Place {
  Points x;
  Kokkos::View<std::int64_t*, Memory> number;
  int first;
  KOKKOS_FUNCTION void operator()(int i) const {
    const int k = first + i;
    for (int d = 0; d < 2; ++d) x(i, d) = (k * (37 + 22 * d) % 100) / 100.;
    number(i) = 1000 - k;
  }
};

Numbers points(const Exec& exec) {
  constexpr int n = 150;
  const Communicator comm(MPI_COMM_WORLD);
  DistributedGridOptions<2> options;
  options.ghosts = 3;
  const DistributedGrid<2> blocks(comm, Grid<2>({16, 16}, 1. / 16), options);
  Points x = filled<Points>(exec, 1., n, 2);
  Kokkos::View<std::int64_t*, Memory> number(Kokkos::view_alloc(exec, "number"),
                                             n);
  Kokkos::View<double*, Memory> strength =
      filled<decltype(strength)>(exec, 2., n);
  Kokkos::parallel_for("Sporos::test", Kokkos::RangePolicy<Exec>(exec, 0, n),
                       Place{x, number, n * comm.rank()});
  set_device(0);
  migrate(exec, blocks, x, number, strength);
  set_device(0);
  migrate_by_number(exec, blocks, MigrateOptions{}, number, x, strength);
  Numbers all;
  append(all, exec, x);
  for (const BorderMode mode :
       {BorderMode::ghost_points, BorderMode::ghost_sums})
    for (const bool any_ranks : {false, true}) {
      if (any_ranks && mode == BorderMode::ghost_sums) continue;
      DistributedPlanOptions o;
      o.borders        = mode;
      o.plan.any_ranks = any_ranks;
      set_device(0);
      DistributedParticleGridPlan<Exec, 2, double, Peskin4> plan(
          exec, blocks, Peskin4{}, x, number, o);
      plan.update(exec, x, number);
      const auto field =
          filled<Points>(exec, 3., blocks.extent(0, 0.), blocks.extent(1, 0.));
      const auto values =
          filled<Kokkos::View<double*, Memory>>(exec, 3., x.extent(0));
      spread(exec, plan, strength, field);
      set_device(0);
      fill_ghosts(exec, blocks, Grid<2>::node(), field);
      add_ghosts(exec, blocks, Grid<2>::node(), field);
      fill_ghosts(exec, blocks, Grid<2>::node(), field);
      set_device(0);
      interpolate(exec, plan, field, values);
      append(all, exec, field);
      append(all, exec, values);
    }
  return all;
}

Numbers loops(const Exec& exec) {
  constexpr int n = 200, m = 90;
  const Communicator comm(MPI_COMM_WORLD);
  GlobalMesh global(comm);
  const auto rows      = block(comm, banded_entries(n, 2, m, 7), 2);
  const auto gx        = block(comm, small_values(2 * m, 1), 2);
  const GlobalSet from = global.set("elements", std::int64_t(rows.size() / 2));
  const GlobalSet to   = global.set("targets", std::int64_t(gx.size() / 2));
  const auto gmap      = global.map<2>("map", from, to, rows);
  const auto dx        = global.dat<double, 2>("x", to, gx);
  const auto dw =
      global.dat<double, 1>("w", from, block(comm, small_values(n, 2), 1));
  const auto dy =
      global.dat<double, 3>("y", to, block(comm, small_values(3 * m, 3), 3));
  Numbers all;
  for (const bool any_ranks : {false, true}) {
    DistributeOptions options;
    options.any_ranks = any_ranks;
    set_device(0);
    const auto mesh = distribute(
        exec, global, MeshPartition::given(to, ranks_of(comm, Deal::cyclic, m)),
        options);
    const auto map = mesh.map(gmap);
    const auto x   = mesh.dat(exec, dx);
    const auto w   = mesh.dat(exec, dw);
    const auto y   = mesh.dat(exec, dy);
    const Dat<double, 2> u(exec, "u", mesh.set(from));
    const Global<double, 2> total(exec, "total");
    double least   = 5;
    const auto run = [&](const auto& range) {
      set_device(0);
      par_loop("exchange", exec, range, Exchange<2>{}, read(x, map), read(w),
               write(u), inc(y, map), sum(total), Sporos::min(least));
    };
    run(mesh.set(from));
    run(mesh.range(exec, from, 20, 150));
    x.modified();
    mesh.fill_halo(exec, x);
    append(all, mesh.to_blocks(exec, from, u));
    append(all, mesh.to_blocks(exec, to, y));
    append(all, {total.value(exec, 0), total.value(exec, 1), least});
  }
  return all;
}

TEST_CASE("points that migrate, and their transfer, on another device") {
  compare_devices(points);
}
TEST_CASE("loops over a distributed mesh on another device") {
  compare_devices(loops);
}

}  // namespace OtherDeviceOfRanks
