// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sporos_EngineTest.hpp"
#include "Sporos_Test.hpp"

#include <Sporos_SortByKey.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <tuple>
#include <vector>

namespace SortTest {

using Sporos::SortWorkspace;
using Sporos::Test::Spaces;
using Sporos::Test::to_vector;
using Sporos::Test::to_view;

template <class Key>
constexpr int bits_of = std::numeric_limits<Key>::digits;

template <class Key>
Key low_bits(int bits) {
  return bits == 0 ? Key(0) : Key(~Key(0)) >> (bits_of<Key> - bits);
}

enum class Shape {
  random,
  equal,
  sorted,
  reversed,
  swapped_pairs,
  last_is_smallest,
  clusters,
  high_bits,
  two_bits_far_apart
};

const std::vector<Shape> all_shapes = {
    Shape::random,   Shape::equal,         Shape::sorted,
    Shape::reversed, Shape::swapped_pairs, Shape::last_is_smallest,
    Shape::clusters, Shape::high_bits,     Shape::two_bits_far_apart};

template <class Key>
std::vector<Key> make_keys(Shape shape, int n, int bits) {
  std::mt19937_64 generator(std::uint64_t(n) * 7919 + int(shape));
  const Key mask = low_bits<Key>(bits);
  std::vector<Key> keys(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    const Key random = static_cast<Key>(generator());
    Key key          = 0;
    switch (shape) {
      case Shape::random: key = random & mask; break;
      case Shape::equal: key = Key(5) & mask; break;
      case Shape::sorted: key = Key(i) & mask; break;
      case Shape::reversed: key = Key(n - i) & mask; break;
      case Shape::swapped_pairs: key = Key(i ^ 1) & mask; break;
      case Shape::last_is_smallest: key = (i == n - 1 ? Key(0) : mask); break;
      case Shape::clusters:
        key = (random % 7 * 1000 + random % 3) & mask;
        break;
      case Shape::high_bits: key = mask & ~(mask >> 3) & random; break;
      case Shape::two_bits_far_apart:
        key = mask & (random & (Key(1) | Key(1) << (bits_of<Key> - 1)));
        break;
    }
    // bits above key_bits are not to be looked at
    keys[std::size_t(i)] = static_cast<Key>(key | (random & ~mask));
  }
  return keys;
}

/// What the standard library makes of it.
template <class Key>
void reference_sort(std::vector<Key>& keys, std::vector<int>& permutation,
                    int bits) {
  const Key mask = low_bits<Key>(bits);
  permutation.resize(keys.size());
  std::iota(permutation.begin(), permutation.end(), 0);
  std::stable_sort(permutation.begin(), permutation.end(), [&](int a, int b) {
    return (keys[std::size_t(a)] & mask) < (keys[std::size_t(b)] & mask);
  });
  std::vector<Key> sorted;
  for (int i : permutation) sorted.push_back(keys[std::size_t(i)]);
  keys = sorted;
}

/// Calls sort_by_key as users do.
struct AsShipped {
  template <class Exec, class Workspace, class Keys, class Permutation>
  static void sort(const Exec& exec, Workspace& workspace, const Keys& keys,
                   const Permutation& permutation, int bits) {
    Sporos::sort_by_key(exec, workspace, keys, permutation, bits);
  }
  static bool possible(int /*concurrency*/) { return true; }
};

/// Other ways of cutting the work: on hosts too the code paths of devices
/// (nothing decided on the host; many threads a team; chunks sorted in
/// scratch), and many chunks without many keys.
template <bool Staged, int TeamSize, int DigitBits, int Items, bool HostDecides>
struct Tuned {
  static constexpr bool staged       = Staged;
  static constexpr int team_size     = TeamSize;
  static constexpr int digit_bits    = DigitBits;
  static constexpr int items         = Items;
  static constexpr bool host_decides = HostDecides;

  static int chunk(int) { return Staged ? TeamSize * Items : 512; }

