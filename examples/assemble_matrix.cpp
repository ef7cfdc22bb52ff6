// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Poisson's equation on triangles: a loop assembles the matrix, values on the
// wall are given, and conjugate gradients find the others.
#include <Sporos_Matrix.hpp>
#include <Sporos_MeshGenerators.hpp>
#include <Sporos_ParLoop.hpp>

#include <cmath>
#include <cstdio>

using namespace Sporos;

struct Triangle {  // linear functions; the right-hand side is -4
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 2, 3> x, MatInc<Real, 3, 3> a,
                                  Inc<Real, 1, 3> b) const {
    Real e[3][2];  // the edge opposite to each node
    for (int i = 0; i < 3; ++i)
      for (int d = 0; d < 2; ++d)
        e[i][d] = x((i + 2) % 3, d) - x((i + 1) % 3, d);
    const Real area = Real(0.5) * (e[0][0] * e[1][1] - e[1][0] * e[0][1]);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j)
        a(i, j) += (e[i][0] * e[j][0] + e[i][1] * e[j][1]) / (Real(4) * area);
      b(i, 0) -= Real(4. / 3) * area;
    }
  }
};
struct Update {  // y = f[0] y + f[1] z, and what y y and y z sum up to
  template <class Real>
  KOKKOS_FUNCTION void operator()(GlobalRead<Real, 2> f, Read<Real> z,
                                  ReadWrite<Real> y, Reduce<Real, 2> s) const {
    y[0] = f[0] * y[0] + f[1] * z[0];
    s[0] += y[0] * y[0];
    s[1] += y[0] * z[0];
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  const QuadMesh quads = quad_mesh(40, 30);
  std::vector<int> corners, wall;
  for (int q = 0; q < quads.cells(); ++q)  // two triangles of each
    for (const int i : {0, 1, 2, 0, 2, 3})
      corners.push_back(quads.cell_nodes[std::size_t(4 * q + i)]);
  std::vector<double> exact, start;  // x^2 + y^2; on the wall alone
  for (int k = 0; k < quads.nodes(); ++k) {
    const double* const at = &quads.coordinates[std::size_t(2 * k)];
    const bool inside      = at[0] > 0 && at[0] < 1 && at[1] > 0 && at[1] < 1;
    exact.push_back(at[0] * at[0] + at[1] * at[1]);
    start.push_back(inside ? 0 : exact.back());
    if (!inside) wall.push_back(k);
  }
  const Set triangles("triangles", std::int64_t(corners.size() / 3));
  const Set nodes("nodes", quads.nodes());
  const Map<3> of("of", triangles, nodes, corners);
  const Dat<double, 2> x("x", nodes, quads.coordinates);
  const Dat<double> u("u", nodes, start), b("b", nodes), r("r", nodes),
      p("p", nodes), q("q", nodes);

  const Sparsity coupled("coupled", of, of);
  const Mat<double> A("A", coupled);
  par_loop("assemble", triangles, Triangle{}, read(x, of), inc(A, of, of),
           inc(b, of));
  zero_rows_columns(A, Subset("wall", nodes, wall), 1, u, b);

  double sums[2];  // y y, y z
  const auto update = [&](const auto& y, double f, const auto& z, double g) {
    const double factors[] = {f, g};
    sums[0] = sums[1] = 0;
    par_loop("update", nodes, Update{}, read(factors), read(z), rw(y),
             sum(sums));
  };
  multiply(A, u, r);
  update(r, -1, b, 1);  // r = b - A u
  for (double before = 1, now = sums[0]; now > 1e-24;) {
    update(p, now / before, r, 1);
    multiply(A, p, q);
    update(q, 1, p, 0);  // for the sum of p q
    const double length = now / sums[1];
    update(u, 1, p, length);
    update(r, 1, q, -length);
    before = now;
    now    = sums[0];
  }
  double error        = 0;
  const auto solution = u.to_host();
  for (std::size_t k = 0; k < exact.size(); ++k)
    error = std::fmax(error, std::fabs(solution[k] - exact[k]));
  std::printf("%serror %.1e\n", coupled.describe().c_str(), error);
  return error < 1e-9 ? 0 : 1;
}
