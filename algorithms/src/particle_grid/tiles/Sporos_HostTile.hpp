// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_HOSTTILE_HPP
#define SPOROS_HOSTTILE_HPP

/// \file Sporos_HostTile.hpp
/// What spread and interpolate share on hosts: images of one tile plus halo in
/// cache, one for each component of a group, and the weights of a batch of
/// points. Images are on the stack: in 3D up to 75 KB each, from a support of 8
/// on 150 to 260 KB, of which a row of cells uses what the level-1 cache holds.
///
/// For spread: points of a tile are sorted by row of cells, then by cell along
/// direction 0. Consecutive points whose cells lie in the same window of `step`
/// cells touch the same `width` grid points of each of their s^(Dim-1) rows, so
/// these rows stay in registers; a point's weights along direction 0 are loaded
/// at an offset into zero padding, which puts them into the right lanes.

#include <Sporos_DeltaFunctions.hpp>
#include <Sporos_Pack.hpp>
#include <particle_grid/bins/Sporos_ParticleBins.hpp>
#include <particle_grid/stencil/Sporos_FieldAccess.hpp>
#include <particle_grid/stencil/Sporos_TransferGroup.hpp>
#include <particle_grid/stencil/Sporos_Weights.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace Sporos {
namespace Impl {

/// Lanes that hold a row of n values: `lanes`, or as many halves of that as it
/// takes.
KOKKOS_FUNCTION constexpr int row_lanes(int n, int lanes) {
  return n <= lanes ? lanes : (2 * n + lanes - 1) / lanes * lanes / 2;
}

/// Planes of grid points of a point, f(0), f(1), ...; unrolled if they are few,
/// so that the code of wide delta functions stays short.
template <int Planes, class F>
SPOROS_ALWAYS_INLINE void for_each_plane(const F& f) {
  if constexpr (Planes < 8)
    static_for<Planes>(f);
  else
    for (int k = 0; k < Planes; ++k) f(k);
}

/// Compile-time sizes of a tile image for values of type T.
template <class T, int Dim, int Support>
struct HostTileShape {
  using Shape                  = TileShape<Dim, Support, wide_tiles>;
  static constexpr int support = Support;
  static constexpr int lanes   = 64 / int(sizeof(T));
  static constexpr int width   = row_lanes(Support, lanes);  ///< of windows
  KOKKOS_FUNCTION static constexpr int largest_step(int n) {
    return n + Support - 1 <= width ? n : largest_step(n / 2);
  }
  static_assert(Support >= 1 && Support <= max_tiled_support,
                "Sporos: tiled algorithms take delta functions of support 1 to "
                "16; use a sweep for wider ones");
  static constexpr int step = largest_step(lanes / 2);
  /// grid points of a row, all windows and one carried cell included
  static constexpr int pitch =
      (std::max(Shape::extent(0) + width - step, Shape::extent(0) + Support) +
       3) /
      4 * 4;
  KOKKOS_FUNCTION static constexpr int rows(int k) {
    return k < Dim ? Shape::extent(k) + Support : 1;
  }
  static constexpr int plane = pitch * rows(1);
  static constexpr int size  = plane * rows(2) + width;

  /// stored weights of a point: zeros around those of direction 0
  static constexpr bool zeros    = true;
  static constexpr int padding   = step - 1;
  static constexpr int yz_stride = next_power_of_two(Support);
  static constexpr int x_stride =
      (padding + std::max(width, yz_stride) + 3) / 4 * 4;
  static constexpr int batch = host_batch;
};

/// Compile-time sizes of a tile image for points that are taken one by one:
/// weights along direction 0 have no zeros around them.
template <class T, int Dim, int Support>
struct SinglePointShape : HostTileShape<T, Dim, Support> {
  static constexpr int step     = 1;
  static constexpr bool zeros   = false;
  static constexpr int padding  = 0;
  static constexpr int x_stride = next_power_of_two(Support);
  static constexpr int width =
      row_lanes(Support, std::min(x_stride, 64 / int(sizeof(T))));
};

/// Where the image of a tile lies in a field; image index b in direction k is
/// grid point first(k) + b.
template <class T, int Dim, int Support>
class TileImage {
 public:
  using Value = std::remove_const_t<T>;
  using Sizes = HostTileShape<Value, Dim, Support>;
  /// Points of a row unless the staggering is shifted.
  static constexpr int usual_length = Sizes::Shape::extent(0) + Support - 1;

