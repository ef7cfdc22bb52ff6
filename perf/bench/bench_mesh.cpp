// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Benchmark of mesh loops in double precision. Rows:
///
///   <kernel>/<strategy or peer>/<packs|scalar>/<ordering>/<aos|soa>/<elements>
///   triad
///
/// Kernels: save_soln, adt_calc, res_calc, update and a whole iteration of the
/// airfoil code (perf/apps/airfoil) on its mesh of 720000 cells (save_soln and
/// update on 2880000, too); plan_res_calc, the plan of res_calc made anew;
/// reorder, renumbering after a random shuffle (with all maps and data);
/// stress_forces (hexahedra to nodes, as in LULESH) and face_flux (faces to
/// cells, as in miniAero) on cubes of 128^3 cells.
/// Peers: hand_serial, hand_block_colored, hand_atomic (Mesh_Peers.hpp).
/// Orderings: natural, as the generator numbers; shuffled, at random; rcm, gps,
/// metis, renumbered; shuffled_rcm and so on, renumbered after shuffling.
///
/// Each row stands for the median of at least 7 runs; see Bench_Measure.hpp and
/// Bench_Report.hpp. Counters: items_per_second (elements), bytes_per_second
/// (useful bytes: each dat and map once, twice where a dat is incremented or
/// read and written), min_ms, runs, setup_ms (mesh and plan), bytes.
///
///   bench_mesh --check
///   bench_mesh --reuse       the table of reuse factors
///   bench_mesh --benchmark_filter='^res_calc/.*/natural/aos'
///   bench_mesh --benchmark_out=all.json

#include "Bench_Report.hpp"
#include "Mesh_Check.hpp"
#include "Mesh_Reuse.hpp"
#include "Mesh_Work.hpp"

#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace Bench;

void add_row(MeshCache& cache, const Row& row) {
  benchmark::RegisterBenchmark(
      row_name(row).c_str(),
      [&cache, row = work_row(row)](benchmark::State& state) {
        try {
          while (state.KeepRunning()) {
            auto peak       = std::make_unique<AllocationPeak>();
            const Work work = make_work(row, cache);
            report(state, work, double(row_elements(row)), std::move(peak));
          }
        } catch (const std::exception& e) {
          state.SkipWithError(e.what());
        }
      })
      ->Unit(benchmark::kMillisecond);
}

/// Is a row worth its time? Loops without conflicts have but one way.
bool sensible(const Row& row) {
  const bool direct = row.kernel == "save_soln" || row.kernel == "update" ||
                      row.kernel == "adt_calc";
  if (direct && row.strategy != "automatic" && row.strategy != "serial")
    return row.strategy == "hand_serial" ||
           row.strategy == "hand_block_colored";
  if (row.strategy == "serial" || row.strategy == "hand_serial")
    return Sporos::Impl::is_host_space_v<Exec> || row.by_hand();
  return true;
}

/// All rows of a kernel on one mesh.
void add_rows(MeshCache& cache, const std::string& kernel, int size,
              const std::vector<std::string>& orderings) {
  for (const std::string& ordering : orderings) {
    std::vector<Row> rows;
    for (const char* peer :
         {"hand_serial", "hand_block_colored", "hand_atomic"})
      if (ordering == "natural" || ordering == "shuffled")
        rows.push_back({kernel, peer, false, ordering, "aos", size});
    for (const char* layout : {"aos", "soa"})
      for (const bool packs : {true, false})
        for (const NamedOptions& n : named_options())
          rows.push_back({kernel, n.name, packs, ordering, layout, size});
    for (const Row& row : rows)
      if (sensible(row)) add_row(cache, row);
  }
}

void add_all_rows(MeshCache& cache) {
  const std::vector<std::string> natural{"natural"};
  for (const char* kernel : {"save_soln", "update", "adt_calc"}) {
    add_rows(cache, kernel, 400, natural);
    add_rows(cache, kernel, 800, natural);
  }
  for (const char* kernel : {"res_calc", "iteration"})
    add_rows(cache, kernel, 400,
             {"natural", "rcm", "gps", "metis", "shuffled", "shuffled_rcm",
              "shuffled_gps", "shuffled_metis"});
  for (const NamedOptions& n : named_options())
    add_row(cache, {"plan_res_calc", n.name, true, "natural", "aos", 400});
  for (const char* ordering : {"rcm", "gps", "metis"})
    add_row(cache, {"reorder", "automatic", true, ordering, "aos", 400});
  add_rows(cache, "stress_forces", 128, natural);
  add_rows(cache, "face_flux", 128, natural);
  add_triad();
}

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard guard(argc, argv);
  MeshCache cache;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--check") == 0) return check_rows(cache);
    if (std::strcmp(argv[i], "--reuse") == 0) return print_reuse(400, 64);
  }
  add_all_rows(cache);
  if (!lists_only(argc, argv)) add_context();
  return run_rows(argc, argv);
}
