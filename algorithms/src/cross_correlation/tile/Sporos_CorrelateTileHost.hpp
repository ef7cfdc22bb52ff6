// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATETILEHOST_HPP
#define SPOROS_CORRELATETILEHOST_HPP

/// \file Sporos_CorrelateTileHost.hpp
/// The algorithms `tile` and `lane_group_per_shift` of cross_correlate on
/// hosts. A thread copies a pair of matrices to scratch, with zeros around
/// them, and sums tiles of shifts in registers
/// (Sporos_CorrelateTileKernels.hpp). Matrices that are larger than caches are
/// copied and summed a band of rows at a time. Costs a register of
/// multiply-adds for each row, column and vector of shifts that overlap.
/// Fastest on hosts for sizes below those of FFTs.

#include <Sporos_ForEachIndex.hpp>
#include <Sporos_Workspace.hpp>
#include <cross_correlation/problem/Sporos_CorrelateSums.hpp>
#include <cross_correlation/tile/Sporos_CorrelateTilePlan.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>

namespace Sporos {
namespace Impl {

/// Scratch of one thread, for a pair or a band of its rows. Complex matrices
/// are planes of real ones: left has (re, im), right (re, im, -im), sums (re,
/// im). Sums of long overlaps have totals behind them, sums of bands what
/// rounding left out of them.
template <class A>
struct TileScratch {
  using R                     = real_of<A>;
  static constexpr int planes = is_complex_v<A> ? 2 : 1;
  static constexpr int width  = native_pack_width<R>;
  std::ptrdiff_t left_pitch, right_pitch, sums_pitch;
  std::ptrdiff_t left_plane, right_plane, sums_plane;
  std::ptrdiff_t
      left_margin;  ///< zeros beside a row of left: as far as a tile reaches
  int band_rows;    ///< of left
  int bands;        ///< of a pair
  int terms;        ///< of a block of a sum
  bool totals;      ///< are there many blocks?
  std::ptrdiff_t rests;        ///< one for each result if there are bands
  std::ptrdiff_t right_rows;   ///< that a band meets, with rows of zeros
  std::ptrdiff_t right_begin;  ///< first of them, for the first band

  TileScratch(const CorrelateShape& s, const TilePlan& plan) {
    const CorrelateExtents& e = s.extents;
    left_margin               = 4 * width;
    left_pitch                = pitch(2 * left_margin + e.left_w);
    right_pitch               = pitch(e.right_w);
    sums_pitch                = pitch(s.columns() + plan.width);
    sums_plane                = sums_pitch * plan.rows;
    const auto shifts         = std::ptrdiff_t(plan.blocks(s)) * plan.rows;
    band_rows                 = rows_of_band(e, shifts, plan.rows, plan.cache);
    bands                     = ceil_div(e.left_h, band_rows);
    const bool some           = bands > 1;
    right_rows                = some ? band_rows + shifts - 1
                                     : std::ptrdiff_t(e.right_h) + 2 * plan.rows;
    right_begin               = some ? 1 - shifts - s.shifts.dy0 : -plan.rows;
    terms                     = block_terms<A>(most_terms(e));
    totals      = !std::is_integral<A>::value && most_terms(e) > few_terms;
    rests       = some ? std::ptrdiff_t(planes) * s.rows() * s.columns() : 0;
    left_plane  = left_pitch * band_rows;
    right_plane = right_pitch * right_rows;
  }
  /// Sums and totals
  std::ptrdiff_t sums_size() const {
    return planes * sums_plane * (totals ? 2 : 1);
  }
  std::size_t size() const {
    const std::ptrdiff_t n = planes * left_plane + sums_size() + rests +
                             (planes == 2 ? 3 : 1) * right_plane;
    return std::size_t(ceil_div(n, std::ptrdiff_t(64)) * 64 + 64);
  }

 private:
  /// All rows of a pair that fits into the cache, and of one whose bands would
  /// meet all rows of right.
  int rows_of_band(const CorrelateExtents& e, std::ptrdiff_t shifts, int tile,
                   std::ptrdiff_t cache) const {
    const std::ptrdiff_t left = planes * left_pitch * std::ptrdiff_t(sizeof(R));
    const std::ptrdiff_t right =
        planes * right_pitch * std::ptrdiff_t(sizeof(R));
    if (left * e.left_h + right * e.right_h <= cache) return e.left_h;
    const std::ptrdiff_t rows = std::max<std::ptrdiff_t>(
        cache / band_part / left,
        std::clamp(shifts, least_band_rows, most_least_band_rows));
    return rows >= e.left_h ||
                   rows + shifts > std::ptrdiff_t(e.right_h) + 2 * tile
               ? e.left_h
               : int(rows);
  }

