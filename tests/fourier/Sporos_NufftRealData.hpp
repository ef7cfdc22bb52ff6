// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Cases of non-uniform FFTs of real values, with the sums by definition.

#ifndef SPOROS_NUFFTREALDATA_HPP
#define SPOROS_NUFFTREALDATA_HPP

#include "Sporos_NufftData.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <vector>

namespace Sporos {
namespace Test {

/// Data of a case. The sums are those of complex values with modes -N / 2 to
/// N / 2 of the last direction, of which those from 0 on are half of the modes.
template <class Exec, int Dim, class T, class Memory>
struct NufftRealData {
  using Complex             = Kokkos::complex<T>;
  static constexpr int last = Dim - 1;
  NufftCase c;
  int half;
  NufftData<Exec, Dim, T, Memory> all;
  NufftGrid<Dim> halves;  ///< extents of coefficients
  Kokkos::View<T*, Memory> values, at_points;
  Kokkos::View<Complex*, Memory> coefficients, of_modes;

  explicit NufftRealData(const NufftCase& given)
      : c(given),
        half(c.modes[last] / 2),
        all(with_odd_modes(c)),
        halves(all.grid),
        values("values", all.values.extent(0)),
        at_points("at_points", all.values.extent(0)) {
    halves.modes[last] = half + 1;
    coefficients = Kokkos::View<Complex*, Memory>("in", halves.all_modes());
    of_modes     = Kokkos::View<Complex*, Memory>("out", halves.all_modes());
    for (std::size_t j = 0; j < values.extent(0); ++j) {
      values(j)     = all.values(j).real();
      all.values(j) = Complex(values(j), 0);
    }
    for (std::size_t i = 0; i < coefficients.extent(0); ++i)
      coefficients(i) = all.coefficients(in_all(i));
    Kokkos::View<Complex*, Memory> weighted("weighted",
                                            all.coefficients.extent(0));
    for (std::size_t i = 0; i < coefficients.extent(0); ++i)
      weighted(in_all(i)) = coefficients(i) * T(weight(i));
    all.coefficients = weighted;
  }

  /// How often type 2 counts a coefficient.
  int weight(std::size_t i) const {
    const int k = int(i % std::size_t(half + 1));
    return k == 0 || 2 * k == c.modes[last] ? 1 : 2;
  }

  /// Errors of both types, relative to the tolerance and what rounding adds,
  /// that of <type 1, coefficients> - <values, type 2>, relative to rounding,
  /// and that of gradients, relative to what is promised and rounding.
  template <class Plan>
  std::vector<double> errors(const Plan& plan) {
    const Exec exec;
    const auto out = all.shaped(halves, of_modes);
    plan.type1(exec, values, out, c.sign);
    plan.type2(exec, all.shaped(halves, coefficients), at_points, -c.sign);
    const Kokkos::View<T**, Memory> gradients("g", values.extent(0), Dim);
    plan.type2_gradient(exec, all.shaped(halves, coefficients), gradients,
                        -c.sign);
    exec.fence();
    const auto of_all = all.direct(1, c.sign), at_all = all.direct(2, -c.sign);
    std::vector<std::complex<double>> expected1, expected2;
    for (std::size_t i = 0; i < of_modes.extent(0); ++i)
      expected1.push_back(of_all[in_all(i)]);
    for (const auto& z : at_all) expected2.emplace_back(z.real());
    const Kokkos::View<Complex*, Memory> complex("complex", values.extent(0));
    double a = 0, b = 0;
    for (std::size_t j = 0; j < values.extent(0); ++j) {
      complex(j) = Complex(at_points(j), 0);
      a += double(values(j)) * double(at_points(j));
    }
    for (std::size_t i = 0; i < of_modes.extent(0); ++i)
      b += weight(i) * (double(of_modes(i).real()) * coefficients(i).real() +
                        double(of_modes(i).imag()) * coefficients(i).imag());
    const double epsilon = double(std::numeric_limits<T>::epsilon());
    const double scale1  = squares(all.values) * double(of_modes.extent(0));
    const double scale2  = squares(all.coefficients) * double(values.extent(0));
    const double limit   = tolerance() + 16 * epsilon;
    return {l2_error(of_modes, expected1, scale1) / limit,
            l2_error(complex, expected2, scale2) / limit,
            a == b
                ? 0
                : std::fabs(a - b) /
                      (16 * epsilon * std::sqrt(squares(all.values) * scale2)),
            all.gradient_error(gradients, -c.sign) /
                (2 * tolerance() + 16 * epsilon)};
  }

 private:
  static NufftCase with_odd_modes(NufftCase c) {
    c.modes[last] = c.modes[last] / 2 * 2 + 1;
    return c;
  }
  /// Where coefficient i stands among all modes.
  std::size_t in_all(std::size_t i) const {
    const auto row = std::size_t(half + 1), all_row = std::size_t(2 * half + 1);
    return i / row * all_row + i % row + (all.grid.centred ? half : 0);
  }
  /// Sums of few random numbers differ much from their mean.
  double tolerance() const {
    const bool few = c.points < 20 || coefficients.extent(0) < std::size_t(20);
    return (few ? 4 : 1) * c.tolerance;
  }
};

template <class Exec, int Dim, class T, class Widths>
NufftRealPlan<Exec, Dim, T, Widths> real_plan(const NufftCase& c) {
  NufftOptions options;
  options.tolerance  = c.tolerance;
  options.upsampling = c.upsampling;
  options.order      = c.order;
  Kokkos::Array<int, Dim> modes;
  for (int d = 0; d < Dim; ++d) modes[std::size_t(d)] = c.modes[d];
  return {Exec(), modes, options};
}

}  // namespace Test
}  // namespace Sporos

#endif
