// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_GIVENPOINTS_HPP
#define SPOROS_GIVENPOINTS_HPP

/// \file Sporos_GivenPoints.hpp
/// Hosts: the points of a plan in the order in which they were given, a block
/// of them at a time, and the boxes of cells that consecutive ones lie in.

#include <Sporos_Checks.hpp>
#include <Sporos_KokkosCompat.hpp>
#include <particle_grid/bins/Sporos_BinKernels.hpp>
#include <particle_grid/bins/Sporos_GridConstants.hpp>
#include <particle_grid/bins/Sporos_TiledCells.hpp>
#include <particle_grid/stencil/Sporos_PointStencil.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// Where points lie, which tells how they can be located again.
enum class Places {
  grid,        ///< in the grid, or next to a wall
  neighbours,  ///< also up to a period away
  anywhere     ///< or have no cell
};

/// Cells and fractions of a block of points.
template <int Dim, class Real, int Block>
struct LocatedBlock {
  static constexpr int size = Block;

  int cell[Dim][Block];  ///< from 0 on, see GivenPoints
  Real fraction[Dim][Block];
  bool all;            ///< has each point a cell?
  Places places;       ///< see there; undefined for points that are read again
  bool inside[Block];  ///< has this one? Undefined if all have

  bool has(int i) const { return all || inside[i]; }
};

/// A box of cells as GivenPoints counts them; empty: end <= low.
template <int Dim>
struct CellBox {
  int low[Dim], end[Dim];
  int outside       = 0;  ///< points without a cell that were left out
  Places places     = Places::grid;
  int first_bad     = std::numeric_limits<int>::max();  ///< see BinCounts
  std::uint64_t sum = 0;  ///< of the bits of positions, with checks_enabled

  static CellBox none() {
    CellBox box;
    for (int k = 0; k < Dim; ++k) {
      box.low[k] = std::numeric_limits<int>::max();
      box.end[k] = 0;
    }
    return box;
  }
  bool empty() const { return end[0] <= low[0]; }
  void join(const CellBox& other) {
    for (int k = 0; k < Dim; ++k) {
      low[k] = Math::min(low[k], other.low[k]);
      end[k] = Math::max(end[k], other.end[k]);
    }
    outside += other.outside;
    places    = Math::max(places, other.places);
    first_bad = Math::min(first_bad, other.first_bad);
  }
  template <class Real, int Block>
  void add(const LocatedBlock<Dim, Real, Block>& points, int count) {
    places = Math::max(places, points.places);
    if (count == Block && points.all) {  // a loop that compilers vectorise
      for (int k = 0; k < Dim; ++k) {
        int least = low[k], most = end[k] - 1;
        for (int i = 0; i < Block; ++i) {
          least = Math::min(least, points.cell[k][i]);
          most  = Math::max(most, points.cell[k][i]);
        }
        low[k] = least;
        end[k] = most + 1;
      }
      return;
    }
    for (int i = 0; i < count; ++i) {
      if (!points.has(i)) {
        ++outside;
        continue;
      }
      for (int k = 0; k < Dim; ++k) {
        low[k] = Math::min(low[k], points.cell[k][i]);
        end[k] = Math::max(end[k], points.cell[k][i] + 1);
      }
    }
  }
};

/// Coordinates of a block of points, direction by direction, the last block
/// filled up with its first point.
template <class P, class Real, int Dim, int Block>
SPOROS_ALWAYS_INLINE void load_block(const PointPositions<P, Dim>& positions,
                                     int begin, int count,
                                     Real (&x)[Dim][Block]) {
  if (count == Block && positions.stride[0] == Dim &&
      positions.stride[1] == 1) {  // loops that compilers vectorise
    const P* const from = &positions(begin, 0);
    for (int i = 0; i < Block; ++i)
      for (int d = 0; d < Dim; ++d) x[d][i] = Real(from[i * Dim + d]);
  } else {
    for (int d = 0; d < Dim; ++d)
      for (int i = 0; i < Block; ++i)
        x[d][i] = Real(positions(begin + (i < count ? i : 0), d));
  }
}

/// Points in the given order: from their positions, or, where a plan has sorted
/// them and nothing else, from their places in its order.
///
/// Cells are counted along the field without gaps, from the lowest on in which
/// a point can lie.
template <int Dim, class Real, int Support>
struct GivenPoints {
  using Sorted = SortedPoints<Dim, Real, Support>;
  using Cells  = typename Sorted::Cells;

