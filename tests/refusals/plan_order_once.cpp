// expects: without a plan there is no plan's order
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Sporos_ParticleGrid.hpp>

using Exec = Kokkos::DefaultHostExecutionSpace;

void refused(const Sporos::Grid<2>& grid,
             const Kokkos::View<double**, Kokkos::HostSpace>& positions,
             const Kokkos::View<double*, Kokkos::HostSpace>& strengths,
             const Kokkos::View<double**, Kokkos::HostSpace>& field) {
  Sporos::spread(Exec{}, grid, Sporos::Hat2{}, positions,
                 Sporos::in_plan_order(strengths), field);
}
