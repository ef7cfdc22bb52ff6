// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_ORDERINGGRAPH_HPP
#define SPOROS_ORDERINGGRAPH_HPP

/// \file Sporos_OrderingGraph.hpp
/// Graphs to renumber, as neighbour lists on the host; permutations; bandwidth
/// and profile of an order.

#include <Sporos_ColoringTargets.hpp>
#include <Sporos_Error.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace Sporos {

/// An undirected graph: the neighbours of vertex v are
/// neighbors[offsets[v] .. offsets[v + 1]), and v is one of theirs.
struct Graph {
  /// begin of the neighbours of each vertex, then the end
  std::vector<int> offsets{0};
  std::vector<int> neighbors;  ///< vertex after vertex

  /// Number of vertices.
  int size() const { return static_cast<int>(offsets.size()) - 1; }
  /// Number of neighbours of vertex v.
  int degree(int v) const { return offsets[v + 1] - offsets[v]; }
  /// The first neighbour of v.
  const int* begin(int v) const { return neighbors.data() + offsets[v]; }
  /// The end of the neighbours of v.
  const int* end(int v) const { return neighbors.data() + offsets[v + 1]; }
};

/// order[k] is the old number of the item that becomes k.
using Order = std::vector<int>;

namespace Impl {
/// inverse(order) for a function, whose name begins the message that is thrown.
inline std::vector<int> inverse_for(const char* function, const Order& order) {
  std::vector<int> numbers(order.size(), -1);
  for (std::size_t k = 0; k < order.size(); ++k) {
    const int i = order[k];
    check(
        i >= 0 && static_cast<std::size_t>(i) < order.size() && numbers[i] < 0,
        function, "order", text("each number below ", order.size(), " once"), i,
        " at ", k);
    numbers[i] = static_cast<int>(k);
  }
  return numbers;
}
}  // namespace Impl

/// numbers[order[k]] = k: the new number of each old one. Throws
/// std::invalid_argument if order is not a permutation. O(n).
inline std::vector<int> inverse(const Order& order) {
  return Impl::inverse_for("Sporos::inverse", order);
}

/// The identity 0, 1, ..., n - 1. Throws std::invalid_argument for n < 0.
inline Order identity_order(int n) {
  Impl::check(n >= 0, "Sporos::identity_order", "n", "at least 0", n);
  Order order(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) order[i] = i;
  return order;
}

/// Is every number from 0 on there once?
inline bool is_permutation(const Order& order) {
  std::vector<char> seen(order.size(), 0);
  for (int i : order) {
    if (i < 0 || static_cast<std::size_t>(i) >= order.size() || seen[i])
      return false;
    seen[i] = 1;
  }
  return true;
}

namespace Impl {

inline void check_graph(const Graph& graph, const char* function) {
  const auto& offsets = graph.offsets;
  check(!offsets.empty() && offsets.front() == 0, function, "graph.offsets",
        "0 at first",
        offsets.empty() ? "none" : std::to_string(offsets.front()));
  for (int v = 0; v < graph.size(); ++v)
    check(offsets[v] <= offsets[v + 1], function, "graph.offsets", "ascending",
          offsets[v + 1], " after ", offsets[v], " at ", v + 1);
  check(static_cast<std::size_t>(offsets.back()) == graph.neighbors.size(),
        function, "graph.neighbors", text("size ", offsets.back()),
        graph.neighbors.size());
  for (std::size_t k = 0; k < graph.neighbors.size(); ++k)
    check(graph.neighbors[k] >= 0 && graph.neighbors[k] < graph.size(),
          function, "graph.neighbors", text("0 to ", graph.size() - 1),
          graph.neighbors[k], " at ", k);
}

/// A number of neighbours of all vertices together as an offset of a Graph.
/// Throws for more than those reach.
inline int graph_offset(const char* function, std::int64_t neighbors) {
  check(neighbors <= std::numeric_limits<int>::max(), function, "neighbours",
        "at most 2^31 - 1 in all lists together", neighbors);
  return static_cast<int>(neighbors);
}

/// The items of each target, as lists one after another. Throws for negative
/// numbers, for targets out of range and for 2^31 of them or more, in the name
/// of `function`.
template <class Targets>
Graph items_of_targets(const char* function, int n_items, int n_targets,
                       const Targets& targets) {
  check_sizes(function, n_items, n_targets);
  std::int64_t entries = 0;
  for (int i = 0; i < n_items; ++i)
    targets.for_each(i, [&](int t) {
      check_target(function, t, n_targets, i);
      ++entries;
    });
  const int size = graph_offset(function, entries);
  Graph items;
  items.offsets.assign(static_cast<std::size_t>(n_targets) + 1, 0);
  int* const offsets = items.offsets.data();
  for (int i = 0; i < n_items; ++i)
    targets.for_each(i, [&](int t) { ++offsets[t + 1]; });
  for (int t = 0; t < n_targets; ++t) offsets[t + 1] += offsets[t];
  items.neighbors.resize(static_cast<std::size_t>(size));
  std::vector<int> next(items.offsets.begin(), items.offsets.end() - 1);
  for (int i = 0; i < n_items; ++i)
    targets.for_each(i, [&](int t) { items.neighbors[next[t]++] = i; });
  return items;
}

/// check_graph, and each vertex is a neighbour of its neighbours.
inline void check_undirected(const Graph& graph, const char* function) {
  check_graph(graph, function);
  const int n      = graph.size();
  const Graph back = items_of_targets(
      function, n, n,
      CsrTargets<>{graph.offsets.data(), graph.neighbors.data()});
  std::vector<int> seen(static_cast<std::size_t>(n), -1);
  for (int v = 0; v < n; ++v) {
    for (const int* w = graph.begin(v); w != graph.end(v); ++w) seen[*w] = v;
    for (const int* w = back.begin(v); w != back.end(v); ++w)
      check(seen[*w] == v, function, "graph.neighbors",
            text("vertex ", *w, " among those of ", v,
                 ", which is among its own"),
            "none");
  }
}

/// Lists that are found vertex by vertex: each neighbour once, ascending,
/// never the vertex itself.
class GraphBuilder {
 public:
  explicit GraphBuilder(int n) : m_seen(static_cast<std::size_t>(n), -1) {
    m_graph.offsets.reserve(static_cast<std::size_t>(n) + 1);
  }
  void begin(int v) {
    m_vertex  = v;
    m_seen[v] = v;
  }
  void add(int w) {
    if (m_seen[w] == m_vertex) return;
    m_seen[w] = m_vertex;
    m_graph.neighbors.push_back(w);
  }
  void end() {
    auto& list = m_graph.neighbors;
    std::sort(list.begin() + m_graph.offsets.back(), list.end());
    m_graph.offsets.push_back(
        graph_offset("Sporos::Graph", static_cast<std::int64_t>(list.size())));
  }
  Graph take() { return std::move(m_graph); }

