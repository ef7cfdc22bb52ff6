// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_GIVENORDER_HPP
#define SPOROS_GIVENORDER_HPP

/// \file Sporos_GivenOrder.hpp
/// Hosts: what a plan keeps of points in the given order, how these are cut
/// into chunks, and when it is better not to sort them.

#include <Sporos_Checks.hpp>
#include <Sporos_ForEachIndex.hpp>
#include <Sporos_ViewChecks.hpp>
#include <Sporos_Workspace.hpp>
#include <particle_grid/bins/Sporos_GridConstants.hpp>
#include <particle_grid/bins/Sporos_ParticleBins.hpp>
#include <particle_grid/given/Sporos_GivenPoints.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace Sporos {
namespace Impl {

/// What points cost in the given order and sorted: nanoseconds of each for an
/// update, a spread and an interpolation.
struct GivenOrderModel {
  double points, grid;  ///< numbers of points and grid points
  double bytes;         ///< of the grid
  double rows;          ///< of the support of a point
  double support;

  double given(int chunks, double volume) const {
    return point(chunks, volume) + copied() * volume / points;
  }
  /// What the number of chunks is chosen by: few of them leave threads idle.
  /// (By sizes alone, so that bits do not depend on threads.)
  double given_in_parallel(int chunks, double volume) const {
    return point(chunks, volume) * (1 + few_chunks / chunks) +
           copied() * volume / points;
  }
  double sorted(int chunks, double volume) const {
    const bool ordered = share(chunks, volume) < ordered_share;
    return (ordered ? sorted_ordered_point : sorted_point) +
           sorted_grid_point * rows * support;
  }

 private:
  double copied() const {
    return bytes <= copied_level_2   ? copied_in_level_2
           : bytes <= copied_level_3 ? copied_in_level_3
                                     : copied_beyond;
  }
  static double row(double bytes) {
    return bytes <= given_level_1   ? given_row_level_1
           : bytes <= given_level_2 ? given_row_level_2
           : bytes <= given_level_3 ? given_row_level_3
           : bytes <= given_shared  ? given_row_shared
                                    : given_row_beyond;
  }
  /// Share of the grid that the box of a chunk has, on average
  double share(int chunks, double volume) const {
    return volume / chunks / grid;
  }
  double point(int chunks, double volume) const {
    // the memory that points of a chunk touch at a time
    const double box = share(chunks, volume);
    const double part =
        box < ordered_share ? ordered_at_once * box * bytes : bytes;
    return given_update +
           2 * (given_point + rows * (row(part) + given_value * support));
  }
};

/// Consecutive points that one thread adds up, and the boxes of their cells.
template <int Dim>
struct PointChunks {
  static constexpr int most = most_chunks;
  int count                 = 0;
  int pieces                = 1;  ///< of a chunk
  CellBox<Dim> box[most];
  double volume = 0;  ///< grid points of all copies

  /// Cuts pieces into the number of chunks that the model likes best.
  void cut(const CellBox<Dim>* piece_boxes, int n_pieces,
           const GivenOrderModel& model, const int (&extent)[Dim]) {
    double least = 0;
    int best     = Math::max(n_pieces, 1);
    for (int chunks = Math::min(most, n_pieces); chunks > 0; chunks /= 2) {
      pieces = ceil_div(n_pieces, chunks);
      join(piece_boxes, n_pieces, int(model.support), extent);
      const double time = model.given_in_parallel(count, volume);
      if (least > 0 && time >= least) continue;
      least = time;
      best  = pieces;
    }
    pieces = best;
    join(piece_boxes, n_pieces, int(model.support), extent);
  }

 private:
  void join(const CellBox<Dim>* piece_boxes, int n_pieces, int support,
            const int (&extent)[Dim]) {
    count  = ceil_div(n_pieces, Math::max(pieces, 1));
    volume = 0;
    for (int c = 0; c < count; ++c) {
      const int end = Math::min(n_pieces, (c + 1) * pieces);
      box[c]        = CellBox<Dim>::none();
      for (int p = c * pieces; p < end; ++p) box[c].join(piece_boxes[p]);
      if (box[c].empty()) continue;
      double all = 1;
      for (int k = 0; k < Dim; ++k) {
        // by whole steps: then copies of moving points seldom grow
        constexpr int step = box_step;
        box[c].low[k]      = box[c].low[k] / step * step;
        box[c].end[k] =
            Math::min(extent[k], ceil_div(box[c].end[k], step) * step);
        all *= double(box[c].end[k] - box[c].low[k]) + support;
      }
      volume += all;
    }
  }
};

/// to[order[i]] = i
struct InvertOrder {
  const int* order;
  int* to;

  void operator()(int i) const { to[order[i]] = i; }
};

/// The points of a plan in the given order: copies of their positions, the
/// caller's View of these, or where they are in the plan's order.
template <class Exec, int Dim, class Real, int Support>
class GivenOrder {
  using Bins  = ParticleBins<Exec, Dim, Real, Support>;
  using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>;
  template <class T>
  using Space = WorkspaceView<T, typename Exec::memory_space>;

