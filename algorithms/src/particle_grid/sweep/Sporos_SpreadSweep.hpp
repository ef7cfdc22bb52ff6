// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SPREADSWEEP_HPP
#define SPOROS_SPREADSWEEP_HPP

/// \file Sporos_SpreadSweep.hpp
/// spread, algorithms `sweep`, `sweep_buffered` and `sweep_buffered_on_the_fly`
/// (par-spread, pa-spread and otf-spread of Kassen, Shankar, Fogelson).
/// What: the points are sorted by cell once. A sweep computes for every point
///   the values at a few shifts from its cell, sums the points of each cell
///   (segmented reduction) and adds each sum to the grid point at that shift;
///   no two cells share it. `sweep` takes one shift at a time; the buffered
///   ones a box of shifts, each with a column of a buffer to itself, and sum
///   the columns at the end.
/// Cost: s^Dim / columns passes over the points, s^Dim additions to memory per
///   occupied cell; buffered: a pass over columns times the grid.
/// Wins: for supports above 16 on devices and above 30 on hosts, which have no
///   tiles: buffered, or `sweep` where memory is short; the buffer may serve
///   many plans.

#include <Sporos_ForEachIndex.hpp>
#include <Sporos_ProfilingRegion.hpp>
#include <particle_grid/stencil/Sporos_TransferGroup.hpp>
#include <particle_grid/sweep/Sporos_SweepBuffer.hpp>
#include <particle_grid/sweep/Sporos_SweepOrder.hpp>
#include <particle_grid/sweep/Sporos_SweepWeights.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// Value of sorted point i at one shift. The weights are computed anew: a
/// number a point is all the memory that `sweep` takes.
template <class Exec, int Dim, class Real, class Delta, class T>
struct ShiftValue {
  static constexpr int Support = Delta::support;
  using value_type             = SmallArray<T, 1>;

  Delta delta;
  const Real* fractions;
  std::size_t pitch;
  const T* strengths;
  int shift[3];

  KOKKOS_FORCEINLINE_FUNCTION value_type operator()(int i) const {
    PointStencil<T, Dim, Support> s;
    Real r[Dim];
    for (int k = 0; k < Dim; ++k) r[k] = fractions[k * pitch + i];
    s.template set_weights<is_host_space_v<Exec>>(delta, 0, r);
    value_type v;
    v[0] = strengths[i];
    for (int k = Dim - 1; k >= 0; --k) v[0] *= pick(s, k);
    return v;
  }

 private:
  /// weight[k][shift[k]]; on devices without an index that only the run time
  /// knows, so that weights stay in registers (compilers turn a chain of
  /// selections back into an index, a sum they leave alone)
  KOKKOS_FORCEINLINE_FUNCTION T pick(const PointStencil<T, Dim, Support>& s,
                                     int k) const {
    if constexpr (is_host_space_v<Exec>) return s.weight[k][shift[k]];
    T w = T(shift[k] == 0 ? 1 : 0) * s.weight[k][0];
    SPOROS_UNROLL
    for (int j = 1; j < Support; ++j)
      w += T(shift[k] == j ? 1 : 0) * s.weight[k][j];
    return w;
  }
};

/// Values of sorted point i at the shifts of a box, from stored weights and
/// strengths.
template <class T, int Dim, int Support, class Box>
struct BoxValues {
  using value_type = SmallArray<T, Box::columns>;

  SweepWeights<T, Dim, Support> weights;
  const T* strengths;
  int shift[3];  ///< of the box

  KOKKOS_FORCEINLINE_FUNCTION value_type operator()(int i) const {
    value_type v;
    T x[Box::extent0];
    SPOROS_UNROLL
    for (int a = 0; a < Box::extent0; ++a) x[a] = weights(0, shift[0] + a, i);
    SPOROS_UNROLL
    for (int c = 0; c < Box::extent2; ++c) {
      T wz = strengths[i];
      if constexpr (Dim > 2) wz *= weights(2, shift[2] + c, i);
      SPOROS_UNROLL
      for (int b = 0; b < Box::extent1; ++b) {
        T w = wz;
        if constexpr (Dim > 1) w *= weights(1, shift[1] + b, i);
        SPOROS_UNROLL
        for (int a = 0; a < Box::extent0; ++a)
          v[(c * Box::extent1 + b) * Box::extent0 + a] = x[a] * w;
      }
    }
    return v;
  }
};

