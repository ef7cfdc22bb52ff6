// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "App_GreyFormats.hpp"

#include <cstdint>
#include <fstream>

namespace AppCommon {
namespace {

/// Little-endian numbers and pixels of a file in memory.
struct BmpFile {
  std::string path;
  Bytes bytes;

  std::uint32_t number(std::size_t at, int count) const {
    std::uint32_t value = 0;
    for (int k = count - 1; k >= 0; --k)
      value = value << 8 | bytes[at + static_cast<std::size_t>(k)];
    return value;
  }
  /// Blue, green and red stand at this place.
  float color(std::size_t at) const {
    return brightness(bytes[at + 2], bytes[at + 1], bytes[at]);
  }
};

/// What the header says.
struct BmpHeader {
  explicit BmpHeader(const BmpFile& file);

  std::size_t pixels  = 0;  ///< where they begin
  std::size_t palette = 0;  ///< where it begins
  std::size_t colors  = 0;  ///< in the palette
  std::size_t stride  = 0;  ///< bytes from row to row
  int width = 0, height = 0, bits = 0;
  bool top_down = false;
};

BmpHeader::BmpHeader(const BmpFile& file) {
  if (file.bytes.size() < 54) cannot_read(file.path, "it ends early");
  const std::size_t size = file.number(14, 4);
  if (size < 40 || size > 124)
    cannot_read(file.path, "its header is not that of a BMP image");
  const auto rows = static_cast<std::int32_t>(file.number(22, 4));
  const double w  = static_cast<std::int32_t>(file.number(18, 4));
  const double h  = rows < 0 ? -static_cast<double>(rows) : rows;
  if (!has_pixels(w, h))
    cannot_read(file.path, "its header is not that of a BMP image");
  width    = static_cast<int>(w);
  height   = static_cast<int>(h);
  top_down = rows < 0;
  bits     = static_cast<int>(file.number(28, 2));
  if (bits != 8 && bits != 24 && bits != 32)
    cannot_read(file.path, "it has " + std::to_string(bits) +
                               " bits a pixel, 8, 24 or 32 are read");
  if (file.number(30, 4) != 0)
    cannot_read(file.path, "it is compressed or has masks of colours");
  pixels  = file.number(10, 4);
  palette = 14 + size;
  if (bits == 8) {
    colors = file.number(46, 4);
    if (colors == 0) colors = 256;
    if (colors > 256)
      cannot_read(file.path, "its header is not that of a BMP image");
  }
  stride =
      (static_cast<std::size_t>(width) * static_cast<std::size_t>(bits) / 8 +
       3) /
      4 * 4;
  if (pixels < palette + 4 * colors)
    cannot_read(file.path, "its header is not that of a BMP image");
  if (pixels > file.bytes.size() ||
      (file.bytes.size() - pixels) / stride < static_cast<std::size_t>(height))
    cannot_read(file.path, "it ends early");
}

}  // namespace

GreyImage read_bmp(const std::string& path) {
  BmpFile file{path, Bytes(size_of_file(path))};
  std::ifstream(path, std::ios::binary)
      .read(reinterpret_cast<char*>(file.bytes.data()),
            static_cast<std::streamsize>(file.bytes.size()));
  const BmpHeader h(file);
  GreyImage image(h.width, h.height);
  for (int y = 0; y < h.height; ++y) {
    const int row = h.top_down ? y : h.height - 1 - y;
    for (int x = 0; x < h.width; ++x) {
      std::size_t at =
          h.pixels + h.stride * static_cast<std::size_t>(row) +
          static_cast<std::size_t>(x) * static_cast<std::size_t>(h.bits / 8);
      if (h.bits == 8) {
        const std::size_t color = file.bytes[at];
        if (color >= h.colors)
          cannot_read(path, "it has a value beyond its palette");
        at = h.palette + 4 * color;
      }
      image(y, x) = file.color(at) / 255;
    }
  }
  return image;
}

}  // namespace AppCommon
