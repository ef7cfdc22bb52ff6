// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// find_peaks against a search that sorts all maxima; places between elements;
// what is not finite, flat, or has fewer peaks than asked for.

#include "Sporos_CorrelateCases.hpp"
#include "Sporos_PlainPeaks.hpp"
#include "Sporos_WrongCalls.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace FindPeaks {

using namespace Sporos;
using Test::Spaces;

constexpr double infinity = std::numeric_limits<double>::infinity();

constexpr SubPixel places[] = {SubPixel::none, SubPixel::gaussian,
                               SubPixel::parabola, SubPixel::centroid,
                               SubPixel::least_squares};

template <class A, class Layout, class Exec>
void check_search(int n, int m, int h, int w, int k, const PeakOptions& o,
                  int kind) {
  // every other matrix and column belongs to others
  const Kokkos::View<A****, Layout, Exec> all("all", 2 * n, m, h, 2 * w);
  const auto part = Kokkos::subview(all, std::pair(n, 2 * n), Kokkos::ALL,
                                    Kokkos::ALL, std::pair(w, 2 * w));
  const Kokkos::View<Peak***, Layout, Exec> peaks("peaks", n, m, k);
  const auto host = Kokkos::create_mirror_view(all);
  for (int i = 0; i < 2 * n; ++i)
    for (int j = 0; j < m; ++j)
      for (int y = 0; y < h; ++y)
        for (int x = 0; x < 2 * w; ++x) {
          A v = Test::correlate_value<A>(i * m + j, y, x, kind);
          if (x < w || i < n)
            v = A(99);
          else if (kind == 1)
            v = A(int(3 * v) % 3);  // plateaus
          else if (kind == 2)
            v = A(7);
          if constexpr (std::is_floating_point<A>::value)
            if (kind == 3 && int(100 * v) % 3 == 0)
              v = A(int(100 * v) % 2 == 0 ? NAN : v < 0 ? -infinity : infinity);
          host(i, j, y, x) = v;
        }
  Kokkos::deep_copy(all, host);
  find_peaks(part, peaks, o);
  const auto first = Test::host_values(peaks);
  find_peaks(Exec(), part, peaks, o);
  Exec().fence();
  const auto again = Test::host_values(peaks);
  const auto found = Test::host_copy(peaks);
  REQUIRE(first.size() == std::size_t(n * m * k));
  CHECK((first.empty() || std::memcmp(first.data(), again.data(),
                                      first.size() * sizeof(Peak)) == 0));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      const auto expected = Test::plain_peaks(
          [&](int y, int x) { return host(n + i, j, y, w + x); }, h, w, k, o);
      for (int p = 0; p < k; ++p) {
        INFO(h << " x " << w << ", " << k << " peaks, kind " << kind
               << ", distance " << o.least_distance << ", border " << o.border
               << ", sub-pixel " << int(o.sub_pixel) << ", pair " << i << ' '
               << j << ", peak " << p);
        CHECK(Test::wrong_peak(expected, p, found(i, j, p), o) == "");
      }
    }
}

TEMPLATE_LIST_TEST_CASE("peaks are those of a plain search", "[correlate]",
                        Spaces) {
  int c = 0;
  for (const auto& [h, w] : {std::pair(1, 1), std::pair(1, 7), std::pair(9, 2),
                             std::pair(17, 17), std::pair(13, 40)})
    for (const int distance : {1, 3, 50})
      for (const int border : {0, 1, 6}) {
        const PeakOptions o{-c, 2 * c, distance, border, places[c % 5]};
        const int k = c % 4;
        check_search<float, Kokkos::LayoutRight, TestType>(2, 1, h, w, k, o,
                                                           c % 4);
        check_search<int, Kokkos::LayoutLeft, TestType>(1, 3, h, w, k + 1, o,
                                                        c % 3);
        ++c;
      }
}

/// One peak of values of rows.
Peak peak_of(const std::vector<std::vector<double>>& rows,
             const PeakOptions& o) {
  const Kokkos::View<double**, Test::HostMemory> out("out", rows.size(),
                                                     rows[0].size());
  const Kokkos::View<Peak*, Test::HostMemory> peaks("peaks", 1);
  for (std::size_t y = 0; y < rows.size(); ++y)
    for (std::size_t x = 0; x < rows[0].size(); ++x) out(y, x) = rows[y][x];
  find_peaks(out, peaks, o);
  return peaks(0);
}

/// f(y, x) at the elements of 7 x 7
template <class F>
Peak peak_of_function(const F& f, SubPixel place) {
  std::vector<std::vector<double>> rows(7, std::vector<double>(7));
  for (int y = 0; y < 7; ++y)
    for (int x = 0; x < 7; ++x) rows[std::size_t(y)][std::size_t(x)] = f(y, x);
  PeakOptions o;
  o.dy0       = -3;
  o.dx0       = -3;
  o.sub_pixel = place;
  return peak_of(rows, o);
}

void check_place(const Peak& p, double dy, double dx) {
  CHECK(std::abs(p.dy - dy) < 1e-12);
  CHECK(std::abs(p.dx - dx) < 1e-12);
}

