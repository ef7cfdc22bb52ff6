// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Local measures and masks against plain sums in double.

#include "Sporos_CorrelateCases.hpp"
#include "Sporos_PlainLocal.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace CorrelateLocal {

using namespace Sporos;
using Test::Spaces;

constexpr Normalize measures[] = {
    Normalize::local, Normalize::local_mean_only, Normalize::local_norm_only,
    Normalize::square_difference, Normalize::square_difference_normalized};

/// Left and right matrices with all that a test needs of them.
template <class T, class A, class Exec>
struct Matrices {
  CorrelateExtents e;
  Kokkos::View<T***, Kokkos::LayoutRight, Exec> left, right;
  Kokkos::View<unsigned char***, Kokkos::LayoutRight, Exec> left_mask;
  Kokkos::View<float***, Kokkos::LayoutLeft, Exec> right_mask;

  /// element(side, matrix, y, x)
  template <class Element>
  Matrices(const CorrelateExtents& e_, const Element& element)
      : e(e_),
        left("left", e.n, e.left_h, e.left_w),
        right("right", e.m, e.right_h, e.right_w),
        left_mask("left mask", e.n, e.left_h, e.left_w),
        right_mask("right mask", e.m, e.right_h, e.right_w) {
    const auto fill = [](const auto& view, const auto& f) {
      const auto host = Kokkos::create_mirror_view(view);
      for (std::size_t i = 0; i < host.extent(0); ++i)
        for (std::size_t y = 0; y < host.extent(1); ++y)
          for (std::size_t x = 0; x < host.extent(2); ++x)
            host(i, y, x) = f(int(i), int(y), int(x));
      Kokkos::deep_copy(view, host);
    };
    fill(left, [&](int i, int y, int x) { return T(element(0, i, y, x)); });
    fill(right, [&](int i, int y, int x) { return T(element(1, i, y, x)); });
    fill(left_mask, [](int i, int y, int x) {
      return (unsigned char)((y * 3 + x * 5 + i) % 7 != 0);
    });
    fill(right_mask, [](int i, int y, int x) {
      return float((y * 5 + x * 2 + i) % 4) / 2.f;
    });
  }

  /// The largest error in units of what may be wrong.
  double error(const CorrelateOptions& o, bool masked) const {
    const CrossCorrelatePlan<Exec, T, A> plan(Exec(), e, o, true);
    const ShiftWindow s = plan.shifts();
    const Kokkos::View<A****, Kokkos::LayoutStride, Exec> out(
        "out", strided(e.n, e.m, s.rows(), s.columns()));
    if (masked)
      cross_correlate(plan, left, left_mask, right, right_mask, out);
    else
      cross_correlate(plan, left, right, out);
    const auto l  = Test::host_copy(left);
    const auto r  = Test::host_copy(right);
    const auto lm = Test::host_copy(left_mask);
    const auto rm = Test::host_copy(right_mask);
    const Kokkos::View<A****, Kokkos::LayoutRight, Exec> dense(
        "dense", e.n, e.m, s.rows(), s.columns());
    Kokkos::deep_copy(dense, out);
    const auto results  = Test::host_copy(dense);
    const auto rounding = Test::PlainRounding::of<A>(
        o.normalize, plan.algorithm() == CorrelateAlgorithm::fft);
    double worst = 0;
    for (int i = 0; i < e.n; ++i)
      for (int j = 0; j < e.m; ++j) {
        Test::PlainLocal<double> plain{
            o, e, masked, double(std::numeric_limits<A>::max()), rounding};
        for (int y = 0; y < e.left_h; ++y)
          for (int x = 0; x < e.left_w; ++x)
            plain.left.add(double(l(i, y, x)), masked ? lm(i, y, x) : 1.);
        for (int y = 0; y < e.right_h; ++y)
          for (int x = 0; x < e.right_w; ++x)
            plain.right.add(double(r(j, y, x)), masked ? rm(j, y, x) : 1.);
        plain.prepare();
        for (int oy = 0; oy < s.rows(); ++oy)
          for (int ox = 0; ox < s.columns(); ++ox)
            worst = Test::larger_error(
                worst, plain.error(double(results(i, j, oy, ox)), s.dy0 + oy,
                                   s.dx0 + ox));
      }
    return worst;
  }

 private:
  static Kokkos::LayoutStride strided(int n, int m, int h, int w) {
    return Kokkos::LayoutStride(std::size_t(n), std::size_t(h) * m * w * 2,
                                std::size_t(m), std::size_t(2 * w),
                                std::size_t(h), std::size_t(m) * w * 2,
                                std::size_t(w), 2);
  }
};

