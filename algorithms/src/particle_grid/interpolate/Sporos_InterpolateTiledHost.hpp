// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_INTERPOLATETILEDHOST_HPP
#define SPOROS_INTERPOLATETILEDHOST_HPP

/// \file Sporos_InterpolateTiledHost.hpp
/// interpolate, algorithm `tiled` on hosts. One thread copies a tile of the
/// field and its halo into the level-1 cache and serves the tile's points in
/// sorted order; rows that consecutive points share stay in registers. Tiles
/// with few points are not copied. Costs s^(Dim-1) fused multiply-adds of a
/// register per point and one read of the image per tile. The fastest algorithm
/// on hosts, except for a handful of points.

#include <particle_grid/tiles/Sporos_HostDirect.hpp>
#include <particle_grid/tiles/Sporos_HostTile.hpp>

namespace Sporos {
namespace Impl {

/// image = the field around a tile, zero outside the grid
template <class T, int Dim, int Support>
void load_image(const TileImage<const T, Dim, Support>& source, T* image) {
  const auto missing = [&](int row, int length) {
    std::fill(image + row, image + row + length, T(0));
  };
  const std::ptrdiff_t stride = source.stride();
  if (stride == 1)
    source.for_each_row(
        [&](const T* line, int row, auto length) {
          for_each_pack<T>(length, [&](int i, auto lanes) {
            Pack<T, lanes>::load(line + i).store(image + row + i);
          });
        },
        missing);
  else
    source.for_each_row(
        [&](const T* line, int row, int length) {
          for (int i = 0; i < length; ++i) image[row + i] = line[i * stride];
        },
        missing);
}

/// Zeroes what load_image leaves as it is and registers reach: weights there
/// are zero, but processors are slow at denormal numbers, which memory that was
/// never written is full of.
template <class Sizes, class T>
void clear_tails(T* image) {
  constexpr int length = Sizes::Shape::extent(0) + Sizes::support - 1;
  for (int row = 0; row < Sizes::rows(1) * Sizes::rows(2); ++row)
    std::fill(image + row * Sizes::pitch + length,
              image + (row + 1) * Sizes::pitch, T(0));
  std::fill(image + Sizes::size - Sizes::width, image + Sizes::size, T(0));
}

template <class T, class Real, int Dim, class Delta, class Values>
struct InterpolateTiles {
  static constexpr int Support = Delta::support;
  using Sizes                  = HostTileShape<T, Dim, Support>;
  using Batch                  = PointBatch<T, Real, Dim, Delta>;
  using Direct                 = DirectBatch<T, Real, Dim, Delta>;
  using Wide                   = Pack<T, Sizes::width>;
  using Native                 = Pack<T, Wide::lanes>;
  static constexpr int planes  = Dim < 3 ? 1 : Support;
  static constexpr int rows    = Dim == 1 ? 1 : Support;
  static constexpr bool keep_rows =
      planes * rows * Wide::registers <= simd_registers * 5 / 8;

  Delta delta;
  const std::uint16_t* locals;
  const Real* fractions;
  std::size_t pitch;
  const int* permutation;
  StaggeringShift<Dim, Real, Support> shift;
  bool shifted;
  TiledCells<Dim, Real, Support> cells;
  FieldAccess<const T, Dim> field;
  TileRuns runs;
  int tiles;
  Values values;

  /// The tiles from number t on that one work item serves, if t is their first.
  void operator()(int t) const {
    if (t > 0 && goes_on(t - 1)) return;
    int last = t + 1;
    while (goes_on(last - 1)) ++last;
    Batch batch;
    Direct direct_batch;
    alignas(64) T image[Sizes::size];
    clear_tails<Sizes>(image);
    while (t < last) {
      const int direct = runs.direct_end(t, last);
      if (direct > t)
        serve_directly(runs.ranges + t, runs.ranges + direct, direct_batch);
      else
        serve(runs.ranges[t], image, batch);
      t = std::max(direct, t + 1);
    }
  }

 private:
  /// Is the next tile served with tile t, as those of a column are? Crowded
  /// tiles are work enough for an item.
  bool goes_on(int t) const {
    constexpr int most = 4096;
    if (t + 1 >= tiles) return false;
    const PointRange &a = runs.ranges[t], &b = runs.ranges[t + 1];
    return runs.same_column(a, b) && a.end - a.begin <= most &&
           b.end - b.begin <= most;
  }

  /// work(first point, count) for the points [begin, end), a batch at a time.
  /// Values lie in random order: they are prefetched for writing.
  template <class Points, class Work>
  void for_each_batch(int begin, int end, Points& batch,
                      const Work& work) const {
    constexpr int most = Points::Sizes::batch;
    Points::prefetch(locals, fractions, pitch, begin,
                     std::min(end, begin + most));
    for (int i = begin; i < end; i += most) {
      const int count = std::min(most, end - i);
      Points::prefetch(locals, fractions, pitch, i + count,
                       std::min(end, i + count + most));
      for (int p = i; p < i + count; ++p)
        SPOROS_PREFETCH_WRITE(&values(permutation[p]));
      batch.template fill<false>(delta, locals, fractions, pitch, shift,
                                 shifted, i, count);
      work(i, count);
    }
  }

