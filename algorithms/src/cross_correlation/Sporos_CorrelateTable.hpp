// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATETABLE_HPP
#define SPOROS_CORRELATETABLE_HPP

/// \file Sporos_CorrelateTable.hpp
/// Measured numbers behind CorrelateAlgorithm::automatic. The program
/// correlation_crossover writes this file.

#include <Sporos_Pack.hpp>

#include <type_traits>

namespace Sporos {
namespace Impl {

/// Hosts, microseconds of one thread.
struct HostCosts {
  double tile;       ///< per modelled cycle of a slide tile
  double dot;        ///< ... of a dot tile
  double fft;        ///< per element and log2 of the size
  double fft_start;  ///< per pair
};
/// By the precision in which FFTs are done.
struct HostTable {
  HostCosts single_precision, double_precision;
};
/// Processors that compute a SIMD register at once (measured on one with
/// AVX-512), and in two halves (Zen 4).
inline constexpr HostTable host_table_whole{
    {0.451e-3, 0.365e-3, 0.274e-3, 1.3}, {0.514e-3, 0.477e-3, 0.325e-3, 1.87}};
inline constexpr HostTable host_table_halves{
    {0.53e-3, 0.47e-3, 0.197e-3, 1.6}, {0.607e-3, 0.473e-3, 0.195e-3, 1.57}};
inline constexpr const HostTable& host_table =
    simd_halves ? host_table_halves : host_table_whole;

template <class R>
constexpr const HostCosts& host_costs() {
  return std::is_same<R, float>::value ? host_table.single_precision
                                       : host_table.double_precision;
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
