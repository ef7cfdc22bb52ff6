// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_AIRFOIL_FIELDS_HPP
#define SPOROS_AIRFOIL_FIELDS_HPP

/// \file Airfoil_Fields.hpp
/// A state of the flow on the host, for files and pictures.

#include <cmath>
#include <cstddef>
#include <vector>

namespace AirfoilApp {

/// Nodes, cells and the flow in the cells, in whatever order they were computed
/// in.
struct Fields {
  std::vector<double> coordinates;  ///< 2 per node
  std::vector<int> cell_nodes;      ///< 4 per cell
  std::vector<double> q;            ///< density, momentum, energy per cell

  std::size_t nodes() const { return coordinates.size() / 2; }
  std::size_t cells() const { return cell_nodes.size() / 4; }

  double density(std::size_t c) const { return q[4 * c]; }
  double velocity(std::size_t c, std::size_t d) const {
    return q[4 * c + 1 + d] / q[4 * c];
  }
  /// Pressure in a cell; 1 in the undisturbed flow.
  double pressure(std::size_t c) const {
    const double u = velocity(c, 0), v = velocity(c, 1);
    return (gamma - 1) * (q[4 * c + 3] - 0.5 * density(c) * (u * u + v * v));
  }
  double mach(std::size_t c) const {
    return std::hypot(velocity(c, 0), velocity(c, 1)) /
           std::sqrt(gamma * pressure(c) / density(c));
  }

 private:
  static constexpr double gamma = 1.4f;
};

}  // namespace AirfoilApp

#endif
