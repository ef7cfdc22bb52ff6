// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// CorrelateSelection::by_trial: what is tried, how often, what is remembered,
// and choices that other plans take.

#include "Sporos_CorrelateCases.hpp"
#include "Sporos_ToolsRecorder.hpp"
#include "Sporos_WrongCalls.hpp"

#include <Sporos_CorrelatePeaks.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace CorrelateTrial {

using namespace Sporos;
using Test::HostExec;
using Test::WrongCall;
using Algorithm = CorrelateAlgorithm;
using Selection = CorrelateSelection;

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Values of correlations of hashed numbers: matrices of n pairs, each its own,
/// one after another.
template <class Exec, class T>
class Pairs {
 public:
  explicit Pairs(const CorrelateExtents& e) : m_extents(e) {
    const int left  = e.n * e.left_d * e.left_h * e.left_w;
    const int right = e.n * e.right_d * e.right_h * e.right_w;
    m_left          = values(left, 1);
    m_right         = values(right, 2);
  }
  template <class Plan>
  std::vector<T> run(const Plan& plan) const {
    const CorrelateExtents& e = m_extents;
    const ShiftWindow& s      = plan.shifts();
    const int n               = e.n;
    if (plan.options().operand == CorrelateOperand::volume) {
      const Kokkos::View<T****, Kokkos::LayoutRight, Exec> out(
          "out", n, s.planes(), s.rows(), s.columns());
      cross_correlate(
          plan, view<T****>(m_left, n, e.left_d, e.left_h, e.left_w),
          view<T****>(m_right, n, e.right_d, e.right_h, e.right_w), out);
      return Test::host_values(out);
    }
    if (plan.options().operand == CorrelateOperand::signal) {
      const Kokkos::View<T**, Kokkos::LayoutRight, Exec> out("out", n,
                                                             s.columns());
      cross_correlate(plan, view<T**>(m_left, n, e.left_w),
                      view<T**>(m_right, n, e.right_w), out);
      return Test::host_values(out);
    }
    const Kokkos::View<T***, Kokkos::LayoutRight, Exec> out("out", n, s.rows(),
                                                            s.columns());
    cross_correlate(plan, view<T***>(m_left, n, e.left_h, e.left_w),
                    view<T***>(m_right, n, e.right_h, e.right_w), out);
    return Test::host_values(out);
  }

 private:
  template <class Data, class... N>
  static auto view(const Kokkos::View<T*, Exec>& v, N... n) {
    return Kokkos::View<Data, Kokkos::LayoutRight, Exec>(v.data(),
                                                         std::size_t(n)...);
  }
  static Kokkos::View<T*, Exec> values(int n, int side) {
    const Kokkos::View<T*, Exec> v("values", std::size_t(n));
    const auto host = Kokkos::create_mirror_view(v);
    for (int k = 0; k < n; ++k)
      host(k) = Test::correlate_value<T>(k, 0, 0, side);
    Kokkos::deep_copy(v, host);
    return v;
  }
  CorrelateExtents m_extents;
  Kokkos::View<T*, Exec> m_left, m_right;
};

CorrelateOptions trial_of(CorrelateOperand operand, Normalize normalize) {
  CorrelateOptions o;
  o.operand   = operand;
  o.normalize = normalize;
  o.mode      = CorrelateMode::window;
  o.window    = {-5, 6, -5, 6};
  if (operand == CorrelateOperand::signal) o.window = {0, 0, -9, 10};
  if (operand == CorrelateOperand::volume) o.window = {-2, 3, -2, 3, -1, 2};
  o.selection     = Selection::by_trial;
  o.least_overlap = Impl::is_local(normalize) ? .1 : 0;
  return o;
}

template <class T>
double largest_difference(const std::vector<T>& a, const std::vector<T>& b) {
  double worst = a.size() == b.size() ? 0 : 1e9;
  for (std::size_t k = 0; k < a.size() && k < b.size(); ++k)
    worst = Test::larger_error(worst, std::fabs(double(a[k]) - double(b[k])));
  return worst;
}

