// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_APP_GREYFORMATS_HPP
#define SPOROS_APP_GREYFORMATS_HPP

/// \file App_GreyFormats.hpp
/// For read_grey: the formats of files that have a source of their own.

#include "App_GreyImage.hpp"

#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace AppCommon {

using Bytes = std::vector<unsigned char>;

[[noreturn]] inline void cannot_read(const std::string& path,
                                     const std::string& why) {
  throw std::runtime_error("cannot read " + path + ": " + why);
}

/// Brightness of a colour, with the weights of libpng; grey stays what it is.
inline float brightness(int red, int green, int blue) {
  return (6968.f * static_cast<float>(red) +
          23434.f * static_cast<float>(green) +
          2366.f * static_cast<float>(blue)) /
         32768.f;
}

/// Checks what a header promises before there is memory for it: images from 1
/// pixel to 1e9.
inline bool has_pixels(double width, double height) {
  return width >= 1 && height >= 1 && width * height <= 1e9;
}

inline std::size_t size_of_file(const std::string& path) {
  return static_cast<std::size_t>(std::filesystem::file_size(path));
}

/// A BMP file without compression and with 8 (palette), 24 or 32 bits a pixel.
GreyImage read_bmp(const std::string& path);

/// The first image of a TIFF file, if the build has libtiff.
GreyImage read_tiff(const std::string& path);

}  // namespace AppCommon

#endif
