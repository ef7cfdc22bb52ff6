// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_VTKOUTPUT_HPP
#define SPOROS_VTKOUTPUT_HPP

/// \file Sporos_VtkOutput.hpp
/// VTK XML files of unstructured grids, whose arrays are appended as they are
/// in memory. Users include Sporos_MeshVtk.hpp.

#include <Sporos_KokkosCompat.hpp>
#include <mesh/files/Sporos_MeshOutput.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace Sporos {
namespace Impl {

/// Numbers as VTK names them.
template <class T>
struct VtkNumber {
  static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>,
                "Sporos::MeshVtk: values must be numbers or Kokkos::complex");
  static constexpr int parts = 1;
  static std::string type() {
    return (std::is_floating_point_v<T> ? "Float"
            : std::is_signed_v<T>       ? "Int"
                                        : "UInt") +
           std::to_string(8 * sizeof(T));
  }
};
template <class R>
struct VtkNumber<Kokkos::complex<R>> : VtkNumber<R> {
  static constexpr int parts = 2;
};

/// An array of a file.
struct VtkArray {
  std::string name, type;
  int components          = 1;
  std::vector<char> bytes = {};

  template <class T>
  void set(const std::vector<T>& values) {
    bytes.resize(values.size() * sizeof(T));
    if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  }
};

/// What a file holds.
struct VtkMesh {
  std::int64_t points = 0;
  int arity = 0, cell_type = 0;
  VtkArray coordinates;
  std::vector<VtkArray> cells;  ///< connectivity, offsets, types
  std::vector<VtkArray> point_data, cell_data;

  std::size_t cell_count() const { return cells[2].bytes.size(); }

  void set_cells(const std::vector<int>& rows) {
    const std::size_t n = rows.size() / std::size_t(arity);
    std::vector<std::int64_t> ends(n);
    for (std::size_t c = 0; c < n; ++c) ends[c] = std::int64_t(c + 1) * arity;
    cells = {
        {"connectivity", "Int32"}, {"offsets", "Int64"}, {"types", "UInt8"}};
    cells[0].set(rows);
    cells[1].set(ends);
    cells[2].set(std::vector<std::uint8_t>(n, std::uint8_t(cell_type)));
  }
};

/// A text as the value of an attribute.
inline std::string xml_text(const std::string& text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  return out;
}

/// The XML part of a file, and the arrays that follow it.
class VtkXml {
 public:
  /// kind: of the file
  explicit VtkXml(const char* kind) : m_kind(kind) {
    const std::uint16_t one = 1;
    const bool little = *reinterpret_cast<const unsigned char*>(&one) == 1;
    m_text << "<?xml version=\"1.0\"?>\n<VTKFile type=\"" << kind
           << "\" version=\"1.0\" byte_order=\""
           << (little ? "LittleEndian" : "BigEndian")
           << "\" header_type=\"UInt64\">\n<" << kind;
  }

  std::ostream& text() { return m_text; }

  /// <name>, the arrays, </name>. P: only what they are
  void section(const std::string& name, const std::vector<VtkArray>& arrays,
               bool only_declared) {
    const std::string p = only_declared ? "P" : "";
    m_text << '<' << p << name;
    if (name != "Points" && name != "Cells") {  // what is shown at first
      attribute("Scalars", 1, arrays);
      attribute("Vectors", 3, arrays);
    }
    m_text << ">\n";
    for (const VtkArray& a : arrays) {
      m_text << '<' << p << "DataArray type=\"" << a.type << "\" Name=\""
             << xml_text(a.name) << "\" NumberOfComponents=\"" << a.components
             << '"';
      if (!only_declared) {
        m_text << " format=\"appended\" offset=\"" << m_offset << '"';
        m_offset += sizeof(std::uint64_t) + a.bytes.size();
        m_arrays.push_back(&a);
      }
      m_text << "/>\n";
    }
    m_text << "</" << p << name << ">\n";
  }

  void write(const char* function, const std::string& path) {
    OutputFile file(function, path);
    const auto put = [&](const std::string& text) {
      file.write(text.data(), text.size());
    };
    put(m_text.str() + "</" + m_kind + ">\n");
    if (!m_arrays.empty()) put("<AppendedData encoding=\"raw\">\n_");
    for (const VtkArray* a : m_arrays) {
      const auto size = std::uint64_t(a->bytes.size());
      file.write(&size, sizeof size);
      file.write(a->bytes.data(), a->bytes.size());
    }
    if (!m_arrays.empty()) put("\n</AppendedData>\n");
    put("</VTKFile>\n");
    file.complete();
  }

 private:
  void attribute(const char* name, int components,
                 const std::vector<VtkArray>& arrays) {
    for (const VtkArray& a : arrays)
      if (a.components == components) {
        m_text << ' ' << name << "=\"" << xml_text(a.name) << '"';
        return;
      }
  }

  std::string m_kind;
  std::ostringstream m_text;
  std::vector<const VtkArray*> m_arrays;
  std::size_t m_offset = 0;
};

[[gnu::cold]] inline void write_vtu(const char* function,
                                    const std::string& path,
                                    const VtkMesh& mesh) {
  VtkXml file("UnstructuredGrid");
  file.text() << ">\n<Piece NumberOfPoints=\"" << mesh.points
              << "\" NumberOfCells=\"" << mesh.cell_count() << "\">\n";
  const std::vector<VtkArray> points = {mesh.coordinates};
  file.section("PointData", mesh.point_data, false);
  file.section("CellData", mesh.cell_data, false);
  file.section("Points", points, false);
  file.section("Cells", mesh.cells, false);
  file.text() << "</Piece>\n";
  file.write(function, path);
}

[[gnu::cold]] inline void write_pvtu(const char* function,
                                     const std::string& path,
                                     const VtkMesh& mesh,
                                     const std::vector<std::string>& pieces) {
  VtkXml file("PUnstructuredGrid");
  file.text() << " GhostLevel=\"0\">\n";
  file.section("PointData", mesh.point_data, true);
  file.section("CellData", mesh.cell_data, true);
  file.section("Points", {mesh.coordinates}, true);
  for (const std::string& piece : pieces)
    file.text() << "<Piece Source=\"" << xml_text(piece) << "\"/>\n";
  file.write(function, path);
}

}  // namespace Impl
}  // namespace Sporos

#endif
