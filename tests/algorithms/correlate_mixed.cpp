// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Float matrices summed in double: every algorithm, means and norms, plans,
// and what profilers see.

#include "Sporos_CorrelateCases.hpp"
#include "Sporos_ToolsRecorder.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace CorrelateMixed {

using namespace Sporos;
using Test::Spaces;

TEMPLATE_LIST_TEST_CASE("cross-correlation of float, summed in double",
                        "[correlate]", Spaces) {
  Test::check_correlations<TestType, float, double>(Test::Pairings<5, 4>());
}

template <class Exec>
using In = Kokkos::View<float***, Exec>;
template <class Exec>
using Out = Kokkos::View<double****, Exec>;

template <class Exec>
In<Exec> matrices(int n, int h, int w, int side) {
  const In<Exec> m("matrices", n, h, w);
  const auto host = Kokkos::create_mirror_view(m);
  for (int i = 0; i < n; ++i)
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x)
        host(i, y, x) = 3 + Test::correlate_value<float>(i, y, x, side);
  Kokkos::deep_copy(m, host);
  return m;
}

/// Elements less their mean, divided by their norm if wanted.
std::vector<double> centered(std::vector<double> v, bool normalize) {
  double mean = 0, norm = 0;
  for (const double a : v) mean += a / double(v.size());
  for (double& a : v) {
    a -= mean;
    norm += a * a;
  }
  for (double& a : v) a = normalize ? (norm > 0 ? a / std::sqrt(norm) : 0) : a;
  return v;
}

template <class View>
std::vector<double> elements(const View& view, int i) {
  std::vector<double> v;
  for (std::size_t y = 0; y < view.extent(1); ++y)
    for (std::size_t x = 0; x < view.extent(2); ++x)
      v.push_back(double(view(std::size_t(i), y, x)));
  return v;
}

TEMPLATE_LIST_TEST_CASE("means are subtracted, norms divided by", "[correlate]",
                        Spaces) {
  using Exec  = TestType;
  const int n = 2, m = 3, h = 9, w = 14;
  const auto left  = matrices<Exec>(n, h, w, 0);
  const auto right = matrices<Exec>(m, h, w, 5);
  // constant: 0 whatever rounding does; equal to left: 1 at shift 0
  Kokkos::deep_copy(Kokkos::subview(right, 1, Kokkos::ALL(), Kokkos::ALL()),
                    0.1f);
  Kokkos::deep_copy(Kokkos::subview(right, 2, Kokkos::ALL(), Kokkos::ALL()),
                    Kokkos::subview(left, 1, Kokkos::ALL(), Kokkos::ALL()));
  const auto l = Test::host_copy(left);
  const auto r = Test::host_copy(right);
  const Out<Exec> out("out", n, m, 2 * h - 1, 2 * w - 1);
  for (const bool normalize : {false, true})
    for (const auto algorithm :
         {CorrelateAlgorithm::automatic, CorrelateAlgorithm::basic,
          CorrelateAlgorithm::shuffle}) {
      CorrelateOptions options;
      options.pairing   = Pairing::n_to_m;
      options.algorithm = algorithm;
      options.normalize = normalize ? Normalize::whole : Normalize::mean_only;
      cross_correlate(left, right, out, options);
      const auto o = Test::host_copy(out);
      double worst = 0;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j) {
          const auto a = centered(elements(l, i), normalize);
          const auto b = centered(elements(r, j), normalize);
          for (int dy = 1 - h; dy < h; ++dy)
            for (int dx = 1 - w; dx < w; ++dx) {
              double sum = 0;
              for (int y = std::max(0, -dy); y < std::min(h, h - dy); ++y)
                for (int x = std::max(0, -dx); x < std::min(w, w - dx); ++x)
                  sum += a[std::size_t((y + dy) * w + x + dx)] *
                         b[std::size_t(y * w + x)];
              if (j == 1) sum = 0;
              worst = Test::larger_error(
                  worst, std::fabs(sum - o(i, j, dy + h - 1, dx + w - 1)));
            }
        }
      INFO("normalize " << normalize << ", algorithm " << int(algorithm));
      CHECK(worst < 1e-12);
      if (normalize) CHECK(o(1, 2, h - 1, w - 1) == Approx(1).epsilon(1e-13));
      CHECK(o(0, 1, h, w) == 0);
    }
}

