// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_ELASTICITY_MODEL_IMPL_HPP
#define SPOROS_ELASTICITY_MODEL_IMPL_HPP

/// \file Elasticity_Model_impl.hpp
/// A problem on cells with a constant number of nodes and unknowns.

#include "Elasticity_Kernels.hpp"
#include "Elasticity_Model.hpp"
#include "Elasticity_Solver.hpp"

#include <Sporos_Matrix.hpp>
#include <Sporos_ParLoop.hpp>

#include <cmath>
#include <cstddef>
#include <cstring>

namespace ElasticityApp {

/// The least value of the last component.
template <int C>
struct Lowest {
  KOKKOS_FUNCTION void operator()(Read<double, C> u,
                                  Reduce<double> least) const {
    least[0] = Sporos::min(least[0], u[C - 1]);
  }
};

/// FNV-1a of the number and the values of a node. The sum over all nodes tells
/// what value belongs to what node, and can be taken in any order.
inline std::uint64_t node_hash(std::int64_t number, const double* values,
                               int count) {
  std::uint64_t hash = 14695981039346656037u;
  const auto add     = [&](const void* of, std::size_t bytes) {
    const auto* byte = static_cast<const unsigned char*>(of);
    for (std::size_t k = 0; k < bytes; ++k)
      hash = (hash ^ byte[k]) * 1099511628211u;
  };
  add(&number, sizeof number);
  add(values, sizeof *values * std::size_t(count));
  return hash;
}

template <int Nodes, int C>
class ModelOf final : public Model {
 public:
  ModelOf(const LocalMesh& mesh, const Options& options)
      : m_mesh(mesh),
        m_options(options),
        m_load(make_load(options)),
        m_table(table(mesh.order == 2)),
        m_cell_nodes(mesh.cell_nodes.fixed<Nodes>()),
        m_unknowns(options.boundary == Boundary::missing
                       ? mesh.unknowns.fixed<Nodes>()
                       : m_cell_nodes) {
    const Kokkos::Timer timer;
    m_matrix = Matrix<C>(
        m_exec, "A",
        Sporos::Sparsity<>(m_exec, "coupled nodes", m_unknowns, m_unknowns));
    m_exec.fence();
    m_result.sparsity_time = timer.seconds();
    m_given = Vector<C>(m_exec, "given", mesh.nodes, given_values());
    m_u     = Vector<C>(m_exec, "displacement", mesh.nodes, given_values());
    m_b     = Vector<C>(m_exec, "b", mesh.nodes);
  }

  Result solve() override {
    for (double* time : {&m_result.first_time, &m_result.assembly_time}) {
      const Kokkos::Timer timer;
      assemble();
      m_exec.fence();
      *time = timer.seconds();
    }
    if (m_options.boundary == Boundary::rows) zero_rows();
    const Kokkos::Timer timer;
    const Solved s =
        conjugate_gradients<C>(m_exec, m_matrix, m_b, m_u,
                               {m_options.tolerance, m_options.iterations});
    m_result.solve_time = timer.seconds();
    m_result.iterations = s.iterations;
    m_result.residual   = s.residual;
    m_result.nonzeros   = m_matrix.sparsity().owned_nonzeros();
    measure();
    return m_result;
  }

  void add_to(Sporos::MeshVtk& vtk) const override { vtk.add(m_exec, m_u); }
  std::vector<double> solution() const override { return m_u.to_host(m_exec); }
  int components() const override { return C; }

 private:
  ShapeTable table(bool fine) const {
    return shape_table(m_mesh.shape, m_mesh.order, fine);
  }

  /// The displacements that are known at fixed nodes, 0 at others.
  std::vector<double> given_values() const {
    const std::vector<double> x = m_mesh.coordinates.to_host(m_exec);
    std::vector<double> values(m_mesh.fixed.size() * C, 0.);
    for (std::size_t n = 0; n < m_mesh.fixed.size(); ++n) {
      if (m_mesh.fixed[n] == 0) continue;
      const double at[3] = {x[3 * n], x[3 * n + 1], x[3 * n + 2]};
      double u[C];
      m_load.displacement(at, u);
      for (std::size_t c = 0; c < C; ++c) values[n * C + c] = u[c];
    }
    return values;
  }

  void assemble() {
    Sporos::zero(m_exec, m_matrix);
    Kokkos::deep_copy(m_exec, m_b.view(), 0.);
    m_b.modified();
    const Assemble<Nodes, C> kernel{
        {m_table, m_load, m_options.boundary == Boundary::missing}};
    Sporos::par_loop(
        "assemble", m_exec, m_mesh.cells, kernel,
        Sporos::read(m_mesh.coordinates, m_cell_nodes),
        Sporos::read(m_given, m_cell_nodes),
        Sporos::with_missing(Sporos::inc(m_matrix, m_unknowns, m_unknowns)),
        Sporos::with_missing(Sporos::inc(m_b, m_unknowns)));
  }

  void zero_rows() {
    std::vector<int> list;
    for (std::size_t n = 0; n < m_mesh.fixed.size(); ++n)
      if (m_mesh.fixed[n] != 0) list.push_back(int(n));
    const Sporos::Subset<> fixed(m_exec, "fixed", m_mesh.nodes, list);
    Sporos::zero_rows_columns(m_exec, m_matrix, fixed, 1, m_given, m_b);
  }

  void measure() {
    double sums[3] = {0, 0, 0}, lowest = 0;
    Sporos::par_loop("norms", m_exec, m_mesh.cells,
                     CellNorms<Nodes, C>{table(true), m_load},
                     Sporos::read(m_mesh.coordinates, m_cell_nodes),
                     Sporos::read(m_u, m_cell_nodes), Sporos::sum(sums));
    Sporos::par_loop("lowest", m_exec, m_mesh.nodes, Lowest<C>{},
                     Sporos::read(m_u), Sporos::min(lowest));
    m_result.cells      = m_mesh.all_cells;
    m_result.unknowns   = m_mesh.all_nodes * C;
    m_result.size       = std::cbrt(sums[2] / double(m_mesh.all_cells));
    m_result.error      = sums[1] > 0 ? std::sqrt(sums[0] / sums[1]) : 0;
    m_result.deflection = -lowest;
    const std::vector<double> u = solution();
    m_result.bits               = 0;
    for (std::size_t n = 0; n < std::size_t(m_mesh.nodes.owned()); ++n)
      m_result.bits += node_hash(m_mesh.numbers[n], &u[n * C], C);
  }

  LocalMesh m_mesh;
  Options m_options;
  Load m_load;
  ShapeTable m_table;  ///< of assembly
  Exec m_exec;
  Sporos::Map<Nodes> m_cell_nodes, m_unknowns;
  Matrix<C> m_matrix;
  Vector<C> m_given, m_u, m_b;
  Result m_result;
};

template <int Nodes, int C>
std::unique_ptr<Model> make_model_of(const LocalMesh& mesh,
                                     const Options& options) {
  return std::make_unique<ModelOf<Nodes, C>>(mesh, options);
}

}  // namespace ElasticityApp

#endif
