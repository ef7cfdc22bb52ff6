// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_BENCH_MESH_LOOPS_HPP
#define SPOROS_BENCH_MESH_LOOPS_HPP

/// \file Mesh_Loops.hpp
/// The two loops of Mesh_Kernels.hpp as par_loops, with the data that the loops
/// written by hand have, too (Mesh_Peers.hpp).

#include "Mesh_Kernels.hpp"

#include <Sporos_Mesh.hpp>
#include <Sporos_MeshGenerators.hpp>
#include <Sporos_ParLoop.hpp>

#include <cstddef>
#include <vector>

namespace Bench {

using Sporos::Inc;
using Sporos::Read;
using Sporos::Write;

struct StressForces {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 3, 8> x, Read<Real, 3> stress,
                                  Inc<Real, 3, 8> force,
                                  Write<Real, 1> volume) const {
    volume[0] = stress_forces(&x(0, 0), &stress[0], &force(0, 0));
  }
};

struct FaceFlux {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 5, 2> q, Read<Real, 3> normal,
                                  Inc<Real, 5, 2> change) const {
    face_flux(&q(0, 0), &q(1, 0), &normal[0], &change(0, 0), &change(1, 0));
  }
};

/// Diagonal of the stress in each cell.
template <class T>
std::vector<T> cell_stresses(int cells) {
  std::vector<T> stress(3 * std::size_t(cells));
  for (std::size_t k = 0; k < stress.size(); ++k)
    stress[k] = T(1 + double(k % 17) / 16);
  return stress;
}

/// A state of a gas for each cell, not far from rest.
template <class T>
std::vector<T> gas_states(int cells) {
  std::vector<T> q(5 * std::size_t(cells));
  for (std::size_t c = 0; c < std::size_t(cells); ++c) {
    q[5 * c] = T(1 + 0.01 * double(c % 11));
    for (std::size_t k = 1; k < 4; ++k)
      q[5 * c + k] = T(0.01 * double((c + k) % 7));
    q[5 * c + 4] = T(2.5 + 0.01 * double(c % 13));
  }
  return q;
}

/// Normals of all faces, 3 each.
template <class T>
std::vector<T> face_normals(const Sporos::HexMesh& m) {
  std::vector<T> normals;
  const auto x = [&](int node, int k) {
    return m.coordinates[3 * std::size_t(node) + std::size_t(k)];
  };
  for (std::size_t f = 0; f < std::size_t(m.faces()); ++f) {
    const int* n = &m.face_nodes[4 * f];
    for (int k = 0; k < 3; ++k) {
      const int l = (k + 1) % 3, o = (k + 2) % 3;
      const double u = x(n[2], l) - x(n[0], l), v = x(n[3], o) - x(n[1], o);
      const double w = x(n[2], o) - x(n[0], o), z = x(n[3], l) - x(n[1], l);
      normals.push_back(T(0.5 * (u * v - w * z)));
    }
  }
  return normals;
}

/// Hexahedra that add forces to their nodes.
template <class T, class Layout>
struct StressLoop {
  Sporos::Set nodes, cells;
  Sporos::Map<8> cell_nodes;
  Sporos::Dat<T, 3, Layout> x, stress, force;
  Sporos::Dat<T, 1, Layout> volume;

  explicit StressLoop(const Sporos::HexMesh& m)
      : nodes("nodes", m.nodes()),
        cells("cells", m.cells()),
        cell_nodes("cell_nodes", cells, nodes, m.cell_nodes),
        x("x", nodes,
          std::vector<T>(m.coordinates.begin(), m.coordinates.end())),
        stress("stress", cells, cell_stresses<T>(m.cells())),
        force("force", nodes),
        volume("volume", cells) {}

  template <class Exec>
  void run(const Exec& exec, const Sporos::LoopOptions& options) const {
    Sporos::par_loop("stress_forces", exec, cells, options, StressForces{},
                     read(x, cell_nodes), read(stress), inc(force, cell_nodes),
                     write(volume));
  }
  template <class Exec>
  Sporos::LoopPlan<Exec> plan(const Exec& exec,
                              const Sporos::LoopOptions& options) const {
    return Sporos::LoopPlan<Exec>(exec, cells, options, read(x, cell_nodes),
                                  read(stress), inc(force, cell_nodes),
                                  write(volume));
  }
  const Sporos::Dat<T, 3, Layout>& result() const { return force; }
};

/// Faces that add fluxes to their cells.
template <class T, class Layout>
struct FluxLoop {
  Sporos::Set faces, cells;
  Sporos::Map<2> face_cells;
  Sporos::Dat<T, 5, Layout> q, change;
  Sporos::Dat<T, 3, Layout> normal;

  explicit FluxLoop(const Sporos::HexMesh& m)
      : faces("faces", m.faces()),
        cells("cells", m.cells()),
        face_cells("face_cells", faces, cells, m.face_cells),
        q("q", cells, gas_states<T>(m.cells())),
        change("change", cells),
        normal("normal", faces, face_normals<T>(m)) {}

  template <class Exec>
  void run(const Exec& exec, const Sporos::LoopOptions& options) const {
    Sporos::par_loop("face_flux", exec, faces, options, FaceFlux{},
                     read(q, face_cells), read(normal),
                     inc(change, face_cells));
  }
  template <class Exec>
  Sporos::LoopPlan<Exec> plan(const Exec& exec,
                              const Sporos::LoopOptions& options) const {
    return Sporos::LoopPlan<Exec>(exec, faces, options, read(q, face_cells),
                                  read(normal), inc(change, face_cells));
  }
  const Sporos::Dat<T, 5, Layout>& result() const { return change; }
};

}  // namespace Bench

#endif