/// Normalised correlations of n matrices with themselves, element(i, y, x) in
/// left and right_element(i, y, x) in right.
template <class T, class Exec, class Left, class Right>
std::vector<T> normalized(int n, int h, int w, const Left& left_element,
                          const Right& right_element) {
  using View = Kokkos::View<T***, Kokkos::LayoutRight, Exec>;
  const View left("left", n, h, w), right("right", n, h, w),
      out("out", n, 2 * h - 1, 2 * w - 1);
  const auto l = Kokkos::create_mirror_view(left);
  const auto r = Kokkos::create_mirror_view(right);
  for (int i = 0; i < n; ++i)
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x) {
        l(i, y, x) = left_element(i, y, x);
        r(i, y, x) = right_element(i, y, x);
      }
  Kokkos::deep_copy(left, l);
  Kokkos::deep_copy(right, r);
  CorrelateOptions options;
  options.normalize = Normalize::whole;
  options.algorithm = CorrelateAlgorithm::basic;
  cross_correlate(left, right, out, options);
  return Test::host_values(out);
}

/// Scales are powers of two.
template <class T, class Exec>
void check_scales(int n, int h, int w, const std::vector<int>& scales) {
  using R             = Impl::real_of<T>;
  const double few    = 200 * double(std::numeric_limits<R>::epsilon());
  const auto elements = [](int scale) {
    return [scale](int i, int y, int x) {
      return Test::correlate_value<T>(i, y, x, 0) * std::ldexp(R(1), scale);
    };
  };
  const auto expected = normalized<T, Exec>(n, h, w, elements(0), elements(0));
  const std::size_t size = expected.size() / std::size_t(n);
  for (int i = 0; i < n; ++i)
    CHECK(std::abs(Test::widen(expected[std::size_t(i) * size + size / 2]) -
                   1.) < few);
  for (std::size_t k = 0; k < scales.size(); ++k) {
    INFO(h << " x " << w << ", scale 2^" << scales[k] << ", bytes "
           << sizeof(T));
    const auto scaled =
        normalized<T, Exec>(n, h, w, elements(scales[k]),
                            elements(scales[(k + 1) % scales.size()]));
    double worst = 0;
    for (std::size_t p = 0; p < scaled.size(); ++p) {
      const double error =
          std::abs(Test::widen(scaled[p]) - Test::widen(expected[p]));
      worst = error <= worst ? worst : error;  // not a number: worst
    }
    CHECK(worst < few);
  }
}

template <class T, class Exec>
void check_ends_of_range() {
  using Limits = std::numeric_limits<T>;
  const T inf  = Limits::infinity();
  for (const T value : {Limits::denorm_min(), T(2), Limits::max()}) {
    const auto same = [=](int, int, int) { return value; };
    for (const T v : normalized<T, Exec>(1, 3, 5, same, same)) CHECK(v == 0);
    // one element is the next number
    const auto two = [=](int, int y, int x) {
      return y == 1 && x == 2 ? std::nextafter(value, T(1)) : value;
    };
    const auto near = normalized<T, Exec>(1, 3, 5, two, two);
    CHECK(std::fabs(near[2 * 9 + 4] - 1) < 100 * Limits::epsilon());
  }
  const auto both = [](int, int, int x) {
    return x % 2 ? Limits::max() : Limits::lowest();
  };
  const auto peak = normalized<T, Exec>(1, 3, 5, both, both);
  CHECK(std::fabs(peak[2 * 9 + 4] - 1) < 100 * Limits::epsilon());
  for (const T value : {inf, Limits::quiet_NaN()}) {
    const auto one = [=](int, int y, int x) {
      return y == 1 && x == 2 ? value : T(x);
    };
    const auto good = [](int, int y, int) { return T(y); };
    for (const T v : normalized<T, Exec>(1, 3, 5, one, good))
      CHECK(std::isnan(v));
  }
}

