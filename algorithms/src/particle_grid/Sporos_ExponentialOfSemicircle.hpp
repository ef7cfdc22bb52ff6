// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_EXPONENTIALOFSEMICIRCLE_HPP
#define SPOROS_EXPONENTIALOFSEMICIRCLE_HPP

/// \file Sporos_ExponentialOfSemicircle.hpp
/// The kernel of non-uniform FFTs, as a delta function.

#include <Kokkos_Core.hpp>

#include <Sporos_Error.hpp>
#include <Sporos_KokkosCompat.hpp>
#include <Sporos_Pack.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace Sporos {

namespace Impl {

/// Nodes and weights of Gauss-Legendre quadrature over [0, length]; nodes are
/// zeros of the Legendre polynomial, found by Newton's method.
struct GaussLegendre {
  std::vector<double> node, weight;

  GaussLegendre(int n, double length)
      : node(std::size_t(n)), weight(std::size_t(n)) {
    const double pi = std::acos(-1.);
    for (int k = 0; k < n; ++k) {
      double x = std::cos(pi * (k + .75) / (n + .5)), slope = 1;
      for (int step = 0; step < 5; ++step) {
        double before = 1, p = x;
        for (int j = 2; j <= n; ++j) {
          const double next = ((2 * j - 1) * x * p - (j - 1) * before) / j;
          before            = p;
          p                 = next;
        }
        slope = n * (x * p - before) / (x * x - 1);
        x -= p / slope;
      }
      node[std::size_t(k)]   = .5 * length * (1 + x);
      weight[std::size_t(k)] = length / ((1 - x * x) * slope * slope);
    }
  }
};

}  // namespace Impl

/// Exponential of semicircle, the kernel of non-uniform FFTs:
///
///   phi(x) = c exp(beta (sqrt(1 - (2 x / Support)^2) - 1))
///
/// for |x| <= Support / 2, scaled to the integral 1. Its Fourier transform
/// falls fast: on a grid that is `upsampling` times as fine as the waves need
/// (two points a period), waves are spread and interpolated with a small error,
/// root mean square over waves and positions, once divided by transform(). From
/// an upsampling of 2 on, in one direction and in double, it is below
/// 10^(1 - Support) (supports above 8: slightly above). Coarser grids, float
/// and more directions make it larger, by orders: expected_error() tells. The
/// weights sum to 1 with an error of that order only, see `sums_to_one`.
///
/// (Barnett, Magland, af Klinteberg, "A parallel nonuniform fast Fourier
/// transform library based on an 'exponential of semicircle' kernel", 2019.)
///
/// weights() evaluates polynomials that the constructor fits, of degree Support
/// + 3, one for each piece of length 1. They differ from the formula by less
/// than the error above. Constructors run on the host.
template <int Support>
class ExponentialOfSemicircle {
  static_assert(Support >= 2 && Support <= 16,
                "Sporos::ExponentialOfSemicircle: Support must be 2 to 16");

 public:
  /// Number of grid points per direction.
  static constexpr int support = Support;
  /// The sum of the weights depends on the position. Checks that are always on
  /// with Sporos_ENABLE_CHECKS let it pass.
  static constexpr bool sums_to_one = false;
  /// Degree of the polynomials that weights() evaluates.
  static constexpr int degree = Support + 3;

  /// \param upsampling decides on the shape, beta. The error falls for finer
  ///   grids, and rises for coarser ones.
  /// \throws std::invalid_argument unless upsampling is at least 1.1 and
  ///   finite: on coarser grids the shortest waves are lost
  explicit ExponentialOfSemicircle(double upsampling = 2) {
    Impl::check(upsampling >= 1.1 && upsampling - upsampling == 0,
                "Sporos::ExponentialOfSemicircle", "upsampling",
                "a finite number of at least 1.1", upsampling);
    m_beta  = beta(upsampling);
    m_scale = 1 / transform(0., 1)[0];
    for (int k = 0; k < pieces; ++k) fit(k);
    find_errors(upsampling);
  }

