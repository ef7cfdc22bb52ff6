// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATEMOMENTS_HPP
#define SPOROS_CORRELATEMOMENTS_HPP

/// \file Sporos_CorrelateMoments.hpp
/// Mean subtraction and zero-mean normalisation. Copies the matrices, subtracts
/// their means and optionally divides by their norms; the algorithms then use
/// the copies. Costs three passes over the inputs, four more if their squares
/// overflow or vanish, and the memory of the copies.

#include <Sporos_Lanes.hpp>
#include <Sporos_ProfilingRegion.hpp>
#include <Sporos_Workspace.hpp>
#include <cross_correlation/problem/Sporos_CorrelateConstants.hpp>
#include <cross_correlation/problem/Sporos_CorrelateShape.hpp>

#include <algorithm>
#include <limits>

namespace Sporos {
namespace Impl {

template <class T>
KOKKOS_FUNCTION T median(const T& a, const T& b, const T& c) {
  return Math::max(Math::min(a, b), Math::min(Math::max(a, b), c));
}
template <class R>
KOKKOS_FUNCTION Kokkos::complex<R> median(const Kokkos::complex<R>& a,
                                          const Kokkos::complex<R>& b,
                                          const Kokkos::complex<R>& c) {
  return {median(a.real(), b.real(), c.real()),
          median(a.imag(), b.imag(), c.imag())};
}

/// a - b; integers are subtracted before A rounds them.
template <class A, class T>
KOKKOS_FORCEINLINE_FUNCTION A difference(const T& a, const T& b) {
  if constexpr (std::is_integral<T>::value) {
    using U = std::make_unsigned_t<
        std::conditional_t<std::is_same<T, bool>::value, unsigned char, T>>;
    return a >= b ? A(U(U(a) - U(b))) : -A(U(U(b) - U(a)));
  } else {
    return A(a) - A(b);
  }
}

/// Sums are cut by blocks of rows, and these by rows: the lanes of a thread sum
/// a row, the rows of a block, and the blocks, so that nothing depends on the
/// size of the team, or on how many teams share a matrix. On hosts a thread has
/// one lane. All threads add up the blocks, which are few.
template <class T, class A, class Member>
struct CenterMatrices {
  using Real = real_of<A>;
  /// One after another: all of them if normalize, else the first two. Those
  /// from sizes_of_rows to scaled_differences do nothing unless needs_scale().
  enum Step {
    sums_of_rows,
    differences,  ///< less the mean
    sizes_of_rows,
    scaled_sums_of_rows,
    scaled_differences,
    quotients,  ///< by the norm
    steps
  };
  static constexpr Real smallest = std::numeric_limits<Real>::min(),
                        largest  = std::numeric_limits<Real>::max(),
                        epsilon  = std::numeric_limits<Real>::epsilon();

  /// Rows of a block
  static int block_of(int h) {
    return Math::max(least_moment_rows, ceil_div(h, most_moment_blocks));
  }

  MatrixBatch<const T> from;
  MatrixBatch<A> to;
  A* sums;  ///< for each matrix those of rows, then of blocks, of each kind
  int m, h, w, block, blocks;
  bool normalize;
  Real least;      ///< deviation
  int teams;       ///< for each matrix: 1 or blocks
  int plane_rows;  ///< h, or the rows of a plane of a volume
  std::int64_t first_matrix = 0;
  int first_step = 0, last_step = 0;  ///< several steps: teams is 1

  KOKKOS_FUNCTION std::int64_t sums_of_matrix() const {
    return h + std::int64_t(kinds) * blocks;
  }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const Rows r = rows_of(team);
    run(team, r, first_step);
    for (int step = first_step + 1; step <= last_step; ++step) {
      team.team_barrier();
      run(team, r, step);
    }
  }

 private:
  struct Rows {
    const T* from;
    A *to, *sums;
    int begin, end;
  };
  /// Sums of blocks; those that follow from others do not overwrite them.
  enum Kind { deviations, squares, sizes, scaled_squares, kinds };