// Hosts exchange rows and columns of such matrices.
TEMPLATE_LIST_TEST_CASE("narrow, tall matrices", "[correlate]", Spaces) {
  using Exec       = TestType;
  const auto left  = matrices<Exec>(2, 37, 3, 0),
             right = matrices<Exec>(3, 21, 2, 5);
  CorrelateOptions options, basic;
  basic.algorithm             = CorrelateAlgorithm::basic;
  const ShiftWindow windows[] = {{-9, 30, -1, 3}, {4, 5, 0, 1}};
  for (const auto mode :
       {CorrelateMode::full, CorrelateMode::same, CorrelateMode::window})
    for (const auto normalize :
         {Normalize::none, Normalize::whole, Normalize::local})
      for (const ShiftWindow& window : windows) {
        for (CorrelateOptions* o : {&options, &basic}) {
          o->pairing   = Pairing::n_to_m;
          o->mode      = mode;
          o->window    = window;
          o->normalize = normalize;
        }
        const auto shifts = correlate_shifts(37, 3, 21, 2, mode, window);
        const Out<Exec> out("out", 2, 3, shifts.dy1 - shifts.dy0,
                            shifts.dx1 - shifts.dx0),
            expected("expected", 2, 3, out.extent(2), out.extent(3));
        const CrossCorrelatePlan<Exec, float, double> plan(Exec(), left, right,
                                                           out, options);
        CHECK((plan.describe().find("rows and columns exchanged") !=
               std::string::npos) == Impl::is_host_space_v<Exec>);
        CHECK(plan.shifts().dy1 == shifts.dy1);
        cross_correlate(Exec(), plan, left, right, out);
        cross_correlate(Exec(), left, right, expected, basic);
        const auto a = Test::host_copy(out);
        const auto b = Test::host_copy(expected);
        double off = 0, most = 0;
        for (std::size_t k = 0; k < a.size(); ++k) {
          off  = Test::larger_error(off, std::abs(a.data()[k] - b.data()[k]));
          most = std::max(most, std::abs(b.data()[k]));
        }
        CHECK(off <= 1e-14 * most);
      }
}

TEMPLATE_LIST_TEST_CASE("norms neither overflow nor vanish", "[correlate]",
                        Spaces) {
  using Exec = TestType;
  // one matrix of many rows: several teams
  for (const auto& n : {std::array<int, 3>{2, 7, 9}, {1, 150, 3}}) {
    const std::vector<int> narrow = {-115, -70, -30, 60, 90, 127},
                           wide   = {-1000, -530, -400, 500, 600, 1023};
    check_scales<float, Exec>(n[0], n[1], n[2], narrow);
    check_scales<double, Exec>(n[0], n[1], n[2], wide);
    check_scales<Kokkos::complex<float>, Exec>(n[0], n[1], n[2], narrow);
  }
  check_ends_of_range<float, Exec>();
  check_ends_of_range<double, Exec>();
}

// ---------------------------------------------------------------------------

/// Right matrices with a few elements that are not 0: few products a shift.
template <class T, class Exec>
void check_large_fft(int n, int m, const CorrelateExtents& e,
                     const ShiftWindow& window) {
  using View = Kokkos::View<T***, Kokkos::LayoutRight, Exec>;
  const View left("left", n, e.left_h, e.left_w),
      right("right", m, e.right_h, e.right_w);
  const auto l = Kokkos::create_mirror_view(left);
  const auto r = Kokkos::create_mirror_view(right);
  for (int i = 0; i < n; ++i)
    for (int y = 0; y < e.left_h; ++y)
      for (int x = 0; x < e.left_w; ++x)
        l(i, y, x) = Test::correlate_value<T>(i, y, x, 0);
  const auto some = [&](int j, int k) {  // the first, the last, two others
    return k == 0   ? std::make_pair(0, 0)
           : k == 1 ? std::make_pair(e.right_h - 1, e.right_w - 1)
                    : std::make_pair((71 * k + 13 * j) % e.right_h,
                                     (37 * k + 29 * j) % e.right_w);
  };
  for (int j = 0; j < m; ++j)
    for (int k = 0; k < 4; ++k)
      r(j, some(j, k).first, some(j, k).second) =
          Test::correlate_value<T>(j, k, 3, 1);
  Kokkos::deep_copy(left, l);
  Kokkos::deep_copy(right, r);
  CorrelateOptions options;
  options.algorithm = CorrelateAlgorithm::fft;
  options.pairing   = Pairing::n_to_m;
  options.mode      = CorrelateMode::window;
  options.window    = window;
  const int rows = window.dy1 - window.dy0, columns = window.dx1 - window.dx0;
  const Kokkos::View<T****, Kokkos::LayoutRight, Exec> out("out", n, m, rows,
                                                           columns);
  cross_correlate(left, right, out, options);
  const auto check = [&] {
    const auto o = Test::host_copy(out);
    double worst = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < m; ++j)
        for (int dy = 0; dy < rows; ++dy)
          for (int dx = 0; dx < columns; ++dx) {
            auto sum = Test::widen(T(0));
            for (int k = 0; k < 4; ++k) {
              const auto at = some(j, k);
              const int y   = at.first + window.dy0 + dy,
                        x   = at.second + window.dx0 + dx;
              if (y < 0 || y >= e.left_h || x < 0 || x >= e.left_w) continue;
              const T value = r(j, at.first, at.second);
              if constexpr (Impl::is_complex_v<T>)
                sum += Test::widen(l(i, y, x)) * std::conj(Test::widen(value));
              else
                sum += Test::widen(l(i, y, x)) * Test::widen(value);
            }
            worst = Test::larger_error(
                worst, std::abs(Test::widen(o(i, j, dy, dx)) - sum));
          }
    INFO(n << " x " << m << " pairs, bytes " << sizeof(T));
    CHECK(worst <
          1e3 * double(std::numeric_limits<Impl::real_of<T>>::epsilon()));
  };
  check();
