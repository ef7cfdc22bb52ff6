// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATETABLE_HPP
#define SPOROS_CORRELATETABLE_HPP

/// \file Sporos_CorrelateTable.hpp
/// The numbers behind CorrelateAlgorithm::automatic. The program
/// correlation_crossover writes this file.

#include <cross_correlation/problem/Sporos_CorrelateConstants.hpp>

namespace Sporos {
namespace Impl {

/// Processors that compute a SIMD register at once; measured.
inline constexpr HostTable host_table_whole{
    {0.451e-3, 0.365e-3, 0.274e-3, 1.3}, {0.514e-3, 0.477e-3, 0.325e-3, 1.87}};
/// Processors that compute it in two halves; measured.
inline constexpr HostTable host_table_halves{
    {0.53e-3, 0.47e-3, 0.197e-3, 1.6}, {0.607e-3, 0.473e-3, 0.195e-3, 1.57}};
/// Devices; measured (in the repository: on an H100).
inline constexpr DeviceTable device_table{5e8, 150., 490746.};

}  // namespace Impl
}  // namespace Sporos

#endif
