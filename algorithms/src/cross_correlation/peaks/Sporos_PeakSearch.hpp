// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PEAKSEARCH_HPP
#define SPOROS_PEAKSEARCH_HPP

/// \file Sporos_PeakSearch.hpp
/// Searches results for peaks: a thread per pair on hosts, a team on devices.

#include <Sporos_ForEachIndex.hpp>
#include <Sporos_PeakOptions.hpp>
#include <cross_correlation/problem/Sporos_CorrelateConstants.hpp>
#include <cross_correlation/problem/Sporos_CorrelateShape.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace Sporos {
namespace Impl {

/// The highest element that a lane has found; y < 0: none.
template <class A>
struct PeakCandidate {
  A value{};
  int y = -1, x = 0;

  KOKKOS_FUNCTION bool exists() const { return y >= 0; }
  /// Higher, or as high and before it in row-major order
  KOKKOS_FUNCTION bool is_before(const PeakCandidate& o) const {
    if (!exists() || !o.exists()) return exists();
    return value > o.value ||
           (value == o.value && (y < o.y || (y == o.y && x < o.x)));
  }
};

/// The only lane of a pair
template <class A>
struct OneLane {
  static KOKKOS_FUNCTION constexpr int rank() { return 0; }
  static KOKKOS_FUNCTION constexpr int size() { return 1; }
  KOKKOS_FUNCTION PeakCandidate<A> first(const PeakCandidate<A>& own) const {
    return own;
  }
  KOKKOS_FUNCTION void wait() const {}
};

/// The threads of a team, which meet in scratch memory
template <class A, class Member>
struct TeamLanes {
  const Member& team;
  PeakCandidate<A>* slots;

  KOKKOS_FUNCTION int rank() const { return team.team_rank(); }
  KOKKOS_FUNCTION int size() const { return team.team_size(); }
  /// The first candidate of all lanes
  KOKKOS_FUNCTION PeakCandidate<A> first(const PeakCandidate<A>& own) const {
    slots[rank()] = own;
    team.team_barrier();
    PeakCandidate<A> best = slots[0];
    for (int lane = 1; lane < size(); ++lane)
      if (slots[lane].is_before(best)) best = slots[lane];
    team.team_barrier();
    return best;
  }
  KOKKOS_FUNCTION void wait() const { team.team_barrier(); }
};

/// Peaks of results (i, j, y, x) to peaks (i, j, 0, number of the peak), for
/// pairs (i, j) of m each.
template <class A>
struct PeakSearch {
  MatrixBatch<const A> results;
  MatrixBatch<Peak> peaks;
  int m, h, w, k;
  PeakOptions options;
  double missing          = std::numeric_limits<double>::quiet_NaN();
  double infinity         = std::numeric_limits<double>::infinity();
  std::int64_t first_pair = 0;               ///< of a launch
  int border_rows         = options.border;  ///< signals: 0

  struct Pair {
    const A* from;
    Peak* to;
  };
  using Candidate = PeakCandidate<A>;

  KOKKOS_FUNCTION void operator()(std::int64_t pair) const {
    search(OneLane<A>(), pair);
  }
  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    auto* const slots = static_cast<Candidate*>(team.team_scratch(0).get_shmem(
        std::ptrdiff_t(sizeof(Candidate)) * team.team_size()));
    search(TeamLanes<A, Member>{team, slots}, first_pair + team.league_rank());
  }

  template <class Lanes>
  KOKKOS_FUNCTION void search(const Lanes& lanes, std::int64_t pair) const {
    const int i = int(pair / m), j = int(pair % m);
    const Pair p{results.matrix(i, j), peaks.matrix(i, j)};
    Candidate next;
    int found = 0;
    // one more than asked for, for the ratio
    for (; found <= k; ++found) {
      next = lanes.first(best_of_lane(p, found, lanes.rank(), lanes.size()));
      if (!next.exists()) break;
      if (found < k && lanes.rank() == 0)
        peak(p, found) = {double(next.y), double(next.x), double(next.value),
                          0};
      lanes.wait();
    }
    const int last = Math::min(found, k);
    for (int n = lanes.rank(); n < k; n += lanes.size())
      if (n < last)
        finish(p, n,
               n + 1 < last    ? peak(p, n + 1).height
               : next.exists() ? double(next.value)
                               : 0.);
      else
        peak(p, n) = {missing, missing, missing, missing};
  }

 private:
  KOKKOS_FUNCTION const A& value(const Pair& p, int y, int x) const {
    return p.from[y * results.y + x * results.x];
  }
  KOKKOS_FUNCTION Peak& peak(const Pair& p, int n) const {
    return p.to[n * peaks.x];
  }

  /// The first candidate among each `lanes`th element from `lane` on
  KOKKOS_FUNCTION Candidate best_of_lane(const Pair& p, int found, int lane,
                                         int lanes) const {
    const int b = options.border, x1 = w - b, width = x1 - b;
    const int y0 = border_rows, y1 = h - y0;
    Candidate best;
    if (width <= 0) return best;
    for (int y = y0 + lane / width, x = b + lane % width; y < y1;) {
      const A& v = value(p, y, x);
      if ((!best.exists() || v > best.value) && !is_near(p, found, y, x) &&
          is_maximum(p, y, x))
        best = {v, y, x};
      for (x += lanes; x >= x1; x -= width) ++y;
    }
    return best;
  }

