// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_APP_COLORMAPS_HPP
#define SPOROS_APP_COLORMAPS_HPP

/// \file App_ColorMaps.hpp
/// The colours that stand for numbers in pictures.

#include "App_Image.hpp"

namespace AppCommon {

enum class ColorMap {
  viridis,  ///< from dark blue over green to light yellow, evenly brighter
  bright,   ///< from violet over green to yellow, for thin lines on black
  fire,     ///< from nearly black over red to light yellow
  ice       ///< from nearly black over blue to white
};

/// \param t from 0 to 1; what is beyond gets the colour of the end
Color color_of(ColorMap map, double t);

}  // namespace AppCommon

#endif
