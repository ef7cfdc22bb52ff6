// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATEHOST_HPP
#define SPOROS_CORRELATEHOST_HPP

/// \file Sporos_CorrelateHost.hpp
/// The algorithms `tile` and `lane_group_per_shift` of cross_correlate on
/// hosts. A thread copies a pair of matrices to scratch, with zeros around
/// them, and sums tiles of shifts in registers
/// (Sporos_CorrelateTileKernels.hpp). Costs a register of multiply-adds for
/// each row, column and vector of shifts that overlap. Fastest on hosts for
/// sizes below those of FFTs.

#include <Sporos_Workspace.hpp>
#include <cross_correlation/tile/Sporos_CorrelateTilePlan.hpp>

#include <algorithm>
#include <atomic>
#include <cstring>

namespace Sporos {
namespace Impl {

/// Scratch of one thread. Complex matrices are planes of real ones: left has
/// (re, im), right (re, im, -im), sums (re, im).
template <class A>
struct TileScratch {
  using R                     = real_of<A>;
  static constexpr int planes = is_complex_v<A> ? 2 : 1;
  static constexpr int width  = native_pack_width<R>;
  std::ptrdiff_t left_pitch, right_pitch, sums_pitch;
  std::ptrdiff_t left_plane, right_plane, sums_plane;
  std::ptrdiff_t
      left_margin;  ///< zeros beside a row of left: as far as a tile reaches
  std::ptrdiff_t right_margin;  ///< rows of zeros above right

  TileScratch(const CorrelateShape& s, const TilePlan& plan) {
    const CorrelateExtents& e = s.extents;
    left_margin               = 4 * width;
    right_margin              = plan.rows;
    left_pitch                = pitch(2 * left_margin + e.left_w);
    right_pitch               = pitch(e.right_w);
    sums_pitch                = pitch(s.columns() + plan.width);
    left_plane                = left_pitch * e.left_h;
    right_plane               = right_pitch * (e.right_h + 2 * right_margin);
    sums_plane                = sums_pitch * plan.rows;
  }
  std::size_t size() const {
    const std::ptrdiff_t n = planes * (left_plane + sums_plane) +
                             (planes == 2 ? 3 : 1) * right_plane;
    return std::size_t(ceil_div(n, std::ptrdiff_t(64)) * 64 + 64);
  }

 private:
  /// Whole registers; rows of one tile must not all fall into one cache set.
  static std::ptrdiff_t pitch(std::ptrdiff_t n) {
    n = ceil_div(n, std::ptrdiff_t(width)) * width;
    return n * std::ptrdiff_t(sizeof(R)) % 2048 == 0 ? n + width : n;
  }
};

/// A worker takes tasks until there are none; which ones does not matter for
/// what is computed. A task is some blocks of rows of a pair.
template <class T, class A>
struct CorrelateTiles {
  using R = real_of<A>;
  CorrelateProblem<T, A> p;
  const TilePlan* plan;
  TileScratch<A> layout;
  R* scratch;
  std::atomic<std::int64_t>* next;
  std::int64_t tasks;
  int blocks, chunks;

  void operator()(int worker) const {
    R* const left  = scratch + std::size_t(worker) * layout.size();
    R* const right = left + layout.planes * layout.left_plane;
    R* const sums  = right + (layout.planes == 2 ? 3 : 1) * layout.right_plane;
    std::int64_t here_left = -1, here_right = -1;
    for (std::int64_t task; (task = next->fetch_add(1)) < tasks;) {
      if (here_left < 0) std::fill(left, sums, R(0));
      const std::int64_t pair   = task / chunks;
      const int chunk           = int(task % chunks);
      const int i               = int(pair / p.shape.extents.m);
      const int j               = int(pair % p.shape.extents.m);
      const CorrelateExtents& e = p.shape.extents;
      if (here_left != i)
        copy(p.left.matrix(i, 0), p.left.y, p.left.x, e.left_h, e.left_w,
             left + layout.left_margin, layout.left_pitch, layout.left_plane,
             false);
      if (here_right != pair)
        copy(p.right.matrix(i, j), p.right.y, p.right.x, e.right_h, e.right_w,
             right + layout.right_margin * layout.right_pitch,
             layout.right_pitch, layout.right_plane, true);
      here_left       = i;
      here_right      = pair;
      const int first = int(std::int64_t(blocks) * chunk / chunks);
      const int last  = int(std::int64_t(blocks) * (chunk + 1) / chunks);
      for (int b = first; b < last; ++b) block(left, right, sums, i, j, b);
    }
  }

