// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_WHOLESHIFTS_HPP
#define SPOROS_WHOLESHIFTS_HPP

/// \file Sporos_WholeShifts.hpp
/// Products of spectra, and the largest of the circular correlations that are
/// their transforms. Sums and searches go by lines, whose results are joined in
/// order.

#include <Sporos_ForEachIndex.hpp>
#include <cross_correlation/fft/Sporos_CorrelateFftShape.hpp>
#include <cross_correlation/peaks/Sporos_PeakSearch.hpp>
#include <cross_correlation/registration/Sporos_RegistrationImages.hpp>

#include <cstddef>
#include <cstdint>

namespace Sporos {
namespace Impl {

/// Sums over frequencies other than 0: of squares of magnitudes, and how many
/// are not left out.
struct SpectrumSums {
  double left = 0, right = 0, used = 0;

  KOKKOS_FUNCTION void add(const SpectrumSums& o) {
    left += o.left;
    right += o.right;
    used += o.used;
  }
};

/// The whole shift of a pair, [0, h) x [0, w).
template <class T>
struct WholeShift {
  PeakCandidate<T> best;
  double norm = 0;  ///< what correlations are divided by
};

/// right = left conj(right), which is also written to `back`. Frequency 0 is
/// left out: means have no place.
template <class Exec, class T>
struct MultiplyImages {
  RegistrationShape shape;
  RegistrationLines<Exec> lines;  ///< of a spectrum
  const T* left;
  T *right, *back;
  bool shared;  ///< one left spectrum for all pairs
  T noise;      ///< below 0: not whitened
  SpectrumSums* sums;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    const std::int64_t pair = index / lines.count();
    const std::int64_t at   = pair * shape.spectrum();
    const T* const l        = left + (shared ? 0 : at);
    T* const r              = right + at;
    T* const b              = back + at;
    SpectrumSums sum;
    lines.for_each(int(index % lines.count()), [&](int y, int x) {
      const std::ptrdiff_t k = std::ptrdiff_t(y) * shape.spectrum_pitch + 2 * x;
      const T lr = l[k], li = l[k + 1], rr = r[k], ri = r[k + 1];
      const T ll = lr * lr + li * li, rs = rr * rr + ri * ri;
      const bool mean = y == 0 && x == 0;
      const T by      = mean        ? T(0)
                        : noise < 0 ? T(1)
                                    : whitening(ll, rs, noise, T(1));
      b[k]            = (lr * rr + li * ri) * by;
      b[k + 1]        = (li * rr - lr * ri) * by;
      r[k]            = b[k];
      r[k + 1]        = b[k + 1];
      if (mean) return;
      // columns between the first and the middle one stand for two
      const double weight = x == 0 || 2 * x == shape.w ? 1 : 2;
      sum.left += weight * double(ll);
      sum.right += weight * double(rs);
      sum.used += by == T(0) ? 0 : weight;
    });
    sums[index] = sum;
  }
};

/// The largest correlation of each line, then of each pair.
template <class Exec, class T>
struct SearchWholeShifts {
  struct OfLines {};
  struct OfPairs {};
  RegistrationShape shape;
  RegistrationLines<Exec> lines;  ///< of an image
  const T* correlations;
  PeakCandidate<T>* candidates;
  const SpectrumSums* sums;
  int sums_of_pair;
  WholeShift<T>* shifts;

  KOKKOS_FUNCTION void operator()(OfLines, std::int64_t index) const {
    const T* const from = correlations + index / lines.count() * shape.image();
    PeakCandidate<T> best;
    lines.for_each(int(index % lines.count()), [&](int y, int x) {
      const T v = from[std::ptrdiff_t(y) * shape.pitch + x];
      if (v > best.value || (!best.exists() && v == v)) best = {v, y, x};
    });
    candidates[index] = best;
  }
  KOKKOS_FUNCTION void operator()(OfPairs, std::int64_t pair) const {
    WholeShift<T> shift;
    for (int line = 0; line < lines.count(); ++line) {
      const PeakCandidate<T>& c = candidates[pair * lines.count() + line];
      if (c.is_before(shift.best)) shift.best = c;
    }
    SpectrumSums all;
    for (int k = 0; k < sums_of_pair; ++k)
      all.add(sums[pair * sums_of_pair + k]);
    shift.norm   = shape.whiten
                       ? all.used
                       : Math::From::sqrt(all.left) * Math::From::sqrt(all.right);
    shifts[pair] = shift;
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
