// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATETILEDEVICE_HPP
#define SPOROS_CORRELATETILEDEVICE_HPP

/// \file Sporos_CorrelateTileDevice.hpp
/// The algorithm `tile` of cross_correlate on devices. A warp owns a tile of
/// shifts, or for small matrices an eighth of a warp does. Its lanes share the
/// overlap: each sums the whole tile in registers over steps of its own, four
/// columns of a row of left, and in the end lanes exchange their sums, so that
/// each has some of the results. The warps of a team have neighbouring tiles of
/// a pair. They copy chunks of left and right to scratch, with zeros around,
/// from where a step loads 16 bytes at a time. Costs a multiply-add for each
/// shift of a tile and element of its overlap, rows and columns at the border
/// of the tile included, and a tenth of that for loads.

#include <Sporos_Lanes.hpp>
#include <cross_correlation/shuffle/Sporos_CorrelateRowTasks.hpp>
#include <cross_correlation/tile/Sporos_CorrelateDeviceTiles.hpp>
#include <cross_correlation/tile/Sporos_CorrelateTileCopy.hpp>

#include <cstddef>
#include <utility>

namespace Sporos {
namespace Impl {

/// Numbers [first, last) of the values of a group of lanes.
struct LaneShare {
  int first, last;
};

/// Adds the N values of the lanes of a group of Lanes, by a fixed tree. A lane
/// gets those of its share, from place 0 on. Every step halves what a lane has:
/// it keeps one half, and gives its own values of the other one away.
template <int N, int Lanes, class A, int Size>
KOKKOS_FORCEINLINE_FUNCTION void share_sums(A (&sums)[Size]) {
  if constexpr (Lanes > 1) {
    constexpr int other = Lanes / 2, kept = (N + 1) / 2;
    const int lane   = device_lane();
    const bool upper = (lane & other) != 0;
    SPOROS_UNROLL
    for (int k = 0; k < kept; ++k) {
      const int far = k + kept < N ? k + kept : k;
      // values: to choose an address would put the sums into memory
      const A low = sums[k], high = sums[far];
      const A keep = upper ? high : low, give = upper ? low : high;
      sums[k] = keep + shuffle(give, lane ^ other);
    }
    share_sums<kept, other>(sums);
  }
}

/// The share of a lane.
template <int N, int Lanes>
KOKKOS_FORCEINLINE_FUNCTION void find_share(LaneShare& mine) {
  if constexpr (Lanes > 1) {
    constexpr int other = Lanes / 2, kept = (N + 1) / 2;
    if ((device_lane() & other) != 0)
      mine.first += kept;
    else
      mine.last = Math::min(mine.last, mine.first + kept);
    find_share<kept, other>(mine);
  }
}

/// Values that a lane of Lanes has in the end.
KOKKOS_INLINE_FUNCTION constexpr int most_of_share(int n, int lanes) {
  return lanes == 1 ? n : most_of_share((n + 1) / 2, lanes / 2);
}

/// What a lane sums up, and what it has of the results.
template <class A, int Rows, int Columns, int Lanes>
struct TileSums {
  static constexpr int count = Rows * Columns;
  static constexpr int owned = most_of_share(count, Lanes);
  A sums[count];
  A totals[owned], rests[owned];

