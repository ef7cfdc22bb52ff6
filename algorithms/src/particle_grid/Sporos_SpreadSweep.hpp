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
/// Wins: `sweep` for delta functions too wide for tiles on large grids,
///   buffered on small ones; the buffer may serve many plans.

#include <particle_grid/Sporos_StridedVector.hpp>
#include <particle_grid/Sporos_SweepBuffer.hpp>
#include <particle_grid/Sporos_SweepOrder.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace Sporos {
namespace Impl {

/// Strengths times 1 / cell volume in sorted order.
template <class S, class T>
struct SortStrengths {
  StridedVector<S> strengths;
  const int* permutation;
  T factor;
  T* sorted;

  KOKKOS_FUNCTION void operator()(int i) const {
    sorted[i] = factor * T(strengths(permutation[i]));
  }
};

/// Values of sorted point i at the shifts of a box.
template <class Exec, int Dim, class Real, class Delta, class T, class Box>
struct SweepValues {
  static constexpr int Support = Delta::support;
  using value_type             = SmallArray<T, Box::columns>;

  Delta delta;
  const Real* fractions;
  std::size_t pitch;
  const T* strengths;
  int shift[3];  ///< of the box

  KOKKOS_FORCEINLINE_FUNCTION value_type operator()(int i) const {
    constexpr bool host = is_host_space_v<Exec>;
    PointStencil<T, Dim, Support> s;
    Real r[Dim];
    for (int k = 0; k < Dim; ++k) r[k] = fractions[k * pitch + i];
    s.template set_weights<host>(delta, r);
    value_type v;
    if constexpr (host) {
      using Row   = RowPack<T, Box::extent0>;
      const Row x = Row::load(s.weight[0] + shift[0]);
      SPOROS_UNROLL
      for (int c = 0; c < Box::extent2; ++c) {
        T wz = strengths[i];
        if constexpr (Dim > 2) wz *= s.weight[2][shift[2] + c];
        SPOROS_UNROLL
        for (int b = 0; b < Box::extent1; ++b) {
          T w = wz;
          if constexpr (Dim > 1) w *= s.weight[1][shift[1] + b];
          x.times(w).store(&v[(c * Box::extent1 + b) * Box::extent0]);
        }
      }
    } else {
      SPOROS_UNROLL
      for (int k = 0; k < Box::columns; ++k) {
        T w = strengths[i] * pick(s, 0, k % Box::extent0);
        if constexpr (Dim > 1) w *= pick(s, 1, k / Box::extent0 % Box::extent1);
        if constexpr (Dim > 2) w *= pick(s, 2, k / Box::extent0 / Box::extent1);
        v[k] = w;
      }
    }
    return v;
  }

 private:
  /// weight[d][shift[d] + j] without an index that only the run time knows, so
  /// that weights stay in registers (compilers turn a chain of selections back
  /// into an index, a sum they leave alone)
  KOKKOS_FORCEINLINE_FUNCTION T pick(const PointStencil<T, Dim, Support>& s,
                                     int d, int j) const {
    T w = T(shift[d] == 0 ? 1 : 0) * s.weight[d][j];
    SPOROS_UNROLL
    for (int first = 1; first < Support; ++first)
      if (first + j < Support)
        w += T(shift[d] == first ? 1 : 0) * s.weight[d][first + j];
    return w;
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
    if (q + sweep_ahead < points.count()) prefetch(q + sweep_ahead);
    T* const place = place_of(q);
    if (place != nullptr) *place += sum[0];
  }

