// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What is given an execution-space instance runs in that one alone, waits for
// nothing and, once it has its memory, allocates nothing. Two plans in two
// instances give the same bits one after the other, in turns, and at once.

#include "Sporos_CorrelateCases.hpp"
#include "Sporos_MeshCases.hpp"
#include "Sporos_Test.hpp"
#include "Sporos_ToolsRecorder.hpp"
#include "Sporos_TransferCalls.hpp"

#include <Sporos_RegisterImages.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace Instances {

using namespace Sporos;
using Test::events;
using Test::Recorder;
using Test::Spaces;
using Strings = std::vector<std::string>;

/// Two instances, with threads or streams of their own where Kokkos can give
/// them. (For profilers all instances of OpenMP or Serial are one; on devices
/// each has its own number.)
template <class Exec>
std::array<Exec, 2> two_instances() {
  if constexpr (std::is_constructible_v<Exec, int>) {
    return {{Exec(1), Exec(2)}};
  } else {
#if KOKKOS_VERSION >= 30700
    // a vector before Kokkos 5, an array since
    const auto parts = Kokkos::Experimental::partition_space(Exec(), 1, 1);
    return {{parts[0], parts[1]}};
#else
    return {{Exec(), Exec()}};
#endif
  }
}

/// May host threads use instances of their own at once? (In old Kokkos they end
/// the program. On devices calls in turns overlap.)
template <class Exec>
constexpr bool by_host_threads =
    KOKKOS_VERSION >= 50000 && Sporos::Impl::is_host_space_v<Exec>;

template <class View>
View filled(const View& view, double seed) {
  const auto host = Kokkos::create_mirror_view(view);
  for (std::size_t k = 0; k < view.size(); ++k)
    host.data()[k] =
        typename View::value_type(std::sin(seed + double(k) * (1.1 + seed)));
  Kokkos::deep_copy(view, host);
  return view;
}

template <class View>
void append(std::vector<double>& values, const View& view) {
  const auto host = Test::host_copy(view);
  values.insert(values.end(), host.data(), host.data() + host.size());
}

// ---- what runs: one plan, or one for each option, and all calls with it ----

/// Points and elements, and the size of matrices
constexpr int some = Test::slow_run ? 700 : 3000;
constexpr int edge = Test::slow_run ? 8 : 17;

template <class Exec>
struct Transfer {
  using Calls   = Test::TransferCalls<Exec, Hat2>;
  using Vectors = typename Calls::Vectors;

  Calls c;
  typename Calls::Plan plan;

  Transfer(const Exec& exec, int seed)
      : c(some + 100 * seed),
        plan((filled(c.x, seed), filled(c.strengths, seed),
              c.make_plan(exec))) {}

  void reset() const {
    Kokkos::deep_copy(c.field, 0.);
    for (int d = 0; d < 2; ++d) Kokkos::deep_copy(c.faces[d], 0.);
  }
  void run(const Exec& exec) {
    set_vectors(exec);  // interpolate overwrites them
    using A = SpreadAlgorithm;
    using B = InterpolateAlgorithm;
    c.run(exec, plan, {A::automatic, A::serial, A::sweep, A::sweep_buffered},
          {B::automatic, B::serial, B::sorted});
  }
  void set_vectors(const Exec& exec) const {
    Kokkos::parallel_for("Sporos::test",
                         Kokkos::RangePolicy<Exec>(exec, 0, c.n),
                         Swap{c.x, c.vectors});
  }
  struct Swap {
    Vectors x, vectors;
    KOKKOS_FUNCTION void operator()(int i) const {
      for (int d = 0; d < 2; ++d) vectors(i, d) = x(i, 1 - d);
    }
  };
  std::vector<double> result() const {
    std::vector<double> all;
    append(all, c.field);
    append(all, c.values);
    for (int d = 0; d < 2; ++d) append(all, c.faces[d]);
    return all;
  }
};

template <class Exec>
struct Loops {
  using Memory = typename Exec::memory_space;
  template <int N>
  using D = Dat<double, N, Kokkos::LayoutRight, Memory>;

