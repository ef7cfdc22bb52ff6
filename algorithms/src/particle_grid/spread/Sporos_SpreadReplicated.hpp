// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SPREADREPLICATED_HPP
#define SPOROS_SPREADREPLICATED_HPP

/// \file Sporos_SpreadReplicated.hpp
/// spread, algorithm `replicated`, on hosts.
/// What: points are cut into chunks in the given order; a chunk is added to a
///   copy of the box of the grid that it touches; copies are added to the field
///   in the order of the chunks. Copies have room beyond the ends of the grid,
///   so that the inner loop knows no boundary.
/// Cost: s^Dim multiply-adds a point; a pass over the copies. No sort. Threads
///   beyond the number of chunks, at most 64, have nothing to do.
/// Wins: for small supports, where grid and copies fit into caches, or points
///   are nearly in order.

#include <Sporos_Error.hpp>
#include <Sporos_ForEachIndex.hpp>
#include <Sporos_RowPack.hpp>
#include <particle_grid/given/Sporos_GivenOrder.hpp>
#include <particle_grid/given/Sporos_PointBlock.hpp>
#include <particle_grid/stencil/Sporos_TransferGroup.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace Sporos {
namespace Impl {

/// Copies of the parts of the grid that chunks touch, for all components.
template <class T, int Dim>
struct ChunkImages {
  static constexpr int most = PointChunks<Dim>::most;
  static constexpr int room = 8;  ///< behind the images of a chunk
  T* data;
  int count, components;
  std::size_t first[most];  ///< of the first component
  int low[most][Dim];       ///< lowest grid point, see GivenGeometry
  int extent[most][Dim];

  /// Grid points of the image of a component
  std::size_t points(int c) const {
    std::size_t all = 1;
    for (int k = 0; k < Dim; ++k) all *= std::size_t(extent[c][k]);
    return all;
  }
  T* image(int chunk, int component) const {
    return data + first[chunk] + points(chunk) * std::size_t(component);
  }
  /// Finds where they are; returns the number of all values.
  std::size_t place(const PointChunks<Dim>& chunks, const int (&more)[Dim],
                    int components_) {
    std::size_t size = 0;
    count            = chunks.count;
    components       = components_;
    for (int c = 0; c < count; ++c) {
      const bool empty = chunks.box[c].empty();
      for (int k = 0; k < Dim; ++k) {
        low[c][k]    = empty ? 0 : chunks.box[c].low[k];
        extent[c][k] = empty ? 0 : chunks.box[c].end[k] - low[c][k] + more[k];
      }
      first[c] = size;
      size += points(c) * std::size_t(components) + room;
    }
    return size;
  }
};

/// Adds the points of a chunk to its images.
template <class Real, class Delta, class Group>
struct SpreadChunk {
  static constexpr int Dim     = Group::dim;
  static constexpr int Support = Delta::support;
  using T                      = typename Group::T;
  using Block                  = PointBlock<T, Dim, Real, Support>;
  using Images                 = ChunkImages<T, Dim>;
  /// Rows of three or seven are written with one more, which adds zero.
  static constexpr int width =
      Support == 3 || Support == 7 ? Support + 1 : Support;
  using Row = RowPack<T, width>;

  GivenPoints<Dim, Real, Support> points;
  GivenGeometry<Dim, Real, Support> geometry;
  Delta delta;
  Group group;
  T factor;
  Images images;
  int chunk_points;

  void operator()(int c) const {
    const std::size_t size = images.points(c);
    if (size == 0) return;
    T* const image = images.image(c, 0);
    std::fill(image, images.image(c, images.components) + Images::room, T(0));
    const int from = c * chunk_points;
    const int end  = from + Math::min(points.n - from, chunk_points);
    int stride[Dim];
    stride[0] = 1;
    for (int k = 1; k < Dim; ++k)
      stride[k] = stride[k - 1] * images.extent[c][k - 1];
    Block block;
    for (int begin = from; begin < end; begin += Block::size) {
      block.fill(points, begin, geometry, delta);
      block.find_offsets(images.low[c], stride);
      const int n = Math::min(end - begin, int(Block::size));
      for (int k = 0; k < images.components; ++k)
        add(block, images.image(c, k), stride, k, begin, n);
    }
  }

 private:
  /// For a few rows strengths are multiplied with the weights across, one point
  /// a lane, for many with those along.
  static constexpr bool few_rows = Block::rows <= 4;

  void add(const Block& block, T* image, const int (&stride)[Dim],
           int component, int begin, int n) const {
    T value[Block::size];
    for (int i = 0; i < n; ++i) {
      const int place =
          group.in_plan_order ? points.places[begin + i] : begin + i;
      value[i] = factor * T(group.value(component, place));
    }
    T across[few_rows ? Block::rows : 1][Block::size];
    if constexpr (few_rows) {
      for (int i = n; i < Block::size; ++i) value[i] = 0;
      for (int row = 0; row < Block::rows; ++row)
        for (int i = 0; i < Block::size; ++i)
          across[row][i] = value[i] * block.across[row][i];
    }
    const auto add_one = [&](int i) SPOROS_INLINE_LAMBDA {
      if (!block.points.has(i)) return;
      T* const at = image + block.offset[i];
      Row row     = Row::load(block.along[i]);
      if constexpr (!few_rows) row = row.times(value[i]);
      SPOROS_UNROLL
      for (int j = 0; j < Block::rows; ++j) {
        T* line = at;
        if constexpr (Dim > 1) line += j % Support * stride[1];
        if constexpr (Dim > 2) line += j / Support * stride[2];
        Row sum = Row::load(line);
        sum.add_product(
            row, few_rows ? across[few_rows ? j : 0][i] : block.across[j][i]);
        sum.store(line);
      }
    };
    if (n == Block::size) {
      // points that follow one another often touch the same grid points, and
      // would wait for each other
      constexpr int quarter = Block::size / 4;
      for (int i = 0; i < quarter; ++i) {
        add_one(i);
        add_one(i + quarter);
        add_one(i + 2 * quarter);
        add_one(i + 3 * quarter);
      }
    } else {
      for (int i = 0; i < n; ++i) add_one(i);
    }
  }
};

/// Adds the images to a part of a line of the fields.
template <class Group>
struct AddChunkImages {
  static constexpr int Dim  = Group::dim;
  static constexpr int part = added_points;
  using T                   = typename Group::T;

