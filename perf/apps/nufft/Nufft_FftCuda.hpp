// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFT_FFTCUDA_HPP
#define SPOROS_NUFFT_FFTCUDA_HPP

/// \file Nufft_FftCuda.hpp
/// cuFFT, the whole grid at once.

#include "Nufft_Shape.hpp"

#include <cufft.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace NufftApp {

/// In place, of a fine grid that lies at the same address in all calls.
template <class T, int Dim>
class Fft {
 public:
  Fft() = default;
  Fft(const Field<Kokkos::complex<T>, Dim>& field, const Modes& m)
      : m_plan(std::make_shared<Plan>()), m_data(field.data()) {
    int n[Dim];
    for (int& along : n) along = m.n;
    check(cufftPlanMany(&m_plan->handle, Dim, n, nullptr, 1, 0, nullptr, 1, 0,
                        single ? CUFFT_C2C : CUFFT_Z2Z, 1));
    m_plan->made = true;
  }

  /// \param sign of the exponent
  void to_modes(const Exec& exec, int sign) const { run(exec, sign); }
  void from_modes(const Exec& exec, int sign) const { run(exec, sign); }

 private:
  static constexpr bool single = std::is_same<T, float>::value;

  struct Plan {
    cufftHandle handle{};
    bool made                   = false;
    Plan()                      = default;
    Plan(const Plan&)           = delete;
    void operator=(const Plan&) = delete;
    ~Plan() {
      if (made) cufftDestroy(handle);
    }
  };

  static void check(cufftResult result) {
    if (result != CUFFT_SUCCESS)
      throw std::runtime_error("nufft: cuFFT failed with " +
                               std::to_string(int(result)));
  }

  void run(const Exec& exec, int sign) const {
    const int direction = sign > 0 ? CUFFT_INVERSE : CUFFT_FORWARD;
    check(cufftSetStream(m_plan->handle, exec.cuda_stream()));
    if constexpr (single) {
      auto* const z = reinterpret_cast<cufftComplex*>(m_data);
      check(cufftExecC2C(m_plan->handle, z, z, direction));
    } else {
      auto* const z = reinterpret_cast<cufftDoubleComplex*>(m_data);
      check(cufftExecZ2Z(m_plan->handle, z, z, direction));
    }
  }

  std::shared_ptr<Plan> m_plan;
  Kokkos::complex<T>* m_data = nullptr;
};

}  // namespace NufftApp

#endif
