// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What profilers see of the engine: every kernel and allocation has a label,
// and once the workspaces have grown nothing is allocated, copied or waited
// for.

#include "Sporos_EngineTest.hpp"
#include "Sporos_Test.hpp"
#include "Sporos_ToolsRecorder.hpp"

#include <Sporos_SegmentedReduce.hpp>
#include <Sporos_SortByKey.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ProfileTest {

using Sporos::Test::events;
using Sporos::Test::Recorder;
using Sporos::Test::Spaces;

bool all_begin_with(const std::vector<std::string>& labels,
                    const std::string& start) {
  return std::all_of(labels.begin(), labels.end(), [&](const std::string& l) {
    return l.compare(0, start.size(), start) == 0;
  });
}

/// Without the scratch memory that Kokkos itself allocates; sorted.
std::vector<std::string> ours(std::vector<std::string> labels) {
  labels.erase(std::remove_if(labels.begin(), labels.end(),
                              [](const std::string& l) {
                                return l == "[unlabeled]" ||
                                       l.compare(0, 8, "Kokkos::") == 0;
                              }),
               labels.end());
  std::sort(labels.begin(), labels.end());
  return labels;
}

/// A sort, its segments and sums of columns, as an algorithm would run them.
template <class Exec>
struct Pipeline {
  using Memory = typename Exec::memory_space;

  std::vector<std::uint32_t> m_unsorted;
  Kokkos::View<std::uint32_t*, Exec> m_keys, m_unique;
  Kokkos::View<int*, Exec> m_permutation;
  Kokkos::View<double**, Exec> m_columns, m_sums;
  Kokkos::View<int, Exec> m_count;
  Sporos::SortWorkspace<std::uint32_t, Memory> m_sort;
  Sporos::ReduceWorkspace<Memory> m_reduce;

  explicit Pipeline(std::size_t n)
      : m_keys("keys", n),
        m_unique("unique", n),
        m_permutation("permutation", n),
        m_columns("columns", n, 3),
        m_sums("sums", n, 3),
        m_count("count") {
    for (std::size_t i = 0; i < n; ++i)
      m_unsorted.push_back(static_cast<std::uint32_t>(i * 7919 % 65521));
  }
  void run(const Exec& exec) {
    Sporos::Test::to_view(m_keys, m_unsorted);
    const Recorder recorder;
    Sporos::sort_by_key(exec, m_sort, m_keys, m_permutation, 16);
    Sporos::reduce_by_key(exec, m_reduce, m_keys, m_columns, m_unique, m_sums,
                          m_count);
  }
};

TEMPLATE_LIST_TEST_CASE("the engine's profile", "[profile]", Spaces) {
  const TestType exec{};
  Pipeline<TestType> pipeline(20000);
  pipeline.run(exec);
  CHECK(!events.kernels.empty());
  CHECK(!events.allocations.empty());
  CHECK(all_begin_with(events.kernels, "Sporos::"));
  CHECK(events.copies == 0);
  if (Sporos::Impl::is_host_space_v<TestType>) {
    CHECK((ours(events.allocations) ==
           std::vector<std::string>{
               "Sporos::reduce_by_key::offsets",
               "Sporos::segmented_reduce::parts", "Sporos::sort_by_key::even",
               "Sporos::sort_by_key::info", "Sporos::sort_by_key::odd",
               "Sporos::sort_by_key::plan", "Sporos::sort_by_key::table"}));
    CHECK(std::count(events.kernels.begin(), events.kernels.end(),
                     "Sporos::sort_by_key::scatter") == 2);
    CHECK(std::count(events.kernels.begin(), events.kernels.end(),
                     "Sporos::find_segments::scan") == 1);
  }
  for (int run = 0; run < 3; ++run) {
    pipeline.run(exec);
    CHECK(events.allocations.empty());
    CHECK(events.copies == 0);
    CHECK(events.fences.empty());
    CHECK(all_begin_with(events.kernels, "Sporos::"));
  }
  std::sort(pipeline.m_unsorted.begin(), pipeline.m_unsorted.end());
  pipeline.run(exec);
  if (Sporos::Impl::is_host_space_v<TestType>)  // sorted: one look is enough
    CHECK(std::count(events.kernels.begin(), events.kernels.end(),
                     "Sporos::sort_by_key::scatter") == 0);
}

TEST_CASE("the recorder of this test sees what it should", "[profile]") {
  {
    const Recorder recorder;
    const Kokkos::DefaultExecutionSpace exec{};
    Kokkos::View<int*> a("a view", 3), b("another", 3);
    Kokkos::deep_copy(exec, a, b);
  }
  CHECK(std::count(events.allocations.begin(), events.allocations.end(),
                   "a view") == 1);
  CHECK(events.copies == 1);
}

}  // namespace ProfileTest
