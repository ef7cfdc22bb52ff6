// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CUFFTPLANS_HPP
#define SPOROS_CUFFTPLANS_HPP

/// \file Sporos_CufftPlans.hpp
/// cuFFT in both precisions, batched 2D transforms with plans that free
/// themselves. Needs cufft, and SPOROS_HAVE_CUFFT to say that it is there.

#ifdef SPOROS_HAVE_CUFFT

#include <cufft.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace Sporos {
namespace Impl {

inline void check_cufft(cufftResult result, const char* what) {
  if (result != CUFFT_SUCCESS)
    throw std::runtime_error(std::string("Sporos::cross_correlate: cuFFT: ") +
                             what + " failed with " +
                             std::to_string(int(result)));
}

/// Many transforms of (ny, nx) elements that lie one after another.
template <class R>
class CufftPlan {
  static constexpr bool single = std::is_same<R, float>::value;

 public:
  enum class Kind { real_forward, real_backward, complex };

  CufftPlan() = default;
  CufftPlan(int ny, int nx, int batch, Kind kind) : m_kind(kind) {
    auto* const handle = new cufftHandle;
    m_handle           = std::shared_ptr<cufftHandle>(handle, [](auto* h) {
      cufftDestroy(*h);
      delete h;
    });
    int n[]            = {ny, nx};
    const cufftType type =
        kind == Kind::real_forward    ? (single ? CUFFT_R2C : CUFFT_D2Z)
        : kind == Kind::real_backward ? (single ? CUFFT_C2R : CUFFT_Z2D)
                                      : (single ? CUFFT_C2C : CUFFT_Z2Z);
    check_cufft(
        cufftPlanMany(handle, 2, n, nullptr, 1, 0, nullptr, 1, 0, type, batch),
        "planning");
  }
  template <class Stream>
  void run(Stream stream, R* in, R* out, int direction) const {
    const cufftHandle h = *m_handle;
    check_cufft(cufftSetStream(h, stream), "choosing a stream");
    cufftResult r;
    if constexpr (single) {
      auto *zi = reinterpret_cast<cufftComplex*>(in),
           *zo = reinterpret_cast<cufftComplex*>(out);
      r        = m_kind == Kind::real_forward    ? cufftExecR2C(h, in, zo)
                 : m_kind == Kind::real_backward ? cufftExecC2R(h, zi, out)
                                                 : cufftExecC2C(h, zi, zo, direction);
    } else {
      auto *zi = reinterpret_cast<cufftDoubleComplex*>(in),
           *zo = reinterpret_cast<cufftDoubleComplex*>(out);
      r        = m_kind == Kind::real_forward    ? cufftExecD2Z(h, in, zo)
                 : m_kind == Kind::real_backward ? cufftExecZ2D(h, zi, out)
                                                 : cufftExecZ2Z(h, zi, zo, direction);
    }
    check_cufft(r, "transforming");
  }

 private:
  std::shared_ptr<cufftHandle> m_handle;
  Kind m_kind = Kind::complex;
};

}  // namespace Impl
}  // namespace Sporos

#endif  // SPOROS_HAVE_CUFFT
#endif
