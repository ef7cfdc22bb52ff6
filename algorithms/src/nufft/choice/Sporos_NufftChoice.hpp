// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFTCHOICE_HPP
#define SPOROS_NUFFTCHOICE_HPP

/// \file Sporos_NufftChoice.hpp
/// From a tolerance to a fine grid and a width of the kernel.

#include <Sporos_Error.hpp>
#include <Sporos_ExponentialOfSemicircle.hpp>
#include <Sporos_NufftGrid.hpp>
#include <Sporos_NufftOptions.hpp>
#include <nufft/choice/Sporos_NufftConstants.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace Sporos {
namespace Impl {

/// Points of a direction: a multiple of 8 without prime factors above 7.
inline int nufft_points(int modes, double upsampling) {
  const double least = std::ceil(upsampling * modes - nufft_slack);
  const auto start   = std::max(std::int64_t(least), std::int64_t(1));
  for (auto n = ceil_div(start, std::int64_t(nufft_columns)) * nufft_columns;;
       n += nufft_columns) {
    auto rest = n;
    for (const int p : {2, 3, 5, 7})
      while (rest % p == 0) rest /= p;
    if (rest == 1) return int(n);
  }
}

/// A width with the upsampling of its kernel, and what they cost and bring.
template <int Dim>
struct NufftChoice {
  NufftGrid<Dim> grid;
  int width         = 0;  ///< 0: none suffices
  double upsampling = 0;  ///< of the direction with the coarsest grid
  double error      = std::numeric_limits<double>::infinity();  ///< promised
  double points_ns  = 0;  ///< expected by the cost model, of one thread
  double fft_ns     = 0;
  double ns() const { return points_ns + fft_ns; }
};

/// Calls f(std::integral_constant<int, width>()) for one of the widths.
template <int First, int... Rest, class F>
auto with_nufft_width(int width, NufftWidths<First, Rest...>, const F& f) {
  if constexpr (sizeof...(Rest) > 0)
    if (width != First)
      return with_nufft_width(width, NufftWidths<Rest...>(), f);
  return f(std::integral_constant<int, First>());
}

/// The narrowest width for an upsampling, and its cost. Rounding counts where
/// the division by the kernel's transform makes it larger than usual.
template <class T, int Dim, int... Widths>
NufftChoice<Dim> nufft_choice(const NufftGrid<Dim>& modes, double upsampling,
                              double tolerance, double points,
                              NufftWidths<Widths...> widths) {
  NufftChoice<Dim> c;
  c.grid       = modes;
  c.upsampling = most_kernel_upsampling;
  for (int d = 0; d < Dim; ++d) {
    c.grid.points[d] = nufft_points(modes.modes[d], upsampling);
    c.upsampling =
        std::min(c.upsampling, double(c.grid.points[d]) / c.grid.modes[d]);
  }
  const double usual = 4 * double(std::numeric_limits<T>::epsilon());
  for (const int width : {Widths...}) {
    const double kernel = std::sqrt(Dim) * nufft_error(width, c.upsampling);
    double error        = kernel;
    if (kernel <= tolerance) {
      const double rounding = with_nufft_width(width, widths, [&](auto w) {
        return ExponentialOfSemicircle<decltype(w)::value>(c.upsampling)
            .template rounding<T>(Dim);
      });
      if (rounding > usual) error = std::hypot(kernel, rounding);
    }
    c.error = std::min(c.error, error);
    if (error > tolerance) continue;
    c.width = width;
    c.error = error;
    break;
  }
  const double half = sizeof(T) == sizeof(float) ? .5 : 1;
  c.points_ns    = points * (NufftCost::point + half * NufftCost::of_stencil *
                                                 std::pow(c.width, Dim));
  const double n = double(c.grid.size());
  c.fft_ns       = n * half *
             (NufftCost::grid_point + NufftCost::of_fft_pass * std::log2(n));
  return c;
}

/// Checks options of a plan.
template <class T>
void check_nufft_options(const char* function, const NufftOptions& o) {
  check_enum(function, "options.order", o.order);
  check_enum(function, "options.patience", o.patience);
  const double least = sizeof(T) == sizeof(float)
                           ? least_nufft_tolerance_of_float
                           : least_nufft_tolerance;
  check(o.tolerance >= (1 - nufft_slack) * least &&
            o.tolerance <= (1 + nufft_slack) * most_nufft_tolerance,
        function, "options.tolerance",
        text("a number from ", least, " to ", most_nufft_tolerance),
        o.tolerance);
  check(o.upsampling == 0 || (o.upsampling >= least_nufft_upsampling &&
                              o.upsampling <= most_nufft_upsampling),
        function, "options.upsampling",
        text("0, or a number from ", least_nufft_upsampling, " to ",
             most_nufft_upsampling),
        o.upsampling);
  check(o.planning_seconds == o.planning_seconds, function,
        "options.planning_seconds", "a number", o.planning_seconds);
}

/// The choice for options that were checked.
/// \throws std::invalid_argument if no width of those that are compiled, or no
///   grid, reaches the tolerance
template <class T, int Dim, class Widths>
NufftChoice<Dim> choose_nufft(const char* function, const NufftGrid<Dim>& modes,
                              const NufftOptions& o, Widths widths) {
  const double points =
      o.points > 0 ? double(o.points) : double(modes.all_modes());
  NufftChoice<Dim> best;
  double least        = std::numeric_limits<double>::infinity();
  const auto consider = [&](double upsampling) {
    const auto c =
        nufft_choice<T>(modes, upsampling, o.tolerance, points, widths);
    least = std::min(least, c.error);
    if (c.width > 0 && (best.width == 0 || c.ns() < best.ns())) best = c;
  };
  if (o.upsampling > 0)
    consider(o.upsampling);
  else
    for (const double upsampling : nufft_upsamplings) consider(upsampling);
  check(best.width > 0, function, "options.tolerance",
        text("at least ", least, " for these widths",
             o.upsampling > 0 ? " and options.upsampling" : ""),
        o.tolerance);
  return best;
}

/// Fourier transform of a kernel at omega = 0, step, ... (count of them), by
/// the kernel itself or, for many, by Chebyshev interpolation.
template <class Kernel>
std::vector<double> nufft_transform(const Kernel& kernel, double step,
                                    int count) {
  constexpr int n = nufft_transform_terms;
  if (count <= 2 * n) return kernel.transform(step, count);
  const double pi = std::acos(-1.), last = step * (count - 1);
  double value[n], c[n];
  for (int j = 0; j < n; ++j) {
    const double omega = .5 * last * (1 + std::cos(pi * (j + .5) / n));
    value[j]           = kernel.transform(omega, 2)[1];
  }
  for (int k = 0; k < n; ++k) {
    c[k] = 0;
    for (int j = 0; j < n; ++j)
      c[k] += value[j] * std::cos(pi * k * (j + .5) / n);
    c[k] *= (k == 0 ? 1. : 2.) / n;
  }
  std::vector<double> values(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {  // Clenshaw's sum
    const double u = 2. * i / (count - 1) - 1;
    double b = 0, before = 0;
    for (int k = n - 1; k > 0; --k) {
      const double next = c[k] + 2 * u * b - before;
      before            = b;
      b                 = next;
    }
    values[std::size_t(i)] = c[0] + u * b - before;
  }
  return values;
}

}  // namespace Impl
}  // namespace Sporos

#endif
