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

  FftwMatrix<T> left(int i) const {
    const FftAxis &y = f->shape.y, &x = f->shape.x;
    return {
        p.left.matrix(i, 0) + y.left_begin * p.left.y + x.left_begin * p.left.x,
        p.left.y,
        p.left.x,
        x.left_count > 0 ? y.left_count : 0,
        x.left_count,
        y.left_count > 0 ? y.left_offset : 0,
        x.left_offset};
  }
  FftwMatrix<T> right(int i, int j) const {
    return {
        p.right.matrix(i, j),    p.right.y, p.right.x, p.shape.extents.right_h,
        p.shape.extents.right_w, 0,         0};
  }
  /// a = l times the conjugate of r, in columns begin ... end
  [[gnu::noinline]] void multiply(const R* l, const R* r, R* a, int begin,
                                  int end) const {
    const FftShape& s = f->shape;
    const R scale     = R(1) / (R(s.y.size) * R(s.x.size));
    for (int y = 0; y < s.y.size; ++y) {
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
  /// Rows begin ... end of out, from a
  [[gnu::noinline]] void results(int i, int j, R* rows, R* a, int begin,
                                 int end) const {
    int step;
    const R* row = f->rows_back_of(a, rows, begin, end, step);
    for (int y = begin; y < end; ++y, row += step) {
      A* const to = &p.out(i, j, y, 0);
      for (int x = 0; x < p.shape.columns(); ++x)
        if constexpr (FftwTransforms<A>::real)
          to[x * p.out.x] = from_fft<A>(row[x]);
        else
          to[x * p.out.x] =
              A(real_of<A>(row[2 * x]), real_of<A>(row[2 * x + 1]));
    }
  }
};

/// Threads share a matrix, or a pair.
template <class T, class A>
struct FftwSharedStep : FftwSteps<T, A> {
  using R    = fft_real<A>;
  using Plan = typename Fftw<R>::plan;
  using FftwSteps<T, A>::f;
  enum Step { rows_of_matrix, columns, product, results };
  Step step;
  FftwMatrix<T> matrix;
  const Plan* row_plan;
  int i, j;         ///< left and right matrix
  R *rows, *z;      ///< numbers, and the spectrum to make, or of the results
  const R *l, *r;   ///< spectra to multiply
  int count, size;  ///< rows or columns, and those of a task

  void operator()(int task) const {
    const int begin = task * size, end = std::min(begin + size, count);
    switch (step) {
      case rows_of_matrix:
        return f->rows_of(matrix, *row_plan, rows, z, begin, end);
      case columns: return f->columns_of(z, begin, end);
      case product:
        this->multiply(l, r, z, begin, end);
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
                    R* to) {
    matrix   = m;
    row_plan = &plan;
    z        = to;
    launch(exec, rows_of_matrix, f->shape.y.size, rows_of_task);
    launch(exec, columns, f->shape.columns, f->columns_step);
    return to;
  }
  static constexpr int rows_of_task = 8;
};

/// What a launch of workers does.
enum class FftwStage { left, right, pairs };

/// Each worker takes matrices, or pairs, as a whole.
template <class T, class A>
struct FftwWorker : FftwSteps<T, A> {
  using R = fft_real<A>;
  using FftwSteps<T, A>::p;
  using FftwSteps<T, A>::f;
  R* scratch;        ///< f->size() for each worker
  R* left_spectra;   ///< of all left matrices, or null
  R* right_spectra;  ///< of matrices that all left ones share, or null
  std::atomic<std::int64_t>* next;
  std::int64_t tasks;
  FftwStage stage;

  void operator()(int worker) const {
    R* const rows = scratch + std::size_t(worker) * f->size();
    R* const a    = rows + f->rows_size;
    for (std::int64_t t; (t = next->fetch_add(1)) < tasks;) {
      if (stage == FftwStage::left)
        spectrum(this->left(int(t)), f->left_rows, rows,
                 left_spectra + std::size_t(t) * f->spectrum_size);
      else if (stage == FftwStage::right)
        spectrum(this->right(0, int(t)), f->right_rows, rows,
                 right_spectra + std::size_t(t) * f->spectrum_size);
      else
        pair(int(t / p.shape.extents.m), int(t % p.shape.extents.m), rows, a,
             a + f->spectrum_size);
    }
  }

 private:
  void spectrum(const FftwMatrix<T>& m, const typename Fftw<R>::plan& plan,
                R* rows, R* z) const {
    f->rows_of(m, plan, rows, z, 0, f->shape.y.size);
    f->columns_of(z, 0, f->shape.columns);
  }
  void pair(int i, int j, R* rows, R* a, R* b) const {
    const R *l = a, *r = b;
    if (left_spectra == nullptr)
      spectrum(this->left(i), f->left_rows, rows, a);
    else
      l = left_spectra + std::size_t(i) * f->spectrum_size;
    if (right_spectra == nullptr)
      spectrum(this->right(i, j), f->right_rows, rows, b);
    else
      r = right_spectra + std::size_t(j) * f->spectrum_size;
    this->multiply(l, r, a, 0, f->shape.columns);
    f->columns_back_of(a, 0, f->shape.columns);
    this->results(i, j, rows, a, 0, p.shape.rows());
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

  std::size_t bytes() const {
    return scratch.bytes() + left.bytes() + right.bytes();
  }
  int workers(const Exec& exec, const CorrelateShape& s) const {
    return int(std::min<std::int64_t>(std::max(1, int(exec.concurrency())),
                                      s.pairs()));
  }
  void plan(const Exec& exec, const CorrelateShape& s, Pairing /*pairing*/,
            bool measure) {
    transforms = FftwTransforms<A>(s);
    transforms.plan(
        scratch.require_data(exec,
                             transforms.size() * std::size_t(workers(exec, s))),
        measure ? FFTW_MEASURE : FFTW_ESTIMATE);
  }
};

/// One matrix, then one pair after another.
template <class Exec, class T, class A>
void share_fft(const Exec& exec, const FftwWorker<T, A>& w) {
  using Step                 = FftwSharedStep<T, A>;
  const FftwTransforms<A>& f = *w.f;
  const CorrelateExtents& e  = w.p.shape.extents;
  Step s{};
  s.p           = w.p;
  s.f           = w.f;
  s.rows        = w.scratch;
  const auto at = [&](fft_real<A>* spectra, int k) {
    return spectra + std::size_t(k) * f.spectrum_size;
  };
  fft_real<A>* const a = w.scratch + f.rows_size;
  for (int j = 0; w.right_spectra != nullptr && j < e.m; ++j)
    s.spectrum(exec, w.right(0, j), f.right_rows, at(w.right_spectra, j));
  for (int i = 0; i < e.n; ++i) {
    // of one right matrix: in a
    s.l = s.spectrum(exec, w.left(i), f.left_rows,
                     w.left_spectra != nullptr ? at(w.left_spectra, i) : a);
    for (int j = 0; j < e.m; ++j) {
      s.r = w.right_spectra != nullptr
                ? at(w.right_spectra, j)
                : s.spectrum(exec, w.right(i, j), f.right_rows, at(a, 1));
      s.i = i;
      s.j = j;
      s.z = a;
      s.launch(exec, Step::product, f.shape.columns, f.columns_step);
      s.launch(exec, Step::results, w.p.shape.rows(), Step::rows_of_task);
    }
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
  const bool many_lefts   = e.m > 1;
  const bool shared_right = p.right.i == 0 && e.n > 1;
  w.left_spectra          = many_lefts ? space.left.require_data(
                                             exec, std::size_t(e.n) * f.spectrum_size)
                                       : nullptr;
  w.right_spectra         = shared_right ? space.right.require_data(
                                               exec, std::size_t(e.m) * f.spectrum_size)
                                         : nullptr;
  if (f.in_parts && 2 * p.shape.pairs() <= threads)
    return share_fft<Exec, T, A>(exec, w);
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
  if (many_lefts)
    launch(FftwStage::left, e.n, "Sporos::cross_correlate::fft_left");
  if (shared_right)
    launch(FftwStage::right, e.m, "Sporos::cross_correlate::fft_right");
  launch(FftwStage::pairs, p.shape.pairs(), "Sporos::cross_correlate::fft");
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
