// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATETABLE_HPP
#define SPOROS_CORRELATETABLE_HPP

/// \file Sporos_CorrelateTable.hpp
/// Measured numbers behind CorrelateAlgorithm::automatic. The program
/// correlation_crossover writes this file.

namespace Sporos {
namespace Impl {

/// Hosts, by the precision in which FFTs are done. Microseconds of one thread.
struct HostTable {
  double tile;       ///< per modelled cycle of a slide tile
  double dot;        ///< ... of a dot tile
  double fft;        ///< per element and log2 of the size
  double fft_start;  ///< per pair
};

template <class R>
const HostTable& host_table();
template <>
inline const HostTable& host_table<float>() {
  static constexpr HostTable table{0.451e-3, 0.365e-3, 0.274e-3, 1.3};
  return table;
}
template <>
inline const HostTable& host_table<double>() {
  static constexpr HostTable table{0.514e-3, 0.477e-3, 0.325e-3, 1.87};
  return table;
}

/// Devices (a V100, from the tables of the source thesis).
struct DeviceTable {
  double fft_from;      ///< side of the overlap from which an FFT is faster
  double few_shifts;    ///< up to here a shift has a lane group to itself
  double split_shifts;  ///< up to here overlaps are cut into tasks
};
inline constexpr DeviceTable device_table{100., 4096., 262144.};

}  // namespace Impl
}  // namespace Sporos

#endif
