// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// write_meshes FOLDER: writes a mesh of each shape of cells with dats of
// several types as a VTK file. read_meshes.py reads them by meshio, and knows
// their numbers.

#include <Sporos_MeshVtk.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace {

using Exec   = Kokkos::DefaultHostExecutionSpace;
using Memory = Exec::memory_space;
template <class T, int N, class Layout = Kokkos::LayoutRight>
using Values = Sporos::Dat<T, N, Layout, Memory>;

constexpr int node_count = 12, cell_count = 5;

/// Values f(element, component).
template <class T, class F>
std::vector<T> table(int elements, int components, const F& f) {
  std::vector<T> all;
  for (int e = 0; e < elements; ++e)
    for (int c = 0; c < components; ++c) all.push_back(T(f(e, c)));
  return all;
}

template <int Dimension>
void write(const std::string& path, int arity, Sporos::VtkCell shape) {
  const Exec exec{};
  const Sporos::Set nodes("nodes", node_count), cells("cells", cell_count);
  const Values<double, Dimension> x(
      "x", nodes, table<double>(node_count, Dimension, [](int n, int d) {
        return 0.5 * n + 0.125 * n * d - d;
      }));
  const Sporos::Map<Sporos::dynamic_arity, Memory> corners(
      "corners", cells, nodes, arity,
      table<int>(cell_count, arity,
                 [](int k, int i) { return (2 * k + i) % node_count; }));
  Sporos::MeshVtk vtk(exec, x, corners, shape);
  vtk.add(exec,
          Values<float, 3, Kokkos::LayoutLeft>(
              "wind", nodes, table<float>(node_count, 3, [](int n, int c) {
                return n - 10 * c + 0.25;
              })));
  vtk.add(exec,
          Values<std::uint8_t, 1>(
              "kind", nodes, table<std::uint8_t>(node_count, 1, [](int n, int) {
                return 250 - n;
              })));
  vtk.add(exec,
          Values<double, Sporos::dynamic_components>(
              "mass", cells, 1, table<double>(cell_count, 1, [](int k, int) {
                return 1. / (k + 3);
              })));
  vtk.add(exec, Values<std::int64_t, 1>(
                    "number", cells,
                    table<std::int64_t>(cell_count, 1, [](int k, int) {
                      return (std::int64_t(1) << 40) + k;
                    })));
  vtk.write(path);
}

}  // namespace

int main(int argc, char* argv[]) {
  if (argc != 2) return 2;
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const std::string folder = std::string(argv[1]) + '/';
  using Shape              = Sporos::VtkCell;
  try {
    write<2>(folder + "line.vtu", 2, Shape::automatic);
    write<2>(folder + "triangle.vtu", 3, Shape::automatic);
    write<2>(folder + "quad.vtu", 4, Shape::automatic);
    write<3>(folder + "tetra.vtu", 4, Shape::automatic);
    write<3>(folder + "hexahedron.vtu", 8, Shape::automatic);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