/// All measures, in turn with algorithms, for extents of all kinds.
template <class T, class A, class Exec, class Element>
void check_measures(const Element& element) {
  const int extents[][4] = {{1, 1, 1, 1},   {9, 11, 4, 5},  {4, 5, 9, 11},
                            {1, 19, 1, 6},  {17, 2, 5, 2},  {12, 12, 12, 12},
                            {6, 20, 11, 3}, {23, 18, 7, 21}};
  std::size_t turn       = 0;
  for (const auto& n : extents) {
    const CorrelateExtents e{2, 3, n[0], n[1], n[2], n[3]};
    const Matrices<T, A, Exec> matrices(e, element);
    for (const Normalize normalize : measures)
      for (const bool masked : {false, true}) {
        Test::CorrelateCase c;
        c.e                         = e;
        const CorrelateMode modes[] = {
            CorrelateMode::full, CorrelateMode::window, CorrelateMode::same};
        c.mode         = modes[turn % 3];
        c.window       = {-3, 40, -9, 5};
        const auto all = Test::correlate_algorithms<Exec>(c, Pairing::n_to_m,
                                                          int(sizeof(A)));
        for (int k = 0; k < 2; ++k) {
          const auto& named  = all[turn++ % all.size()];
          CorrelateOptions o = named.options;
          o.normalize        = normalize;
          o.least_overlap    = turn % 4 == 0 ? .3 : 0;
          const double worst = matrices.error(o, masked);
          INFO(c.name() << ", " << named.name << ", measure "
                        << Impl::name_of(normalize) << ", masked " << masked);
          CHECK(worst <= 1);
        }
      }
  }
}

TEMPLATE_LIST_TEST_CASE("local measures", "[correlate]", Spaces) {
  // of some contrast, and some flat parts
  const auto element = [](int side, int i, int y, int x) {
    const double v = Test::correlate_value<double>(i, y, x, 5 * side);
    return x > 14 ? 3. : y % 7 < 3 ? v : 20 * v + 7;
  };
  check_measures<double, double, TestType>(element);
  // bright, of 16 bits
  const auto bright = [](int side, int i, int y, int x) {
    return 60000 +
           std::floor(5.9 * Test::correlate_value<double>(i, y, x, 5 * side));
  };
  check_measures<std::uint16_t, float, TestType>(bright);
}

TEMPLATE_LIST_TEST_CASE("of an overlap one side is nearly flat", "[correlate]",
                        Spaces) {
  // two elements of left, far from each other, meet two of right that differ by
  // 1e-3, 1e-4 or 1e-5: the squares of right have lost up to 10 digits
  using Exec         = TestType;
  const auto element = [](int side, int j, int y, int x) {
    if (side == 0) return y == 0 ? .3 : 0.;
    if (x == 7 && y == 2) return 1 + std::pow(10., -3 - j);
    return x == 7 && y == 3 ? 1. : Test::correlate_value<double>(j, y, x, 3);
  };
  const Matrices<double, double, Exec> m({1, 3, 4, 1, 4, 19}, element);
  Test::CorrelateCase c;
  c.e = m.e;
  for (const auto& named : Test::correlate_algorithms<Exec>(
           c, Pairing::n_to_m, int(sizeof(double)))) {
    CorrelateOptions o = named.options;
    o.mode             = CorrelateMode::full;
    INFO(named.name);
    for (const Normalize normalize : measures) {
      o.normalize = normalize;
      CHECK(m.error(o, false) <= 1);
    }
    o.normalize = Normalize::local;
    o.mode      = CorrelateMode::window;
    o.window    = {-2, -1, -7, -6};
    const Kokkos::View<double****, Exec> out("out", 1, 3, 1, 1);
    cross_correlate(m.left, m.right, out, o);
    const auto host = Test::host_copy(out);
    for (int j = 0; j < 3; ++j)  // two elements each: 1, or -1
      CHECK(std::fabs(host(0, j, 0, 0) - 1) < std::pow(10., 2 * j - 8));
  }
}

TEMPLATE_LIST_TEST_CASE("a part of an image has a coefficient of 1 there",
                        "[correlate]", Spaces) {
  // contrast 2 on the left, 40 on the right, and a flat patch
  using Exec     = TestType;
  const int size = Test::slow_run ? 60 : 200, part = size / 10;
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  std::vector<double> noise(std::size_t(size * size));
  for (double& v : noise) v = normal(random);
  const int y0 = size / 2, x0 = size / 5;
  const auto pixel = [&](int y, int x) {
    if (y < size / 4 && x < size / 4) return 128.;
    return 128 + (x < size / 2 ? 2 : 40) * noise[std::size_t(y * size + x)];
  };
  const auto element = [&](int side, int, int y, int x) {
    return side == 0 ? pixel(y, x) : pixel(y + y0, x + x0);
  };
  const auto check = [&](auto t, auto a, double eps) {
    using T = decltype(t);
    using A = decltype(a);
    const Matrices<T, A, Exec> m({1, 1, size, size, part, part}, element);
    for (const auto algorithm :
         {CorrelateAlgorithm::automatic, CorrelateAlgorithm::tile}) {
      CorrelateOptions o;
      o.mode      = CorrelateMode::valid;
      o.normalize = Normalize::local;
      o.algorithm = algorithm;
      const Kokkos::View<A***, Exec> out("out", 1, size - part + 1,
                                         size - part + 1);
      cross_correlate(m.left, m.right, out, o);
      const auto host = Test::host_copy(out);
      int y = 0, x = 0;
      for (int v = 0; v <= size - part; ++v)
        for (int u = 0; u <= size - part; ++u)
          if (host(0, v, u) > host(0, y, x)) y = v, x = u;
      CHECK(y == y0);
      CHECK(x == x0);
      CHECK(std::fabs(host(0, y, x) - 1) < eps);
      CHECK(host(0, 0, 0) == 0);
      o.pairing = Pairing::n_to_m;
      o.mode    = CorrelateMode::window;
      o.window  = {size - part - 2, size - part + 4, 0, size};
      CHECK(m.error(o, false) <= 1);
    }
  };
  check(double(), double(), 1e-12);
  check(std::uint16_t(), float(), 4e-6);
}

