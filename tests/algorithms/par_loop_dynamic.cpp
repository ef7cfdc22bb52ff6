// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loops over dats whose number of components is known at run time only.

#include "Sporos_MatrixCases.hpp"
#include "Sporos_MeshCases.hpp"
#include "Sporos_Test.hpp"
#include "Sporos_WrongCalls.hpp"

#include <Sporos_DatVectors.hpp>
#include <Sporos_Reorder.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace ParLoopDynamic {

using namespace Sporos;
using namespace Sporos::Test;

constexpr int any       = dynamic_components;
constexpr double beyond = 7;  // what is read at missing entries

/// All accesses; `low` and `x` have numbers of components of their own.
struct Exchange {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, any, 3> x, Read<Real, any> w,
                                  Inc<Real, any, 3> y, Reduce<Real, any> low,
                                  ReadWrite<Real, any> z, Write<Real, any> u,
                                  Inc<Real, any> d, Read<Real, 2> k,
                                  Reduce<Real> total) const {
    Real s = k[0];
    for (int i = 0; i < 3; ++i)
      for (int c = 0; c < x.component_count(); ++c) s += Real(i + c) * x(i, c);
    for (int c = 0; c < y.component_count(); ++c) {
      for (int i = 0; i < 3; ++i) y(i, c) += s - Real(c) * w[c];
      d[c] += s + w[c];
      u[c] = s + z[c];
      z[c] = z[c] - w[c] * Real(2);
    }
    for (int c = 0; c < low.component_count(); ++c)
      low[c] = Sporos::min(low[c], s + Real(3 * c) + k[1]);
    total[0] += s;
  }
};

template <class Exec, class Layout>
struct Case {
  using Memory = typename Exec::memory_space;
  using Values = Dat<double, any, Layout, Memory>;

  int nx, ny, nl;
  Set from, to;
  Map<3, Memory> map;
  Map<1, Memory> place;
  Values x, w, y, low, z, u, d;
  Dat<double, 2, Layout, Memory> k;
  double total = 0;

  Case(int n, int targets, const std::vector<int>& entries, int c_x, int c_y,
       int c_low)
      : nx(c_x),
        ny(c_y),
        nl(c_low),
        from("elements", n),
        to("targets", targets),
        map("map", from, to, entries, MissingEntries::allowed),
        place("place", from, to, places(n, targets), MissingEntries::allowed),
        x(made("x", to, c_x, 1)),
        w(made("w", from, c_y, 2)),
        y(made("y", to, c_y, 3)),
        low(made("low", to, c_low, 4)),
        z(made("z", to, c_y, 5)),
        u("u", from, c_y),
        d(made("d", from, c_y, 6)),
        k("k", from, small_values(2 * std::size_t(n), 7)) {}

  static Values made(const char* name, const Set& set, int count,
                     unsigned seed) {
    return Values(
        name, set, count,
        small_values(std::size_t(set.size()) * std::size_t(count), seed));
  }
  static std::vector<int> places(int n, int targets) {
    std::vector<int> all;
    for (int e = 0; e < n; ++e)
      all.push_back(e % 5 == 2 || e >= targets ? -1 : targets - 1 - e);
    return all;
  }

