// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_FFTLIBRARY_HPP
#define SPOROS_FFTLIBRARY_HPP

/// \file Sporos_FftLibrary.hpp
/// The FFT library of an execution space: FFTW for hosts (SPOROS_HAVE_FFTW),
/// cuFFT for CUDA (SPOROS_HAVE_CUFFT).
///
/// Files of one program may use different libraries. All code that depends on
/// them, up to the functions that users call, is in an inline namespace with
/// another name for each set of libraries.

#include <Sporos_KokkosCompat.hpp>

#include <type_traits>

/// The inline namespace.
#if defined(SPOROS_HAVE_FFTW) && defined(SPOROS_HAVE_CUFFT)
#define SPOROS_IMPL_FFT_LIBRARIES with_fftw_and_cufft
#elif defined(SPOROS_HAVE_FFTW)
#define SPOROS_IMPL_FFT_LIBRARIES with_fftw
#elif defined(SPOROS_HAVE_CUFFT)
#define SPOROS_IMPL_FFT_LIBRARIES with_cufft
#else
#define SPOROS_IMPL_FFT_LIBRARIES without_fft
#endif

namespace Sporos {
namespace Impl {

enum class FftLibrary { none, fftw, cufft };

inline namespace SPOROS_IMPL_FFT_LIBRARIES {

template <class Exec>
constexpr FftLibrary fft_library() {
#ifdef SPOROS_HAVE_FFTW
  if (is_host_space_v<Exec>) return FftLibrary::fftw;
#endif
#if defined(SPOROS_HAVE_CUFFT) && defined(KOKKOS_ENABLE_CUDA)
  if (std::is_same<Exec, Kokkos::Cuda>::value) return FftLibrary::cufft;
#endif
  return FftLibrary::none;
}

}  // namespace SPOROS_IMPL_FFT_LIBRARIES
}  // namespace Impl
}  // namespace Sporos

#endif
