// expects: Sporos::spread_dipoles: the delta function needs a function
// derivatives(r, d)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Sporos_ParticleGridGradient.hpp>

using Exec = Kokkos::DefaultHostExecutionSpace;

struct Quadratic {
  static constexpr int support = 3;
  template <class T>
  KOKKOS_INLINE_FUNCTION void weights(T r, T* w) const {
    const T half(0.5f);
    w[0] = half * (half - r) * (half - r);
    w[1] = T(0.75f) - r * r;
    w[2] = half * (half + r) * (half + r);
  }
};

void refused(const Sporos::ParticleGridPlan<Exec, 2, double, Quadratic>& plan,
             const Kokkos::View<double* [2], Kokkos::HostSpace>& gradients,
             const Kokkos::View<double**, Kokkos::HostSpace>& field) {
  Sporos::interpolate_gradient(Exec{}, plan, field, gradients);
}
