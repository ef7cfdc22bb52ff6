// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Non-uniform FFTs of real values: errors against the sums by definition, and
// the interface.

#include "Sporos_NufftRealData.hpp"
#include "Sporos_Test.hpp"
#include "Sporos_ToolsRecorder.hpp"
#include "Sporos_WrongCalls.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace NufftReal {

using namespace Sporos;
using namespace Sporos::Test;
using Exec    = LastSpace;
using Memory  = typename SharedMemory<Exec>::type;
using Complex = Kokkos::complex<double>;
using Plan    = NufftRealPlan<Exec, 2, double, NufftWidths<5>>;
using Values  = Kokkos::View<double*, Memory>;
using Modes   = Kokkos::View<Complex**, Memory>;

constexpr Places all_places[] = {Places::random, Places::clustered,
                                 Places::one_cell, Places::at_ends,
                                 Places::far_away};

template <int Dim, class T, class Widths>
void check_real(const NufftCase& c) {
  NufftRealData<Exec, Dim, T, Memory> data(c);
  auto plan = real_plan<Exec, Dim, T, Widths>(c);
  plan.set_points(Exec(), data.all.points);
  const auto errors = data.errors(plan);
  CAPTURE(Dim, c.modes[0], c.modes[1], c.modes[2], c.points, int(c.places),
          c.tolerance, int(c.order), c.sign);
  CHECK(errors[0] < 1);
  CHECK(errors[1] < 1);
  CHECK(errors[2] <= 1);
  CHECK(errors[3] < 1);
}

/// Even and odd modes, orders, signs and places in turn.
template <int Dim, class T, class Widths>
void check_turns(int modes, int points, double tolerance, int turns) {
  for (int turn = 0; turn < turns; ++turn) {
    NufftCase c{{modes + turn % 2, modes + turn / 2 % 2, modes + turn / 4 % 2},
                points + turn,
                all_places[turn % 5],
                tolerance};
    c.upsampling = turn % 3 == 0 ? 2.25 : 0;
    c.order      = turn / 5 % 2 ? NufftOrder::fft : NufftOrder::centred;
    c.sign       = turn / 3 % 2 ? 1 : -1;
    check_real<Dim, T, Widths>(c);
  }
}

TEST_CASE("nufft real: errors are below the tolerance", "[nufft]") {
  using Widths1 = NufftWidths<6, 15>;
  for (const int modes : {1, 2, 3, 8, 77, 298, 299})
    for (const int points : {0, 1, 33})
      check_real<1, double, Widths1>(
          {{modes, 0, 0}, points, Places::random, 1e-11});
  check_turns<1, double, Widths1>(120, 150, 1e-4, 10);
  check_turns<2, double, NufftWidths<5>>(15, 60, 2e-3, 24);
  for (const int modes : {1, 2, 5})
    for (const int points : {0, 1, 20}) {
      check_real<2, double, NufftWidths<5>>(
          {{modes, 71, 0}, points, Places::random, 2e-3});
      check_real<2, double, NufftWidths<5>>(
          {{30, modes, 0}, points, Places::far_away, 2e-3});
    }
  check_turns<3, float, NufftWidths<4>>(5, 40, 1e-2, 24);
  check_real<3, float, NufftWidths<4>>({{1, 2, 1}, 3, Places::random, 1e-2});
}

TEST_CASE("nufft real: rows of more than a thousand modes", "[nufft]") {
  NufftCase c{{3, 4001, 0}, 25, Places::random, 1e-2};
  check_real<2, double, NufftWidths<5>>(c);
  c.modes[1] = 4000;
  c.order    = NufftOrder::fft;
  check_real<2, double, NufftWidths<5>>(c);
}

TEST_CASE("nufft real: layouts, batches, other points; nothing is allocated",
          "[nufft]") {
  const Exec exec;
  NufftRealData<Exec, 2, double, Memory> data(
      {{6, 5, 0}, 40, Places::random, 2e-3});
  auto plan = real_plan<Exec, 2, double, NufftWidths<5>>(data.c);
  const NufftData<Exec, 2, double, Memory> others(
      {{6, 5, 0}, 55, Places::clustered, 2e-3});
  plan.set_points(exec, others.points);
  plan.set_points(exec, data.all.points);
  CHECK(data.errors(plan)[0] < 1);
  // twice each, and other layouts
  const Kokkos::View<double**, Kokkos::LayoutLeft, Memory> values("v", 2, 40),
      at_points("a", 2, 40);
  const Kokkos::View<Complex***, Kokkos::LayoutLeft, Memory> in("i", 2, 6, 3),
      out("o", 2, 6, 3);
  const auto times = [](int b) { return b == 0 ? 1. : -2.; };
  for (int b = 0; b < 2; ++b) {
    for (int j = 0; j < 40; ++j)
      values(b, j) = data.values(std::size_t(j)) * times(b);
    for (int i = 0; i < 18; ++i)
      in(b, i / 3, i % 3) = data.coefficients(std::size_t(i)) * times(b);
  }
  const auto step = [&] {
    plan.type1(exec, values, out);
    plan.type2(exec, in, at_points, data.c.sign);
  };
  step();
  plan.type1(exec, data.values, data.all.shaped(data.halves, data.of_modes));
  plan.type2(exec, data.all.shaped(data.halves, data.coefficients),
             data.at_points, data.c.sign);
  {
    const Recorder recorder;
    step();
  }
  CHECK((events.allocations == std::vector<std::string>{}));
  CHECK((events.fences == std::vector<std::string>{}));
  CHECK(without_sporos(events.kernels).empty());
  exec.fence();
  for (int b = 0; b < 2; ++b) {
    for (int i = 0; i < 18; ++i)
      CHECK(out(b, i / 3, i % 3) == data.of_modes(std::size_t(i)) * times(b));
    for (int j = 0; j < 40; ++j)
      CHECK(at_points(b, j) == data.at_points(std::size_t(j)) * times(b));
  }
}

