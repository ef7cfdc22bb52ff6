// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFTOPTIONS_HPP
#define SPOROS_NUFFTOPTIONS_HPP

/// \file Sporos_NufftOptions.hpp
/// Options of non-uniform FFTs.

#include <Sporos_EnumNames.hpp>

#include <cstddef>

namespace Sporos {

/// The order of modes in arrays of coefficients, in each direction of N modes.
enum class NufftOrder {
  centred,  ///< k = -(N / 2), ..., (N - 1) / 2
  fft       ///< k = 0, ..., (N - 1) / 2, -(N / 2), ..., -1
};

/// How long FFTW looks for a fast transform. Other FFTs take no notice.
enum class NufftPatience {
  estimate,  ///< a few milliseconds at most; the same bits in all plans
  measure,   ///< times some ways; plans may differ in the last bits
  patient    ///< times more ways; as measure
};

/// Options of a NufftPlan and a NufftType3Plan. Type 3 takes no notice of
/// points and order.
struct NufftOptions {
  /// The error of results: in the l2 norm, relative to that of all results.
  /// 1e-14 to 0.1; in float 1e-6 to 0.1. What rounding adds is not in it, see
  /// NufftPlan::expected_error().
  double tolerance = 1e-6;
  /// How many times as fine as the modes need the grid is: 1.25 to 4; 0: as
  /// takes least time by the cost model.
  double upsampling = 0;
  /// The number of points that the cost model expects; 0: as many as modes.
  std::size_t points = 0;
  /// The order of modes.
  NufftOrder order = NufftOrder::centred;
  /// The patience of FFTW's planner.
  NufftPatience patience = NufftPatience::estimate;
  /// About how many seconds `measure` and `patient` may take for all transforms
  /// of a plan; negative: as long as FFTW likes.
  double planning_seconds = .05;
  /// Type 3: how many points its larger grid may have. Points and frequencies
  /// that need more are refused.
  std::size_t largest_grid = std::size_t(1) << 30;
};

/// Widths of the kernel that are compiled for a plan, 2 to 16, rising: a plan
/// takes the narrowest one that suffices. Fewer widths compile faster.
template <int... Widths>
struct NufftWidths {
  static_assert(sizeof...(Widths) > 0,
                "Sporos::NufftWidths: at least one width");
};

/// All widths that tolerances of float need.
using NufftWidthsOfFloat = NufftWidths<2, 3, 4, 5, 6, 7, 8, 9>;
/// All widths that tolerances of double need.
using NufftWidthsOfDouble =
    NufftWidths<2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16>;

namespace Impl {

template <>
struct EnumNames<NufftOrder> {
  using E                           = NufftOrder;
  static constexpr NamedValue all[] = {{"centred", E::centred},
                                       {"fft", E::fft}};
};
template <>
struct EnumNames<NufftPatience> {
  using E                           = NufftPatience;
  static constexpr NamedValue all[] = {{"estimate", E::estimate},
                                       {"measure", E::measure},
                                       {"patient", E::patient}};
};

}  // namespace Impl
}  // namespace Sporos

#endif
