// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Sporos_Test.hpp>

#include "Piv_Validate.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>

using namespace PivApp;

namespace {

/// Vectors as validate leaves them.
Vectors validated(const Vectors& v) {
  const Exec exec;
  const Field f(v.grid);
  const auto moves   = Kokkos::create_mirror_view(f.moves);
  const auto quality = Kokkos::create_mirror_view(f.quality);
  const auto status  = Kokkos::create_mirror_view(f.status);
  for (int n = 0; n < v.grid.size(); ++n) {
    const auto k  = std::size_t(n);
    moves(n, 0)   = v.dy[k];
    moves(n, 1)   = v.dx[k];
    quality(n, 0) = v.peak[k];
    quality(n, 1) = v.snr[k];
    status(n)     = v.status[k];
  }
  Kokkos::deep_copy(f.moves, moves);
  Kokkos::deep_copy(f.quality, quality);
  Kokkos::deep_copy(f.status, status);
  validate(exec, f, {2, 1.1});
  return vectors_of(exec, f);
}

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
  v                   = validated(v);
  CHECK(v.outliers() == 0);
  CHECK(v.dx == exact.dx);

  v.dx[at(v, 3, 4)] += 2;                                         // wrong peak
  v.dy[at(v, 0, 0)]  = -5;                                        // a corner
  v.snr[at(v, 6, 2)] = 1;                                         // weak
  v.dx[at(v, 7, 7)]  = std::numeric_limits<double>::quiet_NaN();  // none
  v                  = validated(v);
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
  v = validated(v);
  CHECK(v.outliers() == 25);
  for (const double dx : v.dx) CHECK(std::abs(dx) < 5);

  for (double& snr : v.snr) snr = 0;  // nothing to go by
  v = validated(v);
  CHECK(v.outliers() == v.grid.size());
  for (const double dx : v.dx) CHECK(dx == 0);
}

TEST_CASE("piv: holes with most neighbours are filled first", "[piv]") {
  Vectors v(WindowGrid(224, 224, 32, 50));
  for (double& dx : v.dx) dx = 1;
  for (int j = 5; j < 8; ++j)
    for (int i = 5; i < 8; ++i) v.snr[at(v, i, j)] = 3;
  v.dx[at(v, 7, 7)] = 1.15;
  v                 = validated(v);
  CHECK(v.outliers() == v.grid.size() - 9);
  // where (7, 7) is the only one to go by at first
  CHECK(v.dx[at(v, 8, 8)] == 1);
}

TEST_CASE("piv: masked windows are no neighbours", "[piv]") {
  Vectors v           = shear();
  const Vectors exact = v;
  for (int j = 0; j < v.grid.ny; ++j)
    for (int i = 4; i < 7; ++i) {
      v.status[at(v, i, j)] = Status::masked;
      v.dx[at(v, i, j)]     = 50;
    }
  v = validated(v);
  CHECK(v.outliers() == 0);
  CHECK(v.masked() == 3 * v.grid.ny);
  // with a displacement for the next pass
  for (std::size_t k = 0; k < v.dx.size(); ++k)
    CHECK(v.dx[k] == Approx(exact.dx[k]).margin(0.33));
}
