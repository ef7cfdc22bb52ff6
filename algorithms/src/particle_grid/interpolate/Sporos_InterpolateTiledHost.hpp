// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_INTERPOLATETILEDHOST_HPP
#define SPOROS_INTERPOLATETILEDHOST_HPP

/// \file Sporos_InterpolateTiledHost.hpp
/// interpolate, algorithm `tiled` on hosts. One thread copies a tile of the
/// field and its halo into cache and serves the tile's points in sorted order.
/// Tiles with few points are not copied. Costs s^(Dim-1) multiply-adds of a row
/// of s numbers per point and one read of the image per tile. The fastest
/// algorithm on hosts, except for a handful of points.

#include <Sporos_ForEachIndex.hpp>
#include <Sporos_PackInterleave.hpp>
#include <Sporos_RowPack.hpp>
#include <particle_grid/interpolate/Sporos_InterpolatePoints.hpp>
#include <particle_grid/tiles/Sporos_HostDirect.hpp>
#include <particle_grid/tiles/Sporos_HostGradient.hpp>
#include <particle_grid/tiles/Sporos_HostTile.hpp>

namespace Sporos {
namespace Impl {

/// images = C interleaved components of the field around a tile, zero outside
/// the grid
template <int C, class T, int Dim, int Support>
void load_images(const TileImage<const T, Dim, Support>& source, T* images) {
  constexpr int size = TileImage<const T, Dim, Support>::Sizes::size;
  const auto missing = [&](int row, int length) {
    for (int c = 0; c < C; ++c)
      std::fill(images + c * size + row, images + c * size + row + length,
                T(0));
  };
  const std::ptrdiff_t stride = source.stride();
  if (C > 1 || stride == 1)
    source.for_each_row(
        [&](const T* line, int row, auto length) {
          for_each_pack<T>(length, [&](int i, auto lanes) {
            Pack<T, lanes> out[C];
            load_interleaved(out, line + i * C);
            for (int c = 0; c < C; ++c)
              out[c].store(images + c * size + row + i);
          });
        },
        missing);
  else
    source.for_each_row(
        [&](const T* line, int row, int length) {
          for (int i = 0; i < length; ++i) images[row + i] = line[i * stride];
        },
        missing);
}

/// Zeroes what load_images leaves as it is and registers reach: weights there
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

template <class Real, class Delta, class Group>
struct InterpolateTiles {
  using Points                 = HostPoints<Real, Delta, Group>;
  using T                      = std::remove_const_t<typename Group::T>;
  using V                      = typename Group::V;
  static constexpr int Dim     = Group::dim;
  static constexpr int Support = Delta::support;
  using Sizes                  = HostTileShape<T, Dim, Support>;
  using Batch = typename Points::template Batch<SinglePointShape>;
  using Row   = RowPack<T, Batch::Sizes::width>;
  static constexpr int planes = Dim < 3 ? 1 : Support;
  static constexpr int rows   = Dim == 1 ? 1 : Support;

  Points points;
  int prefetch_step;  ///< see Group::prefetch_step
  const PointRange* ranges;
  int few;          ///< see few_points
  bool prefetches;  ///< see exceed_caches
  int n, chunk;     ///< tiles, and how many a thread serves one after another
  bool skips_cut;   ///< are tiles that are cut served by their parts?

  void operator()(int t) const {
    const PointRange& range = ranges[t];
    if (skips_cut && range.slots > 0) return;
    if (prefetches && (t + 1) % chunk != 0 && t + 1 < n &&
        ranges[t + 1].end - ranges[t + 1].begin >= prefetched_points)
      points.prefetch(ranges[t + 1].tile);
    Batch batch;
    if (range.end - range.begin < few)
      serve_directly(range, batch);
    else
      serve(range, batch);
  }

 private:
  /// work(first point, count) for the points [begin, end), a batch at a time.
  /// Values lie in random order: they are prefetched for writing.
  template <class Work>
  void for_each_batch(int begin, int end, Batch& batch,
                      const Work& work) const {
    constexpr int most = Batch::Sizes::batch;
    for (int i = begin; i < end; i += most) {
      const int count = std::min(most, end - i);
      for (int p = i; p < i + count; ++p)
        for (int c = 0; c < points.group.count; c += prefetch_step)
          SPOROS_PREFETCH_WRITE(&points.group.values[c](points.places(p)));
      batch.fill(points, points.delta, i, count);
      work(i, count);
    }
  }

  /// Has a tile points whose values somebody reads?
  bool has_own(const PointRange& range) const {
    for (int p = range.begin; p < range.end; ++p)
      if (points.places(p) < points.group.values[0].split) return true;
    return false;
  }

