// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PLANBLOCKS_HPP
#define SPOROS_PLANBLOCKS_HPP

/// \file Sporos_PlanBlocks.hpp
/// Mini-partitions and their colours, thread colours, colours of all elements.
/// Inspectors run on the host, with all of its threads where blocks are
/// independent, in O(map entries).

#include <Sporos_Coloring.hpp>
#include <Sporos_ForEachIndex.hpp>
#include <Sporos_HostCopy.hpp>
#include <mesh_loop/plan/Sporos_BlockNumbering.hpp>
#include <mesh_loop/plan/Sporos_PlanData.hpp>
#include <mesh_loop/plan/Sporos_PlanGroups.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace Sporos {
namespace Impl {

/// The tables through which a loop increments, each column of a map once, rows
/// of elements first, first + 1, ... Targets are numbered over all their sets.
/// A direct increment of what others reach through maps has a table too, of the
/// elements themselves.
struct ConflictTables {
  std::vector<TargetTable<int>> tables;
  int n_targets = 0;
  /// what a table of the elements themselves points to
  std::vector<int> elements;
  /// what tables of maps with missing entries point to
  std::vector<std::vector<int>> filled;

  [[gnu::cold]] explicit ConflictTables(const PlanInfo& plan) {
    const std::size_t n = plan.keys.size();
    tables              = std::vector<TargetTable<int>>(n);
    std::vector<Column> columns(n);
    std::size_t used = 0;
    for (std::size_t a = 0; a < n; ++a) {
      const ArgKey& key = plan.keys[a];
      if (!key.increments() && key.meets < 0) continue;
      const bool through_map = key.meets < 0;
      const HostMap& m =
          plan.maps[plan.arg_map[through_map ? a : std::size_t(key.meets)]];
      Column column{m.target, plan.arg_map[a], key.index, 0};
      if (is_known(columns.data(), used, column)) continue;
      column.first_target =
          first_target(columns.data(), used, m.target, m.target_size);
      tables[used] = through_map ? m.table(key.index, column.first_target)
                                 : table_of_elements(plan, column.first_target);
      if (through_map && m.missing) fill_missing(plan.n, tables[used]);
      columns[used++] = column;
    }
    while (tables.size() > used) tables.pop_back();
  }

  TableTargets<int> targets() const { return TableTargets<int>(tables); }

  /// Targets of an element.
  int slots() const {
    int n = 0;
    for (const auto& t : tables) n += t.arity;
    return n;
  }

 private:
  /// What a table is made of.
  struct Column {
    const SetState* target;
    int map;    ///< number of the map, -1: none
    int index;  ///< of the map, -1: all
    int first_target;
  };

  static bool is_known(const Column* columns, std::size_t n, const Column& c) {
    for (std::size_t k = 0; k < n; ++k)
      if (columns[k].map == c.map &&
          (columns[k].index == c.index || columns[k].index == -1))
        return true;
    return false;
  }
  int first_target(const Column* columns, std::size_t n, const SetState* set,
                   int size) {
    for (std::size_t k = 0; k < n; ++k)
      if (columns[k].target == set) return columns[k].first_target;
    // Sets that are too large to be numbered one behind another share numbers:
    // there are more conflicts then, never fewer.
    const int room  = std::numeric_limits<int>::max() - n_targets;
    const int first = size <= room ? n_targets : 0;
    n_targets       = std::max(n_targets, first + size);
    return first;
  }
  /// Entries that name nothing become a target of their element alone, as far
  /// as there is room for more numbers, else one that it shares.
  void fill_missing(int n, TargetTable<int>& table) {
    if (m_alone < 0) {
      const int room = std::numeric_limits<int>::max() - n_targets;
      m_alone        = n <= room ? n_targets : 0;
      n_targets      = std::max(n_targets, m_alone + n);
    }
    std::vector<int> entries;
    entries.reserve(std::size_t(n) * std::size_t(table.arity));
    for (int e = 0; e < n; ++e)
      for (int s = 0; s < table.arity; ++s) {
        const int entry =
            table.data[e * table.item_stride + s * table.slot_stride];
        entries.push_back(entry < 0 ? m_alone + e - table.first_target : entry);
      }
    filled.push_back(std::move(entries));
    table = {filled.back().data(), table.arity, table.arity, 1,
             table.first_target};
  }
  TargetTable<int> table_of_elements(const PlanInfo& plan, int first_target) {
    elements = std::vector<int>(std::size_t(plan.n));
    for (int k = 0; k < plan.n; ++k)
      elements[std::size_t(k)] =
          plan.list.host == nullptr ? plan.first + k : plan.list.host[k];
    return {elements.data(), 1, 1, 1, first_target};
  }

