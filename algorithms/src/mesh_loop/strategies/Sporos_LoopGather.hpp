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

/// sum += increment `entry`; or its minimum, or maximum
template <Access A, int N, class T>
KOKKOS_FORCEINLINE_FUNCTION void take_increment(T (&sum)[N],
                                                const T* increments,
                                                int entry) {
  T increment[N];
  load_wide<N>(increments + Offset(entry) * N, increment);
  SPOROS_UNROLL
  for (int c = 0; c < N; ++c) contribute<A>(sum[c], increment[c]);
}

/// Pieces of gather_piece entries of all lists, cut where the list of a target
/// ends. The sum of a piece takes the place of its first increment.
template <Access A, class T, int N>
struct SumPieces {
  static constexpr int size = gather_piece;
  T* increments;
  const int *offsets, *entries;
  int n_targets, n;

  KOKKOS_FUNCTION void operator()(int piece) const {
    const int first = piece * size, stop = n - first < size ? n : first + size;
    int target =
        segment_at([this](int t) { return offsets[t]; }, n_targets, first);
    for (int k = first; k < stop;) {
      while (offsets[target + 1] <= k) ++target;
      const int end = Math::min(offsets[target + 1], stop);
      T* const to   = increments + Offset(entries[k]) * N;
      T sum[N];
      load_wide<N>(to, sum);
      for (++k; k < end; ++k) take_increment<A, N>(sum, increments, entries[k]);
      SPOROS_UNROLL
      for (int c = 0; c < N; ++c) to[c] = sum[c];
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
    const int begin = offsets[t], end = offsets[t + 1];
    if (begin == end) return;
    T sum[N];
    load_row<N>(rows, t, sum);
    // unsigned: the end of the last piece may be 2^31
    const unsigned stop = unsigned(end);
    for (unsigned k = unsigned(begin); k < stop; k = (k | last_of_piece) + 1)
      take_increment<A, N>(sum, increments, entries[k]);
    store_row<N>(rows, t, sum);
  }
};

/// SumPieces and GatherIncrements for components that are counted at run time:
/// one after another, each in the order of the increments.
template <Access A, class T>
struct SumDynamicPieces {
  static constexpr int size = gather_piece;
  T* increments;
  const int *offsets, *entries;
  int n_targets, n, count;

  KOKKOS_FUNCTION void operator()(int piece) const {
    const int first = piece * size, stop = n - first < size ? n : first + size;
    int target =
        segment_at([this](int t) { return offsets[t]; }, n_targets, first);
    for (int k = first; k < stop;) {
      while (offsets[target + 1] <= k) ++target;
      const int end = Math::min(offsets[target + 1], stop);
      T* const to   = increments + Offset(entries[k]) * count;
      for (int c = 0; c < count; ++c) {
        T sum = to[c];
        for (int j = k + 1; j < end; ++j)
          contribute<A>(sum, increments[Offset(entries[j]) * count + c]);
        to[c] = sum;
      }
      k = end;
    }
  }
};
template <Access A, class T>
struct GatherDynamic {
  DynamicRows<T> rows;
  const T* increments;
  const int* offsets;
  const int* entries;
  unsigned last_of_piece;

  KOKKOS_FUNCTION void operator()(int t) const {
    const unsigned begin = unsigned(offsets[t]),
                   stop  = unsigned(offsets[t + 1]);
    if (begin == stop) return;
    const int n = rows.count();
    for (int c = 0; c < n; ++c) {
      T& value = rows.row(t)[c * rows.component_stride()];
      T sum    = value;
      for (unsigned k = begin; k < stop; k = (k | last_of_piece) + 1)
        contribute<A>(sum, increments[Offset(entries[k]) * n + c]);
      value = sum;
    }
  }
};

/// Increments of an argument, or of all arguments with its dat, which follow
/// the first one.
template <class T, int N, int Arity, Access A>
T* kept_increments(const BoundTemporary<T, N, Arity, A>& bound) {
  return bound.data;
}
template <class T, int N, int Arity, Access A>
T* kept_increments(const BoundDynamicTemporary<T, N, Arity, A>& bound) {
  return bound.data;
}
template <class T, int N, int Arity, class Rows, class Target, Access A>
T* kept_increments(const BoundOwned<T, N, Arity, Rows, Target, A>& bound) {
  return bound.kept_rows;
}

/// \param in_order adds increments one after another, as any_ranks needs
template <class Exec, class Arg, class Bound, class Memory>
void gather_argument(const std::string& label, const Exec& exec, const Arg& arg,
                     const Bound& bound, const ReverseMap<Memory>& reverse,
                     [[maybe_unused]] bool in_order) {
  if constexpr (IncrementsThroughMap<Arg>::value) {
    if (reverse.offsets.data() == nullptr) return;  // with an earlier argument
    using T                = typename Bound::value_type;
    constexpr Access A     = Bound::access;
    constexpr int N        = Arg::components;
    const auto rows        = dat_rows(arg.dat);
    using Rows             = std::decay_t<decltype(rows)>;
    using Range            = Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>;
    T* const increments    = kept_increments(bound);
    const int n_targets    = arg.dat.set().size();
    unsigned last_of_piece = 0;
    if constexpr (!is_host_space_v<Exec>) {
      const int n = int(reverse.entries.extent(0));
      if (!in_order && reverse.longest > long_list * gather_piece) {
        last_of_piece  = gather_piece - 1;
        const auto sum = [&](const auto& pieces) {
          for_each_index(label + "::sum_pieces",
                         Range(exec, 0, ceil_div(n, gather_piece)), pieces);
        };
        const int* const offsets = reverse.offsets.data();
        const int* const entries = reverse.entries.data();
        if constexpr (Rows::dynamic)
          sum(SumDynamicPieces<A, T>{increments, offsets, entries, n_targets, n,
                                     rows.count()});
        else
          sum(SumPieces<A, T, N>{increments, offsets, entries, n_targets, n});
      }
    }
    using Gather = std::conditional_t<Rows::dynamic, GatherDynamic<A, T>,
                                      GatherIncrements<A, T, N, Rows>>;
    for_each_index(label + "::gather", Range(exec, 0, n_targets),
                   Gather{rows, increments, reverse.offsets.data(),
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
