// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PIV_VALIDATE_HPP
#define SPOROS_PIV_VALIDATE_HPP

/// \file Piv_Validate.hpp
/// Outliers among vectors, and what stands in for them.

#include "Piv_Field.hpp"

namespace PivApp {

struct ValidationLimits {
  double median = 2;    ///< of the normalised median test
  double ratio  = 1.1;  ///< least ratio of the two highest peaks
};

/// Marks the vectors that have too low a ratio of peaks or no finite value or
/// that fail the normalised median test (Westerweel and Scarano, "Universal
/// outlier detection for PIV data", 2005: |d - median| over the median
/// deviation of the neighbours + 0.1 pixel; at the edges of the grid lines
/// through two neighbours stand for one, or gradients would fail), and replaces
/// them by the median of those of their 8 neighbours that are not marked, from
/// the edges of holes inwards. Masked windows are neighbours of none; they get
/// a displacement like that of outliers, for the next pass.
///
/// The same bits at any number of threads.
void validate(const Exec& exec, const Field& field,
              const ValidationLimits& limits);

}  // namespace PivApp

#endif
