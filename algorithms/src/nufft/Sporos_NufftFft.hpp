// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFTFFT_HPP
#define SPOROS_NUFFTFFT_HPP

/// \file Sporos_NufftFft.hpp
/// The FFT of a NufftPlan: FFTW for hosts (SPOROS_HAVE_FFTW), cuFFT for CUDA
/// (SPOROS_HAVE_CUFFT), hipFFT for HIP (SPOROS_HAVE_HIPFFT), or a struct of
/// your own:
///
/// \code
///   struct MyFft {
///     template <class Exec, int Dim, class T>
///     struct Plan {
///       // fine: grid.points of LayoutRight, the same in all calls; may be
///       // overwritten
///       Plan(const Exec&, const Sporos::NufftGrid<Dim>& grid,
///            Kokkos::complex<T>* fine, const Sporos::NufftOptions&);
///       // fine(k) = sum_x fine(x) exp(sign 2 pi i k x / points), in place and
///       // asynchronous in exec; only the modes of the grid are read later
///       void to_modes(const Exec&, int sign) const;
///       // fine(x) = sum_k fine(k) exp(sign 2 pi i k x / points)
///       void from_modes(const Exec&, int sign) const;
///       std::size_t bytes() const;  // of memory
///     };
///     // for NufftRealPlan and NufftNormalPlan
///     template <class Exec, int Dim, class T>
///     struct RealPlan {
///       // numbers of a row of half, at least points / 2 + 1
///       static int pitch(int points);
///       // fine: real, else as above; half: rows of pitch numbers, in which
///       // modes 0, 1, ..., points / 2 of the last direction stand first
///       RealPlan(const Exec&, const Sporos::NufftGrid<Dim>& grid, T* fine,
///                Kokkos::complex<T>* half, const Sporos::NufftOptions&);
///       // half(k) = sum_x fine(x) exp(-2 pi i k x / points)
///       void to_modes(const Exec&) const;
///       // fine(x) = sum_k half(k) exp(2 pi i k x / points), over all modes k
///       // and their opposites: half(-k) is the conjugate of half(k). In mode
///       // 0 of the last direction, opposites stand in half, too, also those
///       // that are no modes of the grid. May overwrite half
///       void from_modes(const Exec&) const;
///       std::size_t bytes() const;  // of memory
///     };
///   };
///   Sporos::NufftPlan<Exec, 2, double, Sporos::NufftWidthsOfDouble, MyFft>
/// \endcode

#include <Sporos_FftLibrary.hpp>
#include <nufft/fft/Sporos_NufftDeviceFft.hpp>
#include <nufft/fft/Sporos_NufftFftw.hpp>

#include <type_traits>

namespace Sporos {
namespace Impl {

/// Stands where a build has no FFT.
struct NoNufftFft {};

inline namespace SPOROS_IMPL_FFT_LIBRARIES {

template <FftLibrary>
struct NufftFftOf {
  using type = NoNufftFft;
};
#ifdef SPOROS_HAVE_FFTW
template <>
struct NufftFftOf<FftLibrary::fftw> {
  using type = NufftFftw;
};
#endif
#ifdef SPOROS_IMPL_DEVICE_FFT
template <>
struct NufftFftOf<FftLibrary::device> {
  using type = NufftDeviceFft;
};
#endif

/// The FFT of an execution space in this build.
template <class Exec>
using DefaultNufftFft = typename NufftFftOf<fft_library<Exec>()>::type;

}  // namespace SPOROS_IMPL_FFT_LIBRARIES

/// Checks template arguments of a plan when compiling.
template <int Dim, class T, class Fft>
constexpr bool check_nufft_plan() {
  static_assert(Dim >= 1 && Dim <= 3,
                "Sporos: Dim of a non-uniform FFT must be 1, 2 or 3");
  static_assert(std::is_same<T, float>::value || std::is_same<T, double>::value,
                "Sporos: T of a non-uniform FFT must be float or double");
  static_assert(!std::is_same<Fft, NoNufftFft>::value,
                "Sporos: there is no FFT for the execution space of a "
                "non-uniform FFT: link Sporos::fftw (hosts), Sporos::cufft "
                "(CUDA) or Sporos::hipfft (HIP), or give one as last template "
                "argument");
  return true;
}

}  // namespace Impl
}  // namespace Sporos

#endif
