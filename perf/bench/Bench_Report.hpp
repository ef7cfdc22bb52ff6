// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_BENCH_REPORT_HPP
#define SPOROS_BENCH_REPORT_HPP

/// \file Bench_Report.hpp
/// Google Benchmark as the frame of rows that measure themselves.
///
/// Google Benchmark averages over iterations, and every way to make it take a
/// median, or a time that is handed to it, also adds to the name of the row.
/// Here a row is ONE iteration that takes the median of its own runs. It hands
/// it over in the counters below, and the reporters put it where the time of
/// the row stands: `real_time` is the median, `cpu_time` the median of the
/// processor time of all threads, `items_per_second` items over the median.

#include "Bench_Measure.hpp"

#include <benchmark/benchmark.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace Bench {

constexpr const char* median_counter    = "median_s";
constexpr const char* processor_counter = "processor_s";

/// Measures work and fills the row's counters.
/// \param items what items_per_second counts
/// \param peak counts allocations since before the set-up of work
inline void report(benchmark::State& state, const Work& work, double items,
                   std::unique_ptr<AllocationPeak> peak) {
  if (work.before) work.before();
  work.run();  // warm-up
  const double bytes = double(work.bytes > 0 ? work.bytes : peak->bytes());
  peak.reset();  // no callbacks while the clock runs
  const Timing t                    = measure(work);
  state.counters[median_counter]    = t.median;
  state.counters[processor_counter] = t.processor;
  state.counters["min_ms"]          = 1e3 * t.minimum;
  state.counters["low_ms"]          = 1e3 * t.low;
  state.counters["high_ms"]         = 1e3 * t.high;
  state.counters["runs"]            = t.runs;
  state.counters["setup_ms"]        = work.setup_ms;
  state.counters["bytes"]           = bytes;
  if (items > 0) state.counters["items_per_second"] = items / t.median;
  if (work.moved > 0)
    state.counters["bytes_per_second"] = double(work.moved) / t.median;
}

template <class Base>
class MedianReporter : public Base {
 public:
  using Base::Base;
  using Run = benchmark::BenchmarkReporter::Run;

  void ReportRuns(const std::vector<Run>& runs) override {
    std::vector<Run> medians = runs;
    for (Run& run : medians) {
      const auto wall      = run.counters.find(median_counter);
      const auto processor = run.counters.find(processor_counter);
      if (wall == run.counters.end() || processor == run.counters.end())
        continue;
      const double iterations   = double(run.iterations);
      run.real_accumulated_time = wall->second.value * iterations;
      run.cpu_accumulated_time  = processor->second.value * iterations;
      run.counters.erase(median_counter);
      run.counters.erase(processor_counter);
    }
    Base::ReportRuns(medians);
  }
};

inline bool starts_with(const char* text, const char* prefix) {
  return std::strncmp(text, prefix, std::strlen(prefix)) == 0;
}

/// Is the benchmark only asked what it can do?
inline bool lists_only(int argc, char** argv) {
  for (int i = 1; i < argc; ++i)
    if (starts_with(argv[i], "--benchmark_list_tests") ||
        std::strcmp(argv[i], "--help") == 0)
      return true;
  return false;
}

/// The row `triad`: the limit of loops that are bound by memory.
inline void add_triad() {
  benchmark::RegisterBenchmark("triad", [](benchmark::State& state) {
    while (state.KeepRunning())
      report(state, triad_work(), 0, std::make_unique<AllocationPeak>());
  })->Unit(benchmark::kMillisecond);
}

/// Runs the rows that the command line selects. Formats: console (in
/// colours if --benchmark_color=true) and JSON.
/// \return what main returns
inline int run_rows(int argc, char** argv) {
  static char one_iteration[] = "--benchmark_min_time=0";
  bool json = false, color = false, to_file = false;
  std::vector<char*> arguments(argv, argv + argc);
  for (const char* a : arguments) {
    json    = json || std::strcmp(a, "--benchmark_format=json") == 0;
    color   = color || std::strcmp(a, "--benchmark_color=true") == 0;
    to_file = to_file || starts_with(a, "--benchmark_out=");
  }
  arguments.insert(arguments.begin() + 1, one_iteration);
  int count = int(arguments.size());
  arguments.push_back(nullptr);
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 1;
  std::unique_ptr<benchmark::BenchmarkReporter> display, file;
  if (json)
    display = std::make_unique<MedianReporter<benchmark::JSONReporter>>();
  else
    display = std::make_unique<MedianReporter<benchmark::ConsoleReporter>>(
        color ? benchmark::ConsoleReporter::OO_ColorTabular
              : benchmark::ConsoleReporter::OO_Tabular);
  if (to_file)
    file = std::make_unique<MedianReporter<benchmark::JSONReporter>>();
  benchmark::RunSpecifiedBenchmarks(display.get(), file.get());
  benchmark::Shutdown();
  return 0;
}

/// The instruction set that the benchmark was compiled for.
inline const char* instruction_set() {
#if defined(__AVX512F__)
  return "AVX-512";
#elif defined(__AVX2__)
  return "AVX2";
#elif defined(__AVX__)
  return "AVX";
#elif defined(__SSE2__)
  return "SSE2";
#elif defined(__ARM_FEATURE_SVE)
  return "SVE";
#elif defined(__ARM_NEON)
  return "NEON";
#else
  return "unknown";
#endif
}

/// What a reader of the figures must know; measures the triad.
inline void add_context() {
  benchmark::AddCustomContext("execution_space", Exec::name());
  benchmark::AddCustomContext("threads", std::to_string(Exec().concurrency()));
  benchmark::AddCustomContext("instruction_set", instruction_set());
  if (tiny()) benchmark::AddCustomContext("tiny", "yes");
  benchmark::AddCustomContext("kokkos_version", std::to_string(KOKKOS_VERSION));
#if defined(__VERSION__)
  benchmark::AddCustomContext("compiler", __VERSION__);
#endif
  const Work triad = triad_work();
  triad.run();
  const double rate = double(triad.moved) / measure(triad).median;
  benchmark::AddCustomContext("triad_GB_per_s", std::to_string(1e-9 * rate));
}

}  // namespace Bench

#endif
