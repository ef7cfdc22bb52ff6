// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Square roots of packs are correctly rounded: the same bits as std::sqrt.

#include "Sporos_Test.hpp"

#include <Sporos_Pack.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace PackSqrtTest {

using Sporos::Pack;

template <class T>
bool same_bits(T a, T b) {
  return (std::isnan(a) && std::isnan(b)) || std::memcmp(&a, &b, sizeof a) == 0;
}

/// How many of the numbers have a root of other bits than std::sqrt's.
template <class T>
int wrong_roots(std::vector<T> x) {
  using P = Pack<T, Sporos::native_pack_width<T>>;
  x.resize((x.size() + P::width - 1) / P::width * P::width);
  int wrong = 0;
  for (std::size_t i = 0; i < x.size(); i += P::width) {
    const P root = sqrt(P::load(&x[i]));
    for (int lane = 0; lane < P::width; ++lane)
      wrong += !same_bits(root[lane], std::sqrt(x[i + lane]));
  }
  return wrong;
}

/// Every number followed by 1, so that lanes with and without exceptions share
/// a register.
template <class T>
std::vector<T> special_numbers() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> x;
  for (const T s : {T(0), Limits::denorm_min(), Limits::min(), T(1), T(2),
                    Limits::max(), Limits::infinity()})
    for (const T sign : {T(1), T(-1)}) x.insert(x.end(), {sign * s, T(1)});
  x.push_back(Limits::quiet_NaN());
  for (int e = Limits::min_exponent - Limits::digits; e < Limits::max_exponent;
       ++e)
    for (const T m : {T(1), T(1) + Limits::epsilon(), T(2) - Limits::epsilon()})
      x.push_back(std::ldexp(m, e));
  return x;
}

TEMPLATE_TEST_CASE("square roots of special numbers", "[pack]", float, double) {
  CHECK(wrong_roots(special_numbers<TestType>()) == 0);
}

TEST_CASE("square roots of all float numbers from 1 to 4", "[pack]") {
  std::vector<float> x;
  for (float v = 1; v < 4; v = std::nextafter(v, 4.f)) x.push_back(v);
  CHECK(x.size() == 1u << 24);
  CHECK(wrong_roots(x) == 0);
}

TEST_CASE("square roots of random double numbers", "[pack]") {
  std::mt19937_64 bits(7);
  std::vector<double> x(1 << 20);
  for (double& v : x) {
    const std::uint64_t b = bits() >> 1;  // positive, now and then infinite
    std::memcpy(&v, &b, sizeof v);
  }
  CHECK(wrong_roots(x) == 0);
}

}  // namespace PackSqrtTest
