// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_LOOPGATHER_HPP
#define SPOROS_LOOPGATHER_HPP

/// \file Sporos_LoopGather.hpp
/// The gather strategy. The loop writes its increments to a temporary array;
/// then each target adds its own in the order of the elements. It needs no
/// colours, but writes and reads elements x arity x components values. Devices
/// sum pieces of long lists first.

#include <Sporos_ForEachIndex.hpp>
#include <Sporos_ProfilingRegion.hpp>
#include <mesh_loop/plan/Sporos_LoopConstants.hpp>
#include <mesh_loop/plan/Sporos_PlanData.hpp>
#include <mesh_loop/strategies/Sporos_LoopBind.hpp>

#include <string>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// sum += the increment there; or its minimum, or maximum
template <Access A, int N, class T>
KOKKOS_FORCEINLINE_FUNCTION void take_increment(T (&sum)[N], const T* there) {
  T increment[N];
  load_wide<N>(there, increment);
  SPOROS_UNROLL
  for (int c = 0; c < N; ++c) contribute<A>(sum[c], increment[c]);
}

/// Pieces of gather_piece entries of all lists, cut where the list of a target
/// ends. The sum of a piece takes the place of its first increment. N: the
/// components that are summed at once, all or, if counted at run time, one
template <Access A, class T, int N, class Rows>
struct SumPieces {
  static constexpr int size = gather_piece;
  Rows rows;
  T* increments;
  const int *offsets, *entries;
  int n_targets, n;

  KOKKOS_FUNCTION void operator()(int piece) const {
    const int first = piece * size, stop = n - first < size ? n : first + size;
    const Offset count = rows.count();
    int target =
        segment_at([this](int t) { return offsets[t]; }, n_targets, first);
    for (int k = first; k < stop;) {
      while (offsets[target + 1] <= k) ++target;
      const int end = Math::min(offsets[target + 1], stop);
      for (int c = 0; c < rows.count(); c += N) {
        T* const to = increments + entries[k] * count + c;
        T sum[N];
        load_wide<N>(to, sum);
        for (int j = k + 1; j < end; ++j)
          take_increment<A>(sum, increments + entries[j] * count + c);
        SPOROS_UNROLL
        for (int i = 0; i < N; ++i) to[i] = sum[i];
      }
      k = end;
    }
  }
};

/// dat(t, :) += all increments of target t; or its minimum, or maximum
template <Access A, class T, int N, class Rows>
struct GatherIncrements {
  Rows rows;
  const T* increments;
  const int* offsets;
  const int* entries;
  unsigned last_of_piece;  ///< the size of pieces less 1

  KOKKOS_FUNCTION void operator()(int t) const {
    // unsigned: the end of the last piece may be 2^31
    const auto begin = unsigned(offsets[t]), stop = unsigned(offsets[t + 1]);
    if (begin == stop) return;
    const Offset count = rows.count();
    for (int c = 0; c < rows.count(); c += N) {
      Rows part = rows;  // from component c on
      part.data += c * rows.component_stride();
      T sum[N];
      load_row<N>(part, t, sum);
      for (unsigned k = begin; k < stop; k = (k | last_of_piece) + 1)
        take_increment<A>(sum, increments + entries[k] * count + c);
      store_row<N>(part, t, sum);
    }
  }
};

/// \param in_order adds increments one after another, as any_ranks needs
template <class Exec, class Arg, class Bound, class Memory>
void gather_argument(const std::string& label, const Exec& exec, const Arg& arg,
                     const Bound& bound, const ReverseMap<Memory>& reverse,
                     [[maybe_unused]] bool in_order) {
  if constexpr (IncrementsThroughMap<Arg>::value) {
    if (reverse.offsets.data() == nullptr) return;  // with an earlier argument
    using T                = typename Bound::value_type;
    constexpr Access A     = Bound::access;
    const auto rows        = dat_rows(arg.dat);
    using Rows             = std::decay_t<decltype(rows)>;
    constexpr int N        = Rows::dynamic ? 1 : Arg::components;
    using Range            = Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>;
    const int n_targets    = arg.dat.set().size();
    unsigned last_of_piece = 0;
    if constexpr (!is_host_space_v<Exec>) {
      const int n = int(reverse.entries.extent(0));
      if (!in_order && reverse.longest > long_list * gather_piece) {
        last_of_piece = gather_piece - 1;
        for_each_index(label + "::sum_pieces",
                       Range(exec, 0, ceil_div(n, gather_piece)),
                       SumPieces<A, T, N, Rows>{
                           rows, bound.kept_rows, reverse.offsets.data(),
                           reverse.entries.data(), n_targets, n});
      }
    }
    for_each_index(label + "::gather", Range(exec, 0, n_targets),
                   GatherIncrements<A, T, N, Rows>{
                       rows, bound.kept_rows, reverse.offsets.data(),
                       reverse.entries.data(), last_of_piece});
  }
}

template <class Exec, class Body, class Memory, class... Args>
void gather_arguments(const std::string& label, const Exec& exec, Body& body,
                      const PlanData<Memory>& plan, const Args&... args) {
  if (plan.reverse.empty()) return;  // no argument increments through a map
  const ProfilingRegion region("Sporos::par_loop::sum");
  body.each(
      [&](const auto& bound, int a, const auto& arg) {
        gather_argument(label, exec, arg, bound, plan.reverse[std::size_t(a)],
                        plan.requested.any_ranks);
      },
      args...);
}

}  // namespace Impl
}  // namespace Sporos

#endif
