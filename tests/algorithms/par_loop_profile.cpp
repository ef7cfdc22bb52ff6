// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Plans are made once and remade when a map changes; a loop with a plan
// allocates nothing, waits for nothing and labels all of its kernels.

#include "Sporos_MeshCases.hpp"
#include "Sporos_Test.hpp"
#include "Sporos_ToolsRecorder.hpp"

#include <stdexcept>

namespace ParLoopProfile {

using namespace Sporos;
using namespace Sporos::Test;

template <class Exec>
struct Simulation {
  using Memory           = typename Exec::memory_space;
  static constexpr int n = 3000, targets = 800;
  Set from{"from", n}, to{"to", targets};
  Map<2, Memory> map{"map", from, to, banded_entries(n, 2, targets, 1)};
  Dat<double, 2, Kokkos::LayoutRight, Memory> x{"x", to}, u{"u", from};
  Dat<double, 1, Kokkos::LayoutRight, Memory> w{"w", from};
  Dat<double, 3, Kokkos::LayoutRight, Memory> y{"y", to};
  Global<double, 2, Memory> total{"total"};
  Global<double, 1, Memory> least{"least"};
  Exec exec{};

  template <class... How>
  void loop(const How&... how) const {
    par_loop("exchange", exec, from, how..., Exchange<2>{}, read(x, map),
             read(w), write(u), inc(y, map), sum(total), Sporos::min(least));
  }
  template <class... How>
  void direct(const How&... how) const {
    par_loop("copy", exec, from, how..., Copy{}, read(w), rw(u));
  }
  void step() const {
    for (const LoopOptions& o : all_options()) loop(o);
    loop();
    direct();
    direct(LoopOptions{});
  }
  struct Copy {
    template <class Real>
    KOKKOS_FUNCTION void operator()(Read<Real, 1> a,
                                    ReadWrite<Real, 2> b) const {
      b[0] += a[0];
    }
  };
};

TEMPLATE_LIST_TEST_CASE("loops with a plan allocate and wait for nothing",
                        "[profile]", Spaces) {
  const Simulation<TestType> s;
  {
    const Recorder recorder;
    s.loop();
    s.direct();
  }
  CHECK(!events.allocations.empty());
  CHECK(without_sporos(events.kernels).empty());
  if (Sporos::Impl::is_host_space_v<TestType>)
    CHECK(without_sporos(events.allocations) == std::vector<std::string>{});
  s.step();  // Kokkos gets scratch for the teams of staged blocks
  for (int t = 0; t < 3; ++t) {
    const Recorder recorder;
    s.step();
    CHECK((events.allocations == std::vector<std::string>{}));
    CHECK((events.deallocations == std::vector<std::string>{}));
    CHECK((events.fences == std::vector<std::string>{}));
    CHECK(events.copies == 0);
    CHECK(without_sporos(events.kernels).empty());
  }
}

TEMPLATE_LIST_TEST_CASE("profilers see the phases of loops", "[profile]",
                        Spaces) {
  const Simulation<TestType> s;
  LoopOptions gather;
  gather.strategy = LoopStrategy::gather;
  {
    const Recorder recorder;
    s.loop(gather);
    s.direct();
  }
  CHECK(regions_match());
  const std::string loop = "Sporos::par_loop::exchange/Sporos::par_loop::";
  for (const char* phase : {"plan", "stage", "sum"}) {
    INFO(phase);
    CHECK(saw_region(loop + phase));
  }
  CHECK(saw_region("Sporos::par_loop::copy/Sporos::par_loop::plan"));
  CHECK_FALSE(saw_region("Sporos::par_loop::copy/Sporos::par_loop::sum"));
  gather.block_size = -1;
  const Recorder recorder;
  CHECK_THROWS_AS(s.loop(gather), std::invalid_argument);
  CHECK(saw_region(loop + "plan"));
  CHECK(regions_match());
}

/// Did the last loops make a plan?
bool made_a_plan() {
  for (const std::string& label : events.allocations)
    if (label.find("LoopPlan") != std::string::npos) return true;
  return false;
}

TEMPLATE_LIST_TEST_CASE("a plan is remade when a map is modified, not before",
                        "[profile]", Spaces) {
  const Simulation<TestType> s;
  LoopOptions o;
  o.block_size    = 64;
  const auto made = [&] {
    const Recorder recorder;
    s.loop(o);
    return made_a_plan();
  };
  CHECK(made());
  CHECK_FALSE(made());
  const auto plan =
      plan_of(s.exec, s.from, o, read(s.x, s.map), read(s.w), write(s.u),
              inc(s.y, s.map), sum(s.total), Sporos::min(s.least));
  CHECK(validate(plan) == "");
  // all to one target: more colours
  Kokkos::deep_copy(s.exec, s.map.view(), 5);
  CHECK(validate(s.exec, plan) != "");
  s.map.modified(s.exec);
  CHECK(made());
  CHECK_FALSE(made());
  CHECK(validate(plan) == "");
  CHECK(s.from.state()->plans.size() == 1);
  Kokkos::deep_copy(s.exec, s.map.view(), 1 << 30);
  CHECK(validate(s.exec, plan) ==
        "map map: entry 1073741824 of element 0, index 0, is not in [0, " +
            std::to_string(s.to.size()) + ')');
}

TEMPLATE_LIST_TEST_CASE("plans go with their maps and sets", "[profile]",
                        Spaces) {
  using Memory = typename TestType::memory_space;
  const Simulation<TestType> s;
  for (int k = 0; k < 5; ++k) {
    const Map<2, Memory> map("map", s.from, s.to, s.map.view());
    par_loop("exchange", s.exec, s.from, Exchange<2>{}, read(s.x, map),
             read(s.w), write(s.u), inc(s.y, map), sum(s.total),
             Sporos::min(s.least));
  }
  s.exec.fence();
  CHECK(s.from.state()->plans.size() <= 2);
}

TEMPLATE_LIST_TEST_CASE("plans that are not used any more are dropped",
                        "[profile]", Spaces) {
  const Simulation<TestType> s;
  const auto made = [&](int begin) {
    const Recorder recorder;
    par_loop("copy", s.exec, s.from.range(begin, begin + 1),
             typename Simulation<TestType>::Copy{}, read(s.w), rw(s.u));
    return made_a_plan();
  };
  const int many = int(Sporos::Impl::many_plans) + 5;
  for (int begin = 0; begin < many; ++begin) CHECK(made(begin));
  for (int begin = 0; begin < many; ++begin) CHECK_FALSE(made(begin));
  CHECK(int(s.from.state()->plans.size()) == many);
  for (int k = 0; k < int(Sporos::Impl::idle_loops); ++k) made(0);
  CHECK(made(many));  // drops all but the one that was used
  CHECK(int(s.from.state()->plans.size()) == 2);
  CHECK_FALSE(made(0));
  CHECK(made(1));
}

TEMPLATE_LIST_TEST_CASE("plans keep no maps on the host", "[profile]", Spaces) {
  const Simulation<TestType> s;
  const auto copied = [] {
    return std::any_of(events.allocations.begin(), events.allocations.end(),
                       [](const std::string& label) {
                         return label.find("on_host") != std::string::npos;
                       });
  };
  const auto part = s.from.range(700, 900);
  const LoopPlan<TestType> plan(s.exec, part, LoopOptions{}, read(s.x, s.map),
                                inc(s.y, s.map));
  REQUIRE(plan.data().maps.size() == 1);
  const auto& map = plan.data().maps[0];
  CHECK(map.n == 200);
  CHECK(map.rows.owner == nullptr);
  CHECK(validate(plan) == "");
  CHECK(plan.reuse().size() == 2);
  CHECK(map.rows.owner == nullptr);
  const Recorder recorder;
  const LoopPlan<TestType> reads(s.exec, part, LoopOptions{}, read(s.x, s.map),
                                 write(s.u));
  CHECK_FALSE(copied());  // nothing to find out
}

TEMPLATE_LIST_TEST_CASE("without an instance a loop waits under its own name",
                        "[profile]", Spaces) {
#if KOKKOS_VERSION >= 30500
  const Set set("set", 100);
  const Dat<double, 1> a("a", set);
  const Dat<double, 2> b("b", set);
  const auto loop = [&] {
    par_loop("copy", set,
             typename Simulation<Kokkos::DefaultExecutionSpace>::Copy{},
             read(a), rw(b));
  };
  loop();
  const Recorder recorder;
  loop();
  CHECK((events.fences == std::vector<std::string>{"Sporos::par_loop"}));
#else
  SUCCEED("fences have no labels in this Kokkos");
#endif
}

}  // namespace ParLoopProfile
