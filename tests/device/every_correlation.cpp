// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every algorithm of cross-correlation with every grouping, distribution,
// staging and pairing, against the definition.

#include "Sporos_AllOf.hpp"
#include "Sporos_CorrelateCases.hpp"
#include "Sporos_Test.hpp"

#include <cmath>
#include <cstddef>
#include <set>

namespace EveryCorrelation {

using namespace Sporos;
using namespace Sporos::Test;

TEMPLATE_LIST_TEST_CASE("tests run every choice of cross-correlation",
                        "[every]", Spaces) {
  CHECK(all_of<CorrelateAlgorithm>().size() == 7);
  CHECK(all_of<WorkDistribution>().size() == 4);
  CHECK(all_of<Pairing>().size() == 4);

  std::set<CorrelateAlgorithm> algorithms;
  std::set<WorkDistribution> distributions;
  std::set<bool> staged;
  std::size_t groups = 0;
  for (const NamedCorrelate& a : correlate_algorithms<TestType>(
           CorrelateCase{}, Pairing::n_to_m, sizeof(float))) {
    algorithms.insert(a.options.algorithm);
    distributions.insert(a.options.distribution);
    staged.insert(a.options.staged);
    groups += a.options.algorithm == CorrelateAlgorithm::shuffle ? 1 : 0;
  }
  if (!Sporos::Impl::has_correlate_fft<TestType>)
    algorithms.insert(CorrelateAlgorithm::fft);
  CHECK(algorithms == all_of<CorrelateAlgorithm>());
  CHECK(distributions == all_of<WorkDistribution>());
  CHECK(staged.size() == 2);
  CHECK(groups == std::size_t(Sporos::Impl::shuffle_group_count));
}

TEMPLATE_LIST_TEST_CASE("every algorithm of cross-correlation", "[every]",
                        Spaces) {
  CorrelateCase c;
  SECTION("groups that are not full, more shifts than lanes") {
    c.mode   = CorrelateMode::window;
    c.window = {-2, 3, -17, 18};
    for (int pairing = 0; pairing < 6; ++pairing) {
      c.e = {pairing == 1 ? 5 : 2, pairing == 1 ? 9 : 3, 5, 34, 3, 4};
      check_pairings<TestType, float, float>(c, pairing, AllPairings());
    }
  }
  SECTION("more rows than are staged at once") {
    c.e      = {1, 1, 70, 6, 69, 5};
    c.mode   = CorrelateMode::window;
    c.window = {-3, 4, -2, 3};
    check_pairings<TestType, float, float>(c, 0, AllPairings());
  }
}

/// All tiles of devices against the definition; bits of left matrices of
/// another layout, and of a second run. cut: tasks of 8 rows
template <class Exec>
void check_tiles(const CorrelateCase& c, bool cut) {
  namespace Impl            = Sporos::Impl;
  using Left                = Kokkos::LayoutLeft;
  using Right               = Kokkos::LayoutRight;
  const CorrelateExtents& e = c.e;
  const ShiftWindow s       = c.shifts();
  TestArray<Exec, float, 3, Right> left({e.n, e.left_h, e.left_w}),
      right({e.m, e.right_h, e.right_w});
  TestArray<Exec, float, 3, Left> left_too({e.n, e.left_h, e.left_w});
  TestArray<Exec, float, 4, Right> out({e.n, e.m, s.rows(), s.columns()});
  const auto value = [](std::size_t k) {
    return correlate_value<float>(1, int(k), 7, 5);
  };
  left.set(value);
  left_too.set(value);
  right.set([&](std::size_t k) { return value(3 * k + 1); });
  CorrelateOptions o = c.options(Pairing::n_to_m);
  o.algorithm        = CorrelateAlgorithm::basic;
  cross_correlate(Exec(), left.const_view(), right.const_view(), out.view(), o);
  const auto expected = out.get();
  o.algorithm         = CorrelateAlgorithm::tile;
  o.distribution      = WorkDistribution::none;
  for (int k = 0; k < Impl::device_tile_count; ++k) {
    const CrossCorrelatePlan<Exec, float> plan(Exec(), e, o);
    auto& choice        = plan.state().definition;
    choice.device_tiles = Impl::shape_device_tiles(plan.state().work, k, 4);
    if (cut) {
      choice.distribution = WorkDistribution::triangle;
      choice.task_rows    = 8;
    }
    plan.state().make_tasks(Exec());
    out.set([](std::size_t) { return 77.f; });
    cross_correlate(Exec(), plan, left.const_view(), right.const_view(),
                    out.view());
    const auto found = out.get();
    double off       = 0;
    for (std::size_t r = 0; r < found.size(); ++r)
      off = larger_error(off, double(std::fabs(found[r] - expected[r])));
    INFO(c.name() << ", tile " << k << ", cut " << cut);
    CHECK(off <= correlate_tolerance<float>(c, o));
    CHECK(out.gaps_are_untouched());
    cross_correlate(Exec(), plan, left_too.const_view(), right.const_view(),
                    out.view());
    CHECK(out.get() == found);
  }
}

TEMPLATE_LIST_TEST_CASE("every tile of devices", "[every]", Spaces) {
  if constexpr (!Sporos::Impl::is_host_space_v<TestType>) {
    CorrelateCase c;
    c.e      = {2, 2, 37, 70, 35, 66};  // several chunks of rows and columns
    c.mode   = CorrelateMode::window;
    c.window = {-8, 9, -8, 9};
    check_tiles<TestType>(c, false);
    check_tiles<TestType>(c, true);
    c.e    = {1, 1, 11, 33, 17, 26};  // several teams
    c.mode = CorrelateMode::full;
    check_tiles<TestType>(c, false);
    c.e = {1, 1, 19, 3, 2, 9};
    check_tiles<TestType>(c, true);
  }
}

TEMPLATE_LIST_TEST_CASE("equal matrices correlate to 1 when normalised",
                        "[every]", Spaces) {
  TestArray<TestType, float, 3, Kokkos::LayoutRight> matrices({3, 19, 23});
  TestArray<TestType, float, 3, Kokkos::LayoutRight> out({3, 1, 1});
  matrices.set([](std::size_t k) {
    return correlate_value<float>(0, int(k), 7 * int(k), 3);
  });
  CorrelateOptions options;
  options.mode      = CorrelateMode::window;
  options.window    = {0, 1, 0, 1};
  options.normalize = Normalize::whole;
  cross_correlate(TestType(), matrices.const_view(), matrices.const_view(),
                  out.view(), options);
  for (const float one : out.get()) CHECK(std::fabs(one - 1.f) < 1e-5f);
}

}  // namespace EveryCorrelation
