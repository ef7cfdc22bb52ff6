// expects: several fields, a Kokkos::Array of Views
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Sporos_ParticleGrid.hpp>

#include <array>

using Exec  = Kokkos::DefaultHostExecutionSpace;
using Field = Kokkos::View<double**, Kokkos::HostSpace>;

void refused(
    const Sporos::ParticleGridPlan<Exec, 2, double, Sporos::Hat2>& plan,
    const Kokkos::View<double**, Kokkos::HostSpace>& values,
    const std::array<Field, 2>& fields) {
  Sporos::interpolate(Exec{}, plan, fields, values);
}
