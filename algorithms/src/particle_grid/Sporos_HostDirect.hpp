// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_HOSTDIRECT_HPP
#define SPOROS_HOSTDIRECT_HPP

/// \file Sporos_HostDirect.hpp
/// Tiles with very few points: the points work on the field itself,
/// without an image of the tile, so that the cost follows the points. What a
/// point will touch is asked for some points ahead.

#include <particle_grid/Sporos_HostTile.hpp>

namespace Sporos {
namespace Impl {

template <class Image, class Batch>
struct DirectPoints {
  using T                      = typename Image::Value;
  using Sizes                  = typename Image::Sizes;
  static constexpr int Dim     = std::extent<decltype(Batch::cell)>::value;
  static constexpr int Support = Batch::Support;
  static constexpr int ahead   = 6;

  const Image& image;
  const Batch& batch;

  /// field += weights of point p
  void add(int p) const {
    const T* const w = x_weights(p);
    visit(
        p,
        [&](auto* row, T yz) {
          for_each_pack<T>(
              std::integral_constant<int, Support>{}, [&](int i, auto lanes) {
                using P = Pack<T, lanes>;
                fma(P::load(w + i), P(yz), P::load(row + i)).store(row + i);
              });
        },
        [&](auto& value, int i, T yz) { value += w[i] * yz; });
  }

  /// sum of weights times field at point p
  T dot(int p) const {
    using P          = Pack<T, next_power_of_two(Support)>;
    constexpr int N  = P::width;
    const T* const w = x_weights(p);
    P rows(T(0));
    T rest = 0;
    visit(
        p,
        [&](const auto* row, T yz) {
          if constexpr (N == Support) {
            rows = fma(P::load(row), P(yz), rows);
          } else {
            for (int i = 0; i < Support; ++i) rest += row[i] * w[i] * yz;
          }
        },
        [&](const auto& value, int i, T yz) { rest += value * w[i] * yz; });
    if constexpr (N == Support) rest += sum(rows * P::load(w));
    return rest;
  }

  /// Asks for the rows of point p.
  void prefetch(int p) const {
    int c[3];
    const std::ptrdiff_t x = cell(p, c);
    if (x == Image::none) return;
    image.for_each_support_row(c, x, [](auto* row, auto, auto) {
      SPOROS_PREFETCH(row);
      SPOROS_PREFETCH(row + (Support - 1));
    });
  }

 private:
  const T* x_weights(int p) const {
    return batch.x + p * Sizes::x_stride + Sizes::padding;
  }
  SPOROS_ALWAYS_INLINE std::ptrdiff_t cell(int p, int (&c)[3]) const {
    for (int k = 0; k < 3; ++k)
      c[k] = k < Dim ? batch.cell[k < Dim ? k : 0][p] : 0;
    return image.contiguous_x(c[0]);
  }

  /// whole(row, weight of y and z) for rows that are contiguous, else
  /// single(value, index along direction 0, weight) for each grid point.
  template <class Whole, class Single>
  SPOROS_ALWAYS_INLINE void visit(int p, const Whole& whole,
                                  const Single& single) const {
    int c[3];
    const std::ptrdiff_t x = cell(p, c);
    const auto weight      = [&](auto j, auto k) {
      T yz = 1;
      if constexpr (Dim > 1) yz = batch.y[p * Sizes::yz_stride + j];
      if constexpr (Dim > 2) yz *= batch.z[p * Sizes::yz_stride + k];
      return yz;
    };
    if (x != Image::none) {
      image.for_each_support_row(
          c, x, [&](auto* row, auto j, auto k) { whole(row, weight(j, k)); });
    } else {
      image.for_each_support_row(c, 0, [&](auto* row, auto j, auto k) {
        for (int i = 0; i < Support; ++i) {
          const std::ptrdiff_t at = image.offset_x(c[0] + i);
          if (at != Image::none) single(row[at], i, weight(j, k));
        }
      });
    }
  }
};

template <class Image, class Batch>
DirectPoints<Image, Batch> direct_points(const Image& image,
                                         const Batch& batch) {
  return {image, batch};
}

}  // namespace Impl
}  // namespace Sporos

#endif
