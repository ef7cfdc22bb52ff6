// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_INTERPOLATETILEDHOST_HPP
#define SPOROS_INTERPOLATETILEDHOST_HPP

/// \file Sporos_InterpolateTiledHost.hpp
/// interpolate, algorithm `tiled` on hosts. One thread copies a tile of the
/// field and its halo into cache and serves the tile's points in sorted order.
/// Tiles with few points are not copied. Costs s^(Dim-1) multiply-adds of a row
/// of s numbers per point and one read of the image per tile. The fastest
/// algorithm on hosts, except for a handful of points.

#include <Sporos_PackInterleave.hpp>
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

/// The same for C interleaved components, with an image each
template <int C, class T, int Dim, int Support>
void load_images(const TileImage<const T, Dim, Support>& source, T* images) {
  constexpr int size = TileImage<const T, Dim, Support>::Sizes::size;
  source.for_each_row(
      [&](const T* line, int row, auto length) {
        for_each_pack<T>(length, [&](int i, auto lanes) {
          Pack<T, lanes> out[C];
          load_interleaved(out, line + i * C);
          for (int c = 0; c < C; ++c) out[c].store(images + c * size + row + i);
        });
      },
      [&](int row, int length) {
        for (int c = 0; c < C; ++c)
          std::fill(images + c * size + row, images + c * size + row + length,
                    T(0));
      });
}

template <class Real, class Delta, class Group>
struct InterpolateTiles {
  using T                      = std::remove_const_t<typename Group::T>;
  using V                      = typename Group::V;
  static constexpr int Dim     = Group::dim;
  static constexpr int Support = Delta::support;
  using Sizes                  = HostTileShape<T, Dim, Support>;
  using Batch = SinglePointBatch<T, Real, Dim, Delta, Group::sets>;
  using Image = TileImage<const T, Dim, Support>;
  using Row   = Pack<T, Batch::Sizes::x_stride>;
  static constexpr int planes = Dim < 3 ? 1 : Support;
  static constexpr int rows   = Dim == 1 ? 1 : Support;

  Delta delta;
  const std::uint16_t* locals;
  const Real* fractions;
  std::size_t pitch;
  PointPlaces places;
  StaggeringShifts<Dim, Real, Support, Group::sets> shifts;
  TiledCells<Dim, Real, Support> cells;
  Group group;
  int together;       ///< see Group::together
  int prefetch_step;  ///< see Group::prefetch_step
  TileRuns runs;
  int tiles;

