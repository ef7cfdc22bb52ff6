// expects: fields and values must be float or double
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Sporos_ParticleGrid.hpp>

using Exec = Kokkos::DefaultHostExecutionSpace;

void refused(
    const Sporos::ParticleGridPlan<Exec, 2, double, Sporos::Hat2>& plan,
    const Kokkos::View<double*, Kokkos::HostSpace>& values,
    const Kokkos::View<int**, Kokkos::HostSpace>& field) {
  Sporos::interpolate(Exec{}, plan, field, values);
}
