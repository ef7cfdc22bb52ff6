// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATEFFTW_HPP
#define SPOROS_CORRELATEFFTW_HPP

/// \file Sporos_CorrelateFftw.hpp
/// The algorithm `fft` of cross_correlate on hosts, through FFTW. Transforms
/// padded matrices, multiplies them and transforms back; skips rows that are 0
/// or not needed, and transforms matrices of several pairs once. Costs O(N log
/// N) per matrix and pair for N elements of a padded matrix. Fastest for many
/// shifts of matrices from about 24 x 24 on. Threads take pairs; if there are
/// few large ones, they share each.

#ifdef SPOROS_HAVE_FFTW

#include <Sporos_ForEachIndex.hpp>
#include <Sporos_Workspace.hpp>
#include <cross_correlation/fft/Sporos_FftwTransforms.hpp>

#include <algorithm>
#include <atomic>

namespace Sporos {
namespace Impl {

/// The steps of a problem. Each may be done for a part of the rows, or columns.
template <class T, class A>
struct FftwSteps {
  using R = fft_real<A>;
  CorrelateProblem<T, A> p;
  const FftwTransforms<A>* f;
  MatrixRange *left_ranges, *right_ranges;
  bool shared_right;  ///< all left matrices have the same right ones

  MatrixRange& left_range(int i) const { return left_ranges[i]; }
  MatrixRange& right_range(int i, int j) const {
    return right_ranges[(shared_right ? 0
                                      : std::int64_t(i) * p.shape.extents.m) +
                        j];
  }

