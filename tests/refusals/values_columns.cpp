// expects: values must have a component for each field
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Sporos_ParticleGrid.hpp>

using Exec  = Kokkos::DefaultHostExecutionSpace;
using Field = Kokkos::View<double**, Kokkos::HostSpace>;

void refused(
    const Sporos::ParticleGridPlan<Exec, 2, double, Sporos::Hat2>& plan,
    const Kokkos::View<double* [3], Kokkos::HostSpace>& values,
    const Kokkos::Array<Field, 2>& fields) {
  Sporos::interpolate(Exec{}, plan, fields, values);
}
