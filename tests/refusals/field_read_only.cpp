// expects: Sporos::spread: the field must not be const
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Sporos_ParticleGrid.hpp>

using Exec = Kokkos::DefaultHostExecutionSpace;

void refused(
    const Sporos::ParticleGridPlan<Exec, 2, double, Sporos::Hat2>& plan,
    const Kokkos::View<double*, Kokkos::HostSpace>& strengths,
    const Kokkos::View<const double**, Kokkos::HostSpace>& field) {
  Sporos::spread(Exec{}, plan, strengths, field);
}
