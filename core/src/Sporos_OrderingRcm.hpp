// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_ORDERINGRCM_HPP
#define SPOROS_ORDERINGRCM_HPP

/// \file Sporos_OrderingRcm.hpp
/// Reverse Cuthill-McKee order. Numbers vertices by a breadth-first search from
/// an end of the graph, neighbours by ascending degree, and reverses the
/// result. Costs a few breadth-first searches, O(neighbours): use it if
/// renumbering must be cheap.

#include <Sporos_OrderingLevels.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace Sporos {
namespace Impl {

/// Sorts by (degree, number); lists are short.
inline void sort_by_degree(const Graph& graph, int* first, int* last) {
  const auto before = [&](int a, int b) {
    const int da = graph.degree(a), db = graph.degree(b);
    return da != db ? da < db : a < b;
  };
  if (last - first > 16) {
    std::sort(first, last, before);
    return;
  }
  for (int* i = first; i != last; ++i)
    for (int* j = i; j != first && before(*j, *(j - 1)); --j)
      std::swap(*j, *(j - 1));
}

}  // namespace Impl

/// Reverse Cuthill-McKee order (George, Liu, 1981) of an undirected graph.
/// Components are ordered by their first vertex. O(vertices + neighbours) times
/// a few searches for the ends of each component. Throws std::invalid_argument
/// for malformed graphs.
inline Order reverse_cuthill_mckee(const Graph& graph) {
  Impl::check_undirected(graph, "Sporos::reverse_cuthill_mckee");
  const int n = graph.size();
  Order order;
  order.reserve(static_cast<std::size_t>(n));
  std::vector<char> numbered(static_cast<std::size_t>(n), 0);
  Impl::LevelSearch search(graph);
  Impl::Levels levels, trial;
  std::vector<int> next;
  for (int start = 0; start < n; ++start) {
    if (numbered[start]) continue;
    const int root = Impl::find_pseudo_peripheral(search, start, levels, trial);
    const std::size_t first = order.size();
    order.push_back(root);
    numbered[root] = 1;
    for (std::size_t k = first; k < order.size(); ++k) {
      const int v = order[k];
      next.clear();
      for (const int *w = graph.begin(v), *e = graph.end(v); w != e; ++w)
        if (!numbered[*w]) {
          numbered[*w] = 1;
          next.push_back(*w);
        }
      Impl::sort_by_degree(graph, next.data(), next.data() + next.size());
      order.insert(order.end(), next.begin(), next.end());
    }
    std::reverse(order.begin() + static_cast<std::ptrdiff_t>(first),
                 order.end());
  }
  return order;
}

}  // namespace Sporos

#endif
