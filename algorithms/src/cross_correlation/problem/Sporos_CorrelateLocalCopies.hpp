// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATELOCALCOPIES_HPP
#define SPOROS_CORRELATELOCALCOPIES_HPP

/// \file Sporos_CorrelateLocalCopies.hpp
/// Copies of matrices for local measures: less their means, which are summed in
/// double, times the weights of a mask. Costs two passes over the inputs.

#include <Sporos_ForEachIndex.hpp>
#include <Sporos_Workspace.hpp>
#include <cross_correlation/problem/Sporos_CorrelateConstants.hpp>
#include <cross_correlation/problem/Sporos_CorrelateMoments.hpp>
#include <cross_correlation/problem/Sporos_CorrelateShape.hpp>

#include <cstdint>

namespace Sporos {
namespace Impl {

/// double, or complex double
template <class A>
using wide_sum =
    std::conditional_t<is_complex_v<A>, Kokkos::complex<double>, double>;

KOKKOS_FORCEINLINE_FUNCTION double square_of(double v) { return v * v; }
KOKKOS_FORCEINLINE_FUNCTION double square_of(const Kokkos::complex<double>& v) {
  return v.real() * v.real() + v.imag() * v.imag();
}

/// Weights of the elements of a side; without data all are 1.
template <class A>
using WeightBatch = MatrixBatch<const real_of<A>>;

/// Weights of both sides, of a call with masks.
template <class A>
struct CorrelateWeights {
  WeightBatch<A> left, right;
};

/// A matrix: the sum of the weights, the mean, and the sum of the weighted
/// squares of deviations from it. A row: sums of elements and squares. All
/// relative to the origin.
template <class W>
struct LocalMoments {
  double weight, squares;
  W mean;
  double scale;  ///< of copies of a matrix

  KOKKOS_FORCEINLINE_FUNCTION void add(const LocalMoments& o) {
    weight += o.weight;
    squares += o.squares;
    mean += o.mean;
  }
};

/// Steps one after another. An index is a row of a matrix (sum_rows), a matrix
/// (sum_matrices), or a part of a row (copy). A volume is a matrix of the rows
/// of all planes.
template <class T, class A, class C>
struct CopyLocal {
  using W = wide_sum<C>;
  enum Step { sum_rows, sum_matrices, copy };
  MatrixBatch<const T> from;
  WeightBatch<A> weights;
  MatrixBatch<C> values, masks, squares;  ///< masks: only with masks
  LocalMoments<W>*rows, *matrices;
  int m, h, w, part;  ///< part: columns
  int plane_rows;     ///< h, or the rows of a plane of a volume
  bool centred, scaled;
  Step step = sum_rows;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    if (step == sum_rows)
      sum_row(index);
    else if (step == sum_matrices)
      sum_matrix(index);
    else
      copy_part(index);
  }

  /// What all elements are less: differences of integers are exact.
  static KOKKOS_FORCEINLINE_FUNCTION T origin_of(const T* matrix,
                                                 bool centred) {
    return std::is_integral<T>::value && centred ? *matrix : T(0);
  }

 private:
  struct Row {
    const T* data;
    std::ptrdiff_t x;
    T origin;
    const real_of<A>* weights;
    std::ptrdiff_t weights_x;
    KOKKOS_FORCEINLINE_FUNCTION W value(int k) const {
      if constexpr (std::is_integral<T>::value)
        return difference<W>(data[k * x], origin);
      else
        return W(data[k * x]);
    }
    KOKKOS_FORCEINLINE_FUNCTION double weight(int k) const {
      return weights == nullptr ? 1. : double(weights[k * weights_x]);
    }
  };
  KOKKOS_FUNCTION Row row(std::int64_t matrix, int y) const {
    const int i = int(matrix / m), j = int(matrix % m);
    const T* const data = from.matrix(i, j);
    const real_of<A>* const mask =
        weights.data == nullptr
            ? nullptr
            : weights.matrix(i, j) + row_of_volume(weights, y, plane_rows);
    return {data + row_of_volume(from, y, plane_rows), from.x,
            origin_of(data, centred), mask, weights.x};
  }

