// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "App_GreyFormats.hpp"

#ifdef SPOROS_HAVE_TIFF

#include <tiffio.h>

#include <algorithm>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>

namespace AppCommon {
namespace {

/// What libtiff last complained of.
std::string& complaint() {
  static thread_local std::string text;
  return text;
}

void remember(const char*, const char* format, va_list arguments) {
  char text[256];
  std::vsnprintf(text, sizeof text, format, arguments);
  complaint() = text;
}

struct Close {
  void operator()(TIFF* file) const { TIFFClose(file); }
};

/// An open file and what its tags say of the first image.
struct TiffFile {
  explicit TiffFile(const std::string& path_);

  [[noreturn]] void fail(const std::string& otherwise) const {
    cannot_read(path, complaint().empty() ? otherwise : complaint());
  }
  template <class T>
  T tag(std::uint32_t name) const {
    T value{};
    TIFFGetFieldDefaulted(file.get(), name, &value);
    return value;
  }
  /// Before there is memory for so many bytes: a byte of a file does not unpack
  /// to as much.
  std::size_t credible(std::uint64_t bytes) const {
    if (bytes == 0 || bytes / 8192 > size_of_file(path))
      cannot_read(path, "it ends early");
    return static_cast<std::size_t>(bytes);
  }
  /// Are the pixels as they are stored all that is needed?
  bool plain() const {
    const bool grey =
        color == PHOTOMETRIC_MINISBLACK || color == PHOTOMETRIC_MINISWHITE;
    return (bits == 8 || bits == 16) && (samples == 1 || together) &&
           (grey || (color == PHOTOMETRIC_RGB && samples >= 3));
  }
  float value(const unsigned char* pixel) const;

  std::string path;
  std::unique_ptr<TIFF, Close> file;
  std::uint32_t width = 0, height = 0;
  int bits = 0, samples = 0, color = 0;
  bool together = false;  ///< all samples of a pixel
};

TiffFile::TiffFile(const std::string& path_) : path(path_) {
  TIFFSetErrorHandler(remember);
  TIFFSetWarningHandler(nullptr);
  complaint().clear();
  file.reset(TIFFOpen(path.c_str(), "rm"));
  if (!file) fail("it is no TIFF file");
  width    = tag<std::uint32_t>(TIFFTAG_IMAGEWIDTH);
  height   = tag<std::uint32_t>(TIFFTAG_IMAGELENGTH);
  bits     = tag<std::uint16_t>(TIFFTAG_BITSPERSAMPLE);
  samples  = tag<std::uint16_t>(TIFFTAG_SAMPLESPERPIXEL);
  color    = tag<std::uint16_t>(TIFFTAG_PHOTOMETRIC);
  together = tag<std::uint16_t>(TIFFTAG_PLANARCONFIG) == PLANARCONFIG_CONTIG;
  if (!has_pixels(width, height)) fail("it has no pixels, or too many");
  if (tag<std::uint16_t>(TIFFTAG_SAMPLEFORMAT) != SAMPLEFORMAT_UINT)
    fail("its values are no unsigned integers");
  if (tag<std::uint16_t>(TIFFTAG_ORIENTATION) != ORIENTATION_TOPLEFT)
    fail("it does not begin with the upper left corner");
}

/// From 0 to 1.
float TiffFile::value(const unsigned char* pixel) const {
  const int largest = bits == 8 ? 255 : 65535;
  const auto sample = [&](int k) {
    if (bits == 8) return int(pixel[k]);
    std::uint16_t word = 0;
    std::memcpy(&word, pixel + 2 * k, sizeof word);
    return int(word);
  };
  const float v = color == PHOTOMETRIC_RGB
                      ? brightness(sample(0), sample(1), sample(2))
                  : color == PHOTOMETRIC_MINISWHITE
                      ? static_cast<float>(largest - sample(0))
                      : static_cast<float>(sample(0));
  return v / static_cast<float>(largest);
}

void read_rows(const TiffFile& f, GreyImage& image) {
  Bytes row(f.credible(TIFFScanlineSize64(f.file.get())));
  const auto pixel = static_cast<std::size_t>(f.samples) *
                     static_cast<std::size_t>(f.bits / 8);
  if (row.size() < pixel * f.width) f.fail("its rows are too short");
  for (std::uint32_t y = 0; y < f.height; ++y) {
    if (TIFFReadScanline(f.file.get(), row.data(), y, 0) < 1)
      f.fail("it ends early");
    for (std::uint32_t x = 0; x < f.width; ++x)
      image(int(y), int(x)) = f.value(&row[x * pixel]);
  }
}

void read_tiles(const TiffFile& f, GreyImage& image) {
  const auto w = f.tag<std::uint32_t>(TIFFTAG_TILEWIDTH);
  const auto h = f.tag<std::uint32_t>(TIFFTAG_TILELENGTH);
  Bytes tile(f.credible(TIFFTileSize64(f.file.get())));
  const auto pixel = static_cast<std::size_t>(f.samples) *
                     static_cast<std::size_t>(f.bits / 8);
  if (w == 0 || h == 0 || tile.size() / h / w < pixel)
    f.fail("its tiles are too small");
  for (std::uint64_t top = 0; top < f.height; top += h)
    for (std::uint64_t left = 0; left < f.width; left += w) {
      if (TIFFReadTile(f.file.get(), tile.data(),
                       static_cast<std::uint32_t>(left),
                       static_cast<std::uint32_t>(top), 0, 0) < 1)
        f.fail("it ends early");
      for (std::uint64_t y = top;
           y < std::min<std::uint64_t>(top + h, f.height); ++y)
        for (std::uint64_t x = left;
             x < std::min<std::uint64_t>(left + w, f.width); ++x)
          image(int(y), int(x)) =
              f.value(&tile[((y - top) * w + x - left) * pixel]);
    }
}

/// Palettes, other colours, bits: libtiff makes 8 bits of red, green and blue.
void read_converted(const TiffFile& f, GreyImage& image) {
  // what libtiff takes for a piece
  f.credible(TIFFIsTiled(f.file.get()) ? TIFFTileSize64(f.file.get())
                                       : TIFFStripSize64(f.file.get()));
  std::vector<std::uint32_t> pixels(image.values.size());
  if (!TIFFReadRGBAImageOriented(f.file.get(), f.width, f.height, pixels.data(),
                                 ORIENTATION_TOPLEFT, 1))
    f.fail("it cannot be converted");
  for (std::size_t k = 0; k < pixels.size(); ++k)
    image.values[k] =
        brightness(int(TIFFGetR(pixels[k])), int(TIFFGetG(pixels[k])),
                   int(TIFFGetB(pixels[k]))) /
        255;
}

}  // namespace

GreyImage read_tiff(const std::string& path) {
  const TiffFile f(path);
  f.credible(std::uint64_t(f.width) * f.height);
  GreyImage image(int(f.width), int(f.height),
                  f.plain() && f.bits == 16 ? 16 : 8);
  if (!f.plain())
    read_converted(f, image);
  else if (TIFFIsTiled(f.file.get()))
    read_tiles(f, image);
  else
    read_rows(f, image);
  return image;
}

}  // namespace AppCommon

#else

namespace AppCommon {

GreyImage read_tiff(const std::string& path) {
  cannot_read(path, "it is a TIFF file, and this build has no libtiff");
}

}  // namespace AppCommon

#endif
