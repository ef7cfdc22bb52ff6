// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MESHOUTPUT_HPP
#define SPOROS_MESHOUTPUT_HPP

/// \file Sporos_MeshOutput.hpp
/// What all writers of mesh files do: they check the mesh, and replace a file
/// when the new one is complete.

#include <Sporos_Error.hpp>
#include <Sporos_MeshGenerators.hpp>
#include <mesh/files/Sporos_MeshText.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace Sporos {
namespace Impl {

/// Throws for what the readers refuse: arrays that do not belong together,
/// numbers out of range, coordinates that are not finite.
inline void check_mesh(const char* function, const QuadMesh& m) {
  const auto same = [&](const char* name, std::size_t actual, int elements,
                        int width) {
    const std::size_t expected = std::size_t(elements) * std::size_t(width);
    check(actual == expected, function, name, text(expected, " values"),
          actual);
  };
  same("coordinates", m.coordinates.size(), m.nodes(), 2);
  same("cell_nodes", m.cell_nodes.size(), m.cells(), 4);
  same("edge_nodes", m.edge_nodes.size(), m.edges(), 2);
  same("edge_cells", m.edge_cells.size(), m.edges(), 2);
  same("boundary_nodes", m.boundary_nodes.size(), m.boundary_edges(), 2);
  same("boundary_flags", m.boundary_flags.size(), m.boundary_edges(), 1);
  const auto below = [&](const char* name, const std::vector<int>& numbers,
                         int end) {
    for (std::size_t k = 0; k < numbers.size(); ++k)
      check(numbers[k] >= 0 && numbers[k] < end, function, name,
            text("numbers in [0, ", end, ')'), numbers[k], " at ", k);
  };
  below("cell_nodes", m.cell_nodes, m.nodes());
  below("edge_nodes", m.edge_nodes, m.nodes());
  below("edge_cells", m.edge_cells, m.cells());
  below("boundary_nodes", m.boundary_nodes, m.nodes());
  below("boundary_cells", m.boundary_cells, m.cells());
  for (std::size_t k = 0; k < m.coordinates.size(); ++k)
    check(std::isfinite(m.coordinates[k]), function, "coordinates",
          "finite numbers", m.coordinates[k], " at ", k);
}

/// Writes a file piece by piece. ".part" follows its name until it is complete;
/// what is not completed is removed. Links, devices and the like are written in
/// place.
class OutputFile {
 public:
  /// \param joins this process writes its pieces of a file that another one
  ///   has begun, and completes
  OutputFile(const char* function, const std::string& path, bool joins = false)
      : m_function(function), m_path(path), m_name(path) {
    std::error_code error;
    const auto type  = std::filesystem::symlink_status(path, error).type();
    const bool aside = type == std::filesystem::file_type::not_found ||
                       type == std::filesystem::file_type::regular;
    if (aside) m_name += ".part";
    m_aside = aside && !joins;
    m_file.reset(std::fopen(m_name.c_str(), joins ? "r+b" : "wb"));
    if (!m_file) fail(joins ? "open" : "create");
  }
  OutputFile(const OutputFile&)            = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile() {
    if (m_aside && !m_complete) std::remove(m_name.c_str());
  }

  void write(const void* data, std::size_t bytes) {
    if (std::fwrite(data, 1, bytes, m_file.get()) != bytes) fail("write");
    m_at += std::int64_t(bytes);
  }
  /// Writes bytes from place `at` of the file on.
  void write_at(std::int64_t at, const void* data, std::size_t bytes) {
    if (bytes == 0) return;
    if (at != m_at && std::fseek(m_file.get(), long(at), SEEK_SET) != 0)
      fail("write");
    m_at = at;
    write(data, bytes);
  }
  /// The last write of this process.
  void close() {
    if (m_file && std::fclose(m_file.release()) != 0) fail("write");
  }
  void complete() {
    close();
    if (m_aside && std::rename(m_name.c_str(), m_path.c_str()) != 0)
      fail("rename");
    m_complete = true;
  }

 private:
  [[noreturn]] void fail(const char* what) const {
    throw_file_error(m_function, m_path, what);
  }

  const char* m_function;
  const std::string& m_path;
  std::string m_name;
  FileHandle m_file;
  std::int64_t m_at = 0;
  bool m_aside = false, m_complete = false;
};

}  // namespace Impl
}  // namespace Sporos

#endif
