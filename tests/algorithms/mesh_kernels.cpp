// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Sporos_Test.hpp"

#include "../../perf/bench/Mesh_Loops.hpp"

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

// The loops of other codes that the benchmark runs: hexahedra to nodes with
// 8 x 3 increments, faces to cells with 2 x 5.

namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Sporos::LoopStrategy;

/// A box whose inner nodes are moved, so that its cells are no cuboids.
Sporos::HexMesh skewed_box() {
  auto m = Sporos::hex_mesh(7, 6, 5, 1, 1.5, 2);
  for (std::size_t n = 0; n < std::size_t(m.nodes()); ++n) {
    double* x         = &m.coordinates[3 * n];
    const double bump = x[0] * (1 - x[0]) * x[1] * (1.5 - x[1]) * x[2] *
                        (2 - x[2]) * std::sin(double(n));
    for (int d = 0; d < 3; ++d) x[d] += 0.2 * (d + 1) * bump;
  }
  return m;
}

template <class Loop>
std::vector<double> result(const Sporos::HexMesh& mesh, LoopStrategy strategy,
                           bool packs) {
  const Loop loop(mesh);
  Sporos::LoopOptions options;
  options.strategy   = strategy;
  options.packs      = packs;
  options.block_size = 32;
  const Exec exec;
  loop.run(exec, options);
  exec.fence();
  return loop.result().to_host();
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = a.size() == b.size() ? 0 : 1e300, scale = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = Sporos::Test::larger_error(largest, std::abs(a[i] - b[i]));
    scale   = std::max(scale, std::abs(b[i]));
  }
  return largest / scale;
}

template <class Loop>
void compare_strategies() {
  const auto mesh      = skewed_box();
  const auto reference = result<Loop>(mesh, LoopStrategy::serial, false);
  for (const LoopStrategy strategy :
       {LoopStrategy::serial, LoopStrategy::global_coloring,
        LoopStrategy::hierarchical, LoopStrategy::gather, LoopStrategy::atomic})
    for (const bool packs : {false, true}) {
      INFO(Sporos::name(strategy) << (packs ? " packs" : ""));
      CHECK(difference(result<Loop>(mesh, strategy, packs), reference) < 1e-13);
    }
}

std::vector<double> column_sums(const std::vector<double>& rows,
                                std::size_t width) {
  std::vector<double> sum(width, 0.);
  for (std::size_t i = 0; i < rows.size(); ++i) sum[i % width] += rows[i];
  return sum;
}

}  // namespace

TEST_CASE("mesh kernels: forces of stress in every strategy",
          "[mesh_kernels]") {
  compare_strategies<Bench::StressLoop<double, Kokkos::LayoutRight>>();
}

TEST_CASE("mesh kernels: fluxes in every strategy", "[mesh_kernels]") {
  compare_strategies<Bench::FluxLoop<double, Kokkos::LayoutRight>>();
}

TEST_CASE("mesh kernels: a closed surface feels no force", "[mesh_kernels]") {
  // each element's forces add up to nothing, and uniform stress inside, too
  const auto mesh = skewed_box();
  const Bench::StressLoop<double, Kokkos::LayoutRight> loop(mesh);
  const auto forces = result<Bench::StressLoop<double, Kokkos::LayoutRight>>(
      mesh, LoopStrategy::serial, false);
  for (const double s : column_sums(forces, 3)) CHECK(std::abs(s) < 1e-13);

  loop.stress.assign(std::vector<double>(3 * std::size_t(mesh.cells()), 2.5));
  const Exec exec;
  loop.run(exec, {});
  exec.fence();
  const auto uniform = loop.force.to_host();
  double outside     = 0;
  for (std::size_t n = 0; n < std::size_t(mesh.nodes()); ++n) {
    const double* x   = &mesh.coordinates[3 * n];
    const bool inside = x[0] > 1e-9 && x[0] < 1 - 1e-9 && x[1] > 1e-9 &&
                        x[1] < 1.5 - 1e-9 && x[2] > 1e-9 && x[2] < 2 - 1e-9;
    for (std::size_t d = 0; d < 3; ++d)
      if (inside)
        CHECK(std::abs(uniform[3 * n + d]) < 1e-14);
      else
        outside += std::abs(uniform[3 * n + d]);
  }
  CHECK(outside > 1);
}

TEST_CASE("mesh kernels: volumes add up", "[mesh_kernels]") {
  const auto cuboid = Sporos::hex_mesh(3, 4, 5, 3, 2, 1);
  const Bench::StressLoop<double, Kokkos::LayoutRight> loop(cuboid);
  const Exec exec;
  loop.run(exec, {});
  exec.fence();
  for (const double v : loop.volume.to_host()) CHECK(v == Approx(0.1));
}

TEST_CASE("mesh kernels: fluxes conserve, equal states are in balance",
          "[mesh_kernels]") {
  using Loop      = Bench::FluxLoop<double, Kokkos::LayoutRight>;
  const auto mesh = skewed_box();
  for (const double s :
       column_sums(result<Loop>(mesh, LoopStrategy::serial, false), 5))
    CHECK(std::abs(s) < 1e-13);

  const Loop loop(mesh);
  std::vector<double> q;
  for (int c = 0; c < mesh.cells(); ++c)
    q.insert(q.end(), {1.1, 0.2, -0.3, 0.4, 2.6});
  loop.q.assign(q);
  const Exec exec;
  loop.run(exec, {});
  exec.fence();
  // cells without a face on the boundary
  std::vector<bool> inside(std::size_t(mesh.cells()), true);
  for (const int c : mesh.boundary_cells) inside[std::size_t(c)] = false;
  const auto change = loop.change.to_host();
  int cells         = 0;
  for (std::size_t c = 0; c < inside.size(); ++c)
    if (inside[c]) {
      ++cells;
      for (std::size_t k = 0; k < 5; ++k)
        CHECK(std::abs(change[5 * c + k]) < 1e-14);
    }
  CHECK(cells == 5 * 4 * 3);
}
