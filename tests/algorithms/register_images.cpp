// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Registration of images that were moved by known shifts, and of noise, against
// plain sums.

#include "Sporos_CorrelateCases.hpp"
#include "Sporos_PlainRegistration.hpp"
#include "Sporos_WrongCalls.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace RegisterImages {

using namespace Sporos;
using Test::Spaces;

/// A periodic image at any place: some waves of frequencies below half a cycle
/// in a pixel, or (0) all of these.
double texture(int seed, int waves, int h, int w, double y, double x) {
  const auto any = [&](int k, int n) {
    return Test::correlate_value<double>(seed, k, n, 11);
  };
  const auto wave = [&](int k, int fy, int fx) {
    return std::cos(2 * 3.14159265358979323846 * (fy * y / h + fx * x / w) +
                    3 * any(k, 3));
  };
  double sum   = 0;
  const int by = (h - 1) / 2, bx = (w - 1) / 2;
  for (int k = 0; k < waves; ++k)
    sum += (2 + any(k, 2)) * wave(k, int(any(k, 0) * by), int(any(k, 1) * bx));
  for (int fy = -by; waves == 0 && fy <= by; ++fy)
    for (int fx = 0; fx <= bx; ++fx) sum += wave(fy * w + fx, fy, fx);
  return sum;
}
double noise(int image, int y, int x) {
  return Test::correlate_value<double>(image, y, x, 3);
}

template <class Exec, class P, class Layout>
using Images = Kokkos::View<P***, Layout, typename Exec::memory_space>;

/// Images (n, h, w) of value(i, y, x).
template <class Exec, class P, class Layout = Kokkos::LayoutRight, class F>
Images<Exec, P, Layout> images(int n, int h, int w, const F& value) {
  const Images<Exec, P, Layout> view("images", n, h, w);
  const auto host = Kokkos::create_mirror_view(view);
  for (int i = 0; i < n; ++i)
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x) host(i, y, x) = P(value(i, y, x));
  Kokkos::deep_copy(view, host);
  return view;
}

/// Shifts by a plan in T.
template <class T, class Exec, class Left, class Right>
std::vector<ImageShift> shifts_of(const Exec& exec, const Left& left,
                                  const Right& right,
                                  const RegistrationOptions& o) {
  constexpr int rank = Impl::view_rank_v<Right>;
  const int n        = rank == 3 ? int(right.extent(0)) : 1;
  const RegistrationPlan<Exec, T> plan(exec, n, int(right.extent(rank - 2)),
                                       int(right.extent(rank - 1)), o, true);
  const Kokkos::View<ImageShift*, Exec> shifts("shifts", n);
  register_images(exec, plan, left, right, shifts);
  exec.fence();
  const auto first = Test::host_values(shifts);
  const auto bytes = plan.bytes();
  register_images(exec, plan, left, right, shifts);
  exec.fence();
  CHECK(plan.bytes() == bytes);
  const auto again = Test::host_values(shifts);
  for (std::size_t k = 0; k < again.size(); ++k) {
    const auto same = [](double a, double b) {
      return a == b || (a != a && b != b);
    };
    CHECK((same(first[k].dy, again[k].dy) && same(first[k].dx, again[k].dx) &&
           same(first[k].height, again[k].height)));
  }
  return again;
}

template <class Exec>
constexpr bool has_fft = Impl::has_correlate_fft<Exec>;

/// From a to b, between images of n pixels.
double distance(double a, double b, int n) {
  return std::fabs(std::remainder(a - b, double(n)));
}

