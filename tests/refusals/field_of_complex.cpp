// expects: both real or both Kokkos::complex
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Sporos_ParticleGrid.hpp>

using Exec = Kokkos::DefaultHostExecutionSpace;

void refused(
    const Sporos::ParticleGridPlan<Exec, 2, double, Sporos::Hat2>& plan,
    const Kokkos::View<double*, Kokkos::HostSpace>& strengths,
    const Kokkos::View<Kokkos::complex<double>**, Kokkos::HostSpace>& field) {
  Sporos::spread(Exec{}, plan, strengths, field);
}