template <class Exec, class T>
void check_trial(const CorrelateExtents& e, const CorrelateOptions& o) {
  using Plan = CrossCorrelatePlan<Exec, T>;
  INFO("operand " << int(o.operand) << ", measure " << int(o.normalize)
                  << ", bytes " << sizeof(T));
  const Pairs<Exec, T> pairs(e);
  const Plan plan(Exec(), e, o, true);
  const Algorithm a = plan.algorithm();
  CHECK((a == Algorithm::tile || a == Algorithm::shuffle ||
         a == Algorithm::lane_group_per_shift ||
         a == Algorithm::team_per_shift || a == Algorithm::fft));
  const std::string said = plan.describe();
  CHECK((has(said, "fastest of a trial with ") ||
         has(said, "the only one that a trial would run")));
  CorrelateOptions basic = o;
  basic.selection        = Selection::by_model;
  basic.algorithm        = Algorithm::basic;
  const auto values      = pairs.run(plan);
  const double bound     = sizeof(T) == 4 ? 1e-3 : 1e-12;
  CHECK(largest_difference(values, pairs.run(Plan(Exec(), e, basic))) < bound);
  const Plan fixed(Exec(), e, plan.chosen_options(), true);
  CHECK(fixed.algorithm() == a);
  CHECK(has(fixed.describe(), "by options.selected"));
  CHECK(fixed.options().selection == Selection::by_model);
  if (a != Algorithm::fft) CHECK(pairs.run(fixed) == values);
  // remembered, also for other numbers of a power of two
  CorrelateExtents other = e;
  other.n -= 1;
  const Test::Recorder recorder;
  CHECK(Plan(Exec(), e, o, true).describe() == said);
  CHECK(Plan(Exec(), other, o, true).algorithm() == a);
  for (const std::string& kernel : Test::events.kernels)
    CHECK(kernel.find("trial") == std::string::npos);
}

TEMPLATE_LIST_TEST_CASE("a trial takes one of the possible algorithms",
                        "[correlate]", Test::Spaces) {
  using Exec = TestType;
  using O    = CorrelateOperand;
  using N    = Normalize;
  check_trial<Exec, float>({4, 1, 24, 24, 24, 24},
                           trial_of(O::matrix, N::none));
  check_trial<Exec, double>({4, 1, 24, 24, 20, 17},
                            trial_of(O::matrix, N::local));
  check_trial<Exec, float>({4, 1, 40, 5, 40, 5}, trial_of(O::matrix, N::whole));
  check_trial<Exec, float>({4, 1, 1, 60, 1, 30}, trial_of(O::signal, N::none));
  check_trial<Exec, double>({4, 1, 9, 10, 8, 7, 5, 4},
                            trial_of(O::volume, N::none));
  // by the definition alone
  CorrelateOptions o = trial_of(O::matrix, N::none);
  o.exactness        = CorrelateExactness::by_definition;
  check_trial<Exec, float>({4, 1, 32, 32, 32, 32}, o);
}

TEST_CASE("plans of peaks try, too", "[correlate]") {
  const auto o = trial_of(CorrelateOperand::matrix, Normalize::local);
  const CorrelatePeaksPlan<HostExec> plan(HostExec(), {3, 1, 24, 24, 24, 24}, o,
                                          {}, true);
  CHECK(has(plan.describe(), "a trial"));
  CHECK(plan.chosen_options().selected != Algorithm::automatic);
}

TEST_CASE("calls of a trial", "[correlate]") {
  std::vector<int> calls;
  // seconds of the first and of later calls
  const auto run = [&](std::vector<std::vector<double>> seconds) {
    calls.assign(seconds.size(), 0);
    std::vector<std::function<double()>> f;
    for (std::size_t k = 0; k < seconds.size(); ++k)
      f.push_back([&calls, k, s = seconds[k]] {
        const auto call = std::size_t(calls[k]++);
        return s[std::min(call, s.size() - 1)];
      });
    return Impl::fastest_in_turns(f);
  };
  using Times  = std::vector<double>;
  using Counts = std::vector<int>;
  // the first call does not count, the least of the others does
  CHECK(run({{1e-3, 3e-3, 2e-3, 6e-3}, {9e-3, 1e-4}}) == Times{2e-3, 1e-4});
  CHECK(calls == Counts{4, 6});  // no more after 10 ms
  // calls above 10 ms, and one that is four times as slow
  CHECK(run({{.02, .01}, {.1, .01}, {.05, .03}}) == Times{.01, .1, .03});
  CHECK(calls == Counts{2, 1, 2});
  CHECK(run({}).empty());
}

TEST_CASE("pairs of a trial", "[correlate]") {
  const auto cut = [](int n, int m, Pairing p, double pairs) {
    const auto e = Impl::trial_extents({n, m, 3, 4, 5, 6}, p, pairs);
    CHECK((e.left_h == 3 && e.right_w == 6));
    return std::vector<int>{e.n, e.m};
  };
  using N = std::vector<int>;
  CHECK(cut(1000, 1, Pairing::one_to_one, 50) == N{50, 1});
  CHECK(cut(1, 1000, Pairing::one_to_many, 50.5) == N{1, 50});
  CHECK(cut(1000, 10, Pairing::n_to_mn, 50) == N{5, 10});
  CHECK(cut(1000, 1000, Pairing::n_to_m, 64) == N{8, 8});
  CHECK(cut(2, 1000, Pairing::n_to_m, 64) == N{2, 32});
  CHECK(cut(1000, 2, Pairing::n_to_m, 64) == N{32, 2});
  CHECK(cut(7, 9, Pairing::n_to_m, .01) == N{1, 1});
  CHECK(cut(7, 9, Pairing::n_to_m, 1e9) == N{7, 9});
}

