// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop over the cells of a mesh: each gives a quarter of its area to each of
// its nodes. Cells that share nodes never run at the same time.
#include <Sporos_MeshGenerators.hpp>
#include <Sporos_ParLoop.hpp>

#include <cmath>
#include <cstdio>

struct ShareArea {  // one cell, a quadrilateral
  template <class Real>
  KOKKOS_FUNCTION void operator()(Sporos::Read<Real, 2, 4> x,
                                  Sporos::Inc<Real, 1, 4> area) const {
    // Half the cross product of the diagonals.
    const Real a = Real(0.5) * ((x(2, 0) - x(0, 0)) * (x(3, 1) - x(1, 1)) -
                                (x(2, 1) - x(0, 1)) * (x(3, 0) - x(1, 0)));
    for (int node = 0; node < 4; ++node) area(node, 0) += Real(0.25) * a;
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);

  // Sets, a map from each cell to its nodes, and data on the nodes.
  const Sporos::QuadMesh mesh = Sporos::quad_mesh(30, 20, 3., 2.);
  const Sporos::Set cells("cells", mesh.cells()), nodes("nodes", mesh.nodes());
  const Sporos::Map<4> cell_nodes("cell_nodes", cells, nodes, mesh.cell_nodes);
  const Sporos::Dat<double, 2> x("x", nodes, mesh.coordinates);
  const Sporos::Dat<double> area("area", nodes);  // zeros

  using Sporos::inc, Sporos::read;
  Sporos::par_loop("share_area", cells, ShareArea{}, read(x, cell_nodes),
                   inc(area, cell_nodes));

  double total = 0;
  for (const double a : area.to_host()) total += a;
  std::printf("area of all nodes %.6f\n", total);
  return std::abs(total - 6) < 1e-12 ? 0 : 1;
}
