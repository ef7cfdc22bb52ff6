// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATELOCAL_HPP
#define SPOROS_CORRELATELOCAL_HPP

/// \file Sporos_CorrelateLocal.hpp
/// Local measures, and masks. Any algorithm sums products of copies of the
/// matrices less their means; what else a measure needs of the overlap of a
/// shift are sums over boxes. With masks they are correlations, too: of values,
/// weights and weighted squares (Padfield, "Masked object registration in the
/// Fourier domain"). One pass over the results then makes measures of the sums.

#include <Sporos_ProfilingRegion.hpp>
#include <cross_correlation/problem/Sporos_CorrelateBounds.hpp>
#include <cross_correlation/problem/Sporos_CorrelateBoxes.hpp>

#include <algorithm>
#include <limits>

namespace Sporos {
namespace Impl {

/// Sums of the overlap of a shift, of matrices less their means.
template <class W>
struct OverlapSums {
  double count;  ///< of elements, or the sum of weights
  W products, left, right;
  double left_squares, right_squares;

  /// From sums of scaled copies: l, r are 1 / scale.
  KOKKOS_FUNCTION void multiply(double l, double r) {
    products *= l * r;
    left *= l;
    right *= r;
    left_squares *= l * l;
    right_squares *= r * r;
  }
};

/// What the sums of a pair are made of, besides.
template <class W>
struct LocalPair {
  W left, right;                   ///< means
  W offset;                        ///< left less right, exact for integers
  double least;                    ///< overlap
  double left_noise, right_noise;  ///< of sums of squares
  double left_unit, right_unit;    ///< 1 / scale of the copies
};

/// From sums to a measure.
template <class W>
struct LocalMeasure {
  Normalize what;
  double least_deviation;
  double flat;     ///< part of a sum of squares that counts as rounding
  double largest;  ///< result

  KOKKOS_FUNCTION W operator()(const OverlapSums<W>& s,
                               const LocalPair<W>& pair) const {
    const bool some = s.count > 0 && s.count >= pair.least;
    switch (what) {
      case Normalize::local_norm_only:
        if (!some || s.left_squares <= pair.left_noise ||
            s.right_squares <= pair.right_noise)
          return W(0);
        return s.products / (Math::From::sqrt(s.left_squares) *
                             Math::From::sqrt(s.right_squares));
      case Normalize::square_difference:
        return some ? W(difference(s, pair)) : W(largest);
      case Normalize::square_difference_normalized:
        return some ? W(normalized_difference(s, pair)) : W(1);
      default: return some ? coefficient(s, pair) : W(0);
    }
  }

 private:
  static KOKKOS_FUNCTION double conjugate(double v) { return v; }
  static KOKKOS_FUNCTION Kokkos::complex<double> conjugate(
      const Kokkos::complex<double>& v) {
    return {v.real(), -v.imag()};
  }
  static KOKKOS_FUNCTION double real(double v) { return v; }
  static KOKKOS_FUNCTION double real(const Kokkos::complex<double>& v) {
    return v.real();
  }

