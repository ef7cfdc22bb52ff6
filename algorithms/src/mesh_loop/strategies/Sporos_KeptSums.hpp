// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_KEPTSUMS_HPP
#define SPOROS_KEPTSUMS_HPP

/// \file Sporos_KeptSums.hpp
/// From kept contributions to the sums of a loop with LoopOptions::any_ranks.
/// The old value of a global is one of the summands: one rounding for all.

#include <Sporos_HostCopy.hpp>
#include <mesh_loop/strategies/Sporos_LoopBind.hpp>
#include <mesh_loop/strategies/Sporos_LoopSums.hpp>

#include <cstddef>
#include <string>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// Words of workspace for the sums of an argument.
template <class Arg>
std::size_t sum_words() {
  if constexpr (is_exact_sum_v<Arg>)
    return Arena::words<LoopSum<typename Arg::value_type>>(Arg::components);
  else
    return 0;
}

/// One argument: its contributions are added to its sums.
template <class Exec, class Arg, class Bound>
void add_kept_sum(const std::string&, const Exec&, LoopPlanState<Exec>&, Arena&,
                  const Arg&, const Bound&) {}
template <class Exec, class T, int N>
void add_kept_sum(const std::string& label, const Exec& exec,
                  LoopPlanState<Exec>& plan, Arena&,
                  const ExactSumArg<T, N>& arg,
                  const BoundKeptSum<T, N>& bound) {
  add_rows<N>(label, exec, plan, bound.data, arg.counted, arg.sums);
}
template <class Exec, class T, int N, class M>
void add_kept_sum(const std::string& label, const Exec& exec,
                  LoopPlanState<Exec>& plan, Arena& arena,
                  const GlobalReduceArg<T, N, M, Reduction::sum>& arg,
                  const BoundKeptSum<T, N>& bound) {
  LoopSum<T>* const sums = arena.take<LoopSum<T>>(N);
  T* const values        = arg.global.view().data();
  for_components(label + "::start_sums", exec, N, StartSums<T>{sums, values});
  add_rows<N>(label, exec, plan, bound.data, plan.data().n, sums);
  for_components(label + "::round_sums", exec, N, RoundSums<T>{sums, values});
}
template <class Exec, class T, int N>
void add_kept_sum(const std::string& label, const Exec& exec,
                  LoopPlanState<Exec>& plan, Arena& arena,
                  const HostReduceArg<T, N, Reduction::sum>&,
                  const BoundKeptSum<T, N>& bound) {
  LoopSum<T>* const sums = arena.take<LoopSum<T>>(N);
  for_components(label + "::start_sums", exec, N, StartSums<T>{sums, nullptr});
  add_rows<N>(label, exec, plan, bound.data, plan.data().n, sums);
}

/// All sums of a loop.
template <class Exec, class Body, class... Args>
void add_kept_sums(const std::string& label, const Exec& exec,
                   LoopPlanState<Exec>& plan, Body& body, const Args&... args) {
  Arena arena(workspace_words(exec, plan.sums, (sum_words<Args>() + ... + 0)));
  body.each(
      [&](const auto& bound, int, const auto& arg) {
        add_kept_sum(label, exec, plan, arena, arg, bound);
      },
      args...);
}

// Sums into numbers of the host.
template <class Exec, class Arg>
void fetch_sum(const Exec&, Arena& arena, const Arg&) {
  arena.skip(sum_words<Arg>());
}
template <class Exec, class T, int N>
std::enable_if_t<is_exact_type_v<T>> fetch_sum(
    const Exec& exec, Arena& arena,
    const HostReduceArg<T, N, Reduction::sum>& arg) {
  LoopSum<T> sums[N];
  copy_values<Kokkos::HostSpace, typename Exec::memory_space>(
      exec, sums, arena.take<LoopSum<T>>(N), N);
  for (int c = 0; c < N; ++c) {
    sums[c].add(arg.target[c]);
    arg.target[c] = sums[c].value();
  }
}
template <class Exec, class... Args>
void fetch_sums([[maybe_unused]] const Exec& exec, LoopPlanState<Exec>& plan,
                const Args&... args) {
  [[maybe_unused]] Arena arena(plan.sums.require_data(exec, 0));
  (fetch_sum(exec, arena, args), ...);
}

}  // namespace Impl
}  // namespace Sporos

#endif
