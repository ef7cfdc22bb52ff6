// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFTSLABTRANSFER_HPP
#define SPOROS_NUFFTSLABTRANSFER_HPP

/// \file Sporos_NufftSlabTransfer.hpp
/// Between points and the slabs of a fine grid, behind an interface that does
/// not depend on the width of the kernel.

#include <Sporos_DistributedParticleGrid.hpp>
#include <Sporos_ExponentialOfSemicircle.hpp>
#include <distributed/nufft/Sporos_NufftRoutes.hpp>
#include <nufft/choice/Sporos_NufftChoice.hpp>
#include <nufft/transfer/Sporos_NufftTransfer.hpp>

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace Sporos {
namespace Impl {

/// Spreads to and interpolates from fields of this rank, with all ranks.
template <class Exec, int Dim, class T>
class NufftSlabTransfer {
 public:
  using Routes  = NufftRoutes<Exec, Dim, T>;
  using Complex = Kokkos::complex<T>;
  using Field   = Kokkos::View<typename NufftFieldOf<Complex, Dim>::type,
                             Kokkos::LayoutRight, typename Exec::memory_space>;
  using Values  = typename Routes::Values;

  NufftSlabTransfer()                                    = default;
  NufftSlabTransfer(const NufftSlabTransfer&)            = delete;
  NufftSlabTransfer& operator=(const NufftSlabTransfer&) = delete;
  virtual ~NufftSlabTransfer()                           = default;

  virtual std::vector<double> inverse() const     = 0;  ///< see NufftTransfer
  virtual double expected_error() const           = 0;
  virtual std::size_t bytes() const               = 0;
  virtual std::string describe(const Exec&) const = 0;
  /// Points of the slab of this rank.
  virtual void set_points(const Exec&, const typename Routes::Points&)     = 0;
  virtual void spread(const Exec&, const Values&, const Field&) const      = 0;
  virtual void interpolate(const Exec&, const Field&, const Values&) const = 0;
};

template <class Exec, int Dim, class T, int Width>
class NufftSlabTransferOf final : public NufftSlabTransfer<Exec, Dim, T> {
  using Base   = NufftSlabTransfer<Exec, Dim, T>;
  using Kernel = ExponentialOfSemicircle<Width>;
  using Plan   = DistributedParticleGridPlan<Exec, Dim, double, Kernel>;

 public:
  NufftSlabTransferOf(const NufftChoice<Dim>& choice,
                      const DistributedGrid<Dim>& blocks, bool any_ranks)
      : m_grid(choice.grid), m_kernel(choice.upsampling), m_blocks(blocks) {
    m_options.plan.contiguous = ContiguousDirection::last;
    m_options.plan.any_ranks  = any_ranks;
  }

  std::vector<double> inverse() const override {
    return nufft_inverse(m_kernel, m_grid, false);
  }
  double expected_error() const override {
    return m_kernel.template expected_error<T>(Dim);
  }
  std::size_t bytes() const override {
    return m_planned ? m_plan.local().bytes() : 0;
  }
  std::string describe(const Exec& exec) const override {
    return m_planned ? m_plan.describe(exec) : m_blocks.describe();
  }

  void set_points(const Exec& exec,
                  const typename Base::Routes::Points& points) override {
    const bool numbered = m_options.plan.any_ranks;
    if (!m_planned) {
      m_plan    = numbered ? Plan(exec, m_blocks, m_kernel, points.positions,
                                  points.numbers, m_options)
                           : Plan(exec, m_blocks, m_kernel, points.positions,
                                  m_options);
      m_planned = true;
    } else if (numbered) {
      m_plan.update(exec, points.positions, points.numbers);
    } else {
      m_plan.update(exec, points.positions);
    }
  }
  void spread(const Exec& exec, const typename Base::Values& values,
              const typename Base::Field& field) const override {
    Sporos::spread(exec, m_plan, values, field);
  }
  void interpolate(const Exec& exec, const typename Base::Field& field,
                   const typename Base::Values& values) const override {
    Sporos::interpolate(exec, m_plan, field, values);
  }

 private:
  NufftGrid<Dim> m_grid;
  Kernel m_kernel;
  DistributedGrid<Dim> m_blocks;
  DistributedPlanOptions m_options;
  Plan m_plan;
  bool m_planned = false;
};

/// For the width of a choice.
template <class Exec, int Dim, class T, class Widths>
std::unique_ptr<NufftSlabTransfer<Exec, Dim, T>> make_nufft_slab_transfer(
    const NufftChoice<Dim>& choice, const DistributedGrid<Dim>& blocks,
    bool any_ranks, Widths widths) {
  using Transfer = std::unique_ptr<NufftSlabTransfer<Exec, Dim, T>>;
  return with_nufft_width(choice.width, widths, [&](auto width) -> Transfer {
    return std::make_unique<
        NufftSlabTransferOf<Exec, Dim, T, decltype(width)::value>>(
        choice, blocks, any_ranks);
  });
}

}  // namespace Impl
}  // namespace Sporos

#endif
