// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Membrane_Vtk.hpp"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <stdexcept>

namespace MembraneApp {
namespace {

/// A file with the arrays appended to the XML part as they are in memory.
class AppendedFile {
 public:
  AppendedFile(const std::string& path, const std::string& type)
      : m_path(path), m_type(type), m_out(path, std::ios::binary) {
    const std::uint16_t one = 1;
    const bool little = *reinterpret_cast<const unsigned char*>(&one) == 1;
    m_out << "<?xml version=\"1.0\"?>\n<VTKFile type=\"" << m_type
          << "\" version=\"1.0\" byte_order=\""
          << (little ? "LittleEndian" : "BigEndian")
          << "\" header_type=\"UInt64\">\n";
  }

  std::ostream& xml() { return m_out; }

  template <class T>
  void array(const std::string& type, const std::string& name, int components,
             const std::vector<T>& values) {
    m_out << "<DataArray type=\"" << type << "\" Name=\"" << name
          << "\" NumberOfComponents=\"" << components
          << "\" format=\"appended\" offset=\"" << m_data.size() << "\"/>\n";
    append(static_cast<std::uint64_t>(values.size() * sizeof(T)));
    for (const T& value : values) append(value);
  }

  void close() {
    m_out << "<AppendedData encoding=\"raw\">\n_";
    m_out.write(m_data.data(), static_cast<std::streamsize>(m_data.size()));
    m_out << "\n</AppendedData>\n</VTKFile>\n";
    m_out.close();
    if (!m_out) throw std::runtime_error("membrane: cannot write " + m_path);
  }

 private:
  template <class T>
  void append(const T& value) {
    const char* bytes = reinterpret_cast<const char*>(&value);
    m_data.insert(m_data.end(), bytes, bytes + sizeof(T));
  }

  std::string m_path, m_type;
  std::ofstream m_out;
  std::vector<char> m_data;
};

std::string numbered(const char* stem, size_t number, const char* extension) {
  char name[64];
  std::snprintf(name, sizeof name, "%s_%04zu.%s", stem, number, extension);
  return name;
}

/// Everything at the cell corners, both ends of a period included, so that
/// contours and streamlines need no conversion.
void write_fluid(const std::string& path, const Frame& f) {
  const int n = f.cells;
  std::vector<float> velocity, vorticity, pressure;
  const auto at = [n](const std::vector<double>& field, int i, int j) {
    return field[static_cast<size_t>((i + n) % n) +
                 static_cast<size_t>(n) * static_cast<size_t>((j + n) % n)];
  };
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) {
      velocity.push_back(
          static_cast<float>(0.5 * (at(f.x, i, j - 1) + at(f.x, i, j))));
      velocity.push_back(
          static_cast<float>(0.5 * (at(f.y, i - 1, j) + at(f.y, i, j))));
      velocity.push_back(0);
      vorticity.push_back(static_cast<float>(at(f.vorticity, i, j)));
      pressure.push_back(static_cast<float>(
          0.25 * (at(f.pressure, i - 1, j - 1) + at(f.pressure, i, j - 1) +
                  at(f.pressure, i - 1, j) + at(f.pressure, i, j))));
    }

  AppendedFile file(path, "ImageData");
  const std::string extent =
      "0 " + std::to_string(n) + " 0 " + std::to_string(n) + " 0 0";
  file.xml().precision(17);
  file.xml() << "<ImageData WholeExtent=\"" << extent
             << "\" Origin=\"0 0 0\" Spacing=\"" << 1. / n << ' ' << 1. / n
             << ' ' << 1. / n << "\">\n<FieldData>\n"
             << "<DataArray type=\"Float64\" Name=\"TimeValue\" "
                "NumberOfTuples=\"1\" format=\"ascii\">"
             << f.time << "</DataArray>\n</FieldData>\n<Piece Extent=\""
             << extent
             << "\">\n<PointData Scalars=\"vorticity\" "
                "Vectors=\"velocity\">\n";
  file.array("Float32", "velocity", 3, velocity);
  file.array("Float32", "vorticity", 1, vorticity);
  file.array("Float32", "pressure", 1, pressure);
  file.xml() << "</PointData>\n<CellData/>\n</Piece>\n</ImageData>\n";
  file.close();
}

/// A closed polygonal line with the stretch |dX/ds| at its points.
void write_membrane(const std::string& path, const Frame& f) {
  const size_t n      = f.points.extent(0);
  const double two_ds = 2 * 2 * std::acos(-1.) / static_cast<double>(n);
  std::vector<double> points, stretch;
  std::vector<std::int64_t> line;
  for (size_t k = 0; k < n; ++k) {
    const size_t next = (k + 1) % n, last = (k + n - 1) % n;
    points.insert(points.end(), {f.points(k, 0), f.points(k, 1), 0.});
    stretch.push_back(std::hypot(f.points(next, 0) - f.points(last, 0),
                                 f.points(next, 1) - f.points(last, 1)) /
                      two_ds);
    line.push_back(static_cast<std::int64_t>(k));
  }
  line.push_back(0);

  AppendedFile file(path, "PolyData");
  file.xml() << "<PolyData>\n<Piece NumberOfPoints=\"" << n
             << "\" NumberOfVerts=\"0\" NumberOfLines=\"1\" "
                "NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n"
                "<PointData Scalars=\"stretch\">\n";
  file.array("Float64", "stretch", 1, stretch);
  file.xml() << "</PointData>\n<CellData/>\n<Points>\n";
  file.array("Float64", "points", 3, points);
  file.xml() << "</Points>\n<Lines>\n";
  file.array("Int64", "connectivity", 1, line);
  file.array("Int64", "offsets", 1,
             std::vector<std::int64_t>{static_cast<std::int64_t>(n + 1)});
  file.xml() << "</Lines>\n</Piece>\n</PolyData>\n";
  file.close();
}

void write_collection(const std::string& path,
                      const std::vector<double>& times) {
  std::ofstream out(path);
  out.precision(17);
  out << "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" "
         "version=\"0.1\">\n<Collection>\n";
  for (size_t k = 0; k < times.size(); ++k)
    for (int part = 0; part < 2; ++part)
      out << "<DataSet timestep=\"" << times[k] << "\" part=\"" << part
          << "\" name=\"" << (part == 0 ? "fluid" : "membrane") << "\" file=\""
          << (part == 0 ? numbered("fluid", k, "vti")
                        : numbered("membrane", k, "vtp"))
          << "\"/>\n";
  out << "</Collection>\n</VTKFile>\n";
  out.close();
  if (!out) throw std::runtime_error("membrane: cannot write " + path);
}

}  // namespace

void VtkWriter::write(const Frame& frame) {
  const size_t number = m_times.size();
  write_fluid(m_folder + "/" + numbered("fluid", number, "vti"), frame);
  write_membrane(m_folder + "/" + numbered("membrane", number, "vtp"), frame);
  m_times.push_back(frame.time);
  write_collection(m_folder + "/membrane.pvd", m_times);
}

}  // namespace MembraneApp
