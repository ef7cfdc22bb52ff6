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
#include <Sporos_LoopOptions.hpp>
#include <mesh_loop/plan/Sporos_LoopSubset.hpp>
#include <mesh_loop/plan/Sporos_PlanValidate.hpp>

#include <array>
#include <exception>
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

/// Consecutive elements, or places of a list, that run with one plan.
struct LoopPart {
  PartPlace place = core_place;
  int begin = 0, end = 0;
};

class PartsLoop {
 public:
  PartsLoop(const RangeInfo& range, const LoopOptions& options, bool reduces,
            const ArgInfos& args)
      : m_range(range), m_args(args), m_options(options) {
    for (const ArgInfo& arg : args) {
      if (arg.dat_set == nullptr) continue;
      m_indirect = m_indirect || arg.through_map;
      m_changes =
          m_changes || (arg.through_map && arg.key.access != Access::read);
    }
    choose_parts(reduces);
  }

  SetParts& parts() const { return *m_range.set->parts; }
  const PartEnds& ends() const { return m_range.ends; }

  /// Checks the arguments and calls make_plan(part) for all parts, before any
  /// message is sent. With checks on, or with the option check_disjoint, all
  /// ranks throw if one does.
  template <class MakePlan>
  void prepare(const std::string& label, const std::type_info& exec,
               bool has_plan, const MakePlan& make_plan) {
    const auto checks = [&] {
      check_all(exec, has_plan);
      for (int k = 0; k < m_n; ++k) make_plan(m_list[std::size_t(k)]);
    };
    if (checks_enabled || m_options.check_disjoint)
      parts().agree(thrown_text(checks), in_words(label));
    else
      checks();
  }

  /// Calls run(part) for the parts. Elements that need no halo run while
  /// messages travel; not so for the gather strategy, which adds all increments
  /// of a target at once, in the order of global numbers, so that they do not
  /// depend on the parts (unless reductions need the parts; those of any_ranks
  /// do not: see RankReductions).
  template <class Run>
  void run(const void* exec, const Run& run) const {
    fill_halos(exec, [&] {
      if (!m_at_once) run(m_list[0]);
    });
    for (int k = m_at_once ? 0 : 1; k < m_n; ++k) run(m_list[std::size_t(k)]);
  }

 private:
  void choose_parts(bool reduces) {
    const PartEnds& ends = m_range.ends;
    const auto add       = [&](PartPlace place, int begin, int end) {
      m_list[std::size_t(m_n++)] = {place, begin, end};
    };
    const bool together = m_changes && (!reduces || m_options.any_ranks);
    m_at_once           = together && gathers(m_options);
    if (m_at_once) return add(core_place, 0, ends.executed);
    add(core_place, 0, m_indirect ? ends.core : ends.owned);
    if (!m_indirect) return;
    add(boundary_place, ends.core, together ? ends.executed : ends.owned);
    if (m_changes && reduces) add(halo_place, ends.owned, ends.executed);
  }

  void check_all(const std::type_info& exec, bool has_plan) const {
    const char* const set = m_range.set->name.c_str();
    check(parts().is_space(exec), "Sporos::par_loop", set,
          "the execution space for which the mesh was distributed", "another");
    check(m_range.whole, "Sporos::par_loop", set,
          "all of a distributed set or subset (DistributedMesh::range makes a "
          "subset of a range)",
          text("a range of ", m_range.size(), " of its elements"));
    check(!has_plan, "Sporos::par_loop", set,
          "options, because a loop over a distributed set has a plan for each "
          "part",
          "a plan");
    check_any_ranks(m_options);
    check(m_options.blocks.empty(), "Sporos::par_loop", "options.blocks",
          "none for a distributed set", m_options.blocks.size());
    check_arguments(*m_range.set, m_args);
    if (m_options.any_ranks) {
      check_sums(m_args);
      check_no_index();
    }
    if (checks_enabled || m_options.check_disjoint) check_all_promises();
  }