  KOKKOS_FUNCTION Rows rows_of(const Member& team) const {
    const std::int64_t matrix = first_matrix + team.league_rank() / teams;
    const int begin           = team.league_rank() % teams * block;
    const int end             = teams == 1 ? h : Math::min(begin + block, h);
    const int i = int(matrix / m), j = int(matrix - std::int64_t(i) * m);
    return {from.matrix(i, j), to.matrix(i, j),
            sums + matrix * sums_of_matrix(), begin, end};
  }

  KOKKOS_FUNCTION void run(const Member& team, const Rows& r, int step) const {
    if (step == quotients) return divide_by_norm(team, r);
    const bool scaled = step >= sizes_of_rows;
    if (scaled && !needs_scale(team, r)) return;
    const Elements element =
        elements(r, scaled ? Real(0.5) : Real(1),
                 step == sizes_of_rows ? Real(0.25) / (Real(h) * Real(w))
                 : scaled              ? scale_of(team, r)
                                       : Real(1));
    if (step == sizes_of_rows)
      sum_blocks(team, r, sizes, [&](int y) {
        const auto row = element.row(row_of(y));
        return sum(team, w, [=](int x, A& part) { part += size_of(row(x)); });
      });
    else if (step == sums_of_rows || step == scaled_sums_of_rows)
      sum_blocks(team, r, deviations, [&](int y) {
        const auto row = element.row(row_of(y));
        return sum(team, w, [=](int x, A& part) { part += row(x); });
      });
    else
      subtract_mean(team, r, element, scaled ? scaled_squares : squares);
  }

  /// Elements less a typical one, relative to which values are exactly 0 in
  /// constant matrices; halves of them if differences may overflow. Times
  /// scale.
  struct Elements {
    const T* data;
    std::ptrdiff_t x;
    T origin;
    Real half, scale;
    KOKKOS_FORCEINLINE_FUNCTION A operator()(int x_) const {
      const T& value = data[x_ * x];
      if constexpr (std::is_integral<T>::value)
        return difference<A>(value, origin) * half * scale;
      else
        return (A(value) * half - A(origin) * half) * scale;
    }
    KOKKOS_FORCEINLINE_FUNCTION Elements row(std::ptrdiff_t offset) const {
      return {data + offset, x, origin, half, scale};
    }
  };
  KOKKOS_FUNCTION Elements elements(const Rows& r, Real half,
                                    Real scale) const {
    const T* const data = r.from;
    // not one that is far from all others
    const T origin = median(data[0], data[row_of(h / 2) + w / 2 * from.x],
                            data[row_of(h - 1) + (w - 1) * from.x]);
    return {data, from.x, origin, half, scale};
  }
  KOKKOS_FUNCTION std::ptrdiff_t row_of(int y) const {
    return row_of_volume(from, y, plane_rows);
  }
  /// By the mean size of the elements
  KOKKOS_FUNCTION Real scale_of(const Member& team, const Rows& r) const {
    return Real(1) / Math::max(smallest, real(total(team, r, sizes)));
  }
  KOKKOS_FUNCTION A* blocks_of_sums(const Rows& r, Kind kind) const {
    return r.sums + h + std::ptrdiff_t(kind) * blocks;
  }
  KOKKOS_FUNCTION A total(const Member& team, const Rows& r, Kind kind) const {
    const A* const of_blocks = blocks_of_sums(r, kind);
    if (blocks == 1) return of_blocks[0];
    return sum(team, blocks, [&](int b, A& part) { part += of_blocks[b]; });
  }
  /// row_sum(y): of a row, by the lanes of the calling thread
  template <class F>
  KOKKOS_FUNCTION void sum_blocks(const Member& team, const Rows& r, Kind kind,
                                  const F& row_sum) const {
    A* const of_rows   = r.sums;
    A* const of_blocks = blocks_of_sums(r, kind);
    Kokkos::parallel_for(
        Kokkos::TeamThreadRange(team, r.begin, r.end), [&](int y) {
          const A row = row_sum(y);
          Kokkos::single(Kokkos::PerThread(team), [&]() { of_rows[y] = row; });
        });
    if (kind != deviations && !normalize) return;
    team.team_barrier();
    Kokkos::parallel_for(
        Kokkos::TeamThreadRange(team, r.begin / block, ceil_div(r.end, block)),
        [&](int b) {
          const int begin = b * block;
          const A all =
              sum(team, Math::min(block, h - begin),
                  [&](int y, A& part) { part += of_rows[begin + y]; });
          Kokkos::single(Kokkos::PerThread(team),
                         [&]() { of_blocks[b] = all; });
        });
  }

