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
#include <utility>
#include <vector>

namespace Sporos {
namespace Test {

struct PlainPeak {
  int y, x;
  double height;
};

/// The k highest of value(y, x), y < h, x < w, and one more if there is one.
/// border_rows: of signals 0
template <class Value>
std::vector<PlainPeak> plain_peaks(const Value& value, int h, int w, int k,
                                   const PeakOptions& o, int border_rows) {
  std::vector<PlainPeak> all, chosen;
  for (int y = border_rows; y < h - border_rows; ++y)
    for (int x = o.border; x < w - o.border; ++x) {
      const auto v = value(y, x);
      bool maximum = v == v;
      for (int ny = std::max(0, y - 1); ny < std::min(h, y + 2); ++ny)
        for (int nx = std::max(0, x - 1); nx < std::min(w, x + 2); ++nx) {
          const bool before = std::pair(ny, nx) < std::pair(y, x);
          if (value(ny, nx) > v || (before && value(ny, nx) == v))
            maximum = false;
        }
      if (maximum) all.push_back({y, x, double(v)});
    }
  std::stable_sort(all.begin(), all.end(),
                   [](const PlainPeak& a, const PlainPeak& b) {
                     return a.height > b.height;
                   });
  for (const PlainPeak& p : all) {
    const bool apart =
        std::all_of(chosen.begin(), chosen.end(), [&](const PlainPeak& c) {
          return std::max(std::abs(p.y - c.y), std::abs(p.x - c.x)) >=
                 o.least_distance;
        });
    if (apart && int(chosen.size()) <= k) chosen.push_back(p);
  }
  return chosen;
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
    return got.found() || got.dy == got.dy || got.dx == got.dx ||
                   got.ratio == got.ratio
               ? "a peak that does not exist"
               : "";
  const PlainPeak& p = expected[at];
  const double most  = o.sub_pixel == SubPixel::none            ? 0
                       : o.sub_pixel == SubPixel::least_squares ? 1
                                                                : .5 + 1e-9;
  if (!(std::abs(got.dy - o.dy0 - p.y) <= most) ||
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
