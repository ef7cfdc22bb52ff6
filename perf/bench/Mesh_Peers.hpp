// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_BENCH_MESH_PEERS_HPP
#define SPOROS_BENCH_MESH_PEERS_HPP

/// \file Mesh_Peers.hpp
/// The loops of the benchmark written by hand with OpenMP, on arrays of
/// structures and with scalar arithmetic.

#include "../apps/airfoil/Airfoil_Serial.hpp"
#include "Bench_Measure.hpp"
#include "Mesh_Coloring.hpp"
#include "Mesh_Loops.hpp"

#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace Bench {
namespace ByHand {

/// How increments of several threads to one target are kept apart.
enum class Way { serial, block_colored, atomic };

inline Way way(const std::string& name) {
  if (name == "hand_serial") return Way::serial;
  if (name == "hand_block_colored") return Way::block_colored;
  if (name == "hand_atomic") return Way::atomic;
  throw std::invalid_argument("no loop written by hand is called " + name);
}

inline std::size_t at(int width, int element) {
  return std::size_t(width) * std::size_t(element);
}

/// The colouring with the block size that is fastest.
/// \param run runs the loop with a colouring
template <class Run>
BlockColors best_colors(const std::vector<int>& targets, int arity,
                        int number_of_targets, const Run& run) {
  BlockColors best;
  double least = std::numeric_limits<double>::infinity();
  for (const int block : {512, 2048, 8192}) {
    const BlockColors c =
        color_blocks(targets, arity, number_of_targets, block);
    run(c);
    for (int k = 0; k < 3; ++k) {
      const Timer timer;
      run(c);
      if (timer.seconds() < least) {
        least = timer.seconds();
        best  = c;
      }
    }
  }
  return best;
}

/// The airfoil code; fields are those of the serial one.
template <class T>
class Airfoil : public AirfoilApp::SerialAirfoil<T> {
 public:
  Airfoil(const Sporos::QuadMesh& m, Way w)
      : AirfoilApp::SerialAirfoil<T>(m), m_way(w) {
    if (w != Way::block_colored) return;
    this->adt_calc();
    const auto before = this->res;
    m_colors          = best_colors(m.edge_cells, 2, m.cells(),
                                    [&](const BlockColors& c) { colored(c); });
    this->res         = before;
  }

  void save_soln() {
    if (m_way == Way::serial) return Serial::save_soln();
    parallel(this->mesh.cells(), [this](int c) {
      AirfoilApp::Element::save_soln(&this->q[at(4, c)], &this->old[at(4, c)]);
    });
  }
  void adt_calc() {
    if (m_way == Way::serial) return Serial::adt_calc();
    parallel(this->mesh.cells(), [this](int c) { this->adt_of(c); });
  }
  void res_calc() {
    if (m_way == Way::serial) return Serial::res_calc();
    if (m_way == Way::block_colored) return colored(m_colors);
    parallel(this->mesh.edges(), [this](int e) {
      T first[4] = {}, second[4] = {};
      const int* c = &this->mesh.edge_cells[at(2, e)];
      this->res_of(e, first, second);
      atomic_add<4>(&this->res[at(4, c[0])], first);
      atomic_add<4>(&this->res[at(4, c[1])], second);
    });
  }
  double update() {
    if (m_way == Way::serial) return Serial::update();
    double sum      = 0;
    const int cells = this->mesh.cells();
    SPOROS_BENCH_OPENMP("omp parallel for schedule(static) reduction(+ : sum)")
    for (int c = 0; c < cells; ++c) sum += double(this->update_of(c));
    return sum;
  }
  double iterate() {
    save_soln();
    double sum = 0;
    for (int stage = 0; stage < 2; ++stage) {
      adt_calc();
      res_calc();
      this->bres_calc();
      sum = update();
    }
    return std::sqrt(sum / this->mesh.cells());
  }

 private:
  using Serial = AirfoilApp::SerialAirfoil<T>;

