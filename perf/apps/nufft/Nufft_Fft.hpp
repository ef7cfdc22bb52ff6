// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFT_FFT_HPP
#define SPOROS_NUFFT_FFT_HPP

/// \file Nufft_Fft.hpp
/// Transforms of the fine grid: FFTW on hosts, cuFFT on CUDA.

#include "Nufft_Shape.hpp"

#ifdef NUFFT_ON_CUDA
#include "Nufft_FftCuda.hpp"
#else
#include "Nufft_FftHost.hpp"
#endif

#endif
