// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What profilers see of particle-grid transfer: every kernel and allocation has
// a label of ours; a loop of update, spread and interpolate allocates nothing,
// copies nothing and, with an instance, waits for nothing.

#include "Sporos_Test.hpp"
#include "Sporos_ToolsRecorder.hpp"
#include "Sporos_TransferCalls.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace TransferProfile {

using namespace Sporos;
using Test::events;
using Test::Recorder;
using Test::Spaces;
using Test::without_sporos;

/// Moving points.
template <class Exec>
struct Simulation : Test::TransferCalls<Exec, Cosine4> {
  using Base = Test::TransferCalls<Exec, Cosine4>;

  Exec exec{};

  Simulation() : Base(Test::slow_run ? 10000 : 20000) {}

  /// Positions at time t; half of the points are in one tile.
  void move(int t) {
    const auto host = Kokkos::create_mirror_view(this->x);
    for (int i = 0; i < this->n; ++i)
      for (int d = 0; d < 2; ++d)
        host(i, d) = i % 2 ? std::sin(i * (d + 1.1) + .1 * t)
                           : 1e-3 * ((i * (d + 7)) % 997) + .01 * t;
    Kokkos::deep_copy(this->x, host);
    Kokkos::fence();
  }
  void step(typename Base::Plan& plan) const {
    using A             = SpreadAlgorithm;
    using B             = InterpolateAlgorithm;
    constexpr bool host = Sporos::Impl::is_host_space_v<Exec>;
    this->run(exec, plan,
              {A::automatic, A::serial, A::sweep, A::sweep_buffered, A::tiled,
               host ? A::replicated : A::tiled, A::atomic},
              {B::automatic, B::serial, B::sorted, B::tiled,
               host ? B::unsorted : B::tiled});
  }
};

TEMPLATE_LIST_TEST_CASE("transfer in a loop allocates and waits for nothing",
                        "[profile]", Spaces) {
  Simulation<TestType> s;
  s.move(0);
  auto plan = s.make_plan(s.exec);
  {
    const Recorder recorder;
    s.step(plan);  // workspaces grow
  }
  CHECK(events.kernels.size() > 50);
  CHECK(!events.allocations.empty());
  CHECK(without_sporos(events.kernels).empty());
  if (Sporos::Impl::is_host_space_v<TestType>)
    CHECK(without_sporos(events.allocations).empty());
  for (int t = 1; t < 4; ++t) {
    s.move(t);
    const Recorder recorder;
    s.step(plan);
    INFO("step " << t);
    CHECK((events.allocations == std::vector<std::string>{}));
    CHECK((events.deallocations == std::vector<std::string>{}));
    CHECK((events.fences == std::vector<std::string>{}));
    CHECK(events.copies == 0);
    CHECK(without_sporos(events.kernels).empty());
  }
}

TEMPLATE_LIST_TEST_CASE("profilers see the phases of transfers", "[profile]",
                        Spaces) {
  Simulation<TestType> s;
  s.move(0);
  {
    const Recorder recorder;
    auto plan = s.make_plan(s.exec);
    s.step(plan);
  }
  CHECK(Test::regions_match());
  const std::string update = "Sporos::ParticleGridPlan::update";
  for (const std::string& path :
       {update + '/' + update + "::keys", update + "/Sporos::sort_by_key",
        update + '/' + update + "::tiles",
        std::string("Sporos::spread/Sporos::spread::stage"),
        std::string("Sporos::spread/Sporos::spread::sum"),
        std::string("Sporos::interpolate")}) {
    INFO(path);
    CHECK(Test::saw_region(path));
  }
}

TEMPLATE_LIST_TEST_CASE("phases end with exceptions, too", "[profile]",
                        Spaces) {
  Simulation<TestType> s;
  s.move(0);
  auto plan       = s.make_plan(s.exec);
  const auto host = Kokkos::create_mirror_view(s.x);
  Kokkos::deep_copy(host, s.x);
  host(5, 1) = std::numeric_limits<double>::quiet_NaN();
  Kokkos::deep_copy(s.x, host);
  const Recorder recorder;
  CHECK_THROWS_AS(plan.update(s.x), std::invalid_argument);
  const auto few = Kokkos::subview(s.values, std::make_pair(0, 3));
  CHECK_THROWS_AS(spread(s.exec, plan, few, s.field), std::invalid_argument);
  CHECK_THROWS_AS(interpolate(s.exec, plan, s.field, few),
                  std::invalid_argument);
  CHECK(Test::saw_region("Sporos::interpolate"));
  CHECK(Test::regions_match());
}

TEST_CASE("a plan tells all bytes of its memory", "[profile]") {
  Simulation<Kokkos::DefaultHostExecutionSpace> s;
  s.move(0);
  const Recorder recorder;
  auto plan = s.make_plan(s.exec);
  CHECK(std::size_t(events.bytes) == plan.bytes());
  s.step(plan);
  CHECK(std::size_t(events.bytes) == plan.bytes());
}