  void serve(const PointRange& range, Batch& batch) const {
    if constexpr (Group::splits)
      if (!has_own(range)) return;
    alignas(64) T images[Group::most_images * Sizes::size];
    for (int c = 0; c < points.group.images(); ++c)
      clear_tails<Sizes>(images + c * Sizes::size);
    points.for_each_image(
        range.tile, [&](int c, const auto& source, auto together) {
          load_images<together>(source, images + c * Sizes::size);
        });
    for_each_batch(range.begin, range.end, batch, [&](int begin, int count) {
      if constexpr (Group::derives)
        dot_gradients(images, batch, begin, count);
      else
        for (int c = 0; c < points.group.count; ++c)
          dot(images + c * Sizes::size, batch.template view<Group>(c), c, begin,
              count);
    });
  }

  /// The points of a tile without an image; out of line, for the registers of
  /// the others
  [[gnu::noinline]] void serve_directly(const PointRange& range,
                                        Batch& batch) const {
    DirectPoints<Points, Batch> direct(points, batch);
    for_each_batch(range.begin, range.end, batch, [&](int begin, int count) {
      direct.for_each_component(range.tile, count, [&](int c, auto together) {
        direct.template dot<together>(
            points.group.field[c].data, count,
            [&](int p, const T* sums) { set(c, begin + p, sums, together); });
      });
    });
  }

  /// The values of sorted point i
  void set(int first, int i, const T* sums, int count) const {
    const int place = points.places(i);
    for (int c = 0; c < count; ++c)
      points.group.values[first + c](place) = V(sums[c]);
  }

  /// Derivatives, and values, at the points of a batch
  void dot_gradients(const T* images, Batch& batch, int begin,
                     int count) const {
    typename Batch::View sets[2];
    batch.view_sets(sets);
    for (int p = 0; p < count; ++p) {
      if constexpr (Group::splits)
        if (points.places(begin + p) >= points.group.values[0].split) continue;
      for (int part = 0; part < Group::parts; ++part) {
        T sums[Dim + 1];
        dot_gradient<typename Batch::Sizes, Dim>(images + part * Sizes::size,
                                                 sets, p, sums);
        for (int k = 0; k < Group::terms; ++k)
          set(k * Group::parts + part, begin + p, sums + k, 1);
      }
    }
  }

  /// Values of component c at the points of a batch, from its image
  void dot(const T* image, const BatchView<T>& b, int c, int begin,
           int count) const {
    for (int p = 0; p < count; ++p) {
      const int place = points.places(begin + p);
      if constexpr (Group::splits)
        if (place >= points.group.values[c].split) continue;
      const T* const base = image + b.window[p];
      const T* const y    = b.y + (Dim > 1 ? p * Batch::Sizes::yz_stride : 0);
      const T* const z    = b.z + (Dim > 2 ? p * Batch::Sizes::yz_stride : 0);
      Row total           = Row::fill(0);
      for_each_plane<planes>([&](int k) SPOROS_INLINE_LAMBDA {
        Row u = Row::fill(0);
        static_for<rows>([&](int j) SPOROS_INLINE_LAMBDA {
          const Row row = Row::load(base + k * Sizes::plane + j * Sizes::pitch);
          if constexpr (Dim > 1)
            u.add_product(row, y[j]);
          else
            u = row;
        });
        if constexpr (Dim > 2)
          total.add_product(u, z[k]);
        else
          total = u;
      });
      const Row x                   = Row::load(b.x + b.x_begin[p]);
      points.group.values[c](place) = V(x.dot_nonzero(total));
    }
  }
};

template <class Exec, int Dim, class Real, class Delta, class Group>
void interpolate_tiled_host(
    const Exec& exec, const ParticleBins<Exec, Dim, Real, Delta::support>& bins,
    const Delta& delta, const Group& group) {
  using Range = Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Dynamic>,
                                    Kokkos::IndexType<int>>;
  using Tiles = InterpolateTiles<Real, Delta, Group>;
  const BinCounts& counts = *bins.counts;
  const int few = bins.any_ranks ? 0 : few_points<typename Tiles::Sizes>(group);
  const auto serve = [&](const char* label, const PointRange* ranges, int n,
                         bool skips_cut) {
    const int chunk = std::clamp(n / (16 * exec.concurrency()), 1, 8);
    for_each_index(label, Range(exec, 0, n, Kokkos::ChunkSize(chunk)),
                   Tiles{{bins, delta, group},
                         group.prefetch_step(),
                         ranges,
                         few,
                         exceed_caches(group),
                         n,
                         chunk,
                         skips_cut});
  };
  // parts load the image of their tile again: where threads lack tiles
  const bool cut = counts.parts > 0 && counts.tiles < 8 * exec.concurrency();
  serve("Sporos::interpolate::tiled", bins.ranges, counts.tiles, cut);
  if (cut)
    serve("Sporos::interpolate::tiled_parts", bins.parts, counts.parts, false);
  const int outside = bins.n - counts.inside;
  if (outside > 0)
    for_each_index(
        "Sporos::interpolate::outside",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(exec, 0, outside),
        ZeroWithoutCell<Group>{bins.counts, group.places(bins), group, bins.n,
                               outside});
}

}  // namespace Impl
}  // namespace Sporos

#endif