/// Moved textures are found to a hundredth, in whichever direction it is
/// shorter.
template <class Exec, class P, class T>
void check_moved(int n, int h, int w, int waves, double scale, double offset) {
  const auto dy = [=](int i) { return h > 1 ? .377 + 5.29 * i : 0; };
  const auto dx = [=](int i) { return w > 1 ? 2.113 - 4.61 * i : 0; };
  const auto right =
      images<Exec, P, Kokkos::LayoutLeft>(n, h, w, [&](int i, int y, int x) {
        return offset + scale * texture(i, waves, h, w, y, x);
      });
  const auto left = images<Exec, P>(n, h, w, [&](int i, int y, int x) {
    return offset + scale * texture(i, waves, h, w, y - dy(i), x - dx(i));
  });
  RegistrationOptions o;
  o.whiten         = waves == 0;
  const auto found = shifts_of<T>(Exec(), left, right, o);
  for (int i = 0; i < n; ++i) {
    INFO(h << " x " << w << ", image " << i << ", waves " << waves);
    const ImageShift& s = found[std::size_t(i)];
    CHECK(distance(s.dy, dy(i), h) <= .01);
    CHECK(distance(s.dx, dx(i), w) <= .01);
    CHECK(std::fabs(s.dy) <= h / 2 + .8);
    CHECK(std::fabs(s.dx) <= w / 2 + .8);
    CHECK(s.height > .99);
    CHECK(s.height <= 1);
  }
}

TEMPLATE_LIST_TEST_CASE("images that were moved are found to a hundredth",
                        "[correlate]", Spaces) {
  using Exec = TestType;
  if (!has_fft<Exec>) return;
  check_moved<Exec, double, double>(5, 24, 31, 60, 1e-200, 0);
  check_moved<Exec, double, double>(2, 33, 27, 0, 1e200, 0);
  check_moved<Exec, double, double>(1, 1, 64, 60, 1, 3);
  check_moved<Exec, double, double>(1, 47, 1, 60, 1, 3);
  check_moved<Exec, float, float>(2, 64, 49, 60, 1e-30, 0);
  // of some hundred brightnesses
  check_moved<Exec, std::uint16_t, float>(4, 36, 50, 60, 1, 60000);
}

TEMPLATE_LIST_TEST_CASE("pairs of several batches", "[correlate]", Spaces) {
  using Exec = TestType;
  if (!has_fft<Exec>) return;
  const int n = Test::slow_run ? 3 : 7, h = Test::slow_run ? 20 : 200, w = 260;
  const auto right = images<Exec, float>(n, h, w, noise);
  const auto left  = images<Exec, float>(n, h, w, [=](int i, int y, int x) {
    return noise(i, (y + 2 * h - 3 * i) % h, (x + 5 * i) % w);
  });
  const auto found = shifts_of<float>(Exec(), left, right, {});
  for (int i = 0; i < n; ++i) {
    CHECK(found[std::size_t(i)].dy == 3 * i);
    CHECK(found[std::size_t(i)].dx == -5 * i);
    CHECK(std::fabs(found[std::size_t(i)].height - 1) < 1e-5);
  }
}

TEMPLATE_LIST_TEST_CASE("half an image, and frequencies that are rounding",
                        "[correlate]", Spaces) {
  using Exec = TestType;
  if (!has_fft<Exec>) return;
  const auto shift = [](int h, int w, int dy, int dx, bool whiten,
                        const auto& value) {
    const auto right = images<Exec, double>(1, h, w, value);
    const auto left  = images<Exec, double>(1, h, w, [&](int, int y, int x) {
      return value(0, (y + h - dy) % h, (x + w - dx) % w);
    });
    RegistrationOptions o;
    o.whiten               = whiten;
    const ImageShift found = shifts_of<double>(Exec(), left, right, o)[0];
    CHECK(found.dy == dy);
    CHECK(found.dx == dx);
    CHECK(std::fabs(found.height - 1) < 1e-9);
  };
  shift(8, 6, 4, 3, false, noise);
  shift(15, 9, 2, 3, true,
        [](int, int y, int x) { return texture(0, 5, 15, 9, y, x); });
}

