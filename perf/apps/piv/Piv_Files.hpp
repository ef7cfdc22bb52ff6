// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PIV_FILES_HPP
#define SPOROS_PIV_FILES_HPP

/// \file Piv_Files.hpp
/// Vectors as CSV, VTK, NetCDF and a picture.

#include "App_GreyImage.hpp"
#include "App_Image.hpp"
#include "Piv_Options.hpp"
#include "Piv_Vectors.hpp"

#include <string>

namespace PivApp {

/// From pixels to metres and seconds. Metres go right (x) and up (y) from the
/// centre of the first pixel of the last row. Without a calibration pixels
/// and frames stand for metres and seconds.
struct Calibration {
  Calibration(const Options& options, int image_height_)
      : given(options.calibrated()),
        pixel(given ? options.pixel_size : 1),
        step(given ? options.time_step : 1),
        image_height(image_height_) {}

  double x(double pixels) const { return pixel * pixels; }
  double y(double pixels) const { return pixel * (image_height - 1 - pixels); }
  double u(double dx) const { return dx * pixel / step; }
  double v(double dy) const { return -dy * pixel / step; }

  bool given;
  double pixel, step;
  int image_height;
};

/// A line per window that no mask covers: x, y, dx, dy, peak, snr, replaced (0
/// or 1), with a calibration also place and velocity (x_m, y_m, u_m_s, v_m_s);
/// a head line.
/// \throws std::runtime_error that names the file
void write_csv(const std::string& path, const Vectors& vectors,
               const Calibration& calibration);

/// UnstructuredGrid: a point per window that no mask covers with velocity,
/// coefficient, snr, status; four neighbours make a cell, a point without a
/// cell is one itself.
/// \throws std::runtime_error that names the file
void write_vtk(const std::string& path, const Vectors& vectors,
               const Calibration& calibration);

/// Arrays (y, x): u, v, peak, snr, replaced; NaN where a mask covers a window.
/// \throws std::runtime_error that names the file
void write_netcdf(const std::string& path, const Vectors& vectors,
                  const Calibration& calibration);

/// The first image, dark, and the vectors in colours of their lengths, those
/// that were replaced in red, with a scale of colours on the right. Where
/// windows lie close, every second, third, ... vector is drawn.
/// \param scale length of an arrow per displacement; 0: arrows nearly touch
AppCommon::Image draw(const Vectors& vectors, const AppCommon::GreyImage& image,
                      double scale);

}  // namespace PivApp

#endif