  KOKKOS_FUNCTION void subtract_mean(const Member& team, const Rows& r,
                                     const Elements& element, Kind kind) const {
    const A mean = total(team, r, deviations) / Real(Real(h) * Real(w));
    sum_blocks(team, r, kind, [&](int y) {
      const auto row  = element.row(row_of(y));
      A* const to_row = r.to + y * to.y;
      return sum(team, w, [=](int x, A& part) {
        const A d = row(x) - mean;
        to_row[x] = d;
        part      = add_conjugate_product(d, d, part);
      });
    });
  }

  /// Do the squares overflow or vanish?
  KOKKOS_FUNCTION bool needs_scale(const Member& team, const Rows& r) const {
    const Real all = real(total(team, r, squares));
    return !(all >= Real(h) * Real(w) * (smallest / epsilon) && all <= largest);
  }

  KOKKOS_FUNCTION void divide_by_norm(const Member& team, const Rows& r) const {
    const bool scaled = needs_scale(team, r);
    const Real norm   = Math::From::sqrt(
          real(total(team, r, scaled ? scaled_squares : squares)));
    Real constant(0);  // the norm of what counts as constant
    if (least > Real(0)) {
      constant = least * Math::From::sqrt(Real(h) * Real(w));
      if (scaled) constant *= Real(0.5) * scale_of(team, r);
    }
    const Real factor = norm > constant ? Real(1) / norm : Real(0);
    Kokkos::parallel_for(
        Kokkos::TeamThreadRange(team, r.begin, r.end), [&](int y) {
          A* const row = r.to + y * to.y;
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, w),
                               [=](int x) { row[x] = row[x] * factor; });
        });
  }

  static KOKKOS_FUNCTION Real real(const A& v) {
    if constexpr (is_complex_v<A>)
      return v.real();
    else
      return v;
  }
  static KOKKOS_FUNCTION Real size_of(const A& v) {
    if constexpr (is_complex_v<A>)
      return Math::From::fabs(v.real()) + Math::From::fabs(v.imag());
    else
      return Math::From::fabs(v);
  }

  /// What f(k, part) adds to part for k < n, by the lanes of the calling thread
  template <class F>
  static KOKKOS_FUNCTION A sum([[maybe_unused]] const Member& team, int n,
                               const F& f) {
    if constexpr (is_host_space_v<typename Member::execution_space>) {
      // parts that do not wait for one another
      constexpr int parts = 16;
      A part[parts];
      for (A& p : part) p = A(0);
      if (n < parts) {
        for (int k = 0; k < n; ++k) f(k, part[0]);
        return part[0];
      }
      int k = 0;
      for (; k + parts <= n; k += parts)
        for (int c = 0; c < parts; ++c) f(k + c, part[c]);
      for (; k < n; ++k) f(k, part[k % parts]);
      for (int half = parts / 2; half > 0; half /= 2)
        for (int c = 0; c < half; ++c) part[c] += part[c + half];
      return part[0];
    } else {
      A total(0);
      Kokkos::parallel_reduce(
          Kokkos::ThreadVectorRange(team, n),
          [&](int k, A& part) { f(k, part); }, total);
      return total;
    }
  }
};

/// Workspaces of the copies.
template <class Exec, class A>
struct CenteredWorkspace {
  using Space = WorkspaceView<A, typename Exec::memory_space>;
  Space left{"Sporos::cross_correlate::centered_left"};
  Space right{"Sporos::cross_correlate::centered_right"};
  Space sums{"Sporos::cross_correlate::row_sums"};

