// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Maps from a set to itself: a dat that one loop increments both directly and
// through such maps.

#include "Sporos_MeshCases.hpp"
#include "Sporos_Test.hpp"

namespace ParLoopSelf {

using namespace Sporos;
using namespace Sporos::Test;

struct Diffuse {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 1> w, Inc<Real, 1> own,
                                  Inc<Real, 1> next, Inc<Real, 1, 2> others,
                                  Inc<Real, 1> apart) const {
    own[0] -= Real(3) * w[0];
    next[0] += w[0];
    others(0, 0) += w[0];
    others(1, 0) += w[0];
    apart[0] += w[0];
  }
};

/// Elements that give to the next one and to two at random.
template <class Exec>
struct DiffuseCase {
  using Memory = typename Exec::memory_space;
  using Values = Dat<double, 1, Kokkos::LayoutRight, Memory>;
  int n;
  Set set;
  std::vector<int> entries;
  Map<1, Memory> next;
  Map<2, Memory> others;
  Values w, y, z;

  explicit DiffuseCase(int size)
      : n(size),
        set("set", n),
        entries(banded_entries(n, 2, n, 3)),
        next("next", set, set, next_entries(n)),
        others("others", set, set, entries),
        w("w", set, small_values(std::size_t(n), 1)),
        y("y", set),
        z("z", set) {}

  static std::vector<int> next_entries(int n) {
    std::vector<int> next;
    for (int e = 0; e < n; ++e) next.push_back((e + 1) % n);
    return next;
  }

  std::vector<double> expected(const std::vector<int>& elements) const {
    const auto hw = w.to_host();
    std::vector<double> sum(hw.size(), 0);
    for (const int e : elements) {
      const double v = hw[std::size_t(e)];
      sum[std::size_t(e)] -= 3 * v;
      sum[std::size_t((e + 1) % n)] += v;
      sum[std::size_t(entries[2 * std::size_t(e)])] += v;
      sum[std::size_t(entries[2 * std::size_t(e) + 1])] += v;
    }
    return sum;
  }

  /// f(arguments...)
  template <class F>
  auto with_arguments(const F& f) const {
    return f(read(w), inc(y), inc(y, next, 0), inc(y, others), inc(z));
  }
  template <class Range>
  void run(const Range& range, const LoopOptions& o) {
    y.assign(std::vector<double>(std::size_t(n), 0));
    with_arguments([&](const auto&... args) {
      par_loop("diffuse", Exec{}, range, o, Diffuse{}, args...);
    });
  }
};

TEMPLATE_LIST_TEST_CASE("increments of an element and through maps to its set",
                        "[par_loop]", Spaces) {
  DiffuseCase<TestType> c(slow_run ? 500 : 5000);
  const int begin = c.n / 10, end = c.n - c.n / 5;
  std::vector<int> all, some, backwards;
  for (int e = 0; e < c.n; ++e) all.push_back(e);
  for (int e = begin; e < end; ++e) some.push_back(e);
  for (int e = c.n - 1; e >= 0; e -= e % 3 == 0 ? 1 : 2) backwards.push_back(e);
  const Subset<typename TestType::memory_space> subset("subset", c.set,
                                                       backwards);
  for (LoopOptions o : all_options(32)) {
    INFO(text(o));
    c.run(c.set, o);
    CHECK(c.y.to_host() == c.expected(all));
    c.run(c.set.range(begin, end), o);
    CHECK(c.y.to_host() == c.expected(some));
    c.run(subset, o);
    CHECK(c.y.to_host() == c.expected(backwards));
  }
}

struct Forward {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Inc<Real, 1> own, Inc<Real, 1> next) const {
    own[0] += Real(1);
    next[0] += Real(1);
  }
};

TEST_CASE("plans see that an element's own values are those of others",
          "[plan]") {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  const DiffuseCase<Exec> c(1000);
  LoopOptions o;
  o.strategy   = LoopStrategy::hierarchical;
  o.block_size = 100;
  o.staging    = Staging::increments;
  // No two elements have the same next one.
  const LoopPlan<Exec> apart(Exec{}, c.set, o, inc(c.z), inc(c.y, c.next, 0));
  CHECK(apart.nblkcol() == 1);
  CHECK(apart.data().nthrcol(0) == 1);

  const LoopPlan<Exec> plan(Exec{}, c.set, o, inc(c.y), inc(c.y, c.next, 0));
  CHECK(plan.nblkcol() == 2);
  for (int b = 0; b < 10; ++b) CHECK(plan.data().nthrcol(b) == 2);
  CHECK(validate(plan) == "");
  plan.data().thrcol(1) = plan.data().thrcol(0);
  CHECK(validate(plan).find("colour") != std::string::npos);

  o.strategy = LoopStrategy::global_coloring;
  o.staging  = Staging::automatic;
  CHECK(LoopPlan<Exec>(Exec{}, c.set, o, inc(c.z), inc(c.y, c.next, 0))
            .ncolors() == 1);
  const LoopPlan<Exec> elements(Exec{}, c.set, o, inc(c.y),
                                inc(c.y, c.next, 0));
  CHECK(elements.ncolors() == 2);
  CHECK(validate(elements) == "");

  // A plan for one of the two loops is none for the other.
  CHECK_THROWS_AS(par_loop("forward", Exec{}, c.set, apart, Forward{}, inc(c.y),
                           inc(c.y, c.next, 0)),
                  std::invalid_argument);
  CHECK(c.y.to_host() == std::vector<double>(1000, 0.));
}

}  // namespace ParLoopSelf
