// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATECHOICE_HPP
#define SPOROS_CORRELATECHOICE_HPP

/// \file Sporos_CorrelateChoice.hpp
/// From options to an algorithm and its parameters.

#include <Sporos_Environment.hpp>
#include <cross_correlation/choice/Sporos_CorrelateAutomatic.hpp>
#include <cross_correlation/problem/Sporos_CorrelateChecks.hpp>
#include <cross_correlation/shuffle/Sporos_CorrelatePerShift.hpp>
#include <cross_correlation/shuffle/Sporos_CorrelateShuffle.hpp>
#include <cross_correlation/tile/Sporos_CorrelateDeviceTiles.hpp>
#include <cross_correlation/tile/Sporos_CorrelateTilePlan.hpp>

#include <sstream>
#include <string>

namespace Sporos {
namespace Impl {

/// An algorithm and its parameters, none of them automatic.
struct CorrelateChoice {
  CorrelateAlgorithm algorithm  = CorrelateAlgorithm::basic;
  int group                     = 0;  ///< index into shuffle_groups
  WorkDistribution distribution = WorkDistribution::none;
  int task_rows                 = 0;
  int staged                    = 0;  ///< rows in scratch
  /// lane_group_per_shift as a register tile of hosts
  bool dot = false;
  TilePlan tiles;
  DeviceTiles device_tiles;
  /// fft, after which pairs of a wide range are summed by the definition
  bool may_be_wide = false;
  bool whiten      = false;
  std::string reason;

