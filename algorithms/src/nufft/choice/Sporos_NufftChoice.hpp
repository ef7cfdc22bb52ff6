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
#include <particle_grid/bins/Sporos_GridConstants.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
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

/// Teams that treat a fine grid, row by row.
template <int Dim>
double nufft_rows(const NufftGrid<Dim>& grid) {
  double rows = ceil_div(grid.points[Dim - 1], nufft_piece);
  for (int d = 0; d < Dim - 1; ++d) rows *= grid.points[d];
  return rows;
}

/// Throws for too many of them.
template <int Dim>
void check_nufft_rows(const char* function, const NufftGrid<Dim>& grid) {
  const double rows = nufft_rows(grid);
  check(rows < double(points_end), function, "modes",
        text("fewer than ", points_end, " rows of the fine grid"), rows);
}

/// A grid of modes that were given to a plan; points are not set.
/// \param most modes of a direction
template <int Dim>
NufftGrid<Dim> nufft_modes(const char* function,
                           const Kokkos::Array<int, Dim>& modes,
                           NufftOrder order, int most = most_nufft_modes) {
  NufftGrid<Dim> grid;
  grid.centred = order == NufftOrder::centred;
  for (int d = 0; d < Dim; ++d) {
    check(modes[d] >= 1 && modes[d] <= most, function, "modes",
          text("1 to ", most, " in each direction"), modes[d]);
    grid.modes[d] = modes[d];
  }
  return grid;
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

/// Sets the narrowest width for c.upsampling, and the error that it promises;
/// none if none suffices. Rounding counts where the division by the kernel's
/// transform makes it larger than usual.
/// \param worst of any wave alone, for which errors of directions add up,
///   instead of root mean square over all
template <class T, int Dim, int... Widths>
void take_narrowest(NufftChoice<Dim>& c, double tolerance,
                    NufftWidths<Widths...> widths, bool worst = false) {
  const double usual = 4 * double(std::numeric_limits<T>::epsilon());
  for (const int width : {Widths...}) {
    const double kernel =
        nufft_error(width, c.upsampling) *
        (worst ? Dim * nufft_worst_wave(width) : std::sqrt(Dim));
    double error = kernel;
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
}

/// Sets the points of the grid for at least this upsampling, and the upsampling
/// that they make.
template <int Dim>
void take_points(NufftChoice<Dim>& c, double upsampling) {
  c.upsampling = most_kernel_upsampling;
  for (int d = 0; d < Dim; ++d) {
    c.grid.points[d] = nufft_points(c.grid.modes[d], upsampling);
    c.upsampling =
        std::min(c.upsampling, double(c.grid.points[d]) / c.grid.modes[d]);
  }
}

/// Sets the cost for a number of points. Value: of points and fine grid
template <class Value, int Dim>
void take_cost(NufftChoice<Dim>& c, double points) {
  const double half = double(sizeof(Value)) / sizeof(Kokkos::complex<double>);
  c.points_ns    = points * (NufftCost::point + half * NufftCost::of_stencil *
                                                 std::pow(c.width, Dim));
  const double n = double(c.grid.size());
  c.fft_ns       = n * half *
             (NufftCost::grid_point + NufftCost::of_fft_pass * std::log2(n));
}

/// The narrowest width for an upsampling, and its cost.
template <class T, class Value, int Dim, class Widths>
NufftChoice<Dim> nufft_choice(const NufftGrid<Dim>& modes, double upsampling,
                              double tolerance, double points, Widths widths) {
  NufftChoice<Dim> c;
  c.grid = modes;
  take_points(c, upsampling);
  take_narrowest<T>(c, tolerance, widths);
  take_cost<Value>(c, points);
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

/// The choice for options that were checked, and values T or
/// Kokkos::complex<T>.
/// \throws std::invalid_argument if no width of those that are compiled, or no
///   grid, reaches the tolerance
template <class T, class Value, int Dim, class Widths>
NufftChoice<Dim> choose_nufft(const char* function, const NufftGrid<Dim>& modes,
                              const NufftOptions& o, Widths widths) {
  const double points =
      o.points > 0 ? double(o.points) : double(modes.all_modes());
  NufftChoice<Dim> best;
  double least        = std::numeric_limits<double>::infinity();
  const auto consider = [&](double upsampling) {
    const auto c =
        nufft_choice<T, Value>(modes, upsampling, o.tolerance, points, widths);
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

/// The Fourier transform of a kernel, up to omega = last: a Chebyshev series in
/// the square of omega.
struct NufftTransformSeries {
  static constexpr int terms = nufft_transform_terms;
  double c[terms]            = {};
  double scale               = 0;  ///< of the square of omega, to [0, 4]

  NufftTransformSeries() = default;
  template <class Kernel>
  NufftTransformSeries(const Kernel& kernel, double last)
      : scale(4 / (last * last)) {
    const double pi = std::acos(-1.);
    double value[terms];
    for (int j = 0; j < terms; ++j) {
      const double u = .5 * (1 + std::cos(pi * (j + .5) / terms));
      value[j]       = kernel.transform(last * std::sqrt(u), 2)[1];
    }
    for (int k = 0; k < terms; ++k) {
      for (int j = 0; j < terms; ++j)
        c[k] += value[j] * std::cos(pi * k * (j + .5) / terms);
      c[k] *= (k == 0 ? 1. : 2.) / terms;
    }
  }

  /// Clenshaw's sum.
  KOKKOS_FUNCTION double operator()(double omega) const {
    const double twice = scale * (omega * omega) - 2;
    double b = 0, before = 0;
    for (int k = terms - 1; k > 0; --k) {
      const double next = c[k] - before + twice * b;
      before            = b;
      b                 = next;
    }
    return c[0] - before + .5 * twice * b;
  }
};

/// Fourier transform of a kernel at omega = 0, step, ... (count of them), by
/// the kernel itself or, for many, by its series.
template <class Kernel>
std::vector<double> nufft_transform(const Kernel& kernel, double step,
                                    int count) {
  if (count <= 4 * nufft_transform_terms) return kernel.transform(step, count);
  const NufftTransformSeries series(kernel, step * (count - 1));
  std::vector<double> values(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) values[std::size_t(i)] = series(i * step);
  return values;
}

/// 1 / transform of the kernel of each mode, direction after direction; half:
/// of modes 0 to N / 2 of the last direction.
template <class Kernel, int Dim>
std::vector<double> nufft_inverse(const Kernel& kernel,
                                  const NufftGrid<Dim>& grid, bool half) {
  std::vector<double> all;
  for (int d = 0; d < Dim; ++d) {
    const double step    = 2 * std::acos(-1.) / grid.points[d];
    const auto transform = nufft_transform(kernel, step, grid.modes[d] / 2 + 1);
    const bool all_waves = !half || d < Dim - 1;
    const int count      = all_waves ? grid.modes[d] : int(transform.size());
    for (int i = 0; i < count; ++i) {
      const int wave = all_waves ? std::abs(grid.wave(d, i)) : i;
      all.push_back(1 / transform[std::size_t(wave)]);
    }
  }
  return all;
}

}  // namespace Impl
}  // namespace Sporos

#endif
