// expects: Sporos::ParticleGridPlan: positions must be a View of rank 2
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Sporos_ParticleGrid.hpp>

using Exec = Kokkos::DefaultHostExecutionSpace;

void refused(const Sporos::Grid<2>& grid,
             const Kokkos::View<double*, Kokkos::HostSpace>& x) {
  using Plan = Sporos::ParticleGridPlan<Exec, 2, double, Sporos::Hat2>;
  Plan::check_positions("refused", x);
  (void)grid;
}
