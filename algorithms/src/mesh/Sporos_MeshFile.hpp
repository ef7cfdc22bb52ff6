// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MESHFILE_HPP
#define SPOROS_MESHFILE_HPP

/// \file Sporos_MeshFile.hpp
/// Reads and writes the plain-text meshes of OP2's airfoil code
/// (`new_grid.dat`).
///
/// A line is a record; blanks separate its fields. Elements are numbered from
/// 0:
///
///     nodes cells edges boundary_edges
///     x y                                  for each node
///     node0 node1 node2 node3              for each cell
///     node0 node1 cell0 cell1              for each edge between two cells
///     node0 node1 cell flag                for each boundary edge

#include <Sporos_MeshGenerators.hpp>
#include <mesh/files/Sporos_MeshOutput.hpp>
#include <mesh/files/Sporos_MeshReader.hpp>
#include <mesh/files/Sporos_MeshText.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace Sporos {

/// Reads a mesh. Blank lines are skipped; every other line must be one record
/// with exactly its fields, and indices must be in range. Coordinates too small
/// for a double become 0.
/// \throws std::runtime_error with the name of the file; for truncated or
///         corrupt contents also with the line, the record, the field, and the
///         expected and actual text
inline QuadMesh read_mesh(const std::string& path) {
  const std::string contents = Impl::whole_file("Sporos::read_mesh", path);
  Impl::MeshReader file(path, contents);
  const std::vector<int> counts = Impl::read_counts(file);
  QuadMesh m =
      Impl::read_records(file, counts, 0, Impl::number_of_records(counts));
  file.end_file();
  return m;
}

namespace Impl {

/// Writes a file record by record.
class MeshWriter {
 public:
  explicit MeshWriter(const std::string& path)
      : m_file("Sporos::write_mesh", path) {}

  template <class T>
  void fields(const T* values, int count) {
    for (int k = 0; k < count; ++k) {
      append_number(m_text, values[k]);
      m_text += ' ';
    }
  }
  void end_record() {
    m_text.back() = '\n';
    if (m_text.size() > std::size_t(1) << 20) flush();
  }
  void complete() {
    flush();
    m_file.complete();
  }

 private:
  void flush() {
    m_file.write(m_text.data(), m_text.size());
    m_text.clear();
  }

  OutputFile m_file;
  std::string m_text;
};

}  // namespace Impl

/// Writes a mesh. read_mesh reads the same bits back. Until the file is
/// complete its name is that with ".part", and a file of the name itself stays
/// as it is. \throws std::invalid_argument for what read_mesh would refuse:
/// arrays whose
///   sizes do not fit together, numbers out of range, coordinates that are not
///   finite
/// \throws std::runtime_error with the name of the file and the reason if
///   writing fails
inline void write_mesh(const std::string& path, const QuadMesh& m) {
  Impl::check_mesh("Sporos::write_mesh", m);
  Impl::MeshWriter file(path);
  const int counts[] = {m.nodes(), m.cells(), m.edges(), m.boundary_edges()};
  file.fields(counts, 4);
  file.end_record();
  const auto row = [&file](const auto& values, int element, int width) {
    file.fields(&values[std::size_t(element) * std::size_t(width)], width);
  };
  for (int n = 0; n < m.nodes(); ++n) {
    row(m.coordinates, n, 2);
    file.end_record();
  }
  for (int c = 0; c < m.cells(); ++c) {
    row(m.cell_nodes, c, 4);
    file.end_record();
  }
  for (int e = 0; e < m.edges(); ++e) {
    row(m.edge_nodes, e, 2);
    row(m.edge_cells, e, 2);
    file.end_record();
  }
  for (int b = 0; b < m.boundary_edges(); ++b) {
    row(m.boundary_nodes, b, 2);
    row(m.boundary_cells, b, 1);
    row(m.boundary_flags, b, 1);
    file.end_record();
  }
  file.complete();
}

}  // namespace Sporos

#endif