template <class Exec, class T>
void check_plain(int h, int w, int upsampling, bool whiten) {
  const int n      = 3;
  const auto left  = images<Exec, T>(n, h, w, [&](int i, int y, int x) {
    return noise(i, (y + 2) % h, (x + 3) % w) + .7 * noise(i + 20, y, x);
  });
  const auto right = images<Exec, T>(n, h, w, noise);
  const auto l = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), left);
  const auto r =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), right);
  const bool single  = sizeof(T) == 4;
  const double small = single ? whiten ? 1e-3 : 1e-5 : 1e-10;
  RegistrationOptions o;
  o.upsampling       = upsampling;
  o.whiten           = whiten;
  const auto compare = [&](int i, int of_left, const ImageShift& got) {
    const Test::PlainRegistration plain(
        h, w, [&](int y, int x) { return double(l(of_left, y, x)); },
        [&](int y, int x) { return double(r(i, y, x)); }, whiten,
        double(std::numeric_limits<T>::epsilon()));
    const ImageShift best = plain.best(upsampling);
    INFO(h << " x " << w << ", 1/" << upsampling << ", whiten " << whiten
           << ": " << got.dy << ' ' << got.dx << ", plain " << best.dy << ' '
           << best.dx << ' ' << best.height);
    CHECK(std::fabs(got.height - best.height) <= small);
    CHECK(std::fabs(got.height - plain.at(got.dy, got.dx)) <= small);
    if (single || h < 3 || w < 3) return;  // places differ by rounding
    CHECK(std::fabs(got.dy - best.dy) < 1e-9);
    CHECK(std::fabs(got.dx - best.dx) < 1e-9);
  };
  const auto all = shifts_of<T>(Exec(), left, right, o);
  for (int i = 0; i < n; ++i) compare(i, i, all[std::size_t(i)]);
  // one left image for all
  const auto one    = Kokkos::subview(left, 1, Kokkos::ALL(), Kokkos::ALL());
  const auto to_one = shifts_of<T>(Exec(), one, right, o);
  for (int i = 0; i < n; ++i) compare(i, 1, to_one[std::size_t(i)]);
}

TEMPLATE_LIST_TEST_CASE("shifts of noise are those of plain sums",
                        "[correlate]", Spaces) {
  using Exec = TestType;
  if (!has_fft<Exec>) return;
  int c = 0;
  for (const auto& [h, w] :
       {std::pair(1, 1), std::pair(2, 2), std::pair(4, 1), std::pair(1, 5),
        std::pair(8, 9), std::pair(9, 8), std::pair(10, 12), std::pair(11, 7),
        std::pair(34, 36)})
    for (const int upsampling : {1, 2, 5, 7, 100}) {
      check_plain<Exec, double>(h, w, upsampling, c % 2 == 0);
      if (c % 4 == 0) check_plain<Exec, float>(h, w, upsampling, c % 8 == 0);
      ++c;
    }
}

TEMPLATE_LIST_TEST_CASE("images without structure, or with no numbers",
                        "[correlate]", Spaces) {
  using Exec = TestType;
  if (!has_fft<Exec>) return;
  const auto flat =
      images<Exec, double>(2, 6, 7, [](int, int, int) { return .1; });
  const auto some = images<Exec, double>(2, 6, 7, [](int i, int y, int x) {
    return i == 1 && y == 2 && x == 3 ? NAN : noise(i, y, x);
  });
  for (const bool whiten : {false, true}) {
    RegistrationOptions o;
    o.whiten = whiten;
    for (const auto& found : {shifts_of<double>(Exec(), flat, some, o),
                              shifts_of<double>(Exec(), some, flat, o)}) {
      CHECK(found[0].dy == 0);
      CHECK(found[0].dx == 0);
      CHECK(found[0].height == 0);
      CHECK(found[0].found());
      CHECK_FALSE(found[1].found());
      CHECK(std::isnan(found[1].dy));
    }
  }
}

TEST_CASE("registration without a plan or an instance", "[correlate]") {
  using Exec = Test::HostExec;
  if (!has_fft<Exec>) return;
  const auto left = images<Exec, std::uint8_t>(
      1, 12, 10,
      [](int, int y, int x) { return 100 + 50 * noise(0, (y + 11) % 12, x); });
  const auto right = images<Exec, std::uint8_t>(
      1, 12, 10, [](int, int y, int x) { return 100 + 50 * noise(0, y, x); });
  const Kokkos::View<ImageShift*, Exec> shifts("shifts", 1);
  register_images(left, right, shifts);
  CHECK(shifts(0).dy == 1);
  CHECK(shifts(0).dx == 0);
  const RegistrationPlan<Exec> plan(Exec(), 7, 300, 500);
  CHECK(plan.size() == 7);
  CHECK(plan.batch() == 2);
  CHECK(plan.options().upsampling == 100);
  CHECK(plan.describe().find("7 pairs of (300, 500) in batches of 2") !=
        std::string::npos);
}

