// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PLANOWNERTEAMS_HPP
#define SPOROS_PLANOWNERTEAMS_HPP

/// \file Sporos_PlanOwnerTeams.hpp
/// Blocks of targets for teams of devices (see Sporos_LoopOwners.hpp): few
/// targets that share many elements, so that few elements run in several
/// blocks, and the places of their increments in scratch.

#include <Sporos_HostCopy.hpp>
#include <mesh_loop/plan/Sporos_LoopConstants.hpp>
#include <mesh_loop/plan/Sporos_PlanData.hpp>
#include <mesh_loop/plan/Sporos_PlanOwners.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace Sporos {
namespace Impl {

/// Grows blocks target by target: next comes the one that shares most elements
/// with the block, among equals the one that was met first. A block begins
/// beside the last one, where most elements reach targets that have a block.
/// O(entries x targets of an element).
class OwnerGrowth {
 public:
  OwnerGrowth(const std::vector<OwnedColumns>& columns, int n, int targets,
              std::int64_t most_bytes)
      : m_columns(columns),
        m_most(most_bytes),
        m_bytes(std::size_t(targets), 0),
        m_reaching(group_values(
            "Sporos::LoopPlan::reaching", n, targets, false,
            [&columns](int e, const auto& f) {
              for_each_target(columns, e, [&](const OwnedColumns& c, int t) {
                f(int(c.first) + t, e);
              });
            })),
        m_links(std::size_t(targets), 0),
        m_reached(std::size_t(n), -1) {
    for (int e = 0; e < n; ++e)
      for_each_target(columns, e, [&](const OwnedColumns& c, int t) {
        m_bytes[std::size_t(c.first) + std::size_t(t)] += c.bytes;
      });
  }

  /// Finds the block of each target, -1 for those without increments. Returns
  /// the number of blocks, 0 if the increments of one target are too many.
  int grow(std::vector<int>& owner) {
    owner.assign(m_bytes.size(), -1);
    m_owner = owner.data();
    for (;;) {
      int t = candidate();
      if (t < 0) t = seed();
      if (t < 0) break;
      if (m_bytes[std::size_t(t)] > m_most) return 0;
      if (!fits(t)) {
        close();
        t = seed();
        if (m_bytes[std::size_t(t)] > m_most) return 0;
      }
      take(t);
    }
    return m_block + 1;
  }

 private:
  /// Targets in the order in which they were met; those before `next` are done.
  struct Met {
    std::vector<int> targets;
    std::size_t next = 0;
  };

  /// f(target) for all increments of an element
  template <class F>
  void for_each(int e, const F& f) const {
    for_each_target(m_columns, e, [&](const OwnedColumns& c, int t) {
      f(std::size_t(c.first) + std::size_t(t));
    });
  }
  template <class F>
  void for_each_element(int t, const F& f) const {
    for (int k = m_reaching.offsets(t); k < m_reaching.offsets(t + 1); ++k)
      f(m_reaching.values(k));
  }

  /// The best target beside this block; -1: none
  int candidate() {
    for (; m_most_links > 0; --m_most_links) {
      Met& met = m_met[std::size_t(m_most_links)];
      while (met.next < met.targets.size()) {
        const int t = met.targets[met.next++];
        if (m_owner[t] < 0 && m_links[std::size_t(t)] == m_most_links) return t;
      }
      met.targets.clear();
      met.next = 0;
    }
    return -1;
  }
  /// The best target beside blocks that are closed, or any; -1: none is left
  int seed() {
    int best = -1, most = -1;
    for (const int t : m_border) {
      if (m_owner[t] >= 0) continue;
      int links = 0;
      for_each_element(t, [&](int e) {
        for_each(e, [&](std::size_t u) { links += m_owner[u] >= 0 ? 1 : 0; });
      });
      if (links > most || (links == most && t < best)) best = t;
      most = std::max(most, links);
    }
    if (best >= 0) return best;
    const int n = int(m_bytes.size());
    while (m_next < n &&
           (m_owner[m_next] >= 0 || m_bytes[std::size_t(m_next)] == 0))
      ++m_next;
    return m_next < n ? m_next : -1;
  }
  bool fits(int t) const {
    if (m_mine == 0) return true;
    int elements = m_mine;
    for_each_element(t, [&](int e) {
      elements += m_reached[std::size_t(e)] != m_block ? 1 : 0;
    });
    return elements <= owner_elements &&
           m_filled + m_bytes[std::size_t(t)] <= m_most;
  }
  void take(int t) {
    m_owner[t] = m_block;
    m_filled += m_bytes[std::size_t(t)];
    for_each_element(t, [&](int e) {
      m_mine += m_reached[std::size_t(e)] != m_block ? 1 : 0;
      m_reached[std::size_t(e)] = m_block;
      for_each(e, [&](std::size_t u) {
        if (m_owner[u] >= 0) return;
        if (m_links[u]++ == 0) m_touched.push_back(int(u));
        m_most_links = std::max(m_most_links, m_links[u]);
        if (m_met.size() <= std::size_t(m_most_links))
          m_met.resize(std::size_t(m_most_links) + 1);
        m_met[std::size_t(m_links[u])].targets.push_back(int(u));
      });
    });
  }
  void close() {
    for (const int t : m_touched) m_links[std::size_t(t)] = 0;
    m_border.clear();
    std::swap(m_border, m_touched);
    for (; m_most_links > 0; --m_most_links)
      m_met[std::size_t(m_most_links)] = {};
    m_filled = 0;
    m_mine   = 0;
    ++m_block;
  }

