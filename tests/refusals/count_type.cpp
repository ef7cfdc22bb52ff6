// expects: Sporos::reduce_by_key: count must hold int, and not const
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Sporos_SegmentedReduce.hpp>

using Doubles = Kokkos::View<double*, Kokkos::HostSpace>;
using Ints    = Kokkos::View<int*, Kokkos::HostSpace>;

void refused(Sporos::ReduceWorkspace<Kokkos::HostSpace>& space,
             const Ints& keys, const Doubles& columns, const Doubles& sums,
             const Kokkos::View<long, Kokkos::HostSpace>& count) {
  Sporos::reduce_by_key(Kokkos::DefaultHostExecutionSpace{}, space, keys,
                        columns, keys, sums, count);
}
