// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MIGRATEKERNELS_HPP
#define SPOROS_MIGRATEKERNELS_HPP

/// \file Sporos_MigrateKernels.hpp
/// The kernels of migrate, and rows that move.

#include <Sporos_ForEachIndex.hpp>
#include <distributed/grids/Sporos_GhostLayers.hpp>
#include <particle_grid/bins/Sporos_BinKernels.hpp>

#include <limits>
#include <type_traits>
#include <utility>

namespace Sporos {
namespace Impl {

/// What is wrong with, or special about, the positions of a rank.
struct PositionFaults {
  static constexpr int none = std::numeric_limits<int>::max();
  int not_finite            = none;  ///< the first point
  int beyond                = none;  ///< the first point beyond a wall
  int beyond_count          = 0;
  int elsewhere             = none;  ///< the first point of another rank
};

/// Throws if a position is NaN or infinite.
inline void check_finite(const char* function, const PositionFaults& faults) {
  check(faults.not_finite == PositionFaults::none, function, "positions",
        "finite coordinates",
        text("NaN or infinity at point ", faults.not_finite));
}

/// The owner of each point. Points beyond walls belong to the block at the
/// wall, or to nobody, rank -1, if they are dropped.
template <class Locator, class Positions, class Ranks, int Dim>
struct FindOwners {
  Locator locator;
  Positions positions;
  Ranks owner;
  bool drop;

  KOKKOS_FUNCTION void operator()(int i, int& not_finite, int& first_beyond,
                                  int& beyond_count) const {
    using Found = typename Locator::Found;
    using Real  = std::decay_t<decltype(locator.origin[0])>;
    bool beyond = false;
    int to      = 0;
    for (int d = 0; d < Dim; ++d) {
      int cell          = 0;
      const Found found = locator.locate(d, Real(positions(i, d)), cell);
      if (found == Found::not_finite && i < not_finite) not_finite = i;
      beyond = beyond || found == Found::beyond_wall;
      to     = to * locator.count[d] + locator.block(d, cell);
    }
    if (beyond) {
      ++beyond_count;
      if (i < first_beyond) first_beyond = i;
    }
    owner(i) = beyond && drop ? -1 : to;
  }
};

/// A point that leaves.
struct Leaver {
  int point, owner;
};

/// Lists the points that leave and those that stay, each in order.
template <class Ranks, class Leavers>
struct ListLeaving {
  Ranks owner, staying;
  Leavers leaving;
  int rank;

  KOKKOS_FUNCTION void operator()(int i, int& left, bool final) const {
    const bool leaves = owner(i) != rank;
    if (final && leaves) leaving(left) = Leaver{i, owner(i)};
    if (final && !leaves) staying(i - left) = i;
    left += leaves ? 1 : 0;
  }
};

/// Row i becomes row order(i) of `from`, converted to the type of `to`.
template <class From, class To, class Order>
struct MoveRows {
  From from;
  To to;
  Order order;
  int components;

  KOKKOS_FUNCTION void operator()(int i) const {
    using T       = std::decay_t<decltype(std::declval<const To&>()(0, 0))>;
    const int row = order(i);
    for (int c = 0; c < components; ++c) to(i, c) = T(from(row, c));
  }
};
/// Rows stay in their order.
struct SameOrder {
  KOKKOS_FUNCTION int operator()(int i) const { return i; }
};
/// Moves n rows; from, to: (row, component) -> reference.
template <class Exec, class From, class To, class Order>
void move_rows(const char* label, const Exec& exec, int n, const From& from,
               const To& to, const Order& order, int components) {
  for_each_index(label,
                 Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(exec, 0, n),
                 MoveRows<From, To, Order>{from, to, order, components});
}

/// Finds the first number that is negative, and the first one that is above
/// the next.
template <class Numbers>
struct InspectNumbers {
  Numbers numbers;
  int n;

  KOKKOS_FUNCTION void operator()(int i, int& negative, int& descent) const {
    if constexpr (std::is_signed_v<typename Numbers::non_const_value_type>)
      if (numbers(i) < 0 && i < negative) negative = i;
    if (i + 1 < n && numbers(i) > numbers(i + 1) && i < descent) descent = i;
  }
};

/// Throws if a number is negative. Waits for exec.
/// \return do they ascend?
template <class Exec, class Numbers>
bool check_numbers(const Exec& exec, const char* function,
                   const Numbers& numbers) {
  const int n = int(numbers.extent(0));
  int first = PositionFaults::none, descent = PositionFaults::none;
  Kokkos::parallel_reduce(
      "Sporos::migrate::check_numbers",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(exec, 0, n),
      InspectNumbers<Numbers>{numbers, n}, Kokkos::Min<int>(first),
      Kokkos::Min<int>(descent));
  fence(exec, function);
  check(first == PositionFaults::none, function, "numbers",
        "numbers that are not negative", text("one at point ", first));
  return descent == PositionFaults::none;
}

}  // namespace Impl
}  // namespace Sporos

#endif
