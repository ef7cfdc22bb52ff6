// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Wrong calls with signals and volumes.

#include "Sporos_TestArray.hpp"
#include "Sporos_WrongCalls.hpp"

#include <Sporos_CorrelatePeaks.hpp>

#include <string>
#include <vector>

namespace WrongCallsOperands {

using namespace Sporos;
using Test::HostExec;
using Test::HostMemory;
using Test::WrongCall;

using Plan      = CrossCorrelatePlan<HostExec, float>;
using Algorithm = CorrelateAlgorithm;

template <int Rank>
using V = Kokkos::View<typename Test::DataType<float, Rank>::type,
                       Kokkos::LayoutRight, HostMemory>;

CorrelateOptions options_of(CorrelateOperand operand, CorrelateMode mode,
                            Pairing p) {
  CorrelateOptions o;
  o.operand = operand;
  o.mode    = mode;
  o.pairing = p;
  return o;
}

TEST_CASE("wrong signals", "[wrong_calls]") {
  const Test::Untouched untouched;
  const V<1> signal("signal", 9), full("full", 17);
  const V<2> some("some", 3, 9), all("all", 3, 17), mask("mask", 1, 9);
  const V<3> table("table", 3, 3, 17);
  const Kokkos::View<Peak*, HostMemory> peak("peak", 1);
  const Kokkos::View<Peak**, HostMemory> peaks("peaks", 3, 1);
  using M         = CorrelateMode;
  using O         = CorrelateOperand;
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
       p, d, "automatic or none unless options.operand is matrix", "triangle"},
      {"rows of a rectangle", planned([](CorrelateOptions& o) {
         o.algorithm     = Algorithm::lane_group_per_shift;
         o.distribution  = WorkDistribution::rectangle;
         o.rows_per_task = 2;
       }),
       p, d, "automatic or none unless options.operand is matrix", "rectangle"},
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

TEST_CASE("wrong volumes", "[wrong_calls]") {
  const Test::Untouched untouched;
  const V<3> volume("volume", 3, 4, 5), full("full", 5, 7, 9);
  const V<4> some("some", 2, 3, 4, 5), all("all", 2, 5, 7, 9);
  const Kokkos::View<Peak*, HostMemory> peak("peak", 1);
  using M         = CorrelateMode;
  using O         = CorrelateOperand;
  const auto with = [&](const auto& l, const auto& r, const auto& out,
                        O operand) {
    return [=] {
      cross_correlate(HostExec(), l, r, out, options_of(operand, M::full, {}));
    };
  };
  const CorrelateExtents e{1, 1, 4, 5, 4, 5, 3, 3};
  const auto planned = [](const auto& set, const CorrelateExtents& extents) {
    CorrelateOptions o = options_of(O::volume, M::full, {});
    set(o);
    return [=] { Plan(HostExec(), extents, o); };
  };
  const auto nothing = [](CorrelateOptions&) {};
  const auto window  = [](int dz0, int dz1, O operand) {
    return [=](CorrelateOptions& o) {
      o.operand = operand;
      o.mode    = M::window;
      o.window  = {-1, 2, -1, 2, dz0, dz1};
    };
  };
  const Plan one(HostExec(), volume, volume, full,
                 options_of(O::volume, M::full, {}));
  const std::string f = "Sporos::cross_correlate",
                    p = "Sporos::CrossCorrelatePlan", x = "extents",
                    ranks = "ranks of left, right and out";
  const std::vector<WrongCall> rows = {
      {"matrices as volumes", with(V<2>("l", 4, 5), V<2>("r", 4, 5), full,
                                   O::volume),
       p, ranks, "3, 3 and 3 for pairing one_to_one with options.operand volume",
       "2, 2 and 3"},
      {"volumes of a batch, without saying so",
       with(some, some, all, O::matrix), p, ranks,
       "2, 2 and 2 for pairing one_to_one with options.operand matrix",
       "4, 4 and 4"},
      {"results of a batch", with(some, some, V<4>("o", 2, 5, 7, 8), O::volume),
       f, "out",
       "extents (2, 5, 7, 9), for the shifts [-2, 3) x [-3, 4) x [-4, 5)",
       "(2, 5, 7, 8)"},
      {"other planes",
       [=] { cross_correlate(HostExec(), one, V<3>("l", 2, 4, 5), volume, full); },
       f, "left", "volumes (3, 4, 5) of the plan", "(2, 4, 5)"},
      {"no planes", planned(nothing, {1, 1, 4, 5, 4, 5, 0, 3}), p, x,
       "from one plane", "left_d 0, right_d 3"},
      {"too many planes", planned(nothing, {1, 1, 4, 5, 4, 5, 1 << 29, 3}), p,
       x, "fewer than 2^29", "left_d 536870912"},
      {"too many rows in all",
       planned(nothing, {1, 1, 40000, 1, 1, 1, 40000, 1}), p, x,
       "volumes with fewer than 2^29 rows in all",
       "40000 and 1 planes of 40000 rows"},
      {"planes of matrices",
       planned([](CorrelateOptions& o) { o.operand = O::matrix; }, e), p, x,
       "left_d == 1 and right_d == 1 unless options.operand is volume",
       "left_d 3, right_d 3"},
      {"planes do not fit",
       planned([](CorrelateOptions& o) { o.mode = M::valid; },
               {1, 1, 4, 5, 3, 5, 3, 4}),
       p, "mode", "one volume that fits into the other for valid",
       "left (3, 4, 5), right (4, 3, 5)"},
      {"a window upside down", planned(window(2, 1, O::volume), e), p, "window",
       "dz0 <= dz1", "[2, 1)"},
      {"a window that ends nowhere",
       planned(window(0, (1 << 29) + 1, O::volume), e), p, "window",
       "shifts from -2^29 to 2^29", "[0, 536870913)"},
      {"planes of a window of matrices",
       planned(window(0, 2, O::matrix), {1, 1, 4, 5, 4, 5}), p, "window",
       "dz0 == 0 and dz1 == 1 unless options.operand is volume", "[0, 2)"},
      {"rows dealt out", planned([](CorrelateOptions& o) {
         o.algorithm    = Algorithm::shuffle;
         o.distribution = WorkDistribution::triangle;
       }, e),
       p, "options.distribution",
       "automatic or none unless options.operand is matrix", "triangle"},
      {"peaks of a batch of matrices",
       [=] {
         find_peaks(HostExec(), one, full,
                    Kokkos::View<Peak**, HostMemory>("peaks", 5, 1));
       },
       "Sporos::find_peaks", "ranks of results and peaks",
       "results of volumes, as the plan has: ranks that differ by 2",
       "3 and 2"},
      {"peaks of other planes",
       [=] { find_peaks(HostExec(), one, V<3>("r", 4, 7, 9), peak); },
       "Sporos::find_peaks", "results", "(5, 7, 9) shifts", "(4, 7, 9)"},
      {"peaks far away", [=] {
         PeakOptions o;
         o.dz0 = 1 << 30;
         find_peaks(HostExec(), full, peak, o);
       },
       "Sporos::find_peaks", "options.dz0", "a shift from", "1073741824"}};
  check_wrong_calls(rows, untouched, 16);
}

}  // namespace WrongCallsOperands
