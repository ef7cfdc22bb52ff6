// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Globals of loops on all ranks, and how often a loop waits for these.
#include "Sporos_Collectives.hpp"
#include "Sporos_RankMeshes.hpp"

#include <Sporos_DatVectors.hpp>
#include <Sporos_Test.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace MeshLoopGlobalsOnRanks {

using namespace Sporos;
using namespace Sporos::Test;
using Exec = Kokkos::DefaultExecutionSpace;

namespace {

/// Reduces a value of point number i in all types: i - 5.
struct Globals {
  KOKKOS_FUNCTION void operator()(Read<int, 1> number, Reduce<int> sum,
                                  Reduce<std::uint64_t> wide,
                                  Reduce<double> real, Reduce<double> least,
                                  Reduce<float> most, Reduce<int> low,
                                  Reduce<unsigned> high) const {
    const int v = number[0] - 5;
    sum[0] += v;
    wide[0] += std::uint64_t(1) << 62;
    real[0] += v;
    least[0] = Sporos::min(least[0], double(v));
    most[0]  = Sporos::max(most[0], float(-v));
    low[0]   = Sporos::min(low[0], v);
    high[0]  = Sporos::max(high[0], unsigned(number[0]));
  }
};

/// One large and many small numbers: a sum that is rounded loses some.
struct Large {
  KOKKOS_FUNCTION void operator()(Read<int, 1> number,
                                  Reduce<double> sum) const {
    sum[0] += number[0] == 0 ? 0x1p60 : 0.;
    sum[0] += number[0] == 6 ? 1. : number[0] == 11 ? -0x1p60 : 0.;
  }
};

/// Writes the number of a point, on packs, too.
struct LastNumber {
  template <class V>
  KOKKOS_FUNCTION void operator()(Read<V, 1> number,
                                  GlobalWrite<V, 1> last) const {
    last[0] = number[0];
  }
};

/// Writes the number of a point if it is even.
struct LastEven {
  KOKKOS_FUNCTION void operator()(Read<double, 1> number,
                                  GlobalWrite<double, 1> last) const {
    if (int(number[0]) % 2 == 0) last[0] = number[0];
  }
};

}  // namespace

TEST_CASE("globals of all ranks, all at once") {
  const int points = 40;
  const Chain c(Deal::cyclic, points - 1);
  const auto number = c.dat("number", c.points, points);
  int sum = 7, low = 100;
  std::uint64_t wide = 1;
  double real = .5, least = 100;
  float most       = -100;
  unsigned high    = 3;
  const auto waits = collectives_of([&] {
    par_loop("globals", Exec{}, c.mesh.set(c.points), Globals{}, read(number),
             Sporos::sum(sum), Sporos::sum(wide), Sporos::sum(real),
             Sporos::min(least), Sporos::max(most), Sporos::min(low),
             Sporos::max(high));
  });
  CHECK(sum == 7 + points * (points - 1) / 2 - 5 * points);
  CHECK(wide == 1);  // modulo 2^64
  CHECK(real == .5 + points * (points - 1) / 2 - 5 * points);
  CHECK(least == -5);
  CHECK(most == 5);
  CHECK(low == -5);
  CHECK(high == unsigned(points - 1));
  // sums, and minima and maxima at the same time; no memory of all ranks
  CHECK(waits.reductions == 2 + (Sporos::Impl::checks_enabled ? 1 : 0));
  CHECK(waits.others == 0);
}

namespace {

/// NaN for point 7 alone.
struct OneNan {
  KOKKOS_FUNCTION void operator()(Read<int, 1> number, Reduce<double> least,
                                  Reduce<float> most,
                                  Reduce<double> other) const {
    const double nan = number[0] == 7 ? std::nan("") : 0.;
    least[0]         = Sporos::min(least[0], nan + number[0]);
    most[0]          = Sporos::max(most[0], float(nan) - float(number[0]));
    other[0]         = Sporos::min(other[0], double(number[0]));
  }
};

}  // namespace

TEST_CASE("a NaN of one rank makes minima and maxima NaN on all") {
  const Chain c(Deal::cyclic, 19);
  const auto number = c.dat("number", c.points, 20);
  for (const bool any_ranks : {false, true}) {
    LoopOptions o;
    o.any_ranks  = any_ranks;
    double least = 1, other = 1;
    float most = 1;
    par_loop("nan", Exec{}, c.mesh.set(c.points), o, OneNan{}, read(number),
             Sporos::min(least), Sporos::max(most), Sporos::min(other));
    CHECK(std::isnan(least));
    CHECK(std::isnan(most));
    CHECK(other == 0);
    // and it stays
    par_loop("nan", Exec{}, c.mesh.set(c.points), o, OneNan{}, read(number),
             Sporos::min(other), Sporos::max(most), Sporos::min(least));
    CHECK(std::isnan(least));
    CHECK(std::isnan(other));
  }
}

TEST_CASE("globals are written by the last element of all ranks") {
  const Communicator comm(MPI_COMM_WORLD);
  const int n = 70, size = comm.rank() == 0 ? n : 0;
  // few elements are at borders: local numbers do not ascend by number
  std::vector<int> rows, owners;
  std::vector<double> numbers;
  for (int i = 0; i < size; ++i) {
    rows.push_back(i % 9 == 4 ? 0 : i);
    owners.push_back(i < 30 ? comm.size() - 1 : 0);
    numbers.push_back(i);
  }
  GlobalMesh global(comm);
  const auto set = global.set("set", size);
  global.map<1>("map", set, set, rows);
  const auto dat = global.dat<double, 1>("dat", set, numbers);
  for (const bool any_ranks : {false, true})
    for (const auto ordering : {MeshOrdering::natural, MeshOrdering::random}) {
      INFO("any_ranks " << any_ranks << ", " << name(ordering));
      DistributeOptions o;
      o.any_ranks        = any_ranks;
      o.reorder.ordering = ordering;
      const auto mesh =
          distribute(Exec{}, global, MeshPartition::given(set, owners), o);
      Global<double, 1> last("last", -1.), even("even", -1.);
      par_loop("last", Exec{}, mesh.set(set), LastNumber{}, read(mesh.dat(dat)),
               write(last));
      par_loop("even", Exec{}, mesh.set(set), LastEven{}, read(mesh.dat(dat)),
               write(even));
      CHECK(last.value(0) == n - 1);
      CHECK(even.value(0) == n - 2);
    }
}

