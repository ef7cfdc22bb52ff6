// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What cross_correlate and its plans refuse.

#include "Sporos_WrongCalls.hpp"

#include <Sporos_CrossCorrelate.hpp>

#include <climits>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace WrongCorrelateCalls {

using namespace Sporos;
using Test::HostExec;
using Test::HostMemory;
using Test::Untouched;
using Test::WrongCall;

using Right = Kokkos::LayoutRight;
using M2 = Kokkos::View<double**, Right, HostMemory, Kokkos::MemoryUnmanaged>;
using M3 = Kokkos::View<double***, Right, HostMemory, Kokkos::MemoryUnmanaged>;
using M4 = Kokkos::View<double****, Right, HostMemory, Kokkos::MemoryUnmanaged>;
using Plan      = CrossCorrelatePlan<HostExec, double, double>;
using Algorithm = CorrelateAlgorithm;

/// Three left matrices (4, 5), two right ones (2, 3), full results (5, 7).
struct Matrices {
  std::vector<double> numbers = std::vector<double>(700);
  std::size_t used            = 0;
  HostExec exec{};
  M3 lefts{take(60), 3, 4, 5}, rights{take(12), 2, 2, 3},
      results{take(70), 2, 5, 7};
  M4 table{take(210), 3, 2, 5, 7}, own{take(36), 3, 2, 2, 3};
  M2 left{lefts.data(), 4, 5}, right{rights.data(), 2, 3},
      out{results.data(), 5, 7};
  Untouched untouched;

  Matrices() {
    untouched.fill(Kokkos::View<double*, HostMemory, Kokkos::MemoryUnmanaged>(
        numbers.data(), numbers.size()));
  }
  double* take(std::size_t n) {
    used += n;
    return numbers.data() + used - n;
  }
  /// Memory that is used for nothing else.
  template <class View, class... N>
  View spare(N... extents) {
    return View(numbers.data() + used, std::size_t(extents)...);
  }
};

CorrelateOptions pairing(Pairing p) {
  CorrelateOptions o;
  o.pairing = p;
  return o;
}

const std::string f = "Sporos::cross_correlate",
                  p = "Sporos::CrossCorrelatePlan";

TEST_CASE("ranks that are not those of a pairing", "[wrong_calls]") {
  Matrices m;
  const std::string ranks = "ranks of left, right and out";
  const auto with         = [&](const auto& l, const auto& r, const auto& o,
                        Pairing q) {
    return [=, &m] { Plan(m.exec, l, r, o, pairing(q)); };
  };
  const std::vector<WrongCall> rows = {
      {"one result for many",
       with(m.left, m.rights, m.out, Pairing::one_to_many), p, ranks,
       "2, 3 and 3 for pairing one_to_many", "2, 3 and 2"},
      {"one right matrix",
       with(m.left, m.right, m.results, Pairing::one_to_many), p, ranks,
       "2, 3 and 3", "2, 2 and 3"},
      {"many left matrices for one",
       with(m.lefts, m.rights, m.results, Pairing::one_to_many), p, ranks,
       "2, 3 and 3", "3, 3 and 3"},
      {"many right matrices for one",
       with(m.left, m.rights, m.results, Pairing::one_to_one), p, ranks,
       "2, 2 and 2 for pairing one_to_one", "2, 3 and 3"},
      {"right matrices for all, not for each",
       with(m.lefts, m.rights, m.table, Pairing::n_to_mn), p, ranks,
       "3, 4 and 4 for pairing n_to_mn", "3, 3 and 4"},
      {"right matrices for each, not for all",
       with(m.lefts, m.own, m.table, Pairing::n_to_m), p, ranks,
       "3, 3 and 4 for pairing n_to_m", "3, 4 and 4"},
      {"too few results", with(m.lefts, m.rights, m.results, Pairing::n_to_m),
       p, ranks, "3, 3 and 4", "3, 3 and 3"},
      {"no pairing", with(m.left, m.right, m.out, Pairing(4)), p,
       "options.pairing", "one_to_one, one_to_many, n_to_mn or n_to_m", "4"}};
  check_wrong_calls(rows, m.untouched, 8);
}

/// A plan for n x m pairs of (h, w) and (a, b).
auto planned(const CorrelateExtents& e, const CorrelateOptions& o = {}) {
  return [=] { Plan(HostExec{}, e, o); };
}