 private:
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

  /// Sums and writes the shifts of block b.
  void block(const R* left, const R* right, R* sums, int i, int j,
             int b) const {
    const CorrelateShape& s = p.shape;
    const bool slide        = plan->kind == TileKind::slide;
    const int row           = b * plan->rows,
              written       = std::min(plan->rows, s.rows() - row);
    const int rows          = slide ? tile_rows(written) : plan->rows;
    std::fill(sums, sums + layout.planes * layout.sums_plane, R(0));
    for_each_phase(
        s.extents, s.shifts.dy0 + row, rows, slide,
        [&](const TilePhase& phase) {
          TileArgs<R> t;
          t.left_pitch     = layout.left_pitch;
          t.right_pitch    = layout.right_pitch;
          t.sums_pitch     = layout.sums_pitch;
          t.rows           = phase.left_end - phase.left_begin;
          const R* const l = left + layout.left_margin + s.shifts.dx0 +
                             phase.left_begin * layout.left_pitch;
          const R* const r = right + (layout.right_margin + phase.left_begin -
                                      (s.shifts.dy0 + row) - phase.first_row) *
                                         layout.right_pitch;
          for (const TileSegment& segment : plan->segments) {
            t.x_begin              = segment.x_begin;
            t.x_end                = segment.x_end;
            const std::ptrdiff_t x = segment.first * (slide ? plan->lanes : 1);
            run(t, l + x, r, sums + phase.first_row * layout.sums_pitch + x,
                slide ? tile_kernel<R>(phase.rows, segment.count)
                      : dot_kernel<R>(plan->rows, segment.count));
          }
        });
    write(sums, i, j, row, written);
  }

  /// One tile; complex ones are four real ones.
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

  void write(const R* sums, int i, int j, int row, int rows) const {
    const int w = p.shape.columns();
    for (int y = 0; y < rows; ++y, sums += layout.sums_pitch) {
      A* const to = &p.out(i, j, row + y, 0);
      if constexpr (is_complex_v<A>) {
        for (int x = 0; x < w; ++x)
          to[x * p.out.x] = A(sums[x], sums[layout.sums_plane + x]);
      } else if (p.out.x == 1) {
        std::memcpy(to, sums, std::size_t(w) * sizeof(A));
      } else {
        for (int x = 0; x < w; ++x) to[x * p.out.x] = sums[x];
      }
    }
  }
};

/// Workspaces of the host tiles.
template <class Exec, class A>
struct TileWorkspace {
  std::atomic<std::int64_t> next{0};
  WorkspaceView<real_of<A>, typename Exec::memory_space> scratch{
      "Sporos::cross_correlate::tiles"};

  std::size_t bytes() const { return scratch.bytes(); }
};

template <class Exec, class T, class A>
void correlate_tiles(const Exec& exec, const CorrelateProblem<T, A>& p,
                     const TilePlan& plan, TileWorkspace<Exec, A>& space) {
  const TileScratch<A> layout(p.shape, plan);
  const int threads        = std::max(1, int(exec.concurrency()));
  const int blocks         = plan.blocks(p.shape);
  const std::int64_t pairs = p.shape.pairs();
  // enough tasks to balance threads, few enough to copy matrices rarely
  const std::int64_t wanted = threads == 1 ? 1 : 8 * std::int64_t(threads);
  const int chunks =
      int(std::min<std::int64_t>(blocks, ceil_div(wanted, pairs)));
  const std::int64_t tasks = pairs * chunks;
  const int workers        = int(std::min<std::int64_t>(threads, tasks));
  const auto scratch =
      space.scratch.require(exec, std::size_t(workers) * layout.size());
  space.next = 0;
  Kokkos::parallel_for(
      "Sporos::cross_correlate::tile",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(exec, 0, workers,
                                                        Kokkos::ChunkSize(1)),
      CorrelateTiles<T, A>{p, &plan, layout, scratch.data(), &space.next, tasks,
                           blocks, chunks});
}

}  // namespace Impl
}  // namespace Sporos

#endif
