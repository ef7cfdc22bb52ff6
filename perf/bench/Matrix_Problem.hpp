// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_BENCH_MATRIX_PROBLEM_HPP
#define SPOROS_BENCH_MATRIX_PROBLEM_HPP

/// \file Matrix_Problem.hpp
/// Linear functions on the tetrahedra of a cube: Poisson's equation and linear
/// elasticity, and what a row of the benchmark is.

#include "Bench_Measure.hpp"

#include <Elasticity_Mesh.hpp>
#include <Perf_Numbers.hpp>
#include <Sporos_Matrix.hpp>
#include <Sporos_ParLoop.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace Bench {

/// What a row of the benchmark measures.
struct MatrixRow {
  std::string step;       ///< sparsity, plan, first, assembly
  std::string matrix;     ///< poisson_p1, elasticity_p1
  std::string way;        ///< a strategy or a peer
  std::string numbering;  ///< natural, shuffled
  int cubes;              ///< along a side; six tetrahedra each

  double cells() const { return 6. * cubes * cubes * cubes; }
  bool is_shuffled() const { return numbering == "shuffled"; }
  std::string name() const {
    return step + '/' + matrix + '/' + way + '/' + numbering + '/' +
           std::to_string(std::int64_t(cells()));
  }
};

/// What is run for a row: a smaller mesh where rows are tiny().
inline MatrixRow work_row(MatrixRow row) {
  if (tiny()) row.cubes = 3;
  return row;
}

struct TetrahedronMesh {
  std::vector<double> x;        ///< 3 of each node
  std::vector<int> cell_nodes;  ///< 4 of each cell
  int nodes() const { return int(x.size() / 3); }
  int cells() const { return int(cell_nodes.size() / 4); }
};

inline TetrahedronMesh tetrahedra_of_cube(int cubes) {
  ElasticityApp::MeshBlock b =
      ElasticityApp::box_block(ElasticityApp::Options(), cubes, 0, 1);
  return {std::move(b.coordinates), {b.cell_nodes.begin(), b.cell_nodes.end()}};
}

/// Nodes and cells in random order, the same in every run.
inline TetrahedronMesh shuffled(const TetrahedronMesh& m) {
  std::mt19937 random(1);
  std::vector<int> node(std::size_t(m.nodes())), cell(std::size_t(m.cells()));
  for (auto* list : {&node, &cell}) {
    std::iota(list->begin(), list->end(), 0);
    std::shuffle(list->begin(), list->end(), random);
  }
  TetrahedronMesh s = m;
  for (std::size_t n = 0; n < node.size(); ++n)
    for (std::size_t d = 0; d < 3; ++d)
      s.x[3 * std::size_t(node[n]) + d] = m.x[3 * n + d];
  for (std::size_t c = 0; c < cell.size(); ++c)
    for (std::size_t k = 0; k < 4; ++k)
      s.cell_nodes[4 * std::size_t(cell[c]) + k] =
          node[std::size_t(m.cell_nodes[4 * c + k])];
  return s;
}

/// Keeps the last mesh that was asked for.
class TetrahedronCache {
 public:
  const TetrahedronMesh& mesh(const MatrixRow& row) {
    const auto key = std::make_pair(row.cubes, row.is_shuffled());
    if (m_mesh.x.empty() || key != m_key) {
      m_mesh = tetrahedra_of_cube(row.cubes);
      if (row.is_shuffled()) m_mesh = shuffled(m_mesh);
      m_key = key;
    }
    return m_mesh;
  }

 private:
  std::pair<int, bool> m_key;
  TetrahedronMesh m_mesh;
};

/// The gradients of the four linear functions of a tetrahedron, and its volume.
template <class Real>
struct TetrahedronGradients {
  Real g[4][3], volume;

