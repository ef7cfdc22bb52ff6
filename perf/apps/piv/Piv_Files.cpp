// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Piv_Files.hpp"

#include "App_NetCdf.hpp"
#include "App_Output.hpp"
#include "App_VtkFile.hpp"

#include <cstdint>
#include <fstream>
#include <limits>
#include <stdexcept>

namespace PivApp {
namespace {

using AppCommon::formatted;

std::size_t number(int n) { return static_cast<std::size_t>(n); }

bool is_masked(const Vectors& v, int n) {
  return v.status[number(n)] == Status::masked;
}

/// Points, and cells between them, for VTK.
struct Mesh {
  explicit Mesh(const Vectors& v);

  std::vector<int> windows;  ///< of each point
  std::vector<std::int32_t> corners, ends;
  std::vector<std::uint8_t> types;

 private:
  enum : std::uint8_t { vertex = 1, quad = 9 };
  void add(std::uint8_t type, const std::vector<std::int32_t>& points) {
    corners.insert(corners.end(), points.begin(), points.end());
    ends.push_back(static_cast<std::int32_t>(corners.size()));
    types.push_back(type);
  }
};

Mesh::Mesh(const Vectors& v) {
  const int nx = v.grid.nx;
  std::vector<std::int32_t> points(number(v.grid.size()), -1);
  for (int n = 0; n < v.grid.size(); ++n)
    if (!is_masked(v, n)) {
      points[number(n)] = static_cast<std::int32_t>(windows.size());
      windows.push_back(n);
    }
  std::vector<char> has_cell(windows.size());
  for (int j = 0; j + 1 < v.grid.ny; ++j)
    for (int i = 0; i + 1 < nx; ++i) {
      // from the left below, to the left: y goes up
      const int n = (j + 1) * nx + i;
      std::vector<std::int32_t> cell;
      for (const int k : {n, n + 1, n + 1 - nx, n - nx})
        if (points[number(k)] >= 0) cell.push_back(points[number(k)]);
      if (cell.size() < 4) continue;
      add(quad, cell);
      for (const int point : cell) has_cell[number(point)] = 1;
    }
  for (std::size_t p = 0; p < windows.size(); ++p)
    if (!has_cell[p]) add(vertex, {static_cast<std::int32_t>(p)});
}

}  // namespace

void write_csv(const std::string& path, const Vectors& v,
               const Calibration& c) {
  std::ofstream out(path);
  out << "x,y,dx,dy,peak,snr,replaced"
      << (c.given ? ",x_m,y_m,u_m_s,v_m_s\n" : "\n");
  for (int n = 0; n < v.grid.size(); ++n) {
    if (is_masked(v, n)) continue;
    const auto k = number(n);
    out << formatted("%.1f,%.1f,%.5f,%.5f,%.5f,%.4g,%d", v.grid.x(n),
                     v.grid.y(n), v.dx[k], v.dy[k], v.peak[k], v.snr[k],
                     v.status[k] == Status::replaced ? 1 : 0);
    if (c.given)
      out << formatted(",%.9g,%.9g,%.6g,%.6g", c.x(v.grid.x(n)),
                       c.y(v.grid.y(n)), c.u(v.dx[k]), c.v(v.dy[k]));
    out << '\n';
  }
  out.close();
  if (!out) throw std::runtime_error("cannot write " + path);
}

void write_vtk(const std::string& path, const Vectors& v,
               const Calibration& c) {
  const Mesh mesh(v);
  std::vector<float> points, velocity, peak, snr;
  std::vector<std::uint8_t> replaced;
  for (const int n : mesh.windows) {
    const auto k = number(n);
    points.insert(points.end(), {static_cast<float>(c.x(v.grid.x(n))),
                                 static_cast<float>(c.y(v.grid.y(n))), 0.f});
    velocity.insert(velocity.end(), {static_cast<float>(c.u(v.dx[k])),
                                     static_cast<float>(c.v(v.dy[k])), 0.f});
    peak.push_back(static_cast<float>(v.peak[k]));
    snr.push_back(static_cast<float>(v.snr[k]));
    replaced.push_back(v.status[k] == Status::replaced ? 1 : 0);
  }
  AppCommon::VtkFile file(path, "UnstructuredGrid");
  file.xml() << "<UnstructuredGrid>\n<Piece NumberOfPoints=\""
             << mesh.windows.size() << "\" NumberOfCells=\""
             << mesh.types.size() << "\">\n<PointData Vectors=\"velocity\">\n";
  file.array("Float32", "velocity", 3, velocity);
  file.array("Float32", "peak", 1, peak);
  file.array("Float32", "snr", 1, snr);
  file.array("UInt8", "replaced", 1, replaced);
  file.xml() << "</PointData>\n<Points>\n";
  file.array("Float32", "points", 3, points);
  file.xml() << "</Points>\n<Cells>\n";
  file.array("Int32", "connectivity", 1, mesh.corners);
  file.array("Int32", "offsets", 1, mesh.ends);
  file.array("UInt8", "types", 1, mesh.types);
  file.xml() << "</Cells>\n</Piece>\n</UnstructuredGrid>\n";
  file.close();
}

void write_netcdf(const std::string& path, const Vectors& v,
                  const Calibration& c) {
  const WindowGrid& g      = v.grid;
  const std::string length = c.given ? "m" : "pixel";
  const std::string speed  = c.given ? "m s-1" : "pixel per frame";
  AppCommon::NetCdfFile file(path);
  const int y_axis = file.dimension("y", g.ny);
  const int x_axis = file.dimension("x", g.nx);
  file.text("Conventions", "CF-1.8");
  file.text("title", "Displacements of particles between two images");
  std::vector<double> x, y;
  for (int i = 0; i < g.nx; ++i) x.push_back(c.x(g.x(i)));
  for (int j = 0; j < g.ny; ++j) y.push_back(c.y(g.y(j * g.nx)));
  file.variable("y", {y_axis}, y, {{"units", length}, {"axis", "Y"}});
  file.variable("x", {x_axis}, x, {{"units", length}, {"axis", "X"}});
  const auto array = [&](const std::string& name, const std::string& units,
                         const auto& value) {
    std::vector<double> values;
    for (int n = 0; n < g.size(); ++n)
      values.push_back(is_masked(v, n)
                           ? std::numeric_limits<double>::quiet_NaN()
                           : double(value(number(n))));
    file.variable(name, {y_axis, x_axis}, values, {{"units", units}});
  };
  array("u", speed, [&](std::size_t k) { return c.u(v.dx[k]); });
  array("v", speed, [&](std::size_t k) { return c.v(v.dy[k]); });
  array("peak", "1", [&](std::size_t k) { return v.peak[k]; });
  array("snr", "1", [&](std::size_t k) { return v.snr[k]; });
  array("replaced", "1",
        [&](std::size_t k) { return v.status[k] == Status::replaced; });
  file.close();
}

}  // namespace PivApp
