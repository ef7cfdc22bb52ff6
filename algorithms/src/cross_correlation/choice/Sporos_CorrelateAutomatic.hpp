// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATEAUTOMATIC_HPP
#define SPOROS_CORRELATEAUTOMATIC_HPP

/// \file Sporos_CorrelateAutomatic.hpp
/// The choice of `automatic`, with the numbers of Sporos_CorrelateTable.hpp. On
/// hosts it takes the algorithm with the lowest cost in a measured model. On
/// devices it uses thresholds, most of them measured.

#include <Sporos_Pack.hpp>
#include <cross_correlation/fft/Sporos_CorrelateFft.hpp>
#include <cross_correlation/problem/Sporos_CorrelateSums.hpp>
#include <cross_correlation/choice/Sporos_CorrelateTable.hpp>
#include <cross_correlation/tile/Sporos_CorrelateTilePlan.hpp>

#include <cmath>
#include <sstream>
#include <string>
#include <type_traits>

namespace Sporos {
namespace Impl {

struct AutomaticCorrelate {
  CorrelateAlgorithm algorithm;
  std::string reason;
};

/// What there is to do.
struct CorrelateWork {
  CorrelateShape all;       ///< for `fft`
  CorrelateShape matrices;  ///< for the others: the same, or of volumes a plane
                            ///< of shifts as matrices
  double planes;            ///< so many times the work of `matrices`
};

/// Numbers for the target processor (measured on a Xeon with AVX-512 and a
/// Zen 4).
template <class R>
constexpr const HostCosts& host_costs() {
  constexpr const HostTable& t =
      simd_halves ? host_table_halves : host_table_whole;
  return std::is_same<R, float>::value ? t.single_precision
                                       : t.double_precision;
}

/// Units in which transforms are counted: N log2 N for each transform of N
/// elements, per pair; left and right matrices that are shared count by their
/// part of a pair. Spectra larger than caches take more time.
/// \param bytes of a real number
inline double fft_work(const CorrelateShape& s, Pairing pairing, bool real,
                       std::size_t bytes) {
  const FftShape f(s, real);
  const CorrelateExtents& e = s.extents;
  const double size         = double(f.rows()) * f.columns;
  const double one          = size * std::log2(double(f.rows()) * f.x.size);
  const double left         = 1. / e.m;
  const double right        = pairing == Pairing::n_to_m ? 1. / e.n : 1.;
  const bool large          = size * 2. * double(bytes) > large_spectrum;
  return (large ? large_spectrum_cost : 1.) * one * (1. + left + right);
}

/// On devices: are there enough rows to take several of both sides at once?
inline bool is_tall(const CorrelateShape& s) {
  return s.rows() >= tall_rows_of_shifts &&
         s.extents.left_h >= tall_rows_of_left;
}

/// Hosts: modelled microseconds of one thread per pair.
struct ModelledCosts {
  double tile, dot, fft;
};

/// \param wide_fft whether transforms are in double
template <class A>
ModelledCosts modelled_costs(const CorrelateWork& work, Pairing pairing,
                             bool wide_fft) {
  using R             = real_of<A>;
  constexpr bool real = !is_complex_v<A>;
  const double planes = work.planes * (real ? 1. : 4.);
  const HostCosts& t  = host_costs<fft_real<A>>();
  const HostCosts& f  = wide_fft ? host_costs<double>() : t;
  const auto cycles   = [&](TileKind kind) {
    return planes * plan_tiles<R>(work.matrices, kind).cost;
  };
  return {t.tile * cycles(TileKind::slide), t.dot * cycles(TileKind::dot),
          f.fft_start + f.fft * fft_work(work.all, pairing, real,
                                         wide_fft ? sizeof(double)
                                                  : sizeof(fft_real<A>))};
}

inline namespace SPOROS_IMPL_FFT_LIBRARIES {

/// \param may_fft whether fft will do
/// \param wide_fft whether transforms are in double
template <class Exec, class A>
AutomaticCorrelate automatic_correlate(const CorrelateWork& work,
                                       Pairing pairing, bool may_fft,
                                       bool wide_fft = false) {
  [[maybe_unused]] const CorrelateShape& s = work.matrices;
  std::ostringstream why;
  if constexpr (is_host_space_v<Exec>) {
    const ModelledCosts cost = modelled_costs<A>(work, pairing, wide_fft);
    why << "modelled microseconds per pair: tile " << cost.tile
        << ", lane_group_per_shift " << cost.dot << ", fft " << cost.fft;
    const bool exact = std::is_integral<A>::value;
    if (has_correlate_fft<Exec> && !exact && may_fft && cost.fft < cost.tile &&
        cost.fft < cost.dot)
      return {CorrelateAlgorithm::fft, why.str()};
    if (!has_correlate_fft<Exec>) why << " (not in this build)";
    if (exact) why << " (not for integers)";
    if (!may_fft) why << " (not by the definition)";
    return {cost.tile <= cost.dot ? CorrelateAlgorithm::tile
                                  : CorrelateAlgorithm::lane_group_per_shift,
            why.str()};
  } else {
    const CorrelateShape& all = work.all;
    const double overlap      = double(most_terms_of_all(all.extents));
    // a transform takes the same time for few shifts, and for small matrices
    if (has_correlate_fft<Exec> && !std::is_integral<A>::value && may_fft &&
        double(all.all_results()) * overlap > device_table.fft_from &&
        overlap > least_fft_overlap && 2 * all.rows() > all.extents.right_h) {
      why << "more than " << device_table.fft_from
          << " shifts times elements of an overlap";
      return {CorrelateAlgorithm::fft, why.str()};
    }
    if (s.results() < device_table.few_shifts) {
      why << "fewer than " << device_table.few_shifts << " shifts in all";
      return {CorrelateAlgorithm::lane_group_per_shift, why.str()};
    }
    const int narrow = is_tall(s) ? narrow_if_tall : narrow_if_not;
    if (s.columns() <= narrow) {
      why << "at most " << narrow << " columns of shifts";
      return {CorrelateAlgorithm::lane_group_per_shift, why.str()};
    }
    why << "enough shifts for every lane";
    return {CorrelateAlgorithm::shuffle, why.str()};
  }
}

}  // namespace SPOROS_IMPL_FFT_LIBRARIES

/// Tasks are cut where shifts alone do not fill the machine (the numbers do not
/// depend on the number of threads, and so the results do not).
/// \param lanes that shifts alone give work to
template <class Exec>
WorkDistribution automatic_distribution(const Exec&, const CorrelateShape& s,
                                        WorkDistribution wanted, double lanes) {
  const bool cut = wanted != WorkDistribution::none && !is_host_space_v<Exec> &&
                   lanes < device_table.split_lanes && s.extents.right_h > 8;
  return cut ? WorkDistribution::triangle : WorkDistribution::none;
}

/// Rows of an overlap in a task: as many as fill the machine, in steps.
inline int automatic_task_rows(const CorrelateShape& s, double lanes) {
  constexpr int step = task_rows_step;
  const double rows  = Math::min(s.extents.left_h, s.extents.right_h) * lanes /
                      device_table.split_lanes;
  return step * Math::max(1, int(rows / step + .5));
}

}  // namespace Impl
}  // namespace Sporos

#endif
