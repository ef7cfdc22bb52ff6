// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Preconditions: each violation throws std::invalid_argument that names the
// function, the argument and what was given, and nothing is written.

#include "Sporos_SlowRun.hpp"
#include "Sporos_Test.hpp"

#include <Sporos_ParticleGrid.hpp>

#include "Sporos_ReferenceDelta.hpp"

#include <fstream>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#if defined(__linux__)
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace ErrorsTest {

using namespace Sporos;
using Test::Spaces;

/// What f throws, or "".
template <class F>
std::string message(const F& f) {
  try {
    f();
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

/// Does the message have all parts?
bool says(const std::string& text, const std::vector<std::string>& parts) {
  bool all = !text.empty();
  for (const std::string& part : parts)
    if (text.find(part) == std::string::npos) {
      UNSCOPED_INFO("\"" << part << "\" is not in \"" << text << "\"");
      all = false;
    }
  return all;
}

template <class View>
auto host_copy(const View& view) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
}

template <class View>
bool all_are(const View& view, double value) {
  const auto host = host_copy(view);
  for (std::size_t i = 0; i < host.span(); ++i)
    if (host.data()[i] != value) return false;
  return true;
}

/// Ten points on a grid of 8 x 6 cells, with walls in the first direction.
template <class Exec, class Delta = Cosine4>
struct Case {
  using Memory = typename Exec::memory_space;
  using Plan   = ParticleGridPlan<Exec, 2, double, Delta>;

  Grid<2> grid{{8, 6}, {{1., 1.}}, {{Boundary::wall, Boundary::periodic}}};
  Kokkos::View<double**, Memory> x{"x", 10, 2};
  Kokkos::View<double*, Memory> values{"values", 10};
  Kokkos::View<double**, Memory> vectors{"vectors", 10, 2};
  Kokkos::View<double**, Memory> field{"field", 9, 6};
  Kokkos::View<double***, Memory> fields{"fields", 9, 6, 2};
  Exec exec{};
  Plan plan;

  Case() : plan(exec, grid, Delta{}, positions()) {
    Kokkos::deep_copy(values, 3.);
    Kokkos::deep_copy(vectors, 3.);
    Kokkos::deep_copy(field, 5.);
    Kokkos::deep_copy(fields, 5.);
  }
  Kokkos::View<const double**, Memory> positions() {
    const auto host = Kokkos::create_mirror_view(x);
    for (int i = 0; i < 10; ++i) {
      host(i, 0) = .73 * i;
      host(i, 1) = 1.1 * i;
    }
    Kokkos::deep_copy(x, host);
    return x;
  }
  bool untouched() const {
    return all_are(values, 3.) && all_are(vectors, 3.) && all_are(field, 5.) &&
           all_are(fields, 5.);
  }
};

TEMPLATE_LIST_TEST_CASE("plans refuse what they cannot work with", "[errors]",
                        Spaces) {
  using Exec = TestType;
  Case<Exec> c;
  using Plan             = typename Case<Exec>::Plan;
  const std::string plan = "Sporos::ParticleGridPlan: ";
  using Memory           = typename Exec::memory_space;

  const Kokkos::View<double**, Memory> wrong("wrong", 10, 3);
  CHECK(says(message([&] { Plan(c.exec, c.grid, Cosine4{}, wrong); }),
             {plan + "positions: ", "(n, 2)", "got (10, 3)"}));
  CHECK(says(message([&] { c.plan.update(c.exec, wrong); }),
             {plan + "positions: ", "got (10, 3)"}));

  const Grid<2> narrow({8, 3}, 1.);
  CHECK(says(message([&] { Plan(c.exec, narrow, Cosine4{}, c.x); }),
             {plan + "grid: ", "support", "4", "direction 1", "got 3"}));
  for (const double g :
       {-.1, 1., 1.5, std::numeric_limits<double>::quiet_NaN()}) {
    PlanOptions options;
    options.staggering = {{.5, g, 0.}};
    CHECK(says(message([&] { Plan(c.exec, c.grid, Cosine4{}, c.x, options); }),
               {plan + "staggering: ", "[0, 1)"}));
  }
}

template <class Exec>
void set_coordinate(Case<Exec>& c, int i, int d, double value) {
  const auto host = host_copy(c.x);
  const auto copy = Kokkos::create_mirror_view(c.x);
  Kokkos::deep_copy(copy, host);
  copy(i, d) = value;
  Kokkos::deep_copy(c.x, copy);
}

TEMPLATE_LIST_TEST_CASE("a coordinate that is not finite is named", "[errors]",
                        Spaces) {
  using Exec = TestType;
  using Plan = typename Case<Exec>::Plan;
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity()})
    for (const int d : {0, 1}) {
      Case<Exec> c;
      set_coordinate(c, 7, d, bad);
      CHECK(says(message([&] { Plan(c.exec, c.grid, Cosine4{}, c.x); }),
                 {"Sporos::ParticleGridPlan: positions: ", "point 7"}));
      set_coordinate(c, 4, 1 - d, bad);  // the first of two
      const std::string text = message([&] {
        c.plan.update(c.exec, c.x);
        c.plan.check(c.exec);
      });
      CHECK(says(text, {"Sporos::ParticleGridPlan: positions: ", "point 4"}));
      if (Impl::is_synchronous_space_v<Exec>)
        c.plan.check(c.exec);  // as before
      CHECK(says(message([&] { c.plan.update(c.x); }), {"point 4"}));
      // one shot: nothing is spread
      CHECK(says(message([&] {
                   spread(c.exec, c.grid, Cosine4{}, c.x, c.values, c.field);
                 }),
                 {"point 4"}));
      CHECK(c.untouched());
      // the plan can still be used
      c.plan.update(c.positions());
      spread(c.plan, c.values, c.field);
      CHECK(!all_are(c.field, 5.));
    }
}

