// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFT_IMAGE_HPP
#define SPOROS_NUFFT_IMAGE_HPP

/// \file Nufft_Image.hpp
/// What non-uniform FFTs are for: an image from samples of its spectrum along
/// spokes, as a magnetic resonance scanner takes them. Type 2 makes the
/// samples, type 1 the image, with the samples weighted by the area that they
/// stand for.

#include "Nufft_AnyTransform.hpp"

#include <App_Image.hpp>

#include <vector>

namespace NufftApp {

/// Square pictures, rows from the top.
struct Reconstruction {
  int side = 0;
  std::vector<double> original, image;
  std::vector<double> samples;  ///< logarithms, drawn where they were taken
  double error = 0;             ///< |image - original| / |original|
};

/// \param transform of side x side modes; gets other points
template <class T>
Reconstruction reconstruct(const Exec& exec, AnyTransform<T>& transform,
                           int side);

/// Original, samples and image side by side.
AppCommon::Image draw(const Reconstruction& reconstruction);

}  // namespace NufftApp

#endif
