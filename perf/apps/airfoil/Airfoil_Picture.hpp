// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_AIRFOIL_PICTURE_HPP
#define SPOROS_AIRFOIL_PICTURE_HPP

/// \file Airfoil_Picture.hpp
/// Pictures of the flow around the profile.

#include "Airfoil_Fields.hpp"
#include "App_Image.hpp"

#include <string>

namespace AirfoilApp {

/// Draws Mach number or pressure in colours with lines of equal value.
/// \param quantity "mach" or "pressure"
/// \param pixels width of the picture; its height is 5/8 of that
/// \throws std::invalid_argument for another quantity
AppCommon::Image draw(const Fields& fields, const std::string& quantity,
                      int pixels);

}  // namespace AirfoilApp

#endif