/// One shift: sums go to the field.
template <class Real, class MemorySpace, class T, int Dim>
struct SweepToField {
  SweepPoints<Real, MemorySpace> points;
  FieldAccess<T, Dim> field;
  int shift[3];

  KOKKOS_FORCEINLINE_FUNCTION void operator()(
      int q, const SmallArray<T, 1>& sum) const {
    T* place = field.data;
    for (int k = 0; k < Dim; ++k) {
      int i = points.first[k * points.first_pitch + q] + shift[k];
      if (i >= field.points[k])
        i = field.wraps[k] ? ring_index(i, field.points[k]) : -1;
      if (i < 0) return;
      place += i * field.stride[k];
    }
    *place += sum[0];
  }
};

/// What the sweeps of one call have in common.
template <class Exec, int Dim, class Real, class Delta, class Group>
struct SweepCall {
  static constexpr int Support = Delta::support;
  using T                      = typename Group::T;
  using Memory                 = typename Exec::memory_space;
  using Workspace              = SweepWorkspace<Exec, Dim, Real, Support>;
  using Range                  = LightRange<Exec, Kokkos::IndexType<int>>;

  const Exec& exec;
  const Delta& delta;
  const Group& group;
  T factor;
  Workspace& workspace;
  const SweepPoints<Real, Memory>& points;

  template <class Bins>
  SweepCall(const Exec& exec_, const Bins& bins, const Delta& delta_,
            const Group& group_, T factor_, Workspace& workspace_)
      : exec(exec_),
        delta(delta_),
        group(group_),
        factor(factor_),
        workspace(workspace_),
        points(workspace_.order.prepare(exec, bins, group.staggering[0])
                   .points()) {}

  /// All components, one shift at a time.
  void sweep() const {
    T* const sorted =
        typed_scratch<T>(exec, workspace.weights, std::size_t(points.n));
    for (int component = 0; component < group.count; ++component) {
      sort("Sporos::spread::sort_strengths", component, sorted);
      run<ShiftBox<1, 1, 1>>(
          [&](int a, int b, int c) {
            return ShiftValue<Exec, Dim, Real, Delta, T>{
                delta, points.fractions, points.pitch, sorted, {a, b, c}};
          },
          [&](int a, int b, int c) {
            return SweepToField<Real, Memory, T, Dim>{
                points, group.field[component], {a, b, c}};
          });
    }
  }

  /// One component after another by way of a buffer with (at least) the
  /// columns of Box.
  template <class Box>
  void buffered(const SweepBuffer<T>& buffer) const {
    using Rows             = BufferRows<Exec, T, Dim, Box>;
    using Index            = Kokkos::IndexType<std::int64_t>;
    using Weights          = SweepWeights<T, Dim, Support>;
    const std::size_t size = Weights::size(points.pitch);
    T* const memory =
        typed_scratch<T>(exec, workspace.weights, size + std::size_t(points.n));
    T* const sorted = memory + size;
    const Weights weights{memory, points.pitch};
    for_each_index(
        "Sporos::spread::sweep_weights", Range(exec, 0, points.n),
        WeighPoints<Real, Memory, Delta, T, Dim>{delta, points, weights});
    for (int component = 0; component < group.count; ++component) {
      const Rows rows{group.field[component], buffer};
      for_each_index("Sporos::spread::zero_buffer",
                     Kokkos::RangePolicy<Exec, typename Rows::Zero, Index>(
                         exec, 0, rows.items()),
                     rows);
      sort("Sporos::spread::sweep_strengths", component, sorted);
      run<Box>(
          [&](int a, int b, int c) {
            return BoxValues<T, Dim, Support, Box>{weights, sorted, {a, b, c}};
          },
          [&](int a, int b, int c) {
            return SweepToBuffer<Real, Memory, T, Dim, Box>{
                points, rows.field, rows.buffer, {a, b, c}};
          });
      for_each_index("Sporos::spread::sum_buffer",
                     Kokkos::RangePolicy<Exec, typename Rows::Sum, Index>(
                         exec, 0, rows.items()),
                     rows);
    }
  }