  int n;
  Set from{"from", n}, to{"to", 800};
  Map<2, Memory> map;
  D<2> x{"x", to}, u{"u", from};
  D<1> w{"w", from};
  D<3> y{"y", to};
  Global<double, 2, Memory> total{"total"};
  Global<double, 1, Memory> least{"least"};
  std::vector<LoopPlan<Exec>> plans;

  Loops(const Exec& exec, int seed)
      : n(some + 100 * seed),
        map("map", from, to,
            Test::banded_entries(n, 2, 800, unsigned(seed + 1))) {
    filled(x.view(), seed);
    filled(w.view(), seed);
    for (const LoopOptions& o : Test::all_options(64))
      if (o.strategy != LoopStrategy::atomic)
        plans.emplace_back(exec, from, o, read(x, map), read(w), write(u),
                           inc(y, map), sum(total), Sporos::min(least));
  }
  void reset() const { Kokkos::deep_copy(y.view(), 0.); }
  void run(const Exec& exec) const {
    total.assign(exec, 0.);
    least.assign(exec, 1.);
    for (const LoopPlan<Exec>& plan : plans)
      par_loop("exchange", exec, from, plan, Test::Exchange<2>{}, read(x, map),
               read(w), write(u), inc(y, map), sum(total), Sporos::min(least));
  }
  std::vector<double> result() const {
    std::vector<double> all;
    append(all, y.view());
    append(all, u.view());
    append(all, total.view());
    append(all, least.view());
    return all;
  }
};

template <class Exec>
struct Correlations {
  using Plan = CrossCorrelatePlan<Exec, double, double>;
  using Out  = Kokkos::View<double****, Exec>;

  Kokkos::View<double***, Exec> left, right;
  std::vector<Plan> plans;
  std::vector<Out> outs;

  Correlations(const Exec& exec, int seed)
      : left(filled(decltype(left)("left", 3, edge + seed, edge), seed)),
        right(filled(decltype(right)("right", 2, edge / 2, edge + 1 + seed),
                     seed + .5)) {
    Test::CorrelateCase c;
    c.e = {3, 2, edge + seed, edge, edge / 2, edge + 1 + seed};
    for (const auto& a :
         Test::correlate_algorithms<Exec>(c, Pairing::n_to_m, 8)) {
      CorrelateOptions options = a.options;
      options.normalize        = Test::some_measure(plans.size());
      plans.emplace_back(exec, c.e, options);
      const ShiftWindow s = plans.back().shifts();
      outs.emplace_back("out", 3, 2, s.rows(), s.columns());
    }
  }
  void reset() const {}
  void run(const Exec& exec) const {
    for (std::size_t k = 0; k < plans.size(); ++k)
      cross_correlate(exec, plans[k], left, right, outs[k]);
  }
  std::vector<double> result() const {
    std::vector<double> all;
    for (const Out& out : outs) append(all, out);
    return all;
  }
};

template <class Exec>
struct Registrations {
  Kokkos::View<double***, Exec> left, right;
  std::vector<RegistrationPlan<Exec, double>> plans;
  Kokkos::View<ImageShift*, Exec> shifts{"shifts", 3};

  Registrations(const Exec& exec, int seed)
      : left(filled(decltype(left)("left", 3, edge + seed, edge), seed)),
        right(
            filled(decltype(right)("right", 3, edge + seed, edge), seed + .5)) {
    for (const bool whiten : {false, true})
      plans.emplace_back(exec, 3, edge + seed, edge,
                         RegistrationOptions{whiten, 10});
  }
  void reset() const {}
  void run(const Exec& exec) const {
    const auto first = Kokkos::subview(left, 0, Kokkos::ALL(), Kokkos::ALL());
    register_images(exec, plans[0], first, right, shifts);
    register_images(exec, plans[1], left, right, shifts);
  }
  std::vector<double> result() const {
    std::vector<double> all;
    for (const ImageShift& s : Test::host_values(shifts))
      all.insert(all.end(), {s.dy, s.dx, s.height});
    return all;
  }
};

// ---- the tests -------------------------------------------------------------