  void run(const LoopOptions& o) {
    const Exec exec{};
    const auto loop = [&](const auto&... args) {
      const LoopPlan<Exec> plan(exec, from, o, args...);
      CHECK(validate(plan) == "");
      par_loop("exchange", exec, from, plan, Exchange{}, args...);
    };
    loop(with_missing(read(x, map), beyond), read(w), with_missing(inc(y, map)),
         with_missing(Sporos::min(low, map, 1)),
         with_missing(rw(z, place, 0, disjoint), 5.), write(u), inc(d), read(k),
         sum(total));
    Kokkos::fence();
  }
  /// What n such loops leave: y, low, z, u, d, total.
  std::vector<double> expected(int loops = 1) const {
    const auto hx = x.to_host(), hw = w.to_host(), hk = k.to_host();
    const auto rows = map.to_host(), at = place.to_host();
    auto hy = y.to_host(), hl = low.to_host(), hz = z.to_host(),
         hu = u.to_host(), hd = d.to_host();
    double sum = total;
    for (int e = 0; e < loops * from.size(); ++e) {
      const int* const t = &rows[3 * std::size_t(e)];
      double s           = hk[2 * std::size_t(e)];
      for (int i = 0; i < 3; ++i)
        for (int c = 0; c < nx; ++c)
          s += (i + c) * (t[i] < 0 ? beyond : hx[std::size_t(t[i] * nx + c)]);
      const int p = at[std::size_t(e)];
      for (int c = 0; c < ny; ++c) {
        const auto own = std::size_t(e * ny + c);
        for (int i = 0; i < 3; ++i)
          if (t[i] >= 0) hy[std::size_t(t[i] * ny + c)] += s - c * hw[own];
        hd[own] += s + hw[own];
        hu[own] = s + (p < 0 ? 5. : hz[std::size_t(p * ny + c)]);
        if (p >= 0) hz[std::size_t(p * ny + c)] -= 2 * hw[own];
      }
      if (t[1] >= 0)
        for (int c = 0; c < nl; ++c) {
          double& least = hl[std::size_t(t[1] * nl + c)];
          least = std::min(least, s + 3 * c + hk[2 * std::size_t(e) + 1]);
        }
      sum += s;
    }
    for (const auto* more : {&hl, &hz, &hu, &hd})
      hy.insert(hy.end(), more->begin(), more->end());
    hy.push_back(sum);
    return hy;
  }
  void check_all(int block_size) {
    for (LoopOptions o : all_options(block_size))
      for (const bool packs : {true, false}) {
        o.packs = packs;
        INFO(text(o));
        const auto should_be = expected();
        run(o);
        CHECK(expected(0) == should_be);
      }
  }
};

TEMPLATE_LIST_TEST_CASE("components that are counted at run time, AoS",
                        "[par_loop]", Spaces) {
  using C = Case<TestType, Kokkos::LayoutRight>;
  for (const int n : {0, 1, 301})
    for (const int count : {1, 3}) {
      const int targets = n < 100 ? 2 : n + 40;
      C c(n, targets,
          some_missing(n < 100 ? random_entries(n, 3, targets, 6)
                               : banded_entries(n, 3, targets, 6),
                       3, 7),
          count, 4 - count, 2);
      c.check_all(n < 100 ? 0 : 32);
      Mesh mesh(c.map, c.place, c.x, c.w, c.y, c.low, c.z, c.u, c.d, c.k);
      reorder(mesh);
      const auto should_be = c.expected();
      c.run({});
      CHECK(c.expected(0) == should_be);
    }
}

TEMPLATE_LIST_TEST_CASE("components that are counted at run time, SoA",
                        "[par_loop]", Spaces) {
  // none is missing, and the most components
  Case<TestType, Kokkos::LayoutLeft> c(133, 19, random_entries(133, 3, 19, 8),
                                       5, most_dynamic_components, 1);
  c.check_all(16);
}

/// Several increments of one dat, directly and through a map, and a matrix.
struct AddAround {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, any, 2> x, Read<Real, any> w,
                                  GlobalRead<Real, 2> g, Inc<Real, any, 2> y,
                                  Inc<Real, any> own, Inc<Real, any> second,
                                  MatInc<Real, 2, 2> a) const {
    for (int c = 0; c < y.component_count(); ++c) {
      for (int i = 0; i < 2; ++i) y(i, c) += g[0] * x(1 - i, c);
      own[c] += g[1] + Real(c);
      second[c] -= x(0, c);
    }
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j)
        for (int c = 0; c < w.component_count(); ++c)
          a(i, j) += Real(i + 2 * j) * w[c];
  }
};

