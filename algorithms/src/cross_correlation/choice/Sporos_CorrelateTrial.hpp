// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATETRIAL_HPP
#define SPOROS_CORRELATETRIAL_HPP

/// \file Sporos_CorrelateTrial.hpp
/// CorrelateSelection::by_trial: which algorithms are tried, on how many pairs
/// and how often, and what is remembered.

#include <Sporos_ForEachIndex.hpp>
#include <cross_correlation/choice/Sporos_CorrelateChoice.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace Sporos {
namespace Impl {

/// Choices of trials, until the program ends.
class TrialMemory {
 public:
  /// Has there been a trial for this key?
  bool find(const std::string& key, AutomaticCorrelate& found) {
    const std::lock_guard<std::mutex> lock(m_mutex);
    const auto at = m_choices.find(key);
    if (at == m_choices.end()) return false;
    found = at->second;
    return true;
  }
  /// The first choice for a key stays.
  AutomaticCorrelate keep(const std::string& key,
                          const AutomaticCorrelate& choice) {
    const std::lock_guard<std::mutex> lock(m_mutex);
    return m_choices.emplace(key, choice).first->second;
  }

 private:
  std::mutex m_mutex;
  std::map<std::string, AutomaticCorrelate> m_choices;
};
inline TrialMemory& trial_memory() {
  static TrialMemory memory;
  return memory;
}

/// Problems with one choice: all that matters but the values of matrices.
/// \param where space, device, threads and types
inline std::string trial_key(const std::string& where,
                             const CorrelateExtents& e, const ShiftWindow& s,
                             const CorrelateOptions& o, bool once) {
  const auto octaves = [](int n) { return int(std::ceil(std::log2(n))); };
  std::ostringstream key;
  for (const int number : {octaves(e.n),
                           octaves(e.m),
                           e.left_d,
                           e.left_h,
                           e.left_w,
                           e.right_d,
                           e.right_h,
                           e.right_w,
                           s.dz0,
                           s.dz1,
                           s.dy0,
                           s.dy1,
                           s.dx0,
                           s.dx1,
                           int(o.operand),
                           int(o.pairing),
                           int(o.exactness),
                           int(o.normalize),
                           o.left_matrices,
                           o.right_matrices,
                           o.left_rows,
                           o.right_rows,
                           int(o.distribution),
                           o.rows_per_task,
                           int(o.staged),
                           int(once)})
    key << number << ' ';
  return key.str() + where;
}

/// The extents with about so many pairs, at most. Spectra that pairs share are
/// shared in the trial, too, by fewer of them.
inline CorrelateExtents trial_extents(CorrelateExtents e, Pairing pairing,
                                      double pairs) {
  pairs              = std::max(1., pairs);
  const double least = pairing == Pairing::n_to_m ? std::sqrt(pairs) : pairs;
  e.m                = int(std::min(1. * e.m, std::max(least, pairs / e.n)));
  e.n                = int(std::min(1. * e.n, std::max(1., pairs / e.m)));
  return e;
}

/// Seconds of the fastest of a few calls of each, in turns, so that what
/// disturbs for a while disturbs all. The first call allocates memory: it
/// counts only for those that are so slow that they are not called again.
/// \param calls return seconds
inline std::vector<double> fastest_in_turns(
    const std::vector<std::function<double()>>& calls) {
  std::vector<double> best(calls.size()), spent(calls.size());
  double fastest = 0;
  for (int turn = 0; turn <= trial_calls; ++turn) {
    for (std::size_t k = 0; k < calls.size(); ++k) {
      const bool slow = turn == 1 && best[k] > trial_margin * fastest;
      if (spent[k] > trial_seconds && (turn > 1 || slow)) continue;
      const double t = calls[k]();
      best[k]        = turn < 2 ? t : std::min(best[k], t);
      spent[k] += t;
    }
    if (turn == 0 && !best.empty())
      fastest = *std::min_element(best.begin(), best.end());
  }
  return best;
}

/// Does the algorithm have the options that only some have?
inline bool has_options(CorrelateAlgorithm a, const CorrelateOptions& o) {
  const bool shuffle   = a == CorrelateAlgorithm::shuffle;
  const bool per_shift = a == CorrelateAlgorithm::lane_group_per_shift;
  return (shuffle || !is_grouped(o)) && (per_shift || !o.staged) &&
         (shuffle || per_shift || !is_distributed(o));
}

/// Bytes of the matrices and results of a pair.
inline double bytes_of_pair(const CorrelateShape& s, std::size_t in,
                            std::size_t out) {
  const CorrelateExtents& e = s.extents;
  return double(in) * (double(e.left_d) * e.left_h * e.left_w +
                       double(e.right_d) * e.right_h * e.right_w) +
         double(out) * (double(s.planes()) * s.rows() * s.columns());
}

/// What a trial runs, on how many pairs.
struct TrialPlan {
  std::vector<CorrelateAlgorithm> algorithms;  ///< hosts: by their models
  CorrelateExtents extents;
};

inline namespace SPOROS_IMPL_FFT_LIBRARIES {

/// \param all what is to be done, as the caller sees it
template <class Exec, class T, class A>
TrialPlan plan_trial(const Exec& exec, const CorrelateWork& work,
                     const CorrelateShape& all, const CorrelateOptions& o) {
  using Algorithm    = CorrelateAlgorithm;
  const bool may_fft = has_correlate_fft<Exec> && !std::is_integral<A>::value &&
                       o.exactness != CorrelateExactness::by_definition;
  TrialPlan plan;
  double pairs = trial_bytes / bytes_of_pair(all, sizeof(T), sizeof(A));
  if constexpr (is_host_space_v<Exec>) {
    const ModelledCosts cost =
        modelled_costs<A>(work, o.pairing, is_local(o.normalize));
    const std::pair<double, Algorithm> of_all[] = {
        {cost.tile, Algorithm::tile},
        {cost.dot, Algorithm::lane_group_per_shift},
        {cost.fft, Algorithm::fft}};
    std::vector<std::pair<double, Algorithm>> costs;
    for (const auto& c : of_all)
      if (has_options(c.second, o) && (may_fft || c.second != Algorithm::fft))
        costs.push_back(c);
    std::sort(costs.begin(), costs.end());
    for (const auto& c : costs)
      if (c.first <= trial_margin * costs[0].first)
        plan.algorithms.push_back(c.second);
    const double threads = std::max(1, int(exec.concurrency()));
    if (!costs.empty())
      pairs = std::min(pairs, threads * std::max(1., 1e6 * trial_call_seconds /
                                                         costs[0].first));
  } else {
    const auto add = [&](Algorithm a, bool may) {
      if (may && has_options(a, o)) plan.algorithms.push_back(a);
    };
    const double results = double(all.all_results());
    const double products =
        results / double(all.pairs()) * double(most_terms_of_all(all.extents));
    const bool few = products <= most_trial_products;
    add(Algorithm::fft, may_fft);
    add(Algorithm::tile, few);
    add(Algorithm::shuffle, few);
    add(Algorithm::lane_group_per_shift, few);
    add(Algorithm::team_per_shift,
        few && results < std::numeric_limits<int>::max());
    pairs = std::min(pairs, trial_products / products);
  }
  plan.extents = trial_extents(all.extents, o.pairing, pairs);
  return plan;
}

}  // namespace SPOROS_IMPL_FFT_LIBRARIES

/// Small numbers, none of them 0 unless they are integers, whose sums fit.
template <class T>
struct FillTrial {
  T* data;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    const std::uint32_t h = (std::uint32_t(k) * 2654435761u) >> 16;
    data[k] = T(real_of<T>(std::is_integral<T>::value ? h & 1u : 1u + h % 7u));
  }
};

