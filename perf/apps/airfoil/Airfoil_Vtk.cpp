// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Airfoil_Vtk.hpp"

#include "App_VtkFile.hpp"

#include <cstdint>

namespace AirfoilApp {
namespace {

using AppCommon::VtkFile;

void write_cell_data(VtkFile& file, const Fields& f) {
  std::vector<float> density, velocity, pressure, mach;
  for (std::size_t c = 0; c < f.cells(); ++c) {
    density.push_back(float(f.density(c)));
    for (std::size_t d = 0; d < 2; ++d)
      velocity.push_back(float(f.velocity(c, d)));
    velocity.push_back(0);
    pressure.push_back(float(f.pressure(c)));
    mach.push_back(float(f.mach(c)));
  }
  file.xml() << "<CellData Scalars=\"mach\" Vectors=\"velocity\">\n";
  file.array("Float32", "mach", 1, mach);
  file.array("Float32", "pressure", 1, pressure);
  file.array("Float32", "density", 1, density);
  file.array("Float32", "velocity", 3, velocity);
  file.xml() << "</CellData>\n";
}

void write_mesh_data(VtkFile& file, const Fields& f) {
  std::vector<double> points;
  for (std::size_t n = 0; n < f.nodes(); ++n)
    points.insert(points.end(),
                  {f.coordinates[2 * n], f.coordinates[2 * n + 1], 0.});
  std::vector<std::int32_t> offsets;
  for (std::size_t c = 1; c <= f.cells(); ++c)
    offsets.push_back(std::int32_t(4 * c));
  constexpr std::uint8_t quadrilateral = 9;
  file.xml() << "<Points>\n";
  file.array("Float64", "points", 3, points);
  file.xml() << "</Points>\n<Cells>\n";
  file.array("Int32", "connectivity", 1, f.cell_nodes);
  file.array("Int32", "offsets", 1, offsets);
  file.array("UInt8", "types", 1,
             std::vector<std::uint8_t>(f.cells(), quadrilateral));
  file.xml() << "</Cells>\n";
}

}  // namespace

void write_vtk(const std::string& path, const Fields& f) {
  VtkFile file(path, "UnstructuredGrid");
  file.xml() << "<UnstructuredGrid>\n<Piece NumberOfPoints=\"" << f.nodes()
             << "\" NumberOfCells=\"" << f.cells() << "\">\n<PointData/>\n";
  write_cell_data(file, f);
  write_mesh_data(file, f);
  file.xml() << "</Piece>\n</UnstructuredGrid>\n";
  file.close();
}

void write_parallel_vtk(const std::string& path,
                        const std::vector<std::string>& pieces) {
  VtkFile file(path, "PUnstructuredGrid");
  const auto array = [&](const char* type, const char* name, int components) {
    file.xml() << "<PDataArray type=\"" << type << "\" Name=\"" << name
               << "\" NumberOfComponents=\"" << components << "\"/>\n";
  };
  file.xml() << "<PUnstructuredGrid GhostLevel=\"0\">\n"
                "<PCellData Scalars=\"mach\" Vectors=\"velocity\">\n";
  array("Float32", "mach", 1);
  array("Float32", "pressure", 1);
  array("Float32", "density", 1);
  array("Float32", "velocity", 3);
  file.xml() << "</PCellData>\n<PPoints>\n";
  array("Float64", "points", 3);
  file.xml() << "</PPoints>\n";
  for (const std::string& piece : pieces)
    file.xml() << "<Piece Source=\"" << piece << "\"/>\n";
  file.xml() << "</PUnstructuredGrid>\n";
  file.close();
}

}  // namespace AirfoilApp
