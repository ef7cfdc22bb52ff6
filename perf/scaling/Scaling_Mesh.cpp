// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Scaling_Mesh.hpp"

#include <metis.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace Scaling {
namespace {

/// Cells as vertices, edges between two cells as edges.
struct DualGraph {
  std::vector<idx_t> first, neighbours;
};

DualGraph dual_graph(const Sporos::QuadMesh& mesh) {
  DualGraph graph;
  graph.first.assign(std::size_t(mesh.cells()) + 1, 0);
  for (const int cell : mesh.edge_cells) ++graph.first[std::size_t(cell) + 1];
  for (std::size_t c = 1; c < graph.first.size(); ++c)
    graph.first[c] += graph.first[c - 1];
  graph.neighbours.resize(mesh.edge_cells.size());
  std::vector<idx_t> next(graph.first.begin(), graph.first.end() - 1);
  for (std::size_t e = 0; e < mesh.edge_cells.size(); e += 2) {
    const int a = mesh.edge_cells[e], b = mesh.edge_cells[e + 1];
    graph.neighbours[std::size_t(next[std::size_t(a)]++)] = b;
    graph.neighbours[std::size_t(next[std::size_t(b)]++)] = a;
  }
  return graph;
}

}  // namespace

std::vector<int> parts_of_cells(const Sporos::QuadMesh& mesh, int parts) {
  std::vector<idx_t> part(std::size_t(mesh.cells()), 0);
  if (parts > 1) {
    DualGraph graph = dual_graph(mesh);
    idx_t n = mesh.cells(), constraints = 1, k = parts, cut = 0;
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    const int status           = METIS_PartGraphKway(
                  &n, &constraints, graph.first.data(), graph.neighbours.data(), nullptr,
                  nullptr, nullptr, &k, nullptr, nullptr, options, &cut, part.data());
    if (status != METIS_OK)
      throw std::runtime_error("parts_of_cells: METIS failed with status " +
                               std::to_string(status));
  }
  return std::vector<int>(part.begin(), part.end());
}

std::vector<MeshPart> count_parts(const Sporos::QuadMesh& mesh,
                                  const std::vector<int>& part_of_cell,
                                  int parts) {
  std::vector<MeshPart> counts(static_cast<std::size_t>(parts));
  for (const int p : part_of_cell) ++counts[std::size_t(p)].cells;
  std::vector<std::pair<int, int>> halo, neighbours;  // (part, cell or part)
  for (std::size_t e = 0; e < mesh.edge_cells.size(); e += 2) {
    const int a = mesh.edge_cells[e], b = mesh.edge_cells[e + 1];
    const int p = part_of_cell[std::size_t(a)];
    const int q = part_of_cell[std::size_t(b)];
    if (p == q) {
      ++counts[std::size_t(p)].core;
      continue;
    }
    ++counts[std::size_t(p)].rest;
    ++counts[std::size_t(q)].rest;
    halo.insert(halo.end(), {{p, b}, {q, a}});
    neighbours.insert(neighbours.end(), {{p, q}, {q, p}});
  }
  const auto unique = [](std::vector<std::pair<int, int>>& pairs) {
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  };
  unique(halo);
  unique(neighbours);
  for (const auto& [p, cell] : halo) {
    ++counts[std::size_t(p)].halo;
    ++counts[std::size_t(part_of_cell[std::size_t(cell)])].sent;
  }
  for (const auto& pair : neighbours)
    ++counts[std::size_t(pair.first)].neighbours;
  return counts;
}

double iteration_time(const std::vector<MeshPart>& parts,
                      const Machine& machine) {
  double slowest = 0;
  for (const MeshPart& p : parts) {
    const double message =
        machine.exchange(double(p.neighbours), exchange_bytes(p));
    const double core = machine.edge * double(p.core) * 1e-6 / 2;  // a stage
    const double rest = machine.edge * double(p.rest) * 1e-6 / 2;
    slowest = std::max(slowest, machine.cell * double(p.cells) * 1e-6 +
                                    2 * (std::max(core, message) + rest));
  }
  return slowest + 2 * machine.reduction(double(parts.size()), sum_bytes);
}

}  // namespace Scaling