  KOKKOS_FORCEINLINE_FUNCTION TileSums() {
    SPOROS_UNROLL
    for (int k = 0; k < count; ++k) sums[k] = A(0);
    SPOROS_UNROLL
    for (int k = 0; k < owned; ++k) totals[k] = rests[k] = A(0);
  }
  /// Numbers of the results of a lane.
  static KOKKOS_FORCEINLINE_FUNCTION LaneShare share() {
    LaneShare mine{0, count};
    find_share<count, Lanes>(mine);
    return mine;
  }
  /// Adds a block of sums to the totals.
  KOKKOS_FORCEINLINE_FUNCTION void finish_block() {
    share_sums<count, Lanes>(sums);
    SPOROS_UNROLL
    for (int k = 0; k < owned; ++k) {
      rests[k] += sums[k];
      move_sum(rests[k], totals[k]);
    }
    SPOROS_UNROLL
    for (int k = 0; k < count; ++k) sums[k] = A(0);
  }
};

/// The part of a chunk that a tile meets: rows of left from one on, and groups
/// of four columns. Places in scratch are those of the first group.
struct TileChunk {
  int rows, groups;
  int left, right;
};

/// The lanes of a warp of the team have one tile of shifts, or some tiles.
template <class T, class A, int N, class Member>
struct TileWarps {
  static constexpr DeviceTile tile = device_tiles[N];
  static constexpr int Rows = tile.rows, Columns = tile.columns;
  static constexpr int lanes = tile.lanes();
  static constexpr int chunk = chunk_columns(tile, int(sizeof(A)));
  static constexpr int pitch = chunk_pitch(tile, int(sizeof(A)));
  static constexpr int bytes = left_load_bytes(tile, int(sizeof(A)));
  using Sums                 = TileSums<A, Rows, Columns, lanes>;
  CorrelateProblem<T, A> p;
  RowLaunch launch;
  RowSlots<A> slots;
  int vectors;     ///< teams beside each other
  int across;      ///< tiles of a team beside each other
  int block_rows;  ///< rows of shifts of a team
  int block_columns;
  int lead;  ///< columns of tiles before the first shift
  int chunk_rows, left_pitch;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const RowTasks& tasks = launch.tasks;
    const int vector      = team.league_rank() % vectors;
    const int index       = team.league_rank() / vectors;
    const int number      = index % tasks.total;
    const RowTask task    = tasks(number);
    if (task.idle) return;                 // all of the team
    const int pair = index / tasks.total;  // of the launch
    const int i    = launch.units.left(launch.first_unit + pair);
    const int j    = launch.units.right(launch.first_unit + pair);
    if (p.only.skips(i, j)) return;
    const int number_of_tile =
        team.team_rank() * tile.of_warp + device_lane() / lanes;
    const int down = number_of_tile / across * Rows;
    const int over = number_of_tile % across * Columns;
    const int oy   = task.block * block_rows + down;
    const int ox   = vector * block_columns - lead + over;
    Sums sums;
    add_overlap(team, i, j, task, ox - over, down, over, sums);
    const bool split = tasks.split();
    A* const to =
        split ? slots.row(tasks, pair, number, down) : p.out.matrix(i, j);
    const std::ptrdiff_t y_stride  = split ? slots.columns : p.out.y;
    const std::ptrdiff_t x_stride  = split ? 1 : p.out.x;
    const std::ptrdiff_t first_row = split ? 0 : oy;
    const int rows       = Math::min(block_rows - down, p.shape.rows() - oy);
    const int columns    = p.shape.columns();
    const LaneShare mine = Sums::share();
    SPOROS_UNROLL
    for (int k = 0; k < Sums::owned; ++k) {
      const int shift = mine.first + k;
      const int row = shift / Columns, column = ox + shift % Columns;
      if (shift < mine.last && row < rows &&
          unsigned(column) < unsigned(columns))
        to[(first_row + row) * y_stride + column * x_stride] =
            sums.totals[k] + sums.rests[k];
    }
  }

