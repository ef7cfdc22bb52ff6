// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Random correlations against plain sums in long double: pairings, modes,
/// algorithms, options, layouts, values. Each file of this folder instantiates
/// it for some types.

#ifndef SPOROS_RANDOMCORRELATION_HPP
#define SPOROS_RANDOMCORRELATION_HPP

#include "Sporos_RandomDriver.hpp"
#include "Sporos_RandomMatrices.hpp"
#include "Sporos_RandomOverlaps.hpp"
#include "Sporos_RandomPeaks.hpp"
#include "Sporos_RandomWhitened.hpp"

#include <Sporos_CrossCorrelate.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace Sporos {
namespace Test {

/// What is correlated, and how.
struct RandomCorrelation {
  CorrelateExtents e;
  CorrelateOptions o;
  ShiftWindow s;
  bool batch     = false;  ///< one_to_one of many
  bool signal    = false;
  bool left_mask = false, right_mask = false;
  Values left_values, right_values;

  bool overlaps() const {
    return left_mask || right_mask || Impl::is_local(o.normalize);
  }
  /// Are matrices less their means correlated?
  bool centered() const {
    return o.normalize == Normalize::mean_only ||
           o.normalize == Normalize::whole;
  }
  bool own_right() const {
    return o.pairing == Pairing::n_to_mn || o.pairing == Pairing::one_to_one;
  }
  std::string text() const {
    std::ostringstream t;
    t << "operand " << int(o.operand) << ", pairing " << int(o.pairing)
      << ", n " << e.n << ", m " << e.m << ", left (" << e.left_h << ", "
      << e.left_w << "), right (" << e.right_h << ", " << e.right_w
      << "), mode " << int(o.mode) << ", shifts [" << s.dy0 << ", " << s.dy1
      << ") x [" << s.dx0 << ", " << s.dx1 << "), algorithm "
      << int(o.algorithm) << ", selection " << int(o.selection)
      << ", exactness " << int(o.exactness) << ", groups " << o.left_matrices
      << ' ' << o.right_matrices << ' ' << o.left_rows << ' ' << o.right_rows
      << ", distribution " << int(o.distribution) << " of " << o.rows_per_task
      << ", staged " << o.staged << ", normalize " << int(o.normalize)
      << ", whiten " << o.whiten << ", least overlap " << o.least_overlap
      << ", masks " << left_mask << right_mask << ", least deviation "
      << o.least_deviation << ", values " << int(left_values) << " and "
      << int(right_values);
    return t.str();
  }
};

inline int random_extent(RandomCase& random) {
  const int most = random.one_of({1, 4, 17, 40, 40, 130});
  return random.chance(20) ? random.one_of({1, 2, 3, 5, 7, 13, 16, 31, 64})
                           : random.integer(1, most);
}

/// Pairing, extents and shifts; plain sums stay below some million products.
/// \param signals whether operands may be signals
inline void choose_shape(RandomCase& random, RandomCorrelation& c,
                         bool signals) {
  c.signal = signals && random.chance(25);
  if (c.signal) c.o.operand = CorrelateOperand::signal;
  for (;;) {
    c.e              = {};
    c.o.pairing      = random.one_of({Pairing::one_to_one, Pairing::one_to_many,
                                      Pairing::n_to_mn, Pairing::n_to_m});
    c.batch          = c.o.pairing == Pairing::one_to_one && random.chance(50);
    const int lowest = random.chance(3) ? 0 : 1;
    if (c.o.pairing == Pairing::n_to_mn || c.o.pairing == Pairing::n_to_m ||
        c.batch)
      c.e.n = random.integer(lowest, 5);
    if (c.o.pairing != Pairing::one_to_one) c.e.m = random.integer(lowest, 9);
    c.e.left_h      = random_extent(random);
    c.e.left_w      = random_extent(random);
    const bool same = random.chance(40);
    c.e.right_h     = same ? c.e.left_h : random_extent(random);
    c.e.right_w     = same ? c.e.left_w : random_extent(random);
    if (c.signal) c.e.left_h = c.e.right_h = 1;
    c.o.mode = random.one_of({CorrelateMode::full, CorrelateMode::same,
                              CorrelateMode::valid, CorrelateMode::window});
    const bool fits =
        (c.e.left_h >= c.e.right_h && c.e.left_w >= c.e.right_w) ||
        (c.e.left_h <= c.e.right_h && c.e.left_w <= c.e.right_w);
    if (c.o.mode == CorrelateMode::valid && !fits)
      c.o.mode = CorrelateMode::window;
    const auto range = [&](int left, int right, int& first, int& end) {
      const int beyond = random.chance(20) ? 10 : 0;
      first            = random.integer(-right - beyond, left + beyond);
      end = first + (random.chance(2) ? 0 : random.integer(1, left + right));
    };
    range(c.e.left_h, c.e.right_h, c.o.window.dy0, c.o.window.dy1);
    range(c.e.left_w, c.e.right_w, c.o.window.dx0, c.o.window.dx1);
    if (c.signal) c.o.window.dy0 = 0, c.o.window.dy1 = random.integer(0, 1);
    c.s                   = correlate_shifts(c.e, c.o);
    const double products = double(c.e.n) * c.e.m * c.s.rows() * c.s.columns() *
                            std::min(c.e.left_h, c.e.right_h) *
                            std::min(c.e.left_w, c.e.right_w);
    if (products < 1.5e6) return;
  }
}

/// Algorithm and its options.
template <class Exec, class A>
void choose_algorithm(RandomCase& random, RandomCorrelation& c) {
  using Algorithm       = CorrelateAlgorithm;
  CorrelateOptions& o   = c.o;
  constexpr bool real_a = std::is_floating_point<Impl::real_of<A>>::value;
  o.algorithm           = random.one_of(
                {Algorithm::automatic, Algorithm::automatic, Algorithm::basic,
                 Algorithm::tile, Algorithm::shuffle, Algorithm::shuffle,
                 Algorithm::lane_group_per_shift, Algorithm::lane_group_per_shift,
                 Algorithm::team_per_shift, Algorithm::fft});
  if (o.algorithm == Algorithm::fft && !Impl::has_correlate_fft<Exec>)
    o.algorithm = Algorithm::automatic;
  if (random.chance(30))
    o.exactness = o.algorithm == Algorithm::fft || random.chance(50)
                      ? CorrelateExactness::relative_to_norms
                      : CorrelateExactness::by_definition;
  if (o.algorithm == Algorithm::shuffle && random.chance(80)) {
    Impl::ShuffleGroup g{};
    do
      g = Impl::shuffle_groups[random.integer(0,
                                              Impl::shuffle_group_count - 1)];
    while ((g.left_matrices > 1 && o.pairing != Pairing::n_to_m) ||
           (c.signal && g.left_rows * g.right_rows > 1) ||
           !Impl::fits_registers(g, int(sizeof(A))));
    o.left_matrices  = g.left_matrices;
    o.right_matrices = g.right_matrices;
    o.left_rows      = g.left_rows;
    o.right_rows     = g.right_rows;
  }
  if (!c.signal && (o.algorithm == Algorithm::shuffle ||
                    o.algorithm == Algorithm::lane_group_per_shift)) {
    o.distribution = random.one_of(
        {WorkDistribution::automatic, WorkDistribution::none,
         WorkDistribution::rectangle, WorkDistribution::triangle});
    if (Impl::is_distributed(o)) o.rows_per_task = random.integer(0, 9);
  }
  if (o.algorithm == Algorithm::lane_group_per_shift)
    o.staged = random.chance(40);
  if (o.algorithm == Algorithm::automatic && random.chance(25))
    o.selection = CorrelateSelection::by_trial;
  if (!real_a || random.chance(55)) return;
  using N = Normalize;
  o.normalize =
      random.one_of({N::none, N::mean_only, N::whole, N::whole, N::local,
                     N::local, N::local_mean_only, N::local_norm_only,
                     N::square_difference, N::square_difference_normalized});
  if (o.normalize == N::whole && random.chance(30))
    o.least_deviation = random.real(0, .6);
  const bool local = Impl::is_local(o.normalize);
  if (local && random.chance(50)) o.least_overlap = random.real(0, .6);
  if (!local && o.normalize != N::none) return;
  c.left_mask  = random.chance(40);
  c.right_mask = random.chance(40);
}

/// The correlation of two matrices as a plain sum.
struct PlainSum {
  std::complex<long double> sum{};
  long double magnitudes = 0;
  bool finite            = true;
  bool overlap           = false;
};
template <class T>
PlainSum plain_sum(const RandomCorrelation& c, const Plain<T>& left,
                   const Plain<T>& right, int dy, int dx) {
  PlainSum p;
  const CorrelateExtents& e = c.e;
  long double re = 0, im = 0;
  for (int y = std::max(0, -dy); y < std::min(e.right_h, e.left_h - dy); ++y)
    for (int x = std::max(0, -dx); x < std::min(e.right_w, e.left_w - dx);
         ++x) {
      const auto &a = left(y + dy, x + dx), &b = right(y, x);
      p.overlap = true;
      re += a.real() * b.real() + a.imag() * b.imag();
      im += a.imag() * b.real() - a.real() * b.imag();
      p.magnitudes += left.size(y + dy, x + dx) * right.size(y, x);
    }
  p.sum    = {re, im};
  p.finite = std::isfinite(p.magnitudes);
  return p;
}

/// What may be wrong, of a result of two matrices.
template <class A, class T>
struct Tolerance {
  using R = Impl::real_of<A>;
  static constexpr long double eps =
      std::is_integral<R>::value
          ? 0
          : (long double)(std::numeric_limits<R>::epsilon());
  bool by_fft;
  bool centered;
  long double norms, log_size, terms;

