// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Smallest-degree-last ordering of items that conflict where they share a
/// target (Matula, Beck, Smallest-last ordering and clustering and graph
/// coloring algorithms, 1983).

#ifndef SPOROS_COLORINGORDER_HPP
#define SPOROS_COLORINGORDER_HPP

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace Sporos {
namespace Impl {

/// Keeps its memory from call to call.
class DegreeOrder {
 public:
  /// A target of more items than this conflicts with so many that their order
  /// hardly matters: it is left out of the degrees, which would otherwise cost
  /// the square of its items.
  static constexpr int max_items = 256;

  /// order[0 .. n_items): the item to colour first, ...
  template <class Targets>
  void smallest_last(int n_items, int n_targets, const Targets& targets,
                     int* order) {
    if (n_items == 0) return;
    collect(n_items, n_targets, targets);
    m_degree.assign(std::size_t(n_items), 0);
    m_seen.assign(std::size_t(n_items), -1);
    for (int i = 0; i < n_items; ++i)
      for_neighbors(i, targets, i, [&](int) { ++m_degree[i]; });
    fill_buckets(n_items);
    int lowest = 0;
    for (int k = n_items - 1; k >= 0; --k) {
      while (m_head[lowest] < 0) ++lowest;
      const int item = m_head[lowest];
      unlink(item);
      m_degree[item] = -1;  // taken away
      order[k]       = item;
      for_neighbors(item, targets, -2 - item, [&](int other) {
        if (m_degree[other] < 0) return;
        unlink(other);
        --m_degree[other];
        link(other);
        lowest = std::min(lowest, m_degree[other]);
      });
    }
  }

 private:
  /// The items of each target.
  template <class Targets>
  void collect(int n_items, int n_targets, const Targets& targets) {
    m_offset.assign(std::size_t(n_targets) + 1, 0);
    for (int i = 0; i < n_items; ++i)
      targets.for_each(i, [&](int t) { ++m_offset[t]; });
    std::partial_sum(m_offset.begin(), m_offset.end(), m_offset.begin());
    m_item.resize(std::size_t(m_offset[n_targets]));
    // from where the items of a target end to where they begin
    for (int i = n_items - 1; i >= 0; --i)
      targets.for_each(i, [&](int t) { m_item[--m_offset[t]] = i; });
  }

  /// f(other) once for each item that shares a target; `stamp` is new in every
  /// call.
  template <class Targets, class F>
  void for_neighbors(int item, const Targets& targets, int stamp, const F& f) {
    m_seen[item] = stamp;
    targets.for_each(item, [&](int t) {
      if (m_offset[t + 1] - m_offset[t] > max_items) return;
      for (Offset k = m_offset[t]; k < m_offset[t + 1]; ++k) {
        const int other = m_item[std::size_t(k)];
        if (m_seen[other] == stamp) continue;
        m_seen[other] = stamp;
        f(other);
      }
    });
  }

  // Items of equal degree: doubly linked lists.
  void fill_buckets(int n_items) {
    const int most = *std::max_element(m_degree.begin(), m_degree.end());
    m_head.assign(std::size_t(most) + 1, -1);
    m_next.assign(std::size_t(n_items), -1);
    m_previous.assign(std::size_t(n_items), -1);
    for (int i = n_items - 1; i >= 0; --i) link(i);
  }
  void link(int item) {
    int& head        = m_head[m_degree[item]];
    m_next[item]     = head;
    m_previous[item] = -1;
    if (head >= 0) m_previous[head] = item;
    head = item;
  }
  void unlink(int item) {
    if (m_previous[item] >= 0)
      m_next[m_previous[item]] = m_next[item];
    else
      m_head[m_degree[item]] = m_next[item];
    if (m_next[item] >= 0) m_previous[m_next[item]] = m_previous[item];
  }

  using Offset = std::ptrdiff_t;  // of entries, which may be more than 2^31
  std::vector<Offset> m_offset;   // of the items of each target
  std::vector<int> m_item;
  std::vector<int> m_degree, m_seen;            // of items
  std::vector<int> m_head, m_next, m_previous;  // items of a degree
};

}  // namespace Impl
}  // namespace Sporos

#endif  // SPOROS_COLORINGORDER_HPP
