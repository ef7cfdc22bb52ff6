// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Dats as vectors: sums, exact sums, multiples.

#include "Sporos_MeshCases.hpp"
#include "Sporos_Test.hpp"
#include "Sporos_WrongCalls.hpp"

#include <Sporos_DatVectors.hpp>
#include <Sporos_ExactSum.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace DatVectors {

using namespace Sporos;
using namespace Sporos::Test;

template <class Exec, class T, int N, class Layout = Kokkos::LayoutRight>
using Values = Dat<T, N, Layout, typename Exec::memory_space>;

constexpr int sizes[] = {0, 1, 2, 97, 20001};

/// Numbers of many magnitudes, whose sums depend on the order.
template <class T>
std::vector<T> rough(std::size_t n, double seed) {
  std::vector<T> values(n);
  for (std::size_t k = 0; k < n; ++k)
    values[k] =
        T(std::sin(seed + 1.7 * double(k)) * std::exp(double(k % 23) - 12));
  return values;
}

TEMPLATE_LIST_TEST_CASE("multiples and copies of dats", "[dat_vectors]",
                        Spaces) {
  const TestType exec{};
  for (const int n : sizes) {
    const Set set("set", n);
    const auto count = std::size_t(n) * 3;
    const auto vx = small_values(count, 1), vy = small_values(count, 2);
    const Values<TestType, double, 3> x("x", set, vx);
    const Values<TestType, double, 3, Kokkos::LayoutLeft> y("y", set, vy),
        z("z", set);
    double xy = 0;
    for (std::size_t k = 0; k < count; ++k) xy += vx[k] * vy[k];
    CHECK(dot(exec, x, y) == xy);
    CHECK(dot(exec, x, y, {true}) == xy);
    copy(exec, y, z);
    CHECK(z.to_host(exec) == vy);
    axpy(exec, 2, x, z);
    axpby(exec, -1, x, 3, y);
    scale(exec, 4, x);
    const auto hx = x.to_host(exec), hy = y.to_host(exec), hz = z.to_host(exec);
    std::size_t wrong = 0;
    for (std::size_t k = 0; k < count; ++k)
      wrong += hx[k] != 4 * vx[k] || hy[k] != 3 * vy[k] - vx[k] ||
               hz[k] != vy[k] + 2 * vx[k];
    CHECK(wrong == 0);
  }
}

TEMPLATE_LIST_TEST_CASE("dots of complex numbers and of integers",
                        "[dat_vectors]", Spaces) {
  using C = Kokkos::complex<double>;
  const TestType exec{};
  for (const int n : sizes) {
    const Set set("set", n);
    const auto count = std::size_t(n) * 2;
    const auto re = small_values(count, 3), im = small_values(count, 4);
    std::vector<C> vx(count), vy(count);
    C expected     = 0;
    double squares = 0;
    for (std::size_t k = 0; k < count; ++k) {
      vx[k] = C(re[k], im[k]);
      vy[k] = C(im[k], re[k] + 1);
      expected += C(re[k], -im[k]) * vy[k];
      squares += re[k] * re[k] + im[k] * im[k];
    }
    const Values<TestType, C, 2> x("x", set, vx), y("y", set, vy);
    for (const bool exact : {false, true}) {
      CHECK(dot(exec, x, y, {exact}) == expected);
      CHECK(norm(exec, x, {exact}) == std::sqrt(squares));
    }
    axpy(exec, C(0, 1), x, y);
    const auto sums   = y.to_host(exec);
    std::size_t wrong = 0;
    for (std::size_t k = 0; k < count; ++k)
      wrong += sums[k].real() != 0 || sums[k].imag() != 2 * re[k] + 1;
    CHECK(wrong == 0);

    // products that do not fit into 32 bits
    const Values<TestType, int, 1> i("i", set,
                                     std::vector<int>(std::size_t(n), 1 << 20));
    CHECK(dot(exec, i, i) == (std::int64_t(1) << 40) * n);
  }
}

TEMPLATE_LIST_TEST_CASE("exact sums have no order and round once",
                        "[dat_vectors]", Spaces) {
  const TestType exec{};
  const int n = 30011;
  const Set set("set", n);
  auto v          = rough<double>(std::size_t(n), 1);
  v[7]            = 1e9;  // its square hides all others
  v[9]            = 1;
  auto w          = v;
  w[7]            = -1e9;
  w[8]            = 1e9;
  v[8]            = 1e9;
  const auto dots = [&](const VectorOptions& options) {
    const Values<TestType, double, 1> x("x", set, v), y("y", set, w);
    return dot(exec, x, y, options);
  };
  ExactSum<double> sum;
  for (std::size_t k = 0; k < v.size(); ++k) sum.add(v[k] * w[k]);
  const double exact = dots({true}), near = dots({});
  CHECK(exact == sum.value());
  CHECK(near != exact);
  CHECK(dots({}) == near);
  std::reverse(v.begin(), v.end());
  std::reverse(w.begin(), w.end());
  CHECK(dots({true}) == exact);

  // of float: products and sums in double, the root of it rounded once
  const auto f   = rough<float>(std::size_t(n), 2);
  double squares = 0;
  for (const float a : f) squares += double(a) * double(a);
  const Values<TestType, float, 1> x("x", set, f);
  CHECK(norm(exec, x, {true}) == float(std::sqrt(squares)));
  CHECK(std::abs(norm(exec, x) / std::sqrt(squares) - 1) < 1e-5);
}

TEST_CASE("wrong calls of vectors", "[dat_vectors]") {
  using Dats = Dat<double, 1, Kokkos::LayoutRight, HostMemory>;
  const HostExec exec{};
  const Set nodes("nodes", 10), cells("cells", 10), few("few", 9);
  const Dats x("x", nodes), y("y", cells), none;
  const Dats part(
      "part", few,
      Kokkos::subview(x.view(), std::make_pair(1, 10), Kokkos::ALL())),
      rest("rest", few,
           Kokkos::subview(x.view(), std::make_pair(0, 9), Kokkos::ALL()));
  Untouched untouched;
  untouched.fill(x.view());
  untouched.fill(y.view());
  const std::string on  = "a dat on the set of x, nodes (size 10)",
                    got = "a dat on cells (size 10)", made = "default";
  check_wrong_calls(
      {{"sets", [&] { dot(exec, x, y); }, "Sporos::dot", "y", on, got},
       {"sets", [&] { axpy(exec, 1, x, y); }, "Sporos::axpy", "y", on, got},
       {"sets", [&] { axpby(exec, 1, x, 1, y); }, "Sporos::axpby", "y", on,
        got},
       {"sets", [&] { copy(exec, x, y); }, "Sporos::copy", "y", on, got},
       {"no dat", [&] { dot(exec, none, x); }, "Sporos::dot", "x", "", made},
       {"no second dat", [&] { dot(exec, x, none); }, "Sporos::dot", "y", "",
        made},
       {"no dat", [&] { norm(exec, none); }, "Sporos::norm", "x", "", made},
       {"no dat", [&] { scale(exec, 2, none); }, "Sporos::scale", "x", "",
        made},
       {"memory", [&] { copy(exec, part, rest); }, "Sporos::par_loop(copy)",
        "argument 1, write(rest)", "memory separate from that of argument 0",
        "memory that overlaps it"}},
      untouched, 9);
}

}  // namespace DatVectors
