// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATESHUFFLE_HPP
#define SPOROS_CORRELATESHUFFLE_HPP

/// \file Sporos_CorrelateShuffle.hpp
/// The algorithm `shuffle` of cross_correlate. A lane group owns as many
/// consecutive x shifts as it has lanes. Left moves through the lanes, elements
/// of right are broadcast, and elements outside of a matrix are 0. Groups of
/// left matrices x right matrices x rows of left x rows of shifts share loads
/// in registers. A step for (L, R, l, o) costs L l + R (l + o - 1) exchanges
/// between lanes and L R l o multiply-adds. For devices; on hosts `tile`
/// does the same without exchanges.

#include <Sporos_ForEachIndex.hpp>
#include <Sporos_Lanes.hpp>
#include <cross_correlation/problem/Sporos_CorrelateSums.hpp>
#include <cross_correlation/shuffle/Sporos_CorrelateRowTasks.hpp>

#include <algorithm>

namespace Sporos {
namespace Impl {

/// The numbers of matrices and rows of a lane group in registers.
struct ShuffleGroup {
  int left_matrices, right_matrices, left_rows, right_rows;
};

/// All groups that are compiled; in the thesis simple,
/// multimat_right, multimat_both, multirow_right, multirow_both, multirow_right
/// and _both with multimat_right, and multirow_both with multimat_both.
inline constexpr ShuffleGroup shuffle_groups[] = {
    {1, 1, 1, 1}, {1, 4, 1, 1}, {1, 8, 1, 1}, {2, 2, 1, 1},
    {4, 4, 1, 1}, {1, 1, 1, 4}, {1, 1, 1, 8}, {1, 1, 4, 4},
    {1, 1, 4, 8}, {1, 4, 1, 4}, {1, 2, 4, 4}, {2, 2, 4, 4}};
inline constexpr int shuffle_group_count =
    int(sizeof(shuffle_groups) / sizeof(shuffle_groups[0]));

/// Do sums and operands of a group fit into the registers of a lane for sums of
/// so many bytes? (16 bytes: not the largest one.)
constexpr bool fits_registers(const ShuffleGroup& g, int bytes) {
  const int rows   = g.left_rows + g.right_rows - 1;
  const int values = g.left_matrices * g.right_matrices * g.right_rows +
                     g.right_matrices * rows +
                     2 * g.left_matrices * g.left_rows;
  return values * bytes <= lane_register_bytes;
}

/// Everything that a lane group needs to know.
template <class T, class A>
struct ShuffleArgs {
  CorrelateProblem<T, A> p;
  RowLaunch launch;
  RowSlots<A> slots;
  int vectors;  ///< lane groups beside each other
  std::int64_t workers;
};

/// sum + left conj(right) in each lane.
template <class Group>
KOKKOS_INLINE_FUNCTION typename Group::value multiply_add_lanes(
    const Group& lanes, const typename Group::value& left,
    const typename Group::value& right, const typename Group::value& sum) {
  using A = typename Group::scalar;
  if constexpr (is_complex_v<A>)
    return lanes.combine(left, right, sum,
                         [](const A& l, const A& r, const A& s) {
                           return add_conjugate_product(l, r, s);
                         });
  else
    return lanes.fma(left, right, sum);
}

/// Sums of one lane group, number `worker`.
template <class Exec, class T, class A, int LM, int RM, int LR, int RR>
struct ShuffleWorker {
  using Group            = LaneGroup<Exec, A>;
  using Value            = typename Group::value;
  static constexpr int W = Group::width, rows = LR + RR - 1;

