// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Airfoil_Ranks.hpp"

#include "Airfoil_Mesh.hpp"
#include "Airfoil_Vtk.hpp"

#include <App_Output.hpp>
#include <Sporos_DistributedMesh.hpp>
#include <Sporos_DistributedMeshFile.hpp>

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

namespace AirfoilApp {
namespace {

using Sporos::GlobalMap;
using Sporos::GlobalMesh;
using Sporos::GlobalSet;
using Exec = Kokkos::DefaultExecutionSpace;

/// A mesh in blocks.
struct GlobalFlowMesh {
  GlobalMesh mesh;
  GlobalSet nodes, cells, edges, boundary;
  GlobalMap<4> cell_nodes;
  GlobalMap<2> edge_nodes, edge_cells, boundary_nodes;
  GlobalMap<1> boundary_cells;
  Sporos::GlobalDat<double, 2> x;
  Sporos::GlobalDat<int, 1> flag;

  GlobalFlowMesh(const Sporos::Communicator& comm, Sporos::QuadMesh&& m)
      : mesh(comm),
        nodes(mesh.set("nodes", m.nodes())),
        cells(mesh.set("cells", m.cells())),
        edges(mesh.set("edges", m.edges())),
        boundary(mesh.set("boundary", m.boundary_edges())),
        cell_nodes(mesh.map<4>("cell_nodes", cells, nodes, m.cell_nodes)),
        edge_nodes(mesh.map<2>("edge_nodes", edges, nodes, m.edge_nodes)),
        edge_cells(mesh.map<2>("edge_cells", edges, cells, m.edge_cells)),
        boundary_nodes(
            mesh.map<2>("boundary_nodes", boundary, nodes, m.boundary_nodes)),
        boundary_cells(
            mesh.map<1>("boundary_cells", boundary, cells, m.boundary_cells)),
        x(mesh.dat<double, 2>("x", nodes, std::move(m.coordinates))),
        flag(mesh.dat<int, 1>("flag", boundary, std::move(m.boundary_flags))) {}

  Counts counts() const {
    Counts c;
    c.nodes          = mesh.size(nodes);
    c.cells          = mesh.size(cells);
    c.edges          = mesh.size(edges);
    c.boundary_edges = mesh.size(boundary);
    return c;
  }
};

/// Cells that share an edge stay together; without PT-Scotch nodes that are
/// close.
Sporos::MeshPartition partition(const GlobalFlowMesh& g) {
  return Sporos::Impl::have_ptscotch
             ? Sporos::MeshPartition::through(g.edge_cells)
             : Sporos::MeshPartition::along(g.x);
}

FlowMesh local_mesh(const GlobalFlowMesh& g,
                    const Sporos::DistributedMesh<Exec>& d) {
  FlowMesh m;
  m.nodes          = d.set(g.nodes);
  m.cells          = d.set(g.cells);
  m.edges          = d.set(g.edges);
  m.boundary       = d.set(g.boundary);
  m.cell_nodes     = d.map(g.cell_nodes);
  m.edge_nodes     = d.map(g.edge_nodes);
  m.edge_cells     = d.map(g.edge_cells);
  m.boundary_nodes = d.map(g.boundary_nodes);
  m.boundary_cells = d.map(g.boundary_cells);
  m.coordinates    = d.dat(g.x).to_host();
  m.flags          = d.dat(g.flag).to_host();
  m.counts         = g.counts();
  m.owned_cells    = m.cells.owned();
  m.cell_numbers   = d.global_numbers(g.cells);
  return m;
}

/// Refuses what needs the whole mesh in one process.
void check_options(const Options& o, int ranks) {
  const auto refuse = [&](const char* option, const std::string& got) {
    throw std::invalid_argument(
        std::string("airfoil: ") + option +
        ": only one process can do that, as it needs the whole mesh; got " +
        got + " and " + std::to_string(ranks) + " ranks");
  };
  if (o.shuffle != 0) refuse("--shuffle", std::to_string(o.shuffle));
  if (!o.write_mesh.empty()) refuse("--write-mesh", o.write_mesh);
}

class Ranks final : public World {
 public:
  Ranks() : m_comm(MPI_COMM_WORLD) {}

  static bool are_many() {
    int size = 1;
    if (Sporos::Impl::mpi_is_running()) MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size > 1;
  }

  bool prints() const override { return m_comm.rank() == 0; }

  FlowMesh make_mesh(const Options& o) override {
    check_options(o, m_comm.size());
    const GlobalFlowMesh global(
        m_comm, o.mesh.empty() ? naca0012_mesh(o.along, o.layers, m_comm.rank(),
                                               m_comm.size())
                               : Sporos::read_mesh_block(m_comm, o.mesh));
    Sporos::DistributeOptions options;
    options.reorder.ordering = Sporos::mesh_ordering(o.ordering);
    options.reorder.by       = "edge_cells";
    if (o.block_size > 0) options.reorder.block_size = o.block_size;
    m_mesh =
        Sporos::distribute(Exec{}, global.mesh, partition(global), options);
    return local_mesh(global, m_mesh);
  }

  std::string describe() const override {
    return "  " + std::to_string(m_comm.size()) + " ranks, dealt out " +
           (Sporos::Impl::have_ptscotch ? "by PT-Scotch"
                                        : "along coordinates") +
           '\n' + m_mesh.describe();
  }

  std::uint64_t sum(std::uint64_t mine) const override {
    Sporos::Impl::check_mpi(MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_UINT64_T,
                                          MPI_SUM, m_comm.mpi()),
                            "airfoil", "MPI_Allreduce");
    return mine;
  }

  void make_folder(const std::string& path) const override {
    Sporos::Impl::agree_on(m_comm, "airfoil",
                           [&] { AppCommon::make_folder("airfoil", path); });
  }

  std::string write_files(const Fields& fields,
                          const Options& o) const override {
    std::vector<std::string> pieces;
    for (int rank = 0; rank < m_comm.size(); ++rank)
      pieces.push_back("airfoil_" + std::to_string(rank) + ".vtu");
    const std::string whole = o.output + "/airfoil.pvtu";
    // the file that names the pieces comes when all are there
    Sporos::Impl::agree_on(m_comm, "airfoil", [&] {
      write_vtk(o.output + '/' + pieces[std::size_t(m_comm.rank())], fields);
    });
    Sporos::Impl::agree_on(m_comm, "airfoil", [&] {
      if (prints()) write_parallel_vtk(whole, pieces);
    });
    return whole + " (one process alone draws pictures)";
  }

 private:
  Sporos::Communicator m_comm;
  Sporos::DistributedMesh<Exec> m_mesh;
};

}  // namespace

std::unique_ptr<World> make_ranks() {
  if (!Ranks::are_many()) return nullptr;
  return std::make_unique<Ranks>();
}

}  // namespace AirfoilApp
