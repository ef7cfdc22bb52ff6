// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATEMOMENTS_HPP
#define SPOROS_CORRELATEMOMENTS_HPP

/// \file Sporos_CorrelateMoments.hpp
/// Mean subtraction and zero-mean normalisation. Copies the matrices, subtracts
/// their means and optionally divides by their norms; the algorithms then use
/// the copies. Costs three passes over the inputs, three more if their squares
/// overflow or vanish, and the memory of the copies.

#include <Sporos_Lanes.hpp>
#include <Sporos_Workspace.hpp>
#include <cross_correlation/problem/Sporos_CorrelateShape.hpp>

#include <algorithm>
#include <limits>

namespace Sporos {
namespace Impl {

/// Sums are cut by rows: the lanes of a thread sum a row, and rows are added by
/// the lanes of each thread, so that nothing depends on the size of the team,
/// or on how many teams share a matrix. On hosts, where a thread has one lane,
/// in their order.
template <class T, class A, class Member>
struct CenterMatrices {
  using Real = real_of<A>;
  struct Whole {};        ///< a team takes a matrix
  struct Sums {};         ///< a team takes `block` rows: sums them,
  struct Differences {};  ///< then subtracts the mean,
  struct Quotients {};    ///< then divides by the norm
  static constexpr int block     = 64;
  static constexpr Real smallest = std::numeric_limits<Real>::min(),
                        largest  = std::numeric_limits<Real>::max(),
                        epsilon  = std::numeric_limits<Real>::epsilon();

  MatrixBatch<const T> from;
  MatrixBatch<A> to;
  A *row_sums, *row_squares;  ///< (matrix, row)
  std::int64_t first_matrix;
  int m, h, w;
  bool normalize;

  KOKKOS_FUNCTION void operator()(Whole, const Member& team) const {
    const Rows rows{first_matrix + team.league_rank(), 0, h};
    sum_rows(team, rows);
    team.team_barrier();
    subtract_mean(team, rows);
    if (!normalize) return;
    team.team_barrier();
    divide_by_norm(team, rows);
  }
  KOKKOS_FUNCTION void operator()(Sums, const Member& team) const {
    sum_rows(team, rows_of(team));
  }
  KOKKOS_FUNCTION void operator()(Differences, const Member& team) const {
    subtract_mean(team, rows_of(team));
  }
  KOKKOS_FUNCTION void operator()(Quotients, const Member& team) const {
    divide_by_norm(team, rows_of(team));
  }

 private:
  struct Rows {
    std::int64_t matrix;
    int begin, end;
  };
  KOKKOS_FUNCTION Rows rows_of(const Member& team) const {
    const int blocks = ceil_div(h, block);
    const int begin  = team.league_rank() % blocks * block;
    return {first_matrix + team.league_rank() / blocks, begin,
            Math::min(begin + block, h)};
  }
  /// Relative to it values are exactly 0 in constant matrices.
  KOKKOS_FUNCTION A first_of(const Rows& r) const {
    return A(from(int(r.matrix / m), int(r.matrix % m), 0, 0));
  }

  KOKKOS_FUNCTION void sum_rows(const Member& team, const Rows& r) const {
    const int i = int(r.matrix / m), j = int(r.matrix % m);
    A* const sums = row_sums + r.matrix * h;
    const A first = first_of(r);
    Kokkos::parallel_for(
        Kokkos::TeamThreadRange(team, r.begin, r.end), [&](int y) {
          const A total = sum(team, w, [&](int x, A& part) {
            part += A(from(i, j, y, x)) - first;
          });
          Kokkos::single(Kokkos::PerThread(team), [&]() { sums[y] = total; });
        });
  }

  KOKKOS_FUNCTION void subtract_mean(const Member& team, const Rows& r) const {
    const int i = int(r.matrix / m), j = int(r.matrix % m);
    const A* const sums = row_sums + r.matrix * h;
    A* const squares    = row_squares + r.matrix * h;
    const A first       = first_of(r);
    const A mean = sum(team, h, [&](int y, A& part) { part += sums[y]; }) /
                   Real(Real(h) * Real(w));
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, r.begin, r.end),
                         [&](int y) {
                           const A square = sum(team, w, [&](int x, A& part) {
                             const A d = A(from(i, j, y, x)) - first - mean;
                             to(i, j, y, x) = d;
                             part           = add_conjugate_product(d, d, part);
                           });
                           Kokkos::single(Kokkos::PerThread(team),
                                          [&]() { squares[y] = square; });
                         });
  }

