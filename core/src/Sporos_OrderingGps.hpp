// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_ORDERINGGPS_HPP
#define SPOROS_ORDERINGGPS_HPP

/// \file Sporos_OrderingGps.hpp
/// Gibbs-Poole-Stockmeyer order. Combines the level structures from both ends
/// of a pseudo-diameter to a narrower one and numbers along it. Costs some ten
/// breadth-first searches, O(neighbours). Gives a smaller bandwidth than
/// reverse Cuthill-McKee.

#include <Sporos_OrderingLevels.hpp>
#include <Sporos_OrderingRcm.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace Sporos {
namespace Impl {

class GibbsPooleStockmeyer {
 public:
  explicit GibbsPooleStockmeyer(const Graph& graph)
      : m_graph(graph),
        m_search(graph),
        m_forward(static_cast<std::size_t>(graph.size())),
        m_backward(static_cast<std::size_t>(graph.size())),
        m_level(static_cast<std::size_t>(graph.size()), unknown),
        m_number(static_cast<std::size_t>(graph.size()), unknown) {}

  Order run() {
    m_order.reserve(m_number.size());
    for (int v = 0; v < m_graph.size(); ++v)
      if (m_number[v] == unknown) number_component(v);
    return std::move(m_order);
  }

 private:
  static constexpr int unknown = -1;

  const Graph& m_graph;
  LevelSearch m_search;
  PseudoDiameter m_ends;
  std::vector<int> m_forward, m_backward;  // levels from either end
  std::vector<int> m_level;                // in the combined structure
  std::vector<int> m_number;
  std::vector<int> m_width;  // vertices of each level so far
  Order m_order;

  void number_component(int any_vertex) {
    find_pseudo_diameter(m_search, any_vertex, m_ends);
    combine_levels();
    const int first = static_cast<int>(m_order.size());
    number_levels();
    turn_if_smaller(first);
  }

  // -- II: one level structure of two ---------------------------------------

  void combine_levels() {
    const int depth = m_ends.from.depth();
    for (int l = 0; l < depth; ++l) {
      for (int k = m_ends.from.begin[l]; k < m_ends.from.begin[l + 1]; ++k)
        m_forward[m_ends.from.vertices[k]] = l;
      for (int k = m_ends.to.begin[l]; k < m_ends.to.begin[l + 1]; ++k)
        m_backward[m_ends.to.vertices[k]] = depth - 1 - l;
    }
    m_width.assign(static_cast<std::size_t>(depth), 0);
    for (int v : m_ends.from.vertices)
      if (m_forward[v] == m_backward[v]) {
        m_level[v] = m_forward[v];
        ++m_width[m_level[v]];
      }
    place_the_rest();
  }

  /// What the two structures disagree about, component by component, the
  /// largest first: each goes where it makes levels the least wide.
  void place_the_rest() {
    std::vector<int> vertices, begin{0};
    std::vector<char>& seen = m_seen;
    seen.resize(m_level.size(), 0);
    for (int root : m_ends.from.vertices) {
      if (m_level[root] != unknown || seen[root]) continue;
      seen[root] = 1;
      vertices.push_back(root);
      for (std::size_t k = static_cast<std::size_t>(begin.back());
           k < vertices.size(); ++k) {
        const int v = vertices[k];
        for (const int *w = m_graph.begin(v), *e = m_graph.end(v); w != e; ++w)
          if (m_level[*w] == unknown && !seen[*w]) {
            seen[*w] = 1;
            vertices.push_back(*w);
          }
      }
      begin.push_back(static_cast<int>(vertices.size()));
    }
    std::vector<int> by_size = identity_order(int(begin.size()) - 1);
    std::stable_sort(by_size.begin(), by_size.end(), [&](int a, int b) {
      return begin[a + 1] - begin[a] > begin[b + 1] - begin[b];
    });
    for (int c : by_size)
      place(vertices.data() + begin[c], vertices.data() + begin[c + 1]);
  }

  void place(const int* first, const int* last) {
    const int forward     = width_with(first, last, m_forward);
    const int backward    = width_with(first, last, m_backward);
    const bool by_forward = forward != backward
                                ? forward < backward
                                : m_ends.from.width <= m_ends.to.width;
    const auto& level     = by_forward ? m_forward : m_backward;
    for (const int* v = first; v != last; ++v) {
      m_level[*v] = level[*v];
      ++m_width[level[*v]];
    }
  }

