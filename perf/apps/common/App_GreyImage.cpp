// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "App_GreyImage.hpp"

#include "App_GreyFormats.hpp"
#include "App_WholeFile.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>

#ifdef SPOROS_HAVE_PNG
#include <png.h>

#include <csetjmp>
#endif

namespace AppCommon {
namespace {

/// An image of big-endian values of 8 or 16 bits.
GreyImage from_bytes(const Bytes& bytes, int width, int height, int bits,
                     float largest) {
  GreyImage image(width, height, bits);
  for (std::size_t k = 0; k < image.values.size(); ++k)
    image.values[k] =
        static_cast<float>(bits == 8 ? bytes[k]
                                     : bytes[2 * k] * 256 + bytes[2 * k + 1]) /
        largest;
  return image;
}

Bytes to_bytes(const GreyImage& image) {
  Bytes bytes;
  const float largest = image.bits == 8 ? 255.f : 65535.f;
  for (const float value : image.values) {
    const int n =
        static_cast<int>(std::min(1.f, std::max(0.f, value)) * largest + 0.5f);
    if (image.bits == 16) bytes.push_back(static_cast<unsigned char>(n / 256));
    bytes.push_back(static_cast<unsigned char>(n % 256));
  }
  return bytes;
}

/// The next number of a PGM header, after white space and comments.
int header_number(std::istream& in) {
  while (in >> std::ws && in.peek() == '#') in.ignore(1 << 20, '\n');
  int n = 0;
  in >> n;
  return n;
}

/// How many bytes of a file are left.
std::size_t bytes_left(std::istream& in) {
  const auto here = in.tellg();
  const auto end  = in.seekg(0, std::ios::end).tellg();
  in.seekg(here);
  return static_cast<std::size_t>(end - here);
}

GreyImage read_pgm(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  in.ignore(2);
  const int width = header_number(in), height = header_number(in);
  const int largest = header_number(in);
  in.get();
  if (!in || !has_pixels(width, height) || largest < 1 || largest > 65535)
    cannot_read(path, "its header is not that of a PGM image");
  const int bits         = largest > 255 ? 16 : 8;
  const std::size_t size = static_cast<std::size_t>(width) *
                           static_cast<std::size_t>(height) *
                           static_cast<std::size_t>(bits / 8);
  // before there is memory for what a header promises
  if (bytes_left(in) < size) cannot_read(path, "it ends early");
  Bytes bytes(size);
  in.read(reinterpret_cast<char*>(bytes.data()),
          static_cast<std::streamsize>(bytes.size()));
  if (!in) cannot_read(path, "it ends early");
  GreyImage image =
      from_bytes(bytes, width, height, bits, static_cast<float>(largest));
  if (*std::max_element(image.values.begin(), image.values.end()) > 1)
    cannot_read(path, "it has a value above the largest one of its header");
  return image;
}

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

#ifdef SPOROS_HAVE_PNG

/// What reading a PNG file needs; nothing here is local to the function that
/// libpng jumps out of.
struct PngReader {
  png_structp png = nullptr;
  png_infop info  = nullptr;
  std::string message;
  std::size_t file_size = 0;
  int width = 0, height = 0, bits = 8;
  Bytes bytes;
  std::vector<png_bytep> rows;