  FftwMatrix<T> left(int i) const {
    const FftAxis &z = f->shape.z, &y = f->shape.y, &x = f->shape.x;
    return {p.left.matrix(i, 0) + z.left_begin * p.left.z +
                y.left_begin * p.left.y + x.left_begin * p.left.x,
            p.left.y,
            p.left.x,
            x.left_count > 0 && z.left_count > 0 ? y.left_count : 0,
            x.left_count,
            y.left_count > 0 ? y.left_offset : 0,
            x.left_offset,
            0,
            z.left_count,
            z.left_offset,
            p.left.z};
  }
  FftwMatrix<T> right(int i, int j) const {
    const CorrelateExtents& e = p.shape.extents;
    const FftShape& s         = f->shape;
    return {p.right.matrix(i, j),
            p.right.y,
            p.right.x,
            e.right_h,
            e.right_w,
            s.y.right_offset,
            s.x.right_offset,
            0,
            e.right_d,
            s.z.right_offset,
            p.right.z};
  }
  /// a = l times the conjugate of r, in columns begin ... end
  [[gnu::noinline]] void multiply(const R* l, const R* r, R* a, int begin,
                                  int end) const {
    const FftShape& s = f->shape;
    const int rows    = s.rows();
    const R scale     = R(1) / (R(rows) * R(s.x.size));
    for (int y = 0; y < rows; ++y) {
      const std::ptrdiff_t row = std::ptrdiff_t(y) * f->pitch;
      SPOROS_IVDEP
      for (int x = begin; x < end; ++x) {
        const std::ptrdiff_t k = row + 2 * x;
        const R re             = l[k] * r[k] + l[k + 1] * r[k + 1];
        const R im             = l[k + 1] * r[k] - l[k] * r[k + 1];
        a[k]                   = re * scale;
        a[k + 1]               = im * scale;
      }
    }
  }
  /// a = l times the conjugate of r, divided by its magnitude, in columns begin
  /// ... end
  [[gnu::noinline]] void multiply_phases(const R* l, const R* r, R* a,
                                         int begin, int end) const {
    const FftShape& s = f->shape;
    const int rows    = s.rows();
    const R scale     = R(1) / (R(rows) * R(s.x.size));
    const R noise     = whitening_noise<R>(rows, s.x.size);
    for (int y = 0; y < rows; ++y) {
      const std::ptrdiff_t row = std::ptrdiff_t(y) * f->pitch;
      SPOROS_IVDEP
      for (int x = begin; x < end; ++x) {
        const std::ptrdiff_t k = row + 2 * x;
        const R lr = l[k], li = l[k + 1], rr = r[k], ri = r[k + 1];
        const R by =
            whitening(lr * lr + li * li, rr * rr + ri * ri, noise, scale);
        a[k]     = (lr * rr + li * ri) * by;
        a[k + 1] = (li * rr - lr * ri) * by;
      }
    }
  }
  void product(const R* l, const R* r, R* a, int begin, int end) const {
    if (f->shape.whiten)
      multiply_phases(l, r, a, begin, end);
    else
      multiply(l, r, a, begin, end);
  }
  /// Measures a matrix, and has it scaled.
  void measure(FftwMatrix<T>& m, MatrixRange& range) const {
    const int rows = m.rows();
    RangeSpan<R> all;
    for (int y = 0; y < rows; ++y) {
      const auto span = span_of<R>(m.row(y), m.x, m.w);
      all.join(span.largest, span.smallest);
    }
    std::int64_t small = 0;
    for (int y = 0; all.has_small() && y < rows; ++y)
      small +=
          count_small_of<R>(m.row(y), m.x, m.w, limit_of_range(all.largest));
    range      = range_of(all.largest, small, m.d, m.h, m.w);
    m.exponent = range.exponent;
  }
  /// Rows begin ... end of out, of all planes, from a
  void results(int i, int j, R* rows, R* a, int begin, int end) const {
    const int of_plane = f->out_h;
    for (int k = begin / of_plane; k * of_plane < end; ++k)
      results_of_plane(i, j, k, rows, a, std::max(begin - k * of_plane, 0),
                       std::min(end - k * of_plane, of_plane));
  }
  /// 0 for shifts without overlap
  [[gnu::noinline]] void results_of_plane(int i, int j, int plane, R* rows,
                                          R* a, int begin, int end) const {
    int step;
    const R* row            = f->rows_back_of(plane, a, rows, begin, end, step);
    const auto out          = p.out.plane(plane);
    const bool some_plane   = p.shape.overlaps_in_z(p.shape.shifts.dz0 + plane);
    const CorrelateShape& s = p.shape;
    const ScaleBack<R> back(
        s.whiten ? 0 : left_range(i).exponent + right_range(i, j).exponent);
    const auto meets = [&](int x) { return s.overlaps_in_x(s.shifts.dx0 + x); };
    int first = 0, last = s.columns();
    while (first < last && !meets(first)) ++first;
    while (first < last && !meets(last - 1)) --last;
    for (int y = begin; y < end; ++y, row += step) {
      A* const to     = &out(i, j, y, 0);
      const bool some = some_plane && s.overlaps_in_y(s.shifts.dy0 + y);
      const int x0 = some ? first : s.columns(), x1 = some ? last : x0;
      for (int x = 0; x < x0; ++x) to[x * p.out.x] = A(0);
      for (int x = x0; x < x1; ++x)
        if constexpr (FftwTransforms<A>::real)
          to[x * p.out.x] = from_fft<A>(back(row[x]));
        else
          to[x * p.out.x] =
              A(real_of<A>(back(row[2 * x])), real_of<A>(back(row[2 * x + 1])));
      for (int x = x1; x < s.columns(); ++x) to[x * p.out.x] = A(0);
    }
  }
};

/// Threads share a matrix, or a pair.
template <class T, class A>
struct FftwSharedStep : FftwSteps<T, A> {
  using R    = fft_real<A>;
  using Plan = typename Fftw<R>::plan;
  using FftwSteps<T, A>::f;
  enum Step { span, small, rows_of_matrix, columns, product, results };
  Step step;
  FftwMatrix<T> matrix;
  const Plan* row_plan;
  int i, j;         ///< left and right matrix
  R *rows, *z;      ///< numbers, and the spectrum to make, or of the results
  const R *l, *r;   ///< spectra to multiply
  R limit;          ///< of elements that count as small
  int count, size;  ///< rows or columns, and those of a task

