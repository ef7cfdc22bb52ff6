// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The fixed cases of the engine for perf/device_counts.sh: sorts and segmented
// sums of a million elements, each checked against plain loops.

#include <Kokkos_Core.hpp>

#include <Sporos_SegmentedReduce.hpp>
#include <Sporos_SortByKey.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

namespace {

using Exec   = Kokkos::DefaultExecutionSpace;
using Memory = Exec::memory_space;

template <class T>
Kokkos::View<T*, Memory> to_device(const std::vector<T>& values) {
  const Kokkos::View<T*, Memory> view("values", values.size());
  const auto mirror = Kokkos::create_mirror_view(view);
  std::copy(values.begin(), values.end(), mirror.data());
  Kokkos::deep_copy(view, mirror);
  return view;
}

template <class T>
std::vector<T> to_host(const Kokkos::View<T*, Memory>& view) {
  const auto mirror = Kokkos::create_mirror_view(view);
  Kokkos::deep_copy(mirror, view);
  return std::vector<T>(mirror.data(), mirror.data() + mirror.extent(0));
}

int verdict(const char* name, bool right) {
  std::printf("%s: %s\n", name, right ? "right" : "WRONG");
  return right ? 0 : 1;
}

template <class Key>
std::vector<Key> random_keys(std::size_t n, int bits) {
  std::mt19937_64 generator(7);
  std::vector<Key> keys(n);
  for (Key& key : keys) key = static_cast<Key>(generator() >> (64 - bits));
  return keys;
}

template <class Key>
int sort_case(const char* name, std::size_t n, int bits) {
  std::vector<Key> keys = random_keys<Key>(n, bits);
  const auto view       = to_device(keys);
  const Kokkos::View<int*, Memory> permutation("permutation", n);
  Sporos::SortWorkspace<Key, Memory> workspace;
  Sporos::sort_by_key(Exec{}, workspace, view, permutation, bits);
  Kokkos::fence();
  std::vector<int> expected(n);
  std::iota(expected.begin(), expected.end(), 0);
  std::stable_sort(expected.begin(), expected.end(), [&](int a, int b) {
    return keys[std::size_t(a)] < keys[std::size_t(b)];
  });
  return verdict(name, to_host(permutation) == expected);
}

/// n elements in n / 4 groups of random size.
int sum_case(const char* name, std::size_t n) {
  std::vector<std::uint32_t> keys = random_keys<std::uint32_t>(n, 18);
  std::sort(keys.begin(), keys.end());
  std::vector<double> values(n), expected;
  for (std::size_t i = 0; i < n; ++i) {
    values[i] = double(i % 11) - 4;
    if (i == 0 || keys[i] != keys[i - 1]) expected.push_back(0);
    expected.back() += values[i];
  }
  const auto sorted_keys = to_device(keys);
  const auto column      = to_device(values);
  const Kokkos::View<std::uint32_t*, Memory> unique("unique", n);
  const Kokkos::View<double*, Memory> sums("sums", n);
  const Kokkos::View<int, Memory> count("count");
  Sporos::ReduceWorkspace<Memory> workspace;
  Sporos::reduce_by_key(Exec{}, workspace, sorted_keys, column, unique, sums,
                        count);
  Kokkos::fence();
  std::vector<double> found = to_host(sums);
  found.resize(expected.size());
  return verdict(name, found == expected);
}

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  constexpr std::size_t n = 1000000;
  return sort_case<std::uint32_t>("sort, 32-bit keys, 21 bits used", n, 21) +
         sort_case<std::uint64_t>("sort, 64-bit keys, 32 bits used", n, 32) +
         sum_case("sums of 18-bit keys", n);
}
