// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reads and increments through all indices of one map, direct writes, globals.

#include "Sporos_RandomLoops.hpp"

namespace RandomLoops {
namespace {

template <int A, int N>
struct ExchangeKernel {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, N, A> x, Read<Real, 1> w,
                                  GlobalRead<Real, 1> g, Inc<Real, N, A> y,
                                  Write<Real, 2> u, Reduce<Real, 2> total,
                                  Reduce<Real, 1> least,
                                  Reduce<Real, 1> most) const {
    Real s = w[0];
    for (int i = 0; i < A; ++i)
      for (int c = 0; c < x.component_count(); ++c) s += x(i, c);
    for (int i = 0; i < A; ++i)
      for (int c = 0; c < x.component_count(); ++c)
        y(i, c) += s * g[0] - x(i, c) * w[0];
    u[0] = s * g[0] - w[0] * w[0];
    u[1] = w[0];
    total[0] += s * w[0];
    total[1] += w[0];
    least[0] = Sporos::min(least[0], s);
    most[0]  = Sporos::max(w[0] * s, most[0]);
  }
};

template <class T, class Layout, int A, int N, bool WithSubsets>
struct Exchange {
  static constexpr bool subsets = WithSubsets;
  template <int C>
  using Values = Dat<T, C, Layout, Memory>;

  std::string words;
  bool integers;
  Set from, to;
  Map<A, Memory> map;
  int width;  ///< components of x and y
  Values<N> x, y;
  Values<1> w;
  Values<2> u;
  Global<T, 2, Memory> total;
  T least = 0, most = 0, g = 0;
  std::vector<T> y_start, u_start;
  T starts[4] = {};

