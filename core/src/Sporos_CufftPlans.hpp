// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CUFFTPLANS_HPP
#define SPOROS_CUFFTPLANS_HPP

/// \file Sporos_CufftPlans.hpp
/// Plans of cuFFT as objects: batched transforms in both precisions. Needs
/// SPOROS_HAVE_CUFFT and linking with cufft.

#ifdef SPOROS_HAVE_CUFFT

#include <cuda_runtime_api.h>
#include <cufft.h>

#include <array>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace Sporos {
namespace Impl {

inline void check_cufft(int result, const char* what) {
  if (result != 0)
    throw std::runtime_error(std::string("Sporos: cuFFT: ") + what +
                             " failed with " + std::to_string(result));
}

/// Makes a device the current one of this thread, as long as it lives: cuFFT
/// makes and runs plans on the current device, whatever the stream is.
class CurrentDevice {
 public:
  explicit CurrentDevice(int device) {
    cudaGetDevice(&m_before);
    m_changed = m_before != device;
    if (m_changed) cudaSetDevice(device);
  }
  ~CurrentDevice() {
    if (m_changed) cudaSetDevice(m_before);
  }
  CurrentDevice(const CurrentDevice&)            = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;

 private:
  int m_before   = 0;
  bool m_changed = false;
};

/// Many transforms of matrices, or of arrays of other ranks, that lie one after
/// another.
template <class R>
class CufftPlan {
  static constexpr bool single = std::is_same<R, float>::value;

 public:
  enum class Kind { real_forward, real_backward, complex };

  CufftPlan() = default;
  /// Without a work area: set_work() must follow.
  CufftPlan(int device, int ny, int nx, int batch, Kind kind)
      : CufftPlan(device, std::array<long long, 2>{{ny, nx}}, batch, kind) {}
  /// n: extents, that of neighbours last
  template <std::size_t Rank>
  CufftPlan(int device, std::array<long long, Rank> n, int batch, Kind kind)
      : m_owner(std::make_shared<Owner>()), m_kind(kind) {
    const CurrentDevice current(device);
    m_owner->device = device;
    check_cufft(cufftCreate(&m_owner->handle), "creating a plan");
    m_owner->made       = true;
    const cufftHandle h = m_owner->handle;
    check_cufft(cufftSetAutoAllocation(h, 0), "refusing a work area");
    const cufftType type =
        kind == Kind::real_forward    ? (single ? CUFFT_R2C : CUFFT_D2Z)
        : kind == Kind::real_backward ? (single ? CUFFT_C2R : CUFFT_Z2D)
                                      : (single ? CUFFT_C2C : CUFFT_Z2Z);
    check_cufft(cufftMakePlanMany64(h, int(Rank), n.data(), nullptr, 1, 0,
                                    nullptr, 1, 0, type, batch, &m_work),
                "planning");
  }

  /// Bytes that it needs beside input and output.
  std::size_t work() const { return m_work; }
  /// Several plans may have the same area, if they run one after another.
  void set_work(void* area) {
    const CurrentDevice current(m_owner->device);
    check_cufft(cufftSetWorkArea(m_owner->handle, area), "taking a work area");
  }

  template <class Stream>
  void run(Stream stream, R* in, R* out, int direction) const {
    const CurrentDevice current(m_owner->device);
    const cufftHandle h = m_owner->handle;
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
  struct Owner {
    cufftHandle handle{};
    int device = 0;
    bool made  = false;
    Owner()    = default;
    ~Owner() {
      if (!made) return;
      const CurrentDevice current(device);
      cufftDestroy(handle);
    }
    Owner(const Owner&)            = delete;
    Owner& operator=(const Owner&) = delete;
  };

  std::shared_ptr<Owner> m_owner;
  std::size_t m_work = 0;
  Kind m_kind        = Kind::complex;
};

}  // namespace Impl
}  // namespace Sporos

#endif  // SPOROS_HAVE_CUFFT
#endif
