// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFT_SHAPE_HPP
#define SPOROS_NUFFT_SHAPE_HPP

/// \file Nufft_Shape.hpp
/// Execution space and array types of the non-uniform FFT.

#include <Kokkos_Core.hpp>

namespace NufftApp {

#if defined(SPOROS_HAVE_CUFFT) || defined(SPOROS_HAVE_HIPFFT)
using Exec = Kokkos::DefaultExecutionSpace;
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

}  // namespace NufftApp

#endif
