// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_GATHERWINDOWS_HPP
#define SPOROS_GATHERWINDOWS_HPP

/// \file Sporos_GatherWindows.hpp
/// Copies a batch of windows of images into matrices: a few rows per index on
/// hosts, a pixel on devices.

#include <Sporos_ForEachIndex.hpp>
#include <Sporos_ImageWindows.hpp>

#include <cstddef>
#include <cstdint>

namespace Sporos {
namespace Impl {

/// Places (row, 0..1) at any strides
struct WindowPlaces {
  const int* data       = nullptr;
  std::ptrdiff_t window = 0, component = 0;

  template <class View>
  explicit WindowPlaces(const View& view)
      : data(view.data()),
        window(std::ptrdiff_t(view.stride(0))),
        component(std::ptrdiff_t(view.stride(1))) {}
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t n, int c) const {
    return data == nullptr ? 0 : data[n * window + c * component];
  }
};

/// A pixel's place in an extent; below 0: a zero
KOKKOS_INLINE_FUNCTION std::int64_t padded_place(std::int64_t at, int extent,
                                                 WindowPadding padding) {
  if (at >= 0 && at < extent) return at;
  if (padding == WindowPadding::zeros) return -1;
  if (padding == WindowPadding::edge) return at < 0 ? 0 : extent - 1;
  const std::int64_t period = 2 * std::int64_t(extent);
  const std::int64_t m      = (at % period + period) % period;
  return m < extent ? m : period - 1 - m;
}

template <class P, class T>
struct GatherWindows {
  MatrixBatch<const P> images;
  int image_h, image_w;
  WindowPlaces corners, offsets;
  std::int64_t count;  ///< windows of an image
  int columns, step_y, step_x;
  WindowPadding padding;
  T* to;  ///< (window, h, w)
  std::int64_t first;
  int h, w;
  int rows, length;  ///< of an index

  template <class Image>
  GatherWindows(const WindowsOf<Image>& from, std::int64_t first_, T* to_,
                int rows_, int length_)
      : images(matrix_batch<const P>(from.image, Leading::i)),
        image_h(int(from.image.extent(view_rank_v<Image> - 2))),
        image_w(int(from.image.extent(view_rank_v<Image> - 1))),
        corners(from.corners),
        offsets(from.offsets),
        count(from.count),
        columns(from.columns),
        step_y(from.step_y),
        step_x(from.step_x),
        padding(from.padding),
        to(to_),
        first(first_),
        h(from.height),
        w(from.width),
        rows(rows_),
        length(length_) {}

  /// Indices of n windows
  std::int64_t indices(std::int64_t n) const {
    return n * row_blocks() * (w / length);
  }
  KOKKOS_FUNCTION int row_blocks() const { return (h + rows - 1) / rows; }

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    const std::int64_t block  = index / (w / length);
    const std::int64_t n      = block / row_blocks();
    const std::int64_t window = first + n;
    const std::int64_t place  = window % count;
    const P* const image      = images.matrix(int(window / count), 0);
    const int left            = int(index - block * (w / length)) * length;
    const std::int64_t y =
        corners(place, 0) + place / columns * step_y + offsets(window, 0);
    const std::int64_t x = left + corners(place, 1) + place % columns * step_x +
                           offsets(window, 1);
    const int begin = int(block - n * row_blocks()) * rows;
    const int end   = h - begin < rows ? h : begin + rows;
    for (int row = begin; row < end; ++row)
      copy(image, y + row, x, to + (n * h + row) * w + left);
  }

  /// Pixels from x on in row y of an image
  KOKKOS_FUNCTION void copy(const P* image, std::int64_t y, std::int64_t x,
                            T* out) const {
    const std::int64_t from_y = padded_place(y, image_h, padding);
    if (from_y < 0) {
      for (int k = 0; k < length; ++k) out[k] = T(0);
      return;
    }
    const P* const from = image + from_y * images.y;
    if (x >= 0 && x + length <= image_w) {
      const P* const start = from + x * images.x;
      if (images.x == 1)
        for (int k = 0; k < length; ++k) out[k] = T(start[k]);
      else
        for (int k = 0; k < length; ++k) out[k] = T(start[k * images.x]);
      return;
    }
    for (int k = 0; k < length; ++k) {
      const std::int64_t from_x = padded_place(x + k, image_w, padding);
      out[k] = from_x < 0 ? T(0) : T(from[from_x * images.x]);
    }
  }
};

/// Windows [first, first + n) to matrices (n, h, w)
template <class Exec, class Image, class T>
void gather_windows(const Exec& exec, const WindowsOf<Image>& from,
                    std::int64_t first, std::int64_t n, T* to) {
  // rows of an index share the divisions that find their window
  constexpr bool host = is_host_space_v<Exec>;
  const GatherWindows<typename WindowsOf<Image>::value_type, T> gather(
      from, first, to, host ? 16 : 1, host ? from.width : 1);
  for_each_index("Sporos::correlate_peaks::gather",
                 Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(
                     exec, 0, gather.indices(n)),
                 gather);
}

}  // namespace Impl
}  // namespace Sporos

#endif
