// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The interface of non-uniform FFTs: wrong calls, layouts, batches, other
// FFTs, what is chosen, and that steady calls allocate nothing.

#include "Sporos_NufftCases.hpp"
#include "Sporos_ToolsRecorder.hpp"
#include "Sporos_WrongCalls.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace NufftCalls {

using namespace Sporos;
using namespace Sporos::Test;
using Exec    = LastSpace;
using Widths  = NufftWidths<3, 8>;
using Plan    = NufftPlan<Exec, 2, double, Widths>;
using Memory  = typename SharedMemory<Exec>::type;
using Complex = Kokkos::complex<double>;
using Values  = Kokkos::View<Complex*, Memory>;
using Modes   = Kokkos::View<Complex**, Memory>;
using Points  = Kokkos::View<double**, Memory>;

NufftOptions with_tolerance(double tolerance) {
  NufftOptions o;
  o.tolerance = tolerance;
  return o;
}

Points some_points(int n) {
  const Points points("points", std::size_t(n), 2);
  Numbers numbers(5);
  for (int j = 0; j < n; ++j)
    for (int d = 0; d < 2; ++d) points(j, d) = 3 * numbers.next();
  return points;
}

TEST_CASE("nufft: wrong plans are refused", "[nufft]") {
  const Exec exec;
  const Untouched data;
  std::vector<WrongCall> rows;
  const auto add = [&](const char* what, Kokkos::Array<int, 2> modes,
                       const NufftOptions& o, const char* argument,
                       const char* expected, const char* actual) {
    rows.push_back({what, [=] { const Plan plan(exec, modes, o); },
                    "Sporos::NufftPlan", argument, expected, actual});
  };
  const NufftOptions right;
  add("no modes", {{8, 0}}, right, "modes", "1 to", "0");
  add("negative modes", {{-3, 8}}, right, "modes", "1 to", "-3");
  add("too many modes", {{8, 1 << 29}}, right, "modes", "1 to", "536870912");
  add("too many rows", {{1 << 28, 1 << 20}}, right, "modes", "rows of the fine",
      "");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double wrong : {0., -1e-3, 1e-15, .2, 1.})
    add(("tolerance " + std::to_string(wrong) + (wrong == 1e-15 ? "+" : ""))
            .c_str(),
        {{8, 8}}, with_tolerance(wrong), "options.tolerance", "a number from",
        "");
  add("tolerance NaN", {{8, 8}}, with_tolerance(nan), "options.tolerance",
      "a number from", "nan");
  add("no width suffices", {{8, 8}}, with_tolerance(1e-9), "options.tolerance",
      "at least", "1e-09");
  NufftOptions o = with_tolerance(1e-5);
  o.upsampling   = 1.25;
  add("no width suffices there", {{64, 64}}, o, "options.tolerance",
      "for these widths and options.upsampling", "1e-05");
  for (const double wrong : {1., 1.2, 4.5, -2., nan}) {
    o.upsampling = wrong;
    add(("upsampling " + std::to_string(wrong)).c_str(), {{8, 8}}, o,
        "options.upsampling", "0, or a number from 1.25 to 4", "");
  }
  o       = right;
  o.order = NufftOrder(7);
  add("order", {{8, 8}}, o, "options.order", "centred", "7");
  o          = right;
  o.patience = NufftPatience(-1);
  add("patience", {{8, 8}}, o, "options.patience", "estimate", "-1");
  o                  = right;
  o.planning_seconds = nan;
  add("planning_seconds", {{8, 8}}, o, "options.planning_seconds", "a number",
      "nan");
  rows.push_back({"tolerance of float",
                  [=] {
                    const NufftPlan<Exec, 1, float, NufftWidths<5, 9>> plan(
                        exec, {{8}}, with_tolerance(1e-7));
                  },
                  "Sporos::NufftPlan", "options.tolerance", "1e-06", "1e-07"});
  check_wrong_calls(rows, data, 19);
}

