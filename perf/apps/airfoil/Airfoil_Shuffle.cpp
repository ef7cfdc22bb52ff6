// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Airfoil_AnySimulation.hpp"

#include <Perf_Numbers.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace AirfoilApp {
namespace {

using Perf::Random;

/// New numbers of n elements.
std::vector<int> new_numbers(int n, Random& random) {
  std::vector<int> number;
  for (int i = 0; i < n; ++i) number.push_back(i);
  for (std::size_t i = number.size(); i > 1; --i)
    std::swap(number[i - 1], number[random.below(i)]);
  return number;
}

/// Rows in a new order.
template <class T>
void move_rows(std::vector<T>& rows, const std::vector<int>& number) {
  if (number.empty()) return;
  const std::size_t width = rows.size() / number.size();
  std::vector<T> moved(rows.size());
  for (std::size_t i = 0; i < number.size(); ++i)
    for (std::size_t k = 0; k < width; ++k)
      moved[std::size_t(number[i]) * width + k] = rows[i * width + k];
  rows = std::move(moved);
}

void renumber(std::vector<int>& targets, const std::vector<int>& number) {
  for (int& t : targets) t = number[std::size_t(t)];
}

}  // namespace

Sporos::QuadMesh shuffled(const Sporos::QuadMesh& mesh, unsigned seed) {
  Random random(seed);
  Sporos::QuadMesh m  = mesh;
  const auto nodes    = new_numbers(m.nodes(), random);
  const auto cells    = new_numbers(m.cells(), random);
  const auto edges    = new_numbers(m.edges(), random);
  const auto boundary = new_numbers(m.boundary_edges(), random);
  for (auto* targets : {&m.cell_nodes, &m.edge_nodes, &m.boundary_nodes})
    renumber(*targets, nodes);
  for (auto* targets : {&m.edge_cells, &m.boundary_cells})
    renumber(*targets, cells);
  move_rows(m.coordinates, nodes);
  move_rows(m.cell_nodes, cells);
  move_rows(m.edge_nodes, edges);
  move_rows(m.edge_cells, edges);
  move_rows(m.boundary_nodes, boundary);
  move_rows(m.boundary_cells, boundary);
  move_rows(m.boundary_flags, boundary);
  return m;
}

}  // namespace AirfoilApp
