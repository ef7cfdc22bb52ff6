// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Sporos_Test.hpp>

#include "App_GreyImage.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace PivFormatsTest {
namespace {

using AppCommon::GreyImage;

/// A file that goes away with the test.
struct File {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / "sporos_piv_formats_test";
  explicit File(const std::string& content) {
    std::ofstream(path, std::ios::binary) << content;
  }
  File(const File&)            = delete;
  File& operator=(const File&) = delete;
  ~File() { std::filesystem::remove(path); }
};

GreyImage read(const std::string& content) {
  const File file(content);
  return AppCommon::read_grey(file.path.string());
}

std::string complaint(const std::string& content) {
  try {
    read(content);
  } catch (const std::runtime_error& error) {
    const std::string text = error.what();
    return text.substr(text.rfind(": ") + 2);
  }
  return "";
}

std::string number(std::uint32_t value, int bytes) {
  std::string text;
  for (; bytes > 0; --bytes, value >>= 8) text += char(value & 255);
  return text;
}

/// A BMP file with this header, palette and pixels.
std::string bmp(int width, int height, std::uint32_t bits,
                const std::string& pixels, const std::string& palette = "",
                std::uint32_t compression = 0) {
  const auto colors = std::uint32_t(palette.size() / 4);
  const auto start  = std::uint32_t(54 + palette.size());
  return "BM" + number(start + std::uint32_t(pixels.size()), 4) + number(0, 4) +
         number(start, 4) + number(40, 4) + number(std::uint32_t(width), 4) +
         number(std::uint32_t(height), 4) + number(1, 2) + number(bits, 2) +
         number(compression, 4) + number(0, 12) + number(colors, 4) +
         number(0, 4) + palette + pixels;
}

/// A little-endian TIFF file with the values of these tags, in order; the
/// pixels follow the header, and `start` is where they begin.
struct Tag {
  std::uint32_t name, value;
  std::uint32_t count = 1;
};
constexpr std::uint32_t start = 8;

std::string tiff(const std::vector<Tag>& tags, const std::string& pixels) {
  std::string text = "II" + number(42, 2) +
                     number(start + std::uint32_t(pixels.size()), 4) + pixels +
                     number(std::uint32_t(tags.size()), 2);
  for (const Tag& t : tags)
    text += number(t.name, 2) + number(4, 2) + number(t.count, 4) +
            number(t.value, 4);
  return text + number(0, 4);
}

/// Tags of an image in one strip.
std::vector<Tag> strip(std::uint32_t width, std::uint32_t height,
                       std::uint32_t bits, std::uint32_t color,
                       std::uint32_t size) {
  return {{256, width}, {257, height}, {258, bits},   {259, 1},   {262, color},
          {273, start}, {277, 1},      {278, height}, {279, size}};
}

bool has_tiff() {
  return complaint("II*").find("no libtiff") == std::string::npos;
}

using namespace std::string_literals;

}  // namespace

TEST_CASE("piv: BMP files are read", "[piv]") {
  // rows from the bottom, each a multiple of four bytes
  const auto grey = read(
      bmp(3, 2, 8, "\0\1\2x\2\1\0x"s, "\0\0\0\0\x33\x33\x33\0\xff\xff\xff\0"s));
  REQUIRE(grey.width == 3);
  REQUIRE(grey.height == 2);
  CHECK(grey.bits == 8);
  CHECK(grey.values == std::vector<float>{1, .2f, 0, 0, .2f, 1});
  // from the top; blue, green, red
  const auto color = read(bmp(1, -2, 24, "\0\0\xffx\x33\x33\x33x"s));
  REQUIRE(color.height == 2);
  CHECK(color(0, 0) == Approx(0.2126).margin(1e-3));
  CHECK(color(1, 0) == .2f);
  CHECK(read(bmp(1, 1, 32, "\xff\xff\xff\0"s))(0, 0) == 1);
}

