// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATECOSTS_HPP
#define SPOROS_CORRELATECOSTS_HPP

/// \file Sporos_CorrelateCosts.hpp
/// The form of the cost models of CorrelateAlgorithm::automatic. The numbers
/// are in Sporos_CorrelateTable.hpp.

namespace Sporos {
namespace Impl {

/// Hosts, microseconds of one thread.
struct HostCosts {
  double tile;       ///< per modelled cycle of a slide tile
  double dot;        ///< per modelled cycle of a dot tile
  double fft;        ///< per element and log2 of the size
  double fft_start;  ///< per pair
};

/// By the precision in which FFTs are done.
struct HostTable {
  HostCosts single_precision, double_precision;
};

/// Devices. Numbers of shifts are those of all pairs of a call.
struct DeviceTable {
  double fft_from;     ///< shifts times elements of an overlap from which an
                       ///< FFT is faster
  double few_shifts;   ///< up to here a shift has a lane group to itself
  double split_lanes;  ///< overlaps are cut into tasks where shifts give work
                       ///< to fewer lanes
};

}  // namespace Impl
}  // namespace Sporos

#endif
