// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// correlate_peaks against windows that are copied by plain loops, correlated
// and searched.

#include "Sporos_CorrelateCases.hpp"
#include "Sporos_PlainPeaks.hpp"
#include "Sporos_WrongCalls.hpp"

#include <Sporos_CorrelatePeaks.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace CorrelatePeaks {

using namespace Sporos;
using Test::Spaces;

template <class Exec>
using Floats = Kokkos::View<float***, Kokkos::LayoutRight, Exec>;
template <class Exec>
using Places = Kokkos::View<int* [2], Kokkos::LayoutLeft, Exec>;

/// b images of P with n windows each: images, corners and offsets, and the
/// windows by plain loops.
template <class Exec, class P>
struct Case {
  Kokkos::View<P***, Kokkos::LayoutLeft, Exec> images;
  Places<Exec> corners, offsets;
  Floats<Exec> plain;

  Case(int b, int n, int h, int w, WindowPadding padding, int side)
      : images("images", b, 11, 14),
        corners("corners", n),
        offsets("offsets", b * n),
        plain("plain", b * n, h, w) {
    const auto pixels = Kokkos::create_mirror_view(images);
    const auto at     = Kokkos::create_mirror_view(corners);
    const auto by     = Kokkos::create_mirror_view(offsets);
    const auto to     = Kokkos::create_mirror_view(plain);
    for (int i = 0; i < b; ++i)
      for (int y = 0; y < 11; ++y)
        for (int x = 0; x < 14; ++x)
          pixels(i, y, x) =
              P(100 + 9 * Test::correlate_value<int>(i, y, x, side));
    for (int k = 0; k < n; ++k) {
      at(k, 0) = k * 7 % 29 - 12;
      at(k, 1) = k * 11 % 37 - 16;
    }
    for (int k = 0; k < b * n; ++k) {
      by(k, 0) = k % 5 - 2;
      by(k, 1) = k % 7 - 3;
      for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
          const int fy =
              Test::plain_place(at(k % n, 0) + by(k, 0) + y, 11, padding);
          const int fx =
              Test::plain_place(at(k % n, 1) + by(k, 1) + x, 14, padding);
          to(k, y, x) = fy < 0 || fx < 0 ? 0.f : float(pixels(k / n, fy, fx));
        }
    }
    Kokkos::deep_copy(images, pixels);
    Kokkos::deep_copy(corners, at);
    Kokkos::deep_copy(offsets, by);
    Kokkos::deep_copy(plain, to);
  }
};

CorrelateOptions options() {
  CorrelateOptions o;
  o.mode      = CorrelateMode::window;
  o.window    = {-2, 3, -1, 3};
  o.algorithm = CorrelateAlgorithm::basic;
  return o;
}

