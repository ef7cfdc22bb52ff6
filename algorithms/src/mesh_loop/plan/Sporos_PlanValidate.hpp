// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PLANVALIDATE_HPP
#define SPOROS_PLANVALIDATE_HPP

/// \file Sporos_PlanValidate.hpp
/// Proofs that a plan is free of races, from its data and the maps alone.

#include <mesh_loop/plan/Sporos_LoopChecks.hpp>
#include <mesh_loop/plan/Sporos_LoopSubset.hpp>
#include <mesh_loop/plan/Sporos_PlanBlocks.hpp>
#include <mesh_loop/plan/Sporos_PlanData.hpp>
#include <mesh_loop/plan/Sporos_PlanReverse.hpp>
#include <mesh_loop/plan/Sporos_PlanStaging.hpp>
#include <mesh_loop/plan/Sporos_ValidateLists.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace Sporos {
namespace Impl {

/// "map ends: entry 9 of element 5, index 1, is not in [0, 9)" for the first
/// such entry, or nothing.
[[gnu::cold]] inline std::string wrong_entry(const HostMap& map) {
  const HostRows& rows     = map.host();
  const std::int64_t n     = std::int64_t(map.n) * map.arity;
  const std::int64_t first = first_out_of_range(
      Kokkos::DefaultHostExecutionSpace{},
      EntryTable{rows.data, rows.row_stride, rows.column_stride, map.arity}, n,
      map.missing ? std::numeric_limits<int>::min() : 0, map.target_size);
  if (first >= n) return "";
  const auto e = map.first + first / map.arity, i = first % map.arity;
  return "map " + map.name + ": entry " + std::to_string(map.entry(e, i)) +
         " of element " + std::to_string(e) + ", index " + std::to_string(i) +
         ", is not in [0, " + std::to_string(map.target_size) + ')';
}

/// "target 3 of elements 1 and 2" if two elements first, ..., first + n - 1 (or
/// those of a list) reach one target through a column of a map (-1: all) or
/// another argument; `writer` has the last element that reached each target.
inline std::string shared_target(const HostMap& map, int index, int first,
                                 int n, const int* list,
                                 std::vector<int>& writer) {
  writer.resize(std::size_t(map.target_size), -1);
  const int begin = std::max(index, 0);
  const int end   = index < 0 ? map.arity : index + 1;
  for (int k = first; k < first + n; ++k)
    for (int i = begin; i < end; ++i) {
      const int e = list == nullptr ? k : list[k];
      if (map.entry(e, i) < 0) continue;  // it names nothing
      int& w = writer[std::size_t(map.entry(e, i))];
      if (w >= 0 && w != e)
        return "target " + std::to_string(map.entry(e, i)) + " of elements " +
               std::to_string(w) + " and " + std::to_string(e);
      w = e;
    }
  return "";
}

/// Checks of a plan; each says what is wrong, or nothing.
template <class Memory>
class PlanValidation {
 public:
  explicit PlanValidation(const PlanData<Memory>& plan)
      : m_plan(plan), m_conflicts(plan), m_targets(m_conflicts.targets()) {}

  std::string run() {
    std::string error;
    for (std::size_t m = 0; error.empty() && m < m_plan.maps.size(); ++m)
      error = wrong_entry(m_plan.maps[m]);
    if (error.empty()) error = blocks();
    if (error.empty() && m_plan.nblkcol > 0) error = block_colors();
    if (error.empty() && m_plan.thrcol.extent(0) > 0) error = thread_colors();
    for (std::size_t g = 0; error.empty() && g < m_plan.groups.size(); ++g)
      error = group(m_plan.groups[g]);
    if (error.empty()) error = scratch();
    if (error.empty()) error = promises();
    if (error.empty() && !m_plan.color_offsets.empty())
      error = element_colors();
    for (std::size_t a = 0; error.empty() && a < m_plan.reverse.size(); ++a)
      if (m_plan.keys[a].increments()) error = reverse(a);
    if (error.empty() && m_plan.has_lists())
      error = ListValidation(m_plan).run();
    for (std::size_t a = 0; error.empty() && a < m_plan.arg_owner.size(); ++a)
      if (m_plan.arg_owner[a] >= 0 && m_plan.keys[a].dat == int(a))
        error = wrong_places(m_plan, int(a));
    return error;
  }