  ~PngReader() { png_destroy_read_struct(&png, &info, nullptr); }
};

[[noreturn]] void png_failed(png_structp png, png_const_charp message) {
  static_cast<PngReader*>(png_get_error_ptr(png))->message = message;
  png_longjmp(png, 1);
}

/// Before there is memory for what a header promises: deflate makes at most
/// 1032 bytes of one.
void check_size(PngReader& r) {
  const std::size_t bytes =
      png_get_rowbytes(r.png, r.info) * png_get_image_height(r.png, r.info);
  if (bytes / 1032 > r.file_size) png_error(r.png, "it ends early");
}

void ask_for_grey(PngReader& r) {
  const int type = png_get_color_type(r.png, r.info);
  png_set_expand(r.png);
  if (type & PNG_COLOR_MASK_COLOR)
    png_set_rgb_to_gray(r.png, PNG_ERROR_ACTION_NONE, PNG_RGB_TO_GRAY_DEFAULT,
                        PNG_RGB_TO_GRAY_DEFAULT);
  png_set_strip_alpha(r.png);
  png_set_interlace_handling(r.png);
  png_read_update_info(r.png, r.info);
}

void allocate_rows(PngReader& r) {
  r.width  = static_cast<int>(png_get_image_width(r.png, r.info));
  r.height = static_cast<int>(png_get_image_height(r.png, r.info));
  r.bits   = png_get_bit_depth(r.png, r.info);
  const std::size_t per_row  = png_get_rowbytes(r.png, r.info);
  const std::size_t expected = static_cast<std::size_t>(r.width * (r.bits / 8));
  if (per_row != expected) png_error(r.png, "it did not become grey");
  r.bytes.resize(per_row * static_cast<std::size_t>(r.height));
  for (std::size_t y = 0; y < static_cast<std::size_t>(r.height); ++y)
    r.rows.push_back(r.bytes.data() + y * per_row);
}

/// \return false if libpng jumped, with the reason in r.message
bool read_png(PngReader& r, std::FILE* file) {
  if (setjmp(png_jmpbuf(r.png))) return false;
  png_init_io(r.png, file);
  png_read_info(r.png, r.info);
  check_size(r);
  ask_for_grey(r);
  allocate_rows(r);
  png_read_image(r.png, r.rows.data());
  return true;
}

GreyImage read_png(const std::string& path) {
  const File file(std::fopen(path.c_str(), "rb"), std::fclose);
  PngReader r;
  r.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &r, png_failed,
                                 [](png_structp, png_const_charp) {});
  if (r.png) r.info = png_create_info_struct(r.png);
  if (!file || !r.info) cannot_read(path, "not enough memory");
  r.file_size = size_of_file(path);
  if (!read_png(r, file.get())) cannot_read(path, r.message);
  return from_bytes(r.bytes, r.width, r.height, r.bits,
                    r.bits == 8 ? 255.f : 65535.f);
}

/// \return what went wrong
std::string write_png(const std::string& path, const GreyImage& image) {
  const Bytes bytes = to_bytes(image);
  std::vector<png_uint_16> wide;
  for (std::size_t k = 0; image.bits == 16 && k < image.values.size(); ++k)
    wide.push_back(
        static_cast<png_uint_16>(bytes[2 * k] * 256 + bytes[2 * k + 1]));
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width   = static_cast<png_uint_32>(image.width);
  png.height  = static_cast<png_uint_32>(image.height);
  png.format  = image.bits == 16 ? PNG_FORMAT_LINEAR_Y : PNG_FORMAT_GRAY;
  const void* data =
      image.bits == 16 ? static_cast<const void*>(wide.data()) : bytes.data();
  const bool ok =
      png_image_write_to_file(&png, path.c_str(), 0, data, 0, nullptr) != 0;
  return ok ? "" : png.message;
}

#else

GreyImage read_png(const std::string& path) {
  cannot_read(path,
              "it is no PGM, BMP or TIFF file, and this build has no libpng");
}

std::string write_png(const std::string&, const GreyImage&) {
  return "this build has no libpng; take a name with .pgm";
}

#endif

/// \return what went wrong
std::string write_pgm(const std::string& path, const GreyImage& image) {
  std::ofstream out(path, std::ios::binary);
  const Bytes bytes = to_bytes(image);
  out << "P5\n"
      << image.width << ' ' << image.height << '\n'
      << (image.bits == 8 ? 255 : 65535) << '\n';
  out.write(reinterpret_cast<const char*>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
  out.close();
  return out ? "" : std::strerror(errno);
}

}  // namespace

GreyImage read_grey(const std::string& path) {
  const File file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) cannot_read(path, "it cannot be opened");
  char word[3] = {0, 0, 0};
  if (std::fread(word, 1, 2, file.get()) != 2) cannot_read(path, "it is empty");
  const std::string start = word;
  if (start == "P5") return read_pgm(path);
  if (start == "BM") return read_bmp(path);
  if (start == "II" || start == "MM") return read_tiff(path);
  return read_png(path);
}

void write_grey(const std::string& path, const GreyImage& image) {
  const bool pgm =
      path.size() > 4 && path.compare(path.size() - 4, 4, ".pgm") == 0;
  write_whole(path, [&](const std::string& part) {
    return pgm ? write_pgm(part, image) : write_png(part, image);
  });
}

const char* grey_extension() {
#ifdef SPOROS_HAVE_PNG
  return "png";
#else
  return "pgm";
#endif
}

}  // namespace AppCommon
