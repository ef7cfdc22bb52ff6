// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATECUFFT_HPP
#define SPOROS_CORRELATECUFFT_HPP

/// \file Sporos_CorrelateCufft.hpp
/// cross_correlate, algorithm `fft` on CUDA, through cuFFT.
/// What: batches of padded matrices are transformed, multiplied, transformed
///   back; left matrices, and right ones that all left ones share, once.
/// Cost: O(N log N) per matrix and pair for N elements of a padded matrix.
/// Wins: for many shifts of matrices above 60 to 150 elements.

#ifdef SPOROS_HAVE_CUFFT

#include <Sporos_Workspace.hpp>
#include <cross_correlation/Sporos_CorrelateFftShape.hpp>
#include <cross_correlation/Sporos_CufftPlans.hpp>

#include <algorithm>

namespace Sporos {
namespace Impl {

/// Matrices first, first + 1, ... of a batch (number k is (k / m, k % m)) with
/// zeros around them; rows and columns from (y.left_begin, ...) on.
template <class T, class R>
struct PadMatrices {
  static constexpr int parts = is_complex_v<T> ? 2 : 1;
  MatrixBatch<const T> from;
  R* to;
  FftAxis y, x;
  int first, count, m;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    const int px = int(index % x.size);
    const int py = int(index / x.size % y.size);
    const int k  = first + int(index / x.size / y.size);
    const int ix = px - x.left_offset, iy = py - y.left_offset;
    T v(0);
    if (k < count && ix >= 0 && ix < x.left_count && iy >= 0 &&
        iy < y.left_count)
      v = from(k / m, k % m, iy + y.left_begin, ix + x.left_begin);
    if constexpr (is_complex_v<T>) {
      to[2 * index]     = R(v.real());
      to[2 * index + 1] = R(v.imag());
    } else {
      to[index] = R(v);
    }
  }
};

/// product = left conj(right) / elements, for the pairs of a batch.
template <class R>
struct MultiplySpectra {
  const R *left, *right;
  R* product;
  std::int64_t size;  ///< complex elements of a spectrum
  int first, pairs, m;
  bool shared_right;  ///< right spectra are numbered by j, else by the batch
  R scale;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    const int b           = int(index / size);
    const std::int64_t at = index % size;
    const int k           = Math::min(first + b, pairs - 1);
    const R* const l      = left + 2 * (std::int64_t(k / m) * size + at);
    const R* const r =
        right + 2 * (std::int64_t(shared_right ? k % m : b) * size + at);
    const R lr = l[0], li = l[1], rr = r[0], ri = r[1];
    product[2 * index]     = (lr * rr + li * ri) * scale;
    product[2 * index + 1] = (li * rr - lr * ri) * scale;
  }
};

/// Results of a batch to out.
template <class A, class R>
struct TakeShifts {
  MatrixBatch<A> out;
  const R* from;
  int rows, columns, ny, nx, first, m;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    const int ox          = int(index % columns);
    const int oy          = int(index / columns % rows);
    const int b           = int(index / columns / rows);
    const int k           = first + b;
    const std::int64_t at = (std::int64_t(b) * ny + oy) * nx + ox;
    if constexpr (is_complex_v<A>)
      out(k / m, k % m, oy, ox) =
          A(real_of<A>(from[2 * at]), real_of<A>(from[2 * at + 1]));
    else
      out(k / m, k % m, oy, ox) = from_fft<A>(from[at]);
  }
};

/// Workspaces of `fft` on CUDA.
template <class Exec, class A>
struct CufftWorkspace {
  using R                    = fft_real<A>;
  using Space                = WorkspaceView<R, typename Exec::memory_space>;
  using Plan                 = CufftPlan<R>;
  static constexpr bool real = !is_complex_v<A>;
  FftShape shape;
  int batch = 0;
  Plan forward, backward;
  Space padded{"Sporos::cross_correlate::padded"};
  Space left{"Sporos::cross_correlate::left_spectra"};
  Space right{"Sporos::cross_correlate::right_spectra"};
  Space product{"Sporos::cross_correlate::product"};

