// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The interface of non-uniform FFTs of type 3: wrong calls, layouts, batches,
// other points, and that steady calls allocate nothing.

#include "Sporos_NufftType3Data.hpp"
#include "Sporos_ToolsRecorder.hpp"
#include "Sporos_WrongCalls.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace NufftType3Calls {

using namespace Sporos;
using namespace Sporos::Test;
using Exec    = LastSpace;
using Widths  = NufftWidths<3, 8>;
using Plan    = NufftType3Plan<Exec, 2, double, Widths>;
using Memory  = typename SharedMemory<Exec>::type;
using Complex = Kokkos::complex<double>;
using Values  = Kokkos::View<Complex*, Memory>;
using Many    = Kokkos::View<Complex**, Memory>;
using Data    = Type3Data<2, double, Memory>;
using Points  = Data::Points;

constexpr Type3Case small{9, 7, Cloud::box, Cloud::box, 2, 3, 1e-2};

NufftOptions with_tolerance(double tolerance) {
  NufftOptions o;
  o.tolerance = tolerance;
  return o;
}

Points copy_of(const Points& points) {
  const Points copy("copy", points.extent(0), points.extent(1));
  for (std::size_t i = 0; i < copy.extent(0); ++i)
    for (int d = 0; d < 2; ++d) copy(i, d) = points(i, d);
  return copy;
}

TEST_CASE("nufft type 3: wrong plans and points are refused", "[nufft]") {
  const Exec exec;
  const Untouched nothing;
  std::vector<WrongCall> rows;
  const auto add = [&](const char* what, const NufftOptions& o,
                       const char* argument, const char* expected,
                       const char* actual) {
    rows.push_back({what, [=] { const Plan plan(exec, o); },
                    "Sporos::NufftType3Plan", argument, expected, actual});
  };
  add("tolerance 0", with_tolerance(0), "options.tolerance", "a number from",
      "0");
  add("no width suffices", with_tolerance(1e-9), "options.tolerance",
      "at least", "1e-09");
  NufftOptions o = with_tolerance(1e-5);
  o.upsampling   = 1.25;
  add("no width suffices there", o, "options.tolerance",
      "for these widths and options.upsampling", "1e-05");
  o.upsampling = 1;
  add("upsampling", o, "options.upsampling", "0, or a number from", "1");
  o              = with_tolerance(1e-2);
  o.largest_grid = 0;
  add("no grid", o, "options.largest_grid", "at least 1", "0");

  const Data data(small);
  const Points x = data.points, f = data.frequencies;
  o.largest_grid = 1000;
  Plan plan(exec, o), empty;
  plan.set_points(exec, x, f);
  plan.type3(exec, data.values, data.results);
  exec.fence();
  const double before = data.results(3).real();
  const Points three("three", 9, 3), none(static_cast<double*>(nullptr), 9, 2);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  const auto with  = [](const Points& from, int i, double value) {
    const Points p = copy_of(from);
    p(i, 1)        = value;
    return p;
  };
  const auto set = [&](const char* what, Plan p, const Points& points,
                       const Points& frequencies, const char* argument,
                       const char* expected, const char* actual) {
    rows.push_back(
        {what, [=]() mutable { p.set_points(exec, points, frequencies); },
         "Sporos::NufftType3Plan::set_points", argument, expected, actual});
  };
  set("empty handle", empty, x, f, "plan", "initialised", "");
  set("three columns", plan, three, f, "points", "(n, 2)", "(9, 3)");
  set("three columns of frequencies", plan, x, three, "frequencies", "(n, 2)",
      "(9, 3)");
  set("no memory", plan, none, f, "points", "memory", "a null pointer");
  set("no memory of frequencies", plan, x, none, "frequencies", "memory",
      "a null pointer");
  set("NaN", plan, with(x, 4, nan), f, "points", "finite", "index 4");
  set("infinity", plan, x, with(f, 6, inf), "frequencies", "finite", "index 6");
  set("-infinity", plan, with(x, 0, -inf), f, "points", "finite", "index 0");
  set("huge", plan, with(x, 8, -2e150), f, "points", "at most 1e+150",
      "index 8");
  set("too large a grid", plan, with(x, 1, 100), f, "points",
      "1000 points suffices (options.largest_grid", "which need");
  set("far too large a grid", plan, with(x, 1, 1e150), with(f, 2, 1e150),
      "points", "options.largest_grid", "which need");
  check_wrong_calls(rows, nothing, 16);
  plan.type3(exec, data.values, data.results);  // still with the old points
  exec.fence();
  CHECK(data.results(3).real() == before);
  CHECK(Plan(exec, o).describe().find("no points") != std::string::npos);
  CHECK(plan.describe().find("9 points, 7 frequencies") != std::string::npos);
  CHECK(plan.expected_error() < 1e-2);
  CHECK(plan.width() == 8);
  CHECK(plan.bytes() > plan.grid().size() * sizeof(Complex));
  CHECK(plan.grid().size() <= 1000);
  CHECK(plan.options().largest_grid == 1000);
  check_refused("by set_points", [&] { Plan(exec, o).expected_error(); });
  check_refused("initialised", [&] { empty.size(); });
}