 private:
  /// Rows of the task, chunk by chunk. \param ox first column of shifts
  KOKKOS_FORCEINLINE_FUNCTION void add_overlap(const Member& team, int i, int j,
                                               const RowTask& task, int ox,
                                               int down, int over,
                                               Sums& sums) const {
    const CorrelateExtents& e = p.shape.extents;
    const int dy0             = p.shape.shifts.dy0 + task.block * block_rows;
    const int dx0             = p.shape.shifts.dx0 + ox;
    const int wide  = Math::min(block_columns, p.shape.columns() - ox);
    const int x0    = Math::max(0, 1 - dx0 - wide) / tile_step * tile_step;
    const int x1    = Math::min(e.right_w, e.left_w - dx0);
    const int width = even_part(x1 - x0, chunk);
    const int terms = block_terms<A>(most_terms(e)) / tile_step;
    const int most  = chunk_rows * chunk / (tile_step * lanes);
    int room        = terms;
    A* const left   = static_cast<A*>(team.team_scratch(0).get_shmem_aligned(
          std::size_t(chunk_rows * left_pitch +
                      (chunk_rows + block_rows - 1) * pitch) *
              sizeof(A),
          16));
    A* const right  = left + chunk_rows * left_pitch;
    const TileSource<T, A> from_left(p.left.matrix(i, 0), p.left.y, p.left.x,
                                     e.left_h, e.left_w, x0 + dx0);
    const TileSource<T, A> from_right(p.right.matrix(i, j), p.right.y,
                                      p.right.x, e.right_h, e.right_w, x0);
    int begin = task.begin, end = begin, height = 1, x = x0;
    // one place for the end of a block, where lanes hold most registers
    bool more = next_chunk(task, dy0, x0, x1, begin, end, height, x);
    while (more) {
      const int h = Math::min(height, end - begin);
      team.team_barrier();
      from_left.template copy<3>(team, begin, h, x + dx0, width + block_columns,
                                 left, left_pitch);
      from_right.template copy<2>(team, begin - dy0 - (block_rows - 1),
                                  h + block_rows - 1, x, width, right, pitch);
      team.team_barrier();
      const TileChunk c =
          meet(begin, h, x, Math::min(width, x1 - x), dy0, dx0, down, over);
      const int steps = c.rows * c.groups;
      if (steps > 0)
        add_chunk(left + c.left, right + c.right, steps, c.groups, sums.sums);
      // as many for all tiles of a team, whose lanes exchange sums together
      room -= ceil_div(h * (width / tile_step), lanes);
      x += width;
      more = next_chunk(task, dy0, x0, x1, begin, end, height, x);
      if (more && room >= most) continue;
      sums.finish_block();
      room = terms;
    }
  }

  /// The next chunk at or after columns x of rows [begin, end) of left.
  KOKKOS_FORCEINLINE_FUNCTION bool next_chunk(const RowTask& task, int dy0,
                                              int x0, int x1, int& begin,
                                              int& end, int& height,
                                              int& x) const {
    if (x0 >= x1) return false;
    if (begin < end && x < x1) return true;
    begin = begin < end ? Math::min(end, begin + height) : begin;
    x     = x0;
    if (begin < end) return true;
    if (p.shape.folded.pitch > 0)
      begin = p.shape.folded.next_row(begin, dy0, block_rows);
    if (begin >= task.end) return false;
    end = task.end;
    if (p.shape.folded.pitch > 0)
      end = Math::min(end, p.shape.folded.end_row(begin, dy0, block_rows));
    height = even_part(end - begin, chunk_rows);
    return true;
  }

  /// Columns or rows of a part, if n of them are cut into parts of at most
  /// `most`: whole steps.
  static KOKKOS_FORCEINLINE_FUNCTION int even_part(int n, int most) {
    if (n <= 0) return most;
    const int parts = ceil_div(n, most);
    return ceil_div(ceil_div(n, parts), tile_step) * tile_step;
  }

  /// What the tile at (down, over) of the block meets of a chunk.
  KOKKOS_FORCEINLINE_FUNCTION TileChunk meet(int y, int h, int x, int w,
                                             int dy0, int dx0, int down,
                                             int over) const {
    const CorrelateExtents& e = p.shape.extents;
    const FoldedPlanes& f     = p.shape.folded;
    // of volumes: the plane of left begins at row `top`, which meets a plane
    // of right
    const int top    = f.pitch > 0 ? y / f.pitch * f.pitch : 0;
    const int height = f.pitch > 0 ? f.right_h : e.right_h;
    const int dy     = dy0 + down - (f.pitch > 0 ? f.dz * f.pitch : 0);
    const int dx     = dx0 + over;
    const int rows =
        Math::min(Rows, p.shape.rows() - (dy0 + down - p.shape.shifts.dy0));
    const int columns =
        Math::min(Columns, p.shape.columns() - (dx - p.shape.shifts.dx0));
    if (rows <= 0 || columns <= 0 || down >= block_rows) return {0, 0, 0, 0};
    const int y0 = Math::max(y, top + dy);
    const int y1 = Math::min(y + h, top + dy + rows - 1 + height);
    const int x0 = Math::max(x, 1 - dx - columns);
    const int x1 = Math::min(x + w, e.left_w - dx);
    if (y0 >= y1 || x0 >= x1) return {0, 0, 0, 0};
    const int first = (x0 - x) / tile_step;
    return {y1 - y0, ceil_div(x1 - x, tile_step) - first,
            (y0 - y) * left_pitch + first * tile_step + over,
            (y0 - y + block_rows - 1 - down) * pitch + first * tile_step};
  }