  static KOKKOS_FUNCTION void run(const ShuffleArgs<T, A>& args,
                                  std::int64_t worker) {
    const CorrelateProblem<T, A>& p = args.p;
    const CorrelateExtents& e       = p.shape.extents;
    const Group lanes;
    const int vector = int(worker % args.vectors);
    worker /= args.vectors;
    const RowTasks& tasks = args.launch.tasks;
    const int number      = int(worker % tasks.total);
    const RowTask task    = tasks(number);
    if (task.idle) return;
    worker /= tasks.total;
    const std::int64_t unit = args.launch.first_unit + worker;
    const int i0            = args.launch.units.left(unit);
    const int j0            = args.launch.units.right(unit);
    bool none               = true;
    SPOROS_UNROLL
    for (int i = 0; i < LM; ++i) SPOROS_UNROLL
    for (int j = 0; j < RM; ++j)
      none = none &&
             (i0 + i >= e.n || j0 + j >= e.m || p.only.skips(i0 + i, j0 + j));
    if (none) return;
    const int oy0 = task.block * RR, ox0 = vector * W;
    const int dy0 = p.shape.shifts.dy0 + oy0;
    const int dx0 = p.shape.shifts.dx0 + ox0;
    const int x0  = Math::max(0, -(dx0 + W - 1));
    const int x1  = Math::min(e.right_w, e.left_w - dx0);

    // beyond the last matrix: the last one again, which is not written twice
    const T* left[LM];
    SPOROS_UNROLL
    for (int i = 0; i < LM; ++i)
      left[i] = p.left.matrix(Math::min(i0 + i, e.n - 1), 0);
    const T* right[RM];
    SPOROS_UNROLL
    for (int j = 0; j < RM; ++j)
      right[j] =
          p.right.matrix(Math::min(i0, e.n - 1), Math::min(j0 + j, e.m - 1));

    Value sum[LM][RM][RR], blocks[LM][RM][RR];
    SPOROS_UNROLL
    for (int i = 0; i < LM; ++i) SPOROS_UNROLL
    for (int j = 0; j < RM; ++j) SPOROS_UNROLL
    for (int o = 0; o < RR; ++o)
      sum[i][j][o] = blocks[i][j][o] = lanes.fill(A(0));
    const int terms           = block_terms<A>(most_terms(e));
    const int most            = Math::min(W, Math::max(1, terms / LR));
    [[maybe_unused]] int room = terms;

    // all rows of the task, or those of volumes that meet right
    for (int begin = task.begin, end_row; begin < task.end; begin = end_row) {
      end_row = task.end;
      if (p.shape.folded.pitch > 0) {
        begin   = p.shape.folded.next_row(begin, dy0, RR);
        end_row = Math::min(task.end, p.shape.folded.end_row(begin, dy0, RR));
      }
      for (int y = begin; y < end_row; y += LR) {
        const int first = y - dy0 - (RR - 1);  // row of right
        Value next[LM][LR];
        SPOROS_UNROLL
        for (int i = 0; i < LM; ++i) SPOROS_UNROLL
        for (int l = 0; l < LR; ++l)
          next[i][l] = left_row(lanes, p, left[i], y + l, end_row, x0 + dx0);
        for (int x = x0; x < x1; x += W) {
          Value here[LM][LR], r[RM][rows];
          SPOROS_UNROLL
          for (int i = 0; i < LM; ++i) SPOROS_UNROLL
          for (int l = 0; l < LR; ++l) {
            here[i][l] = next[i][l];
            next[i][l] =
                left_row(lanes, p, left[i], y + l, end_row, x + dx0 + W);
          }
          SPOROS_UNROLL
          for (int j = 0; j < RM; ++j) SPOROS_UNROLL
          for (int q = 0; q < rows; ++q) {
            const int row   = first + q;
            const bool some = row >= 0 && row < e.right_h;
            r[j][q] = lanes.load(some ? right[j] + row * p.right.y : right[j],
                                 p.right.x, x, some ? e.right_w : 0);
          }
          const int steps = Math::min(W, x1 - x);
          for (int k = 0; k < steps; k += most) {
            const int end = Math::min(most, steps - k) + k;
            slide(lanes, here, next, r, k, end, sum);
            if constexpr (!std::is_integral<A>::value) {
              if ((room -= LR * (end - k)) > 0) continue;
              SPOROS_UNROLL
              for (int i = 0; i < LM; ++i) SPOROS_UNROLL
              for (int j = 0; j < RM; ++j) SPOROS_UNROLL
              for (int o = 0; o < RR; ++o)
                move_sum(sum[i][j][o], blocks[i][j][o]);
              room = terms;
            }
          }
        }
      }
    }

    SPOROS_UNROLL
    for (int i = 0; i < LM; ++i) SPOROS_UNROLL
    for (int j = 0; j < RM; ++j) SPOROS_UNROLL
    for (int o = 0; o < RR; ++o)
      if (i0 + i < e.n && j0 + j < e.m && oy0 + o < p.shape.rows() &&
          !p.only.skips(i0 + i, j0 + j)) {
        A* const to =
            tasks.split()
                ? args.slots.row(tasks, (worker * LM + i) * RM + j, number, o)
                : &p.out(i0 + i, j0 + j, oy0 + o, 0);
        const Value total = lanes.combine(
            blocks[i][j][o], sum[i][j][o], sum[i][j][o],
            [](const A& b, const A& rest, const A&) { return A(b + rest); });
        lanes.store(total, to, tasks.split() ? 1 : p.out.x, ox0,
                    p.shape.columns());
      }
  }

 private:
  /// Columns first, first + 1, ... of a row of left; 0 outside, and from row
  /// `end` on.
  static KOKKOS_FORCEINLINE_FUNCTION Value
  left_row(const Group& lanes, const CorrelateProblem<T, A>& p, const T* left,
           int y, int end, int first) {
    return lanes.load(y < end ? left + y * p.left.y : left, p.left.x, first,
                      y < end ? p.shape.extents.left_w : 0);
  }