  template <class Real>
  TileImage(const FieldAccess<T, Dim>& field,
            const TiledCells<Dim, Real, Support>& cells,
            const StaggeringShift<Dim, Real, Support>& shift,
            std::uint32_t tile)
      : m_field(field) {
    int cell[Dim];
    cells.first_cell(tile, cell);
    for (int k = 0; k < Dim; ++k) {
      m_first[k]  = first_touched(cells, shift, k, cell[k]);
      m_extent[k] = Sizes::Shape::extent(k) + shift.extra[k] + Support - 1;
    }
    for (int x = 0; x < m_extent[0];) x = add_piece(x);
    for (int y = 0; y < m_extent[1]; ++y) m_y[y] = offset(1, m_first[1] + y);
    for (int z = 0; z < m_extent[2]; ++z) m_z[z] = offset(2, m_first[2] + z);
  }

  std::ptrdiff_t stride() const { return m_field.stride[0]; }

  /// piece(field row, image row, length) for all pieces of rows that lie in the
  /// grid; missing(image row, length) for those that do not. length is an
  /// integral constant for whole rows, so that copies unroll. Rows begin at
  /// plane first_z, and in each plane at first_y.
  template <class Piece, class Missing>
  SPOROS_ALWAYS_INLINE void for_each_row(const Piece& piece,
                                         const Missing& missing,
                                         int first_z = 0,
                                         int first_y = 0) const {
    const bool whole = m_pieces == 1 && m_piece[0].offset != none &&
                       m_piece[0].length == usual_length;
    for (int z = first_z; z < m_extent[2]; ++z)
      for (int y = first_y; y < m_extent[1]; ++y) {
        const int row = z * Sizes::plane + y * Sizes::pitch;
        if (m_z[z] == none || m_y[y] == none) {
          missing(row, m_extent[0]);
          continue;
        }
        T* const line = m_field.data + m_z[z] + m_y[y];
        if (whole) {
          piece(line + m_piece[0].offset, row,
                std::integral_constant<int, usual_length>{});
          continue;
        }
        for (int i = 0; i < m_pieces; ++i) {
          const XPiece& p = m_piece[i];
          if (p.offset == none)
            missing(row + p.begin, p.length);
          else
            piece(line + p.offset, row + p.begin, p.length);
        }
      }
  }

  /// Prefetches what the tile before this one in a column does not touch, of
  /// `together` components.
  void prefetch(int together) const {
    constexpr int line = 64 / int(sizeof(T)), overlap = Sizes::support - 1;
    if (stride() > line) return;
    for_each_row(
        [&](const T* row, int, int length) {
          const std::ptrdiff_t last = (length - 1) * stride() + together - 1;
          for (std::ptrdiff_t at = 0; at < last; at += line)
            SPOROS_PREFETCH_LEVEL_2(row + at);
          SPOROS_PREFETCH_LEVEL_2(row + last);
        },
        [](int, int) {}, Dim == 3 ? overlap : 0, Dim == 2 ? overlap : 0);
  }

 private:
  /// Part of a row that is contiguous in the field or outside the grid.
  struct XPiece {
    std::ptrdiff_t offset;
    int begin, length;
  };

  static constexpr std::ptrdiff_t none =
      std::numeric_limits<std::ptrdiff_t>::min();

  std::ptrdiff_t offset(int k, int i) const {
    const int g = m_field.index(k, i);
    return g < 0 ? none : g * m_field.stride[k];
  }

  /// The piece that begins at image index x; returns where the next begins.
  int add_piece(int x) {
    const int g         = m_field.index(0, m_first[0] + x);
    const int end       = m_extent[0];
    const int stop      = g >= 0 ? x + m_field.points[0] - g
                                 : (m_first[0] + x < 0 ? -m_first[0] : end);
    const int next      = std::min(end, stop);
    m_piece[m_pieces++] = {g < 0 ? none : g * m_field.stride[0], x, next - x};
    return next;
  }

