// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATEROWTASKS_HPP
#define SPOROS_CORRELATEROWTASKS_HPP

/// \file Sporos_CorrelateRowTasks.hpp
/// Work distribution. The rows of left that a block of rows of shifts needs are
/// cut into tasks of a fixed number of rows. Each task writes its partial sums
/// to its own slot, and slots are added in the order of their rows. Several
/// launches keep the slots of each within slot_bytes; the sums do not depend on
/// where launches are cut.

#include <Sporos_Error.hpp>
#include <Sporos_ForEachIndex.hpp>
#include <cross_correlation/problem/Sporos_CorrelateSums.hpp>

#include <limits>
#include <vector>

namespace Sporos {
namespace Impl {

/// A task: a block of rows of shifts, and rows [begin, end) of left.
struct RowTask {
  int block, begin, end;
  bool idle;  ///< rectangle: there is nothing to do
};

/// Tasks of a pair in one launch. Numbers of tasks follow a trapezoid over the
/// blocks: few for shifts at the borders, most for those in the middle.
struct RowTasks {
  int left_h = 0, right_h = 0;
  int dy0           = 0;
  int block_rows    = 1;  ///< rows of shifts in a block
  int first_block   = 0;
  int blocks        = 0;  ///< how many blocks the launch does
  int task_rows     = 0;  ///< rows of left in a task; 0: all
  int total         = 0;  ///< number of tasks, idle ones included
  bool triangular   = false;
  const int* prefix = nullptr;  ///< triangle: tasks before each block

  KOKKOS_INLINE_FUNCTION int begin(int block) const {
    return Math::max(0, dy0 + block * block_rows);
  }
  KOKKOS_INLINE_FUNCTION int end(int block) const {
    return Math::min(left_h,
                     dy0 + block * block_rows + block_rows - 1 + right_h);
  }
  /// Tasks of a block, at least one: without overlap it writes zeros.
  KOKKOS_INLINE_FUNCTION int tasks(int block) const {
    if (task_rows == 0) return 1;
    const int rows = Math::max(1, end(block) - begin(block));
    return ceil_div(rows, task_rows);
  }
  /// Number of the task that does part `part` of a block.
  KOKKOS_INLINE_FUNCTION int index(int block, int part) const {
    const int k = block - first_block;
    return triangular ? prefix[k] + part : part * blocks + k;
  }
  KOKKOS_INLINE_FUNCTION RowTask operator()(int task) const {
    RowTask t;
    int part;
    if (triangular) {
      const int k =
          segment_at([this](int i) { return prefix[i]; }, blocks, task);
      t.block = first_block + k;
      part    = task - prefix[k];
    } else {
      t.block = first_block + task % blocks;
      part    = task / blocks;
    }
    t.begin = begin(t.block);
    t.end   = end(t.block);
    t.idle  = part >= tasks(t.block);
    if (task_rows > 0) {
      t.begin += part * task_rows;
      t.end = Math::min(t.end, t.begin + task_rows);
    }
    return t;
  }
  KOKKOS_INLINE_FUNCTION bool split() const { return task_rows > 0; }
};

/// Pairs that one worker does together: so many left matrices x right ones.
/// Units are numbered by right matrices first.
struct PairUnits {
  int left_matrices = 1, right_matrices = 1;
  int left_blocks = 0, right_blocks = 0;

  KOKKOS_INLINE_FUNCTION std::int64_t count() const {
    return std::int64_t(left_blocks) * right_blocks;
  }
  KOKKOS_INLINE_FUNCTION int pairs() const {
    return left_matrices * right_matrices;
  }
  /// The first matrices of a unit.
  KOKKOS_INLINE_FUNCTION int left(std::int64_t unit) const {
    return int(unit / right_blocks) * left_matrices;
  }
  KOKKOS_INLINE_FUNCTION int right(std::int64_t unit) const {
    return int(unit % right_blocks) * right_matrices;
  }
};

inline PairUnits pair_units(const CorrelateExtents& e, int left_matrices,
                            int right_matrices) {
  return {left_matrices, right_matrices, ceil_div(e.n, left_matrices),
          ceil_div(e.m, right_matrices)};
}

/// What one launch does: some tasks of units [first_unit, first_unit + count).
struct RowLaunch {
  RowTasks tasks;
  PairUnits units;
  std::int64_t first_unit = 0, count = 0;
};

/// All launches: some blocks after others, for each of them some units after
/// others.
struct RowLaunches {
  PairUnits units;
  std::vector<RowTasks> blocks;
  std::int64_t units_at_once = 0;
  std::int64_t slot_rows     = 0;  ///< rows of slots of the largest launch

