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
#include <vector>

namespace Sporos {
namespace Test {

using PlainNumbers = std::vector<std::complex<long double>>;

/// The transform of ny rows and nx columns, forward (sign -1) or back, by sums.
inline PlainNumbers plain_transform(const PlainNumbers& in, int ny, int nx,
                                    int sign) {
  PlainNumbers rows(in.size()), out(in.size());
  const auto pass = [&](const auto& from, auto& to, int n, int stride, int many,
                        int other) {
    PlainNumbers factors;
    for (int k = 0; k < n; ++k)
      factors.push_back(
          std::polar(1.L, sign * 2 * 3.141592653589793238462643L * k / n));
    for (int m = 0; m < many; ++m)
      for (int k = 0; k < n; ++k) {
        long double re = 0, im = 0;
        for (int j = 0, at = 0; j < n; ++j, at = (at + k) % n) {
          const auto& a = from[std::size_t(m * other + j * stride)];
          const auto& b = factors[std::size_t(at)];
          re += a.real() * b.real() - a.imag() * b.imag();
          im += a.real() * b.imag() + a.imag() * b.real();
        }
        to[std::size_t(m * other + k * stride)] = {re, im};
      }
  };
  pass(in, rows, nx, 1, ny, nx);
  pass(rows, out, ny, nx, nx, 1);
  return out;
}

/// The whitened correlation of two matrices.
class PlainWhitened {
 public:
  using Number = std::complex<double>;

  /// left(y, x), right(y, x): complex numbers. centered: their sums are 0 but
  /// for rounding. eps: of the numbers that the library transforms
  template <class Left, class Right>
  PlainWhitened(const Sporos::Impl::CorrelateShape& s, const Left& left,
                const Right& right, bool centered, double eps)
      : m_shape(s) {
    const CorrelateExtents& e = s.extents;
    const Sporos::Impl::FftShape f(s, false);
    m_ny         = f.y.size;
    m_nx         = f.x.size;
    m_tolerance  = 16 * eps * std::log2(4. * m_ny * m_nx);
    const auto l = spectrum(left, e.left_h, e.left_w, centered, eps);
    const auto r = spectrum(right, e.right_h, e.right_w, centered, eps);
    PlainNumbers z;
    for (std::size_t k = 0; k < l.size(); ++k) z.push_back(l[k] * conj(r[k]));
    m_results = plain_transform(z, m_ny, m_nx, 1);
  }
  Number operator()(int dy, int dx) const {
    if (!m_shape.overlaps_in_y(dy) || !m_shape.overlaps_in_x(dx)) return 0;
    const auto& sum =
        m_results[std::size_t((dy + m_ny) % m_ny * m_nx + (dx + m_nx) % m_nx)];
    return Number(sum) / double(m_ny * m_nx);
  }
  /// What results may be wrong by.
  double tolerance() const { return m_tolerance; }

 private:
  /// Phases; 0 where there is nothing but rounding.
  template <class Matrix>
  PlainNumbers spectrum(const Matrix& from, int h, int w, bool centered,
                        double eps) {
    long double largest = 0;
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x)
        largest = std::max({largest, std::fabs((long double)from(y, x).real()),
                            std::fabs((long double)from(y, x).imag())});
    PlainNumbers z(std::size_t(m_ny * m_nx));
    if (largest == 0) return z;
    double norm = 0;
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x) {
        auto& to = z[std::size_t(y * m_nx + x)];
        to       = {from(y, x).real() / largest, from(y, x).imag() / largest};
        norm += double(std::norm(to));
      }
    z = plain_transform(z, m_ny, m_nx, -1);
    // the library leaves out magnitudes up to 4 to 8 times this
    const double rounding = eps * std::sqrt(1. * m_ny * m_nx);
    const double error    = 2 * eps * std::log2(4. * m_ny * m_nx);
    double sum            = 0;
    for (auto& v : z) {
      const double size = double(std::abs(v));
      if (size < rounding) {
        v = 0;
        continue;
      }
      sum += size < 16 * rounding
                 ? 2
                 : std::min(2., error * std::sqrt(norm) / size);
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
  int m_ny = 0, m_nx = 0;
  double m_tolerance = 0;
  PlainNumbers m_results;
};

}  // namespace Test
}  // namespace Sporos

#endif