  std::size_t bytes() const {
    return left.bytes() + right.bytes() + sums.bytes();
  }
};

/// (n, m, d, h, w) matrices, less their means, to the workspace. A launch takes
/// at most `most` of them: leagues are counted by ints.
template <class Exec, class T, class A>
MatrixBatch<const A> center(const Exec& exec, const MatrixBatch<const T>& from,
                            int n, int m, int d, int plane_rows, int w,
                            bool normalize, double least,
                            WorkspaceView<A, typename Exec::memory_space>& copy,
                            CenteredWorkspace<Exec, A>& space,
                            std::int64_t most = 1 << 30) {
  const int h            = d * plane_rows;
  const std::size_t size = std::size_t(h) * std::size_t(w);
  MatrixBatch<A> to;
  to.data = copy.require_data(exec, std::size_t(n) * std::size_t(m) * size);
  to.x    = 1;
  to.y    = w;
  to.z    = std::ptrdiff_t(plane_rows) * w;
  to.j    = std::ptrdiff_t(size);
  to.i    = std::ptrdiff_t(size) * m;
  using Kernel =
      CenterMatrices<T, A, typename Kokkos::TeamPolicy<Exec>::member_type>;
  const std::int64_t count = std::int64_t(n) * m;
  constexpr int lanes      = lane_count<Exec, A>::vector;
  const int team   = is_host_space_v<Exec> ? 1 : std::min(most_moment_team, h);
  const int block  = Kernel::block_of(h);
  const int blocks = ceil_div(h, block);
  // few large matrices: several teams for each
  const bool shared = blocks > 1 && count * team * lanes < exec.concurrency();
  Kernel kernel{from,
                to,
                nullptr,
                m,
                h,
                w,
                block,
                blocks,
                normalize,
                real_of<A>(least),
                shared ? blocks : 1,
                plane_rows};
  kernel.sums = space.sums.require_data(
      exec, std::size_t(count * kernel.sums_of_matrix()));
  const int steps   = normalize ? Kernel::steps : Kernel::sizes_of_rows;
  const auto launch = [&](int first, int last, std::int64_t matrices) {
    kernel.first_step = first;
    kernel.last_step  = last;
    Kokkos::parallel_for("Sporos::cross_correlate::center",
                         Kokkos::TeamPolicy<Exec>(
                             exec, int(matrices * kernel.teams), team, lanes),
                         kernel);
  };
  for (int step = 0; shared && step < steps; ++step) launch(step, step, count);
  for (; !shared && kernel.first_matrix < count; kernel.first_matrix += most)
    launch(0, steps - 1, std::min(most, count - kernel.first_matrix));
  return {to.data, to.i, to.j, to.y, to.x, to.z};
}

/// The problem with centred copies of left and right.
/// \param least of CorrelateOptions::least_deviation
template <class Exec, class T, class A>
CorrelateProblem<A, A> centered_problem(const Exec& exec,
                                        const CorrelateProblem<T, A>& p,
                                        bool normalize, double least,
                                        CenteredWorkspace<Exec, A>& space) {
  const ProfilingRegion region("Sporos::cross_correlate::prepare");
  const CorrelateExtents& e = p.shape.extents;
  CorrelateProblem<A, A> c;
  c.shape = p.shape;
  c.out   = p.out;
  c.left  = center<Exec, T, A>(exec, p.left, e.n, 1, e.left_d, e.left_h,
                              e.left_w, normalize, least, space.left, space);
  // what all left matrices share is copied once
  const int n = p.right.i == 0 ? 1 : e.n;
  c.right     = center<Exec, T, A>(exec, p.right, n, e.m, e.right_d, e.right_h,
                               e.right_w, normalize, least, space.right, space);
  if (n == 1) c.right.i = 0;
  return c;
}

}  // namespace Impl
}  // namespace Sporos

#endif