  /// Whole registers; rows of one tile must not all fall into one cache set.
  static std::ptrdiff_t pitch(std::ptrdiff_t n) {
    n = ceil_div(n, std::ptrdiff_t(width)) * width;
    return n * std::ptrdiff_t(sizeof(R)) % bad_pitch == 0 ? n + width : n;
  }
};

/// A worker takes tasks until there are none; which ones does not matter for
/// what is computed. A task is some blocks of rows of shifts of a pair, or all
/// blocks of some of its bands, whose results go to slots.
template <class T, class A>
struct CorrelateTiles {
  using R = real_of<A>;
  CorrelateProblem<T, A> p;
  const TilePlan* plan;
  TileScratch<A> layout;
  R* scratch;
  A* slots;  ///< results of each pair and band; null: bands are added to out
  std::atomic<std::int64_t>* next;
  std::int64_t tasks;
  int blocks, pair_tasks;  ///< pair_tasks: tasks of a pair

  void operator()(int worker) const {
    Buffers to;
    to.left  = scratch + std::size_t(worker) * layout.size();
    to.right = to.left + layout.planes * layout.left_plane;
    to.sums  = to.right + right_planes * layout.right_plane;
    to.rests = reinterpret_cast<A*>(to.sums + layout.sums_size());
    for (std::int64_t task; (task = next->fetch_add(1)) < tasks;) {
      const std::int64_t pair = task / pair_tasks;
      const int m             = p.shape.extents.m;
      if (p.only.skips(int(pair / m), int(pair % m))) continue;
      if (to.here_left < 0) std::fill(to.left, to.sums, R(0));
      const int pair_task = int(task % pair_tasks);
      const auto cut      = [&](int n, int k) {
        return int(std::int64_t(n) * k / pair_tasks);
      };
      const bool some_bands = slots != nullptr;
      const int n           = some_bands ? layout.bands : blocks;
      const int first = cut(n, pair_task), last = cut(n, pair_task + 1);
      const int first_band = some_bands ? first : 0;
      const int last_band  = some_bands ? last : layout.bands;
      for (int k = first_band; k < last_band; ++k)
        blocks_of(to, pair, k, some_bands ? 0 : first,
                  some_bands ? blocks : last);
    }
  }

 private:
  static constexpr int right_planes = TileScratch<A>::planes == 2 ? 3 : 1;

  /// The scratch of a worker, and what is in it.
  struct Buffers {
    R *left, *right, *sums;
    A* rests;
    std::int64_t here_left = -1, here_right = -1;  ///< matrix or pair, and band
  };

  void blocks_of(Buffers& to, std::int64_t pair, int band, int first,
                 int last) const {
    const CorrelateExtents& e = p.shape.extents;
    const int i = int(pair / e.m), j = int(pair % e.m);
    const std::int64_t bands = layout.bands;
    const int begin          = band * layout.band_rows;
    const int rows           = std::min(layout.band_rows, e.left_h - begin);
    if (to.here_left != i * bands + band)
      copy(p.left.matrix(i, 0) + begin * p.left.y, p.left.y, p.left.x, rows,
           e.left_w, to.left + layout.left_margin, layout.left_pitch,
           layout.left_plane, false);
    if (to.here_right != pair * bands + band) copy_right(to, i, j, begin);
    to.here_left  = i * bands + band;
    to.here_right = pair * bands + band;
    for (int b = first; b < last; ++b) block(to, pair, band, b);
  }

  /// The rows of right that the rows of left from `begin` on meet, with zeros
  /// for those that there are not.
  void copy_right(const Buffers& to, int i, int j, int begin) const {
    const CorrelateExtents& e = p.shape.extents;
    const std::ptrdiff_t row  = begin + layout.right_begin;
    const auto low  = std::clamp<std::ptrdiff_t>(-row, 0, layout.right_rows);
    const auto high = std::clamp(e.right_h - row, low, layout.right_rows);
    for (int k = 0; k < right_planes && layout.bands > 1; ++k) {
      R* const plane = to.right + k * layout.right_plane;
      std::fill(plane, plane + low * layout.right_pitch, R(0));
      std::fill(plane + high * layout.right_pitch, plane + layout.right_plane,
                R(0));
    }
    if (low < high)
      copy(p.right.matrix(i, j) + (row + low) * p.right.y, p.right.y, p.right.x,
           int(high - low), e.right_w, to.right + low * layout.right_pitch,
           layout.right_pitch, layout.right_plane, true);
  }

