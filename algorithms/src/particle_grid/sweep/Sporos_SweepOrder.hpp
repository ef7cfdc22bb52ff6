// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SWEEPORDER_HPP
#define SPOROS_SWEEPORDER_HPP

/// \file Sporos_SweepOrder.hpp
/// What all sweeps over the points of one update have in common: the points
/// sorted by cell, and where the points of a cell start.

#include <Sporos_ForEachIndex.hpp>
#include <Sporos_ProfilingRegion.hpp>
#include <Sporos_SegmentedReduce.hpp>
#include <Sporos_SortByKey.hpp>
#include <Sporos_Workspace.hpp>
#include <particle_grid/stencil/Sporos_PointStencil.hpp>
#include <particle_grid/bins/Sporos_ParticleBins.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

namespace Sporos {
namespace Impl {

/// Points sorted by cell as the kernels of a sweep see them. A segment is the
/// points of one cell.
template <class Real, class MemorySpace>
struct SweepPoints {
  /// first grid point, in each direction, of a segment of points without a cell
  static constexpr int none = std::numeric_limits<int>::min() / 2;

  int n = 0;
  Kokkos::View<int*, MemorySpace> offsets;  ///< first point of a segment
  Kokkos::View<int, MemorySpace> count;     ///< number of segments
  /// first grid point of segment q in direction k at k * first_pitch + q, see
  /// first_grid_point
  const int* first        = nullptr;
  std::size_t first_pitch = 0;
  const Real* fractions   = nullptr;  ///< as in ParticleBins
  std::size_t pitch       = 0;
  const int* permutation  = nullptr;
  const int* plan_order   = nullptr;  ///< places in the plan's order

  /// Where the values of points are.
  PointPlaces places(bool in_plan_order) const {
    return PointPlaces{in_plan_order ? plan_order : permutation};
  }
};

/// The sorted points of bins, seen with the staggering g.
template <int Dim, class Real, int Support>
struct ShiftedPoints : SortedPoints<Dim, Real, Support> {
  using Points = SortedPoints<Dim, Real, Support>;
  StaggeringShift<Dim, Real, Support> shift;

  template <class Bins>
  ShiftedPoints(const Bins& bins, const Staggering& g)
      : Points(bins), shift(bins.cells, g) {}

  KOKKOS_FORCEINLINE_FUNCTION bool locate(int i, int (&cell)[Dim],
                                          Real (&r)[Dim]) const {
    if (!Points::locate(i, cell, r)) return false;
    this->apply(shift, cell, r);
    return true;
  }
};

/// Keys of the cells for a staggering; `cells` has room for one layer of cells
/// more next to walls, where a carry may lead.
template <int Dim, class Real, int Support>
struct RekeyPoints {
  ShiftedPoints<Dim, Real, Support> points;
  TiledCells<Dim, Real, Support> cells;
  std::uint64_t* keys;

  KOKKOS_FUNCTION void operator()(int i) const {
    int cell[Dim];
    Real r[Dim];
    if (!points.locate(i, cell, r)) {
      keys[i] = cells.whole_key_end();
      return;
    }
    for (int k = 0; k < Dim; ++k) {
      const int n = cells.cells[k];
      if (cells.window.is_line[k])  // no point near the ends touches the window
        cell[k] = Math::max(0, Math::min(cell[k], n - 1));
      else if (!cells.wraps[k])
        ++cell[k];
      else if (cell[k] < 0)
        cell[k] += n;
      else if (cell[k] >= n)
        cell[k] -= n;
    }
    keys[i] = cells.template key<std::uint64_t>(cell);
  }
};

/// Fractions and original numbers in the new order.
template <int Dim, class Real, int Support>
struct ReorderPoints {
  ShiftedPoints<Dim, Real, Support> points;
  const int* order;
  Real* fractions;
  std::size_t pitch;
  int* permutation;

  KOKKOS_FUNCTION void operator()(int i) const {
    int cell[Dim];
    Real r[Dim]    = {};
    const int j    = order[i];
    permutation[i] = points.permutation[j];
    points.locate(j, cell, r);
    for (int k = 0; k < Dim; ++k) fractions[k * pitch + i] = r[k];
  }
};

/// First grid points of all segments.
template <int Dim, class Real, int Support, class Offsets, class Count>
struct LocateSegments {
  ShiftedPoints<Dim, Real, Support> points;
  const int* order;
  Offsets offsets;
  Count count;
  int* first;
  std::size_t first_pitch;

  KOKKOS_FUNCTION void operator()(int q) const {
    if (q >= count()) return;
    int cell[Dim];
    Real r[Dim];
    const bool inside = points.locate(order[offsets(q)], cell, r);
    for (int k = 0; k < Dim; ++k)
      first[k * first_pitch + q] =
          inside ? first_grid_point(points.cells, k, cell[k])
                 : SweepPoints<Real, typename Offsets::memory_space>::none;
  }
};

/// The points of one update in the order for one staggering; kept until the
/// plan is updated or another staggering is asked for.
template <class Exec, int Dim, class Real, int Support>
class SweepOrder {
 public:
  using memory_space = typename Exec::memory_space;
  using Bins         = ParticleBins<Exec, Dim, Real, Support>;
  using Points       = SweepPoints<Real, memory_space>;