 private:
  void sort(const char* label, int component, T* sorted) const {
    for_each_index(
        label, Range(exec, 0, points.n),
        SortStrengths<Group>{group, points.places(group.in_plan_order), factor,
                             component, sorted});
  }

  /// Runs all sweeps with the shifts of Box: value(shift) and write(shift) make
  /// the functors that give the values and take the sums.
  template <class Box, class MakeValue, class MakeWrite>
  void run(const MakeValue& value, const MakeWrite& write) const {
    static const std::string label = "Sporos::spread::sweep";
    using Boxes                    = SupportBoxes<Box, Dim, Support>;
    for (int n = 0; n < Boxes::count; ++n)
      segmented_reduce_tuned<ReduceTuning<Exec>>(
          label, exec, workspace.reduce, std::size_t(points.n), points.offsets,
          points.count, Boxes::at(n, value), Boxes::at(n, write));
  }
};

/// fields += spread strengths, one shift at a time. The components of the group
/// have one staggering.
template <class Exec, int Dim, class Real, class Delta, class Group>
void spread_sweep(const Exec& exec,
                  const ParticleBins<Exec, Dim, Real, Delta::support>& bins,
                  const Delta& delta, const Group& group,
                  typename Group::T factor,
                  SweepWorkspace<Exec, Dim, Real, Delta::support>& workspace) {
  const SweepCall<Exec, Dim, Real, Delta, Group> call(exec, bins, delta, group,
                                                      factor, workspace);
  const ProfilingRegion region("Sporos::spread::sum");
  if (call.points.n > 0) call.sweep();
}

/// fields += spread strengths, by way of a buffer with at most `columns`
/// columns: the given one, or one that the workspace keeps, or one that lives
/// for this call, which then waits for the result since kernels use the buffer
/// until then.
template <class Exec, int Dim, class Real, class Delta, class Group>
void spread_sweep_buffered(
    const Exec& exec, const ParticleBins<Exec, Dim, Real, Delta::support>& bins,
    const Delta& delta, const Group& group, typename Group::T factor,
    int columns, const SweepBuffer<typename Group::T>& given, bool on_the_fly,
    SweepWorkspace<Exec, Dim, Real, Delta::support>& workspace) {
  using T = typename Group::T;
  const SweepCall<Exec, Dim, Real, Delta, Group> call(exec, bins, delta, group,
                                                      factor, workspace);
  if (call.points.n == 0) return;
  const ProfilingRegion region("Sporos::spread::sum");
  with_box<Dim, Delta::support>(columns, [&](auto box) {
    using Box          = decltype(box);
    const auto& points = group.field[0].points;
    const std::size_t size =
        std::size_t(points[0]) * points[1] * points[2] * Box::columns;
    Kokkos::View<T*, typename Exec::memory_space> own;
    SweepBuffer<T> buffer = given;
    if (on_the_fly) {
      own =
          decltype(own)(Kokkos::view_alloc(exec, Kokkos::WithoutInitializing,
                                           "Sporos::spread::buffer_on_the_fly"),
                        size);
      buffer = SweepBuffer<T>(own.data(), Box::columns);
    } else if (buffer.data == nullptr) {
      buffer = SweepBuffer<T>(typed_scratch<T>(exec, workspace.buffer, size),
                              Box::columns);
    }
    call.template buffered<Box>(buffer);
    if (on_the_fly) fence(exec, "Sporos::spread::buffer_on_the_fly");
  });
}

}  // namespace Impl
}  // namespace Sporos

#endif
