// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Register tiles of devices against plain sums: every tile, of matrices and
/// volumes at any strides, whole and in tasks.

#ifndef SPOROS_TILECASES_HPP
#define SPOROS_TILECASES_HPP

#include "Sporos_CorrelateCases.hpp"
#include "random/Sporos_RandomDriver.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace Sporos {
namespace Test {

/// Strides of (i, j, z, y, x), x fastest, with gaps.
struct BatchStrides {
  int x_stride = 1;      ///< from element to element
  int row_gap  = 0;      ///< elements after a row
  int first    = 0;      ///< elements before the first one
  bool columns = false;  ///< y is faster than x
};

/// (i, j) matrices or volumes (z, y, x) in memory of a device.
template <class Exec, class T>
class TileBatch {
 public:
  using View = Kokkos::View<T*, typename Exec::memory_space>;

  /// Element number k, dense and x fastest, is f(k).
  template <class F>
  TileBatch(std::array<int, 5> n, const BatchStrides& s, const F& f) : m_n(n) {
    const int fast = s.columns ? n[3] : n[4], slow = s.columns ? n[4] : n[3];
    const std::ptrdiff_t row   = std::ptrdiff_t(fast) * s.x_stride + s.row_gap;
    const std::ptrdiff_t plane = row * slow;
    m_batch.y                  = s.columns ? s.x_stride : row;
    m_batch.x                  = s.columns ? row : s.x_stride;
    m_batch.z                  = plane;
    m_batch.j                  = plane * n[2];
    m_batch.i                  = m_batch.j * n[1];
    m_all   = View("matrices", std::size_t(m_batch.i * n[0] + s.first));
    m_host  = Kokkos::create_mirror_view(m_all);
    m_first = s.first;
    for (std::size_t k = 0; k < m_host.extent(0); ++k) m_host(k) = T(99);
    std::size_t number = 0;
    for_each([&](std::size_t at) { m_host(at) = f(number++); });
    Kokkos::deep_copy(m_all, m_host);
    m_batch.data = m_all.data() + s.first;
  }
  const Sporos::Impl::MatrixBatch<T>& batch() const { return m_batch; }
  Sporos::Impl::MatrixBatch<const T> const_batch() const {
    Sporos::Impl::MatrixBatch<const T> b;
    b.data = m_batch.data;
    b.i = m_batch.i, b.j = m_batch.j, b.y = m_batch.y, b.x = m_batch.x;
    b.z = m_batch.z;
    return b;
  }
  /// Dense, x fastest
  std::vector<T> get() const {
    Kokkos::deep_copy(m_host, m_all);
    std::vector<T> values;
    for_each([&](std::size_t at) { values.push_back(m_host(at)); });
    return values;
  }
  /// Is all that is no element as it was?
  bool gaps_are_untouched() const {
    Kokkos::deep_copy(m_host, m_all);
    std::vector<bool> used(m_host.extent(0));
    for_each([&](std::size_t at) { used[at] = true; });
    for (std::size_t k = 0; k < used.size(); ++k)
      if (!used[k] && m_host(k) != T(99)) return false;
    return true;
  }

 private:
  template <class F>
  void for_each(const F& f) const {
    const Sporos::Impl::MatrixBatch<T>& b = m_batch;
    for (int i = 0; i < m_n[0]; ++i)
      for (int j = 0; j < m_n[1]; ++j)
        for (int z = 0; z < m_n[2]; ++z)
          for (int y = 0; y < m_n[3]; ++y)
            for (int x = 0; x < m_n[4]; ++x)
              f(std::size_t(m_first + i * b.i + j * b.j + z * b.z + y * b.y +
                            x * b.x));
  }

  std::array<int, 5> m_n;
  std::ptrdiff_t m_first = 0;
  Sporos::Impl::MatrixBatch<T> m_batch;
  View m_all;
  decltype(Kokkos::create_mirror_view(std::declval<const View&>())) m_host;
};

/// Correlates by one tile. \param task_rows 0: overlaps are not cut
template <class Exec, class T, class A>
void correlate_by_tile(const Sporos::Impl::CorrelateProblem<T, A>& p,
                       bool volumes, int tile, int task_rows) {
  using namespace Sporos::Impl;
  const Exec exec;
  if (p.shape.empty()) return;
  CorrelateFold fold;
  FoldWorkspace<Exec, T> space;
  if (volumes) fold = CorrelateFold("tiles", p.shape);
  if (volumes && fold.empty())  // zeros
    return correlate_planes(exec, p, fold, space,
                            [](const CorrelateProblem<T, A>&) {});
  const CorrelateShape work = volumes ? fold.middle() : p.shape;
  const DeviceTiles d       = shape_device_tiles(work, tile, int(sizeof(A)));
  RowLaunches launches      = make_row_launches(
           work, pair_units(work.extents, 1, 1), d.block_rows(),
      task_rows > 0 ? WorkDistribution::rectangle : WorkDistribution::none,
           task_rows, d.vectors(work), sizeof(A), std::size_t(1) << 20);
  const Kokkos::View<A*, typename Exec::memory_space> slots(
      "slots", std::size_t(launches.slot_rows) * std::size_t(work.columns()));
  const RowSlots<A> of_slots{slots.data(), work.columns()};
  if (volumes)
    correlate_planes(
        exec, p, fold, space, [&](const CorrelateProblem<T, A>& plane) {
          for (RowTasks& t : launches.blocks) t.dy0 = plane.shape.shifts.dy0;
          correlate_device_tiles(exec, plane, d, launches, of_slots);
        });
  else
    correlate_device_tiles(exec, p, d, launches, of_slots);
  exec.fence();
}

/// A correlation, and how its matrices lie in memory.
struct TileCase {
  CorrelateCase c;
  BatchStrides left, right, out;
  int task_rows = 0;

