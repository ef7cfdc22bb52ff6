// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SCALING_NETWORK_HPP
#define SPOROS_SCALING_NETWORK_HPP

/// \file Scaling_Network.hpp
/// What a prediction assumes of the machine. A rank is one core.

#include <cmath>

namespace Scaling {

struct Machine {
  double latency   = 2;     ///< microseconds a message
  double bandwidth = 0.4;   ///< GB/s of a rank: its share of the node's network
  double cell      = 21.4;  ///< ns a cell and airfoil iteration, without edges
  double edge      = 13.7;  ///< ns an edge and airfoil iteration
  double update    = 17;    ///< ns a point
  double spread    = 22;    ///< ns a point
  double interpolate = 15;  ///< ns a point

  /// Milliseconds of an exchange of one rank: its messages leave one after
  /// another.
  double exchange(double messages, double bytes) const {
    return messages * latency * 1e-3 + bytes / bandwidth * 1e-6;
  }
  /// Milliseconds of a reduction over all ranks, up and down a binary tree.
  double reduction(double ranks, double bytes) const {
    return ranks > 1 ? 2 * std::ceil(std::log2(ranks)) * exchange(1, bytes) : 0;
  }
};

}  // namespace Scaling

#endif