TEST_CASE("nufft: wrong calls are refused", "[nufft]") {
  const Exec exec;
  Plan plan(exec, {{6, 5}}, with_tolerance(1e-3));
  plan.set_points(exec, some_points(9));
  Plan none(exec, {{6, 5}}, with_tolerance(1e-3));
  Plan empty;
  const Values values("values", 9), eight("eight", 8);
  const Modes modes("modes", 6, 5), other("other", 5, 5), more("more", 6, 6);
  const Kokkos::View<Complex**, Memory> many_values("many", 2, 9);
  const Kokkos::View<Complex***, Memory> three("three", 3, 6, 5);
  Untouched data;
  for (const auto& view : {values, eight}) data.fill(view);
  for (const auto& view : {modes, other, more}) data.fill(view);
  data.fill(many_values);
  data.fill(three);
  const Values no_values(static_cast<Complex*>(nullptr), 9);
  const Modes no_modes(static_cast<Complex*>(nullptr), 6, 5);
  const Modes same(values.data(), 3, 3);
  Plan nine(exec, {{3, 3}}, with_tolerance(1e-3));
  nine.set_points(exec, some_points(9));
  const Kokkos::View<Complex**, Kokkos::LayoutStride, Memory> repeated(
      modes.data(), Kokkos::LayoutStride(6, 1, 5, 1));
  std::vector<WrongCall> rows;
  const auto both = [&](const char* what, const Plan& p, const auto& v,
                        const auto& c, int sign, const char* argument,
                        const char* expected, const char* actual) {
    rows.push_back({what, [=] { p.type1(exec, v, c, sign); },
                    "Sporos::NufftPlan::type1", argument, expected, actual});
    rows.push_back({what, [=] { p.type2(exec, c, v, sign); },
                    "Sporos::NufftPlan::type2", argument, expected, actual});
  };
  both("empty handle", empty, values, modes, 1, "plan", "initialised", "");
  both("no points", none, values, modes, 1, "plan", "points, by set_points",
       "none");
  both("sign 0", plan, values, modes, 0, "sign", "-1 or 1", "0");
  both("sign 2", plan, values, modes, 2, "sign", "-1 or 1", "2");
  both("values", plan, eight, modes, 1, "values", "extent(0) == 9", "8");
  both("modes", plan, values, other, 1, "coefficients", "extent(0) == 6",
       "(5, 5)");
  both("modes of direction 1", plan, values, more, 1, "coefficients",
       "extent(1) == 5", "(6, 6)");
  both("number of transforms", plan, many_values, three, 1, "coefficients",
       "extent(0) == 2", "3");
  both("no memory of values", plan, no_values, modes, 1, "values", "memory",
       "a null pointer");
  both("no memory of coefficients", plan, values, no_modes, 1, "coefficients",
       "memory", "a null pointer");
  rows.push_back({"common memory", [=] { nine.type1(exec, values, same); },
                  "Sporos::NufftPlan::type1", "coefficients",
                  "memory separate from that of values", ""});
  rows.push_back({"common memory", [=] { nine.type2(exec, same, values); },
                  "Sporos::NufftPlan::type2", "values",
                  "memory separate from that of coefficients", ""});
  rows.push_back({"repeated", [=] { plan.type1(exec, values, repeated); },
                  "Sporos::NufftPlan::type1", "coefficients",
                  "a separate element", ""});

  const Points three_columns("three_columns", 9, 3);
  const Points no_points(static_cast<double*>(nullptr), 9, 2);
  const auto set = [&](const char* what, Plan p, const Points& x,
                       const char* argument, const char* expected,
                       const char* actual) {
    rows.push_back({what, [=]() mutable { p.set_points(exec, x); },
                    "Sporos::NufftPlan::set_points", argument, expected,
                    actual});
  };
  set("empty handle", empty, some_points(3), "plan", "initialised", "");
  set("three columns", plan, three_columns, "points", "(n, 2)", "(9, 3)");
  set("no memory", plan, no_points, "points", "memory", "a null pointer");
  check_wrong_calls(rows, data, 26);

  const Points bad        = some_points(9);
  bad(4, 1)               = std::numeric_limits<double>::infinity();
  const Points bad_of_ten = some_points(10);
  bad_of_ten(4, 0)        = std::numeric_limits<double>::quiet_NaN();
  check_refused("4", [&] { none.set_points(exec, bad); });
  check_refused("by set_points", [&] { none.type1(exec, values, modes); });
  plan.type1(exec, values, modes);
  const Modes again("again", 6, 5);
  check_refused("4", [&] { plan.set_points(exec, bad); });
  check_refused("4", [&] { plan.set_points(exec, bad_of_ten); });
  CHECK(plan.size() == 9);
  plan.type1(exec, values, again);  // still with the old points
  exec.fence();
  for (int i = 0; i < 30; ++i)
    CHECK(again(i / 5, i % 5) == modes(i / 5, i % 5));
  check_refused("initialised", [&] { empty.size(); });
}

