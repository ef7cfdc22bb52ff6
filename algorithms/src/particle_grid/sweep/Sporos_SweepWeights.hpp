// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SWEEPWEIGHTS_HPP
#define SPOROS_SWEEPWEIGHTS_HPP

/// \file Sporos_SweepWeights.hpp
/// The weights of all sorted points, computed once for all sweeps of a spread.
/// (Each sweep reads a few of them; computing them anew would cost more than
/// reading them.)

#include <Sporos_ForEachIndex.hpp>
#include <Sporos_Pack.hpp>
#include <particle_grid/stencil/Sporos_TransferGroup.hpp>
#include <particle_grid/stencil/Sporos_Weights.hpp>
#include <particle_grid/sweep/Sporos_SweepOrder.hpp>

#include <cstddef>

namespace Sporos {
namespace Impl {

/// Weight j of direction k of sorted point i. Together: the weights of
/// direction 0 of a point stand side by side, else every weight has an array of
/// its own.
template <class T, int Dim, int Support, bool Together>
struct SweepWeights {
  using value_type         = T;
  static constexpr int row = Together ? next_power_of_two(Support) : Support;

  T* data           = nullptr;
  std::size_t pitch = 0;

  KOKKOS_FUNCTION static constexpr std::size_t size(std::size_t pitch) {
    return (std::size_t(row) + (Dim - 1) * Support) * pitch;
  }
  KOKKOS_FORCEINLINE_FUNCTION T* at(int k, int j, int i) const {
    if (Together && k == 0) return data + (std::size_t(i) * row + j);
    return data + ((k == 0 ? j : row + (k - 1) * Support + j) * pitch +
                   std::size_t(i));
  }
};

/// Strengths times 1 / cell volume, of component c of sorted point i.
template <class Group>
struct SweepStrengths {
  using T = typename Group::T;
  Group group;
  PointPlaces places;
  T factor;

  KOKKOS_FORCEINLINE_FUNCTION T operator()(int c, int i) const {
    return factor * T(group.value(c, places(i)));
  }
  void prefetch(int i) const {
    const int place = places(i);
    for (int c = 0; c < group.count; ++c)
      SPOROS_PREFETCH(&group.values[c](place));
  }
};

/// Copies the strengths of one component in sorted order.
template <class Group>
struct SortStrengths {
  SweepStrengths<Group> strengths;
  int component;
  typename Group::T* sorted;

  KOKKOS_FUNCTION void operator()(int i) const {
    sorted[i] = strengths(component, i);
  }
};
template <class Exec, class Group>
void sort_strengths(const char* label, const Exec& exec,
                    const SweepStrengths<Group>& strengths, int component,
                    int n, typename Group::T* sorted) {
  for_each_index(label, LightRange<Exec, Kokkos::IndexType<int>>(exec, 0, n),
                 SortStrengths<Group>{strengths, component, sorted});
}

/// Fills the weights of `block` sorted points at a time.
template <class Exec, class T, int Dim, class Real, class Delta, bool Together>
struct WeighPoints {
  using Weights                = SweepWeights<T, Dim, Delta::support, Together>;
  static constexpr int Support = Delta::support;
  static constexpr int dim     = Dim;
  static constexpr bool host   = is_host_space_v<Exec>;
  static constexpr int lanes   = host ? native_pack_width<T> : 1;
  static constexpr int block   = host ? 64 : 1;

  Delta delta;
  SweepPoints<Real, typename Exec::memory_space> points;
  Weights weights;  ///< of all points; not for fill()

  KOKKOS_FUNCTION void operator()(int b) const {
    const int begin = b * block, end = Math::min(begin + block, points.n);
    if constexpr (host && packs_are_registers)
      weigh_block(weights, begin, end, begin);
    else
      for (int i = begin; i < end; ++i) weigh_point(i);
  }

  /// Weights of up to `block` points begin .. end, the first one as point 0.
  void fill(const Weights& to, int begin, int end) const {
    weigh_block(to, begin, end, 0);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void weigh_point(int i) const {
    for (int k = 0; k < Dim; ++k) {
      T w[Support];
      scalar_weights(delta, T(points.fractions[k * points.pitch + i]), w);
      for (int j = 0; j < Support; ++j) *weights.at(k, j, i) = w[j];
    }
  }

  /// The points begin .. end as points from number `first` on.
  void weigh_block(const Weights& to, int begin, int end, int first) const {
    for (int i = begin; i < end; i += lanes)
      static_for<Dim>([&](auto k) { weigh<k>(to, i, first + i - begin); });
  }

  /// Direction K of the points i .. i + lanes; arrays have room for all.
  template <int K>
  SPOROS_ALWAYS_INLINE void weigh(const Weights& to, int i, int number) const {
    using P = Pack<T, lanes>;
    P w[Support];
    pack_weights(
        delta, load_converted<P>(points.fractions + (K * points.pitch + i)), w);
    if constexpr (Together && K == 0)
      store_transposed<Support>(w, to.at(0, 0, number), to.row);
    else
      for (int j = 0; j < Support; ++j) w[j].store(to.at(K, j, number));
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
