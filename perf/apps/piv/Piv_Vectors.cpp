// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Piv_Field.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace PivApp {

WindowGrid::WindowGrid(int width, int height, int window_, double overlap)
    : window(window_),
      step(std::max(
          1, static_cast<int>(std::lround(window_ * (1 - overlap / 100))))) {
  if (width < window || height < window)
    throw std::invalid_argument(
        "piv: images of at least one window (" + std::to_string(window) +
        " pixels) are needed, got " + std::to_string(width) + " x " +
        std::to_string(height));
  nx = (width - window) / step + 1;
  ny = (height - window) / step + 1;
}

int Vectors::with(Status wanted) const {
  return static_cast<int>(std::count(status.begin(), status.end(), wanted));
}

Vectors vectors_of(const Exec& exec, const Field& f) {
  const auto moves   = Kokkos::create_mirror_view(f.moves);
  const auto quality = Kokkos::create_mirror_view(f.quality);
  const auto status  = Kokkos::create_mirror_view(f.status);
  Kokkos::deep_copy(exec, moves, f.moves);
  Kokkos::deep_copy(exec, quality, f.quality);
  Kokkos::deep_copy(exec, status, f.status);
  exec.fence();
  Vectors v(f.grid);
  for (int n = 0; n < f.grid.size(); ++n) {
    const auto k = static_cast<std::size_t>(n);
    v.dy[k]      = moves(n, 0);
    v.dx[k]      = moves(n, 1);
    v.peak[k]    = quality(n, 0);
    v.snr[k]     = quality(n, 1);
    v.status[k]  = status(n);
  }
  return v;
}

}  // namespace PivApp
