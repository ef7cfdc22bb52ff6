// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The fixed case of matrices for perf/device_counts.sh: Poisson's equation by
// linear functions on the 24576 tetrahedra of 16^3 cubes, assembled by several
// strategies, with positions that are stored or searched for. The matrices are
// compared with that of plain loops.

#include <Kokkos_Core.hpp>

#include <Sporos_Matrix.hpp>
#include <Sporos_Mesh.hpp>
#include <Sporos_ParLoop.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

namespace {

using Exec = Kokkos::DefaultExecutionSpace;

/// a(i, j) += volume * gradient i * gradient j
struct Laplacian {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Sporos::Read<Real, 3, 4> x,
                                  Sporos::MatInc<Real, 4, 4> a) const {
    Real e[3][3], g[4][3];
    for (int k = 0; k < 3; ++k)
      for (int d = 0; d < 3; ++d) e[k][d] = x(k + 1, d) - x(0, d);
    for (int k = 0; k < 3; ++k)
      for (int d = 0; d < 3; ++d)
        g[k + 1][d] =
            e[(k + 1) % 3][(d + 1) % 3] * e[(k + 2) % 3][(d + 2) % 3] -
            e[(k + 1) % 3][(d + 2) % 3] * e[(k + 2) % 3][(d + 1) % 3];
    const Real six = e[0][0] * g[1][0] + e[0][1] * g[1][1] + e[0][2] * g[1][2];
    for (int d = 0; d < 3; ++d) g[0][d] = -(g[1][d] + g[2][d] + g[3][d]);
    const Real scale = Real(1) / (Real(6) * six);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        a(i, j) +=
            scale * (g[i][0] * g[j][0] + g[i][1] * g[j][1] + g[i][2] * g[j][2]);
  }
};

/// Six tetrahedra around the diagonal of each of n^3 cubes.
struct Tetrahedra {
  std::vector<double> x;
  std::vector<int> nodes;

  explicit Tetrahedra(int n) {
    const auto node = [&](int i, int j, int k) {
      return i + (n + 1) * (j + (n + 1) * k);
    };
    for (int k = 0; k <= n; ++k)
      for (int j = 0; j <= n; ++j)
        for (int i = 0; i <= n; ++i)
          x.insert(x.end(), {i + 0.1 * std::sin(j), j + 0.2 * std::sin(k),
                             k + 0.1 * std::sin(i + j)});
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
          int order[3] = {0, 1, 2};
          do {  // along the axes in this order
            int at[3] = {i, j, k};
            nodes.push_back(node(i, j, k));
            for (const int axis : order) {
              ++at[axis];
              nodes.push_back(node(at[0], at[1], at[2]));
            }
          } while (std::next_permutation(order, order + 3));
        }
  }
};

struct Problem {
  Tetrahedra mesh{16};
  Sporos::Set nodes{"nodes", int(mesh.x.size() / 3)},
      cells{"cells", int(mesh.nodes.size() / 4)};
  Sporos::Map<4> cell_nodes{"cell_nodes", cells, nodes, mesh.nodes};
  Sporos::Dat<double, 3> x{"x", nodes, mesh.x};
  Sporos::Sparsity<> sparsity{"sparsity", cell_nodes, cell_nodes};
  Sporos::Mat<double> mat{"A", sparsity};
  std::vector<double> expected = plain_sums();

  std::vector<double> plain_sums() const {
    std::vector<double> sums(std::size_t(sparsity.nonzeros().size()));
    const auto positions =
        sparsity.positions(Exec{}, cell_nodes, cell_nodes).to_host();
    for (std::size_t c = 0; c < mesh.nodes.size() / 4; ++c) {
      double at[12], a[16] = {};
      for (std::size_t k = 0; k < 12; ++k)
        at[k] = mesh.x[3 * std::size_t(mesh.nodes[4 * c + k / 3]) + k % 3];
      const Sporos::Read<double, 3, 4> places(at);
      const Sporos::Inc<double, 1, 16> entries(a);
      Laplacian()(places, Sporos::MatInc<double, 4, 4>(entries));
      for (std::size_t k = 0; k < 16; ++k)
        sums[std::size_t(positions[16 * c + k])] += a[k];
    }
    return sums;
  }
  bool right() const {
    const std::vector<double> found = mat.dat().to_host();
    bool same                       = found.size() == expected.size();
    for (std::size_t k = 0; same && k < found.size(); ++k)
      same = std::fabs(found[k] - expected[k]) <=
             1e-12 * (1 + std::fabs(expected[k]));
    return same;
  }
  template <class Arg>
  int run(const char* name, Sporos::LoopStrategy strategy, const Arg& a) {
    Sporos::LoopOptions options;
    options.strategy = strategy;
    zero(Exec{}, mat);
    Sporos::par_loop("assemble", Exec{}, cells, options, Laplacian{},
                     read(x, cell_nodes), a);
    const bool same = right();
    std::printf("%s: %s\n", name, same ? "right" : "WRONG");
    return same ? 0 : 1;
  }
};

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  using S = Sporos::LoopStrategy;
  Problem p;
  const auto stored   = inc(p.mat, p.cell_nodes, p.cell_nodes);
  const auto searched = with_search(stored);
  return p.run("owners", S::owners, stored) +
         p.run("gather", S::gather, stored) +
         p.run("hierarchical", S::hierarchical, stored) +
         p.run("atomic", S::atomic, stored) +
         p.run("hierarchical, searched", S::hierarchical, searched) +
         p.run("atomic, searched", S::atomic, searched);
}