  template <class Exec, class Workspace, class Keys, class Permutation>
  static void sort(const Exec& exec, Workspace& workspace, const Keys& keys,
                   const Permutation& permutation, int bits) {
    Sporos::Impl::sort_by_key_tuned<Tuned>(exec, workspace, keys, permutation,
                                           bits);
  }
  static bool possible(int concurrency) { return concurrency >= TeamSize; }
};

/// The threads of small teams; teams of devices have 32 at least.
template <class Exec, int Threads>
constexpr int small_team =
    Sporos::Impl::is_host_space_v<Exec> ? Threads : 32 * Threads;

template <class Exec, class Key, class How>
void compare(Shape shape, int n, int bits) {
  std::vector<Key> keys = make_keys<Key>(shape, n, bits);
  Kokkos::View<Key*, Exec> view("keys", std::size_t(n));
  Kokkos::View<int*, Exec> permutation("permutation", std::size_t(n));
  to_view(view, keys);
  const Exec exec{};
  SortWorkspace<Key, typename Exec::memory_space> workspace;
  How::sort(exec, workspace, view, permutation, bits);
  exec.fence();
  std::vector<int> expected;
  reference_sort(keys, expected, bits);
  INFO("shape " << int(shape) << ", n " << n << ", bits " << bits << ", "
                << bits_of<Key> << "-bit keys");
  CHECK((to_vector(view) == keys));
  CHECK((to_vector(permutation) == expected));
}

template <class Exec, class Key, class How>
void compare_all(const std::vector<int>& sizes) {
  if (!How::possible(Exec{}.concurrency())) {
    WARN("too few threads for the teams: nothing was sorted");
    return;
  }
  // where runs are slow, two numbers of bits for each shape and size
  constexpr int all_bits[] = {bits_of<Key>, 21, 12, 5, 1, 0};
  int turn                 = 0;
  for (int n : sizes)
    for (Shape shape : all_shapes) {
      for (int k = 0; k < 6; ++k)
        if (!Sporos::Test::slow_run || k % 3 == turn % 3)
          compare<Exec, Key, How>(shape, n, all_bits[k]);
      ++turn;
    }
}

TEMPLATE_LIST_TEST_CASE("sort_by_key agrees with std::stable_sort",
                        "[sort_by_key]", Spaces) {
  const std::vector<int> sizes = {0,   1,   2,    3,    17,   509,  511,
                                  512, 513, 8191, 8192, 8193, 40009};
  compare_all<TestType, std::uint32_t, AsShipped>(sizes);
  compare_all<TestType, std::uint64_t, AsShipped>(sizes);
}

TEMPLATE_LIST_TEST_CASE("sort_by_key sorts many chunks", "[sort_by_key]",
                        Spaces) {
  for (Shape shape : all_shapes) {
    const int n = Sporos::Test::slow_run ? 100009 : 1100009;
    compare<TestType, std::uint32_t, AsShipped>(shape, n, 21);
    compare<TestType, std::uint64_t, AsShipped>(shape, n / 4, 40);
  }
}

TEMPLATE_LIST_TEST_CASE("sort_by_key without decisions on the host",
                        "[sort_by_key]", Spaces) {
  using How                    = Tuned<false, 1, 7, 1, false>;
  const std::vector<int> sizes = {1, 2, 511, 512, 513, 1024, 5003};
  compare_all<TestType, std::uint32_t, How>(sizes);
  compare_all<TestType, std::uint64_t, How>(sizes);
}

TEMPLATE_LIST_TEST_CASE("sort_by_key sorting chunks in scratch, least team",
                        "[sort_by_key]", Spaces) {
  using How = Tuned<true, small_team<TestType, 1>, 8, 16, false>;
  const std::vector<int> sizes = {1, 2, 3, 15, 16, 17, 33, 509, 2003};
  compare_all<TestType, std::uint32_t, How>(sizes);
  compare_all<TestType, std::uint64_t, How>(sizes);
}

TEMPLATE_LIST_TEST_CASE("sort_by_key sorting chunks in scratch, small teams",
                        "[sort_by_key]", Spaces) {
  constexpr int threads        = small_team<TestType, 2>;
  using Narrow                 = Tuned<true, threads, 4, 4, false>;
  using Wide                   = Tuned<true, threads, 8, 8, false>;
  using Odd                    = Tuned<true, threads, 6, 3, false>;
  const std::vector<int> sizes = {1, 2, 3, 15, 16, 17, 33, 509};
  compare_all<TestType, std::uint32_t, Narrow>(sizes);
  compare_all<TestType, std::uint32_t, Wide>(sizes);
  compare_all<TestType, std::uint64_t, Wide>(sizes);
  compare_all<TestType, std::uint64_t, Odd>(sizes);
}

TEMPLATE_LIST_TEST_CASE("sort_by_key sorts strided views", "[sort_by_key]",
                        Spaces) {
  using Exec  = TestType;
  const int n = 9001, bits = 19;
  auto keys = make_keys<std::uint32_t>(Shape::random, n, bits);
  Kokkos::View<std::uint32_t**, Kokkos::LayoutRight, Exec> table("table", n, 3);
  Kokkos::View<int**, Kokkos::LayoutRight, Exec> places("places", n, 2);
  const auto view        = Kokkos::subview(table, Kokkos::ALL, 1);
  const auto permutation = Kokkos::subview(places, Kokkos::ALL, 1);
  to_view(view, keys);
  const Exec exec{};
  SortWorkspace<std::uint32_t, typename Exec::memory_space> workspace;
  Sporos::sort_by_key(exec, workspace, view, permutation, bits);
  exec.fence();
  std::vector<int> expected;
  reference_sort(keys, expected, bits);
  CHECK((to_vector(view) == keys));
  CHECK((to_vector(permutation) == expected));
  // the neighbours are as they were
  const std::vector<std::uint32_t> zeros(std::size_t(n), 0u);
  CHECK((to_vector(Kokkos::subview(table, Kokkos::ALL, 0)) == zeros));
  CHECK((to_vector(Kokkos::subview(table, Kokkos::ALL, 2)) == zeros));
}

TEMPLATE_LIST_TEST_CASE("sort_by_key reuses its workspace", "[sort_by_key]",
                        Spaces) {
  using Exec = TestType;
  const Exec exec{};
  SortWorkspace<std::uint32_t, typename Exec::memory_space> workspace;
  CHECK(workspace.bytes() == 0);
  std::size_t bytes = 0;
  for (int n : {70001, 100, 65536, 70001, 1}) {
    auto keys = make_keys<std::uint32_t>(Shape::random, n, 32);
    Kokkos::View<std::uint32_t*, Exec> view("keys", std::size_t(n));
    Kokkos::View<int*, Exec> permutation("permutation", std::size_t(n));
    to_view(view, keys);
    Sporos::sort_by_key(exec, workspace, view, permutation, 32);
    exec.fence();
    if (bytes == 0) bytes = workspace.bytes();
    CHECK(workspace.bytes() == bytes);
    std::vector<int> expected;
    reference_sort(keys, expected, 32);
    CHECK((to_vector(permutation) == expected));
  }
  CHECK(bytes >= 70001 * 2 * sizeof(std::uint64_t));
}

TEMPLATE_LIST_TEST_CASE("a reserved workspace has room for all smaller sorts",
                        "[sort_by_key]", Spaces) {
  using Tuning = Sporos::Impl::SortTuning<TestType, std::uint32_t>;
  for (const int n : {1, 8191, 8193, 1 << 20, (1 << 21) + 129, 100000007})
    for (int m = n; m > 0; m -= m / 50 + 1) {
      INFO(m << " of " << n);
      CHECK(std::size_t(Sporos::Impl::ceil_div(m, Tuning::chunk(m))) <=
            Tuning::max_chunks(n));
    }
  SortWorkspace<std::uint32_t, typename TestType::memory_space> workspace;
  const TestType exec{};
  Sporos::Impl::reserve_sort(exec, workspace, 20000);
  const std::size_t bytes = workspace.bytes();
  for (const int n : {20000, 19999, 8192, 77, 1}) {
    std::vector<std::uint32_t> values(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i)
      values[std::size_t(i)] = std::uint32_t(i) * 2654435761u;
    const Kokkos::View<std::uint32_t*, TestType> keys("keys", values.size());
    const Kokkos::View<int*, TestType> permutation("permutation",
                                                   values.size());
    to_view(keys, values);
    sort_by_key(exec, workspace, keys, permutation, 32);
    exec.fence();
    CHECK(workspace.bytes() == bytes);
  }
}

TEST_CASE("sort_by_key on the default instance", "[sort_by_key]") {
  using Exec = Kokkos::DefaultExecutionSpace;
  auto keys  = make_keys<std::uint64_t>(Shape::random, 3001, 33);
  Kokkos::View<std::uint64_t*, Exec> view("keys", keys.size());
  Kokkos::View<int*, Exec> permutation("permutation", keys.size());
  to_view(view, keys);
  SortWorkspace<std::uint64_t, Exec::memory_space> workspace;
  Sporos::sort_by_key(workspace, view, permutation, 33);
  std::vector<int> expected;
  reference_sort(keys, expected, 33);
  CHECK((to_vector(permutation) == expected));
}

}  // namespace SortTest
