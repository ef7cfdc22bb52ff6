// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_BENCH_MATRIX_PEERS_HPP
#define SPOROS_BENCH_MATRIX_PEERS_HPP

/// \file Matrix_Peers.hpp
/// What one would write instead of a par_loop, with the positions of the
/// entries of each cell, as the library finds them:
///
///   hand_serial  one thread
///   hand_atomic  atomic additions
///   scatterview  Kokkos::Experimental::ScatterView: on hosts a copy of the
///                matrix for each thread, on GPUs atomics

#include "Matrix_Problem.hpp"

#include <Kokkos_ScatterView.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

namespace Bench {

/// The places of the nodes of a cell.
struct CellPlaces {
  const double* x;
  const int* nodes;
  std::ptrdiff_t stride;

  KOKKOS_FORCEINLINE_FUNCTION double operator()(int k, int d) const {
    return x[3 * std::ptrdiff_t(nodes[k * stride]) + d];
  }
};

/// Calls add(value's number, value) for all values of a cell.
template <int C, class Add>
struct AddCell {
  const double* x;
  Sporos::Map<4>::view_type cell_nodes;
  Sporos::Map<>::view_type positions;
  Add add;

  KOKKOS_FUNCTION void operator()(int cell) const {
    const auto adder = add.access();
    const TetrahedronGradients<double> t(CellPlaces{
        x, &cell_nodes(cell, 0), std::ptrdiff_t(cell_nodes.stride(1))});
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        double k[C][C];
        node_block(t, i, j, k);
        const std::ptrdiff_t at =
            std::ptrdiff_t(positions(cell, 4 * i + j)) * C * C;
        for (int c = 0; c < C; ++c)
          for (int d = 0; d < C; ++d) adder(at + c * C + d, k[c][d]);
      }
  }
};

struct PlainAdd {
  double* values;
  KOKKOS_FUNCTION PlainAdd access() const { return *this; }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::ptrdiff_t at,
                                              double value) const {
    values[at] += value;
  }
};
struct AtomicAdd {
  double* values;
  KOKKOS_FUNCTION AtomicAdd access() const { return *this; }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::ptrdiff_t at,
                                              double value) const {
    Kokkos::atomic_add(values + at, value);
  }
};
namespace Scatter             = Kokkos::Experimental;
constexpr bool scatter_copies = Sporos::Impl::is_host_space_v<Exec>;
using MatrixScatter           = Scatter::ScatterView<
    double*, Exec::array_layout, Exec, Scatter::ScatterSum,
    std::conditional_t<scatter_copies, Scatter::ScatterDuplicated,
                       Scatter::ScatterNonDuplicated>,
    std::conditional_t<scatter_copies, Scatter::ScatterNonAtomic,
                       Scatter::ScatterAtomic>>;
struct ScatterAdd {
  MatrixScatter scatter;
  using Access = decltype(std::declval<const MatrixScatter&>().access());
  struct Adder {
    Access access;
    KOKKOS_FORCEINLINE_FUNCTION void operator()(std::ptrdiff_t at,
                                                double value) const {
      access(at) += value;
    }
  };
  KOKKOS_FUNCTION Adder access() const { return {scatter.access()}; }
};

template <int C>
class MatrixPeer {
 public:
  MatrixPeer(const MatrixProblem<C>& problem, const std::string& way)
      : m_problem(problem), m_way(way), m_positions(problem.positions()) {
    if (way == "scatterview")
      m_scatter = MatrixScatter(problem.matrix.values());
  }

  void assemble() {
    const auto& values = m_problem.matrix.values();
    const bool resets  = m_way == "scatterview" && !scatter_copies;
    if (!resets) Sporos::zero(m_problem.exec, m_problem.matrix);
    if (m_way == "hand_serial") {
      m_problem.exec.fence();
      const auto cell = adding(PlainAdd{values.data()});
      for (int c = 0; c < m_problem.cells.size(); ++c) cell(c);
    } else if (m_way == "hand_atomic") {
      run(adding(AtomicAdd{values.data()}));
    } else {
      m_scatter.reset(m_problem.exec);
      run(adding(ScatterAdd{m_scatter}));
      m_scatter.contribute_into(m_problem.exec, values);
    }
    m_problem.exec.fence();
  }

 private:
  template <class Add>
  AddCell<C, Add> adding(const Add& add) const {
    return {m_problem.x.view().data(), m_problem.cell_nodes.view(), m_positions,
            add};
  }
  template <class Cell>
  void run(const Cell& cell) const {
    Kokkos::parallel_for(
        "Sporos::bench::assemble",
        Kokkos::RangePolicy<Exec>(m_problem.exec, 0, m_problem.cells.size()),
        cell);
  }

  const MatrixProblem<C>& m_problem;
  std::string m_way;
  Sporos::Map<>::view_type m_positions;
  MatrixScatter m_scatter;
};

}  // namespace Bench

#endif
