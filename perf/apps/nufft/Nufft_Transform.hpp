// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFT_TRANSFORM_HPP
#define SPOROS_NUFFT_TRANSFORM_HPP

/// \file Nufft_Transform.hpp
/// The non-uniform FFT by Sporos::NufftPlan, and the times of its steps.

#include "Nufft_AnyTransform.hpp"
#include "Nufft_StepTimes.hpp"

#include <Sporos_Nufft.hpp>

#include <cstddef>
#include <type_traits>

namespace NufftApp {

/// Widths for tolerances of 1e-6 (float: 1e-5) to 1e-2.
template <class T>
using Widths = std::conditional_t<std::is_same<T, float>::value,
                                  Sporos::NufftWidths<3, 4, 5, 6>,
                                  Sporos::NufftWidths<3, 4, 5, 6, 7>>;

template <class T, int Dim>
class Transform final : public AnyTransform<T> {
  using Complex = Kokkos::complex<T>;
  using Plan    = Sporos::NufftPlan<Exec, Dim, T, Widths<T>>;

 public:
  Transform(const Exec& exec, int modes, const Sporos::NufftOptions& options)
      : m_exec(exec), m_plan(exec, in_all_directions(modes), options) {}

  int fine() const override { return m_plan.grid().points[0]; }
  int width() const override { return m_plan.width(); }

  void update(const Positions<T>& points) override {
    const StepTimes times(m_exec, m_times);
    m_plan.set_points(m_exec, points);
  }
  void type1(const Vector<Complex>& strengths, const Vector<Complex>& modes,
             int sign) override {
    const StepTimes times(m_exec, m_times);
    m_plan.type1(m_exec, strengths, shaped<Complex>(modes), sign);
  }
  void type2(const Vector<Complex>& modes, const Vector<Complex>& values,
             int sign) override {
    const StepTimes times(m_exec, m_times);
    m_plan.type2(m_exec, shaped<const Complex>(modes), values, sign);
  }
  const Times& times() const override { return m_times; }

 private:
  static Kokkos::Array<int, Dim> in_all_directions(int modes) {
    if constexpr (Dim == 2)
      return {{modes, modes}};
    else
      return {{modes, modes, modes}};
  }
  /// Modes as an array of rank Dim.
  template <class C>
  auto shaped(const Vector<Complex>& modes) const {
    const auto n    = std::size_t(m_plan.grid().modes[0]);
    using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
    if constexpr (Dim == 2)
      return Kokkos::View<C**, Kokkos::LayoutRight, Memory, Unmanaged>(
          modes.data(), n, n);
    else
      return Kokkos::View<C***, Kokkos::LayoutRight, Memory, Unmanaged>(
          modes.data(), n, n, n);
  }

  Exec m_exec;
  Plan m_plan;
  Times m_times;
};

template <class T, int Dim>
std::unique_ptr<AnyTransform<T>> make_transform_of(
    const Exec& exec, int modes, const Sporos::NufftOptions& options) {
  return std::make_unique<Transform<T, Dim>>(exec, modes, options);
}

}  // namespace NufftApp

#endif
