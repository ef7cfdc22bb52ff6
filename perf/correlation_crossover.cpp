// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Measures the numbers behind CorrelateAlgorithm::automatic and writes them as
/// algorithms/src/cross_correlation/choice/Sporos_CorrelateTable.hpp:
///
///   correlation_crossover --output .../Sporos_CorrelateTable.hpp
///
/// Hosts: times of the register tiles and of FFTs over a grid of sizes, shifts
/// and pairings are fitted by the models of Sporos_CorrelateAutomatic.hpp, then
/// moved against each other so that the worst choice costs least. What is left
/// of that cost is printed, case by case with --verbose. Devices: single pairs
/// and batches of pairs are measured with both algorithms between which a
/// threshold chooses, and the threshold is where wrong choices cost least.
/// Numbers of what this build does not measure stay as they are. Takes some
/// minutes on an idle machine.

#include "bench/Correlation_Work.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace {

using namespace Bench;
using Algorithm = Sporos::CorrelateAlgorithm;
using Sporos::Impl::DeviceTable;
using Sporos::Impl::HostCosts;
using Sporos::Impl::HostTable;

/// Fastest of some runs: what others do on the machine only adds. Microseconds
/// of one thread per pair.
template <class T>
double pair_time(const CorrelationProblem<T>& p,
                 const Sporos::CorrelateOptions& options) {
  const Work work = correlate_work(p, options);
  work.run();
  double best = 0, total = 0;
  for (int k = 0; k < 3 || (total < 0.03 && k < 30); ++k) {
    const Timer timer;
    work.run();
    const double t = timer.seconds();
    total += t;
    if (k == 0 || t < best) best = t;
  }
  const int threads =
      Sporos::Impl::is_host_space_v<Exec> ? Exec().concurrency() : 1;
  return 1e6 * best * threads / p.config.pairs;
}

template <class T>
double pair_time(const CorrelationProblem<T>& p, Algorithm algorithm) {
  auto options      = p.config.options();
  options.algorithm = algorithm;
  return pair_time(p, options);
}

// ---------------------------------------------------------------------------
// Hosts

/// What automatic chooses from.
constexpr std::array<Algorithm, 3> host_algorithms = {
    Algorithm::tile, Algorithm::lane_group_per_shift, Algorithm::fft};

/// One case: what each algorithm costs by its model, and what was measured.
struct Case {
  CorrelationConfig config;
  std::array<double, 3> model, measured;
};

std::vector<CorrelationConfig> host_configs() {
  std::vector<CorrelationConfig> all;
  for (const Pairing pairing : {Pairing::one_to_one, Pairing::one_to_many,
                                Pairing::n_to_mn, Pairing::n_to_m})
    for (const int window : {0, 2, 4, 8, 16})
      for (const int n : {12, 16, 20, 24, 32, 48, 64, 96, 128, 256})
        if (window < n && (window > 0 || n <= 128))
          all.push_back({window, pairing, n, n <= 64 ? 100 : 36});
  return all;
}

/// The list is gone through several times, so that nothing that disturbs for a
/// while spoils a case.
template <class T>
std::vector<Case> measured_cases() {
  using namespace Sporos::Impl;
  const auto configs = host_configs();
  std::vector<Case> cases;
  for (int round = 0; round < 4; ++round) {
    for (std::size_t k = 0; k < configs.size(); ++k) {
      const CorrelationProblem<T> p(configs[k]);
      const CorrelateShape shape{p.extents, configs[k].shifts()};
      if (round == 0)
        cases.push_back({configs[k],
                         {plan_tiles<T>(shape, TileKind::slide).cost,
                          plan_tiles<T>(shape, TileKind::dot).cost,
                          fft_work(shape, configs[k].pairing, true, sizeof(T))},
                         {}});
      for (std::size_t a = 0; a < host_algorithms.size(); ++a) {
        const double t = pair_time(p, host_algorithms[a]);
        double& best   = cases[k].measured[a];
        best           = round == 0 ? t : std::min(best, t);
      }
    }
    std::fprintf(stderr, ".");
  }
  std::fprintf(stderr, "\n");
  return cases;
}

/// Model a for measured = start + factor * model: the median of the logarithms
/// of the ratio, and the start that brings them closest to it.
struct Fit {
  double factor, start;
};

Fit fit(const std::vector<Case>& cases, std::size_t a, bool with_start) {
  Fit best{1, 0};
  double least = 0;
  for (int k = 0; k <= (with_start ? 60 : 0); ++k) {
    // start in units of factor
    const double start = k == 0 ? 0 : std::pow(10., k / 10.);
    std::vector<double> ratios;
    for (const Case& c : cases)
      ratios.push_back(std::log(c.measured[a] / (start + c.model[a])));
    const double middle = median(ratios);
    double deviation    = 0;
    for (const double r : ratios) deviation += std::fabs(r - middle);
    if (k > 0 && deviation >= least) continue;
    least = deviation;
    best  = {std::exp(middle), start * std::exp(middle)};
  }
  return best;
}