template <class Work, class Exec>
void check_profile(const char* family) {
  INFO(family);
  const auto instances = two_instances<Exec>();
  Work work(instances[0], 1);
  for (const Exec& exec : instances) {
    work.run(exec);
    exec.fence();
    const Recorder recorder;
    work.run(exec);
    const std::uint32_t id = Kokkos::Tools::Experimental::device_id(exec);
    CHECK(events.kernels.size() > 10);
    CHECK((events.instances == std::set<std::uint32_t>{id}));
    // Kokkos 4 fences the instance where it fills memory of a host with zeros;
    // nothing runs there that this could wait for
    Strings fences = events.fences;
    fences.erase(std::remove(fences.begin(), fences.end(),
                             std::string("HostSpace fence")),
                 fences.end());
    CHECK((fences == Strings{}));
    CHECK((events.allocations == Strings{}));
    CHECK((events.deallocations == Strings{}));
    exec.fence();
  }
}

TEMPLATE_LIST_TEST_CASE("calls with an instance use no other and wait for none",
                        "[instances]", Spaces) {
  check_profile<Transfer<TestType>, TestType>("particle-grid transfer");
  check_profile<Loops<TestType>, TestType>("mesh loops");
  check_profile<Correlations<TestType>, TestType>("cross-correlation");
  if (Impl::has_correlate_fft<TestType>)
    check_profile<Registrations<TestType>, TestType>("registration");
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && !a.empty() &&
         std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

template <class Work, class Exec>
void check_two(const char* family) {
  constexpr int times  = 3;
  const auto instances = two_instances<Exec>();
  std::array<Work, 2> work{{Work(Exec(), 1), Work(Exec(), 2)}};
  const auto results = [&](const auto& run) {
    for (Work& w : work) w.reset();
    Kokkos::fence();
    run();
    Kokkos::fence();
    return std::array<std::vector<double>, 2>{
        {work[0].result(), work[1].result()}};
  };

  const auto expected = results([&] {
    for (Work& w : work)
      for (int t = 0; t < times; ++t) w.run(Exec());
  });
  const auto in_turns = results([&] {
    for (int t = 0; t < times; ++t)
      for (std::size_t k = 0; k < 2; ++k) work[k].run(instances[k]);
  });
  INFO(family);
  for (std::size_t k = 0; k < 2; ++k)
    CHECK(same_bits(expected[k], in_turns[k]));
  if constexpr (by_host_threads<Exec>) {
    const auto at_once = results([&] {
      const auto run = [&](std::size_t k) {
        for (int t = 0; t < times; ++t) work[k].run(instances[k]);
      };
      std::thread other(run, 1);
      run(0);
      other.join();
    });
    for (std::size_t k = 0; k < 2; ++k)
      CHECK(same_bits(expected[k], at_once[k]));
  }
}

TEMPLATE_LIST_TEST_CASE("two plans in two instances do not disturb each other",
                        "[instances]", Spaces) {
  check_two<Transfer<TestType>, TestType>("particle-grid transfer");
  check_two<Loops<TestType>, TestType>("mesh loops");
  check_two<Correlations<TestType>, TestType>("cross-correlation");
  if (Impl::has_correlate_fft<TestType>)
    check_two<Registrations<TestType>, TestType>("registration");
}

template <class Exec>
void check_hosts_view() {
  const Exec exec = two_instances<Exec>()[1];
  const Loops<Exec> loops(exec, 1);
  const std::vector<double> ones(std::size_t(loops.n), 1.);
  {
    const Recorder recorder;
    loops.w.assign(exec, ones);
    CHECK(loops.w.to_host(exec) == ones);
  }
#if KOKKOS_VERSION >= 30500
  const auto& f = events.fences;
  CHECK(std::count(f.begin(), f.end(), "Sporos::Dat::assign") == 1);
  CHECK(std::count(f.begin(), f.end(), "Sporos::Dat::to_host") == 1);
#endif
  const Transfer<Exec> transfer(exec, 1);
  CHECK(transfer.plan.describe(exec) == transfer.plan.describe());
}

TEMPLATE_LIST_TEST_CASE("what the host looks at waits for the named instance",
                        "[instances]", Spaces) {
  check_hosts_view<TestType>();
}

}  // namespace Instances
