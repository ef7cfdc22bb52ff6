// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_BENCH_MESH_REUSE_HPP
#define SPOROS_BENCH_MESH_REUSE_HPP

/// \file Mesh_Reuse.hpp
/// The table of reuse factors of Sulyok, Balogh, Reguly, Mudalige, "Locality
/// optimized unstructured mesh algorithms on GPUs": the targets that a block of
/// elements reaches, summed over blocks, over the entries of the map. It is 1
/// without any reuse; lower is better.

#include "../apps/airfoil/Airfoil_Mesh.hpp"

#include <Sporos_Mesh.hpp>
#include <Sporos_MeshGenerators.hpp>
#include <Sporos_Reorder.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

namespace Bench {

/// Beginnings of blocks of `size` elements, and the end.
inline std::vector<int> equal_blocks(int elements, int size) {
  std::vector<int> begins;
  for (int b = 0; b < elements; b += size) begins.push_back(b);
  begins.push_back(elements);
  return begins;
}

/// \param rows arity targets per element
inline double reuse_factor(const std::vector<int>& rows, int arity, int targets,
                           const std::vector<int>& begins) {
  std::vector<int> last(std::size_t(targets), -1);
  double reached = 0;
  for (std::size_t b = 0; b + 1 < begins.size(); ++b)
    for (int e = begins[b] * arity; e < begins[b + 1] * arity; ++e) {
      int& seen = last[std::size_t(rows[std::size_t(e)])];
      if (seen != int(b)) ++reached;
      seen = int(b);
    }
  return reached / double(rows.size());
}

/// One line for each ordering.
template <int Arity>
void print_reuse(const std::string& mesh, const std::vector<int>& entries,
                 int elements, int targets) {
  for (const char* ordering : {"natural", "gps", "metis"}) {
    std::printf("| %s | %s |", mesh.c_str(), ordering);
    for (const int block : {128, 256, 512}) {
      const Sporos::Set from("elements", elements), to("targets", targets);
      const Sporos::Map<Arity> map("map", from, to, entries);
      Sporos::ReorderOptions options;
      options.ordering   = Sporos::mesh_ordering(ordering);
      options.block_size = block;
      const auto order   = Sporos::reorder(Sporos::Mesh(map), options);
      auto begins        = order.blocks(from);
      if (begins.empty()) begins = equal_blocks(elements, block);
      std::printf(" %.4f |",
                  reuse_factor(map.to_host(), Arity, targets, begins));
      std::fflush(stdout);
    }
    std::printf("\n");
  }
}

/// Prints a Markdown table: increments of the airfoil code's res_calc, of
/// stress_forces and face_flux.
/// \param side cells of a side of the cubes
/// \return what main returns
inline int print_reuse(int along, int side) {
  std::printf(
      "| mesh | numbering | block 128 | block 256 | block 512 |\n"
      "|---|---|---|---|---|\n");
  {
    const auto m = AirfoilApp::naca0012_mesh(along, along * 3 / 2);
    print_reuse<2>("airfoil, edges to cells", m.edge_cells, m.edges(),
                   m.cells());
  }
  const auto m = Sporos::hex_mesh(side, side, side);
  print_reuse<8>("LULESH-like, hexahedra to nodes", m.cell_nodes, m.cells(),
                 m.nodes());
  print_reuse<2>("miniAero-like, faces to cells", m.face_cells, m.faces(),
                 m.cells());
  return 0;
}

}  // namespace Bench

#endif