TEST_CASE("places between elements are exact for the curve of each method",
          "[correlate]") {
  const double dy = .3, dx = -1.4;
  const auto square = [&](double y, double x, double mixed) {
    y -= 3 + dy;
    x -= 3 + dx;
    return 40 - y * y - 2 * x * x + mixed * y * x;
  };
  const auto gauss = [&](int y, int x) { return std::exp(square(y, x, 0)); };
  check_place(peak_of_function(gauss, SubPixel::gaussian), dy, dx);
  check_place(peak_of_function(gauss, SubPixel::none), 0, -1);
  const auto even  = [&](int y, int x) { return square(y, x, 0); };
  const auto mixed = [&](int y, int x) { return square(y, x, .5) - 50; };
  check_place(peak_of_function(even, SubPixel::parabola), dy, dx);
  check_place(peak_of_function(mixed, SubPixel::least_squares), dy, dx);
  // values that are not above 0: no logarithm
  const auto low = [&](int y, int x) { return even(y, x) - 100; };
  check_place(peak_of_function(low, SubPixel::gaussian), dy, dx);
  check_place(peak_of_function(low, SubPixel::centroid), dy, dx);
  PeakOptions o;
  o.sub_pixel = SubPixel::centroid;
  check_place(peak_of({{1, 4, 2}}, o), 0, 1 + 1. / 7);
}

TEST_CASE("heights, ratios and what is missing", "[correlate]") {
  const PeakOptions o;
  const Peak alone = peak_of({{5}}, o);
  CHECK(alone.height == 5);
  CHECK(alone.ratio == infinity);
  CHECK(peak_of({{6, 1, 3}}, o).ratio == 2);
  CHECK(peak_of({{6, -4, -3}}, o).ratio == infinity);
  CHECK(peak_of({{-6, -8, -9}}, o).ratio == 0);
  CHECK_FALSE(peak_of({{NAN, NAN}}, o).found());
  check_place(peak_of({{0, 0, 0}, {0, 0, 0}}, o), 0, 0);
  for (const SubPixel place : places) {
    PeakOptions at = o;
    at.sub_pixel   = place;
    check_place(peak_of({{0, 1, infinity, 2}}, at), 0, 2);
    check_place(peak_of({{1, 2, 1}, {2, infinity, infinity}, {1, 3, 1}}, at), 1,
                1);
  }
}

TEST_CASE("wrong calls of find_peaks", "[wrong_calls]") {
  using Test::HostMemory;
  const Kokkos::View<double***, Kokkos::LayoutRight, HostMemory> out("out", 2,
                                                                     3, 5);
  const Kokkos::View<Peak**, Kokkos::LayoutRight, HostMemory> peaks("peaks", 2,
                                                                    1),
      few("few", 1, 1);
  Test::Untouched untouched;
  untouched.fill(peaks);
  untouched.fill(few);
  untouched.fill(out);
  const Test::HostExec exec;
  const std::string f = "Sporos::find_peaks";
  const auto with     = [&](auto change) {
    PeakOptions o;
    change(o);
    return [=, &peaks] { find_peaks(exec, out, peaks, o); };
  };
  const Kokkos::View<Peak**, Kokkos::LayoutRight, HostMemory,
                     Kokkos::MemoryUnmanaged>
      none(nullptr, 2, 1), shared(reinterpret_cast<Peak*>(out.data()), 2, 1);
  const Kokkos::View<double***, Kokkos::LayoutRight, HostMemory,
                     Kokkos::MemoryUnmanaged>
      nothing(nullptr, 2, 3, 5);
  const CrossCorrelatePlan<Test::HostExec, double> plan(exec,
                                                        {1, 1, 2, 2, 2, 2});
  Test::check_wrong_calls(
      {{"peaks of fewer pairs", [&] { find_peaks(exec, out, few); }, f, "peaks",
        "extent(0) == 2", "(1, 1)"},
       {"no memory for peaks", [&] { find_peaks(exec, out, none); }, f, "peaks",
        "memory", "null"},
       {"no memory of results", [&] { find_peaks(exec, nothing, peaks); }, f,
        "results", "memory", "null"},
       {"peaks in results", [&] { find_peaks(exec, out, shared); }, f, "peaks",
        "memory separate from that of results", "overlaps"},
       {"distance 0", with([](auto& o) { o.least_distance = 0; }), f,
        "options.least_distance", "at least 1", "0"},
       {"border below 0", with([](auto& o) { o.border = -1; }), f,
        "options.border", "0 to 2^29", "-1"},
       {"a shift too far", with([](auto& o) { o.dx0 = (1 << 29) + 1; }), f,
        "options.dy0 and dx0", "-2^29", "(0, 536870913)"},
       {"no method", with([](auto& o) { o.sub_pixel = SubPixel(9); }), f,
        "options.sub_pixel", "gaussian", "9"},
       {"shifts of another plan", [&] { find_peaks(exec, plan, out, peaks); },
        f, "results", "(3, 3) shifts", "(2, 3, 5)"},
       {"an empty plan",
        [&] {
          find_peaks(exec, CrossCorrelatePlan<Test::HostExec, double>(), out,
                     peaks);
        },
        f, "plan", "an initialised handle", "default-constructed"}},
      untouched, 1);
}

}  // namespace FindPeaks