TEST_CASE("wrong extents and shifts of plans", "[wrong_calls]") {
  Matrices m;
  const auto shifts = [](int dy0, int dy1, int dx0, int dx1) {
    CorrelateOptions o;
    o.mode   = CorrelateMode::window;
    o.window = {dy0, dy1, dx0, dx1};
    return planned({1, 1, 4, 5, 2, 3}, o);
  };
  CorrelateOptions valid, no_mode;
  valid.mode              = CorrelateMode::valid;
  no_mode.mode            = CorrelateMode(4);
  constexpr int half      = 1 << 29;
  const std::size_t large = half;
  double* const d         = m.numbers.data();
  const auto like         = [&](const M2& l, const M2& r) {
    return [=, &m] { Plan(m.exec, l, r, m.out); };
  };
  const auto both = [&](const M3& l, const M3& r) {
    return [=, &m] { Plan(m.exec, l, r, m.results); };
  };
  const std::string e = "extents", some = "at least one row and one column",
                    order           = "dy0 <= dy1 and dx0 <= dx1",
                    most            = "extents below 2^29",
                    far             = "shifts from -2^29 to 2^29";
  const std::vector<WrongCall> rows = {
      {"a left matrix without rows", like(M2(d, 0, 5), m.right), p, "left",
       some, "(0, 5)"},
      {"a left matrix without columns", planned({1, 1, 4, 0, 2, 3}), p, "left",
       some, "(4, 0)"},
      {"a right matrix without columns", like(m.left, M2(d, 2, 0)), p, "right",
       some, "(2, 0)"},
      {"rows below 0", planned({1, 1, 4, 5, -2, 3}), p, "right", some,
       "(-2, 3)"},
      {"no matrices at all", like(M2(), M2()), p, "left", some, "(0, 0)"},
      {"a view of too many rows", like(M2(d, large, 5), m.right), p, "left",
       most, "(536870912, 5)"},
      {"a view of too many columns", like(m.left, M2(d, 2, large * 8)), p,
       "right", most, "(2, 4294967296)"},
      {"too many matrices", both(M3(d, large, 4, 5), M3(d, large, 2, 3)), p,
       "left", most, "(536870912, 4, 5)"},
      {"too many rows", planned({1, 1, half, 5, 2, 3}), p, "left", most,
       "(536870912, 5)"},
      {"too many columns", planned({1, 1, 4, 5, 2, INT_MAX}), p, "right", most,
       "(2, 2147483647)"},
      {"more results than can be counted",
       planned({INT_MAX, INT_MAX, 4, 5, 2, 3}), p, e, "fewer than 2^62 results",
       "n 2147483647, m 2147483647, 5 x 7 shifts"},
      {"left matrices below 0", planned({-1, 1, 4, 5, 2, 3}), p, e,
       "numbers of matrices >= 0", "n -1, m 1"},
      {"right matrices below 0", planned({1, -2, 4, 5, 2, 3}), p, e,
       "numbers of matrices >= 0", "n 1, m -2"},
      {"each with its own, of others", both(m.lefts, m.rights), p, "right",
       "extent(0) == 3, the number of left matrices", "(2, 2, 3)"},
      {"neither fits into the other", planned({1, 1, 4, 5, 5, 3}, valid), p,
       "mode", "one matrix that fits into the other",
       "left (4, 5), right (5, 3)"},
      {"a mode that is none", planned({1, 1, 4, 5, 2, 3}, no_mode), p,
       "options.mode", "full, same, valid or window", "4"},
      {"a window upside down", shifts(3, 1, 0, 2), p, "window", order,
       "[3, 1) x [0, 2)"},
      {"a window the wrong way round", shifts(0, 2, 1, -1), p, "window", order,
       "[0, 2) x [1, -1)"},
      {"a window that ends nowhere", shifts(0, INT_MAX, 0, 2), p, "window", far,
       "[0, 2147483647) x [0, 2)"},
      {"a window of more rows than an int has", shifts(INT_MIN, INT_MAX, 0, 2),
       p, "window", far, "[-2147483648, 2147483647)"},
      {"a window that begins nowhere", shifts(0, 1, -half - 1, 2), p, "window",
       far, "x [-536870913, 2)"},
      {"shifts without a plan",
       [] { correlate_shifts(4, 5, 2, 0, CorrelateMode::full); },
       "Sporos::correlate_shifts", "right", some, "(2, 0)"},
      {"many left matrices for one",
       planned({3, 2, 4, 5, 2, 3}, pairing(Pairing::one_to_many)), p, e,
       "n == 1 for pairing one_to_many", "n 3"},
      {"many right matrices for one", planned({2, 3, 4, 5, 2, 3}), p, e,
       "m == 1 for pairing one_to_one", "m 3"},
      {"no pairs, of rows below 0", planned({0, 1, 4, 5, -2, 3}), p, "right",
       some, "(-2, 3)"}};
  check_wrong_calls(rows, m.untouched, 25);
}