  /// The error to expect of waves on grids of the given upsampling: root mean
  /// square over waves and positions, relative. It is that of the kernel, whose
  /// squares add up over the directions, and that of rounding(). Measured
  /// errors are within a factor of 3, but for what positions lose that are
  /// stored in T.
  /// \tparam T float or double, of fields
  /// \param directions of the grid
  template <class T = double>
  double expected_error(int directions) const {
    const double rounds = rounding<T>(directions);
    return std::sqrt(directions * m_error * m_error + rounds * rounds);
  }
  /// The part of rounding: sums on the grid are rounded, and division by
  /// transform() amplifies that for short waves, once in each direction. spread
  /// and interpolate refuse fields with which it exceeds 0.01. (3D, float,
  /// upsampling 1.25: supports from 14 on.)
  template <class T = double>
  double rounding(int directions) const {
    double error = .5 * std::numeric_limits<T>::epsilon();
    for (int d = 0; d < directions; ++d) error *= m_amplify;
    return error;
  }

  /// The shape.
  double beta() const { return m_beta; }

  /// phi(x) by its formula, on hosts.
  double operator()(double x) const {
    const double z = 2 * x / Support, square = 1 - z * z;
    return square < 0 ? 0.
                      : m_scale * std::exp(m_beta * (std::sqrt(square) - 1));
  }

  /// Values of the Fourier transform, the integral of phi(x) cos(omega x), at
  /// omega = 0, step, ..., (count - 1) step; on hosts. By Gauss-Legendre
  /// quadrature, to rounding. x is in units of the grid spacing: a wave of k
  /// periods on n grid points has omega = 2 pi k / n. Complexity: count times
  /// 30 + Support (1 + |largest omega|) cosines.
  std::vector<double> transform(double step, int count) const {
    if (count <= 0) return {};
    const double half = .5 * Support, largest = std::fabs(step) * (count - 1);
    // x = half sin(t): without it, roots at the ends would slow convergence
    const Impl::GaussLegendre rule(30 + int(Support * (1 + largest)),
                                   std::acos(0.));
    std::vector<double> values(std::size_t(count), 0.);
    for (std::size_t j = 0; j < rule.node.size(); ++j) {
      const double t = rule.node[j], cosine = std::cos(t);
      const double x      = half * std::sin(t);
      const double factor = 2 * half * rule.weight[j] * cosine * m_scale *
                            std::exp(m_beta * (cosine - 1));
      for (int k = 0; k < count; ++k)
        values[std::size_t(k)] += factor * std::cos(k * step * x);
    }
    return values;
  }

  /// Sets all `support` weights at r (see Sporos_DeltaFunctions.hpp).
  template <class T>
  KOKKOS_INLINE_FUNCTION void weights(T r, T* w) const {
    using S   = scalar_of<T>;
    const T t = Support % 2 ? r : r - T(S(.5));
    const T u = t * t;
    // Weights k and Support - 1 - k have the same even and opposite odd terms.
    const Terms<S>& c = terms(S());
    SPOROS_UNROLL
    for (int k = 0; k < Support / 2; ++k) {
      const T even       = polynomial(c.even[k], u);
      const T odd        = t * polynomial(c.odd[k], u);
      w[k]               = even + odd;
      w[Support - 1 - k] = even - odd;
    }
    if constexpr (Support % 2 != 0)
      w[Support / 2] = polynomial(c.even[Support / 2], u);
  }
  /// Sets the derivatives of all weights at r, those of the polynomials.
  template <class T>
  KOKKOS_INLINE_FUNCTION void derivatives(T r, T* d) const {
    using S           = scalar_of<T>;
    const T t         = Support % 2 ? r : r - T(S(.5));
    const T u         = t * t;
    const Terms<S>& c = terms(S());
    SPOROS_UNROLL
    for (int k = 0; k < Support / 2; ++k) {
      const T even       = t * slope<0>(c.even[k], u);
      const T odd        = slope<1>(c.odd[k], u);
      d[k]               = odd + even;
      d[Support - 1 - k] = even - odd;
    }
    if constexpr (Support % 2 != 0)
      d[Support / 2] = t * slope<0>(c.even[Support / 2], u);
  }

 private:
  static constexpr int pieces = (Support + 1) / 2;

