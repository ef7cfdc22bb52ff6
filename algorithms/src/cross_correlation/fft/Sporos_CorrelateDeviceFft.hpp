// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATEDEVICEFFT_HPP
#define SPOROS_CORRELATEDEVICEFFT_HPP

/// \file Sporos_CorrelateDeviceFft.hpp
/// The algorithm `fft` of cross_correlate on devices, by cuFFT or hipFFT.
/// Transforms, multiplies and transforms back batches of padded matrices.
/// Spectra of left matrices, and of right ones that all left ones share, serve
/// all pairs of a block. Costs O(N log N) per matrix and pair for N elements of
/// a padded matrix. Fast for many shifts of large matrices;
/// Sporos_CorrelateTable.hpp has the threshold.

#include <Sporos_DeviceFftPlans.hpp>

#ifdef SPOROS_IMPL_DEVICE_FFT

#include <Sporos_Workspace.hpp>
#include <cross_correlation/fft/Sporos_CorrelateFftShape.hpp>
#include <cross_correlation/fft/Sporos_CorrelateRanges.hpp>

#include <algorithm>
#include <array>

namespace Sporos {
namespace Impl {

/// Matrices first, first + 1, ... of a batch (number k is (k / m, k % m)) with
/// zeros around them; planes, rows and columns from (z.left_begin, ...) on.
/// Each is divided by the power of two of its range.
template <class T, class R>
struct PadMatrices {
  static constexpr int parts = is_complex_v<T> ? 2 : 1;
  MatrixBatch<const T> from;
  const MatrixRange* ranges;
  R* to;
  FftAxis z, y, x;
  std::int64_t first, count;
  int m;

  /// row: of all planes
  KOKKOS_FUNCTION void operator()(int px, int row, int b) const {
    const std::int64_t index =
        (std::int64_t(b) * z.size * y.size + row) * x.size + px;
    const std::int64_t k = first + b;
    const int ix = px - x.left_offset, iy = row % y.size - y.left_offset,
              iz = row / y.size - z.left_offset;
    T v(0);
    R scale(1);
    if (k < count && ix >= 0 && ix < x.left_count && iy >= 0 &&
        iy < y.left_count && iz >= 0 && iz < z.left_count) {
      v     = from.plane(iz + z.left_begin)(int(k / m), int(k % m),
                                        iy + y.left_begin, ix + x.left_begin);
      scale = power_of_two<R>(-ranges[k].exponent);
    }
    if constexpr (is_complex_v<T>) {
      to[2 * index]     = R(v.real()) * scale;
      to[2 * index + 1] = R(v.imag()) * scale;
    } else {
      to[index] = R(v) * scale;
    }
  }
};

/// product = left conj(right) / elements, for the pairs of a batch from number
/// `first` of a block on.
template <class R>
struct MultiplySpectra {
  const R *left, *right;
  R* product;
  std::int64_t size;  ///< complex elements of a spectrum
  std::int64_t first;
  FftBlock block;
  bool shared_left;  ///< left spectra are those of the block, else of the batch
  bool shared_right;  ///< right spectra alike
  R scale;
  R noise = -1;  ///< below 0: spectra are not whitened

  KOKKOS_FUNCTION void operator()(std::int64_t at, std::int64_t b) const {
    const std::int64_t index = b * size + at;
    const std::int64_t k     = Math::min(first + b, block.pairs() - 1);
    const std::int64_t i     = shared_left ? block.i(k) - block.i0 : b;
    const std::int64_t j     = shared_right ? block.j(k) - block.j0 : b;
    const R* const l         = left + 2 * (i * size + at);
    const R* const r         = right + 2 * (j * size + at);
    const R lr = l[0], li = l[1], rr = r[0], ri = r[1];
    const R by             = noise < 0 ? scale
                                       : whitening(lr * lr + li * li, rr * rr + ri * ri,
                                                   noise, scale);
    product[2 * index]     = (lr * rr + li * ri) * by;
    product[2 * index + 1] = (li * rr - lr * ri) * by;
  }
};

/// Results of a batch to out; 0 for shifts without overlap.
template <class A, class R>
struct TakeShifts {
  MatrixBatch<A> out;
  CorrelateShape shape;
  WidePairs ranges;
  const R* from;
  int nz, ny, nx;
  std::int64_t first;
  FftBlock block;

