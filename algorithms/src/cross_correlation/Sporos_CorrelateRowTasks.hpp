// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATEROWTASKS_HPP
#define SPOROS_CORRELATEROWTASKS_HPP

/// \file Sporos_CorrelateRowTasks.hpp
/// Work distribution: the rows of left that a block of rows of shifts meets are
/// cut into tasks of a fixed number of rows. Each task has a slot of its own
/// for its partial sums; slots are added in the order of their rows.

#include <cross_correlation/Sporos_CorrelateShape.hpp>

namespace Sporos {
namespace Impl {

/// A task: a block of rows of shifts, and rows [begin, end) of left.
struct RowTask {
  int block, begin, end;
  bool idle;  ///< rectangle: there is nothing to do
};

/// Tasks of a pair. Numbers of tasks follow a trapezoid over the blocks: few
/// for shifts at the borders, most for those in the middle.
struct RowTasks {
  int left_h = 0, right_h = 0;
  int dy0           = 0;
  int block_rows    = 1;  ///< rows of shifts in a block
  int blocks        = 0;
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
    return triangular ? prefix[block] + part : part * blocks + block;
  }
  KOKKOS_INLINE_FUNCTION RowTask operator()(int task) const {
    RowTask t;
    int part;
    if (triangular) {  // the last block whose first task is not after `task`
      int low = 0, high = blocks;
      while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (prefix[middle] <= task)
          low = middle;
        else
          high = middle;
      }
      t.block = low;
      part    = task - prefix[low];
    } else {
      t.block = task % blocks;
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

/// Tasks of a problem; prefix is left to the caller.
inline RowTasks make_row_tasks(const CorrelateShape& s, int block_rows,
                               WorkDistribution distribution, int task_rows) {
  RowTasks t;
  t.left_h     = s.extents.left_h;
  t.right_h    = s.extents.right_h;
  t.dy0        = s.shifts.dy0;
  t.block_rows = block_rows;
  t.blocks     = ceil_div(s.rows(), block_rows);
  t.task_rows  = distribution == WorkDistribution::none ? 0 : task_rows;
  t.triangular = distribution == WorkDistribution::triangle;
  int most = 0, sum = 0;
  for (int b = 0; b < t.blocks; ++b) {
    most = Math::max(most, t.tasks(b));
    sum += t.tasks(b);
  }
  t.total = t.triangular ? sum : most * t.blocks;
  return t;
}

/// Partial sums: (pair, task, row of the block, column).
template <class A>
struct RowSlots {
  A* data     = nullptr;
  int columns = 0;

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
  RowTasks tasks;
  RowSlots<A> slots;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    const CorrelateShape& s = p.shape;
    const int ox            = int(index % s.columns());
    index /= s.columns();
    const int oy            = int(index % s.rows());
    const std::int64_t pair = index / s.rows();
    const int block = oy / tasks.block_rows, row = oy % tasks.block_rows;
    const int n = tasks.tasks(block);
    A sum       = slots.row(tasks, pair, tasks.index(block, 0), row)[ox];
    for (int part = 1; part < n; ++part)
      sum += slots.row(tasks, pair, tasks.index(block, part), row)[ox];
    p.out(int(pair / s.extents.m), int(pair % s.extents.m), oy, ox) = sum;
  }
};

template <class Exec, class T, class A>
void add_slots(const Exec& exec, const CorrelateProblem<T, A>& p,
               const RowTasks& tasks, const RowSlots<A>& slots) {
  Kokkos::parallel_for(
      "Sporos::cross_correlate::add_slots",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(
          exec, 0, p.shape.results()),
      AddSlots<T, A>{p, tasks, slots});
}

}  // namespace Impl
}  // namespace Sporos

#endif
