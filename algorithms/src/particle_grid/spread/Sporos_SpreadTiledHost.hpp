// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SPREADTILEDHOST_HPP
#define SPOROS_SPREADTILEDHOST_HPP

/// \file Sporos_SpreadTiledHost.hpp
/// spread, algorithm `tiled` on hosts. One thread sums the points of a tile in
/// an image of the tile and its halo, which stays in cache, and adds the image
/// to the field. Columns of tiles of one colour run in parallel, colours one
/// after another. Tiles with very many points are summed in parts beforehand;
/// points of tiles with few are added to the field itself. Costs s^(Dim-1)
/// fused multiply-adds of a row of s numbers per point and one pass over the
/// image per tile. The fastest algorithm on hosts, except for a
/// handful of points.

#include <Sporos_ForEachIndex.hpp>
#include <Sporos_PackInterleave.hpp>
#include <Sporos_ProfilingRegion.hpp>
#include <Sporos_RowPack.hpp>
#include <particle_grid/bins/Sporos_ColumnsOfColor.hpp>
#include <particle_grid/tiles/Sporos_HostDirect.hpp>
#include <particle_grid/tiles/Sporos_HostGradient.hpp>
#include <particle_grid/tiles/Sporos_HostTile.hpp>

namespace Sporos {
namespace Impl {

/// Prefetches strengths, which lie in random order, for the points of a column
/// of tiles and, at its end, for the first points of the next column.
template <class Group>
class PrefetchStrengths {
 public:
  PrefetchStrengths(const Group& group, const PointPlaces& places,
                    const TileList& column, const TileList& next_column)
      : m_group(group),
        m_places(places),
        m_step(group.prefetch_step()),
        m_end(column.end_point()) {
    m_last = m_end + next_column.points();
    if (!next_column.empty()) m_jump = next_column.first_point() - m_end;
  }

  /// Prefetches the strengths of the sorted points [begin, end) that were not
  /// prefetched yet; numbers behind the column go on in the next one.
  void operator()(int begin, int end) {
    m_next = std::max(m_next, begin);
    for (const int stop = std::min(end, m_last); m_next < stop; ++m_next) {
      const int i = m_places(m_next < m_end ? m_next : m_next + m_jump);
      for (int c = 0; c < m_group.count; c += m_step)
        SPOROS_PREFETCH_LEVEL_2(&m_group.values[c](i));
    }
  }

 private:
  const Group& m_group;
  PointPlaces m_places;
  int m_step;  ///< see Group::prefetch_step
  int m_next = 0, m_end, m_last, m_jump = 0;
};

template <class Real, class Delta, class Group_>
struct SpreadTile {
  using Group                  = Group_;
  using T                      = typename Group::T;
  static constexpr int Dim     = Group::dim;
  static constexpr int Support = Delta::support;
  using Points                 = HostPoints<Real, Delta, Group>;
  using Sizes                  = HostTileShape<T, Dim, Support>;
  using Batch                  = typename Points::template Batch<HostTileShape>;
  using Direct    = typename Points::template Batch<SinglePointShape>;
  using Wide      = RowPack<T, Sizes::width>;
  using Prefetch  = PrefetchStrengths<Group>;
  using Strengths = const T (*)[Sizes::batch];  ///< [component][point]

  Points points;
  T factor;        ///< 1 / cell volume
  bool any_ranks;  ///< see PlanOptions

  /// images += the points [begin, end); one image for each component. With
  /// any_ranks a grid point's sum has the points one after another: those that
  /// do not touch it add nothing, so it does not matter whether they exist.
  void accumulate(T* images, int begin, int end, Batch& batch,
                  Prefetch& prefetch) const {
    const auto add = [&](auto runs_from_zero) {
      for_each_batch(
          begin, end, batch, prefetch, [&](int, int, Strengths strengths) {
            if constexpr (Group::derives)
              add_dipoles<runs_from_zero>(images, batch, strengths);
            else
              for (int c = 0; c < points.group.count; ++c)
                add_rows<runs_from_zero>(images + c * Sizes::size,
                                         batch.template view<Group>(c),
                                         strengths[c]);
          });
    };
    if (any_ranks)
      add(std::false_type{});
    else
      add(std::true_type{});
  }

  /// fields += the points of a tile, without an image
  void add_directly(const PointRange& range, Direct& batch,
                    Prefetch& prefetch) const {
    DirectPoints<Points, Direct> direct(points, batch);
    const auto add = [&](int, int count, const Strengths& strengths) {
      direct.for_each_component(range.tile, count, [&](int c, auto together) {
        direct.template add<together>(points.group.field[c].data, count,
                                      strengths + c);
      });
    };
    for_each_batch(range.begin, range.end, batch, prefetch, add);
  }

