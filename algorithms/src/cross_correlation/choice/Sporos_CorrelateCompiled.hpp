// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATECOMPILED_HPP
#define SPOROS_CORRELATECOMPILED_HPP

/// \file Sporos_CorrelateCompiled.hpp
/// What the library Sporos::compiled has of cross-correlation, without a
/// library for transforms and with FFTW: programs that link it do not compile
/// that again.

#include <cross_correlation/choice/Sporos_CorrelateState.hpp>

// In namespace Sporos. KEYWORD: extern, or nothing for the definitions.

/// For Sporos::compiled.
#define SPOROS_INSTANCES_OF_CORRELATION(KEYWORD, T, A)               \
  KEYWORD template std::shared_ptr<                                  \
      Impl::CorrelateState<Kokkos::DefaultExecutionSpace, T, A>>     \
  Impl::make_correlate_state<Kokkos::DefaultExecutionSpace, T, A,    \
                             Impl::Compiled::automatic>(             \
      const Kokkos::DefaultExecutionSpace&, const CorrelateExtents&, \
      const CorrelateOptions&, bool);                                \
  KEYWORD template std::shared_ptr<                                  \
      Impl::CorrelateState<Kokkos::DefaultExecutionSpace, T, A>>     \
  Impl::make_correlate_state<Kokkos::DefaultExecutionSpace, T, A,    \
                             Impl::Compiled::all>(                   \
      const Kokkos::DefaultExecutionSpace&, const CorrelateExtents&, \
      const CorrelateOptions&, bool);

/// For Sporos::compiled.
#define SPOROS_INSTANCES_OF_CORRELATIONS(KEYWORD)                   \
  SPOROS_INSTANCES_OF_CORRELATION(KEYWORD, float, float)            \
  SPOROS_INSTANCES_OF_CORRELATION(KEYWORD, float, double)           \
  SPOROS_INSTANCES_OF_CORRELATION(KEYWORD, double, double)          \
  SPOROS_INSTANCES_OF_CORRELATION(KEYWORD, Kokkos::complex<float>,  \
                                  Kokkos::complex<float>)           \
  SPOROS_INSTANCES_OF_CORRELATION(KEYWORD, Kokkos::complex<double>, \
                                  Kokkos::complex<double>)

#if defined(SPOROS_COMPILED) && !defined(SPOROS_IMPL_DEVICE_FFT) && \
    (!defined(SPOROS_HAVE_FFTW) || defined(SPOROS_COMPILED_FFTW))
namespace Sporos {
SPOROS_INSTANCES_OF_CORRELATIONS(extern)
}
#endif

#endif