  static void copy(const T* from, std::ptrdiff_t y_stride,
                   std::ptrdiff_t x_stride, int h, int w, R* to,
                   std::ptrdiff_t pitch, std::ptrdiff_t plane, bool minus) {
    for (int y = 0; y < h; ++y, from += y_stride, to += pitch) {
      if constexpr (is_complex_v<A>) {
        for (int x = 0; x < w; ++x) {
          const T& z    = from[x * x_stride];
          to[x]         = R(z.real());
          to[plane + x] = R(z.imag());
          if (minus) to[2 * plane + x] = -R(z.imag());
        }
      } else if (x_stride == 1) {
        if constexpr (std::is_same<T, A>::value)
          std::memcpy(to, from, std::size_t(w) * sizeof(A));
        else
          for (int x = 0; x < w; ++x) to[x] = A(from[x]);
      } else {
        for (int x = 0; x < w; ++x) to[x] = A(from[x * x_stride]);
      }
    }
  }

  /// Sums and writes the shifts of block b over the rows of a band.
  void block(const Buffers& from, std::int64_t pair, int band, int b) const {
    const CorrelateShape& s = p.shape;
    const bool slide        = plan->kind == TileKind::slide;
    const int row           = b * plan->rows,
              written       = std::min(plan->rows, s.rows() - row);
    const int rows          = slide ? tile_rows(written) : plan->rows;
    const int l_begin       = band * layout.band_rows;
    const int l_end =
        l_begin + std::min(layout.band_rows, s.extents.left_h - l_begin);
    std::fill(from.sums, from.sums + layout.sums_size(), R(0));
    for_each_plane(s, [&](const CorrelateExtents& e, int dy0, int first_row) {
      for (const TilePhase& phase :
           tile_phases(e, dy0 + row, rows, plan->halves)) {
        const int begin = std::max(first_row + phase.left_begin, l_begin);
        TileArgs<R> t;
        t.left_pitch  = layout.left_pitch;
        t.right_pitch = layout.right_pitch;
        t.sums_pitch  = layout.sums_pitch;
        t.rows        = std::min(first_row + phase.left_end, l_end) - begin;
        if (t.rows <= 0) continue;
        const R* const l = from.left + layout.left_margin + s.shifts.dx0 +
                           (begin - l_begin) * layout.left_pitch;
        const R* const r =
            from.right + (begin - l_begin - layout.right_begin -
                          (s.shifts.dy0 + row) - phase.first_row) *
                             layout.right_pitch;
        for (const TileSegment& segment : plan->segments) {
          t.x_begin              = segment.x_begin;
          t.x_end                = segment.x_end;
          const std::ptrdiff_t x = segment.first * (slide ? plan->lanes : 1);
          run(t, l + x, r, from.sums + phase.first_row * layout.sums_pitch + x,
              slide ? phase.rows : plan->rows, segment.count);
        }
      }
    });
    write(from, pair, band, row, written);
  }

  /// One tile, block by block of its sums.
  void run(TileArgs<R>& t, const R* left, const R* right, R* sums, int rows,
           int width) const {
    const bool slide = plan->kind == TileKind::slide;
    const TileKernel<R> kernel =
        slide ? tile_kernel<R>(rows, width) : dot_kernel<R>(rows, width);
    const int h = t.rows, first = t.x_begin, end = t.x_end;
    const int lanes = slide ? 1 : plan->lanes;
    if (!layout.totals &&
        std::int64_t(h) * (end - first) <= std::int64_t(layout.terms) * lanes)
      return run(t, left, right, sums, kernel);
    const BlockSteps steps =
        block_steps(h, (end - first) / lanes, layout.terms);
    const int blocks_width = steps.inner * lanes;
    int done               = 0;
    const auto move        = [&] {
      for (int k = 0; k < layout.planes; ++k) {
        R* const to = sums + k * layout.sums_plane;
        move_blocks(to, to + layout.planes * layout.sums_plane, t.sums_pitch,
                           rows, width * (slide ? plan->lanes : 1));
      }
    };
    for (int y = 0; y < h; y += steps.outer)
      for (int x = first; x < end; x += blocks_width) {
        t.rows    = std::min(steps.outer, h - y);
        t.x_begin = x;
        t.x_end   = std::min(blocks_width, end - x) + x;
        run(t, left + y * t.left_pitch, right + y * t.right_pitch, sums,
            kernel);
        if (layout.totals && ++done % blocks_of_total == 0) move();
      }
    if (layout.totals && done % blocks_of_total != 0) move();
    t.rows = h;
  }

  /// Complex tiles are four real ones.
  void run(TileArgs<R>& t, const R* left, const R* right, R* sums,
           TileKernel<R> kernel) const {
    t.left  = left;
    t.right = right;
    t.sums  = sums;
    kernel(t);
    if constexpr (is_complex_v<A>) {
      t.left  = left + layout.left_plane;
      t.right = right + layout.right_plane;
      kernel(t);
      t.sums  = sums + layout.sums_plane;
      t.right = right;
      kernel(t);
      t.left  = left;
      t.right = right + 2 * layout.right_plane;
      kernel(t);
    }
  }

