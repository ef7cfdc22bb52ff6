// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PARLOOP_HPP
#define SPOROS_PARLOOP_HPP

/// \file Sporos_ParLoop.hpp
/// Loops over the elements of a set that read, write and increment data of
/// other elements through maps, without races.
///
/// \code
///   struct AddLength {  // kernel: an accessor for each argument
///     template <class Real>
///     KOKKOS_FUNCTION void operator()(Sporos::Read<Real, 2, 2> x,
///                                     Sporos::Inc<Real, 1, 2> sum) const {
///       const Real dx = x(1, 0) - x(0, 0), dy = x(1, 1) - x(0, 1);
///       const Real length = Sporos::sqrt(dx * dx + dy * dy);
///       sum(0, 0) += length;
///       sum(1, 0) += length;
///     }
///   };
///   Sporos::par_loop("lengths", exec, edges, AddLength{},
///                    Sporos::read(x, edge_nodes), Sporos::inc(sum,
///                    edge_nodes));
/// \endcode
///
/// The programming model is that of OP2 (Mudalige, Giles, Reguly, Bertolli,
/// Kelly, OP2: An active library framework for solving unstructured mesh-based
/// applications on multi-core and many-core architectures, 2012) and PyOP2.

#include <Sporos_LoopPlan.hpp>
#include <Sporos_Mesh.hpp>
#include <Sporos_ProfilingRegion.hpp>
#include <Sporos_Subset.hpp>
#include <mesh_loop/arguments/Sporos_Lowering.hpp>
#include <mesh_loop/plan/Sporos_LoopCompiled.hpp>
#include <mesh_loop/strategies/Sporos_LoopRun.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>

// Loops over distributed sets take as long to compile as those in one process.
// The inline namespace tells them apart, so that files with and without MPI may
// be linked together.
#ifdef SPOROS_HAVE_MPI
#include <mesh_loop/strategies/Sporos_PartsLoop.hpp>
#include <mesh_loop/strategies/Sporos_RankReductions.hpp>
#define SPOROS_IMPL_LOOPS on_ranks
#else
#define SPOROS_IMPL_LOOPS in_one_process
#endif

