// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_IMAGEWINDOWS_HPP
#define SPOROS_IMAGEWINDOWS_HPP

/// \file Sporos_ImageWindows.hpp
/// Windows of images by their corners: left or right of correlate_peaks and
/// cross_correlate.

#include <Sporos_EnumNames.hpp>
#include <Sporos_Error.hpp>
#include <Sporos_KokkosCompat.hpp>
#include <Sporos_ViewChecks.hpp>
#include <cross_correlation/problem/Sporos_CorrelateShape.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Sporos {

/// What windows see outside of an image: row a b c.
enum class WindowPadding {
  zeros,      ///< 0 0 | a b c | 0 0
  edge,       ///< a a | a b c | c c
  reflection  ///< b a | a b c | c b
};

namespace Impl {
template <>
struct EnumNames<WindowPadding> {
  using E                           = WindowPadding;
  static constexpr NamedValue all[] = {
      {"zeros", E::zeros}, {"edge", E::edge}, {"reflection", E::reflection}};
};
}  // namespace Impl

/// Windows of h x w pixels of an image (H, W), or of each of b images
/// (b, H, W), whose windows then come image by image.
///
/// \code
///   const Sporos::WindowsOf before(image, corners, 32, 32);
/// \endcode
///
/// Corners, image and offsets are read when windows are: they may change from
/// call to call. Holds Views, copies no pixel. Windows may lie outside of the
/// image in part or whole; see WindowPadding.
/// \tparam Image a View of rank 2 or 3 of arithmetic type
template <class Image>
class WindowsOf {
 public:
  using value_type   = typename Image::non_const_value_type;  ///< of a pixel
  using memory_space = typename Image::memory_space;  ///< of image and places
  /// Places (y, x), in pixels
  using Places = Kokkos::View<const int**, Kokkos::LayoutStride, memory_space>;

  static_assert(std::is_arithmetic<value_type>::value,
                "Sporos::WindowsOf: pixels must be integers, float or double");
  static_assert(Impl::view_rank_v<Image> == 2 || Impl::view_rank_v<Image> == 3,
                "Sporos::WindowsOf: image must have rank 2 or 3");

  /// \param image_ (H, W) or (b, H, W)
  /// \param corners_ a View (n, 2) of int: row and column of the first pixel of
  ///   each window
  /// \param h, w extents of a window
  /// \throws std::invalid_argument for windows or images without pixels, for
  ///   corners that are not (n, 2), for Views without memory
  template <class Corners>
  WindowsOf(const Image& image_, const Corners& corners_, int h, int w)
      : WindowsOf(image_, h, w) {
    Impl::check(corners_.extent(1) == 2, name(), "corners", "extents (n, 2)",
                Impl::extents(corners_));
    Impl::check_memory(name(), "corners", corners_);
    corners = corners_;
    count   = std::int64_t(corners_.extent(0));
  }

  /// Number of windows of all images.
  std::int64_t size() const { return count * images(); }
  /// Number of images.
  std::int64_t images() const {
    if constexpr (Impl::view_rank_v<Image> == 3)
      return std::int64_t(image.extent(0));
    else
      return 1;
  }

  /// The windows with other pixels outside of the image.
  /// \throws std::invalid_argument for a number that is no enumerator
  WindowsOf padded(WindowPadding padding_) const {
    Impl::check_enum("Sporos::WindowsOf::padded", "padding", padding_);
    WindowsOf other = *this;
    other.padding   = padding_;
    return other;
  }

  /// The windows, each moved by its own offset, as in a second pass.
  /// \param offsets_ a View (size(), 2) of int: rows and columns
  /// \throws std::invalid_argument for other extents, or without memory
  template <class Offsets>
  WindowsOf moved(const Offsets& offsets_) const {
    const char* const function = "Sporos::WindowsOf::moved";
    Impl::check(
        std::int64_t(offsets_.extent(0)) == size() && offsets_.extent(1) == 2,
        function, "offsets",
        Impl::text("extents (", size(), ", 2), one for each window"),
        Impl::extents(offsets_));
    Impl::check_memory(function, "offsets", offsets_);
    WindowsOf other = *this;
    other.offsets   = offsets_;
    return other;
  }

  Image image;                                   ///< the pixels
  int height         = 0;                        ///< of a window
  int width          = 0;                        ///< of a window
  std::int64_t count = 0;                        ///< windows of an image
  Places corners;                                ///< without memory: a grid
  Places offsets;                                ///< without memory: none
  WindowPadding padding = WindowPadding::zeros;  ///< outside of the image
  int columns           = 1;                     ///< of a grid
  int step_y            = 0;                     ///< of a grid
  int step_x            = 0;                     ///< of a grid

 private:
  template <class I>
  friend WindowsOf<I> regular_windows(const I&, int, int, int, int);

  static const char* name() { return "Sporos::WindowsOf"; }

  WindowsOf(const Image& image_, int h, int w, const char* function = name())
      : image(image_), height(h), width(w) {
    constexpr int rank = Impl::view_rank_v<Image>;
    Impl::check(h > 0 && w > 0, function, "h and w", "at least one pixel",
                Impl::text('(', h, ", ", w, ')'));
    const std::size_t most = Impl::max_correlate_extent;
    Impl::check(image.extent(rank - 2) > 0 && image.extent(rank - 1) > 0 &&
                    image.extent(rank - 2) < most &&
                    image.extent(rank - 1) < most,
                function, "image", "1 to 2^29 - 1 rows and columns",
                Impl::extents(image));
    Impl::check_memory(function, "image", image);
  }
};

/// The type of the image decides.
template <class Image, class Corners>
WindowsOf(const Image&, const Corners&, int, int) -> WindowsOf<Image>;

/// All windows of h x w pixels that lie in the image and begin at multiples of
/// (step_y, step_x): (H - h) / step_y + 1 rows of (W - w) / step_x + 1 windows,
/// row by row, of each image.
/// \throws std::invalid_argument for steps below 1, for windows without pixels
///   or larger than the image, for an image without memory
template <class Image>
WindowsOf<Image> regular_windows(const Image& image, int h, int w, int step_y,
                                 int step_x) {
  const char* const function = "Sporos::regular_windows";
  constexpr int rank         = Impl::view_rank_v<Image>;
  WindowsOf<Image> windows(image, h, w, function);
  Impl::check(step_y > 0 && step_x > 0, function, "step_y and step_x",
              "at least one pixel", Impl::text('(', step_y, ", ", step_x, ')'));
  const int rows    = int(image.extent(rank - 2)),
            columns = int(image.extent(rank - 1));
  Impl::check(h <= rows && w <= columns, function, "h and w",
              Impl::text("at most (", rows, ", ", columns, "), as image has"),
              Impl::text('(', h, ", ", w, ')'));
  windows.columns = (columns - w) / step_x + 1;
  windows.count   = std::int64_t((rows - h) / step_y + 1) * windows.columns;
  windows.step_y  = step_y;
  windows.step_x  = step_x;
  return windows;
}

}  // namespace Sporos

#endif
