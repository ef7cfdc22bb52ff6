// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_AIRFOIL_SPLINE_HPP
#define SPOROS_AIRFOIL_SPLINE_HPP

/// \file Airfoil_Spline.hpp
/// Cubic splines with the not-a-knot end condition.

#include <cstddef>
#include <vector>

namespace AirfoilApp {

/// The piecewise cubic through the points (x, y) whose first and second
/// derivatives are continuous, and the third one at the second and at the last
/// but one point, too. Beyond the ends the outermost cubics go on.
class NotAKnotSpline {
 public:
  /// \param x ascending, at least 4
  /// \param y as many
  /// \throws std::invalid_argument for points that are too few, differ in
  ///         number or do not ascend
  NotAKnotSpline(std::vector<double> x, std::vector<double> y);

  double operator()(double at) const;

 private:
  std::vector<double> m_x, m_y;
  std::vector<double> m_slope;  ///< first derivatives at the points
};

}  // namespace AirfoilApp

#endif
