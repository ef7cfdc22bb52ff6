// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MESHFILEHDF5_HPP
#define SPOROS_MESHFILEHDF5_HPP

/// \file Sporos_MeshFileHdf5.hpp
/// Reads and writes the HDF5 meshes of OP2's airfoil code (`new_grid.h5`). For
/// files with other sets, maps and dats there is Sporos_Hdf5Mesh.hpp.
/// Programs that include it link Sporos::hdf5. Data sets, all but p_x of
/// integers:
///
///     nodes, cells, edges, bedges     one number each: elements of the set
///     p_x      nodes  x 2             coordinates
///     pcell    cells  x 4             nodes of each cell
///     pedge    edges  x 2             nodes of each edge between two cells
///     pecell   edges  x 2             cells of each of those
///     pbedge   bedges x 2             nodes of each boundary edge
///     pbecell  bedges x 1             cell of each of those
///     p_bound  bedges x 1             which boundary

#include <Sporos_MeshGenerators.hpp>
#include <mesh/files/Sporos_Hdf5File.hpp>
#include <mesh/files/Sporos_Hdf5Output.hpp>
#include <mesh/files/Sporos_MeshOutput.hpp>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace Sporos {

namespace Impl {

/// Numbers of elements of a whole mesh.
struct Hdf5Counts {
  std::int64_t nodes, cells, edges, boundary;

  explicit Hdf5Counts(const Hdf5Reader& file)
      : nodes(hdf5_count(file, "nodes")),
        cells(hdf5_count(file, "cells")),
        edges(hdf5_count(file, "edges")),
        boundary(hdf5_count(file, "bedges")) {}
};

/// Throws unless all entries are in [0, end).
inline void check_entries(const Hdf5Reader& file, const char* name,
                          const std::vector<int>& entries, std::int64_t end) {
  for (const int entry : entries)
    if (entry < 0 || entry >= end)
      file.fail(std::string(name) + ": expected numbers in [0, " +
                std::to_string(end) + "), got " + std::to_string(entry));
}

inline void check_values(const Hdf5Reader& file, const Hdf5Counts& n,
                         const QuadMesh& m) {
  for (const double x : m.coordinates)
    if (!std::isfinite(x))
      file.fail("p_x: expected finite numbers, got " + std::to_string(x));
  check_entries(file, "pcell", m.cell_nodes, n.nodes);
  check_entries(file, "pedge", m.edge_nodes, n.nodes);
  check_entries(file, "pecell", m.edge_cells, n.cells);
  check_entries(file, "pbedge", m.boundary_nodes, n.nodes);
  check_entries(file, "pbecell", m.boundary_cells, n.cells);
}

/// Block `part` of `parts` of all sets.
inline QuadMesh read_hdf5_block(const Hdf5Reader& file, int part, int parts) {
  const Hdf5Counts n(file);
  const auto rows = [&](auto type, const char* name, std::int64_t count,
                        int width) {
    return file.rows<decltype(type)>(name, count, width, count * part / parts,
                                     count * (part + 1) / parts);
  };
  QuadMesh m;
  m.coordinates    = rows(0., "p_x", n.nodes, 2);
  m.cell_nodes     = rows(0, "pcell", n.cells, 4);
  m.edge_nodes     = rows(0, "pedge", n.edges, 2);
  m.edge_cells     = rows(0, "pecell", n.edges, 2);
  m.boundary_nodes = rows(0, "pbedge", n.boundary, 2);
  m.boundary_cells = rows(0, "pbecell", n.boundary, 1);
  m.boundary_flags = rows(0, "p_bound", n.boundary, 1);
  file.throw_late_errors();
  check_values(file, n, m);
  return m;
}

}  // namespace Impl

/// Reads a mesh.
/// \throws std::runtime_error with the name of the file, and for a file with
///   other contents also with the data set, what was expected and what is there
inline QuadMesh read_mesh_hdf5(const std::string& path) {
  const Impl::QuietHdf5 quiet;
  return Impl::read_hdf5_block(Impl::Hdf5Reader("Sporos::read_mesh_hdf5", path),
                               0, 1);
}

/// Writes a mesh, with the attributes that OP2 asks for. read_mesh_hdf5 reads
/// the same bits back. Until the file is complete its name is that with
/// ".part", and a file of the name itself stays as it is. \throws as write_mesh
inline void write_mesh_hdf5(const std::string& path, const QuadMesh& m) {
  Impl::check_mesh("Sporos::write_mesh_hdf5", m);
  const Impl::QuietHdf5 quiet;
  Impl::Hdf5Writer file("Sporos::write_mesh_hdf5", path);
  file.number("nodes", m.nodes());
  file.number("cells", m.cells());
  file.number("edges", m.edges());
  file.number("bedges", m.boundary_edges());
  constexpr bool of_map = true, of_dat = false;
  file.rows("p_x", 2, of_dat, m.coordinates);
  file.rows("pcell", 4, of_map, m.cell_nodes);
  file.rows("pedge", 2, of_map, m.edge_nodes);
  file.rows("pecell", 2, of_map, m.edge_cells);
  file.rows("pbedge", 2, of_map, m.boundary_nodes);
  file.rows("pbecell", 1, of_map, m.boundary_cells);
  file.rows("p_bound", 1, of_dat, m.boundary_flags);
  file.write();
  file.finish();
}

}  // namespace Sporos

#endif