/// spread and interpolate must both refuse.
template <class Exec, class Values, class Field>
void check_both(Case<Exec>& c, const Values& values, const Field& field,
                const std::string& argument,
                const std::vector<std::string>& parts,
                const std::optional<Staggering>& g = std::nullopt) {
  const auto prefix = [&](const std::string& function, std::string name) {
    if (name == "values" && function == "spread") name = "strengths";
    std::vector<std::string> all = parts;
    all.push_back("Sporos::" + function + ": " + name + ": ");
    return all;
  };
  SpreadOptions spread_options;
  InterpolateOptions interpolate_options;
  spread_options.staggering = interpolate_options.staggering = g;
  CHECK(says(
      message([&] { spread(c.exec, c.plan, values, field, spread_options); }),
      prefix("spread", argument)));
  CHECK(says(message([&] { spread(c.plan, values, field, spread_options); }),
             prefix("spread", argument)));
  CHECK(says(message([&] {
               interpolate(c.exec, c.plan, field, values, interpolate_options);
             }),
             prefix("interpolate", argument)));
  CHECK(says(message([&] {
               interpolate(c.exec, c.grid, Cosine4{}, c.x, field, values,
                           g.value_or(Staggering{{0., 0., 0.}}));
             }),
             prefix("interpolate", argument)));
  CHECK(c.untouched());
}