TEST_CASE("the environment and options decide before a trial", "[correlate]") {
  using Plan = CrossCorrelatePlan<HostExec, float>;
  const CorrelateExtents e{3, 1, 26, 26, 26, 26};
  auto o = trial_of(CorrelateOperand::matrix, Normalize::none);
  setenv("SPOROS_CORRELATE", "basic", 1);
  const Plan by_name(HostExec(), e, o, true);
  auto selected      = o;
  selected.selection = Selection::by_model;
  selected.selected  = Algorithm::lane_group_per_shift;
  const Plan by_option(HostExec(), e, selected, true);
  unsetenv("SPOROS_CORRELATE");
  CHECK(by_name.algorithm() == Algorithm::basic);
  CHECK(has(by_name.describe(), "by SPOROS_CORRELATE in the environment"));
  CHECK(by_name.chosen_options().selected == Algorithm::basic);
  CHECK(by_option.algorithm() == Algorithm::lane_group_per_shift);
  // options that one algorithm has, no results, and what needs no choice
  o.staged = true;
  const Plan staged(HostExec(), e, o, true);
  CHECK(has(staged.describe(), "the only one that a trial would run"));
  o        = trial_of(CorrelateOperand::matrix, Normalize::none);
  o.window = {0, 0, 0, 0};
  const Plan none(HostExec(), e, o, true);
  CHECK(none.chosen_options().selected == Algorithm::automatic);
  o.algorithm = Algorithm::tile;
  o.selection = Selection::by_model;
  CHECK(Plan(HostExec(), e, o, true).chosen_options().selected ==
        Algorithm::automatic);
}

TEST_CASE("wrong selections", "[wrong_calls]") {
  const Test::Untouched untouched;
  const auto planned = [](Algorithm a, Selection s, Algorithm selected) {
    return [=] {
      CorrelateOptions o;
      o.algorithm = a;
      o.selection = s;
      o.selected  = selected;
      CrossCorrelatePlan<HostExec, float>(HostExec(), {1, 1, 4, 4, 4, 4}, o);
    };
  };
  const auto integers = [] {
    CorrelateOptions o;
    o.selected = Algorithm::fft;
    CrossCorrelatePlan<HostExec, int>(HostExec(), {1, 1, 4, 4, 4, 4}, o);
  };
  const auto grouped = [] {
    CorrelateOptions o;
    o.selection  = Selection::by_trial;
    o.right_rows = 4;  // of shuffle, which hosts do not try
    CrossCorrelatePlan<HostExec, float>(HostExec(), {1, 1, 4, 4, 4, 4}, o);
  };
  const std::string p               = "Sporos::CrossCorrelatePlan";
  constexpr auto any                = Algorithm::automatic;
  constexpr auto model              = Selection::by_model;
  constexpr auto by_time            = Selection::by_trial;
  const std::vector<WrongCall> rows = {
      {"no selection", planned(any, Selection(2), any), p, "options.selection",
       "by_model or by_trial", "2"},
      {"no selected algorithm", planned(any, model, Algorithm(7)), p,
       "options.selected", "automatic, basic, tile", "7"},
      {"a trial of one algorithm", planned(Algorithm::tile, by_time, any), p,
       "options.selection", "by_model unless options.algorithm is automatic",
       "by_trial for tile"},
      {"two algorithms", planned(Algorithm::tile, model, Algorithm::basic), p,
       "options.selected",
       "automatic, unless options.algorithm is automatic and "
       "options.selection by_model",
       "basic for algorithm tile and selection by_model"},
      {"a choice and a trial", planned(any, by_time, Algorithm::basic), p,
       "options.selected", "automatic, unless options.algorithm is automatic",
       "basic for algorithm automatic and selection by_trial"},
      {"automatic with fft for integers", integers, p, "options.selected",
       "another one than fft for an integer out", "fft"},
      {"groups of a trial", grouped, p, "options.right_rows",
       "0 for all algorithms but shuffle", "4 for "}};
  check_wrong_calls(rows, untouched, 7);
}

}  // namespace CorrelateTrial