TEMPLATE_LIST_TEST_CASE("what a mask leaves out does not exist", "[correlate]",
                        Spaces) {
  // a frame of NaN around left, and one of other numbers around right
  using Exec = TestType;
  const CorrelateExtents inner{1, 1, 14, 11, 6, 7}, outer{1, 1, 20, 15, 8, 9};
  const auto element = [](int side, int, int y, int x) {
    return Test::correlate_value<double>(0, y, x, side);
  };
  const auto framed = [&](int side, int i, int y, int x) {
    const bool in = side == 0 ? y >= 3 && y < 17 && x >= 2 && x < 13
                              : y >= 1 && y < 7 && x >= 1 && x < 8;
    if (in)
      return side == 0 ? element(0, i, y - 3, x - 2)
                       : element(1, i, y - 1, x - 1);
    return side == 0 ? std::numeric_limits<double>::quiet_NaN() : 99.;
  };
  const Matrices<double, double, Exec> a(inner, element), b(outer, framed);
  const Kokkos::View<int***, Exec> left_mask("left mask", 1, 20, 15),
      right_mask("right mask", 1, 8, 9);
  const auto ones = [](const auto& mask, int y0, int y1, int x0, int x1) {
    const auto host = Kokkos::create_mirror_view(mask);
    for (int y = y0; y < y1; ++y)
      for (int x = x0; x < x1; ++x) host(0, y, x) = 1;
    Kokkos::deep_copy(mask, host);
  };
  ones(left_mask, 3, 17, 2, 13);
  ones(right_mask, 1, 7, 1, 8);
  for (const Normalize normalize :
       {Normalize::none, Normalize::local, Normalize::square_difference}) {
    CorrelateOptions o;
    o.normalize     = normalize;
    o.mode          = CorrelateMode::window;
    o.window        = {-5, 14, -6, 11};
    o.least_overlap = normalize == Normalize::none ? 0 : .1;
    const Kokkos::View<double***, Exec> out("out", 1, 19, 17),
        expected("expected", 1, 19, 17);
    cross_correlate(a.left, a.right, expected, o);
    o.window = {-3, 16, -5, 12};  // the frames move it by (2, 1)
    cross_correlate(b.left, left_mask, b.right, right_mask, out, o);
    const auto x = Test::host_values(out), y = Test::host_values(expected);
    double worst = 0;
    for (std::size_t k = 0; k < x.size(); ++k)
      if (x[k] != y[k])
        worst = Test::larger_error(worst, std::fabs(x[k] - y[k]));
    INFO(Impl::name_of(normalize));
    CHECK(worst < 1e-12);
    // one side only
    cross_correlate(a.left, NoMask(), a.right, NoMask(), out, [&] {
      auto same   = o;
      same.window = {-5, 14, -6, 11};
      return same;
    }());
    const auto z = Test::host_values(out);
    worst        = 0;
    for (std::size_t k = 0; k < x.size(); ++k)
      if (z[k] != y[k])
        worst = Test::larger_error(worst, std::fabs(z[k] - y[k]));
    CHECK(worst < 1e-12);
  }
}

TEMPLATE_LIST_TEST_CASE("shifts of little overlap", "[correlate]", Spaces) {
  using Exec = TestType;
  const Kokkos::View<double**, Exec> left("left", 6, 8), right("right", 6, 8);
  const Kokkos::View<double**, Exec> out("out", 13, 15);
  Kokkos::deep_copy(left, 1.);
  for (const Normalize normalize : measures) {
    CorrelateOptions o;
    o.normalize     = normalize;
    o.mode          = CorrelateMode::window;
    o.window        = {-6, 7, -7, 8};
    o.least_overlap = .5;
    cross_correlate(left, right, out, o);
    const auto host = Test::host_copy(out);
    INFO(Impl::name_of(normalize));
    const bool squares = normalize == Normalize::square_difference;
    const bool normalized =
        normalize == Normalize::square_difference_normalized;
    const double little = squares      ? std::numeric_limits<double>::max()
                          : normalized ? 1.
                                       : 0.;
    CHECK(host(0, 7) == little);                    // no overlap
    CHECK(host(8, 7) == (squares ? 32. : little));  // 4 of 6 rows
    CHECK(host(9, 7) == (squares ? 24. : little));  // half
    CHECK(host(10, 7) == little);
  }
}

}  // namespace CorrelateLocal
