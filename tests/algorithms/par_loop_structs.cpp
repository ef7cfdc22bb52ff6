// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Dats and globals of types of a user's own, which are larger than a word of
// scratch or aligned to more than it.

#include "Sporos_MeshCases.hpp"
#include "Sporos_Test.hpp"
#include "Sporos_WrongCalls.hpp"

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace ParLoopStructs {

using namespace Sporos;
using namespace Sporos::Test;

/// K numbers that are added one by one.
template <class T, int K, std::size_t Alignment = alignof(T)>
struct alignas(Alignment) Tuple {
  T v[K] = {};
  KOKKOS_FUNCTION Tuple& operator+=(const Tuple& other) {
    for (int k = 0; k < K; ++k) v[k] += other.v[k];
    return *this;
  }
  KOKKOS_FUNCTION friend Tuple operator+(Tuple a, const Tuple& b) {
    return a += b;
  }
  friend bool operator==(const Tuple& a, const Tuple& b) {
    bool same = true;
    for (int k = 0; k < K; ++k) same = same && a.v[k] == b.v[k];
    return same;
  }
};

using Bytes12 = Tuple<float, 3>;
using Bytes16 = Tuple<double, 2, 16>;
using Bytes24 = Tuple<double, 3>;
using Bytes64 = Tuple<double, 8, 64>;
static_assert(sizeof(Bytes12) == 12 && sizeof(Bytes16) == 16 &&
                  sizeof(Bytes24) == 24 && sizeof(Bytes64) == 64,
              "as their names say");

template <class T, int K, std::size_t A>
void fill(Tuple<T, K, A>& value, int number) {
  for (int k = 0; k < K; ++k) value.v[k] = T((number * 7 + k) % 19 - 9);
}
template <class T>
void fill(Kokkos::complex<T>& value, int number) {
  value = Kokkos::complex<T>(T(number % 19 - 9), T(number % 7));
}
template <class V>
std::vector<V> values(int n, int first) {
  std::vector<V> all(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < all.size(); ++i) fill(all[i], first + int(i));
  return all;
}

/// Counts in an int beside it, so that what is staged begins anywhere.
template <class V>
struct Pass {
  KOKKOS_FUNCTION void operator()(Read<V, 2, 2> x, Read<V> w, Write<V> u,
                                  ReadWrite<V> r, Inc<int, 1, 2> count,
                                  Inc<V, 3, 2> y, GlobalRead<V> g,
                                  Reduce<int> elements,
                                  Reduce<V, 2> total) const {
    u[0] = w[0] + x(0, 1);
    r[0] += x(1, 0);
    for (int i = 0; i < 2; ++i) {
      count(i, 0) += 1;
      y(i, 0) += w[0];
      y(i, 1) += x(1 - i, 0);
      y(i, 2) += g[0];
    }
    elements[0] += 1;
    total[0] += w[0] + g[0];
    total[1] += x(1, 1);
  }
};

template <class V>
struct Total {
  KOKKOS_FUNCTION void operator()(Read<V> w, Reduce<V, 2> total) const {
    total[0] += w[0];
    total[1] += w[0] + w[0];
  }
};

template <class Exec, class V>
struct PassCase {
  using Memory = typename Exec::memory_space;
  template <class T, int N>
  using Values           = Dat<T, N, Kokkos::LayoutRight, Memory>;
  static constexpr int n = 700, targets = 301;
  std::vector<int> entries = random_entries(n, 2, targets, 5);
  Set from{"from", n}, to{"to", targets};
  Map<2, Memory> map{"map", from, to, entries};
  Values<V, 2> x{"x", to, values<V>(2 * targets, 1)};
  Values<V, 1> w{"w", from, values<V>(n, 2)}, u{"u", from}, r{"r", from};
  Values<int, 1> count{"count", to};
  Values<V, 3> y{"y", to};
  Global<V, 1, Memory> g{"g", values<V>(1, 3)[0]};
  Global<int, 1, Memory> elements{"elements"};
  Global<V, 2, Memory> total{"total"};

  std::vector<V> u_expected, r_expected, y_expected, total_expected;
  std::vector<int> count_expected;

  PassCase() {
    const auto hx = x.to_host(), hw = w.to_host();
    const V hg     = values<V>(1, 3)[0];
    u_expected     = std::vector<V>(n);
    r_expected     = values<V>(n, 4);
    y_expected     = values<V>(3 * targets, 5);
    total_expected = std::vector<V>(2);
    count_expected = std::vector<int>(targets, 0);
    for (std::size_t e = 0; e < n; ++e) {
      const auto t = [&](std::size_t i) {
        return std::size_t(entries[2 * e + i]);
      };
      u_expected[e] = hw[e] + hx[2 * t(0) + 1];
      r_expected[e] += hx[2 * t(1)];
      for (std::size_t i = 0; i < 2; ++i) {
        count_expected[t(i)] += 1;
        y_expected[3 * t(i)] += hw[e];
        y_expected[3 * t(i) + 1] += hx[2 * t(1 - i)];
        y_expected[3 * t(i) + 2] += hg;
      }
      total_expected[0] += hw[e] + hg;
      total_expected[1] += hx[2 * t(1) + 1];
    }
  }
  void run(const LoopOptions& o) {
    u.assign(std::vector<V>(n));
    r.assign(values<V>(n, 4));
    y.assign(values<V>(3 * targets, 5));
    count.assign(std::vector<int>(targets, 0));
    elements.assign(0);
    total.assign(std::vector<V>(2));
    par_loop("pass", Exec{}, from, o, Pass<V>{}, read(x, map), read(w),
             write(u), rw(r), inc(count, map), inc(y, map), read(g),
             sum(elements), sum(total));
  }
  bool right() const {
    return u.to_host() == u_expected && r.to_host() == r_expected &&
           y.to_host() == y_expected && count.to_host() == count_expected &&
           elements.value(Exec{}, 0) == n &&
           total.value(Exec{}, 0) == total_expected[0] &&
           total.value(Exec{}, 1) == total_expected[1];
  }
};

template <class Exec, class V>
void check_strategies(const std::string& type) {
  PassCase<Exec, V> c;
  for (const LoopOptions& o : all_options(50)) {
    INFO(text(o) << ", " << type);
    if (o.any_ranks || (o.strategy == LoopStrategy::atomic &&
                        !Sporos::Impl::has_atomic_add_v<V>)) {
      check_refused(o.any_ranks ? "any_ranks"
                                : "options.strategy: expected automatic, or "
                                  "another one",
                    [&] { c.run(o); });
      continue;
    }
    c.run(o);
    CHECK(c.right());
  }
  // no increments through maps
  const Global<V, 2, typename Exec::memory_space> total("total");
  par_loop("total", Exec{}, c.from, Total<V>{}, read(c.w), sum(total));
  V once{}, twice{};
  for (const V& v : c.w.to_host()) {
    once += v;
    twice += v + v;
  }
  CHECK(total.value(Exec{}, 0) == once);
  CHECK(total.value(Exec{}, 1) == twice);
}

TEMPLATE_LIST_TEST_CASE("values of 12, 16 and 24 bytes", "[par_loop]", Spaces) {
  check_strategies<TestType, Bytes12>("12 bytes");
  check_strategies<TestType, Bytes16>("16 bytes, aligned to them");
  check_strategies<TestType, Bytes24>("24 bytes");
}

TEMPLATE_LIST_TEST_CASE("values of a whole cache line, complex numbers",
                        "[par_loop]", Spaces) {
  check_strategies<TestType, Kokkos::complex<double>>("complex");
  if constexpr (!reduced)
    check_strategies<TestType, Bytes64>("64 bytes, aligned to them");
}

}  // namespace ParLoopStructs
