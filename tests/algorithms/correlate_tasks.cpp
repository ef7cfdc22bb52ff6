// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Work distribution of cross-correlation: launches that follow one another so
// that slots stay bounded, numbers of tasks beyond 2^31, staged rows.

#include "Sporos_CorrelateCases.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace CorrelateTasks {

using namespace Sporos;
using Sporos::Impl::RowLaunch;
using Sporos::Impl::RowLaunches;
using Sporos::Impl::RowTasks;
using Test::Spaces;

template <class Exec, class T = float>
using Matrices = Kokkos::View<T***, Exec>;
template <class Exec, class T = float>
using Results = Kokkos::View<T****, Kokkos::LayoutRight, Exec>;

template <class Exec, class T = float>
Matrices<Exec, T> matrices(int n, int h, int w, int side) {
  const Matrices<Exec, T> m("matrices", n, h, w);
  const auto host = Kokkos::create_mirror_view(m);
  for (int i = 0; i < n; ++i)
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x)
        host(i, y, x) = Test::correlate_value<T>(i, y, x, side);
  Kokkos::deep_copy(m, host);
  return m;
}

CorrelateOptions distributed(CorrelateAlgorithm algorithm, WorkDistribution d,
                             int rows_per_task) {
  CorrelateOptions o;
  o.pairing       = Pairing::n_to_m;
  o.algorithm     = algorithm;
  o.distribution  = d;
  o.rows_per_task = rows_per_task;
  return o;
}

