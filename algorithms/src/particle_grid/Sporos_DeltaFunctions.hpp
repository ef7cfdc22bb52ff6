// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_DELTAFUNCTIONS_HPP
#define SPOROS_DELTAFUNCTIONS_HPP

/// \file Sporos_DeltaFunctions.hpp
/// Regularised delta functions in one direction. delta_h(x) is the product over
/// the directions of phi(x_d / h_d) / h_d.
///
/// A delta function is a copyable struct with
/// \code
///   static constexpr int support;  // s: number of grid points
///   template <class T>
///   KOKKOS_INLINE_FUNCTION void weights(T r, T* w) const;
/// \endcode
/// weights sets w[k] = phi(k - (s - 1) / 2 - r) (integer division) for k = 0 to
/// s - 1. r is the distance of the point above grid point (s - 1) / 2 in units
/// of the grid spacing: in [0, 1] for even s, in [-1/2, 1/2] for odd s. T is
/// float or double; on hosts it may be a `Sporos::Pack` of them, for several
/// points at once. Arithmetic and an unqualified `sqrt` (after `using
/// std::sqrt`) work for all of them. If `weights` takes plain numbers only, it
/// is called point by point.
///
/// For interpolate_gradient and spread_dipoles
/// (Sporos_ParticleGridGradient.hpp) a delta function also has \code
///   template <class T>
///   KOKKOS_INLINE_FUNCTION void derivatives(T r, T* d) const;
/// \endcode
/// which sets d[k] to the derivative of weight k with respect to r. Where it
/// has a kink, take the derivative from above, in [0, 1) or [-1/2, 1/2). All
/// delta functions of this file have derivatives.
///
/// The weights sum to 1. If they do so only roughly on purpose, declare `static
/// constexpr bool sums_to_one = false;`.

#include <Kokkos_Core.hpp>

#include <Sporos_ExponentialOfSemicircle.hpp>
#include <Sporos_Pack.hpp>

#include <cmath>
#include <type_traits>

namespace Sporos {

namespace Impl {

/// Do the weights of a delta function sum to 1?
template <class Delta, class = void>
inline constexpr bool sums_to_one_v = true;
template <class Delta>
inline constexpr bool
    sums_to_one_v<Delta, std::void_t<decltype(Delta::sums_to_one)>> =
        Delta::sums_to_one;

/// a b + c; fused for packs, left to the compiler for scalars
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T multiply_add(T a, T b, T c) {
  if constexpr (IsPack<T>::value)
    return fma(a, b, c);
  else
    return a * b + c;
}

/// sin(t) and cos(t) for |t| <= pi/4 by Taylor polynomials: below one ulp, no
/// branch, no library call, so that loops over points stay vectorised.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void sincos_quarter(T t, T& sine, T& cosine) {
  using S   = scalar_of<T>;
  const T x = t * t;
  T a, b;
  if constexpr (std::is_same<S, float>::value) {
    a = multiply_add(x, T(S(1. / 362880)), T(S(-1. / 5040)));
    b = multiply_add(x, T(S(-1. / 3628800)), T(S(1. / 40320)));
  } else {
    a = multiply_add(x, T(S(-1. / 1307674368000)), T(S(1. / 6227020800)));
    a = multiply_add(a, x, T(S(-1. / 39916800)));
    a = multiply_add(a, x, T(S(1. / 362880)));
    a = multiply_add(a, x, T(S(-1. / 5040)));
    b = multiply_add(x, T(S(1. / 20922789888000)), T(S(-1. / 87178291200)));
    b = multiply_add(b, x, T(S(1. / 479001600)));
    b = multiply_add(b, x, T(S(-1. / 3628800)));
    b = multiply_add(b, x, T(S(1. / 40320)));
  }
  a      = multiply_add(a, x, T(S(1. / 120)));
  a      = multiply_add(a, x, T(S(-1. / 6)));
  b      = multiply_add(b, x, T(S(-1. / 720)));
  b      = multiply_add(b, x, T(S(1. / 24)));
  b      = multiply_add(b, x, T(S(-.5)));
  sine   = multiply_add(a * x, t, t);
  cosine = multiply_add(b, x, T(S(1)));
}

}  // namespace Impl

/// Linear hat function, 2 points: phi(r) = 1 - |r|.
struct Hat2 {
  /// Number of grid points per direction.
  static constexpr int support = 2;
  /// Sets all `support` weights at r (see the head of this file).
  template <class T>
  KOKKOS_INLINE_FUNCTION void weights(T r, T* w) const {
    w[0] = T(1) - r;
    w[1] = r;
  }
  /// Sets the derivatives of all weights at r. At a grid point, where the
  /// function has a kink, those from above.
  template <class T>
  KOKKOS_INLINE_FUNCTION void derivatives(T, T* d) const {
    d[0] = T(-1);
    d[1] = T(1);
  }
};

