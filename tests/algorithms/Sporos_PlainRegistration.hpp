// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Registration by plain sums over all frequencies, as skimage's
/// phase_cross_correlation defines it.

#ifndef SPOROS_PLAINREGISTRATION_HPP
#define SPOROS_PLAINREGISTRATION_HPP

#include "Sporos_PlainWhitened.hpp"

#include <Sporos_RegisterImages.hpp>

#include <cmath>
#include <complex>
#include <cstddef>
#include <vector>

namespace Sporos {
namespace Test {

/// The circular correlation of two images, at any place between pixels.
class PlainRegistration {
 public:
  /// left(y, x), right(y, x): pixels. eps: of the numbers that are transformed
  template <class Left, class Right>
  PlainRegistration(int h, int w, const Left& left, const Right& right,
                    bool whiten, double eps)
      : m_h(h), m_w(w) {
    long double of_l, of_r;  // largest pixels, then rounding of frequencies
    const auto l = spectrum(left, of_l), r = spectrum(right, of_r);
    of_l *= (long double)eps * std::sqrt(1.L * h * w);
    of_r *= (long double)eps * std::sqrt(1.L * h * w);
    long double ll = 0, rr = 0, used = 0, doubtful = 0;
    m_product.resize(l.size());
    for (std::size_t k = 1; k < l.size(); ++k) {  // without means
      m_product[k] = l[k] * std::conj(r[k]);
      ll += std::norm(l[k]);
      rr += std::norm(r[k]);
      if (!whiten) continue;
      // the library leaves out magnitudes up to 4 to 16 times the rounding
      const auto unsure = [](long double v, long double rounding) {
        return v > 2 * rounding && v < 64 * rounding;
      };
      const auto a = std::abs(l[k]), b = std::abs(r[k]);
      const bool some = a > 8 * of_l && b > 8 * of_r;
      m_product[k]    = some ? m_product[k] / std::abs(m_product[k]) : 0.L;
      used += some;
      doubtful += unsure(a, of_l) || unsure(b, of_r);
    }
    m_doubt = doubtful > 0 ? double(2 * doubtful / std::max(used, 1.L)) : 0;
    m_norm  = double(whiten ? used : std::sqrt(ll) * std::sqrt(rr));
  }
  /// The coefficients at all pairs of ys and xs.
  std::vector<double> at(const std::vector<double>& ys,
                         const std::vector<double>& xs) const {
    std::vector<double> out;
    const auto wx = waves(xs, m_w), wy = waves(ys, m_h);
    PlainNumbers rows;  // (y of spectrum, x)
    for (int k = 0; k < m_h; ++k)
      for (std::size_t x = 0; x < xs.size(); ++x) {
        std::complex<long double> sum = 0;
        for (int j = 0; j < m_w; ++j)
          sum += m_product[std::size_t(k * m_w + j)] *
                 wx[x * std::size_t(m_w) + std::size_t(j)];
        rows.push_back(sum);
      }
    for (std::size_t y = 0; y < ys.size(); ++y)
      for (std::size_t x = 0; x < xs.size(); ++x) {
        long double sum = 0;
        for (std::size_t k = 0; k < std::size_t(m_h); ++k)
          sum +=
              (rows[k * xs.size() + x] * wy[y * std::size_t(m_h) + k]).real();
        out.push_back(m_norm > 0 ? double(sum / (long double)m_norm) : 0);
      }
    return out;
  }
  double at(double y, double x) const {
    return at(std::vector<double>{y}, std::vector<double>{x})[0];
  }
  /// What is unsure of coefficients: frequencies that may be left out.
  double doubt() const { return m_doubt; }
  /// The largest coefficient: at whole shifts, then on the fine grid around.
  ImageShift best(int upsampling) const {
    std::vector<double> ys, xs;
    for (int y = 0; y < m_h; ++y) ys.push_back(2 * y > m_h ? y - m_h : y);
    for (int x = 0; x < m_w; ++x) xs.push_back(2 * x > m_w ? x - m_w : x);
    const ImageShift whole = largest(ys, xs);
    if (upsampling == 1 || m_norm == 0) return whole;
    const int points = (3 * upsampling + 1) / 2;
    ys.clear(), xs.clear();
    for (int p = 0; p < points; ++p) {
      ys.push_back(whole.dy + double(p - points / 2) / upsampling);
      xs.push_back(whole.dx + double(p - points / 2) / upsampling);
    }
    return largest(ys, xs);
  }

 private:
  template <class Image>
  PlainNumbers spectrum(const Image& from, long double& largest) const {
    PlainNumbers z;
    largest = 0;
    for (int y = 0; y < m_h; ++y)
      for (int x = 0; x < m_w; ++x) {
        z.emplace_back(from(y, x) - from(0, 0));
        largest = std::max(largest, std::abs(z.back()));
      }
    return plain_transform(z, 1, m_h, m_w, -1);
  }
  /// exp(2 pi i f x / n) of each x and frequency f; half a cycle in a pixel is
  /// half of it forward and half backward
  static PlainNumbers waves(const std::vector<double>& xs, int n) {
    PlainNumbers out;
    for (const double x : xs)
      for (int k = 0; k < n; ++k) {
        const int f = 2 * k > n ? k - n : k;
        const auto wave =
            std::polar(1.L, 2 * 3.141592653589793238462643L * f * x / n);
        out.push_back(2 * k == n ? wave.real() : wave);
      }
    return out;
  }
  ImageShift largest(const std::vector<double>& ys,
                     const std::vector<double>& xs) const {
    const auto all   = at(ys, xs);
    std::size_t best = 0;
    for (std::size_t k = 0; k < all.size(); ++k)
      if (all[k] > all[best] + 1e-14) best = k;
    return {ys[best / xs.size()], xs[best % xs.size()], all[best]};
  }

  int m_h, m_w;
  double m_norm = 0, m_doubt = 0;
  PlainNumbers m_product;
};

}  // namespace Test
}  // namespace Sporos

#endif