TEMPLATE_LIST_TEST_CASE("results do not depend on where launches are cut",
                        "[correlate]", Spaces) {
  using Exec       = TestType;
  const auto left  = matrices<Exec>(3, 9, 11, 0);
  const auto right = matrices<Exec>(5, 7, 13, 5);
  const Results<Exec> out("out", 3, 5, 15, 23);
  std::vector<CorrelateOptions> all;
  for (const auto d : {WorkDistribution::rectangle, WorkDistribution::triangle})
    for (const auto a : {CorrelateAlgorithm::shuffle,
                         CorrelateAlgorithm::lane_group_per_shift})
      all.push_back(distributed(a, d, 2));
  for (const auto d :
       {WorkDistribution::rectangle, WorkDistribution::triangle}) {
    CorrelateOptions o = distributed(CorrelateAlgorithm::shuffle, d, 1);
    o.left_matrices = o.right_matrices = 2;
    o.left_rows = o.right_rows = 4;
    all.push_back(o);
  }
  for (const CorrelateOptions& o : all) {
    const CrossCorrelatePlan<Exec, float> plan(Exec(), {3, 5, 9, 11, 7, 13}, o);
    cross_correlate(plan, left, right, out);
    const auto expected = Test::host_values(out);
    std::size_t before  = 0;
    for (const std::size_t bytes : {1, 5000, 20000, 60000}) {
      const CrossCorrelatePlan<Exec, float> cut(Exec(), {3, 5, 9, 11, 7, 13},
                                                o);
      cut.state().make_tasks(Exec(), bytes);
      Kokkos::deep_copy(out, 77);
      cross_correlate(cut, left, right, out);
      INFO("algorithm " << int(o.algorithm) << ", distribution "
                        << int(o.distribution) << ", " << bytes << " bytes");
      CHECK(Test::host_values(out) == expected);
      CHECK(cut.state().slots.bytes() >= before);
      before = cut.state().slots.bytes();
      CHECK(before <= std::max<std::size_t>(bytes, 12000));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("tasks of more rows than there are", "[correlate]",
                        Spaces) {
  using Exec       = TestType;
  const auto left  = matrices<Exec>(1, 9, 11, 0);
  const auto right = matrices<Exec>(1, 7, 13, 5);
  const Results<Exec> out("out", 1, 1, 15, 23);
  for (const auto a :
       {CorrelateAlgorithm::shuffle, CorrelateAlgorithm::lane_group_per_shift})
    for (const auto d :
         {WorkDistribution::rectangle, WorkDistribution::triangle}) {
      cross_correlate(left, right, out, distributed(a, d, 9));
      const auto expected = Test::host_values(out);
      for (const int rows : {10, INT_MAX - 2, INT_MAX}) {
        Kokkos::deep_copy(out, 77);
        cross_correlate(left, right, out, distributed(a, d, rows));
        INFO("algorithm " << int(a) << ", distribution " << int(d) << ", "
                          << rows << " rows");
        CHECK(Test::host_values(out) == expected);
      }
    }
}

TEMPLATE_LIST_TEST_CASE("slots are bounded", "[correlate]", Spaces) {
  using Exec = TestType;
  // a pair needs 129 kB
  const int n = 20, m = Test::slow_run ? 2 : 32, size = 24;
  const auto left  = matrices<Exec>(n, size, size, 0);
  const auto right = matrices<Exec>(m, size, size, 5);
  const Results<Exec> out("out", n, m, 2 * size - 1, 2 * size - 1);
  const CrossCorrelatePlan<Exec, float> plan(
      Exec(), {n, m, size, size, size, size},
      distributed(CorrelateAlgorithm::shuffle, WorkDistribution::triangle, 1));
  cross_correlate(plan, left, right, out);
  CHECK(plan.bytes() <= (std::size_t(64) << 20) + 1000);
  // rows of shifts of one pair: 128 MiB of slots in all
  const int tall = 256, wide = 512;
  const Matrices<Exec> column = matrices<Exec>(1, tall, 1, 0);
  const Results<Exec> row("row", 1, 1, 2 * tall - 1, wide);
  auto o =
      distributed(CorrelateAlgorithm::shuffle, WorkDistribution::triangle, 1);
  o.mode   = CorrelateMode::window;
  o.window = {1 - tall, tall, -wide / 2, wide / 2};
  const CrossCorrelatePlan<Exec, float> one(Exec(), {1, 1, tall, 1, tall, 1},
                                            o);
  cross_correlate(one, column, column, row);
  CHECK(one.bytes() <= (std::size_t(64) << 20) + 4 * 512);
  const auto sums = Test::host_values(row);
  const auto c    = Test::host_values(column);
  int wrong       = 0;
  for (int dy = 1 - tall; dy < tall; ++dy)
    for (int dx = -wide / 2; dx < wide / 2; ++dx) {
      float sum = 0;
      for (int y = std::max(0, -dy); y < std::min(tall, tall - dy) && dx == 0;
           ++y)
        sum += c[std::size_t(y + dy)] * c[std::size_t(y)];
      wrong += !(
          std::abs(sum -
                   sums[std::size_t((dy + tall - 1) * wide + dx + wide / 2)]) <
          1e-3f);
    }
  CHECK(wrong == 0);
}

/// Matrices of h x w, right ones of right_h x right_w, and shifts.
struct BandCase {
  int h, w, right_h, right_w;
  ShiftWindow window;
};

/// Do bands of rows, of which results are added, give what `basic` does, and
/// the bits of a pair whether it is alone or one of many?
template <class T, class Exec>
void check_bands(const BandCase& c, CorrelateAlgorithm algorithm) {
  const int n = 4, m = 5;
  const auto left  = matrices<Exec, T>(n, c.h, c.w, 0);
  const auto right = matrices<Exec, T>(m, c.right_h, c.right_w, 5);
  const Results<Exec, T> out("out", n, m, c.window.dy1 - c.window.dy0,
                             c.window.dx1 - c.window.dx0);
  CorrelateOptions o;
  o.pairing   = Pairing::n_to_m;
  o.mode      = CorrelateMode::window;
  o.window    = c.window;
  o.algorithm = CorrelateAlgorithm::basic;
  cross_correlate(left, right, out, o);
  const auto expected = Test::host_values(out);
  o.algorithm         = algorithm;
  const auto plan_of  = [&](int lefts, int rights, std::ptrdiff_t slots) {
    const CrossCorrelatePlan<Exec, T> plan(
         Exec(), {lefts, rights, c.h, c.w, c.right_h, c.right_w}, o);
    auto& tiles = plan.state().definition.tiles;
    tiles.cache = 1;
    tiles.slots = slots;
    CHECK(Impl::TileScratch<T>(plan.state().work, tiles).bands > 1);
    return plan;
  };
  Kokkos::deep_copy(out, T(77));
  cross_correlate(plan_of(n, m, 1 << 20), left, right, out);
  const auto found = Test::host_values(out);
  double off       = 0;
  for (std::size_t k = 0; k < found.size(); ++k)
    off = Test::larger_error(
        off, std::abs(std::complex<double>(Test::widen(found[k])) -
                      std::complex<double>(Test::widen(expected[k]))));
  CHECK(off < (std::is_integral<T>::value ? 1e-9 : 1e-4));
  const Results<Exec, T> alone("alone", 1, 1, out.extent(2), out.extent(3));
  const auto first = std::make_pair(0, 1);
  for (const std::ptrdiff_t slots : {1 << 20, 0}) {  // bands or blocks
    Kokkos::deep_copy(alone, T(77));
    cross_correlate(plan_of(1, 1, slots),
                    Kokkos::subview(left, first, Kokkos::ALL, Kokkos::ALL),
                    Kokkos::subview(right, first, Kokkos::ALL, Kokkos::ALL),
                    alone);
    const auto one = Test::host_values(alone);
    CHECK(std::memcmp(one.data(), found.data(), one.size() * sizeof(T)) == 0);
  }
}

TEST_CASE("large matrices are correlated in bands of rows", "[correlate]") {
  using Exec             = Kokkos::DefaultHostExecutionSpace;
  const BandCase cases[] = {{100, 7, 90, 9, {-2, 3, -3, 4}},
                            {70, 40, 70, 40, {0, 1, 0, 1}},
                            {65, 5, 200, 6, {-120, -100, -2, 3}},
                            {200, 6, 65, 5, {100, 130, -2, 3}},
                            {150, 3, 150, 3, {-20, 21, -2, 3}},
                            {90, 3, 150, 3, {-160, -100, 2, 4}}};
  for (const auto& c : cases)
    for (const auto a :
         {CorrelateAlgorithm::tile, CorrelateAlgorithm::lane_group_per_shift}) {
      INFO(c.h << " x " << c.w << ", " << c.right_h << " x " << c.right_w
               << ", algorithm " << int(a));
      check_bands<int, Exec>(c, a);
      check_bands<float, Exec>(c, a);
      check_bands<Kokkos::complex<float>, Exec>(c, a);
    }
}

/// Staged lane groups, in teams of an odd size on devices: what Kokkos keeps
/// before their scratch is then no multiple of 16 bytes.
template <class Exec>
void check_staged_alignment() {
  using A      = Kokkos::complex<double>;
  using Policy = Kokkos::TeamPolicy<Exec>;
  using Kernel = Impl::LaneGroupPerShift<Impl::lane_space<Exec>, A, A,
                                         typename Policy::member_type>;
  const int n = 6, team = Impl::is_host_space_v<Exec> ? 1 : 7, staged = 2;
  const Kokkos::View<A**, Exec> m("m", n, n), out("out", 2 * n - 1, 2 * n - 1),
      expected("expected", 2 * n - 1, 2 * n - 1);
  const auto host = Kokkos::create_mirror_view(m);
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x)
      host(y, x) = Test::correlate_value<A>(0, y, x, 0);
  Kokkos::deep_copy(m, host);
  CorrelateOptions o;
  o.algorithm    = CorrelateAlgorithm::lane_group_per_shift;
  o.staged       = true;
  o.distribution = WorkDistribution::none;
  const CrossCorrelatePlan<Exec, A> plan(Exec(), {1, 1, n, n, n, n}, o);
  cross_correlate(plan, m, m, expected);
  const int vectors = Impl::ceil_div(2 * n - 1, team);
  const auto p      = Impl::correlate_problem<A, A>(plan.state().shape,
                                               plan.options(), m, m, out);
  const auto& tasks = plan.state().launches.blocks.front();
  const Impl::PairUnits units = Impl::pair_units(p.shape.extents, 1, 1);
  Policy policy(Exec(), tasks.total * vectors, team,
                lane_count<Exec, A>::vector);
  policy.set_scratch_size(
      0, Kokkos::PerTeam(Impl::staged_scratch<A>(p.shape.extents, staged)));
  Kokkos::parallel_for("Sporos::test::staged", policy,
                       Kernel{p, {tasks, units, 0, 1}, {}, vectors, staged});
  const auto a = Test::host_copy(out);
  const auto b = Test::host_copy(expected);
  for (std::size_t k = 0; k < a.span(); ++k)
    CHECK(Kokkos::abs(a.data()[k] - b.data()[k]) < 1e-12);
}

TEMPLATE_LIST_TEST_CASE("staged rows of 16-byte numbers are aligned",
                        "[correlate]", Spaces) {
  check_staged_alignment<TestType>();
}

TEMPLATE_LIST_TEST_CASE("tests run every algorithm and all its variants",
                        "[correlate]", Spaces) {
  using A         = CorrelateAlgorithm;
  using D         = WorkDistribution;
  const auto all  = Test::correlate_algorithms<TestType>(Test::CorrelateCase{},
                                                        Pairing::n_to_m, 4);
  const auto some = [&](const auto& f) {
    return std::any_of(
        all.begin(), all.end(),
        [&](const Test::NamedCorrelate& a) { return f(a.options); });
  };
  for (int a = 0; a <= int(A::fft); ++a) {
    INFO("algorithm " << a);
    CHECK(
        (some([&](const CorrelateOptions& o) { return o.algorithm == A(a); }) ||
         (A(a) == A::fft && !Impl::has_correlate_fft<TestType>)));
  }
  for (const D d : {D::none, D::rectangle, D::triangle}) {
    INFO("distribution " << int(d));
    CHECK(some([&](const CorrelateOptions& o) {
      return o.algorithm == A::shuffle && o.distribution == d;
    }));
    for (const bool staged : {false, true})
      CHECK((some([&](const CorrelateOptions& o) {
        return o.algorithm == A::lane_group_per_shift && o.staged == staged &&
               (o.distribution == d ||
                (d == D::none && o.distribution == D::automatic));
      })));
  }
  for (const auto& g : Impl::shuffle_groups)
    CHECK(some([&](const CorrelateOptions& o) {
      return o.algorithm == A::shuffle && o.left_matrices == g.left_matrices &&
             o.right_matrices == g.right_matrices &&
             o.left_rows == g.left_rows && o.right_rows == g.right_rows;
    }));
}

/// Are all tasks done once, with numbers that fit?
std::int64_t count_tasks(const RowLaunches& all, std::int64_t workers_per_task,
                         std::int64_t slot_limit) {
  std::int64_t tasks = 0, wrong = 0;
  all.for_each([&](const RowLaunch& launch) {
    const RowTasks& t = launch.tasks;
    tasks += launch.count * t.total;
    wrong += t.total <= 0 || launch.count <= 0 || t.blocks <= 0;
    wrong += launch.count * t.total * workers_per_task >= (1LL << 31);
    wrong += t.blocks > 1 && launch.count * t.total > slot_limit;
  });
  CHECK(wrong == 0);
  return tasks;
}

TEST_CASE("numbers of tasks beyond 2^31", "[correlate]") {
  using Sporos::Impl::make_row_launches;
  const int h                 = 65536;
  const CorrelateExtents tall = {1, 1, h, 1, h, 1};
  const Impl::CorrelateShape shape{tall, {1 - h, h, 0, 1}};
  CHECK(count_tasks(make_row_launches(shape, Impl::pair_units(tall, 1, 1), 1,
                                      WorkDistribution::triangle, 1, 1, 4,
                                      Impl::slot_bytes),
                    1, 1 << 24) == std::int64_t(h) * h);
  // many pairs, no slots: workers of a launch fit into an int
  const int n                 = 200000;
  const CorrelateExtents many = {n, n, 2, 2, 2, 2};
  const Impl::CorrelateShape small{many, {-1, 2, -1, 2}};
  CHECK(count_tasks(make_row_launches(small, Impl::pair_units(many, 1, 1), 1,
                                      WorkDistribution::none, 0, 1, 4,
                                      Impl::slot_bytes),
                    1, 1LL << 31) == 3 * std::int64_t(n) * n);
}

// A cyclic correlation of the size of transforms against the definition.
TEST_CASE("transforms of all windows are large enough, and no larger",
          "[correlate]") {
  const auto value = [](int k, int side) {
    return Test::correlate_value<int>(0, 0, k, side);
  };
  int wrong = 0, outside = 0;
  for (int left = 1; left <= 7; ++left)
    for (int right = 1; right <= 7; ++right)
      for (int d0 = -11; d0 < 11; ++d0)
        for (int d1 = d0 + 1; d1 <= 12; ++d1) {
          const Impl::FftAxis a = Impl::fft_axis(left, right, d0, d1);
          std::vector<int> padded(std::size_t(a.size));
          outside += a.left_offset < 0 || a.left_begin < 0 ||
                     a.left_begin + a.left_count > left || right > a.size ||
                     d1 - d0 > a.size || a.left_offset + a.left_count > a.size;
          REQUIRE(outside == 0);
          for (int k = 0; k < a.left_count; ++k)
            padded[std::size_t(a.left_offset + k)] = value(a.left_begin + k, 0);
          for (int d = d0; d < d1; ++d) {
            int cyclic = 0, sum = 0;
            for (int y = 0; y < right; ++y) {
              cyclic +=
                  padded[std::size_t((y + d - d0) % a.size)] * value(y, 5);
              if (y + d >= 0 && y + d < left)
                sum += value(y + d, 0) * value(y, 5);
            }
            wrong += cyclic != sum;
          }
        }
  CHECK(wrong == 0);
  const auto size = [](int d0, int d1) {
    return Impl::fft_axis(32, 32, d0, d1).size;
  };
  CHECK(size(-31, 32) == 64);
  CHECK(size(8, 16) == 40);
  CHECK(size(20, 28) == 40);
  CHECK(size(-27, -19) == 40);
  CHECK(size(100000, 100008) == 40);
  CHECK(size(-100000, -99992) == 40);
}

TEST_CASE("devices take compiled groups and tasks that fill them",
          "[correlate]") {
  const auto shape = [](int n, int m, int h) {
    return Impl::CorrelateShape{{n, m, h, h, h, h}, {1 - h, h, 1 - h, h}};
  };
  for (const int bytes : {4, 8, 16})
    for (const Pairing pairing : {Pairing::one_to_one, Pairing::n_to_m})
      for (const int m : {1, 3, 4, 9})
        for (const int n : {1, 2, 5})
          for (const int h : {1, 7, 9, 64}) {
            CorrelateOptions o;
            o.pairing = pairing;
            Impl::automatic_group(shape(n, m, h), o, bytes);
            const Impl::ShuffleGroup g =
                Impl::shuffle_groups[Impl::choose_group(o, bytes)];
            CHECK(g.left_matrices == o.left_matrices);
            CHECK(g.right_rows == o.right_rows);
            CHECK(g.left_matrices <= n);
            CHECK(g.right_matrices <= m);
            CHECK((h < 8 || g.right_rows > 1 || (m >= 4 && bytes == 16)));
            CHECK((h >= 8 || g.left_rows == 1));
          }
  // fewer lanes: smaller tasks, of 4 rows at least
  const double all = Impl::device_table.split_lanes;
  const auto rows  = [&](double lanes) {
    return Impl::automatic_task_rows(shape(1, 1, 512), lanes, all, 4);
  };
  CHECK(rows(1) == 4);
  CHECK(rows(all / 8) == 64);
  CHECK(rows(all / 2) == 256);
  CHECK(rows(all / 100) == 4);
  CHECK(rows(all / 30) == 16);
  CHECK(rows(all / 65) == 8);
}

TEST_CASE("devices take tiles that fit the shifts", "[correlate]") {
  const auto shape = [](int h, int w, int rows, int columns) {
    return Impl::CorrelateShape{
        {1, 1, h, w, h, w},
        {-(rows / 2), (rows + 1) / 2, -(columns / 2), (columns + 1) / 2}};
  };
  const auto few = Impl::plan_device_tiles<float>(shape(64, 64, 17, 17));
  CHECK(few.tile().rows == 6);
  CHECK(few.tile().columns == 6);
  CHECK(few.warps() == 9);
  const auto all = Impl::plan_device_tiles<float>(shape(128, 128, 255, 255));
  CHECK(all.tile().shifts() == 64);
  CHECK(all.warps() == 8);
  CHECK(Impl::plan_device_tiles<float>(shape(1, 1000, 1, 1999)).tile().rows ==
        1);
  // what there is fits, and lanes take no more than a block from a chunk
  for (const int bytes : {4, 8, 16})
    for (int k = 0; k < Impl::device_tile_count; ++k)
      for (const int rows : {1, 2, 5, 17, 40, 1000})
        for (const int columns : {1, 7, 17, 33, 1000}) {
          const Impl::DeviceTile& t = Impl::device_tiles[k];
          if (!Impl::fits_registers(t, bytes)) continue;
          const auto s = shape(500, 300, rows, columns);
          const auto d = Impl::shape_device_tiles(s, k, bytes);
          INFO(bytes << " bytes, tile " << k << ", " << rows << " x " << columns
                     << " shifts");
          CHECK(d.scratch(bytes) <= Impl::tile_scratch_bytes);
          CHECK(d.warps() <= Impl::most_tile_warps);
          CHECK(d.chunk_rows % 4 == 0);
          CHECK(d.left_pitch % 8 == 4);
          CHECK(d.chunk_rows * Impl::chunk_columns(t, bytes) <=
                Impl::long_float_block_terms * 32);
          CHECK(d.vectors(s) * d.block_columns() >= columns);
        }
}

TEMPLATE_LIST_TEST_CASE("matrices are centred by several launches",
                        "[correlate]", Spaces) {
  using Exec  = TestType;
  const int n = 5, h = 3, w = 4;
  const auto m = matrices<Exec>(n, h, w, 0);
  const Impl::MatrixBatch<const float> from{
      m.data(), std::ptrdiff_t(m.stride(0)), 0, std::ptrdiff_t(m.stride(1)),
      std::ptrdiff_t(m.stride(2))};
  const auto centred = [&](std::int64_t most) {
    Impl::CenteredWorkspace<Exec, float> space;
    Kokkos::deep_copy(space.left.require(Exec(), std::size_t(n) * h * w), -7.f);
    Impl::center<Exec, float, float>(Exec(), from, n, 1, 1, h, w, true, 0.,
                                     space.left, space, most);
    return Test::host_values(
        space.left.require(Exec(), std::size_t(n) * h * w));
  };
  const auto at_once = centred(n);
  for (const int most : {1, 2, 4}) CHECK(centred(most) == at_once);
}

/// value(i, y, x) of n matrices, less their means: all, or the first one.
template <class Exec, class Value>
std::vector<float> centred(int n, int count, int h, int w, bool normalize,
                           const Value& value) {
  const Kokkos::View<float***, Exec> m("m", n, h, w);
  const auto host = Kokkos::create_mirror_view(m);
  for (int i = 0; i < n; ++i)
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x) host(i, y, x) = value(i, y, x);
  Kokkos::deep_copy(m, host);
  const Impl::MatrixBatch<const float> from{
      m.data(), std::ptrdiff_t(m.stride(0)), 0, std::ptrdiff_t(m.stride(1)),
      std::ptrdiff_t(m.stride(2))};
  Impl::CenteredWorkspace<Exec, float> space;
  Impl::center<Exec, float, float>(Exec(), from, count, 1, 1, h, w, normalize,
                                   0., space.left, space);
  auto all = Test::host_values(
      space.left.require(Exec(), std::size_t(count) * std::size_t(h * w)));
  all.resize(std::size_t(h * w));
  return all;
}

// A matrix alone is cut into rows for several teams; one of many is not.
TEMPLATE_LIST_TEST_CASE("matrices are centred alike alone and among others",
                        "[correlate]", Spaces) {
  using Exec        = TestType;
  const int threads = Impl::is_host_space_v<Exec> ? 1 : 512;  // of a team
  const int n       = Impl::ceil_div(Exec().concurrency(), threads);
  const auto check  = [&](int h, int w, bool normalize, float scale) {
    INFO(h << " x " << w << ", normalize " << normalize << ", " << scale);
    const auto value = [&](int i, int y, int x) {
      return scale * Test::correlate_value<float>(i, y, x, 0);
    };
    const auto alone = centred<Exec>(n, 1, h, w, normalize, value);
    CHECK(centred<Exec>(n, n, h, w, normalize, value) == alone);
    const double size = normalize ? 1 : scale;
    double sum = 0, squares = 0;
    for (const float v : alone) {
      sum += v / size;
      squares += double(v) * v;
    }
    // on devices half a unit in the last place of the mean for each element
    const double rounding = Impl::is_host_space_v<Exec> ? 0 : 6e-8 * h * w;
    CHECK(std::fabs(sum) < std::max(1e-3, rounding));
    if (normalize) CHECK(std::fabs(squares - 1) < 1e-4);
  };
  for (const bool normalize : {false, true}) {
    check(150, 3, normalize, 1);
    if (!Test::slow_run) check(70000, 1, normalize, 1);
  }
  // squares vanish, and overflow
  for (const float scale : {1e-25f, 1e30f}) check(150, 3, true, scale);
  const auto same = [](int, int, int) { return 7.f; };
  for (const float v : centred<Exec>(n, 1, 150, 3, true, same)) CHECK(v == 0);
}

TEMPLATE_LIST_TEST_CASE("an element far from all others costs no digits",
                        "[correlate]", Spaces) {
  const int h = 40, w = 50;
  for (const auto& place : {std::make_pair(0, 0), std::make_pair(20, 25),
                            std::make_pair(39, 49), std::make_pair(3, 7)}) {
    const auto value = [&](int, int y, int x) {
      return std::make_pair(y, x) == place ? 1e6f
                                           : 100 + float(y * w + x) / 1024;
    };
    const auto found = centred<TestType>(1, 1, h, w, false, value);
    double mean      = 0;
    for (int k = 0; k < h * w; ++k) mean += value(0, k / w, k % w);
    mean /= h * w;
    double worst = 0;
    for (int k = 0; k < h * w; ++k) {
      const double exact = value(0, k / w, k % w) - mean;
      worst =
          Test::larger_error(worst, std::fabs(found[std::size_t(k)] - exact) /
                                        std::fmax(std::fabs(exact), mean));
    }
    INFO(place.first << ' ' << place.second);
    CHECK(worst < 2e-6);
  }
}

}  // namespace CorrelateTasks