  /// Is the square sum of deviations nothing but rounding, or small?
  KOKKOS_FUNCTION bool is_flat(double deviations, double squares, double noise,
                               double count) const {
    return deviations <= flat * squares + noise ||
           deviations <= least_deviation * least_deviation * count;
  }
  KOKKOS_FUNCTION W coefficient(const OverlapSums<W>& s,
                                const LocalPair<W>& pair) const {
    const W product = s.products - s.left * conjugate(s.right) / s.count;
    if (what == Normalize::local_mean_only) return product;
    const double l = s.left_squares - square_of(s.left) / s.count;
    const double r = s.right_squares - square_of(s.right) / s.count;
    if (is_flat(l, s.left_squares, pair.left_noise, s.count) ||
        is_flat(r, s.right_squares, pair.right_noise, s.count))
      return W(0);
    return product / (Math::From::sqrt(l) * Math::From::sqrt(r));
  }
  /// The sum of |left - right|^2
  KOKKOS_FUNCTION double difference(const OverlapSums<W>& s,
                                    const LocalPair<W>& pair) const {
    const double sum = s.left_squares + s.right_squares - 2 * real(s.products) +
                       2 * real(conjugate(pair.offset) * (s.left - s.right)) +
                       s.count * square_of(pair.offset);
    return sum < 0 ? 0 : sum;
  }
  KOKKOS_FUNCTION double normalized_difference(const OverlapSums<W>& s,
                                               const LocalPair<W>& pair) const {
    const auto norm = [&](double squares, const W& sum, const W& mean) {
      const double of_mean = s.count * square_of(mean);
      const double all = squares + 2 * real(conjugate(mean) * sum) + of_mean;
      // zeros less their mean, and the mean again
      return all > flat * (squares + of_mean) ? Math::From::sqrt(all) : 0.;
    };
    const double sum   = difference(s, pair);
    const double norms = norm(s.left_squares, s.left, pair.left) *
                         norm(s.right_squares, s.right, pair.right);
    return sum >= norms ? 1 : sum / norms;  // NaN stays
  }
};

/// Sums of the overlaps of pairs with masks: results of correlations, dense.
template <class C>
struct MaskedSums {
  MatrixBatch<C> counts, left, left_squares, right, right_squares;
};

/// Makes results of sums, in parts of rows.
template <class T, class A, class C>
struct LocalResults {
  using W    = wide_sum<C>;
  using Pair = LocalPair<W>;
  CorrelateProblem<T, A> p;
  LocalMeasure<W> measure;
  LocalSide<C> left, right;
  MatrixBatch<C> products;  ///< may be those of p.out
  MaskedSums<C> masked;     ///< unless empty
  Boxes<W> left_boxes, right_boxes;
  bool centred;
  double least_overlap, noise;
  int i0, j0, nj;     ///< pairs (i0 + k / nj, j0 + k % nj)
  int right_boxes_i;  ///< stride
  int part;           ///< columns

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    const CorrelateShape& s = p.shape;
    const int across        = ceil_div(s.columns(), part);
    const int x0            = int(index % across) * part;
    index /= across;
    const int oy = int(index % s.rows());
    index /= s.rows();
    const int planes     = s.planes();
    const int oz         = planes == 1 ? 0 : int(index % planes);
    const std::int64_t k = planes == 1 ? index : index / planes;
    const int bi = int(k / nj), bj = int(k % nj), i = i0 + bi, j = j0 + bj;
    const Pair pair = pair_of(i, j);
    A* const out    = &p.out.plane(oz)(i, j, oy, 0);
    Row row{};
    if (masked.counts.data == nullptr) row = row_of(i, j, bi, bj, oz, oy);
    for (int ox = x0; ox < Math::min(x0 + part, s.columns()); ++ox) {
      auto sums = masked.counts.data != nullptr ? masked_sums(i, j, oz, oy, ox)
                                                : box_sums(row, ox);
      sums.multiply(pair.left_unit, pair.right_unit);
      out[ox * p.out.x] = result(measure(sums, pair));
    }
  }

 private:
  /// What the results of a row share: lines of the overlap along x, products,
  /// and boxes.
  struct Row {
    double lines;
    const C* products;
    const BoxSum<W>*left, *right;
  };

  KOKKOS_FUNCTION A result(const W& v) const {
    const A a = A(v);
    return measure.what == Normalize::local ||
                   measure.what == Normalize::local_norm_only
               ? BoundCoefficients<A>::bounded(a)
               : a;
  }
  KOKKOS_FUNCTION Pair pair_of(int i, int j) const {
    using Copy                = CopyLocal<T, A, C>;
    const LocalMoments<W>& l  = left.moments[i * left.moments_i];
    const LocalMoments<W>& r  = right.moments[i * right.moments_i + j];
    const T a                 = Copy::origin_of(p.left.matrix(i, 0), centred);
    const T b                 = Copy::origin_of(p.right.matrix(i, j), centred);
    const CorrelateExtents& e = p.shape.extents;
    double most               = double(Math::min(e.left_h, e.right_h)) *
                  double(Math::min(e.left_w, e.right_w)) *
                  double(Math::min(e.left_d, e.right_d));
    if (masked.counts.data != nullptr)
      most = Math::min(most, Math::min(l.weight, r.weight));
    // rounding of a fraction, or of a transform, is no element
    const double least =
        (Math::max(least_overlap, no_overlap) - overlap_rounding) * most;
    W offset = l.mean - r.mean;
    if constexpr (std::is_integral<T>::value) offset += difference<W>(a, b);
    return {l.mean + W(a),     r.mean + W(b),     offset,      least,
            noise * l.squares, noise * r.squares, 1 / l.scale, 1 / r.scale};
  }
  KOKKOS_FUNCTION Row row_of(int i, int j, int bi, int bj, int oz,
                             int oy) const {
    const CorrelateShape& s = p.shape;
    const int dz = s.shifts.dz0 + oz, dy = s.shifts.dy0 + oy;
    const int planes = Math::max(0, s.last_plane(dz) - s.first_plane(dz));
    const int rows   = Math::max(0, s.last_row(dy) - s.first_row(dy));
    return {double(rows) * double(planes), &products.plane(oz)(i, j, oy, 0),
            left_boxes.plane(bi, oz) + oy * left_boxes.y,
            right_boxes.plane(bi * std::int64_t(right_boxes_i) + bj, oz) +
                oy * right_boxes.y};
  }
  KOKKOS_FUNCTION OverlapSums<W> box_sums(const Row& row, int ox) const {
    const CorrelateShape& s = p.shape;
    const int dx            = s.shifts.dx0 + ox;
    const auto& l           = row.left[ox * left_boxes.x];
    const auto& r           = row.right[ox * right_boxes.x];
    const int columns = Math::max(0, s.last_column(dx) - s.first_column(dx));
    return {row.lines * double(columns),
            W(row.products[ox * products.x]),
            l.sum,
            r.sum,
            l.squares,
            r.squares};
  }
  KOKKOS_FUNCTION OverlapSums<W> masked_sums(int i, int j, int oz, int oy,
                                             int ox) const {
    const auto at = [&](const MatrixBatch<C>& m) -> const C& {
      return m.plane(oz)(i, j, oy, ox);
    };
    const auto real = [&](const MatrixBatch<C>& m) {
      const C& v = at(m);
      if constexpr (is_complex_v<C>)
        return Math::greatest(0., double(v.real()));
      else
        return Math::greatest(0., double(v));
    };
    W r = W(at(masked.right));
    if constexpr (is_complex_v<C>) r = W(r.real(), -r.imag());
    return {real(masked.counts),       W(at(products)),
            W(at(masked.left)),        r,
            real(masked.left_squares), real(masked.right_squares)};
  }
};

/// Workspaces of local measures.
template <class Exec, class C>
struct LocalWorkspace {
  LocalSideWorkspace<Exec, C> left, right;
  BoxWorkspace<Exec, C> left_boxes, right_boxes;
  WorkspaceView<C, typename Exec::memory_space> sums{
      "Sporos::cross_correlate::local_sums"};