  /// image += the points of a batch times their strengths. The rows of a run,
  /// consecutive points in one window, stay in registers. Runs that are summed
  /// from zero and added to the image are faster than those that begin with
  /// its values: their loads need not wait for the stores of the run before.
  template <bool FromZero>
  SPOROS_ALWAYS_INLINE static void add_rows(T* image, const BatchView<T>& b,
                                            const T* strengths) {
    for (int p = 0; b.window[p] >= 0;) {
      int end = p + 1;
      while (b.window[end] == b.window[p]) ++end;
      for (int k = 0; k < all_planes; k += planes)
        static_for<blocks>([&](auto i) SPOROS_INLINE_LAMBDA {
          constexpr int first = i * block, last = std::min(first + block, rows);
          add_block<FromZero, first, last - first>(
              image + b.window[p] + k * Sizes::plane + first * Sizes::pitch, b,
              strengths, k, p, end);
        });
      p = end;
    }
  }

 private:
  template <bool FromZero>
  static void add_dipoles(T* images, Batch& batch, Strengths strengths) {
    typename Batch::View sets[2];
    batch.view_sets(sets);
    for (int part = 0; part < Group::parts; ++part) {
      const T* moments[Dim];
      for (int k = 0; k < Dim; ++k)
        moments[k] = strengths[k * Group::parts + part];
      AddDipoles<Sizes, Dim, T>::template add<FromZero>(
          images + part * Sizes::size, sets, moments);
    }
  }

  /// work(first point, count, strengths) for the points [begin, end), a batch
  /// at a time
  template <class AnyBatch, class Work>
  void for_each_batch(int begin, int end, AnyBatch& batch, Prefetch& prefetch,
                      const Work& work) const {
    constexpr int most = Sizes::batch;  // of both kinds of batches
    T strengths[Group::most][most];
    for (int i = begin; i < end; i += most) {
      const int count = std::min(most, end - i);
      prefetch(i, i + count + most);
      for (int p = 0; p < count; ++p) {
        const int place = points.places(i + p);
        for (int c = 0; c < points.group.count; ++c)
          strengths[c][p] = factor * T(points.group.values[c](place));
      }
      batch.fill(points, points.delta, i, count);
      work(i, count, strengths);
    }
  }

  /// largest divisor of Support that is at most n, at least 1
  static constexpr int divisor(int n) {
    return n <= 1 ? 1 : Support % n == 0 ? n : divisor(n - 1);
  }

  // Rows of a point that registers hold at a time: whole planes of them, or
  // blocks of the rows of a plane.
  static constexpr int room =
      std::max(1, (simd_registers - simd_registers / 4) / Wide::registers);
  static constexpr int rows       = Dim < 2 ? 1 : Support;
  static constexpr int all_planes = Dim < 3 ? 1 : Support;
  static constexpr int planes     = Dim < 3 ? 1 : divisor(room / rows);
  static constexpr int blocks     = (rows + room - 1) / room;
  static constexpr int block      = (rows + blocks - 1) / blocks;

  /// Rows First, First + 1, ... of some planes for the run of points [p, end)
  template <bool FromZero, int First, int Rows>
  static SPOROS_ALWAYS_INLINE void add_block(T* rows_at, const BatchView<T>& b,
                                             const T* strengths,
                                             int first_plane, int p, int end) {
    Wide sum[planes * Rows];
    static_for<planes>([&](int k) SPOROS_INLINE_LAMBDA {
      static_for<Rows>([&](int j) SPOROS_INLINE_LAMBDA {
        sum[k * Rows + j] =
            FromZero
                ? Wide::fill(0)
                : Wide::load(rows_at + k * Sizes::plane + j * Sizes::pitch);
      });
    });
    for (; p < end; ++p) {
      const Wide x = Wide::load(b.x + b.x_begin[p]).times(strengths[p]);
      static_for<planes>([&](int k) SPOROS_INLINE_LAMBDA {
        Wide xz = x;
        if constexpr (Dim > 2)
          xz = x.times(b.z[p * Sizes::yz_stride + first_plane + k]);
        static_for<Rows>([&](int j) SPOROS_INLINE_LAMBDA {
          if constexpr (Dim > 1)
            sum[k * Rows + j].add_product(
                xz, b.y[p * Sizes::yz_stride + First + j]);
          else
            sum[0].add(xz);
        });
      });
    }
    static_for<planes>([&](int k) SPOROS_INLINE_LAMBDA {
      static_for<Rows>([&](int j) SPOROS_INLINE_LAMBDA {
        if constexpr (FromZero)
          sum[k * Rows + j].add(
              Wide::load(rows_at + k * Sizes::plane + j * Sizes::pitch));
        sum[k * Rows + j].store(rows_at + k * Sizes::plane + j * Sizes::pitch);
      });
    });
  }
};

/// target += images of C interleaved components, row by row
template <int C, class T, int Dim, int Support>
void add_images(const TileImage<T, Dim, Support>& target, const T* images) {
  constexpr int size          = TileImage<T, Dim, Support>::Sizes::size;
  const auto missing          = [](int, int) {};
  const std::ptrdiff_t stride = target.stride();
  if (C > 1 || stride == 1)
    target.for_each_row(
        [&](T* line, int row, auto length) {
          for_each_pack<T>(length, [&](int i, auto lanes) {
            Pack<T, lanes> in[C];
            for (int c = 0; c < C; ++c)
              in[c] = Pack<T, lanes>::load(images + c * size + row + i);
            add_interleaved<C>(in, line + i * C);
          });
        },
        missing);
  else
    target.for_each_row(
        [&](T* line, int row, int length) {
          for (int i = 0; i < length; ++i) line[i * stride] += images[row + i];
        },
        missing);
}

/// Sums the parts of tiles that are cut, each into slots of its own, one for
/// each component.
template <class Tile>
struct SpreadParts {
  using T = typename Tile::T;
  Tile tile;
  const PointRange* parts;
  T* slots;

