// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_VALIDATELISTS_HPP
#define SPOROS_VALIDATELISTS_HPP

/// \file Sporos_ValidateLists.hpp
/// Proofs that the lists of a plan for any_ranks run all that they must, in the
/// order that is promised.

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
      const int pad          = block.size > 0 ? owner_padding : 0;
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

}  // namespace Impl
}  // namespace Sporos

#endif
