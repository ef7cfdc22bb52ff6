// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATEFFTW_HPP
#define SPOROS_CORRELATEFFTW_HPP

/// \file Sporos_CorrelateFftw.hpp
/// The algorithm `fft` of cross_correlate on hosts, through FFTW. Transforms
/// padded matrices, multiplies them and transforms back; skips rows that are 0
/// or not needed, and transforms matrices of several pairs once. Costs O(N log
/// N) per matrix and pair for N elements of a padded matrix. Fastest for many
/// shifts of matrices from about 24 x 24 on.

#ifdef SPOROS_HAVE_FFTW

#include <Sporos_Workspace.hpp>
#include <cross_correlation/fft/Sporos_CorrelateFftShape.hpp>
#include <cross_correlation/fft/Sporos_FftwPlans.hpp>

#include <algorithm>
#include <atomic>

namespace Sporos {
namespace Impl {

/// Plans and sizes. Numbers are of real elements.
template <class A>
struct FftwTransforms {
  using R    = fft_real<A>;
  using Plan = typename Fftw<R>::plan;
  FftShape shape;
  int rows_pitch        = 0;  ///< of a matrix of numbers (or of complex ones)
  int pitch             = 0;  ///< of a spectrum
  std::size_t rows_size = 0, spectrum_size = 0;
  int right_h = 0, out_h = 0;
  Plan left_rows, right_rows, columns, columns_back, rows_back;

  static constexpr bool real = !is_complex_v<A>;

  FftwTransforms() = default;
  FftwTransforms(const CorrelateShape& s)
      : shape(s, real), right_h(s.extents.right_h), out_h(s.rows()) {
    rows_pitch    = round(shape.x.size * (real ? 1 : 2));
    pitch         = round(2 * shape.columns);
    const int h   = std::max({shape.y.left_count, right_h, out_h});
    rows_size     = std::size_t(h) * std::size_t(rows_pitch);
    spectrum_size = std::size_t(shape.y.size) * std::size_t(pitch);
  }
  std::size_t size() const { return rows_size + 2 * spectrum_size; }

  /// scratch is of size() elements, and is overwritten.
  void plan(R* scratch, unsigned flags) {
    using F      = Fftw<R>;
    R* const z   = scratch + rows_size;
    const int ny = shape.y.size, nx = shape.x.size;
    const auto rows = [&](int count) {
      return real
                 ? F::forward(nx, count, scratch, rows_pitch, z, pitch / 2,
                              flags)
                 : F::in_place(nx, count, z, 1, pitch / 2, FFTW_FORWARD, flags);
    };
    if (shape.y.left_count > 0) left_rows = rows(shape.y.left_count);
    right_rows = rows(right_h);
    columns =
        F::in_place(ny, shape.columns, z, pitch / 2, 1, FFTW_FORWARD, flags);
    columns_back =
        F::in_place(ny, shape.columns, z, pitch / 2, 1, FFTW_BACKWARD, flags);
    rows_back =
        real ? F::backward(nx, out_h, z, pitch / 2, scratch, rows_pitch, flags)
             : F::in_place(nx, out_h, z, 1, pitch / 2, FFTW_BACKWARD, flags);
  }

  /// The spectrum of rows of a matrix, element (0, 0) at `from`, that come to
  /// lie at (y, x) = (first_row, first_column).
  template <class T>
  void spectrum(const T* from, std::ptrdiff_t y_stride, std::ptrdiff_t x_stride,
                int h, int w, int first_row, int first_column,
                const Plan& row_plan, R* rows, R* z) const {
    const std::ptrdiff_t skip = std::ptrdiff_t(first_row) * pitch;
    const std::size_t end     = std::size_t(first_row + h) * std::size_t(pitch);
    std::fill(z, z + skip, R(0));
    if (h > 0) {
      const int n = shape.x.size;
      R* const to = real ? rows : z + skip;
      for (int y = 0; y < h; ++y) {
        R* const row = to + std::ptrdiff_t(y) * (real ? rows_pitch : pitch);
        const T* const in = from + y * y_stride;
        if constexpr (real) {
          std::fill(row, row + first_column, R(0));
          for (int x = 0; x < w; ++x)
            row[first_column + x] = R(in[x * x_stride]);
          std::fill(row + first_column + w, row + n, R(0));
        } else {
          std::fill(row, row + 2 * first_column, R(0));
          for (int x = 0; x < w; ++x) {
            row[2 * (first_column + x)]     = R(in[x * x_stride].real());
            row[2 * (first_column + x) + 1] = R(in[x * x_stride].imag());
          }
          std::fill(row + 2 * (first_column + w), row + 2 * n, R(0));
        }
      }
      if constexpr (real)
        Fftw<R>::run_forward(row_plan, rows, z + skip);
      else
        Fftw<R>::run_in_place(row_plan, z + skip);
    }
    std::fill(z + end, z + spectrum_size, R(0));
    Fftw<R>::run_in_place(columns, z);
  }

 private:
  /// Rows that begin alike: whole cache lines.
  static int round(int n) { return ceil_div(n, 16) * 16; }
};

/// What a launch does.
enum class FftwStage { left, right, pairs };

template <class T, class A>
struct FftwWorker {
  using R = fft_real<A>;
  CorrelateProblem<T, A> p;
  const FftwTransforms<A>* f;
  R* scratch;        ///< f->size() for each worker
  R* left_spectra;   ///< of all left matrices, or null
  R* right_spectra;  ///< of matrices that all left ones share, or null
  std::atomic<std::int64_t>* next;
  std::int64_t tasks;
  FftwStage stage;

