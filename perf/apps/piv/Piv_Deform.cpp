// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Piv_Interpolate.hpp"

#include <cmath>
#include <cstdint>

namespace PivApp {
namespace {

struct Deform {
  Kokkos::View<const float**, Kokkos::LayoutRight, Exec> a, b;
  Predictor predictor;
  Interpolation kind;
  Pixels to_a, to_b;

  KOKKOS_FUNCTION void operator()(std::int64_t pixel) const {
    const int width = int(a.extent(1));
    const int y = int(pixel / width), x = int(pixel % width);
    const Predictor::Move d = predictor(y, x);
    to_a(y, x)              = sampled(a, kind, y - d.y / 2, x - d.x / 2);
    to_b(y, x)              = sampled(b, kind, y + d.y / 2, x + d.x / 2);
  }
};

constexpr int spline_reach = 20;  // 0.43^21, the slowest decay, is 2e-8

/// Weights of elements 0, +-1, +-2, ... in the inverse of a spline's values at
/// the elements: 1/6 (4, 1) or 1/120 (66, 26, 1). With x = z + 1/z it is
/// 6 / (x + 4) or 120 / (x^2 + 26 x + 64), and 1 / (x - r) has the weights
/// -q / (1 - q^2) q^|k|, where q + 1/q = r.
struct InverseWeights {
  explicit InverseWeights(Interpolation kind) {
    if (kind == Interpolation::bicubic) {
      add(6, -4);
    } else {
      const double root = std::sqrt(105.), scale = 120 / (2 * root);
      add(scale, root - 13);
      add(-scale, -root - 13);
    }
  }
  void add(double scale, double r) {
    const double q = r / 2 + std::sqrt(r * r / 4 - 1);
    for (int k = 0; k <= spline_reach; ++k)
      weight[k] += float(-scale * q / (1 - q * q) * std::pow(q, k));
  }

  float weight[spline_reach + 1] = {};
};

/// Convolves rows, or columns, a block of pixels of a row in each index: on
/// hosts as many as fill registers.
struct InvertSpline {
  Kokkos::View<const float**, Kokkos::LayoutRight, Exec> from;
  Pixels to;
  bool along_rows;
  InverseWeights inverse;

  static constexpr bool on_host =
      Kokkos::SpaceAccessibility<Kokkos::HostSpace,
                                 Exec::memory_space>::accessible;
  static constexpr int block = on_host ? 16 : 1;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    const int h = int(from.extent(0)), w = int(from.extent(1));
    const int blocks = (w + block - 1) / block;
    const int y      = int(index / blocks);
    const int x      = int(index % blocks) * block;
    const int count  = w - x < block ? w - x : block;
    float sum[block] = {};
    const bool inner =
        count == block &&
        (!along_rows || (x >= spline_reach && x + block + spline_reach <= w));
    for (int k = 0; k <= spline_reach; ++k) {
      const int up         = along_rows ? y : reflected(y - k, h);
      const int down       = along_rows ? y : reflected(y + k, h);
      const int step       = along_rows ? k : 0;
      const float weight   = k == 0 ? inverse.weight[0] / 2 : inverse.weight[k];
      const float *const a = &from(up, 0), *const b = &from(down, 0);
      if (inner)
        for (int i = 0; i < block; ++i)
          sum[i] += weight * (a[x + i - step] + b[x + i + step]);
      else
        for (int i = 0; i < count; ++i)
          sum[i] += weight * (a[reflected(x + i - step, w)] +
                              b[reflected(x + i + step, w)]);
    }
    for (int i = 0; i < count; ++i) to(y, x + i) = sum[i];
  }
};

}  // namespace

void spline_coefficients(const Exec& exec, Interpolation kind,
                         const Pixels& image, const Pixels& work) {
  if (kind == Interpolation::bilinear) return;
  const InverseWeights inverse(kind);
  const int block   = InvertSpline::block;
  const auto blocks = (std::int64_t(image.extent(1)) + block - 1) / block;
  const auto count  = std::int64_t(image.extent(0)) * blocks;
  for_each("piv::spline_rows", exec, count,
           InvertSpline{image, work, true, inverse});
  for_each("piv::spline_columns", exec, count,
           InvertSpline{work, image, false, inverse});
}

void deform(const Exec& exec, const Pixels& a, const Pixels& b,
            const Predictor& predictor, Interpolation kind, const Pixels& to_a,
            const Pixels& to_b) {
  for_each("piv::deform", exec,
           std::int64_t(a.extent(0)) * std::int64_t(a.extent(1)),
           Deform{a, b, predictor, kind, to_a, to_b});
}

}  // namespace PivApp
