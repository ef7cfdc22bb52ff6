// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_FFTUNITS_HPP
#define SPOROS_FFTUNITS_HPP

/// \file Sporos_FftUnits.hpp
/// Two files of one program, of which only one sees an FFT library.

#include <Kokkos_Core.hpp>

using Exec   = Kokkos::DefaultHostExecutionSpace;
using Matrix = Kokkos::View<double**, Exec>;

/// Correlate left and right with plans of their own, and return what was wrong,
/// or null.
const char* correlate_with_fft(const Matrix& left, const Matrix& right);
const char* correlate_without_fft(const Matrix& left, const Matrix& right);

#endif