 private:
  /// Does every element lie in exactly one block?
  std::string blocks() {
    const auto offset = on_host(m_plan.offset), nelems = on_host(m_plan.nelems);
    if (int(offset.extent(0)) != m_plan.nblocks ||
        int(nelems.extent(0)) != m_plan.nblocks)
      return say("offset and nelems have not ", m_plan.nblocks, " entries");
    int next = m_plan.first;
    for (int b = 0; b < m_plan.nblocks; ++b) {
      if (offset(b) != next)
        return say("block ", b, " begins at ", offset(b), ", not at ", next);
      if (nelems(b) < 1 || nelems(b) > m_plan.block_size)
        return say("block ", b, " has ", nelems(b), " elements, not 1 to ",
                   m_plan.block_size);
      next += nelems(b);
    }
    if (next != m_plan.first + m_plan.n)
      return say("the blocks end at ", next, ", not at ",
                 m_plan.first + m_plan.n);
    return "";
  }

  /// Do blocks of a colour share no target?
  std::string block_colors() {
    const auto blkmap = on_host(m_plan.blkmap);
    const auto offset = on_host(m_plan.offset), nelems = on_host(m_plan.nelems);
    if (int(m_plan.ncolblk.size()) != m_plan.nblkcol ||
        int(blkmap.extent(0)) != m_plan.nblocks)
      return "ncolblk or blkmap have the wrong size";
    std::vector<char> seen(m_plan.nblocks, 0);
    std::vector<int> color_of(m_plan.nblocks, -1), begins(offset.extent(0) + 1);
    for (int b = 0; b < m_plan.nblocks; ++b) {
      begins[b]     = offset(b) - m_plan.first;
      begins[b + 1] = begins[b] + nelems(b);
    }
    const BlockTargets<int> targets{m_targets, begins.data()};
    LastWriters writers(m_conflicts.n_targets);
    int k = 0;
    for (int c = 0; c < m_plan.nblkcol; ++c)
      for (int end = k + m_plan.ncolblk[c]; k < end; ++k) {
        if (k >= m_plan.nblocks || blkmap(k) < 0 ||
            blkmap(k) >= m_plan.nblocks || seen[blkmap(k)]++)
          return say("blkmap is no permutation of the blocks at entry ", k);
        const int b = blkmap(k);
        color_of[b] = c;
        const int other =
            writers.enter(b, targets, [&](int i) { return color_of[i]; });
        if (other >= 0)
          return say("blocks ", other, " and ", b, " of colour ", c,
                     " increment the same target");
      }
    return k == m_plan.nblocks
               ? ""
               : say("the colours have ", k, " blocks, not ", m_plan.nblocks);
  }

  /// Do threads of a block and colour share no target? Does order hold each
  /// element of a block once?
  std::string thread_colors() {
    const auto nthrcol = on_host(m_plan.nthrcol),
               thrcol = on_host(m_plan.thrcol), order = on_host(m_plan.order);
    const auto offset = on_host(m_plan.offset), nelems = on_host(m_plan.nelems);
    LastWriters writers(m_conflicts.n_targets);
    std::vector<int> items;
    std::vector<char> seen(m_plan.n, 0);
    for (int b = 0; b < m_plan.nblocks; ++b) {
      const int begin = offset(b) - m_plan.first, end = begin + nelems(b);
      items.clear();
      for (int k = begin; k < end; ++k) {
        if (thrcol(k) < 0 || thrcol(k) >= nthrcol(b))
          return say("element ", k + m_plan.first, " has colour ", thrcol(k),
                     " of ", nthrcol(b));
        const int e = order(k) - m_plan.first;
        if (e < begin || e >= end || seen[e]++)
          return say("order is no permutation of block ", b, " at entry ", k);
        items.push_back(k);
      }
      std::stable_sort(items.begin(), items.end(),
                       [&](int i, int j) { return thrcol(i) < thrcol(j); });
      for (const int e : items) {
        const int other = writers.enter(e, m_targets, [&](int i) {
          return i < begin ? -1 : thrcol(i);  // of another block
        });
        if (other >= 0)
          return say("elements ", other + m_plan.first, " and ",
                     e + m_plan.first, " of colour ", thrcol(e), " in block ",
                     b, " increment the same target");
      }
    }
    return "";
  }

