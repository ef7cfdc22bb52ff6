// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFT_TRANSFORM_HPP
#define SPOROS_NUFFT_TRANSFORM_HPP

/// \file Nufft_Transform.hpp
/// The non-uniform FFT: points are spread to a grid that is twice as fine as
/// the modes need, or interpolated there; an FFT leads from the grid to the
/// modes; what the kernel did to each mode is divided out.

#include "Nufft_AnyTransform.hpp"
#include "Nufft_Deconvolve.hpp"
#include "Nufft_Fft.hpp"

#include <Sporos_ParticleGrid.hpp>

#include <cmath>
#include <type_traits>

namespace NufftApp {

template <class T, int Dim, int Support>
class Transform final : public AnyTransform<T> {
  using Complex = Kokkos::complex<T>;
  using Kernel  = Sporos::ExponentialOfSemicircle<Support>;
  using Plan    = Sporos::ParticleGridPlan<Exec, Dim, double, Kernel>;

 public:
  Transform(const Exec& exec, int modes, double upsampling)
      : m_exec(exec),
        m_modes{modes, fine_size(modes, upsampling)},
        m_kernel(double(m_modes.n) / modes),
        m_fine(allocate(m_modes.n)),
        m_fft(m_fine, m_modes),
        m_deconvolve(m_exec, m_kernel, m_modes) {}

  int fine() const override { return m_modes.n; }

  /// Sorts the points; those outside the period are folded into it.
  void update(const Positions<T>& points) override {
    const Stopwatch watch(m_exec, m_times.update);
    if (m_planned) return m_plan.update(m_exec, points);
    Sporos::PlanOptions options;
    options.contiguous = Sporos::ContiguousDirection::last;
    m_plan             = Plan(m_exec, grid(), m_kernel, points, options);
    m_planned          = true;
  }

  /// modes(k) = sum_j strengths(j) exp(sign i k x_j)
  void type1(const Vector<Complex>& strengths, const Vector<Complex>& modes,
             int sign) override {
    {
      const Stopwatch watch(m_exec, m_times.transfer);
      Kokkos::deep_copy(m_exec, m_fine, Complex(0));
      Sporos::spread(m_exec, m_plan, strengths, m_fine);
    }
    {
      const Stopwatch watch(m_exec, m_times.fft);
      m_fft.to_modes(m_exec, sign);
    }
    const Stopwatch watch(m_exec, m_times.deconvolve);
    // the integral over the grid: spread adds strengths / cell volume
    m_deconvolve.take(m_exec, m_fine, modes, grid().cell_volume());
  }

  /// values(j) = sum_k modes(k) exp(sign i k x_j)
  void type2(const Vector<Complex>& modes, const Vector<Complex>& values,
             int sign) override {
    {
      const Stopwatch watch(m_exec, m_times.deconvolve);
      m_deconvolve.put(m_exec, modes, m_fine);
    }
    {
      const Stopwatch watch(m_exec, m_times.fft);
      m_fft.from_modes(m_exec, sign);
    }
    const Stopwatch watch(m_exec, m_times.transfer);
    Sporos::interpolate(m_exec, m_plan, m_fine, values);
  }

  const Times& times() const override { return m_times; }

 private:
  static Field<Complex, Dim> allocate(int n) {
    if constexpr (Dim == 2)
      return Field<Complex, Dim>("NufftApp::fine", n, n);
    else
      return Field<Complex, Dim>("NufftApp::fine", n, n, n);
  }

  /// A period of 2 pi.
  Sporos::Grid<Dim> grid() const {
    Kokkos::Array<int, Dim> cells;
    for (int d = 0; d < Dim; ++d) cells[d] = m_modes.n;
    return {cells, 2 * std::acos(-1.) / m_modes.n};
  }

  Exec m_exec;
  Modes m_modes;
  Kernel m_kernel;
  Field<Complex, Dim> m_fine;
  Fft<T, Dim> m_fft;
  Deconvolve<T, Dim> m_deconvolve;
  Plan m_plan;
  bool m_planned = false;
  Times m_times;
};

/// Makes the transform for a support of 3 to 7, in single precision to 6.
template <class T, int Dim>
std::unique_ptr<AnyTransform<T>> make_transform_of(const Exec& exec, int modes,
                                                   int support,
                                                   double upsampling) {
  const auto make = [&](auto number) {
    constexpr int s = decltype(number)::value;
    return std::make_unique<Transform<T, Dim, s>>(exec, modes, upsampling);
  };
  constexpr int widest = sizeof(T) == sizeof(float) ? 6 : 7;
  switch (support) {
    case 3: return make(std::integral_constant<int, 3>());
    case 4: return make(std::integral_constant<int, 4>());
    case 5: return make(std::integral_constant<int, 5>());
    case 6: return make(std::integral_constant<int, 6>());
    default: return make(std::integral_constant<int, widest>());
  }
}

}  // namespace NufftApp

#endif
