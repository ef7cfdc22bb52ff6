// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_INTERPOLATEGIVEN_HPP
#define SPOROS_INTERPOLATEGIVEN_HPP

/// \file Sporos_InterpolateGiven.hpp
/// interpolate, algorithm `unsorted`, on hosts.
/// What: points in the given order, a block of them at a time; each reads the
///   field around it.
/// Cost: s^Dim reads of the field per point. No sort.
/// Wins: with `replicated`: for small supports, where the field fits into
///   caches, or points are nearly in order.

#include <Sporos_ForEachIndex.hpp>
#include <Sporos_RowPack.hpp>
#include <particle_grid/given/Sporos_GivenOrder.hpp>
#include <particle_grid/given/Sporos_PointBlock.hpp>
#include <particle_grid/stencil/Sporos_PointStencil.hpp>
#include <particle_grid/stencil/Sporos_TransferGroup.hpp>

#include <cstddef>
#include <limits>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// A block of points per work item
template <class Real, class Delta, class Group>
struct InterpolateGiven {
  static constexpr int Dim     = Group::dim;
  static constexpr int Support = Delta::support;
  using T                      = std::remove_const_t<typename Group::T>;
  using V                      = typename Group::V;
  using Block                  = PointBlock<T, Dim, Real, Support>;

  GivenPoints<Dim, Real, Support> points;
  GivenGeometry<Dim, Real, Support> geometry;
  Delta delta;
  Group group;
  bool small;  ///< do offsets fit into an int?

  void operator()(int b) const {
    const int begin = b * Block::size;
    Block block;
    block.fill(points, begin, geometry, delta);
    int inner[Block::size];  // 1 or 0: compilers vectorise loops of int
    int stride[Dim], corner[Dim];
    const auto& field = group.field[0];
    for (int i = 0; i < Block::size; ++i) inner[i] = small ? 1 : 0;
    for (int k = 0; k < Dim; ++k) {
      stride[k]      = small ? int(field.stride[k]) : 0;
      corner[k]      = -geometry.to_grid[k];
      const int last = field.points[k] - Support;
      for (int i = 0; i < Block::size; ++i) {
        const int first = block.points.cell[k][i] - corner[k];
        inner[i] &= int(first >= 0) & int(first <= last);
      }
    }
    block.find_offsets(corner, stride);
    const int n = Math::min(points.n - begin, int(Block::size));
    for (int c = 0; c < group.used(); ++c) read(block, inner, c, begin, n);
  }

 private:
  void read(const Block& block, const int (&inner)[Block::size], int c,
            int begin, int n) const {
    const FieldAccess<const T, Dim> field = group.field_of(c);
    const bool packed                     = field.stride[0] == 1;
    T sum[Block::size];
    for (int i = 0; i < n; ++i)
      sum[i] = !block.points.has(i) ? T(0)
               : inner[i] == 0      ? read_anywhere(field, block, i)
               : packed             ? read_packed(field, block, i)
                                    : read_strided(field, block, i);
    for (int i = 0; i < n; ++i) {
      const int place =
          group.in_plan_order ? points.places[begin + i] : begin + i;
      group.value(c, place) = V(sum[i]);
    }
  }
  SPOROS_ALWAYS_INLINE T read_packed(const FieldAccess<const T, Dim>& field,
                                     const Block& block, int i) const {
    using Row              = ReadRowPack<T, Support>;
    const T* const at      = field.data + block.offset[i];
    const T zeros[Support] = {};
    Row sum                = Row::load(zeros);
    SPOROS_UNROLL
    for (int j = 0; j < Block::rows; ++j) {
      const T* line = at;
      if constexpr (Dim > 1) line += j % Support * field.stride[1];
      if constexpr (Dim > 2) line += j / Support * field.stride[2];
      sum.add_product(Row::load(line), block.across[j][i]);
    }
    return sum.dot(Row::load(block.along[i]));
  }
  /// Where the values of a line lie apart, as those of several components do
  SPOROS_ALWAYS_INLINE T read_strided(const FieldAccess<const T, Dim>& field,
                                      const Block& block, int i) const {
    T sum = 0;
    SPOROS_UNROLL
    for (int j = 0; j < Block::rows; ++j) {
      const T* line = field.data + block.offset[i];
      if constexpr (Dim > 1) line += j % Support * field.stride[1];
      if constexpr (Dim > 2) line += j / Support * field.stride[2];
      T row = 0;
      SPOROS_UNROLL
      for (int x = 0; x < Support; ++x)
        row += block.along[i][x] * line[x * field.stride[0]];
      sum += row * block.across[j][i];
    }
    return sum;
  }
  /// Near a boundary
  [[gnu::noinline]] T read_anywhere(const FieldAccess<const T, Dim>& field,
                                    const Block& block, int i) const {
    int first[3] = {};
    for (int k = 0; k < Dim; ++k)
      first[k] = block.points.cell[k][i] + geometry.to_grid[k];
    T sum = 0;
    for (int z = 0; z < (Dim > 2 ? Support : 1); ++z) {
      const int iz = Dim > 2 ? field.index(2, first[2] + z) : 0;
      for (int y = 0; y < (Dim > 1 ? Support : 1) && iz >= 0; ++y) {
        const int iy = Dim > 1 ? field.index(1, first[1] + y) : 0;
        T line       = 0;
        for (int x = 0; x < Support && iy >= 0; ++x) {
          const int ix = field.index(0, first[0] + x);
          if (ix >= 0)
            line += block.along[i][x] *
                    field.data[ix * field.stride[0] + iy * field.stride[1] +
                               iz * field.stride[2]];
        }
        sum += line * block.across[z * Support + y][i];
      }
    }
    return sum;
  }
};

/// Reads fields of one staggering in the given order.
template <class Exec, int Dim, class Real, class Delta, class Group>
void interpolate_given(
    const Exec& exec, GivenOrder<Exec, Dim, Real, Delta::support>& given,
    const ParticleBins<Exec, Dim, Real, Delta::support>& bins,
    const Delta& delta, const Group& group) {
  using Kernel      = InterpolateGiven<Real, Delta, Group>;
  const auto points = given.points(exec, bins, group.in_plan_order);
  const GivenGeometry<Dim, Real, Delta::support> geometry(points,
                                                          group.staggering[0]);
  const auto& field   = group.field[0];
  std::ptrdiff_t span = 0;
  for (int k = 0; k < Dim; ++k)
    span += std::ptrdiff_t(field.points[k]) * field.stride[k];
  const bool small = span < std::numeric_limits<int>::max();
  for_each_index("Sporos::interpolate::unsorted",
                 Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(
                     exec, 0, ceil_div(points.n, int(Kernel::Block::size))),
                 Kernel{points, geometry, delta, group, small});
}

}  // namespace Impl
}  // namespace Sporos

#endif
