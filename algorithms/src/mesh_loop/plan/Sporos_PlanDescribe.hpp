// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PLANDESCRIBE_HPP
#define SPOROS_PLANDESCRIBE_HPP

/// \file Sporos_PlanDescribe.hpp
/// Plans in words, and how well their blocks reuse what they reach.

#include <mesh_loop/plan/Sporos_BlockNumbering.hpp>
#include <mesh_loop/plan/Sporos_PlanBlocks.hpp>
#include <mesh_loop/plan/Sporos_PlanData.hpp>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace Sporos {

/// How often the blocks of a plan use what they reach through a map (Sulyok,
/// Balogh, Reguly, Mudalige, Locality optimized unstructured mesh algorithms on
/// GPUs).
struct BlockReuse {
  std::string argument;  ///< the first one with this dat and map
  /// Targets that a block reaches, summed over blocks, over map entries: 1
  /// without any reuse, lower is better.
  double reuse_factor = 1;
  /// 32-byte lines of the dat that a block touches, on average.
  double cache_lines = 0;
};

namespace Impl {

/// The columns of its map that argument a and those that share its dat and map
/// use.
template <class Memory>
BlockNumbering pair_numbering(const PlanData<Memory>& plan, int a) {
  const HostMap& map = plan.maps[plan.arg_map[a]];
  BlockNumbering numbering;
  for (int c = 0; c < map.arity; ++c) {
    bool used = false;
    for (const ArgKey& key : plan.keys)
      used = used || (key.map != nullptr && key.pair == a &&
                      (key.index < 0 || key.index == c));
    if (used) numbering.tables.push_back(map.table(c));
  }
  numbering.slots = int(numbering.tables.size());
  return numbering;
}

/// Distinct lines of 32 bytes of the values of sorted targets.
inline double lines_of(const std::vector<int>& targets, const ArgKey& key) {
  const std::int64_t row = std::int64_t(key.components) * key.value_bytes;
  std::int64_t lines = 0, last = -1;
  for (const int t : targets) {
    const std::int64_t width = key.soa ? key.value_bytes : row;
    const std::int64_t first = std::max(t * width / 32, last + 1);
    const std::int64_t end   = (t * width + width - 1) / 32;
    if (end >= first) lines += end - first + 1;
    last = std::max(last, end);
  }
  return double(key.soa ? lines * key.components : lines);
}

/// The distinct targets of a block through a map with missing entries, sorted;
/// returns how many entries name a target.
inline int number_present(const BlockNumbering& numbering, int begin, int end,
                          std::vector<int>& unique) {
  unique.clear();
  for (int e = begin; e < end; ++e)
    for (const TargetTable<int>& t : numbering.tables)
      if (t.data[e * t.item_stride] >= 0)
        unique.push_back(t.data[e * t.item_stride]);
  const int present = int(unique.size());
  std::sort(unique.begin(), unique.end());
  unique.erase(std::unique(unique.begin(), unique.end()), unique.end());
  return present;
}

template <class Memory>
std::vector<BlockReuse> block_reuse(const PlanData<Memory>& plan) {
  const Inspection inspection(plan.maps);
  std::vector<BlockReuse> all;
  for (int a = 0; a < int(plan.keys.size()); ++a) {
    const ArgKey& key = plan.keys[a];
    if (key.map == nullptr || key.pair != a || plan.n == 0) continue;
    const BlockNumbering numbering = pair_numbering(plan, a);
    BlockLocals locals;
    double targets = 0, lines = 0, entries = 0;
    for (int b = 0; b < plan.nblocks; ++b) {
      const int begin = plan.begins[b], end = plan.begins[b + 1];
      if (plan.maps[plan.arg_map[a]].missing) {
        entries += number_present(numbering, begin, end, locals.unique);
      } else {
        numbering.number(begin, end - begin, locals);
        entries += double(end - begin) * numbering.slots;
      }
      targets += double(locals.unique.size());
      lines += lines_of(locals.unique, key);
    }
    all.push_back({plan.arg_names[a], entries > 0 ? targets / entries : 1,
                   lines / plan.nblocks});
  }
  return all;
}

template <class Memory>
void describe_teams(std::ostream& out, const PlanData<Memory>& plan) {
  if (plan.nthrcol.extent(0) == 0) return;
  const auto colors = on_host(plan.nthrcol);
  double sum        = 0;
  int most          = 0;
  for (int b = 0; b < plan.nblocks; ++b) {
    sum += colors(b);
    most = std::max(most, int(colors(b)));
  }
  out << "  thread colours: " << sum / std::max(plan.nblocks, 1)
      << " on average, at most " << most << '\n'
      << "  staged: " << name(plan.staging) << ", up to " << plan.nshared
      << " bytes of scratch in a block"
      << (plan.threads > 0 ? " (by devices; hosts run it in place)\n" : "\n");
}

template <class Memory>
std::string describe_plan(const PlanData<Memory>& plan) {
  std::ostringstream out;
  out << "loop over " << plan.n << " elements of " << plan.set_name << ": "
      << name(plan.strategy) << " (" << plan.why << ")\n"
      << "  " << plan.nblocks << " blocks of "
      << (plan.requested.blocks.empty() ? "" : "up to ") << plan.block_size
      << " elements";
  if (plan.nblkcol > 0) {
    out << " in " << plan.nblkcol << " colours (";
    for (std::size_t c = 0; c < plan.ncolblk.size(); ++c)
      out << (c > 0 ? ", " : "") << plan.ncolblk[c];
    out << " blocks)";
  }
  out << '\n';
  describe_teams(out, plan);
  if (plan.has_lists()) {
    std::int64_t runs = 0;
    for (const OwnerBlock& block : plan.owner_blocks) runs += block.size;
    out << "  " << plan.owner_blocks.size()
        << (plan.keeps ? " lists of elements, whose increments are kept\n"
                       : " blocks of targets: ");
    if (!plan.keeps) {
      out << runs << " runs of " << plan.n << " elements";
      if (plan.threads == 0)
        out << ", up to " << plan.nshared << " bytes of scratch";
      out << '\n';
    }
  }
  if (plan.strategy == LoopStrategy::global_coloring &&
      !plan.color_offsets.empty())
    out << "  " << plan.color_offsets.size() - 1 << " colours of elements\n";
  for (const HostMap& map : plan.maps)
    if (map.entries.searched)
      out << "  positions (" << map.name << "): "
          << std::int64_t(map.n) * map.arity * std::int64_t(sizeof(int))
          << " bytes less than stored\n";
  for (const BlockReuse& r : block_reuse(plan))
    out << "  " << r.argument << ": reuse factor " << r.reuse_factor
        << " (uses of each target: " << 1 / r.reuse_factor << "), "
        << r.cache_lines << " lines of 32 bytes a block\n";
  return out.str();
}

}  // namespace Impl
}  // namespace Sporos

#endif
