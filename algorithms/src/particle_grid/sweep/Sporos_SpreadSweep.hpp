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
///   the columns at the end. Hosts run all sweeps over a column of tiles before
///   the next (Sporos_SweepInCache.hpp), unless the points crowd in a few.
/// Cost: s^Dim / columns passes over the points, s^Dim additions to memory per
///   occupied cell; buffered: a pass over columns times the grid.
/// Wins: `sweep` for delta functions too wide for tiles on large grids,
///   buffered on small ones; the buffer may serve many plans.

#include <Sporos_ForEachIndex.hpp>
#include <particle_grid/stencil/Sporos_TransferGroup.hpp>
#include <particle_grid/sweep/Sporos_SweepBuffer.hpp>
#include <particle_grid/sweep/Sporos_SweepInCache.hpp>
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
    s.template set_weights<is_host_space_v<Exec>>(delta, r);
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
template <class T, int Dim, int Support, class Box, bool Together>
struct BoxValues {
  using value_type = SmallArray<T, Box::columns>;

  SweepWeights<T, Dim, Support, Together> weights;
  const T* strengths;
  int shift[3];  ///< of the box

  KOKKOS_FORCEINLINE_FUNCTION value_type operator()(int i) const {
    value_type v;
    if constexpr (Together) {
      using Row   = RowPack<T, Box::extent0>;
      const Row x = Row::load(weights.at(0, shift[0], i));
      for_each_row(i, [&](int first, T w) { x.times(w).store(&v[first]); });
    } else {
      T x[Box::extent0];
      SPOROS_UNROLL
      for (int a = 0; a < Box::extent0; ++a)
        x[a] = *weights.at(0, shift[0] + a, i);
      for_each_row(i, [&](int first, T w) {
        SPOROS_UNROLL
        for (int a = 0; a < Box::extent0; ++a) v[first + a] = x[a] * w;
      });
    }
    return v;
  }

 private:
  /// row(number of its first column, weight of directions 1 and 2)
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_row(int i, const F& row) const {
    SPOROS_UNROLL
    for (int c = 0; c < Box::extent2; ++c) {
      T wz = strengths[i];
      if constexpr (Dim > 2) wz *= *weights.at(2, shift[2] + c, i);
      SPOROS_UNROLL
      for (int b = 0; b < Box::extent1; ++b) {
        T w = wz;
        if constexpr (Dim > 1) w *= *weights.at(1, shift[1] + b, i);
        row((c * Box::extent1 + b) * Box::extent0, w);
      }
    }
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
    if (q + sweep_ahead < points.count())
      SPOROS_PREFETCH(at(place(q + sweep_ahead)));
    T* const place = place_of(q);
    if (place != nullptr) *place += sum[0];
  }

  static constexpr std::ptrdiff_t no_place = -1;
  /// Where shift 0 of segment q is, if its support lies in the grid, or
  /// no_place.
  KOKKOS_FORCEINLINE_FUNCTION std::ptrdiff_t place(int q) const {
    if (points.number[q] < 0) return no_place;
    std::ptrdiff_t at = 0;
    for (int k = 0; k < Dim; ++k)
      at += points.first[k * points.first_pitch + q] * field.stride[k];
    return at;
  }
  KOKKOS_FORCEINLINE_FUNCTION T* at(std::ptrdiff_t place) const {
    for (int k = 0; k < Dim; ++k) place += shift[k] * field.stride[k];
    return field.data + place;
  }
  KOKKOS_FORCEINLINE_FUNCTION void add_at(std::ptrdiff_t place,
                                          const SmallArray<T, 1>& sum) const {
    *at(place) += sum[0];
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION T* place_of(int q) const {
    T* place = field.data;
    for (int k = 0; k < Dim; ++k) {
      int i = points.first[k * points.first_pitch + q] + shift[k];
      if (i >= field.points[k])
        i = field.wraps[k] ? ring_index(i, field.points[k]) : -1;
      if (i < 0) return nullptr;
      place += i * field.stride[k];
    }
    return place;
  }
};

/// Runs all sweeps with the shifts of Box: value(shift) and write(shift) make
/// the functors that give the values and take the sums.
template <class Box, int Dim, int Support, class Exec, class Points,
          class MakeValue, class MakeWrite, class Reduce>
void run_sweeps(const Exec& exec, const Points& points, const MakeValue& value,
                const MakeWrite& write, Reduce& workspace) {
  static const std::string label = "Sporos::spread::sweep";
  using Boxes                    = SupportBoxes<Box, Dim, Support>;
  for (int n = 0; n < Boxes::count; ++n)
    segmented_reduce_tuned<ReduceTuning<Exec>>(
        label, exec, workspace, std::size_t(points.n), points.offsets,
        points.count, Boxes::at(n, value), Boxes::at(n, write),
        points.segments_at);
}

/// Do the weights of direction 0 of a point stand side by side?
template <class Exec, class Box>
constexpr bool weights_together = is_host_space_v<Exec>&& packs_are_registers &&
                                  (Box::extent0 > 1);

/// What the sweeps of one call have in common.
template <class Exec, int Dim, class Real, class Delta, class Group>
struct SweepCall {
  static constexpr int Support = Delta::support;
  using T                      = typename Group::T;
  using Workspace              = SweepWorkspace<Exec, Dim, Real, Support>;
  using Points                 = SweepPoints<Real, typename Exec::memory_space>;

