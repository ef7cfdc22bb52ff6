// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Local measures by plain sums in double.

#ifndef SPOROS_PLAINLOCAL_HPP
#define SPOROS_PLAINLOCAL_HPP

#include <Sporos_CorrelateOptions.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <vector>

namespace Sporos {
namespace Test {

/// A matrix with weights. V: double, or complex double
template <class V>
class PlainWeighted {
 public:
  void add(V v, double weight) {
    // what a mask leaves out does not exist
    m_values.push_back(weight == 0 ? V(0) : v);
    m_weights.push_back(weight);
    m_weight += weight;
    m_mean += weight * m_values.back();
  }
  V value(std::size_t k) const { return m_values[k]; }
  double weight(std::size_t k) const { return m_weights[k]; }
  double weight() const { return m_weight; }
  V mean() const { return m_weight > 0 ? m_mean / m_weight : V(0); }
  /// The mean square of deviations
  double variance() const {
    double sum = 0;
    for (std::size_t k = 0; k < m_values.size(); ++k)
      sum += m_weights[k] * std::norm(m_values[k] - mean());
    return m_weight > 0 ? sum / m_weight : 0;
  }
  double largest_weight() const {
    return *std::max_element(m_weights.begin(), m_weights.end());
  }

 private:
  std::vector<V> m_values;
  std::vector<double> m_weights;
  double m_weight = 0;
  V m_mean        = V(0);
};

/// A pair of matrices, and what is known of all shifts.
template <class V>
struct PlainLocal {
  CorrelateOptions options;
  CorrelateExtents extents;
  bool masked;
  double largest;  ///< square difference, for shifts without overlap
  PlainWeighted<V> left{}, right{};
  double left_variance = 0, right_variance = 0, squares = 0;

  /// After all elements were added.
  void prepare() {
    left_variance  = left.variance();
    right_variance = right.variance();
    squares =
        left_variance + right_variance + std::norm(left.mean() - right.mean());
  }

  struct Result {
    V value;
    double scale;  ///< of errors
  };
  Result result(int dy, int dx) const {
    using N                   = Normalize;
    const CorrelateExtents& e = extents;
    const auto each           = [&](const auto& f) {
      for (int y = std::max(0, -dy); y < std::min(e.right_h, e.left_h - dy);
           ++y)
        for (int x = std::max(0, -dx); x < std::min(e.right_w, e.left_w - dx);
             ++x) {
          const auto l = std::size_t((y + dy) * e.left_w + x + dx);
          const auto r = std::size_t(y * e.right_w + x);
          f(left.value(l), right.value(r), left.weight(l) * right.weight(r));
        }
    };
    double n = 0;
    V mean_l = V(0), mean_r = V(0);
    each([&](V l, V r, double w) {
      n += w;
      mean_l += w * l;
      mean_r += w * r;
    });
    double most =
        double(std::min(e.left_h, e.right_h)) * std::min(e.left_w, e.right_w);
    if (masked) most = std::min({most, left.weight(), right.weight()});
    if (options.normalize != N::none &&
        (n <= 0 || n < options.least_overlap * most - 1e-9))
      return {V(options.normalize == N::square_difference              ? largest
                : options.normalize == N::square_difference_normalized ? 1.
                                                                       : 0.),
              0};
    mean_l /= n;
    mean_r /= n;
    double ll = 0, rr = 0, raw_ll = 0, raw_rr = 0, dd = 0;
    V lr = V(0), raw_lr = V(0);
    each([&](V l, V r, double w) {
      ll += w * std::norm(l - mean_l);
      rr += w * std::norm(r - mean_r);
      lr += w * times_conjugate(l - mean_l, r - mean_r);
      raw_ll += w * std::norm(l);
      raw_rr += w * std::norm(r);
      raw_lr += w * times_conjugate(l, r);
      dd += w * std::norm(l - r);
    });
    const auto is_flat = [&](double square_sum, double raw) {
      return square_sum <= 1e-26 * raw;
    };
    const bool constant = is_flat(ll, raw_ll) || is_flat(rr, raw_rr);
    const double norms  = std::sqrt(raw_ll) * std::sqrt(raw_rr);
    switch (options.normalize) {
      case N::local:
        if (constant) return {V(0), 0};
        return {lr / (std::sqrt(ll) * std::sqrt(rr)),
                masked ? 1 + whole(left, left_variance) / ll +
                             whole(right, right_variance) / rr
                       : 1 + std::sqrt(left_variance * n / ll) *
                                 std::sqrt(right_variance * n / rr)};
      case N::local_norm_only:
        if (norms <= 0) return {V(0), 0};
        return {raw_lr / norms, masked ? 1 + weighted_squares(left) / raw_ll +
                                             weighted_squares(right) / raw_rr
                                       : 1};
      case N::square_difference: return {V(dd), scale_of_sums(n)};
      case N::square_difference_normalized:
        return {V(norms > 0 ? std::min(1., dd / norms) : 1.),
                norms <= 0 ? 0
                : masked   ? 1 + (weighted_squares(left) / raw_ll +
                                weighted_squares(right) / raw_rr) *
                                   (1 + dd / norms)
                         : 1 + n * squares / norms};
      case N::local_mean_only: return {lr, scale_of_sums(n)};
      default:
        return {raw_lr, std::sqrt(weighted_squares(left)) *
                            std::sqrt(weighted_squares(right))};
    }
  }
  /// In units of what may be wrong
  double error(V got, int dy, int dx, double eps) const {
    const Result r = result(dy, dx);
    return got == r.value ? 0 : std::abs(got - r.value) / (eps * r.scale);
  }

 private:
  static double times_conjugate(double a, double b) { return a * b; }
  static std::complex<double> times_conjugate(const std::complex<double>& a,
                                              const std::complex<double>& b) {
    return a * std::conj(b);
  }
  /// Transforms spread rounding of the whole matrices.
  double scale_of_sums(double n) const {
    return squares * (masked
                          ? std::max({n, left.weight() * right.largest_weight(),
                                      right.weight() * left.largest_weight()})
                          : n);
  }
  static double whole(const PlainWeighted<V>& m, double variance) {
    return m.largest_weight() * m.weight() * variance;
  }
  /// The square sum of all elements, or more
  static double weighted_squares(const PlainWeighted<V>& m) {
    return m.largest_weight() * m.weight() *
           (m.variance() + std::norm(m.mean()));
  }
};

}  // namespace Test
}  // namespace Sporos

#endif