/// Matrices that a trial correlates.
template <class Exec, class T, class A>
struct TrialMatrices {
  using Memory = typename Exec::memory_space;
  Kokkos::View<T*, Memory> left, right;
  Kokkos::View<A*, Memory> out;

  /// The problem of a plan, with memory.
  CorrelateProblem<T, A> problem(const Exec& exec, const CorrelateShape& s,
                                 Pairing pairing) {
    const CorrelateExtents& e = s.extents;
    const auto all = [](auto& matrices, int planes, int rows, int columns,
                        std::ptrdiff_t j) {
      matrices.x = 1;
      matrices.y = columns;
      matrices.z = std::ptrdiff_t(rows) * columns;
      matrices.j = planes * matrices.z;
      matrices.i = j * matrices.j;
      return matrices.j;
    };
    CorrelateProblem<T, A> p{s, {}, {}, {}};
    const bool shared = pairing == Pairing::n_to_m;
    const auto l      = e.n * all(p.left, e.left_d, e.left_h, e.left_w, 1);
    const auto r =
        (shared ? e.m : std::ptrdiff_t(e.n) * e.m) *
        all(p.right, e.right_d, e.right_h, e.right_w, shared ? 0 : e.m);
    const auto results = std::ptrdiff_t(e.n) * e.m *
                         all(p.out, s.planes(), s.rows(), s.columns(), e.m);
    p.left.data  = filled(exec, left, l);
    p.right.data = filled(exec, right, r);
    if (out.extent(0) == 0)
      out = new_view<Kokkos::View<A*, Memory>>(
          exec, "Sporos::CrossCorrelatePlan::trial_out", results);
    p.out.data = out.data();
    return p;
  }

