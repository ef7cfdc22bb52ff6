// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATEMOMENTS_HPP
#define SPOROS_CORRELATEMOMENTS_HPP

/// \file Sporos_CorrelateMoments.hpp
/// Mean subtraction and zero-mean normalisation. Copies the matrices, subtracts
/// their means and optionally divides by their norms; the algorithms then use
/// the copies. Costs three passes over the inputs and the memory of the copies.

#include <Sporos_Lanes.hpp>
#include <Sporos_Workspace.hpp>
#include <cross_correlation/problem/Sporos_CorrelateShape.hpp>

#include <algorithm>

namespace Sporos {
namespace Impl {

/// A team per matrix. Sums are cut by rows: the lanes of a thread sum a row,
/// and rows are added by the lanes of each thread, so that nothing depends on
/// the size of the team. On hosts, where a thread has one lane, in their order.
template <class T, class A, class Member>
struct CenterMatrices {
  using Real = real_of<A>;
  MatrixBatch<const T> from;
  MatrixBatch<A> to;
  A* row_sums;  ///< (matrix, row)
  std::int64_t first_matrix;
  int m, h, w;
  bool normalize;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::int64_t matrix = first_matrix + team.league_rank();
    const int i = int(matrix / m), j = int(matrix % m);
    A* const sums = row_sums + matrix * h;
    // relative to the first element: exactly 0 for constant matrices
    const A first = A(from(i, j, 0, 0));
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, h), [&](int y) {
      const A total = sum(team, w, [&](int x, A& part) {
        part += A(from(i, j, y, x)) - first;
      });
      Kokkos::single(Kokkos::PerThread(team), [&]() { sums[y] = total; });
    });
    team.team_barrier();
    const auto add_row = [&](int y, A& part) { part += sums[y]; };
    const A mean       = sum(team, h, add_row) / Real(Real(h) * Real(w));
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, h), [&](int y) {
      const A square = sum(team, w, [&](int x, A& part) {
        const A d      = A(from(i, j, y, x)) - first - mean;
        to(i, j, y, x) = d;
        part           = add_conjugate_product(d, d, part);
      });
      Kokkos::single(Kokkos::PerThread(team), [&]() { sums[y] = square; });
    });
    team.team_barrier();
    if (!normalize) return;
    const A squares = sum(team, h, add_row);
    Real norm;
    if constexpr (is_complex_v<A>)
      norm = Math::From::sqrt(squares.real());
    else
      norm = Math::From::sqrt(squares);
    const Real factor = norm > Real(0) ? Real(1) / norm : Real(0);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, h), [&](int y) {
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, w), [&](int x) {
        to(i, j, y, x) = to(i, j, y, x) * factor;
      });
    });
  }

 private:
  /// What f(k, part) adds to part for k < n, by the lanes of the calling thread
  template <class F>
  static KOKKOS_FUNCTION A sum(const Member& team, int n, const F& f) {
    A total(0);
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(team, n), [&](int k, A& part) { f(k, part); },
        total);
    return total;
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
  using Policy    = Kokkos::TeamPolicy<Exec>;
  using Kernel    = CenterMatrices<T, A, typename Policy::member_type>;
  const auto sums = space.sums.require(
      exec, std::size_t(n) * std::size_t(m) * std::size_t(h));
  constexpr int lanes      = lane_count<Exec, A>::vector;
  const int team           = is_host_space_v<Exec> ? 1 : std::min(16, h);
  const std::int64_t count = std::int64_t(n) * m;
  for (std::int64_t first = 0; first < count; first += most)
    Kokkos::parallel_for(
        "Sporos::cross_correlate::center",
        Policy(exec, int(std::min(most, count - first)), team, lanes),
        Kernel{from, to, sums.data(), first, m, h, w, normalize});
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
