// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_EXACTSUM_HPP
#define SPOROS_EXACTSUM_HPP

/// \file Sporos_ExactSum.hpp
/// Sums that do not depend on order: ExactSum keeps a sum of float or double
/// without rounding, exact_sum adds all values of a view to one. The same
/// values give the same bits in any order and grouping, on any number of
/// threads, devices and processes.

#include <Sporos_Error.hpp>
#include <Sporos_ExactSumDigits.hpp>
#include <Sporos_ExactSumKernels.hpp>
#include <Sporos_KokkosCompat.hpp>
#include <Sporos_ViewChecks.hpp>
#include <Sporos_Workspace.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Sporos {

/// A sum of Real (float or double), kept without rounding in 552 bytes. It is
/// trivially copyable: it may be sent to another process as bytes. Holds up to
/// 2^63 summands; a sum that leaves the range of Real and comes back loses
/// nothing. Assumes IEEE arithmetic with the default rounding; denormal numbers
/// count unless the processor is told to flush them. Adding takes about 2.5 ns;
/// for many values exact_sum is faster. Source: R. M. Neal, "Fast exact
/// summation using small and large superaccumulators", 2015.
template <class Real>
class ExactSum {
  static_assert(std::is_same<Real, float>::value ||
                    std::is_same<Real, double>::value,
                "Sporos::ExactSum: Real must be float or double");

 public:
  using value_type = Real;  ///< of summands and value()

  /// The empty sum; its value is 0.
  ExactSum() = default;
  /// The sum of x alone.
  KOKKOS_INLINE_FUNCTION explicit ExactSum(Real x) { add(x); }

  /// Adds a number.
  KOKKOS_INLINE_FUNCTION void add(Real x) { m_digits.add(double(x)); }
  /// Adds all that was added to another sum.
  KOKKOS_INLINE_FUNCTION void add(const ExactSum& other) {
    m_digits.add(other.m_digits);
  }

  /// The sum, rounded once to the nearest Real; of two that are equally near to
  /// the even one. What is too large becomes infinite. NaN, and infinities of
  /// both signs, give NaN. A sum of negative zeros alone is -0; other sums of 0
  /// are +0.
  KOKKOS_INLINE_FUNCTION Real value() const {
    return m_digits.template round<Real>();
  }

 private:
  template <class Slots, class Sums, class Exec>
  friend struct Impl::ExactSumMerge;

  Impl::ExactSumDigits m_digits;
};

/// Scratch memory of exact_sum; it only grows. Only one call at a time may use
/// it.
template <class MemorySpace>
struct ExactSumWorkspace {
  /// partial sums
  WorkspaceView<Impl::ExactSumDigits, MemorySpace> slots{
      "Sporos::exact_sum::slots"};

  /// Bytes of memory.
  std::size_t bytes() const { return slots.bytes(); }
};

/// sums(c) += sum over i of values(i, c), without rounding.
///
/// Asynchronous in exec; allocates only if the workspace must grow. Linear in
/// the values. On a host core its inner loop takes 0.5 to 0.8 ns a double, like
/// a plain sum from first to last; it is slower where values of a block of 512
/// differ by more than a factor of about 2^35.
///
/// \param exec      execution-space instance
/// \param workspace scratch memory that exec can access
/// \param values    (n) or (n, components) of float or double, any layout
/// \param sums      (components), or (1) for values of rank 1: sums that start
///                  from what the caller has put there
/// \throws std::invalid_argument for an extent of sums that does not fit,
///         memory that is missing or overlaps, more than 2^34 rows
/// Source: see ExactSum, and Sporos_ExactSumBlock.hpp for blocks of values.
template <class Exec, class MemorySpace, class Values, class Sums>
void exact_sum(const Exec& exec, ExactSumWorkspace<MemorySpace>& workspace,
               const Values& values, const Sums& sums) {
  using Real         = typename Values::non_const_value_type;
  constexpr int rank = Impl::view_rank_v<Values>;
  static_assert(rank == 1 || rank == 2,
                "Sporos::exact_sum: values must have rank 1 or 2");
  static_assert(
      Impl::view_rank_v<Sums> == 1 &&
          std::is_same<typename Sums::value_type, ExactSum<Real>>::value,
      "Sporos::exact_sum: sums must be a view of rank 1 of ExactSum "
      "of the type of the values");
  static_assert(
      Impl::is_accessible_v<Exec, Values> && Impl::is_accessible_v<Exec, Sums>,
      "Sporos::exact_sum: exec must be able to access values and sums");
  const char* const name       = "Sporos::exact_sum";
  const std::size_t components = rank == 1 ? 1 : values.extent(rank - 1);
  Impl::check(sums.extent(0) == components, name, "sums",
              Impl::text("extent(0) == ", components), sums.extent(0));
  Impl::check(std::uint64_t(values.extent(0)) <= std::uint64_t(1) << 34, name,
              "values", "at most 2^34 rows", values.extent(0));
  Impl::check_memory(name, "values", values);
  Impl::check_written(name, "sums", sums);
  Impl::check_apart(name, "sums", sums, "values", values);
  if (!Impl::has_elements(values)) return;
  const Impl::ExactSumCut<Exec> cut(exec, std::int64_t(values.extent(0)));
  using Slots =
      Kokkos::View<Impl::ExactSumDigits**, Kokkos::LayoutRight, MemorySpace,
                   Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  const auto slots = Impl::make_view<Slots>(
      workspace.slots.require_data(exec, std::size_t(cut.slots) * components),
      cut.slots, components);
  Impl::launch_exact_sum(exec, cut, slots, values, sums);
}

/// The sum of a view of rank 1, rounded once. Allocates; waits for exec.
/// \param exec an instance
/// \param values the summands
/// \param start where the sum starts: a summand, so that negative zeros alone
///              give +0 unless it is -0 as well
/// \throws as exact_sum with a workspace
template <class Exec, class Values>
typename Values::non_const_value_type exact_sum(
    const Exec& exec, const Values& values,
    typename Values::non_const_value_type start = 0) {
  static_assert(Impl::view_rank_v<Values> == 1,
                "Sporos::exact_sum: a sum without workspace needs values of "
                "rank 1");
  using Real   = typename Values::non_const_value_type;
  using Memory = typename Exec::memory_space;
  ExactSumWorkspace<Memory> workspace;
  const Kokkos::View<ExactSum<Real>*, Memory> sums(
      Kokkos::view_alloc(exec, Kokkos::WithoutInitializing,
                         "Sporos::exact_sum::sums"),
      1);
  const auto on_host = Kokkos::create_mirror_view(sums);
  on_host(0)         = ExactSum<Real>(start);
  Kokkos::deep_copy(exec, sums, on_host);
  exact_sum(exec, workspace, values, sums);
  Kokkos::deep_copy(exec, on_host, sums);
  Impl::fence(exec, "Sporos::exact_sum::result");
  return on_host(0).value();
}

}  // namespace Sporos

#endif
