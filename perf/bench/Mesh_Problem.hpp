// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_BENCH_MESH_PROBLEM_HPP
#define SPOROS_BENCH_MESH_PROBLEM_HPP

/// \file Mesh_Problem.hpp
/// What a row is about, and its mesh.

#include "../apps/airfoil/Airfoil_AnySimulation.hpp"
#include "../apps/airfoil/Airfoil_Mesh.hpp"
#include "Bench_Measure.hpp"

#include <Sporos_MeshGenerators.hpp>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace Bench {

/// One row: what its name says.
struct Row {
  std::string kernel;    ///< see kernels
  std::string strategy;  ///< or peer
  bool packs = true;
  std::string ordering;  ///< see orderings
  std::string layout;    ///< aos or soa
  int size = 0;          ///< cells of the profile, or of a side of the box

  bool by_hand() const { return strategy.rfind("hand_", 0) == 0; }
  bool on_box() const {
    return kernel == "stress_forces" || kernel == "face_flux";
  }
  bool is_shuffled() const { return ordering.rfind("shuffled", 0) == 0; }
  /// The ordering that the library is asked for.
  std::string renumbering() const {
    if (ordering == "shuffled") return "natural";
    return is_shuffled() ? ordering.substr(9) : ordering;
  }
};

/// What is run for a row: a smaller mesh where rows are tiny().
inline Row work_row(Row row) {
  if (tiny()) row.size = row.on_box() ? 6 : 8;
  return row;
}

/// Meshes of the last row; many rows share them.
class MeshCache {
 public:
  /// The mesh around a profile with `along` cells on it and 3/2 times as many
  /// layers: 4.5 along^2 cells.
  const Sporos::QuadMesh& quads(int along, bool shuffled) {
    if (m_along != along || m_shuffled != shuffled) {
      m_quads = AirfoilApp::naca0012_mesh(along, along * 3 / 2);
      if (shuffled) m_quads = AirfoilApp::shuffled(m_quads, 1);
      m_along    = along;
      m_shuffled = shuffled;
    }
    return m_quads;
  }

  /// A cube of side^3 cells.
  const Sporos::HexMesh& hexes(int side) {
    if (m_side != side) m_hexes = Sporos::hex_mesh(side, side, side);
    m_side = side;
    return m_hexes;
  }

 private:
  int m_along = 0, m_side = 0;
  bool m_shuffled = false;
  Sporos::QuadMesh m_quads;
  Sporos::HexMesh m_hexes;
};

/// The loop of the airfoil code with a name; -1: none of them.
inline int airfoil_loop(const std::string& kernel) {
  for (int k = 0; k < AirfoilApp::loops; ++k)
    if (kernel == AirfoilApp::loop_names[k]) return k;
  return -1;
}

/// Elements that a row's loop runs over; cells for a whole iteration.
inline std::int64_t row_elements(const Row& row) {
  const std::int64_t n = row.size;
  if (row.kernel == "stress_forces") return n * n * n;
  if (row.kernel == "face_flux") return 3 * n * n * (n - 1);
  const std::int64_t layers = n * 3 / 2;
  if (row.kernel == "res_calc" || row.kernel == "plan_res_calc")
    return (3 * n - 1) * layers + 3 * n * (layers - 1) + n;
  return 3 * n * layers;
}

/// Useful bytes of a run; 0 where there is no telling.
inline std::size_t row_bytes(const Row& row, MeshCache& cache) {
  constexpr std::size_t real = sizeof(double);
  if (row.on_box()) {
    const auto n     = std::size_t(row.size);
    const auto cells = n * n * n, faces = 3 * n * n * (n - 1);
    const auto nodes = (n + 1) * (n + 1) * (n + 1);
    return row.kernel == "face_flux"
               ? faces * (2 * sizeof(int) + 3 * real) + 15 * real * cells
               : cells * (8 * sizeof(int) + 4 * real) + 9 * real * nodes;
  }
  const auto& mesh = cache.quads(row.size, row.is_shuffled());
  const auto bytes = [&](int loop) {
    return AirfoilApp::useful_bytes(mesh, AirfoilApp::Loop(loop), real);
  };
  const int loop = airfoil_loop(row.kernel);
  if (loop >= 0) return bytes(loop);
  if (row.kernel != "iteration") return 0;
  std::size_t sum = bytes(AirfoilApp::save_soln);
  for (int k = AirfoilApp::adt_calc; k < AirfoilApp::loops; ++k)
    sum += 2 * bytes(k);
  return sum;
}

inline std::string row_name(const Row& row) {
  return row.kernel + '/' + row.strategy + '/' +
         (row.packs ? "packs/" : "scalar/") + row.ordering + '/' + row.layout +
         '/' + std::to_string(row_elements(row));
}

}  // namespace Bench

#endif
