// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SORTARRAYS_HPP
#define SPOROS_SORTARRAYS_HPP

/// \file Sporos_SortArrays.hpp
/// Views of the caller that a plan sorts, or keeps.

#include <Sporos_Error.hpp>
#include <Sporos_ForEachIndex.hpp>
#include <Sporos_KokkosCompat.hpp>
#include <Sporos_ProfilingRegion.hpp>
#include <Sporos_ViewChecks.hpp>
#include <particle_grid/plan/Sporos_PlanState.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// Rows of an array, by pointer and strides
template <class T>
struct ArrayRows {
  T* data;
  std::ptrdiff_t stride[2];  ///< from row to row, from column to column

  KOKKOS_FORCEINLINE_FUNCTION T& operator()(int i, int c) const {
    return data[i * stride[0] + c * stride[1]];
  }
};

/// Copies a row; order: which one, null: of equal number
template <class T>
struct MoveRow {
  ArrayRows<T> from, to;
  const int* order;
  int columns;

  KOKKOS_FUNCTION void operator()(int i) const {
    const int row = order != nullptr ? order[i] : i;
    for (int c = 0; c < columns; ++c) to(i, c) = from(row, c);
  }
};

/// Can a View of the plan share the memory of positions? Held: of GivenOrder
template <class Held, class Positions, class = void>
inline constexpr bool can_hold_v = false;
template <class Held, class Positions>
inline constexpr bool
    can_hold_v<Held, Positions, std::void_t<typename Held::array_layout>> =
        std::is_same<typename Held::const_value_type,
                     typename Positions::const_value_type>::value&&
            std::is_same<typename Held::memory_space,
                         typename Positions::memory_space>::value &&
        (std::is_same<typename Positions::array_layout,
                      Kokkos::LayoutRight>::value ||
         std::is_same<typename Positions::array_layout,
                      Kokkos::LayoutLeft>::value ||
         std::is_same<typename Positions::array_layout,
                      Kokkos::LayoutStride>::value);

template <class View>
std::size_t row_length([[maybe_unused]] const View& array) {
  if constexpr (view_rank_v<View> == 2)
    return array.extent(1);
  else
    return 1;
}

template <class Exec, class View>
void check_sorted_array(const char* name, std::size_t n, const View& array) {
  using T                    = typename View::value_type;
  const char* const function = "Sporos::ParticleGridPlan::sort";
  static_assert(view_rank_v<View> == 1 || view_rank_v<View> == 2,
                "Sporos::ParticleGridPlan::sort: arrays must be Views of rank "
                "1, (n), or 2, (n, columns)");
  static_assert(is_accessible_v<Exec, View>,
                "Sporos::ParticleGridPlan::sort: arrays must be accessible to "
                "the execution space of the plan");
  static_assert(!std::is_const<T>::value,
                "Sporos::ParticleGridPlan::sort: arrays must not be const");
  static_assert(std::is_trivially_copyable<T>::value && alignof(T) <= 16,
                "Sporos::ParticleGridPlan::sort: elements of arrays must be "
                "trivially copyable and aligned to at most 16 bytes");
  check(array.extent(0) == n, function, name,
        text("extent(0) == ", n, ", the number of points"), extents(array));
  constexpr auto most = std::size_t(std::numeric_limits<int>::max());
  check(row_length(array) < most, function, name,
        "fewer columns than the largest int", extents(array));
  check_written(function, name, array);
}

template <class Exec, class View>
void sort_array(const Exec& exec, std::uint64_t* memory, const int* order,
                int n, const View& array) {
  using T           = typename View::value_type;
  using Range       = Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>;
  const int columns = int(row_length(array));
  ArrayRows<T> rows{array.data(), {std::ptrdiff_t(array.stride(0)), 0}};
  if constexpr (view_rank_v<View> == 2)
    rows.stride[1] = std::ptrdiff_t(array.stride(1));
  // neighbouring threads of a device reach neighbouring elements
  ArrayRows<T> copy{reinterpret_cast<T*>(memory), {columns, 1}};
  if (rows.stride[0] == 1) copy = {copy.data, {1, n}};
  for_each_index("Sporos::ParticleGridPlan::sort_rows", Range(exec, 0, n),
                 MoveRow<T>{rows, copy, order, columns});
  for_each_index("Sporos::ParticleGridPlan::put_rows", Range(exec, 0, n),
                 MoveRow<T>{copy, rows, nullptr, columns});
}

/// See ParticleGridPlan::sort
template <class Exec, int Dim, class Real, class Delta, class... Arrays>
void sort_arrays(const Exec& exec, PlanState<Exec, Dim, Real, Delta>& plan,
                 const Arrays&... arrays) {
  constexpr int count = int(sizeof...(Arrays));
  static_assert(count > 0,
                "Sporos::ParticleGridPlan::sort: needs the arrays to sort");
  static_assert((... && Kokkos::is_view<Arrays>::value),
                "Sporos::ParticleGridPlan::sort: arrays must be Views");
  const char* const function = "Sporos::ParticleGridPlan::sort";
  const ProfilingRegion region(function);
  plan.check_whole(function);
  plan.bins.check_device(function, exec);
  const auto n    = std::size_t(plan.size());
  const auto name = [](int k) { return "arrays[" + std::to_string(k) + "]"; };
  int k           = 0;
  (..., check_sorted_array<Exec>(name(k++).c_str(), n, arrays));
  const Footprint memory[] = {footprint(arrays)...};
  for (int a = 0; a < count; ++a)
    for (int b = 0; b < a; ++b)
      check(!may_overlap(memory[a], memory[b]), function, name(a).c_str(),
            text("memory separate from that of arrays[", b, "]"),
            "memory that overlaps it");
  if (n == 0) return;
  std::size_t bytes = 0;
  (..., (bytes = Math::max(bytes, n * row_length(arrays) *
                                      sizeof(typename Arrays::value_type))));
  std::uint64_t* const rows =
      plan.rows.require_data(exec, ceil_div(bytes, sizeof(std::uint64_t)));
  plan.sort_now(exec);
  (..., sort_array(exec, rows, plan.bins.permutation.data(), int(n), arrays));
  plan.take_order(exec);
}

/// What keeps the positions of a plan in memory, if it reads them there; else
/// empty.
template <class State, class Positions>
typename State::Held hold_positions([[maybe_unused]] const State& plan,
                                    [[maybe_unused]] const Positions& x) {
  using Held = typename State::Held;
  if constexpr (can_hold_v<Held, Positions>) {
    if (plan.options.positions == PlanPositions::view && x.extent(0) > 0) {
      if constexpr (view_rank_v<Positions> == 2)
        return Held(Kokkos::subview(x, Kokkos::ALL(), 0));
      else
        return Held(x);
    }
  }
  return Held();
}

}  // namespace Impl
}  // namespace Sporos

#endif
