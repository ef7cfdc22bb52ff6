// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATEFOLD_HPP
#define SPOROS_CORRELATEFOLD_HPP

/// \file Sporos_CorrelateFold.hpp
/// Volumes as matrices, for the algorithms that sum by the definition: their
/// planes below each other, with rows of zeros between them. With `pitch` rows
/// from plane to plane the shift (dz, dy) of volumes is the shift dz pitch + dy
/// of matrices, so that a plane of shifts is a window of shifts. There are
/// enough zeros for all dy: none in mode `valid`, as many as rows of shifts in
/// mode `full`. Algorithms skip rows of a plane that meet none of the other
/// (team_per_shift multiplies zeros). Costs a copy of the volumes.

#include <Sporos_ForEachIndex.hpp>
#include <Sporos_Workspace.hpp>
#include <cross_correlation/problem/Sporos_CorrelateShape.hpp>

#include <algorithm>
#include <cstdint>

namespace Sporos {
namespace Impl {

/// The matrices of volumes, and the shifts that are computed: those with an
/// overlap in z and y.
struct CorrelateFold {
  CorrelateExtents volumes;
  CorrelateExtents extents;  ///< of the matrices
  ShiftWindow shifts;        ///< of the volumes
  int pitch = 0;

  CorrelateFold() = default;
  CorrelateFold(const char* name, const CorrelateShape& s) {
    const CorrelateExtents& e = s.extents;
    const auto met            = [](int left, int right, int& d0, int& d1) {
      d0 = std::clamp(d0, 1 - right, left);
      d1 = std::clamp(d1, d0, left);
    };
    shifts = s.shifts;
    met(e.left_d, e.right_d, shifts.dz0, shifts.dz1);
    met(e.left_h, e.right_h, shifts.dy0, shifts.dy1);
    pitch           = std::max({e.left_h, e.right_h, e.left_h - shifts.dy0,
                                shifts.dy1 - 1 + e.right_h});
    const auto rows = [&](int d, int h) { return (d - 1.) * pitch + h; };
    check(std::max(rows(e.left_d, e.left_h), rows(e.right_d, e.right_h)) <
              max_correlate_extent,
          name, "extents", "volumes with fewer than 2^29 rows in all",
          text(e.left_d, " and ", e.right_d, " planes of ", pitch, " rows"));
    volumes         = e;
    extents         = e;
    extents.left_h  = (e.left_d - 1) * pitch + e.left_h;
    extents.right_h = (e.right_d - 1) * pitch + e.right_h;
    extents.left_d = extents.right_d = 1;
  }
  bool empty() const { return shifts.planes() == 0 || shifts.rows() == 0; }

