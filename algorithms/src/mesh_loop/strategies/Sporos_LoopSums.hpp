// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_LOOPSUMS_HPP
#define SPOROS_LOOPSUMS_HPP

/// \file Sporos_LoopSums.hpp
/// Sums of loops with LoopOptions::any_ranks. The loop keeps what each element
/// contributes, as the gather strategy keeps increments. The contributions are
/// then added without rounding (see Sporos_ExactSum.hpp), so that the order of
/// elements, the chunks and the ranks do not matter.

#include <Sporos_ExactSumKernels.hpp>
#include <Sporos_ForEachIndex.hpp>
#include <Sporos_LoopArgs.hpp>
#include <mesh_loop/plan/Sporos_PlanData.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace Sporos {
namespace Impl {

/// A sum that is not rounded: of float or double.
template <class T, bool = std::is_floating_point_v<T>>
struct LoopSum {
  ExactSumDigits m_digits;

  KOKKOS_FUNCTION void add(T x) { m_digits.add(double(x)); }
  KOKKOS_FUNCTION T value() const { return m_digits.template round<T>(); }

  /// Appends words; their sums over ranks, modulo 2^64, are those of all ranks.
  /// After carries have moved, digits have 32 bits, so that none overflows.
  void to_words(std::vector<std::uint64_t>& words) const {
    ExactSumDigits digits = m_digits;
    digits.normalise();
    for (const long long digit : digits.m_digit)
      words.push_back(std::uint64_t(digit));
    for (int flag = 1; flag <= ExactSumDigits::not_a_number; flag *= 2)
      words.push_back((digits.m_flags & flag) != 0 ? 1 : 0);
  }
  void from_words(const std::uint64_t*& words) {
    for (long long& digit : m_digits.m_digit)
      digit = static_cast<long long>(*words++);
    m_digits.m_flags = 0;
    for (int flag = 1; flag <= ExactSumDigits::not_a_number; flag *= 2)
      if (*words++ != 0) m_digits.m_flags |= flag;
    m_digits.normalise();
  }
};

/// A sum of integers. part: what a loop adds; modulo 2^32 where T is smaller
/// than an int, since Kokkos reduces no smaller types
template <class T>
struct LoopSum<T, false> {
  using Part = std::conditional_t<(sizeof(T) < sizeof(int)), unsigned, T>;
  T total    = 0;
  Part part  = 0;

  KOKKOS_FUNCTION void add(T x) { total = T(total + x); }
  KOKKOS_FUNCTION T value() const { return total; }

  void to_words(std::vector<std::uint64_t>& words) const {
    words.push_back(std::uint64_t(total));
  }
  void from_words(const std::uint64_t*& words) { total = T(*words++); }
};

/// A sum that goes on into N sums in memory of the loop's space.
template <class T, int N>
struct ExactSumArg {
  using value_type                = T;
  static constexpr int components = N;
  LoopSum<T>* sums;
  int counted;  ///< the first elements of the loop, which alone count
};

/// Sums begin empty.
template <class T>
struct StartSums {
  LoopSum<T>* sums;
  KOKKOS_FUNCTION void operator()(int c) const { sums[c] = LoopSum<T>(); }
};

/// Sums go to values, which are summands, too: one rounding for all.
template <class T>
struct RoundSums {
  const LoopSum<T>* sums;
  T* to;
  KOKKOS_FUNCTION void operator()(int c) const {
    LoopSum<T> sum = sums[c];
    sum.add(to[c]);
    to[c] = sum.value();
  }
};

/// A kernel for each component.
template <class Exec, class F>
void for_components(const std::string& label, const Exec& exec, int n,
                    const F& f) {
  for_each_index(
      label, Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(exec, 0, n), f);
}

/// Component c of rows of integers.
template <class T, int N>
struct AddIntegers {
  const T* rows;
  int c;
  using Part = typename LoopSum<T>::Part;
  KOKKOS_FUNCTION void operator()(int i, Part& sum) const {
    sum = Part(sum + Part(rows[std::ptrdiff_t(i) * N + c]));
  }
};
template <class T>
struct AddParts {
  LoopSum<T>* sums;
  KOKKOS_FUNCTION void operator()(int c) const { sums[c].add(T(sums[c].part)); }
};

/// sums[c] += rows[i * N + c] for all n rows, without rounding.
template <int N, class T, class Exec>
void add_rows(const std::string& label, const Exec& exec,
              LoopPlanState<Exec>& plan, const T* rows, int n,
              LoopSum<T>* sums) {
  using Memory    = typename Exec::memory_space;
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  if (n == 0) return;
  if constexpr (std::is_integral_v<T>) {
    for (int c = 0; c < N; ++c)
      Kokkos::parallel_reduce(
          label + "::add_integers",
          Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(exec, 0, n),
          AddIntegers<T, N>{rows, c},
          make_view<Kokkos::View<typename LoopSum<T>::Part, Memory, Unmanaged>>(
              &sums[c].part));
    for_components(label + "::add_parts", exec, N, AddParts<T>{sums});
  } else {
    const ExactSumCut<Exec> cut(exec, n);
    ExactSumDigits* const slots =
        plan.sum_slots.require_data(exec, std::size_t(cut.slots) * N);
    launch_exact_sum(
        exec, cut,
        make_view<Kokkos::View<ExactSumDigits**, Kokkos::LayoutRight, Memory,
                               Unmanaged>>(slots, cut.slots, N),
        make_view<
            Kokkos::View<const T**, Kokkos::LayoutRight, Memory, Unmanaged>>(
            rows, n, N),
        make_view<Kokkos::View<LoopSum<T>*, Memory, Unmanaged>>(sums, N));
  }
}

}  // namespace Impl
}  // namespace Sporos

#endif
