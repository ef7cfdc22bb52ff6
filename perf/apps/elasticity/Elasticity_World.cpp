// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Elasticity_World.hpp"

#include <cstddef>
#include <numeric>

namespace ElasticityApp {
namespace {

class WorldOfOne final : public World {
 public:
  LocalMesh deal(const MeshBlock& b) const override {
    const int arity = node_count(b.shape, b.order);
    LocalMesh m;
    m.shape = b.shape;
    m.order = b.order;
    m.nodes = Sporos::Set("nodes", b.fixed.size());
    m.cells = Sporos::Set("cells", b.cell_nodes.size() / std::size_t(arity));
    m.cell_nodes =
        Sporos::Map<>("cell_nodes", m.cells, m.nodes, arity, b.cell_nodes);
    m.unknowns = Sporos::Map<>("unknowns", m.cells, m.nodes, arity, b.unknowns,
                               Sporos::MissingEntries::allowed);
    m.coordinates =
        Sporos::Dat<double, 3>("coordinates", m.nodes, b.coordinates);
    m.fixed     = b.fixed;
    m.all_nodes = m.nodes.size();
    m.all_cells = m.cells.size();
    m.numbers.resize(b.fixed.size());
    std::iota(m.numbers.begin(), m.numbers.end(), 0);
    return m;
  }
};

}  // namespace

std::unique_ptr<World> make_world_of_one() {
  return std::make_unique<WorldOfOne>();
}

}  // namespace ElasticityApp
