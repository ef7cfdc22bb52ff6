// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Gradients of type 2: wrong calls, layouts, batches, single modes, and that
// steady calls allocate nothing. Errors: see nufft_errors.cpp, nufft_real.cpp.

#include "Sporos_NufftCases.hpp"
#include "Sporos_NufftRealData.hpp"
#include "Sporos_ToolsRecorder.hpp"
#include "Sporos_WrongCalls.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace NufftGradient {

using namespace Sporos;
using namespace Sporos::Test;
using Exec      = LastSpace;
using Widths    = NufftWidths<5>;
using Plan      = NufftPlan<Exec, 2, double, Widths>;
using Memory    = typename SharedMemory<Exec>::type;
using Complex   = Kokkos::complex<double>;
using Modes     = Kokkos::View<Complex**, Memory>;
using Gradients = Kokkos::View<Complex**, Memory>;

constexpr NufftCase small{{6, 5, 0}, 9, Places::random, 2e-3};

TEST_CASE("nufft gradient: wrong calls are refused", "[nufft]") {
  const Exec exec;
  const NufftData<Exec, 2, double, Memory> data(small);
  const auto plan = planned<Exec, 2, double, Widths>(small, data);
  const Plan none(exec, {{6, 5}}, plan.options()), empty;
  const Modes modes("modes", 6, 5), other("other", 6, 4);
  const Gradients right("right", 9, 2), eight("eight", 8, 2);
  const Gradients three("three", 9, 3), one("one", 9, 1);
  const Kokkos::View<Complex***, Memory> many_modes("many_modes", 3, 6, 5);
  const Kokkos::View<Complex***, Memory> many("many", 2, 9, 2);
  Untouched untouched;
  for (const auto& view : {modes, other, right, eight, three, one})
    untouched.fill(view);
  for (const auto& view : {many_modes, many}) untouched.fill(view);
  const Modes no_modes(static_cast<Complex*>(nullptr), 6, 5);
  const Gradients no_memory(static_cast<Complex*>(nullptr), 9, 2);
  const Gradients common(modes.data() + 20, 9, 2);
  const Kokkos::View<Complex**, Kokkos::LayoutStride, Memory> repeated(
      right.data(), Kokkos::LayoutStride(9, 1, 2, 1));
  std::vector<WrongCall> rows;
  const auto add = [&](const char* what, const Plan& p, const auto& c,
                       const auto& g, int sign, const char* argument,
                       const char* expected, const char* actual) {
    rows.push_back({what, [=] { p.type2_gradient(exec, c, g, sign); },
                    "Sporos::NufftPlan::type2_gradient", argument, expected,
                    actual});
  };
  add("empty handle", empty, modes, right, 1, "plan", "initialised", "");
  add("no points", none, modes, right, 1, "plan", "points, by set_points",
      "none");
  add("sign 0", plan, modes, right, 0, "sign", "-1 or 1", "0");
  add("sign -2", plan, modes, right, -2, "sign", "-1 or 1", "-2");
  add("points", plan, modes, eight, 1, "gradients", "extent(0) == 9", "(8, 2)");
  add("three directions", plan, modes, three, 1, "gradients", "extent(1) == 2",
      "(9, 3)");
  add("one direction", plan, modes, one, 1, "gradients", "extent(1) == 2",
      "(9, 1)");
  add("modes", plan, other, right, 1, "coefficients", "extent(1) == 5",
      "(6, 4)");
  add("number of transforms", plan, many_modes, many, 1, "coefficients",
      "extent(0) == 2", "3");
  add("no memory of coefficients", plan, no_modes, right, 1, "coefficients",
      "memory", "a null pointer");
  add("no memory of gradients", plan, modes, no_memory, 1, "gradients",
      "memory", "a null pointer");
  add("repeated", plan, modes, repeated, 1, "gradients", "a separate element",
      "");
  add("common memory", plan, modes, common, 1, "gradients",
      "memory separate from that of coefficients", "");
  check_wrong_calls(rows, untouched, 13);
}

