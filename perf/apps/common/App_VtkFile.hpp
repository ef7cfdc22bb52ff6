// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_APP_VTKFILE_HPP
#define SPOROS_APP_VTKFILE_HPP

/// \file App_VtkFile.hpp
/// VTK XML files, for ParaView and VisIt.

#include "App_WholeFile.hpp"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

namespace AppCommon {

/// Writes an XML file with the arrays appended as they are in memory. The file
/// has its name when it is complete; before, ".part" follows.
/// \throws std::runtime_error in close() that names a file that cannot be
///         written
class VtkFile {
 public:
  VtkFile(const std::string& path, const std::string& type) : m_path(path) {
    const std::uint16_t one = 1;
    const bool little = *reinterpret_cast<const unsigned char*>(&one) == 1;
    m_xml << "<?xml version=\"1.0\"?>\n<VTKFile type=\"" << type
          << "\" version=\"1.0\" byte_order=\""
          << (little ? "LittleEndian" : "BigEndian")
          << "\" header_type=\"UInt64\">\n";
  }

  /// The XML part; arrays go in with array().
  std::ostream& xml() { return m_xml; }

  template <class T>
  void array(const std::string& type, const std::string& name, int components,
             const std::vector<T>& values) {
    m_xml << "<DataArray type=\"" << type << "\" Name=\"" << name
          << "\" NumberOfComponents=\"" << components
          << "\" format=\"appended\" offset=\"" << m_data.size() << "\"/>\n";
    append(static_cast<std::uint64_t>(values.size() * sizeof(T)));
    for (const T& value : values) append(value);
  }

  void close() {
    write_whole(m_path, [this](const std::string& part) -> std::string {
      std::ofstream out(part, std::ios::binary);
      out << m_xml.str();
      if (!m_data.empty()) {
        out << "<AppendedData encoding=\"raw\">\n_";
        out.write(m_data.data(), static_cast<std::streamsize>(m_data.size()));
        out << "\n</AppendedData>\n";
      }
      out << "</VTKFile>\n";
      out.close();
      return out ? "" : std::strerror(errno);
    });
  }

 private:
  template <class T>
  void append(const T& value) {
    const char* bytes = reinterpret_cast<const char*>(&value);
    m_data.insert(m_data.end(), bytes, bytes + sizeof(T));
  }

  std::string m_path;
  std::ostringstream m_xml;
  std::vector<char> m_data;
};

}  // namespace AppCommon

#endif