  FieldAccess<T, Dim> m_field;
  int m_first[3]  = {0, 0, 0};
  int m_extent[3] = {1, 1, 1};
  int m_pieces    = 0;
  XPiece m_piece[Sizes::Shape::extent(0) + Support];
  std::ptrdiff_t m_y[Sizes::rows(1)] = {};
  std::ptrdiff_t m_z[Sizes::rows(2)] = {};
};

/// Prefetches what a tile touches of a field and the one before it in a column
/// does not. Compiled once for spread and interpolate.
template <class T, int Dim, class Real, int Support>
[[gnu::noinline]] void prefetch_image(
    const FieldAccess<const T, Dim>& field,
    const TiledCells<Dim, Real, Support>& cells,
    const StaggeringShift<Dim, Real, Support>& shift, std::uint32_t tile,
    int together) {
  TileImage<const T, Dim, Support>(field, cells, shift, tile)
      .prefetch(together);
}

/// Where the weights of a batch of points are, and the windows that they touch,
/// for one component.
template <class T>
struct BatchView {
  const T *x, *y, *z;
  const int* window;   ///< offset in the image; then -1
  const int* x_begin;  ///< where to load x so that lanes match the window
};

/// Weights of up to `batch` consecutive sorted points, in `Sets` sets (see
/// TransferGroup).
template <class T, class Real, class Delta, int Dim, int Sets,
          template <class, int, int> class Shape>
struct PointBatch {
  static constexpr int Support = Delta::support;
  using Sizes                  = Shape<T, Dim, Support>;
  using Points                 = TiledPoints<Dim, Real, Support, Sets>;
  using View                   = BatchView<T>;
  static constexpr int lanes   = native_pack_width<T>;

  alignas(64) T x[Sets][Sizes::batch * Sizes::x_stride];
  alignas(64) T y[Sets][Dim > 1 ? Sizes::batch* Sizes::yz_stride : 1];
  alignas(64) T z[Sets][Dim > 2 ? Sizes::batch* Sizes::yz_stride : 1];
  int cell[Sets][Dim][Sizes::batch];  ///< in the tile, carries included

  PointBatch() {
    if (Sizes::zeros)
      for (auto& set : x) std::fill(std::begin(set), std::end(set), T(0));
  }

  /// Weights of the points begin .. begin + count
  void fill(const Points& points, const Delta& delta, int begin, int count) {
    prefetch(points, begin + count);
    for (int s = 0; s < Sets; ++s) {
      weigh<Sizes::x_stride>(points, delta, s, 0, begin, count,
                             x[s] + Sizes::padding);
      for (int k = 1; k < Dim; ++k)
        weigh<Sizes::yz_stride>(points, delta, s, k, begin, count,
                                k == 1 ? y[s] : z[s]);
    }
    m_windows_of = -1;
    m_count      = count;
  }

  /// The sets of weights of a gradient, which have the same windows
  void view_sets(View (&sets)[2]) {
    if (m_windows_of < 0) {
      find_windows(1, 1, 1);
      m_windows_of = 0;
    }
    for (int s = 0; s < 2; ++s)
      sets[s] = {x[s], y[s], z[s], m_window, m_x_begin};
  }

  /// The batch as component c of a group sees it.
  template <class Group>
  BatchView<T> view(int c) {
    const int sx = Group::set(c, 0), sy = Group::set(c, Dim > 1 ? 1 : 0),
              sz = Group::set(c, Dim > 2 ? 2 : 0);
    if (m_windows_of != c / Group::parts && (Sets > 1 || m_windows_of < 0)) {
      find_windows(sx, sy, sz);
      m_windows_of = c / Group::parts;
    }
    return {x[sx], y[sy], z[sz], m_window, m_x_begin};
  }

 private:
  /// Prefetches the points of the next batch: the points of a tile are too
  /// short a stream for processors to do it.
  static void prefetch(const Points& points, int begin) {
    constexpr int line = 64 / int(sizeof(Real));
    const int end      = std::min(begin + Sizes::batch, int(points.pitch));
    for (int k = 0; k < Dim; ++k)
      for (int i = begin; i < end; i += line)
        SPOROS_PREFETCH(points.fractions + k * points.pitch + std::size_t(i));
  }

  /// sx, sy, sz: the sets of weights
  void find_windows(int sx, [[maybe_unused]] int sy, [[maybe_unused]] int sz) {
    for (int i = 0; i < m_count; ++i) {
      int row = 0;
      if constexpr (Dim > 2) row += cell[sz][2][i] * Sizes::plane;
      if constexpr (Dim > 1) row += cell[sy][1][i] * Sizes::pitch;
      const int in_window = cell[sx][0][i] & (Sizes::step - 1);
      m_window[i]         = row + cell[sx][0][i] - in_window;
      m_x_begin[i]        = i * Sizes::x_stride + Sizes::padding - in_window;
    }
    m_window[m_count] = -1;
  }