  /// Columns begin ... end of right.
  static KOKKOS_FORCEINLINE_FUNCTION void slide(const Group& lanes,
                                                const Value (&here)[LM][LR],
                                                const Value (&next)[LM][LR],
                                                const Value (&r)[RM][rows],
                                                int begin, int end,
                                                Value (&sum)[LM][RM][RR]) {
    if constexpr (is_host_space_v<Exec>) {
      // what slides lies in memory, and is loaded from there
      alignas(64) A left[LM][LR][2 * W], right[RM][rows][W];
      for (int i = 0; i < LM; ++i)
        for (int l = 0; l < LR; ++l) {
          here[i][l].store(left[i][l]);
          next[i][l].store(left[i][l] + W);
        }
      for (int j = 0; j < RM; ++j)
        for (int q = 0; q < rows; ++q) r[j][q].store(right[j][q]);
      for (int k = begin; k < end; ++k)
        add(
            lanes, [&](int i, int l) { return Value::load(left[i][l] + k); },
            [&](int j, int q) { return lanes.fill(right[j][q][k]); }, sum);
    } else {
      SPOROS_DEVICE_ROLLED
      for (int k = begin; k < end; ++k)
        add(
            lanes,
            [&](int i, int l) {
              return lanes.shift_down(here[i][l], next[i][l], k);
            },
            [&](int j, int q) { return lanes.broadcast(r[j][q], k); }, sum);
    }
  }

  template <class Left, class Right>
  static KOKKOS_FORCEINLINE_FUNCTION void add(const Group& lanes,
                                              const Left& left_at,
                                              const Right& right_at,
                                              Value (&sum)[LM][RM][RR]) {
    Value left[LM][LR];
    SPOROS_UNROLL
    for (int i = 0; i < LM; ++i) SPOROS_UNROLL
    for (int l = 0; l < LR; ++l) left[i][l] = left_at(i, l);
    SPOROS_UNROLL
    for (int j = 0; j < RM; ++j) SPOROS_UNROLL
    for (int q = 0; q < rows; ++q) {  // row q of right meets l - o = q - RR + 1
      const Value b = right_at(j, q);
      SPOROS_UNROLL
      for (int l = 0; l < LR; ++l) {
        const int o = l + RR - 1 - q;
        if (o >= 0 && o < RR) SPOROS_UNROLL
        for (int i = 0; i < LM; ++i)
          sum[i][j][o] = multiply_add_lanes(lanes, left[i][l], b, sum[i][j][o]);
      }
    }
  }
};

/// Teams of lane groups. On hosts the group is a pointer to a function, so that
/// there is one kernel; on devices it is compiled into the kernel.
template <class T, class A>
struct ShuffleHost {
  ShuffleArgs<T, A> args;
  void (*run)(const ShuffleArgs<T, A>&, std::int64_t);
  void operator()(std::int64_t worker) const { run(args, worker); }
};
template <class Worker, class T, class A, class Member>
struct ShuffleDevice {
  ShuffleArgs<T, A> args;
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::int64_t worker =
        std::int64_t(team.league_rank()) * team.team_size() + team.team_rank();
    if (worker < args.workers) Worker::run(args, worker);
  }
};

template <class Worker, class Exec, class T, class A>
void launch_worker(const Exec& exec, const ShuffleArgs<T, A>& args) {
  const char* const label = "Sporos::cross_correlate::shuffle";
  if constexpr (is_host_space_v<Exec>) {
    for_each_index(label,
                   Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Dynamic>,
                                       Kokkos::IndexType<std::int64_t>>(
                       exec, 0, args.workers),
                   ShuffleHost<T, A>{args, Worker::run});
  } else {
    constexpr int team  = shuffle_team;
    constexpr int lanes = lane_count<Exec, A>::vector;
    using Policy        = Kokkos::TeamPolicy<Exec, TeamBound<team * lanes>>;
    const int league = league_size(ceil_div(args.workers, std::int64_t(team)));
    Kokkos::parallel_for(
        label, Policy(exec, league, team, lanes),
        ShuffleDevice<Worker, T, A, typename Policy::member_type>{args});
  }
}

template <class Exec, class T, class A, int N>
void launch_shuffle(const Exec& exec, const ShuffleArgs<T, A>& args) {
  constexpr ShuffleGroup g = shuffle_groups[N];
  if constexpr (fits_registers(g, int(sizeof(A))))
    launch_worker<ShuffleWorker<lane_space<Exec>, T, A, g.left_matrices,
                                g.right_matrices, g.left_rows, g.right_rows>>(
        exec, args);
}

template <class Exec, class T, class A, int... N>
void launch_shuffle(const Exec& exec, const ShuffleArgs<T, A>& args, int group,
                    std::integer_sequence<int, N...>) {
  (void)((group == N && (launch_shuffle<Exec, T, A, N>(exec, args), true)) ||
         ...);
}

/// Lane groups beside each other.
template <class Exec, class A>
int shuffle_vectors(const CorrelateShape& s) {
  return ceil_div(s.columns(), LaneGroup<Exec, A>::width);
}

/// `launches` were made for the group, slots hold what they ask for.
template <class Exec, class T, class A>
void correlate_shuffle(const Exec& exec, const CorrelateProblem<T, A>& p,
                       int group, const RowLaunches& launches,
                       const RowSlots<A>& slots) {
  const int vectors = shuffle_vectors<Exec, A>(p.shape);
  launches.for_each([&](const RowLaunch& launch) {
    launch_shuffle(
        exec,
        ShuffleArgs<T, A>{p, launch, slots, vectors,
                          launch.count * launch.tasks.total * vectors},
        group, std::make_integer_sequence<int, shuffle_group_count>{});
    if (launch.tasks.split()) add_slots(exec, p, launch, slots);
  });
}

}  // namespace Impl
}  // namespace Sporos

#endif
