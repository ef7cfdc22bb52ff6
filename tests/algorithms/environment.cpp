// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Environment variables stand in for `automatic`, and describe() says so.

#include "Sporos_MeshCases.hpp"
#include "Sporos_Test.hpp"
#include "Sporos_WrongCalls.hpp"

#include <Sporos_CrossCorrelate.hpp>
#include <Sporos_ParticleGrid.hpp>

#include <cstdlib>
#include <string>
#include <vector>

namespace EnvironmentTest {

using namespace Sporos;
using namespace Sporos::Test;

using Exec   = Kokkos::DefaultHostExecutionSpace;
using Memory = Exec::memory_space;

/// Sets a variable while it lives.
class Variable {
 public:
  Variable(const char* name, const char* value) : m_name(name) {
    setenv(name, value, 1);
  }
  ~Variable() { unsetenv(m_name); }
  Variable(const Variable&)            = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* m_name;
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

struct Transfer {
  Kokkos::View<double* [2], Memory> x { "x", 500 };
  Kokkos::View<double*, Memory> strengths{"strengths", 500},
      values{"values", 500};
  Kokkos::View<double**, Memory> field{"field", 32, 32}, plain{"plain", 32, 32};

  Transfer() {
    for (int i = 0; i < 500; ++i) {
      x(i, 0)      = .01 + i * .0019;
      x(i, 1)      = .99 - i * .0017;
      strengths(i) = 1 + i % 7;
    }
  }
  ParticleGridPlan<Exec, 2, double, Cosine4> plan() const {
    return {Exec{}, Grid<2>({32, 32}, 1. / 32), Cosine4{}, x};
  }
  bool same_as_plain() const {
    bool same = true;
    for (int i = 0; i < 32; ++i)
      for (int j = 0; j < 32; ++j) same = same && field(i, j) == plain(i, j);
    return same;
  }
};

TEST_CASE("SPOROS_SPREAD and SPOROS_INTERPOLATE", "[environment]") {
  const Transfer t;
  const auto automatic = t.plan();
  CHECK(has(automatic.describe(), "spread tiled ("));
  spread(automatic, t.strengths, t.plain, {SpreadAlgorithm::serial});
  {
    const Variable spread_is("SPOROS_SPREAD", "serial");
    const Variable interpolate_is("SPOROS_INTERPOLATE", "serial");
    const auto plan = t.plan();
    CHECK(has(plan.describe(), "spread by SPOROS_SPREAD in the environment"));
    CHECK(has(plan.describe(), "interpolate by SPOROS_INTERPOLATE in the env"));
    spread(plan, t.strengths, t.field);
    CHECK(t.same_as_plain());  // tiles add in another order
    interpolate(plan, t.field, t.values);
  }
  // the plan was made before, options win, and calls without options have less
  const Variable spread_is("SPOROS_SPREAD", "sweep");
  const Variable interpolate_is("SPOROS_INTERPOLATE", "sorted");
  const auto plan = t.plan();
  Kokkos::deep_copy(t.field, 0.);
  spread(plan, t.strengths, t.field, {SpreadAlgorithm::serial});
  CHECK(t.same_as_plain());
  Kokkos::deep_copy(t.field, 0.);
  spread(automatic, t.strengths, t.field);
  CHECK(!t.same_as_plain());
  Kokkos::deep_copy(t.field, 0.);
  CHECK(has(error_of([&] { spread(plan, t.strengths, t.field); }),
            "Sporos::spread: SPOROS_SPREAD: expected automatic, serial or the "
            "choice of automatic (calls without options compile no other: pass "
            "options)"));
  CHECK(has(error_of([&] { interpolate(plan, t.plain, t.values); }),
            "Sporos::interpolate: SPOROS_INTERPOLATE: expected automatic"));
  for (int i = 0; i < 32; ++i) CHECK(t.field(i, i) == 0);
  const Variable wrong("SPOROS_SPREAD", "fast");
  CHECK(error_of([&] { t.plan(); }) ==
        "Sporos: environment: SPOROS_SPREAD: expected automatic, serial, "
        "sweep, sweep_buffered, sweep_buffered_on_the_fly, tiled, replicated "
        "or atomic, "
        "got fast");
}

struct AddBoth {
  KOKKOS_FUNCTION void operator()(Inc<double, 1> a, Inc<double, 1> b) const {
    a[0] += 1;
    b[0] += 2;
  }
};

TEST_CASE("SPOROS_LOOP_STRATEGY", "[environment]") {
  const int n    = 1000;
  const auto run = [&](const auto&... options) {
    const Set edges("edges", n), nodes("nodes", n + 1);
    const Map<2, Memory> map("map", edges, nodes, chain_entries(n));
    const Dat<double, 1, Kokkos::LayoutRight, Memory> x("x", nodes);
    par_loop("add", Exec{}, edges, options..., AddBoth{}, inc(x, map, 0),
             inc(x, map, 1));
    return x.to_host();
  };
  const auto expected = run();
  for (const char* strategy :
       {"serial", "hierarchical", "global_coloring", "gather", "atomic"}) {
    const Variable v("SPOROS_LOOP_STRATEGY", strategy);
    INFO(strategy);
    CHECK(run(LoopOptions{}) == expected);
    const bool compiled = strategy[0] != 'g' || strategy[1] == 'l' ||
                          !Sporos::Impl::is_host_space_v<Exec>;
    if (compiled && strategy[0] != 'a')
      CHECK(run() == expected);
    else
      CHECK(has(error_of([&] { run(); }),
                "Sporos::par_loop(add): SPOROS_LOOP_STRATEGY: expected "
                "automatic, serial, hierarchical or global_coloring"));
    const Set edges("edges", n), nodes("nodes", n + 1);
    const Map<2, Memory> map("map", edges, nodes, chain_entries(n));
    const Dat<double, 1, Kokkos::LayoutRight, Memory> x("x", nodes);
    const LoopPlan<Exec> plan(Exec{}, edges, LoopOptions{}, inc(x, map));
    CHECK(has(plan.describe(),
              strategy + std::string(" (by SPOROS_LOOP_STRATEGY in the")));
  }
}

TEST_CASE("SPOROS_CORRELATE", "[environment]") {
  const CorrelateExtents e{2, 2, 9, 9, 9, 9};
  const auto describe = [&](CorrelateAlgorithm a) {
    CorrelateOptions o;
    o.pairing   = Pairing::n_to_m;
    o.algorithm = a;
    return CrossCorrelatePlan<Exec, float>(Exec(), e, o).describe();
  };
  const Variable v("SPOROS_CORRELATE", "team_per_shift");
  CHECK(has(describe(CorrelateAlgorithm::automatic),
            "team_per_shift: by SPOROS_CORRELATE in the environment"));
  CHECK(!has(describe(CorrelateAlgorithm::basic), "SPOROS_CORRELATE"));
  // plans and calls without options, which compile less
  const auto plain = [] {
    const CorrelateExtents one{1, 1, 9, 9, 9, 9};
    return CrossCorrelatePlan<Exec, float>(Exec(), one).describe();
  };
  CHECK(has(error_of(plain),
            "SPOROS_CORRELATE: expected automatic, basic, tile, "
            "lane_group_per_shift or fft, for a call or plan without options "
            "(for which nothing else is compiled), got team_per_shift"));
  for (const char* compiled : {"basic", "tile", "lane_group_per_shift"}) {
    const Variable other("SPOROS_CORRELATE", compiled);
    CHECK(has(plain(), compiled));
  }
  const Variable wrong("SPOROS_CORRELATE", "quick");
  CHECK(has(error_of([&] { describe(CorrelateAlgorithm::automatic); }),
            "SPOROS_CORRELATE: expected automatic, basic, tile, shuffle, "
            "lane_group_per_shift, team_per_shift or fft, got quick"));
}

}  // namespace EnvironmentTest