  /// row: of all planes of shifts
  KOKKOS_FUNCTION void operator()(int ox, int row, int b) const {
    const int i = block.i(first + b), j = block.j(first + b);
    const int oz = row / shape.rows(), oy = row % shape.rows();
    const std::int64_t at = ((std::int64_t(b) * nz + oz) * ny + oy) * nx + ox;
    A& to                 = out.plane(oz)(i, j, oy, ox);
    if (!shape.overlaps_in_z(shape.shifts.dz0 + oz) ||
        !shape.overlaps_in_y(shape.shifts.dy0 + oy) ||
        !shape.overlaps_in_x(shape.shifts.dx0 + ox)) {
      to = A(0);
      return;
    }
    const ScaleBack<R> back(
        shape.whiten ? 0
                     : ranges.left[i].exponent +
                           ranges.right[i * ranges.right_i + j * ranges.right_j]
                               .exponent);
    if constexpr (is_complex_v<A>)
      to =
          A(real_of<A>(back(from[2 * at])), real_of<A>(back(from[2 * at + 1])));
    else
      to = from_fft<A>(back(from[at]));
  }
};

/// Workspaces of `fft` on devices.
template <class Exec, class A>
struct DeviceFftWorkspace {
  using R                    = fft_real<A>;
  using Memory               = typename Exec::memory_space;
  using Space                = WorkspaceView<R, Memory>;
  using Plan                 = DeviceFftPlan<R>;
  static constexpr bool real = !is_complex_v<A>;
  FftShape shape;
  bool shared_right = false;  ///< right spectra serve all left matrices
  int left_batch = 0, right_batch = 0, pair_batch = 0;
  int lefts = 0, rights = 0;  ///< in a block
  Plan left_forward, right_forward, backward;
  Space padded{"Sporos::cross_correlate::padded"};
  Space left{"Sporos::cross_correlate::left_spectra"};
  Space right{"Sporos::cross_correlate::right_spectra"};
  Space product{"Sporos::cross_correlate::product"};
  WorkspaceView<MatrixRange, Memory> ranges{"Sporos::cross_correlate::ranges"};
  WorkspaceView<RangeParts<R>, Memory> parts{
      "Sporos::cross_correlate::range_parts"};
  WidePairs wide_pairs;  ///< of the last call
  /// of the transforms
  WorkspaceView<char, Memory> work{"Sporos::cross_correlate::fft_work"};