  std::size_t bytes() const {
    return left.bytes() + right.bytes() + left_boxes.bytes() +
           right_boxes.bytes() + sums.bytes();
  }
};

/// Makes boxes for some pairs at a time, and then launches their results.
template <class Exec, class C, class Launch, class Results>
void for_each_box_batch(const Exec& exec, const CorrelateShape& s,
                        const MatrixBatch<const C>& left,
                        const MatrixBatch<const C>& right,
                        LocalWorkspace<Exec, C>& space, const Launch& launch,
                        Results& results) {
  const CorrelateExtents& e = s.extents;
  const ShiftWindow& d      = s.shifts;
  const BoxAxes l{{e.left_d, e.right_d, d.dz0, d.dz1, false},
                  {e.left_h, e.right_h, d.dy0, d.dy1, false},
                  {e.left_w, e.right_w, d.dx0, d.dx1, false}},
      r{{e.right_d, e.left_d, d.dz0, d.dz1, true},
        {e.right_h, e.left_h, d.dy0, d.dy1, true},
        {e.right_w, e.left_w, d.dx0, d.dx1, true}};
  const auto fitting = [](std::int64_t entries, int most) {
    const std::int64_t bytes =
        entries * std::int64_t(sizeof(BoxSum<wide_sum<C>>));
    return int(std::clamp<std::int64_t>(box_batch_bytes / bytes, 1, most));
  };
  // right matrices of a batch, then left ones: each has its own, or all share
  const std::int64_t left_entries = l.entries(), right_entries = r.entries();
  const bool shared = right.i == 0;
  const int nj      = fitting(right_entries, e.m);
  const int ni =
      fitting(shared ? left_entries : left_entries + nj * right_entries, e.n);
  results.right_boxes_i = shared ? 0 : nj;
  for (int i0 = 0; i0 < e.n; i0 += ni) {
    const int i_count = Math::min(ni, e.n - i0);
    results.left_boxes =
        sum_boxes(exec, left, i0, i_count, 0, 1, l, space.left_boxes);
    for (int j0 = 0; j0 < e.m; j0 += nj) {
      const int j_count = Math::min(nj, e.m - j0);
      if (!shared || i0 == 0 || nj < e.m)
        results.right_boxes = sum_boxes(exec, right, i0, shared ? 1 : i_count,
                                        j0, j_count, r, space.right_boxes);
      if (!shared) results.right_boxes_i = j_count;
      launch(i0, i_count, j0, j_count);
    }
  }
}

/// How local measures are made.
template <class A>
struct LocalOptions {
  Normalize normalize;
  double least_deviation, least_overlap;
  const CorrelateWeights<A>* weights;  ///< or null
  bool by_fft;
};

template <class A, class C>
LocalMeasure<wide_sum<C>> local_measure(const CorrelateShape& s,
                                        const LocalOptions<A>& o) {
  const CorrelateExtents& e = s.extents;
  constexpr double eps = double(std::numeric_limits<real_of<C>>::epsilon());
  constexpr double eps_of_boxes = std::numeric_limits<double>::epsilon();
  const int planes              = Math::min(e.left_d, e.right_d);
  const double terms            = double(Math::min(e.left_h, e.right_h)) +
                       double(Math::min(e.left_w, e.right_w)) +
                       (planes > 1 ? double(planes) : 0.);
  // deviations that are rounding: of sums by boxes, or of results of an
  // algorithm; of products, in float, if they are that much smaller than
  // elements
  const double flat = o.weights != nullptr ? masked_flat * eps
                                           : Math::max(2 * terms * eps_of_boxes,
                                                       local_flat * eps * eps);
  return {o.normalize, o.least_deviation, flat,
          double(std::numeric_limits<real_of<A>>::max())};
}

/// The measure of all shifts of p. For Normalize::none (with masks) the sums
/// of products.
/// \tparam C type of the copies and of the sums of their products
/// \param run(CorrelateProblem<C, C>) correlates
template <class C, class Exec, class T, class A, class Run>
void correlate_local(const Exec& exec, const CorrelateProblem<T, A>& p,
                     const LocalOptions<A>& o, LocalWorkspace<Exec, C>& space,
                     const Run& run) {
  const ProfilingRegion region("Sporos::cross_correlate::local");
  const CorrelateShape& s   = p.shape;
  const CorrelateExtents& e = s.extents;
  const bool masked         = o.weights != nullptr;
  const bool scaled         = o.normalize != Normalize::none;
  LocalResults<T, A, C> results{};
  results.p       = p;
  results.centred = o.normalize != Normalize::none &&
                    o.normalize != Normalize::local_norm_only;
  results.measure       = local_measure<A, C>(s, o);
  results.least_overlap = o.least_overlap;
  results.noise         = masked && o.by_fft ? noise_of_transforms : 0;
  results.part          = is_host_space_v<Exec> ? s.columns() : 1;
  const CorrelateWeights<A> weights =
      masked ? *o.weights : CorrelateWeights<A>{};
  results.left = copy_local<Exec, T, A, C>(
      exec, p.left, weights.left, e.n, 1, e.left_d, e.left_h, e.left_w,
      results.centred, scaled, masked, false, space.left);
  results.right = copy_local<Exec, T, A, C>(
      exec, p.right, weights.right, e.n, e.m, e.right_d, e.right_h, e.right_w,
      results.centred, scaled, masked, p.right.i == 0 && weights.right.i == 0,
      space.right);
  const LocalSide<C>&l = results.left, &r = results.right;
  constexpr bool in_place = std::is_same<C, A>::value;
  if constexpr (in_place)
    if (o.normalize == Normalize::none)
      return run(CorrelateProblem<C, C>{s, l.values, r.values, p.out});

  const std::size_t count  = std::size_t(s.all_results());
  const std::size_t arrays = masked ? 6 : in_place ? 0 : 1;
  C* const sums            = space.sums.require_data(exec, count * arrays);
  std::size_t used         = 0;  // of the arrays; with none, sums is null
  const auto correlated    = [&](const MatrixBatch<const C>& left,
                              const MatrixBatch<const C>& right) {
    const std::ptrdiff_t plane   = std::ptrdiff_t(s.rows()) * s.columns();
    const std::ptrdiff_t of_pair = plane * s.planes();
    MatrixBatch<C> to{
        sums + count * used++, of_pair * e.m, of_pair, s.columns(), 1, plane};
    if constexpr (in_place)
      if (!masked) to = p.out;
    run(CorrelateProblem<C, C>{s, left, right, to});
    return to;
  };
  results.products = correlated(l.values, r.values);
  if (masked)
    results.masked = {
        correlated(l.masks, r.masks), correlated(l.values, r.masks),
        correlated(l.squares, r.masks), correlated(l.masks, r.values),
        correlated(l.masks, r.squares)};
  const auto launch = [&](int i0, int ni, int j0, int nj) {
    results.i0 = i0;
    results.j0 = j0;
    results.nj = nj;
    for_each_index("Sporos::cross_correlate::local",
                   Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(
                       exec, 0,
                       std::int64_t(ni) * nj * s.planes() * s.rows() *
                           ceil_div(s.columns(), results.part)),
                   results);
  };
  if (masked)
    launch(0, e.n, 0, e.m);
  else
    for_each_box_batch(exec, s, l.values, r.values, space, launch, results);
}

}  // namespace Impl
}  // namespace Sporos

#endif