  Sorted sorted;
  PointPositions<const Real, Dim> positions;  ///< or null
  int room;  ///< points of the memory of positions, the last block filled up
  const CellBox<Dim>* boxes;  ///< of pieces; if there are positions
  const int* places;          ///< of points in the plan's order
  int n;

  const Cells& cells() const { return sorted.cells; }
  /// Cell 0 in direction k is so far from that of the field's first grid point.
  int lowest(int k) const { return cells().grid_cell(k, 0); }
  /// Cells in direction k
  int extent(int k) const {
    return cells().grid_cell(k, cells().cells[k] - 1) - lowest(k) + 1;
  }

  template <int Block>
  void locate(int begin, LocatedBlock<Dim, Real, Block>& out) const {
    if (positions.data == nullptr) return locate_sorted(begin, out);
    int bad = 0;
    const Real* x[Dim];
    Real loaded[Dim][Block];
    const bool direct = positions.stride[0] == 1 && room - begin >= Block;
    if (!direct)
      load_block(positions, begin, Math::min(n - begin, Block), loaded);
    for (int d = 0; d < Dim; ++d)
      x[d] = direct ? &positions(begin, d) : loaded[d];
    const Places where = boxes[begin / piece_points].places;
    if (where == Places::anywhere) {
      locate_positions(cells(), x, out, Math::min(n - begin, Block), 0, bad);
      return;
    }
    for (int k = 0; k < Dim; ++k)
      if (!cells().wraps[k])
        locate_along<false, false, true>(cells(), k, x, out);
      else if (where == Places::grid)
        locate_along<true, true, true>(cells(), k, x, out);
      else
        locate_along<true, false, true>(cells(), k, x, out);
    out.all = true;
  }

  /// Locates a block with the coordinates x[direction of the grid].
  /// `count` points of it exist; the others have any finite coordinates. Lowers
  /// first_bad to the first point, the block's first being number `begin`, that
  /// is not finite.
  template <int Block>
  static void locate_positions(const Cells& cells, const Real* const (&x)[Dim],
                               LocatedBlock<Dim, Real, Block>& out, int count,
                               int begin, int& first_bad) {
    out.all    = true;
    out.places = Places::grid;
    for (int k = 0; k < Dim; ++k) {
      const Places where =
          cells.wraps[k] ? locate_along<true, false, false>(cells, k, x, out)
                         : locate_along<false, false, false>(cells, k, x, out);
      out.places = Math::max(out.places, where);
    }
    if (out.places == Places::anywhere)
      locate_each(cells, x, out, count, begin, first_bad);
  }

 private:
  /// Without branches, so that compilers vectorise it: points in the grid or,
  /// in a periodic direction, up to a period away. Returns where they are;
  /// `Known`: they lie there. In: and all in the grid itself.
  template <bool Wraps, bool In, bool Known, int Block>
  SPOROS_ALWAYS_INLINE static Places locate_along(
      const Cells& cells, int k, const Real* const (&x)[Dim],
      LocatedBlock<Dim, Real, Block>& out) {
    using Flag              = LaneInteger<Real>;
    const int n             = cells.cells[k];
    const bool around       = Wraps && n <= most_cells_around;
    const Real low          = Wraps ? (around ? Real(-n) : Real(0)) : Real(-1);
    const Real end          = around ? Real(2 * n) : Real(Wraps ? n : n - 1);
    const Real* const along = x[cells.dir[k]];
    const Real origin = cells.origin[k], inverse = cells.inverse_h[k],
               offset    = cells.offset[k];
    int* const cell      = out.cell[k];
    Real* const fraction = out.fraction[k];
    Real p[Block];
    Flag all = 1;
    int in   = 1;
    for (int i = 0; i < Block; ++i) {
      const Real at   = Cells::position(along[i], origin, inverse, offset);
      const bool here = Known || ((at >= low) & (at < end));
      all &= Flag(here);
      p[i] = here ? at : low;
    }
    SPOROS_IVDEP
    for (int i = 0; i < Block; ++i) {
      const int t = In ? int(p[i]) : small_floor(p[i]);
      fraction[i] = (p[i] - Real(t)) - Cells::half;
      if constexpr (Wraps && !In) {
        in &= int(t >= 0) & int(t < n);
        cell[i] = t + (t < 0 ? n : 0) - (t >= n ? n : 0);
      } else {
        cell[i] = Wraps ? t : t + 1;
      }
    }
    return all == 0  ? Places::anywhere
           : in == 0 ? Places::neighbours
                     : Places::grid;
  }

