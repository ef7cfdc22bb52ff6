// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SWEEPWEIGHTS_HPP
#define SPOROS_SWEEPWEIGHTS_HPP

/// \file Sporos_SweepWeights.hpp
/// The weights and strengths of all sorted points, which the sweeps of a spread
/// share. (Each buffered sweep reads a few of the weights; computing them anew
/// would cost more than reading them.)

#include <Sporos_ForEachIndex.hpp>
#include <particle_grid/stencil/Sporos_TransferGroup.hpp>
#include <particle_grid/stencil/Sporos_Weights.hpp>
#include <particle_grid/sweep/Sporos_SweepOrder.hpp>

#include <cstddef>

namespace Sporos {
namespace Impl {

/// Weight j of direction k of sorted point i; every weight has an array of its
/// own.
template <class T, int Dim, int Support>
struct SweepWeights {
  T* data           = nullptr;
  std::size_t pitch = 0;

  static constexpr std::size_t size(std::size_t pitch) {
    return std::size_t(Dim) * Support * pitch;
  }
  KOKKOS_FORCEINLINE_FUNCTION T& operator()(int k, int j, int i) const {
    return data[std::size_t(k * Support + j) * pitch + std::size_t(i)];
  }
};

/// Fills the weights of sorted point i.
template <class Real, class MemorySpace, class Delta, class T, int Dim>
struct WeighPoints {
  static constexpr int Support = Delta::support;
  Delta delta;
  SweepPoints<Real, MemorySpace> points;
  SweepWeights<T, Dim, Support> weights;

  KOKKOS_FUNCTION void operator()(int i) const {
    for (int k = 0; k < Dim; ++k) {
      T w[Support];
      scalar_weights(delta, 0, k, T(points.fractions[k * points.pitch + i]), w);
      for (int j = 0; j < Support; ++j) weights(k, j, i) = w[j];
    }
  }
};

/// Strengths times 1 / cell volume, of one component, in sorted order.
template <class Group>
struct SortStrengths {
  using T = typename Group::T;
  Group group;
  PointPlaces places;
  T factor;
  int component;
  T* sorted;

  KOKKOS_FUNCTION void operator()(int i) const {
    sorted[i] = factor * T(group.value(component, places(i)));
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
