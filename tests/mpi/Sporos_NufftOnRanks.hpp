// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A non-uniform FFT whose points and modes are spread out over ranks.

#ifndef SPOROS_NUFFTONRANKS_HPP
#define SPOROS_NUFFTONRANKS_HPP

#include "../fourier/Sporos_NufftData.hpp"

#include <Sporos_DistributedNufft.hpp>

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

namespace Sporos {
namespace Test {

/// Sums of squares of differences and of numbers, over all ranks
struct ErrorOnRanks {
  double sums[2] = {0, 0};
  template <class Complex>
  void add(const Complex& got, const std::complex<double>& expected) {
    sums[0] +=
        std::norm(std::complex<double>(double(got.real()), double(got.imag())) -
                  expected);
    sums[1] += std::norm(expected);
  }
  /// least: of the sum of squares of numbers
  double error(const Communicator& comm, double least) {
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, comm.mpi());
    const double scale = std::max(sums[1], least);
    return scale > 0 ? std::sqrt(sums[0] / scale) : std::sqrt(sums[0]);
  }
};

/// A case, and the part of it that a rank has.
template <int Dim, class T, class Widths>
struct NufftOnRanks {
  using Exec    = Kokkos::DefaultHostExecutionSpace;
  using Complex = Kokkos::complex<T>;
  using Plan    = DistributedNufftPlan<Exec, Dim, T, Widths>;
  using Data    = NufftData<Exec, Dim, T, Kokkos::HostSpace>;
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

  NufftOnRanks(const Communicator& comm, const NufftCase& c_, bool any_ranks,
               std::vector<int> points_of_rank)
      : c(c_), data(c), mine(std::move(points_of_rank)) {
    Kokkos::Array<int, Dim> n;
    for (int d = 0; d < Dim; ++d) n[d] = c.modes[d];
    DistributedNufftOptions o;
    o.nufft.tolerance  = c.tolerance;
    o.nufft.upsampling = c.upsampling;
    o.nufft.order      = c.order;
    o.any_ranks        = any_ranks;
    plan               = Plan(Exec(), comm, n, o);
    const auto own     = mine.size();
    Kokkos::resize(points, own, std::size_t(Dim));
    Kokkos::resize(numbers, own);
    Kokkos::resize(values, std::size_t(2), own);
    for (std::size_t i = 0; i < own; ++i) {
      const auto j = std::size_t(mine[i]);
      for (int d = 0; d < Dim; ++d) points(i, d) = data.points(j, d);
      numbers(i) = std::int64_t(j) * 3 + 1;
    }
    // the last direction first, and a gap
    Kokkos::LayoutStride layout;
    layout.dimension[0] = 2;
    layout.dimension[1] = std::size_t(plan.rows());
    for (int d = 1; d < Dim; ++d)
      layout.dimension[d + 1] = std::size_t(c.modes[d]);
    std::size_t stride = 2;
    for (int d = 0; d <= Dim; ++d) {
      layout.stride[d] = stride;
      stride *= std::max<std::size_t>(1, layout.dimension[d]);
    }
    modes = Modes("modes", layout);
    give_values();
    give_modes();
    set_points();
  }

  void give_values() {
    for (std::size_t i = 0; i < mine.size(); ++i) {
      values(0, i) = data.values(std::size_t(mine[i]));
      values(1, i) = values(0, i) * Complex(0, 1);
    }
  }
  void give_modes() {
    for_each_mode([&](std::size_t k, Complex& a, Complex& b) {
      a = data.coefficients(k);
      b = a * Complex(0, 1);
    });
  }

  void set_points() {
    if (plan.options().any_ranks)
      plan.set_points(Exec(), points, numbers);
    else
      plan.set_points(Exec(), points);
  }

  /// Errors of types 2 and 1; values and modes are afterwards as before.
  std::pair<double, double> errors(const Communicator& comm) {
    using Exact          = std::complex<double>;
    const auto at_points = data.direct(2, -c.sign);
    const auto of_modes  = data.direct(1, c.sign);
    ErrorOnRanks of_points, of_coefficients;
    plan.type2(Exec(), modes, values, -c.sign);
    for (std::size_t i = 0; i < mine.size(); ++i) {
      const Exact& e = at_points[std::size_t(mine[i])];
      of_points.add(values(0, i), e);
      of_points.add(values(1, i), e * Exact(0, 1));
    }
    give_values();
    plan.type1(Exec(), values, modes, c.sign);
    for_each_mode([&](std::size_t k, const Complex& a, const Complex& b) {
      of_coefficients.add(a, of_modes[k]);
      of_coefficients.add(b, of_modes[k] * Exact(0, 1));
    });
    give_modes();
    // random sums of n numbers have sqrt(n) times their norm
    return {of_points.error(comm, 2 * squares(data.coefficients) * c.points),
            of_coefficients.error(
                comm, 2 * squares(data.values) * double(of_modes.size()))};
  }

  /// With any_ranks: how many results have other bits than those of one rank,
  /// which has all points in their order. Values and modes are afterwards
  /// results.
  int bits_unlike_one_rank() {
    std::vector<int> all(static_cast<std::size_t>(c.points));
    std::iota(all.begin(), all.end(), 0);
    NufftOnRanks alone(Communicator(MPI_COMM_SELF), c, true, std::move(all));
    for (NufftOnRanks* const on : {this, &alone}) {
      on->plan.type1(Exec(), on->values, on->modes, c.sign);
      on->plan.type2(Exec(), on->modes, on->values, c.sign);
    }
    int different     = 0;
    const auto differ = [&](const Complex& a, const Complex& b) {
      different += std::memcmp(&a, &b, sizeof a) != 0 ? 1 : 0;
    };
    for (std::size_t i = 0; i < mine.size(); ++i)
      for (std::size_t b : {0, 1})
        differ(values(b, i), alone.values(b, std::size_t(mine[i])));
    std::vector<Complex> expected(alone.data.coefficients.extent(0));
    alone.for_each_mode([&](std::size_t k, const Complex& a, const Complex&) {
      expected[k] = a;
    });
    for_each_mode([&](std::size_t k, const Complex& a, const Complex&) {
      differ(a, expected[k]);
    });
    return different;
  }

  /// f(number of the mode, the numbers of both transforms)
  template <class F>
  void for_each_mode(const F& f) {
    for (int y = 0; y < plan.rows(); ++y)
      for (int x = 0; x < c.modes[1]; ++x) {
        const std::size_t row =
            std::size_t(plan.first_row() + y) * std::size_t(c.modes[1]) +
            std::size_t(x);
        if constexpr (Dim == 2)
          f(row, modes(0, y, x), modes(1, y, x));
        else
          for (int z = 0; z < c.modes[2]; ++z)
            f(row * std::size_t(c.modes[2]) + std::size_t(z), modes(0, y, x, z),
              modes(1, y, x, z));
      }
  }
};

}  // namespace Test
}  // namespace Sporos

#endif