  /// \param x x(node, direction)
  template <class Places>
  KOKKOS_FORCEINLINE_FUNCTION explicit TetrahedronGradients(const Places& x) {
    Real e[3][3];
    for (int k = 0; k < 3; ++k)
      for (int d = 0; d < 3; ++d) e[k][d] = x(k + 1, d) - x(0, d);
    for (int k = 0; k < 3; ++k) {
      const Real(&a)[3] = e[(k + 1) % 3];
      const Real(&b)[3] = e[(k + 2) % 3];
      for (int d = 0; d < 3; ++d)
        g[k + 1][d] =
            a[(d + 1) % 3] * b[(d + 2) % 3] - a[(d + 2) % 3] * b[(d + 1) % 3];
    }
    const Real six = e[0][0] * g[1][0] + e[0][1] * g[1][1] + e[0][2] * g[1][2];
    const Real scale = Real(1) / six;
    volume           = six * Real(1. / 6);
    for (int d = 0; d < 3; ++d) {
      for (int k = 1; k < 4; ++k) g[k][d] = g[k][d] * scale;
      g[0][d] = -(g[1][d] + g[2][d] + g[3][d]);
    }
  }
};

/// The block of two nodes: of Poisson's equation (C = 1), or of elasticity with
/// the numbers of Lame 1 and 1.
template <int C, class Real>
KOKKOS_FORCEINLINE_FUNCTION void node_block(const TetrahedronGradients<Real>& t,
                                            int i, int j, Real (&k)[C][C]) {
  const Real(&a)[3] = t.g[i];
  const Real(&b)[3] = t.g[j];
  const Real both   = t.volume * (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
  if constexpr (C == 1) {
    k[0][0] = both;
  } else {
    for (int c = 0; c < C; ++c)
      for (int d = 0; d < C; ++d)
        k[c][d] = t.volume * (a[c] * b[d] + a[d] * b[c]);
    for (int c = 0; c < C; ++c) k[c][c] = k[c][c] + both;
  }
}

/// The kernel of par_loop.
template <int C>
struct AssembleTetrahedron {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Sporos::Read<Real, 3, 4> x,
                                  Sporos::MatInc<Real, 4, 4, C, C> a) const {
    const TetrahedronGradients<Real> t(x);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        Real k[C][C];
        node_block(t, i, j, k);
        for (int c = 0; c < C; ++c)
          for (int d = 0; d < C; ++d) a(i, c, j, d) += k[c][d];
      }
  }
};

/// A mesh and its matrix. \tparam C unknowns of a node
template <int C>
class MatrixProblem {
 public:
  using Matrix = Sporos::Mat<double, C, C>;

  explicit MatrixProblem(const TetrahedronMesh& m)
      : nodes("nodes", m.nodes()),
        cells("cells", m.cells()),
        cell_nodes("cell_nodes", cells, nodes, m.cell_nodes),
        x("x", nodes, m.x) {}

  void make_sparsity() {
    sparsity =
        Sporos::Sparsity<>(exec, "nodes of cells", cell_nodes, cell_nodes);
  }
  void make_matrix() {
    make_sparsity();
    matrix = Matrix(exec, "A", sparsity);
    exec.fence();
  }
  void make_plan(const Sporos::LoopOptions& options) {
    plan = Sporos::LoopPlan<Exec>(exec, cells, options,
                                  Sporos::read(x, cell_nodes),
                                  Sporos::inc(matrix, cell_nodes, cell_nodes));
    exec.fence();
  }
  void assemble() {
    Sporos::zero(exec, matrix);
    Sporos::par_loop("assemble", exec, cells, plan, AssembleTetrahedron<C>{},
                     Sporos::read(x, cell_nodes),
                     Sporos::inc(matrix, cell_nodes, cell_nodes));
    exec.fence();
  }
  /// Where the entries of cells are, 16 for each.
  auto positions() const {
    return sparsity.positions(exec, cell_nodes, cell_nodes).view();
  }
  /// Bytes that an assembly must move: nodes and positions of cells, places of
  /// nodes, values, which are set to zero, then read and written.
  std::size_t moved() const {
    return std::size_t(cells.size()) * (4 + 16) * sizeof(int) +
           std::size_t(nodes.size()) * 3 * sizeof(double) +
           matrix.values().extent(0) * 3 * sizeof(double);
  }

  Exec exec;
  Sporos::Set nodes, cells;
  Sporos::Map<4> cell_nodes;
  Sporos::Dat<double, 3> x;
  Sporos::Sparsity<> sparsity;
  Matrix matrix;
  Sporos::LoopPlan<Exec> plan;
};

}  // namespace Bench

#endif