/// Three-point function of Roma, Peskin and Berger (1999): first moment 0,
/// sum of squares 1/2.
struct Roma3 {
  /// Number of grid points per direction.
  static constexpr int support = 3;
  /// Sets all `support` weights at r (see the head of this file).
  template <class T>
  KOKKOS_INLINE_FUNCTION void weights(T r, T* w) const {
    using S = scalar_of<T>;
    using std::sqrt;
    const T q = sqrt(T(1) - T(3) * r * r);
    const T a = (T(2) - q) * T(S(1. / 6)), b = r * T(S(.5));
    w[0] = a - b;
    w[1] = (T(1) + q) * T(S(1. / 3));
    w[2] = a + b;
  }
  /// Sets the derivatives of all weights at r.
  template <class T>
  KOKKOS_INLINE_FUNCTION void derivatives(T r, T* d) const {
    using S = scalar_of<T>;
    using std::sqrt;
    const T slope = r / sqrt(T(1) - T(3) * r * r);  // -q' / 3
    const T a     = slope * T(S(.5));
    d[0]          = a - T(S(.5));
    d[1]          = T(0) - slope;
    d[2]          = a + T(S(.5));
  }
};

/// Cosine function of Peskin (1977, 2002): phi(r) = (1 + cos(pi r / 2)) / 4 for
/// |r| < 2. Sums over even and odd points 1/2, sum of squares 3/8; the first
/// moment is not 0 but within 0.0210882.
struct Cosine4 {
  /// Number of grid points per direction.
  static constexpr int support = 4;
  /// Sets all `support` weights at r (see the head of this file).
  template <class T>
  KOKKOS_INLINE_FUNCTION void weights(T r, T* w) const {
    using S           = scalar_of<T>;
    const S half_pi   = S(1.57079632679489661923);
    const S quarter   = S(.25);
    const S sqrt2_8th = S(.17677669529663688110);  // sqrt(1/2) / 4
    T sine, cosine;
    Impl::sincos_quarter((r - T(S(.5))) * T(half_pi), sine, cosine);
    const T a = (cosine + sine) * T(sqrt2_8th);  // sin(pi r / 2) / 4
    const T b = (cosine - sine) * T(sqrt2_8th);  // cos(pi r / 2) / 4
    w[0]      = T(quarter) - a;
    w[1]      = T(quarter) + b;
    w[2]      = T(quarter) + a;
    w[3]      = T(quarter) - b;
  }
  /// Sets the derivatives of all weights at r.
  template <class T>
  KOKKOS_INLINE_FUNCTION void derivatives(T r, T* d) const {
    using S         = scalar_of<T>;
    const S half_pi = S(1.57079632679489661923);
    const S scale   = S(.27768018363489789043);  // pi/2 sqrt(1/2) / 4
    T sine, cosine;
    Impl::sincos_quarter((r - T(S(.5))) * T(half_pi), sine, cosine);
    const T a = (cosine - sine) * T(scale);  // pi/2 cos(pi r / 2) / 4
    const T b = (cosine + sine) * T(scale);  // pi/2 sin(pi r / 2) / 4
    d[0]      = T(0) - a;
    d[1]      = T(0) - b;
    d[2]      = a;
    d[3]      = b;
  }
};

/// Four-point function of Peskin (2002): sums over even and odd points 1/2,
/// first moment 0, sum of squares 3/8.
struct Peskin4 {
  /// Number of grid points per direction.
  static constexpr int support = 4;
  /// Sets all `support` weights at r (see the head of this file).
  template <class T>
  KOKKOS_INLINE_FUNCTION void weights(T r, T* w) const {
    using S = scalar_of<T>;
    using std::sqrt;
    const T eighth = T(S(.125));
    const T q      = sqrt(T(1) + T(4) * r * (T(1) - r));
    const T a = T(3) - T(2) * r, b = T(1) + T(2) * r;
    w[0] = (a - q) * eighth;
    w[1] = (a + q) * eighth;
    w[2] = (b + q) * eighth;
    w[3] = (b - q) * eighth;
  }
  /// Sets the derivatives of all weights at r.
  template <class T>
  KOKKOS_INLINE_FUNCTION void derivatives(T r, T* d) const {
    using S = scalar_of<T>;
    using std::sqrt;
    const T quarter = T(S(.25));
    const T slope   = (quarter - T(S(.5)) * r) /
                    sqrt(T(1) + T(4) * r * (T(1) - r));  // q' / 8
    d[0] = T(0) - quarter - slope;
    d[1] = slope - quarter;
    d[2] = quarter + slope;
    d[3] = quarter - slope;
  }
};

