// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_AIRFOIL_SERIAL_HPP
#define SPOROS_AIRFOIL_SERIAL_HPP

/// \file Airfoil_Serial.hpp
/// The whole airfoil code as one thread's plain loops, without Sporos' loops.

#include "Airfoil_Flow.hpp"

#include <Sporos_MeshGenerators.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

namespace AirfoilApp {

/// Owns the fields; the mesh must outlive it.
template <class T>
class SerialAirfoil {
 public:
  explicit SerialAirfoil(const Sporos::QuadMesh& m)
      : mesh(m),
        x(m.coordinates.begin(), m.coordinates.end()),
        q(4 * std::size_t(m.cells())),
        old(q.size()),
        adt(std::size_t(m.cells())),
        res(q.size()) {
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = flow.far[i % 4];
  }

  void save_soln() {
    for (int c = 0; c < mesh.cells(); ++c)
      Element::save_soln(&q[at(4, c)], &old[at(4, c)]);
  }
  void adt_calc() {
    for (int c = 0; c < mesh.cells(); ++c) adt_of(c);
  }
  void res_calc() {
    for (int e = 0; e < mesh.edges(); ++e) {
      const int* c = &mesh.edge_cells[at(2, e)];
      res_of(e, &res[at(4, c[0])], &res[at(4, c[1])]);
    }
  }
  void bres_calc() {
    for (int b = 0; b < mesh.boundary_edges(); ++b) {
      const int* n = &mesh.boundary_nodes[at(2, b)];
      const int c  = mesh.boundary_cells[at(1, b)];
      Element::bres_calc(flow, node(n[0]), node(n[1]), &q[at(4, c)],
                         adt[at(1, c)], mesh.boundary_flags[at(1, b)],
                         &res[at(4, c)]);
    }
  }
  /// \return sum of the squared changes
  double update() {
    double sum = 0;
    for (int c = 0; c < mesh.cells(); ++c) sum += double(update_of(c));
    return sum;
  }

  /// Two Runge-Kutta stages.
  /// \return root of the mean squared change of the second one
  double iterate() {
    save_soln();
    double sum = 0;
    for (int stage = 0; stage < 2; ++stage) {
      adt_calc();
      res_calc();
      bres_calc();
      sum = update();
    }
    return std::sqrt(sum / mesh.cells());
  }

  // ---- one element

  void adt_of(int c) {
    const int* n  = &mesh.cell_nodes[at(4, c)];
    adt[at(1, c)] = Element::adt_calc(flow, node(n[0]), node(n[1]), node(n[2]),
                                      node(n[3]), &q[at(4, c)]);
  }
  /// Adds to first and second.
  void res_of(int e, T* first, T* second) {
    const int *n = &mesh.edge_nodes[at(2, e)], *c = &mesh.edge_cells[at(2, e)];
    Element::res_calc(flow, node(n[0]), node(n[1]), &q[at(4, c[0])],
                      &q[at(4, c[1])], adt[at(1, c[0])], adt[at(1, c[1])],
                      first, second);
  }
  T update_of(int c) {
    return Element::update(&old[at(4, c)], &q[at(4, c)], &res[at(4, c)],
                           adt[at(1, c)]);
  }

  const Sporos::QuadMesh& mesh;
  Flow<T> flow;
  std::vector<T> x, q, old, adt, res;

 private:
  static std::size_t at(int components, int element) {
    return std::size_t(components) * std::size_t(element);
  }
  const T* node(int n) const { return &x[at(2, n)]; }
};

}  // namespace AirfoilApp

#endif
