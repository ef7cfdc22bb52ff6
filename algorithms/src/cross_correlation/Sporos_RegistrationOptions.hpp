// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_REGISTRATIONOPTIONS_HPP
#define SPOROS_REGISTRATIONOPTIONS_HPP

/// \file Sporos_RegistrationOptions.hpp
/// Shifts of images, and how they are found. Users include
/// Sporos_RegisterImages.hpp.

#include <Sporos_KokkosCompat.hpp>

namespace Sporos {

/// How far a right image is from a left one.
struct ImageShift {
  double dy = 0;  ///< rows, between -h / 2 and h / 2 but for a fraction
  double dx = 0;  ///< columns alike
  /// The coefficient of the images, less their means, at this shift: 1 for
  /// images that are equal there. Whitened: the mean cosine of the differences
  /// of phases. 0 if an image is constant; all are NaN if a pixel is not
  /// finite.
  double height = 0;

  /// Is it a shift, no mark of a missing one?
  KOKKOS_FUNCTION constexpr bool found() const { return height == height; }
};

/// Options of register_images.
struct RegistrationOptions {
  /// Phase correlation: all frequencies count alike, whatever their magnitude.
  /// For images with sharp detail whose brightness or contrast differs; noise
  /// of smooth images counts as much as their content. false: the shift of the
  /// least squares.
  bool whiten = false;
  /// Shifts are found to 1 / upsampling pixels. 1: whole shifts.
  int upsampling = 100;
};

}  // namespace Sporos

#endif
