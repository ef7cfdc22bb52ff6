// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Sporos_Test.hpp>

#include "App_Test.hpp"
#include "Nufft_Problem.hpp"
#include "Nufft_Run.hpp"
#include "Nufft_Image.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>

using namespace NufftApp;

namespace {

template <class T>
using Numbers = Vector<Kokkos::complex<T>>;

Sporos::NufftOptions with(double tolerance) {
  Sporos::NufftOptions options;
  options.tolerance = tolerance;
  return options;
}

/// Both transforms of a problem.
template <class T>
struct Both {
  Numbers<T> modes, values;

  Both(AnyTransform<T>& transform, const Problem<T>& p, int sign)
      : modes("modes", p.all_modes()), values("values", p.points.extent(0)) {
    transform.update(p.points);
    transform.type1(p.strengths, modes, sign);
    transform.type2(p.amplitudes, values, -sign);
  }
};

template <class T>
void check_errors(int dimension, int modes, int points, int sign,
                  double tolerance) {
  const Exec exec;
  const Problem<T> p(dimension, modes, points, 7);
  const auto transform =
      make_transform<T>(exec, dimension, modes, with(tolerance));
  const Both<T> both(*transform, p, sign);
  const double error1 = error_of_type1(exec, p, both.modes, sign, 0, 1);
  const double error2 = error_of_type2(exec, p, both.values, -sign, 0, 1);
  CAPTURE(dimension, modes, points, sign, tolerance);
  // the errors of few modes or points need not be like the mean
  const bool few = modes < 10 || points < 100;
  CHECK(error1 < (few ? 5 : 1) * tolerance);
  CHECK(error2 < (few ? 5 : 1) * tolerance);
  if (few) return;
  CHECK(error1 > tolerance / 40);
  CHECK(error2 > tolerance / 40);
}

/// sum of a conj(b)
template <class T>
Kokkos::complex<double> product(const Numbers<T>& a, const Numbers<T>& b) {
  const auto x = Sporos::Test::host_copy(a);
  const auto y = Sporos::Test::host_copy(b);
  Kokkos::complex<double> sum(0);
  for (std::size_t i = 0; i < x.size(); ++i)
    sum += Kokkos::complex<double>(x(i)) *
           Kokkos::conj(Kokkos::complex<double>(y(i)));
  return sum;
}

Options small() {
  Options o;
  o.modes     = 40;
  o.points    = 900;
  o.tolerance = 1e-3;
  o.repeat    = 1;
  o.quiet     = true;
  o.no_files  = true;
  return o;
}

Report ran(const Options& o) {
  std::ostringstream out;
  return run(o, out);
}

}  // namespace

TEST_CASE("nufft: errors are within the tolerance", "[nufft]") {
  for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 3e-5}) {
    check_errors<double>(2, 36, 700, 1, tolerance);
    check_errors<double>(3, 12, 500, -1, tolerance);
    if (tolerance >= 1e-5) {
      check_errors<float>(2, 36, 400, -1, tolerance);
      check_errors<float>(3, 12, 400, 1, tolerance);
    }
  }
}

TEST_CASE("nufft: any number of modes and points", "[nufft]") {
  for (const int modes : {4, 5, 7, 9})
    for (const int points : {1, 2, 131}) {
      check_errors<double>(2, modes, points, 1, 1e-4);
      check_errors<double>(3, modes, points, 1, 1e-6);
    }
  check_errors<double>(2, 50, 301, 1, 1e-6);
  check_errors<double>(2, 63, 301, 1, 1e-3);
  check_errors<double>(3, 17, 301, 1, 1e-3);
}

TEST_CASE("nufft: the types are adjoint", "[nufft]") {
  for (const int dimension : {2, 3}) {
    const Exec exec;
    const Problem<double> p(dimension, 14, 333, 3);
    const auto transform =
        make_transform<double>(exec, dimension, 14, with(1e-2));
    const Both<double> both(*transform, p, 1);
    const auto a = product<double>(both.modes, p.amplitudes);
    const auto b = product<double>(p.strengths, both.values);
    CAPTURE(dimension, a, b);
    CHECK(Kokkos::abs(a - b) < 1e-12 * Kokkos::abs(a));
  }
}

TEST_CASE("nufft: points are folded into the period, and may change",
          "[nufft]") {
  const Exec exec;
  Problem<double> p(2, 16, 50, 5);
  const auto transform = make_transform<double>(exec, 2, 16, with(1e-6));
  const Both<double> before(*transform, p, 1);
  const auto x = Sporos::Test::host_copy(p.points);
  for (std::size_t i = 0; i < x.extent(0); ++i)
    x(i, i % 2) += 2 * std::acos(-1.) * (i % 5 - 2.);
  Kokkos::deep_copy(p.points, x);
  const Both<double> other(*transform, Problem<double>(2, 16, 77, 6), 1);
  const Both<double> after(*transform, p, 1);
  CHECK(relative_error<double>(after.modes, choose(256, 0, 1), before.modes) <
        1e-12);
  CHECK(relative_error<double>(after.values, choose(50, 0, 1), before.values) <
        1e-12);
}

TEST_CASE("nufft: a run reports errors, and checks them", "[nufft]") {
  Options o      = small();
  const Report r = ran(o);
  CHECK(r.support >= 4);
  CHECK(r.fine >= 50);
  CHECK(r.image < 0);
  for (const Check& c : checks(r)) CHECK(c.ok);
  CHECK(r.time1.total() > 0);
  CHECK(r.time2.fft > 0);
  o.upsampling = 1.5;
  o.single     = true;
  o.dimension  = 3;
  o.modes      = 10;
  Report bad   = ran(o);
  CHECK(bad.fine == 16);
  for (const Check& c : checks(bad)) CHECK(c.ok);
  bad.error1 = bad.error2 = 1;
  for (const Check& c : checks(bad)) CHECK_FALSE(c.ok);
  std::ostringstream out;
  print(bad, out);
  CAPTURE(out.str());
  CHECK(out.str().find("type 1 FAILED") != std::string::npos);
  CHECK(out.str().find("10 x 10 x 10 on a grid of 16 x 16 x 16") !=
        std::string::npos);
}

TEST_CASE("nufft: an image from its spectrum", "[nufft]") {
  const AppTest::Folder folder("sporos_nufft_test");
  Options o      = small();
  o.modes        = 96;
  o.no_files     = false;
  o.output       = folder.path.string();
  const Report r = ran(o);
  CHECK(r.image > 0);
  CHECK(r.image < .15);
  const auto file = folder.path / "nufft.png";
  CHECK(std::filesystem::exists(file) == AppCommon::can_draw());
  if (AppCommon::can_draw()) {
    CHECK(std::filesystem::file_size(file) > 1000);
    o.output = (file / "no_folder").string();
    CHECK_THROWS_AS(ran(o), std::runtime_error);
  }

  Reconstruction pictures;
  pictures.side     = 4;
  pictures.original = std::vector<double>(16, .25);
  pictures.samples  = std::vector<double>(16, 2.);
  pictures.image    = std::vector<double>(16, .5);
  const auto image  = draw(pictures);
  CHECK(image.width() == 16);
  CHECK(image(1, 1)[0] == Approx(.25f).margin(.002));
  CHECK(image(7, 1)[1] == 1.f);
  CHECK(image(15, 3)[2] == Approx(.5f).margin(.002));
}