TEMPLATE_LIST_TEST_CASE("fewer points need no more memory", "[profile]",
                        Spaces) {
  Simulation<TestType> s;
  s.move(0);
  auto plan = s.make_plan(s.exec);
  s.step(plan);
  const std::size_t bytes = plan.bytes();
  for (const int n : {s.n - 1, 100, 1, 0, s.n}) {
    s.exec.fence();
    const Recorder recorder;
    const auto first = std::make_pair(0, n);
    const auto x     = Kokkos::subview(s.x, first, Kokkos::ALL());
    const auto v     = Kokkos::subview(s.strengths, first);
    plan.update(s.exec, x);
    spread(s.exec, plan, v, s.field);
    interpolate(s.exec, plan, s.field, v);
    INFO(n << " points");
    CHECK((events.allocations == std::vector<std::string>{}));
    CHECK((events.fences == std::vector<std::string>{}));
    CHECK(plan.bytes() == bytes);
    CHECK(plan.size() == std::size_t(n));
  }
}

/// Every algorithm but `automatic`, with a kernel that no other one runs.
template <class Exec>
void check_kernels() {
  using A                                       = SpreadAlgorithm;
  using B                                       = InterpolateAlgorithm;
  constexpr std::pair<A, const char*> spreads[] = {
      {A::serial, "Sporos::spread::serial"},
      {A::sweep, "Sporos::spread::sort_strengths"},
      {A::sweep_buffered, "Sporos::spread::sum_buffer"},
      {A::sweep_buffered_on_the_fly, "Sporos::spread::sum_buffer"},
      {A::tiled, Sporos::Impl::is_host_space_v<Exec>
                     ? "Sporos::spread::tiled"
                     : "Sporos::spread::add_images"},
      {A::replicated, "Sporos::spread::replicated"},
      {A::atomic, "Sporos::spread::atomic"}};
  constexpr std::pair<B, const char*> interpolates[] = {
      {B::serial, "Sporos::interpolate::serial"},
      {B::sorted, "Sporos::interpolate::sorted"},
      {B::tiled, "Sporos::interpolate::tiled"},
      {B::unsorted, "Sporos::interpolate::unsorted"}};
  CHECK(std::size(spreads) == std::size_t(A::atomic));
  CHECK(std::size(interpolates) == std::size_t(B::unsorted));
  Simulation<Exec> s;
  s.move(0);
  const auto plan = s.make_plan(s.exec);
  const auto runs = [](const char* kernel, const auto& call) {
    const Recorder recorder;
    call();
    return std::count(events.kernels.begin(), events.kernels.end(), kernel);
  };
  const auto check = [&](const auto& all, const auto& call) {
    for (const auto& asked : all)
      for (const auto& [algorithm, kernel] : all) {
        const bool expected = std::string(asked.second) == kernel;
        const bool on_hosts =
            std::string(kernel).find("replicated") < std::string::npos ||
            std::string(kernel).find("unsorted") < std::string::npos;
        if (on_hosts && !Sporos::Impl::is_host_space_v<Exec>) continue;
        INFO(kernel << ", asked for " << int(asked.first));
        CHECK((runs(kernel, [&] { call(asked.first); }) > 0) == expected);
      }
  };
  check(spreads, [&](A a) {
    SpreadOptions options;
    options.algorithm = a;
    spread(s.exec, plan, s.strengths, s.field, options);
  });
  check(interpolates, [&](B b) {
    InterpolateOptions options;
    options.algorithm = b;
    interpolate(s.exec, plan, s.field, s.values, options);
  });
}

TEMPLATE_LIST_TEST_CASE("the algorithm that is asked for is what runs",
                        "[profile]", Spaces) {
  check_kernels<TestType>();
}

TEMPLATE_LIST_TEST_CASE("a buffer on the fly is all that its call allocates",
                        "[profile]", Spaces) {
  Simulation<TestType> s;
  s.move(0);
  auto plan = s.make_plan(s.exec);
  SpreadOptions options;
  options.algorithm = SpreadAlgorithm::sweep_buffered_on_the_fly;
  spread(s.exec, plan, s.strengths, s.field, options);
  const std::size_t bytes = plan.bytes();
  s.exec.fence();
  {
    const Recorder recorder;
    spread(s.exec, plan, s.strengths, s.field, options);
  }
  const std::vector<std::string> one{"Sporos::spread::buffer_on_the_fly"};
  CHECK(events.allocations == one);
  CHECK(events.deallocations == one);
  CHECK(plan.bytes() == bytes);
}

TEMPLATE_LIST_TEST_CASE("without an instance calls wait under their own name",
                        "[profile]", Spaces) {
#if KOKKOS_VERSION >= 30500
  Simulation<TestType> s;
  s.move(0);
  auto plan         = s.make_plan(s.exec);
  const auto waited = [](const std::string& label) {
    return std::count(events.fences.begin(), events.fences.end(), label);
  };
  {
    const Recorder recorder;
    spread(plan, s.strengths, s.field);
  }
  CHECK(waited("Sporos::spread") == 1);
  {
    const Recorder recorder;
    interpolate(plan, s.field, s.values);
  }
  CHECK(waited("Sporos::interpolate") == 1);
#else
  SUCCEED("fences have no labels in this Kokkos");
#endif
}

}  // namespace TransferProfile
