// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A map of a set to itself: an element and its neighbours get increments of one
// dat, and minima of another; disjoint writes through a map; NaN; entries that
// name nothing.

#include "Sporos_RandomLoops.hpp"

namespace RandomLoops {
namespace {

struct SelfKernel {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 1> a, Read<Real, 1> next,
                                  Inc<Real, 1> own, Inc<Real, 1, 2> others,
                                  Reduce<Real, 1> low, Reduce<Real, 1, 2> lows,
                                  Write<Real, 2> to,
                                  Reduce<Real, 1> high) const {
    const Real f = a[0] * next[0] - a[0];
    own[0] += f;
    low[0] = Sporos::min(f, low[0]);
    for (int i = 0; i < 2; ++i) {
      others(i, 0) += f * next[0];
      lows(i, 0) = Sporos::min(lows(i, 0), a[0]);
    }
    to[1]   = f;
    high[0] = Sporos::max(high[0], f);
  }
};

/// Partial: entries may be negative
template <class T, class Layout, bool Partial>
struct Self {
  static constexpr bool subsets = true;
  template <int C>
  using Values = Dat<T, C, Layout, Memory>;

  std::string words;
  bool integers;
  Set from, to;
  Map<2, Memory> map;
  Map<1, Memory> place;
  Values<1> a, b, low;
  Values<2> w;
  T high = 0;
  std::vector<T> b_start, low_start, w_start;
  T high_start = 0;

  static constexpr auto missing =
      Partial ? MissingEntries::allowed : MissingEntries::refused;
  static constexpr int stand_in = 2;  ///< what is read at negative entries

  template <class Arg>
  static auto through(const Arg& arg) {
    if constexpr (Partial)
      return with_missing(arg, T(stand_in));
    else
      return arg;
  }
  static std::vector<int> places(RandomCase& r, int n, int m) {
    std::vector<int> all(std::size_t(m), 0);
    std::iota(all.begin(), all.end(), 0);
    std::shuffle(all.begin(), all.end(), r.engine());
    all.resize(std::size_t(n));
    return all;
  }
  explicit Self(RandomCase& r)
      : integers(r.chance(50)),
        from("from", std::max(1, random_size(r))),
        to("to", from.size() + r.integer(0, 5)),
        map("map", from, from,
            with_gaps<Partial>(
                r, random_map(r, from.size(), 2, from.size(), words)),
            missing),
        place("place", from, to,
              with_gaps<Partial>(r, places(r, from.size(), to.size())),
              missing),
        a("a", from),
        b("b", from),
        low("low", from),
        w("w", to) {
    words += integers ? ", integers" : ", rough";
  }
  void fill(RandomCase& r) {
    const auto n = std::size_t(from.size());
    auto of_a    = random_values<T>(r, n, integers);
    if (r.chance(25))
      of_a[r.integer<std::size_t>(0, n - 1)] =
          std::numeric_limits<T>::quiet_NaN();
    a.assign(of_a);
    b_start    = random_values<T>(r, n, integers);
    low_start  = random_values<T>(r, n, integers);
    w_start    = random_values<T>(r, 2 * std::size_t(to.size()), integers);
    high_start = random_values<T>(r, 1, integers)[0];
    if (r.chance(10)) high_start = std::numeric_limits<T>::quiet_NaN();
  }
  void reset() {
    b.assign(b_start);
    low.assign(low_start);
    w.assign(w_start);
    high = high_start;
  }
  template <class Range, class... How>
  void run(const Range& range, const How&... how) {
    par_loop("self", Exec{}, range, how..., SelfKernel{}, read(a),
             through(read(a, map, 1)), inc(b), through(inc(b, map)),
             Sporos::min(low), through(Sporos::min(low, map)),
             through(write(w, place, 0, disjoint)), Sporos::max(high));
    Exec().fence();
  }
  template <class Range>
  LoopPlan<Exec> plan(const Range& range, const LoopOptions& o) {
    return LoopPlan<Exec>(
        Exec{}, range, o, read(a), through(read(a, map, 1)), inc(b),
        through(inc(b, map)), Sporos::min(low), through(Sporos::min(low, map)),
        through(write(w, place, 0, disjoint)), Sporos::max(high));
  }
  Results results() const {
    return {result_of("b", b.to_host()), result_of("low", low.to_host()),
            result_of("w", w.to_host()),
            result_of("high", std::vector<T>{high})};
  }
  Results expected(const std::vector<int>& list) const {
    const auto ha   = a.to_host();
    const auto rows = map.to_host(), at = place.to_host();
    const auto real = [](const std::vector<T>& v) {
      return std::vector<double>(v.begin(), v.end());
    };
    Sums sb(real(b_start)), sl(real(low_start)), sw(real(w_start)),
        sh({double(high_start)});
    const auto keep = [](double& x, double v, bool less) {
      if (std::isnan(v) || (!std::isnan(x) && (less ? v < x : x < v))) x = v;
    };
    for (double& m : sl.magnitude) m = 8;
    sh.magnitude[0] = 8;
    for (const int k : list) {
      const auto e   = std::size_t(k);
      const double v = ha[e], next = rows[2 * e + 1] < 0
                                         ? stand_in
                                         : ha[std::size_t(rows[2 * e + 1])];
      const double f = v * next - v, size = std::abs(v * next) + std::abs(v);
      sb.add(e, f, size);
      keep(sl.values[e], f, true);
      for (std::size_t i = 0; i < 2; ++i) {
        if (rows[2 * e + i] < 0) continue;
        const auto t = std::size_t(rows[2 * e + i]);
        sb.add(t, f * next, size * std::abs(next));
        keep(sl.values[t], v, true);
      }
      keep(sh.values[0], f, false);
      if (at[e] < 0) continue;
      const auto to_w = 2 * std::size_t(at[e]) + 1;
      sw.values[to_w] = 0;
      sw.add(to_w, f, size);
    }
    return {sb.template result<T>("b", integers),
            sl.template result<T>("low", integers),
            sw.template result<T>("w", integers),
            sh.template result<T>("high", integers)};
  }
  Mesh mesh() { return Mesh(map, place, a, b, low, w); }
  std::vector<std::vector<int>> numbers() const {
    return {map.to_host(), place.to_host()};
  }
  std::string is_renumbered(const Reordering& by,
                            const std::vector<std::vector<int>>& before) const {
    const auto now         = numbers();
    const auto old         = by.order(from);
    const auto new_numbers = by.numbers(from);
    for (std::size_t e = 0; e < old.size(); ++e)
      for (std::size_t i = 0; i < 2; ++i) {
        const int t = before[0][2 * std::size_t(old[e]) + i];
        if (now[0][2 * e + i] != (t < 0 ? t : new_numbers[std::size_t(t)]))
          return "a map of a set to itself";
      }
    return "";
  }
};

}  // namespace

std::string check_self(RandomCase& r) {
  if (r.chance(50))
    return check_case<Self<double, Kokkos::LayoutLeft, false>>(
        r, "self of double");
  return check_case<Self<float, Kokkos::LayoutRight, true>>(
      r, "self of float, entries may be missing");
}

}  // namespace RandomLoops
