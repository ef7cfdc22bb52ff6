// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Poisson's equation on triangles, 0 on the wall, and conjugate gradients.
#include <Sporos_DatVectors.hpp>
#include <Sporos_Matrix.hpp>
#include <Sporos_MeshGenerators.hpp>
using namespace Sporos;
struct Triangle {  // linear functions
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 2, 3> x, MatInc<Real, 3, 3> a,
                                  Inc<Real, 1, 3> b) const {
    Real e[2][3];  // edges opposite to the nodes
    for (int k = 0; k < 6; ++k)
      e[k / 3][k % 3] = x((k + 2) % 3, k / 3) - x((k + 1) % 3, k / 3);
    const Real twice = e[0][0] * e[1][1] - e[0][1] * e[1][0];  // the area
    for (int i = 0; i < 3; ++i) {
      const Real f = x(i, 0) * (1 - x(i, 0)) + x(i, 1) * (1 - x(i, 1));
      b(i, 0) += f * twice / Real(3);
      for (int j = 0; j < 3; ++j)
        a(i, j) += (e[0][i] * e[0][j] + e[1][i] * e[1][j]) / (twice + twice);
    }
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  const QuadMesh mesh = quad_mesh(40, 30);
  std::vector<double> exact;               // inside
  std::vector<int> number, corners, free;  // free ones; -1: on the wall
  for (int k = 0; k < mesh.nodes(); ++k) {
    const double x = mesh.coordinates[2 * k], y = mesh.coordinates[2 * k + 1];
    const double u = x * (1 - x) * y * (1 - y);
    number.push_back(u > 0 ? int(exact.size()) : -1);
    if (u > 0) exact.push_back(u);
  }
  for (int k = 0; k < 6 * mesh.cells(); ++k) {  // a cell has two triangles
    const int corner[] = {0, 1, 2, 0, 2, 3};
    corners.push_back(mesh.cell_nodes[k / 6 * 4 + corner[k % 6]]);
    free.push_back(number[corners.back()]);
  }
  const Set cells("cells", 2 * mesh.cells()), nodes("nodes", mesh.nodes()),
      inside("inside", exact.size());
  const Map<3> of("of", cells, nodes, corners),
      to("to", cells, inside, free, MissingEntries::allowed);
  const Dat<double, 2> x("x", nodes, mesh.coordinates);
  const Dat<double> u("u", inside), r("r", inside), p("p", inside);
  const Dat<double> q("q", inside), solution("solution", inside, exact);
  const Mat<double> A("A", Sparsity("coupled", to, to));
  par_loop("assemble", cells, Triangle{}, read(x, of),
           with_missing(inc(A, to, to)), with_missing(inc(r, to)));
  copy(r, p);
  for (double rr = dot(r, r), before = rr; rr > 1e-24; before = rr) {
    multiply(A, p, q);
    const double length = rr / dot(p, q);
    axpy(length, p, u);
    axpy(-length, q, r);
    axpby(1, r, (rr = dot(r, r)) / before, p);
  }
  axpy(-1, solution, u);
  return norm(u) < 1e-9 ? 0 : 1;
}