 private:
  /// Most places are where no index wraps.
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(int q) const {
    std::ptrdiff_t offset = 0;
    for (int k = 0; k < Dim; ++k)
      offset += (points.first[k * points.first_pitch + q] + shift[k]) *
                field.stride[k];
    SPOROS_PREFETCH(field.data + offset);
  }
  KOKKOS_FORCEINLINE_FUNCTION T* place_of(int q) const {
    T* place = field.data;
    for (int k = 0; k < Dim; ++k) {
      int i = points.first[k * points.first_pitch + q] + shift[k];
      if (i >= field.points[k])
        i = field.ghosts[k] != 0 ? -1 : i - field.points[k];
      if (i < 0) return nullptr;
      place += i * field.stride[k];
    }
    return place;
  }
};

/// Runs all sweeps with the shifts of Box; write(shift) makes the functor that
/// takes the sums.
template <class Box, class Exec, int Dim, class Real, class Delta, class S,
          class T, class MakeWrite>
void run_sweeps(const Exec& exec,
                const SweepPoints<Real, typename Exec::memory_space>& points,
                const Delta& delta, const StridedVector<S>& strengths, T factor,
                SweepWorkspace<Exec, Dim, Real, Delta::support>& workspace,
                const MakeWrite& write) {
  constexpr int s = Delta::support;
  T* const sorted =
      typed_scratch<T>(exec, workspace.strengths, std::size_t(points.n));
  Kokkos::parallel_for(
      "Sporos::spread::sort_strengths",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(exec, 0, points.n),
      SortStrengths<S, T>{strengths, points.permutation, factor, sorted});
  static const std::string label = "Sporos::spread::sweep";
  for (int c = 0; c < (Dim > 2 ? s : 1); c += Box::extent2)
    for (int b = 0; b < (Dim > 1 ? s : 1); b += Box::extent1)
      for (int a = 0; a < s; a += Box::extent0)
        segmented_reduce(
            label, exec, workspace.reduce, std::size_t(points.n),
            points.offsets, points.count,
            SweepValues<Exec, Dim, Real, Delta, T, Box>{
                delta, points.fractions, points.pitch, sorted, {a, b, c}},
            write(a, b, c));
}

/// field += spread strengths, one shift at a time. S may be const.
template <class Exec, int Dim, class Real, class Delta, class S, class T>
void spread_sweep(const Exec& exec,
                  const ParticleBins<Exec, Dim, Real, Delta::support>& bins,
                  const Delta& delta, const StridedVector<S>& strengths,
                  const FieldAccess<T, Dim>& field, const Staggering& g,
                  T factor,
                  SweepWorkspace<Exec, Dim, Real, Delta::support>& workspace) {
  using Write        = SweepToField<Real, typename Exec::memory_space, T, Dim>;
  const auto& points = workspace.prepare(exec, bins, g);
  if (points.n == 0) return;
  run_sweeps<ShiftBox<1, 1, 1>>(exec, points, delta, strengths, factor,
                                workspace, [&](int a, int b, int c) {
                                  return Write{points, field, {a, b, c}};
                                });
}

/// The same by way of a buffer with (at least) the columns of Box.
template <class Box, class Exec, int Dim, class Real, class Delta, class S,
          class T>
void spread_sweep_boxes(
    const Exec& exec,
    const SweepPoints<Real, typename Exec::memory_space>& points,
    const Delta& delta, const StridedVector<S>& strengths,
    const FieldAccess<T, Dim>& field, T factor, const SweepBuffer<T>& buffer,
    SweepWorkspace<Exec, Dim, Real, Delta::support>& workspace) {
  using Rows = BufferRows<Exec, T, Dim, Box>;
  using Write =
      SweepToBuffer<Exec, Real, typename Exec::memory_space, T, Dim, Box>;
  using Index = Kokkos::IndexType<std::int64_t>;
  const Rows rows{field, buffer};
  Kokkos::parallel_for("Sporos::spread::zero_buffer",
                       Kokkos::RangePolicy<Exec, typename Rows::Zero, Index>(
                           exec, 0, rows.items()),
                       rows);
  run_sweeps<Box>(exec, points, delta, strengths, factor, workspace,
                  [&](int a, int b, int c) {
                    return Write{points, field, buffer, {a, b, c}};
                  });
  Kokkos::parallel_for("Sporos::spread::sum_buffer",
                       Kokkos::RangePolicy<Exec, typename Rows::Sum, Index>(
                           exec, 0, rows.items()),
                       rows);
}

/// field += spread strengths, with a buffer of at most `columns` columns: the
/// given one, or one that the workspace keeps.
template <class Exec, int Dim, class Real, class Delta, class S, class T>
void spread_sweep_buffered(
    const Exec& exec, const ParticleBins<Exec, Dim, Real, Delta::support>& bins,
    const Delta& delta, const StridedVector<S>& strengths,
    const FieldAccess<T, Dim>& field, const Staggering& g, T factor,
    int columns, const SweepBuffer<T>& buffer,
    SweepWorkspace<Exec, Dim, Real, Delta::support>& workspace) {
  const auto& points = workspace.prepare(exec, bins, g);
  if (points.n == 0) return;
  with_box<Dim, Delta::support>(columns, [&](auto box) {
    using Box           = decltype(box);
    SweepBuffer<T> used = buffer;
    if (used.data == nullptr)
      used = SweepBuffer<T>(
          typed_scratch<T>(exec, workspace.buffer,
                           grid_points(field) * std::size_t(Box::columns)),
          Box::columns);
    spread_sweep_boxes<Box>(exec, points, delta, strengths, field, factor, used,
                            workspace);
  });
}

/// The same with a buffer that lives for this call.
template <class Exec, int Dim, class Real, class Delta, class S, class T>
void spread_sweep_on_the_fly(
    const Exec& exec, const ParticleBins<Exec, Dim, Real, Delta::support>& bins,
    const Delta& delta, const StridedVector<S>& strengths,
    const FieldAccess<T, Dim>& field, const Staggering& g, T factor,
    int columns, SweepWorkspace<Exec, Dim, Real, Delta::support>& workspace) {
  const auto& points = workspace.prepare(exec, bins, g);
  if (points.n == 0) return;
  with_box<Dim, Delta::support>(columns, [&](auto box) {
    using Box = decltype(box);
    const Kokkos::View<T*, typename Exec::memory_space> buffer(
        Kokkos::view_alloc(exec, Kokkos::WithoutInitializing,
                           "Sporos::spread::buffer_on_the_fly"),
        grid_points(field) * std::size_t(Box::columns));
    spread_sweep_boxes<Box>(exec, points, delta, strengths, field, factor,
                            SweepBuffer<T>(buffer.data(), Box::columns),
                            workspace);
  });
}

}  // namespace Impl
}  // namespace Sporos

#endif
