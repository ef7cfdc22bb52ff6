// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sporos_Test.hpp"
#include "Sporos_ToolsRecorder.hpp"

#include <Sporos_ForEachIndex.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <thread>
#include <vector>

namespace ForEachIndexTest {

using Sporos::Impl::for_each_index;
using Sporos::Test::Spaces;

struct Twice {};

/// Adds 1 to the entry of an index, and 2 with the tag.
template <class Counts, class Index>
struct Count {
  Counts counts;
  Index first;

  KOKKOS_FUNCTION void operator()(Index i) const {
    Kokkos::atomic_fetch_add(&counts(i - first), 1);
  }
  KOKKOS_FUNCTION void operator()(Twice, Index i) const {
    Kokkos::atomic_fetch_add(&counts(i - first), 2);
  }
};

/// How often the functor got each index of [first, first + n).
template <class Exec, class Index, class... Traits, class... Chunk>
std::vector<int> counts(Index first, int n, Chunk... chunk) {
  using Counts = Kokkos::View<int*, Exec>;
  const Counts found("found", std::size_t(n));
  for_each_index("Sporos::test::count",
                 Kokkos::RangePolicy<Exec, Kokkos::IndexType<Index>, Traits...>(
                     Exec(), first, Index(first + Index(n)), chunk...),
                 Count<Counts, Index>{found, first});
  const auto host =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), found);
  return std::vector<int>(host.data(), host.data() + n);
}

TEMPLATE_LIST_TEST_CASE("a functor gets each index once", "[for_each_index]",
                        Spaces) {
  using Dynamic = Kokkos::Schedule<Kokkos::Dynamic>;
  const int n   = GENERATE(0, 1, 2, 3, 7, 64, 1009);
  const std::vector<int> once(std::size_t(n), 1), twice(std::size_t(n), 2);
  CHECK(counts<TestType, int>(0, n) == once);
  CHECK(counts<TestType, int>(-5, n) == once);
  CHECK(counts<TestType, int>(std::numeric_limits<int>::max() - n, n) == once);
  CHECK(counts<TestType, std::int64_t>(std::int64_t(1) << 33, n) == once);
  CHECK(counts<TestType, int, Twice>(3, n) == twice);
  CHECK(counts<TestType, int, Dynamic>(3, n) == once);
  CHECK(counts<TestType, int>(3, n, Kokkos::ChunkSize(1)) == once);
  for (const int chunk : {1, 2, 5, 2000})
    CHECK(counts<TestType, int, Dynamic>(3, n, Kokkos::ChunkSize(chunk)) ==
          once);
}

struct CountUses {
  Kokkos::View<int*, Kokkos::HostSpace> uses;

  void operator()(int i) const {
    const auto copy = uses;
    uses(i)         = copy.use_count();
  }
};

TEST_CASE("views that a functor of hosts copies are not counted",
          "[for_each_index]") {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  const Kokkos::View<int*, Kokkos::HostSpace> uses("uses", 7);
  const CountUses functor{uses};
  for_each_index("Sporos::test::uses",
                 Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(0, 7),
                 functor);
  for (int i = 0; i < 7; ++i) CHECK(uses(i) == 2);
  CHECK(uses.use_count() == 2);  // as before: of `uses` and of the functor
  const auto counted = uses;
  CHECK(uses.use_count() == 3);
}

struct NoteThread {
  std::thread::id* threads;

  void operator()(int i) const { threads[i] = std::this_thread::get_id(); }
};

TEST_CASE("threads of a static schedule get one piece each",
          "[for_each_index]") {
  using Exec  = Kokkos::DefaultHostExecutionSpace;
  const int n = 1000;
  std::vector<std::thread::id> threads(n);
  for_each_index("Sporos::test::threads",
                 Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(0, n),
                 NoteThread{threads.data()});
  threads.erase(std::unique(threads.begin(), threads.end()), threads.end());
  CHECK(int(threads.size()) == int(Exec().concurrency()));
  std::sort(threads.begin(), threads.end());
  CHECK(std::adjacent_find(threads.begin(), threads.end()) == threads.end());
}

TEMPLATE_LIST_TEST_CASE("profilers see the label of the caller",
                        "[for_each_index]", Spaces) {
  const Sporos::Test::Recorder recorder;
  counts<TestType, int>(0, 3);
  CHECK(Sporos::Test::events.kernels.back() == "Sporos::test::count");
}

}  // namespace ForEachIndexTest