  const Points& points() const { return m_points; }

  const SweepOrder& prepare(const Exec& exec, const Bins& bins,
                            const Staggering& g) {
    if (m_version == bins.version && is_for(g)) return *this;
    const ProfilingRegion region("Sporos::spread::stage");
    m_version    = 0;  // until all is done: an allocation may fail
    m_staggering = g;
    m_points.n   = bins.n;
    const Shifted points(bins, g);
    if (bins.n != 0) find(exec, points, sort(exec, points));
    m_version = bins.version;
    return *this;
  }

  std::size_t bytes() const {
    return m_keys.bytes() + m_sort.bytes() + m_order.bytes() +
           m_permutation.bytes() + m_fractions.bytes() + m_offsets.bytes() +
           m_count.bytes() + m_first.bytes() + m_reduce.bytes();
  }

 private:
  template <class T>
  using Space   = WorkspaceView<T, memory_space>;
  using Range   = Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>;
  using Shifted = ShiftedPoints<Dim, Real, Support>;

  bool is_for(const Staggering& g) const {
    bool same = true;
    for (int d = 0; d < Dim; ++d) same = same && g[d] == m_staggering[d];
    return same;
  }

  /// Sorts the points; gives their keys.
  auto sort(const Exec& exec, const Shifted& points) {
    auto cells = points.cells;
    for (int k = 0; k < Dim; ++k) {
      if (cells.window.is_line[k] || cells.wraps[k]) continue;
      cells.cells[k] += 2;  // a layer more at both walls
      cells.tiles[k] = ceil_div(cells.cells[k], Bins::Cells::Shape::extent(k));
    }
    const int n            = m_points.n;
    const auto keys        = m_keys.require(exec, n);
    const auto order       = m_order.require(exec, n);
    int* const permutation = m_permutation.require_data(exec, n);
    m_points.pitch         = std::size_t(n);
    Real* const fractions =
        m_fractions.require_data(exec, Dim * m_points.pitch);
    for_each_index("Sporos::spread::sweep_keys", Range(exec, 0, n),
                   RekeyPoints<Dim, Real, Support>{points, cells, keys.data()});
    sort_by_key(exec, m_sort, keys, order, cells.key_bits());
    for_each_index(
        "Sporos::spread::sweep_order", Range(exec, 0, n),
        ReorderPoints<Dim, Real, Support>{points, order.data(), fractions,
                                          m_points.pitch, permutation});
    m_points.fractions   = fractions;
    m_points.permutation = permutation;
    m_points.plan_order  = order.data();
    return keys;
  }

  template <class Keys>
  void find(const Exec& exec, const Shifted& points, const Keys& keys) {
    const int n    = m_points.n;
    m_points.count = make_view<Kokkos::View<int, memory_space>>(
        m_count.require_data(exec, 1));
    m_points.offsets     = m_offsets.require(exec, std::size_t(n) + 1);
    m_points.first_pitch = std::size_t(n);
    int* const first = m_first.require_data(exec, Dim * m_points.first_pitch);
    m_points.first   = first;
    find_segments(exec, m_reduce, keys, m_points.offsets, m_points.count,
                  NoView{});
    for_each_index(
        "Sporos::spread::sweep_segments", Range(exec, 0, n),
        LocateSegments<Dim, Real, Support, decltype(m_points.offsets),
                       decltype(m_points.count)>{
            points, m_points.plan_order, m_points.offsets, m_points.count,
            first, m_points.first_pitch});
  }

  std::uint64_t m_version = 0;
  Staggering m_staggering{{0., 0., 0.}};
  Points m_points;
  Space<std::uint64_t> m_keys{"Sporos::spread::sweep_keys"};
  SortWorkspace<std::uint64_t, memory_space> m_sort;
  Space<int> m_order{"Sporos::spread::sweep_order"};
  Space<int> m_permutation{"Sporos::spread::sweep_permutation"};
  Space<Real> m_fractions{"Sporos::spread::sweep_fractions"};
  Space<int> m_offsets{"Sporos::spread::sweep_offsets"};
  Space<int> m_count{"Sporos::spread::sweep_count"};
  Space<int> m_first{"Sporos::spread::sweep_first"};
  ReduceWorkspace<memory_space> m_reduce;
};

/// What a plan knows of the workspace of its sweeps. Programs without sweeps
/// compile no more than this.
struct SweepMemory {
  virtual ~SweepMemory()            = default;
  virtual std::size_t bytes() const = 0;
};

/// What a plan keeps for its sweeps: an order of its points, and scratch.
template <class Exec, int Dim, class Real, int Support>
struct SweepWorkspace : SweepMemory {
  using memory_space = typename Exec::memory_space;

  SweepOrder<Exec, Dim, Real, Support> order;
  WorkspaceView<double, memory_space> weights{"Sporos::spread::weights"};
  WorkspaceView<double, memory_space> buffer{"Sporos::spread::buffer"};
  ReduceWorkspace<memory_space> reduce;

  std::size_t bytes() const override {
    return order.bytes() + weights.bytes() + buffer.bytes() + reduce.bytes();
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
