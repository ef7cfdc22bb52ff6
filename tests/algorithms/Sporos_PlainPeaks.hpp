// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Peaks by sorting all local maxima: what find_peaks is compared with.

#ifndef SPOROS_PLAINPEAKS_HPP
#define SPOROS_PLAINPEAKS_HPP

#include <Sporos_FindPeaks.hpp>
#include <Sporos_ImageWindows.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace Sporos {
namespace Test {

struct PlainPeak {
  int z, y, x;
  double height;
};

/// Extents of results of a pair, and the borders without peaks.
struct PlainExtents {
  int d, h, w;
  int border_d, border_h, border_w;
};

/// The k highest of value(z, y, x), and one more if there is one.
template <class Value>
std::vector<PlainPeak> plain_peaks(const Value& value, const PlainExtents& e,
                                   int k, const PeakOptions& o) {
  std::vector<PlainPeak> all, chosen;
  const auto each_near = [](int at, int extent, const auto& f) {
    for (int k0 = std::max(0, at - 1); k0 < std::min(extent, at + 2); ++k0)
      f(k0);
  };
  for (int z = e.border_d; z < e.d - e.border_d; ++z)
    for (int y = e.border_h; y < e.h - e.border_h; ++y)
      for (int x = e.border_w; x < e.w - e.border_w; ++x) {
        const auto v = value(z, y, x);
        bool maximum = v == v;
        each_near(z, e.d, [&](int nz) {
          each_near(y, e.h, [&](int ny) {
            each_near(x, e.w, [&](int nx) {
              const bool before = std::tuple(nz, ny, nx) < std::tuple(z, y, x);
              const auto other  = value(nz, ny, nx);
              if (other > v || (before && other == v)) maximum = false;
            });
          });
        });
        if (maximum) all.push_back({z, y, x, double(v)});
      }
  std::stable_sort(all.begin(), all.end(),
                   [](const PlainPeak& a, const PlainPeak& b) {
                     return a.height > b.height;
                   });
  for (const PlainPeak& p : all) {
    const bool apart =
        std::all_of(chosen.begin(), chosen.end(), [&](const PlainPeak& c) {
          return std::max({std::abs(p.z - c.z), std::abs(p.y - c.y),
                           std::abs(p.x - c.x)}) >= o.least_distance;
        });
    if (apart && int(chosen.size()) <= k) chosen.push_back(p);
  }
  return chosen;
}

/// Peaks of value(y, x), y < h, x < w. border_rows: of signals 0
template <class Value>
std::vector<PlainPeak> plain_peaks(const Value& value, int h, int w, int k,
                                   const PeakOptions& o, int border_rows) {
  return plain_peaks([&](int, int y, int x) { return value(y, x); },
                     PlainExtents{1, h, w, 0, border_rows, o.border}, k, o);
}
template <class Value>
std::vector<PlainPeak> plain_peaks(const Value& value, int h, int w, int k,
                                   const PeakOptions& o) {
  return plain_peaks(value, h, w, k, o, o.border);
}

/// What is wrong with peak n of k. Places are compared to an element, and
/// exactly without sub-pixel places.
inline std::string wrong_peak(const std::vector<PlainPeak>& expected, int n,
                              const Peak& got, const PeakOptions& o) {
  const auto at = std::size_t(n);
  if (at >= expected.size())
    return got.found() || got.dz == got.dz || got.dy == got.dy ||
                   got.dx == got.dx || got.ratio == got.ratio
               ? "a peak that does not exist"
               : "";
  const PlainPeak& p = expected[at];
  const double most  = o.sub_pixel == SubPixel::none            ? 0
                       : o.sub_pixel == SubPixel::least_squares ? 1
                                                                : .5 + 1e-9;
  if (!(std::abs(got.dz - o.dz0 - p.z) <= most) ||
      !(std::abs(got.dy - o.dy0 - p.y) <= most) ||
      !(std::abs(got.dx - o.dx0 - p.x) <= most))
    return "another place";
  if (got.height != p.height) return "another height";
  const double next  = at + 1 < expected.size() ? expected[at + 1].height : 0.;
  const double ratio = !(p.height > 0) ? 0.
                       : next > 0      ? p.height / next
                                  : std::numeric_limits<double>::infinity();
  // infinity by infinity is NaN
  return got.ratio == ratio || (ratio != ratio && got.ratio != got.ratio)
             ? ""
             : "another ratio";
}

/// Where padding takes a pixel from, step by step; -1: nowhere.
inline int plain_place(int at, int extent, WindowPadding padding) {
  if (padding == WindowPadding::zeros) return at < 0 || at >= extent ? -1 : at;
  while (at < 0 || at >= extent)
    if (padding == WindowPadding::edge)
      at += at < 0 ? 1 : -1;
    else
      at = at < 0 ? -1 - at : 2 * extent - 1 - at;
  return at;
}

}  // namespace Test
}  // namespace Sporos

#endif
