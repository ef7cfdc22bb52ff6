// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Benchmark of cross-correlation. Rows:
///
///   <full|window8>/<pairing>/<algorithm or peer>/<float|double>/<n>/<pairs>
///
/// n x n matrices, all shifts or those up to +-8, and a number of pairs in one
/// call. n_to_mn has ten right matrices for each left one (fewer below 100
/// pairs), n_to_m as many of both. Peers:
///
///   plain_rows  the loops of the definition, a thread per pair
///   fftw        measured plans of the fastest good size, transforms reused;
///               padded no further than the shifts need
///   fftw_padded the same padded for all shifts, where not all are wanted
///   fma_limit   multiply-adds in registers: flops is the limit of the machine,
///               items_per_second what it would give
///
/// Each row stands for the median of at least 7 runs (3 where they are very
/// slow); see Bench_Measure.hpp and Bench_Report.hpp. Counters:
/// items_per_second (pairs), flops (a second; 2 for each product of elements
/// that overlap, whatever was computed), min_ms, runs, setup_ms, bytes.
///
///   bench_correlation --check
///   bench_correlation --benchmark_filter='^full/one_to_one/.*/float/64/100$'
///   bench_correlation --benchmark_out=all.json
///
/// perf/plot_correlation.py makes tables and plots of the JSON file.

#include "Bench_Report.hpp"
#include "Correlation_Check.hpp"
#include "Correlation_Work.hpp"

#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace {

using namespace Bench;

template <class T>
void run_row(benchmark::State& state, CorrelationCache& cache,
             const CorrelationConfig& config, const std::string& name) {
  try {
    const CorrelationProblem<T>& p = cache.get<T>(config);
    while (state.KeepRunning()) {
      auto peak       = std::make_unique<AllocationPeak>();
      double flops    = 0;
      const Work work = make_correlation_work(p, name, flops);
      report(state, work, config.pairs * flops / config.flops(),
             std::move(peak));
      state.counters["flops"] =
          flops / double(state.counters.at(median_counter));
    }
  } catch (const std::exception& e) {
    state.SkipWithError(e.what());
  }
}

template <class T>
void add_row(CorrelationCache& cache, const CorrelationConfig& config,
             const std::string& name) {
  if (!feasible(name, config)) return;
  const std::string type =
      std::is_same<T, float>::value ? "/float/" : "/double/";
  const std::string row = window_name(config.window) + '/' +
                          Sporos::Impl::name_of(config.pairing) + '/' + name +
                          type + std::to_string(config.n) + '/' +
                          std::to_string(config.pairs);
  benchmark::RegisterBenchmark(row.c_str(), [&cache, name,
                                             config = work_config(config)](
                                                benchmark::State& state) {
    run_row<T>(state, cache, config, name);
  })->Unit(benchmark::kMillisecond);
}

/// Rows of one configuration follow each other and share its matrices.
template <class T>
void add_rows(CorrelationCache& cache) {
  for (const CorrelationConfig& config : correlation_configs()) {
    for (const auto& choice : correlation_choices())
      add_row<T>(cache, config, choice.name);
    for (const auto& peer : correlation_peers())
      add_row<T>(cache, config, peer);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard guard(argc, argv);
  CorrelationCache cache;
  for (int i = 1; i < argc; ++i)
    if (std::strcmp(argv[i], "--check") == 0)
      return check_correlation_rows(cache);
  add_rows<float>(cache);
  add_rows<double>(cache);
  if (!lists_only(argc, argv)) add_context();
  return run_rows(argc, argv);
}
