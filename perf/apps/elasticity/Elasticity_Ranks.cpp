// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Elasticity_Ranks.hpp"

#include <Sporos_DistributedMesh.hpp>

#include <App_Job.hpp>

#include <cstddef>
#include <stdexcept>

namespace ElasticityApp {
namespace {

/// \tparam Arity nodes of a cell
template <int Arity>
LocalMesh dealt(const Sporos::Communicator& comm, const MeshBlock& b,
                const Sporos::DistributeOptions& options) {
  Sporos::GlobalMesh global(comm);
  const auto nodes = global.set("nodes", std::int64_t(b.fixed.size()));
  const auto cells =
      global.set("cells", std::int64_t(b.cell_nodes.size() / Arity));
  const auto cell_nodes =
      global.map<Arity>("cell_nodes", cells, nodes, b.cell_nodes);
  const auto unknowns = global.map<Arity>("unknowns", cells, nodes, b.unknowns,
                                          Sporos::MissingEntries::allowed);
  const auto x     = global.dat<double, 3>("coordinates", nodes, b.coordinates);
  const auto fixed = global.dat<int, 1>("fixed", nodes, b.fixed);
  const auto mesh =
      std::make_shared<Sporos::DistributedMesh<Exec>>(Sporos::distribute(
          Exec{}, global, Sporos::MeshPartition::along(x), options));
  const auto any_arity = [&](const auto& map) {
    const auto local = mesh->map(map);
    return Sporos::Map<>(local.state(), local.view());
  };
  LocalMesh m;
  m.shape       = b.shape;
  m.order       = b.order;
  m.nodes       = mesh->set(nodes);
  m.cells       = mesh->set(cells);
  m.cell_nodes  = any_arity(cell_nodes);
  m.unknowns    = any_arity(unknowns);
  m.coordinates = mesh->dat(x);
  m.fixed       = mesh->dat(fixed).to_host();
  m.numbers     = mesh->global_numbers(nodes);
  m.all_nodes   = global.size(nodes);
  m.all_cells   = global.size(cells);
  m.owner       = mesh;
  return m;
}

class WorldOfRanks final : public World {
 public:
  WorldOfRanks(const Sporos::Communicator& comm, bool any_ranks)
      : m_comm(comm) {
    rank                = comm.rank();
    size                = comm.size();
    m_options.any_ranks = any_ranks;
  }

  LocalMesh deal(const MeshBlock& b) const override {
    switch (node_count(b.shape, b.order)) {
      case 4: return dealt<4>(m_comm, b, m_options);
      case 8: return dealt<8>(m_comm, b, m_options);
      case 10: return dealt<10>(m_comm, b, m_options);
      default: return dealt<27>(m_comm, b, m_options);
    }
  }
  std::uint64_t sum(std::uint64_t mine) const override {
    if (MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_UINT64_T, MPI_SUM,
                      m_comm.mpi()) != MPI_SUCCESS)
      throw std::runtime_error("elasticity: MPI_Allreduce failed");
    return mine;
  }
  void together(const std::function<void()>& f) const override {
    AppCommon::together(m_comm.mpi(), f);
  }

 private:
  Sporos::Communicator m_comm;
  Sporos::DistributeOptions m_options;
};

}  // namespace

std::unique_ptr<World> make_world_of_ranks(const Sporos::Communicator& comm,
                                           bool any_ranks) {
  return std::make_unique<WorldOfRanks>(comm, any_ranks);
}

}  // namespace ElasticityApp
