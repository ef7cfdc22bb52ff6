// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// read_grey, which reads the PNG, PGM, BMP and TIFF files of applications,
/// either says what is wrong with a file, or gives values from 0 to 1 that
/// survive write_grey.

#include "Sporos_Fuzz.hpp"

#include "App_GreyImage.hpp"

#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using AppCommon::GreyImage;
using Sporos::Fuzz::MemoryFile;
using Sporos::Fuzz::require;
using File = std::vector<std::uint8_t>;

std::size_t big_endian(const std::uint8_t* bytes) {
  std::size_t value = 0;
  for (int k = 0; k < 4; ++k) value = 256 * value + bytes[k];
  return value;
}

/// Makes the checksums of all chunks right, or mutations would never get
/// further. A chunk: size of its data, type, data, checksum of both.
void mend_checksums(File& file) {
  for (std::size_t at = 8; at + 12 <= file.size();) {
    const std::size_t size = big_endian(&file[at]);
    if (size > file.size() - at - 12) return;
    const auto sum = crc32(0, &file[at + 4], static_cast<uInt>(size + 4));
    for (std::size_t k = 0; k < 4; ++k)
      file[at + 8 + size + k] =
          static_cast<std::uint8_t>(sum >> (24 - 8 * k) & 255);
    at += size + 12;
  }
}

void check_values(const GreyImage& image) {
  require(image.width > 0 && image.height > 0 &&
              image.values.size() == static_cast<std::size_t>(image.width) *
                                         static_cast<std::size_t>(image.height),
          "there is a value for each pixel");
  require(image.bits == 8 || image.bits == 16, "values have 8 or 16 bits");
  for (const float value : image.values)
    require(value >= 0 && value <= 1, "values are from 0 to 1");
}

void check_survival(const GreyImage& image) {
  // no file in memory: it gets its name when it is complete
  static const std::string output =
      std::filesystem::temp_directory_path() /
      ("sporos_fuzz_" + std::to_string(getpid()) + ".png");
  AppCommon::write_grey(output, image);
  const GreyImage back = AppCommon::read_grey(output);
  std::filesystem::remove(output);
  require(back.width == image.width && back.height == image.height &&
              back.bits == image.bits,
          "an image that is written has the same shape again");
  const float rounding = image.bits == 8 ? 0.51f / 255 : 0.51f / 65535;
  for (std::size_t k = 0; k < image.values.size(); ++k)
    require(std::abs(back.values[k] - image.values[k]) <= rounding,
            "an image that is written has the same values again");
}

void read(const File& file) {
  static const MemoryFile input;
  input.assign(file.data(), file.size());
  GreyImage image;
  try {
    image = AppCommon::read_grey(input.path());
  } catch (const std::runtime_error&) {
    return;
  }
  check_values(image);
  if (image.values.size() <= 4096) check_survival(image);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  File file(data, data + size);
  read(file);
  const File before = file;
  mend_checksums(file);
  if (file != before) read(file);
  return 0;
}