  /// The tiles from number t on that one work item serves, if t is their first.
  void operator()(int t) const {
    if (t > 0 && goes_on(t - 1)) return;
    int last = t + 1;
    while (goes_on(last - 1)) ++last;
    Batch batch;
    alignas(64) T images[Group::most * Sizes::size];
    for (int c = 0; c < group.count; ++c)
      clear_tails<Sizes>(images + c * Sizes::size);
    while (t < last) {
      const int direct = runs.direct_end(t, last);
      if (direct > t)
        serve_directly(runs.ranges + t, runs.ranges + direct, batch);
      else
        serve(runs.ranges[t], images, batch);
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
  template <class Work>
  void for_each_batch(int begin, int end, Batch& batch,
                      const Work& work) const {
    constexpr int most = Batch::Sizes::batch;
    Batch::prefetch(locals, fractions, pitch, begin,
                    std::min(end, begin + most));
    for (int i = begin; i < end; i += most) {
      const int count = std::min(most, end - i);
      Batch::prefetch(locals, fractions, pitch, i + count,
                      std::min(end, i + count + most));
      for (int p = i; p < i + count; ++p)
        for (int c = 0; c < group.count; c += prefetch_step)
          SPOROS_PREFETCH_WRITE(&group.values[c](places(p)));
      batch.fill(delta, locals, fractions, pitch, shifts, i, count);
      work(i, count);
    }
  }

  /// f(component, place of its image) for the first of components that lie
  /// together
  template <class F>
  void for_each_source(const PointRange& range, const F& f) const {
    for (int c = 0; c < group.count; c += together)
      f(c, Image(group.field[c], cells, shifts.template component<Group>(c),
                 range.tile));
  }

  void load(const PointRange& range, T* images) const {
    for_each_source(range, [&](int c, const Image& source) {
      if (together == 1)
        load_image(source, images + c * Sizes::size);
      else
        with_count<Group::most>(
            together, [&](auto n) { load_images<n>(source, images); });
    });
  }

  void serve(const PointRange& range, T* images, Batch& batch) const {
    load(range, images);
    for_each_batch(range.begin, range.end, batch, [&](int begin, int count) {
      for (int c = 0; c < group.count; ++c)
        dot(images + c * Sizes::size, batch.template view<Group>(c), c, begin,
            count);
    });
  }

  /// The points of the tiles [first, last) without images; out of line, for
  /// the registers of the others
  [[gnu::noinline]] void serve_directly(const PointRange* first,
                                        const PointRange* last,
                                        Batch& batch) const {
    DirectPoints<Group, Batch> points(group, batch);
    for_each_batch(
        first->begin, (last - 1)->end, batch, [&](int begin, int count) {
          const PointRange* next = first;
          for (int c = 0; c < group.count; c += together) {
            if (Group::moves(c))
              next = points.place(group, c, cells,
                                  shifts.template component<Group>(c), first,
                                  begin, count);
            if (together == 1)
              dot_directly<1>(points, c, begin, count);
            else
              with_count<Group::most>(together, [&](auto n) {
                dot_directly<n>(points, c, begin, count);
              });
          }
          first = next;
        });
  }

  template <int C>
  void dot_directly(const DirectPoints<Group, Batch>& points, int first,
                    int begin, int count) const {
    points.template dot<C>(group.field[first].data, count,
                           [&](int p, const T* sums) {
                             const int place = places(begin + p);
                             for (int c = 0; c < C; ++c)
                               group.values[first + c](place) = V(sums[c]);
                           });
  }

  /// Values of component c at the points of a batch, from its image
  void dot(const T* image, const BatchView<T>& b, int c, int begin,
           int count) const {
    for (int p = 0; p < count; ++p) {
      const T* const base = image + b.window[p];
      const T* const y    = b.y + (Dim > 1 ? p * Batch::Sizes::yz_stride : 0);
      const T* const z    = b.z + (Dim > 2 ? p * Batch::Sizes::yz_stride : 0);
      Row total(T(0));
      static_for<planes>([&](auto k) {
        Row u(T(0));
        static_for<rows>([&](auto j) {
          const Row row = Row::load(base + k * Sizes::plane + j * Sizes::pitch);
          if constexpr (Dim > 1)
            u = fma(row, Row(y[j]), u);
          else
            u = row;
        });
        if constexpr (Dim > 2)
          total = fma(u, Row(z[k]), total);
        else
          total = u;
      });
      const Row x                        = Row::load(b.x + b.x_begin[p]);
      group.values[c](places(begin + p)) = V(sum(where_nonzero(x, x * total)));
    }
  }
};

/// Points without a cell get 0.
template <class Group>
struct ZeroOutside {
  PointPlaces places;
  Group group;
  void operator()(int i) const {
    for (int c = 0; c < group.count; ++c)
      group.values[c](places(i)) = typename Group::V(0);
  }
};

template <class Exec, int Dim, class Real, class Delta, class Group>
void interpolate_tiled_host(
    const Exec& exec, const ParticleBins<Exec, Dim, Real, Delta::support>& bins,
    const Delta& delta, const Group& group) {
  using Range = Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Dynamic>,
                                    Kokkos::IndexType<int>>;
  using Tiles = InterpolateTiles<Real, Delta, Group>;
  const BinCounts& counts = bins.counts();
  Kokkos::parallel_for(
      "Sporos::interpolate::tiled",
      Range(exec, 0, counts.tiles, Kokkos::ChunkSize(1)),
      Tiles{delta,
            bins.locals.data(),
            bins.fractions.data(),
            bins.pitch,
            group.places(bins),
            {bins.cells, group.staggering},
            bins.cells,
            group,
            group.together(),
            group.prefetch_step(),
            TileRuns(bins, bins.any_ranks
                               ? 0
                               : few_points<typename Tiles::Sizes>(group)),
            counts.tiles});
  if (counts.inside < bins.n)
    Kokkos::parallel_for("Sporos::interpolate::outside",
                         Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(
                             exec, counts.inside, bins.n),
                         ZeroOutside<Group>{group.places(bins), group});
}

}  // namespace Impl
}  // namespace Sporos

#endif
