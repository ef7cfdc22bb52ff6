// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Meshes on ranks whose maps have negative entries, which name nothing: parts,
// halos, loops.
#include "Sporos_RankMeshes.hpp"

#include <Sporos_Test.hpp>
#include <Sporos_WrongCalls.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace MissingEntriesOnRanks {

using namespace Sporos;
using namespace Sporos::Test;
using Exec = RankExec;

namespace {

/// What is read, and 1, to the targets; both to a sum. Each element writes.
struct AddOrMissing {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 1, 3> x, Inc<Real, 1, 3> y,
                                  Write<Real> own, Reduce<Real> sum) const {
    const Real s = x(0, 0) + x(1, 0) + x(2, 0);
    for (int i = 0; i < 3; ++i) y(i, 0) += s + Real(1);
    own[0] = s;
    sum[0] += s;
  }
};

/// The results, in blocks, of a loop on a mesh whose first set is cut.
struct MissingCase {
  Communicator comm{MPI_COMM_WORLD};
  std::vector<int> entries;
  std::vector<double> values, y, own;
  double sum = 0;
  GlobalMesh global{comm};
  GlobalSet from, to;
  GlobalMap<3> map;
  GlobalDat<double, 1> x;

  MissingCase(int n, int targets)
      : entries(random_entries(n, 3, std::max(targets, 1), 5)),
        values(small_values(std::size_t(targets), 6)),
        y(values.size()),
        own(std::size_t(n)) {
    for (std::size_t k = 0; k < entries.size(); ++k)
      if (targets == 0 || k % 4 == 1 || k / 3 % 9 == 5)
        entries[k] = -1 - int(k % 3);
    for (std::size_t e = 0; e < own.size(); ++e) {
      for (std::size_t i = 0; i < 3; ++i) {
        const int t = entries[3 * e + i];
        own[e] += t < 0 ? 10 : values[std::size_t(t)];
      }
      sum += own[e];
      for (std::size_t i = 0; i < 3; ++i)
        if (const int t = entries[3 * e + i]; t >= 0)
          y[std::size_t(t)] += own[e] + 1;
    }
    const auto rows = block(comm, entries, 3);
    const auto mine = block(comm, values, 1);
    from            = global.set("from", std::int64_t(rows.size() / 3));
    to              = global.set("to", std::int64_t(mine.size()));
    map = global.map<3>("map", from, to, rows, MissingEntries::allowed);
    x   = global.dat<double, 1>("x", to, mine);
  }
  void check(const MeshPartition& partition, const DistributeOptions& o) const {
    const auto mesh = distribute(Exec{}, global, partition, o);
    const auto m    = mesh.map(map);
    CHECK(m.has_missing());
    const Dat<double, 1> to_y("y", mesh.set(to)), to_own("own", mesh.set(from));
    double total = 0;
    par_loop("missing", Exec{}, mesh.set(from), AddOrMissing{},
             with_missing(read(mesh.dat(x), m), 10.),
             with_missing(inc(to_y, m)), write(to_own), Sporos::sum(total));
    CHECK(total == sum);
    CHECK(mesh.to_blocks(to, to_y) == block(comm, y, 1));
    CHECK(mesh.to_blocks(from, to_own) == block(comm, own, 1));
  }
};

}  // namespace

TEST_CASE("maps with missing entries on ranks") {
  for (const int targets : {50, 3, 0}) {
    const MissingCase c(90, targets);
    DistributeOptions o;
    for (const Deal deal : deals) {
      CAPTURE(targets, int(deal));
      o.any_ranks = deal == Deal::half || deal == Deal::cyclic;
      c.check(MeshPartition::given(c.to, ranks_of(c.comm, deal, targets)), o);
      o.reorder = {};
      c.check(MeshPartition::given(c.from, ranks_of(c.comm, deal, 90)), o);
    }
    if (Sporos::Impl::have_ptscotch && targets == 50)
      c.check(MeshPartition::through(c.map), o);
  }
  // the option is the same on all ranks, and needed
  const MissingCase c(90, 50);
  GlobalMesh other = c.global;
  const auto rows  = block(c.comm, c.entries, 3);
  check_refused("in row", [&] { other.map<3>("map", c.from, c.to, rows); });
  const std::vector<int> none(rows.size(), 0);
  if (c.comm.size() > 1)
    check_refused("entries may be missing", [&] {
      other.map<3>("map", c.from, c.to, none,
                   c.comm.rank() == 0 ? MissingEntries::allowed
                                      : MissingEntries::refused);
    });
}

}  // namespace MissingEntriesOnRanks