  /// The correlation of matrices that gives the plane dz of shifts.
  CorrelateShape plane(int dz) const {
    const int first = std::max(0, -dz);
    const int last  = std::min(volumes.right_d, volumes.left_d - dz);
    return {extents,
            {dz * pitch + shifts.dy0, dz * pitch + shifts.dy1, shifts.dx0,
             shifts.dx1},
            false,
            {pitch, volumes.left_h, volumes.right_h, dz, first, last}};
  }
  /// The plane of shifts that meets most planes.
  CorrelateShape middle() const {
    const int more = volumes.left_d - volumes.right_d;
    return plane(
        std::clamp(more / 2, shifts.dz0, std::max(shifts.dz0, shifts.dz1 - 1)));
  }
  /// Work of all planes of shifts, by that of the middle one.
  double planes() const {
    const auto work = [](const CorrelateShape& s) {
      return double(std::max(0, s.folded.last - s.folded.first));
    };
    double all = 0;
    for (int dz = shifts.dz0; dz < shifts.dz1; ++dz) all += work(plane(dz));
    return all / std::max(1., work(middle()));
  }
};

/// Copies the rows of volumes (i, j), or parts of them, to dense matrices.
template <class T>
struct FoldVolumes {
  MatrixBatch<const T> from;
  T* to;
  int m, d, h, w, pitch, rows, part;  ///< part: columns

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    const int across = ceil_div(w, part);
    const int x0     = int(index % across) * part;
    index /= across;
    T* const row = to + index * w;
    const int y = int(index % rows), z = y / pitch, in_plane = y % pitch;
    const int x1 = Math::min(x0 + part, w);
    if (in_plane >= h) {
      for (int x = x0; x < x1; ++x) row[x] = T(0);
      return;
    }
    const std::int64_t k = index / rows;
    const T* const data =
        from.matrix(int(k / m), int(k % m)) + z * from.z + in_plane * from.y;
    for (int x = x0; x < x1; ++x) row[x] = data[x * from.x];
  }
};

/// The matrices of (n, m) volumes of (d, h, w); their own memory if it is
/// already so.
template <class Exec, class T>
MatrixBatch<const T> fold_volumes(
    const Exec& exec, const MatrixBatch<const T>& from, int n, int m, int d,
    int h, int w, int pitch,
    WorkspaceView<T, typename Exec::memory_space>& space) {
  if (d == 1 || (pitch == h && from.z == h * from.y)) return from;
  const bool shared        = from.i == 0;
  const std::int64_t count = (shared ? std::int64_t(1) : n) * m;
  const int rows           = (d - 1) * pitch + h;
  const std::int64_t size  = std::int64_t(rows) * w;
  T* const to    = space.require_data(exec, std::size_t(count * size));
  const int part = is_host_space_v<Exec> ? w : 1;
  for_each_index("Sporos::cross_correlate::fold",
                 Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(
                     exec, 0, count * rows * ceil_div(w, part)),
                 FoldVolumes<T>{from, to, m, d, h, w, pitch, rows, part});
  return {to, shared ? 0 : std::ptrdiff_t(size) * m, std::ptrdiff_t(size), w,
          1};
}

/// Zeros for all shifts of the pairs that are computed.
template <class T, class A>
struct ClearResults {
  CorrelateProblem<T, A> p;
  int oz;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    const auto r = p.shape.result(index);
    if (!p.only.skips(r.i, r.j)) p.out.plane(oz)(r.i, r.j, r.oy, r.ox) = A(0);
  }
};

/// Workspaces of the matrices of volumes.
template <class Exec, class T>
struct FoldWorkspace {
  using Space = WorkspaceView<T, typename Exec::memory_space>;
  Space left{"Sporos::cross_correlate::folded_left"};
  Space right{"Sporos::cross_correlate::folded_right"};

  std::size_t bytes() const { return left.bytes() + right.bytes(); }
};

/// Correlates volumes, a plane of shifts at a time.
/// \param run(CorrelateProblem<T, A>) correlates matrices
template <class Exec, class T, class A, class Run>
void correlate_planes(const Exec& exec, const CorrelateProblem<T, A>& p,
                      const CorrelateFold& fold, FoldWorkspace<Exec, T>& space,
                      const Run& run) {
  const CorrelateExtents& e = p.shape.extents;
  const ShiftWindow &all = p.shape.shifts, &s = fold.shifts;
  if (s.planes() != all.planes() || s.rows() != all.rows())
    for (int oz = 0; oz < all.planes(); ++oz)
      for_each_index("Sporos::cross_correlate::clear",
                     Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(
                         exec, 0, p.shape.results()),
                     ClearResults<T, A>{p, oz});
  if (fold.empty()) return;
  CorrelateProblem<T, A> plane = p;
  plane.left  = fold_volumes(exec, p.left, e.n, 1, e.left_d, e.left_h, e.left_w,
                             fold.pitch, space.left);
  plane.right = fold_volumes(exec, p.right, e.n, e.m, e.right_d, e.right_h,
                             e.right_w, fold.pitch, space.right);
  for (int dz = s.dz0; dz < s.dz1; ++dz) {
    plane.shape = fold.plane(dz);
    plane.out   = p.out.plane(dz - all.dz0);
    plane.out.data += (s.dy0 - all.dy0) * p.out.y;
    run(plane);
  }
}

}  // namespace Impl
}  // namespace Sporos

#endif
