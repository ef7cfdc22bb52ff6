// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops on ranks over dats whose number of components is known at run time
// only: halos, increments, results in blocks.
#include "Sporos_RankMeshes.hpp"
#include "Sporos_Refused.hpp"

#include <Sporos_Test.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace DynamicComponentsOnRanks {

using namespace Sporos;
using namespace Sporos::Test;
using Exec = RankExec;

namespace {

constexpr int any = dynamic_components;

/// A sum of what is read to all that is reached, to the element's own and to a
/// total.
struct AddSums {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, any, 3> x, Inc<Real, any, 3> y,
                                  ReadWrite<Real, any> own,
                                  Reduce<Real> total) const {
    Real s = 0;
    for (int i = 0; i < 3; ++i)
      for (int c = 0; c < x.component_count(); ++c) s += Real(c + 1) * x(i, c);
    for (int i = 0; i < 3; ++i)
      for (int c = 0; c < y.component_count(); ++c) y(i, c) += s - Real(c);
    for (int c = 0; c < own.component_count(); ++c)
      own[c] = Real(c) * own[c] + s;
    total[0] += s;
  }
};

/// Two loops, the second of which reads what the first one added, and what they
/// must leave.
struct SumsCase {
  static constexpr int n = 90, targets = 50;
  Communicator comm{MPI_COMM_WORLD};
  int nx, n_own;
  std::vector<int> entries = banded_entries(n, 3, targets, 5);
  std::vector<double> x, y, own;
  double total = 0;
  GlobalMesh global{comm};
  GlobalSet from, to;
  GlobalMap<3> map;
  GlobalDat<double, any> global_x, global_own;

  SumsCase(int c_x, int c_own) : nx(c_x), n_own(c_own) {
    x               = small_values(std::size_t(targets * nx), 6);
    own             = small_values(std::size_t(n * n_own), 7);
    const auto mine = block(comm, x, std::size_t(nx));
    from            = global.set("from", std::int64_t(block_of(n).size()));
    to              = global.set("to", std::int64_t(block_of(targets).size()));
    map             = global.map<3>("map", from, to, block(comm, entries, 3));
    global_x        = global.dat<double>("x", to, nx, mine);
    global_own      = global.dat<double>("own", from, n_own,
                                    block(comm, own, std::size_t(n_own)));
    y.assign(x.size(), 0);
    add(x, y);
    add(y, x);
  }
  std::vector<int> block_of(int count) const {
    return block(comm, std::vector<int>(std::size_t(count)), 1);
  }
  void add(const std::vector<double>& read, std::vector<double>& sums) {
    const auto before = read;
    for (int e = 0; e < n; ++e) {
      const int* const t = &entries[3 * std::size_t(e)];
      double s           = 0;
      for (int i = 0; i < 3; ++i)
        for (int c = 0; c < nx; ++c)
          s += (c + 1) * before[std::size_t(t[i] * nx + c)];
      for (int i = 0; i < 3; ++i)
        for (int c = 0; c < nx; ++c) sums[std::size_t(t[i] * nx + c)] += s - c;
      for (int c = 0; c < n_own; ++c) {
        double& mine = own[std::size_t(e * n_own + c)];
        mine         = c * mine + s;
      }
      total += s;
    }
  }

  template <class Layout>
  void check(const MeshPartition& partition, const DistributeOptions& o) const {
    const Exec exec{};
    const auto mesh = distribute(exec, global, partition, o);
    const auto m    = mesh.map(map);
    const auto to_x = mesh.template dat<Layout>(global_x);
    const auto mine = mesh.template dat<Layout>(global_own);
    const Dat<double, any, Layout> to_y("y", mesh.set(to), nx);
    CHECK(to_x.component_count() == nx);
    double sum     = 0;
    const auto run = [&](const auto& read_from, const auto& sums) {
      par_loop("sums", exec, mesh.set(from), AddSums{}, read(read_from, m),
               inc(sums, m), rw(mine), Sporos::sum(sum));
    };
    run(to_x, to_y);
    run(to_y, to_x);
    CHECK(sum == total);
    CHECK(mesh.to_blocks(to, to_y) == block(comm, y, std::size_t(nx)));
    CHECK(mesh.to_blocks(to, to_x) == block(comm, x, std::size_t(nx)));
    CHECK(mesh.to_blocks(from, mine) == block(comm, own, std::size_t(n_own)));
    mesh.fill_halo(exec, to_x);
    const auto local    = to_x.to_host(exec);
    const auto& numbers = mesh.global_numbers(to);
    REQUIRE(local.size() == numbers.size() * std::size_t(nx));
    for (std::size_t k = 0; k < local.size(); ++k) {
      const auto number = std::size_t(numbers[k / std::size_t(nx)]);
      CHECK(local[k] == x[number * std::size_t(nx) + k % std::size_t(nx)]);
    }
  }
};

}  // namespace

TEST_CASE("dats of components that are counted at run time, on ranks") {
  const SumsCase c(3, 2), one(1, most_dynamic_components);
  DistributeOptions o;
  for (const Deal deal : deals) {
    CAPTURE(int(deal));
    o.any_ranks = deal == Deal::half || deal == Deal::cyclic;
    c.check<Kokkos::LayoutRight>(
        MeshPartition::given(c.to, ranks_of(c.comm, deal, c.targets)), o);
    one.check<Kokkos::LayoutLeft>(
        MeshPartition::given(one.from, ranks_of(c.comm, deal, c.n)), o);
  }
  // a partition along coordinates, as many as there are components
  const SumsCase plane(2, 1);
  plane.check<Kokkos::LayoutRight>(MeshPartition::along(plane.global_x), o);
}

TEST_CASE("wrong numbers of components on ranks") {
  const SumsCase c(3, 2);
  const bool first = c.comm.rank() == 0;
  const auto made  = [&](int count) {
    const auto values =
        block(c.comm, std::vector<double>(std::size_t(c.targets * count)),
               std::size_t(count));
    return c.global.dat<double>("x", c.to, count, values);
  };
  check_refused_on_ranks(
      "x: expected 1 to 32 components (a constant number may be larger), got "
      "33",
      [&] { made(33); });
  check_refused_on_ranks(
      "x: expected 1 to 32 components (a constant number may be larger), got 0",
      [&] { c.global.dat<double>("x", c.to, 0, std::vector<double>()); });
  check_refused_on_ranks("x: expected 2 components, got 3", [&] {
    c.global.dat<double, 2>("x", c.to, 3, std::vector<double>());
  });
  check_refused_on_ranks(" 3 for each element of to, got 0", [&] {
    c.global.dat<double>("x", c.to, 3, std::vector<double>());
  });
  if (c.comm.size() > 1)
    check_refused_on_ranks("expected the same on all ranks",
                           [&] { made(first ? 2 : 3); });
}

}  // namespace DynamicComponentsOnRanks