  /// Where some points are not in the grid
  template <int Block>
  [[gnu::noinline]] static void locate_each(const Cells& cells,
                                            const Real* const (&x)[Dim],
                                            LocatedBlock<Dim, Real, Block>& out,
                                            int count, int begin,
                                            int& first_bad) {
    for (int i = 0; i < count; ++i) {
      bool inside = true;
      for (int k = 0; k < Dim; ++k) {
        int cell        = 0;
        Real r          = 0;
        const Located l = cells.locate(k, x[cells.dir[k]][i], cell, r);
        if (l == Located::not_finite && begin + i < first_bad)
          first_bad = begin + i;
        inside             = inside && l == Located::inside;
        out.cell[k][i]     = l == Located::inside ? cell : 0;
        out.fraction[k][i] = r;
      }
      out.inside[i] = inside;
      out.all       = out.all && inside;
    }
  }

  template <int Block>
  void locate_sorted(int begin, LocatedBlock<Dim, Real, Block>& out) const {
    int low[Dim];
    for (int k = 0; k < Dim; ++k) low[k] = lowest(k);
    out.all    = true;
    out.places = Places::anywhere;
    for (int i = 0; i < Block; ++i) {
      int cell[Dim] = {};
      Real r[Dim]   = {};
      const bool inside =
          begin + i < n && sorted.locate(places[begin + i], cell, r);
      for (int k = 0; k < Dim; ++k) {
        out.cell[k][i] = inside ? cells().grid_cell(k, cell[k]) - low[k] : 0;
        out.fraction[k][i] = r[k];
      }
      out.inside[i] = inside;
      out.all       = out.all && (inside || begin + i >= n);
    }
  }
};

/// Finds the box of a piece of the points and copies them to `to`, if that is
/// not null.
template <class Positions, int Dim, class Real, int Support>
struct KeepPiece {
  static constexpr int block = given_block;
  TiledCells<Dim, Real, Support> cells;
  Positions positions;
  Real* to;  ///< coordinate d of point i at d * pitch + i
  std::size_t pitch;
  CellBox<Dim>* boxes;

  void operator()(int piece) const {
    const int from = piece * piece_points;
    const int end  = from + Math::min(positions.n - from, piece_points);
    auto box       = CellBox<Dim>::none();
    for (int begin = from; begin < end; begin += block)
      one_block(begin, Math::min(end - begin, block), box);
    boxes[piece] = box;
  }

 private:
  void one_block(int begin, int count, CellBox<Dim>& box) const {
    Real x[Dim][block];
    load_block(positions, begin, count, x);
    for (int d = 0; d < Dim && to != nullptr; ++d) {
      Real* const line = to + std::size_t(d) * pitch + std::size_t(begin);
      for (int i = 0; i < block; ++i) line[i] = x[d][i];
    }
    if constexpr (checks_enabled) add_bits(x, box.sum);
    const Real* lines[Dim];
    for (int d = 0; d < Dim; ++d) lines[d] = x[d];
    LocatedBlock<Dim, Real, block> found;
    GivenPoints<Dim, Real, Support>::locate_positions(
        cells, lines, found, count, begin, box.first_bad);
    box.add(found, count);
  }
  static void add_bits(const Real (&x)[Dim][block], std::uint64_t& sum) {
    for (const auto& line : x)
      for (const Real value : line) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &value, sizeof value);
        sum = sum * 0x9e3779b97f4a7c15u + bits;
      }
  }
};

/// Finds the box of a piece of points that are known by the plan's order.
template <int Dim, class Real, int Support>
struct BoxOfPiece {
  GivenPoints<Dim, Real, Support> points;
  CellBox<Dim>* boxes;

  void operator()(int piece) const {
    constexpr int block = given_block;
    const int from      = piece * piece_points;
    const int end       = from + Math::min(points.n - from, piece_points);
    auto box            = CellBox<Dim>::none();
    for (int begin = from; begin < end; begin += block) {
      LocatedBlock<Dim, Real, block> found;
      found.places = Places::anywhere;  // compilers do not see that locate does
      points.locate(begin, found);
      box.add(found, Math::min(end - begin, block));
    }
    boxes[piece] = box;
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