  KOKKOS_FUNCTION void divide_by_norm(const Member& team, const Rows& r) const {
    const int i = int(r.matrix / m), j = int(r.matrix % m);
    const A* const of_rows = row_squares + r.matrix * h;
    const Real squares =
        real(sum(team, h, [&](int y, A& part) { part += of_rows[y]; }));
    const Real n = Real(h) * Real(w);
    if (!(squares >= n * (smallest / epsilon) && squares <= largest))
      return center_scaled(team, r, n);
    const Real factor = Real(1) / Math::From::sqrt(squares);
    Kokkos::parallel_for(
        Kokkos::TeamThreadRange(team, r.begin, r.end), [&](int y) {
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, w), [&](int x) {
            to(i, j, y, x) = to(i, j, y, x) * factor;
          });
        });
  }

  /// From the inputs again, for squares that overflow or vanish: with halves of
  /// the elements, as their differences may overflow too, divided by their mean
  /// size. Each thread sums the whole matrix.
  KOKKOS_FUNCTION void center_scaled(const Member& team, const Rows& r,
                                     Real n) const {
    const int i = int(r.matrix / m), j = int(r.matrix % m);
    const A first      = first_of(r) * Real(0.5);
    const auto element = [&](int y, int x, Real scale) {
      return (A(from(i, j, y, x)) * Real(0.5) - first) * scale;
    };
    const auto sum_all = [&](const auto& f) {
      A total(0);
      for (int y = 0; y < h; ++y)
        total += sum(team, w, [&](int x, A& part) { f(y, x, part); });
      return total;
    };
    const A size     = sum_all([&](int y, int x, A& part) {
      part += size_of(element(y, x, Real(0.25) / n));
    });
    const Real scale = Real(1) / Math::max(smallest, real(size));
    const A mean =
        sum_all([&](int y, int x, A& part) { part += element(y, x, scale); }) /
        n;
    const A squares   = sum_all([&](int y, int x, A& part) {
      const A d = element(y, x, scale) - mean;
      part      = add_conjugate_product(d, d, part);
    });
    const Real norm   = Math::From::sqrt(real(squares));
    const Real factor = norm > Real(0) ? Real(1) / norm : Real(0);
    Kokkos::parallel_for(
        Kokkos::TeamThreadRange(team, r.begin, r.end), [&](int y) {
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, w), [&](int x) {
            to(i, j, y, x) = (element(y, x, scale) - mean) * factor;
          });
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

/// (n, m, h, w) matrices, less their means, to the workspace. A launch takes
/// at most `most` of them: leagues are counted by ints.
template <class Exec, class T, class A>
MatrixBatch<const A> center(const Exec& exec, const MatrixBatch<const T>& from,
                            int n, int m, int h, int w, bool normalize,
                            WorkspaceView<A, typename Exec::memory_space>& copy,
                            CenteredWorkspace<Exec, A>& space,
                            std::int64_t most = 1 << 30) {
  const std::size_t size = std::size_t(h) * std::size_t(w);
  MatrixBatch<A> to;
  to.data = copy.require(exec, std::size_t(n) * std::size_t(m) * size).data();
  to.x    = 1;
  to.y    = w;
  to.j    = std::ptrdiff_t(size);
  to.i    = std::ptrdiff_t(size) * m;
  using Kernel =
      CenterMatrices<T, A, typename Kokkos::TeamPolicy<Exec>::member_type>;
  const std::int64_t count = std::int64_t(n) * m;
  const std::size_t rows   = std::size_t(count) * std::size_t(h);
  const auto sums          = space.sums.require(exec, 2 * rows);
  constexpr int lanes      = lane_count<Exec, A>::vector;
  const int team           = is_host_space_v<Exec> ? 1 : std::min(16, h);
  Kernel kernel{from, to, sums.data(), sums.data() + rows, 0,
                m,    h,  w,           normalize};
  const auto launch = [&](auto tag, std::int64_t teams) {
    Kokkos::parallel_for(
        "Sporos::cross_correlate::center",
        Kokkos::TeamPolicy<Exec, decltype(tag)>(exec, int(teams), team, lanes),
        kernel);
  };
  const int blocks = ceil_div(h, Kernel::block);
  if (blocks > 1 && count * team * lanes < exec.concurrency()) {
    // few large matrices: several teams for each
    launch(typename Kernel::Sums{}, count * blocks);
    launch(typename Kernel::Differences{}, count * blocks);
    if (normalize) launch(typename Kernel::Quotients{}, count * blocks);
  } else {
    for (; kernel.first_matrix < count; kernel.first_matrix += most)
      launch(typename Kernel::Whole{},
             std::min(most, count - kernel.first_matrix));
  }
  return {to.data, to.i, to.j, to.y, to.x};
}

/// The problem with centred copies of left and right.
template <class Exec, class T, class A>
CorrelateProblem<A, A> centered_problem(const Exec& exec,
                                        const CorrelateProblem<T, A>& p,
                                        bool normalize,
                                        CenteredWorkspace<Exec, A>& space) {
  const CorrelateExtents& e = p.shape.extents;
  CorrelateProblem<A, A> c;
  c.shape = p.shape;
  c.out   = p.out;
  c.left  = center<Exec, T, A>(exec, p.left, e.n, 1, e.left_h, e.left_w,
                              normalize, space.left, space);
  // what all left matrices share is copied once
  const int n = p.right.i == 0 ? 1 : e.n;
  c.right     = center<Exec, T, A>(exec, p.right, n, e.m, e.right_h, e.right_w,
                               normalize, space.right, space);
  if (n == 1) c.right.i = 0;
  return c;
}

}  // namespace Impl
}  // namespace Sporos

#endif
