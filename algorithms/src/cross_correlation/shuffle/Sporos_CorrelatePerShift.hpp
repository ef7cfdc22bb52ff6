// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATEPERSHIFT_HPP
#define SPOROS_CORRELATEPERSHIFT_HPP

/// \file Sporos_CorrelatePerShift.hpp
/// The algorithms `lane_group_per_shift` and `team_per_shift` of
/// cross_correlate. The lanes of a group, or the threads of a team, share the
/// overlap of a shift and add their partial sums at the end. With `staged`, a
/// team keeps rows in scratch for the neighbouring shifts of its groups. Costs
/// two loads per multiply-add. For few shifts on devices. On hosts
/// lane_group_per_shift without staging and distribution is a register
/// tile (Sporos_CorrelateTileKernels.hpp), which is fastest for few shifts.

#include <Sporos_Lanes.hpp>
#include <Sporos_Pack.hpp>
#include <cross_correlation/shuffle/Sporos_CorrelateRowTasks.hpp>
#include <cross_correlation/shuffle/Sporos_CorrelateShuffle.hpp>

#include <algorithm>
#include <limits>

namespace Sporos {
namespace Impl {

/// Lane groups as (rows x columns) lanes of an overlap that is w wide: as many
/// columns as the next power of two of w, as far as lanes reach; its logarithm.
template <class Group>
KOKKOS_INLINE_FUNCTION int log2_overlap_columns(int w) {
  return bit_width(unsigned(Math::min(w, int(Group::width)) - 1));
}

/// What a lane group has summed up: a block in the lanes, and the blocks
/// before.
template <class Group>
struct LaneSums {
  typename Group::value sum, blocks;
  int room;
};

/// sums += the overlap of rows [y0, y1) and columns [x0, x1) of right, whose
/// elements are right[y * right_y + x * right_x], with left shifted alike.
template <class Group, class L, class R>
KOKKOS_INLINE_FUNCTION void add_overlap(const Group& lanes, const L* left,
                                        std::ptrdiff_t left_y,
                                        std::ptrdiff_t left_x, const R* right,
                                        std::ptrdiff_t right_y,
                                        std::ptrdiff_t right_x, int y0, int y1,
                                        int x0, int x1, int terms,
                                        LaneSums<Group>& sums) {
  using A           = typename Group::scalar;
  const int log2    = log2_overlap_columns<Group>(x1 - x0);
  const int columns = 1 << log2;
  const int rows    = Group::width >> log2;
  for (int y = y0; y < y1; y += rows)
    for (int x = x0; x < x1; x += columns) {
      const auto l = lanes.generate([&](int lane) {
        const int yy = y + (lane >> log2), xx = x + (lane & (columns - 1));
        return yy < y1 && xx < x1 ? A(left[yy * left_y + xx * left_x]) : A(0);
      });
      const auto r = lanes.generate([&](int lane) {
        const int yy = y + (lane >> log2), xx = x + (lane & (columns - 1));
        return yy < y1 && xx < x1 ? A(right[yy * right_y + xx * right_x])
                                  : A(0);
      });
      sums.sum     = multiply_add_lanes(lanes, l, r, sums.sum);
      if (--sums.room > 0) continue;
      move_sum(sums.sum, sums.blocks);
      sums.room = terms;
    }
}

/// Scratch for `rows` rows of both matrices.
template <class A>
KOKKOS_INLINE_FUNCTION int staged_bytes(const CorrelateExtents& e, int rows) {
  return int(sizeof(A)) * rows * (e.left_w + e.right_w);
}

/// Scratch for `rows` rows of both matrices and what their alignment may skip.
template <class A>
int staged_scratch(const CorrelateExtents& e, int rows) {
  return staged_bytes<A>(e, rows) + int(alignof(A));
}

/// A thread of the team is a lane group and has a shift, or a task of it. With
/// staging, the team has neighbouring shifts of one row.
template <class Exec, class T, class A, class Member>
struct LaneGroupPerShift {
  using Group = LaneGroup<Exec, A>;
  CorrelateProblem<T, A> p;
  RowLaunch launch;
  RowSlots<A> slots;
  int vectors;  ///< teams beside each other
  int staged;   ///< rows in scratch, 0: none

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const CorrelateExtents& e = p.shape.extents;
    const Group lanes;
    std::int64_t index = team.league_rank();
    const int ox = int(index % vectors) * team.team_size() + team.team_rank();
    index /= vectors;
    const RowTasks& tasks = launch.tasks;
    const int number      = int(index % tasks.total);
    const RowTask task    = tasks(number);
    if (task.idle) return;                          // all of the team
    const std::int64_t pair = index / tasks.total;  // of the launch
    const int i             = launch.units.left(launch.first_unit + pair);
    const int j             = launch.units.right(launch.first_unit + pair);
    if (p.only.skips(i, j)) return;
    const int dy = p.shape.shifts.dy0 + task.block;
    const int dx = p.shape.shifts.dx0 + ox;
    const int x0 = p.shape.first_column(dx), x1 = p.shape.last_column(dx);
    const int terms = block_terms<A>(most_terms(e));
    LaneSums<Group> sums{lanes.fill(A(0)), lanes.fill(A(0)), terms};
    const T* left  = p.left.matrix(i, 0);
    const T* right = p.right.matrix(i, j);
    if (staged == 0) {
      if (ox < p.shape.columns() && x0 < x1)
        for_each_part(task, dy, [&](int begin, int end) {
          add_overlap(lanes, left + dy * p.left.y + dx * p.left.x, p.left.y,
                      p.left.x, right, p.right.y, p.right.x, begin - dy,
                      end - dy, x0, x1, terms, sums);
        });
    } else {
      A* const left_rows  = static_cast<A*>(team.team_shmem().get_shmem_aligned(
           staged_bytes<A>(e, staged), alignof(A)));
      A* const right_rows = left_rows + staged * e.left_w;
      for (int y = task.begin; y < task.end; y += staged) {
        if (p.shape.folded.pitch > 0) {
          y = p.shape.folded.next_row(y, dy, 1);
          if (y >= task.end) break;
        }
        const int n = Math::min(staged, task.end - y);
        team.team_barrier();
        copy(team, left + y * p.left.y, p.left.y, p.left.x, n, e.left_w,
             left_rows);
        copy(team, right + (y - dy) * p.right.y, p.right.y, p.right.x, n,
             e.right_w, right_rows);
        team.team_barrier();
        if (ox < p.shape.columns() && x0 < x1)
          add_overlap(lanes, left_rows + dx, e.left_w, 1, right_rows, e.right_w,
                      1, 0, n, x0, x1, terms, sums);
      }
    }
    const A total = lanes.sum(sums.blocks) + lanes.sum(sums.sum);
    if (ox < p.shape.columns())
      *(tasks.split() ? slots.row(tasks, pair, number, 0) + ox
                      : &p.out(i, j, task.block, ox)) = total;
  }

