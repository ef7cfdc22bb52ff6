// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_VALIDATELISTS_HPP
#define SPOROS_VALIDATELISTS_HPP

/// \file Sporos_ValidateLists.hpp
/// Proofs that the lists of a plan for owners or any_ranks run all that they
/// must, and that increments are summed in the order that is promised.

#include <Sporos_HostCopy.hpp>
#include <mesh_loop/plan/Sporos_PlanData.hpp>
#include <mesh_loop/plan/Sporos_PlanOwners.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace Sporos {
namespace Impl {

/// What is wrong, in words.
template <class... Parts>
std::string say(const Parts&... parts) {
  std::ostringstream out;
  ((out << parts), ...);
  return out.str();
}

/// The place of each element in the order in which targets add increments.
inline std::vector<int> places(const PlanInfo& plan) {
  std::vector<int> place(std::size_t(plan.n));
  for (int k = 0; k < plan.n; ++k)
    place[plan.global_order.empty() ? k : plan.global_order[k]] = k;
  return place;
}

class ListValidation {
 public:
  explicit ListValidation(const PlanInfo& plan) : m_plan(plan) {}

  /// Do lists hold each element once, or blocks of targets all elements that
  /// reach them, each once, and each target its elements in their order?
  std::string run() const {
    const int blocks             = int(m_plan.owner_blocks.size());
    const auto columns           = owned_columns(m_plan);
    const std::vector<int> place = places(m_plan);
    std::vector<int> runs(m_plan.n, 0), list_of(m_plan.n, -1);
    for (int b = 0; b < blocks; ++b) {
      const OwnerBlock block = m_plan.owner_blocks[b];
      const int pad          = block.size > 0 ? list_padding(m_plan) : 0;
      if (block.first < 0 || block.size < 0 ||
          std::size_t(block.first) + block.size + pad >
              m_plan.owner_list.size())
        return say("list ", b, " is not in owner_list");
      const int* const list = m_plan.owner_list.data() + block.first;
      std::map<int, std::vector<int>> last;  // of a dat: place at each target
      for (int k = 0; k < block.size + pad; ++k) {
        const int e = list[k] - m_plan.first;
        if (e < 0 || e >= m_plan.n ||
            (k >= block.size && list[k] != list[k - 1]))
          return say("list ", b, " has a wrong element at entry ", k);
        if (k >= block.size) continue;
        if (list_of[e] == b)
          return say("element ", list[k], " is twice in list ", b);
        list_of[e] = b;
        ++runs[e];
        if (m_plan.keeps) continue;
        bool reaches = false;
        for (const OwnedColumns& c : columns)
          for (int s = 0; s < c.slots; ++s) {
            const int t = c.target(e, s);
            if (c.block(t, blocks) != b) continue;
            reaches      = true;
            auto& before = last[c.dat];
            before.resize(c.size, -1);
            if (place[e] < before[t])
              return say("target ", t, " gets the increments of list ", b,
                         " in another order than that of elements");
            before[t] = place[e];
          }
        if (!reaches)
          return say("element ", list[k], " reaches no target of list ", b);
      }
    }
    return all_run(columns, runs);
  }

 private:
  /// Is each element in as many lists as it reaches blocks?
  std::string all_run(const std::vector<OwnedColumns>& columns,
                      const std::vector<int>& runs) const {
    const int blocks = int(m_plan.owner_blocks.size());
    std::vector<int> reached;
    for (int e = 0; e < m_plan.n; ++e) {
      reached.clear();
      for (const OwnedColumns& c : columns)
        for (int s = 0; !m_plan.keeps && s < c.slots; ++s)
          reached.push_back(c.block(c.target(e, s), blocks));
      std::sort(reached.begin(), reached.end());
      const auto wanted =
          m_plan.keeps
              ? 1
              : std::unique(reached.begin(), reached.end()) - reached.begin();
      if (runs[e] != wanted)
        return say("element ", e + m_plan.first, " is in ", runs[e],
                   " lists, not in ", wanted);
    }
    return "";
  }

  const PlanInfo& m_plan;
};

/// Have the increments of the dat of argument a, which is the first that
/// increments it, places of their own in each block, level by level in the
/// order of the list? What is wrong, or nothing.
template <class Memory>
std::string wrong_places(const PlanData<Memory>& plan, int a) {
  const auto& group  = plan.owner_groups[std::size_t(plan.arg_owner[a])];
  const auto targets = on_host(group.targets), offsets = on_host(group.offsets),
             levels = on_host(group.levels), firsts = on_host(group.firsts);
  const auto places         = on_host(group.places);
  const std::size_t entries = plan.owner_list.size();
  const int blocks          = int(plan.owner_blocks.size());
  const auto columns        = owned_columns(plan);
  for (int b = 0; b < blocks; ++b) {
    const OwnerBlock block = plan.owner_blocks[std::size_t(b)];
    const int first = levels(b), n_levels = levels(b + 1) - first - 1;
    const auto level_of = [&](int place) {
      int level = 0;
      while (level < n_levels && firsts(first + level + 1) <= place) ++level;
      return level;
    };
    std::map<int, int> summed;  // of each target
    for (int k = block.first; k < block.first + block.size; ++k) {
      std::size_t at = std::size_t(k);
      for (const OwnedColumns& c : columns)
        for (int s = 0; c.dat == a && s < c.slots; ++s, at += entries) {
          const int e = plan.owner_list[std::size_t(k)] - plan.first;
          const int t = c.target(e, s), p = places(at);
          if ((c.block(t, blocks) == b) != (p != no_place))
            return say("entry ", k, " of owner_list has a wrong place");
          if (p == no_place) continue;
          const int level = level_of(p), l = p - firsts(first + level);
          if (level == n_levels || level != summed[t]++ ||
              offsets(b) + l >= offsets(b + 1) || targets(offsets(b) + l) != t)
            return say("target ", t, " does not sum entry ", k,
                       " of owner_list in its order");
        }
    }
    for (int l = 0; l < offsets(b + 1) - offsets(b); ++l) {
      int all = 0;
      while (all < n_levels &&
             l < firsts(first + all + 1) - firsts(first + all))
        ++all;
      if (summed[targets(offsets(b) + l)] != all)
        return say("target ", targets(offsets(b) + l), " of block ", b,
                   " sums ", all, " increments, not those that it gets");
    }
  }
  return "";
}

}  // namespace Impl
}  // namespace Sporos

#endif
