// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Members of every family in an instance on another device than the current
// one give the bits that they give on the first device. What was not allocated
// on the device of the instance would end the program.

#include "Sporos_CorrelateCases.hpp"
#include "Sporos_MeshCases.hpp"
#include "Sporos_OtherDevice.hpp"
#include "Sporos_Test.hpp"
#include "Sporos_TransferCalls.hpp"

#include <Sporos_ExactSum.hpp>
#include <Sporos_Reorder.hpp>

#include <stdexcept>
#include <string>
#include <vector>

namespace OtherDevice {

using namespace Sporos;
using namespace Sporos::Test;

// ---- particle-grid transfer ------------------------------------------------

struct Scatter {
  TransferCalls<Exec, Peskin4>::Vectors x, vectors;
  TransferCalls<Exec, Peskin4>::Scalars strengths;
  KOKKOS_FUNCTION void operator()(int i) const {
    for (int d = 0; d < 2; ++d) {
      x(i, d)       = 2 + 1.9 * Sporos::Impl::Math::sin(double(i * (d + 3)));
      vectors(i, d) = Sporos::Impl::Math::cos(double(i + d));
    }
    strengths(i) = Sporos::Impl::Math::cos(3. * double(i));
  }
};

Numbers transfers(const Exec& exec) {
  using Calls = TransferCalls<Exec, Peskin4>;
  const Calls c(500, exec);
  const auto scatter = [&] {
    Kokkos::parallel_for("Sporos::test",
                         Kokkos::RangePolicy<Exec>(exec, 0, c.n),
                         Scatter{c.x, c.vectors, c.strengths});
    set_device(0);
  };
  using A = SpreadAlgorithm;
  using B = InterpolateAlgorithm;
  Numbers all;
  scatter();
  for (const bool any_ranks : {false, true}) {
    PlanOptions options;
    options.any_ranks = any_ranks;
    Calls::Plan plan(exec, c.grid, Peskin4{}, c.x, options);
    set_device(0);
    spread(exec, plan, c.strengths, c.field);
    set_device(0);
    interpolate(exec, plan, c.field, c.values);
    set_device(0);
    if (!any_ranks)
      c.run(exec, plan,
            {A::automatic, A::serial, A::sweep, A::sweep_buffered,
             A::sweep_buffered_on_the_fly, A::tiled},
            {B::automatic, B::serial, B::sorted, B::tiled});
    set_device(0);
    plan.check(exec);
    set_device(0);
    CHECK(!plan.describe(exec).empty());
    scatter();
  }
  set_device(0);
  spread(exec, c.grid, Peskin4{}, c.x, c.strengths, c.field);
  append(all, exec, c.field);
  append(all, exec, c.values);
  for (int d = 0; d < 2; ++d) append(all, exec, c.faces[d]);
  set_device(0);
  all.push_back(exact_sum(exec, Kokkos::subview(c.x, Kokkos::ALL(), 0)));
  return all;
}

// ---- mesh loops ------------------------------------------------------------

struct Loops {
  const Exec exec;
  static constexpr int n = 900, m = 240;
  Set from{"from", n}, to{"to", m};
  Map<2, Memory> map;
  Dat<double, 2, Kokkos::LayoutRight, Memory> x, u;
  Dat<double, 1, Kokkos::LayoutRight, Memory> w;
  Dat<double, 3, Kokkos::LayoutRight, Memory> y;
  Global<double, 2, Memory> total;
  Global<double, 1, Memory> least;
  Numbers all;

  explicit Loops(const Exec& instance)
      : exec(instance),
        map(exec, "map", from, to, banded_entries(n, 2, m, 3)),
        x(exec, "x", to, small_values(2 * m, 1)),
        u(exec, "u", from),
        w(exec, "w", from, small_values(n, 2)),
        y(exec, "y", to, small_values(3 * m, 3)),
        total(exec, "total"),
        least(exec, "least", 9.) {
    set_device(0);
  }

