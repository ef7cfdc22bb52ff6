// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_BENCH_CORRELATION_WORK_HPP
#define SPOROS_BENCH_CORRELATION_WORK_HPP

/// \file Correlation_Work.hpp
/// What each row runs: configuration, and algorithm or peer by name.

#include "Correlation_Peers.hpp"
#ifdef SPOROS_HAVE_FFTW
#include "Correlation_Fftw.hpp"
#endif

#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace Bench {

/// A name for options that say how to compute.
struct CorrelationChoice {
  const char* name;
  Sporos::CorrelateAlgorithm algorithm;
  int right_matrices = 0, left_matrices = 0, right_rows = 0, left_rows = 0;
  Sporos::WorkDistribution distribution = Sporos::WorkDistribution::automatic;
  bool staged                           = false;

  Sporos::CorrelateOptions applied(Sporos::CorrelateOptions o) const {
    o.algorithm      = algorithm;
    o.right_matrices = right_matrices;
    o.left_matrices  = left_matrices;
    o.right_rows     = right_rows;
    o.left_rows      = left_rows;
    o.distribution   = distribution;
    o.staged         = staged;
    return o;
  }
};

inline const std::vector<CorrelationChoice>& correlation_choices() {
  using A                                         = Sporos::CorrelateAlgorithm;
  using D                                         = Sporos::WorkDistribution;
  static const std::vector<CorrelationChoice> all = {
      {"automatic", A::automatic},
      {"basic", A::basic},
      {"tile", A::tile},
      {"shuffle", A::shuffle},
      {"shuffle_simple", A::shuffle, 1, 1, 1, 1, D::none},
      {"shuffle_multimat_right", A::shuffle, 4, 1, 1, 1, D::none},
      {"shuffle_multimat_both", A::shuffle, 4, 4, 1, 1, D::none},
      {"shuffle_multirow_right", A::shuffle, 1, 1, 4, 1, D::none},
      {"shuffle_multirow_both", A::shuffle, 1, 1, 4, 4, D::none},
      {"shuffle_multirow_both_multimat_right", A::shuffle, 4, 1, 4, 4, D::none},
      {"shuffle_rectangle", A::shuffle, 0, 0, 0, 0, D::rectangle},
      {"shuffle_triangle", A::shuffle, 0, 0, 0, 0, D::triangle},
      {"lane_group_per_shift", A::lane_group_per_shift},
      {"lane_group_per_shift_staged", A::lane_group_per_shift, 0, 0, 0, 0,
       D::automatic, true},
      {"lane_group_per_shift_triangle", A::lane_group_per_shift, 0, 0, 0, 0,
       D::triangle},
      {"team_per_shift", A::team_per_shift},
      {"fft", A::fft}};
  return all;
}

inline std::vector<std::string> correlation_peers() {
  std::vector<std::string> names = {"plain_rows"};
#ifdef SPOROS_HAVE_FFTW
  names.push_back("fftw");
  names.push_back("fftw_padded");
#endif
  names.push_back("fma_limit");
  return names;
}

/// cross_correlate with a plan of its own for each row, so that set-up and
/// memory are the row's; p must live as long. For float and double
/// (Correlation_Work.cpp: compiled once for all programs that measure it).
template <class T>
Work correlate_work(const CorrelationProblem<T>& p,
                    const Sporos::CorrelateOptions& options);

/// What the row `name` runs on the problem p, which must live as long.
/// \param flops useful ones of a run
template <class T>
Work make_correlation_work(const CorrelationProblem<T>& p,
                           const std::string& name, double& flops) {
  flops = p.config.flops();
  if (name == "plain_rows") return plain_rows_work(p);
  if (name == "fma_limit") return fma_work<T>(flops);
#ifdef SPOROS_HAVE_FFTW
  if (name == "fftw") return fftw_work(p, false);
  if (name == "fftw_padded") return fftw_work(p, true);
#endif
  for (const CorrelationChoice& c : correlation_choices())
    if (name == c.name) return correlate_work(p, c.applied(p.config.options()));
  throw std::invalid_argument("this build has no row " + name);
}

/// On hosts what has no use of vectors would take minutes for large matrices;
/// and no row twice.
inline bool feasible(const std::string& name, const CorrelationConfig& c) {
  if (name == "fftw_padded" && c.window == 0) return false;  // is fftw
  if (!Sporos::Impl::is_host_space_v<Exec>)
    return name != "plain_rows" || c.flops() < 3e10;
  const bool slow = name == "basic" || name == "plain_rows" ||
                    name == "team_per_shift" ||
                    name.rfind("lane_group", 0) == 0;
  return c.flops() < (slow ? 2e10 : 2e12);
}

/// Rows of all, full ones of each pairing first.
inline std::vector<CorrelationConfig> correlation_configs() {
  std::vector<CorrelationConfig> all;
  for (const int window : {0, 8})
    for (const Pairing pairing : {Pairing::one_to_one, Pairing::one_to_many,
                                  Pairing::n_to_mn, Pairing::n_to_m})
      for (const int n : {16, 24, 32, 48, 64, 96, 128, 192, 256, 512}) {
        if (pairing == Pairing::one_to_one)
          all.push_back({window, pairing, n, 1});
        const int pairs = n <= 128 ? 100 : n <= 256 ? 16 : 4;
        all.push_back({window, pairing, n, pairs});
        if (pairing == Pairing::n_to_mn && n <= 64)
          all.push_back({window, pairing, n, 1000});
      }
  return all;
}

}  // namespace Bench

#endif
