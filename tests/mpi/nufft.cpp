// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Non-uniform FFTs on many ranks against the sums by definition; the same bits
// on any number of them; wrong calls.

#include "../fourier/Sporos_NufftData.hpp"
#include "Sporos_Refused.hpp"

#include <Sporos_DistributedNufft.hpp>
#include <Sporos_Test.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace NufftOnRanks {

using namespace Sporos;
using Test::NufftCase;
using Test::Places;
using Exec = Kokkos::DefaultHostExecutionSpace;
using std::size_t;

/// Which points rank `rank` gives: uneven numbers, none on some ranks
std::vector<int> dealt(int points, int rank, int ranks) {
  std::vector<int> mine;
  for (int j = 0; j < points; ++j)
    if ((j * j + j / 7) % std::max(1, ranks - ranks / 3) == rank)
      mine.push_back(j);
  std::reverse(mine.begin(), mine.end());
  return mine;
}

/// A case, and the part of it that a rank has.
template <int Dim, class T, class Widths>
struct Case {
  using Complex = Kokkos::complex<T>;
  using Plan    = DistributedNufftPlan<Exec, Dim, T, Widths>;
  using Data    = Test::NufftData<Exec, Dim, T, Kokkos::HostSpace>;
  using Modes =
      Kokkos::View<std::conditional_t<Dim == 2, Complex***, Complex****>,
                   Kokkos::LayoutStride, Kokkos::HostSpace>;

  NufftCase c;
  Data data;
  std::vector<int> mine;
  Plan plan;
  Kokkos::View<T**, Kokkos::LayoutLeft, Kokkos::HostSpace> points;
  Kokkos::View<std::int64_t*, Kokkos::HostSpace> numbers;
  /// two transforms: the numbers, and the numbers times i
  Kokkos::View<Complex**, Kokkos::LayoutLeft, Kokkos::HostSpace> values;
  Modes modes;

  Case(MPI_Comm ranks, const NufftCase& c_, bool any_ranks) : c(c_), data(c) {
    const Communicator comm(ranks);
    mine = dealt(c.points, comm.rank(), comm.size());
    Kokkos::Array<int, Dim> n;
    for (int d = 0; d < Dim; ++d) n[d] = c.modes[d];
    DistributedNufftOptions o;
    o.nufft.tolerance  = c.tolerance;
    o.nufft.upsampling = c.upsampling;
    o.nufft.order      = c.order;
    o.any_ranks        = any_ranks;
    plan               = Plan(Exec(), comm, n, o);
    const auto own     = mine.size();
    Kokkos::resize(points, own, size_t(Dim));
    Kokkos::resize(numbers, own);
    Kokkos::resize(values, size_t(2), own);
    for (size_t i = 0; i < own; ++i) {
      const auto j = size_t(mine[i]);
      for (int d = 0; d < Dim; ++d) points(i, d) = data.points(j, d);
      numbers(i)   = std::int64_t(j) * 3 + 1;
      values(0, i) = data.values(j);
      values(1, i) = data.values(j) * Complex(0, 1);
    }
    // the last direction first, and a gap
    Kokkos::LayoutStride layout;
    layout.dimension[0] = 2;
    layout.dimension[1] = size_t(plan.rows());
    for (int d = 1; d < Dim; ++d) layout.dimension[d + 1] = size_t(c.modes[d]);
    size_t stride = 2;
    for (int d = 0; d <= Dim; ++d) {
      layout.stride[d] = stride;
      stride *= std::max<size_t>(1, layout.dimension[d]);
    }
    modes = Modes("modes", layout);
    for_each_mode([&](size_t k, Complex& a, Complex& b) {
      a = data.coefficients(k);
      b = a * Complex(0, 1);
    });
    set_points();
  }

  void set_points() {
    if (plan.options().any_ranks)
      plan.set_points(Exec(), points, numbers);
    else
      plan.set_points(Exec(), points);
  }

  /// f(number of the mode, the numbers of both transforms)
  template <class F>
  void for_each_mode(const F& f) {
    for (int y = 0; y < plan.rows(); ++y)
      for (int x = 0; x < c.modes[1]; ++x) {
        const size_t row =
            size_t(plan.first_row() + y) * size_t(c.modes[1]) + size_t(x);
        if constexpr (Dim == 2)
          f(row, modes(0, y, x), modes(1, y, x));
        else
          for (int z = 0; z < c.modes[2]; ++z)
            f(row * size_t(c.modes[2]) + size_t(z), modes(0, y, x, z),
              modes(1, y, x, z));
      }
  }
};