  void write(const Buffers& from, std::int64_t pair, int band, int row,
             int rows) const {
    const int w   = p.shape.columns();
    const R* sums = from.sums;
    if (layout.totals) {
      R* const to              = from.sums;
      const std::ptrdiff_t end = layout.planes * layout.sums_plane;
      SPOROS_IVDEP
      for (std::ptrdiff_t k = 0; k < end; ++k) to[k] += to[end + k];
    }
    const auto sum = [&](int x) {
      if constexpr (is_complex_v<A>)
        return A(sums[x], sums[layout.sums_plane + x]);
      else
        return sums[x];
    };
    for (int y = row; y < row + rows; ++y, sums += layout.sums_pitch) {
      if (slots != nullptr) {
        A* const to =
            slots + ((pair * layout.bands + band) * p.shape.rows() + y) * w;
        for (int x = 0; x < w; ++x) to[x] = sum(x);
        continue;
      }
      const int m = p.shape.extents.m;
      A* const to = &p.out(int(pair / m), int(pair % m), y, 0);
      if (layout.bands == 1) {
        for (int x = 0; x < w; ++x) to[x * p.out.x] = sum(x);
        continue;
      }
      A* const rests = from.rests + std::ptrdiff_t(y) * w;
      for (int x = 0; x < w; ++x) {
        A& all = to[x * p.out.x];
        if (band == 0) {
          all      = sum(x);
          rests[x] = A(0);
        } else {
          rests[x] += sum(x);
          move_sum(rests[x], all);
          if (band == layout.bands - 1) all += rests[x];
        }
      }
    }
  }
};

/// Adds up the results of the bands of a pair, in their order.
template <class T, class A>
struct AddBands {
  CorrelateProblem<T, A> p;
  const A* slots;
  int bands;

  void operator()(std::int64_t pair) const {
    const int m = p.shape.extents.m, w = p.shape.columns();
    if (p.only.skips(int(pair / m), int(pair % m))) return;
    const std::int64_t results = std::int64_t(p.shape.rows()) * w;
    for (int y = 0; y < p.shape.rows(); ++y)
      for (int x = 0; x < w; ++x) {
        const A* const slot = slots + pair * bands * results + y * w + x;
        A sum               = slot[0], rest(0);
        for (int k = 1; k < bands; ++k) {
          rest += slot[k * results];
          move_sum(rest, sum);
        }
        p.out(int(pair / m), int(pair % m), y, x) = sum + rest;
      }
  }
};

/// Workspaces of the host tiles.
template <class Exec, class A>
struct TileWorkspace {
  using Memory = typename Exec::memory_space;
  std::atomic<std::int64_t> next{0};
  WorkspaceView<real_of<A>, Memory> scratch{"Sporos::cross_correlate::tiles"};
  WorkspaceView<A, Memory> slots{"Sporos::cross_correlate::bands"};

  std::size_t bytes() const { return scratch.bytes() + slots.bytes(); }
};

template <class Exec, class T, class A>
void correlate_tiles(const Exec& exec, const CorrelateProblem<T, A>& p,
                     const TilePlan& plan, TileWorkspace<Exec, A>& space) {
  const TileScratch<A> layout(p.shape, plan);
  const int threads        = std::max(1, int(exec.concurrency()));
  const int blocks         = plan.blocks(p.shape);
  const std::int64_t pairs = p.shape.pairs();
  // enough tasks to balance threads, few enough to copy matrices rarely
  const std::int64_t wanted =
      threads == 1 ? 1 : tasks_of_thread * std::int64_t(threads);
  const std::int64_t each = ceil_div(wanted, pairs);
  const double results =
      double(pairs) * layout.bands * double(p.shape.rows()) * p.shape.columns();
  const bool in_slots =
      layout.bands > 1 && each > 1 && results * sizeof(A) <= double(plan.slots);
  const int pair_tasks =
      int(std::min<std::int64_t>(in_slots ? layout.bands : blocks, each));
  const std::int64_t tasks = pairs * pair_tasks;
  const int workers        = int(std::min<std::int64_t>(threads, tasks));
  real_of<A>* const scratch =
      space.scratch.require_data(exec, std::size_t(workers) * layout.size());
  A* const slots =
      in_slots ? space.slots.require_data(exec, std::size_t(results)) : nullptr;
  if (p.only.are_none(p.shape.extents)) return;
  space.next = 0;
  for_each_index("Sporos::cross_correlate::tile",
                 Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(
                     exec, 0, workers, Kokkos::ChunkSize(1)),
                 CorrelateTiles<T, A>{p, &plan, layout, scratch, slots,
                                      &space.next, tasks, blocks, pair_tasks});
  if (slots != nullptr)
    for_each_index("Sporos::cross_correlate::add_bands",
                   Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(
                       exec, 0, pairs),
                   AddBands<T, A>{p, slots, layout.bands});
}

}  // namespace Impl
}  // namespace Sporos

#endif
