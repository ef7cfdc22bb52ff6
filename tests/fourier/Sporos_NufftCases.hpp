// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Non-uniform FFTs compared with the sums by definition.

#ifndef SPOROS_NUFFTCASES_HPP
#define SPOROS_NUFFTCASES_HPP

#include "Sporos_NufftData.hpp"
#include "Sporos_Test.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

namespace Sporos {
namespace Test {

/// Both types and gradients against the sums by definition, and the types
/// against each other.
template <class Exec, int Dim, class T, class Widths>
void check_nufft(const NufftCase& c) {
  const Exec exec;
  const NufftData<Exec, Dim, T, typename SharedMemory<Exec>::type> data(c);
  const auto plan = planned<Exec, Dim, T, Widths>(c, data);
  const auto in   = data.shaped(data.grid, data.coefficients);
  const auto out  = data.shaped(data.grid, data.of_modes);
  plan.type1(exec, data.values, out, c.sign);
  plan.type2(exec, in, data.at_points, -c.sign);
  const Kokkos::View<Kokkos::complex<T>**, typename SharedMemory<Exec>::type>
      gradients("gradients", std::size_t(c.points), Dim);
  plan.type2_gradient(exec, in, gradients, -c.sign);
  exec.fence();
  // random sums of n numbers have sqrt(n) times their norm
  const double error1 =
      l2_error(data.of_modes, data.direct(1, c.sign),
               squares(data.values) * double(data.coefficients.extent(0)));
  const double error2 = l2_error(data.at_points, data.direct(2, -c.sign),
                                 squares(data.coefficients) * double(c.points));
  CAPTURE(Dim, c.modes[0], c.modes[1], c.points, int(c.places), c.tolerance,
          c.upsampling, plan.width(), plan.expected_error());
  INFO(plan.describe());
  // sums of few random numbers differ much from their mean
  const bool few =
      c.points < 20 || data.coefficients.extent(0) < std::size_t(20);
  CHECK(error1 < (few ? 4 : 1) * c.tolerance);
  CHECK(error2 < (few ? 4 : 1) * c.tolerance);
  CHECK(data.gradient_error(gradients, -c.sign) < (few ? 8 : 2) * c.tolerance);
  CHECK(plan.size() == std::size_t(c.points));

  std::complex<double> a = 0, b = 0;
  double scale             = 0;
  const auto inner_product = [&](const auto& x, const auto& y, auto& sum) {
    double xx = 0, yy = 0;
    for (std::size_t i = 0; i < x.extent(0); ++i) {
      const std::complex<double> p(double(x(i).real()), double(x(i).imag()));
      const std::complex<double> q(double(y(i).real()), double(y(i).imag()));
      sum += std::conj(p) * q;
      xx += std::norm(p);
      yy += std::norm(q);
    }
    scale = std::max(scale, std::sqrt(xx * yy));
  };
  inner_product(data.of_modes, data.coefficients, a);
  inner_product(data.values, data.at_points, b);
  CHECK(std::abs(a - b) <=
        16 * double(std::numeric_limits<T>::epsilon()) * scale);
}

}  // namespace Test
}  // namespace Sporos

#endif