  /// The steps of a lane. `left` and `right` point to the elements that step 0
  /// meets at the first row of shifts.
  KOKKOS_FORCEINLINE_FUNCTION void add_chunk(const A* left, const A* right,
                                             int steps, int groups,
                                             A (&sums)[Sums::count]) const {
    constexpr int in_load =
        bytes / int(sizeof(A)) > 1 ? bytes / int(sizeof(A)) : 1;
    constexpr int reach = ceil_div(tile.reach(), in_load) * in_load;
    const int lane      = device_lane() % lanes;
    const int row = lane / groups, down = lanes / groups;
    const int over       = lanes - down * groups;
    int group            = lane - row * groups;
    int left_at          = row * left_pitch + group * tile_step;
    int right_at         = row * pitch + group * tile_step;
    const int left_step  = down * left_pitch + over * tile_step;
    const int right_step = down * pitch + over * tile_step;
    const int left_wrap  = left_pitch - groups * tile_step;
    const int right_wrap = pitch - groups * tile_step;
    for (int step = lane; step < steps; step += lanes) {
      A l[reach];
      load_wide<reach, bytes>(left + left_at, l);
      SPOROS_UNROLL
      for (int k = 0; k < Rows; ++k) {
        A r[tile_step];
        load_wide<tile_step, 16>(right + right_at - k * pitch, r);
        SPOROS_UNROLL
        for (int q = 0; q < tile_step; ++q) SPOROS_UNROLL
        for (int c = 0; c < Columns; ++c)
          sums[k * Columns + c] =
              add_conjugate_product(l[q + c], r[q], sums[k * Columns + c]);
      }
      group += over;
      left_at += left_step;
      right_at += right_step;
      if (group >= groups) {
        group -= groups;
        left_at += left_wrap;
        right_at += right_wrap;
      }
    }
  }
};

template <class Exec, class T, class A, int N>
void launch_device_tiles(const Exec& exec, const CorrelateProblem<T, A>& p,
                         const DeviceTiles& d, const RowLaunch& launch,
                         const RowSlots<A>& slots) {
  constexpr DeviceTile t = device_tiles[N];
  if constexpr (fits_registers(t, int(sizeof(A)))) {
    using Policy =
        Kokkos::TeamPolicy<Exec, TeamBound<most_tile_warps * warp_threads>>;
    using Kernel      = TileWarps<T, A, N, typename Policy::member_type>;
    const int vectors = d.vectors(p.shape);
    Policy policy(exec,
                  league_size(launch.count * launch.tasks.total * vectors),
                  d.warps(), warp_threads);
    policy.set_scratch_size(
        0, Kokkos::PerTeam(int(d.scratch(int(sizeof(A)))) + 16));
    Kokkos::parallel_for(
        "Sporos::cross_correlate::tile", policy,
        Kernel{p, launch, slots, vectors, d.columns, d.block_rows(),
               d.block_columns(), d.lead, d.chunk_rows, d.left_pitch});
  }
}

template <class Exec, class T, class A, int... N>
void launch_device_tiles(const Exec& exec, const CorrelateProblem<T, A>& p,
                         const DeviceTiles& d, const RowLaunch& launch,
                         const RowSlots<A>& slots,
                         std::integer_sequence<int, N...>) {
  (void)((d.number == N &&
          (launch_device_tiles<Exec, T, A, N>(exec, p, d, launch, slots),
           true)) ||
         ...);
}

/// `launches` were made for the tiles, slots hold what they ask for.
template <class Exec, class T, class A>
void correlate_device_tiles(const Exec& exec, const CorrelateProblem<T, A>& p,
                            const DeviceTiles& d, const RowLaunches& launches,
                            const RowSlots<A>& slots) {
  launches.for_each([&](const RowLaunch& launch) {
    launch_device_tiles(exec, p, d, launch, slots,
                        std::make_integer_sequence<int, device_tile_count>{});
    if (launch.tasks.split()) add_slots(exec, p, launch, slots);
  });
}

}  // namespace Impl
}  // namespace Sporos

#endif
