// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_FFTLIBRARY_HPP
#define SPOROS_FFTLIBRARY_HPP

/// \file Sporos_FftLibrary.hpp
/// The FFT library of an execution space: FFTW for hosts (SPOROS_HAVE_FFTW),
/// cuFFT for CUDA (SPOROS_HAVE_CUFFT), hipFFT for HIP (SPOROS_HAVE_HIPFFT).
///
/// Files of one program may use different libraries. All code that depends on
/// them, up to the functions that users call, is in an inline namespace with
/// another name for each set of libraries.

#include <Sporos_KokkosCompat.hpp>

/// Is there one for the devices of Kokkos, which are of one kind?
#if (defined(SPOROS_HAVE_CUFFT) && defined(KOKKOS_ENABLE_CUDA)) || \
    (defined(SPOROS_HAVE_HIPFFT) && defined(KOKKOS_ENABLE_HIP))
#define SPOROS_IMPL_DEVICE_FFT
#endif

/// The inline namespace.
#if defined(SPOROS_HAVE_FFTW) && defined(SPOROS_IMPL_DEVICE_FFT)
#define SPOROS_IMPL_FFT_LIBRARIES with_fftw_and_device_fft
#elif defined(SPOROS_HAVE_FFTW)
#define SPOROS_IMPL_FFT_LIBRARIES with_fftw
#elif defined(SPOROS_IMPL_DEVICE_FFT)
#define SPOROS_IMPL_FFT_LIBRARIES with_device_fft
#else
#define SPOROS_IMPL_FFT_LIBRARIES without_fft
#endif

namespace Sporos {
namespace Impl {

enum class FftLibrary { none, fftw, device };

inline namespace SPOROS_IMPL_FFT_LIBRARIES {

template <class Exec>
constexpr FftLibrary fft_library() {
#ifdef SPOROS_HAVE_FFTW
  if (is_host_space_v<Exec>) return FftLibrary::fftw;
#endif
#ifdef SPOROS_IMPL_DEVICE_FFT
  if (has_device_lanes<Exec>::value) return FftLibrary::device;
#endif
  return FftLibrary::none;
}

}  // namespace SPOROS_IMPL_FFT_LIBRARIES
}  // namespace Impl
}  // namespace Sporos

#endif
