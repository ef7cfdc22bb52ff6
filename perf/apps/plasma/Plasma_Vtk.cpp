// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Plasma_Vtk.hpp"

#include <App_VtkFile.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <sstream>
#include <vector>

namespace PlasmaApp {
namespace {

/// Grid points are in the middle of cells of VTK, so that slabs share none.
std::string grid(const Setup& s) {
  std::ostringstream out;
  out.precision(17);
  const double h = s.spacing();
  out << "WholeExtent=\"0 " << s.cells[0] << " 0 " << s.cells[1]
      << " 0 0\" Origin=\"" << -.5 * h << ' ' << -.5 * h << " 0\" Spacing=\""
      << h << ' ' << h << ' ' << h << '"';
  return out.str();
}

std::string extent(const Setup& s, int first, int end) {
  std::ostringstream out;
  out << "Extent=\"" << first << ' ' << end << " 0 " << s.cells[1] << " 0 0\"";
  return out.str();
}

void write_fields(const Simulation& s, const std::string& path) {
  std::vector<float> density, field;
  const InnerField rho = s.density();
  const InnerVectors e = s.field();
  for (std::size_t j = 0; j < rho.extent(1); ++j)
    for (std::size_t i = 0; i < rho.extent(0); ++i) {
      density.push_back(float(rho(i, j)));
      field.insert(field.end(), {float(e(i, j, 0)), float(e(i, j, 1)), 0.f});
    }
  const World& w = s.world();
  AppCommon::VtkFile file(path, "ImageData");
  file.xml() << "<ImageData " << grid(s.setup()) << ">\n<Piece "
             << extent(s.setup(), w.first, w.first + w.rows)
             << ">\n<CellData Scalars=\"density\" Vectors=\"field\">\n";
  file.array("Float32", "density", 1, density);
  file.array("Float32", "field", 3, field);
  file.xml() << "</CellData>\n</Piece>\n</ImageData>\n";
  file.close();
}

void write_particles(const Simulation& s, const std::string& path) {
  const Particles& p  = s.particles();
  const std::size_t n = p.x.extent(0);
  std::vector<float> x, v;
  std::vector<std::int64_t> number, vertices;
  for (std::size_t i = 0; i < n; ++i) {
    x.insert(x.end(), {float(p.x(i, 0)), float(p.x(i, 1)), 0.f});
    v.insert(v.end(), {float(p.v(i, 0)), float(p.v(i, 1)), 0.f});
    number.push_back(p.number(i));
    vertices.push_back(std::int64_t(i));
  }
  AppCommon::VtkFile file(path, "PolyData");
  file.xml() << "<PolyData>\n<Piece NumberOfPoints=\"" << n
             << "\" NumberOfVerts=\"1\">\n<PointData Scalars=\"number\" "
                "Vectors=\"velocity\">\n";
  file.array("Int64", "number", 1, number);
  file.array("Float32", "velocity", 3, v);
  file.xml() << "</PointData>\n<Points>\n";
  file.array("Float32", "points", 3, x);
  file.xml() << "</Points>\n<Verts>\n";
  file.array("Int64", "connectivity", 1, vertices);
  file.array("Int64", "offsets", 1, std::vector<std::int64_t>{std::int64_t(n)});
  file.xml() << "</Verts>\n</Piece>\n</PolyData>\n";
  file.close();
}

void declare(AppCommon::VtkFile& file, const char* type, const char* name,
             int components) {
  file.xml() << "<PDataArray type=\"" << type << "\" Name=\"" << name
             << "\" NumberOfComponents=\"" << components << "\"/>\n";
}

std::string piece(const char* name, int rank, const char* extension) {
  return std::string(name) + '-' + std::to_string(rank) + extension;
}

/// \param rows of the slabs of all ranks
void write_field_index(const Setup& s, const std::vector<double>& rows,
                       const std::string& path) {
  AppCommon::VtkFile file(path, "PImageData");
  file.xml() << "<PImageData " << grid(s)
             << " GhostLevel=\"0\">\n<PCellData Scalars=\"density\" "
                "Vectors=\"field\">\n";
  declare(file, "Float32", "density", 1);
  declare(file, "Float32", "field", 3);
  file.xml() << "</PCellData>\n";
  int first = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const int end = first + int(rows[r]);
    file.xml() << "<Piece " << extent(s, first, end) << " Source=\""
               << piece("fields", int(r), ".vti") << "\"/>\n";
    first = end;
  }
  file.xml() << "</PImageData>\n";
  file.close();
}

void write_particle_index(int ranks, const std::string& path) {
  AppCommon::VtkFile file(path, "PPolyData");
  file.xml() << "<PPolyData GhostLevel=\"0\">\n<PPointData Scalars=\"number\" "
                "Vectors=\"velocity\">\n";
  declare(file, "Int64", "number", 1);
  declare(file, "Float32", "velocity", 3);
  file.xml() << "</PPointData>\n<PPoints>\n";
  declare(file, "Float32", "points", 3);
  file.xml() << "</PPoints>\n";
  for (int r = 0; r < ranks; ++r)
    file.xml() << "<Piece Source=\"" << piece("particles", r, ".vtp")
               << "\"/>\n";
  file.xml() << "</PPolyData>\n";
  file.close();
}

using Write = std::function<void(const std::string&)>;

/// Removes the index of an earlier run, lets all ranks write their pieces, then
/// rank 0 the index.
void write_pieces(const World& world, const std::string& folder,
                  const char* name, const char* extension, const Write& mine,
                  const Write& index) {
  const std::string whole = folder + '/' + name + ".p" + (extension + 1);
  world.together([&] {
    if (world.rank == 0) std::filesystem::remove(whole);
  });
  world.together(
      [&] { mine(folder + '/' + piece(name, world.rank, extension)); });
  world.together([&] {
    if (world.rank == 0) index(whole);
  });
}

}  // namespace

void write_vtk(const Simulation& s, const std::string& folder) {
  const World& world    = s.world();
  const Write fields    = [&](const auto& p) { write_fields(s, p); };
  const Write particles = [&](const auto& p) { write_particles(s, p); };
  std::vector<double> rows(std::size_t(world.size), 0.);
  rows[std::size_t(world.rank)] = world.rows;
  world.sum(rows);
  const Write all_fields = [&](const auto& p) {
    write_field_index(s.setup(), rows, p);
  };
  const Write all_particles = [&](const auto& p) {
    write_particle_index(world.size, p);
  };
  if (world.size == 1) {
    fields(folder + "/fields.vti");
    particles(folder + "/particles.vtp");
    return;
  }
  write_pieces(world, folder, "fields", ".vti", fields, all_fields);
  write_pieces(world, folder, "particles", ".vtp", particles, all_particles);
}

}  // namespace PlasmaApp