  /// The widest of the levels that would grow.
  int width_with(const int* first, const int* last,
                 const std::vector<int>& level) {
    int widest = 0;
    for (const int* v = first; v != last; ++v)
      widest = std::max(widest, ++m_width[level[*v]]);
    for (const int* v = first; v != last; ++v) --m_width[level[*v]];
    return widest;
  }

  // -- III: numbering --------------------------------------------------------

  void number_levels() {
    // from the end of lower degree
    const int depth = m_ends.from.depth();
    int first       = m_ends.from.vertices.front();
    const int other = m_ends.to.vertices.front();
    if (m_graph.degree(other) < m_graph.degree(first)) {
      first = other;
      for (int v : m_ends.from.vertices) m_level[v] = depth - 1 - m_level[v];
      std::reverse(m_width.begin(), m_width.end());
    }
    std::vector<int> members, begin;
    sort_into_levels(members, begin);
    std::size_t previous = m_order.size(), current = previous;
    number(first);
    for (int l = 0; l < depth; ++l) {
      if (l > 0) {
        previous = current;
        current  = m_order.size();
        for (std::size_t k = previous; k < current; ++k)
          number_neighbors(m_order[k], l);
      }
      fill_level(l, current, members.data() + begin[l],
                 members.data() + begin[l + 1]);
    }
  }

  /// The rest of a level: next to those that have a number, in order of these,
  /// or else the one of lowest degree.
  void fill_level(int l, std::size_t done, const int* member, const int* last) {
    for (;;) {
      for (; done < m_order.size(); ++done) number_neighbors(m_order[done], l);
      while (member != last && m_number[*member] != unknown) ++member;
      if (member == last) return;
      number(*member);
    }
  }

  /// The vertices of each level by ascending degree.
  void sort_into_levels(std::vector<int>& members, std::vector<int>& begin) {
    begin.assign(m_width.size() + 1, 0);
    for (std::size_t l = 0; l < m_width.size(); ++l)
      begin[l + 1] = begin[l] + m_width[l];
    members.resize(m_ends.from.vertices.size());
    std::vector<int> next(begin.begin(), begin.end() - 1);
    for (int v : m_ends.from.vertices) members[next[m_level[v]]++] = v;
    for (std::size_t l = 0; l < m_width.size(); ++l)
      sort_by_degree(m_graph, members.data() + begin[l],
                     members.data() + begin[l + 1]);
  }

  void number(int v) {
    m_number[v] = static_cast<int>(m_order.size());
    m_order.push_back(v);
  }

  void number_neighbors(int v, int level) {
    const std::size_t first = m_order.size();
    for (const int *w = m_graph.begin(v), *e = m_graph.end(v); w != e; ++w)
      if (m_number[*w] == unknown && m_level[*w] == level) number(*w);
    sort_by_degree(m_graph, m_order.data() + first,
                   m_order.data() + m_order.size());
  }

  /// The numbering or its reverse, whichever has the smaller profile (of a
  /// plain level structure it would be the reverse).
  void turn_if_smaller(int first) {
    const int n        = static_cast<int>(m_order.size());
    std::int64_t as_is = 0, reversed = 0;
    for (int k = first; k < n; ++k) m_number[m_order[k]] = k;
    for (int k = first; k < n; ++k) {
      const int v = m_order[k];
      int low = k, high = k;
      for (const int *w = m_graph.begin(v), *e = m_graph.end(v); w != e; ++w) {
        low  = std::min(low, m_number[*w]);
        high = std::max(high, m_number[*w]);
      }
      as_is += k - low;
      reversed += high - k;
    }
    if (reversed < as_is) std::reverse(m_order.begin() + first, m_order.end());
  }

  std::vector<char> m_seen;
};

}  // namespace Impl

/// The order of Gibbs, Poole and Stockmeyer (An algorithm for reducing the
/// bandwidth and profile of a sparse matrix, 1976). Components are ordered by
/// their first vertex. O(vertices + neighbours) times the searches for the ends
/// of each component. Throws std::invalid_argument for malformed graphs.
inline Order gibbs_poole_stockmeyer(const Graph& graph) {
  Impl::check_undirected(graph, "Sporos::gibbs_poole_stockmeyer");
  return Impl::GibbsPooleStockmeyer(graph).run();
}

}  // namespace Sporos

#endif