 public:
  using Points = GivenPoints<Dim, Real, Support>;
  /// First coordinates in a View of positions, which keep it in memory
  using Held = Kokkos::View<const Real*, Kokkos::LayoutStride,
                            typename Exec::memory_space>;

  bool kept() const { return m_kept; }
  /// Are they the caller's View?
  bool holds() const { return m_kept && m_held.data() != nullptr; }
  int size() const { return m_n; }
  std::size_t bytes() const {
    return m_places.bytes() + m_new.bytes() + m_now.bytes();
  }
  int chunk_count() const { return m_chunks.count; }
  /// Kept points without a cell
  int outside() const {
    int n = 0;
    for (int c = 0; c < m_chunks.count; ++c) n += m_chunks.box[c].outside;
    return n;
  }

  /// Is it better not to sort these points?
  template <class Positions>
  static bool prefers(const typename Bins::Cells& cells,
                      const Positions& positions) {
    if (positions.n == 0) return false;
    PointChunks<Dim> chunks;
    constexpr int most = PointChunks<Dim>::most;
    const auto& extent = cells.cells;
    const auto model   = model_of(positions.n, extent);
    const auto decide  = [&](const CellBox<Dim>* boxes, int count) {
      chunks.cut(boxes, count, model, extent);
      return chunks.count > 1 &&
             chunks.volume < chunks.count * most_copied_points &&
             model.given(chunks.count, chunks.volume) <
                 model.sorted(chunks.count, chunks.volume);
    };
    // points in any order at first
    CellBox<Dim> boxes[most];
    const int count = Math::min(most, ceil_div(positions.n, piece_points));
    for (auto& box : boxes) {
      box = CellBox<Dim>::none();
      for (int k = 0; k < Dim; ++k) {
        box.low[k] = 0;
        box.end[k] = extent[k];
      }
    }
    if (decide(boxes, count)) return true;
    sample(cells, positions, count, boxes);
    return decide(boxes, count);
  }

  /// Copies points, or holds their View, on a grid without a window. Throws for
  /// coordinates that are not finite, and leaves all as it was.
  /// held: of the View that positions are of; empty: copies them
  template <class P>
  void keep(const char* function, const Exec& exec,
            const typename Bins::Cells& cells,
            const PointPositions<P, Dim>& positions, const Held& held) {
    constexpr int block = given_block;
    const auto pitch    = std::size_t(ceil_div(positions.n, block)) * block;
    const int n_pieces  = ceil_div(positions.n, piece_points);
    Real* const to      = held.data() == nullptr
                              ? m_new.positions.require_data(exec, Dim * pitch)
                              : nullptr;
    CellBox<Dim>* const pieces = measure(exec, cells, positions, to, pitch);
    int first_bad              = none_bad;
    for (int p = 0; p < n_pieces; ++p)
      first_bad = Math::min(first_bad, pieces[p].first_bad);
    check_finite_points(function, first_bad);
    std::swap(m_now, m_new);
    m_kept = m_measured = true;
    m_n                 = positions.n;
    m_held              = held;
    m_boxes             = pieces;
    m_room              = to != nullptr ? int(pitch) : m_n;
    if (to != nullptr)
      m_positions = Coordinates(to, {1, std::ptrdiff_t(pitch)}, m_n);
    else if constexpr (std::is_same<P, const Real>::value)
      m_positions = positions;
    m_chunks.cut(pieces, n_pieces, model_of(m_n, cells.cells), cells.cells);
  }

  /// The points are in the bins alone from now on.
  void forget(int n) {
    m_kept = m_measured = false;
    m_n                 = n;
    m_held              = Held();
  }

  const PointPositions<const Real, Dim>& positions() const {
    return m_positions;
  }
  /// Throws if values are written into the caller's View.
  template <class Values>
  void check_not_written(const char* function, const char* argument,
                         const Values& values) const {
    if (!holds()) return;
    const auto& x = m_positions;
    check_apart(
        function, argument, values,
        "positions, which the plan reads (PlanOptions::positions)",
        Kokkos::View<const Real**, Kokkos::LayoutStride,
                     typename Exec::memory_space, Kokkos::MemoryUnmanaged>(
            x.data,
            Kokkos::LayoutStride(std::size_t(x.n), std::size_t(x.stride[0]),
                                 std::size_t(Dim), std::size_t(x.stride[1]))));
  }
  /// With SPOROS_ENABLE_CHECKS, throws if the caller's View has other positions
  /// than at the last update.
  void check_unchanged([[maybe_unused]] const Exec& exec,
                       [[maybe_unused]] const typename Bins::Cells& cells) {
    if constexpr (checks_enabled) {
      if (!holds()) return;
      const CellBox<Dim>* const now =
          measure(exec, cells, m_positions, nullptr, 0);
      for (int p = 0; p < ceil_div(m_n, piece_points); ++p)
        check(now[p].sum == m_boxes[p].sum, "Sporos::ParticleGridPlan",
              "positions",
              "those of the last update, as PlanOptions::positions promises",
              text("others after point ", p * piece_points));
    }
  }