TEST_CASE("nufft real: wrong calls are refused", "[nufft]") {
  const Exec exec;
  const NufftCase c{{6, 8, 0}, 9, Places::random, 2e-3};
  const NufftData<Exec, 2, double, Memory> data(c);
  auto plan       = real_plan<Exec, 2, double, NufftWidths<5>>(c);
  const auto none = real_plan<Exec, 2, double, NufftWidths<5>>(c);
  plan.set_points(exec, data.points);
  CHECK(plan.describe().find("6 x 8 modes of real values") !=
        std::string::npos);
  CHECK(plan.bytes() > plan.grid().size() * sizeof(double));
  const Values values("values", 9), eight("eight", 8);
  const Modes modes("modes", 6, 5), whole("whole", 6, 8), less("less", 6, 4);
  Untouched untouched;
  for (const auto& view : {values, eight}) untouched.fill(view);
  for (const auto& view : {modes, whole, less}) untouched.fill(view);
  std::vector<WrongCall> rows;
  const auto both = [&](const char* what, const Plan& p, const Values& v,
                        const Modes& m, int sign, const char* argument,
                        const char* expected, const char* actual) {
    rows.push_back({what, [=] { p.type1(exec, v, m, sign); },
                    "Sporos::NufftPlan::type1", argument, expected, actual});
    rows.push_back({what, [=] { p.type2(exec, m, v, sign); },
                    "Sporos::NufftPlan::type2", argument, expected, actual});
  };
  both("all modes", plan, values, whole, 1, "coefficients", "extent(1) == 5",
       "(6, 8)");
  both("half of them", plan, values, less, 1, "coefficients", "extent(1) == 5",
       "(6, 4)");
  both("values", plan, eight, modes, 1, "values", "extent(0) == 9", "8");
  both("no points", none, values, modes, 1, "plan", "points, by set_points",
       "none");
  both("sign", plan, values, modes, 0, "sign", "-1 or 1", "0");
  both("no memory", plan, Values(static_cast<double*>(nullptr), 9), modes, 1,
       "values", "memory", "a null pointer");
  both("empty handle", Plan(), values, modes, 1, "plan", "initialised", "");
  check_wrong_calls(rows, untouched, 14);
}

/// The sums of a real FFT by their definition, in rows with room behind them.
struct PlainRealFft {
  template <class E, int Dim, class T>
  struct RealPlan {
    using Z = Kokkos::complex<T>;
    int n;
    T* fine;
    Z* half;

    static int pitch(int points) { return points / 2 + 4; }
    RealPlan(const E&, const NufftGrid<Dim>& grid, T* f, Z* h,
             const NufftOptions&)
        : n(grid.points[0]), fine(f), half(h) {
      static_assert(Dim == 1, "one direction");
    }
    Z wave(int k, int x) const {
      const double phase = 2 * std::acos(-1.) * ((double(k) * x) / n);
      return {std::cos(phase), std::sin(phase)};
    }
    void to_modes(const E&) const {
      for (int k = 0; k <= n / 2; ++k) {
        half[k] = Z(0);
        for (int x = 0; x < n; ++x) half[k] += fine[x] * wave(-k, x);
      }
    }
    void from_modes(const E&) const {
      for (int x = 0; x < n; ++x) {
        fine[x] = half[0].real();
        for (int k = 1; k < n / 2; ++k)
          fine[x] += 2 * (half[k] * wave(k, x)).real();
      }
    }
    std::size_t bytes() const { return 0; }
  };
};

TEST_CASE("nufft real: an FFT of the caller", "[nufft]") {
  using Host = HostExec;
  const Host exec;
  NufftRealData<Host, 1, double, HostMemory> data(
      {{9, 0, 0}, 20, Places::random, 1e-3});
  NufftOptions options;
  options.tolerance = 1e-3;
  NufftRealPlan<Host, 1, double, NufftWidths<6>, PlainRealFft> plan(exec, {{9}},
                                                                    options);
  plan.set_points(exec, Kokkos::subview(data.all.points, Kokkos::ALL(), 0));
  CHECK(data.errors(plan)[0] < 1);
  CHECK(data.errors(plan)[1] < 1);
}

}  // namespace NufftReal
