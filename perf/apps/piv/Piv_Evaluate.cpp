// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Piv_Evaluate.hpp"

#include "Piv_Peaks.hpp"

#include <Sporos_CrossCorrelate.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace PivApp {
namespace {

using Exec        = Kokkos::DefaultExecutionSpace;
using Layout      = Kokkos::LayoutRight;
using Pixels      = Kokkos::View<float**, Layout, Exec>;
using Lefts       = Kokkos::View<float***, Layout, Exec>;
using Rights      = Kokkos::View<float****, Layout, Exec>;
using Results     = Kokkos::View<float* [4], Layout, Exec>;
using Corners     = Kokkos::View<int* [4], Layout, Exec>;
using HostCorners = Kokkos::View<int* [4], Layout, Kokkos::HostSpace>;
using Plan        = Sporos::CrossCorrelatePlan<Exec, float>;
using Algorithm   = Sporos::CorrelateAlgorithm;
using AppCommon::GreyImage;
using Kokkos::WithoutInitializing;

/// Copies the windows out of the images, a row at a time.
struct CutWindows {
  Pixels a, b;
  Corners corners;  ///< (window): x, y in a; x, y in b
  Lefts lefts;      ///< of b
  Rights rights;    ///< of a

  KOKKOS_FUNCTION void operator()(int index) const {
    const int window = int(lefts.extent(1));
    const int n = index / window, y = index % window;
    const float* const from_a = &a(corners(n, 1) + y, corners(n, 0));
    const float* const from_b = &b(corners(n, 3) + y, corners(n, 2));
    float* const to_a         = &rights(n, 0, y, 0);
    float* const to_b         = &lefts(n, y, 0);
    for (int x = 0; x < window; ++x) {
      to_a[x] = from_a[x];
      to_b[x] = from_b[x];
    }
  }
};

Algorithm algorithm(const std::string& name) {
  if (name == "basic") return Algorithm::basic;
  if (name == "tile") return Algorithm::tile;
  if (name == "shuffle") return Algorithm::shuffle;
  if (name == "lane_group_per_shift") return Algorithm::lane_group_per_shift;
  if (name == "team_per_shift") return Algorithm::team_per_shift;
  if (name == "fft") return Algorithm::fft;
  return Algorithm::automatic;
}

int largest_shift(const Options& o) {
  return o.shifts > 0 ? o.shifts : o.window / 4;
}

Sporos::CorrelateOptions correlate_options(const Options& o) {
  const int s = largest_shift(o);
  Sporos::CorrelateOptions c;
  c.pairing   = Sporos::Pairing::n_to_mn;
  c.mode      = Sporos::CorrelateMode::window;
  c.window    = {-s, s + 1, -s, s + 1};
  c.algorithm = algorithm(o.algorithm);
  c.normalize = Sporos::Normalize::whole;
  return c;
}

Sporos::CorrelateExtents correlate_extents(const WindowGrid& g) {
  return {g.size(), 1, g.window, g.window, g.window, g.window};
}

template <class View, class... Extents>
View allocated(const char* name, Extents... extents) {
  return View(Kokkos::view_alloc(std::string(name), WithoutInitializing),
              extents...);
}

/// Cuts the displacement k in two, keeping both windows, [corner, corner +
/// window), within [0, end): corners in the first and the second image.
std::pair<int, int> split(int corner, int window, int end, double k) {
  const int whole  = static_cast<int>(std::lround(k));
  const int back   = static_cast<int>(std::floor(whole / 2.));
  const auto inner = [&](int c) {
    return std::min(end - window, std::max(0, c));
  };
  return {inner(corner - back), inner(corner + whole - back)};
}

}  // namespace

struct Evaluator::Parts {
  Parts(int width, int height, const Options& o)
      : options(o),
        grid(width, height, o.window, o.overlap),
        a(allocated<Pixels>("piv::a", height, width)),
        b(allocated<Pixels>("piv::b", height, width)),
        corners(allocated<Corners>("piv::corners", grid.size())),
        lefts(allocated<Lefts>("piv::lefts", grid.size(), o.window, o.window)),
        rights(allocated<Rights>("piv::rights", grid.size(), 1, o.window,
                                 o.window)),
        coefficients(allocated<Rights>("piv::coefficients", grid.size(), 1,
                                       2 * largest_shift(o) + 1,
                                       2 * largest_shift(o) + 1)),
        results(allocated<Results>("piv::results", grid.size())),
        plan(exec, correlate_extents(grid), correlate_options(o)) {}