  /// Cells and weights of direction k in set s, the weights of consecutive
  /// points Stride apart
  template <int Stride>
  SPOROS_ALWAYS_INLINE void weigh(const Points& points, const Delta& delta,
                                  int s, int k, int begin, int count,
                                  T* weights) {
    int* const cells = cell[s][k];
    for (int i = 0; i < count; ++i)
      cells[i] = TiledCells<Dim, Real, Support>::local_cell(
          points.locals[begin + i], k);
    const Real* fractions =
        points.fractions + k * points.pitch + std::size_t(begin);
    const auto& shift = points.shifts.of_set[s];
    alignas(64) Real shifted[Sizes::batch];
    if (shift.extra[k] != 0) {
      for (int i = 0; i < count; ++i) {
        Real to = fractions[i];
        cells[i] += shift.apply(k, to) + shift.low[k];
        shifted[i] = to;
      }
      fractions = shifted;
    }
    using P = Pack<T, lanes>;
    for (int i = 0; i < count; i += lanes) {
      P w[Support];
      pack_weights(delta, s, k, load_converted<P>(fractions + i), w);
      store_transposed<Support>(w, weights + i * Stride, Stride);
    }
  }

  int m_count = 0, m_windows_of = -1;
  int m_window[Sizes::batch + 1];
  int m_x_begin[Sizes::batch];
};

/// The sorted points of bins, as work items that serve tiles see them.
template <class Real_, class Delta_, class Group_>
struct HostPoints
    : TiledPoints<Group_::dim, Real_, Delta_::support, Group_::sets> {
  using Real                   = Real_;
  using Delta                  = Delta_;
  using Group                  = Group_;
  static constexpr int Dim     = Group::dim;
  static constexpr int Support = Delta::support;
  using Value                  = std::remove_const_t<typename Group::T>;
  template <template <class, int, int> class Shape>
  using Batch = PointBatch<Value, Real, Delta, Dim, Group::sets, Shape>;

  Delta delta;
  TiledCells<Dim, Real, Support> cells;
  Group group;
  int together;  ///< see Group::together

  template <class Bins>
  HostPoints(const Bins& bins, const Delta& delta_, const Group& group_)
      : TiledPoints<Dim, Real, Support, Group::sets>(bins, group_),
        delta(delta_),
        cells(bins.cells),
        group(group_),
        together(group_.together()) {}

  /// Prefetches what a tile touches and the one before it in a column does not.
  void prefetch(std::uint32_t tile) const {
    for (int c = 0; c < group.images(); c += together)
      prefetch_image(group.field[c].read_only(), cells,
                     this->shifts.template component<Group>(c), tile, together);
  }

  /// f(component, its image, how many lie together) for the first of
  /// components that lie together; the number is an integral constant
  template <class F>
  void for_each_image(std::uint32_t tile, const F& f) const {
    for (int c = 0; c < group.images(); c += together) {
      const TileImage<typename Group::T, Dim, Support> image(
          group.field[c], cells, this->shifts.template component<Group>(c),
          tile);
      with_count<Group::most_images>(together, [&](auto n) { f(c, image, n); });
    }
  }
};

/// Is no cache likely to hold the fields of a group? Then tiles are prefetched.
template <class Group>
bool exceed_caches(const Group& group) {
  double bytes = sizeof(typename Group::T) * double(group.images());
  for (int k = 0; k < Group::dim; ++k) bytes *= group.field[0].points[k];
  return bytes > cached_bytes;
}

/// f(offset, lanes) for 0 <= offset < length in steps of whole registers, then
/// smaller powers of two; lanes is an integral constant.
template <class T, int Lanes = native_pack_width<T>, class F>
SPOROS_ALWAYS_INLINE void for_each_pack(int length, const F& f, int i = 0) {
  for (; i + Lanes <= length; i += Lanes)
    f(i, std::integral_constant<int, Lanes>{});
  if constexpr (Lanes > 1) for_each_pack<T, Lanes / 2>(length, f, i);
}

}  // namespace Impl
}  // namespace Sporos

#endif