  std::string name(int tile) const {
    std::ostringstream t;
    const ShiftWindow s = c.shifts();
    t << c.name() << ", shifts [" << s.dz0 << ", " << s.dz1 << ") x [" << s.dy0
      << ", " << s.dy1 << ") x [" << s.dx0 << ", " << s.dx1 << "), tile "
      << tile << ", tasks of " << task_rows << " rows";
    for (const BatchStrides* b : {&left, &right, &out})
      t << ", strides " << b->x_stride << ' ' << b->row_gap << ' ' << b->first
        << (b->columns ? " of columns" : "");
    return t.str();
  }
};

/// What is wrong with a tile; the results at the strides of the case must have
/// the bits of dense matrices.
template <class Exec, class T, class A>
std::string wrong_tile(const TileCase& t, int tile) {
  const CorrelateExtents& e = t.c.e;
  const ShiftWindow s       = t.c.shifts();
  const bool volumes        = t.c.operand == CorrelateOperand::volume;
  const auto value          = [](int side) {
    return [side](std::size_t k) {
      return correlate_value<T>(int(k), side, 7, 5);
    };
  };
  const std::array<int, 5> left_n{e.n, 1, e.left_d, e.left_h, e.left_w},
      right_n{e.n, e.m, e.right_d, e.right_h, e.right_w},
      out_n{e.n, e.m, s.planes(), s.rows(), s.columns()};
  std::vector<A> first;
  for (const bool dense : {true, false}) {
    const auto strides = [&](const BatchStrides& b) {
      return dense ? BatchStrides{} : b;
    };
    const TileBatch<Exec, T> left(left_n, strides(t.left), value(1)),
        right(right_n, strides(t.right), value(2));
    const TileBatch<Exec, A> out(out_n, strides(t.out),
                                 [](std::size_t) { return A(77); });
    Sporos::Impl::CorrelateProblem<T, A> p;
    p.shape = {e, s};
    p.left  = left.const_batch();
    p.right = right.const_batch();
    p.out   = out.batch();
    correlate_by_tile<Exec>(p, volumes, tile, t.task_rows);
    if (!out.gaps_are_untouched()) return "wrote beside out: " + t.name(tile);
    const std::vector<A> found = out.get();
    if (dense) {
      first = found;
      const auto expected =
          plain_correlate<A>(t.c, left.get(), right.get(), true);
      double off = 0;
      for (std::size_t k = 0; k < found.size(); ++k)
        off =
            larger_error(off, double(std::abs(widen(found[k]) - expected[k])));
      CorrelateOptions o;
      o.algorithm = CorrelateAlgorithm::tile;
      if (!(off <= correlate_tolerance<A>(t.c, o)))
        return "off by " + std::to_string(off) + ": " + t.name(tile);
    } else if (!found.empty() && std::memcmp(first.data(), found.data(),
                                             found.size() * sizeof(A)) != 0) {
      return "other bits: " + t.name(tile);
    }
  }
  return "";
}

/// Odd, prime and single extents, aligned rows and others, several chunks.
inline std::vector<TileCase> tile_cases() {
  std::vector<TileCase> all;
  const auto add = [&](CorrelateOperand operand, const CorrelateExtents& e,
                       const ShiftWindow& window, BatchStrides left,
                       BatchStrides right, int task_rows) {
    TileCase t;
    t.c.e       = e;
    t.c.operand = operand;
    t.c.mode =
        window.dx0 < window.dx1 ? CorrelateMode::window : CorrelateMode::full;
    t.c.window  = window;
    t.left      = left;
    t.right     = right;
    t.task_rows = task_rows;
    all.push_back(t);
  };
  using O = CorrelateOperand;
  const ShiftWindow full{};
  // aligned, and one element beside that
  add(O::matrix, {1, 2, 24, 32, 20, 28}, {-8, 9, -8, 9}, {1, 1, 1}, {1, 3}, 0);
  // rows longer than the aligned part; several chunks of columns
  add(O::matrix, {1, 1, 7, 133, 5, 129}, {-1, 2, -7, 4}, {1, 4, 4}, {2}, 0);
  // one element, one column, a prime extent, tasks
  add(O::matrix, {2, 1, 1, 1, 1, 1}, full, {}, {1, 0, 3}, 0);
  add(O::matrix, {1, 1, 37, 1, 31, 3}, full, {1, 0, 0, true}, {}, 5);
  add(O::matrix, {1, 1, 17, 13, 19, 11}, full, {2, 1}, {1, 0, 0, true}, 8);
  add(O::signal, {2, 2, 1, 101, 1, 67}, full, {1, 3, 1}, {2}, 0);
  add(O::volume, {1, 1, 6, 9, 5, 12, 3, 4}, {-6, 7, -9, 10, -1, 3}, {1, 3, 4},
      {1, 0, 0, true}, 0);
  // shifts that meet nothing
  add(O::matrix, {1, 1, 3, 5, 2, 4}, {40, 43, -2, 9}, {}, {}, 0);
  return all;
}

/// Signals, matrices and volumes of any extents, shifts and strides.
inline TileCase random_tile_case(RandomCase& random) {
  TileCase t;
  CorrelateCase& c = t.c;
  c.operand =
      random.one_of({CorrelateOperand::signal, CorrelateOperand::matrix,
                     CorrelateOperand::matrix, CorrelateOperand::volume});
  const bool volumes = c.operand == CorrelateOperand::volume;
  const auto extent  = [&](bool more) {
    if (!more) return 1;
    if (random.chance(40))
      return random.one_of({1, 2, 3, 5, 7, 13, 16, 31, 32, 64, 65});
    return random.integer(1, random.one_of({4, 17, 40, 75}));
  };
  const auto strides = [&] {
    BatchStrides b;
    if (random.chance(20)) b.x_stride = 2;
    if (random.chance(50)) b.row_gap = random.integer(0, 8);
    if (random.chance(50)) b.first = random.integer(0, 8);
    b.columns = random.chance(20);
    return b;
  };
  do {
    const bool rows = c.operand != CorrelateOperand::signal;
    c.e             = {random.integer(1, 2), random.integer(1, 2), extent(rows),
                       extent(true),         extent(rows),         extent(true)};
    if (random.chance(40)) c.e.right_h = c.e.left_h, c.e.right_w = c.e.left_w;
    if (volumes) c.e.left_d = random.integer(1, 4);
    if (volumes) c.e.right_d = random.integer(1, 4);
    c.mode = random.one_of(
        {CorrelateMode::full, CorrelateMode::window, CorrelateMode::window});
    const auto range = [&](int left, int right, int& d0, int& d1) {
      const int beyond = random.chance(20) ? 10 : 0;
      d0               = random.integer(-right - beyond, left + beyond);
      d1 = d0 + random.integer(1, random.one_of({4, 20, left + right}));
    };
    range(c.e.left_d, c.e.right_d, c.window.dz0, c.window.dz1);
    range(c.e.left_h, c.e.right_h, c.window.dy0, c.window.dy1);
    range(c.e.left_w, c.e.right_w, c.window.dx0, c.window.dx1);
    if (!rows) c.window.dy0 = 0, c.window.dy1 = 1;
    if (!volumes) c.window.dz0 = 0, c.window.dz1 = 1;
  } while (double(c.e.n) * c.e.m * c.shifts().planes() * c.shifts().rows() *
               c.shifts().columns() * std::min(c.e.left_d, c.e.right_d) *
               std::min(c.e.left_h, c.e.right_h) *
               std::min(c.e.left_w, c.e.right_w) >
           1e6);
  t.left  = strides();
  t.right = strides();
  t.out   = strides();
  if (c.operand == CorrelateOperand::matrix && random.chance(30))
    t.task_rows = random.integer(1, 20);
  return t;
}

/// A random case of a random tile, of sums of type A.
template <class Exec, class T, class A>
std::string wrong_random_tile(RandomCase& random) {
  const TileCase t = random_tile_case(random);
  int tile         = 0;
  do tile = random.integer(0, Sporos::Impl::device_tile_count - 1);
  while (!Sporos::Impl::fits_registers(Sporos::Impl::device_tiles[tile],
                                       int(sizeof(A))));
  return wrong_tile<Exec, T, A>(t, tile);
}

}  // namespace Test
}  // namespace Sporos

#endif  // SPOROS_TILECASES_HPP
