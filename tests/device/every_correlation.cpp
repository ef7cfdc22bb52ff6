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
