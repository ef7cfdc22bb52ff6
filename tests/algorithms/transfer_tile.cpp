// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The image of a tile that hosts interpolate from. What is wrong in places
// where weights are zero does not show in values, only in time.

#include "Sporos_Test.hpp"

#include <particle_grid/interpolate/Sporos_InterpolateTiledHost.hpp>

#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

namespace TransferTile {

using namespace Sporos;
using namespace Sporos::Impl;

/// Are all values that registers load for the cells of the tile numbers?
template <class T, int Dim, int Support>
bool reads_numbers(const T* image, const int (&extra)[Dim]) {
  using Sizes  = SinglePointShape<T, Dim, Support>;
  int cells[3] = {1, 1, 1}, rows[3] = {1, 1, 1};
  for (int k = 0; k < Dim; ++k) {
    cells[k] = Sizes::Shape::extent(k) + extra[k];
    rows[k]  = cells[k] + Support - 1;
  }
  bool numbers = true;
  for (int z = 0; z < rows[2]; ++z)
    for (int y = 0; y < rows[1]; ++y)
      for (int x = 0; x < cells[0]; x += Sizes::step) {
        const T* const row = image + z * Sizes::plane + y * Sizes::pitch + x;
        for (int i = 0; i < Sizes::width; ++i)
          numbers = numbers && std::isfinite(row[i]);
      }
  return numbers;
}

/// A tile of a field of ones, copied into an image full of NaN.
template <class T, int Dim, int Support>
void check_image(double g) {
  using Sizes = HostTileShape<T, Dim, Support>;
  using Data =
      std::conditional_t<Dim == 1, const T*,
                         std::conditional_t<Dim == 2, const T**, const T***>>;
  using Field     = Kokkos::View<Data, Kokkos::LayoutRight, Kokkos::HostSpace,
                             Kokkos::MemoryUnmanaged>;
  constexpr int n = 64;
  Kokkos::Array<int, Dim> points;
  Kokkos::LayoutRight layout;
  for (int k = 0; k < Dim; ++k)
    layout.dimension[k] = std::size_t(points[k] = Dim == 1 ? n * n : n);
  const TiledCells<Dim, T, Support> cells(Grid<Dim, T>(points, T(1)),
                                          Staggering{{0., 0., 0.}}, true);
  const StaggeringShift<Dim, T, Support> shift(cells, Staggering{{g, g, g}});
  const std::vector<T> ones(n * n * n, T(1));
  const TileImage<const T, Dim, Support> source(
      FieldAccess<const T, Dim>(Field(ones.data(), layout), cells, 0), cells,
      shift, 0);
  std::vector<T> image(Sizes::size, std::numeric_limits<T>::quiet_NaN());
  clear_tails<Sizes>(image.data());
  load_images<1>(source, image.data());
  INFO("dimensions " << Dim << ", support " << Support << ", staggering " << g);
  CHECK(reads_numbers<T, Dim, Support>(image.data(), shift.extra));
}

template <class T, int Support>
void check_images() {
  for (const double g : {0., .5}) {
    check_image<T, 1, Support>(g);
    check_image<T, 2, Support>(g);
    check_image<T, 3, Support>(g);
  }
}

TEST_CASE("registers load nothing that was never written", "[transfer]") {
  check_images<double, 2>();
  check_images<double, 4>();
  check_images<double, 7>();
  check_images<double, 9>();
  check_images<double, 16>();
  check_images<float, 3>();
  check_images<float, 4>();
  check_images<float, 6>();
  check_images<float, 13>();
}

}  // namespace TransferTile