  void operator()(int task) const {
    const int begin = task * size, end = std::min(begin + size, count);
    switch (step) {
      case span:
      case small: return measure_rows(task, begin, end);
      case rows_of_matrix:
        return f->rows_of(matrix, *row_plan, rows, z, begin, end);
      case columns: return f->columns_of(z, begin, end);
      case product:
        FftwSteps<T, A>::product(l, r, z, begin, end);
        return f->columns_back_of(z, begin, end);
      case results: return FftwSteps<T, A>::results(i, j, rows, z, begin, end);
    }
  }

  template <class Exec>
  [[gnu::noinline]] void launch(const Exec& exec, Step s, int n, int of_task) {
    step  = s;
    count = n;
    size  = of_task;
    for_each_index("Sporos::cross_correlate::fft_shared",
                   Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(
                       exec, 0, ceil_div(count, size), Kokkos::ChunkSize(1)),
                   *this);
  }
  /// The spectrum of a matrix, in `to`, which is returned.
  template <class Exec>
  const R* spectrum(const Exec& exec, const FftwMatrix<T>& m, const Plan& plan,
                    MatrixRange& range, R* to) {
    matrix = m;
    launch(exec, span, m.rows(), rows_of_task);
    RangeSpan<R> all;
    for (int task = 0; task < ceil_div(m.rows(), rows_of_task); ++task)
      all.join(rows[2 * task], rows[2 * task + 1]);
    std::int64_t count_of_small = 0;
    if (all.has_small()) {
      limit = limit_of_range(all.largest);
      launch(exec, small, m.rows(), rows_of_task);
      for (int task = 0; task < ceil_div(m.rows(), rows_of_task); ++task)
        count_of_small += std::int64_t(rows[2 * task]);
    }
    range           = range_of(all.largest, count_of_small, m.d, m.h, m.w);
    matrix.exponent = range.exponent;
    row_plan        = &plan;
    z               = to;
    launch(exec, rows_of_matrix, f->shape.rows(), rows_of_task);
    launch(exec, columns, f->shape.columns, f->columns_step);
    return to;
  }
  static constexpr int rows_of_task = 8;

 private:
  /// Into the two numbers of the task, among those for rows.
  void measure_rows(int task, int begin, int end) const {
    RangeSpan<R> all;
    std::int64_t count_of_small = 0;
    for (int y = begin; y < end; ++y) {
      const T* const row = matrix.row(y);
      if (step == small) {
        count_of_small += count_small_of<R>(row, matrix.x, matrix.w, limit);
        continue;
      }
      const auto of_row = span_of<R>(row, matrix.x, matrix.w);
      all.join(of_row.largest, of_row.smallest);
    }
    rows[2 * task]     = step == small ? R(count_of_small) : all.largest;
    rows[2 * task + 1] = all.smallest;
  }
};

/// What a launch of workers does.
enum class FftwStage { left, right, pairs };

/// Each worker takes matrices, or pairs, of a block as a whole.
template <class T, class A>
struct FftwWorker : FftwSteps<T, A> {
  using R = fft_real<A>;
  using FftwSteps<T, A>::p;
  using FftwSteps<T, A>::f;
  R* scratch;        ///< f->size() for each worker
  R* left_spectra;   ///< of the left matrices of a block, or null
  R* right_spectra;  ///< of matrices that all left ones share, or null
  std::atomic<std::int64_t>* next;
  std::int64_t tasks;
  FftBlock block;
  FftwStage stage;

  void operator()(int worker) const {
    R* const rows = scratch + std::size_t(worker) * f->size();
    R* const a    = rows + f->rows_size;
    for (std::int64_t t; (t = next->fetch_add(1)) < tasks;) {
      if (stage == FftwStage::left)
        left_spectrum(block.i0 + int(t), rows,
                      left_spectra + std::size_t(t) * f->spectrum_size);
      else if (stage == FftwStage::right)
        right_spectrum(0, block.j0 + int(t), rows,
                       right_spectra + std::size_t(t) * f->spectrum_size);
      else
        pair(block.i(t), block.j(t), rows, a, a + f->spectrum_size);
    }
  }