#ifdef SPOROS_HAVE_FFTW
  if constexpr (Impl::is_host_space_v<Exec>) {  // as many threads do it
    using Batch = Impl::MatrixBatch<const T>;
    Impl::CorrelateProblem<T, T> p;
    p.shape           = {e, window};
    p.shape.extents.n = n;
    p.shape.extents.m = m;
    p.left = Batch{left.data(), std::ptrdiff_t(left.stride(0)), 0, e.left_w, 1};
    p.right =
        Batch{right.data(), 0, std::ptrdiff_t(right.stride(0)), e.right_w, 1};
    p.out = {out.data(), std::ptrdiff_t(out.stride(0)),
             std::ptrdiff_t(out.stride(1)), columns, 1};
    Impl::FftwWorkspace<Exec, T> space;
    space.plan(Exec(), p.shape, options.pairing, false);
    Kokkos::deep_copy(out, T(7));
    Impl::correlate_fft(Exec(), p, space, 1000);
    check();
  }
#endif
}

// Threads share large pairs if there are few.
TEMPLATE_LIST_TEST_CASE("FFTs of large matrices", "[correlate]", Spaces) {
  if (!Impl::has_correlate_fft<TestType>) return;
  const CorrelateExtents e{1, 1, 210, 190, 170, 230};
  const ShiftWindow all{-169, 210, -229, 190};
  check_large_fft<float, TestType>(1, 1, e, all);
  check_large_fft<double, TestType>(1, 2, e, {-100, 205, -220, 187});
  check_large_fft<float, TestType>(2, 1, e, {-169, 100, -50, 190});
  check_large_fft<Kokkos::complex<float>, TestType>(1, 1, e, all);
  check_large_fft<Kokkos::complex<double>, TestType>(2, 2, e,
                                                     {-150, 200, 2, 180});
}

// ---------------------------------------------------------------------------

TEMPLATE_LIST_TEST_CASE(
    "a plan's second run allocates nothing, its kernels "
    "have names",
    "[correlate]", Spaces) {
  using Exec       = TestType;
  const auto left  = matrices<Exec>(3, 20, 17, 0);
  const auto right = matrices<Exec>(2, 11, 19, 5);
  Test::CorrelateCase c;
  c.e = {3, 2, 20, 17, 11, 19};
  for (const auto& a :
       Test::correlate_algorithms<Exec>(c, Pairing::n_to_m, 8)) {
    CorrelateOptions options = a.options;
    options.normalize        = Normalize::whole;
    const CrossCorrelatePlan<Exec, float, double> plan(Exec(), c.e, options);
    const Out<Exec> out("out", 3, 2, plan.shifts().rows(),
                        plan.shifts().columns());
    cross_correlate(plan, left, right, out);
    const std::size_t bytes = plan.bytes();
    {
      const Test::Recorder recorder;
      cross_correlate(plan, left, right, out);
    }
    INFO(a.name << '\n' << plan.describe());
    CHECK(Test::events.allocations.empty());
    const std::string whole = "Sporos::cross_correlate/",
                      phase = "Sporos::cross_correlate::";
    CHECK(Test::regions_match());
    CHECK(Test::saw_region(whole + phase + "prepare"));
    CHECK(Test::saw_region(
        whole + phase +
        (plan.algorithm() == CorrelateAlgorithm::fft ? "fft" : "sum")));
    CHECK(plan.bytes() == bytes);
    CHECK(Test::events.kernels.size() >= 3);
    for (const std::string& label : Test::events.kernels)
      CHECK(label.find("Sporos::cross_correlate::") == 0);
    CHECK(plan.algorithm() != CorrelateAlgorithm::automatic);
    const Test::Recorder recorder;
    CHECK_THROWS_AS(cross_correlate(plan, right, left, out),
                    std::invalid_argument);
    CHECK(Test::saw_region("Sporos::cross_correlate"));
    CHECK(Test::regions_match());
    CHECK(plan.describe().find(
              "n_to_m, 3 x 2 pairs of matrices (20, 17) and (11, 19)") !=
          std::string::npos);
    CHECK(plan.describe().find("[-10, 20) x [-18, 17)") != std::string::npos);
  }
}

}  // namespace CorrelateMixed
