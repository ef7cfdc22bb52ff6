// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PIV_FLOW_HPP
#define SPOROS_PIV_FLOW_HPP

/// \file Piv_Flow.hpp
/// Known flows, and pairs of particle images of them.

#include "App_GreyImage.hpp"
#include "Piv_Options.hpp"

#include <string>
#include <utility>

namespace PivApp {

using AppCommon::GreyImage;

struct Vector {
  double x, y;
};

/// A steady flow whose particle paths are known exactly; lengths in pixels from
/// the centre of the first pixel, x right, y down, time in frames.
class Flow {
 public:
  /// Flow, size, displacement, angle and core of the options.
  explicit Flow(const Options& options);

  /// Where what is at p now will be after a time.
  Vector moved(const Vector& p, double time) const;

  /// The displacement within a frame of what passes p in the middle of it.
  Vector displacement(const Vector& p) const {
    const Vector a = moved(p, -0.5), b = moved(p, 0.5);
    return {b.x - a.x, b.y - a.y};
  }

 private:
  std::string m_name;
  Vector m_center, m_uniform;
  double m_height, m_largest, m_core;
};

/// Two images of particles that the flow moves: density times pixels of them at
/// random places, as bright as they like between 0.5 and 1, Gaussian and
/// integrated over pixels; normal noise on top. The same on every machine up to
/// the rounding of exp, log and erf.
std::pair<GreyImage, GreyImage> synthetic_pair(const Options& options);

}  // namespace PivApp

#endif
