// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The normal operator of non-uniform FFTs, against the sums by definition and
// against type 2 followed by type 1, and its interface.

#include "Sporos_NufftNormalData.hpp"
#include "Sporos_Test.hpp"
#include "Sporos_ToolsRecorder.hpp"
#include "Sporos_WrongCalls.hpp"

#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <vector>

namespace NufftNormal {

using namespace Sporos;
using namespace Sporos::Test;
using Exec    = LastSpace;
using Memory  = typename SharedMemory<Exec>::type;
using Complex = Kokkos::complex<double>;
using Widths  = NufftWidths<5>;
using Plan    = NufftNormalPlan<Exec, 2, double, Widths>;
using Data    = NufftNormalData<Exec, 2, double, Memory>;
using Modes   = Kokkos::View<Complex**, Memory>;
using Points  = Kokkos::View<double**, Kokkos::LayoutLeft, Memory>;
using Weights = Kokkos::View<double*, Memory>;

template <int Dim, class T, class W>
void check_normal(const NufftCase& c, bool weighted) {
  NufftNormalData<Exec, Dim, T, Memory> data(c, weighted);
  auto plan = normal_plan<Exec, Dim, T, W>(c);
  CAPTURE(Dim, c.modes[0], c.modes[1], c.modes[2], c.points, int(c.places),
          c.tolerance, int(c.order), c.sign);
  CHECK(data.error(plan, c.sign) < 1);
}

TEST_CASE("nufft normal: errors are below the tolerance", "[nufft]") {
  const Places places[] = {Places::random, Places::clustered, Places::one_cell,
                           Places::at_ends, Places::far_away};
  for (int turn = 0; turn < 20; ++turn) {
    NufftCase c{{7 + turn % 2, 6 + turn / 2 % 2, 3 + turn / 4 % 2},
                30 + turn,
                places[turn % 5],
                2e-3};
    c.upsampling = turn % 3 == 0 ? 2.25 : 0;
    c.order      = turn / 3 % 2 ? NufftOrder::fft : NufftOrder::centred;
    c.sign       = turn / 2 % 2 ? 1 : -1;
    check_normal<2, double, Widths>(c, turn % 3 != 1);
    c.tolerance = 3e-2;
    check_normal<3, float, NufftWidths<4>>(c, turn % 3 == 1);
  }
  for (const int modes : {1, 2, 3, 8, 77, 298, 299})
    for (const int points : {0, 1, 33})
      check_normal<1, double, NufftWidths<15>>(
          {{modes, 0, 0}, points, Places::random, 1e-11}, points == 33);
}

TEST_CASE("nufft normal: as type 2 and type 1; Hermitian", "[nufft]") {
  const Exec exec;
  const NufftCase c{{9, 8, 0}, 70, Places::clustered, 2e-3};
  Data data(c, true);
  auto plan = normal_plan<Exec, 2, double, Widths>(c);
  CHECK(data.error(plan, -1) < 1);
  NufftPlan<Exec, 2, double, Widths> steps(exec, {{9, 8}}, plan.options());
  steps.set_points(exec, data.all.points);
  const Modes in("in", 9, 8), out("out", 9, 8), of_plan("of_plan", 9, 8);
  Kokkos::deep_copy(exec, in, data.all.shaped(data.all.grid, data.in));
  steps.type2(exec, in, data.all.at_points);
  exec.fence();
  for (std::size_t j = 0; j < 70; ++j) data.all.at_points(j) *= data.weights(j);
  steps.type1(exec, data.all.at_points, out);
  plan.apply(exec, in, of_plan);
  // <other, A in> = <A other, in>
  const Modes other("other", 9, 8), of_other("of_other", 9, 8);
  exec.fence();
  for (int i = 0; i < 72; ++i)
    other(i / 8, i % 8) = in(8 - i / 8, 7 - i % 8) * Complex(i % 5 - 2., 1);
  plan.apply(exec, other, of_other);
  exec.fence();
  double error = 0, norm = 0;
  Complex a(0), b(0);
  for (int i = 0; i < 9; ++i)
    for (int k = 0; k < 8; ++k) {
      const Complex e = of_plan(i, k) - out(i, k);
      error += e.real() * e.real() + e.imag() * e.imag();
      const Complex& z = out(i, k);
      norm += z.real() * z.real() + z.imag() * z.imag();
      a += Kokkos::conj(other(i, k)) * of_plan(i, k);
      b += Kokkos::conj(of_other(i, k)) * in(i, k);
    }
  CHECK(error < 9 * 4e-6 * norm);
  CHECK(Kokkos::abs(a - b) < 1e-13 * std::sqrt(norm) * 72);
}

TEST_CASE("nufft normal: layouts, batches, other points; nothing is allocated",
          "[nufft]") {
  const Exec exec;
  const NufftCase c{{6, 5, 0}, 40, Places::random, 2e-3};
  Data others({{6, 5, 0}, 55, Places::clustered, 2e-3}, true), data(c, false);
  auto plan = normal_plan<Exec, 2, double, Widths>(c);
  CHECK(others.error(plan, -1) < 1);
  CHECK(data.error(plan, -1) < 1);
  CHECK(plan.size() == 40);
  const Kokkos::View<Complex***, Kokkos::LayoutLeft, Memory> in("i", 2, 6, 5),
      out("o", 2, 6, 5);
  const auto times = [](int b) { return b == 0 ? 1. : -2.; };
  for (int b = 0; b < 2; ++b)
    for (int i = 0; i < 30; ++i)
      in(b, i / 5, i % 5) = data.in(std::size_t(i)) * times(b);
  {
    const Recorder recorder;
    plan.apply(exec, in, out);
  }
  CHECK((events.allocations == std::vector<std::string>{}));
  CHECK((events.fences == std::vector<std::string>{}));
  CHECK(without_sporos(events.kernels).empty());
  CHECK(regions_match());
  exec.fence();
  for (int b = 0; b < 2; ++b)
    for (int i = 0; i < 30; ++i)
      CHECK(out(b, i / 5, i % 5) ==
            data.all.of_modes(std::size_t(i)) * times(b));
}

TEST_CASE("nufft normal: wrong plans and calls are refused", "[nufft]") {
  const Exec exec;
  const NufftCase c{{6, 5, 0}, 9, Places::random, 2e-3};
  Data data(c, true);
  auto plan = normal_plan<Exec, 2, double, Widths>(c);
  auto none = normal_plan<Exec, 2, double, Widths>(c);
  CHECK(data.error(plan, -1) < 1);
  CHECK(plan.width() == 5);
  CHECK(plan.grid().points[1] == 16);
  CHECK(plan.bytes() >= plan.grid().size() * sizeof(Complex));
  CHECK(plan.describe().find("6 x 5 modes on a grid of 16 x 16, 9 points") !=
        std::string::npos);
  const Complex before = data.all.of_modes(7);
  const Modes in("in", 6, 5), out("out", 6, 5), other("other", 6, 4);
  const Kokkos::View<Complex***, Memory> two("two", 2, 6, 5),
      three("three", 3, 6, 5);
  Untouched untouched;
  for (const auto& view : {in, out, other}) untouched.fill(view);
  untouched.fill(two);
  untouched.fill(three);
  const Modes no_memory(static_cast<Complex*>(nullptr), 6, 5);
  std::vector<WrongCall> rows;
  const auto apply = [&](const char* what, const Plan& p, const auto& from,
                         const auto& to, int sign, const char* argument,
                         const char* expected, const char* actual) {
    rows.push_back({what, [=] { p.apply(exec, from, to, sign); },
                    "Sporos::NufftNormalPlan::apply", argument, expected,
                    actual});
  };
  apply("empty handle", Plan(), in, out, 1, "plan", "initialised", "");
  apply("no points", none, in, out, 1, "plan", "points, by set_points", "none");
  apply("sign", plan, in, out, 3, "sign", "-1 or 1", "3");
  apply("coefficients", plan, other, out, 1, "coefficients", "extent(1) == 5",
        "(6, 4)");
  apply("results", plan, in, other, 1, "results", "extent(1) == 5", "(6, 4)");
  apply("number", plan, two, three, 1, "results", "extent(0) == 2", "3");
  apply("no memory", plan, no_memory, out, 1, "coefficients", "memory",
        "a null pointer");
  apply("no memory of results", plan, in, no_memory, 1, "results", "memory",
        "a null pointer");
  apply("common memory", plan, in, in, 1, "results",
        "memory separate from that of coefficients", "");
  const auto set = [&](const char* what, Plan p, const Points& x,
                       const Weights& w, const char* argument,
                       const char* expected, const char* actual) {
    rows.push_back({what, [=]() mutable { p.set_points(exec, x, w); },
                    "Sporos::NufftNormalPlan::set_points", argument, expected,
                    actual});
  };
  const Points x = data.all.points;
  set("empty handle", Plan(), x, data.weights, "plan", "initialised", "");
  set("three columns", plan, Points("p", 9, 3), data.weights, "points",
      "(n, 2)", "(9, 3)");
  set("weights", plan, x, Weights("w", 8), "weights", "extent(0) == 9", "8");
  set("no weights", plan, x, Weights(static_cast<double*>(nullptr), 9),
      "weights", "memory", "a null pointer");
  const auto make = [&](const char* what, int modes, double tolerance,
                        const char* argument, const char* expected) {
    NufftOptions o;
    o.tolerance = tolerance;
    rows.push_back({what,
                    [=] {
                      const Plan p(exec, {{4, modes}}, o);
                    },
                    "Sporos::NufftNormalPlan", argument, expected, ""});
  };
  make("no modes", 0, 2e-3, "modes", "1 to");
  make("too many modes", 1 << 28, 2e-3, "modes", "1 to");
  make("tolerance", 4, 2, "options.tolerance", "a number from");
  make("no width suffices", 4, 1e-9, "options.tolerance", "at least");
  check_wrong_calls(rows, untouched, 17);
  const Points bad("bad", 10, 2);
  bad(4, 1) = std::numeric_limits<double>::infinity();
  check_refused("4", [&] { none.set_points(exec, bad); });
  check_refused("by set_points", [&] { none.apply(exec, in, out); });
  check_refused("4", [&] { plan.set_points(exec, bad); });
  CHECK(plan.size() == 9);
  plan.apply(exec, data.all.shaped(data.all.grid, data.in),
             data.all.shaped(data.all.grid, data.all.of_modes));
  exec.fence();  // still with the old points
  CHECK(data.all.of_modes(7) == before);
}

}  // namespace NufftNormal