TEST_CASE("sums of the ranks are rounded once") {
  const Chain c(Deal::blocks, 11);
  const auto number = c.dat("number", c.points, 12);
  double sum        = 0;
  par_loop("large", Exec{}, c.mesh.set(c.points), Large{}, read(number),
           Sporos::sum(sum));
  // where each of the three numbers is on a rank of its own
  if (c.comm.size() == 3 || c.comm.size() == 4) CHECK(sum == 1.);
}

TEST_CASE("vectors on ranks have owned elements, exact sums, fresh halos") {
  const int n = 60;
  std::vector<double> rough, small;
  for (int i = 0; i <= n; ++i) {
    rough.push_back(std::sin(1.7 * i) * std::exp(i % 23 - 12));
    small.push_back(i % 7);
  }
  const Set all("all", n + 1);
  const Dat<double, 1> one("one", all, rough), other("other", all, small);
  for (const Deal deal : {Deal::cyclic, Deal::all_to_last}) {
    const Chain c(deal, n);
    const auto local = [&](const std::string& name,
                           const std::vector<double>& values) {
      return c.mesh.dat(
          c.global.dat<double, 1>(name, c.points, block(c.comm, values, 1)));
    };
    const auto x = local("x", rough), y = local("y", small);
    const auto z     = local("z", std::vector<double>(rough.size()));
    double xy        = 0;
    const auto waits = collectives_of([&] { xy = dot(Exec{}, x, y); });
    CHECK(waits.reductions == 1 + (Sporos::Impl::checks_enabled ? 1 : 0));
    CHECK(std::abs(xy - dot(one, other)) < 1e-9 * norm(one) * norm(other));
    CHECK(dot(Exec{}, x, y, {true}) == dot(one, other, {true}));
    CHECK(norm(Exec{}, x, {true}) == norm(one, {true}));

    axpy(Exec{}, 2, y, y);
    copy(Exec{}, y, z);
    scale(Exec{}, 3, z);
    const auto sum = local("sum", std::vector<double>(rough.size()));
    par_loop("add", Exec{}, c.mesh.set(c.edges), AddAll{}, read(z, c.map),
             inc(sum, c.map));
    std::vector<double> expected(rough.size());
    for (std::size_t e = 0; e < std::size_t(n); ++e) {
      expected[e] += 9 * (small[e] + 2 * small[e + 1]);
      expected[e + 1] += 9 * small[e + 1];
    }
    CHECK(c.mesh.to_blocks(c.points, sum) == block(c.comm, expected, 1));
  }
  // the option of a mesh
  const Communicator comm(MPI_COMM_WORLD);
  GlobalMesh global(comm);
  const auto values = block(comm, rough, 1);
  const auto set    = global.set("set", std::int64_t(values.size()));
  const auto gx     = global.dat<double, 1>("x", set, values);
  DistributeOptions o;
  o.any_ranks     = true;
  const auto mesh = distribute(
      Exec{}, global,
      MeshPartition::given(set, ranks_of(comm, Deal::cyclic, n + 1)), o);
  const auto x = mesh.dat(gx);
  CHECK(dot(x, x) == dot(one, one, {true}));
  CHECK(norm(x) == norm(one, {true}));
}

TEST_CASE("words have the order of their numbers") {
  using Limits      = std::numeric_limits<double>;
  const double up[] = {
      -Limits::infinity(),  -1e300, -1.5,  -Limits::denorm_min(), -0., 0.,
      Limits::denorm_min(), 2.,     1e300, Limits::infinity()};
  for (std::size_t k = 0; k < std::size(up); ++k) {
    const auto word   = Sporos::Impl::ordered_word(up[k]);
    const double back = Sporos::Impl::from_ordered_word<double>(word);
    CHECK(back == up[k]);
    CHECK(std::signbit(back) == std::signbit(up[k]));
    if (k > 0) CHECK(Sporos::Impl::ordered_word(up[k - 1]) < word);
  }
  for (const int v : {-2147483647 - 1, -7, 0, 7, 2147483647}) {
    CHECK(Sporos::Impl::from_ordered_word<int>(Sporos::Impl::ordered_word(v)) ==
          v);
    CHECK((Sporos::Impl::ordered_word(v) < Sporos::Impl::ordered_word(1)) ==
          (v < 1));
  }
  // NaN is the minimum and the maximum of all numbers with it
  using Sporos::Impl::Reduction;
  const float nan = std::nanf(""), inf = HUGE_VALF;
  for (const float sign : {1.f, -1.f}) {
    const auto word = Sporos::Impl::least_word<Reduction::max>(sign * nan);
    CHECK(word < Sporos::Impl::least_word<Reduction::max>(inf));
    CHECK(
        std::isnan(Sporos::Impl::from_least_word<Reduction::max, float>(word)));
    const auto low = Sporos::Impl::least_word<Reduction::min>(sign * nan);
    CHECK(low < Sporos::Impl::least_word<Reduction::min>(-inf));
    CHECK(
        std::isnan(Sporos::Impl::from_least_word<Reduction::min, float>(low)));
  }
}

}  // namespace MeshLoopGlobalsOnRanks
