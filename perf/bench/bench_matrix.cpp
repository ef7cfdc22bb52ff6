// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Benchmark of matrices that loops assemble, in double precision. Rows:
///
///   <step>/<matrix>/<strategy or peer>/<natural|shuffled>/<tetrahedra>
///   triad
///
/// Steps: sparsity; plan, with the positions of entries; first, an assembly
/// with its plan; assembly, each further one (zeros, loop).
/// Matrices: poisson_p1, linear functions on tetrahedra, a number for each pair
/// of nodes; elasticity_p1, blocks of 3 x 3. Values are computed in the loop.
/// Peers: Matrix_Peers.hpp; PETSc where it was found: Matrix_Petsc.hpp. PETSc
/// runs on one thread: compare with OMP_NUM_THREADS=1.
///
/// Each row stands for the median of at least 3 runs; see Bench_Measure.hpp and
/// Bench_Report.hpp. Counters: items_per_second (tetrahedra), bytes_per_second
/// (MatrixProblem::moved), min_ms, runs, setup_ms, bytes.
///
///   bench_matrix --check
///   bench_matrix --benchmark_filter='^assembly/poisson_p1/'
///   bench_matrix --benchmark_out=all.json

#include "Bench_Report.hpp"
#include "Matrix_Check.hpp"
#include "Matrix_Work.hpp"

#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace Bench;

void add_row(TetrahedronCache& cache, const MatrixRow& row) {
  benchmark::RegisterBenchmark(
      row.name().c_str(),
      [&cache, row = work_row(row)](benchmark::State& state) {
        try {
          while (state.KeepRunning()) {
            cache.mesh(row);  // not part of what is allocated
            auto peak       = std::make_unique<AllocationPeak>();
            const Work work = matrix_work(row, cache);
            report(state, work, row.cells(), std::move(peak));
          }
        } catch (const std::exception& e) {
          state.SkipWithError(e.what());
        }
      })
      ->Unit(benchmark::kMillisecond);
}

/// All ways of a step.
std::vector<std::string> ways(const std::string& step) {
  std::vector<std::string> all;
  for (const NamedStrategy& s : matrix_strategies())
    if (s.strategy != Sporos::LoopStrategy::serial ||
        Sporos::Impl::is_host_space_v<Exec>)
      all.push_back(s.name);
  if (step == "sparsity") all = {"automatic"};
  const bool assembles = step == "assembly";
  if (assembles)
    for (const char* peer : matrix_peers())
      if (peer != std::string("hand_serial") ||
          Sporos::Impl::is_host_space_v<Exec>)
        all.push_back(peer);
#ifdef SPOROS_HAVE_PETSC
  if (assembles) all.push_back("petsc_setvalues");
  if (assembles || step == "sparsity") all.push_back("petsc_coo");
#endif
  return all;
}

void add_all_rows(TetrahedronCache& cache) {
  struct Case {
    const char* matrix;
    int cubes;
  };
  for (const Case& c : {Case{"poisson_p1", 55}, Case{"elasticity_p1", 55},
                        Case{"poisson_p1", 100}})
    for (const char* numbering : {"natural", "shuffled"})
      for (const char* step : {"sparsity", "plan", "first", "assembly"})
        for (const std::string& way : ways(step))
          add_row(cache, {step, c.matrix, way, numbering, c.cubes});
  add_triad();
}

}  // namespace

int main(int argc, char** argv) {
#ifdef SPOROS_HAVE_PETSC
  const PetscJob petsc_job(argc, argv);
#endif
  const Kokkos::ScopeGuard guard(argc, argv);
  TetrahedronCache cache;
  for (int i = 1; i < argc; ++i)
    if (std::strcmp(argv[i], "--check") == 0) return check_matrices();
  add_all_rows(cache);
  if (!lists_only(argc, argv)) add_context();
  return run_rows(argc, argv);
}