  void copy(const Pixels& to, const GreyImage& from) const {
    const Kokkos::View<const float**, Layout, Kokkos::HostSpace,
                       Kokkos::MemoryTraits<Kokkos::Unmanaged>>
        host(from.values.data(), to.extent(0), to.extent(1));
    Kokkos::deep_copy(exec, to, host);
  }

  /// Correlates windows with these corners and adds what is found to their
  /// distances.
  Vectors pass(const HostCorners& where) const;

  Options options;
  WindowGrid grid;
  Exec exec;
  Pixels a, b;
  Corners corners;
  Lefts lefts;
  Rights rights, coefficients;
  Results results;
  Plan plan;
};

Vectors Evaluator::Parts::pass(const HostCorners& where) const {
  Kokkos::deep_copy(exec, corners, where);
  Kokkos::parallel_for(
      "piv::cut", Kokkos::RangePolicy<Exec>(exec, 0, grid.size() * grid.window),
      CutWindows{a, b, corners, lefts, rights});
  Sporos::cross_correlate(exec, plan, lefts, rights, coefficients);
  Kokkos::parallel_for(
      "piv::peaks", Kokkos::RangePolicy<Exec>(exec, 0, grid.size()),
      FindPeaks{coefficients, results, grid.window, largest_shift(options)});
  const auto found = Kokkos::create_mirror_view(results);
  Kokkos::deep_copy(exec, found, results);
  exec.fence();
  Vectors v(grid);
  for (int n = 0; n < grid.size(); ++n) {
    const auto k = static_cast<std::size_t>(n);
    v.dx[k]      = static_cast<double>(found(n, 0)) + where(n, 2) - where(n, 0);
    v.dy[k]      = static_cast<double>(found(n, 1)) + where(n, 3) - where(n, 1);
    v.peak[k]    = found(n, 2);
    v.snr[k]     = found(n, 3);
  }
  validate(v, options.median_limit, options.snr_limit);
  return v;
}

Evaluator::Evaluator(int width, int height, const Options& options)
    : m_parts(std::make_unique<Parts>(width, height, options)) {}

Evaluator::~Evaluator() = default;

const WindowGrid& Evaluator::grid() const { return m_parts->grid; }

std::string Evaluator::describe() const { return m_parts->plan.describe(); }

Vectors Evaluator::operator()(const AppCommon::GreyImage& a,
                              const AppCommon::GreyImage& b) const {
  const Parts& p   = *m_parts;
  const int height = int(p.a.extent(0)), width = int(p.a.extent(1));
  for (const auto* image : {&a, &b})
    if (image->width != width || image->height != height)
      throw std::invalid_argument(
          "piv: images of " + std::to_string(width) + " x " +
          std::to_string(height) + " pixels are expected, got " +
          std::to_string(image->width) + " x " + std::to_string(image->height));
  p.copy(p.a, a);
  p.copy(p.b, b);
  const auto where = Kokkos::create_mirror_view(p.corners);
  for (int n = 0; n < p.grid.size(); ++n) {
    where(n, 0) = where(n, 2) = p.grid.left(n);
    where(n, 1) = where(n, 3) = p.grid.top(n);
  }
  Vectors v = p.pass(where);
  for (int pass = 2; pass <= p.options.passes; ++pass) {
    for (int n = 0; n < p.grid.size(); ++n) {
      const auto k = static_cast<std::size_t>(n);
      const auto x = split(p.grid.left(n), p.grid.window, width, v.dx[k]);
      const auto y = split(p.grid.top(n), p.grid.window, height, v.dy[k]);
      where(n, 0)  = x.first;
      where(n, 1)  = y.first;
      where(n, 2)  = x.second;
      where(n, 3)  = y.second;
    }
    v = p.pass(where);
  }
  return v;
}

}  // namespace PivApp
