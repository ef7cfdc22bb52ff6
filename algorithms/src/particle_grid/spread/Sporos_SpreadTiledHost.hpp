// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SPREADTILEDHOST_HPP
#define SPOROS_SPREADTILEDHOST_HPP

/// \file Sporos_SpreadTiledHost.hpp
/// spread, algorithm `tiled` on hosts. One thread sums the points of a tile in
/// an image of the tile and its halo, which fits in the level-1 cache, and adds
/// the image to the field. Columns of tiles of one colour run in parallel,
/// colours one after another. Tiles with very many points are summed in parts
/// beforehand; points of tiles with few are added to the field itself.
/// Costs s^(Dim-1) fused multiply-adds of a register per point and one pass
/// over the image per tile. The fastest algorithm on hosts, except for a
/// handful of points.

#include <particle_grid/tiles/Sporos_HostDirect.hpp>
#include <particle_grid/stencil/Sporos_StridedVector.hpp>
#include <particle_grid/tiles/Sporos_HostTile.hpp>

namespace Sporos {
namespace Impl {

/// Prefetches strengths, which lie in random order, for the points of a column
/// of tiles and, at its end, for the first points of the next column.
template <class Strengths>
class StrengthsAhead {
 public:
  StrengthsAhead(const Strengths& strengths, const int* permutation,
                 const TileList& column, const TileList& next_column)
      : m_strengths(strengths),
        m_permutation(permutation),
        m_end(column.end_point()) {
    m_last = m_end + next_column.points();
    if (!next_column.empty()) m_jump = next_column.first_point() - m_end;
  }

  /// Those of the sorted points [begin, end) that were not prefetched yet
  void operator()(int begin, int end) {
    m_next = std::max(m_next, begin);
    for (const int stop = std::min(end, m_last); m_next < stop; ++m_next) {
      const int i = m_next < m_end ? m_next : m_next + m_jump;
      SPOROS_PREFETCH_LEVEL_2(&m_strengths(m_permutation[i]));
    }
  }

 private:
  Strengths m_strengths;
  const int* m_permutation;
  int m_next = 0, m_end, m_last, m_jump = 0;
};

template <class T, class Real, int Dim, class Delta, class Strengths>
struct SpreadTile {
  static constexpr int Support = Delta::support;
  using Sizes                  = HostTileShape<T, Dim, Support>;
  using Batch                  = PointBatch<T, Real, Dim, Delta>;
  using Direct                 = DirectBatch<T, Real, Dim, Delta>;
  using Wide                   = Pack<T, Sizes::width>;
  using Ahead                  = StrengthsAhead<Strengths>;

  Delta delta;
  const std::uint16_t* locals;
  const Real* fractions;
  std::size_t pitch;
  const int* permutation;
  StaggeringShift<Dim, Real, Support> shift;
  bool shifted;
  Strengths strengths;  ///< rank 1
  T factor;             ///< 1 / cell volume

  /// image += the points [begin, end)
  void accumulate(T* image, int begin, int end, Batch& batch,
                  Ahead& ahead) const {
    for_each_batch(begin, end, batch, ahead,
                   [&](int, int) { add_rows(image, batch); });
  }

  /// field += the points of the tiles, without an image
  template <class Cells>
  void add_directly(const FieldAccess<T, Dim>& field, const Cells& cells,
                    const TileList& tiles, Direct& batch, Ahead& ahead) const {
    DirectPoints<T, Dim, Direct> points(field, batch);
    const PointRange* range = tiles.begin;
    for_each_batch(tiles.first_point(), tiles.end_point(), batch, ahead,
                   [&](int i, int count) {
                     range = points.place(cells, shift, range, i, count);
                     points.add(count);
                   });
  }

  static void add_rows(T* image, const Batch& b) {
    // as many planes of rows at a time as registers hold
    constexpr int room = simd_registers - simd_registers / 4;
    constexpr int planes =
        Dim < 3 ? 1 : divisor(room / (Support * Wide::registers));
    for (int k = 0; k < (Dim < 3 ? 1 : Support); k += planes)
      add_planes<planes>(image + k * Sizes::plane, b, k);
  }

