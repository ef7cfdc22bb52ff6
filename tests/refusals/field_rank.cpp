// expects: a field must be a View whose rank is the dimension of the grid
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Sporos_ParticleGrid.hpp>

using Exec = Kokkos::DefaultHostExecutionSpace;

void refused(
    const Sporos::ParticleGridPlan<Exec, 2, double, Sporos::Hat2>& plan,
    const Kokkos::View<double*, Kokkos::HostSpace>& strengths,
    const Kokkos::View<double***, Kokkos::HostSpace>& field) {
  Sporos::spread(Exec{}, plan, strengths, field);
}