  Tolerance(const RandomCorrelation& c, CorrelateAlgorithm chosen,
            const Plain<T>& left, const Plain<T>& right)
      : by_fft(chosen == CorrelateAlgorithm::fft),
        centered(c.centered()),
        norms(left.norm() * right.norm()),
        terms(1.L * left.size() * right.size()) {
    const CorrelateExtents& e = c.e;
    log_size = std::log2(4.L * (e.left_h + e.right_h) * (e.left_w + e.right_w));
    const bool range = c.o.algorithm == CorrelateAlgorithm::automatic &&
                       c.o.exactness == CorrelateExactness::by_range &&
                       !centered;
    using F = Impl::fft_real<A>;
    // of left, what the shifts meet
    if (range && (left.template is_wide<F>(c.s.dy0, c.s.dy1 - 1 + e.right_h,
                                           c.s.dx0, c.s.dx1 - 1 + e.right_w) ||
                  right.template is_wide<F>(0, e.right_h, 0, e.right_w)))
      by_fft = false;
  }
  long double operator()(const PlainSum& p) const {
    const long double of_blocks = std::is_same<R, float>::value ? 64 : 1500;
    const long double tiny =
        std::is_integral<R>::value
            ? 0
            : terms * (long double)(std::numeric_limits<R>::denorm_min());
    long double t = of_blocks * eps * p.magnitudes + tiny;
    if (by_fft || centered) t += 8 * eps * log_size * norms;
    if (centered) t += 500 * eps * norms;
    return t;
  }
};

/// Is the result right?
template <class A, class T>
std::string judge(const RandomCorrelation& c, CorrelateAlgorithm chosen,
                  const std::vector<Plain<T>>& lefts,
                  const std::vector<Plain<T>>& rights, const Matrices<A>& out) {
  const bool overlaps_only =
      c.o.algorithm == CorrelateAlgorithm::basic ||
      c.o.algorithm == CorrelateAlgorithm::team_per_shift ||
      (c.o.algorithm == CorrelateAlgorithm::lane_group_per_shift &&
       (c.o.staged || Impl::is_distributed(c.o)));
  const bool centered = c.centered();
  for (int i = 0; i < c.e.n; ++i)
    for (int j = 0; j < c.e.m; ++j) {
      const Plain<T>& l = lefts[std::size_t(i)];
      const Plain<T>& r =
          rights[std::size_t(c.own_right() ? i * c.e.m + j : j)];
      const Tolerance<A, T> tolerance(c, chosen, l, r);
      for (int oy = 0; oy < c.s.rows(); ++oy)
        for (int ox = 0; ox < c.s.columns(); ++ox) {
          const int dy = c.s.dy0 + oy, dx = c.s.dx0 + ox;
          const PlainSum p = plain_sum(c, l, r, dy, dx);
          const auto got   = as_plain(out(i, j, oy, ox));
          const bool finite =
              std::isfinite(got.real()) && std::isfinite(got.imag());
          const auto wrong = [&](const char* why) {
            std::ostringstream t;
            t << why << ": pair (" << i << ", " << j << "), shift (" << dy
              << ", " << dx << "): " << got << " instead of " << p.sum
              << ", magnitudes " << p.magnitudes << ", tolerance "
              << tolerance(p) << ", norms " << tolerance.norms << '\n';
            return t.str();
          };
          if (!l.all_finite() || !r.all_finite()) {
            if (centered) continue;
            if (finite != p.finite && (finite || overlaps_only))
              return wrong(finite ? "lost what is not finite"
                                  : "spread what is not finite");
            if (!finite) continue;
            if (tolerance.by_fft) continue;
          }
          if (!finite) return wrong("not finite");
          if (!p.overlap && !centered && got != p.sum)
            return wrong("not 0 without overlap");
          if (!(std::abs(got - p.sum) <= tolerance(p))) return wrong("wrong");
          if (c.o.normalize == Normalize::whole && std::abs(got) > 1)
            return wrong("above 1");
          if (p.magnitudes == 0 && !centered && !tolerance.by_fft &&
              got != p.sum)
            return wrong("not 0");
        }
    }
  return "";
}

/// Do integer sums fit?
template <class A, class T>
bool sums_fit(const RandomCorrelation& c, const std::vector<Plain<T>>& lefts,
              const std::vector<Plain<T>>& rights) {
  if constexpr (std::is_integral<A>::value) {
    const long double end = (long double)(std::numeric_limits<A>::max()) + 1;
    for (int i = 0; i < c.e.n; ++i)
      for (int j = 0; j < c.e.m; ++j)
        for (int dy = c.s.dy0; dy < c.s.dy1; ++dy)
          for (int dx = c.s.dx0; dx < c.s.dx1; ++dx) {
            const long double sum =
                plain_sum(
                    c, lefts[std::size_t(i)],
                    rights[std::size_t(c.own_right() ? i * c.e.m + j : j)], dy,
                    dx)
                    .sum.real();
            if (sum >= end || sum < -end) return false;
          }
  }
  return true;
}

/// Calls cross_correlate with Views of the ranks of the pairing.
/// One side or both may have a mask. Dimensions: of an operand
template <int Dimensions, class Plan, class Exec, class T, class A>
void correlate_any(const Exec& exec, const Plan& plan,
                   const RandomCorrelation& c, const Matrices<T>& left,
                   const Matrices<T>& right, const Matrices<float>& left_mask,
                   const Matrices<float>& right_mask, const Matrices<A>& out) {
  const auto call = [&](auto l, auto r, auto o) {
    if constexpr (std::is_floating_point<Impl::real_of<A>>::value) {
      const auto with = [&](const auto& of_left, const auto& of_right) {
        cross_correlate(exec, plan, left.template view<const T, l.value>(),
                        of_left, right.template view<const T, r.value>(),
                        of_right, out.template view<A, o.value>());
      };
      const auto lm = left_mask.template view<const float, l.value>();
      const auto rm = right_mask.template view<const float, r.value>();
      if (c.left_mask && c.right_mask) return with(lm, rm);
      if (c.left_mask) return with(lm, NoMask());
      if (c.right_mask) return with(NoMask(), rm);
    }
    cross_correlate(exec, plan, left.template view<const T, l.value>(),
                    right.template view<const T, r.value>(),
                    out.template view<A, o.value>());
  };
  const std::integral_constant<int, Dimensions> one;
  const std::integral_constant<int, Dimensions + 1> many;
  const std::integral_constant<int, Dimensions + 2> table;
  switch (c.o.pairing) {
    case Pairing::one_to_one:
      if (c.batch) return call(many, many, many);
      return call(one, one, one);
    case Pairing::one_to_many: return call(one, many, many);
    case Pairing::n_to_mn: return call(many, table, table);
    case Pairing::n_to_m: return call(many, many, table);
  }
}

template <class Exec, bool Signals, class T, class A>
std::string run_correlation(RandomCorrelation& c, Matrices<T>& left,
                            Matrices<T>& right,
                            const Matrices<float>& left_mask,
                            const Matrices<float>& right_mask, Matrices<A>& out,
                            CorrelateAlgorithm& chosen) {
  const Exec exec;
  const CrossCorrelatePlan<Exec, T, A> plan(exec, c.e, c.o, true);
  chosen = plan.algorithm();
  c.o    = plan.chosen_options();  // for the next plan
  std::vector<A> before;
  for (int run = 0; run < 2; ++run) {
    out.spoil();
    if (!c.signal)
      correlate_any<2>(exec, plan, c, left, right, left_mask, right_mask, out);
    else if constexpr (Signals)
      correlate_any<1>(exec, plan, c, left, right, left_mask, right_mask, out);
    exec.fence();
    if (!out.gaps_are_spoilt()) return "wrote beside out";
    if (run == 0)
      before = out.memory();
    else if (std::memcmp(before.data(), out.memory().data(),
                         before.size() * sizeof(A)) != 0)
      return "the second run gave other bits";
  }
  return "";
}

/// A random correlation of T, summed in A.
/// \tparam Serial whether one thread must give the same bits
/// \tparam Signals whether they may be of signals
template <class T, class A, bool Serial = false, bool Signals = false>
std::string check_correlation(RandomCase& random) {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  RandomCorrelation c;
  choose_shape(random, c, Signals);
  choose_algorithm<Exec, A>(random, c);
  choose_whitening<Exec, A>(random, c);
  if (c.o.staged && Impl::staged_rows(c.e, sizeof(A)) == 0) c.o.staged = false;
  c.left_values      = random_values<T>(random);
  c.right_values     = random_values<T>(random);
  const bool leading = c.e.n != 1 || c.batch ||
                       c.o.pairing == Pairing::n_to_mn ||
                       c.o.pairing == Pairing::n_to_m;
  const bool many = c.o.pairing != Pairing::one_to_one;
  const bool rows = !c.signal;
  Matrices<T> left(random, leading, false, c.e.n, 1, c.e.left_h, c.e.left_w,
                   rows);
  Matrices<T> right(random, leading && c.own_right(), many, c.e.n, c.e.m,
                    c.e.right_h, c.e.right_w, rows);
  Matrices<A> out(random, leading, many, c.e.n, c.e.m, c.s.rows(),
                  c.s.columns(), rows);
  left.fill(random, c.left_values);
  right.fill(random, c.right_values);
  Matrices<float> left_mask(random, leading, false, c.e.n, 1, c.e.left_h,
                            c.e.left_w, rows);
  Matrices<float> right_mask(random, leading && c.own_right(), many, c.e.n,
                             c.e.m, c.e.right_h, c.e.right_w, rows);
  fill_mask(random, left_mask);
  fill_mask(random, right_mask);
  const bool whole = c.o.normalize == Normalize::whole;
  const auto lefts =
      plain_matrices(left, c.centered(), whole, c.o.least_deviation);
  const auto rights =
      plain_matrices(right, c.centered(), whole, c.o.least_deviation);
  std::string wrong;
  for (const auto* all : {&lefts, &rights})
    for (const auto& matrix : *all)
      if (matrix.is_doubtful()) return "";  // at the least deviation
  CorrelateAlgorithm chosen{};
  const bool fit = sums_fit<A>(c, lefts, rights);
  bool thrown    = false;
  try {
    wrong = run_correlation<Exec, Signals>(c, left, right, left_mask,
                                           right_mask, out, chosen);
  } catch (const std::invalid_argument& error) {
    thrown = true;
    if (fit) wrong = std::string("refused: ") + error.what();
  }
  if (!fit && !thrown) wrong = "an overflow was not found";
  if (wrong.empty() && fit)
    wrong = c.o.whiten     ? judge_whitened<A>(c, lefts, rights, out)
            : c.overlaps() ? judge_overlaps<A>(c, chosen, lefts, rights,
                                               left_mask, right_mask, out)
                           : judge<A>(c, chosen, lefts, rights, out);
  if constexpr (!Impl::is_complex_v<A>)
    if (wrong.empty() && fit)
      wrong =
          check_peaks<Signals>(random, c.signal, int(leading) + int(many), out,
                               c.e.n, c.e.m, c.s.rows(), c.s.columns());
#ifdef KOKKOS_ENABLE_SERIAL
  if constexpr (Serial)
    if (wrong.empty() && fit && chosen != CorrelateAlgorithm::fft) {
      const std::vector<A> bits = out.memory();
      wrong                     = run_correlation<Kokkos::Serial, Signals>(
          c, left, right, left_mask, right_mask, out, chosen);
      if (wrong.empty() && std::memcmp(bits.data(), out.memory().data(),
                                       bits.size() * sizeof(A)) != 0)
        wrong = "one thread gives other bits";
    }
#endif
  return wrong.empty() ? wrong : wrong + '\n' + c.text();
}

}  // namespace Test
}  // namespace Sporos

#endif  // SPOROS_RANDOMCORRELATION_HPP