 private:
  /// work(first point, count) for the points [begin, end), a batch at a time
  template <class Points, class Work>
  void for_each_batch(int begin, int end, Points& batch, Ahead& ahead,
                      const Work& work) const {
    constexpr int most = Points::Sizes::batch;
    for (int i = begin; i < end; i += most) {
      const int count = std::min(most, end - i);
      ahead(i, i + count + most);
      for (int p = 0; p < count; ++p)
        batch.scale[p] = factor * T(strengths(permutation[i + p]));
      batch.template fill<true>(delta, locals, fractions, pitch, shift, shifted,
                                i, count);
      work(i, count);
    }
  }

  /// largest divisor of Support that is at most n, at least 1
  static constexpr int divisor(int n) {
    return n <= 1 ? 1 : Support % n == 0 ? n : divisor(n - 1);
  }

  template <int Planes>
  static void add_planes(T* image, const Batch& b, int first_plane) {
    constexpr int rows = Dim == 1 ? 1 : Support;
    Wide sum[Planes * rows];
    for (int p = 0; b.window[p] >= 0;) {
      const int window = b.window[p];
      static_for<Planes * rows>([&](auto i) { sum[i] = Wide(T(0)); });
      do {
        const Wide x = Wide::load(b.x + b.x_begin[p]);
        static_for<Planes>([&](auto k) {
          Wide xz = x;
          if constexpr (Dim > 2)
            xz = x * Wide(b.z[p * Sizes::yz_stride + first_plane + k]);
          static_for<rows>([&](auto j) {
            if constexpr (Dim > 1)
              sum[k * rows + j] = fma(xz, Wide(b.y[p * Sizes::yz_stride + j]),
                                      sum[k * rows + j]);
            else
              sum[0] += xz;
          });
        });
        ++p;
      } while (b.window[p] == window);
      static_for<Planes>([&](auto k) {
        static_for<rows>([&](auto j) {
          T* const row = image + window + k * Sizes::plane + j * Sizes::pitch;
          (Wide::load(row) + sum[k * rows + j]).store(row);
        });
      });
    }
  }
};

/// target += image, row by row
template <class T, int Dim, int Support>
void add_image(const TileImage<T, Dim, Support>& target, const T* image) {
  const auto missing          = [](int, int) {};
  const std::ptrdiff_t stride = target.stride();
  if (stride == 1)
    target.for_each_row(
        [&](T* line, int row, auto length) {
          for_each_pack<T>(length, [&](int i, auto lanes) {
            using P = Pack<T, lanes>;
            (P::load(line + i) + P::load(image + row + i)).store(line + i);
          });
        },
        missing);
  else
    target.for_each_row(
        [&](T* line, int row, int length) {
          for (int i = 0; i < length; ++i) line[i * stride] += image[row + i];
        },
        missing);
}

/// Sums the parts of tiles that are cut, each into a slot of its own.
template <class Tile, class T>
struct SpreadParts {
  Tile tile;
  const PointRange* parts;
  T* slots;

  void operator()(int i) const {
    typename Tile::Batch batch;
    T* const image = slots + std::size_t(i) * Tile::Sizes::size;
    std::fill(image, image + Tile::Sizes::size, T(0));
    typename Tile::Ahead ahead(tile.strengths, tile.permutation,
                               {parts + i, parts + i + 1}, {});
    tile.accumulate(image, parts[i].begin, parts[i].end, batch, ahead);
  }
};

/// Adds the tiles of one colour to the field, a column at a time: i is the
/// place of its first tile in by_color.
template <class Tile, class Cells, class T, int Dim, int Support>
struct SpreadTiles {
  using Sizes = typename Tile::Sizes;
  using Image = TileImage<T, Dim, Support>;
  Tile tile;
  Cells cells;
  FieldAccess<T, Dim> field;
  TileRuns runs;
  const int* by_color;
  int begin, end;  ///< places of the colour
  const T* slots;