template <class Exec, class P, class Q>
void check_case(int b, int n, WindowPadding padding, bool whiten = false) {
  const Case<Exec, P> a(b, n, 5, 6, padding, 0);
  const Case<Exec, Q> c(b, n, 4, 6, padding, 1);
  const auto left =
      WindowsOf(a.images, a.corners, 5, 6).moved(a.offsets).padded(padding);
  const auto right =
      WindowsOf(c.images, c.corners, 4, 6).padded(padding).moved(c.offsets);
  CorrelateOptions correlation = options();
  correlation.whiten           = whiten;
  if (whiten) correlation.algorithm = CorrelateAlgorithm::fft;
  PeakOptions o;
  o.least_distance = 2;
  const Kokkos::View<Peak**, Kokkos::LayoutLeft, Exec> peaks("peaks", b * n, 2),
      expected("expected", b * n, 2);
  correlate_peaks(Exec(), left, right, peaks, correlation, o);
  const Floats<Exec> out("out", b * n, 5, 4);
  const CrossCorrelatePlan<Exec, float> plan(Exec(), {b * n, 1, 5, 6, 4, 6},
                                             correlation);
  cross_correlate(plan, a.plain, c.plain, out);
  find_peaks(Exec(), plan, out, expected, o);
  Exec().fence();
  const auto x = Test::host_values(peaks), y = Test::host_values(expected);
  INFO(b << " images, " << n << " windows, padding " << int(padding));
  if (whiten) {  // plans of FFTs may differ
    const auto close = [](double u, double v) {
      return std::fabs(u - v) < 1e-3 || (std::isnan(u) && std::isnan(v));
    };
    for (std::size_t k = 0; k < x.size(); ++k)
      CHECK((close(x[k].dy, y[k].dy) && close(x[k].dx, y[k].dx) &&
             close(x[k].height, y[k].height)));
    return;
  }
  CHECK((x.empty() ||
         std::memcmp(x.data(), y.data(), x.size() * sizeof(Peak)) == 0));

  const Kokkos::View<float***, Kokkos::LayoutLeft, Exec> all("all", b * n, 5,
                                                             4);
  const auto results   = Test::host_copy(out);
  const auto check_all = [&](const auto& l, const auto& r) {
    Kokkos::deep_copy(all, 7.f);
    cross_correlate(Exec(), l, r, all, options());
    const auto host = Test::host_copy(all);
    int wrong       = 0;
    for (int k = 0; k < b * n; ++k)
      for (int row = 0; row < 5; ++row)
        for (int column = 0; column < 4; ++column)
          wrong += host(k, row, column) != results(k, row, column);
    CHECK(wrong == 0);
  };
  check_all(left, right);
  check_all(left, c.plain);
  check_all(a.plain, right);
}

TEMPLATE_LIST_TEST_CASE("peaks of windows are those of copies", "[correlate]",
                        Spaces) {
  check_case<TestType, float, float>(1, 0, WindowPadding::zeros);
  check_case<TestType, float, float>(2, 40, WindowPadding::zeros);
  check_case<TestType, std::uint8_t, std::int16_t>(1, 40, WindowPadding::edge);
  check_case<TestType, std::uint16_t, std::uint8_t>(2, 33,
                                                    WindowPadding::reflection);
  if (Impl::has_correlate_fft<TestType>)
    check_case<TestType, std::uint8_t, std::int16_t>(1, 40, WindowPadding::edge,
                                                     true);
}

/// Peaks of the sums over b images of n windows: in one call, and image by
/// image.
template <class Exec, class P>
void check_ensemble(int b, int n) {
  const Case<Exec, P> a(b, n, 5, 6, WindowPadding::edge, 0),
      c(b, n, 4, 6, WindowPadding::edge, 1);
  const auto windows = [](const auto& of, int h) {
    return WindowsOf(of.images, of.corners, h, 6)
        .moved(of.offsets)
        .padded(WindowPadding::edge);
  };
  const auto left = windows(a, 5), right = windows(c, 4);
  using Peaks = Kokkos::View<Peak**, Kokkos::LayoutLeft, Exec>;
  const Peaks peaks("peaks", n, 2), expected("expected", n, 2),
      of_sums("of_sums", n, 2), once("once", n, 2);
  const Floats<Exec> out("out", b * n, 5, 4);
  cross_correlate(Exec(), a.plain, c.plain, out, options());
  const Kokkos::View<double***, Kokkos::LayoutLeft, Exec> sums("sums", n, 5, 4),
      sums_of_images("sums_of_images", n, 5, 4);
  const auto results = Test::host_copy(out);
  const auto sum     = Kokkos::create_mirror_view(sums);
  for (int k = 0; k < b * n; ++k)
    for (int y = 0; y < 5; ++y)
      for (int x = 0; x < 4; ++x) sum(k % n, y, x) += results(k, y, x);
  Kokkos::deep_copy(sums, sum);
  PeakOptions o;
  o.dy0 = -2;
  o.dx0 = -1;
  find_peaks(Exec(), sums, expected, o);
  o.ensemble = true;
  const CorrelatePeaksPlan<Exec, float> plan(Exec(), {n, 1, 5, 6, 4, 6},
                                             options(), o);
  correlate_peaks(Exec(), plan, left, right, peaks);
  correlate_peaks(Exec(), left, right, once, options(), o);
  accumulate(Exec(), plan, left, right, sums_of_images);
  find_peaks(Exec(), plan, sums_of_images, of_sums);
  Exec().fence();
  INFO(b << " images, " << n << " windows");
  const auto bytes = [](const Peaks& p) {
    const auto v = Test::host_values(p);
    return std::string(reinterpret_cast<const char*>(v.data()),
                       v.size() * sizeof(Peak));
  };
  // products of integers: no sum is rounded
  CHECK(bytes(peaks) == bytes(expected));
  CHECK(bytes(once) == bytes(expected));
  CHECK(bytes(of_sums) == bytes(expected));
  // windows that are cut already, an image at a time
  Kokkos::deep_copy(sums_of_images, 0.);
  for (int image = 0; image < b; ++image) {
    const std::pair<int, int> own(image * n, image * n + n);
    const auto of = [&](const Floats<Exec>& all) {
      return Kokkos::subview(all, own, Kokkos::ALL, Kokkos::ALL);
    };
    accumulate(Exec(), plan, of(a.plain), of(c.plain), sums_of_images);
  }
  find_peaks(Exec(), plan, sums_of_images, of_sums);
  Exec().fence();
  CHECK(bytes(of_sums) == bytes(expected));
}

