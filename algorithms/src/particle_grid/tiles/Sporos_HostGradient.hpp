// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_HOSTGRADIENT_HPP
#define SPOROS_HOSTGRADIENT_HPP

/// \file Sporos_HostGradient.hpp
/// Derivatives and dipoles in images of tiles on hosts: a row of an image is
/// loaded once for all directions. Costs two multiply-adds of a row of s
/// numbers for each of s^(Dim-1) rows of a point, where a value alone costs
/// one.

#include <Sporos_RowPack.hpp>
#include <particle_grid/tiles/Sporos_HostTile.hpp>

#include <algorithm>

namespace Sporos {
namespace Impl {

/// sums[k] = derivative in direction k of an image at point p of a batch,
/// sums[Dim] = its value
template <class Sizes, int Dim, class T, class Set>
SPOROS_ALWAYS_INLINE void dot_gradient(const T* image, const Set (&sets)[2],
                                       int p, T (&sums)[Dim + 1]) {
  using Row            = RowPack<T, Sizes::width>;
  constexpr int rows   = Dim == 1 ? 1 : Sizes::support;
  constexpr int planes = Dim < 3 ? 1 : Sizes::support;
  const Set &slope = sets[0], &weight = sets[1];
  const int yz        = p * Sizes::yz_stride;
  const T* const base = image + weight.window[p];
  // sums over the rows: of weights in y and z; of slopes in y; of slopes in z
  Row value = Row::fill(0), along_y = value, along_z = value;
  for_each_plane<planes>([&](int k) SPOROS_INLINE_LAMBDA {
    Row u = Row::fill(0), v = u;
    static_for<rows>([&](int j) SPOROS_INLINE_LAMBDA {
      const Row row = Row::load(base + k * Sizes::plane + j * Sizes::pitch);
      if constexpr (Dim > 1) {
        u.add_product(row, weight.y[yz + j]);
        v.add_product(row, slope.y[yz + j]);
      } else {
        u = row;
      }
    });
    if constexpr (Dim > 2) {
      value.add_product(u, weight.z[yz + k]);
      along_y.add_product(v, weight.z[yz + k]);
      along_z.add_product(u, slope.z[yz + k]);
    } else {
      value   = u;
      along_y = v;
    }
  });
  const Row x  = Row::load(weight.x + weight.x_begin[p]);
  const Row dx = Row::load(slope.x + slope.x_begin[p]);
  sums[0]      = dx.dot_nonzero(value);
  if constexpr (Dim > 1) sums[1] = x.dot_nonzero(along_y);
  if constexpr (Dim > 2) sums[2] = x.dot_nonzero(along_z);
  sums[Dim] = x.dot_nonzero(value);
}

/// Adds dipoles to an image of a tile.
template <class Sizes, int Dim, class T>
struct AddDipoles {
  static constexpr int Support = Sizes::support;
  using Wide                   = RowPack<T, Sizes::width>;

  /// image += the points of a batch; strengths[k]: moments in direction k. Runs
  /// of points in one window as in SpreadTile::add_rows.
  template <bool FromZero, class Set, class Strengths>
  static SPOROS_ALWAYS_INLINE void add(T* image, const Set (&sets)[2],
                                       const Strengths& strengths) {
    const int* const window = sets[1].window;
    for (int p = 0; window[p] >= 0;) {
      int end = p + 1;
      while (window[end] == window[p]) ++end;
      for (int k = 0; k < planes; ++k)
        static_for<blocks>([&](auto i) SPOROS_INLINE_LAMBDA {
          constexpr int first = i * block, last = std::min(first + block, rows);
          add_block<FromZero, first, last - first>(
              image + window[p] + k * Sizes::plane + first * Sizes::pitch, sets,
              strengths, k, p, end);
        });
      p = end;
    }
  }

 private:
  // Rows of a plane that registers hold at a time, with four rows of weights
  static constexpr int room =
      std::max(1, (simd_registers - simd_registers / 8) / Wide::registers - 4);
  static constexpr int rows   = Dim < 2 ? 1 : Support;
  static constexpr int planes = Dim < 3 ? 1 : Support;
  static constexpr int blocks = (rows + room - 1) / room;
  static constexpr int block  = (rows + blocks - 1) / blocks;

  /// Rows First, First + 1, ... of plane k for the run of points [p, end)
  template <bool FromZero, int First, int Rows, class Set, class Strengths>
  static SPOROS_ALWAYS_INLINE void add_block(T* rows_at, const Set (&sets)[2],
                                             const Strengths& strengths, int k,
                                             int p, int end) {
    const Set &slope = sets[0], &weight = sets[1];
    Wide sum[Rows];
    static_for<Rows>([&](int j) SPOROS_INLINE_LAMBDA {
      sum[j] =
          FromZero ? Wide::fill(0) : Wide::load(rows_at + j * Sizes::pitch);
    });
    for (; p < end; ++p) {
      const int yz  = p * Sizes::yz_stride;
      const Wide x  = Wide::load(weight.x + weight.x_begin[p]);
      const Wide dx = Wide::load(slope.x + slope.x_begin[p]);
      // what is multiplied with the weights in y, and with their slopes
      Wide u, v;
      if constexpr (Dim > 2) {
        const T wz = weight.z[yz + k];
        u          = dx.times(strengths[0][p] * wz);
        u.add_product(x, strengths[2][p] * slope.z[yz + k]);
        v = x.times(strengths[1][p] * wz);
      } else {
        u = dx.times(strengths[0][p]);
        if constexpr (Dim > 1) v = x.times(strengths[1][p]);
      }
      static_for<Rows>([&](int j) SPOROS_INLINE_LAMBDA {
        if constexpr (Dim > 1) {
          sum[j].add_product(u, weight.y[yz + First + j]);
          sum[j].add_product(v, slope.y[yz + First + j]);
        } else {
          sum[0].add(u);
        }
      });
    }
    static_for<Rows>([&](int j) SPOROS_INLINE_LAMBDA {
      if constexpr (FromZero)
        sum[j].add(Wide::load(rows_at + j * Sizes::pitch));
      sum[j].store(rows_at + j * Sizes::pitch);
    });
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