TEST_CASE("piv: BMP files that are not read say why", "[piv]") {
  CHECK(complaint("BM") == "it ends early");
  CHECK(complaint(bmp(3, 2, 24, "too short")) == "it ends early");
  CHECK(complaint(bmp(30000, 30000, 24, "")) == "it ends early");
  CHECK(complaint(bmp(0, 2, 24, "")) ==
        "its header is not that of a BMP image");
  CHECK(complaint(bmp(1, -2147483647 - 1, 24, "")) ==
        "its header is not that of a BMP image");
  CHECK(complaint(bmp(1, 1, 4, "1234")) ==
        "it has 4 bits a pixel, 8, 24 or 32 are read");
  CHECK(complaint(bmp(1, 1, 32, "1234", "", 3)) ==
        "it is compressed or has masks of colours");
  CHECK(complaint(bmp(1, 1, 8, "\2\0\0\0"s, "\0\0\0\0\1\1\1\0"s)) ==
        "it has a value beyond its palette");
}

TEST_CASE("piv: TIFF files are read", "[piv]") {
  if (!has_tiff()) return;
  const auto eight = read(tiff(strip(3, 2, 8, 1, 6), "\0\x33\xff\1\2\3"s));
  REQUIRE(eight.width == 3);
  REQUIRE(eight.height == 2);
  CHECK(eight.bits == 8);
  CHECK(eight.values ==
        std::vector<float>{0, .2f, 1, 1.f / 255, 2.f / 255, 3.f / 255});
  CHECK(read(tiff(strip(1, 1, 8, 0, 1), "\xcc"))(0, 0) == .2f);  // white is 0

  const auto sixteen = read(tiff(strip(2, 1, 16, 1, 4), "\x33\x33\xff\xff"));
  CHECK(sixteen.bits == 16);
  CHECK(sixteen.values == std::vector<float>{.2f, 1});

  // red, green and blue
  auto tags          = strip(2, 1, 8, 2, 6);
  tags[2]            = {258, start + 6, 3};  // three numbers stand elsewhere
  tags[6]            = {277, 3};
  std::string pixels = "\xff\0\0\x33\x33\x33"s;
  for (int k = 0; k < 3; ++k) pixels += number(8, 4);
  const auto color = read(tiff(tags, pixels));
  CHECK(color(0, 0) == Approx(0.2126).margin(1e-3));
  CHECK(color(0, 1) == .2f);

  // tiles of 16 x 16 pixels, of which four make 20 x 18
  std::string tiles;
  for (int k = 0; k < 4; ++k) tiles += std::string(256, char(50 * k));
  for (std::uint32_t k = 0; k < 4; ++k) tiles += number(start + 256 * k, 4);
  for (int k = 0; k < 4; ++k) tiles += number(256, 4);
  const auto tiled = read(tiff({{256, 20},
                                {257, 18},
                                {258, 8},
                                {259, 1},
                                {262, 1},
                                {277, 1},
                                {322, 16},
                                {323, 16},
                                {324, start + 1024, 4},
                                {325, start + 1040, 4}},
                               tiles));
  REQUIRE(tiled.values.size() == 360);
  for (int y = 0; y < 18; ++y)
    for (int x = 0; x < 20; ++x)
      CHECK(tiled(y, x) == float(50 * (2 * (y / 16) + x / 16)) / 255);

  // what libtiff has to convert: one bit a pixel
  const auto bits = read(tiff(strip(4, 1, 1, 1, 1), "\xa0"));
  CHECK(bits.values == std::vector<float>{1, 0, 1, 0});
}

TEST_CASE("piv: TIFF files that are not read say why", "[piv]") {
  if (!has_tiff()) {
    CHECK(complaint("II*") ==
          "it is a TIFF file, and this build has no libtiff");
    return;
  }
  CHECK(complaint("II*") != "");
  CHECK(complaint("MM, text") != "");
  CHECK(complaint(tiff(strip(3000, 2000, 8, 1, 6000000), "short")) != "");
  CHECK(complaint(tiff(strip(30000, 30000, 8, 1, 900000000), "short")) ==
        "it ends early");
  CHECK(complaint(tiff(strip(0, 2, 8, 1, 1), "x")) != "");
  auto real = strip(1, 1, 32, 1, 4);
  real.push_back({339, 3});
  CHECK(complaint(tiff(real, "1234")) == "its values are no unsigned integers");
  auto turned = strip(1, 1, 8, 1, 1);
  turned.insert(turned.begin() + 6, {274, 3});
  CHECK(complaint(tiff(turned, "x")) ==
        "it does not begin with the upper left corner");
}

}  // namespace PivFormatsTest
