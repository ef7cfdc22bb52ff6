// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Membrane_Vtk.hpp"

#include "App_VtkFile.hpp"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <stdexcept>

namespace MembraneApp {
namespace {

using AppCommon::VtkFile;

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

  VtkFile file(path, "ImageData");
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

  VtkFile file(path, "PolyData");
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