TEST_CASE("options that contradict each other", "[wrong_calls]") {
  const Untouched untouched;
  using Distribution = WorkDistribution;
  const auto with    = [](Algorithm a, const auto& set, int width = 5) {
    CorrelateOptions o;
    o.algorithm = a;
    set(o);
    return planned({1, 1, 4, width, 2, 3}, o);
  };
  const auto groups = [](int left, int right, int left_rows, int right_rows) {
    return [=](CorrelateOptions& o) {
      o.left_matrices  = left;
      o.right_matrices = right;
      o.left_rows      = left_rows;
      o.right_rows     = right_rows;
    };
  };
  const auto dealt = [](Distribution d, int rows) {
    return [=](CorrelateOptions& o) {
      o.distribution  = d;
      o.rows_per_task = rows;
    };
  };
  const auto staged = [](CorrelateOptions& o) { o.staged = true; };
  using A           = Algorithm;
  using D           = Distribution;
  const std::string
      g = "options.left_matrices, right_matrices, left_rows, right_rows",
      d = "options.distribution", t = "options.rows_per_task",
      s = "options.staged", combination = "0, or a combination of",
      only = "0 for all algorithms but shuffle",
      none = "none for all algorithms but shuffle and lane_group_per_shift",
      zero = "0 unless options.distribution is rectangle or triangle",
      off  = "false for all algorithms but lane_group_per_shift";
  const std::vector<WrongCall> rows = {
      {"three right matrices", with(A::shuffle, groups(0, 3, 0, 0)), p, g,
       combination, "0, 3, 0, 0"},
      {"right matrices below 0", with(A::shuffle, groups(0, -1, 0, 0)), p, g,
       combination, "0, -1, 0, 0"},
      {"two left matrices of one pair", with(A::shuffle, groups(2, 2, 0, 0)), p,
       g, combination, "2, 2, 0, 0 for pairing one_to_one"},
      {"rows that are not compiled", with(A::shuffle, groups(1, 8, 4, 8)), p, g,
       combination, "1, 8, 4, 8"},
      {"left matrices of teams", with(A::team_per_shift, groups(2, 0, 0, 0)), p,
       "options.left_matrices", only, "2 for team_per_shift"},
      {"right matrices of basic", with(A::basic, groups(0, 4, 0, 0)), p,
       "options.right_matrices", only, "4 for basic"},
      {"left rows of lane groups",
       with(A::lane_group_per_shift, groups(0, 0, 4, 0)), p,
       "options.left_rows", only, "4 for lane_group_per_shift"},
      {"right rows of tiles", with(A::tile, groups(0, 0, 0, 8)), p,
       "options.right_rows", only, "8 for tile"},
      {"groups where automatic takes tiles",
       with(A::automatic, groups(0, 2, 0, 0)), p, "options.right_matrices",
       only, "2 for tile, which automatic chose"},
      {"a rectangle of tiles", with(A::tile, dealt(D::rectangle, 0)), p, d,
       none, "one for tile"},
      {"a triangle of teams", with(A::team_per_shift, dealt(D::triangle, 0)), p,
       d, none, "one for team_per_shift"},
      {"a triangle of basic", with(A::basic, dealt(D::triangle, 4)), p, d, none,
       "one for basic"},
      {"a distribution that is none", with(A::shuffle, dealt(D(4), 0)), p, d,
       "automatic, none, rectangle or triangle", "4"},
      {"rows below 0", with(A::shuffle, dealt(D::rectangle, -4)), p, t,
       "0 or more", "-4"},
      {"rows of tiles", with(A::tile, dealt(D::automatic, 4)), p, t, zero, "4"},
      {"rows of teams", with(A::team_per_shift, dealt(D::none, 8)), p, t, zero,
       "8"},
      {"rows of no task", with(A::shuffle, dealt(D::none, 8)), p, t, zero, "8"},
      {"staged tiles", with(A::tile, staged), p, s, off, "true for tile"},
      {"staged lanes that slide", with(A::shuffle, staged), p, s, off,
       "true for shuffle"},
      {"too little scratch", with(A::lane_group_per_shift, staged, 2046), p, s,
       "false for rows that do not fit into 16 KiB", "2046 and 3 columns"},
      {"an algorithm that is none", with(A(7), staged), p, "options.algorithm",
       "automatic, basic, tile, shuffle, lane_group_per_shift, team_per_shift "
       "or fft",
       "7"},
      {"an algorithm below 0", with(A(-1), staged), p, "options.algorithm",
       "automatic, basic, tile, shuffle, lane_group_per_shift, team_per_shift "
       "or fft",
       "-1"}};
  check_wrong_calls(rows, untouched, 22);
  // one column less fits
  with(A::lane_group_per_shift, staged, 2045)();
}

