// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Piv_Files.hpp"

#include "App_VtkFile.hpp"

#include <cstdio>
#include <fstream>
#include <stdexcept>

namespace PivApp {

void write_csv(const std::string& path, const Vectors& v) {
  std::ofstream out(path);
  out << "x,y,dx,dy,peak,snr,replaced\n";
  for (int n = 0; n < v.grid.size(); ++n) {
    const auto k = static_cast<std::size_t>(n);
    char line[160];
    std::snprintf(line, sizeof line, "%.1f,%.1f,%.5f,%.5f,%.5f,%.4g,%d\n",
                  v.grid.x(n), v.grid.y(n), v.dx[k], v.dy[k],
                  static_cast<double>(v.peak[k]), static_cast<double>(v.snr[k]),
                  v.status[k] == Status::replaced ? 1 : 0);
    out << line;
  }
  out.close();
  if (!out) throw std::runtime_error("cannot write " + path);
}

void write_vtk(const std::string& path, const Vectors& v, int image_height) {
  const WindowGrid& g = v.grid;
  std::vector<float> displacement, peak, snr;
  std::vector<std::uint8_t> replaced;
  for (int j = g.ny - 1; j >= 0; --j)
    for (int i = 0; i < g.nx; ++i) {
      const auto k = static_cast<std::size_t>(j * g.nx + i);
      displacement.insert(
          displacement.end(),
          {static_cast<float>(v.dx[k]), static_cast<float>(-v.dy[k]), 0.f});
      peak.push_back(v.peak[k]);
      snr.push_back(v.snr[k]);
      replaced.push_back(v.status[k] == Status::replaced ? 1 : 0);
    }
  AppCommon::VtkFile file(path, "ImageData");
  const std::string extent = "0 " + std::to_string(g.nx - 1) + " 0 " +
                             std::to_string(g.ny - 1) + " 0 0";
  file.xml() << "<ImageData WholeExtent=\"" << extent << "\" Origin=\""
             << g.x(0) << ' ' << image_height - 1 - g.y(g.size() - 1)
             << " 0\" Spacing=\"" << g.step << ' ' << g.step << ' ' << g.step
             << "\">\n<Piece Extent=\"" << extent
             << "\">\n<PointData Vectors=\"displacement\">\n";
  file.array("Float32", "displacement", 3, displacement);
  file.array("Float32", "peak", 1, peak);
  file.array("Float32", "snr", 1, snr);
  file.array("UInt8", "replaced", 1, replaced);
  file.xml() << "</PointData>\n<CellData/>\n</Piece>\n</ImageData>\n";
  file.close();
}

}  // namespace PivApp
