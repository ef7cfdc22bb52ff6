// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PARTSLOOP_HPP
#define SPOROS_PARTSLOOP_HPP

/// \file Sporos_PartsLoop.hpp
/// A loop over a set that is distributed over ranks, without types: which halos
/// it needs, which parts it runs, what it leaves behind. Increments are not
/// sent: whoever owns a target runs all elements that reach it (owner compute;
/// Mudalige, Giles, Thiyagalingam, Reguly, Bertolli, Kelly, Trefethen, Design
/// and initial performance of a high-level unstructured mesh framework on
/// heterogeneous parallel systems, 2013).

#include <Sporos_Error.hpp>
#include <mesh_loop/plan/Sporos_LoopChecks.hpp>
#include <mesh_loop/plan/Sporos_LoopOptions.hpp>
#include <mesh_loop/plan/Sporos_LoopSubset.hpp>

#include <algorithm>
#include <string>
#include <typeinfo>
#include <vector>

namespace Sporos {
namespace Impl {

inline SetRange part_of(const SetRange& range, int begin, int end) {
  return range.set().range(begin, end);
}
template <class M>
Subset<M> part_of(const Subset<M>& subset, int begin, int end) {
  return subset.range(begin, end);
}

/// Where the reductions of a part go: the elements of the executed halo count
/// on the rank that owns them.
enum PartPlace { core_place, boundary_place, halo_place, n_places };

class PartsLoop {
 public:
  /// Checks the arguments. With checks on, all ranks throw if one does.
  PartsLoop(const std::string& label, const std::type_info& exec,
            const RangeInfo& range, const LoopOptions& options, bool has_plan,
            const ArgInfos& args)
      : m_range(range), m_args(args), m_options(options) {
    if constexpr (checks_enabled) {
      const auto checks = [&] { check_all(exec, options, has_plan); };
      parts().agree(thrown_text(checks), in_words(label));
    } else {
      check_all(exec, options, has_plan);
    }
    for (const ArgInfo& arg : args) {
      if (arg.dat_set == nullptr) continue;
      m_indirect = m_indirect || arg.through_map;
      m_changes =
          m_changes || (arg.through_map && arg.key.access != Access::read);
    }
    find_stale();
  }

  SetParts& parts() const { return *m_range.set->parts; }
  const PartEnds& ends() const { return m_range.ends; }

  /// Calls run(place, begin, end) for the parts. Elements that need no halo run
  /// while messages travel; not so for the gather strategy, which adds all
  /// increments of a target at once, in the order of global numbers, so that
  /// they do not depend on the parts (unless reductions need the parts; those
  /// of any_ranks do not: see RankReductions).
  template <class Run>
  void run(const void* exec, bool reduces, const Run& run) const {
    const PartEnds& ends = m_range.ends;
    if (!m_halos.empty()) parts().start(exec, m_halos);
    const bool together = m_changes && (!reduces || m_options.any_ranks);
    const bool at_once  = together && gathers(m_options);
    if (!at_once) run(core_place, 0, m_indirect ? ends.core : ends.owned);
    if (!m_halos.empty()) parts().finish(exec, m_halos);
    if (!m_indirect) return;
    if (at_once) return run(core_place, 0, ends.executed);
    run(boundary_place, ends.core, together ? ends.executed : ends.owned);
    if (m_changes && reduces) run(halo_place, ends.owned, ends.executed);
  }

  /// Halos of what the loop changed are not those of the owners any more.
  void mark_written() const {
    for (const ArgInfo& arg : m_args)
      if (arg.dat_set != nullptr && arg.key.access != Access::read)
        arg.dat->stale = true;
  }

 private:
  void check_all(const std::type_info& exec, const LoopOptions& options,
                 bool has_plan) const {
    const char* const set = m_range.set->name.c_str();
    check(parts().is_space(exec), "Sporos::par_loop", set,
          "the execution space for which the mesh was distributed", "another");
    check(m_range.whole, "Sporos::par_loop", set,
          "all of a distributed set or subset",
          text("a range of ", m_range.size(), " of its elements"));
    check(!has_plan, "Sporos::par_loop", set,
          "options, because a loop over a distributed set has a plan for each "
          "part",
          "a plan");
    check_any_ranks(options);
    check(options.blocks.empty(), "Sporos::par_loop", "options.blocks",
          "none for a distributed set", options.blocks.size());
    check_arguments(*m_range.set, m_args);
    if (options.any_ranks) check_sums(m_args);
  }

  /// What must be the same on all ranks.
  std::string in_words(const std::string& label) const {
    std::string words = label + " over " + m_range.plans->name;
    for (int i = 0; i < m_args.n; ++i)
      words += ", " + argument_name(i, m_args[i]);
    return words;
  }

  /// Halos are read through maps; directly only where they are executed.
  bool reads_halo(const ArgInfo& arg) const {
    const bool reads =
        arg.key.access == Access::read || arg.key.access == Access::rw;
    return reads && (arg.through_map || m_changes);
  }

  void find_stale() {
    for (const ArgInfo& arg : m_args)
      if (arg.dat_set != nullptr && arg.dat->stale && reads_halo(arg)) {
        m_halos.push_back({arg.dat_set, arg.data, arg.row_stride,
                           arg.component_stride, arg.key.components,
                           arg.key.value_bytes, arg.key.value_alignment});
        arg.dat->stale = false;
      }
  }

  const RangeInfo m_range;
  const ArgInfos m_args;
  const LoopOptions m_options;
  bool m_indirect = false, m_changes = false;
  std::vector<HaloDat> m_halos;  ///< to be filled
};

}  // namespace Impl
}  // namespace Sporos

#endif