TEST_CASE("nufft: layouts and batches", "[nufft]") {
  const Exec exec;
  const NufftCase c{{6, 5, 0}, 40, Places::random, 1e-3};
  const NufftData<Exec, 2, double, Memory> data(c);
  const auto plan  = planned<Exec, 2, double, Widths>(c, data);
  const auto modes = data.shaped(data.grid, data.of_modes);
  plan.type1(exec, data.values, modes);
  plan.type2(exec, data.shaped(data.grid, data.coefficients), data.at_points);
  exec.fence();
  // twice each, and other layouts
  const Kokkos::View<Complex**, Kokkos::LayoutLeft, Memory> values("v", 2, 40);
  const Kokkos::View<Complex***, Kokkos::LayoutLeft, Memory> in("i", 2, 6, 5),
      out("o", 2, 6, 5);
  for (int b = 0; b < 2; ++b)
    for (int j = 0; j < 40; ++j)
      values(b, j) = data.values(std::size_t(j)) * (b == 0 ? 1. : -2.);
  for (int b = 0; b < 2; ++b)
    for (int i = 0; i < 30; ++i)
      in(b, i / 5, i % 5) =
          data.coefficients(std::size_t(i)) * (b == 0 ? 1. : -2.);
  plan.type1(exec, values, out);
  plan.type2(exec, in, values);
  exec.fence();
  for (int b = 0; b < 2; ++b) {
    const double times = b == 0 ? 1. : -2.;  // without rounding
    for (int i = 0; i < 30; ++i)
      CHECK(out(b, i / 5, i % 5) == data.of_modes(std::size_t(i)) * times);
    for (int j = 0; j < 40; ++j)
      CHECK(values(b, j) == data.at_points(std::size_t(j)) * times);
  }
}

TEST_CASE("nufft: points may change", "[nufft]") {
  const Exec exec;
  const NufftCase c{{6, 5, 0}, 40, Places::random, 1e-3};
  const NufftCase d{{6, 5, 0}, 55, Places::clustered, 1e-3};
  const NufftData<Exec, 2, double, Memory> data(c), others(d);
  auto plan       = planned<Exec, 2, double, Widths>(d, others);
  const auto anew = planned<Exec, 2, double, Widths>(c, data);
  plan.type1(exec, others.values, others.shaped(others.grid, others.of_modes));
  plan.set_points(exec, data.points);
  CHECK(plan.size() == 40);
  const Modes of_plan("of_plan", 6, 5), of_new("of_new", 6, 5);
  plan.type1(exec, data.values, of_plan);
  anew.type1(exec, data.values, of_new);
  exec.fence();
  for (int i = 0; i < 30; ++i)
    CHECK(of_plan(i / 5, i % 5) == of_new(i / 5, i % 5));
}

/// The sums of an FFT by their definition.
struct PlainFft {
  template <class E, int Dim, class T>
  struct Plan {
    NufftGrid<Dim> grid;
    Kokkos::complex<T>* fine;
    static inline int runs = 0;

    Plan(const E&, const NufftGrid<Dim>& g, Kokkos::complex<T>* f,
         const NufftOptions&)
        : grid(g), fine(f) {}
    void to_modes(const E& exec, int sign) const { run(exec, sign); }
    void from_modes(const E& exec, int sign) const { run(exec, sign); }
    std::size_t bytes() const { return 0; }
    void run(const E& exec, int sign) const {
      static_assert(Dim == 1, "one direction");
      ++runs;
      exec.fence();
      const int n = grid.points[0];
      std::vector<Kokkos::complex<T>> out(static_cast<std::size_t>(n));
      for (int k = 0; k < n; ++k)
        for (int x = 0; x < n; ++x) {
          const double phase =
              sign * 2 * std::acos(-1.) * ((double(k) * x) / n);
          out[std::size_t(k)] +=
              fine[x] * Kokkos::complex<T>(std::cos(phase), std::sin(phase));
        }
      for (int k = 0; k < n; ++k) fine[k] = out[std::size_t(k)];
    }
  };
};

TEST_CASE("nufft: an FFT of the caller", "[nufft]") {
  using Host = HostExec;
  const Host exec;
  const NufftCase c{{9, 0, 0}, 20, Places::random, 1e-3};
  const NufftData<Host, 1, double, HostMemory> data(c);
  NufftPlan<Host, 1, double, NufftWidths<6>, PlainFft> plan(
      exec, {{9}}, with_tolerance(1e-3));
  const auto x = Kokkos::subview(data.points, Kokkos::ALL(), 0);
  plan.set_points(exec, x);  // of rank 1
  plan.type1(exec, data.values, data.of_modes, -1);
  plan.type2(exec, data.coefficients, data.at_points, 1);
  CHECK(l2_error(data.of_modes, data.direct(1, -1), 0) < 1e-3);
  CHECK(l2_error(data.at_points, data.direct(2, 1), 0) < 1e-3);
  CHECK(PlainFft::Plan<Host, 1, double>::runs == 2);
}

