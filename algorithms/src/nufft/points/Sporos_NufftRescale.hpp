// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFTRESCALE_HPP
#define SPOROS_NUFFTRESCALE_HPP

/// \file Sporos_NufftRescale.hpp
/// Kernels of type 3 over points and frequencies: boxes, rescaling, factors.

#include <Sporos_Error.hpp>
#include <Sporos_ForEachIndex.hpp>
#include <Sporos_KokkosCompat.hpp>
#include <nufft/choice/Sporos_NufftChoice.hpp>

#include <cstddef>
#include <cstdint>

namespace Sporos {
namespace Impl {

/// Is this a coordinate that type 3 takes? False for NaN.
KOKKOS_INLINE_FUNCTION bool is_nufft_coordinate(double x) {
  return Math::fabs(x) <= most_nufft_coordinate;
}

/// The least and the largest coordinate of direction d; too large a one if one
/// is wrong.
template <class Points>
struct NufftExtent {
  using Value = Kokkos::MinMaxScalar<double>;
  Points points;
  int d;

  KOKKOS_FUNCTION void operator()(std::int64_t i, Value& v) const {
    const double x = double(points(i, d));
    v.min_val      = Math::min(v.min_val, x);
    v.max_val      = Math::max(v.max_val, x);
    if (!is_nufft_coordinate(x)) v.max_val = 2 * most_nufft_coordinate;
  }
};

/// The first point with a wrong coordinate.
template <class Points>
struct FirstWrongPoint {
  Points points;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& found) const {
    for (int d = 0; d < int(points.extent(1)); ++d)
      if (!is_nufft_coordinate(double(points(i, d))) && i < found) found = i;
  }
};

/// Centre and half of the extent in each direction; 0 without points. Waits.
/// \throws std::invalid_argument for a coordinate that is not finite or too
///   large
template <int Dim, class Exec, class Points>
void find_nufft_box(const char* function, const char* argument,
                    const Exec& exec, const Points& points,
                    double (&centre)[Dim], double (&half)[Dim]) {
  const auto n = std::int64_t(points.extent(0));
  const Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>> all(exec, 0,
                                                                       n);
  for (int d = 0; d < Dim && n > 0; ++d) {
    typename NufftExtent<Points>::Value extent;
    Kokkos::parallel_reduce("Sporos::nufft::extents", all,
                            NufftExtent<Points>{points, d},
                            Kokkos::MinMax<double>(extent));
    if (!(extent.max_val <= most_nufft_coordinate)) {
      std::int64_t first = n;
      Kokkos::parallel_reduce("Sporos::nufft::find_wrong", all,
                              FirstWrongPoint<Points>{points},
                              Kokkos::Min<std::int64_t>(first));
      check(false, function, argument,
            text("finite coordinates of at most ", most_nufft_coordinate),
            text("another one at index ", first));
    }
    centre[d] = .5 * (extent.min_val + extent.max_val);
    half[d]   = .5 * (extent.max_val - extent.min_val);
  }
}

/// rescaled = (x - centre) * scale, and for each point a factor,
/// exp(i (base + (x - centre) * turn)); for frequencies divided by the kernel's
/// transform there.
template <class Points, class T, int Dim>
struct RescalePoints {
  Points points;
  double* rescaled;  ///< direction after direction, `pitch` apart
  std::int64_t pitch;
  Kokkos::complex<T>* factor;
  double centre[Dim], scale[Dim], turn[Dim];
  double base = 0, size = 1;
  bool divide = false;
  NufftTransformSeries transform;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    double angle = base, magnitude = size;
    for (int d = 0; d < Dim; ++d) {
      const double x          = double(points(i, d)) - centre[d];
      const double at         = x * scale[d];
      rescaled[i + d * pitch] = at;
      angle += x * turn[d];
      if (divide) magnitude /= transform(at);
    }
    factor[i] = Kokkos::complex<T>(T(magnitude * Math::cos(angle)),
                                   T(magnitude * Math::sin(angle)));
  }
};

/// out = in * factor, or its conjugate. `out` may be `in`.
template <class In, class Out, class T>
struct MultiplyFactors {
  In in;
  Out out;
  const Kokkos::complex<T>* factor;
  T sign;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const Kokkos::complex<T> f(factor[i].real(), sign * factor[i].imag());
    out(i) = in(i)*f;
  }
};

template <class Exec, class In, class Out, class T>
void multiply_factors(const Exec& exec, const In& in, const Out& out,
                      const Kokkos::complex<T>* factor, int sign) {
  for_each_index("Sporos::nufft::factors",
                 Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(
                     exec, 0, std::int64_t(in.extent(0))),
                 MultiplyFactors<In, Out, T>{in, out, factor, T(sign)});
}

}  // namespace Impl
}  // namespace Sporos

#endif
