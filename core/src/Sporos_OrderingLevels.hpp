// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_ORDERINGLEVELS_HPP
#define SPOROS_ORDERINGLEVELS_HPP

/// \file Sporos_OrderingLevels.hpp
/// Level structures: the vertices of a component by their distance from a root,
/// and the search for roots with deep, narrow structures.

#include <Sporos_OrderingGraph.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace Sporos {
namespace Impl {

/// Vertices of one component, level after level.
struct Levels {
  std::vector<int> vertices;
  std::vector<int> begin;  ///< where each level begins, and the end
  int width = 0;           ///< vertices of the largest level

  int depth() const { return static_cast<int>(begin.size()) - 1; }
  const int* level(int l) const { return vertices.data() + begin[l]; }
  const int* last() const { return level(depth() - 1); }
  const int* end() const { return vertices.data() + vertices.size(); }
};

/// Breadth-first searches in one graph.
class LevelSearch {
 public:
  explicit LevelSearch(const Graph& graph)
      : m_graph(graph), m_mark(static_cast<std::size_t>(graph.size()), 0) {}

  /// Fills `levels` from `root`; false as soon as a level has max_width
  /// vertices or more.
  bool search(int root, Levels& levels,
              int max_width = std::numeric_limits<int>::max()) {
    ++m_stamp;
    levels.vertices.assign(1, root);
    levels.begin.assign(1, 0);
    levels.width = 0;
    m_mark[root] = m_stamp;
    for (int first = 0;;) {
      const int last = static_cast<int>(levels.vertices.size());
      if (last == first) return true;
      levels.begin.push_back(last);
      levels.width = std::max(levels.width, last - first);
      if (levels.width >= max_width) return false;
      for (int k = first; k < last; ++k) {
        const int v = levels.vertices[k];
        for (const int *w = m_graph.begin(v), *e = m_graph.end(v); w != e; ++w)
          if (m_mark[*w] != m_stamp) {
            m_mark[*w] = m_stamp;
            levels.vertices.push_back(*w);
          }
      }
      first = last;
    }
  }

  /// Vertices of the last level to try as roots: of each degree the first that
  /// is found, degrees ascending, at most `most`.
  std::vector<int> candidates(const Levels& levels, int most) const {
    std::vector<int> found(levels.last(), levels.end());
    std::sort(found.begin(), found.end(), [&](int a, int b) {
      const int da = m_graph.degree(a), db = m_graph.degree(b);
      return da != db ? da < db : a < b;
    });
    found.erase(std::unique(found.begin(), found.end(),
                            [&](int a, int b) {
                              return m_graph.degree(a) == m_graph.degree(b);
                            }),
                found.end());
    if (static_cast<int>(found.size()) > most)
      found.resize(static_cast<std::size_t>(most));
    return found;
  }

  int lowest_degree(const Levels& levels) const {
    return *std::min_element(
        levels.vertices.begin(), levels.vertices.end(), [&](int a, int b) {
          const int da = m_graph.degree(a), db = m_graph.degree(b);
          return da != db ? da < db : a < b;
        });
  }

 private:
  const Graph& m_graph;
  std::vector<int> m_mark;
  int m_stamp = 0;
};

/// The two ends of a pseudo-diameter with their level structures, which are
/// equally deep.
struct PseudoDiameter {
  Levels from, to;
};

/// Algorithm I of Gibbs, Poole, Stockmeyer (1976). Starts at the vertex of
/// lowest degree; of the last level a few roots are tried (one of each degree):
/// a deeper one starts again, else the narrowest becomes the other end.
inline void find_pseudo_diameter(LevelSearch& search, int any_vertex,
                                 PseudoDiameter& ends) {
  constexpr int most = 5;
  Levels trial;
  search.search(any_vertex, trial);
  search.search(search.lowest_degree(trial), ends.from);
  for (bool deeper = true; deeper;) {
    deeper   = false;
    int best = std::numeric_limits<int>::max();
    for (int root : search.candidates(ends.from, most)) {
      if (!search.search(root, trial, best)) continue;
      if (trial.depth() > ends.from.depth()) {
        std::swap(ends.from, trial);
        deeper = true;
        break;
      }
      best = trial.width;
      std::swap(ends.to, trial);
    }
  }
}

/// One end alone, with fewer searches: steps to a vertex of the last level of
/// lowest degree as long as that is deeper (George, Liu, 1979).
inline int find_pseudo_peripheral(LevelSearch& search, int any_vertex,
                                  Levels& levels, Levels& trial) {
  int root = any_vertex;
  search.search(root, levels);
  for (;;) {
    const int next = search.candidates(levels, 1).front();
    search.search(next, trial);
    const bool deeper = trial.depth() > levels.depth();
    if (deeper || trial.width < levels.width) root = next;
    if (!deeper) return root;
    std::swap(levels, trial);
  }
}

}  // namespace Impl
}  // namespace Sporos

#endif