  template <class F>
  void for_each(const F& f) const {
    for (const RowTasks& tasks : blocks)
      for (std::int64_t u = 0; u < units.count(); u += units_at_once)
        f(RowLaunch{tasks, units, u,
                    Math::min(units_at_once, units.count() - u)});
  }
};

/// Launches of a problem whose sums have `element` bytes, with `vectors`
/// workers for each task; prefix is left to the caller. Slots of a launch stay
/// within `bytes`, its workers within an int.
inline RowLaunches make_row_launches(const CorrelateShape& s,
                                     const PairUnits& units, int block_rows,
                                     WorkDistribution distribution,
                                     int task_rows, int vectors,
                                     std::size_t element, std::size_t bytes) {
  RowTasks t;
  t.left_h         = s.extents.left_h;
  t.right_h        = s.extents.right_h;
  t.dy0            = s.shifts.dy0;
  t.block_rows     = block_rows;
  t.task_rows      = distribution == WorkDistribution::none ? 0 : task_rows;
  t.triangular     = distribution == WorkDistribution::triangle;
  const int blocks = ceil_div(s.rows(), block_rows);
  const std::int64_t slot_rows = std::int64_t(units.pairs()) * block_rows;
  std::int64_t limit = (std::numeric_limits<int>::max() - 1) / vectors;
  if (t.split())
    limit = Math::min(limit,
                      std::int64_t(bytes / element) / slot_rows / s.columns());
  int most = 1;
  if (t.split() && !t.triangular)
    for (int b = 0; b < blocks; ++b) most = Math::max(most, t.tasks(b));
  RowLaunches all;
  all.units            = units;
  std::int64_t largest = 0;
  for (int b = 0; b < blocks; ++b) {
    const int tasks = t.triangular ? t.tasks(b) : most;
    if (t.blocks > 0 && std::int64_t(t.total) + tasks > limit) {
      all.blocks.push_back(t);
      t.first_block = b;
      t.blocks = t.total = 0;
    }
    ++t.blocks;
    t.total += tasks;
    largest = Math::max(largest, std::int64_t(t.total));
  }
  all.blocks.push_back(t);
  all.units_at_once =
      all.blocks.size() > 1
          ? 1
          : Math::min(units.count(),
                      Math::max(std::int64_t(1), limit / largest));
  if (t.split()) all.slot_rows = all.units_at_once * largest * slot_rows;
  return all;
}

/// For Kokkos, whose leagues are counted by ints.
inline int league_size(std::int64_t teams) {
  check(teams < std::numeric_limits<int>::max(), "Sporos::cross_correlate",
        "options", "an algorithm with fewer than 2^31 - 1 teams in a launch",
        teams);
  return int(teams);
}

/// Partial sums of a launch: (unit, pair of it, task, row of the block,
/// column).
template <class A>
struct RowSlots {
  A* data     = nullptr;
  int columns = 0;

  /// pair: among those of the launch
  KOKKOS_INLINE_FUNCTION A* row(const RowTasks& t, std::int64_t pair, int task,
                                int row) const {
    return data + ((pair * t.total + task) * t.block_rows + row) *
                      std::int64_t(columns);
  }
};

/// Adds the partial sums of each shift in the order of their rows.
template <class T, class A>
struct AddSlots {
  CorrelateProblem<T, A> p;
  RowLaunch launch;
  RowSlots<A> slots;
  int first_row, rows;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    const RowTasks& tasks = launch.tasks;
    const PairUnits& u    = launch.units;
    const int columns     = p.shape.columns();
    const int ox          = int(index % columns);
    index /= columns;
    const int oy            = first_row + int(index % rows);
    const std::int64_t pair = index / rows;
    const std::int64_t unit = launch.first_unit + pair / u.pairs();
    const int of_unit       = int(pair % u.pairs());
    const int i             = u.left(unit) + of_unit / u.right_matrices;
    const int j             = u.right(unit) + of_unit % u.right_matrices;
    if (i >= p.shape.extents.n || j >= p.shape.extents.m || p.only.skips(i, j))
      return;
    const int block = oy / tasks.block_rows, row = oy % tasks.block_rows;
    const int n = tasks.tasks(block);
    A sum = slots.row(tasks, pair, tasks.index(block, 0), row)[ox], rest(0);
    for (int part = 1; part < n; ++part) {
      rest += slots.row(tasks, pair, tasks.index(block, part), row)[ox];
      move_sum(rest, sum);
    }
    p.out(i, j, oy, ox) = sum + rest;
  }
};

template <class Exec, class T, class A>
void add_slots(const Exec& exec, const CorrelateProblem<T, A>& p,
               const RowLaunch& launch, const RowSlots<A>& slots) {
  const RowTasks& t   = launch.tasks;
  const int first_row = t.first_block * t.block_rows;
  const int rows =
      Math::min(p.shape.rows() - first_row, t.blocks * t.block_rows);
  for_each_index(
      "Sporos::cross_correlate::add_slots",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(
          exec, 0,
          launch.count * launch.units.pairs() * rows * p.shape.columns()),
      AddSlots<T, A>{p, launch, slots, first_row, rows});
}

}  // namespace Impl
}  // namespace Sporos

#endif
