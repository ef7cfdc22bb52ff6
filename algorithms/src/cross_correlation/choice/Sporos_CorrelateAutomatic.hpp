// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATEAUTOMATIC_HPP
#define SPOROS_CORRELATEAUTOMATIC_HPP

/// \file Sporos_CorrelateAutomatic.hpp
/// The choice of `automatic`, with the numbers of Sporos_CorrelateTable.hpp. On
/// hosts it takes the algorithm with the lowest cost in a measured model. On
/// devices it uses measured thresholds for `fft` and for few results, else the
/// fewest instructions in a counted model.

#include <Sporos_Pack.hpp>
#include <cross_correlation/fft/Sporos_CorrelateFft.hpp>
#include <cross_correlation/problem/Sporos_CorrelateSums.hpp>
#include <cross_correlation/choice/Sporos_CorrelateTable.hpp>
#include <cross_correlation/shuffle/Sporos_CorrelateShuffle.hpp>
#include <cross_correlation/tile/Sporos_CorrelateDeviceTiles.hpp>
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

/// The group of `shuffle` on devices, if options leave it open: the largest
/// that does no work twice. \param bytes of a sum
inline ShuffleGroup automatic_group(const CorrelateShape& s, Pairing pairing,
                                    int bytes) {
  const bool many = s.extents.m >= 4;
  const bool both = many && pairing == Pairing::n_to_m && s.extents.n >= 2;
  const bool tall = is_tall(s);
  if (both && tall && bytes <= 8) return {2, 2, 4, 4};
  if (both && s.extents.n >= 4) return {4, 4, 1, 1};
  if (both) return {2, 2, 1, 1};
  if (many && tall) return {1, 2, 4, 4};
  if (many && s.extents.m >= 8) return {1, 8, 1, 1};
  if (many) return {1, 4, 1, 1};
  if (tall) return {1, 1, 4, 8};
  return {1, 1, 1, 1};
}

/// Instructions of warps that `shuffle` takes for a pair.
template <class A>
double shuffle_cost(const CorrelateShape& s, const ShuffleGroup& g) {
  double rows = 0, columns = 0;
  for (int first = 0; first < s.rows(); first += g.right_rows)
    for_each_plane(s, [&](const CorrelateExtents& e, int dy0, int) {
      const int dy = dy0 + first;
      const int h  = Math::min(e.left_h, dy + g.right_rows - 1 + e.right_h) -
                    Math::max(0, dy);
      rows += ceil_div(Math::max(0, h), g.left_rows);
    });
  for (int first = 0; first < s.columns(); first += warp_threads) {
    const int dx = s.shifts.dx0 + first;
    const int w  = Math::min(s.extents.right_w, s.extents.left_w - dx) -
                  Math::max(0, 1 - dx - warp_threads);
    columns += Math::max(0, w);
  }
  const double adds = (is_complex_v<A> ? 4. : 1.) * g.left_matrices *
                      g.right_matrices * g.left_rows * g.right_rows;
  const double exchanges = g.left_matrices * g.left_rows +
                           g.right_matrices * (g.left_rows + g.right_rows - 1.);
  return rows * columns *
         (adds + exchanges * shuffle_exchange_cost * (sizeof(A) / 4.)) /
         (g.left_matrices * g.right_matrices);
}

/// Instructions of warps that lane_group_per_shift takes for a pair.
/// \param overlap elements that a shift meets, in the mean
template <class A>
double per_shift_work(const CorrelateShape& s, double overlap) {
  const double adds = is_complex_v<A> ? 3 : 0;  // more than one
  return double(s.rows()) * s.columns() *
         (per_shift_cost +
          (per_shift_product_cost + adds) * std::ceil(overlap / warp_threads));
}

inline namespace SPOROS_IMPL_FFT_LIBRARIES {

/// \param may_fft whether fft will do
/// \param wide_fft whether transforms are in double
/// \param may_tile devices: whether options are none that tile does not have
template <class Exec, class A>
AutomaticCorrelate automatic_correlate(const CorrelateWork& work,
                                       Pairing pairing, bool may_fft,
                                       bool wide_fft = false,
                                       bool may_tile = true) {
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
    const DeviceTiles tiles = plan_device_tiles<A>(s);
    const double shuffle =
        shuffle_cost<A>(s, automatic_group(s, pairing, int(sizeof(A))));
    const double shift = per_shift_work<A>(s, tiles.overlap);
    why << "modelled instructions of warps per pair: ";
    if (may_tile) why << "tile " << tiles.cost << ", ";
    why << "shuffle " << shuffle << ", lane_group_per_shift " << shift;
    if (may_tile && tiles.cost <= Math::min(shuffle, shift))
      return {CorrelateAlgorithm::tile, why.str()};
    return {shuffle <= shift ? CorrelateAlgorithm::shuffle
                             : CorrelateAlgorithm::lane_group_per_shift,
            why.str()};
  }
}

}  // namespace SPOROS_IMPL_FFT_LIBRARIES

/// Tasks are cut where shifts alone do not fill the machine (the numbers do not
/// depend on the number of threads, and so the results do not).
/// \param lanes that shifts alone give work to
/// \param enough lanes that fill the machine
template <class Exec>
WorkDistribution automatic_distribution(const Exec&, const CorrelateShape& s,
                                        WorkDistribution wanted, double lanes,
                                        double enough) {
  const bool cut = wanted != WorkDistribution::none && !is_host_space_v<Exec> &&
                   lanes < enough && s.extents.right_h > 8;
  return cut ? WorkDistribution::triangle : WorkDistribution::none;
}

/// Rows of an overlap in a task: as many as fill the machine, in steps.
inline int automatic_task_rows(const CorrelateShape& s, double lanes,
                               double enough, int least) {
  constexpr int step = task_rows_step;
  const double rows =
      Math::min(s.extents.left_h, s.extents.right_h) * lanes / enough;
  return Math::max(least, step * int(rows / step + .5));
}

}  // namespace Impl
}  // namespace Sporos

#endif
