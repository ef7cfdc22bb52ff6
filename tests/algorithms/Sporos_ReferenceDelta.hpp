// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Delta functions as formulas of the distance, written down again from the
/// papers: what the library's weights are compared with. And two functions as
/// users would write them.

#ifndef SPOROS_REFERENCEDELTA_HPP
#define SPOROS_REFERENCEDELTA_HPP

#include <Sporos_Composite.hpp>
#include <Sporos_DeltaFunctions.hpp>

#include <cmath>

namespace Sporos {
namespace Test {

/// A user's function on 3 points: quadratic B-spline, for all types.
struct UserQuadratic {
  static constexpr int support = 3;
  template <class T>
  KOKKOS_INLINE_FUNCTION void weights(T r, T* w) const {
    const T half(0.5f);
    w[0] = half * (half - r) * (half - r);
    w[1] = T(0.75f) - r * r;
    w[2] = half * (half + r) * (half + r);
  }
};

/// A user's function on 4 points for double alone, with a parameter and a
/// branch, which no pack can take: hat of half width `width`, normalised.
struct UserHat {
  static constexpr int support = 4;
  double width                 = 1.75;

  KOKKOS_INLINE_FUNCTION static double hat(double x, double width) {
    const double d = x < 0 ? -x : x;
    return d < width ? (width - d) / (width * width) : 0.;
  }
  KOKKOS_INLINE_FUNCTION void weights(double r, double* w) const {
    for (int k = 0; k < 4; ++k) w[k] = hat(k - 1 - r, width);
  }
};

/// A user's function on 8 points: wider than what tiles take.
struct UserWide8 {
  static constexpr int support = 8;
  template <class T>
  KOKKOS_INLINE_FUNCTION void weights(T r, T* w) const {
    for (int k = 0; k < 8; ++k) {
      const T x = (T(k - 3) - r) * T(0.25f);
      const T u = T(1) - x * x;
      w[k]      = u * u;
    }
  }
};

/// Nearest grid point.
struct UserNearest {
  static constexpr int support = 1;
  template <class T>
  KOKKOS_INLINE_FUNCTION void weights(T, T* w) const {
    w[0] = T(1);
  }
};

inline double phi(const Hat2&, double x) {
  return std::fmax(0., 1. - std::fabs(x));
}

inline double phi(const Roma3&, double x) {
  const double d = std::fabs(x);
  if (d < .5) return (1. + std::sqrt(1. - 3. * d * d)) / 3.;
  if (d >= 1.5) return 0.;
  return (5. - 3. * d - std::sqrt(1. - 3. * (1. - d) * (1. - d))) / 6.;
}

inline double phi(const Cosine4&, double x) {
  if (std::fabs(x) >= 2.) return 0.;
  return .25 * (1. + std::cos(1.57079632679489661923 * x));
}

inline double phi(const Peskin4&, double x) {
  const double d = std::fabs(x);
  if (d >= 2.) return 0.;
  if (d < 1.) return (3. - 2. * d + std::sqrt(1. + 4. * d - 4. * d * d)) / 8.;
  // 0 / rounding next to d = 2
  return (5. - 2. * d - std::sqrt(std::fmax(0., -7. + 12. * d - 4. * d * d))) /
         8.;
}

/// Bao, Kaye, Peskin: a Gaussian-like kernel with bounded second moment. The
/// published formula gives phi(r - 3) and, from it, phi at the other five
/// points, for r in (0, 1].
inline double phi(const Bao6&, double x) {
  if (std::fabs(x) >= 3.) return 0.;
  const int shift = int(std::ceil(x)) - 1;  // x = r + shift, r in (0, 1]
  const double r  = x - shift;
  const double K  = 59. / 60. - std::sqrt(29.) / 20.;
  const double r2 = r * r, r3 = r2 * r;
  const double alpha = 28.;
  const double beta =
      9. / 4. - 3. / 2. * (K + r2) + (22. / 3. - 7. * K) * r - 7. / 3. * r3;
  const double gamma =
      .25 * ((161. / 36. - 59. / 6. * K + 5. * K * K) * r2 / 2. +
             (-109. / 24. + 5. * K) * r2 * r2 / 3. + 5. / 18. * r3 * r3);
  const double sign = 1.5 - K > 0 ? 1. : -1.;
  const double m3 =
      (-beta + sign * std::sqrt(beta * beta - 4. * alpha * gamma)) /
      (2. * alpha);
  switch (shift) {
    case -3: return m3;
    case -2:
      return -3. * m3 - 1. / 16. + (K + r2) / 8. + (3. * K - 1.) * r / 12. +
             r3 / 12.;
    case -1: return 2. * m3 + .25 + (4. - 3. * K) * r / 6. - r3 / 6.;
    case 0: return 2. * m3 + 5. / 8. - (K + r2) / 4.;
    case 1: return -3. * m3 + .25 - (4. - 3. * K) * r / 6. + r3 / 6.;
    default:
      return m3 - 1. / 16. + (K + r2) / 8. - (3. * K - 1.) * r / 12. - r3 / 12.;
  }
}

/// Cardinal B-spline of order n by truncated powers.
inline double spline(int n, double x) {
  double sum = 0, binomial = 1, factorial = 1;
  for (int k = 2; k < n; ++k) factorial *= k;
  x = -std::fabs(x);  // fewer terms, less cancellation
  for (int k = 0; k <= n; ++k) {
    const double t = x + .5 * n - k;
    if (t > 0) sum += (k % 2 ? -1. : 1.) * binomial * std::pow(t, n - 1);
    binomial = binomial * (n - k) / (k + 1);
  }
  return sum / factorial;
}

template <int Support>
double phi(const BSpline<Support>&, double x) {
  return spline(Support, x);
}

// ---- derivatives with respect to x ----

/// At the kinks, those from the side of the points: they lie above.
inline double slope(const Hat2&, double x) {
  return x > -1. && x <= 0. ? 1. : x > 0. && x <= 1. ? -1. : 0.;
}
inline double slope(const Roma3&, double x) {
  const double d = std::fabs(x), sign = x < 0 ? -1. : 1.;
  if (d < .5) return -sign * d / std::sqrt(1. - 3. * d * d);
  if (d >= 1.5) return 0.;
  const double e = 1. - d;
  return -sign * (.5 + .5 * e / std::sqrt(1. - 3. * e * e));
}
inline double slope(const Cosine4&, double x) {
  const double half_pi = 1.57079632679489661923;
  return std::fabs(x) >= 2. ? 0. : -.25 * half_pi * std::sin(half_pi * x);
}
template <int Support>
double slope(const BSpline<Support>&, double x) {
  return spline(Support - 1, x + .5) - spline(Support - 1, x - .5);
}
inline double phi(const UserQuadratic&, double x) { return spline(3, x); }
inline double phi(const UserHat& delta, double x) {
  return UserHat::hat(x, delta.width);
}
inline double phi(const UserWide8&, double x) {
  if (std::fabs(x) >= 4.) return 0.;
  const double u = 1. - x * x / 16.;
  return u * u;
}
inline double phi(const UserNearest&, double x) {
  return x > -.5 && x <= .5 ? 1. : 0.;  // r in [-1/2, 1/2)
}

/// What the functions promise.
template <class Delta>
struct Promises {  // B-splines, Hat2, UserQuadratic
  static constexpr bool sums_to_one     = true;
  static constexpr bool first_moment    = true;  // is zero
  static constexpr bool even_odd_halves = false;
  static constexpr double squares       = 0;  // sum of squares; 0: varies
};
template <>
struct Promises<Roma3> {
  static constexpr bool sums_to_one     = true;
  static constexpr bool first_moment    = true;
  static constexpr bool even_odd_halves = false;
  static constexpr double squares       = .5;
};
template <>
struct Promises<Cosine4> {
  static constexpr bool sums_to_one     = true;
  static constexpr bool first_moment    = false;
  static constexpr bool even_odd_halves = true;
  static constexpr double squares       = .375;
};
template <>
struct Promises<Peskin4> {
  static constexpr bool sums_to_one     = true;
  static constexpr bool first_moment    = true;
  static constexpr bool even_odd_halves = true;
  static constexpr double squares       = .375;
};
template <>
struct Promises<Bao6> {
  static constexpr bool sums_to_one     = true;
  static constexpr bool first_moment    = true;
  static constexpr bool even_odd_halves = true;
  static constexpr double squares       = .32577761539019;
};
struct PromisesNothing {
  static constexpr bool sums_to_one     = false;
  static constexpr bool first_moment    = false;
  static constexpr bool even_odd_halves = false;
  static constexpr double squares       = 0;
};
template <>
struct Promises<UserHat> : PromisesNothing {};
template <>
struct Promises<UserWide8> : PromisesNothing {};
template <>
struct Promises<UserNearest> : PromisesNothing {
  static constexpr bool sums_to_one = true;
};

/// The function of direction d
template <class Delta>
double phi_in(int, const Delta& delta, double x) {
  return phi(delta, x);
}
template <class Phi, class... Rest>
double phi_in(int d, const Composite<Phi, Rest...>&, double x) {
  if constexpr (sizeof...(Rest) > 0)
    if (d > 0) return phi_in(d - 1, Composite<Rest...>{}, x);
  return phi(Phi{}, x);
}
/// The derivative of phi_in
template <class Delta>
double slope_in(int, const Delta& delta, double x) {
  return slope(delta, x);
}
template <class Phi, class... Rest>
double slope_in(int d, const Composite<Phi, Rest...>&, double x) {
  if constexpr (sizeof...(Rest) > 0)
    if (d > 0) return slope_in(d - 1, Composite<Rest...>{}, x);
  return slope(Phi{}, x);
}

}  // namespace Test
}  // namespace Sporos

#endif