 private:
  const R* left_spectrum(int i, R* rows, R* z) const {
    return spectrum(this->left(i), f->left_rows, this->left_range(i), rows, z);
  }
  const R* right_spectrum(int i, int j, R* rows, R* z) const {
    return spectrum(this->right(i, j), f->right_rows, this->right_range(i, j),
                    rows, z);
  }
  const R* spectrum(FftwMatrix<T> m, const typename Fftw<R>::plan& plan,
                    MatrixRange& range, R* rows, R* z) const {
    this->measure(m, range);
    f->rows_of(m, plan, rows, z, 0, f->shape.rows());
    f->columns_of(z, 0, f->shape.columns);
    return z;
  }
  void pair(int i, int j, R* rows, R* a, R* b) const {
    const R* const l =
        left_spectra == nullptr
            ? left_spectrum(i, rows, a)
            : left_spectra + std::size_t(i - block.i0) * f->spectrum_size;
    const R* const r =
        right_spectra == nullptr
            ? right_spectrum(i, j, rows, b)
            : right_spectra + std::size_t(j - block.j0) * f->spectrum_size;
    this->product(l, r, a, 0, f->shape.columns);
    f->columns_back_of(a, 0, f->shape.columns);
    this->results(i, j, rows, a, 0, f->out_d * f->out_h);
  }
};

/// Workspaces of `fft` on hosts.
template <class Exec, class A>
struct FftwWorkspace {
  using Space = WorkspaceView<fft_real<A>, typename Exec::memory_space>;
  FftwTransforms<A> transforms;
  std::atomic<std::int64_t> next{0};
  Space scratch{"Sporos::cross_correlate::fft"};
  Space left{"Sporos::cross_correlate::left_spectra"};
  Space right{"Sporos::cross_correlate::right_spectra"};
  WorkspaceView<MatrixRange, typename Exec::memory_space> ranges{
      "Sporos::cross_correlate::ranges"};
  std::int64_t batch_bytes = 0;  ///< 0: chosen