  /// how: options, a plan or nothing
  template <class Range, class... How>
  void run(const Range& range, const How&... how) {
    set_device(0);
    par_loop("exchange", exec, range, how..., Exchange<2>{}, read(x, map),
             read(w), write(u), inc(y, map), sum(total), Sporos::min(least));
  }
  /// Runs the loop with reductions into numbers of the host.
  template <class Range, class... How>
  void run_for_host(const Range& range, const How&... how) {
    double sums[2] = {1, 2}, smallest = 3;
    set_device(0);
    par_loop("exchange", exec, range, how..., Exchange<2>{}, read(x, map),
             read(w), write(u), inc(y, map), sum(sums), Sporos::min(smallest));
    append(all, {sums[0], sums[1], smallest});
  }
  void take() {
    for (const Numbers& values :
         {x.to_host(exec), u.to_host(exec), w.to_host(exec), y.to_host(exec)})
      append(all, values);
    append(all,
           {total.value(exec, 0), total.value(exec, 1), least.value(exec, 0)});
    set_device(0);
  }
};

Numbers loops(const Exec& exec) {
  Loops l(exec);
  std::vector<int> list;
  for (int e = 0; e < l.n; e += 3) list.push_back(l.n - 1 - e);
  const Subset<Memory> some(exec, "some", l.from, list);
  set_device(0);
  for (const LoopOptions& o : all_options(64)) {
    if (o.strategy == LoopStrategy::atomic) continue;
    l.run(l.from, o);
    l.run_for_host(l.from.range(100, 700), o);
    l.run(some, o);
  }
  l.run(l.from);
  l.run(some.range(10, 100));
  l.take();
  // plans of the caller, and maps that change
  const LoopPlan<Exec> plan(exec, l.from, LoopOptions{}, read(l.x, l.map),
                            read(l.w), write(l.u), inc(l.y, l.map),
                            sum(l.total), Sporos::min(l.least));
  CHECK(validate(exec, plan) == "");
  l.run(l.from, plan);
  l.map.modified(exec);
  l.run(l.from, plan);
  l.w.assign(exec, small_values(l.n, 7));
  l.total.assign(exec, std::vector<double>{1, 2});
  l.run(l.from, plan);
  l.take();
  return l.all;
}

/// Views that cannot be shared are copied; renumbering.
Numbers reordered(const Exec& exec) {
  Loops l(exec);
  using Rows      = Kokkos::View<double**, Kokkos::LayoutLeft, Memory>;
  const auto rows = filled<Rows>(exec, 1., 2 * l.m, 3);
  const auto part =
      Kokkos::subview(rows, std::make_pair(l.m, 2 * l.m), std::make_pair(0, 2));
  const Dat<double, 2, Kokkos::LayoutRight, Memory> copy(exec, "copy", l.to,
                                                         part);
  append(l.all, copy.to_host(exec));
  const Dat<double, 2, Kokkos::LayoutLeft, Memory> left(exec, "left", l.to,
                                                        copy.view());
  append(l.all, left.to_host(exec));
  const Map<2, Memory> other(
      exec, "other", l.from, l.to,
      Kokkos::View<const int**, Kokkos::LayoutStride, Memory>(l.map.view()));
  CHECK(other.to_host(exec) == l.map.to_host(exec));
  const auto numbers =
      Kokkos::subview(other.view(), std::make_pair(0, 1), Kokkos::ALL());
  const Subset<Memory> two(exec, "two", l.to,
                           Kokkos::subview(numbers, 0, Kokkos::ALL()));
  CHECK(two.size() == 2);
  set_device(0);
  const Mesh mesh(l.map, l.x, l.u, l.w, l.y, left, copy);
  const Reordering order =
      reorder(exec, mesh, MeshOrdering::reverse_cuthill_mckee);
  l.run(l.from);
  l.take();
  apply(exec, mesh, inverse(order));
  l.run(l.from);
  l.take();
  append(l.all, left.to_host(exec));
  return l.all;
}

// ---- cross-correlation -----------------------------------------------------

Numbers correlations(const Exec& exec) {
  Numbers all;
  CorrelateCase c;
  c.e               = {2, 2, 10, 9, 5, 11};
  using Matrices    = Kokkos::View<double***, Exec>;
  const auto left   = filled<Matrices>(exec, 1., 2, 10, 9);
  const auto right  = filled<Matrices>(exec, 2., 2, 5, 11);
  std::size_t which = 0;
  const auto append = [&](const auto& out) { Test::append(all, exec, out); };
  for (const auto& a : correlate_algorithms<Exec>(c, Pairing::n_to_m, 8)) {
    CorrelateOptions options = a.options;
    options.normalize        = some_measure(++which);
    set_device(0);
    const CrossCorrelatePlan<Exec, double, double> plan(exec, c.e, options);
    const ShiftWindow s = plan.shifts();
    using Out           = Kokkos::View<double****, Exec>;
    const auto out      = filled<Out>(exec, 3., 2, 2, s.rows(), s.columns());
    cross_correlate(exec, plan, left, right, out);
    append(out);
    cross_correlate(exec, left, right, out, options);
    append(out);
  }
  return all;
}

// ---- the tests -------------------------------------------------------------

TEST_CASE("particle-grid transfer on another device", "[every]") {
  compare_devices(transfers);
}
TEST_CASE("mesh loops on another device", "[every]") { compare_devices(loops); }
TEST_CASE("meshes on another device are copied and renumbered", "[every]") {
  compare_devices(reordered);
}
TEST_CASE("cross-correlation on another device", "[every]") {
  compare_devices(correlations);
}

struct AddOne {
  KOKKOS_FUNCTION void operator()(ReadWrite<double, 1> a,
                                  Reduce<double, 1> total) const {
    a[0] += 1;
    total[0] += a[0];
  }
};

TEST_CASE("plans refuse instances of another device", "[every]") {
  if (!two_devices()) return;
  const Other other;
  const Exec first;
  const TransferCalls<Exec, Peskin4> c(10);
  auto plan = c.make_plan(first);
  set_device(0);
  CHECK_THROWS_AS(plan.update(*other.exec, c.x), std::invalid_argument);
  CHECK_THROWS_AS(spread(*other.exec, plan, c.strengths, c.field),
                  std::invalid_argument);
  CHECK_THROWS_AS(interpolate(*other.exec, plan, c.field, c.values),
                  std::invalid_argument);
  spread(first, plan, c.strengths, c.field);
  const Kokkos::View<double**, Exec> a("a", 3, 3), out("out", 5, 5);
  const CrossCorrelatePlan<Exec, double, double> correlation(first, a, a, out);
  CHECK_THROWS_AS(cross_correlate(*other.exec, correlation, a, a, out),
                  std::invalid_argument);
  cross_correlate(first, correlation, a, a, out);
  Kokkos::fence();
}

TEST_CASE("a set keeps plans of each device and a plan serves one", "[every]") {
  if (!two_devices()) return;
  const Other other;
  const Exec first, second = *other.exec;
  const Set set("set", 100);
  const Dat<double, 1, Kokkos::LayoutRight, Memory> here("here", set),
      there(second, "there", set);
  double total[1] = {0};
  for (int k = 0; k < 2; ++k) {
    set_device(0);
    par_loop("add", first, set, AddOne{}, rw(here), sum(total));
    par_loop("add", second, set, AddOne{}, rw(there), sum(total));
  }
  CHECK(total[0] == 600);
  const LoopPlan<Exec> plan(first, set, LoopOptions{}, rw(here), sum(total));
  CHECK_THROWS_AS(
      par_loop("add", second, set, plan, AddOne{}, rw(there), sum(total)),
      std::invalid_argument);
}

}  // namespace OtherDevice