  void operator()(int worker) const {
    R* const rows = scratch + std::size_t(worker) * f->size();
    R* const a    = rows + f->rows_size;
    R* const b    = a + f->spectrum_size;
    for (std::int64_t t; (t = next->fetch_add(1)) < tasks;) {
      if (stage == FftwStage::left)
        left(int(t), rows, left_spectra + std::size_t(t) * f->spectrum_size);
      else if (stage == FftwStage::right)
        right(0, int(t), rows,
              right_spectra + std::size_t(t) * f->spectrum_size);
      else
        pair(int(t / p.shape.extents.m), int(t % p.shape.extents.m), rows, a,
             b);
    }
  }

 private:
  void left(int i, R* rows, R* z) const {
    const FftAxis &y = f->shape.y, &x = f->shape.x;
    f->spectrum(
        p.left.matrix(i, 0) + y.left_begin * p.left.y + x.left_begin * p.left.x,
        p.left.y, p.left.x, x.left_count > 0 ? y.left_count : 0, x.left_count,
        y.left_count > 0 ? y.left_offset : 0, x.left_offset, f->left_rows, rows,
        z);
  }
  void right(int i, int j, R* rows, R* z) const {
    f->spectrum(p.right.matrix(i, j), p.right.y, p.right.x,
                p.shape.extents.right_h, p.shape.extents.right_w, 0, 0,
                f->right_rows, rows, z);
  }

  void pair(int i, int j, R* rows, R* a, R* b) const {
    const R *l = a, *r = b;
    if (left_spectra == nullptr)
      left(i, rows, a);
    else
      l = left_spectra + std::size_t(i) * f->spectrum_size;
    if (right_spectra == nullptr)
      right(i, j, rows, b);
    else
      r = right_spectra + std::size_t(j) * f->spectrum_size;
    const FftShape& s = f->shape;
    const R scale     = R(1) / (R(s.y.size) * R(s.x.size));
    for (int y = 0; y < s.y.size; ++y) {
      const std::ptrdiff_t row = std::ptrdiff_t(y) * f->pitch;
      SPOROS_IVDEP
      for (int x = 0; x < s.columns; ++x) {
        const std::ptrdiff_t k = row + 2 * x;
        const R re             = l[k] * r[k] + l[k + 1] * r[k + 1];
        const R im             = l[k + 1] * r[k] - l[k] * r[k + 1];
        a[k]                   = re * scale;
        a[k + 1]               = im * scale;
      }
    }
    Fftw<R>::run_in_place(f->columns_back, a);
    const R* from = rows;
    if constexpr (FftwTransforms<A>::real) {
      Fftw<R>::run_backward(f->rows_back, a, rows);
    } else {
      Fftw<R>::run_in_place(f->rows_back, a);
      from = a;
    }
    for (int y = 0; y < p.shape.rows(); ++y) {
      A* const to = &p.out(i, j, y, 0);
      if constexpr (FftwTransforms<A>::real) {
        const R* row = from + std::ptrdiff_t(y) * f->rows_pitch;
        for (int x = 0; x < p.shape.columns(); ++x)
          to[x * p.out.x] = from_fft<A>(row[x]);
      } else {
        const R* row = from + std::ptrdiff_t(y) * f->pitch;
        for (int x = 0; x < p.shape.columns(); ++x)
          to[x * p.out.x] =
              A(real_of<A>(row[2 * x]), real_of<A>(row[2 * x + 1]));
      }
    }
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
    transforms      = FftwTransforms<A>(s);
    const auto view = scratch.require(
        exec, transforms.size() * std::size_t(workers(exec, s)));
    transforms.plan(view.data(), measure ? FFTW_MEASURE : FFTW_ESTIMATE);
  }
};

template <class Exec, class T, class A>
void correlate_fft(const Exec& exec, const CorrelateProblem<T, A>& p,
                   FftwWorkspace<Exec, A>& space) {
  const CorrelateExtents& e  = p.shape.extents;
  const FftwTransforms<A>& f = space.transforms;
  const int workers          = space.workers(exec, p.shape);
  FftwWorker<T, A> w;
  w.p = p;
  w.f = &f;
  w.scratch =
      space.scratch.require(exec, f.size() * std::size_t(workers)).data();
  w.next                  = &space.next;
  const bool many_lefts   = e.m > 1;
  const bool shared_right = p.right.i == 0 && e.n > 1;
  w.left_spectra =
      many_lefts
          ? space.left.require(exec, std::size_t(e.n) * f.spectrum_size).data()
          : nullptr;
  w.right_spectra =
      shared_right
          ? space.right.require(exec, std::size_t(e.m) * f.spectrum_size).data()
          : nullptr;
  const auto launch = [&](FftwStage stage, std::int64_t tasks,
                          const char* label) {
    space.next = 0;
    w.tasks    = tasks;
    w.stage    = stage;
    Kokkos::parallel_for(label,
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

}  // namespace Impl
}  // namespace Sporos

#endif  // SPOROS_HAVE_FFTW
#endif