  /// Are ind_map sorted unique targets, and does loc_map lead to them?
  std::string group(const StagingGroup<Memory>& g) {
    const auto ind_map = on_host(g.ind_map), sizes = on_host(g.ind_sizes),
               offs   = on_host(g.ind_offs);
    const auto local  = on_host(g.loc_map);
    const auto offset = on_host(m_plan.offset), nelems = on_host(m_plan.nelems);
    const HostMap& map = m_plan.maps[g.map];
    int next           = 0;
    for (int b = 0; b < m_plan.nblocks; ++b) {
      if (offs(b) != next || sizes(b) < 0 || next + sizes(b) > g.nindirect)
        return say("ind_offs or ind_sizes of block ", b, " through ", map.name,
                   " are wrong");
      for (int k = offs(b) + 1; k < offs(b) + sizes(b); ++k)
        if (ind_map(k - 1) >= ind_map(k))
          return say("ind_map of block ", b, " through ", map.name,
                     " is not ascending at entry ", k);
      next += sizes(b);
      std::vector<char> used(sizes(b), 0);
      int position = 0;
      for (int c = 0; c < map.arity; ++c) {
        if (((g.columns >> c) & 1) == 0) continue;
        for (int e = offset(b); e < offset(b) + nelems(b); ++e) {
          const int l =
              local(std::size_t(position) * m_plan.n + e - m_plan.first);
          if (l >= sizes(b) || ind_map(offs(b) + l) != map.entry(e, c))
            return say("loc_map of element ", e, ", index ", c, " of ",
                       map.name, " leads to another target");
          used[l] = 1;
        }
        ++position;
      }
      if (std::count(used.begin(), used.end(), 0) > 0)
        return say("block ", b, " stages a target of ", map.name,
                   " that it does not use");
    }
    return next == g.nindirect ? "" : "nindirect is not the sum of ind_sizes";
  }

  /// Is there enough scratch for each colour?
  std::string scratch() {
    if (m_plan.nshared_color.empty()) return "";
    const auto bytes  = scratch_of_blocks(m_plan);
    const auto blkmap = on_host(m_plan.blkmap);
    int k             = 0;
    for (int c = 0; c < m_plan.nblkcol; ++c)
      for (int end = k + m_plan.ncolblk[c]; k < end; ++k)
        if (bytes[blkmap(k)] > m_plan.nshared_color[c])
          return say("block ", blkmap(k), " needs ", bytes[blkmap(k)],
                     " bytes of scratch, its colour has ",
                     m_plan.nshared_color[c]);
    return "";
  }

  /// Do no two elements write one target?
  std::string promises() {
    std::vector<std::vector<int>> writers(m_plan.keys.size());
    for (std::size_t a = 0; a < m_plan.keys.size(); ++a) {
      const ArgKey& key = m_plan.keys[a];
      if (!key.writes_through_map()) continue;
      const std::string shared =
          shared_target(m_plan.maps[m_plan.arg_map[a]], key.index, m_plan.first,
                        m_plan.n, nullptr, writers[key.dat]);
      if (!shared.empty())
        return say(m_plan.arg_names[a], " writes ", shared,
                   ", which were promised to be disjoint");
    }
    return "";
  }

