// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Benchmark of particle-grid transfer: 3D, periodic, cosine4 (64 grid points a
/// point), points in random order. Rows:
///
///   <spread|interpolate|update>/<algorithm or peer>/<float|double>/
///       <uniform|sphere|clustered>/<cells per side>/<points>
///       update: plan, or all, moved_1_percent, moved_10_percent: how many
///       points change their cells
///   <spread|interpolate>/automatic/<float|double>/<distribution>/128/1000000/
///       <c2|c3|c2_apart|c3_apart|mac|complex>: see ParticleGrid_Vectors.hpp
///   <spread_update|interpolate_update>/<algorithm>/double/uniform/
///       <16|32|64|128>/65536
///   triad
///
/// Each row stands for the median of at least 7 runs (3 where they are very
/// slow); see Bench_Measure.hpp and Bench_Report.hpp. Counters:
/// items_per_second (points), min_ms, runs, setup_ms (making the plan or the
/// matrix), bytes (the plan with its workspaces, duplicates, or the matrix).
///
///   bench_particle_grid --check
///   bench_particle_grid --benchmark_filter='/double/uniform/128/1000000$'
///   bench_particle_grid --benchmark_out=all.json
///
/// perf/plot_particle_grid.py makes tables and plots of the JSON file.

#include "Bench_Report.hpp"
#include "ParticleGrid_Check.hpp"
#include "ParticleGrid_Vectors.hpp"
#include "ParticleGrid_Work.hpp"

#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <type_traits>

namespace {

using namespace Bench;

template <class T>
void run_row(benchmark::State& state, ProblemCache& cache, const Config& config,
             const std::string& operation, const std::string& name) {
  try {
    Problem<T>& p = cache.get<T>(config);
    if (operation.find("update") != std::string::npos) update_target(p, name);
    while (state.KeepRunning()) {
      auto peak       = std::make_unique<AllocationPeak>();
      const Work work = make_work(p, operation, name);
      report(state, work, config.points, std::move(peak));
    }
  } catch (const std::exception& e) {
    state.SkipWithError(e.what());
  }
}

/// One thread of a device would take minutes, matrices would fill the memory.
bool feasible(const std::string& name, const Config& config) {
  if (name == "serial" && !Sporos::Impl::is_host_space_v<Exec>)
    return config.points <= 100000;
  if (name == "replicated") return Sporos::Impl::is_host_space_v<Exec>;
  if (name.rfind("spmv", 0) == 0) return config.points <= 1000000;
  return true;
}

template <class T>
void add_row(ProblemCache& cache, const Config& config,
             const std::string& operation, const std::string& name) {
  if (!feasible(name, config)) return;
  const std::string type =
      std::is_same<T, float>::value ? "/float/" : "/double/";
  const std::string row = operation + '/' + name + type + config.name();
  benchmark::RegisterBenchmark(row.c_str(), [&cache, operation, name,
                                             config = work_config(config)](
                                                benchmark::State& state) {
    run_row<T>(state, cache, config, operation, name);
  })->Unit(benchmark::kMillisecond);
}

template <class T>
void add_vector_rows(ProblemCache& cache, const Config& config) {
  const char* type = std::is_same<T, float>::value ? "/float/" : "/double/";
  for (const std::string operation : {"spread", "interpolate"})
    for (const std::string& name : vector_names()) {
      const std::string row =
          operation + "/automatic" + type + config.name() + '/' + name;
      benchmark::RegisterBenchmark(row.c_str(), [&cache, operation, name,
                                                 config = work_config(config)](
                                                    benchmark::State& state) {
        Problem<T>& p = cache.get<T>(config);
        while (state.KeepRunning()) {
          auto peak       = std::make_unique<AllocationPeak>();
          const Work work = make_vector_work(p, operation, name);
          report(state, work, config.points, std::move(peak));
        }
      })->Unit(benchmark::kMillisecond);
    }
}

/// Rows of one configuration follow each other, so that they find points and
/// matrices in the cache.
void add_rows(ProblemCache& cache) {
  for (const Distribution d : distributions)
    for (const int points : {100000, 1000000, 4000000})
      for (const int cells : {64, 128, 256}) {
        const Config config{d, cells, points};
        for (const char* operation : {"spread", "interpolate", "update"})
          for (const std::string& name : row_names(operation))
            add_row<double>(cache, config, operation, name);
        for (const char* operation : {"spread", "interpolate", "update"})
          for (const std::string& name : row_names(operation))
            add_row<float>(cache, config, operation, name);
        if (cells == 128 && points == 1000000) {
          add_vector_rows<double>(cache, config);
          add_vector_rows<float>(cache, config);
        }
      }
  for (const int cells : {16, 32, 64, 128})
    for (const char* operation : {"spread_update", "interpolate_update"})
      for (const std::string& name : row_names(operation))
        add_row<double>(cache, {Distribution::uniform, cells, 65536}, operation,
                        name);
  add_triad();
}

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard guard(argc, argv);
  ProblemCache cache;
  for (int i = 1; i < argc; ++i)
    if (std::strcmp(argv[i], "--check") == 0) return check_rows(cache);
  add_rows(cache);
  if (!lists_only(argc, argv)) add_context();
  return run_rows(argc, argv);
}
