// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATEFFT_HPP
#define SPOROS_CORRELATEFFT_HPP

/// \file Sporos_CorrelateFft.hpp
/// Which FFT serves which execution space: FFTW hosts (SPOROS_HAVE_FFTW), cuFFT
/// CUDA (SPOROS_HAVE_CUFFT).

#include <cross_correlation/Sporos_CorrelateCufft.hpp>
#include <cross_correlation/Sporos_CorrelateFftShape.hpp>
#include <cross_correlation/Sporos_CorrelateFftw.hpp>

#include <cstddef>
#include <type_traits>

namespace Sporos {
namespace Impl {

enum class FftLibrary { none, fftw, cufft };

template <class Exec>
constexpr FftLibrary fft_library() {
#ifdef SPOROS_HAVE_FFTW
  if (is_synchronous_space_v<Exec>) return FftLibrary::fftw;
#endif
#if defined(SPOROS_HAVE_CUFFT) && defined(KOKKOS_ENABLE_CUDA)
  if (std::is_same<Exec, Kokkos::Cuda>::value) return FftLibrary::cufft;
#endif
  return FftLibrary::none;
}

/// Is there an FFT for Exec in this build?
template <class Exec>
inline constexpr bool has_correlate_fft =
    fft_library<Exec>() != FftLibrary::none;

/// Nothing, where a back end has no such algorithm.
struct NoWorkspace {
  static constexpr std::size_t bytes() { return 0; }
};

template <class Exec, class A, FftLibrary = fft_library<Exec>()>
struct FftWorkspaceOf {
  using type = NoWorkspace;
};
#ifdef SPOROS_HAVE_FFTW
template <class Exec, class A>
struct FftWorkspaceOf<Exec, A, FftLibrary::fftw> {
  using type = FftwWorkspace<Exec, A>;
};
#endif
#ifdef SPOROS_HAVE_CUFFT
template <class Exec, class A>
struct FftWorkspaceOf<Exec, A, FftLibrary::cufft> {
  using type = CufftWorkspace<Exec, A>;
};
#endif
template <class Exec, class A>
using FftWorkspace = typename FftWorkspaceOf<Exec, A>::type;

template <class Exec, class Space>
void plan_fft([[maybe_unused]] const Exec& exec,
              [[maybe_unused]] const CorrelateShape& s,
              [[maybe_unused]] bool measure, [[maybe_unused]] Space& space) {
  if constexpr (fft_library<Exec>() == FftLibrary::fftw)
    space.plan(exec, s, measure);
  else if constexpr (fft_library<Exec>() == FftLibrary::cufft)
    space.plan(exec, s);
}

template <class Exec, class T, class A, class Space>
void correlate_fft([[maybe_unused]] const Exec& exec,
                   [[maybe_unused]] const CorrelateProblem<T, A>& p,
                   [[maybe_unused]] Space& space) {
#ifdef SPOROS_HAVE_FFTW
  if constexpr (fft_library<Exec>() == FftLibrary::fftw)
    correlate_fftw(exec, p, space);
#endif
#ifdef SPOROS_HAVE_CUFFT
  if constexpr (fft_library<Exec>() == FftLibrary::cufft)
    correlate_cufft(exec, p, space);
#endif
}

}  // namespace Impl
}  // namespace Sporos

#endif
