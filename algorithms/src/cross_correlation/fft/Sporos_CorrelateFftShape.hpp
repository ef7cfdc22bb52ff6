// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATEFFTSHAPE_HPP
#define SPOROS_CORRELATEFFTSHAPE_HPP

/// \file Sporos_CorrelateFftShape.hpp
/// A correlation as a circular one: sizes of transforms and positions of
/// matrices.

#include <cross_correlation/problem/Sporos_CorrelateConstants.hpp>
#include <cross_correlation/problem/Sporos_CorrelateShape.hpp>

#include <limits>

namespace Sporos {
namespace Impl {

/// The smallest multiple of 4 from n on that has no prime factors above 7.
/// 1 stays 1.
inline int good_fft_size(int n) {
  if (n == 1) return 1;
  for (n = ceil_div(n, 4) * 4;; n += 4) {
    int rest = n;
    for (const int p : {2, 3, 5, 7})
      while (rest % p == 0) rest /= p;
    if (rest == 1) return n;
  }
}

/// One direction. Element k of left lies at k - d0, so that shift d0 + i is
/// element i of the result; elements that no shift needs are left out.
struct FftAxis {
  int size;              ///< of the transform
  int left_begin;        ///< first element of left that is used
  int left_count;        ///< how many are
  int left_offset;       ///< where the first of them lies
  int right_offset = 0;  ///< where element 0 of right lies
};

/// All of left, whatever the shifts are, in a transform that holds all shifts
/// with an overlap: what whitened spectra are does not depend on the shifts.
inline FftAxis whole_fft_axis(int left, int right, int d0, int d1) {
  FftAxis a;
  a.left_begin   = 0;
  a.left_count   = left;
  a.left_offset  = Math::max(0, -d0);
  a.right_offset = Math::max(0, d0);
  a.size         = good_fft_size(
              Math::max(Math::max(left + right - 1, d1 - d0),
                        Math::max(a.left_offset + left, a.right_offset + right)));
  return a;
}

/// `left` elements of left, `right` of right, n = d1 - d0 shifts. Element y of
/// right and shift d0 + i meet position y + i, of [0, right + n - 1), and what
/// lies `size` from it: none of left, which is at [offset, offset + count), if
/// size >= offset + count and size >= right + n - 1 - offset.
inline FftAxis fft_axis(int left, int right, int d0, int d1) {
  const int begin = Math::max(0, d0), n = d1 - d0;
  const int end = Math::min(left, d1 - 1 + right);
  FftAxis a;
  a.left_begin  = Math::min(begin, left);
  a.left_count  = Math::max(0, end - begin);
  a.left_offset = a.left_count > 0 ? begin - d0 : 0;
  const int unwrapped =
      Math::max(a.left_offset + a.left_count, right + n - 1 - a.left_offset);
  a.size = good_fft_size(Math::max(unwrapped, Math::max(right, n)));
  return a;
}

/// Padded matrices, or volumes (z): planes of a spectrum lie one after another.
struct FftShape {
  FftAxis y, x;
  bool real;    ///< real input: half of the spectrum is kept
  bool whiten;  ///< spectra are divided by their magnitudes
  int columns;  ///< complex columns of a spectrum
  FftAxis z;

  FftShape() = default;
  FftShape(const CorrelateShape& s, bool real_)
      : real(real_), whiten(s.whiten) {
    const CorrelateExtents& e = s.extents;
    const auto axis           = whiten ? whole_fft_axis : fft_axis;
    y       = axis(e.left_h, e.right_h, s.shifts.dy0, s.shifts.dy1);
    x       = axis(e.left_w, e.right_w, s.shifts.dx0, s.shifts.dx1);
    z       = axis(e.left_d, e.right_d, s.shifts.dz0, s.shifts.dz1);
    columns = real ? x.size / 2 + 1 : x.size;
  }
  /// Rows of all planes
  int rows() const { return z.size * y.size; }
};

/// Number of matrices in a batch if `fit` fit into it: as few as possible for
/// the same number of batches.
inline int fft_batch(std::int64_t matrices, std::int64_t fit) {
  fit = Math::max(fit, std::int64_t(1));
  if (matrices == 0) return 1;
  return int(ceil_div(matrices, ceil_div(matrices, fit)));
}

/// Matrices of a block, whole batches of them, if `fit` are to be kept.
inline int fft_block(int matrices, int batch, std::int64_t fit) {
  return int(Math::min(std::int64_t(matrices),
                       Math::max(std::int64_t(1), fit / batch) * batch));
}

/// Left matrices [i0, i1) with right ones [j0, j1); pairs are numbered by right
/// ones first.
struct FftBlock {
  int i0, i1, j0, j1;

  KOKKOS_INLINE_FUNCTION std::int64_t pairs() const {
    return std::int64_t(i1 - i0) * (j1 - j0);
  }
  KOKKOS_INLINE_FUNCTION int i(std::int64_t pair) const {
    return i0 + int(pair / (j1 - j0));
  }
  KOKKOS_INLINE_FUNCTION int j(std::int64_t pair) const {
    return j0 + int(pair % (j1 - j0));
  }
};

/// Calls f(block, new_lefts, new_rights) for all pairs, `lefts` and `rights`
/// matrices at a time: whose spectra are to be made.
template <class F>
void for_each_fft_block(const CorrelateExtents& e, int lefts, int rights,
                        const F& f) {
  for (int j = 0; j < e.m; j += rights)
    for (int i = 0; i < e.n; i += lefts)
      f(FftBlock{i, Math::min(lefts, e.n - i) + i, j,
                 Math::min(rights, e.m - j) + j},
        j == 0 || lefts < e.n, i == 0);
}

/// Square of a magnitude of a spectrum of so many rows, of all planes, and
/// columns that is rounding of others, if elements are below 1.
template <class R>
R whitening_noise(int rows, int columns) {
  const R noise = R(noise_of_whitening) * std::numeric_limits<R>::epsilon();
  return noise * noise * R(rows) * R(columns);
}

/// What a product of spectra of these squares of magnitudes is multiplied by:
/// `scale` by its magnitude, 0 for rounding. NaN stays NaN.
template <class R>
KOKKOS_INLINE_FUNCTION R whitening(R left, R right, R noise, R scale) {
  return left <= noise || right <= noise
             ? R(0)
             : scale / (Math::From::sqrt(left) * Math::From::sqrt(right));
}

/// The type that transforms of sums of type A are made in.
template <class A>
using fft_real =
    std::conditional_t<std::is_same<real_of<A>, float>::value, float, double>;

/// From a transform to a result: integers are rounded.
template <class A, class R>
KOKKOS_INLINE_FUNCTION A from_fft(R v) {
  if constexpr (std::is_integral<A>::value)
    return A(Math::From::floor(v + R(0.5)));
  else
    return A(v);
}

}  // namespace Impl
}  // namespace Sporos

#endif