  void colored(const BlockColors& colors) {
    block_colored(colors, [this](int e) {
      const int* c = &this->mesh.edge_cells[at(2, e)];
      this->res_of(e, &this->res[at(4, c[0])], &this->res[at(4, c[1])]);
    });
  }

  Way m_way;
  BlockColors m_colors;
};

/// Hexahedra that add forces to their nodes.
template <class T>
class Stress {
 public:
  Stress(const Sporos::HexMesh& m, Way w)
      : mesh(m),
        x(m.coordinates.begin(), m.coordinates.end()),
        stress(cell_stresses<T>(m.cells())),
        volume(at(1, m.cells())),
        force(at(3, m.nodes())),
        m_way(w) {
    if (w == Way::block_colored)
      m_colors = best_colors(m.cell_nodes, 8, m.nodes(),
                             [&](const BlockColors& c) { colored(c); });
    force.assign(force.size(), T(0));
  }

  void run() {
    if (m_way == Way::block_colored) return colored(m_colors);
    if (m_way == Way::serial)
      return serial(mesh.cells(), [this](int e) { element(e); });
    parallel(mesh.cells(), [this](int e) {
      T f[24] = {};
      forces(e, f);
      for (int n = 0; n < 8; ++n)
        atomic_add<3>(&force[at(3, mesh.cell_nodes[at(8, e) + std::size_t(n)])],
                      f + 3 * n);
    });
  }

  const Sporos::HexMesh& mesh;
  std::vector<T> x, stress, volume, force;

 private:
  void forces(int e, T* f) {
    const int* nodes = &mesh.cell_nodes[at(8, e)];
    T local[24];
    for (int n = 0; n < 8; ++n)
      for (int k = 0; k < 3; ++k)
        local[3 * n + k] = x[at(3, nodes[n]) + std::size_t(k)];
    volume[at(1, e)] = stress_forces(local, &stress[at(3, e)], f);
  }
  void element(int e) {
    T f[24] = {};
    forces(e, f);
    const int* nodes = &mesh.cell_nodes[at(8, e)];
    for (int n = 0; n < 8; ++n)
      for (int k = 0; k < 3; ++k)
        force[at(3, nodes[n]) + std::size_t(k)] += f[3 * n + k];
  }
  void colored(const BlockColors& colors) {
    block_colored(colors, [this](int e) { element(e); });
  }

  Way m_way;
  BlockColors m_colors;
};

/// Faces that add fluxes to their cells.
template <class T>
class Flux {
 public:
  Flux(const Sporos::HexMesh& m, Way w)
      : mesh(m),
        normal(face_normals<T>(m)),
        q(gas_states<T>(m.cells())),
        change(q.size()),
        m_way(w) {
    if (w == Way::block_colored)
      m_colors = best_colors(m.face_cells, 2, m.cells(),
                             [&](const BlockColors& c) { colored(c); });
    change.assign(change.size(), T(0));
  }

  void run() {
    if (m_way == Way::block_colored) return colored(m_colors);
    if (m_way == Way::serial)
      return serial(mesh.faces(), [this](int f) { face(f); });
    parallel(mesh.faces(), [this](int f) {
      const int* c = &mesh.face_cells[at(2, f)];
      T out[5] = {}, in[5] = {};
      face_flux(&q[at(5, c[0])], &q[at(5, c[1])], &normal[at(3, f)], out, in);
      atomic_add<5>(&change[at(5, c[0])], out);
      atomic_add<5>(&change[at(5, c[1])], in);
    });
  }

  const Sporos::HexMesh& mesh;
  std::vector<T> normal, q, change;

 private:
  void face(int f) {
    const int* c = &mesh.face_cells[at(2, f)];
    face_flux(&q[at(5, c[0])], &q[at(5, c[1])], &normal[at(3, f)],
              &change[at(5, c[0])], &change[at(5, c[1])]);
  }
  void colored(const BlockColors& colors) {
    block_colored(colors, [this](int f) { face(f); });
  }

  Way m_way;
  BlockColors m_colors;
};

}  // namespace ByHand
}  // namespace Bench

#endif