  /// Local numbers differ from rank to rank.
  void check_no_index() const {
    for (int i = 0; i < m_args.n; ++i)
      if (m_args[i].element_index)
        refuse(i, m_args[i],
               "a dat of global numbers (see DistributedMesh::global_numbers), "
               "since options.any_ranks is set",
               "local numbers");
  }

  /// Checks the promises of disjoint writes over all executed elements, since
  /// elements in different parts may reach one target.
  void check_all_promises() const {
    relate_arguments(m_args);
    RangeInfo executed = m_range;
    executed.end       = m_range.ends.executed;
    check_promises(executed, m_args);
  }

  /// What must be the same on all ranks.
  std::string in_words(const std::string& label) const {
    std::string words = label + " over " + m_range.plans->name;
    if (m_options.any_ranks) words += " with any_ranks";
    for (int i = 0; i < m_args.n; ++i) {
      const ArgInfo& arg = m_args[i];
      words += ", " + argument_name(i, arg);
      if (arg.dat_set != nullptr) words += " of " + values_in_words(arg.key);
      if (arg.reduction != nullptr)
        words += std::string(", ") + arg.reduction + " of " +
                 std::to_string(arg.reduced_bytes) + " bytes";
      if (arg.dat != nullptr && arg.dat->stale)
        words += " with a halo that is out of date";
    }
    return words;
  }

  /// Halos are read through maps; directly only where they are executed. The
  /// non-zeros of a matrix have none.
  bool reads_halo(const ArgInfo& arg) const {
    const bool reads =
        arg.key.access == Access::read || arg.key.access == Access::rw;
    return arg.dat_set != nullptr && arg.dat_set->parts != nullptr && reads &&
           (arg.through_map || m_changes);
  }

  /// What the loop reads of halos that are out of date, each dat once.
  std::vector<HaloDat> find_halos() const {
    std::vector<HaloDat> halos;
    for (int i = 0; i < m_args.n; ++i) {
      const ArgInfo& arg = m_args[i];
      bool wanted        = reads_halo(arg) && arg.dat->stale;
      for (int j = 0; wanted && j < i; ++j)
        wanted = !reads_halo(m_args[j]) || m_args[j].dat != arg.dat;
      if (wanted)
        halos.push_back({arg.dat_set, arg.data, arg.row_stride,
                         arg.component_stride, arg.key.components,
                         arg.key.value_bytes, arg.key.value_alignment});
    }
    return halos;
  }

  /// Fills the halos that the loop reads; f runs while messages travel. If it
  /// throws, messages arrive all the same, and what is known of the halos is
  /// that of the ranks where it does not.
  template <class F>
  void fill_halos(const void* exec, const F& f) const {
    const std::vector<HaloDat> halos = find_halos();
    std::exception_ptr thrown;
    if (!halos.empty()) parts().start(exec, halos);
    try {
      f();
    } catch (...) {
      thrown = std::current_exception();
    }
    if (!halos.empty()) parts().finish(exec, halos);
    mark_halos();
    if (thrown != nullptr) std::rethrow_exception(thrown);
  }

  /// Marks the halos that the loop reads as filled, and the halos of what it
  /// changes as stale: the owners have other values.
  void mark_halos() const {
    for (const ArgInfo& arg : m_args)
      if (reads_halo(arg)) arg.dat->stale = false;
    for (const ArgInfo& arg : m_args)
      if (arg.dat_set != nullptr && arg.key.access != Access::read)
        arg.dat->stale = true;
  }

  const RangeInfo m_range;
  const ArgInfos m_args;
  const LoopOptions m_options;
  bool m_indirect = false, m_changes = false;
  bool m_at_once = false;  ///< one part, after messages
  int m_n        = 0;
  std::array<LoopPart, n_places> m_list;  ///< m_n parts, in their order
};

}  // namespace Impl
}  // namespace Sporos

#endif
