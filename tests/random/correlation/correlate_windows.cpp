// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random windows of series of images: peaks of each pair, or of sums over the
// images. Values are small integers, so that no sum is rounded.

#include "Sporos_PlainPeaks.hpp"
#include "Sporos_RandomDriver.hpp"

#include <Sporos_CorrelatePeaks.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>

namespace Sporos {
namespace Test {

namespace {

using Exec  = Kokkos::DefaultHostExecutionSpace;
using Peaks = Kokkos::View<Peak**, Exec>;

/// Images (b, H, W) of P, and windows of them.
template <class P>
struct RandomWindows {
  Kokkos::View<P***, Kokkos::LayoutRight, Exec> images;
  Kokkos::View<int**, Exec> corners, offsets;
  int n, h, w;
  WindowPadding padding;
  bool moved;

  RandomWindows(RandomCase& random, int b, int n_)
      : images("images", b, random.integer(1, 20), random.integer(1, 20)),
        corners("corners", n_, 2),
        offsets("offsets", b * n_, 2),
        n(n_),
        h(random.integer(1, 9)),
        w(random.integer(1, 9)),
        padding(random.one_of({WindowPadding::zeros, WindowPadding::edge,
                               WindowPadding::reflection})),
        moved(random.chance(50)) {
    for (std::size_t k = 0; k < images.size(); ++k)
      images.data()[k] = P(random.integer(0, 9));
    for (int k = 0; k < n; ++k)
      for (int c = 0; c < 2; ++c) corners(k, c) = random.integer(-15, 25);
    for (int k = 0; k < b * n; ++k)
      for (int c = 0; c < 2; ++c) offsets(k, c) = random.integer(-4, 4);
  }
  auto windows() const {
    const auto all = WindowsOf(images, corners, h, w).padded(padding);
    return moved ? all.moved(offsets) : all;
  }
  double pixel(int window, int y, int x) const {
    const int k = window % n, by = moved ? offsets(window, 0) : 0;
    const int bx = moved ? offsets(window, 1) : 0;
    const int fy =
        plain_place(corners(k, 0) + by + y, int(images.extent(1)), padding);
    const int fx =
        plain_place(corners(k, 1) + bx + x, int(images.extent(2)), padding);
    return fy < 0 || fx < 0 ? 0. : double(images(window / n, fy, fx));
  }
};

template <class L, class R>
double plain_result(const L& left, const R& right, int window, int dy, int dx) {
  double sum = 0;
  for (int y = std::max(0, -dy); y < std::min(right.h, left.h - dy); ++y)
    for (int x = std::max(0, -dx); x < std::min(right.w, left.w - dx); ++x)
      sum += left.pixel(window, y + dy, x + dx) * right.pixel(window, y, x);
  return sum;
}

}  // namespace

std::string correlate_windows(RandomCase& random) {
  using Algorithm = CorrelateAlgorithm;
  const int b = random.integer(1, 4), n = random.integer(0, 6);
  const RandomWindows<std::uint8_t> left(random, b, n);
  const RandomWindows<std::int16_t> right(random, b, n);
  CorrelateOptions o;
  o.mode      = CorrelateMode::window;
  o.exactness = CorrelateExactness::by_definition;
  o.algorithm =
      random.one_of({Algorithm::automatic, Algorithm::basic, Algorithm::tile,
                     Algorithm::lane_group_per_shift});
  o.window.dy0 = random.integer(-9, 5);
  o.window.dx0 = random.integer(-9, 5);
  o.window.dy1 = o.window.dy0 + random.integer(1, 9);
  o.window.dx1 = o.window.dx0 + random.integer(1, 9);
  PeakOptions po;
  po.least_distance = random.integer(1, 4);
  po.border         = random.integer(0, 1);
  po.sub_pixel      = random.one_of(
           {SubPixel::none, SubPixel::gaussian, SubPixel::least_squares});
  po.ensemble      = random.chance(50);
  const bool added = po.ensemble && random.chance(50);  // by accumulate
  const int pairs  = po.ensemble ? n : b * n;
  const Peaks peaks("peaks", pairs, 2);
  const CorrelatePeaksPlan<Exec, float> plan(
      Exec(), {pairs, 1, left.h, left.w, right.h, right.w}, o, po, true);
  const auto l = left.windows();
  const auto r = right.windows();
  if (!po.ensemble && random.chance(30)) {  // all results first
    const Kokkos::View<float***, Exec> out("out", pairs, o.window.rows(),
                                           o.window.columns());
    Kokkos::deep_copy(out, 9.f);
    if (random.chance(50))
      cross_correlate(Exec(), plan, l, r, out);
    else
      cross_correlate(Exec(), l, r, out, o);
    find_peaks(Exec(), plan, out, peaks);
  } else if (added) {
    const Kokkos::View<double***, Exec> sums("sums", n, o.window.rows(),
                                             o.window.columns());
    accumulate(Exec(), plan, l, r, sums);
    find_peaks(Exec(), plan, sums, peaks);
  } else if (random.chance(50)) {
    correlate_peaks(Exec(), plan, l, r, peaks);
  } else {
    correlate_peaks(Exec(), l, r, peaks, o, po);
  }
  Exec().fence();
  po.dy0 = o.window.dy0;
  po.dx0 = o.window.dx0;
  for (int k = 0; k < pairs; ++k) {
    const auto expected = plain_peaks(
        [&](int y, int x) {
          double sum = 0;
          for (int i = 0; i < (po.ensemble ? b : 1); ++i)
            sum += plain_result(left, right, i * n + k, po.dy0 + y, po.dx0 + x);
          return sum;
        },
        o.window.rows(), o.window.columns(), 2, po);
    for (int p = 0; p < 2; ++p) {
      const std::string wrong = wrong_peak(expected, p, peaks(k, p), po);
      if (wrong.empty()) continue;
      std::ostringstream t;
      t << "windows: " << wrong << ": pair " << k << ", peak " << p << ", " << b
        << " images of " << n << " windows, left (" << left.h << ", " << left.w
        << "), right (" << right.h << ", " << right.w << "), algorithm "
        << int(o.algorithm) << ", ensemble " << po.ensemble
        << ", by accumulate " << added << ", padding " << int(left.padding)
        << " and " << int(right.padding);
      return t.str();
    }
  }
  return "";
}

}  // namespace Test
}  // namespace Sporos