 private:
  Graph m_graph;
  std::vector<int> m_seen;
  int m_vertex = -1;
};

}  // namespace Impl

/// Items are neighbours if they share a target (cells across an edge, edges of
/// a cell). Targets of more than max_items items connect none, because all
/// pairs would be neighbours. O(sum over targets of items squared). Throws
/// std::invalid_argument for negative numbers and targets out of range.
template <class Targets>
Graph graph_of_items(int n_items, int n_targets, const Targets& targets,
                     int max_items = 1024) {
  const Graph items = Impl::items_of_targets("Sporos::graph_of_items", n_items,
                                             n_targets, targets);
  Impl::GraphBuilder builder(n_items);
  for (int i = 0; i < n_items; ++i) {
    builder.begin(i);
    targets.for_each(i, [&](int t) {
      if (items.degree(t) > max_items) return;
      for (const int* other = items.begin(t); other != items.end(t); ++other)
        builder.add(*other);
    });
    builder.end();
  }
  return builder.take();
}

/// Targets are neighbours if an item has both: an item becomes a clique of its
/// targets. O(sum over items of targets squared). Throws std::invalid_argument
/// for negative numbers and targets out of range.
template <class Targets>
Graph graph_of_targets(int n_items, int n_targets, const Targets& targets) {
  const Graph items = Impl::items_of_targets("Sporos::graph_of_targets",
                                             n_items, n_targets, targets);
  Impl::GraphBuilder builder(n_targets);
  for (int t = 0; t < n_targets; ++t) {
    builder.begin(t);
    for (const int* item = items.begin(t); item != items.end(t); ++item)
      targets.for_each(*item, [&](int other) { builder.add(other); });
    builder.end();
  }
  return builder.take();
}

namespace Impl {
/// The inverse of an order of a graph's vertices.
inline std::vector<int> numbers_of(const char* function, const Graph& graph,
                                   const Order& order) {
  check_graph(graph, function);
  check(static_cast<int>(order.size()) == graph.size(), function, "order",
        text("size ", graph.size(), ", the vertices of the graph"),
        order.size());
  return inverse_for(function, order);
}
}  // namespace Impl

/// The bandwidth: the largest distance of two neighbours in this order. Throws
/// std::invalid_argument for malformed graphs, and if it is not an order of the
/// vertices.
inline int bandwidth(const Graph& graph, const Order& order) {
  const auto number = Impl::numbers_of("Sporos::bandwidth", graph, order);
  int widest        = 0;
  for (int v = 0; v < graph.size(); ++v)
    for (const int* w = graph.begin(v); w != graph.end(v); ++w)
      widest = std::max(widest, std::abs(number[v] - number[*w]));
  return widest;
}

/// The profile: the sum over all vertices of the distance to the first
/// neighbour before them. Throws std::invalid_argument for malformed graphs,
/// and if it is not an order of the vertices.
inline std::int64_t profile(const Graph& graph, const Order& order) {
  const auto number = Impl::numbers_of("Sporos::profile", graph, order);
  std::int64_t sum  = 0;
  for (int v = 0; v < graph.size(); ++v) {
    int first = number[v];
    for (const int* w = graph.begin(v); w != graph.end(v); ++w)
      first = std::min(first, number[*w]);
    sum += number[v] - first;
  }
  return sum;
}

}  // namespace Sporos

#endif
