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
  int y = -1, x = 0, z = 0;

  KOKKOS_FUNCTION bool exists() const { return y >= 0; }
  /// Higher, or as high and before it in row-major order
  KOKKOS_FUNCTION bool is_before(const PeakCandidate& o) const {
    if (!exists() || !o.exists()) return exists();
    if (value != o.value) return value > o.value;
    if (z != o.z) return z < o.z;
    return y < o.y || (y == o.y && x < o.x);
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
/// \tparam Volumes results have planes, too
template <class A, bool Volumes = false>
struct PeakSearch {
  MatrixBatch<const A> results;
  MatrixBatch<Peak> peaks;
  int m, h, w, k;
  PeakOptions options;
  double missing          = std::numeric_limits<double>::quiet_NaN();
  double infinity         = std::numeric_limits<double>::infinity();
  std::int64_t first_pair = 0;               ///< of a launch
  int border_rows         = options.border;  ///< signals: 0
  int d                   = 1;               ///< planes

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
        peak(p, found) = {double(next.y), double(next.x), double(next.value), 0,
                          double(next.z)};
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
        peak(p, n) = {missing, missing, missing, missing, missing};
  }

 private:
  KOKKOS_FUNCTION const A& value(const Pair& p, int y, int x) const {
    return p.from[y * results.y + x * results.x];
  }
  KOKKOS_FUNCTION Pair plane(const Pair& p, int z) const {
    if constexpr (Volumes)
      return {p.from + z * results.z, p.to};
    else
      return p;
  }
  KOKKOS_FUNCTION Peak& peak(const Pair& p, int n) const {
    return p.to[n * peaks.x];
  }

  /// The first candidate among each `lanes`th element from `lane` on
  KOKKOS_FUNCTION Candidate best_of_lane(const Pair& p, int found, int lane,
                                         int lanes) const {
    const int b = options.border, x1 = w - b, width = x1 - b;
    const int y0 = border_rows, y1 = h - y0, z1 = d - b;
    Candidate best;
    if (width <= 0) return best;
    int z = 0, y = y0 + lane / width, x = b + lane % width;
    const auto carry = [&] {  // to the next plane
      if constexpr (Volumes)
        for (; y >= y1; y -= y1 - y0) ++z;
    };
    if constexpr (Volumes) {
      if (y0 >= y1) return best;
      z = b;
      carry();
    }
    while (Volumes ? z < z1 : y < y1) {
      const A& v = value(plane(p, z), y, x);
      if ((!best.exists() || v > best.value) && !is_near(p, found, z, y, x) &&
          is_maximum(p, z, y, x))
        best = {v, y, x, z};
      for (x += lanes; x >= x1; x -= width) ++y;
      carry();
    }
    return best;
  }

  KOKKOS_FUNCTION bool is_near(const Pair& p, int found, int z, int y,
                               int x) const {
    const int least = options.least_distance;
    for (int n = 0; n < found; ++n) {
      const int py = int(peak(p, n).dy), px = int(peak(p, n).dx);
      if constexpr (Volumes) {
        const int pz = int(peak(p, n).dz);
        if (z - pz >= least || pz - z >= least) continue;
      }
      if (y - py < least && py - y < least && x - px < least && px - x < least)
        return true;
    }
    return false;
  }

  /// Larger than the neighbours before it, not smaller than those after it
  KOKKOS_FUNCTION bool is_maximum(const Pair& p, int z, int y, int x) const {
    const A& v = value(plane(p, z), y, x);
    if (Math::is_nan(v)) return false;
    if constexpr (Volumes)
      for (int nz = Math::max(z - 1, 0); nz <= Math::min(z + 1, d - 1); ++nz)
        if (nz != z && !is_maximum_of_plane(plane(p, nz), v, y, x, nz - z))
          return false;
    return is_maximum_of_plane(plane(p, z), v, y, x, 0);
  }
  /// dz: from the plane of v to this one
  KOKKOS_FUNCTION bool is_maximum_of_plane(const Pair& p, const A& v, int y,
                                           int x, int dz) const {
    for (int ny = Math::max(y - 1, 0); ny <= Math::min(y + 1, h - 1); ++ny)
      for (int nx = Math::max(x - 1, 0); nx <= Math::min(x + 1, w - 1); ++nx) {
        const A& other = value(p, ny, nx);
        const bool before =
            dz < 0 || (dz == 0 && (ny < y || (ny == y && nx < x)));
        if (other > v || (before && other == v)) return false;
      }
    return true;
  }

  KOKKOS_FUNCTION void finish(const Pair& pair, int n, double next) const {
    Peak& to    = peak(pair, n);
    const int z = int(to.dz), y = int(to.dy), x = int(to.dx);
    const Pair p = plane(pair, z);
    double o[3]  = {0, 0, 0};  // z, y, x
    if (options.sub_pixel != SubPixel::least_squares ||
        !surface_maximum(pair, z, y, x, o)) {
      if constexpr (Volumes)
        if (z > 0 && z + 1 < d)
          o[0] = offset(double(value(plane(pair, z - 1), y, x)), to.height,
                        double(value(plane(pair, z + 1), y, x)));
      if (y > 0 && y + 1 < h)
        o[1] = offset(double(value(p, y - 1, x)), to.height,
                      double(value(p, y + 1, x)));
      if (x > 0 && x + 1 < w)
        o[2] = offset(double(value(p, y, x - 1)), to.height,
                      double(value(p, y, x + 1)));
    }
    if constexpr (Volumes) to.dz = double(options.dz0) + z + o[0];
    to.dy    = double(options.dy0) + y + o[1];
    to.dx    = double(options.dx0) + x + o[2];
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

  /// Sums of values less v, weighted by shifts and their products
  struct Sums {
    double all = 0, of[3] = {}, square[3] = {}, mixed[3] = {};  // yx, zx, zy
    KOKKOS_FUNCTION void add(double v, int sz, int sy, int sx) {
      all += v;
      of[0] += sz * v;
      of[1] += sy * v;
      of[2] += sx * v;
      square[0] += sz * sz * v;
      square[1] += sy * sy * v;
      square[2] += sx * sx * v;
      mixed[0] += sy * sx * v;
      mixed[1] += sz * sx * v;
      mixed[2] += sz * sy * v;
    }
  };

  /// The maximum of c + b_y y + b_x x + a_yy y^2 + a_yx y x + a_xx x^2, closest
  /// to 3 x 3 values; of volumes with z, too. False: there is none.
  KOKKOS_FUNCTION bool surface_maximum(const Pair& pair, int z, int y, int x,
                                       double (&o)[3]) const {
    if (y < 1 || x < 1 || y + 1 >= h || x + 1 >= w) return false;
    if (Volumes && (z < 1 || z + 1 >= d)) return false;
    constexpr int planes = Volumes ? 1 : 0, times = Volumes ? 3 : 1;
    const double middle = double(value(plane(pair, z), y, x));
    Sums s;
    for (int sz = -planes; sz <= planes; ++sz)
      for (int sy = -1; sy <= 1; ++sy)
        for (int sx = -1; sx <= 1; ++sx)
          s.add(double(value(plane(pair, z + sz), y + sy, x + sx)) - middle, sz,
                sy, sx);
    double b[3], a[3], c[3];  // a: of squares, c: of products
    for (int at = 0; at < 3; ++at) {
      b[at] = s.of[at] / (6 * times);
      a[at] = (s.square[at] / 2 - s.all / 3) / times;
      c[at] = s.mixed[at] / (4 * times);
    }
    // the zero of the gradient: (2 a, c) o = -b
    const double determinant = 4 * a[1] * a[2] - c[0] * c[0];
    if (!(a[1] < 0) || !(determinant > 0) || !is_finite(determinant))
      return false;
    const auto within = [](double v) {
      return Math::max(-1., Math::min(1., v));
    };
    if constexpr (Volumes) {
      // z eliminated: what is left of a_zz must be below 0
      const double u   = (2 * a[2] * c[2] - c[0] * c[1]) / determinant;
      const double v   = (2 * a[1] * c[1] - c[0] * c[2]) / determinant;
      const double azz = 2 * a[0] - u * c[2] - v * c[1];
      if (!(azz < 0) || !is_finite(azz)) return false;
      const double oz = (u * b[1] + v * b[2] - b[0]) / azz;
      o[0]            = within(oz);
      b[1] += c[2] * oz;
      b[2] += c[1] * oz;
    }
    o[1] = within((c[0] * b[2] - 2 * a[2] * b[1]) / determinant);
    o[2] = within((c[0] * b[1] - 2 * a[1] * b[2]) / determinant);
    return true;
  }
};

/// Peaks of `pairs` pairs. most: pairs of a launch on devices.
template <class Exec, class A, bool Volumes>
void search_peaks(const Exec& exec, PeakSearch<A, Volumes> search,
                  std::int64_t pairs, std::int64_t most = 1 << 30) {
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
