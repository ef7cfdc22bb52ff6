// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Local measures by plain sums in long double, and what rounding may do to
/// them.

#ifndef SPOROS_PLAINLOCAL_HPP
#define SPOROS_PLAINLOCAL_HPP

#include <Sporos_CrossCorrelate.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <type_traits>
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
  /// The norm of weight times |value - from|^power
  double norm(V from, int power) const {
    double sum = 0;
    for (std::size_t k = 0; k < m_values.size(); ++k)
      sum += std::norm(m_weights[k] *
                       std::pow(std::abs(m_values[k] - from), power));
    return std::sqrt(sum);
  }
  double largest(V from) const {
    double size = 0;
    for (const V& v : m_values) size = std::max(size, std::abs(v - from));
    return size;
  }
  /// The sum of weighted squares of values less `from`
  double squares(V from) const {
    double sum = 0;
    for (std::size_t k = 0; k < m_values.size(); ++k)
      sum += m_weights[k] * std::norm(m_values[k] - from);
    return sum;
  }

 private:
  std::vector<V> m_values;
  std::vector<double> m_weights;
  double m_weight = 0;
  V m_mean        = V(0);
};

/// How the library sums.
struct PlainRounding {
  double sums;   ///< epsilon of sums of products, and of copies
  double out;    ///< epsilon of results
  bool complex;  ///< a product is four
  bool by_fft;

  /// \tparam A type of out
  template <class A>
  static PlainRounding of(Normalize normalize, bool by_fft) {
    using R               = Sporos::Impl::real_of<A>;
    constexpr double eps  = double(std::numeric_limits<R>::epsilon());
    const bool transforms = by_fft && normalize != Normalize::none;
    return {transforms ? std::numeric_limits<double>::epsilon() : eps, eps,
            Sporos::Impl::is_complex_v<A>, by_fft};
  }
};

/// A pair of matrices, and what is known of all shifts.
///
/// What may be wrong: the library takes the means m of the whole matrices away
/// and sums, over an overlap, products p, values and squares; without masks the
/// latter by boxes in double, with masks all of them as correlations. By the
/// definition a sum of n terms in blocks of B errs by min(n, B) eps / 2 of the
/// sum of magnitudes (a box of h x w by (h + w) eps / 2), through FFTs by about
/// eps log2(size) of the norms of the whole matrices. Deviations
/// ll = squares - |sum|^2 / n inherit the error of the squares, not that of ll:
/// a coefficient p / sqrt(ll rr) errs by dp / sqrt(ll rr) and by
/// (d ll / ll + d rr / rr) / 2, where d ll / ll is eps times the ratio
/// squares / ll of one side alone. The ratios of the sides must be added: their
/// geometric mean is far too small where one patch is nearly flat, the other
/// not.
template <class V>
struct PlainLocal {
  CorrelateOptions options;
  CorrelateExtents extents;
  bool masked;
  double largest;  ///< square difference, for shifts without overlap
  PlainRounding rounding;
  PlainWeighted<V> left{}, right{};
  V left_origin = V(0), right_origin = V(0);  ///< that copies are less
  double left_slack = 0, right_slack = 0;     ///< of copies: means are rounded
  double left_norms[3] = {}, right_norms[3] = {};
  double left_squares = 0, right_squares = 0;  ///< of all elements
  double of_offset = 0;  ///< error of the difference of the means

  /// After all elements were added.
  void prepare() {
    const bool centred = options.normalize != Normalize::none &&
                         options.normalize != Normalize::local_norm_only;
    const auto side = [&](const PlainWeighted<V>& m, int h, int w, V& origin,
                          double& slack, double(&norms)[3], double& squares) {
      origin = centred ? m.mean() : V(0);
      slack  = centred ? double_eps * (h + w) * std::abs(origin) : 0;
      for (int k = 0; k < 3; ++k) norms[k] = m.norm(origin, k);
      squares = m.squares(origin);
    };
    side(left, extents.left_h, extents.left_w, left_origin, left_slack,
         left_norms, left_squares);
    side(right, extents.right_h, extents.right_w, right_origin, right_slack,
         right_norms, right_squares);
    // means of integers are relative to an element
    of_offset =
        double_eps * (left.largest(left_origin) + right.largest(right_origin) +
                      std::abs(left_origin - right_origin));
  }

