// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Sporos_Test.hpp>

#include "Piv_Peaks.hpp"
#include "Piv_Vectors.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>

using namespace PivApp;

namespace {

using Exec = Kokkos::DefaultExecutionSpace;

struct Found {
  float dx, dy, peak, snr;
};

/// What FindPeaks makes of value(dy, dx), shifts up to 8, windows of 32 pixels.
template <class F>
Found found(const F& value) {
  using View = Kokkos::View<float****, Kokkos::LayoutRight, Exec>;
  const View c("test::coefficients", 1, 1, 17, 17);
  const auto host = Kokkos::create_mirror_view(c);
  for (int dy = -8; dy <= 8; ++dy)
    for (int dx = -8; dx <= 8; ++dx)
      host(0, 0, dy + 8, dx + 8) = float(value(dy, dx) * (32 - std::abs(dy)) *
                                         (32 - std::abs(dx)) / (32. * 32.));
  Kokkos::deep_copy(c, host);
  const Kokkos::View<float* [4], Kokkos::LayoutRight, Exec> results(
      "test::results", 1);
  Kokkos::parallel_for("test::peaks", Kokkos::RangePolicy<Exec>(0, 1),
                       FindPeaks{c, results, 32, 8});
  const auto r = Kokkos::create_mirror_view(results);
  Kokkos::deep_copy(r, results);
  return {r(0, 0), r(0, 1), r(0, 2), r(0, 3)};
}

double gauss(double x, double y) { return std::exp(-(x * x + y * y) / 3); }

std::size_t at(const Vectors& v, int i, int j) {
  return std::size_t(j * v.grid.nx + i);
}

/// A shear with good peaks.
Vectors shear() {
  Vectors v(WindowGrid(224, 224, 32, 50));
  for (int n = 0; n < v.grid.size(); ++n) {
    v.dx[std::size_t(n)]  = 0.02 * v.grid.y(n);
    v.dy[std::size_t(n)]  = 1;
    v.snr[std::size_t(n)] = 3;
  }
  return v;
}

}  // namespace

TEST_CASE("piv: sub-pixel peaks", "[piv]") {
  for (const float x : {-0.45f, -0.1f, 0.f, 0.3f, 0.45f}) {
    const auto g = [x](float at_) { return std::exp(-(at_ - x) * (at_ - x)); };
    CHECK(subpixel(g(-1), g(0), g(1)) == Approx(x).margin(1e-5));
  }
  CHECK(subpixel(-0.5f, 1.f, -0.5f) == 0);
  CHECK(subpixel(-1.f, 1.f, 0.f) == Approx(1. / 6));  // of a parabola
  CHECK(subpixel(1, 1, 1) == 0);
  CHECK(subpixel(0, 1, 2) == 0);
  CHECK(subpixel(std::numeric_limits<float>::quiet_NaN(), 1, 0) == 0);
}

TEST_CASE("piv: peaks of coefficients", "[piv]") {
  const Found one =
      found([](int dy, int dx) { return gauss(dx - 2.3, dy + 4.6); });
  CHECK(one.dx == Approx(2.3).margin(1e-4));
  CHECK(one.dy == Approx(-4.6).margin(1e-4));
  CHECK(one.snr > 50);

  const Found two = found([](int dy, int dx) {
    return 0.5 * gauss(dx - 5, dy - 5) + 0.9 * gauss(dx + 3, dy + 2);
  });
  CHECK(two.dx == Approx(-3).margin(1e-3));
  CHECK(two.dy == Approx(-2).margin(1e-3));
  CHECK(two.peak == Approx(0.9).margin(1e-3));
  CHECK(two.snr == Approx(1.8).margin(0.01));

  const Found rim = found([](int dy, int dx) { return gauss(dx - 8, dy - 1); });
  CHECK(rim.dx == 8);
  CHECK(rim.snr == 0);
  CHECK(found([](int dy, int dx) {
          return dx == 1 && dy == 0 ? 1. : 0.;
        }).snr == 100);
  CHECK(found([](int, int) { return 0.; }).snr == 0);
}

TEST_CASE("piv: windows lie on a grid", "[piv]") {
  const WindowGrid g(100, 64, 32, 75);
  CHECK(g.step == 8);
  CHECK(g.nx == 9);
  CHECK(g.ny == 5);
  CHECK(g.size() == 45);
  CHECK(g.left(44) == 64);
  CHECK(g.top(44) == 32);
  CHECK(g.x(44) == 79.5);
  CHECK(WindowGrid(32, 32, 32, 0).size() == 1);
  CHECK_THROWS_AS(WindowGrid(31, 40, 32, 0), std::invalid_argument);
}

TEST_CASE("piv: outliers are found and replaced", "[piv]") {
  Vectors v           = shear();
  const Vectors exact = v;
  validate(v, 2, 1.1);
  CHECK(v.outliers() == 0);
  CHECK(v.dx == exact.dx);

  v.dx[at(v, 3, 4)] += 2;                                         // wrong peak
  v.dy[at(v, 0, 0)]  = -5;                                        // a corner
  v.snr[at(v, 6, 2)] = 1;                                         // weak
  v.dx[at(v, 7, 7)]  = std::numeric_limits<double>::quiet_NaN();  // none
  validate(v, 2, 1.1);
  CHECK(v.outliers() == 4);
  for (const auto k : {at(v, 3, 4), at(v, 0, 0), at(v, 6, 2), at(v, 7, 7)}) {
    CHECK(v.status[k] == Status::replaced);
    CHECK(v.dx[k] == Approx(exact.dx[k]).margin(0.33));
    CHECK(v.dy[k] == Approx(1));
  }
}

TEST_CASE("piv: holes are filled from their edges", "[piv]") {
  Vectors v = shear();
  for (int j = 4; j < 9; ++j)
    for (int i = 4; i < 9; ++i) {
      v.snr[at(v, i, j)] = 0;
      v.dx[at(v, i, j)]  = 99;
    }
  validate(v, 2, 1.1);
  CHECK(v.outliers() == 25);
  for (const double dx : v.dx) CHECK(std::abs(dx) < 5);

  for (float& snr : v.snr) snr = 0;  // nothing to go by
  validate(v, 2, 1.1);
  CHECK(v.outliers() == v.grid.size());
  for (const double dx : v.dx) CHECK(dx == 0);
}
