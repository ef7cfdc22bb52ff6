// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFTDEVICEFFT_HPP
#define SPOROS_NUFFTDEVICEFFT_HPP

/// \file Sporos_NufftDeviceFft.hpp
/// cuFFT or hipFFT, the whole grid at once. Needs SPOROS_HAVE_CUFFT or
/// SPOROS_HAVE_HIPFFT.

#include <Sporos_DeviceFftPlans.hpp>
#include <Sporos_NufftGrid.hpp>
#include <Sporos_NufftOptions.hpp>
#include <Sporos_Workspace.hpp>

#ifdef SPOROS_IMPL_DEVICE_FFT

#include <algorithm>
#include <array>
#include <cstddef>

namespace Sporos {

/// FFTs of plans on devices, by cuFFT or hipFFT.
struct NufftDeviceFft {
  /// In place, of a fine grid that lies at the same address in all calls.
  template <class Exec, int Dim, class T>
  class Plan {
   public:
    using Complex = Kokkos::complex<T>;

    Plan(const Exec& exec, const NufftGrid<Dim>& grid, Complex* fine,
         const NufftOptions&)
        : m_fine(reinterpret_cast<T*>(fine)) {
      std::array<long long, Dim> n;
      for (int d = 0; d < Dim; ++d) n[std::size_t(d)] = grid.points[d];
      m_plan = Fft(Impl::device_of(exec), n, 1, Fft::Kind::complex);
      if (m_plan.work() > 0)
        m_plan.set_work(m_work.require_data(exec, m_plan.work()));
    }

    /// sign: of the exponent
    void to_modes(const Exec& exec, int sign) const { run(exec, sign); }
    void from_modes(const Exec& exec, int sign) const { run(exec, sign); }
    std::size_t bytes() const {
      return m_work.bytes();
    }  ///< Memory of the transforms.

   private:
    using Fft = Impl::DeviceFftPlan<T>;
    void run(const Exec& exec, int sign) const {
      m_plan.run(exec, m_fine, m_fine, sign > 0 ? Fft::backward : Fft::forward);
    }

    T* m_fine;
    Fft m_plan;
    WorkspaceView<char, typename Exec::memory_space> m_work{
        "Sporos::nufft::fft"};
  };

  /// Between a real grid and the modes of its last direction from 0 on. Both
  /// lie at the same addresses in all calls.
  template <class Exec, int Dim, class T>
  class RealPlan {
   public:
    using Complex = Kokkos::complex<T>;

    /// Numbers of a row of `half`.
    static int pitch(int points) { return points / 2 + 1; }

    RealPlan(const Exec& exec, const NufftGrid<Dim>& grid, T* fine,
             Complex* modes, const NufftOptions&)
        : m_fine(fine), m_half(reinterpret_cast<T*>(modes)) {
      std::array<long long, Dim> n;
      for (int d = 0; d < Dim; ++d) n[std::size_t(d)] = grid.points[d];
      const int device       = Impl::device_of(exec);
      m_forward              = Fft(device, n, 1, Fft::Kind::real_forward);
      m_backward             = Fft(device, n, 1, Fft::Kind::real_backward);
      const std::size_t work = std::max(m_forward.work(), m_backward.work());
      if (work == 0) return;
      m_forward.set_work(m_work.require_data(exec, work));
      m_backward.set_work(m_work.require_data(exec, work));
    }

    /// With exp(-i ...).
    void to_modes(const Exec& exec) const {
      m_forward.run(exec, m_fine, m_half, Fft::forward);
    }
    /// With exp(i ...). Overwrites the modes.
    void from_modes(const Exec& exec) const {
      m_backward.run(exec, m_half, m_fine, Fft::backward);
    }
    std::size_t bytes() const {
      return m_work.bytes();
    }  ///< Memory of the transforms.

   private:
    using Fft = Impl::DeviceFftPlan<T>;

    T *m_fine, *m_half;
    Fft m_forward, m_backward;
    WorkspaceView<char, typename Exec::memory_space> m_work{
        "Sporos::nufft::fft"};
  };
};

}  // namespace Sporos

#endif
#endif