  const std::vector<OwnedColumns>& m_columns;
  const std::int64_t m_most;
  std::vector<std::int64_t> m_bytes;  ///< of increments of each target
  Groups m_reaching;                  ///< elements that reach each target
  std::vector<int> m_links;    ///< entries that tie a target to the block
  std::vector<int> m_reached;  ///< the last block that each element reached
  std::vector<int> m_border, m_touched;
  std::vector<Met> m_met;  ///< by their links
  int m_most_links      = 0;
  int* m_owner          = nullptr;
  std::int64_t m_filled = 0;  ///< bytes of the block
  int m_mine            = 0;  ///< its elements
  int m_block = 0, m_next = 0;
};

/// A group on the host, while it is made.
struct OwnerPlaces {
  std::vector<int> targets, offsets{0}, firsts, levels{0};
  std::vector<std::uint16_t> places;
};

/// Places of the increments through some columns, all to one set.
[[gnu::noinline]] inline OwnerPlaces place_increments(
    const PlanInfo& plan, const std::vector<OwnedColumns>& columns) {
  const std::size_t entries = plan.owner_list.size();
  std::size_t slots         = 0;
  for (const OwnedColumns& c : columns) slots += std::size_t(c.slots);
  OwnerPlaces to;
  to.places.assign(slots * entries, no_place);
  const auto size  = std::size_t(columns.front().size);
  const int blocks = int(plan.owner_blocks.size());
  // of each target, which belongs to one block
  std::vector<int> count(size, 0), rank(size, 0);
  std::vector<std::vector<int>> targets{std::size_t(blocks)}, firsts = targets;
  constexpr const char* label = "Sporos::LoopPlan::place_increments";
  const PlanExec host{};
  for_each_index(label, PlanRange(host, 0, blocks), [&](int b) {
    const OwnerBlock block     = plan.owner_blocks[std::size_t(b)];
    const auto for_each_of_own = [&](const auto& f) {
      for (int k = block.first; k < block.first + block.size; ++k) {
        std::size_t at = std::size_t(k);
        for_each_target(columns, plan.owner_list[std::size_t(k)] - plan.first,
                        [&](const OwnedColumns& c, int t) {
                          if (c.block(t, blocks) == b) f(std::size_t(t), at);
                          at += entries;
                        });
      }
    };
    std::vector<int>& mine  = targets[std::size_t(b)];
    std::vector<int>& first = firsts[std::size_t(b)];
    for_each_of_own([&](std::size_t t, std::size_t) {
      if (count[t]++ == 0) mine.push_back(int(t));
    });
    std::sort(mine.begin(), mine.end(), [&](int t, int u) {
      const int more = count[std::size_t(t)] - count[std::size_t(u)];
      return more != 0 ? more > 0 : t < u;
    });
    first.assign(1, 0);
    for (auto m = mine.size(); m > 0;) {
      const int level = int(first.size()) - 1;
      while (m > 0 && count[std::size_t(mine[m - 1])] <= level) --m;
      if (m > 0) first.push_back(first.back() + int(m));
    }
    for (std::size_t l = 0; l < mine.size(); ++l) {
      rank[std::size_t(mine[l])]  = int(l);
      count[std::size_t(mine[l])] = 0;
    }
    for_each_of_own([&](std::size_t t, std::size_t at) {
      const auto level = std::size_t(count[t]++);
      to.places[at]    = std::uint16_t(first[level] + rank[t]);
    });
  });
  fence(host, label);
  const auto append = [](std::vector<int>& all, std::vector<int>& ends,
                         const std::vector<int>& mine) {
    all.insert(all.end(), mine.begin(), mine.end());
    ends.push_back(int(all.size()));
  };
  for (const auto& mine : targets) append(to.targets, to.offsets, mine);
  for (const auto& mine : firsts) append(to.firsts, to.levels, mine);
  return to;
}

/// Alignment of the increments of a dat in scratch.
inline int owner_alignment(const ArgKey& key) {
  return std::max(16, key.value_alignment);
}

/// The group of argument a, which is the first that increments its dat.
template <class Memory>
OwnerGroup<Memory> make_owner_group(const PlanData<Memory>& plan, int a) {
  std::vector<OwnedColumns> columns = owned_columns(plan);
  columns.erase(std::remove_if(columns.begin(), columns.end(),
                               [a](const auto& c) { return c.dat != a; }),
                columns.end());
  const OwnerPlaces made = place_increments(plan, columns);
  const auto copy        = [&](const auto& values) {
    return to_memory<Memory>(plan.instance, "Sporos::LoopPlan::owner_group",
                             values);
  };
  return {{},
          copy(made.targets),
          copy(made.offsets),
          copy(made.firsts),
          copy(made.levels),
          copy(made.places)};
}

/// Adds the bytes of scratch that each block needs for a dat.
template <class Memory>
void add_owner_bytes(const OwnerGroup<Memory>& group, const ArgKey& key,
                     std::vector<std::size_t>& bytes) {
  const auto firsts = on_host(group.firsts), levels = on_host(group.levels);
  for (std::size_t b = 0; b < bytes.size(); ++b)
    bytes[b] += std::size_t(firsts(std::size_t(levels(b + 1)) - 1)) *
                    std::size_t(key.components * key.value_bytes) +
                std::size_t(owner_alignment(key));
}

/// Fills in what teams need, after the lists are made.
template <class Memory>
void make_owner_groups(PlanData<Memory>& plan) {
  const std::size_t n = plan.keys.size();
  plan.arg_owner.assign(n, -1);
  plan.arg_owner_slot.assign(n, 0);
  plan.owner_groups.clear();
  std::vector<std::size_t> bytes(plan.owner_blocks.size(), 0);
  for (std::size_t a = 0; a < n; ++a) {
    if (!plan.keys[a].increments() || plan.keys[a].dat != int(a)) continue;
    const auto together = gathered_with(plan, a);
    std::vector<std::pair<int, int>> columns;
    for (const std::size_t b : together)
      columns.emplace_back(plan.arg_map[b], plan.keys[b].index);
    std::size_t g = 0;
    while (g < plan.owner_groups.size() &&
           plan.owner_groups[g].columns != columns)
      ++g;
    if (g == plan.owner_groups.size()) {
      plan.owner_groups.push_back(make_owner_group(plan, int(a)));
      plan.owner_groups[g].columns = columns;
    }
    int slot = 0;
    for (const std::size_t b : together) {
      plan.arg_owner[b]      = int(g);
      plan.arg_owner_slot[b] = slot;
      slot += slots_of(plan, b);
    }
    add_owner_bytes(plan.owner_groups[g], plan.keys[a], bytes);
  }
  const std::size_t most = *std::max_element(bytes.begin(), bytes.end());
  plan.nshared           = ceil_div(most, std::size_t(8)) * 8;
}

/// Blocks of targets for teams. Makes none, leaves the reason in plan.why, and
/// returns false if elements would run more than most_runs times, if increments
/// of a target do not fit, or if their components are counted at run time, for
/// which kernels have no scratch.
template <class Memory>
[[gnu::noinline]] bool make_owner_teams(PlanData<Memory>& plan,
                                        std::int64_t most_runs) {
  const auto none = [&](const char* why) {
    plan.why = why;
    plan.owner_of.clear();
    return false;
  };
  const std::vector<OwnedColumns> columns = owned_columns(plan);
  std::int64_t targets = 0, slots = 0, room = 0;
  for (const ArgKey& key : plan.keys)
    if (key.increments()) {
      if (key.dynamic) return none("components are counted at run time");
      room += owner_alignment(key);
    }
  for (const OwnedColumns& c : columns) {
    targets = std::max(targets, c.first + c.size);
    slots += c.slots;
  }
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  if (targets >= most || slots * plan.n > most)
    return none("there are 2^31 increments or targets");
  const std::int64_t bytes =
      std::min(owner_scratch, std::int64_t(plan.scratch_limit)) - room;
  std::vector<int> owner;
  const int blocks =
      OwnerGrowth(columns, plan.n, int(targets), bytes).grow(owner);
  if (blocks == 0)
    return none("the increments of a target do not fit in scratch");
  plan.owner_of = std::move(owner);
  if (!list_owners(plan, owned_columns(plan), blocks, most_runs))
    return none("too many elements would run more than once");
  make_owner_groups(plan);
  return true;
}

}  // namespace Impl
}  // namespace Sporos

#endif