TEMPLATE_LIST_TEST_CASE("an ensemble has the peaks of sums over its images",
                        "[correlate]", Spaces) {
  check_ensemble<TestType, std::uint8_t>(3, 35);
  check_ensemble<TestType, std::uint8_t>(1, 4);
  check_ensemble<TestType, std::uint8_t>(2, 0);
}

TEMPLATE_LIST_TEST_CASE("regular windows begin at multiples of steps",
                        "[correlate]", Spaces) {
  const Case<TestType, float> a(1, 12, 5, 6, WindowPadding::zeros, 0);
  const auto image =
      Kokkos::subview(a.images, 0, Kokkos::ALL, Kokkos::ALL);  // 11 x 14
  const auto corners = Kokkos::create_mirror_view(a.corners);
  for (int k = 0; k < 12; ++k) {
    corners(k, 0) = k / 3 * 2;
    corners(k, 1) = k % 3 * 4;
  }
  Kokkos::deep_copy(a.corners, corners);
  const auto grid = regular_windows(image, 5, 6, 2, 4);
  REQUIRE(grid.size() == 12);
  CHECK(regular_windows(image, 5, 7, 6, 4).size() == 4);
  const Kokkos::View<Peak**, TestType> peaks("peaks", 12, 1),
      expected("expected", 12, 1);
  const WindowsOf windows(image, a.corners, 5, 6);
  correlate_peaks(TestType(), grid, grid, peaks, options());
  correlate_peaks(TestType(), windows, windows, expected, options());
  const auto x = Test::host_values(peaks), y = Test::host_values(expected);
  CHECK(std::memcmp(x.data(), y.data(), x.size() * sizeof(Peak)) == 0);
}