TEST_CASE("nufft type 3: wrong calls are refused", "[nufft]") {
  const Exec exec;
  const Data of_plan(small);
  const auto plan = planned_type3<Exec, 2, double, Widths>(small, of_plan);
  const Plan unset(exec, with_tolerance(1e-2)), empty;
  const Values values("values", 9), results("results", 7), eight("eight", 8);
  const Many many_values("many_values", 2, 9), many_results("many", 3, 7);
  Untouched data;
  for (const auto& view : {values, results, eight}) data.fill(view);
  for (const auto& view : {many_values, many_results}) data.fill(view);
  const Values no_values(static_cast<Complex*>(nullptr), 9);
  const Values no_results(static_cast<Complex*>(nullptr), 7);
  const Kokkos::View<Complex*, Kokkos::LayoutStride, Memory> repeated(
      results.data(), Kokkos::LayoutStride(7, 0));
  std::vector<WrongCall> rows;
  const auto add = [&](const char* what, const Plan& p, const auto& v,
                       const auto& r, int sign, const char* argument,
                       const char* expected, const char* actual) {
    rows.push_back({what, [=] { p.type3(exec, v, r, sign); },
                    "Sporos::NufftType3Plan::type3", argument, expected,
                    actual});
  };
  add("empty handle", empty, values, results, 1, "plan", "initialised", "");
  add("no points", unset, values, results, 1, "plan", "points, by set_points",
      "none");
  add("sign 0", plan, values, results, 0, "sign", "-1 or 1", "0");
  add("values", plan, eight, results, 1, "values", "extent(0) == 9", "8");
  add("results", plan, values, eight, 1, "results", "extent(0) == 7", "8");
  add("number of transforms", plan, many_values, many_results, 1, "results",
      "extent(0) == 2", "3");
  add("no memory of values", plan, no_values, results, 1, "values", "memory",
      "a null pointer");
  add("no memory of results", plan, values, no_results, 1, "results", "memory",
      "a null pointer");
  add("repeated", plan, values, repeated, 1, "results", "a separate element",
      "");
  add("common memory", plan, values, Values(values.data() + 2, 7), 1, "results",
      "memory separate from that of values", "");
  check_wrong_calls(rows, data, 10);
}

TEST_CASE("nufft type 3: layouts, batches, signs and rank 1", "[nufft]") {
  const Exec exec;
  const Data data(small);
  const auto plan = planned_type3<Exec, 2, double, Widths>(small, data);
  plan.type3(exec, data.values, data.results, -1);
  exec.fence();
  const Kokkos::View<Complex**, Kokkos::LayoutLeft, Memory> in("in", 2, 9),
      out("out", 2, 7);
  for (int b = 0; b < 2; ++b)
    for (int j = 0; j < 9; ++j) in(b, j) = data.values(j) * (b == 0 ? 1. : -2.);
  plan.type3(exec, in, out, -1);
  exec.fence();
  for (int b = 0; b < 2; ++b)
    for (int m = 0; m < 7; ++m)
      CHECK(out(b, m) == data.results(m) * (b == 0 ? 1. : -2.));
  Type3Case c = small;
  c.points    = 30;
  const Type3Data<1, double, Memory> line(c);
  NufftType3Plan<Exec, 1, double, NufftWidths<8>> of_line(exec);
  of_line.set_points(exec, Kokkos::subview(line.points, Kokkos::ALL(), 0),
                     Kokkos::subview(line.frequencies, Kokkos::ALL(), 0));
  of_line.type3(exec, line.values, line.results);
  exec.fence();
  CHECK(line.error(1) < 1e-6);
}

