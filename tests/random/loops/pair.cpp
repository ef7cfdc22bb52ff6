// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Several maps to one set, whose arguments increment one dat; direct data that
// an element reads and writes, or only writes; a global that is written.

#include "Sporos_RandomLoops.hpp"

namespace RandomLoops {
namespace {

/// State: Write, or ReadWrite
template <template <class, int, int> class State>
struct PairKernel {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 2> a, Inc<Real, 2> one,
                                  Inc<Real, 2> two, Inc<Real, 2> three,
                                  Inc<Real, 1> z, State<Real, 1, 1> state,
                                  Inc<Real, 1> own, ElementIndex<Real> e,
                                  GlobalWrite<Real, 1> last,
                                  Reduce<Real, 1> sum) const {
    const Real f = a[0] * a[1] - a[1];
    one[0] += f;
    two[1] -= f * a[0] - a[0];
    three[0] += a[1];
    three[1] += a[0];
    z[0] -= f + a[0];
    if constexpr (std::is_same_v<State<Real, 1, 1>, ReadWrite<Real, 1, 1>>)
      state[0] += a[0] * a[1];
    else
      state[0] = a[0] * a[1];
    own[0] += f * a[1];
    last[0] = index_as<Real>(e);
    sum[0] += f;
  }
};

template <class T, class Layout, bool ReadsState>
struct Pair {
  static constexpr bool subsets = true;
  template <int C>
  using Values = Dat<T, C, Layout, Memory>;

  std::string words;
  bool integers;
  Set from, to, others;
  Map<3, Memory> three;
  Map<dynamic_arity, Memory> two;
  Map<1, Memory> one;
  Values<2> a, y;
  Values<1> z, state, own;
  Global<T, 1, Memory> last;
  T total = 0;
  std::vector<T> y_start, z_start, state_start, own_start;

  explicit Pair(RandomCase& r)
      : integers(r.chance(40)),
        from("from", random_size(r)),
        to("to", std::max(1, random_size(r))),
        others("others", std::max(1, random_size(r))),
        three("three", from, to,
              random_map(r, from.size(), 3, to.size(), words)),
        two("two", from, to, 2,
            random_map(r, from.size(), 2, to.size(), words)),
        one("one", from, others,
            random_map(r, from.size(), 1, others.size(), words)),
        a("a", from),
        y("y", to),
        z("z", others),
        state("state", from),
        own("own", from),
        last("last") {
    words += integers ? ", integers" : ", rough";
    words += ReadsState ? ", rw" : ", write";
  }
  void fill(RandomCase& r) {
    const auto n = std::size_t(from.size());
    a.assign(random_values<T>(r, 2 * n, integers));
    y_start     = random_values<T>(r, 2 * std::size_t(to.size()), integers);
    z_start     = random_values<T>(r, std::size_t(others.size()), integers);
    state_start = random_values<T>(r, n, integers);
    own_start   = random_values<T>(r, n, integers);
  }
  void reset() {
    y.assign(y_start);
    z.assign(z_start);
    state.assign(state_start);
    own.assign(own_start);
    last.assign(T(-5));
    total = T(2);
  }
  auto of_state() const {
    if constexpr (ReadsState)
      return rw(state);
    else
      return write(state);
  }
  template <class Range, class... How>
  void run(const Range& range, const How&... how) {
    using Kernel = std::conditional_t<ReadsState, PairKernel<ReadWrite>,
                                      PairKernel<Write>>;
    par_loop("pair", Exec{}, range, how..., Kernel{}, read(a), inc(y, three, 1),
             inc(y, two, 0), inc(y, three, 2), inc(z, one, 0), of_state(),
             inc(own), element_index(), write(last), sum(total));
    Exec().fence();
  }
  template <class Range>
  LoopPlan<Exec> plan(const Range& range, const LoopOptions& o) {
    return LoopPlan<Exec>(Exec{}, range, o, read(a), inc(y, three, 1),
                          inc(y, two, 0), inc(y, three, 2), inc(z, one, 0),
                          of_state(), inc(own), element_index(), write(last),
                          sum(total));
  }
  Results results() const {
    return {result_of("y", y.to_host()),
            result_of("z", z.to_host()),
            result_of("state", state.to_host()),
            result_of("own", own.to_host()),
            result_of("last", std::vector<T>{last.value(0)}),
            result_of("total", std::vector<T>{total})};
  }
  Results expected(const std::vector<int>& list) const {
    const auto ha = a.to_host();
    const auto r3 = three.to_host(), r2 = two.to_host(), r1 = one.to_host();
    const auto real = [](const std::vector<T>& v) {
      return std::vector<double>(v.begin(), v.end());
    };
    Sums sy(real(y_start)), sz(real(z_start)), ss(real(state_start)),
        so(real(own_start)), st({2.}), sl({-5.});
    for (const int k : list) {
      const auto e    = std::size_t(k);
      const double a0 = ha[2 * e], a1 = ha[2 * e + 1], f = a0 * a1 - a1;
      const double b0 = std::abs(a0), b1 = std::abs(a1), b = b0 * b1 + b1;
      sy.add(2 * std::size_t(r3[3 * e + 1]), f, b);
      sy.add(2 * std::size_t(r2[2 * e]) + 1, -(f * a0 - a0), b * b0 + b0);
      sy.add(2 * std::size_t(r3[3 * e + 2]), a1, b1);
      sy.add(2 * std::size_t(r3[3 * e + 2]) + 1, a0, b0);
      sz.add(std::size_t(r1[e]), -(f + a0), b + b0);
      if (!ReadsState) ss.values[e] = 0;
      ss.add(e, a0 * a1, b0 * b1);
      so.add(e, f * a1, b * b1);
      st.add(0, f, b);
      sl.values[0] = k;
    }
    return {sy.template result<T>("y", integers),
            sz.template result<T>("z", integers),
            ss.template result<T>("state", integers),
            so.template result<T>("own", integers),
            sl.template result<T>("last", true),
            st.template result<T>("total", integers)};
  }
  Mesh mesh() { return Mesh(three, two, one, a, y, z, state, own); }
  std::vector<std::vector<int>> numbers() const {
    return {three.to_host(), two.to_host(), one.to_host()};
  }
  std::string is_renumbered(const Reordering& by,
                            const std::vector<std::vector<int>>& before) const {
    const auto now    = numbers();
    const auto old    = by.order(from);
    const auto new_to = by.numbers(to);
    for (std::size_t e = 0; e < old.size(); ++e)
      for (std::size_t i = 0; i < 2; ++i)
        if (now[1][2 * e + i] !=
            new_to[std::size_t(before[1][2 * std::size_t(old[e]) + i])])
          return "a map of dynamic arity";
    return "";
  }
};

}  // namespace

std::string check_pair(RandomCase& r) {
  using Right = Kokkos::LayoutRight;
  using Left  = Kokkos::LayoutLeft;
  if (r.chance(50))
    return check_case<Pair<double, Right, false>>(r, "pair of double");
  return check_case<Pair<float, Left, true>>(r, "pair of float");
}

}  // namespace RandomLoops
