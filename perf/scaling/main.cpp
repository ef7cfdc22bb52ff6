// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Predicts how the airfoil code and a particle step scale to many ranks: counts
// come from partitions that are made here, times from kernel rates and a
// network that are options. Prints Markdown tables; plot_scaling.py reads them.
#include "Scaling_Mesh.hpp"
#include "Scaling_Particles.hpp"

#include <Airfoil_Mesh.hpp>
#include <App_CommandLine.hpp>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <vector>

namespace {

using namespace Scaling;

/// Extents of a box of `ranks` (a power of two), as equal as they can be.
void cut(int ranks, int (&out)[3]) {
  out[0] = out[1] = out[2] = 1;
  for (int d = 0; ranks > 1; d = (d + 1) % 3, ranks /= 2) out[d] *= 2;
}

struct MeshMaxima {
  MeshPart most;
  double bytes  = 0;
  long long cut = 0;
};

MeshMaxima maxima(const std::vector<MeshPart>& parts) {
  MeshMaxima m;
  for (const MeshPart& p : parts) {
    m.most.cells      = std::max(m.most.cells, p.cells);
    m.most.halo       = std::max(m.most.halo, p.halo);
    m.most.neighbours = std::max(m.most.neighbours, p.neighbours);
    m.bytes           = std::max(m.bytes, exchange_bytes(p));
    m.cut += p.rest;
  }
  m.cut /= 2;
  return m;
}

void mesh_table(int along, int layers, const std::vector<int>& ranks,
                const Machine& machine) {
  const Sporos::QuadMesh mesh = AirfoilApp::naca0012_mesh(along, layers);
  const int n                 = mesh.cells();
  const double alone          = iteration_time(
               count_parts(mesh, std::vector<int>(std::size_t(n), 0), 1), machine);
  std::printf(
      "| airfoil, %d cells: ranks | cells, most | over the mean | halo cells, "
      "most | neighbours, most | KiB sent, most | edge cut | over the ideal "
      "cut | iteration, ms | efficiency "
      "|\n|---|---|---|---|---|---|---|---|---|---|\n",
      n);
  for (const int k : ranks) {
    const auto parts   = count_parts(mesh, parts_of_cells(mesh, k), k);
    const MeshMaxima m = maxima(parts);
    const double time  = iteration_time(parts, machine);
    // squares of n / k cells have sides of sqrt(n / k) edges, each of two parts
    const double ideal = k == 1 ? 1 : 2 * std::sqrt(double(n) * k);
    std::printf(
        "| %d | %lld | %.3f | %lld | %lld | %.1f | %lld | %.2f | %.4g | %.2f "
        "|\n",
        k, (long long)m.most.cells, double(m.most.cells) * k / n,
        (long long)m.most.halo, (long long)m.most.neighbours, m.bytes / 1024,
        m.cut, double(m.cut) / ideal, time, alone / (time * k));
    std::fflush(stdout);
  }
  std::printf("\n");
}

void particle_table(const char* title, bool weak, long long side,
                    double density, const std::vector<int>& ranks,
                    const Machine& machine) {
  constexpr int support = 4;
  std::printf(
      "| %s: ranks | grid | points of a rank | ghost points | ghost values | "
      "ghost points: ms | efficiency | ghost sums: ms | efficiency "
      "|\n|---|---|---|---|---|---|---|---|---|\n",
      title);
  for (const int k : ranks) {
    int along[3];
    cut(k, along);
    long long cells[3];
    for (int d = 0; d < 3; ++d) cells[d] = weak ? side * along[d] : side;
    const BoxCounts box = count_box(cells, along, density, support);
    const int one[3]    = {1, 1, 1};
    const double alone =
        ghost_sums_time(count_box(cells, one, density, support), machine) / k;
    const double points = ghost_points_time(box, machine);
    const double sums   = ghost_sums_time(box, machine);
    std::printf(
        "| %d | %lld x %lld x %lld | %.4g | %.3g | %.3g | %.4g | %.2f | %.4g | "
        "%.2f |\n",
        k, cells[0], cells[1], cells[2], box.points, box.ghost_points,
        box.ghost_values, points, alone / points, sums, alone / sums);
  }
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) try {
  Machine machine;
  std::vector<int> mesh_ranks{2, 8, 64, 512, 4096};
  std::vector<int> meshes{400, 1600};
  CLI::App app("Predicted scaling of mesh loops and particle-grid transfer");
  const auto number = [&](const char* name, double& value, const char* words) {
    app.add_option(name, value, words)
        ->capture_default_str()
        ->check(AppCommon::in_range(0., 1e12));
  };
  number("--latency", machine.latency, "microseconds a message");
  app.add_option("--bandwidth", machine.bandwidth, "GB/s of a rank")
      ->capture_default_str()
      ->check(AppCommon::positive());
  number("--cell", machine.cell,
         "ns a cell and airfoil iteration, without edges");
  number("--edge", machine.edge, "ns an edge and airfoil iteration");
  number("--update", machine.update, "ns a point");
  number("--spread", machine.spread, "ns a point");
  number("--interpolate", machine.interpolate, "ns a point");
  app.add_option("--ranks", mesh_ranks, "numbers of parts of the meshes")
      ->check(AppCommon::in_range(1, 1000000));
  app.add_option("--along", meshes,
                 "cells along the profile; layers are 1.5 times as many")
      ->check(AppCommon::in_range(4, 20000));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  std::printf(
      "latency %g us, bandwidth %g GB/s a rank; a cell %g ns, an edge %g ns an "
      "iteration; a point: update %g ns, spread %g ns, interpolate %g ns\n\n",
      machine.latency, machine.bandwidth, machine.cell, machine.edge,
      machine.update, machine.spread, machine.interpolate);
  for (const int along : meshes)
    mesh_table(along, along * 3 / 2, mesh_ranks, machine);
  const std::vector<int> ranks{1, 8, 64, 512, 4096, 65536};
  particle_table("weak, 128^3 cells and 1e6 points a rank", true, 128,
                 1e6 / (128. * 128 * 128), ranks, machine);
  particle_table("strong, 2048^3 cells", false, 2048, 1e6 / (128. * 128 * 128),
                 ranks, machine);
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "scaling: %s\n", e.what());
  return 1;
}
