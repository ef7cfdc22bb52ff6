// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Points that move between the blocks of a grid.
#include <Sporos_Migrate.hpp>
#include <Sporos_Test.hpp>

#include "Sporos_Refused.hpp"
#include "Sporos_SlowRun.hpp"
#if defined(__linux__)
#include "Sporos_MemoryLimit.hpp"
#endif

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace MigrateOnRanks {

using namespace Sporos;
using Test::check_refused_on_ranks;
using Test::host_copy;
using Exec   = Kokkos::DefaultExecutionSpace;
using Memory = Exec::memory_space;

namespace {

struct Mark {
  int rank, index;
};

/// Points with values that tell what they were.
struct Points {
  Kokkos::View<double**, Kokkos::LayoutRight, Memory> x;
  Kokkos::View<std::int64_t*, Memory> number;
  Kokkos::View<float**, Kokkos::LayoutLeft, Memory> velocity;
  Kokkos::View<Mark*, Memory> mark;
  Kokkos::View<Kokkos::complex<double>*, Memory> phase;

  /// Random points, in the order of numbers that all ranks share out.
  Points(const DistributedGrid<2>& blocks, int n, double from, double to)
      : x("x", n, 2),
        number("number", n),
        velocity("velocity", n, 3),
        mark("mark", n),
        phase("phase", n) {
    const int rank = blocks.comm().rank(), size = blocks.comm().size();
    std::mt19937 random(unsigned(rank) + 7);
    std::uniform_real_distribution<double> uniform(from, to);
    const auto hx = Kokkos::create_mirror_view(x);
    const auto hn = Kokkos::create_mirror_view(number);
    const auto hv = Kokkos::create_mirror_view(velocity);
    const auto hm = Kokkos::create_mirror_view(mark);
    const auto hp = Kokkos::create_mirror_view(phase);
    for (int i = 0; i < n; ++i) {
      for (int d = 0; d < 2; ++d) hx(i, d) = uniform(random);
      hn(i) = std::int64_t(i) * size + rank;
      hm(i) = Mark{rank, i};
      for (int c = 0; c < 3; ++c) hv(i, c) = float(hx(i, 0) + c);
      hp(i) = Kokkos::complex<double>(hx(i, 0), hx(i, 1));
    }
    Kokkos::deep_copy(x, hx);
    Kokkos::deep_copy(number, hn);
    Kokkos::deep_copy(velocity, hv);
    Kokkos::deep_copy(mark, hm);
    Kokkos::deep_copy(phase, hp);
  }
  int size() const { return int(x.extent(0)); }
};

Grid<2> make_grid(bool wall) {
  return Grid<2>(
      {32, 28}, {1., 1.},
      {Boundary::periodic, wall ? Boundary::wall : Boundary::periodic});
}

long long total(const Communicator& comm, long long mine) {
  long long all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_LONG_LONG, MPI_SUM, comm.mpi());
  return all;
}

/// Are all rows whole and where they belong? Sum of the numbers is kept.
void check_rows(const DistributedGrid<2>& blocks, const Points& p) {
  const auto x = host_copy(p.x);
  const auto v = host_copy(p.velocity);
  const auto m = host_copy(p.mark);
  const auto n = host_copy(p.number);
  const auto f = host_copy(p.phase);
  int wrong    = 0;
  for (int i = 0; i < p.size(); ++i) {
    wrong += blocks.owner({x(i, 0), x(i, 1)}) != blocks.comm().rank();
    for (int c = 0; c < 3; ++c) wrong += v(i, c) != float(x(i, 0) + c);
    wrong += f(i).real() != x(i, 0) || f(i).imag() != x(i, 1);
    wrong +=
        n(i) != std::int64_t(m(i).index) * blocks.comm().size() + m(i).rank;
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("points reach their owners, in the order of ranks and old indices") {
  const Communicator comm(MPI_COMM_WORLD);
  const DistributedGrid<2> blocks(comm, make_grid(false));
  for (const int n : {0, 1, 300}) {
    const int mine = n + (n > 1 ? 50 * comm.rank() : 0);
    Points p(blocks, mine, -40., 90.);
    const long long all = total(comm, mine);
    const auto report =
        migrate(Exec{}, blocks, p.x, p.number, p.velocity, p.mark, p.phase);
    CHECK(total(comm, p.size()) == all);
    CHECK(total(comm, (long long)(report.sent)) ==
          total(comm, (long long)(report.received)));
    CHECK(report.beyond_walls == 0);
    CHECK(report.first_beyond_walls == -1);
    check_rows(blocks, p);
    const auto m  = host_copy(p.mark);
    bool in_order = true;
    for (int i = 1; i < p.size(); ++i)
      in_order = in_order &&
                 (m(i - 1).rank < m(i).rank ||
                  (m(i - 1).rank == m(i).rank && m(i - 1).index < m(i).index));
    CHECK(in_order);
    // all are at home: nothing moves
    const auto again =
        migrate(Exec{}, blocks, p.x, p.number, p.velocity, p.mark, p.phase);
    CHECK(again.sent + again.received == 0);
    check_rows(blocks, p);
  }
}

TEST_CASE("points with numbers come in their order, wherever they were") {
  const Communicator comm(MPI_COMM_WORLD);
  const DistributedGrid<2> blocks(comm, make_grid(false));
  Points p(blocks, comm.rank() == comm.size() - 1 ? 500 : 3, 0., 28.);
  const long long all = total(comm, p.size());
  migrate_by_number(Exec{}, blocks, MigrateOptions(), p.number, p.x, p.velocity,
                    p.mark, p.phase);
  CHECK(total(comm, p.size()) == all);
  check_rows(blocks, p);
  const auto n   = host_copy(p.number);
  bool ascending = true;
  for (int i = 1; i < p.size(); ++i) ascending = ascending && n(i - 1) < n(i);
  CHECK(ascending);
}

TEST_CASE("numbers may have 64 bits without a sign") {
  const Communicator comm(MPI_COMM_WORLD);
  const DistributedGrid<2> blocks(comm, make_grid(false));
  const int n = 40;
  Kokkos::View<double**, Memory> x("x", n, 2);
  Kokkos::View<std::uint64_t*, Memory> numbers("numbers", n);
  const auto hx = Kokkos::create_mirror_view(x);
  const auto hn = Kokkos::create_mirror_view(numbers);
  for (int i = 0; i < n; ++i) {
    hx(i, 0) = (i * 7 + comm.rank()) % 32 + .5;
    hx(i, 1) = i * 5 % 28 + .5;
    hn(i)    = (i % 2 == 0 ? std::uint64_t(1) << 63 : 0) +
            std::uint64_t(n - i) * std::uint64_t(comm.size()) +
            std::uint64_t(comm.rank());
  }
  Kokkos::deep_copy(x, hx);
  Kokkos::deep_copy(numbers, hn);
  migrate_by_number(Exec{}, blocks, MigrateOptions(), numbers, x);
  const auto sorted = host_copy(numbers);
  CHECK(std::is_sorted(sorted.data(), sorted.data() + sorted.extent(0)));
  CHECK(total(comm, (long long)(sorted.extent(0))) == n * comm.size());
}

TEST_CASE("many steps lose and double no point") {
  const Communicator comm(MPI_COMM_WORLD);
  const DistributedGrid<2> blocks(comm, make_grid(false));
  Points p(blocks, 200, 0., 28.);
  const long long all = total(comm, p.size());
  for (int step = 0; step < 20; ++step) {
    const auto x = host_copy(p.x);
    const auto v = host_copy(p.velocity);
    const auto f = host_copy(p.phase);
    for (int i = 0; i < p.size(); ++i) {
      for (int d = 0; d < 2; ++d) x(i, d) += std::sin(x(i, 1 - d) + step) * 4.;
      for (int c = 0; c < 3; ++c) v(i, c) = float(x(i, 0) + c);
      f(i) = Kokkos::complex<double>(x(i, 0), x(i, 1));
    }
    Kokkos::deep_copy(p.x, x);
    Kokkos::deep_copy(p.velocity, v);
    Kokkos::deep_copy(p.phase, f);
    migrate(Exec{}, blocks, p.x, p.number, p.velocity, p.mark, p.phase);
    check_rows(blocks, p);
  }
  // the numbers are those of all points, each once
  const auto n  = host_copy(p.number);
  long long sum = 0;
  std::set<long long> once;
  for (int i = 0; i < p.size(); ++i) {
    sum += n(i);
    once.insert(n(i));
  }
  CHECK(int(once.size()) == p.size());
  CHECK(total(comm, p.size()) == all);
  CHECK(total(comm, sum) == all * (all - 1) / 2);
}

TEST_CASE("points beyond walls are reported, and stay or are dropped") {
  const Communicator comm(MPI_COMM_WORLD);
  const DistributedGrid<2> blocks(comm, make_grid(true));
  for (const bool drop : {false, true}) {
    Points p(blocks, 200, -10., 40.);
    const auto x  = host_copy(p.x);
    int first     = -1;
    long long out = 0;
    for (int i = p.size() - 1; i >= 0; --i)
      if (x(i, 1) < 0 || x(i, 1) > 28.) {
        first = i;
        ++out;
      }
    MigrateOptions options;
    options.drop_beyond_walls = drop;
    const auto report         = migrate(Exec{}, blocks, options, p.x, p.number,
                                        p.velocity, p.mark, p.phase);
    CHECK((long long)(report.beyond_walls) == out);
    CHECK(report.first_beyond_walls == first);
    CHECK(total(comm, p.size()) ==
          200 * comm.size() - (drop ? total(comm, out) : 0));
    check_rows(blocks, p);
  }
}

TEST_CASE("a point on an upper wall is inside") {
  const Communicator comm(MPI_COMM_WORLD);
  const DistributedGrid<2> blocks(comm, make_grid(true));
  Kokkos::View<double**, Memory> x("x", 1, 2);
  Kokkos::deep_copy(x, 28.);
  CHECK(migrate(Exec{}, blocks, x).beyond_walls == 0);
}

TEST_CASE("in one dimension positions may have rank 1; one message each") {
  const Communicator comm(MPI_COMM_WORLD);
  const DistributedGrid<1> blocks(comm, Grid<1>({48}, .25));
  // each rank has a point of each block
  Kokkos::View<double*, Memory> x("x", comm.size());
  Kokkos::View<int*, Memory> from("from", comm.size());
  const auto hx = Kokkos::create_mirror_view(x);
  for (int r = 0; r < comm.size(); ++r)
    hx(r) = .25 * (48 * r / comm.size()) + .1;
  Kokkos::deep_copy(x, hx);
  Kokkos::deep_copy(from, comm.rank());
  const auto report = migrate(Exec{}, blocks, x, from);
  CHECK(report.sent == std::size_t(comm.size() - 1));
  REQUIRE(int(x.extent(0)) == comm.size());
  const auto h = host_copy(from);
  for (int r = 0; r < comm.size(); ++r) CHECK(h(r) == r);
  if (comm.size() == 1) return;
  const auto& exchange = *blocks.memory(Exec()).migration;
  CHECK(exchange.messages_sent() == std::size_t(comm.size() - 1));
  CHECK(exchange.bytes_sent() ==
        std::size_t(comm.size() - 1) * (sizeof(double) + sizeof(int)));
}

TEST_CASE("views with a constant number of components migrate") {
  const Communicator comm(MPI_COMM_WORLD);
  const DistributedGrid<2> blocks(comm, make_grid(false));
  // every rank has a point in the block of each rank
  Kokkos::View<double* [2], Memory> x("x", comm.size());
  Kokkos::View<int* [3], Memory> marks("marks", comm.size());
  const auto places = Kokkos::create_mirror_view(x);
  const auto known  = Kokkos::create_mirror_view(marks);
  for (int to = 0; to < comm.size(); ++to) {
    for (int d = 0; d < 2; ++d) {
      const auto& cuts = blocks.all_blocks().cuts[d];
      const int block  = blocks.all_blocks().number(to, d);
      places(to, d) =
          (cuts[std::size_t(block)] + .5) * blocks.grid().spacing(d);
    }
    for (int c = 0; c < 3; ++c) known(to, c) = 100 * comm.rank() + 10 * to + c;
  }
  Kokkos::deep_copy(x, places);
  Kokkos::deep_copy(marks, known);
  migrate(Exec{}, blocks, x, marks);
  REQUIRE(int(marks.extent(0)) == comm.size());
  const auto h = host_copy(marks);
  for (int from = 0; from < comm.size(); ++from)
    for (int c = 0; c < 3; ++c)
      CHECK(h(from, c) == 100 * from + 10 * comm.rank() + c);
}

TEST_CASE("wrong calls of migrate are refused on all ranks") {
  const Communicator comm(MPI_COMM_WORLD);
  const DistributedGrid<2> blocks(comm, make_grid(false));
  const bool last = comm.rank() == comm.size() - 1;
  Kokkos::View<double**, Memory> x("x", 5, 2), wide("wide", 5, last ? 3 : 2);
  Kokkos::View<int*, Memory> few("few", last ? 4 : 5);
  check_refused_on_ranks("positions: expected extents (n, 2)",
                         [&] { migrate(Exec{}, blocks, wide); });
  check_refused_on_ranks("others: expected extent(0) == 5",
                         [&] { migrate(Exec{}, blocks, x, few); });
  check_refused_on_ranks("initialised handle",
                         [&] { migrate(Exec{}, DistributedGrid<2>(), x); });
  if (comm.size() > 1)
    check_refused_on_ranks("expected the same on all ranks, got 2 x 8 bytes",
                           [&] {
                             Kokkos::View<double*, Memory> other("other", 5);
                             if (last)
                               migrate(Exec{}, blocks, x, other);
                             else
                               migrate(Exec{}, blocks, x);
                           });
  if (comm.size() > 1)
    check_refused_on_ranks("expected the same on all ranks, got", [&] {
      MigrateOptions options;
      options.drop_beyond_walls = last;
      migrate(Exec{}, blocks, options, x);
    });
  if (comm.size() > 1)
    check_refused_on_ranks(
        "got Sporos::migrate_by_number on rank 0, Sporos::migrate on rank",
        [&] {
          Kokkos::View<std::int64_t*, Memory> number("number", 5);
          if (last)
            migrate(Exec{}, blocks, x, number);
          else
            migrate_by_number(Exec{}, blocks, MigrateOptions(), number, x);
        });
  if (last)
    Kokkos::deep_copy(Kokkos::subview(x, 3, 1),
                      std::numeric_limits<double>::quiet_NaN());
  check_refused_on_ranks("NaN or infinity at point 3",
                         [&] { migrate(Exec{}, blocks, x); });
  Kokkos::deep_copy(x, 1.);
  Kokkos::View<std::int64_t*, Memory> number("number", 5);
  if (last) Kokkos::deep_copy(Kokkos::subview(number, 2), -1);
  check_refused_on_ranks("one at point 2", [&] {
    migrate_by_number(Exec{}, blocks, MigrateOptions(), number, x);
  });
  CHECK(x.extent(0) == 5);
  Kokkos::View<int*, Memory> none(nullptr, 5);
  check_refused_on_ranks("others", [&] { migrate(Exec{}, blocks, x, none); });
}

#if defined(__linux__)
namespace {

/// Calls move(x, values, numbers), which leaves out every 16th point, with more
/// and more memory until it succeeds; returns how often it threw. All Views
/// must then be whole: as they were, or with as many rows as afterwards.
template <class Move>
int check_without_memory(bool may_move, const Move& move) {
  using Host     = Kokkos::DefaultHostExecutionSpace;
  const int n    = 400000;
  int refusals   = 0;
  bool succeeded = false;
  for (int mebibytes = 0; !succeeded; mebibytes += 2) {
    Kokkos::View<double**, Kokkos::LayoutRight, Host> x("x", n, 2);
    Kokkos::View<double*, Host> value("value", n);
    Kokkos::View<std::int64_t*, Host> number("number", n);
    for (int i = 0; i < n; ++i) {
      x(i, 0)   = i % 32 + .5;
      x(i, 1)   = i % 16 == 3 ? -1 : i % 28 + .5;
      value(i)  = i + .25;
      number(i) = n - i;
    }
    const void* const before = x.data();
    try {
      const Test::MemoryLimit limit(rlim_t(mebibytes) << 20);
      move(x, value, number);
      succeeded = true;
    } catch (const std::exception&) {
      ++refusals;
      CHECK((x.data() == before || may_move));
    }
    const std::size_t rows = x.extent(0);
    CHECK(rows == std::size_t(x.data() == before ? n : n - n / 16));
    REQUIRE((value.extent(0) == rows && number.extent(0) == rows));
    int wrong = 0;
    for (std::size_t k = 0; k < rows; ++k) {
      const auto i = n - number(k);
      wrong += value(k) != double(i) + .25 || x(k, 0) != double(i % 32) + .5;
    }
    CHECK(wrong == 0);
  }
  return refusals;
}

}  // namespace

TEST_CASE("no point is lost where memory runs out") {
  if (Test::slow_run) return;
  const DistributedGrid<2> blocks(Communicator(MPI_COMM_SELF), make_grid(true));
  MigrateOptions options;
  options.drop_beyond_walls = true;
  const Kokkos::DefaultHostExecutionSpace exec;
  CHECK(check_without_memory(false, [&](auto& x, auto& value, auto& number) {
          migrate(exec, blocks, options, x, value, number);
        }) > 3);
  CHECK(check_without_memory(true, [&](auto& x, auto& value, auto& number) {
          migrate_by_number(exec, blocks, options, number, x, value);
        }) > 3);
}
#endif

}  // namespace MigrateOnRanks