  /// Errors of waves in one direction: interpolates waves at some positions and
  /// divides by the transform. What is random on the grid has the norm of the
  /// weights as its share of a point.
  void find_errors(double upsampling) {
    constexpr int waves = 40, places = 16;
    const double step                 = std::acos(-1.) / (upsampling * waves);
    const std::vector<double> fourier = transform(step, waves + 1);
    double squares = 0, norms = 0, inverse = 0;
    for (int wave = 1; wave <= waves; ++wave)
      inverse += 1 / (fourier[std::size_t(wave)] * fourier[std::size_t(wave)]);
    for (int i = 0; i < places; ++i) {
      const double r = (i + .5) / places - (Support % 2 ? .5 : 0.);
      double w[Support];
      weights(r, w);
      for (const double x : w) norms += x * x;
      for (int wave = 1; wave <= waves; ++wave) {
        double re = 0, im = 0;
        for (int k = 0; k < Support; ++k) {
          const double phase = wave * step * (k - (Support - 1) / 2 - r);
          re += w[k] * std::cos(phase);
          im += w[k] * std::sin(phase);
        }
        re = re / fourier[std::size_t(wave)] - 1;
        im = im / fourier[std::size_t(wave)];
        squares += re * re + im * im;
      }
    }
    m_error   = std::sqrt(squares / (waves * places));
    m_amplify = std::sqrt(std::max(1., norms / places * inverse / waves));
  }

  /// Coefficients of powers of t^2, and of t times them; in both precisions, so
  /// that kernels need not convert them.
  template <class S>
  struct Terms {
    S even[pieces][degree / 2 + 1]  = {};
    S odd[pieces][(degree + 1) / 2] = {};
  };
  KOKKOS_FORCEINLINE_FUNCTION const Terms<double>& terms(double) const {
    return m_double;
  }
  KOKKOS_FORCEINLINE_FUNCTION const Terms<float>& terms(float) const {
    return m_float;
  }

  /// Makes the error smallest, within a few per cent: found by trial for
  /// supports up to 10. Wide kernels have that of the source, with gamma = 1.
  static double beta(double upsampling) {
    return std::acos(-1.) * Support * (1 - .5 / upsampling) - 2.2 / Support;
  }

  /// sum_j c[j] u^j
  template <class T, class S, int N>
  KOKKOS_FORCEINLINE_FUNCTION static T polynomial(const S (&c)[N], T u) {
    T sum = T(c[N - 1]);
    SPOROS_UNROLL
    for (int j = N - 2; j >= 0; --j) sum = fma(sum, u, T(c[j]));
    return sum;
  }

  /// The derivative of sum_j c[j] t^(2 j + Odd) with u = t^2; but for a factor
  /// t if Odd is 0.
  template <int Odd, class T, class S, int N>
  KOKKOS_FORCEINLINE_FUNCTION static T slope(const S (&c)[N], T u) {
    T sum = T(S(2 * (N - 1) + Odd) * c[N - 1]);
    SPOROS_UNROLL
    for (int j = N - 2; j >= 1 - Odd; --j)
      sum = fma(sum, u, T(S(2 * j + Odd) * c[j]));
    return sum;
  }

  /// The polynomial in t that equals phi(k - (Support - 1) / 2. - t) at
  /// Chebyshev nodes of [-1/2, 1/2], by Newton's divided differences.
  void fit(int k) {
    constexpr int n = degree + 1;
    double node[n], c[n];
    for (int j = 0; j < n; ++j) {
      node[j] = .5 * std::cos(std::acos(-1.) * (j + .5) / n);
      c[j]    = (*this)(k - .5 * (Support - 1) - node[j]);
    }
    for (int order = 1; order < n; ++order)
      for (int j = n - 1; j >= order; --j)
        c[j] = (c[j] - c[j - 1]) / (node[j] - node[j - order]);
    for (int order = n - 2; order >= 0; --order)  // to powers of t
      for (int j = order; j < n - 1; ++j) c[j] -= node[order] * c[j + 1];
    for (int j = 0; j < n; ++j) {
      (j % 2 ? m_double.odd[k][j / 2] : m_double.even[k][j / 2]) = c[j];
      (j % 2 ? m_float.odd[k][j / 2] : m_float.even[k][j / 2])   = float(c[j]);
    }
  }

  double m_beta = 1, m_scale = 1;
  double m_error = 0, m_amplify = 1;  ///< see expected_error, rounding
  Terms<double> m_double;
  Terms<float> m_float;
};

}  // namespace Sporos

#endif
