// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_DEVICEFFTPLANS_HPP
#define SPOROS_DEVICEFFTPLANS_HPP

/// \file Sporos_DeviceFftPlans.hpp
/// Plans of cuFFT or hipFFT as objects: batched transforms in both precisions.
/// Needs SPOROS_HAVE_CUFFT and linking with cufft, or SPOROS_HAVE_HIPFFT and
/// linking with hipfft.

#include <Sporos_FftLibrary.hpp>

#ifdef SPOROS_IMPL_DEVICE_FFT

#include <array>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

// The two libraries have the same functions, types and constants, but for the
// beginnings of their names.
#ifdef KOKKOS_ENABLE_CUDA
#include <cuda_runtime_api.h>
#include <cufft.h>
#define SPOROS_IMPL_RUNTIME(name) cuda##name
#define SPOROS_IMPL_FFT(name) cufft##name
#define SPOROS_IMPL_FFT_TYPE(name) CUFFT_##name
#else
#include <hip/hip_runtime_api.h>
#include <hipfft/hipfft.h>
#define SPOROS_IMPL_RUNTIME(name) hip##name
#define SPOROS_IMPL_FFT(name) hipfft##name
#define SPOROS_IMPL_FFT_TYPE(name) HIPFFT_##name
#endif

namespace Sporos {
namespace Impl {

inline void check_device_fft(int result, const char* what) {
  if (result != 0)
    throw std::runtime_error(std::string("Sporos: the FFT of the device: ") +
                             what + " failed with " + std::to_string(result));
}

/// Makes a device the current one of this thread, as long as it lives: plans
/// are made and run on the current device, whatever the stream is.
class CurrentDevice {
 public:
  explicit CurrentDevice(int device) {
    (void)SPOROS_IMPL_RUNTIME(GetDevice)(&m_before);
    m_changed = m_before != device;
    if (m_changed) (void)SPOROS_IMPL_RUNTIME(SetDevice)(device);
  }
  ~CurrentDevice() {
    if (m_changed) (void)SPOROS_IMPL_RUNTIME(SetDevice)(m_before);
  }
  CurrentDevice(const CurrentDevice&)            = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;

 private:
  int m_before   = 0;
  bool m_changed = false;
};

template <class Exec>
auto stream_of(const Exec& exec) {
#ifdef KOKKOS_ENABLE_CUDA
  return exec.cuda_stream();
#else
  return exec.hip_stream();
#endif
}

/// Many transforms of matrices, or of arrays of other ranks, that lie one after
/// another.
template <class R>
class DeviceFftPlan {
  static constexpr bool single = std::is_same<R, float>::value;

 public:
  enum class Kind { real_forward, real_backward, complex };
  /// Directions, the signs of exponents.
  static constexpr int forward = -1, backward = 1;

  DeviceFftPlan() = default;
  /// Without a work area: set_work() must follow.
  DeviceFftPlan(int device, int ny, int nx, int batch, Kind kind)
      : DeviceFftPlan(device, std::array<long long, 2>{{ny, nx}}, batch, kind) {
  }
  /// n: extents, that of neighbours last
  template <std::size_t Rank>
  DeviceFftPlan(int device, std::array<long long, Rank> n, int batch, Kind kind)
      : m_owner(std::make_shared<Owner>()), m_kind(kind) {
    const CurrentDevice current(device);
    m_owner->device = device;
    check_device_fft(SPOROS_IMPL_FFT(Create)(&m_owner->handle),
                     "creating a plan");
    m_owner->made                   = true;
    const SPOROS_IMPL_FFT(Handle) h = m_owner->handle;
    check_device_fft(SPOROS_IMPL_FFT(SetAutoAllocation)(h, 0),
                     "refusing a work area");
    const SPOROS_IMPL_FFT(Type) type =
        kind == Kind::real_forward
            ? (single ? SPOROS_IMPL_FFT_TYPE(R2C) : SPOROS_IMPL_FFT_TYPE(D2Z))
        : kind == Kind::real_backward
            ? (single ? SPOROS_IMPL_FFT_TYPE(C2R) : SPOROS_IMPL_FFT_TYPE(Z2D))
            : (single ? SPOROS_IMPL_FFT_TYPE(C2C) : SPOROS_IMPL_FFT_TYPE(Z2Z));
    check_device_fft(
        SPOROS_IMPL_FFT(MakePlanMany64)(h, int(Rank), n.data(), nullptr, 1, 0,
                                        nullptr, 1, 0, type, batch, &m_work),
        "planning");
  }

  /// Bytes that it needs beside input and output.
  std::size_t work() const { return m_work; }
  /// Several plans may have the same area, if they run one after another.
  void set_work(void* area) {
    const CurrentDevice current(m_owner->device);
    check_device_fft(SPOROS_IMPL_FFT(SetWorkArea)(m_owner->handle, area),
                     "taking a work area");
  }

  /// In the stream of exec.
  template <class Exec>
  void run(const Exec& exec, R* in, R* out, int direction) const {
    const CurrentDevice current(m_owner->device);
    const SPOROS_IMPL_FFT(Handle) h = m_owner->handle;
    check_device_fft(SPOROS_IMPL_FFT(SetStream)(h, stream_of(exec)),
                     "choosing a stream");
    SPOROS_IMPL_FFT(Result) r;
    if constexpr (single) {
      auto *zi = reinterpret_cast<SPOROS_IMPL_FFT(Complex)*>(in),
           *zo = reinterpret_cast<SPOROS_IMPL_FFT(Complex)*>(out);
      r = m_kind == Kind::real_forward ? SPOROS_IMPL_FFT(ExecR2C)(h, in, zo)
          : m_kind == Kind::real_backward
              ? SPOROS_IMPL_FFT(ExecC2R)(h, zi, out)
              : SPOROS_IMPL_FFT(ExecC2C)(h, zi, zo, direction);
    } else {
      auto *zi = reinterpret_cast<SPOROS_IMPL_FFT(DoubleComplex)*>(in),
           *zo = reinterpret_cast<SPOROS_IMPL_FFT(DoubleComplex)*>(out);
      r = m_kind == Kind::real_forward ? SPOROS_IMPL_FFT(ExecD2Z)(h, in, zo)
          : m_kind == Kind::real_backward
              ? SPOROS_IMPL_FFT(ExecZ2D)(h, zi, out)
              : SPOROS_IMPL_FFT(ExecZ2Z)(h, zi, zo, direction);
    }
    check_device_fft(r, "transforming");
  }

 private:
  struct Owner {
    SPOROS_IMPL_FFT(Handle) handle{};
    int device = 0;
    bool made  = false;
    Owner()    = default;
    ~Owner() {
      if (!made) return;
      const CurrentDevice current(device);
      (void)SPOROS_IMPL_FFT(Destroy)(handle);
    }
    Owner(const Owner&)            = delete;
    Owner& operator=(const Owner&) = delete;
  };

  std::shared_ptr<Owner> m_owner;
  std::size_t m_work = 0;
  Kind m_kind        = Kind::complex;
};

#undef SPOROS_IMPL_RUNTIME
#undef SPOROS_IMPL_FFT
#undef SPOROS_IMPL_FFT_TYPE

}  // namespace Impl
}  // namespace Sporos

#endif  // SPOROS_IMPL_DEVICE_FFT
#endif
