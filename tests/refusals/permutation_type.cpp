// expects: Sporos::sort_by_key: permutation must be of type int
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Sporos_SortByKey.hpp>

void refused(Sporos::SortWorkspace<std::uint32_t, Kokkos::HostSpace>& space,
             const Kokkos::View<std::uint32_t*, Kokkos::HostSpace>& keys,
             const Kokkos::View<long*, Kokkos::HostSpace>& permutation) {
  Sporos::sort_by_key(Kokkos::DefaultHostExecutionSpace{}, space, keys,
                      permutation, 32);
}