/// Time of what the table chooses over the time of the fastest.
double regret(const Case& c, const HostCosts& t) {
  const std::array<double, 3> modelled = {t.tile * c.model[0],
                                          t.dot * c.model[1],
                                          t.fft_start + t.fft * c.model[2]};
  const auto chosen =
      std::min_element(modelled.begin(), modelled.end()) - modelled.begin();
  return c.measured[std::size_t(chosen)] /
         *std::min_element(c.measured.begin(), c.measured.end());
}

/// The worst of 99 %, and the mean of squares.
double badness(const std::vector<Case>& cases, const HostCosts& t) {
  std::vector<double> over;
  double squares = 0;
  for (const Case& c : cases) {
    over.push_back(std::min(1., regret(c, t) - 1));
    squares += over.back() * over.back() / double(cases.size());
  }
  std::sort(over.begin(), over.end());
  return over[(over.size() - 1) * 99 / 100] + squares;
}

HostCosts tuned(const std::vector<Case>& cases) {
  const Fit tile = fit(cases, 0, false), dot = fit(cases, 1, false);
  const Fit fft          = fit(cases, 2, true);
  HostCosts best         = {tile.factor, dot.factor, fft.factor, fft.start};
  double least           = badness(cases, best);
  const auto scale       = [](int k) { return std::pow(1.02, k); };
  const HostCosts fitted = best;
  for (int i = -20; i <= 20; ++i)
    for (int j = -20; j <= 20; ++j)
      for (int k = 0; k <= 20; k += 4) {
        const HostCosts t = {fitted.tile, fitted.dot * scale(i),
                             fitted.fft * scale(j), fitted.fft_start * k / 10.};
        const double b    = badness(cases, t);
        if (b < least) {
          least = b;
          best  = t;
        }
      }
  return best;
}

template <class T>
HostCosts measured_host_costs(const char* type, bool verbose) {
  const auto cases  = measured_cases<T>();
  const HostCosts t = tuned(cases);
  double worst = 1, sum = 0;
  for (const Case& c : cases) {
    const double r = regret(c, t);
    worst          = std::max(worst, r);
    sum += r / double(cases.size());
    if (verbose)
      std::fprintf(stderr,
                   "%s %-8s %-11s %4d: tile %10.2f, dot %10.2f, fft %10.2f us; "
                   "chosen / best %.3f\n",
                   type, window_name(c.config.window).c_str(),
                   Sporos::Impl::name_of(c.config.pairing), c.config.n,
                   c.measured[0], c.measured[1], c.measured[2], r);
  }
  std::fprintf(stderr, "%s: chosen / best %.3f in the mean, %.3f at worst\n",
               type, sum, worst);
  return t;
}

// ---------------------------------------------------------------------------
// Devices

/// A case between two algorithms: one is chosen below a threshold for `size`,
/// the other from there on; times of both.
struct Duel {
  double size, below, above;
};

/// The threshold for which the time of what is chosen, over that of what is
/// faster, is least in the geometric mean.
double threshold(std::vector<Duel> duels, const char* name, bool verbose) {
  std::sort(duels.begin(), duels.end(),
            [](const Duel& a, const Duel& b) { return a.size < b.size; });
  // loss if all are above, less what each case below saves
  double loss = 0;
  for (const Duel& d : duels)
    loss += std::log(d.above / std::min(d.above, d.below));
  double least = loss, at = duels.front().size;
  for (std::size_t k = 0; k < duels.size(); ++k) {
    loss += std::log(duels[k].below / duels[k].above);
    const bool last = k + 1 == duels.size();
    if (!last && duels[k + 1].size == duels[k].size) continue;
    if (loss >= least) continue;
    least = loss;
    at =
        last ? 2 * duels[k].size : std::sqrt(duels[k].size * duels[k + 1].size);
  }
  if (verbose)
    for (const Duel& d : duels)
      std::fprintf(stderr, "%s %12.0f: below %10.2f, above %10.2f us a pair\n",
                   name, d.size, d.below, d.above);
  std::fprintf(stderr, "%s: %.0f, chosen / best %.3f in the mean\n", name, at,
               std::exp(least / double(duels.size())));
  return at;
}

/// Numbers of pairs in a call: a device is filled by many small ones only.
constexpr std::array<int, 4> device_batches = {1, 10, 100, 1000};
/// Matrices of a call take no more, in elements.
constexpr double device_elements = 4e7;

