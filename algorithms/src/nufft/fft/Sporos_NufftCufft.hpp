// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFTCUFFT_HPP
#define SPOROS_NUFFTCUFFT_HPP

/// \file Sporos_NufftCufft.hpp
/// cuFFT, the whole grid at once. Needs SPOROS_HAVE_CUFFT.

#include <Sporos_CufftPlans.hpp>
#include <Sporos_NufftGrid.hpp>
#include <Sporos_NufftOptions.hpp>
#include <Sporos_Workspace.hpp>

#ifdef SPOROS_HAVE_CUFFT

#include <array>
#include <cstddef>

namespace Sporos {

/// FFTs of plans on CUDA by cuFFT.
struct NufftCufft {
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
      m_plan =
          Cufft(Impl::device_of(exec), n, 1, Impl::CufftPlan<T>::Kind::complex);
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
    using Cufft = Impl::CufftPlan<T>;
    void run(const Exec& exec, int sign) const {
      m_plan.run(exec.cuda_stream(), m_fine, m_fine,
                 sign > 0 ? CUFFT_INVERSE : CUFFT_FORWARD);
    }

    T* m_fine;
    Cufft m_plan;
    WorkspaceView<char, typename Exec::memory_space> m_work{
        "Sporos::nufft::fft"};
  };
};

}  // namespace Sporos

#endif
#endif
