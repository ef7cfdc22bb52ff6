// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "App_ColorMaps.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace AppCommon {
namespace {

constexpr std::size_t stops = 5;

/// Red, green and blue at even distances; by the order in ColorMap.
constexpr std::uint32_t table[][stops] = {
    {0x440154, 0x3b528b, 0x21918c, 0x5ec962, 0xfde725},
    {0x734dd9, 0x338cf2, 0x1accb3, 0x8ce659, 0xffeb40},
    {0x0e111b, 0x5c1a26, 0xcc4521, 0xfa9e38, 0xfff0b8},
    {0x0e111b, 0x0f336b, 0x176ebd, 0x47baed, 0xccf5ff}};

}  // namespace

Color color_of(ColorMap map, double t) {
  const auto& colors  = table[static_cast<std::size_t>(map)];
  const double s      = std::min(1., std::max(0., t)) * (stops - 1);
  const std::size_t k = std::min(stops - 2, static_cast<std::size_t>(s));
  return mix(unpacked(colors[k]), unpacked(colors[k + 1]),
             static_cast<float>(s - static_cast<double>(k)));
}

}  // namespace AppCommon
