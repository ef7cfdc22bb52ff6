// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The fixed cases of mesh loops for perf/device_counts.sh: res_calc of the
// airfoil code, components of an element together, on a rectangle of 45000
// cells by several strategies, and its update, which has a sum; res_calc by
// owners also with components apart. The results are compared with those of
// plain loops.

#include <Kokkos_Core.hpp>

#include "../apps/airfoil/Airfoil_Kernels.hpp"

#include <Sporos_Mesh.hpp>
#include <Sporos_MeshGenerators.hpp>
#include <Sporos_ParLoop.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Flow = AirfoilApp::Flow<double>;

int verdict(const char* name, bool right) {
  std::printf("%s: %s\n", name, right ? "right" : "WRONG");
  return right ? 0 : 1;
}

bool close(const std::vector<double>& found,
           const std::vector<double>& expected) {
  bool same = found.size() == expected.size();
  for (std::size_t i = 0; same && i < found.size(); ++i)
    same = std::fabs(found[i] - expected[i]) <=
           1e-12 * (1 + std::fabs(expected[i]));
  return same;
}

/// States near that of the undisturbed flow.
std::vector<double> states(const Flow& flow, int cells) {
  std::vector<double> q;
  for (int i = 0; i < 4 * cells; ++i)
    q.push_back(flow.far[i % 4] * (1 + 0.01 * double(i % 7)));
  return q;
}

template <class Layout>
struct Problem {
  template <int N>
  using Dat = Sporos::Dat<double, N, Layout>;
  Flow flow;
  Sporos::QuadMesh mesh = Sporos::quad_mesh(300, 150, 2, 1);
  Sporos::Set nodes{"nodes", mesh.nodes()}, cells{"cells", mesh.cells()},
      edges{"edges", mesh.edges()};
  Sporos::Map<2> edge_nodes{"edge_nodes", edges, nodes, mesh.edge_nodes};
  Sporos::Map<2> edge_cells{"edge_cells", edges, cells, mesh.edge_cells};
  std::vector<double> state = states(flow, mesh.cells());
  Dat<2> x{"x", nodes, mesh.coordinates};
  Dat<4> q{"q", cells, state}, old{"old", cells, state}, res{"res", cells};
  Dat<1> adt{"adt", cells, std::vector<double>(state.size() / 4, 0.5)};

  std::vector<double> expected_res() const {
    std::vector<double> sum(state.size());
    const auto at = [](const std::vector<double>& v, int i, int n) {
      return v.data() + std::size_t(i) * std::size_t(n);
    };
    const double step = 0.5;
    for (std::size_t e = 0; e < mesh.edge_cells.size(); e += 2) {
      const int a = mesh.edge_cells[e], b = mesh.edge_cells[e + 1];
      AirfoilApp::Element::res_calc(
          flow, at(mesh.coordinates, mesh.edge_nodes[e], 2),
          at(mesh.coordinates, mesh.edge_nodes[e + 1], 2), at(state, a, 4),
          at(state, b, 4), step, step, sum.data() + 4 * std::size_t(a),
          sum.data() + 4 * std::size_t(b));
    }
    return sum;
  }

  int run(const char* name, Sporos::LoopStrategy strategy,
          Sporos::Staging staging = Sporos::Staging::automatic) {
    Sporos::LoopOptions options;
    options.strategy = strategy;
    options.staging  = staging;
    res.assign(std::vector<double>(state.size()));
    Sporos::par_loop("res_calc", Exec{}, edges, options,
                     AirfoilApp::ResCalc<double>{flow}, read(x, edge_nodes),
                     read(q, edge_cells), read(adt, edge_cells),
                     inc(res, edge_cells));
    return verdict(name, close(res.to_host(), expected_res()));
  }

  int run_update() {
    Sporos::Global<double, 1> change("change");
    Sporos::par_loop("update", Exec{}, cells, AirfoilApp::Update{}, read(old),
                     write(q), rw(res), read(adt), sum(change));
    double expected = 0, adt_value = 0.5;
    std::vector<double> sums = expected_res(), after(state.size());
    for (std::size_t c = 0; c < state.size(); c += 4)
      expected += AirfoilApp::Element::update(&state[c], &after[c], &sums[c],
                                              adt_value);
    const bool same = std::fabs(change.value(Exec{}, 0) - expected) <=
                      1e-10 * std::fabs(expected);
    return verdict("update", same && close(q.to_host(), after));
  }
};

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  using S = Sporos::LoopStrategy;
  Problem<Kokkos::LayoutRight> problem;
  return problem.run("res_calc, not staged", S::hierarchical) +
         problem.run("res_calc, increments staged", S::hierarchical,
                     Sporos::Staging::increments) +
         problem.run("res_calc, all staged", S::hierarchical,
                     Sporos::Staging::all) +
         problem.run("res_calc, gathered", S::gather) +
         problem.run("res_calc, atomic", S::atomic) +
         problem.run("res_calc, owners", S::owners) + problem.run_update() +
         Problem<Kokkos::LayoutLeft>().run("res_calc, owners, components apart",
                                           S::owners);
}
