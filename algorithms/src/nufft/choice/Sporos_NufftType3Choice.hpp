// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFTTYPE3CHOICE_HPP
#define SPOROS_NUFFTTYPE3CHOICE_HPP

/// \file Sporos_NufftType3Choice.hpp
/// From a tolerance, points and frequencies to the two grids of type 3.

#include <Sporos_Error.hpp>
#include <Sporos_NufftGrid.hpp>
#include <Sporos_NufftOptions.hpp>
#include <nufft/choice/Sporos_NufftChoice.hpp>
#include <particle_grid/bins/Sporos_GridConstants.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace Sporos {
namespace Impl {

/// A width that suffices for a grid that is `sigma` times as fine as needed.
struct NufftType3Kernel {
  double sigma;
  int width;
  double error;  ///< promised, of each of the two grids
};

/// Widths for all upsamplings that the options allow. Each grid may have
/// tolerance / sqrt(2); frequencies and points may all stand at the ends of
/// their boxes, so it is the worst wave that counts.
/// \throws std::invalid_argument if none suffices
template <class T, int Dim, class Widths>
std::vector<NufftType3Kernel> type3_kernels(const char* function,
                                            const NufftOptions& o,
                                            Widths widths) {
  std::vector<NufftType3Kernel> kernels;
  double least        = std::numeric_limits<double>::infinity();
  const auto consider = [&](double sigma) {
    NufftChoice<Dim> c;
    c.upsampling = std::min(sigma, most_kernel_upsampling);
    take_narrowest<T>(c, o.tolerance / std::sqrt(2.), widths, true);
    least = std::min(least, c.error);
    if (c.width > 0) kernels.push_back({sigma, c.width, c.error});
  };
  if (o.upsampling > 0)
    consider(o.upsampling);
  else
    for (const double sigma : nufft_upsamplings) consider(sigma);
  check(!kernels.empty(), function, "options.tolerance",
        text("at least ", std::sqrt(2.) * least, " for these widths",
             o.upsampling > 0 ? " and options.upsampling" : ""),
        o.tolerance);
  return kernels;
}

/// Half of the extents of points and frequencies, and their centres.
template <int Dim>
struct NufftBoxes {
  double centre[Dim] = {}, half[Dim] = {};      ///< of points
  double centre_f[Dim] = {}, half_f[Dim] = {};  ///< of frequencies
};

/// The grid that points are spread to, and the grid of type 2, of which the
/// first grid's points are the modes.
template <int Dim>
struct NufftType3Choice {
  NufftChoice<Dim> spread, inner;
  double sigma = 0;  ///< 0: none
  double ns() const { return spread.ns() + inner.ns(); }

  bool same_grids(const NufftType3Choice& o) const {
    return sigma == o.sigma && inner.width == o.inner.width &&
           std::equal(inner.grid.modes, inner.grid.modes + Dim,
                      o.inner.grid.modes);
  }
};

/// The grids for one kernel; sigma is 0 if they exceed `largest` numbers.
/// `needs` is the least number of points of the larger grid.
template <class T, int Dim>
NufftType3Choice<Dim> type3_grids(const NufftType3Kernel& kernel,
                                  const NufftBoxes<Dim>& boxes, double points,
                                  double frequencies, double largest,
                                  double& needs) {
  NufftType3Choice<Dim> c;
  const double pi = std::acos(-1.);
  double n[Dim], size = 1;
  bool fits = true;
  for (int d = 0; d < Dim; ++d) {
    // points with half of the kernel at both ends, an even number
    n[d] = kernel.width + 1 +
           2 * kernel.sigma * (boxes.half[d] * boxes.half_f[d] / pi);
    n[d] = 2 * std::ceil(.5 * n[d]);
    fits = fits && n[d] <= most_nufft_modes;
    size *= std::ceil(n[d] * kernel.sigma);
  }
  needs = size;
  if (!fits || size > largest) return c;
  c.spread.width = c.inner.width = kernel.width;
  c.spread.error = c.inner.error = kernel.error;
  c.spread.upsampling = std::min(kernel.sigma, most_kernel_upsampling);
  for (int d = 0; d < Dim; ++d)
    c.spread.grid.modes[d] = c.spread.grid.points[d] = c.inner.grid.modes[d] =
        int(n[d]);
  c.inner.grid.centred = false;  // as the first grid has its points
  take_points(c.inner, kernel.sigma);
  needs = double(c.inner.grid.size());
  if (needs > largest || nufft_rows(c.inner.grid) >= double(points_end))
    return c;
  take_cost<Kokkos::complex<T>>(c.spread, points);
  c.spread.fft_ns = 0;
  take_cost<Kokkos::complex<T>>(c.inner, frequencies);
  c.sigma = kernel.sigma;
  return c;
}

/// The grids with the least cost.
/// \throws std::invalid_argument if all are too large
template <class T, int Dim>
NufftType3Choice<Dim> choose_type3(const char* function,
                                   const std::vector<NufftType3Kernel>& kernels,
                                   const NufftBoxes<Dim>& boxes, double points,
                                   double frequencies, std::size_t largest) {
  NufftType3Choice<Dim> best;
  double least = std::numeric_limits<double>::infinity();
  for (const NufftType3Kernel& kernel : kernels) {
    double needs = 0;
    const auto c = type3_grids<T>(kernel, boxes, points, frequencies,
                                  double(largest), needs);
    least        = std::min(least, needs);
    if (c.sigma > 0 && (best.sigma == 0 || c.ns() < best.ns())) best = c;
  }
  if (best.sigma > 0) return best;
  std::string products;
  for (int d = 0; d < Dim; ++d)
    products +=
        (d > 0 ? ", " : "") + std::to_string(boxes.half[d] * boxes.half_f[d]);
  check(false, function, "points",
        text("half of the extent of points times that of frequencies so small "
             "that a grid of ",
             largest,
             " points suffices (options.largest_grid, and 2^28 in a "
             "direction); else cut the points or the frequencies into parts"),
        products, ", which need ", least);
  return best;
}

}  // namespace Impl
}  // namespace Sporos

#endif