  void serve(const PointRange& range, T* image, Batch& batch) const {
    const TileImage<const T, Dim, Support> source(field, cells, shift,
                                                  range.tile);
    source.prefetch();
    for_each_batch(range.begin, range.end, batch, [&](int begin, int count) {
      if (begin == range.begin) load_image(source, image);
      alignas(64) T partial[Sizes::batch * Native::width];
      dot_rows(image, batch, partial);
      write_sums(partial, begin, count);
    });
  }

  /// The points of the tiles [first, last) without an image; out of line, for
  /// the registers of the others
  [[gnu::noinline]] void serve_directly(const PointRange* first,
                                        const PointRange* last,
                                        Direct& batch) const {
    DirectPoints<const T, Dim, Direct> points(field, batch);
    for_each_batch(first->begin, (last - 1)->end, batch,
                   [&](int begin, int count) {
                     first = points.place(cells, shift, first, begin, count);
                     points.dot(count, [&](int p, T sum) {
                       values(permutation[begin + p]) = sum;
                     });
                   });
  }

  /// Lanes of the sums of all points of a batch.
  static void dot_rows(const T* image, const Batch& b, T* partial) {
    for (int p = 0; b.window[p] >= 0;) {
      const int window    = b.window[p];
      const T* const base = image + window;
      Wide row[keep_rows ? planes * rows : 1];
      if constexpr (keep_rows)
        static_for<planes * rows>([&](auto i) {
          row[i] = Wide::load(base + i / rows * Sizes::plane +
                              i % rows * Sizes::pitch);
        });
      do {
        Wide total(T(0));
        static_for<planes>([&](auto k) {
          Wide u(T(0));
          static_for<rows>([&](auto j) {
            Wide r;
            if constexpr (keep_rows)
              r = row[k * rows + j];
            else
              r = Wide::load(base + k * Sizes::plane + j * Sizes::pitch);
            if constexpr (Dim > 1)
              u = fma(r, Wide(b.y[p * Sizes::yz_stride + j]), u);
            else
              u = r;
          });
          if constexpr (Dim > 2)
            total = fma(u, Wide(b.z[p * Sizes::yz_stride + k]), total);
          else
            total = u;
        });
        const Wide x = Wide::load(b.x + b.x_begin[p]);
        fold_registers(where_nonzero(x, x * total))
            .store(partial + p * Native::width);
        ++p;
      } while (b.window[p] == window);
    }
  }

  void write_sums(const T* partial, int begin, int count) const {
    constexpr int W = Native::width;
    for (int i = 0; i < count; i += W) {
      Native p[W];
      for (int l = 0; l < W; ++l) p[l] = Native::load(partial + (i + l) * W);
      const Native sums = sum_each(p);
      for (int l = 0; l < std::min(W, count - i); ++l)
        values(permutation[begin + i + l]) = sums[l];
    }
  }
};

/// Points without a cell get 0.
template <class Values>
struct ZeroOutside {
  const int* permutation;
  Values values;
  void operator()(int i) const { values(permutation[i]) = 0; }
};

template <class Exec, int Dim, class Real, class Delta, class T, class Values>
void interpolate_tiled_host(
    const Exec& exec, const ParticleBins<Exec, Dim, Real, Delta::support>& bins,
    const Delta& delta, const FieldAccess<const T, Dim>& field,
    const Values& values, const Staggering& g) {
  using Range = Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Dynamic>,
                                    Kokkos::IndexType<int>>;
  using Sizes = HostTileShape<T, Dim, Delta::support>;
  const BinCounts& counts = bins.counts();
  const StaggeringShift<Dim, Real, Delta::support> shift(bins.cells, g);
  Kokkos::parallel_for(
      "Sporos::interpolate::tiled",
      Range(exec, 0, counts.tiles, Kokkos::ChunkSize(1)),
      InterpolateTiles<T, Real, Dim, Delta, Values>{
          delta, bins.locals.data(), bins.fractions.data(), bins.pitch,
          bins.permutation.data(), shift, !shift.none(), bins.cells, field,
          TileRuns(bins, few_points<Sizes>(field)), counts.tiles, values});
  if (counts.inside < bins.n)
    Kokkos::parallel_for("Sporos::interpolate::outside",
                         Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(
                             exec, counts.inside, bins.n),
                         ZeroOutside<Values>{bins.permutation.data(), values});
}

}  // namespace Impl
}  // namespace Sporos

#endif