 private:
  /// Rows of left that meet right: all of the task, or plane by plane
  template <class F>
  KOKKOS_FUNCTION void for_each_part(const RowTask& task, int dy,
                                     const F& f) const {
    const FoldedPlanes& planes = p.shape.folded;
    if (planes.pitch == 0) return f(task.begin, task.end);
    const int rows = planes.rows_at(dy);
    for (int y = planes.next_row(task.begin, dy, 1); y < task.end;
         y     = planes.next_row(y + rows, dy, 1))
      f(y, Math::min(y + rows, task.end));
  }
  static KOKKOS_FUNCTION void copy(const Member& team, const T* from,
                                   std::ptrdiff_t y_stride,
                                   std::ptrdiff_t x_stride, int h, int w,
                                   A* to) {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, h), [&](int y) {
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, w), [&](int x) {
        to[y * w + x] = A(from[y * y_stride + x * x_stride]);
      });
    });
  }
};

/// Rows of both matrices that are staged at once.
inline int staged_rows(const CorrelateExtents& e, std::size_t element) {
  const std::size_t row =
      element * (std::size_t(e.left_w) + std::size_t(e.right_w));
  return int(std::min(most_staged_rows, staged_row_bytes / row));
}

/// Lane groups of a team: no more than there are columns of shifts.
template <class Exec>
int per_shift_team(const CorrelateShape& s) {
  return is_host_space_v<Exec>
             ? 1
             : next_power_of_two(std::min(most_per_shift_team, s.columns()));
}

/// Teams beside each other.
template <class Exec>
int per_shift_vectors(const CorrelateShape& s) {
  return ceil_div(s.columns(), per_shift_team<Exec>(s));
}