TEST_CASE("integers have no mean", "[wrong_calls]") {
  const Untouched untouched;
  CorrelateOptions mean, norm;
  mean.normalize  = Normalize::mean_only;
  norm.normalize  = Normalize::whole;
  const auto with = [](const CorrelateOptions& o) {
    return [o] {
      Sporos::Impl::make_correlate_state<HostExec, int, int>(
          HostExec{}, {1, 1, 4, 5, 2, 3}, o, true);
    };
  };
  const std::string real = "a floating-point out for measures other than none";
  const std::vector<WrongCall> rows = {
      {"means", with(mean), p, "options.normalize", real, "an integer"},
      {"norms", with(norm), p, "options.normalize", real, "an integer"}};
  check_wrong_calls(rows, untouched, 2);
}

TEST_CASE("wrong measures", "[wrong_calls]") {
  const Untouched untouched;
  const auto with = [](Normalize normalize, double overlap, double deviation) {
    CorrelateOptions o;
    o.normalize       = normalize;
    o.least_overlap   = overlap;
    o.least_deviation = deviation;
    return planned({1, 1, 4, 5, 2, 3}, o);
  };
  using N                           = Normalize;
  const double none                 = std::numeric_limits<double>::quiet_NaN();
  const std::string overlap         = "options.least_overlap",
                    part            = "a number from 0 to 1",
                    deviation       = "options.least_deviation",
                    number          = "a finite number >= 0";
  const std::vector<WrongCall> rows = {
      {"no measure", with(N(8), 0, 0), p, "options.normalize",
       "square_difference or square_difference_normalized", "8"},
      {"a negative overlap", with(N::local, -.1, 0), p, overlap, part, "-0.1"},
      {"more than all", with(N::local, 1.5, 0), p, overlap, part, "1.5"},
      {"no number", with(N::square_difference, none, 0), p, overlap, part,
       "nan"},
      {"an overlap of whole matrices", with(N::whole, .3, 0), p, overlap, part,
       "0.3"},
      {"an overlap of sums", with(N::none, .3, 0), p, overlap, part, "0.3"},
      {"a deviation of differences", with(N::square_difference, 0, 1), p,
       deviation, number, "1"},
      {"a deviation without norms", with(N::local_mean_only, 0, 1), p,
       deviation, number, "1"},
      {"a negative deviation", with(N::local, 0, -1), p, deviation, number,
       "-1"}};
  check_wrong_calls(rows, untouched, 9);
  with(N::local, 1, 1)();
}

TEST_CASE("wrong masks", "[wrong_calls]") {
  Matrices m;
  using Mask = Kokkos::View<int**, Right, HostMemory, Kokkos::MemoryUnmanaged>;
  std::vector<int> ones(20, 1);
  const Mask good(ones.data(), 4, 5), small(ones.data(), 2, 3);
  const auto with = [&](const Plan& plan, const Mask& l, const Mask& r) {
    return [=, &m] {
      cross_correlate(m.exec, plan, m.left, l, m.right, r, m.out);
    };
  };
  const auto plan = [&](Normalize normalize) {
    CorrelateOptions o;
    o.normalize = normalize;
    return Plan(m.exec, m.left, m.right, m.out, o);
  };
  const Plan local                  = plan(Normalize::local);
  const std::string of_matrices     = "of its matrices",
                    measure         = "options.normalize of the plan";
  const std::vector<WrongCall> rows = {
      {"a small mask of left", with(local, small, small), f, "left_mask",
       "extents (4, 5) of its matrices", "(2, 3)"},
      {"a large mask of right", with(local, good, good), f, "right_mask",
       "extents (2, 3) of its matrices", "(4, 5)"},
      {"no memory", with(local, good, Mask(nullptr, 2, 3)), f, "right_mask",
       "memory for extents (2, 3)", "a null pointer"},
      {"whole norms", with(plan(Normalize::whole), good, small), f, measure,
       "none, a local measure", "whole"},
      {"whole means", with(plan(Normalize::mean_only), good, small), f, measure,
       "none, a local measure", "mean_only"},
      {"a plan without options",
       with(Plan(m.exec, m.left, m.right, m.out), good, small), f, "plan",
       "one with options", "one without"},
      {"no plan", with(Plan(), good, small), f, "plan", "an initialised handle",
       "default-constructed"}};
  check_wrong_calls(rows, m.untouched, 7);
}

