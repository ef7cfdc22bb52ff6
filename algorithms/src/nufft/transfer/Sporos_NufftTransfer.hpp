// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFTTRANSFER_HPP
#define SPOROS_NUFFTTRANSFER_HPP

/// \file Sporos_NufftTransfer.hpp
/// Between points and the fine grid, behind an interface that does not depend
/// on the width of the kernel.

#include <Sporos_Error.hpp>
#include <Sporos_ExponentialOfSemicircle.hpp>
#include <Sporos_ForEachIndex.hpp>
#include <Sporos_NufftGrid.hpp>
#include <Sporos_ParticleGrid.hpp>
#include <nufft/choice/Sporos_NufftChoice.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

namespace Sporos {
namespace Impl {

template <class T, int Dim>
struct NufftFieldOf;
template <class T>
struct NufftFieldOf<T, 1> {
  using type = T*;
};
template <class T>
struct NufftFieldOf<T, 2> {
  using type = T**;
};
template <class T>
struct NufftFieldOf<T, 3> {
  using type = T***;
};

/// Views of a transfer, all without owners; P: type of coordinates of points;
/// Value: T or Kokkos::complex<T>.
template <class Exec, int Dim, class T, class P = T,
          class Value = Kokkos::complex<T>>
struct NufftViews {
  using Memory    = typename Exec::memory_space;
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  using Fine      = Kokkos::View<typename NufftFieldOf<Value, Dim>::type,
                            Kokkos::LayoutRight, Memory, Unmanaged>;
  using Points =
      Kokkos::View<const P**, Kokkos::LayoutStride, Memory, Unmanaged>;
  using ConstValues =
      Kokkos::View<const Value*, Kokkos::LayoutStride, Memory, Unmanaged>;
  using Values = Kokkos::View<Value*, Kokkos::LayoutStride, Memory, Unmanaged>;
};

/// Spreads to and interpolates from the fine grid.
template <class Exec, int Dim, class T, class P = T,
          class Value = Kokkos::complex<T>>
class NufftTransfer {
 public:
  using Views = NufftViews<Exec, Dim, T, P, Value>;

  NufftTransfer()                                = default;
  NufftTransfer(const NufftTransfer&)            = delete;
  NufftTransfer& operator=(const NufftTransfer&) = delete;
  virtual ~NufftTransfer()                       = default;

  /// 1 / transform of the kernel of each mode, direction after direction; for
  /// real values of modes 0 to N / 2 of the last direction.
  virtual std::vector<double> inverse() const               = 0;
  virtual NufftTransformSeries transform(double last) const = 0;
  virtual double expected_error() const                     = 0;
  virtual std::size_t bytes() const                         = 0;
  /// Text; empty without points.
  virtual std::string describe(const Exec&) const = 0;

  /// Waits, and throws for points that are not finite.
  virtual void set_points(const Exec&, const typename Views::Points&) = 0;
  virtual bool has_points() const                                     = 0;
  virtual void spread(const Exec&, const typename Views::ConstValues&,
                      const typename Views::Fine&) const              = 0;
  virtual void interpolate(const Exec&, const typename Views::Fine&,
                           const typename Views::Values&) const       = 0;
};

/// Finds points whose coordinates are not finite.
template <class Points, int Dim>
struct FindNotFinite {
  static constexpr auto most =
      std::numeric_limits<typename Points::non_const_value_type>::max();
  Points points;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& found) const {
    for (int d = 0; d < Dim; ++d)
      if (!(Math::fabs(points(i, d)) <= most) && i < found) found = i;
  }
};

template <class Exec, int Dim, class T, class P, class Value, int Width>
class NufftTransferOf final : public NufftTransfer<Exec, Dim, T, P, Value> {
  using Views  = NufftViews<Exec, Dim, T, P, Value>;
  using Kernel = ExponentialOfSemicircle<Width>;
  using Plan   = ParticleGridPlan<Exec, Dim, double, Kernel>;

 public:
  explicit NufftTransferOf(const NufftChoice<Dim>& choice)
      : m_grid(choice.grid), m_kernel(choice.upsampling) {}

  std::vector<double> inverse() const override {
    return nufft_inverse(m_kernel, m_grid, std::is_same<Value, T>::value);
  }
  NufftTransformSeries transform(double last) const override {
    return {m_kernel, last};
  }
  double expected_error() const override {
    return m_kernel.template expected_error<T>(Dim);
  }
  std::size_t bytes() const override { return m_planned ? m_plan.bytes() : 0; }
  std::string describe(const Exec& exec) const override {
    return m_planned ? m_plan.describe(exec) : std::string();
  }

  void set_points(const Exec& exec,
                  const typename Views::Points& points) override {
    if (m_planned) {
      check_finite(exec, points);
      m_plan.update(exec, points);
      return m_plan.check(exec);
    }
    PlanOptions options;
    options.contiguous = ContiguousDirection::last;
    m_plan    = Plan(exec, m_grid.transfer_grid(), m_kernel, points, options);
    m_planned = true;
  }
  bool has_points() const override { return m_planned; }
  void spread(const Exec& exec, const typename Views::ConstValues& values,
              const typename Views::Fine& fine) const override {
    Sporos::spread(exec, m_plan, values, fine);
  }
  void interpolate(const Exec& exec, const typename Views::Fine& fine,
                   const typename Views::Values& values) const override {
    Sporos::interpolate(exec, m_plan, fine, values);
  }

 private:
  /// Devices would find such points after they took the others.
  static void check_finite(const Exec& exec,
                           const typename Views::Points& points) {
    if constexpr (!is_host_space_v<Exec>) {
      constexpr auto none = std::numeric_limits<std::int64_t>::max();
      std::int64_t first  = none;
      reduce_min<Kokkos::HostSpace>(
          "Sporos::nufft::find_wrong",
          Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(
              exec, 0, std::int64_t(points.extent(0))),
          FindNotFinite<typename Views::Points, Dim>{points}, &first);
      fence(exec, "Sporos::NufftPlan::set_points");
      check(points.extent(0) == 0 || first == none,
            "Sporos::NufftPlan::set_points", "points", "finite coordinates",
            text("NaN or infinity at point ", first));
    }
  }

  NufftGrid<Dim> m_grid;
  Kernel m_kernel;
  Plan m_plan;
  bool m_planned = false;
};

/// For the width of a choice.
template <class Exec, int Dim, class T, class P,
          class Value = Kokkos::complex<T>, class Widths>
std::unique_ptr<NufftTransfer<Exec, Dim, T, P, Value>> make_nufft_transfer(
    const NufftChoice<Dim>& choice, Widths widths) {
  using Transfer = std::unique_ptr<NufftTransfer<Exec, Dim, T, P, Value>>;
  return with_nufft_width(choice.width, widths, [&](auto width) -> Transfer {
    return std::make_unique<
        NufftTransferOf<Exec, Dim, T, P, Value, decltype(width)::value>>(
        choice);
  });
}

}  // namespace Impl
}  // namespace Sporos

#endif
