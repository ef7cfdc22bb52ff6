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
using Sporos::Impl::reduce_min;
using Sporos::Impl::scan_index;
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
  // Kokkos computes indices of threads beyond the end, which must not overflow
  const int room = Sporos::Impl::is_host_space_v<TestType> ? 0 : 1 << 16;
  const int last = std::numeric_limits<int>::max() - room;
  CHECK(counts<TestType, int>(last - n, n) == once);
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

/// Index i counts as i % 5; twice that with the tag.
template <class Sums, class Index, class Value>
struct SumBefore {
  using value_type = Value;
  Sums sums;
  Index first;

  KOKKOS_FUNCTION void operator()(Index i, Value& sum, bool final) const {
    if (final) sums(i - first) = sum;
    sum += Value((i - first) % 5);
  }
  KOKKOS_FUNCTION void operator()(Twice, Index i, Value& sum,
                                  bool final) const {
    if (final) sums(i - first) = sum;
    sum += Value(2 * ((i - first) % 5));
  }
};

/// Sums before each index of [first, first + n).
template <class Exec, class Index, class Value, class... Traits>
std::vector<Value> scanned(Index first, int n) {
  using Sums = Kokkos::View<Value*, Exec>;
  const Sums sums("sums", std::size_t(n));
  scan_index<Value>(
      "Sporos::test::scan",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<Index>, Traits...>(
          Exec(), first, Index(first + Index(n))),
      SumBefore<Sums, Index, Value>{sums, first});
  const auto host =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  return std::vector<Value>(host.data(), host.data() + n);
}

template <class Value>
std::vector<Value> sums_before(int n, Value factor) {
  std::vector<Value> sums;
  for (Value i = 0, sum = 0; i < Value(n); sum += factor * (i++ % 5))
    sums.push_back(sum);
  return sums;
}

TEMPLATE_LIST_TEST_CASE("a scan sums what comes before each index",
                        "[for_each_index]", Spaces) {
  const int n       = GENERATE(0, 1, 2, 3, 7, 64, 1009);
  const auto signs  = sums_before<int>(n, 1);
  const auto wide   = sums_before<std::int64_t>(n, 1);
  const auto twice  = sums_before<std::uint32_t>(n, 2);
  constexpr int end = std::numeric_limits<int>::max();
  CHECK(scanned<TestType, int, int>(0, n) == signs);
  CHECK(scanned<TestType, int, int>(-5, n) == signs);
  CHECK(scanned<TestType, std::int64_t, std::int64_t>(3, n) == wide);
  CHECK(scanned<TestType, int, std::uint32_t, Twice>(3, n) == twice);
  if constexpr (Sporos::Impl::is_host_space_v<TestType>)
    CHECK(scanned<TestType, int, int>(end - n, n) == signs);
}

/// Finds the multiples of a number.
struct FindMultiples {
  using value_type = int;
  int of;

  KOKKOS_FUNCTION void operator()(int i, int& first) const {
    if (i % of == 0 && i < first) first = i;
  }
};

TEMPLATE_LIST_TEST_CASE("a reduction finds the smallest number",
                        "[for_each_index]", Spaces) {
  using Memory = typename TestType::memory_space;
  using Range  = Kokkos::RangePolicy<TestType, Kokkos::IndexType<int>>;
  const auto first_multiple = [](int begin, int end, int of) {
    const Kokkos::View<int, Memory> first("first");
    reduce_min<Memory>("Sporos::test::find", Range(begin, end),
                       FindMultiples{of}, first.data());
    int found = 0;
    Kokkos::deep_copy(found, first);
    return found;
  };
  constexpr int none = std::numeric_limits<int>::max();
  CHECK(first_multiple(0, 0, 1) == none);
  CHECK(first_multiple(1, 1000, 1000) == none);
  CHECK(first_multiple(1, 1001, 1000) == 1000);
  CHECK(first_multiple(1, 2000, 7) == 7);
  CHECK(first_multiple(20, 2000, 7) == 21);
  CHECK(first_multiple(5, 6, 5) == 5);
  CHECK(first_multiple(-3, 2000, 1) == -3);
}

TEMPLATE_LIST_TEST_CASE("profilers see the label of the caller",
                        "[for_each_index]", Spaces) {
  const Sporos::Test::Recorder recorder;
  counts<TestType, int>(0, 3);
  CHECK(Sporos::Test::events.kernels.back() == "Sporos::test::count");
  scanned<TestType, int, int>(0, 3);
  CHECK(Sporos::Test::events.kernels.back() == "Sporos::test::scan");
}

}  // namespace ForEachIndexTest