TEST_CASE("wrong calls of cross_correlate", "[wrong_calls]") {
  Matrices m;
  const Plan pair(m.exec, m.left, m.right, m.out);
  const Plan all(m.exec, m.lefts, m.rights, m.table, pairing(Pairing::n_to_m));
  const auto run = [&](const M2& l, const M2& r, const M2& o) {
    return [=, &m] { cross_correlate(m.exec, pair, l, r, o); };
  };
  const Plan no_pairs(m.exec, {0, 1, 4, 5, 2, 3}, {});
  const auto run_none = [&](const M3& r, const M3& o) {
    return [=, &m] {
      cross_correlate(m.exec, no_pairs, M3(m.numbers.data(), 0, 4, 5), r, o);
    };
  };
  const auto run_all = [&](const M3& l, const M3& r, const M4& o) {
    return [=, &m] { cross_correlate(m.exec, all, l, r, o); };
  };
  double* const d         = m.numbers.data();
  const std::string ranks = "ranks of left, right and out", of = "of the plan",
                    count = "numbers of left and right matrices",
                    null = "a null pointer", over = "memory that overlaps it";
  using Strided = Kokkos::View<double**, Kokkos::LayoutStride, HostMemory,
                               Kokkos::MemoryUnmanaged>;
  const Strided row(m.out.data(), Kokkos::LayoutStride(5, 0, 7, 1));
  const std::vector<WrongCall> rows = {
      {"ranks of another pairing",
       [&] { cross_correlate(m.exec, pair, m.left, m.rights, m.results); }, f,
       ranks, "2, 2 and 2 for pairing one_to_one", "2, 3 and 3"},
      {"rows of left", run(M2(d, 3, 5), m.right, m.out), f, "left",
       "matrices (4, 5) " + of, "(3, 5)"},
      {"left transposed", run(M2(d, 5, 4), m.right, m.out), f, "left",
       "matrices (4, 5) " + of, "(5, 4)"},
      {"left and right exchanged", run(m.right, m.left, m.out), f, "left",
       "matrices (4, 5) " + of, "(2, 3)"},
      {"columns of right", run(m.left, M2(m.right.data(), 2, 4), m.out), f,
       "right", "matrices (2, 3) " + of, "(2, 4)"},
      {"an empty right matrix", run(m.left, M2(), m.out), f, "right",
       "matrices (2, 3) " + of, "(0, 0)"},
      {"out of another mode", run(m.left, m.right, m.spare<M2>(4, 5)), f, "out",
       "extents (5, 7)", "(4, 5)"},
      {"out transposed", run(m.left, m.right, m.spare<M2>(7, 5)), f, "out",
       "extents (5, 7)", "(7, 5)"},
      {"no out", run(m.left, m.right, M2()), f, "out", "extents (5, 7)",
       "(0, 0)"},
      {"a left matrix too few", run_all(M3(d, 2, 4, 5), m.rights, m.table), f,
       count, "n 3, m 2 " + of, "n 2, m 2"},
      {"no right matrices", run_all(m.lefts, M3(d, 0, 2, 3), m.table), f, count,
       "n 3, m 2 " + of, "n 3, m 0"},
      {"results of too few pairs",
       run_all(m.lefts, m.rights, M4(m.table.data(), 3, 1, 5, 7)), f, "out",
       "extents (3, 2, 5, 7)", "(3, 1, 5, 7)"},
      {"left and right exchanged in out",
       run_all(m.lefts, m.rights, M4(m.table.data(), 2, 3, 5, 7)), f, "out",
       "extents (3, 2, 5, 7)", "(2, 3, 5, 7)"},
      {"results of no pairs", run_none(M3(d, 0, 2, 3), m.spare<M3>(2, 5, 7)), f,
       "out", "extents (0, 5, 7)", "(2, 5, 7)"},
      {"other shifts of no pairs", run_none(M3(d, 0, 2, 3), M3(d, 0, 5, 6)), f,
       "out", "extents (0, 5, 7)", "(0, 5, 6)"},
      {"no right matrices of other extents",
       run_none(M3(d, 0, 9, 1), M3(d, 0, 5, 7)), f, "right",
       "matrices (2, 3) " + of, "(0, 9, 1)"},
      {"a null left matrix", run(M2(nullptr, 4, 5), m.right, m.out), f, "left",
       "memory for extents (4, 5)", null},
      {"a null right matrix", run(m.left, M2(nullptr, 2, 3), m.out), f, "right",
       "memory for extents (2, 3)", null},
      {"a null out", run(m.left, m.right, M2(nullptr, 5, 7)), f, "out",
       "memory for extents (5, 7)", null},
      {"out over left", run(m.left, m.right, M2(d, 5, 7)), f, "out",
       "memory separate from that of left", over},
      {"out over the end of left", run(m.left, m.right, M2(d + 19, 5, 7)), f,
       "out", "memory separate from that of left", over},
      {"out over right", run(m.left, M2(&m.out(4, 0), 2, 3), m.out), f, "out",
       "memory separate from that of right", over},
      {"results over right matrices",
       run_all(m.lefts, M3(&m.table(1, 1, 0, 0), 2, 2, 3), m.table), f, "out",
       "memory separate from that of right", over},
      {"all rows of out are one",
       [&] { cross_correlate(m.exec, pair, m.left, m.right, row); }, f, "out",
       "a separate element for each index",
       "stride(0) == 0 for extents (5, 7)"},
      {"in the default instance",
       [&] { cross_correlate(pair, m.left, m.right, m.spare<M2>(5, 6)); }, f,
       "out", "extents (5, 7)", "(5, 6)"},
      {"without a plan, out of another mode",
       [&] { cross_correlate(m.exec, m.left, m.right, m.spare<M2>(4, 5)); }, f,
       "out", "extents (5, 7)", "(4, 5)"},
      {"without a plan, out over left",
       [&] { cross_correlate(m.exec, m.left, m.right, M2(d, 5, 7)); }, f, "out",
       "memory separate from that of left", over},
      {"without plan and instance, ranks",
       [&] { cross_correlate(m.left, m.right, m.results); }, p, ranks,
       "2, 2 and 2", "2, 2 and 3"}};
  check_wrong_calls(rows, m.untouched, 28);
  run_none(M3(nullptr, 0, 2, 3), M3(nullptr, 0, 5, 7))();
  // no pairs of Views that are not allocated
  cross_correlate(M3(nullptr, 0, 0, 0), M3(), M3());
  cross_correlate(M3(nullptr, 0, 4, 5), m.rights, M4(nullptr, 0, 2, 5, 7),
                  pairing(Pairing::n_to_m));
  // windows of one image are apart though their rows interleave
  const M2 image     = m.spare<M2>(5, 20);
  const auto columns = [&](int begin, int width, int height) {
    return Kokkos::subview(image, std::make_pair(0, height),
                           std::make_pair(begin, begin + width));
  };
  cross_correlate(m.exec, pair, columns(0, 5, 4), columns(5, 3, 2),
                  columns(8, 7, 5));
}

TEST_CASE("plans of cross-correlation of nothing", "[wrong_calls]") {
  Matrices m;
  const Plan none;
  Plan moved_from(m.exec, m.left, m.right, m.out);
  const Plan plan = std::move(moved_from);
  CHECK(plan.shifts().dy1 == 4);
  const auto run = [&](const Plan& by) {
    return [&] { cross_correlate(m.exec, by, m.left, m.right, m.out); };
  };
  const std::string made       = "an initialised handle",
                    by_default = "one that was default-constructed or moved";
  const std::vector<WrongCall> rows = {
      {"cross_correlate", run(none), f, "plan", made, by_default},
      {"cross_correlate, moved from", run(moved_from), f, "plan", made,
       by_default},
      {"shifts", [&] { none.shifts(); }, p, "plan", made, by_default},
      {"describe", [&] { none.describe(); }, p, "plan", made, by_default}};
  check_wrong_calls(rows, m.untouched, 4);
}

}  // namespace WrongCorrelateCalls