TEST_CASE("wrong calls of register_images", "[wrong_calls]") {
  using Exec = Test::HostExec;
  const Exec exec;
  const std::string p = "Sporos::RegistrationPlan";
  const auto made     = [&](int n, int h, int w, int upsampling) {
    return [=] {
      RegistrationOptions o;
      o.upsampling = upsampling;
      RegistrationPlan<Exec, double>(exec, n, h, w, o);
    };
  };
  Test::Untouched untouched;
  std::vector<Test::WrongCall> calls = {
      {"n", made(-1, 4, 5, 100), p, "n", "at least 0", "-1"},
      {"h", made(1, 0, 5, 100), p, "h and w", "at least one row", "(0, 5)"},
      {"w", made(1, 4, 1 << 29, 100), p, "h and w", "below 2^29",
       "(4, 536870912)"},
      {"upsampling 0", made(1, 4, 5, 0), p, "options.upsampling", "1 to 1000",
       "0"},
      {"upsampling 1001", made(1, 4, 5, 1001), p, "options.upsampling",
       "1 to 1000", "1001"},
      {"no plan", [] { RegistrationPlan<Exec>().bytes(); }, p, "plan",
       "an initialised handle", "default-constructed"}};
  if (!has_fft<Exec>) {
    calls.push_back({"no FFT", made(1, 4, 5, 100), p, "exec",
                     "linked with Sporos::fftw", "one without"});
    return Test::check_wrong_calls(calls, untouched, 7);
  }
  const std::string f = "Sporos::register_images";
  using Three         = Images<Exec, double, Kokkos::LayoutRight>;
  using Two    = Kokkos::View<double**, Kokkos::LayoutRight, Test::HostMemory>;
  using Shifts = Kokkos::View<ImageShift*, Test::HostMemory>;
  const RegistrationPlan<Exec, double> plan(exec, 2, 4, 6, {}, true);
  const Three good("good", 2, 4, 6), more("more", 3, 4, 6),
      other("other", 2, 6, 4);
  const Two one("one", 4, 6);
  const Shifts shifts("shifts", 2), few("few", 1);
  untouched.fill(shifts);
  const auto call = [&](const auto& left, const auto& right, const auto& to) {
    return [=] { register_images(exec, plan, left, right, to); };
  };
  calls.push_back({"left numbers", call(more, good, shifts), f, "left",
                   "2 images (4, 6) of the plan", "(3, 4, 6)"});
  calls.push_back({"right numbers", call(good, more, shifts), f, "right",
                   "2 images (4, 6) of the plan", "(3, 4, 6)"});
  calls.push_back({"right extents", call(good, other, shifts), f, "right",
                   "2 images (4, 6) of the plan", "(2, 6, 4)"});
  calls.push_back({"two images", call(one, one, shifts), f, "left",
                   "2 images (4, 6) of the plan", "(4, 6)"});
  calls.push_back(
      {"shifts", call(good, good, few), f, "shifts", "extent(0) == 2", "(1)"});
  calls.push_back({"no memory", call(Three(nullptr, 2, 4, 6), good, shifts), f,
                   "left", "memory for extents", "null"});
  calls.push_back({"no memory of shifts", call(good, good, Shifts(nullptr, 2)),
                   f, "shifts", "memory for extents", "null"});
  const Shifts inside(reinterpret_cast<ImageShift*>(good.data()), 2);
  calls.push_back({"shared with left", call(good, Three("r", 2, 4, 6), inside),
                   f, "shifts", "separate from that of left", "overlaps"});
  calls.push_back({"shared with right", call(one, good, inside), f, "shifts",
                   "separate from that of right", "overlaps"});
  Test::check_wrong_calls(calls, untouched, 15);
}

}  // namespace RegisterImages
