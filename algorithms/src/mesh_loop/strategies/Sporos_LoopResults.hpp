// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_LOOPRESULTS_HPP
#define SPOROS_LOOPRESULTS_HPP

/// \file Sporos_LoopResults.hpp
/// Where reductions of a loop go: in_memory makes of an argument one whose
/// result is in memory of the loop, finish_result takes it from there. Sums of
/// loops with LoopOptions::any_ranks are not rounded in between.

#include <Sporos_HostCopy.hpp>
#include <mesh_loop/strategies/Sporos_LoopBind.hpp>
#include <mesh_loop/strategies/Sporos_LoopSums.hpp>

#include <cstddef>
#include <string>
#include <type_traits>

namespace Sporos {
namespace Impl {

template <class Arg>
constexpr bool is_host_reduce_v = false;
template <class T, int N, Reduction R>
constexpr bool is_host_reduce_v<HostReduceArg<T, N, R>> = true;

/// Words of workspace for the result of an argument. Exact: with any_ranks
template <class Exec, bool Exact, class Arg>
std::size_t result_words() {
  if constexpr (Exact && is_exact_sum_v<Arg>)
    return Arena::words<LoopSum<typename Arg::value_type>>(Arg::components);
  else if constexpr (is_host_reduce_v<Arg> && !is_host_space_v<Exec>)
    return Arena::words<typename Arg::value_type>(Arg::components);
  else
    return 0;
}

/// A sum over a loop of n elements.
template <class T, int N, class Exec>
ExactSumArg<T, N> start_sums(const std::string& label, const Exec& exec,
                             Arena& arena, int n) {
  LoopSum<T>* const sums = arena.take<LoopSum<T>>(N);
  for_components(label + "::start_sums", exec, N, StartSums<T>{sums});
  return {sums, n};
}

template <bool Exact, class Exec, class Arg>
const Arg& in_memory(const std::string&, const Exec&, Arena&, const Arg& arg,
                     int) {
  return arg;
}
template <bool Exact, class Exec, class T, int N, class M, Reduction R>
auto in_memory([[maybe_unused]] const std::string& label,
               [[maybe_unused]] const Exec& exec, [[maybe_unused]] Arena& arena,
               const GlobalReduceArg<T, N, M, R>& arg, [[maybe_unused]] int n) {
  if constexpr (Exact && is_exact_sum_v<GlobalReduceArg<T, N, M, R>>)
    return start_sums<T, N>(label, exec, arena, n);
  else
    return ReduceArg<T, N, R>{arg.global.view().data()};
}
template <bool Exact, class Exec, class T, int N, Reduction R>
auto in_memory([[maybe_unused]] const std::string& label,
               [[maybe_unused]] const Exec& exec, [[maybe_unused]] Arena& arena,
               [[maybe_unused]] const HostReduceArg<T, N, R>& arg,
               [[maybe_unused]] int n) {
  if constexpr (Exact && is_exact_sum_v<HostReduceArg<T, N, R>>)
    return start_sums<T, N>(label, exec, arena, n);
  else if constexpr (is_host_space_v<Exec>)
    return ReduceArg<T, N, R>{arg.target};
  else
    return ReduceArg<T, N, R>{arena.take<T>(N), false};
}

/// The contributions of an argument are added to its sums.
template <class Exec, class Arg, class Bound>
void add_kept_sum(const std::string&, const Exec&, LoopPlanState<Exec>&,
                  const Arg&, const Bound&) {}
template <class Exec, class T, int N>
void add_kept_sum(const std::string& label, const Exec& exec,
                  LoopPlanState<Exec>& plan, const ExactSumArg<T, N>& arg,
                  const BoundKeptSum<T, N>& bound) {
  add_rows<N>(label, exec, plan, bound.kept_rows, arg.counted, arg.sums);
}

template <bool Exact, class Exec, class Arg, class InMemory>
void finish_result(const std::string&, const Exec&, const Arg&,
                   const InMemory&) {}
template <bool Exact, class Exec, class T, int N, class M>
void finish_result(const std::string& label, const Exec& exec,
                   const GlobalReduceArg<T, N, M, Reduction::sum>& arg,
                   const ExactSumArg<T, N>& in) {
  for_components(label + "::round_sums", exec, N,
                 RoundSums<T>{in.sums, arg.global.view().data()});
}
template <bool Exact, class Exec, class T, int N>
void finish_result(const std::string&, const Exec& exec,
                   const HostReduceArg<T, N, Reduction::sum>& arg,
                   const ExactSumArg<T, N>& in) {
  LoopSum<T> sums[N];
  copy_values<Kokkos::HostSpace, typename Exec::memory_space>(exec, sums,
                                                              in.sums, N);
  for (int c = 0; c < N; ++c) {
    sums[c].add(arg.target[c]);
    arg.target[c] = sums[c].value();
  }
}
template <bool Exact, class Exec, class T, int N, Reduction R>
void finish_result([[maybe_unused]] const std::string& label,
                   [[maybe_unused]] const Exec& exec,
                   [[maybe_unused]] const HostReduceArg<T, N, R>& arg,
                   [[maybe_unused]] const ReduceArg<T, N, R>& in) {
  if constexpr (!is_host_space_v<Exec>) {
    T value[N];
    copy_values<Kokkos::HostSpace, typename Exec::memory_space>(
        exec, value, in.target, N, "Sporos::par_loop::result");
    for (int c = 0; c < N; ++c) {
      const T total = combine<R>(arg.target[c], value[c]);
      arg.target[c] = Exact ? plain_value<T>(total) : total;
    }
  }
}

/// Calls f with the N values of a result, which may change them.
template <class Exec, class T, int N, class M, Reduction R, class F>
void change_result(const Exec& exec, const GlobalReduceArg<T, N, M, R>& arg,
                   const F& f) {
  T values[N];
  T* const target = arg.global.view().data();
  copy_values<Kokkos::HostSpace, M>(exec, values, target, N);
  f(values);
  copy_values<M, Kokkos::HostSpace>(exec, target, values, N);
}
template <class Exec, class T, int N, Reduction R, class F>
void change_result(const Exec&, const HostReduceArg<T, N, R>& arg, const F& f) {
  f(arg.target);
}

/// Minima and maxima after a loop with any_ranks over no elements: a zero is
/// positive, as after loops over elements, and on ranks.
template <class Exec, class Arg>
void settle_zeros([[maybe_unused]] const Exec& exec,
                  [[maybe_unused]] const Arg& arg) {
  if constexpr (is_reduction_v<Arg>) {
    using T = typename Arg::value_type;
    if constexpr ((Arg::reduction == Reduction::min ||
                   Arg::reduction == Reduction::max) &&
                  std::is_floating_point_v<T>)
      change_result(exec, arg, [](T* values) {
        for (int c = 0; c < Arg::components; ++c) values[c] += T(0);
      });
  }
}

}  // namespace Impl
}  // namespace Sporos

#endif