  /// on hosts
  bool uses_tiles() const {
    return (algorithm == CorrelateAlgorithm::tile && !device_tiles.used()) ||
           dot;
  }
  bool uses_tasks() const {
    return algorithm == CorrelateAlgorithm::shuffle || device_tiles.used() ||
           (algorithm == CorrelateAlgorithm::lane_group_per_shift && !dot);
  }
  std::string text() const;
};

/// The algorithm that the environment names, else `automatic`.
inline CorrelateAlgorithm correlate_of_environment() {
  return environment_choice("SPOROS_CORRELATE", CorrelateAlgorithm::automatic);
}

inline std::string CorrelateChoice::text() const {
  std::ostringstream out;
  out << name_of(algorithm);
  if (uses_tiles())
    out << " (" << tiles.rows << " rows x " << tiles.width
        << (dot ? " columns of shifts" : " vectors of shifts") << ", "
        << tiles.lanes << " lanes)";
  if (device_tiles.used())
    out << " (" << device_tiles.tile().rows << " x "
        << device_tiles.tile().columns << " shifts of "
        << device_tiles.tile().lanes() << " lanes, " << device_tiles.rows
        << " x " << device_tiles.columns << " tiles of a team)";
  if (algorithm == CorrelateAlgorithm::shuffle) {
    const ShuffleGroup& g = shuffle_groups[group];
    out << " (" << g.left_matrices << " left x " << g.right_matrices
        << " right matrices, " << g.left_rows << " left x " << g.right_rows
        << " right rows)";
  }
  if (staged > 0) out << ", " << staged << " rows staged";
  if (distribution != WorkDistribution::none)
    out << ", "
        << (distribution == WorkDistribution::triangle ? "triangle"
                                                       : "rectangle")
        << " of tasks of " << task_rows << " rows";
  if (may_be_wide) out << ", pairs of a wide range by the definition";
  if (whiten) out << ", whitened";
  if (!reason.empty()) out << ": " << reason;
  return out.str();
}

inline bool is_distributed(const CorrelateOptions& o) {
  return o.distribution == WorkDistribution::rectangle ||
         o.distribution == WorkDistribution::triangle;
}

/// Throws for options of rows: a signal has one, and those of volumes are cut
/// by planes.
inline void check_operand_options(const char* name, const CorrelateOptions& o) {
  if (o.operand == CorrelateOperand::matrix) return;
  check(!is_distributed(o), name, "options.distribution",
        "automatic or none unless options.operand is matrix",
        name_of(o.distribution));
  if (o.operand != CorrelateOperand::signal) return;
  const auto one_row = [&](const char* option, int rows) {
    check(rows == 0 || rows == 1, name, option,
          "0 or 1 with options.operand signal", rows);
  };
  one_row("options.left_rows", o.left_rows);
  one_row("options.right_rows", o.right_rows);
}

/// The first group that fits the options. Left matrices can be grouped only if
/// all are paired with the same right ones.
inline int choose_group(const CorrelateOptions& o, int bytes) {
  const auto fits = [](int wanted, int has) {
    return wanted == 0 || wanted == has;
  };
  for (int k = 0; k < shuffle_group_count; ++k) {
    const ShuffleGroup& g = shuffle_groups[k];
    if (fits(o.left_matrices, g.left_matrices) &&
        fits(o.right_matrices, g.right_matrices) &&
        fits(o.left_rows, g.left_rows) && fits(o.right_rows, g.right_rows) &&
        fits_registers(g, bytes) &&
        (g.left_matrices == 1 || o.pairing == Pairing::n_to_m))
      return k;
  }
  check(false, "Sporos::CrossCorrelatePlan",
        "options.left_matrices, right_matrices, left_rows, right_rows",
        "0, or a combination of Sporos_CorrelateShuffle.hpp (left matrices "
        "for n_to_m only, the largest not for sums of 16 bytes)",
        text(o.left_matrices, ", ", o.right_matrices, ", ", o.left_rows, ", ",
             o.right_rows, " for pairing ", name_of(o.pairing)));
  return 0;
}

/// Do options name a group?
inline bool is_grouped(const CorrelateOptions& o) {
  return o.left_matrices != 0 || o.right_matrices != 0 || o.left_rows != 0 ||
         o.right_rows != 0;
}

/// Groups for options that leave them open (devices).
inline void automatic_group(const CorrelateShape& s, CorrelateOptions& o,
                            int bytes) {
  if (is_grouped(o)) return;
  const ShuffleGroup g = automatic_group(s, o.pairing, bytes);
  o.left_matrices      = g.left_matrices;
  o.right_matrices     = g.right_matrices;
  o.left_rows          = g.left_rows;
  o.right_rows         = g.right_rows;
}

inline namespace SPOROS_IMPL_FFT_LIBRARIES {

/// Throws for options that the algorithm does not have.
/// \param chosen follows the name of the algorithm in the text
template <class Exec>
void check_algorithm_options(const char* name, const CorrelateOptions& o,
                             const char* chosen) {
  using Algorithm     = CorrelateAlgorithm;
  const Algorithm a   = o.algorithm;
  const auto of_group = [&](const char* option, int value) {
    check(value == 0 || a == Algorithm::shuffle, name, option,
          "0 for all algorithms but shuffle", value, " for ", name_of(a),
          chosen);
  };
  of_group("options.left_matrices", o.left_matrices);
  of_group("options.right_matrices", o.right_matrices);
  of_group("options.left_rows", o.left_rows);
  of_group("options.right_rows", o.right_rows);
  check(!is_distributed(o) || a == Algorithm::shuffle ||
            a == Algorithm::lane_group_per_shift,
        name, "options.distribution",
        "none for all algorithms but shuffle and lane_group_per_shift",
        "one for ", name_of(a), chosen);
  check(!o.staged || a == Algorithm::lane_group_per_shift, name,
        "options.staged", "false for all algorithms but lane_group_per_shift",
        "true for ", name_of(a), chosen);
  check(!o.whiten || a == Algorithm::fft, name, "options.whiten",
        "false for all algorithms but fft (take fft or automatic): only it has "
        "spectra",
        "true for ", name_of(a), chosen);
  check(a != Algorithm::fft || o.exactness != CorrelateExactness::by_definition,
        name, "options.exactness",
        "by_range or relative_to_norms for algorithm fft", "by_definition",
        chosen);
  check(a != Algorithm::fft || has_correlate_fft<Exec>, name,
        "options.algorithm",
        "automatic, or fft in a program linked with Sporos::fftw, "
        "Sporos::cufft (CUDA) or Sporos::hipfft (HIP)",
        "fft");
}

/// Are pairs of a wide range summed by the definition?
inline bool is_by_range(const CorrelateShape& s, const CorrelateOptions& o) {
  return o.exactness == CorrelateExactness::by_range &&
         o.normalize == Normalize::none &&
         double(s.planes()) * s.rows() * s.columns() *
                 double(most_terms_of_all(s.extents)) <=
             most_by_definition;
}

template <class Exec, class A>
CorrelateChoice choose_correlate(const Exec& exec, const CorrelateWork& work,
                                 const CorrelateOptions& options) {
  const CorrelateShape& s = work.matrices;
  const char* const name  = "Sporos::CrossCorrelatePlan";
  using Algorithm         = CorrelateAlgorithm;
  constexpr bool host     = is_host_space_v<Exec>;
  CorrelateOptions o      = options;
  CorrelateChoice c;
  const bool distributed = is_distributed(o);
  check_operand_options(name, o);
  check(o.rows_per_task >= 0, name, "options.rows_per_task", "0 or more",
        o.rows_per_task);
  check(o.rows_per_task == 0 || distributed, name, "options.rows_per_task",
        "0 unless options.distribution is rectangle or triangle",
        o.rows_per_task);
  if (s.empty()) {
    if (o.algorithm != Algorithm::automatic)
      check_algorithm_options<Exec>(name, o, "");
    c.reason = "there is nothing to do";
    return c;
  }
  const char* chosen   = "";  // by whom
  const auto automatic = [&](CorrelateAlgorithm a, const std::string& reason) {
    o.algorithm = a;
    c.reason    = reason;
    c.may_be_wide =
        a == Algorithm::fft && !o.whiten && is_by_range(work.all, options);
  };
  if (o.algorithm == Algorithm::automatic &&
      o.selected != Algorithm::automatic) {
    automatic(o.selected, "by options.selected");
    chosen = ", by options.selected";
  }
  if (o.algorithm == Algorithm::automatic && o.whiten) {
    o.algorithm = Algorithm::fft;
    c.reason    = "options.whiten";
    chosen      = ", which options.whiten needs";
  }
  if (o.algorithm == Algorithm::automatic) {
    o.algorithm = correlate_of_environment();
    c.reason    = "by SPOROS_CORRELATE in the environment";
    chosen      = ", by SPOROS_CORRELATE in the environment";
  }
  if (o.algorithm == Algorithm::automatic) {
    const AutomaticCorrelate a = automatic_correlate<Exec, A>(
        work, options.pairing,
        options.exactness != CorrelateExactness::by_definition,
        is_local(options.normalize), !is_grouped(o) && !distributed);
    automatic(a.algorithm, a.reason);
    chosen = ", which automatic chose";
  }
  check_algorithm_options<Exec>(name, o, chosen);
  c.algorithm = o.algorithm;
  c.whiten    = o.whiten;
  if (c.algorithm == Algorithm::shuffle) {
    if (!host) automatic_group(s, o, int(sizeof(A)));
    c.group = choose_group(o, int(sizeof(A)));
  }
  if (o.staged) {
    c.staged = staged_rows(s.extents, sizeof(A));
    check(c.staged > 0, name, "options.staged",
          "false for rows that do not fit into 16 KiB",
          text(s.extents.left_w, " and ", s.extents.right_w, " columns"));
  }
  c.dot = host && c.algorithm == Algorithm::lane_group_per_shift &&
          c.staged == 0 && !distributed;
  if constexpr (!host)
    if (c.algorithm == Algorithm::tile)
      c.device_tiles = plan_device_tiles<A>(s);
  if (c.uses_tasks()) {
    const ShuffleGroup& g = shuffle_groups[c.group];
    const bool tile       = c.device_tiles.used();
    const double lanes =
        tile ? double(s.pairs()) * c.device_tiles.tiles(s) * warp_threads
        : c.algorithm == Algorithm::shuffle
            ? double(s.results()) /
                  (g.left_matrices * g.right_matrices * g.right_rows)
            : double(s.results()) * LaneGroup<lane_space<Exec>, A>::width;
    const double enough = tile ? tile_split_lanes : device_table.split_lanes;
    const int least     = tile ? least_tile_task_rows : task_rows_step;
    c.distribution      = distributed ? o.distribution
                          : o.operand != CorrelateOperand::matrix
                              ? WorkDistribution::none
                              : automatic_distribution<Exec>(exec, s, o.distribution,
                                                        lanes, enough);
    if (c.distribution != WorkDistribution::none)
      // all rows of left at most: then first row + rows_per_task is an int
      c.task_rows =
          o.rows_per_task > 0 ? Math::min(o.rows_per_task, s.extents.left_h)
          : distributed       ? task_rows_asked
                              : automatic_task_rows(s, lanes, enough, least);
  }
  if constexpr (host)
    if (c.uses_tiles())
      c.tiles =
          plan_tiles<real_of<A>>(s, c.dot ? TileKind::dot : TileKind::slide);
  return c;
}

}  // namespace SPOROS_IMPL_FFT_LIBRARIES
}  // namespace Impl
}  // namespace Sporos

#endif