  int m_alone = -1;  ///< the first target that only its element has
};

/// Blocks of consecutive elements: of block_size each, or those asked for.
template <class Memory>
[[gnu::cold]] void make_blocks(PlanData<Memory>& plan) {
  const std::vector<int>& wanted = plan.requested.blocks;
  plan.nblocks = wanted.empty() ? ceil_div(plan.n, plan.block_size)
                                : int(wanted.size()) - 1;
  plan.begins  = std::vector<int>(std::size_t(plan.nblocks) + 1, plan.n);
  for (int b = 0; b < plan.nblocks; ++b)
    plan.begins[b] =
        wanted.empty() ? b * plan.block_size : wanted[b] - plan.first;
  std::vector<int> offset(std::size_t(plan.nblocks)), nelems(offset.size());
  for (int b = 0; b < plan.nblocks; ++b) {
    offset[b] = plan.first + plan.begins[b];
    nelems[b] = plan.begins[b + 1] - plan.begins[b];
  }
  plan.offset =
      to_memory<Memory>(plan.instance, "Sporos::LoopPlan::offset", offset);
  plan.nelems =
      to_memory<Memory>(plan.instance, "Sporos::LoopPlan::nelems", nelems);
}

/// Colours blocks so that those of a colour share no incremented target. Leaves
/// plan.nblkcol 0 if fewer than `at_once` blocks have a colour on average.
template <class Memory>
[[gnu::cold]] void color_blocks(PlanData<Memory>& plan, int at_once) {
  const ConflictTables conflicts(plan);
  const BlockTargets<int> targets{conflicts.targets(), plan.begins.data()};
  std::vector<std::uint32_t> masks(std::size_t(conflicts.n_targets), 0);
  Coloring coloring{0, std::vector<int>(std::size_t(plan.nblocks))};
  coloring.n_colors = greedy_coloring(plan.nblocks, targets, masks.data(),
                                      coloring.color.data(), at_once);
  const bool enough = plan.nblocks >= at_once * coloring.n_colors;
  plan.nblkcol      = enough ? coloring.n_colors : 0;
  if (plan.nblkcol == 0) return;
  const ColorSets sets = group_by_color(coloring);
  plan.ncolblk         = std::vector<int>(std::size_t(coloring.n_colors));
  for (int c = 0; c < coloring.n_colors; ++c)
    plan.ncolblk[c] = sets.offsets[c + 1] - sets.offsets[c];
  plan.blkmap =
      to_memory<Memory>(plan.instance, "Sporos::LoopPlan::blkmap", sets.items);
}

/// The most increments by n elements that a target gets: elements need as many
/// colours.
[[gnu::cold]] inline int most_increments(const ConflictTables& conflicts,
                                         int n) {
  const auto targets = conflicts.targets();
  std::vector<int> count(std::size_t(conflicts.n_targets));
  int most = 0;
  for (int k = 0; k < n; ++k)
    targets.for_each(k, [&](int target) {
      most = std::max(most, ++count[std::size_t(target)]);
    });
  return most;
}

/// All elements by colour: those of a colour share no incremented target.
template <class Memory>
[[gnu::cold]] void color_elements(PlanData<Memory>& plan) {
  const ConflictTables conflicts(plan);
  const Coloring coloring =
      color_items(plan.n, conflicts.n_targets, conflicts.targets());
  ColorSets sets = group_by_color(coloring);
  for (int& e : sets.items) e += plan.first;
  plan.color_offsets = sets.offsets;
  plan.color_order   = to_memory<Memory>(
      plan.instance, "Sporos::LoopPlan::color_order", sets.items);
}

/// Colours of the elements within each block, and their order.
struct ColorThreads {
  TableTargets<int> targets;
  BlockNumbering numbering;
  HostInts nthrcol, thrcol, order;
  const int* begins;
  int first;
  bool sorted;

  void operator()(int b) const {
    const int begin = begins[b];
    const int count = begins[b + 1] - begin;
    BlockLocals locals;
    numbering.number(begin, count, locals);
    ColoringWorkspace workspace;
    int* const color = thrcol.data() + begin;
    const int colors = color_items(workspace, count, int(locals.unique.size()),
                                   LocalTargets{locals}, color);
    nthrcol(b)       = colors;
    int* const to    = order.data() + begin;
    if (sorted) {
      const ColorSets sets = group_by_color(count, color, colors);
      for (int k = 0; k < count; ++k) to[k] = first + begin + sets.items[k];
    } else {
      std::iota(to, to + count, first + begin);
    }
  }
};

template <class Memory>
[[gnu::cold]] void color_threads(PlanData<Memory>& plan) {
  const PlanExec host{};
  const ConflictTables conflicts(plan);
  const auto nthrcol =
      host_array<int>("Sporos::LoopPlan::nthrcol", plan.nblocks);
  const auto thrcol = host_array<int>("Sporos::LoopPlan::thrcol", plan.n);
  const auto order  = host_array<int>("Sporos::LoopPlan::order", plan.n);
  for_each_index(
      "Sporos::LoopPlan::color_threads", PlanRange(host, 0, plan.nblocks),
      ColorThreads{conflicts.targets(),
                   BlockNumbering{conflicts.tables, conflicts.slots()}, nthrcol,
                   thrcol, order, plan.begins.data(), plan.first,
                   plan.requested.sort_by_color});
  fence(host, "Sporos::LoopPlan::color_threads");
  plan.nthrcol =
      to_memory<Memory>(plan.instance, "Sporos::LoopPlan::nthrcol", nthrcol);
  plan.thrcol =
      to_memory<Memory>(plan.instance, "Sporos::LoopPlan::thrcol", thrcol);
  plan.order =
      to_memory<Memory>(plan.instance, "Sporos::LoopPlan::order", order);
}

}  // namespace Impl
}  // namespace Sporos

#endif
