// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Cases of the normal operator of non-uniform FFTs, with the sums by
/// definition.

#ifndef SPOROS_NUFFTNORMALDATA_HPP
#define SPOROS_NUFFTNORMALDATA_HPP

#include <Sporos_NufftNormal.hpp>

#include "Sporos_NufftData.hpp"

#include <complex>
#include <cstddef>
#include <limits>
#include <vector>

namespace Sporos {
namespace Test {

template <class Exec, int Dim, class T, class Memory>
struct NufftNormalData {
  using Complex = Kokkos::complex<T>;
  NufftCase c;
  bool weighted;
  NufftData<Exec, Dim, T, Memory> all;
  Kokkos::View<Complex*, Memory> in;
  Kokkos::View<T*, Memory> weights;

  NufftNormalData(const NufftCase& given, bool with_weights)
      : c(given),
        weighted(with_weights),
        all(c),
        in(all.coefficients),
        weights("weights", all.values.extent(0)) {
    for (std::size_t j = 0; j < weights.extent(0); ++j)
      weights(j) = weighted ? all.values(j).real() : T(1);
  }

  /// Sets the points of a plan and applies it to `in`; the error relative to
  /// the tolerance and what rounding adds.
  template <class Plan>
  double error(Plan& plan, int sign) {
    const Exec exec;
    if (weighted)
      plan.set_points(exec, all.points, weights);
    else
      plan.set_points(exec, all.points);
    plan.apply(exec, all.shaped(all.grid, in),
               all.shaped(all.grid, all.of_modes), sign);
    exec.fence();
    const auto at_points = all.direct(2, sign);
    double squared       = 0;
    for (std::size_t j = 0; j < weights.extent(0); ++j) {
      const auto value = at_points[j] * double(weights(j));
      all.values(j)    = Complex(T(value.real()), T(value.imag()));
      squared += double(weights(j)) * double(weights(j));
    }
    const double modes = double(in.extent(0) << Dim);
    return l2_error(all.of_modes, all.direct(1, -sign),
                    modes * squared * squares(in)) /
           ((c.points < 20 || modes < 20 ? 4 : 1) * c.tolerance +
            16 * double(std::numeric_limits<T>::epsilon()));
  }
};

template <class Exec, int Dim, class T, class Widths>
NufftNormalPlan<Exec, Dim, T, Widths> normal_plan(const NufftCase& c) {
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
