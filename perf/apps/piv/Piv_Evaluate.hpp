// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PIV_EVALUATE_HPP
#define SPOROS_PIV_EVALUATE_HPP

/// \file Piv_Evaluate.hpp
/// The analysis of one or many pairs of images.

#include "App_GreyImage.hpp"
#include "Piv_Mask.hpp"
#include "Piv_Options.hpp"
#include "Piv_Vectors.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace PivApp {

using ImagePair = std::pair<AppCommon::GreyImage, AppCommon::GreyImage>;

/// Analyses images of one size; keeps its memory from call to call.
///
/// A pass correlates all windows of one size by Sporos::correlate_peaks, which
/// keeps peaks alone; of many pairs it adds up the coefficients of each window
/// and finds the peaks of the sums. Each pass after the first deforms the
/// images by the vectors of the one before it, half each (central difference),
/// and adds what is left to them. Vectors are validated after each pass.
class Evaluator {
 public:
  /// \throws std::invalid_argument if no window fits into the images
  Evaluator(int width, int height, const Options& options,
            const std::vector<Polygon>& mask = {});
  ~Evaluator();

  /// The vectors of the last pass.
  /// \param pairs at least one; many are an ensemble of one flow
  /// \throws std::invalid_argument for images of another size
  Vectors operator()(const std::vector<ImagePair>& pairs) const;

  /// Windows of the last pass.
  const WindowGrid& grid() const;
  /// What the correlations of each pass say of themselves.
  std::string describe() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> m_parts;
};

}  // namespace PivApp

#endif
