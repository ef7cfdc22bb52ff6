// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PIV_EVALUATE_HPP
#define SPOROS_PIV_EVALUATE_HPP

/// \file Piv_Evaluate.hpp
/// The analysis of a pair of images.

#include "App_GreyImage.hpp"
#include "Piv_Options.hpp"
#include "Piv_Vectors.hpp"

#include <memory>
#include <string>

namespace PivApp {

/// Analyses pairs of images of one size; keeps its memory from pair to pair.
///
/// All windows of a pass go through one call of Sporos::cross_correlate:
/// pairing n_to_mn with m = 1, shifts up to +-shifts, normalised. The second
/// pass moves the window of the first image back and that of the second image
/// forth by half of what the first pass found, in whole pixels.
class Evaluator {
 public:
  /// \throws std::invalid_argument if no window fits into the images
  Evaluator(int width, int height, const Options& options);
  ~Evaluator();

  /// \throws std::invalid_argument for images of another size
  Vectors operator()(const AppCommon::GreyImage& a,
                     const AppCommon::GreyImage& b) const;

  const WindowGrid& grid() const;
  /// What the correlation says of itself.
  std::string describe() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> m_parts;
};

}  // namespace PivApp

#endif