  /// bins: of the same points, if they are not kept
  /// \param in_plan_order are places in the order of the plan asked for?
  Points points(const Exec& exec, const Bins& bins, bool in_plan_order) {
    if (!m_kept || in_plan_order) invert(exec, bins);
    return Points{SortedPoints<Dim, Real, Support>(bins),
                  m_kept ? m_positions : Coordinates(nullptr, {0, 0}, 0),
                  m_room,
                  m_boxes,
                  m_inverse,
                  m_n};
  }
  const PointChunks<Dim>& chunks(const Exec& exec, const Points& points) {
    if (m_measured) return m_chunks;
    const int n_pieces = ceil_div(m_n, piece_points);
    CellBox<Dim>* const pieces =
        m_now.pieces.require_data(exec, std::size_t(n_pieces));
    for_each_index("Sporos::spread::boxes", Range(exec, 0, n_pieces),
                   BoxOfPiece<Dim, Real, Support>{points, pieces});
    int extent[Dim];
    for (int k = 0; k < Dim; ++k) extent[k] = points.extent(k);
    m_chunks.cut(pieces, n_pieces, model_of(m_n, extent), extent);
    m_measured = true;
    return m_chunks;
  }

 private:
  using Coordinates = PointPositions<const Real, Dim>;
  struct Kept {
    Space<Real> positions{"Sporos::ParticleGridPlan::positions"};
    Space<CellBox<Dim>> pieces{"Sporos::ParticleGridPlan::boxes"};
    std::size_t bytes() const { return positions.bytes() + pieces.bytes(); }
  };

  static GivenOrderModel model_of(int n, const int (&extent)[Dim]) {
    GivenOrderModel model{};
    model.points  = n;
    model.rows    = support_rows<Dim, Support>;
    model.support = Support;
    model.grid    = 1;
    for (const int cells : extent) model.grid *= double(cells) + Support;
    model.bytes = model.grid * sizeof(Real);
    return model;
  }

  /// Boxes of pieces of points, and copies of these; see KeepPiece
  template <class P>
  CellBox<Dim>* measure(const Exec& exec, const typename Bins::Cells& cells,
                        const PointPositions<P, Dim>& positions, Real* to,
                        std::size_t pitch) {
    using Piece        = KeepPiece<PointPositions<P, Dim>, Dim, Real, Support>;
    const int n_pieces = ceil_div(positions.n, piece_points);
    CellBox<Dim>* const pieces =
        m_new.pieces.require_data(exec, std::size_t(n_pieces));
    for_each_index("Sporos::ParticleGridPlan::keep", Range(exec, 0, n_pieces),
                   Piece{cells, positions, to, pitch, pieces});
    return pieces;
  }

  /// Cells of some points of each of `count` parts
  template <class Positions>
  static void sample(const typename Bins::Cells& cells,
                     const Positions& positions, int count,
                     CellBox<Dim>* boxes) {
    constexpr int samples = chunk_samples;
    for (int c = 0; c < count; ++c) {
      const auto first = std::int64_t(positions.n) * c / count;
      const auto end   = std::int64_t(positions.n) * (c + 1) / count;
      boxes[c]         = CellBox<Dim>::none();
      for (int j = 0; j < samples; ++j) {
        const int i = int(first + (end - first) * j / samples);
        CellBox<Dim> one;
        bool inside = true;
        for (int k = 0; k < Dim; ++k) {
          Real r     = 0;
          one.low[k] = 0;
          inside = cells.locate(k, Real(positions(i, cells.dir[k])), one.low[k],
                                r) == Located::inside &&
                   inside;
          one.end[k] = one.low[k] + 1;
        }
        if (inside) boxes[c].join(one);
      }
    }
  }

  /// Finds the places of points in the order of the bins.
  void invert(const Exec& exec, const Bins& bins) {
    if (m_inverted == bins.version) return;
    m_inverse = m_places.require_data(exec, std::size_t(m_n));
    for_each_index("Sporos::spread::invert_order", Range(exec, 0, m_n),
                   InvertOrder{bins.permutation.data(), m_inverse});
    m_inverted = bins.version;
  }

  std::uint64_t m_inverted = 0;  ///< the version of bins that places are of
  int* m_inverse           = nullptr;
  Coordinates m_positions{nullptr, {0, 0}, 0};
  int m_room            = 0;  ///< see GivenPoints
  CellBox<Dim>* m_boxes = nullptr;
  Held m_held;  ///< if positions are the caller's
  bool m_kept     = false;
  bool m_measured = false;  ///< are chunks those of the points?
  int m_n         = 0;
  Kept m_now, m_new;
  PointChunks<Dim> m_chunks;
  Space<int> m_places{"Sporos::ParticleGridPlan::places"};
};

}  // namespace Impl
}  // namespace Sporos

#endif