template <class Exec, class T, class A>
void correlate_lane_group_per_shift(const Exec& exec,
                                    const CorrelateProblem<T, A>& p,
                                    const RowLaunches& launches,
                                    const RowSlots<A>& slots, int staged) {
  constexpr int lanes = lane_count<Exec, A>::vector;
  using Policy =
      Kokkos::TeamPolicy<Exec, TeamBound<most_per_shift_team * lanes>>;
  using Kernel =
      LaneGroupPerShift<lane_space<Exec>, T, A, typename Policy::member_type>;
  const int vectors = per_shift_vectors<Exec>(p.shape);
  launches.for_each([&](const RowLaunch& launch) {
    Policy policy(exec,
                  league_size(launch.count * launch.tasks.total * vectors),
                  per_shift_team<Exec>(p.shape), lanes);
    if (staged > 0)
      policy.set_scratch_size(
          0, Kokkos::PerTeam(staged_scratch<A>(p.shape.extents, staged)));
    Kokkos::parallel_for("Sporos::cross_correlate::lane_group_per_shift",
                         policy, Kernel{p, launch, slots, vectors, staged});
    if (launch.tasks.split()) add_slots(exec, p, launch, slots);
  });
}

/// A team per shift; its threads add in an order that depends on the size of
/// the team, which is fixed for each back end.
template <class T, class A, class Member>
struct TeamPerShift {
  /// Most elements that threads of a team can step beyond in 32 bits
  static constexpr std::int64_t few = std::numeric_limits<int>::max() - 1024;
  CorrelateProblem<T, A> p;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const CorrelateShape& s = p.shape;
    const auto r            = s.result(team.league_rank());
    const int y0 = s.first_row(r.dy), x0 = s.first_column(r.dx);
    const int h = Math::max(0, s.last_row(r.dy) - y0);
    const int w = Math::max(0, s.last_column(r.dx) - x0);
    const T* const left =
        &p.left(r.i, 0, 0, 0) + (y0 + r.dy) * p.left.y + (x0 + r.dx) * p.left.x;
    const T* const right =
        &p.right(r.i, r.j, 0, 0) + y0 * p.right.y + x0 * p.right.x;
    const std::int64_t n = std::int64_t(h) * w;
    const A total        = n <= few ? sum(team, left, right, int(n), w)
                                    : sum(team, left, right, n, w);
    Kokkos::single(Kokkos::PerTeam(team),
                   [&]() { p.out(r.i, r.j, r.oy, r.ox) = total; });
  }

 private:
  /// The sum of n products of elements, w to a row; 32-bit numbers where they
  /// suffice, as they are divided by w. Each thread takes a block at a time.
  template <class Index>
  KOKKOS_FUNCTION A sum(const Member& team, const T* left, const T* right,
                        Index n, int w) const {
    const std::int64_t terms = block_terms<A>(most_terms(p.shape.extents));
    const Index most =
        Index(Math::min(std::int64_t(n), terms * team.team_size()));
    A rest(0), total(0);
    for (Index begin = 0, some = 0; begin < n; begin += some) {
      some = Math::min(most, Index(n - begin));
      A block(0);
      Kokkos::parallel_reduce(
          Kokkos::TeamThreadRange(team, begin, begin + some),
          [&](Index k, A& part) {
            const Index y = k / w, x = k - y * w;
            part = add_conjugate_product(
                A(left[y * p.left.y + x * p.left.x]),
                A(right[y * p.right.y + x * p.right.x]), part);
          },
          block);
      rest += block;
      move_sum(rest, total);
    }
    return total + rest;
  }
};

template <class Exec, class T, class A>
void correlate_team_per_shift(const Exec& exec,
                              const CorrelateProblem<T, A>& p) {
  using Policy = Kokkos::TeamPolicy<Exec, TeamBound<team_per_shift_threads>>;
  check(p.shape.results() < (std::int64_t(1) << 31) - 1,
        "Sporos::cross_correlate", "options.algorithm",
        "another algorithm than team_per_shift for so many shifts",
        p.shape.results());
  Kokkos::parallel_for(
      "Sporos::cross_correlate::team_per_shift",
      Policy(exec, int(p.shape.results()),
             is_host_space_v<Exec> ? 1 : team_per_shift_threads),
      TeamPerShift<T, A, typename Policy::member_type>{p});
}

}  // namespace Impl
}  // namespace Sporos

#endif
