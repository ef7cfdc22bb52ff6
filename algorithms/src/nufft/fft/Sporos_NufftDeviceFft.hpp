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
};

}  // namespace Sporos

#endif
#endif
