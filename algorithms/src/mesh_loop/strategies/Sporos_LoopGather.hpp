// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_LOOPGATHER_HPP
#define SPOROS_LOOPGATHER_HPP

/// \file Sporos_LoopGather.hpp
/// The gather strategy. The loop writes its increments to a temporary array;
/// then each target adds its own in the order of the elements. It needs no
/// colours, but writes and reads elements x arity x components values.

#include <mesh_loop/plan/Sporos_PlanData.hpp>
#include <mesh_loop/strategies/Sporos_LoopBind.hpp>

#include <string>

namespace Sporos {
namespace Impl {

/// dat(t, :) += all increments of target t; or its minimum, or maximum
template <Access A, class T, int N, class Rows>
struct GatherIncrements {
  Rows rows;
  const T* increments;
  const int* offsets;
  const int* entries;

  KOKKOS_FUNCTION void operator()(int t) const {
    const int begin = offsets[t], end = offsets[t + 1];
    if (begin == end) return;
    T sum[N];
    load_row<N>(rows, t, sum);
    for (int k = begin; k < end; ++k) {
      T increment[N];
      load_wide<N>(increments + Offset(entries[k]) * N, increment);
      SPOROS_UNROLL
      for (int c = 0; c < N; ++c) contribute<A>(sum[c], increment[c]);
    }
    store_row<N>(rows, t, sum);
  }
};

template <class Exec, class Arg, class Bound, class Memory>
void gather_argument(const std::string&, const Exec&, const Arg&, const Bound&,
                     const ReverseMap<Memory>&) {}

template <class Exec, class D, class M, Access A, Reach R, class T, int N,
          int Arity, class Memory>
void gather_argument(const std::string& label, const Exec& exec,
                     const DatArg<D, M, A, R>& arg,
                     const BoundTemporary<T, N, Arity, A>& bound,
                     const ReverseMap<Memory>& reverse) {
  using Rows = DatRows<T, N, typename D::layout>;
  Kokkos::parallel_for(label + "::gather",
                       Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(
                           exec, 0, arg.dat.set().size()),
                       GatherIncrements<A, T, N, Rows>{
                           dat_rows(arg.dat), bound.data,
                           reverse.offsets.data(), reverse.entries.data()});
}

template <class Exec, class Body, class Memory, int... I, class... Args>
void gather_arguments(const std::string& label, const Exec& exec,
                      const Body& body, const PlanData<Memory>& plan,
                      std::integer_sequence<int, I...>, const Args&... args) {
  if (plan.reverse.empty()) return;  // no argument increments through a map
  (gather_argument(label, exec, args, get<I>(body.args), plan.reverse[I]), ...);
}

}  // namespace Impl
}  // namespace Sporos

#endif