  struct Result {
    V value;
    double error;           ///< that rounding explains
    bool doubtful = false;  ///< of a patch that may count as constant
  };
  Result result(int dy, int dx) const {
    using N        = Normalize;
    const Sums s   = sums(dy, dx);
    const double n = s.of[0][0], eps = rounding.out;
    double most = double(std::min(extents.left_h, extents.right_h)) *
                  std::min(extents.left_w, extents.right_w);
    if (masked) most = std::min({most, left.weight(), right.weight()});
    if (options.normalize != N::none &&
        (n <= 0 || n < options.least_overlap * most - 1e-9))
      return {V(options.normalize == N::square_difference              ? largest
                : options.normalize == N::square_difference_normalized ? 1.
                                                                       : 0.),
              0};
    const Errors d = errors(s);
    // complex numbers are multiplied to be at most 1
    const double bounded = (rounding.complex ? 4 : 1) * eps;
    switch (options.normalize) {
      case N::local: {
        if (s.ll <= 1e-26 * s.raw_ll || s.rr <= 1e-26 * s.raw_rr)
          return {V(0), 0};
        const double norms = std::sqrt(s.ll) * std::sqrt(s.rr);
        const double size  = std::abs(s.lr) / norms;
        return {s.lr / norms,
                d.centred_products / norms +
                    (d.ll / s.ll + d.rr / s.rr) * size / 2 + bounded,
                is_doubtful(s.ll, s.of[2][0], d.ll, left_squares) ||
                    is_doubtful(s.rr, s.of[0][2], d.rr, right_squares)};
      }
      case N::local_norm_only: {
        const double norms = std::sqrt(s.raw_ll) * std::sqrt(s.raw_rr);
        if (norms <= 0) return {V(0), 0};
        return {
            s.raw_lr / norms,
            d.products / norms +
                (d.left_squares / s.raw_ll + d.right_squares / s.raw_rr) / 2 +
                bounded,
            is_doubtful(s.raw_ll, 0, d.left_squares, left_squares) ||
                is_doubtful(s.raw_rr, 0, d.right_squares, right_squares)};
      }
      case N::square_difference: return {V(s.dd), d.difference + eps * s.dd};
      case N::square_difference_normalized: {
        const double norms = std::sqrt(s.raw_ll) * std::sqrt(s.raw_rr);
        if (norms <= 0) return {V(1), 0};
        const double value = std::min(1., s.dd / norms);
        const double l     = s.of[2][0] + n * std::norm(left_origin),
                     r     = s.of[0][2] + n * std::norm(right_origin);
        return {V(value),
                d.difference / norms +
                    value * (d.raw_ll / s.raw_ll + d.raw_rr / s.raw_rr) + eps,
                is_doubtful(s.raw_ll, l, d.raw_ll, 0) ||
                    is_doubtful(s.raw_rr, r, d.raw_rr, 0)};
      }
      case N::local_mean_only:
        return {s.lr, d.centred_products + eps * std::abs(s.lr)};
      default: return {s.raw_lr, d.products + eps * std::abs(s.raw_lr)};
    }
  }
  /// In units of what may be wrong
  double error(V got, int dy, int dx) const {
    const Result r = result(dy, dx);
    if (got == r.value || (r.doubtful && std::abs(got) <= 1)) return 0;
    return std::abs(got - r.value) / r.error;
  }

 private:
  static constexpr double double_eps = std::numeric_limits<double>::epsilon();

  using Wide = std::conditional_t<std::is_same<V, double>::value, long double,
                                  std::complex<long double>>;

  static long double times_conjugate(long double a, long double b) {
    return a * b;
  }
  static Wide times_conjugate(const std::complex<long double>& a,
                              const std::complex<long double>& b) {
    return a * std::conj(b);
  }

  /// What an overlap has
  struct Sums {
    /// of[a][b]: weights times |left|^a |right|^b, less the origins
    double of[3][3] = {};
    double ll = 0, rr = 0, raw_ll = 0, raw_rr = 0, dd = 0;  // no origins
    V lr = V(0), raw_lr = V(0);
    double terms = 0, box = 0;
  };
  Sums sums(int dy, int dx) const {
    const CorrelateExtents& e = extents;
    Sums s;
    const int y0 = std::max(0, -dy), y1 = std::min(e.right_h, e.left_h - dy);
    const int x0 = std::max(0, -dx), x1 = std::min(e.right_w, e.left_w - dx);
    if (y1 <= y0 || x1 <= x0) return s;
    const auto each = [&](const auto& f) {
      for (int y = y0; y < y1; ++y)
        for (int x = x0; x < x1; ++x) {
          const auto l = std::size_t((y + dy) * e.left_w + x + dx);
          const auto r = std::size_t(y * e.right_w + x);
          f(left.value(l), right.value(r), left.weight(l) * right.weight(r));
        }
    };
    Wide mean_l(0), mean_r(0);
    long double weights = 0;
    each([&](V l, V r, double w) {
      const double a = std::abs(l - left_origin) + left_slack;
      const double b = std::abs(r - right_origin) + right_slack;
      s.of[1][0] += w * a;
      s.of[0][1] += w * b;
      s.of[2][0] += w * a * a;
      s.of[0][2] += w * b * b;
      s.of[1][1] += w * a * b;
      weights += w;
      mean_l += (long double)(w)*Wide(l);
      mean_r += (long double)(w)*Wide(r);
    });
    if (weights <= 0) return s;
    s.of[0][0] = double(weights);
    mean_l /= weights;
    mean_r /= weights;
    long double ll = 0, rr = 0, raw_ll = 0, raw_rr = 0, dd = 0;
    Wide lr(0), raw_lr(0);
    each([&](V l_, V r_, double weight) {
      const Wide l(l_), r(r_);
      const long double w(weight);
      ll += w * std::norm(l - mean_l);
      rr += w * std::norm(r - mean_r);
      lr += w * times_conjugate(l - mean_l, r - mean_r);
      raw_ll += w * std::norm(l);
      raw_rr += w * std::norm(r);
      raw_lr += w * times_conjugate(l, r);
      dd += w * std::norm(l - r);
    });
    s.ll     = double(ll);
    s.rr     = double(rr);
    s.raw_ll = double(raw_ll);
    s.raw_rr = double(raw_rr);
    s.dd     = double(dd);
    s.lr     = V(lr);
    s.raw_lr = V(raw_lr);
    s.terms  = double(y1 - y0) * (x1 - x0);
    s.box    = double(y1 - y0) + (x1 - x0);
    return s;
  }