  /// Do elements of a colour share no target?
  std::string element_colors() {
    const auto order    = on_host(m_plan.color_order);
    const auto& offsets = m_plan.color_offsets;
    if (int(order.extent(0)) != m_plan.n || offsets.back() != m_plan.n)
      return "color_order has not all elements";
    std::vector<char> seen(m_plan.n, 0);
    std::vector<int> color(m_plan.n, -1);
    LastWriters writers(m_conflicts.n_targets);
    for (std::size_t c = 0; c + 1 < offsets.size(); ++c)
      for (int k = offsets[c]; k < offsets[c + 1]; ++k) {
        const int e = order(k) - m_plan.first;
        if (e < 0 || e >= m_plan.n || seen[e]++)
          return say("color_order is no permutation at entry ", k);
        color[e] = int(c);
        const int other =
            writers.enter(e, m_targets, [&](int i) { return color[i]; });
        if (other >= 0)
          return say("elements ", other + m_plan.first, " and ",
                     e + m_plan.first, " of colour ", c,
                     " increment the same target");
      }
    return "";
  }

  /// Does each increment belong to one target, in the order of elements?
  std::string reverse(std::size_t a) {
    const auto together = gathered_with(m_plan, a);
    if (together.empty()) return "";  // it is among those of another one
    const auto offsets = on_host(m_plan.reverse[a].offsets),
               entries = on_host(m_plan.reverse[a].entries);
    const HostMap& map = m_plan.maps[m_plan.arg_map[a]];
    std::vector<std::pair<const HostMap*, int>> columns;  // of all slots
    for (const std::size_t b : together)
      for (int s = 0; s < slots_of(m_plan, b); ++s)
        columns.emplace_back(
            &m_plan.maps[m_plan.arg_map[b]],
            m_plan.keys[b].index < 0 ? s : m_plan.keys[b].index);
    const int slots = int(columns.size());
    int all         = 0;
    for (const auto& [of, column] : columns)
      for (int e = m_plan.first; e < m_plan.first + m_plan.n; ++e)
        all += of->entry(e, column) >= 0 ? 1 : 0;
    if (offsets.extent(0) != std::size_t(map.target_size) + 1 ||
        offsets(0) != 0 || offsets(map.target_size) != all)
      return say("the reverse of ", map.name, " has not all increments");
    const std::vector<int> place = places(m_plan);
    for (int t = 0; t < map.target_size; ++t)
      for (int k = offsets(t), last = -1; k < offsets(t + 1); ++k) {
        const int e = entries(k) / slots, s = entries(k) % slots;
        if (e < 0 || e >= m_plan.n ||
            columns[s].first->entry(m_plan.first + e, columns[s].second) != t)
          return say("the reverse of ", map.name, " is wrong at target ", t);
        if (k > offsets(t) && (place[e] < place[last / slots] ||
                               (e == last / slots && entries(k) <= last)))
          return say("the reverse of ", map.name,
                     " is not in the order of elements at target ", t);
        last = entries(k);
      }
    return "";
  }

  const PlanData<Memory>& m_plan;
  ConflictTables m_conflicts;
  TableTargets<int> m_targets;
};

template <class Memory>
std::string validate_plan(const PlanData<Memory>& plan) {
  const Inspection inspection(plan.maps);
  return PlanValidation<Memory>(plan).run();
}

/// The map of an argument with all rows that a range may need.
inline HostMap map_of(const RangeInfo& range, const ArgInfo& arg) {
  const MapState& state = **arg.map;
  const bool listed     = range.list.owner != nullptr;
  return host_map(arg.entries(arg.view), *arg.map, listed ? 0 : range.first,
                  listed ? state.from->size : range.size());
}

/// Throws if two elements of a range reach one target through an argument that
/// writes, or through it and an earlier one with its dat.
inline void check_promises(const RangeInfo& range, const ArgInfos& args) {
  std::vector<std::vector<int>> writers(std::size_t(args.n));
  for (int a = 0; a < args.n; ++a) {
    const ArgKey& key = args[a].key;
    if (!key.writes_through_map()) continue;
    const std::string shared = shared_target(
        map_of(range, args[a]), key.index, range.first, range.size(),
        range.list.host, writers[std::size_t(key.dat)]);
    check(shared.empty(), "Sporos::par_loop", argument_name(a, args[a]).c_str(),
          "disjoint targets, as promised", shared);
  }
}

}  // namespace Impl
}  // namespace Sporos

#endif
