// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_ORDERING_HPP
#define SPOROS_ORDERING_HPP

/// \file Sporos_Ordering.hpp
/// Orders of vertices, elements and data points for locality: reverse
/// Cuthill-McKee, Gibbs-Poole-Stockmeyer, METIS blocks, elements by their
/// targets, and random ones for comparison.
///
/// They run on one thread of the host and give the same order each time. An
/// Order lists old numbers in their new order.

#include <Sporos_OrderingBlocks.hpp>
#include <Sporos_OrderingGps.hpp>
#include <Sporos_OrderingGraph.hpp>
#include <Sporos_OrderingRcm.hpp>

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace Sporos {

/// A random order, the same for a seed on every platform. O(n).
inline Order random_order(int n, std::uint64_t seed = 0) {
  Impl::check(n >= 0, "Sporos::random_order", "n", "at least 0", n);
  std::mt19937_64 generator(seed);
  Order order = identity_order(n);
  for (int i = n - 1; i > 0; --i) {
    // Distributions of the standard library differ from one to another.
    const auto j = static_cast<int>(
        ((generator() >> 32) * (static_cast<std::uint64_t>(i) + 1)) >> 32);
    std::swap(order[i], order[j]);
  }
  return order;
}

/// Items sorted by their lowest target, then the second lowest, then their
/// number, so that loops over them go through the targets once. O(entries).
/// Throws std::invalid_argument for negative numbers and targets out of range.
template <class Targets>
Order order_by_targets(int n_items, int n_targets, const Targets& targets) {
  constexpr const char* name = "Sporos::order_by_targets";
  Impl::check_sizes(name, n_items, n_targets);
  Order order = identity_order(n_items);
  std::vector<int> low(static_cast<std::size_t>(n_items)), second(low.size());
  for (int i = 0; i < n_items; ++i) {
    int a = n_targets, b = n_targets;
    targets.for_each(i, [&](int t) {
      Impl::check_target(name, t, n_targets, i);
      if (t < a) {
        b = a;
        a = t;
      } else if (t > a && t < b) {
        b = t;
      }
    });
    low[i]    = a;
    second[i] = b;
  }
  Order sorted(order.size());
  for (const auto* key : {&second, &low}) {  // stable, the last counts most
    std::vector<int> next(static_cast<std::size_t>(n_targets) + 2, 0);
    for (int k : *key) ++next[k + 1];
    for (int t = 0; t <= n_targets; ++t) next[t + 1] += next[t];
    for (int i : order) sorted[next[(*key)[i]]++] = i;
    std::swap(order, sorted);
  }
  return order;
}

}  // namespace Sporos

#endif