template <int... W>
void check_bounds(NufftWidths<W...>, double upsampling) {
  const auto check_one = [&](auto width) {
    constexpr int w = decltype(width)::value;
    const ExponentialOfSemicircle<w> kernel(upsampling);
    const double bound = Sporos::Impl::nufft_error(w, upsampling);
    const double error = kernel.expected_error(1), rounds = kernel.rounding(1);
    CAPTURE(w, upsampling, bound, error, rounds);
    CHECK(error < bound + std::max(4 * rounds, 1e-14));
    CHECK(error > bound / 4);
    const double step     = std::acos(-1.) / (upsampling * 499);
    const auto direct     = kernel.transform(step, 500);
    const auto polynomial = Sporos::Impl::nufft_transform(kernel, step, 500);
    for (const std::size_t k : {0, 1, 77, 250, 498, 499})
      CHECK(std::fabs(polynomial[k] - direct[k]) < 1e-14);
  };
  (check_one(std::integral_constant<int, W>()), ...);
}

TEST_CASE("nufft: the promised error bounds that of the kernel", "[nufft]") {
  for (const double upsampling : {1.25, 1.6, 2., 2.25})
    check_bounds(NufftWidthsOfDouble(), upsampling);
}

TEST_CASE("nufft: sizes and choices", "[nufft]") {
  CHECK(Sporos::Impl::nufft_points(64, 2) == 128);
  CHECK(Sporos::Impl::nufft_points(1024, 2.1) == 2160);
  CHECK(Sporos::Impl::nufft_points(3, 2) == 8);
  CHECK(Sporos::Impl::nufft_points(44, 2) == 96);  // 88 has the factor 11
  CHECK(Sporos::Impl::nufft_points(1, 1.25) == 8);
  for (const bool centred : {false, true})
    for (const int modes : {1, 2, 5, 8}) {
      const NufftGrid<1> g{{modes}, {16}, centred};
      int found = 0;
      for (int place = 0; place < 16; ++place) {
        const int i = g.mode_at(0, place);
        if (i < 0) continue;
        ++found;
        CHECK(g.place(0, i) == place);
        CHECK((g.wave(0, i) - place) % 16 == 0);
      }
      CHECK(found == modes);
      CHECK(g.wave(0, 0) == (centred ? -(modes / 2) : 0));
    }
  const Exec exec;
  NufftOptions o = with_tolerance(1e-2);
  o.points       = 1;  // the FFT decides
  const Plan few(exec, {{64, 64}}, o);
  o.points = 100000000;  // the points do
  const Plan many(exec, {{64, 64}}, o);
  CHECK(few.width() == 8);
  CHECK(many.width() == 3);
  CHECK(few.grid().points[0] == 80);
  CHECK(many.grid().points[0] == 144);
  CHECK(few.expected_error() < 1e-4);
  CHECK(few.size() == 0);
  CHECK(few.options().points == 1);
  CHECK(few.describe().find("64 x 64 modes on a grid of") != std::string::npos);
  CHECK(few.bytes() > few.grid().size() * sizeof(Complex));
  o.patience = NufftPatience::measure;
  const Plan measured(exec, {{8, 8}}, o);
  CHECK(measured.describe().find("width") != std::string::npos);
}

TEST_CASE("nufft: steady calls allocate and wait for nothing", "[nufft]") {
  const Exec exec;
  const NufftCase c{{20, 30, 0}, 3000, Places::random, 1e-3};
  const NufftData<Exec, 2, double, Memory> data(c);
  auto plan        = planned<Exec, 2, double, Widths>(c, data);
  const auto modes = data.shaped(data.grid, data.of_modes);
  const auto step  = [&] {
    plan.type1(exec, data.values, modes);
    plan.type2(exec, modes, data.at_points);
  };
  step();
  {
    const Recorder recorder;
    step();
    step();
  }
  CHECK((events.allocations == std::vector<std::string>{}));
  CHECK((events.deallocations == std::vector<std::string>{}));
  CHECK((events.fences == std::vector<std::string>{}));
  CHECK(without_sporos(events.kernels).empty());
  CHECK(saw_region("Sporos::NufftPlan::type1/Sporos::nufft::fft"));
  CHECK(regions_match());
  {
    const Recorder recorder;
    plan.set_points(exec, data.points);
  }
  CHECK((events.allocations == std::vector<std::string>{}));
}

}  // namespace NufftCalls