TEMPLATE_LIST_TEST_CASE("many pairs go in batches", "[correlate]", Spaces) {
  // images moved by (1, -2), in windows on a grid; a batch has fewer than all
  const int h = 78, w = 74, size = 8;
  const Kokkos::View<double**, Kokkos::LayoutRight, TestType> a("a", h, w),
      b("b", h, w);
  const auto from = Kokkos::create_mirror_view(a);
  const auto to   = Kokkos::create_mirror_view(b);
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      from(y, x) = Test::correlate_value<double>(0, y, x, 0);
      to(y, x)   = Test::correlate_value<double>(0, y - 1, x + 2, 0);
    }
  Kokkos::deep_copy(a, from);
  Kokkos::deep_copy(b, to);
  const auto before = regular_windows(a, size, size, 1, 1);
  const auto after  = regular_windows(b, size, size, 1, 1);
  const int n       = int(before.size());
  REQUIRE(n == 71 * 67);
  CorrelateOptions o = options();
  o.window           = {-3, 4, -3, 4};
  o.normalize        = Normalize::whole;
  const CorrelatePeaksPlan<TestType, double> plan(
      TestType(), {n, 1, size, size, size, size}, o);
  const Kokkos::View<Peak**, TestType> peaks("peaks", n, 1);
  correlate_peaks(TestType(), plan, after, before, peaks);
  TestType().fence();
  if (Impl::is_host_space_v<TestType>) {
    CHECK(plan.batch() < n);
    CHECK(n % plan.batch() != 0);
  }
  int moved = 0;
  for (const Peak& p : Test::host_values(peaks))
    if (std::abs(p.dy - 1) <= .5 && std::abs(p.dx + 2) <= .5) ++moved;
  CHECK(moved > n * 99 / 100);
  // of each pair once, though the last batch repeats some
  const Kokkos::View<double***, TestType> sums("sums", n, 7, 7);
  const Kokkos::View<Peak**, TestType> again("again", n, 1);
  accumulate(TestType(), plan, after, before, sums);
  find_peaks(TestType(), plan, sums, again);
  TestType().fence();
  const auto x = Test::host_values(peaks), y = Test::host_values(again);
  CHECK(std::memcmp(x.data(), y.data(), x.size() * sizeof(Peak)) == 0);
}