TEMPLATE_LIST_TEST_CASE("spread and interpolate check shapes", "[errors]",
                        Spaces) {
  using Memory = typename TestType::memory_space;
  Case<TestType> c;
  using Rank1 = Kokkos::View<double*, Memory>;
  using Rank2 = Kokkos::View<double**, Memory>;
  using Rank3 = Kokkos::View<double***, Memory>;
  check_both(c, Rank1("nine", 9), c.field, "values",
             {"extent(0) == 10", "got (9)"});
  check_both(c, Rank2("eleven", 11, 2), c.fields, "values",
             {"extent(0) == 10", "got (11, 2)"});
  check_both(c, c.values, Rank2("short", 8, 6), "field",
             {"extent(0) == 9", "got (8, 6)"});
  check_both(c, c.values, Rank2("long", 9, 7), "field",
             {"extent(1) == 6", "got (9, 7)"});
  check_both(c, c.vectors, Rank3("components", 9, 6, 3), "field",
             {"extent(2) == 2", "got (9, 6, 3)"});
  // at a staggering without points on the wall there are 8
  check_both(c, c.values, c.field, "field", {"extent(0) == 8", "got (9, 6)"},
             Staggering{{.5, 0., 0.}});
  for (const double g : {-.5, 1.})
    check_both(c, c.values, c.field, "staggering",
               {"[0, 1)", std::to_string(int(g))}, Staggering{{0., g, 0.}});
}

TEMPLATE_LIST_TEST_CASE("spread checks options", "[errors]", Spaces) {
  Case<TestType> c;
  SpreadOptions options;
  options.columns = -2;
  CHECK(says(message([&] { spread(c.plan, c.values, c.field, options); }),
             {"Sporos::spread: options.columns: ", "got -2"}));
  CHECK(c.untouched());
}

TEMPLATE_LIST_TEST_CASE("tiles take no wide delta functions", "[errors]",
                        Spaces) {
  Case<TestType, BSpline<6>> fine;
  SpreadOptions options;
  options.algorithm = SpreadAlgorithm::tiled;
  spread(fine.plan, fine.values, fine.field, options);

  using Wide = Test::UserWide8;
  const Grid<2> grid({8, 8}, 1.);
  using Memory = typename TestType::memory_space;
  const TestType exec{};
  const Kokkos::View<double**, Memory> x("x", 10, 2), field("field", 8, 8);
  const Kokkos::View<double*, Memory> values("values", 10);
  Kokkos::deep_copy(values, 3.);
  const ParticleGridPlan<TestType, 2, double, Wide> plan(exec, grid, Wide{}, x);
  if (Impl::most_tiled_v<TestType> < 8) {
    CHECK(says(message([&] { spread(plan, values, field, options); }),
               {"Sporos::spread: options.algorithm: ", "for tiled, got 8"}));
    CHECK(all_are(field, 0.));
  }
  InterpolateOptions tiled;
  tiled.algorithm = InterpolateAlgorithm::tiled;
  CHECK(says(message([&] { interpolate(plan, field, values, tiled); }),
             {"Sporos::interpolate: options.algorithm: ", "for tiled, got 8"}));
  CHECK(all_are(values, 3.));
}

TEMPLATE_LIST_TEST_CASE("spread checks a caller's buffer", "[errors]", Spaces) {
  using Memory = typename TestType::memory_space;
  Case<TestType> c;
  using Buffer    = Kokkos::View<double**, Memory>;
  const auto text = [&](const Buffer& buffer, SpreadOptions options) {
    return message(
        [&] { spread(c.exec, c.plan, c.values, c.field, buffer, options); });
  };
  CHECK(says(text(Buffer("b", 53, 8), {}),
             {"Sporos::spread: buffer: ", "(54, columns > 0)", "got (53, 8)"}));
  CHECK(says(text(Buffer("b", 54, 0), {}),
             {"Sporos::spread: buffer: ", "got (54, 0)"}));
  SpreadOptions options;
  options.algorithm = SpreadAlgorithm::tiled;
  CHECK(says(text(Buffer("b", 54, 8), options),
             {"Sporos::spread: options.algorithm: ", "sweep_buffered"}));
  CHECK(c.untouched());
}

