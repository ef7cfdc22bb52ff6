// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_APP_GREYIMAGE_HPP
#define SPOROS_APP_GREYIMAGE_HPP

/// \file App_GreyImage.hpp
/// Grey images as numbers, read from PNG, PGM, BMP and TIFF files and written
/// to PNG and PGM files.

#include <cstddef>
#include <string>
#include <vector>

namespace AppCommon {

/// Rows from the top, values in [0, 1].
struct GreyImage {
  int width = 0, height = 0;
  int bits = 8;  ///< per value in a file, 8 or 16
  std::vector<float> values;

  GreyImage() = default;
  GreyImage(int w, int h, int bits_ = 8)
      : width(w),
        height(h),
        bits(bits_),
        values(static_cast<std::size_t>(w) * static_cast<std::size_t>(h)) {}

  float& operator()(int y, int x) { return values[index(y, x)]; }
  float operator()(int y, int x) const { return values[index(y, x)]; }

 private:
  std::size_t index(int y, int x) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
           static_cast<std::size_t>(x);
  }
};

/// Reads a PNG or TIFF file (if the build has libpng, libtiff) or a binary PGM
/// file of 8 or 16 bits, or a BMP file without compression; of several images
/// in a TIFF file the first. What a file says about gamma is ignored, colours
/// become grey, transparency is dropped.
/// \throws std::runtime_error that names the file and what is wrong with it
GreyImage read_grey(const std::string& path);

/// Writes PGM if the name ends in .pgm, else PNG, with image.bits bits a value.
/// The file has its name when it is complete.
/// \throws std::runtime_error that names the file
void write_grey(const std::string& path, const GreyImage& image);

/// "png", or "pgm" in a build without libpng (SPOROS_HAVE_PNG).
const char* grey_extension();

}  // namespace AppCommon

#endif