TEMPLATE_LIST_TEST_CASE("a dat of run-time components in several arguments",
                        "[par_loop]", Spaces) {
  using M      = typename TestType::memory_space;
  using Values = Dat<float, any, Kokkos::LayoutRight, M>;
  const int n = 330, count = 5;
  const auto size    = std::size_t(n * count);
  const auto entries = banded_entries(n, 2, n, 1);
  const auto hx      = small_values<float>(size, 2),
             hw      = small_values<float>(size, 3);
  const Set set("set", n);
  const Map<2, M> map("map", set, set, entries);
  const Values x("x", set, count, hx), w("w", set, count, hw);
  const Global<float, 2, M> g("g", 3);
  const Sparsity<M> sparsity(TestType{}, "sparsity", map, map);
  const Mat<float, 1, 1, M> mat(TestType{}, "mat", sparsity);
  const auto run = [&](const std::vector<int>& list, const auto& range,
                       const LoopOptions& o) {
    INFO(text(o));
    const Values y("y", set, count);
    std::vector<float> sums(size), all(std::size_t(n) * n);
    for (const int e : list) {
      const int* const t = &entries[2 * std::size_t(e)];
      for (int c = 0; c < count; ++c) {
        const auto at = [&](int k) { return std::size_t(k * count + c); };
        for (int i = 0; i < 2; ++i) sums[at(t[i])] += 3 * hx[at(t[1 - i])];
        sums[at(e)] += float(3 + c);
        sums[at(t[1])] -= hx[at(t[0])];
        for (int i = 0; i < 2; ++i)
          for (int j = 0; j < 2; ++j)
            all[std::size_t(t[i] * n + t[j])] += float(i + 2 * j) * hw[at(e)];
      }
    }
    zero(TestType{}, mat);
    par_loop("around", TestType{}, range, o, AddAround{}, read(x, map), read(w),
             read(g), inc(y, map), inc(y), inc(y, map, 1), inc(mat, map, map));
    Kokkos::fence();
    CHECK(y.to_host() == sums);
    CHECK(dense(mat) == all);
  };
  std::vector<int> list(static_cast<std::size_t>(n));
  std::iota(list.begin(), list.end(), 0);
  for (const LoopOptions& o : all_options(32)) run(list, set, o);
  std::shuffle(list.begin(), list.end(), std::mt19937(4));
  list.resize(200);
  run(list, Subset<M>("some", set, list), {});
}

TEMPLATE_LIST_TEST_CASE("values of dats of components at run time", "[mesh]",
                        Spaces) {
  using Memory = typename TestType::memory_space;
  using D      = Dat<float, any, Kokkos::LayoutLeft, Memory>;
  const Set set("set", 4), other("other", 4);
  const std::vector<float> values = {1, 2, 3, 4, 5, 6, 7, 8};
  const D x("x", set, 2, values), zero("zero", set, 3);
  CHECK(x.component_count() == 2);
  CHECK(D::components == dynamic_components);
  CHECK(zero.to_host() == std::vector<float>(12, 0.f));
  x.assign({8, 7, 6, 5, 4, 3, 2, 1});
  CHECK(x.to_host()[1] == 7);
  const Kokkos::View<float*, Memory> one("one", 4);
  const D shared("shared", set, 1, one);
  CHECK(static_cast<const void*>(shared.view().data()) == one.data());
  const D y("y", set, 2, values);
  const TestType exec{};
  const D in_exec(exec, "in_exec", set, values.size() / 4);  // no int
  CHECK(in_exec.to_host(exec) == std::vector<float>(8, 0.f));
  CHECK(D("no_int", set, values.size()).component_count() == 8);
  CHECK(dot(exec, x, y) == 120);
  axpy(exec, 2.f, x, y);
  scale(exec, 3.f, y);
  CHECK(y.to_host() == std::vector<float>{51, 48, 45, 42, 39, 36, 33, 30});
  const Dat<float, any, Kokkos::LayoutRight, Memory> z("z", set, 2);
  copy(exec, y, z);
  exec.fence();
  CHECK(z.to_host() == y.to_host());

  Untouched data;
  check_wrong_calls(
      {{"no component", [&] { D("x", set, 0); }, "Sporos::Dat", "x",
        "1 to 32 components", "0"},
       {"too many", [&] { D("x", set, 33); }, "Sporos::Dat", "x",
        "1 to 32 components", "33"},
       {"too few values", [&] { D("x", set, 3, values); }, "Sporos::Dat", "x",
        "12 values, 3 for each element of set", "8"},
       {"another number than the constant",
        [&] { Dat<float, 2>("x", set, 3, values); }, "Sporos::Dat", "x",
        "2 components", "3"},
       {"of nothing", [&] { D().component_count(); },
        "Sporos::Dat::component_count", "dat", "an initialised handle", ""},
       {"assign",
        [&] {
          x.assign({1, 2});
        },
        "Sporos::Dat::assign", "x", "8 values", "2"},
       {"other components", [&] { copy(exec, x, zero); }, "Sporos::copy",
        "zero", "2 components", "3"},
       {"other set", [&] { axpy(exec, 1.f, x, D("o", other, 2)); },
        "Sporos::axpy", "o", "the set of x", "other"}},
      data, 8);
}

}  // namespace ParLoopDynamic
