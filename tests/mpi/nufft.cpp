// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Non-uniform FFTs on many ranks against the sums by definition; the same bits
// on any number of them; wrong calls.

#include "Sporos_NufftOnRanks.hpp"
#include "Sporos_Refused.hpp"

#include <Sporos_Test.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace NufftTransforms {

using namespace Sporos;
using namespace Sporos::Test;
using Exec = Kokkos::DefaultHostExecutionSpace;
using std::size_t;

/// Which points rank `rank` gives: uneven numbers, none on some ranks
std::vector<int> dealt(int points, MPI_Comm comm) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  std::vector<int> mine;
  for (int j = 0; j < points; ++j)
    if ((j * j + j / 7) % std::max(1, ranks - ranks / 3) == rank)
      mine.push_back(j);
  std::reverse(mine.begin(), mine.end());
  return mine;
}

template <int Dim, class T, class Widths>
void check_sums(const NufftCase& c, bool any_ranks) {
  const Communicator comm(MPI_COMM_WORLD);
  NufftOnRanks<Dim, T, Widths> on(comm, c, any_ranks,
                                  dealt(c.points, MPI_COMM_WORLD));
  CAPTURE(on.plan.describe());
  for (int again = 0; again < 2; ++again) {
    const auto [of_points, of_modes] = on.errors(comm);
    CHECK(of_points < c.tolerance);
    CHECK(of_modes < c.tolerance);
    on.set_points();
  }
}

TEST_CASE("non-uniform FFTs on ranks are the sums by definition") {
  using W                = NufftWidths<6>;
  const double tolerance = 1e-3, upsampling = 2;
  const auto fft = NufftOrder::fft, centred = NufftOrder::centred;
  for (const bool any_ranks : {false, true}) {
    check_sums<2, double, W>(
        {{30, 41, 1}, 200, Places::random, tolerance, upsampling, centred, 1},
        any_ranks);
    check_sums<2, double, W>(
        {{1, 2, 1}, 50, Places::far_away, tolerance, upsampling, fft, -1},
        any_ranks);
    check_sums<3, float, W>(
        {{9, 30, 12}, 100, Places::clustered, tolerance, upsampling, fft, 1},
        any_ranks);
    check_sums<3, float, W>(
        {{12, 5, 3}, 100, Places::at_ends, tolerance, upsampling, centred, -1},
        any_ranks);
  }
  check_sums<2, double, W>(
      {{16, 16, 1}, 0, Places::random, tolerance, upsampling, centred, 1},
      false);
}

/// Bits of both types on all ranks and on one.
template <int Dim, class T, class Widths>
void check_bits(const NufftCase& c) {
  NufftOnRanks<Dim, T, Widths> on(Communicator(MPI_COMM_WORLD), c, true,
                                  dealt(c.points, MPI_COMM_WORLD));
  CHECK(on.bits_unlike_one_rank() == 0);
}

TEST_CASE("with any_ranks bits do not depend on the ranks") {
  check_bits<2, double, NufftWidths<6>>(
      {{37, 52, 1}, 500, Places::random, 1e-3, 2, NufftOrder::centred, 1});
  check_bits<3, float, NufftWidths<6>>(
      {{11, 33, 9}, 300, Places::clustered, 1e-3, 2, NufftOrder::fft, -1});
}

TEST_CASE("wrong calls of non-uniform FFTs on ranks") {
  using Complex = Kokkos::complex<double>;
  using Plan    = DistributedNufftPlan<Exec, 2, double, NufftWidths<6>>;
  const Exec exec;
  const Communicator comm(MPI_COMM_WORLD);
  const int last = comm.size() - 1, rank = comm.rank();
  DistributedNufftOptions o;
  o.nufft.tolerance   = 1e-3;
  const std::string f = "Sporos::DistributedNufftPlan", at = f + "::";
  check_refused_on_ranks("comm", [&] { Plan(exec, Communicator(), {{8, 8}}); });
  check_refused_on_ranks("modes", [&] { Plan(exec, comm, {{8, 0}}, o); });
  check_refused_on_ranks("options.tolerance", [&] {
    Plan(exec, comm, {{8, 8}});
  });
  if (last > 0)
    check_refused_on_ranks("the same on all ranks", [&] {
      Plan(exec, comm, {{8, 8 + (rank == last ? 1 : 0)}}, o);
    });

  Plan plan(exec, comm, {{8, 9}}, o), empty;
  const size_t rows = size_t(plan.rows());
  const Kokkos::View<double**, Kokkos::HostSpace> points("points", 4, 2),
      wide("wide", 4, 3);
  const Kokkos::View<std::int64_t*, Kokkos::HostSpace> numbers("numbers", 4),
      few("few", 3);
  const Kokkos::View<Complex*, Kokkos::HostSpace> values("values", 4),
      more("more", 5);
  const Kokkos::View<Complex**, Kokkos::HostSpace> modes("modes", rows, 9),
      others("others", rows + 1, 9), narrow("narrow", rows, 8);
  check_refused_on_ranks("plan", [&] { empty.set_points(exec, points); });
  check_refused_on_ranks(at + "type1: plan",
                         [&] { plan.type1(exec, values, modes); });
  check_refused_on_ranks("(n, 2)", [&] { plan.set_points(exec, wide); });
  check_refused_on_ranks("any_ranks is not set",
                         [&] { plan.set_points(exec, points, numbers); });
  points(3, 1) = rank == last ? std::nan("") : 0;
  check_refused_on_ranks("finite", [&] { plan.set_points(exec, points); });
  points(3, 1) = 0;
  check_refused_on_ranks(at + "type2: plan",
                         [&] { plan.type2(exec, modes, values); });
  plan.set_points(exec, points);
  points(3, 1) = rank == last ? std::nan("") : 0;
  check_refused_on_ranks("finite", [&] { plan.set_points(exec, points); });
  values(3) = 1;
  // still of the points that it had; calls below are of another kind
  plan.type1(exec, values, modes, -1);
  if (rows > 0) CHECK(std::abs(modes(0, 0).real() - comm.size()) < .1);
  check_refused_on_ranks("sign", [&] { plan.type1(exec, values, modes, 0); });
  check_refused_on_ranks("values", [&] { plan.type1(exec, more, modes); });
  check_refused_on_ranks("coefficients", [&] {
    plan.type1(exec, values, rank == last ? others : modes);
  });
  check_refused_on_ranks("extent(1) == 9",
                         [&] { plan.type2(exec, narrow, values); });

  o.any_ranks = true;
  Plan numbered(exec, comm, {{8, 9}}, o);
  check_refused_on_ranks("any_ranks is set",
                         [&] { numbered.set_points(exec, points); });
  check_refused_on_ranks("numbers",
                         [&] { numbered.set_points(exec, points, few); });
  for (int i = 0; i < 4; ++i) numbers(i) = rank * 4 + i;
  numbers(2) = rank == last ? -1 : numbers(2);
  check_refused_on_ranks("number",
                         [&] { numbered.set_points(exec, points, numbers); });
}

}  // namespace NufftTransforms