namespace Sporos {

namespace Impl {

/// Fails to compile, with the accessors in the message, unless Kernel can be
/// called with one accessor for each argument.
template <class Kernel, class... Accessors>
struct KernelTakes {
  static_assert(std::is_invocable_v<const Kernel&, Accessors...>,
                "Sporos::par_loop: the kernel cannot be called with the "
                "accessors of these arguments: their number, value types, "
                "components, arities and accesses must be those of its "
                "parameters, and its call operator must be const. If the "
                "kernel is a template over Real, all its numbers must have "
                "one type: write read(2.), not read(2) (see the template "
                "arguments of KernelTakes, after the kernel)");
  static constexpr bool value = true;
};

template <class Exec, class Arg>
using scalar_accessor = typename decltype(bind<Increments::added, true>(
    in_memory<false>(std::string(), std::declval<const Exec&>(),
                     std::declval<Arena&>(), std::declval<const Arg&>(), 0),
    std::declval<LoopMemory&>()))::template accessor<typename Arg::value_type>;

/// The name of a loop's kernels.
[[gnu::noinline]] inline std::string loop_label(const std::string& label) {
  return "Sporos::par_loop::" + label;
}

/// Hosts run blocks of targets as with any_ranks, where sums can be exact; on
/// ranks, where numbers of elements differ, they gather instead.
template <class Exec, class... Args>
bool owns_on_host(const LoopOptions& options) {
  return is_host_space_v<Exec> && (adds_exactly_v<Args> && ...) &&
         options.strategy == LoopStrategy::owners;
}
template <class Exec>
LoopOptions on_parts(LoopOptions options) {
  if (is_host_space_v<Exec> && options.strategy == LoopStrategy::owners)
    options.strategy = LoopStrategy::gather;
  return options;
}

inline LoopOptions with_any_ranks(LoopOptions options) {
  options.any_ranks = true;
  return options;
}

/// Runs all elements of a plan. Range: what it was made for, part of a set or a
/// subset
template <Compiled What, class Range, class Exec, class Kernel, class... Args>
void run_plan(const std::string& label, const Exec& exec,
              LoopPlanState<Exec>& plan, const LoopOptions& options,
              const Kernel& kernel, const Args&... args) {
  if (plan.data().n == 0) return;
  if constexpr (is_subset_v<Range>)
    run_loop<What>(loop_label(label), exec, plan, options.packs, kernel,
                   listed(plan.data(), args)...);
  else
    run_loop<What>(loop_label(label), exec, plan, options.packs, kernel,
                   args...);
}

/// Plans and runs. handle: a plan, or null for the one that the set keeps
template <Compiled What, class Exec, class Range, class Kernel, class... Args>
void planned_loop(const std::string& label, const Exec& exec, const Range&,
                  const RangeInfo& where, const LoopOptions& options,
                  const std::shared_ptr<LoopPlanState<Exec>>* handle,
                  const Kernel& kernel, const Args&... args) {
  auto infos = infos_of<Exec, Range>(args...);
  const auto plan =
      plan_of_loop<What>(exec, where, options, handle,
                         ArgInfos{infos.data(), int(sizeof...(Args))});
  if constexpr (What == Compiled::any_ranks)
    if (where.size() == 0) return (settle_zeros(exec, args), ...);
  run_plan<What, Range>(label, exec, *plan, options, kernel, args...);
}

inline namespace SPOROS_IMPL_LOOPS {

#ifdef SPOROS_HAVE_MPI
/// The loop over the parts of a distributed set.
template <Compiled What, class Exec, class Range, class Kernel, class... Args>
[[gnu::cold, gnu::noinline]] void distributed_loop(
    const std::string& label, const Exec& exec, const Range& range,
    const RangeInfo& where, const LoopOptions& options, bool has_plan,
    const Kernel& kernel, const Args&... args) {
  check(!is_subset_v<Range> || !(writes_global_v<Args> || ...),
        "Sporos::par_loop", "set",
        "a whole distributed set where a global is written, since the lists of "
        "the ranks have no common order",
        text("the subset ", where.plans->name));
  using Plan = std::shared_ptr<LoopPlanState<Exec>>;
  using Sums = RankReductions<Exec, What == Compiled::any_ranks, Args...>;
  auto infos = infos_of<Exec, Range>(args...);
  const ArgInfos all{infos.data(), int(sizeof...(Args))};
  PartsLoop loop(where, options, Sums::any, all);
  std::array<Plan, n_places> plans;
  loop.prepare(label, typeid(Exec), has_plan, [&](const LoopPart& p) {
    const Plan* const no_plan = nullptr;
    plans[p.place] =
        plan_of_loop<What>(exec, range_info(part_of(range, p.begin, p.end)),
                           options, no_plan, all);
  });
  Sums reductions(exec, loop.parts(), args...);
  loop.run(&exec, [&](const LoopPart& p) {
    reductions.with_arguments(
        p.place, std::min(p.end, loop.ends().owned) - p.begin,
        [&](const auto&... with) {
          run_plan<What, Range>(label, exec, *plans[p.place], options, kernel,
                                with...);
        },
        args...);
  });
  reductions.finish(args...);
}

#endif

/// Checks and runs.
template <Compiled What, class Exec, class Range, class Kernel, class... Args>
void checked_loop(const std::string& label, const Exec& exec,
                  const Range& range, const LoopOptions& options,
                  const std::shared_ptr<LoopPlanState<Exec>>* handle,
                  const Kernel& kernel, const Args&... args) {
  static_assert((IsLoopArg<Args>::value && ...),
                "Sporos::par_loop: arguments after the kernel are read(...), "
                "write(...), rw(...), inc(...), sum(...), min(...), max(...), "
                "element_index()");
  static_assert(KernelTakes<Kernel, scalar_accessor<Exec, Args>...>::value, "");
  check_range<Exec>(range);
  const RangeInfo where       = range_info(range);
  const SetParts* const parts = where.set->parts.get();
#ifdef SPOROS_HAVE_MPI
  if (parts != nullptr && (options.any_ranks || parts->any_ranks))
    return distributed_loop<Compiled::any_ranks>(
        label, exec, range, where, with_any_ranks(options), handle != nullptr,
        kernel, args...);
  if (parts != nullptr)
    return distributed_loop<What>(label, exec, range, where,
                                  on_parts<Exec>(options), handle != nullptr,
                                  kernel, args...);
#else
  check(parts == nullptr, "Sporos::par_loop", "set",
        "a set of one process (the file was compiled without Sporos::mpi)",
        text("the distributed set ", where.set->name));
#endif
  if constexpr (What == Compiled::all)
    if (options.any_ranks || owns_on_host<Exec, Args...>(options))
      return planned_loop<Compiled::any_ranks>(
          label, exec, range, where, options, handle, kernel, args...);
  planned_loop<What>(label, exec, range, where, options, handle, kernel,
                     args...);
}

/// Replaces arguments that stand for others, which may wait for exec. Checks as
/// those of PartsLoop::prepare.
template <Compiled What, class Exec, class Range, class Kernel, class... Args>
void lowered_loop(const std::string& label, const Exec& exec,
                  const Range& range, const LoopOptions& options,
                  const std::shared_ptr<LoopPlanState<Exec>>* handle,
                  const Kernel& kernel, const Args&... args) {
  if constexpr (lowers_v<Args...>) {
    check_range<Exec>(range);
    const SetParts* const parts = range_info(range).set->parts.get();
    if (parts != nullptr && (checks_enabled || options.check_disjoint))
      parts->agree(thrown_text([&] {
                     (static_cast<void>(Lowering<Args>::argument(exec, args)),
                      ...);
                   }),
                   "the matrices of " + label);
    checked_loop<What>(label, exec, range, options, handle,
                       LoweredKernel<Kernel, Args...>{kernel},
                       Lowering<Args>::argument(exec, args)...);
  } else
    checked_loop<What>(label, exec, range, options, handle, kernel, args...);
}

template <class T>
struct IsLoopPlan : std::false_type {};
template <class Exec>
struct IsLoopPlan<LoopPlan<Exec>> : std::true_type {};

template <class Exec, class Range, class First, class... Rest>
void parse_loop(const std::string& label, const Exec& exec, const Range& range,
                const First& first, const Rest&... rest) {
  const ProfilingRegion region("Sporos::par_loop::", label);
  with_label(label, [&] {
    const std::shared_ptr<LoopPlanState<Exec>>* const no_plan = nullptr;
    if constexpr (std::is_same_v<First, LoopOptions>)
      lowered_loop<Compiled::all>(label, exec, range, first, no_plan, rest...);
    else if constexpr (IsLoopPlan<First>::value) {
      static_assert(std::is_same_v<First, LoopPlan<Exec>>,
                    "Sporos::par_loop: the plan was made for another execution "
                    "space");
      check_handle(first.state() != nullptr, "Sporos::par_loop", "plan");
      // a copy of the options: the plan may be remade
      lowered_loop<Compiled::all>(label, exec, range,
                                  LoopOptions(first.options()), &first.state(),
                                  rest...);
    } else
      lowered_loop<Compiled::automatic>(label, exec, range, LoopOptions{},
                                        no_plan, first, rest...);
  });
}

}  // namespace SPOROS_IMPL_LOOPS
}  // namespace Impl

inline namespace SPOROS_IMPL_LOOPS {

/// Runs a kernel for all elements of a set, a range of it, or a subset:
///
///   par_loop(label, exec, set, kernel, arguments...)
///   par_loop(label, exec, set, options, kernel, arguments...)
///   par_loop(label, exec, set, plan, kernel, arguments...)
///
/// Without exec the loop runs in the default instance of the default execution
/// space, and the call waits.
///
/// \param label name of the kernel, after "Sporos::par_loop::"
/// \param exec an instance. The loop is asynchronous in it, unless a reduction
///   goes to a number of the host.
/// \param set a Set, a SetRange (set.range(begin, end)), or a Subset or a range
///   of one, whose elements run in the order of its list; options.blocks are
///   then positions in the list, or in its range, from 0.
/// \param rest options or a plan, if any; the kernel; its arguments. The kernel
///   is a functor or a KOKKOS_LAMBDA that takes an accessor for each argument
///   by value (Sporos_Accessors.hpp has a table). If its call operator is a
///   template over the real type, hosts run it on packs of elements: the result
///   agrees up to rounding and is the same with any number of threads.
///   Arguments are read, write, rw, inc, min, max of dats; read, write, sum,
///   min, max of globals; element_index().
/// \throws std::invalid_argument for an argument that does not fit the set (the
///   message names the argument, sets and sizes), a write through a map without
///   the promise `disjoint`, and impossible options; nothing is written.
/// Complexity: a call of the kernel for each element; on devices a launch for
/// each colour.
/// The first call of a loop makes its plan, which is kept with the set and made
/// again after a map was modified(). Two instances must not run loops with one
/// plan at the same time: give each its own LoopPlan. Calls without options or
/// plan compile only the strategies that `automatic` may choose.
template <class Exec, class... Rest>
std::enable_if_t<Kokkos::is_execution_space<Exec>::value> par_loop(
    const std::string& label, const Exec& exec, const SetRange& set,
    const Rest&... rest) {
  Impl::parse_loop(label, exec, set, rest...);
}

/// Runs a loop over a subset.
template <class Exec, class M, class... Rest>
std::enable_if_t<Kokkos::is_execution_space<Exec>::value> par_loop(
    const std::string& label, const Exec& exec, const Subset<M>& subset,
    const Rest&... rest) {
  Impl::parse_loop(label, exec, subset, rest...);
}

/// Runs a loop in the default instance of the default execution space. Waits
/// for the result.
template <class... Rest>
void par_loop(const std::string& label, const SetRange& set,
              const Rest&... rest) {
  const Kokkos::DefaultExecutionSpace exec{};
  Impl::parse_loop(label, exec, set, rest...);
  Impl::fence(exec, "Sporos::par_loop");
}

/// Runs a loop over a subset in the default instance of the default execution
/// space. Waits for the result.
template <class M, class... Rest>
void par_loop(const std::string& label, const Subset<M>& subset,
              const Rest&... rest) {
  const Kokkos::DefaultExecutionSpace exec{};
  Impl::parse_loop(label, exec, subset, rest...);
  Impl::fence(exec, "Sporos::par_loop");
}

}  // namespace SPOROS_IMPL_LOOPS
}  // namespace Sporos

#endif