  KOKKOS_FUNCTION bool is_near(const Pair& p, int found, int y, int x) const {
    const int d = options.least_distance;
    for (int n = 0; n < found; ++n) {
      const int py = int(peak(p, n).dy), px = int(peak(p, n).dx);
      if (y - py < d && py - y < d && x - px < d && px - x < d) return true;
    }
    return false;
  }

  /// Larger than the neighbours before it, not smaller than those after it
  KOKKOS_FUNCTION bool is_maximum(const Pair& p, int y, int x) const {
    const A& v = value(p, y, x);
    if (Math::is_nan(v)) return false;
    for (int ny = Math::max(y - 1, 0); ny <= Math::min(y + 1, h - 1); ++ny)
      for (int nx = Math::max(x - 1, 0); nx <= Math::min(x + 1, w - 1); ++nx) {
        const A& other    = value(p, ny, nx);
        const bool before = ny < y || (ny == y && nx < x);
        if (other > v || (before && other == v)) return false;
      }
    return true;
  }

  KOKKOS_FUNCTION void finish(const Pair& p, int n, double next) const {
    Peak& to    = peak(p, n);
    const int y = int(to.dy), x = int(to.dx);
    double oy = 0, ox = 0;
    if (options.sub_pixel != SubPixel::least_squares ||
        !surface_maximum(p, y, x, oy, ox)) {
      const double v = to.height;
      if (y > 0 && y + 1 < h)
        oy = offset(double(value(p, y - 1, x)), v, double(value(p, y + 1, x)));
      if (x > 0 && x + 1 < w)
        ox = offset(double(value(p, y, x - 1)), v, double(value(p, y, x + 1)));
    }
    to.dy    = double(options.dy0) + y + oy;
    to.dx    = double(options.dx0) + x + ox;
    to.ratio = !(to.height > 0) ? 0 : next > 0 ? to.height / next : infinity;
  }

  KOKKOS_FUNCTION bool is_finite(double a) const {
    return a - a == 0;  // NaN for infinities
  }

  /// Where a curve through the values at -1, 0 and 1 has its maximum
  KOKKOS_FUNCTION double offset(double low, double middle, double high) const {
    if (options.sub_pixel == SubPixel::none) return 0;
    if (low > 0 && high > 0) {
      const double sum = low + middle + high;
      if (options.sub_pixel == SubPixel::centroid && is_finite(sum))
        return (high - low) / sum;
      if (options.sub_pixel == SubPixel::gaussian) {
        low    = Math::From::log(low);
        middle = Math::From::log(middle);
        high   = Math::From::log(high);
      }
    }
    // not finite, or not above 0, if one of the values is not finite
    const double curvature = (middle - low) + (middle - high);
    return curvature > 0 && is_finite(curvature) ? .5 * (high - low) / curvature
                                                 : 0;
  }

  /// The maximum of c + b_y y + b_x x + a_yy y^2 + a_yx y x + a_xx x^2, closest
  /// to 3 x 3 values. False: there is none.
  KOKKOS_FUNCTION bool surface_maximum(const Pair& p, int y, int x, double& oy,
                                       double& ox) const {
    if (y < 1 || x < 1 || y + 1 >= h || x + 1 >= w) return false;
    const double middle = double(value(p, y, x));
    double by = 0, bx = 0, ayy = 0, ayx = 0, axx = 0, all = 0;
    for (int sy = -1; sy <= 1; ++sy)
      for (int sx = -1; sx <= 1; ++sx) {
        const double v = double(value(p, y + sy, x + sx)) - middle;
        all += v;
        by += sy * v;
        bx += sx * v;
        ayy += sy * sy * v;
        axx += sx * sx * v;
        ayx += sy * sx * v;
      }
    by /= 6;
    bx /= 6;
    ayx /= 4;
    ayy                      = ayy / 2 - all / 3;
    axx                      = axx / 2 - all / 3;
    const double determinant = 4 * ayy * axx - ayx * ayx;
    if (!(ayy < 0) || !(determinant > 0) || !is_finite(determinant))
      return false;
    oy = Math::max(-1., Math::min(1., (ayx * bx - 2 * axx * by) / determinant));
    ox = Math::max(-1., Math::min(1., (ayx * by - 2 * ayy * bx) / determinant));
    return true;
  }
};

/// Peaks of `pairs` pairs. most: pairs of a launch on devices.
template <class Exec, class A>
void search_peaks(const Exec& exec, PeakSearch<A> search, std::int64_t pairs,
                  std::int64_t most = 1 << 30) {
  const char* const label = "Sporos::find_peaks::search";
  if (pairs == 0 || search.k == 0) return;
  if constexpr (is_host_space_v<Exec>) {
    for_each_index(label,
                   Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(
                       exec, 0, pairs),
                   search);
  } else {
    for (; search.first_pair < pairs; search.first_pair += most) {
      const auto league = std::min(most, pairs - search.first_pair);
      Kokkos::parallel_for(
          label,
          Kokkos::TeamPolicy<Exec>(exec, int(league), peak_team)
              .set_scratch_size(
                  0,
                  Kokkos::PerTeam(int(sizeof(PeakCandidate<A>)) * peak_team)),
          search);
    }
  }
}

}  // namespace Impl
}  // namespace Sporos

#endif
