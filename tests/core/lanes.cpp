// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Lane groups lane by lane against scalars, on every back end.

#include "Sporos_Test.hpp"

#include <Sporos_Lanes.hpp>

#include <cstdint>
#include <tuple>
#include <vector>

namespace LanesTest {

using Sporos::lane_count;
using Sporos::LaneGroup;

constexpr int first = -3;  ///< of loads

/// One group computes; row k of out has the lanes of result number k.
template <class Exec, class T, class Member>
struct Compute {
  using Group = LaneGroup<Exec, T>;
  Kokkos::View<T*, Exec> in;  ///< 2 width, then strided
  Kokkos::View<T**, Exec> out;
  int n;

  KOKKOS_FUNCTION void keep(const Group& lanes, int& row,
                            const typename Group::value& v) const {
    lanes.store(v, &out(row, 0), std::ptrdiff_t(out.stride(1)), 0,
                Group::width);
    ++row;
  }
  KOKKOS_FUNCTION void operator()(const Member&) const {
    constexpr int W = Group::width;
    const Group lanes;
    int row      = 0;
    const T* p   = in.data();
    const auto a = lanes.load(p, 1, 0, 2 * W);
    const auto b = lanes.load(p + W, 1, 0, W);
    const auto c = lanes.generate([](int l) { return T(l % 5 - 2); });
    keep(lanes, row, a);
    keep(lanes, row, b);
    keep(lanes, row, c);
    keep(lanes, row, lanes.fill(T(7)));
    keep(lanes, row, lanes.load(p, 1, first, n));
    keep(lanes, row, lanes.load(p, 2, 1, n));
    keep(lanes, row, lanes.load(p, 1, 0, 0));
    for (const int k : {0, 1, 2, 5, W - 1, W}) {
      if (k > W) continue;
      keep(lanes, row, lanes.shift_down(a, b, k));
    }
    for (int k = 0; k < W; k += 3) keep(lanes, row, lanes.broadcast(b, k));
    keep(lanes, row, lanes.fma(a, c, b));
    keep(lanes, row,
         lanes.combine(a, b, c, [](const T& x, const T& y, const T& z) {
           return T(x - y * z);
         }));
    keep(lanes, row, lanes.fill(lanes.sum(a)));
    // stores with bounds: lanes outside of [0, n) write nothing
    lanes.store(a, &out(row, 0), std::ptrdiff_t(out.stride(1)), first, n);
    ++row;
  }
};

template <class Exec, class T>
void check_lanes() {
  using Group     = LaneGroup<Exec, T>;
  constexpr int W = Group::width;
  static_assert(W > 1 && (W & (W - 1)) == 0, "a power of two");
  const int n = W - 2, rows = 64 + W;
  const Kokkos::View<T*, Exec> in("in", 4 * W);
  const Kokkos::View<T**, Exec> out("out", rows, W);
  const auto h = Kokkos::create_mirror_view(in);
  for (int i = 0; i < 4 * W; ++i) h(i) = T((i * 7) % 23 - 9);
  Kokkos::deep_copy(in, h);
  Kokkos::deep_copy(out, T(-55));
  using Policy = Kokkos::TeamPolicy<Exec>;
  Kokkos::parallel_for(
      "lanes", Policy(Exec(), 1, 1, lane_count<Exec, T>::vector),
      Compute<Exec, T, typename Policy::member_type>{in, out, n});
  const auto result = Sporos::Test::host_copy(out);

  int row          = 0;
  const auto check = [&](const char* what, const auto& f) {
    INFO(what << ", row " << row);
    bool same = true;
    for (int l = 0; l < W; ++l) same = same && result(row, l) == f(l);
    CHECK(same);
    ++row;
  };
  const auto a = [&](int l) { return h(l); };
  const auto b = [&](int l) { return h(W + l); };
  const auto c = [](int l) { return T(l % 5 - 2); };
  check("load", a);
  check("load", b);
  check("generate", c);
  check("fill", [](int) { return T(7); });
  check("load with bounds", [&](int l) {
    return l + first >= 0 && l + first < n ? h(l + first) : T(0);
  });
  check("strided load",
        [&](int l) { return l + 1 < n ? h(2 * (l + 1)) : T(0); });
  check("load of nothing", [](int) { return T(0); });
  for (const int k : {0, 1, 2, 5, W - 1, W}) {
    if (k > W) continue;
    check("shift down",
          [&](int l) { return l + k < W ? a(l + k) : b(l + k - W); });
  }
  for (int k = 0; k < W; k += 3) check("broadcast", [&](int) { return b(k); });
  check("fma", [&](int l) { return T(a(l) * c(l) + b(l)); });
  check("combine", [&](int l) { return T(a(l) - b(l) * c(l)); });
  T sum(0);
  for (int l = 0; l < W; ++l) sum += a(l);
  check("sum", [&](int) { return sum; });
  check("store with bounds",
        [&](int l) { return l < n && l < W + first ? a(l - first) : T(-55); });
}

TEMPLATE_LIST_TEST_CASE("lane groups", "[lanes]", Sporos::Test::Spaces) {
  check_lanes<TestType, float>();
  check_lanes<TestType, double>();
  check_lanes<TestType, int>();
  check_lanes<TestType, std::int64_t>();
  check_lanes<TestType, Kokkos::complex<float>>();
  check_lanes<TestType, Kokkos::complex<double>>();
}

}  // namespace LanesTest