TEST_CASE("nufft gradient: layouts and batches, without allocation",
          "[nufft]") {
  const Exec exec;
  NufftCase c = small;
  c.points    = 40;
  const NufftData<Exec, 2, double, Memory> data(c);
  const auto plan = planned<Exec, 2, double, Widths>(c, data);
  const Gradients gradients("gradients", 40, 2);
  plan.type2_gradient(exec, data.shaped(data.grid, data.coefficients),
                      gradients);
  // twice, and other layouts
  const Kokkos::View<Complex***, Kokkos::LayoutLeft, Memory> in("in", 2, 6, 5),
      out("out", 2, 40, 2);
  exec.fence();
  for (int b = 0; b < 2; ++b)
    for (int i = 0; i < 30; ++i)
      in(b, i / 5, i % 5) =
          data.coefficients(std::size_t(i)) * (b == 0 ? 1. : -2.);
  {
    const Recorder recorder;
    plan.type2_gradient(exec, in, out);
  }
  CHECK((events.allocations == std::vector<std::string>{}));
  CHECK((events.deallocations == std::vector<std::string>{}));
  CHECK((events.fences == std::vector<std::string>{}));
  CHECK(without_sporos(events.kernels).empty());
  CHECK(saw_region("Sporos::NufftPlan::type2_gradient/Sporos::nufft::fft"));
  CHECK(regions_match());
  exec.fence();
  for (int b = 0; b < 2; ++b)
    for (int j = 0; j < 40; ++j)
      for (int d = 0; d < 2; ++d)
        CHECK(out(b, j, d) == gradients(j, d) * (b == 0 ? 1. : -2.));
}

TEST_CASE("nufft gradient: vectors of one dimension", "[nufft]") {
  const Exec exec;
  const NufftCase c{{20, 0, 0}, 30, Places::at_ends, 2e-3};
  const NufftData<Exec, 1, double, Memory> data(c);
  const auto plan = planned<Exec, 1, double, Widths>(c, data);
  const Gradients wide("wide", 30, 1);
  const Kokkos::View<Complex*, Memory> flat("flat", 30);
  const Gradients in("in", 2, 20), many_flat("many_flat", 2, 30);
  const Kokkos::View<Complex***, Memory> many("many", 2, 30, 1);
  for (int b = 0; b < 2; ++b)
    for (int i = 0; i < 20; ++i) in(b, i) = data.coefficients(std::size_t(i));
  plan.type2_gradient(exec, data.coefficients, wide, 1);
  plan.type2_gradient(exec, data.coefficients, flat, 1);
  plan.type2_gradient(exec, in, many, 1);
  plan.type2_gradient(exec, in, many_flat, 1);
  exec.fence();
  CHECK(data.gradient_error(wide, 1) < 4e-3);
  for (int j = 0; j < 30; ++j) {
    CHECK(flat(j) == wide(j, 0));
    for (int b = 0; b < 2; ++b) {
      CHECK(many(b, j, 0) == wide(j, 0));
      CHECK(many_flat(b, j) == wide(j, 0));
    }
  }
}

/// Gradients of single modes are sign i k times values: the errors of both are
/// the same but for rounding, however long the waves are.
template <class Value, class AnyPlan>
void check_single_modes(const AnyPlan& plan, const NufftGrid<2>& grid,
                        int last) {
  const Exec exec;
  const Modes modes("modes", std::size_t(grid.modes[0]), std::size_t(last));
  const Modes turned("turned", modes.extent(0), modes.extent(1));
  const Kokkos::View<Value*, Memory> values("values", plan.size());
  const Kokkos::View<Value**, Memory> gradients("gradients", plan.size(), 2);
  for (int a = 0; a < grid.modes[0]; ++a)
    for (int b = 0; b < last; ++b)
      for (const int sign : {-1, 1}) {
        modes(a, b)  = Complex(.7, -.4);
        turned(a, b) = modes(a, b) * Complex(0, sign);
        plan.type2_gradient(exec, modes, gradients, sign);
        plan.type2(exec, turned, values, sign);
        exec.fence();
        const int k[2] = {grid.wave(0, a),
                          std::is_same_v<Value, double> ? b : grid.wave(1, b)};
        CAPTURE(k[0], k[1], sign);
        double worst = 0;
        for (std::size_t j = 0; j < plan.size(); ++j)
          for (int d = 0; d < 2; ++d)
            worst = std::max(worst, Kokkos::abs(Complex(gradients(j, d) -
                                                        values(j) * k[d])));
        CHECK(worst < 1e-13);
        modes(a, b) = turned(a, b) = 0;
      }
}

TEST_CASE("nufft gradient: of single modes", "[nufft]") {
  for (const NufftOrder order : {NufftOrder::centred, NufftOrder::fft})
    for (const int odd : {0, 1}) {
      NufftCase c = small;
      c.modes[0]  = 5 + odd;
      c.modes[1]  = 6 - odd;
      c.order     = order;
      const NufftData<Exec, 2, double, Memory> data(c);
      check_single_modes<Complex>(planned<Exec, 2, double, Widths>(c, data),
                                  data.grid, c.modes[1]);
      auto plan = real_plan<Exec, 2, double, Widths>(c);
      plan.set_points(Exec(), data.points);
      check_single_modes<double>(plan, data.grid, c.modes[1] / 2 + 1);
    }
}

}  // namespace NufftGradient