  std::size_t bytes() const {
    return scratch.bytes() + left.bytes() + right.bytes() + ranges.bytes();
  }
  /// Matrices of a block, whose spectra are kept: one for each worker at least
  int block(int matrices, int workers, bool shared_right) const {
    const std::int64_t bytes = batch_bytes > 0 ? batch_bytes
                               : shared_right  ? fft_block_bytes
                                               : fft_batch_bytes;
    const std::int64_t size  = std::int64_t(transforms.spectrum_size) *
                              std::int64_t(sizeof(fft_real<A>));
    return fft_batch(matrices, std::max<std::int64_t>(bytes / size, workers));
  }
  WidePairs wide_pairs;  ///< of the last call
  int workers(const Exec& exec, const CorrelateShape& s) const {
    return int(std::min<std::int64_t>(std::max(1, int(exec.concurrency())),
                                      s.pairs()));
  }
  void plan(const Exec& exec, const CorrelateShape& s, Pairing /*pairing*/,
            bool measure, std::int64_t bytes_at_once = 0) {
    batch_bytes = bytes_at_once;
    transforms  = FftwTransforms<A>(s);
    transforms.plan(
        scratch.require_data(exec,
                             transforms.size() * std::size_t(workers(exec, s))),
        measure ? FFTW_MEASURE : FFTW_ESTIMATE);
  }
};

/// One matrix, then one pair after another, of one left matrix.
template <class Exec, class T, class A>
void share_fft(const Exec& exec, const FftwWorker<T, A>& w, bool new_left,
               bool new_rights) {
  using Step                 = FftwSharedStep<T, A>;
  const FftwTransforms<A>& f = *w.f;
  const FftBlock& block      = w.block;
  const int i                = block.i0;
  Step s{};
  static_cast<FftwSteps<T, A>&>(s) = w;
  s.rows                           = w.scratch;
  const auto at                    = [&](fft_real<A>* spectra, int k) {
    return spectra + std::size_t(k) * f.spectrum_size;
  };
  fft_real<A>* const a = w.scratch + f.rows_size;
  const auto right     = [&](int j, fft_real<A>* to) {
    return s.spectrum(exec, w.right(i, j), f.right_rows, w.right_range(i, j),
                          to);
  };
  if (w.right_spectra != nullptr && new_rights)
    for (int j = block.j0; j < block.j1; ++j)
      right(j, at(w.right_spectra, j - block.j0));
  // of one right matrix: in a
  fft_real<A>* const left = w.left_spectra != nullptr ? w.left_spectra : a;
  if (w.left_spectra == nullptr || new_left)
    s.spectrum(exec, w.left(i), f.left_rows, w.left_range(i), left);
  for (int j = block.j0; j < block.j1; ++j) {
    s.r = w.right_spectra != nullptr ? at(w.right_spectra, j - block.j0)
                                     : right(j, at(a, 1));
    s.l = left;
    s.i = i;
    s.j = j;
    s.z = a;
    s.launch(exec, Step::product, f.shape.columns, f.columns_step);
    s.launch(exec, Step::results, f.out_d * f.out_h, Step::rows_of_task);
  }
}

/// threads: how many to find work for; tests name others than exec has
template <class Exec, class T, class A>
void correlate_fft(const Exec& exec, const CorrelateProblem<T, A>& p,
                   FftwWorkspace<Exec, A>& space, std::int64_t threads) {
  const CorrelateExtents& e  = p.shape.extents;
  const FftwTransforms<A>& f = space.transforms;
  const int workers          = space.workers(exec, p.shape);
  FftwWorker<T, A> w;
  w.p       = p;
  w.f       = &f;
  w.scratch = space.scratch.require_data(exec, f.size() * std::size_t(workers));
  w.next    = &space.next;
  w.shared_right        = p.right.i == 0 && e.n > 1;
  const bool share      = f.in_parts && 2 * p.shape.pairs() <= threads;
  const bool many_lefts = e.m > 1;
  const int lefts       = share        ? 1
                          : many_lefts ? space.block(e.n, workers, w.shared_right)
                                       : e.n;
  const int rights   = w.shared_right ? space.block(e.m, workers, true) : e.m;
  const auto spectra = [&](auto& memory, bool some, int n) {
    return some ? memory.require_data(exec, std::size_t(n) * f.spectrum_size)
                : nullptr;
  };
  w.left_spectra    = spectra(space.left, many_lefts, lefts);
  w.right_spectra   = spectra(space.right, w.shared_right, rights);
  space.wide_pairs  = require_ranges(exec, space.ranges, e, w.shared_right,
                                     w.left_ranges, w.right_ranges);
  const auto launch = [&](FftwStage stage, std::int64_t tasks,
                          const char* label) {
    space.next = 0;
    w.tasks    = tasks;
    w.stage    = stage;
    for_each_index(label,
                   Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(
                       exec, 0, workers, Kokkos::ChunkSize(1)),
                   w);
  };
  for_each_fft_block(
      e, lefts, rights,
      [&](const FftBlock& block, bool new_lefts, bool new_rights) {
        w.block = block;
        if (share) return share_fft<Exec, T, A>(exec, w, new_lefts, new_rights);
        if (many_lefts && new_lefts)
          launch(FftwStage::left, block.i1 - block.i0,
                 "Sporos::cross_correlate::fft_left");
        if (w.shared_right && new_rights)
          launch(FftwStage::right, block.j1 - block.j0,
                 "Sporos::cross_correlate::fft_right");
        launch(FftwStage::pairs, block.pairs(), "Sporos::cross_correlate::fft");
      });
}
template <class Exec, class T, class A>
void correlate_fft(const Exec& exec, const CorrelateProblem<T, A>& p,
                   FftwWorkspace<Exec, A>& space) {
  correlate_fft(exec, p, space, exec.concurrency());
}

}  // namespace Impl
}  // namespace Sporos

#endif  // SPOROS_HAVE_FFTW
#endif