  Group group;
  ChunkImages<T, Dim> images;
  int to_grid[Dim];
  int parts;  ///< of a line

  void operator()(std::int64_t item) const {
    const FieldAccess<T, Dim>& f = group.field[0];
    const int begin              = int(item % parts) * part;
    const int end                = Math::min(begin + part, f.points[0]);
    const std::int64_t line      = item / parts;
    const int y = int(line % f.points[1]), z = int(line / f.points[1]);
    for (int c = 0; c < images.count; ++c) {
      if (images.extent[c][0] == 0) continue;
      for_each_image<2>(c, z, z + 1, [&](int iz, int, int) {
        for_each_image<1>(c, y, y + 1, [&](int iy, int, int) {
          for_each_image<0>(c, begin, end, [&](int ix, int x, int n) {
            add(c, ix, iy, iz, x, n, y, z);
          });
        });
      });
    }
  }

 private:
  /// f(place in the image, first grid point, their number) for the parts of an
  /// image that belong to the grid points begin .. end in direction K
  template <int K, class F>
  void for_each_image(int c, int begin, int end, const F& f) const {
    if constexpr (K >= Dim) {
      f(0, begin, 1);
    } else {
      const FieldAccess<T, Dim>& field = group.field[0];
      const int n                      = end - begin;
      const int extent                 = images.extent[c][K];
      const int period                 = field.points[K];
      int at                           = begin - to_grid[K] - images.low[c][K];
      if (field.wraps[K]) {
        // the first image that is not wholly before
        const int last = at + n - 1;
        at -= (last >= 0 ? last / period : -ceil_div(-last, period)) * period;
      }
      do {
        const int from = Math::max(at, 0), to = Math::min(at + n, extent);
        if (from < to) f(from, begin + (from - at), to - from);
        at += period;
      } while (field.wraps[K] && at < extent);
    }
  }
  void add(int c, int ix, int iy, int iz, int x, int n, int y, int z) const {
    const auto& extent = images.extent[c];
    std::size_t from   = std::size_t(iz);
    if constexpr (Dim > 2) from *= std::size_t(extent[1]);
    from += std::size_t(iy);
    if constexpr (Dim > 1) from *= std::size_t(extent[0]);
    from += std::size_t(ix);
    for (int k = 0; k < images.components; ++k) {
      const FieldAccess<T, Dim>& f = group.field[k];
      const T* const image         = images.image(c, k) + from;
      T* const to =
          f.data + x * f.stride[0] + y * f.stride[1] + z * f.stride[2];
      if (f.stride[0] == 1) {
        SPOROS_IVDEP
        for (int i = 0; i < n; ++i) to[i] += image[i];
      } else {
        for (int i = 0; i < n; ++i) to[i * f.stride[0]] += image[i];
      }
    }
  }
};

/// fields += spread strengths, of one staggering
template <class Exec, int Dim, class Real, class Delta, class Group,
          class Slots>
void spread_replicated(
    const Exec& exec, GivenOrder<Exec, Dim, Real, Delta::support>& given,
    const ParticleBins<Exec, Dim, Real, Delta::support>& bins,
    const Delta& delta, const Group& group, typename Group::T factor,
    Slots& slots) {
  using T           = typename Group::T;
  using Chunk       = SpreadChunk<Real, Delta, Group>;
  using Range       = Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>;
  const auto points = given.points(exec, bins, group.in_plan_order);
  const GivenGeometry<Dim, Real, Delta::support> geometry(points,
                                                          group.staggering[0]);
  const PointChunks<Dim>& chunks = given.chunks(exec, points);
  typename Chunk::Images images;
  for (int c = 0; c < chunks.count; ++c) {
    double all = 1;
    for (int k = 0; k < Dim && !chunks.box[c].empty(); ++k)
      all *= double(chunks.box[c].end[k] - chunks.box[c].low[k]) +
             geometry.more[k];
    check(all < most_copied_points, "Sporos::spread", "options.algorithm",
          "tiled or automatic, since points that follow one another touch a "
          "part of the grid with 2^31 grid points or more",
          "replicated");
  }
  const std::size_t size = images.place(chunks, geometry.more, group.used());
  images.data            = typed_scratch<T>(exec, slots, size);
  for_each_index("Sporos::spread::replicated", Range(exec, 0, images.count),
                 Chunk{points, geometry, delta, group, factor, images,
                       chunks.pieces * piece_points});
  AddChunkImages<Group> add{group, images, {}, 0};
  for (int k = 0; k < Dim; ++k) add.to_grid[k] = geometry.to_grid[k];
  const auto& field = group.field[0];
  add.parts         = ceil_div(field.points[0], add.part);
  for_each_index(
      "Sporos::spread::add_copies",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(
          exec, 0, std::int64_t(add.parts) * field.points[1] * field.points[2]),
      add);
}

}  // namespace Impl
}  // namespace Sporos

#endif
