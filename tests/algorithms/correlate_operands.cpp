// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Signals: bits, peaks and masks of matrices of one row, and what is refused.

#include "Sporos_CorrelateCases.hpp"
#include "Sporos_PlainPeaks.hpp"
#include "Sporos_WrongCalls.hpp"

#include <Sporos_CorrelatePeaks.hpp>

#include <cstring>
#include <string>
#include <vector>

namespace CorrelateOperands {

using namespace Sporos;
using Test::HostExec;
using Test::HostMemory;
using Test::WrongCall;

using Right     = Kokkos::LayoutRight;
using Plan      = CrossCorrelatePlan<HostExec, float>;
using Operand   = CorrelateOperand;
using Algorithm = CorrelateAlgorithm;

template <int Rank, class Exec = HostExec, class T = float>
using V = Kokkos::View<typename Test::DataType<T, Rank>::type, Right,
                       typename Exec::memory_space>;

/// Numbers of a hash, some of them 0.
template <class View>
View filled(const View& view, int side, bool weights = false) {
  const auto host = Kokkos::create_mirror_view(view);
  for (int k = 0; k < int(view.span()); ++k) {
    const float v  = Test::correlate_value<float>(k, 0, 0, side);
    host.data()[k] = weights ? (v < -.4f ? 0.f : v + 1) : v;
  }
  Kokkos::deep_copy(view, host);
  return view;
}

template <class View>
std::vector<float> numbers_of(const View& view) {
  const auto host =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  return std::vector<float>(host.data(), host.data() + host.span());
}

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

CorrelateOptions options_of(Operand operand, CorrelateMode mode, Pairing p) {
  CorrelateOptions o;
  o.operand = operand;
  o.mode    = mode;
  o.pairing = p;
  return o;
}

TEMPLATE_LIST_TEST_CASE("signals have the bits of matrices of one row",
                        "[correlate]", Test::Spaces) {
  using Exec = TestType;
  using A    = Algorithm;
  using N    = Normalize;
  const Exec exec;
  const int n = 3, m = 2, l = 45, r = 17;
  const V<2, Exec> left      = filled(V<2, Exec>("left", n, l), 1);
  const V<3, Exec> right     = filled(V<3, Exec>("right", n, m, r), 2);
  const V<2, Exec> left_mask = filled(V<2, Exec>("left mask", n, l), 3, true);
  const V<3, Exec> right_mask =
      filled(V<3, Exec>("right mask", n, m, r), 4, true);
  const auto row2 = [&](const V<2, Exec>& v) {
    return V<3, Exec>(v.data(), v.extent(0), 1, v.extent(1));
  };
  const auto row3 = [&](const V<3, Exec>& v) {
    return V<4, Exec>(v.data(), v.extent(0), v.extent(1), 1, v.extent(2));
  };
  std::size_t turn = 0;
  for (const N normalize :
       {N::none, N::mean_only, N::whole, N::local, N::local_mean_only,
        N::local_norm_only, N::square_difference,
        N::square_difference_normalized})
    for (const A algorithm : {A::tile, A::basic, A::fft}) {
      if (algorithm == A::fft && !Sporos::Impl::has_correlate_fft<Exec>)
        continue;
      using M         = CorrelateMode;
      const M modes[] = {M::full, M::window, M::same, M::valid};
      CorrelateOptions o =
          options_of(Operand::signal, modes[turn++ % 4], Pairing::n_to_mn);
      o.algorithm              = algorithm;
      o.normalize              = normalize;
      o.window.dx0             = -9;
      o.window.dx1             = 30;
      o.least_overlap          = Sporos::Impl::is_local(normalize) ? .2 : 0;
      CorrelateOptions of_rows = o;
      of_rows.operand          = Operand::matrix;
      of_rows.window.dy1       = 1;
      const int shifts = correlate_shifts({n, m, 1, l, 1, r}, o).columns();
      const V<3, Exec> out("out", n, m, shifts), masked("masked", n, m, shifts),
          row_out("out", n, m, shifts), row_masked("masked", n, m, shifts);
      INFO("measure " << int(normalize) << ", algorithm " << int(algorithm));
      cross_correlate(exec, left, right, out, o);
      cross_correlate(exec, row2(left), row3(right), row3(row_out), of_rows);
      CHECK(same_bits(numbers_of(out), numbers_of(row_out)));
      if (normalize == N::mean_only || normalize == N::whole) continue;
      const bool one_mask = turn % 2 == 0;
      if (one_mask) {
        cross_correlate(exec, left, left_mask, right, NoMask(), masked, o);
        cross_correlate(exec, row2(left), row2(left_mask), row3(right),
                        NoMask(), row3(row_masked), of_rows);
      } else {
        cross_correlate(exec, left, left_mask, right, right_mask, masked, o);
        cross_correlate(exec, row2(left), row2(left_mask), row3(right),
                        row3(right_mask), row3(row_masked), of_rows);
      }
      CHECK(same_bits(numbers_of(masked), numbers_of(row_masked)));
      CHECK_FALSE(same_bits(numbers_of(masked), numbers_of(out)));
    }
}

TEST_CASE("peaks of signals", "[correlate]") {
  const int n = 4, w = 57, k = 3;
  const V<2> results = filled(V<2>("results", n, w), 6);
  results(1, 5) = results(1, 30) = 2;
  const Kokkos::View<Peak**, HostMemory> peaks("peaks", n, k);
  for (const SubPixel sub_pixel : {SubPixel::none, SubPixel::gaussian,
                                   SubPixel::centroid, SubPixel::least_squares})
    for (const int border : {0, 3, 40}) {
      PeakOptions o;
      o.dx0            = -20;
      o.least_distance = 4;
      o.border         = border;
      o.sub_pixel      = sub_pixel;
      find_peaks(HostExec(), results, peaks, o);
      for (int i = 0; i < n; ++i) {
        const auto expected = Test::plain_peaks(
            [&](int, int x) { return results(i, x); }, 1, w, k, o, 0);
        CHECK(expected.size() == (border == 40 ? 0 : k + 1));
        for (int p = 0; p < k; ++p) {
          INFO("border " << border << ", signal " << i << ", peak " << p);
          CHECK(Test::wrong_peak(expected, p, peaks(i, p), o) == "");
        }
      }
    }
  // a moved bump, by its plan
  const V<1> left("left", 64), right("right", 64), out("out", 127);
  for (int x = 0; x < 64; ++x) {
    left(x)  = float(std::exp(-.05 * (x - 41.3) * (x - 41.3)));
    right(x) = float(std::exp(-.05 * (x - 22) * (x - 22)));
  }
  const Plan plan(HostExec(), left, right, out,
                  options_of(Operand::signal, CorrelateMode::full, {}));
  cross_correlate(plan, left, right, out);
  const Kokkos::View<Peak*, HostMemory> peak("peak", 1);
  find_peaks(HostExec(), plan, out, peak);
  HostExec().fence();
  CHECK(peak(0).dy == 0);
  CHECK(std::abs(peak(0).dx - 19.3) < 1e-3);
}

TEST_CASE("plans say what they are of", "[correlate]") {
  CorrelateOptions o =
      options_of(Operand::signal, CorrelateMode::window, Pairing::n_to_m);
  o.window.dx0 = -3;
  o.window.dx1 = 4;
  const Plan plan(HostExec(), {2, 3, 1, 50, 1, 40}, o);
  CHECK(plan.shifts().dy0 == 0);
  CHECK(plan.shifts().dy1 == 1);
  CHECK(plan.shifts().columns() == 7);
  const std::string text = plan.describe();
  CHECK(text.find("2 x 3 pairs of signals (50) and (40)") != text.npos);
  CHECK(text.find("shifts: [-3, 4), normalize") != text.npos);
}

TEST_CASE("wrong signals", "[wrong_calls]") {
  const Test::Untouched untouched;
  const V<1> signal("signal", 9), full("full", 17);
  const V<2> some("some", 3, 9), all("all", 3, 17), mask("mask", 1, 9);
  const V<3> table("table", 3, 3, 17);
  const Kokkos::View<Peak*, HostMemory> peak("peak", 1);
  const Kokkos::View<Peak**, HostMemory> peaks("peaks", 3, 1);
  using M         = CorrelateMode;
  using O         = Operand;
  const auto with = [&](const auto& l, const auto& r, const auto& out,
                        O operand, Pairing p = Pairing::one_to_one) {
    return [=] {
      cross_correlate(HostExec(), l, r, out, options_of(operand, M::full, p));
    };
  };
  const auto planned = [](const auto& set,
                          CorrelateExtents e = {1, 1, 1, 9, 1, 9}) {
    CorrelateOptions o = options_of(O::signal, M::full, {});
    set(o);
    return [=] { Plan(HostExec(), e, o); };
  };
  const auto nothing = [](CorrelateOptions&) {};
  const Plan one(HostExec(), signal, signal, full,
                 options_of(O::signal, M::full, {}));
  const Plan three(HostExec(), some, some, all,
                   options_of(O::signal, M::full, {}));
  const std::string f = "Sporos::cross_correlate",
                    p = "Sporos::CrossCorrelatePlan", s = "Sporos::find_peaks",
                    ranks           = "ranks of left, right and out",
                    d               = "options.distribution";
  const std::vector<WrongCall> rows = {
      {"signals as matrices", with(signal, signal, full, O::matrix), p, ranks,
       "2, 2 and 2 for pairing one_to_one with options.operand matrix",
       "1, 1 and 1"},
      {"matrices as signals of one pairing", with(some, some, full, O::signal),
       p, ranks,
       "2, 2 and 2 for pairing one_to_one with options.operand signal",
       "2, 2 and 1"},
      {"one signal with one",
       with(signal, signal, full, O::signal, Pairing::one_to_many), p, ranks,
       "1, 2 and 2 for pairing one_to_many", "1, 1 and 1"},
      {"each with its own, of too few ranks",
       with(some, some, table, O::signal, Pairing::n_to_mn), p, ranks,
       "2, 3 and 3 for pairing n_to_mn", "2, 2 and 3"},
      {"results of too few pairs",
       with(some, some, all, O::signal, Pairing::n_to_m), p, ranks,
       "2, 2 and 3 for pairing n_to_m", "2, 2 and 2"},
      {"results of a matrix", with(some, some, V<2>("out", 5, 17), O::signal),
       f, "out", "extents (3, 17), for the shifts [-8, 9)", "(5, 17)"},
      {"a batch in a plan of one",
       [=] { cross_correlate(HostExec(), one, some, some, all); }, f,
       "numbers of left and right", "n 1, m 1 of the plan", "n 3, m 1"},
      {"a longer signal",
       [=] { cross_correlate(HostExec(), one, full, signal, full); }, f, "left",
       "signals (9) of the plan", "(17)"},
      {"one signal in a plan of three",
       [=] {
         cross_correlate(HostExec(), three, V<2>("l", 2, 9), V<2>("r", 2, 9),
                         all);
       },
       f, "numbers of left and right", "n 3, m 1 of the plan", "n 2, m 1"},
      {"a mask of other extents",
       [=] {
         cross_correlate(HostExec(), three, some, mask, some, NoMask(), all);
       },
       f, "left_mask", "extents (3, 9) of its matrices", "(1, 9)"},
      {"an operand that is none",
       planned([](CorrelateOptions& o) { o.operand = O(7); }), p,
       "options.operand", "matrix", "7"},
      {"signals of two rows", planned(nothing, {1, 1, 2, 9, 1, 9}), p,
       "extents", "left_h == 1 and right_h == 1", "left_h 2, right_h 1"},
      {"signals without elements", planned(nothing, {1, 1, 1, 0, 1, 9}), p,
       "left", "at least one", "(1, 0)"},
      {"a window of rows", planned([](CorrelateOptions& o) {
         o.mode   = M::window;
         o.window = {-1, 2, -3, 4};
       }),
       p, "window", "dy0 == 0 and dy1 == 0 or 1 with options.operand signal",
       "[-1, 2)"},
      {"rows dealt out", planned([](CorrelateOptions& o) {
         o.algorithm    = Algorithm::shuffle;
         o.distribution = WorkDistribution::triangle;
       }),
       p, d, "automatic or none with options.operand signal", "triangle"},
      {"rows of a rectangle", planned([](CorrelateOptions& o) {
         o.algorithm     = Algorithm::lane_group_per_shift;
         o.distribution  = WorkDistribution::rectangle;
         o.rows_per_task = 2;
       }),
       p, d, "automatic or none with options.operand signal", "rectangle"},
      {"groups of rows", planned([](CorrelateOptions& o) {
         o.algorithm  = Algorithm::shuffle;
         o.right_rows = 4;
       }),
       p, "options.right_rows", "0 or 1 with options.operand signal", "4"},
      {"groups of left rows", planned([](CorrelateOptions& o) {
         o.algorithm = Algorithm::shuffle;
         o.left_rows = 4;
       }),
       p, "options.left_rows", "0 or 1 with options.operand signal", "4"},
      {"peaks of a matrix", [=] { find_peaks(HostExec(), three, all, peak); },
       s, "ranks of results and peaks",
       "results of signals, as the plan has: ranks that differ by 0",
       "2 and 1"},
      {"peaks of other shifts",
       [=] { find_peaks(HostExec(), three, some, peaks); }, s, "results",
       "(17) shifts, as the plan has", "(3, 9)"},
      {"windows of signals",
       [] {
         CorrelatePeaksPlan<HostExec, float>(
             HostExec(), {1, 1, 1, 9, 1, 9},
             options_of(O::signal, M::full, {}));
       },
       "Sporos::CorrelatePeaksPlan", "options.operand", "matrix", "signal"}};
  check_wrong_calls(rows, untouched, 21);
}

}  // namespace CorrelateOperands
