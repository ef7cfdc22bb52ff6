// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PIV_FILES_HPP
#define SPOROS_PIV_FILES_HPP

/// \file Piv_Files.hpp
/// Vectors as CSV, VTK and a picture.

#include "App_GreyImage.hpp"
#include "App_Image.hpp"
#include "Piv_Vectors.hpp"

#include <string>

namespace PivApp {

/// A line per window: x, y, dx, dy, peak, snr, replaced (0 or 1); a head line.
/// \throws std::runtime_error that names the file
void write_csv(const std::string& path, const Vectors& vectors);

/// ImageData with a point per window: displacement, coefficient, snr, status;
/// y goes up, as viewers expect it.
/// \throws std::runtime_error that names the file
void write_vtk(const std::string& path, const Vectors& vectors,
               int image_height);

/// The first image, dark, and the vectors in colours of their lengths, those
/// that were replaced in red, with a scale of colours on the right. Where
/// windows lie close, every second, third, ... vector is drawn.
/// \param scale length of an arrow per displacement; 0: arrows nearly touch
AppCommon::Image draw(const Vectors& vectors, const AppCommon::GreyImage& image,
                      double scale);

}  // namespace PivApp

#endif