TEST_CASE("nufft type 3: points and frequencies may change", "[nufft]") {
  const Exec exec;
  Type3Case large = small;
  large.points    = 50;
  large.band      = 20;
  const Data data(small), others(large);
  auto plan       = planned_type3<Exec, 2, double, Widths>(large, others);
  const auto anew = planned_type3<Exec, 2, double, Widths>(small, data);
  const int wide  = plan.grid().modes[0];
  plan.type3(exec, others.values, others.results);
  exec.fence();
  CHECK(others.error(1) < 1e-2);
  const Data same(small);
  plan.set_points(exec, data.points, data.frequencies);
  CHECK(plan.grid().modes[0] < wide);
  plan.type3(exec, data.values, data.results);
  anew.type3(exec, data.values, same.results);
  exec.fence();
  for (int m = 0; m < 7; ++m) CHECK(data.results(m) == same.results(m));
  // the same grids, but other points: those that were moved as a whole
  const Points moved = copy_of(data.points);
  for (int j = 0; j < 9; ++j) moved(j, 0) += .5;
  plan.set_points(exec, moved, data.frequencies);
  plan.type3(exec, data.values, same.results);
  exec.fence();
  for (int m = 0; m < 7; ++m) {
    const double phase = .5 * data.frequencies(m, 0);
    const Complex turn(std::cos(phase), std::sin(phase));
    const Complex error = same.results(m) - data.results(m) * turn;
    CHECK(error.real() * error.real() + error.imag() * error.imag() < 1e-24);
  }
}

TEST_CASE("nufft type 3: grids, widths and upsamplings may change one by one",
          "[nufft]") {
  const Exec exec;
  const double pi = std::acos(-1.);
  const Type3Case few{9, 7, Cloud::at_ends, Cloud::at_ends, 1, 1.8 * pi, 5e-2};
  Type3Case many = few, narrow = few;
  many.points    = 3000;
  many.of_points = Cloud::box;
  many.band      = 2 * pi;
  narrow.sign    = -1;
  const Data of_few(few), of_many(many), of_narrow(narrow);
  for (int j = 0; j < 9; ++j) of_narrow.points(j, 1) *= .2;
  NufftType3Plan<Exec, 2, double, Widths> plan(exec, with_tolerance(5e-2));
  const auto check = [&](const Data& data, const Type3Case& c) {
    plan.set_points(exec, data.points, data.frequencies);
    const auto anew = planned_type3<Exec, 2, double, Widths>(c, data);
    const Values of_new("of_new", 7);
    plan.type3(exec, data.values, data.results, c.sign);
    anew.type3(exec, data.values, of_new, c.sign);
    exec.fence();
    for (int m = 0; m < 7; ++m) CHECK(data.results(m) == of_new(m));
    CHECK(data.error(c.sign) < c.tolerance);
  };
  check(of_few, few);
  const auto of_eight = plan.grid();
  CHECK(plan.width() == 8);
  check(of_many, many);
  CHECK(plan.width() == 3);
  CHECK(plan.grid().modes[0] == of_eight.modes[0]);
  CHECK(plan.grid().modes[1] == of_eight.modes[1]);
  check(of_few, few);
  check(of_narrow, narrow);
  CHECK(plan.width() == 8);
  CHECK(plan.grid().modes[0] == of_eight.modes[0]);
  CHECK(plan.grid().modes[1] < of_eight.modes[1]);
}

TEST_CASE("nufft type 3: steady calls allocate and wait for nothing",
          "[nufft]") {
  const Exec exec;
  Type3Case c   = small;
  c.points      = 3000;
  c.frequencies = 2000;
  c.band        = 15;
  const Data data(c);
  auto plan = planned_type3<Exec, 2, double, Widths>(c, data);
  plan.type3(exec, data.values, data.results);
  {
    const Recorder recorder;
    plan.type3(exec, data.values, data.results);
    plan.type3(exec, data.values, data.results, -1);
  }
  CHECK((events.allocations == std::vector<std::string>{}));
  CHECK((events.deallocations == std::vector<std::string>{}));
  CHECK((events.fences == std::vector<std::string>{}));
  CHECK(without_sporos(events.kernels).empty());
  CHECK(saw_region("Sporos::NufftType3Plan::type3/Sporos::nufft::spread"));
  CHECK(regions_match());
  {
    const Recorder recorder;
    plan.set_points(exec, data.points, data.frequencies);
  }
  CHECK((events.allocations == std::vector<std::string>{}));
  CHECK(without_sporos(events.kernels).empty());
}

}  // namespace NufftType3Calls
