// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Phase correlation by plain transforms: what whitened correlations are
/// compared with.

#ifndef SPOROS_PLAINWHITENED_HPP
#define SPOROS_PLAINWHITENED_HPP

#include "Sporos_CorrelateCases.hpp"

#include <cmath>
#include <complex>
#include <vector>

namespace Sporos {
namespace Test {

/// All elements of the transform of ny rows and nx columns, forward or (sign 1)
/// back.
inline std::vector<std::complex<double>> plain_transform(
    const std::vector<std::complex<double>>& in, int ny, int nx, int sign) {
  std::vector<std::complex<double>> rows(in.size()), out(in.size());
  const auto pass = [&](const auto& from, auto& to, int n, int stride, int many,
                        int other) {
    for (int m = 0; m < many; ++m)
      for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j)
          to[std::size_t(m * other + k * stride)] +=
              from[std::size_t(m * other + j * stride)] *
              std::polar(1.,
                         sign * 2 * 3.14159265358979323846 * (k * j % n) / n);
  };
  pass(in, rows, nx, 1, ny, nx);
  pass(rows, out, ny, nx, nx, 1);
  return out;
}

/// Results of a pair, of matrices less `mean`.
template <class T>
std::vector<std::complex<double>> plain_whitened(
    const Sporos::Impl::CorrelateShape& s, const T* left, const T* right,
    bool centered) {
  const CorrelateExtents& e = s.extents;
  const Sporos::Impl::FftShape f(s, false);
  const int ny = f.y.size, nx = f.x.size;
  const auto spectrum = [&](const T* from, int h, int w) {
    std::vector<std::complex<double>> z(std::size_t(ny * nx));
    std::complex<double> mean = 0;
    for (int k = 0; k < h * w; ++k) mean += widen(from[k]);
    mean = centered ? mean / double(h * w) : std::complex<double>(0);
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x)
        z[std::size_t(y * nx + x)] = widen(from[y * w + x]) - mean;
    return plain_transform(z, ny, nx, -1);
  };
  auto z       = spectrum(left, e.left_h, e.left_w);
  const auto r = spectrum(right, e.right_h, e.right_w);
  for (std::size_t k = 0; k < z.size(); ++k) {
    z[k] *= std::conj(r[k]);
    // means of centered matrices are left out
    z[k] = centered && k == 0 ? 0 : z[k] / std::abs(z[k]);
  }
  const auto all = plain_transform(z, ny, nx, 1);
  std::vector<std::complex<double>> out;
  for (int dy = s.shifts.dy0; dy < s.shifts.dy1; ++dy)
    for (int dx = s.shifts.dx0; dx < s.shifts.dx1; ++dx)
      out.push_back(
          !s.overlaps_in_y(dy) || !s.overlaps_in_x(dx)
              ? 0
              : all[std::size_t((dy + ny) % ny * nx + (dx + nx) % nx)] /
                    double(ny * nx));
  return out;
}

}  // namespace Test
}  // namespace Sporos

#endif
