// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Packs lane by lane against scalars, for widths below, at and above that of
// a register.

#include "Sporos_Test.hpp"

#include <Sporos_Pack.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <tuple>
#include <vector>

namespace PackTest {

using Sporos::Pack;

using Packs = Sporos::Test::unless_reduced<
    std::tuple<Pack<double, 1>, Pack<double, 2>, Pack<double, 8>,
               Pack<float, 4>, Pack<float, 64>>,
    std::tuple<Pack<double, 4>, Pack<double, 16>, Pack<double, 32>,
               Pack<float, 1>, Pack<float, 2>, Pack<float, 8>,
               Pack<float, 16>>>;

template <class P>
using Scalar = typename P::value_type;

/// Random values with zeros and signs in between.
template <class P>
P random_pack(int seed) {
  std::mt19937 generator(static_cast<unsigned>(seed));
  std::uniform_real_distribution<Scalar<P>> uniform(-2, 2);
  P p;
  for (int i = 0; i < P::width; ++i)
    p.set(i, i % 5 == 3 ? Scalar<P>(0) : uniform(generator));
  return p;
}

/// Is lane i of p equal to f(i), for all i?
template <class P, class F>
bool lanes_are(const P& p, const F& f) {
  for (int i = 0; i < P::width; ++i)
    if (!(p[i] == f(i))) return false;
  return true;
}

TEMPLATE_LIST_TEST_CASE("pack construction and access", "[pack]", Packs) {
  using P = TestType;
  using T = Scalar<P>;
  CHECK(sizeof(P) == P::width * sizeof(T));
  CHECK(P::lanes * P::registers == P::width);
  CHECK(P::lanes <= Sporos::native_pack_width<T>);
  CHECK(lanes_are(P(T(1.5)), [](int) { return T(1.5); }));
  const P ramp = P::generate([](int i) { return T(3 * i + 1); });
  CHECK(lanes_are(ramp, [](int i) { return T(3 * i + 1); }));
  P changed = ramp;
  changed.set(P::width - 1, T(-7));
  CHECK(lanes_are(
      changed, [](int i) { return i == P::width - 1 ? T(-7) : T(3 * i + 1); }));
}

TEMPLATE_LIST_TEST_CASE("pack load and store at any address", "[pack]", Packs) {
  using P = TestType;
  using T = Scalar<P>;
  std::vector<T> from(P::width + 3), to(P::width + 3, T(-1));
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = T(i) + T(.25);
  for (int offset = 0; offset < 3; ++offset) {
    const P p = P::load(from.data() + offset);
    CHECK(lanes_are(p, [&](int i) { return from[i + offset]; }));
    std::fill(to.begin(), to.end(), T(-1));
    p.store(to.data() + offset);
    for (int i = 0; i < int(to.size()); ++i) {
      const bool written = i >= offset && i < offset + P::width;
      REQUIRE(to[i] == (written ? from[i] : T(-1)));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("pack arithmetic", "[pack]", Packs) {
  using P   = TestType;
  using T   = Scalar<P>;
  const P a = random_pack<P>(1), b = random_pack<P>(2), c = random_pack<P>(3);
  CHECK(lanes_are(a + b, [&](int i) { return a[i] + b[i]; }));
  CHECK(lanes_are(a - b, [&](int i) { return a[i] - b[i]; }));
  CHECK(lanes_are(a * b, [&](int i) { return a[i] * b[i]; }));
  CHECK(lanes_are(-a, [&](int i) { return -a[i]; }));
  const P divisor = b * b + P(T(.5));
  CHECK(lanes_are(a / divisor, [&](int i) { return a[i] / divisor[i]; }));
  CHECK(lanes_are(a + T(2), [&](int i) { return a[i] + T(2); }));
  P d = a;
  d += b;
  CHECK(lanes_are(d, [&](int i) { return a[i] + b[i]; }));
  d = a;
  d -= b;
  CHECK(lanes_are(d, [&](int i) { return a[i] - b[i]; }));
  d = a;
  d *= b;
  CHECK(lanes_are(d, [&](int i) { return a[i] * b[i]; }));
  const P fused = fma(a, b, c);
  for (int i = 0; i < P::width; ++i)
    REQUIRE(std::fabs(fused[i] - (a[i] * b[i] + c[i])) <=
            8 * std::numeric_limits<T>::epsilon());
}

TEMPLATE_LIST_TEST_CASE("pack square root, choice", "[pack]", Packs) {
  using P   = TestType;
  using T   = Scalar<P>;
  const P a = random_pack<P>(4), b = random_pack<P>(5);
  const P nan      = P(std::numeric_limits<T>::quiet_NaN());
  const P positive = P::generate([&](int i) { return std::fabs(a[i]); });
  CHECK(
      lanes_are(sqrt(positive), [&](int i) { return std::sqrt(positive[i]); }));
  CHECK(lanes_are(select_less(a, b, P(T(1)), P(T(2))),
                  [&](int i) { return a[i] < b[i] ? T(1) : T(2); }));
  CHECK(
      lanes_are(select_less(a, a, P(T(1)), P(T(2))), [](int) { return T(2); }));
  const P mixed = select_less(a, P(T(0)), nan, a);  // NaN where a < 0
  const P kept  = where_nonzero(a, mixed);
  for (int i = 0; i < P::width; ++i)
    REQUIRE((a[i] < 0 ? std::isnan(kept[i]) : kept[i] == a[i]));
  CHECK(lanes_are(where_nonzero(P(T(0)), nan), [](int) { return T(0); }));
}

TEMPLATE_LIST_TEST_CASE("pack fused multiply-add is fused", "[pack]", Packs) {
#if defined(__FMA__) && defined(__GNUC__)
  using P      = TestType;
  using T      = Scalar<P>;
  const T tiny = std::numeric_limits<T>::epsilon();
  const P a(T(1) + tiny);
  const P rest = fma(a, a, P(-(T(1) + 2 * tiny)));
  CHECK(lanes_are(rest, [&](int) { return tiny * tiny; }));
#else
  SUCCEED("this processor has no such instruction");
#endif
}

TEMPLATE_LIST_TEST_CASE("pack sums", "[pack]", Packs) {
  using P = TestType;
  using T = Scalar<P>;
  // small integers: any order of additions gives the same
  const P a = P::generate([](int i) { return T(i * i % 17 - 5); });
  T total   = 0;
  for (int i = 0; i < P::width; ++i) total += a[i];
  CHECK(sum(a) == total);
  P many[P::width];
  for (int j = 0; j < P::width; ++j)
    many[j] = P::generate([&](int i) { return T((i + 3 * j) % 11 - 4); });
  const P expected = P::generate([&](int j) { return sum(many[j]); });
  CHECK(lanes_are(sum_each(many), [&](int i) { return expected[i]; }));
  if constexpr (P::width > 1) {
    P few[P::width / 2];
    for (int j = 0; j < P::width / 2; ++j)
      few[j] = P::generate([&](int i) { return T((i + 3 * j) % 11 - 4); });
    CHECK(lanes_are(sum_each(few), [&](int i) { return expected[i]; }));
  }
  P one[1] = {a};
  CHECK(sum_each(one)[0] == total);
}

template <int First, int N, class P>
void check_slice(const P& a) {
  if constexpr (First + N <= P::width) {
    const auto part = Sporos::Impl::slice<First, N>(a);
    CHECK(lanes_are(part, [&](int i) { return a[First + i]; }));
  }
}

TEMPLATE_LIST_TEST_CASE("pack slices", "[pack]", Packs) {
  const TestType a =
      TestType::generate([](int i) { return Scalar<TestType>(i + 1); });
  check_slice<0, 1>(a);
  check_slice<1, 1>(a);
  check_slice<0, 2>(a);
  check_slice<1, 2>(a);
  check_slice<0, 4>(a);
  check_slice<4, 4>(a);
  check_slice<0, TestType::width>(a);
}

template <int N, class P>
void check_store_transposed() {
  using T              = Scalar<P>;
  constexpr int padded = Sporos::Impl::next_power_of_two(N);
  P components[N];
  for (int c = 0; c < N; ++c)
    components[c] =
        P::generate([&](int lane) { return T(100 * (c + 1) + lane); });
  for (int stride : {padded, padded + 3}) {
    std::vector<T> rows(std::size_t(P::width) * stride + 5, T(-1));
    Sporos::store_transposed<N>(components, rows.data(), stride);
    for (int i = 0; i < int(rows.size()); ++i) {
      const int lane = i / stride, c = i % stride;
      INFO("N = " << N << ", stride = " << stride << ", lane = " << lane
                  << ", component = " << c);
      if (lane < P::width && c < N)
        REQUIRE(rows[i] == components[c][lane]);
      else if (lane < P::width && c < padded)
        REQUIRE(rows[i] == T(0));
      else
        REQUIRE(rows[i] == T(-1));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("pack transposed stores", "[pack]", Packs) {
  check_store_transposed<1, TestType>();
  check_store_transposed<2, TestType>();
  check_store_transposed<3, TestType>();
  check_store_transposed<4, TestType>();
  check_store_transposed<5, TestType>();
  check_store_transposed<6, TestType>();
  check_store_transposed<7, TestType>();
}

TEST_CASE("static_for and powers of two", "[pack]") {
  int visited = 0;
  Sporos::Impl::static_for<5>([&](auto i) { visited = 10 * visited + i; });
  CHECK(visited == 1234);
  CHECK(Sporos::Impl::next_power_of_two(1) == 1);
  CHECK(Sporos::Impl::next_power_of_two(5) == 8);
  CHECK(Sporos::Impl::next_power_of_two(8) == 8);
}

}  // namespace PackTest