  struct Errors {
    double products, left_squares, right_squares;  ///< of sums
    double centred_products, ll, rr;
    double raw_ll, raw_rr, difference;
  };
  Errors errors(const Sums& s) const {
    const double eps   = rounding.sums;
    const double n     = s.of[0][0];
    const double block = eps > 1e-10 ? 256 : 4096;
    // blocks may be a row longer; products, weights and copies are rounded, too
    const double of_terms = (rounding.complex ? 3 : 1) * eps *
                            (std::min(s.terms, 2 * block) / 2 + 4);
    const CorrelateExtents& e = extents;
    const double of_norms     = rounding.by_fft
                                    ? 8 * eps *
                                      std::log2(4. * (e.left_h + e.right_h) *
                                                    (e.left_w + e.right_w))
                                    : 0;
    const auto correlation    = [&](int a, int b) {
      return of_terms * s.of[a][b] + of_norms * left_norms[a] * right_norms[b];
    };
    const auto sum = [&](int a, int b) {
      return masked ? correlation(a, b) : double_eps * (s.box + 4) * s.of[a][b];
    };
    const double count = masked ? sum(0, 0) : 0;
    const double l = s.of[1][0], r = s.of[0][1];  // not less than sums
    const double l2 = s.of[2][0], r2 = s.of[0][2];
    // numbers that are less their mean are rounded once more
    const auto copied = [&](double squares, double of) {
      return 2 * eps * std::sqrt(squares) * std::sqrt(of);
    };
    const double off  = std::abs(left_origin - right_origin);
    const double from = std::abs(left_origin), to = std::abs(right_origin);
    Errors d;
    d.products         = correlation(1, 1);
    d.left_squares     = sum(2, 0);
    d.right_squares    = sum(0, 2);
    d.centred_products = d.products + (l * sum(0, 1) + r * sum(1, 0)) / n +
                         l / n * (r / n) * count + copied(l2, s.rr) +
                         copied(r2, s.ll) + 4 * double_eps * l * r / n +
                         n * left_slack * right_slack;
    d.ll = sum(2, 0) + 2 * l / n * sum(1, 0) + l / n * (l / n) * count +
           copied(l2, s.ll) + 4 * double_eps * l2;
    d.rr = sum(0, 2) + 2 * r / n * sum(0, 1) + r / n * (r / n) * count +
           copied(r2, s.rr) + 4 * double_eps * r2;
    d.raw_ll = sum(2, 0) + 2 * from * sum(1, 0) + from * from * count +
               copied(l2, s.raw_ll) +
               4 * double_eps * (l2 + 2 * from * l + from * from * n);
    d.raw_rr = sum(0, 2) + 2 * to * sum(0, 1) + to * to * count +
               copied(r2, s.raw_rr) +
               4 * double_eps * (r2 + 2 * to * r + to * to * n);
    d.difference =
        sum(2, 0) + sum(0, 2) + 2 * d.products +
        2 * off * (sum(1, 0) + sum(0, 1)) + off * off * count +
        copied(l2, s.dd) + copied(r2, s.dd) +
        4 * double_eps *
            (l2 + r2 + 2 * s.of[1][1] + 2 * off * (l + r) + off * off * n) +
        2 * of_offset * (l + r + n * off);
    return d;
  }
  /// May the square sum of deviations count as rounding? The limits that are
  /// documented, twice; or the error is no small one.
  bool is_doubtful(double deviations, double squares, double error,
                   double all) const {
    const CorrelateExtents& e = extents;
    const double terms =
        double(std::min(e.left_h, e.right_h)) + std::min(e.left_w, e.right_w);
    const double flat  = masked ? 128 * rounding.sums
                                : std::max(4 * terms * double_eps,
                                           512 * rounding.sums * rounding.sums);
    const double noise = masked && rounding.by_fft ? 2e-13 * all : 0;
    return deviations <= flat * squares + noise || error > .1 * deviations;
  }
};

}  // namespace Test
}  // namespace Sporos

#endif