[[maybe_unused]] DeviceTable measured_device_table(DeviceTable t,
                                                   bool verbose) {
  using T         = float;
  using D         = Sporos::WorkDistribution;
  const auto time = [](const CorrelationProblem<T>& p, Algorithm a, D d) {
    auto o         = p.config.options();
    o.algorithm    = a;
    o.distribution = d;
    return pair_time(p, o);
  };
  // of n x n matrices, each pair of its own, with both ways to compute them
  const auto duels = [&](int n, const std::vector<int>& windows, auto below,
                         auto above, auto size) {
    std::vector<Duel> all;
    for (const int pairs : device_batches)
      for (const int window : windows) {
        if (2. * n * n * pairs > device_elements) continue;
        const CorrelationProblem<T> p({window, Pairing::one_to_one, n, pairs});
        all.push_back({size(p.config), below(p), above(p)});
      }
    return all;
  };
  const auto shifts = [](const CorrelationConfig& c) {
    return double(c.shifts().rows()) * c.shifts().columns() * c.pairs;
  };
  // that shifts give work to, in the groups that `automatic` takes
  const auto lanes = [&](const CorrelationConfig& c) {
    const Sporos::Impl::CorrelateShape s{c.extents(), c.shifts()};
    Sporos::CorrelateOptions o;
    Sporos::Impl::automatic_group(s, o, int(sizeof(T)));
    return shifts(c) / (o.left_matrices * o.right_matrices * o.right_rows);
  };
  const auto by = [&](Algorithm a, D d) {
    return [=](const CorrelationProblem<T>& p) { return time(p, a, d); };
  };
  if (Sporos::Impl::has_correlate_fft<Exec>) {
    std::vector<Duel> all;
    for (const int n : {32, 48, 64, 96, 128, 192, 256})
      for (const Duel& d : duels(n, {0}, by(Algorithm::shuffle, D::automatic),
                                 by(Algorithm::fft, D::automatic),
                                 [&](const CorrelationConfig& c) {
                                   return shifts(c) * c.n * c.n;
                                 }))
        all.push_back(d);
    t.fft_from = threshold(all, "fft_from", verbose);
  }
  t.few_shifts =
      threshold(duels(64, {1, 2, 4, 8, 16, 32, 48},
                      by(Algorithm::lane_group_per_shift, D::automatic),
                      by(Algorithm::shuffle, D::automatic), shifts),
                "few_shifts", verbose);
  t.split_lanes = threshold(
      duels(96, {4, 8, 16, 32, 64, 0}, by(Algorithm::shuffle, D::triangle),
            by(Algorithm::shuffle, D::none), lanes),
      "split_lanes", verbose);
  return t;
}

// ---------------------------------------------------------------------------
// The file

std::string numbers(const HostCosts& t) {
  char text[160];
  std::snprintf(text, sizeof text, "{%.3ge-3, %.3ge-3, %.3ge-3, %.3g}",
                1e3 * t.tile, 1e3 * t.dot, 1e3 * t.fft, t.fft_start);
  return text;
}

std::string numbers(const HostTable& t) {
  return "{\n    " + numbers(t.single_precision) + ", " +
         numbers(t.double_precision) + "}";
}

std::string numbers(const DeviceTable& t) {
  char text[160];
  std::snprintf(text, sizeof text, "{%.2e, %.0f., %.0f.}", t.fft_from,
                t.few_shifts, t.split_lanes);
  return text;
}

void write(std::ostream& out, const HostTable& whole, const HostTable& halves,
           const DeviceTable& device) {
  out << R"(// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATETABLE_HPP
#define SPOROS_CORRELATETABLE_HPP

/// \file Sporos_CorrelateTable.hpp
/// The numbers behind CorrelateAlgorithm::automatic. The program
/// correlation_crossover writes this file.

#include <cross_correlation/problem/Sporos_CorrelateConstants.hpp>

namespace Sporos {
namespace Impl {

/// Processors that compute a SIMD register at once; measured.
inline constexpr HostTable host_table_whole)"
      << numbers(whole) << R"(;
/// Processors that compute it in two halves; measured.
inline constexpr HostTable host_table_halves)"
      << numbers(halves) << R"(;
/// Devices; measured (in the repository: on an H100).
inline constexpr DeviceTable device_table)"
      << numbers(device) << R"(;

}  // namespace Impl
}  // namespace Sporos

#endif
)";
}

int run(const std::string& output, bool verbose) {
  HostTable whole    = Sporos::Impl::host_table_whole;
  HostTable halves   = Sporos::Impl::host_table_halves;
  DeviceTable device = Sporos::Impl::device_table;
  if constexpr (Sporos::Impl::is_host_space_v<Exec>) {
    if (!Sporos::Impl::has_correlate_fft<Exec>) {
      std::cerr << "correlation_crossover: this build has no FFTW\n";
      return 2;
    }
    (Sporos::simd_halves ? halves : whole) = {
        measured_host_costs<float>("float", verbose),
        measured_host_costs<double>("double", verbose)};
  } else {
    device = measured_device_table(device, verbose);
  }
  if (output.empty()) {
    write(std::cout, whole, halves, device);
    return 0;
  }
  std::ofstream file(output);
  write(file, whole, halves, device);
  file.close();
  if (!file) std::cerr << "cannot write " << output << '\n';
  return file ? 0 : 2;
}

}  // namespace

int main(int argc, char** argv) {
  std::string output;
  bool verbose = false;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--output" && i + 1 < argc) {
      output = argv[++i];
    } else if (word == "--verbose") {
      verbose = true;
    } else if (word.rfind("--kokkos-", 0) != 0) {
      std::cerr << "usage: correlation_crossover [--output FILE] [--verbose]\n";
      return word == "--help" ? 0 : 2;
    }
  }
  try {
    const Kokkos::ScopeGuard guard(argc, argv);
    return run(output, verbose);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
