// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A plan with random updates, and the judgement of what calls with it give:
/// plain sums; the same bits of a call and its repetition; the order of points
/// after an update, which is that of a new plan. A digest of all results tells
/// runs with other numbers of threads apart.

#ifndef SPOROS_TRANSFERCHAIN_HPP
#define SPOROS_TRANSFERCHAIN_HPP

#include "Sporos_PlainTransfer.hpp"
#include "Sporos_RandomViews.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace Sporos {
namespace Test {

/// A digest of the bits of all results so far.
inline std::uint64_t results_digest = 0;

template <class T>
void digest(const std::vector<T>& values) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
  for (std::size_t i = 0; i < values.size() * sizeof(T); ++i)
    results_digest = (results_digest ^ bytes[i]) * 0x100000001b3u;
}

template <class Delta>
Delta random_delta(RandomCase& random) {
  if constexpr (std::is_constructible_v<Delta, double>)
    return Delta(random.real(1.25, 4));
  else
    return Delta{};
}

/// The plan of a case, its updates, and judgement.
template <class Real, int Dim, class Delta, class T>
class TransferChain {
 protected:
  using Exec    = Kokkos::DefaultHostExecutionSpace;
  using Plan    = ParticleGridPlan<Exec, Dim, Real, Delta>;
  using Setting = RandomGrid<Real, Dim, Delta>;
  using Numbers = std::vector<double>;
  using Images  = Kokkos::View<std::uint8_t*, Kokkos::HostSpace>;
  template <class V>
  using Field                  = RandomView<V, Dim>;
  static constexpr int support = Delta::support;

  explicit TransferChain(RandomCase& random_)
      : random(random_),
        setting(random),
        delta(random_delta<Delta>(random)),
        points(random, setting),
        given(positions()),
        plan(new_plan(given)) {
    log << setting.text() << "\n  " << points.size() << " points, cloud "
        << points.cloud << (points.has_images ? ", images" : "");
  }

  // ---- plans ----