 private:
  const T* filled(const Exec& exec, Kokkos::View<T*, Memory>& view,
                  std::ptrdiff_t n) {
    if (view.extent(0) > 0) return view.data();
    view = new_view<Kokkos::View<T*, Memory>>(
        exec, "Sporos::CrossCorrelatePlan::trial_matrices", n);
    for_each_index("Sporos::CrossCorrelatePlan::trial",
                   Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(
                       exec, 0, std::int64_t(n)),
                   FillTrial<T>{view.data()});
    return view.data();
  }
};

inline namespace SPOROS_IMPL_FFT_LIBRARIES {

/// Is there to be a trial?
inline bool wants_trial(const CorrelateShape& s, const CorrelateOptions& o) {
  return o.selection == CorrelateSelection::by_trial && !o.whiten &&
         !s.empty() &&
         correlate_of_environment() == CorrelateAlgorithm::automatic;
}

/// Runs a trial.
/// \param make makes the state of a plan of extents and options
template <class T, class A, class Exec, class Make>
AutomaticCorrelate run_trial(const Exec& exec, const CorrelateWork& work,
                             const TrialPlan& plan,
                             const CorrelateOptions& options,
                             const Make& make) {
  const char* const label = "Sporos::CrossCorrelatePlan::trial";
  TrialMatrices<Exec, T, A> matrices;
  std::vector<std::function<double()>> calls;
  CorrelateOptions o = options;
  o.selection        = CorrelateSelection::by_model;
  for (const CorrelateAlgorithm a : plan.algorithms) {
    o.selected       = a;
    const auto state = make(plan.extents, o);
    auto problem     = matrices.problem(exec, state->shape, o.pairing);
    if (state->transposed)
      problem = {state->work, transposed(problem.left),
                 transposed(problem.right), transposed(problem.out)};
    calls.push_back([=] {
      fence(exec, label);
      const Kokkos::Timer timer;
      state->run(exec, *state, problem, nullptr);
      fence(exec, label);
      return timer.seconds();
    });
  }
  std::vector<double> times = fastest_in_turns(calls);
  const CorrelateExtents& e = plan.extents;
  CorrelateShape tried      = work.all;
  tried.extents.n           = e.n;
  tried.extents.m           = e.m;
  // more pairs than those of the trial share spectra
  const auto units = [&](const CorrelateShape& s) {
    return fft_work(s, options.pairing, !is_complex_v<A>, sizeof(A));
  };
  std::ostringstream why;
  why << "fastest of a trial with " << e.n << " x " << e.m
      << " pairs, microseconds a pair:";
  for (std::size_t k = 0; k < times.size(); ++k) {
    times[k] *= 1e6 / (double(e.n) * e.m);
    if (plan.algorithms[k] == CorrelateAlgorithm::fft)
      times[k] *= units(work.all) / units(tried);
    why << (k > 0 ? ", " : " ") << name_of(plan.algorithms[k]) << ' '
        << times[k];
  }
  const auto best = std::min_element(times.begin(), times.end());
  return {plan.algorithms[std::size_t(best - times.begin())], why.str()};
}

/// The choice of a trial, or of an earlier one.
template <class T, class A, class Exec, class Make>
AutomaticCorrelate tried_correlate(const Exec& exec, const CorrelateWork& work,
                                   const CorrelateShape& all,
                                   const CorrelateOptions& options, bool once,
                                   const Make& make) {
  const TrialPlan plan = plan_trial<Exec, T, A>(exec, work, all, options);
  // none: the model says what does not fit
  if (plan.algorithms.empty()) return {CorrelateAlgorithm::automatic, ""};
  if (plan.algorithms.size() == 1)
    return {plan.algorithms[0], "the only one that a trial would run"};
  std::ostringstream where;
  where << Exec::name() << ' ' << device_of(exec) << ' ' << exec.concurrency()
        << ' ' << is_complex_v<T> << std::is_integral<T>::value
        << std::is_integral<A>::value << sizeof(T) << sizeof(A)
        << has_correlate_fft<Exec>;
  const std::string key =
      trial_key(where.str(), all.extents, all.shifts, options, once);
  AutomaticCorrelate found{};
  if (trial_memory().find(key, found)) return found;
  return trial_memory().keep(key,
                             run_trial<T, A>(exec, work, plan, options, make));
}

}  // namespace SPOROS_IMPL_FFT_LIBRARIES
}  // namespace Impl
}  // namespace Sporos

#endif
