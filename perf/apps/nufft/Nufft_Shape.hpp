// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFT_SHAPE_HPP
#define SPOROS_NUFFT_SHAPE_HPP

/// \file Nufft_Shape.hpp
/// Execution space, array types and sizes of the non-uniform FFT.

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>

#if defined(SPOROS_HAVE_CUFFT) && defined(KOKKOS_ENABLE_CUDA)
#define NUFFT_ON_CUDA
#endif

namespace NufftApp {

#ifdef NUFFT_ON_CUDA
using Exec = Kokkos::Cuda;
#else
using Exec = Kokkos::DefaultHostExecutionSpace;
#endif
using Memory = Exec::memory_space;

/// Numbers one after another.
template <class T>
using Vector = Kokkos::View<T*, Kokkos::LayoutRight, Memory>;
/// Positions of points, (n, Dim).
template <class T>
using Positions = Kokkos::View<T**, Kokkos::LayoutRight, Memory>;

template <class T, int Dim>
struct FieldOf;
template <class T>
struct FieldOf<T, 2> {
  using type = Kokkos::View<T**, Kokkos::LayoutRight, Memory>;
};
template <class T>
struct FieldOf<T, 3> {
  using type = Kokkos::View<T***, Kokkos::LayoutRight, Memory>;
};
/// Numbers on the fine grid.
template <class T, int Dim>
using Field = typename FieldOf<T, Dim>::type;

/// The support that a tolerance needs: a digit more than it has.
inline int support_for(double tolerance) {
  return static_cast<int>(std::ceil(std::log10(1 / tolerance) - 1e-9)) + 1;
}

/// How many times as fine as the modes need the grid has to be, so that the
/// errors of all directions together stay below the tolerance.
inline double upsampling_for(double tolerance, int dimension) {
  const bool wide = support_for(tolerance) > (dimension == 2 ? 5 : 3);
  return !wide ? 2 : dimension == 2 ? 2.1 : 2.15;
}

/// Points along a direction of the fine grid: a multiple of 8 without prime
/// factors above 7.
inline int fine_size(int modes, double upsampling) {
  const int least = static_cast<int>(std::ceil(upsampling * modes - 1e-9));
  for (int n = (std::max(least, 8) + 7) / 8 * 8;; n += 8) {
    int rest = n;
    for (const int p : {2, 3, 5, 7})
      while (rest % p == 0) rest /= p;
    if (rest == 1) return n;
  }
}

/// Modes k = -(modes / 2), ..., (modes - 1) / 2 of a direction with n points on
/// the fine grid, where negative ones stand at the end.
struct Modes {
  int modes, n;

  KOKKOS_FUNCTION int wave(int i) const { return i - modes / 2; }
  /// Where mode i stands on the fine grid.
  KOKKOS_FUNCTION int place(int i) const {
    return wave(i) < 0 ? wave(i) + n : wave(i);
  }
  /// Which mode stands at a place; negative: none.
  KOKKOS_FUNCTION int mode_at(int place) const {
    const int k = place < n - modes / 2 ? place : place - n;
    return k < (modes + 1) / 2 ? k + modes / 2 : -1;
  }
};

}  // namespace NufftApp

#endif