  void operator()(int i) const {
    if (i > begin && runs.same_column(range(i - 1), range(i))) return;
    typename Tile::Batch batch;
    typename Tile::Direct direct_batch;
    alignas(64) T image[Sizes::size];
    const TileList column = column_at(i);
    const int next        = i + int(column.end - column.begin);
    typename Tile::Ahead ahead(tile.strengths, tile.permutation, column,
                               next < end ? column_at(next) : TileList());
    const int last = int(column.end - runs.ranges);
    for (int t = by_color[i]; t < last;) {
      const int direct = runs.direct_end(t, last);
      if (direct > t)
        tile.add_directly(field, cells, {runs.ranges + t, runs.ranges + direct},
                          direct_batch, ahead);
      else
        add_tile(runs.ranges[t], image, batch, ahead);
      t = std::max(direct, t + 1);
    }
  }

 private:
  const PointRange& range(int i) const { return runs.ranges[by_color[i]]; }

  /// The tiles of the column at place i, which are consecutive in both lists
  TileList column_at(int i) const {
    const int first = by_color[i];
    return {runs.ranges + first,
            runs.ranges + runs.column_end(first, first + (end - i))};
  }

  void add_tile(const PointRange& r, T* image, typename Tile::Batch& batch,
                typename Tile::Ahead& ahead) const {
    const Image target(field, cells, tile.shift, r.tile);
    if (r.slots == 0) ahead(r.begin, r.begin + Sizes::batch);
    target.prefetch();
    std::fill(image, image + Sizes::size, T(0));
    if (r.slots > 0)
      add_slots(r, image);
    else
      tile.accumulate(image, r.begin, r.end, batch, ahead);
    add_image(target, image);
  }

  void add_slots(const PointRange& r, T* image) const {
    for (int j = 0; j < r.slots; ++j) {
      const T* const slot = slots + std::size_t(r.slot + j) * Sizes::size;
      for (int i = 0; i < Sizes::size; ++i) image[i] += slot[i];
    }
  }
};

/// field += spread strengths; strengths has rank 1.
template <class Exec, int Dim, class Real, class Delta, class Strengths,
          class T, class Space>
void spread_tiled_host(
    const Exec& exec, const ParticleBins<Exec, Dim, Real, Delta::support>& bins,
    const Delta& delta, const Strengths& strengths,
    const FieldAccess<T, Dim>& field, const Staggering& g, T factor,
    Space& slot_space) {
  constexpr int s = Delta::support;
  using Tile      = SpreadTile<T, Real, Dim, Delta, Strengths>;
  using Cells     = TiledCells<Dim, Real, s>;
  using Dynamic   = Kokkos::Schedule<Kokkos::Dynamic>;
  using Range     = Kokkos::RangePolicy<Exec, Dynamic, Kokkos::IndexType<int>>;
  const BinCounts& counts = bins.counts();
  const StaggeringShift<Dim, Real, s> shift(bins.cells, g);
  const Tile tile{delta,
                  bins.locals.data(),
                  bins.fractions.data(),
                  bins.pitch,
                  bins.permutation.data(),
                  shift,
                  !shift.none(),
                  strengths,
                  factor};
  const TileRuns runs(bins, few_points<typename Tile::Sizes>(field));
  T* slots = nullptr;
  if (counts.parts > 0) {
    slots = typed_scratch<T>(exec, slot_space,
                             bins.part_bound(bins.n) * Tile::Sizes::size);
    Kokkos::parallel_for("Sporos::spread::tiled_parts",
                         Range(exec, 0, counts.parts, Kokkos::ChunkSize(1)),
                         SpreadParts<Tile, T>{tile, bins.parts.data(), slots});
  }
  for (int c = 0; c < Cells::colors; ++c)
    if (counts.color_begin[c] < counts.color_begin[c + 1])
      Kokkos::parallel_for(
          "Sporos::spread::tiled",
          Range(exec, counts.color_begin[c], counts.color_begin[c + 1],
                Kokkos::ChunkSize(1)),
          SpreadTiles<Tile, Cells, T, Dim, s>{
              tile, bins.cells, field, runs, bins.by_color.data(),
              counts.color_begin[c], counts.color_begin[c + 1], slots});
}

}  // namespace Impl
}  // namespace Sporos

#endif