  RandomView<Real, 2> positions() {
    RandomView<Real, 2> view(random, {points.size(), Dim});
    set(view, [&](std::size_t i) { return points.x[i]; });
    return view;
  }
  Images images() const {
    Images all("images", points.images.size());
    std::copy(points.images.begin(), points.images.end(), all.data());
    return all;
  }
  /// x: must outlive the plan
  Plan new_plan(RandomView<Real, 2>& x) {
    if (!setting.window)
      return Plan(Exec{}, setting.grid, delta, x.view(), setting.options);
    Plan made(Exec{}, setting.grid, delta, x.view(), *setting.window,
              setting.options);
    if (points.has_images) made.update(Exec{}, x.view(), images());
    return made;
  }
  void update_plan() {
    auto x = positions();
    if (points.has_images)
      plan.update(Exec{}, x.view(), images());
    else
      plan.update(Exec{}, x.view());
    given = std::move(x);  // the plan may read it until the next update
  }
  /// Sorts the points, their numbers and marks.
  void sort() {
    const Numbers before      = given.numbers();
    const std::vector<Real> x = points.x;
    const auto turns          = points.images;
    RandomView<int, 1> numbers(random, {points.size()});
    set(numbers, [](std::size_t i) { return i; });
    auto same        = positions();
    const Plan fresh = new_plan(same);
    const auto order = fresh.permutation();
    plan.sort(Exec{}, numbers.view(), given.view());
    log << "\n  sort";
    if (!numbers.gaps_are_untouched() || !given.gaps_are_untouched())
      wrong = "sort: numbers between the entries changed";
    const Numbers after = given.numbers(), moved = numbers.numbers();
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto from = std::size_t(order[i]);
      if (moved[i] != double(order[i]))
        return fail("sort: number", i, moved[i], order[i]);
      if (plan.permutation()(i) != int(i))
        return fail("sort: place", i, plan.permutation()(i), i);
      for (std::size_t d = 0; d < std::size_t(Dim); ++d) {
        if (after[i * Dim + d] != before[from * Dim + d])
          return fail("sort: point", i, after[i * Dim + d],
                      before[from * Dim + d]);
        points.x[i * Dim + d] = x[from * Dim + d];
      }
      if (!turns.empty()) points.images[i] = turns[from];
    }
  }
  void update() {
    points.move(random);
    update_plan();
    log << "\n  update to " << points.size() << " points";
    auto x           = positions();
    const Plan fresh = new_plan(x);
    const auto a = plan.permutation(), b = fresh.permutation();
    for (int i = 0; i < points.size(); ++i)
      if (a(std::size_t(i)) != b(std::size_t(i)))
        return fail("the order differs from that of a new plan at place",
                    std::size_t(i), a(std::size_t(i)), b(std::size_t(i)));
  }
  /// In some cases: a coordinate that is not finite throws. Returns whether, if
  /// the plan is as it was.
  bool refuse_bad_point() {
    if (points.size() == 0 || !random.chance(15)) return false;
    // an update that throws leaves no plan of views
    const bool lost = plan.state().given.holds();
    const int bad   = random.integer(0, points.size() - 1);
    const auto kept = points.x;
    points.x[std::size_t(bad * Dim + random.integer(0, Dim - 1))] =
        random.chance(50) ? std::numeric_limits<Real>::quiet_NaN()
                          : std::numeric_limits<Real>::infinity();
    std::string text;
    try {
      update_plan();
    } catch (const std::invalid_argument& error) {
      text = error.what();
    }
    points.x = kept;
    log << "\n  an update with a bad point " << bad;
    const std::string end = "at point " + std::to_string(bad);
    if (text.size() < end.size() ||
        text.compare(text.size() - end.size(), end.size(), end) != 0)
      wrong = "not refused: " + text;
    return wrong.empty() && !lost;
  }

  // ---- values ----

  template <class View, class F>
  static void set(View& view, const F& f) {
    auto to = view.view();
    view.for_each([&](std::size_t i, std::size_t at) {
      to.data()[at] = typename View::View::value_type(f(i));
    });
  }
  /// The rows of values in the plan's order.
  template <class V, int Rank>
  RandomView<V, Rank> in_order(RandomView<V, Rank>& values,
                               const std::array<int, Rank>& extents) {
    RandomView<V, Rank> sorted(random, extents);
    auto from = values.view(), to = sorted.view();
    const auto order = plan.permutation();
    for (std::size_t i = 0; i < to.extent(0); ++i)
      if constexpr (Rank == 1)
        to(i) = from(std::size_t(order(i)));
      else
        for (std::size_t c = 0; c < to.extent(1); ++c)
          to(i, c) = from(std::size_t(order(i)), c);
    return sorted;
  }
  template <class V>
  Field<V> field_at(const Staggering& g) {
    std::array<int, Dim> extents{};
    for (int d = 0; d < Dim; ++d) extents[d] = setting.points(d, g[d]);
    Field<V> field(random, extents);
    field.fill(random);
    return field;
  }
  RandomView<T, Dim + 1> fields_at(const Staggering& g, int components) {
    std::array<int, Dim + 1> extents{};
    for (int d = 0; d < Dim; ++d) extents[d] = setting.points(d, g[d]);
    extents[Dim] = components;
    RandomView<T, Dim + 1> field(random, extents);
    field.fill(random);
    return field;
  }
  /// Number c of every `of` numbers.
  static Numbers column(const Numbers& all, int c, int of) {
    Numbers some(all.size() / std::size_t(of));
    for (std::size_t i = 0; i < some.size(); ++i)
      some[i] = all[i * std::size_t(of) + std::size_t(c)];
    return some;
  }

  // ---- judgement ----

  template <class A, class B>
  void fail(const char* what, std::size_t i, const A& found, const B& right) {
    std::ostringstream out;
    out.precision(17);
    out << what << ' ' << i << ": " << found << " instead of " << right;
    if (wrong.empty()) wrong = out.str();
  }
  double unit() const {
    return std::numeric_limits<T>::epsilon() *
               (100 + 4 * std::sqrt(double(points.size()))) +
           std::numeric_limits<Real>::epsilon() * 60 * points.farthest();
  }
  /// Judges fields of `k` real components, those of a point or grid point side
  /// by side; dipoles: a point has so many for each direction.
  void judge_spread(const Staggering& g, int k, const Numbers& strengths,
                    const Numbers& before, const Numbers& after,
                    bool dipoles = false) {
    const auto count     = std::size_t(k);
    Numbers sums         = before, bounds(before.size() / count, 1e-3);
    const double inverse = 1 / double(setting.grid.cell_volume());
    const int terms      = dipoles ? Dim : 1;
    for (int term = 0; term < terms; ++term) {
      const PlainSums<Real, Dim, Delta> plain(points, delta,
                                              dipoles ? term : -1);
      for (int i = 0; i < points.size(); ++i) {
        const double* const l =
            strengths.data() + std::size_t(i * terms + term) * count;
        plain.visit(i, g, setting.options.staggering,
                    [&](std::size_t p, double weight, double bound) {
                      for (std::size_t c = 0; c < count; ++c)
                        sums[p * count + c] += weight * l[c] * inverse;
                      bounds[p] += bound * inverse;
                    });
      }
    }
    for (std::size_t i = 0; i < sums.size(); ++i)
      if (!(std::fabs(after[i] - sums[i]) <=
            unit() * (bounds[i / count] + std::fabs(before[i]))))
        return fail("spread: number", i, after[i], sums[i]);
  }
  void judge_interpolate(const Staggering& g, const Staggering& sorted_for,
                         int k, const Numbers& field, const Numbers& values,
                         int derived = -1) {
    const auto count = std::size_t(k);
    const PlainSums<Real, Dim, Delta> plain(points, delta, derived);
    for (int i = 0; i < points.size(); ++i) {
      double bounds = 1e-3;
      Numbers sums(count);
      plain.visit(i, g, sorted_for,
                  [&](std::size_t p, double weight, double bound) {
                    for (std::size_t c = 0; c < count; ++c)
                      sums[c] += weight * field[p * count + c];
                    bounds += bound;
                  });
      for (std::size_t c = 0; c < count; ++c) {
        const std::size_t at = std::size_t(i) * count + c;
        if (!(std::fabs(values[at] - sums[c]) <= unit() * bounds))
          return fail("interpolate: number", at, values[at], sums[c]);
      }
    }
  }
  /// Judges two results of the same call, a and its copy b.
  template <class View>
  void judge_bits(const View& a, const View& b, bool repeats) {
    if (!a.gaps_are_untouched()) wrong = "numbers between the entries changed";
    if (!repeats) return;
    if (std::memcmp(a.memory().data(), b.memory().data(),
                    a.memory().size() * sizeof(a.memory()[0])) != 0)
      wrong = "the same call has other bits";
    digest(a.memory());
  }

  RandomCase& random;
  Setting setting;
  Delta delta;
  RandomPoints<Real, Dim, Delta> points;
  RandomView<Real, 2> given;  ///< positions of the last update
  Plan plan;
  std::ostringstream log;
  std::string wrong;
};

}  // namespace Test
}  // namespace Sporos

#endif  // SPOROS_TRANSFERCHAIN_HPP
