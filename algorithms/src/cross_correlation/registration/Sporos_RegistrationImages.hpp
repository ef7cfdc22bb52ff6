// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_REGISTRATIONIMAGES_HPP
#define SPOROS_REGISTRATIONIMAGES_HPP

/// \file Sporos_RegistrationImages.hpp
/// Copies of images as they are transformed: less a typical pixel, so that
/// bright images lose no digits, and divided by a power of two, so that
/// nothing overflows. Costs two passes over the images.

#include <Sporos_ForEachIndex.hpp>
#include <cross_correlation/fft/Sporos_CorrelateRanges.hpp>
#include <cross_correlation/problem/Sporos_CorrelateMoments.hpp>
#include <cross_correlation/problem/Sporos_CorrelateShape.hpp>

#include <cstddef>
#include <cstdint>

namespace Sporos {
namespace Impl {

/// Images of a plan, and how they and their spectra lie in memory. Numbers are
/// of the type of the transforms.
struct RegistrationShape {
  int h = 0, w = 0;
  int columns        = 0;  ///< complex columns of a spectrum: w / 2 + 1
  int pitch          = 0;  ///< numbers from row to row of an image
  int spectrum_pitch = 0;  ///< of a spectrum
  bool whiten        = false;
  int upsampling     = 1;

  KOKKOS_INLINE_FUNCTION std::int64_t image() const {
    return std::int64_t(h) * pitch;
  }
  KOKKOS_INLINE_FUNCTION std::int64_t spectrum() const {
    return std::int64_t(h) * spectrum_pitch;
  }
};

/// An array (h, w) by lines: rows on hosts, columns on devices, where
/// neighbouring threads then have neighbouring elements.
template <class Exec>
struct RegistrationLines {
  static constexpr bool rows = is_host_space_v<Exec>;
  int h, w;

  KOKKOS_INLINE_FUNCTION int count() const { return rows ? h : w; }
  /// f(y, x) for all elements of a line
  template <class F>
  KOKKOS_FUNCTION void for_each(int line, const F& f) const {
    if constexpr (rows) {
      for (int x = 0; x < w; ++x) f(line, x);
    } else {
      for (int y = 0; y < h; ++y) f(y, line);
    }
  }
};

/// Copies a batch of images: measures lines, then images, then copies.
template <class Exec, class P, class T>
struct CopyImages {
  struct Measure {};
  struct Scale {};
  struct Copy {};
  using Lines = RegistrationLines<Exec>;
  MatrixBatch<const P> from;
  Lines lines;
  T* largest;  ///< of lines
  T* scales;   ///< of images
  T* to;
  int pitch;
  int length;  ///< pixels of an index of Copy

  /// Not one that is far from all others
  KOKKOS_FUNCTION P origin(int image) const {
    const auto at = [&](int y, int x) { return from(image, 0, y, x); };
    return median(at(0, 0), at(lines.h / 2, lines.w / 2),
                  at(lines.h - 1, lines.w - 1));
  }
  KOKKOS_FUNCTION void operator()(Measure, std::int64_t index) const {
    const int image = int(index / lines.count());
    const P least   = origin(image);
    T most(0);
    lines.for_each(int(index % lines.count()), [&](int y, int x) {
      most = Math::max(most,
                       finite_size(difference<T>(from(image, 0, y, x), least)));
    });
    largest[index] = most;
  }
  KOKKOS_FUNCTION void operator()(Scale, std::int64_t image) const {
    T most(0);
    for (int line = 0; line < lines.count(); ++line)
      most = Math::max(most, largest[image * lines.count() + line]);
    scales[image] = power_of_two<T>(-range_of(most, 0, 1, 1, 1).exponent);
  }
  KOKKOS_FUNCTION void operator()(Copy, std::int64_t index) const {
    const std::int64_t pixel = index * length;
    const std::int64_t row   = pixel / lines.w;
    const int image = int(row / lines.h), y = int(row % lines.h);
    const int x0      = int(pixel % lines.w);
    const P least     = origin(image);
    const T scale     = scales[image];
    const P* const in = &from(image, 0, y, x0);
    T* const out      = to + row * pitch + x0;
    for (int x = 0; x < length; ++x)
      out[x] = difference<T>(in[x * from.x], least) * scale;
  }
};

/// Copies `count` images to `to`; numbers(n) is memory for n of T.
template <class Exec, class P, class T, class Numbers>
void copy_images(const Exec& exec, const RegistrationShape& s,
                 const MatrixBatch<const P>& from, int count, T* to,
                 const Numbers& numbers) {
  using Kernel = CopyImages<Exec, P, T>;
  const typename Kernel::Lines lines{s.h, s.w};
  const std::int64_t all = std::int64_t(count) * lines.count();
  T* const largest       = numbers(std::size_t(all + count));
  const int length       = Kernel::Lines::rows ? s.w : 1;
  const Kernel kernel{from, lines, largest, largest + all, to, s.pitch, length};
  const auto launch = [&](auto tag, std::int64_t n) {
    for_each_index(
        "Sporos::register_images::copy",
        Kokkos::RangePolicy<Exec, decltype(tag),
                            Kokkos::IndexType<std::int64_t>>(exec, 0, n),
        kernel);
  };
  launch(typename Kernel::Measure{}, all);
  launch(typename Kernel::Scale{}, count);
  launch(typename Kernel::Copy{}, std::int64_t(count) * s.h * (s.w / length));
}

}  // namespace Impl
}  // namespace Sporos

#endif