  explicit Exchange(RandomCase& r)
      : integers(r.chance(50)),
        from("from", random_size(r)),
        to("to", std::max(1, random_size(r))),
        map("map", from, to, random_map(r, from.size(), A, to.size(), words)),
        width(N == dynamic_components ? r.integer(1, 6) : N),
        x("x", to, width, zeros()),
        y("y", to, width, zeros()),
        w("w", from),
        u("u", from),
        total("total") {
    words += integers ? ", integers" : ", rough";
    words +=
        ", " + std::to_string(sizeof(T)) + " bytes x " + std::to_string(width);
  }
  std::vector<T> zeros() const {
    return std::vector<T>(std::size_t(to.size()) * std::size_t(width));
  }
  void fill(RandomCase& r) {
    const auto n = std::size_t(from.size()), m = std::size_t(to.size());
    x.assign(random_values<T>(r, m * std::size_t(width), integers));
    auto of_w = random_values<T>(r, n, integers);
    if (n > 0 && r.chance(20))
      of_w[r.integer<std::size_t>(0, n - 1)] =
          std::numeric_limits<T>::quiet_NaN();
    w.assign(of_w);
    y_start = random_values<T>(r, m * std::size_t(width), integers);
    u_start = random_values<T>(r, n * 2, integers);
    g       = random_values<T>(r, 1, integers)[0];
    for (T& s : starts) s = random_values<T>(r, 1, integers)[0];
  }
  void reset() {
    y.assign(y_start);
    u.assign(u_start);
    total.assign({starts[0], starts[1]});
    least = starts[2];
    most  = starts[3];
  }
  template <class Range, class... How>
  void run(const Range& range, const How&... how) {
    par_loop("exchange", Exec{}, range, how..., ExchangeKernel<A, N>{},
             read(x, map), read(w), read(g), inc(y, map), write(u), sum(total),
             Sporos::min(least), Sporos::max(most));
    Exec().fence();
  }
  template <class Range>
  LoopPlan<Exec> plan(const Range& range, const LoopOptions& o) {
    return LoopPlan<Exec>(Exec{}, range, o, read(x, map), read(w), read(g),
                          inc(y, map), write(u), sum(total), Sporos::min(least),
                          Sporos::max(most));
  }
  Results results() const {
    const std::vector<T> both{total.value(0), total.value(1)};
    return {result_of("y", y.to_host()), result_of("u", u.to_host()),
            result_of("total", both),
            result_of("least", std::vector<T>{least, most})};
  }
  Results expected(const std::vector<int>& list) const {
    const auto hx = x.to_host(), hw = w.to_host();
    const auto rows = map.to_host();
    const auto real = [](const std::vector<T>& v) {
      return std::vector<double>(v.begin(), v.end());
    };
    Sums sy(real(y_start)), su(real(u_start)),
        st({double(starts[0]), double(starts[1])}),
        sm({double(starts[2]), double(starts[3])});
    const auto keep = [](double& a, double v, bool less) {
      if (std::isnan(v) || (!std::isnan(a) && (less ? v < a : a < v))) a = v;
    };
    for (const int k : list) {
      const auto e   = std::size_t(k);
      const double v = hw[e];
      double s = v, size = std::abs(v);
      for (std::size_t i = 0; i < A; ++i)
        for (std::size_t c = 0; c < std::size_t(width); ++c) {
          s += hx[std::size_t(rows[e * A + i]) * std::size_t(width) + c];
          size += std::abs(double(
              hx[std::size_t(rows[e * A + i]) * std::size_t(width) + c]));
        }
      for (std::size_t i = 0; i < A; ++i)
        for (std::size_t c = 0; c < std::size_t(width); ++c) {
          const auto at = std::size_t(rows[e * A + i]) * std::size_t(width) + c;
          const double xv = hx[at];
          sy.add(at, s * g - xv * v,
                 size * std::abs(double(g)) + std::abs(xv * v));
        }
      for (std::size_t c = 0; c < 2; ++c) su.values[2 * e + c] = 0;
      su.add(2 * e, s * g - v * v, size * std::abs(double(g)) + v * v);
      su.add(2 * e + 1, v, 0);
      st.add(0, s * v, size * std::abs(v));
      st.add(1, v, std::abs(v));
      keep(sm.values[0], s, true);
      keep(sm.values[1], v * s, false);
      for (double& m : sm.magnitude) m = std::max(m, size + size * std::abs(v));
    }
    return {sy.template result<T>("y", integers),
            su.template result<T>("u", integers),
            st.template result<T>("total", integers),
            sm.template result<T>("least", integers)};
  }
  Mesh mesh() { return Mesh(map, x, y, w, u); }
  std::vector<std::vector<T>> numbers() const {
    const auto rows = map.to_host();
    auto of_w       = w.to_host();
    for (T& v : of_w)
      if (v != v) v = T(99);  // so that equal ones are equal
    return {{rows.begin(), rows.end()}, x.to_host(), of_w};
  }
  std::string is_renumbered(const Reordering& by,
                            const std::vector<std::vector<T>>& before) const {
    const auto now = numbers();
    const auto old = by.order(from), old_to = by.order(to);
    const auto new_to = by.numbers(to);
    for (std::size_t e = 0; e < old.size(); ++e) {
      const auto from_e = std::size_t(old[e]);
      if (now[2][e] != before[2][from_e]) return "w";
      for (std::size_t i = 0; i < A; ++i)
        if (now[0][e * A + i] !=
            T(new_to[std::size_t(before[0][from_e * A + i])]))
          return "the map";
    }
    for (std::size_t t = 0; t < old_to.size(); ++t)
      for (std::size_t c = 0; c < std::size_t(width); ++c)
        if (now[1][t * std::size_t(width) + c] !=
            before[1][std::size_t(old_to[t]) * std::size_t(width) + c])
          return "x";
    return "";
  }
};

}  // namespace

std::string check_exchange(RandomCase& r) {
  using Right       = Kokkos::LayoutRight;
  using Left        = Kokkos::LayoutLeft;
  constexpr int any = dynamic_components;
  switch (r.integer(0, 4)) {
    case 0: return check_case<Exchange<double, Right, 2, 3, true>>(r, "2 x 3");
    case 1: return check_case<Exchange<float, Left, 8, 1, false>>(r, "8 x 1");
    case 2: return check_case<Exchange<double, Left, 1, 2, false>>(r, "1 x 2");
    case 3:
      return check_case<Exchange<double, Right, 3, any, true>>(r, "3 x any");
    default: return check_case<Exchange<float, Right, 4, 5, true>>(r, "4 x 5");
  }
}

}  // namespace RandomLoops