  const Exec& exec;
  const SweepOrder<Exec, Dim, Real, Support>& order;
  const Points& points;
  const Delta& delta;
  SweepStrengths<Group> strengths;
  Workspace& workspace;

  template <class Bins>
  SweepCall(const Exec& exec_, const Bins& bins, const Delta& delta_,
            const Group& group, T factor, Workspace& workspace_)
      : exec(exec_),
        order(workspace_.prepare(exec, bins, group.staggering[0],
                                 group.field[0].points)),
        points(order.points()),
        delta(delta_),
        strengths{group, points.places(group.in_plan_order), factor},
        workspace(workspace_) {}

  const Group& group() const { return strengths.group; }

  /// Runs all sweeps column by column if this back end does and the columns
  /// are balanced; returns whether it did. write: see SweepColumn.
  template <class Box, class Write>
  bool in_cache(int component, int components, const Write& write) const {
    if constexpr (sweeps_columns<Exec, Support>) {
      if (!order.columns().balanced()) return false;
      constexpr bool together = weights_together<Exec, Box>;
      using Weigh = WeighPoints<Exec, T, Dim, Real, Delta, together>;
      sweep_columns<Box>(
          exec, order.columns(), Weigh{delta, points, {}}, strengths, component,
          components,
          [](const typename Weigh::Weights& weights, const T* sorted, int a,
             int b, int c) {
            return BoxValues<T, Dim, Support, Box, together>{
                weights, sorted, {a, b, c}};
          },
          write);
      return true;
    } else {
      return false;
    }
  }

  /// All components, one shift at a time.
  void sweep() const {
    using Write   = SweepToField<Real, typename Exec::memory_space, T, Dim>;
    using Box     = ShiftBox<1, 1, 1>;
    const auto to = [points = points, group = group()](int component, int a,
                                                       int b, int c) {
      return Write{points, group.field[component], {a, b, c}};
    };
    if (in_cache<Box>(0, group().count, to)) return;
    T* const sorted =
        typed_scratch<T>(exec, workspace.weights, std::size_t(points.n));
    for (int component = 0; component < group().count; ++component) {
      sort_strengths("Sporos::spread::sort_strengths", exec, strengths,
                     component, points.n, sorted);
      run_sweeps<Box, Dim, Support>(
          exec, points,
          [&](int a, int b, int c) {
            return ShiftValue<Exec, Dim, Real, Delta, T>{
                delta, points.fractions, points.pitch, sorted, {a, b, c}};
          },
          [&](int a, int b, int c) { return to(component, a, b, c); },
          workspace.reduce);
    }
  }

  /// One component after another by way of a buffer with (at least) the
  /// columns of Box.
  template <class Box>
  void buffered(const SweepBuffer<T>& buffer) const {
    using Rows  = BufferRows<Exec, T, Dim, Box>;
    using Index = Kokkos::IndexType<std::int64_t>;
    StoredWeights<Box> stored;
    for (int component = 0; component < group().count; ++component) {
      const Rows rows{group().field[component], buffer};
      for_each_index("Sporos::spread::zero_buffer",
                     Kokkos::RangePolicy<Exec, typename Rows::Zero, Index>(
                         exec, 0, rows.items()),
                     rows);
      const auto write = [points = points, rows](int, int a, int b, int c) {
        return SweepToBuffer<Exec, Real, typename Exec::memory_space, T, Dim,
                             Box>(points, rows.field, rows.buffer, a, b, c);
      };
      if (!in_cache<Box>(component, 1, write)) {
        stored.prepare(*this, component);
        run_sweeps<Box, Dim, Support>(
            exec, points,
            [&](int a, int b, int c) { return stored.values(a, b, c); },
            [&](int a, int b, int c) { return write(0, a, b, c); },
            workspace.reduce);
      }
      for_each_index("Sporos::spread::sum_buffer",
                     Kokkos::RangePolicy<Exec, typename Rows::Sum, Index>(
                         exec, 0, rows.items()),
                     rows);
    }
  }

 private:
  /// Weights of all points, computed once, and strengths of one component.
  template <class Box>
  struct StoredWeights {
    static constexpr bool together = weights_together<Exec, Box>;
    SweepWeights<T, Dim, Support, together> weights;
    T* sorted = nullptr;

    void prepare(const SweepCall& call, int component) {
      using Weigh = WeighPoints<Exec, T, Dim, Real, Delta, together>;
      const int n = call.points.n;
      if (sorted == nullptr) {
        const std::size_t size = weights.size(call.points.pitch);
        T* const memory = typed_scratch<T>(call.exec, call.workspace.weights,
                                           size + std::size_t(n));
        weights         = {memory, call.points.pitch};
        sorted          = memory + size;
        for_each_index("Sporos::spread::sweep_weights",
                       LightRange<Exec, Kokkos::IndexType<int>>(
                           call.exec, 0, ceil_div(n, Weigh::block)),
                       Weigh{call.delta, call.points, weights});
      }
      sort_strengths("Sporos::spread::sweep_strengths", call.exec,
                     call.strengths, component, n, sorted);
    }
    BoxValues<T, Dim, Support, Box, together> values(int a, int b,
                                                     int c) const {
      return {weights, sorted, {a, b, c}};
    }
  };
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
  if (call.points.n > 0) call.sweep();
}

/// fields += spread strengths, one shift at a time, by way of a buffer with at
/// most `columns` columns: the given one, or one that the workspace keeps, or
/// one that lives for this call, which then waits for the result since kernels
/// use the buffer until then.
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
