// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Airfoil_Vtk.hpp"

#include <Sporos_MeshVtk.hpp>

namespace AirfoilApp {
namespace {

using Exec   = Kokkos::DefaultHostExecutionSpace;
using Memory = Exec::memory_space;

template <int N>
using FloatDat = Sporos::Dat<float, N, Kokkos::LayoutRight, Memory>;

Sporos::MeshVtk vtk_of(const Fields& f) {
  std::vector<float> density, velocity, pressure, mach;
  for (std::size_t c = 0; c < f.cells(); ++c) {
    density.push_back(float(f.density(c)));
    for (std::size_t d = 0; d < 2; ++d)
      velocity.push_back(float(f.velocity(c, d)));
    pressure.push_back(float(f.pressure(c)));
    mach.push_back(float(f.mach(c)));
  }
  const Exec exec{};
  const Sporos::Set nodes("nodes", std::int64_t(f.nodes())),
      cells("cells", std::int64_t(f.cells()));
  const Sporos::Dat<double, 2, Kokkos::LayoutRight, Memory> x(exec, "x", nodes,
                                                              f.coordinates);
  const Sporos::Map<4, Memory> corners(exec, "corners", cells, nodes,
                                       f.cell_nodes);
  Sporos::MeshVtk vtk(exec, x, corners);
  vtk.add(exec, FloatDat<1>(exec, "mach", cells, mach));
  vtk.add(exec, FloatDat<1>(exec, "pressure", cells, pressure));
  vtk.add(exec, FloatDat<1>(exec, "density", cells, density));
  vtk.add(exec, FloatDat<2>(exec, "velocity", cells, velocity));
  return vtk;
}

}  // namespace

void write_vtk(const std::string& path, const Fields& fields) {
  vtk_of(fields).write(path);
}

void write_parallel_vtk(const std::string& path,
                        const std::vector<std::string>& pieces) {
  vtk_of({}).write_parallel(path, pieces);  // names and types of the arrays
}

}  // namespace AirfoilApp