TEST_CASE("wrong calls of correlate_peaks and windows", "[wrong_calls]") {
  using Test::HostMemory;
  const Test::HostExec exec;
  const Kokkos::View<float**, Kokkos::LayoutRight, HostMemory> image("i", 9, 8);
  const Kokkos::View<float**, Kokkos::LayoutRight, HostMemory,
                     Kokkos::MemoryUnmanaged>
      null(nullptr, 9, 8);
  const Kokkos::View<int**, HostMemory> corners("c", 3, 2), wrong("w", 3, 3);
  const Kokkos::View<Peak**, Kokkos::LayoutRight, HostMemory> peaks("p", 3, 1),
      few("f", 2, 1);
  const Kokkos::View<Peak**, Kokkos::LayoutRight, HostMemory,
                     Kokkos::MemoryUnmanaged>
      shared(reinterpret_cast<Peak*>(image.data()), 3, 1);
  Test::Untouched untouched;
  untouched.fill(peaks);
  untouched.fill(few);
  const WindowsOf windows(image, corners, 4, 4);
  const WindowsOf wide(image, corners, 4, 5);
  using Plan = CorrelatePeaksPlan<Test::HostExec, float>;
  const Plan plan(exec, {3, 1, 4, 4, 4, 4}, options());
  PeakOptions ensemble;
  ensemble.ensemble = true;
  const Plan series(exec, {3, 1, 4, 4, 4, 4}, options(), ensemble);
  const Kokkos::View<float***, Kokkos::LayoutRight, HostMemory> images("is", 2,
                                                                       9, 8),
      sums("sums", 3, 5, 4), wide_sums("wide_sums", 3, 5, 5);
  const Kokkos::View<float***, Kokkos::LayoutRight, HostMemory,
                     Kokkos::MemoryUnmanaged>
      shared_sums(image.data(), 3, 5, 4);
  const WindowsOf two(images, corners, 4, 4);
  untouched.fill(sums);
  const std::string f = "Sporos::correlate_peaks", w = "Sporos::WindowsOf",
                    r = "Sporos::regular_windows",
                    p = "Sporos::CorrelatePeaksPlan", a = "Sporos::accumulate";
  const auto made = [&](Pairing q, int least) {
    return [=] {
      CorrelateOptions o = options();
      o.pairing          = q;
      PeakOptions peak;
      peak.least_distance = least;
      Plan(exec, {3, 1, 4, 4, 4, 4}, o, peak);
    };
  };
  Test::check_wrong_calls(
      {{"no rows", [&] { WindowsOf(image, corners, 0, 4); }, w, "h and w",
        "at least one pixel", "(0, 4)"},
       {"no image", [&] { WindowsOf(null, corners, 4, 4); }, w, "image",
        "memory", "null"},
       {"corners of three", [&] { WindowsOf(image, wrong, 4, 4); }, w,
        "corners", "(n, 2)", "(3, 3)"},
       {"offsets of three", [&] { windows.moved(wrong); }, w + "::moved",
        "offsets", "(3, 2)", "(3, 3)"},
       {"no padding", [&] { windows.padded(WindowPadding(7)); }, w + "::padded",
        "padding", "reflection", "7"},
       {"a step of 0", [&] { regular_windows(image, 4, 4, 0, 1); }, r,
        "step_y and step_x", "at least one", "(0, 1)"},
       {"a large window", [&] { regular_windows(image, 10, 4, 1, 1); }, r,
        "h and w", "at most (9, 8)", "(10, 4)"},
       {"another pairing", made(Pairing::n_to_m, 1), p, "options.pairing",
        "one_to_one", "n_to_m"},
       {"distance 0", made(Pairing::one_to_one, 0), p, "options.least_distance",
        "at least 1", "0"},
       {"wide left", [&] { correlate_peaks(exec, plan, wide, windows, peaks); },
        f, "left", "3 windows of (4, 4)", "3 of (4, 5)"},
       {"other numbers",
        [&] {
          correlate_peaks(exec, plan, windows,
                          regular_windows(image, 4, 4, 1, 1), peaks);
        },
        f, "right", "3 windows of (4, 4)", "30 of (4, 4)"},
       {"few peaks",
        [&] { correlate_peaks(exec, plan, windows, windows, few); }, f, "peaks",
        "extent(0) == 3", "(2, 1)"},
       {"peaks in the image",
        [&] { correlate_peaks(exec, plan, windows, windows, shared); }, f,
        "peaks", "separate from that of left", "overlaps"},
       {"two images without ensemble",
        [&] { correlate_peaks(exec, plan, two, two, peaks); }, f, "left",
        "3 windows of (4, 4) of the plan", "6 of (4, 4)"},
       {"two images and one",
        [&] { correlate_peaks(exec, series, two, windows, peaks); }, f, "right",
        "windows of 2 images", "1"},
       {"other windows of images",
        [&] {
          const auto grid = regular_windows(image, 4, 4, 1, 1);
          correlate_peaks(exec, series, grid, grid, peaks);
        },
        f, "left", "in all or in each image", "30 of (4, 4)"},
       {"ensemble of find_peaks",
        [&] { find_peaks(exec, sums, peaks, ensemble); }, "Sporos::find_peaks",
        "options.ensemble", "false", "true"},
       {"shifts of others",
        [&] { accumulate(exec, plan, two, two, wide_sums); }, a, "sums",
        "(5, 4) shifts", "(3, 5, 5)"},
       {"results of others",
        [&] { cross_correlate(exec, plan, windows, windows, wide_sums); },
        "Sporos::cross_correlate", "out", "(5, 4) shifts", "(3, 5, 5)"},
       {"results of two images",
        [&] { cross_correlate(exec, plan, two, two, sums); },
        "Sporos::cross_correlate", "left", "3 windows of (4, 4)",
        "6 of (4, 4)"},
       {"sums in the image",
        [&] { accumulate(exec, plan, windows, windows, shared_sums); }, a,
        "sums", "separate from that of left", "overlaps"},
       {"other windows of sums",
        [&] { accumulate(exec, plan, two, wide, sums); }, a, "right",
        "3 windows of (4, 4)", "3 of (4, 5)"},
       {"sums of an empty plan",
        [&] { accumulate(exec, Plan(), two, two, sums); }, a, "plan",
        "initialised", "default-constructed"},
       {"an empty plan",
        [&] { correlate_peaks(exec, Plan(), windows, windows, peaks); }, f,
        "plan", "initialised", "default-constructed"}},
      untouched, 1);
}

}  // namespace CorrelatePeaks
