// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Phase correlation by plain transforms: what whitened correlations are
/// compared with.

#ifndef SPOROS_PLAINWHITENED_HPP
#define SPOROS_PLAINWHITENED_HPP

#include <Sporos_CrossCorrelate.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace Sporos {
namespace Test {

using PlainNumbers = std::vector<std::complex<long double>>;

/// The transform of nz planes, ny rows and nx columns, forward (sign -1) or
/// back, by sums.
inline PlainNumbers plain_transform(PlainNumbers numbers, int nz, int ny,
                                    int nx, int sign) {
  const auto pass = [&](int n, int stride) {
    const PlainNumbers from = numbers;
    PlainNumbers factors;
    for (int k = 0; k < n; ++k)
      factors.push_back(
          std::polar(1.L, sign * 2 * 3.141592653589793238462643L * k / n));
    for (int m = 0; m < nz * ny * nx / n; ++m) {
      const int first = m / stride * (stride * n) + m % stride;
      for (int k = 0; k < n; ++k) {
        long double re = 0, im = 0;
        for (int j = 0, at = 0; j < n; ++j, at = (at + k) % n) {
          const auto& a = from[std::size_t(first + j * stride)];
          const auto& b = factors[std::size_t(at)];
          re += a.real() * b.real() - a.imag() * b.imag();
          im += a.real() * b.imag() + a.imag() * b.real();
        }
        numbers[std::size_t(first + k * stride)] = {re, im};
      }
    }
  };
  pass(nx, 1);
  pass(ny, nx);
  pass(nz, nx * ny);
  return numbers;
}

/// The whitened correlation of two matrices, or volumes.
class PlainWhitened {
 public:
  using Number = std::complex<double>;

  /// left, right: complex numbers (y, x), or (z, y, x). centered: their sums
  /// are 0 but for rounding. eps: of the numbers that the library transforms
  template <class Left, class Right>
  PlainWhitened(const Sporos::Impl::CorrelateShape& s, const Left& left,
                const Right& right, bool centered, double eps)
      : m_shape(s) {
    const CorrelateExtents& e = s.extents;
    const Sporos::Impl::FftShape f(s, false);
    m_nz         = f.z.size;
    m_ny         = f.y.size;
    m_nx         = f.x.size;
    m_tolerance  = 16 * eps * std::log2(4. * double(size()));
    const auto l = spectrum(left, e.left_d, e.left_h, e.left_w, centered, eps);
    const auto r =
        spectrum(right, e.right_d, e.right_h, e.right_w, centered, eps);
    PlainNumbers z;
    for (std::size_t k = 0; k < l.size(); ++k) z.push_back(l[k] * conj(r[k]));
    m_results = plain_transform(z, m_nz, m_ny, m_nx, 1);
  }
  Number operator()(int dy, int dx, int dz = 0) const {
    if (!m_shape.overlaps_in_z(dz) || !m_shape.overlaps_in_y(dy) ||
        !m_shape.overlaps_in_x(dx))
      return 0;
    return Number(m_results[at((dz + m_nz) % m_nz, (dy + m_ny) % m_ny,
                               (dx + m_nx) % m_nx)]) /
           double(size());
  }
  /// What results may be wrong by.
  double tolerance() const { return m_tolerance; }

 private:
  std::size_t size() const { return std::size_t(m_nz * m_ny * m_nx); }
  std::size_t at(int z, int y, int x) const {
    return std::size_t((z * m_ny + y) * m_nx + x);
  }
  /// Phases; 0 where there is nothing but rounding.
  template <class Matrix>
  PlainNumbers spectrum(const Matrix& from, int d, int h, int w, bool centered,
                        double eps) {
    const auto for_each = [&](const auto& f) {
      for (int z = 0; z < d; ++z)
        for (int y = 0; y < h; ++y)
          for (int x = 0; x < w; ++x)
            if constexpr (std::is_invocable<const Matrix&, int, int,
                                            int>::value)
              f(at(z, y, x), from(z, y, x));
            else
              f(at(z, y, x), from(y, x));
    };
    long double largest = 0;
    for_each([&](std::size_t, const auto& v) {
      largest = std::max({largest, std::fabs((long double)v.real()),
                          std::fabs((long double)v.imag())});
    });
    PlainNumbers z(size());
    if (largest == 0) return z;
    double norm = 0;
    for_each([&](std::size_t k, const auto& v) {
      z[k] = {v.real() / largest, v.imag() / largest};
      norm += double(std::norm(z[k]));
    });
    z = plain_transform(z, m_nz, m_ny, m_nx, -1);
    // the library leaves out magnitudes up to 4 to 8 times this
    const double rounding = eps * std::sqrt(double(size()));
    const double error    = 2 * eps * std::log2(4. * double(size()));
    double sum            = 0;
    for (auto& v : z) {
      const double magnitude = double(std::abs(v));
      if (magnitude < rounding) {
        v = 0;
        continue;
      }
      sum += magnitude < 16 * rounding
                 ? 2
                 : std::min(2., error * std::sqrt(norm) / magnitude);
      v /= std::abs(v);
    }
    if (centered) {  // what is left of the mean
      z[0] = 0;
      sum += 2;
    }
    m_tolerance += sum / double(z.size());
    return z;
  }

  Sporos::Impl::CorrelateShape m_shape;
  int m_nz = 0, m_ny = 0, m_nx = 0;
  double m_tolerance = 0;
  PlainNumbers m_results;
};

}  // namespace Test
}  // namespace Sporos

#endif