  KOKKOS_FUNCTION void sum_row(std::int64_t index) const {
    constexpr int parts        = 8;  // that do not wait for one another
    const Row r                = row(index / h, int(index % h));
    LocalMoments<W> sum[parts] = {};
    int x                      = 0;
    const auto add             = [&](int c) {
      const double wt = r.weight(x + c);
      // what a mask leaves out may be no number
      const W v = wt == 0. ? W(0) : r.value(x + c);
      sum[c].weight += wt;
      sum[c].mean += v * wt;
      sum[c].squares += square_of(v) * wt;
    };
    // devices: indices that are no constants would put the sums into memory
    for (; x + parts <= w; x += parts) {
      SPOROS_DEVICE_UNROLL
      for (int c = 0; c < parts; ++c) add(c);
    }
    SPOROS_DEVICE_UNROLL
    for (int c = 0; c < parts; ++c)
      if (x + c < w) add(c);
    SPOROS_DEVICE_UNROLL
    for (int c = 1; c < parts; ++c) sum[0].add(sum[c]);
    rows[index] = sum[0];
  }
  KOKKOS_FUNCTION void sum_matrix(std::int64_t matrix) const {
    LocalMoments<W> all{};
    for (int y = 0; y < h; ++y) all.add(rows[matrix * h + y]);
    all.mean    = centred && all.weight > 0 ? all.mean / all.weight : W(0);
    all.squares = Math::max(0., all.squares - all.weight * square_of(all.mean));
    all.scale   = scaled ? scale_of(all.squares / all.weight) : 1;
    matrices[matrix] = all;
  }
  /// The power of two that takes numbers of a mean square to about 1, so that
  /// no product of floats overflows or vanishes
  static KOKKOS_FUNCTION double scale_of(double square) {
    double scale = 1;
    if (square > 0 && square - square == 0) {  // finite
      while (square * scale * scale < 1) scale *= 2;
      while (square * scale * scale >= 4) scale /= 2;
    }
    return scale;
  }
  KOKKOS_FUNCTION void copy_part(std::int64_t index) const {
    const int across          = ceil_div(w, part);
    const int x0              = int(index % across) * part;
    const int y               = int(index / across % h);
    const std::int64_t matrix = index / across / h;
    const Row r               = row(matrix, y);
    const int i = int(matrix / m), j = int(matrix % m);
    const W mean           = matrices[matrix].mean;
    const double scale     = matrices[matrix].scale;
    const std::ptrdiff_t k = values.matrix(i, j) - values.data + y * values.y;
    for (int x = x0; x < Math::min(x0 + part, w); ++x) {
      const double wt    = r.weight(x);
      const W v          = wt == 0. ? W(0) : (r.value(x) - mean) * scale;
      values.data[k + x] = C(v * wt);
      if (masks.data == nullptr) continue;
      masks.data[k + x]   = C(wt);
      squares.data[k + x] = C(square_of(v) * wt);
    }
  }
};

/// Copies of one side, dense.
template <class C>
struct LocalSide {
  MatrixBatch<const C> values, masks, squares;
  const LocalMoments<wide_sum<C>>* moments;
  std::int64_t moments_i;  ///< stride; that of j is 1
};

/// Workspaces of the copies of one side.
template <class Exec, class C>
struct LocalSideWorkspace {
  template <class V>
  using Space = WorkspaceView<V, typename Exec::memory_space>;
  Space<C> values{"Sporos::cross_correlate::local_values"};
  Space<C> masks{"Sporos::cross_correlate::local_masks"};
  Space<C> squares{"Sporos::cross_correlate::local_squares"};
  Space<LocalMoments<wide_sum<C>>> moments{
      "Sporos::cross_correlate::local_moments"};

  std::size_t bytes() const {
    return values.bytes() + masks.bytes() + squares.bytes() + moments.bytes();
  }
};

/// Copies (n, m, d, h, w) matrices. scaled: those of floats are times
/// LocalMoments::scale. shared: all n have the same m ones.
template <class Exec, class T, class A, class C>
LocalSide<C> copy_local(const Exec& exec, const MatrixBatch<const T>& from,
                        const WeightBatch<A>& weights, int n, int m, int d,
                        int plane_rows, int w, bool centred, bool scaled,
                        bool masked, bool shared,
                        LocalSideWorkspace<Exec, C>& space) {
  if (shared) n = 1;
  const int h              = d * plane_rows;
  const std::int64_t count = std::int64_t(n) * m;
  const std::size_t size   = std::size_t(h) * std::size_t(w);
  const auto batch         = [&](auto& memory, bool needed) {
    MatrixBatch<C> b;
    if (needed) b.data = memory.require_data(exec, std::size_t(count) * size);
    b.x = 1;
    b.y = w;
    b.z = std::ptrdiff_t(plane_rows) * w;
    b.j = std::ptrdiff_t(size);
    b.i = b.j * m;
    return b;
  };
  CopyLocal<T, A, C> kernel{from,
                            weights,
                            batch(space.values, true),
                            batch(space.masks, masked),
                            batch(space.squares, masked),
                            nullptr,
                            nullptr,
                            m,
                            h,
                            w,
                            is_host_space_v<Exec> ? w : 1,
                            plane_rows,
                            centred,
                            scaled && std::is_same<real_of<C>, float>::value};
  kernel.matrices =
      space.moments.require_data(exec, std::size_t(count * (h + 1)));
  kernel.rows       = kernel.matrices + count;
  const auto launch = [&](auto step, std::int64_t indices) {
    kernel.step = step;
    for_each_index("Sporos::cross_correlate::local_copies",
                   Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(
                       exec, 0, indices),
                   kernel);
  };
  launch(kernel.sum_rows, count * h);
  launch(kernel.sum_matrices, count);
  launch(kernel.copy, count * h * ceil_div(w, kernel.part));
  const auto copies = [&](const MatrixBatch<C>& b) {
    return MatrixBatch<const C>{b.data, shared ? 0 : b.i, b.j, b.y, b.x, b.z};
  };
  return {copies(kernel.values), copies(kernel.masks), copies(kernel.squares),
          kernel.matrices, shared ? 0 : m};
}

}  // namespace Impl
}  // namespace Sporos

#endif