  std::size_t bytes() const {
    return padded.bytes() + left.bytes() + right.bytes() + product.bytes() +
           ranges.bytes() + parts.bytes() + work.bytes();
  }
  std::int64_t matrix() const {  // numbers of R
    return std::int64_t(shape.rows()) * shape.x.size * (real ? 1 : 2);
  }
  std::int64_t spectrum() const {
    return std::int64_t(shape.rows()) * shape.columns * 2;
  }
  R* require_padded(const Exec& exec) {
    const int most = std::max({left_batch, right_batch, pair_batch});
    return padded.require_data(exec, std::size_t(most) * std::size_t(matrix()));
  }
  void plan(const Exec& exec, const CorrelateShape& s, Pairing pairing,
            bool /*measure*/, std::int64_t batch_bytes = fft_batch_bytes,
            std::int64_t block_bytes = fft_block_bytes) {
    const CorrelateExtents& e = s.extents;
    shape                     = FftShape(s, real);
    shared_right              = pairing == Pairing::n_to_m && e.n > 1;
    const std::int64_t fit    = std::max<std::int64_t>(
        1, batch_bytes / (spectrum() * std::int64_t(sizeof(R))));
    left_batch  = fft_batch(e.n, fit);
    pair_batch  = fft_batch(s.pairs(), fit);
    right_batch = shared_right ? fft_batch(e.m, fit) : pair_batch;
    // without shared matrices: a batch of pairs has a batch of both
    const std::int64_t kept =
        shared_right ? block_bytes / (spectrum() * std::int64_t(sizeof(R))) : 0;
    lefts           = e.m > 1 ? fft_block(e.n, left_batch, kept) : e.n;
    rights          = shared_right ? fft_block(e.m, right_batch, kept) : e.m;
    const auto make = [&](int batch, typename Plan::Kind kind) {
      const int device = device_of(exec);
      if (!real) kind = Plan::Kind::complex;
      if (shape.rows() == 1)  // signals
        return Plan(device, std::array<long long, 1>{{shape.x.size}}, batch,
                    kind);
      if (shape.z.size > 1)
        return Plan(device,
                    std::array<long long, 3>{
                        {shape.z.size, shape.y.size, shape.x.size}},
                    batch, kind);
      return Plan(device, shape.y.size, shape.x.size, batch, kind);
    };
    left_forward  = make(left_batch, Plan::Kind::real_forward);
    right_forward = right_batch == left_batch
                        ? left_forward
                        : make(right_batch, Plan::Kind::real_forward);
    backward      = make(pair_batch, Plan::Kind::real_backward);
    // not null: the library gets memory even if it needs none
    char* const area = work.require_data(
        exec, std::max({std::size_t(1), left_forward.work(),
                        right_forward.work(), backward.work()}));
    for (Plan* p : {&left_forward, &right_forward, &backward})
      p->set_work(area);
  }
};

/// The first index is that of neighbouring threads.
template <class Exec, int Rank, class Index>
using DeviceFftRange =
    Kokkos::MDRangePolicy<Exec, Kokkos::Rank<Rank, Kokkos::Iterate::Left>,
                          Kokkos::IndexType<Index>>;

/// Spectra of matrices [first, first + batch), of `count`, to `to`.
template <class Exec, class T, class A>
void device_fft_spectra(const Exec& exec, DeviceFftWorkspace<Exec, A>& space,
                        const DeviceFftPlan<fft_real<A>>& plan, int batch,
                        const MatrixBatch<const T>& from, const FftAxis& z,
                        const FftAxis& y, const FftAxis& x, std::int64_t first,
                        std::int64_t count, int m, const MatrixRange* ranges,
                        fft_real<A>* to) {
  using R         = fft_real<A>;
  R* const padded = space.require_padded(exec);
  Kokkos::parallel_for(
      "Sporos::cross_correlate::fft_pad",
      DeviceFftRange<Exec, 3, int>(exec, {0, 0, 0},
                                   {x.size, z.size * y.size, batch}),
      PadMatrices<T, R>{from, ranges, padded, z, y, x, first, count, m});
  plan.run(exec, padded, to, plan.forward);
}

template <class Exec, class T, class A>
void correlate_fft(const Exec& exec, const CorrelateProblem<T, A>& p,
                   DeviceFftWorkspace<Exec, A>& space) {
  using R                   = fft_real<A>;
  const CorrelateExtents& e = p.shape.extents;
  const FftShape& f         = space.shape;
  const int batch           = space.pair_batch;
  const std::int64_t size   = space.spectrum();
  const FftAxis right_z{f.z.size, 0, e.right_d, f.z.right_offset};
  const FftAxis right_y{f.y.size, 0, e.right_h, f.y.right_offset};
  const FftAxis right_x{f.x.size, 0, e.right_w, f.x.right_offset};
  const bool shared_right = space.shared_right, shared_left = e.m > 1;
  const int of_left = space.left_batch, of_right = space.right_batch;
  const auto spectra = [&](auto& memory, int n, int of_batch) {
    return memory.require_data(exec, std::size_t(ceil_div(n, of_batch)) *
                                         std::size_t(of_batch) *
                                         std::size_t(size));
  };
  R* const left =
      spectra(space.left, shared_left ? space.lefts : of_left, of_left);
  R* const right =
      spectra(space.right, shared_right ? space.rights : of_right, of_right);
  R* const product = spectra(space.product, batch, batch);
  MatrixRange *left_ranges, *right_ranges;
  space.wide_pairs = require_ranges(exec, space.ranges, e, shared_right,
                                    left_ranges, right_ranges);
  const std::int64_t count_of_rights = shared_right ? e.m : p.shape.pairs();
  RangeParts<R>* const parts         = space.parts.require_data(
              exec, std::size_t(std::max(std::int64_t(e.n), count_of_rights)));
  MatrixBatch<const T> used = p.left;  // what the shifts meet
  used.data += f.z.left_begin * used.z + f.y.left_begin * used.y +
               f.x.left_begin * used.x;
  measure_ranges(exec, used, e.n, 1, f.z.left_count, f.y.left_count,
                 f.x.left_count, parts, left_ranges);
  measure_ranges(exec, p.right, count_of_rights, e.m, e.right_d, e.right_h,
                 e.right_w, parts, right_ranges);
  // spectra of a batch of matrices, from number `first` on
  const auto lefts = [&](std::int64_t first, R* to) {
    device_fft_spectra(exec, space, space.left_forward, of_left, p.left, f.z,
                       f.y, f.x, first, e.n, 1, left_ranges, to);
  };
  const auto rights = [&](std::int64_t first, R* to) {
    device_fft_spectra(exec, space, space.right_forward, of_right, p.right,
                       right_z, right_y, right_x, first, count_of_rights, e.m,
                       right_ranges, to);
  };
  const auto pairs = [&](const FftBlock& block, std::int64_t k) {
    const std::int64_t number = std::int64_t(block.i0) * e.m + k;
    if (!shared_left) lefts(number, left);
    if (!shared_right) rights(number, right);
    Kokkos::parallel_for(
        "Sporos::cross_correlate::fft_multiply",
        DeviceFftRange<Exec, 2, std::int64_t>(exec, {0, 0}, {size / 2, batch}),
        MultiplySpectra<R>{
            left, right, product, size / 2, k, block, shared_left, shared_right,
            R(1) / (R(f.rows()) * R(f.x.size)),
            f.whiten ? whitening_noise<R>(f.rows(), f.x.size) : R(-1)});
    R* const back = space.require_padded(exec);
    space.backward.run(exec, product, back, DeviceFftPlan<R>::backward);
    const int count = int(std::min<std::int64_t>(batch, block.pairs() - k));
    Kokkos::parallel_for(
        "Sporos::cross_correlate::fft_take",
        DeviceFftRange<Exec, 3, int>(
            exec, {0, 0, 0},
            {p.shape.columns(), p.shape.planes() * p.shape.rows(), count}),
        TakeShifts<A, R>{p.out, p.shape, space.wide_pairs, back, f.z.size,
                         f.y.size, f.x.size, k, block});
  };
  for_each_fft_block(
      e, space.lefts, space.rights,
      [&](const FftBlock& block, bool new_lefts, bool new_rights) {
        if (shared_left && new_lefts)
          for (std::int64_t i = block.i0; i < block.i1; i += of_left)
            lefts(i, left + (i - block.i0) * size);
        if (shared_right && new_rights)
          for (std::int64_t j = block.j0; j < block.j1; j += of_right)
            rights(j, right + (j - block.j0) * size);
        for (std::int64_t k = 0; k < block.pairs(); k += batch) pairs(block, k);
      });
}

}  // namespace Impl
}  // namespace Sporos

#endif  // SPOROS_IMPL_DEVICE_FFT
#endif