  void operator()(int i) const {
    typename Tile::Batch batch;
    const std::size_t size =
        std::size_t(tile.points.group.images()) * Tile::Sizes::size;
    T* const images = slots + std::size_t(i) * size;
    std::fill(images, images + size, T(0));
    typename Tile::Prefetch prefetch(tile.points.group, tile.points.places,
                                     {parts + i, parts + i + 1}, {});
    tile.accumulate(images, parts[i].begin, parts[i].end, batch, prefetch);
  }
};

/// Adds the tiles of one colour to the field, a column at a time: i is the
/// place of its first tile in by_color.
template <class Tile>
struct SpreadTiles {
  using T     = typename Tile::T;
  using Group = typename Tile::Group;
  using Sizes = typename Tile::Sizes;
  Tile tile;
  ColumnsOfColor columns;
  int few;          ///< see few_points
  bool prefetches;  ///< see exceed_caches
  const T* slots;

  void operator()(int i) const {
    if (!columns.starts(i)) return;
    typename Tile::Batch batch;
    typename Tile::Direct direct_batch;
    alignas(64) T images[Group::most_images * Sizes::size];
    const TileList column = columns.column_at(i);
    const int next        = i + int(column.end - column.begin);
    typename Tile::Prefetch prefetch(
        tile.points.group, tile.points.places, column,
        next < columns.end ? columns.column_at(next) : TileList());
    for (const PointRange* r = column.begin; r < column.end; ++r) {
      if (prefetches && r + 1 < column.end &&
          r[1].end - r[1].begin >= prefetched_points)
        tile.points.prefetch(r[1].tile);
      if (r->end - r->begin < few)
        tile.add_directly(*r, direct_batch, prefetch);
      else
        add_tile(*r, images, batch, prefetch);
    }
  }

 private:
  void add_tile(const PointRange& r, T* images, typename Tile::Batch& batch,
                typename Tile::Prefetch& prefetch) const {
    if (r.slots == 0) prefetch(r.begin, r.begin + Sizes::batch);
    std::fill(images, images + tile.points.group.images() * Sizes::size, T(0));
    if (r.slots > 0)
      add_slots(r, images);
    else
      tile.accumulate(images, r.begin, r.end, batch, prefetch);
    tile.points.for_each_image(
        r.tile, [&](int c, const auto& target, auto together) {
          add_images<together>(target, images + c * Sizes::size);
        });
  }

  void add_slots(const PointRange& r, T* images) const {
    const int size = tile.points.group.images() * Sizes::size;
    for (int j = 0; j < r.slots; ++j) {
      const T* const slot = slots + std::size_t(r.slot + j) * size;
      for (int i = 0; i < size; ++i) images[i] += slot[i];
    }
  }
};

/// fields += spread strengths
template <class Exec, int Dim, class Real, class Delta, class Group,
          class Space>
void spread_tiled_host(
    const Exec& exec, const ParticleBins<Exec, Dim, Real, Delta::support>& bins,
    const Delta& delta, const Group& group, typename Group::T factor,
    Space& slot_space) {
  using T       = typename Group::T;
  using Tile    = SpreadTile<Real, Delta, Group>;
  using Dynamic = Kokkos::Schedule<Kokkos::Dynamic>;
  using Range   = Kokkos::RangePolicy<Exec, Dynamic, Kokkos::IndexType<int>>;
  const BinCounts& counts = *bins.counts;
  const Tile tile{{bins, delta, group}, factor, bins.any_ranks};
  const int few = bins.any_ranks ? 0 : few_points<typename Tile::Sizes>(group);
  T* slots      = nullptr;
  if (counts.parts > 0) {
    const ProfilingRegion region("Sporos::spread::stage");
    slots = typed_scratch<T>(
        exec, slot_space,
        bins.part_bound() * Tile::Sizes::size * group.images());
    for_each_index("Sporos::spread::tiled_parts",
                   Range(exec, 0, counts.parts, Kokkos::ChunkSize(1)),
                   SpreadParts<Tile>{tile, bins.parts, slots});
  }
  const ProfilingRegion region("Sporos::spread::sum");
  for_each_color("Sporos::spread::tiled", exec, bins,
                 [&](const ColumnsOfColor& columns) {
                   return SpreadTiles<Tile>{tile, columns, few,
                                            exceed_caches(group), slots};
                 });
}

}  // namespace Impl
}  // namespace Sporos

#endif