  std::size_t bytes() const {
    return padded.bytes() + left.bytes() + right.bytes() + product.bytes();
  }
  std::int64_t matrix() const {  // numbers of R
    return std::int64_t(shape.y.size) * shape.x.size * (real ? 1 : 2);
  }
  std::int64_t spectrum() const {
    return std::int64_t(shape.y.size) * shape.columns * 2;
  }
  void plan(const Exec&, const CorrelateShape& s) {
    shape = FftShape(s, real);
    // batches of 64 MiB fill a device
    const std::int64_t bytes = spectrum() * std::int64_t(sizeof(R));
    batch                    = int(std::min<std::int64_t>(
        s.pairs(),
        std::max<std::int64_t>(1, (std::int64_t(64) << 20) / bytes)));
    const int ny = shape.y.size, nx = shape.x.size;
    forward  = Plan(ny, nx, batch,
                   real ? Plan::Kind::real_forward : Plan::Kind::complex);
    backward = Plan(ny, nx, batch,
                    real ? Plan::Kind::real_backward : Plan::Kind::complex);
  }
};

template <class Exec>
using CufftRange = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;

/// Spectra of matrices [first, first + batch) to `to`.
template <class Exec, class T, class A>
void cufft_spectra(const Exec& exec, CufftWorkspace<Exec, A>& space,
                   const MatrixBatch<const T>& from, const FftAxis& y,
                   const FftAxis& x, int first, int count, int m,
                   fft_real<A>* to) {
  using R = fft_real<A>;
  R* const padded =
      space.padded
          .require(exec, std::size_t(space.batch) * std::size_t(space.matrix()))
          .data();
  Kokkos::parallel_for(
      "Sporos::cross_correlate::fft_pad",
      CufftRange<Exec>(exec, 0, std::int64_t(space.batch) * y.size * x.size),
      PadMatrices<T, R>{from, padded, y, x, first, count, m});
  space.forward.run(exec.cuda_stream(), padded, to, CUFFT_FORWARD);
}

template <class Exec, class T, class A>
void correlate_cufft(const Exec& exec, const CorrelateProblem<T, A>& p,
                     CufftWorkspace<Exec, A>& space) {
  using R                   = fft_real<A>;
  const CorrelateExtents& e = p.shape.extents;
  const FftShape& f         = space.shape;
  const int batch           = space.batch;
  const std::int64_t size   = space.spectrum();
  const auto whole          = [&](int count) {  // whole batches
    return std::size_t(ceil_div(count, batch)) * std::size_t(batch) *
           std::size_t(size);
  };
  const FftAxis right_y{f.y.size, 0, e.right_h, 0};
  const FftAxis right_x{f.x.size, 0, e.right_w, 0};
  const bool shared = p.right.i == 0 && e.n > 1;
  R* const left     = space.left.require(exec, whole(e.n)).data();
  R* const right    = space.right.require(exec, whole(shared ? e.m : 1)).data();
  R* const product =
      space.product.require(exec, std::size_t(batch) * std::size_t(size))
          .data();
  for (int i = 0; i < e.n; i += batch)
    cufft_spectra(exec, space, p.left, f.y, f.x, i, e.n, 1, left + i * size);
  if (shared)
    for (int j = 0; j < e.m; j += batch) {
      MatrixBatch<const T> rights = p.right;  // numbered by j alone
      cufft_spectra(exec, space, rights, right_y, right_x, j, e.m, e.m,
                    right + j * size);
    }
  const int pairs = int(p.shape.pairs());
  for (int k = 0; k < pairs; k += batch) {
    if (!shared)
      cufft_spectra(exec, space, p.right, right_y, right_x, k, pairs, e.m,
                    right);
    Kokkos::parallel_for(
        "Sporos::cross_correlate::fft_multiply",
        CufftRange<Exec>(exec, 0, batch * (size / 2)),
        MultiplySpectra<R>{left, right, product, size / 2, k, pairs, e.m,
                           shared, R(1) / (R(f.y.size) * R(f.x.size))});
    R* const back =
        space.padded
            .require(exec, std::size_t(batch) * std::size_t(space.matrix()))
            .data();
    space.backward.run(exec.cuda_stream(), product, back, CUFFT_INVERSE);
    const int count = std::min(batch, pairs - k);
    Kokkos::parallel_for(
        "Sporos::cross_correlate::fft_take",
        CufftRange<Exec>(
            exec, 0, std::int64_t(count) * p.shape.rows() * p.shape.columns()),
        TakeShifts<A, R>{p.out, back, p.shape.rows(), p.shape.columns(),
                         f.y.size, f.x.size, k, e.m});
  }
}

}  // namespace Impl
}  // namespace Sporos

#endif  // SPOROS_HAVE_CUFFT
#endif