/// Sums of squares of differences and of numbers over all ranks
struct Distance {
  double sums[2] = {0, 0};
  template <class Complex>
  void add(const Complex& got, const std::complex<double>& expected) {
    sums[0] +=
        std::norm(std::complex<double>(double(got.real()), double(got.imag())) -
                  expected);
    sums[1] += std::norm(expected);
  }
  double error() {
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sums[1] > 0 ? std::sqrt(sums[0] / sums[1]) : std::sqrt(sums[0]);
  }
};

template <int Dim, class T, class Widths>
void check_sums(const NufftCase& c, bool any_ranks) {
  using Complex = std::complex<double>;
  Case<Dim, T, Widths> on(MPI_COMM_WORLD, c, any_ranks);
  CAPTURE(on.plan.describe());
  const auto at_points = on.data.direct(2, -c.sign);
  const auto of_modes  = on.data.direct(1, c.sign);
  for (int again = 0; again < 2; ++again) {
    // points of type 2 get other values; modes of type 1, too
    on.plan.type2(Exec(), on.modes, on.values, -c.sign);
    Distance points, modes;
    for (size_t i = 0; i < on.mine.size(); ++i) {
      const auto& e = at_points[size_t(on.mine[i])];
      points.add(on.values(0, i), e);
      points.add(on.values(1, i), e * Complex(0, 1));
    }
    CHECK(points.error() < c.tolerance);
    for (size_t i = 0; i < on.mine.size(); ++i) {
      on.values(0, i) = on.data.values(size_t(on.mine[i]));
      on.values(1, i) = on.values(0, i) * Kokkos::complex<T>(0, 1);
    }
    on.plan.type1(Exec(), on.values, on.modes, c.sign);
    on.for_each_mode([&](size_t k, const auto& a, const auto& b) {
      modes.add(a, of_modes[k]);
      modes.add(b, of_modes[k] * Complex(0, 1));
    });
    CHECK(modes.error() < c.tolerance);
    on.for_each_mode([&](size_t k, auto& a, auto& b) {
      a = on.data.coefficients(k);
      b = a * Kokkos::complex<T>(0, 1);
    });
    on.set_points();
  }
}

TEST_CASE("non-uniform FFTs on ranks are the sums by definition") {
  using W                = NufftWidths<5>;
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
  Case<Dim, T, Widths> many(MPI_COMM_WORLD, c, true),
      alone(MPI_COMM_SELF, c, true);
  for (auto* on : {&many, &alone}) {
    on->plan.type1(Exec(), on->values, on->modes, c.sign);
    on->plan.type2(Exec(), on->modes, on->values, c.sign);
  }
  std::vector<Kokkos::complex<T>> modes(alone.data.coefficients.extent(0)),
      values(size_t(c.points));
  alone.for_each_mode(
      [&](size_t k, const auto& a, const auto&) { modes[k] = a; });
  for (size_t i = 0; i < alone.mine.size(); ++i)
    values[size_t(alone.mine[i])] = alone.values(0, i);
  int different = 0;
  many.for_each_mode([&](size_t k, const auto& a, const auto&) {
    different += std::memcmp(&a, &modes[k], sizeof a) != 0 ? 1 : 0;
  });
  CHECK(different == 0);
  for (size_t i = 0; i < many.mine.size(); ++i)
    different += std::memcmp(&many.values(0, i), &values[size_t(many.mine[i])],
                             sizeof values[0]) != 0
                     ? 1
                     : 0;
  CHECK(different == 0);
}

TEST_CASE("with any_ranks bits do not depend on the ranks") {
  check_bits<2, double, NufftWidths<5>>(
      {{37, 52, 1}, 500, Places::random, 1e-3, 2, NufftOrder::centred, 1});
  check_bits<3, float, NufftWidths<5>>(
      {{11, 33, 9}, 300, Places::clustered, 1e-3, 2, NufftOrder::fft, -1});
}

TEST_CASE("wrong calls of non-uniform FFTs on ranks") {
  using Test::check_refused_on_ranks;
  using Complex = Kokkos::complex<double>;
  using Plan    = DistributedNufftPlan<Exec, 2, double, NufftWidths<5>>;
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

}  // namespace NufftOnRanks
