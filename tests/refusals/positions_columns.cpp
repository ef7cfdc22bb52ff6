// expects: Sporos::ParticleGridPlan: positions must have as many coordinates as
// the grid has dimensions SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception

#include <Sporos_ParticleGrid.hpp>

using Exec = Kokkos::DefaultHostExecutionSpace;

void refused(const Sporos::Grid<2>& grid,
             const Kokkos::View<double* [3], Kokkos::HostSpace>& x) {
  Sporos::ParticleGridPlan(Exec{}, grid, Sporos::Hat2{}, x);
}