/// Six-point function of Bao, Kaye and Peskin (2016) with K = 59/60 -
/// sqrt(29)/20: sums over even and odd points 1/2, first and third moments 0,
/// second moment K, sum of squares 0.3257776154; three continuous derivatives.
struct Bao6 {
  /// Number of grid points per direction.
  static constexpr int support = 6;
  /// Sets all `support` weights at r (see the head of this file).
  template <class T>
  KOKKOS_INLINE_FUNCTION void weights(T r, T* w) const {
    using S = scalar_of<T>;
    using std::sqrt;
    constexpr double K = .71407509297660;
    const T x          = r * r;
    const T odd        = r * (T(S((22. - 21. * K) / 3)) - T(S(7. / 3)) * x);
    const T beta       = T(S(2.25 - 1.5 * K)) - T(S(1.5)) * x + odd;
    const T gamma =
        x * (T(S((161. / 36 - 59. * K / 6 + 5 * K * K) / 8)) +
             x * (T(S((-109. / 24 + 5 * K) / 12)) + x * T(S(5. / 72))));
    const T p    = (sqrt(beta * beta - T(112) * gamma) - beta) * T(S(1. / 56));
    const T even = (T(S(K)) + x) * T(S(.125));
    const T a    = r * (T(S((3 * K - 1) / 12)) + x * T(S(1. / 12)));
    const T b    = r * (T(S((4 - 3 * K) / 6)) - x * T(S(1. / 6)));
    const T c    = even - T(S(1. / 16));
    w[0]         = p + c - a;
    w[1]         = T(S(.25)) - b - T(3) * p;
    w[2]         = T(S(.625)) - T(2) * even + T(2) * p;
    w[3]         = T(S(.25)) + b + T(2) * p;
    w[4]         = c + a - T(3) * p;
    w[5]         = p;
  }
  /// Sets the derivatives of all weights at r.
  template <class T>
  KOKKOS_INLINE_FUNCTION void derivatives(T r, T* d) const {
    using S = scalar_of<T>;
    using std::sqrt;
    constexpr double K = .71407509297660;
    const T x          = r * r;
    const T cubic      = T(S((22. - 21. * K) / 3)) - T(S(7. / 3)) * x;
    const T beta       = T(S(2.25 - 1.5 * K)) - T(S(1.5)) * x + r * cubic;
    const T to_beta    = cubic - T(S(14. / 3)) * x - T(3) * r;
    const T g1         = T(S((161. / 36 - 59. * K / 6 + 5 * K * K) / 8));
    const T g2 = T(S((-109. / 24 + 5 * K) / 12)), g3 = T(S(5. / 72));
    const T gamma    = x * (g1 + x * (g2 + x * g3));
    const T to_gamma = T(2) * r * (g1 + x * (T(2) * g2 + x * (T(3) * g3)));
    const T root     = sqrt(beta * beta - T(112) * gamma);
    const T p =
        ((beta * to_beta - T(56) * to_gamma) / root - to_beta) * T(S(1. / 56));
    const T c = r * T(S(.25));
    const T a = T(S((3 * K - 1) / 12)) + x * T(S(.25));
    const T b = T(S((4 - 3 * K) / 6)) - x * T(S(.5));
    d[0]      = p + c - a;
    d[1]      = T(0) - b - T(3) * p;
    d[2]      = T(2) * (p - c);
    d[3]      = b + T(2) * p;
    d[4]      = c + a - T(3) * p;
    d[5]      = p;
  }
};

/// Cardinal B-spline on Support points (degree Support - 1), by the recursion
/// of Cox and de Boor: first moment 0, Support - 2 continuous derivatives.
/// Support 2 is the hat function.
template <int Support>
struct BSpline {
  static_assert(Support >= 2 && Support <= 16,
                "Sporos::BSpline: Support must be 2 to 16");
  /// Number of grid points per direction.
  static constexpr int support = Support;
  /// Sets all `support` weights at r (see the head of this file).
  template <class T>
  KOKKOS_INLINE_FUNCTION void weights(T r, T* w) const {
    w[0] = T(1);
    raise<Support>(r, w);
  }
  /// Sets the derivatives of all weights at r. Support 2: see Hat2.
  template <class T>
  KOKKOS_INLINE_FUNCTION void derivatives(T r, T* d) const {
    d[0] = T(1);
    raise<Support - 1>(r, d);
    d[Support - 1] = d[Support - 2];
    SPOROS_UNROLL_ON_DEVICES
    for (int j = Support - 2; j > 0; --j) d[j] = d[j - 1] - d[j];
    d[0] = T(0) - d[0];
  }

 private:
  /// From the weights of a spline of degree 0 to those of degree Points - 1.
  template <int Points, class T>
  KOKKOS_FORCEINLINE_FUNCTION static void raise(T r, T* w) {
    using S   = scalar_of<T>;
    const T t = Support % 2 ? r + T(S(.5)) : r;
    if constexpr (Points > 1) {
      w[0] = T(1) - t;
      w[1] = t;
    }
    SPOROS_UNROLL_ON_DEVICES
    for (int p = 2; p < Points; ++p) {
      const T inverse = T(S(1) / S(p));
      w[p]            = t * w[p - 1] * inverse;
      SPOROS_UNROLL_ON_DEVICES
      for (int j = p - 1; j > 0; --j)
        w[j] =
            ((t + T(S(p - j))) * w[j - 1] + (T(S(1 + j)) - t) * w[j]) * inverse;
      w[0] = (T(1) - t) * w[0] * inverse;
    }
  }
};

}  // namespace Sporos

#endif
