// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CUFFTSTANDIN_HPP
#define SPOROS_CUFFTSTANDIN_HPP

/// \file Sporos_CufftStandIn.hpp
/// A stand-in for cuFFT, for tests where kernels run but cuFFT's machine code
/// does not: it checks what it is called with, and transforms on the host with
/// FFTW. It knows the functions that Sporos calls, and no others.

#include <cstddef>
#include <cstdint>
#include <string>

namespace Sporos {
namespace Test {

/// What the stand-in has seen, and what it is to do.
struct CufftStandIn {
  int plans            = 0;               ///< that exist
  std::int64_t forward = 0, inverse = 0;  ///< matrices transformed
  std::size_t most_work = 0;  ///< the largest work area that was asked for
  std::string misuse;         ///< the first wrong call, empty: none

  int fail_after = -1;  ///< so many calls that plan succeed, the next fails
  /// What cudaGetDevice says and cudaSetDevice sets, -1: the truth.
  int current_device = -1;
};

CufftStandIn& cufft_stand_in();

}  // namespace Test
}  // namespace Sporos

#endif