TEMPLATE_LIST_TEST_CASE("vector fields are checked before one is written",
                        "[errors]", Spaces) {
  using Memory = typename TestType::memory_space;
  Case<TestType> c;
  using Field = Kokkos::View<double**, Memory>;
  // faces: 9 x 6 in direction 0, 8 x 6 in direction 1
  const Field good("good", 9, 6), bad("bad", 9, 6), fine("fine", 8, 6);
  const Kokkos::Array<Field, 2> wrong{{good, bad}}, right{{good, fine}};
  CHECK(says(message([&] { spread(c.exec, c.plan, c.vectors, wrong); }),
             {"Sporos::spread: field", "extent(0) == 8", "got (9, 6)"}));
  CHECK(all_are(good, 0.));
  CHECK(says(message([&] { interpolate(c.exec, c.plan, wrong, c.vectors); }),
             {"Sporos::interpolate: field", "extent(0) == 8", "got (9, 6)"}));
  CHECK(c.untouched());

  const Kokkos::View<double**, Memory> three("three", 10, 3);
  CHECK(says(message([&] { spread(c.exec, c.plan, three, right); }),
             {"Sporos::spread: strengths: ", "(n, 2)", "got (10, 3)"}));
  CHECK(says(message([&] { interpolate(c.exec, c.plan, right, three); }),
             {"Sporos::interpolate: values: ", "(n, 2)", "got (10, 3)"}));
  SpreadOptions options;
  options.staggering = Staggering{{0., 0., 0.}};
  CHECK(
      says(message([&] { spread(c.exec, c.plan, c.vectors, right, options); }),
           {"Sporos::spread: options.staggering: "}));
  CHECK(all_are(good, 0.));
  CHECK(all_are(fine, 0.));
}

#if defined(__linux__)
/// This process gets no more than so many further bytes of addresses meanwhile.
class MemoryLimit {
 public:
  explicit MemoryLimit(rlim_t more) {
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    getrlimit(RLIMIT_AS, &m_before);
    const rlimit now{pages * rlim_t(sysconf(_SC_PAGESIZE)) + more,
                     m_before.rlim_max};
    setrlimit(RLIMIT_AS, &now);
  }
  MemoryLimit(const MemoryLimit&)            = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;
  ~MemoryLimit() { setrlimit(RLIMIT_AS, &m_before); }

 private:
  rlimit m_before{};
};

TEST_CASE("a plan that ran out of memory is refused until the next update",
          "[errors]") {
  if (Test::slow_run) return;
  using Exec          = Kokkos::DefaultHostExecutionSpace;
  const std::size_t n = 3000000, few = 1000;
  const Kokkos::View<double* [2], Exec> x("x", n);
  for (std::size_t i = 0; i < n; ++i) {
    x(i, 0) = double(i) / double(n);
    x(i, 1) = double(i % 1000) / 1000;
  }
  const Kokkos::View<double*, Exec> v("v", few);
  const Kokkos::View<double**, Exec> field("field", 64, 64);
  const auto some =
      Kokkos::subview(x, std::make_pair(std::size_t(0), few), Kokkos::ALL());
  ParticleGridPlan plan(Exec{}, Grid<2>({64, 64}, 1. / 64), Cosine4{}, some);
  const std::string refused =
      "plan: expected one whose last update succeeded, got one whose update "
      "ended with an exception; update it again";
  int refusals = 0;
  bool enough  = false;
  for (rlim_t mebibytes = 10; !enough; mebibytes += 10) {
    try {
      const MemoryLimit limit(mebibytes << 20);
      plan.update(Exec{}, x);
      enough = true;
    } catch (const std::exception&) {
      const std::string said = message([&] { spread(Exec{}, plan, v, field); });
      if (said != "") {  // else the plan is as it was
        ++refusals;
        CHECK(said == "Sporos::spread: " + refused);
        CHECK(message([&] { interpolate(Exec{}, plan, field, v); }) ==
              "Sporos::interpolate: " + refused);
      }
    }
    plan.update(Exec{}, some);
    REQUIRE(message([&] { spread(Exec{}, plan, v, field); }) == "");
  }
  CHECK(refusals > 0);
}
#endif

}  // namespace ErrorsTest
