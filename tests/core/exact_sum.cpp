// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sporos_EngineTest.hpp"
#include "Sporos_Test.hpp"

#include <Sporos_ExactSum.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ExactSumTest {

using Sporos::ExactSum;
using Sporos::ExactSumWorkspace;
using Sporos::Impl::real_to_bits;
using Sporos::Test::SpacesReals;
using Sporos::Test::to_vector;
using Sporos::Test::to_view;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double largest  = std::numeric_limits<double>::max();
constexpr double least    = std::numeric_limits<double>::denorm_min();

template <class Real>
Real sum_of(const std::vector<Real>& values) {
  ExactSum<Real> sum;
  for (Real x : values) sum.add(x);
  return sum.value();
}

template <class Real>
bool same_bits(Real a, Real b) {
  return real_to_bits(a) == real_to_bits(b);
}

/// Whole numbers below 2^50 times 2^power, and the sum that the processor
/// rounds when it converts their 64-bit sum.
template <class Real>
std::pair<std::vector<Real>, Real> whole_numbers(int n, int power,
                                                 unsigned seed) {
  std::mt19937_64 generator(seed);
  std::vector<Real> values;
  std::int64_t sum = 0;
  for (int i = 0; i < n; ++i) {
    const int shift       = 14 + int(generator() % 50);
    const std::int64_t k  = std::int64_t(generator() >> shift);
    const Real x          = Real(generator() % 2 == 0 ? k : -k);
    const std::int64_t as = static_cast<std::int64_t>(x);  // as float rounds it
    values.push_back(std::ldexp(x, power));
    sum += as;
  }
  return {values, std::ldexp(Real(sum), power)};
}

template <class Real>
void check_rounding() {
  const int lowest = Sporos::Impl::RealFormat<Real>::lowest;
  for (int power : {lowest, lowest + 31, -60, 0, 33, 60})
    for (unsigned seed = 0; seed < 200; ++seed) {
      auto [values, expected] =
          whole_numbers<Real>(1 + int(seed * seed) / 50, power, seed);
      const Real actual = sum_of(values);
      INFO("power " << power << ", seed " << seed);
      REQUIRE(same_bits(actual, expected));
      std::shuffle(values.begin(), values.end(), std::mt19937(seed));
      REQUIRE(same_bits(sum_of(values), expected));
      ExactSum<Real> halves[2];
      for (std::size_t i = 0; i < values.size(); ++i)
        halves[i % 3 == 0 ? 0 : 1].add(values[i]);
      halves[1].add(halves[0]);
      REQUIRE(same_bits(halves[1].value(), expected));
    }
}

TEST_CASE("an exact sum is the rounded sum of whole numbers in any order",
          "[exact_sum]") {
  check_rounding<float>();
  check_rounding<double>();
}

TEST_CASE("an exact sum rounds halves to the even neighbour", "[exact_sum]") {
  const double e = std::ldexp(1.0, -53);  // half of the last bit of 1
  CHECK(sum_of<double>({1, e}) == 1);
  CHECK(sum_of<double>({1, e, least}) > 1);
  CHECK(sum_of<double>({1, e, -least}) == 1);
  CHECK(sum_of<double>({1 + 2 * e, e}) == 1 + 4 * e);
  CHECK(sum_of<double>({1 + 2 * e, e, -least}) == 1 + 2 * e);
  CHECK(sum_of<double>({-1, -e}) == -1);
  CHECK(sum_of<double>({-1, -e, -least}) < -1);
  CHECK(sum_of<double>({2 - 2 * e, e}) == 2);  // carries into the exponent
  CHECK(sum_of<float>({1, std::ldexp(1.0f, -24)}) == 1);
  CHECK(sum_of<float>({1, std::ldexp(1.0f, -24), std::ldexp(1.0f, -149)}) > 1);
}

TEST_CASE("an exact sum may leave the range and come back", "[exact_sum]") {
  CHECK(sum_of<double>({largest, largest, 1, -largest, -largest}) == 1);
  CHECK(sum_of<double>({largest, largest}) == infinity);
  CHECK(sum_of<double>({-largest, -largest}) == -infinity);
  const double half = std::ldexp(1.0, 970);  // of the last bit of the largest
  CHECK(sum_of<double>({largest, half}) == infinity);
  CHECK(sum_of<double>({largest, half, -1}) == largest);
  CHECK(sum_of<double>({1e300, least, -1e300}) == least);
  CHECK(sum_of<double>({std::ldexp(1.0, -1022), -least}) ==
        std::ldexp(1.0, -1022) - least);
  const float most = std::numeric_limits<float>::max();
  CHECK(sum_of<float>({most, most}) == std::numeric_limits<float>::infinity());
  CHECK(sum_of<float>({most, most, 3, -most, -most}) == 3);
}

TEST_CASE("exact sums of zeros, infinities and NaN", "[exact_sum]") {
  CHECK(same_bits(sum_of<double>({}), 0.0));
  CHECK(same_bits(sum_of<double>({-0.0, -0.0}), -0.0));
  CHECK(same_bits(sum_of<double>({-0.0, 0.0}), 0.0));
  CHECK(same_bits(sum_of<double>({-1, 1}), 0.0));
  CHECK(same_bits(sum_of<float>({-0.0f}), -0.0f));
  CHECK(sum_of<double>({infinity, 1, -largest}) == infinity);
  CHECK(sum_of<double>({1, -infinity}) == -infinity);
  CHECK(std::isnan(sum_of<double>({infinity, -infinity})));
  CHECK(std::isnan(sum_of<double>({1, std::nan("")})));
  CHECK(std::isnan(sum_of<double>({std::nan(""), infinity})));
}

TEST_CASE("an exact sum has room for 2^40 summands", "[exact_sum]") {
  for (double x : {largest, -largest, -1.5, least, 0x1.fffffffffffffp+10}) {
    ExactSum<double> sum;
    for (int i = 0; i < 5000; ++i) sum.add(x);
    CHECK(sum.value() == 5000 * x);
    ExactSum<double> doubled(x);
    for (int i = 0; i < 40; ++i) doubled.add(doubled);
    const ExactSum<double> much = doubled;
    CHECK(much.value() == std::ldexp(x, 40));
    doubled = ExactSum<double>(-x);
    for (int i = 0; i < 40; ++i) doubled.add(doubled);
    doubled.add(much);
    CHECK(doubled.value() == 0);
  }
}

TEST_CASE("an exact sum is a few bytes that may be copied", "[exact_sum]") {
  CHECK(sizeof(ExactSum<float>) == 552);
  CHECK(sizeof(ExactSum<double>) == 552);
  CHECK(std::is_trivially_copyable<ExactSum<float>>::value);
}

// --- exact_sum of views ----------------------------------------------------

enum class Values { even, wide, huge, tiny, zeros, cancel, cancel_wide };

constexpr Values all_values[] = {
    Values::even,  Values::wide,   Values::huge,       Values::tiny,
    Values::zeros, Values::cancel, Values::cancel_wide};

template <class Real>
std::vector<Real> make_values(Values kind, int n) {
  if (kind == Values::cancel || kind == Values::cancel_wide) {
    std::vector<Real> values = make_values<Real>(
        kind == Values::cancel ? Values::even : Values::wide, n / 2);
    for (int i = 0; i < n / 2; ++i) values.push_back(-values[std::size_t(i)]);
    values.resize(std::size_t(n), std::numeric_limits<Real>::denorm_min());
    std::shuffle(values.begin(), values.end(), std::mt19937(unsigned(n)));
    return values;
  }
  std::mt19937_64 generator(unsigned(n) + 7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const int range = std::numeric_limits<Real>::max_exponent;
  std::vector<Real> values;
  for (int i = 0; i < n; ++i) {
    const double x   = uniform(generator);
    const int random = int(generator() % unsigned(2 * range - 10));
    switch (kind) {
      case Values::even: values.push_back(Real(x)); break;
      case Values::wide:
        values.push_back(Real(std::ldexp(x, random - range)));
        break;
      case Values::huge:
        values.push_back(Real(std::ldexp(x, range - 1)));
        break;
      case Values::tiny:
        values.push_back(std::numeric_limits<Real>::denorm_min() *
                         Real(int(100 * x)));
        break;
      default: values.push_back(Real(i % 2 == 0 ? 0.0 : -0.0));
    }
  }
  return values;
}

/// What kernels for devices would do, in any space.
template <class Exec, class View, class Sums>
void sum_by_threads(const View& values, const Sums& sums) {
  using Slots       = Kokkos::View<Sporos::Impl::ExactSumDigits**,
                             Kokkos::LayoutRight, typename Exec::memory_space>;
  const int n       = int(values.extent(0));
  const int threads = (n + 31) / 32;
  const Slots slots("slots", 5, 1);
  Kokkos::parallel_for(
      "test::threads", Kokkos::RangePolicy<Exec>(0, threads),
      Sporos::Impl::ExactSumThreads<View, Slots>{{values}, slots, n, threads});
  Kokkos::parallel_for(
      "test::merge", Kokkos::TeamPolicy<Exec>(1, 1),
      Sporos::Impl::ExactSumMerge<Slots, Sums, Exec>{slots, sums});
}

TEMPLATE_LIST_TEST_CASE("exact_sum adds all values of a view", "[exact_sum]",
                        SpacesReals) {
  using Exec   = typename TestType::execution_space;
  using Real   = typename TestType::real_type;
  using Memory = typename Exec::memory_space;
  const Exec exec{};
  ExactSumWorkspace<Memory> workspace;
  for (Values kind : all_values)
    for (int n : {0, 1, 511, 512, 513, 4097, 20000}) {
      const std::vector<Real> values = make_values<Real>(kind, n);
      const Real expected            = sum_of(values);
      const Kokkos::View<Real*, Exec> view("values", std::size_t(n));
      to_view(view, values);
      INFO("kind " << int(kind) << ", n " << n);
      const Kokkos::View<ExactSum<Real>*, Exec> sums("sums", 1);
      Sporos::exact_sum(exec, workspace, view, sums);
      CHECK(same_bits(to_vector(sums)[0].value(), expected));
      Sporos::exact_sum(exec, workspace, view, sums);
      CHECK(to_vector(sums)[0].value() == 2 * expected);
      const Kokkos::View<ExactSum<Real>*, Exec> others("others", 1);
      sum_by_threads<Exec>(view, others);
      CHECK(same_bits(to_vector(others)[0].value(), expected));
      ExactSum<Real> from(Real(0.1));
      for (Real x : values) from.add(x);
      CHECK(same_bits(Sporos::exact_sum(exec, view, Real(0.1)), from.value()));
    }
}

TEST_CASE("exact_sum of negative zeros starts from a zero", "[exact_sum]") {
  using Exec = Sporos::Test::LastSpace;
  const Kokkos::View<double*, Exec> values("values", 3);
  to_view(values, std::vector<double>(3, -0.0));
  CHECK(same_bits(Sporos::exact_sum(Exec{}, values), 0.0));
  CHECK(same_bits(Sporos::exact_sum(Exec{}, values, -0.0), -0.0));
}

TEMPLATE_LIST_TEST_CASE("exact_sum finds infinities and NaN", "[exact_sum]",
                        SpacesReals) {
  using Exec = typename TestType::execution_space;
  using Real = typename TestType::real_type;
  const Exec exec{};
  const int n       = 1500;
  const Real beyond = std::numeric_limits<Real>::infinity();
  for (Values kind : {Values::even, Values::zeros, Values::huge})
    for (std::size_t at : {0, 511, 777, n - 1}) {
      const Kokkos::View<Real*, Exec> view("values", n);
      std::vector<Real> values = make_values<Real>(kind, n);
      values[at]               = std::numeric_limits<Real>::quiet_NaN();
      to_view(view, values);
      const Kokkos::View<ExactSum<Real>*, Exec> sums("sums", 1);
      sum_by_threads<Exec>(view, sums);
      CHECK(std::isnan(to_vector(sums)[0].value()));
      CHECK(std::isnan(Sporos::exact_sum(exec, view)));
      values[at] = -beyond;
      to_view(view, values);
      CHECK(Sporos::exact_sum(exec, view) == -beyond);
      values[at / 2] = beyond;
      values[at]     = -beyond;
      to_view(view, values);
      if (at > 0) CHECK(std::isnan(Sporos::exact_sum(exec, view)));
    }
}

TEMPLATE_LIST_TEST_CASE("exact_sum adds components of strided views",
                        "[exact_sum]", SpacesReals) {
  using Exec = typename TestType::execution_space;
  using Real = typename TestType::real_type;
  const Exec exec{};
  ExactSumWorkspace<typename Exec::memory_space> workspace;
  const int n = 3000, components = 3;
  const Kokkos::View<Real**, Kokkos::LayoutRight, Exec> wide("wide", n, 5);
  const auto rows = Kokkos::subview(wide, Kokkos::ALL, std::make_pair(1, 4));
  std::vector<Real> expected;
  for (int c = 0; c < components; ++c) {
    const std::vector<Real> values =
        make_values<Real>(c == 1 ? Values::wide : Values::even, n - c);
    std::vector<Real> column = values;
    column.resize(std::size_t(n), Real(c));
    expected.push_back(sum_of(column));
    to_view(Kokkos::subview(rows, Kokkos::ALL, c), column);
  }
  const Kokkos::View<ExactSum<Real>*, Exec> sums("sums", components);
  Sporos::exact_sum(exec, workspace, rows, sums);
  const auto result = to_vector(sums);
  for (std::size_t c = 0; c < expected.size(); ++c)
    CHECK(same_bits(result[c].value(), expected[c]));
}

TEST_CASE("exact_sum refuses sums that do not fit", "[exact_sum]") {
  using Exec = Sporos::Test::LastSpace;
  const Exec exec{};
  ExactSumWorkspace<Exec::memory_space> workspace;
  const Kokkos::View<double**, Exec> values("values", 4, 3);
  const Kokkos::View<ExactSum<double>*, Exec> sums("sums", 2);
  CHECK_THROWS_WITH(Sporos::exact_sum(exec, workspace, values, sums),
                    "Sporos::exact_sum: sums: expected extent(0) == 3, got 2");
  const Kokkos::View<double*, Exec, Kokkos::MemoryTraits<Kokkos::Unmanaged>>
      nothing(nullptr, 4);
  CHECK_THROWS_WITH(Sporos::exact_sum(exec, nothing),
                    "Sporos::exact_sum: values: expected memory for extents "
                    "(4), got a null pointer");
  const Kokkos::View<double*, Exec, Kokkos::MemoryTraits<Kokkos::Unmanaged>>
      endless(values.data(), (std::size_t(1) << 34) + 1);
  CHECK_THROWS_WITH(Sporos::exact_sum(exec, endless),
                    "Sporos::exact_sum: values: expected at most 2^34 rows, "
                    "got 17179869185");
  const Kokkos::View<double*, Exec, Kokkos::MemoryTraits<Kokkos::Unmanaged>>
      inside(reinterpret_cast<double*>(sums.data() + 1), 2);
  CHECK_THROWS_WITH(
      Sporos::exact_sum(exec, workspace, inside,
                        Kokkos::subview(sums, std::make_pair(1, 2))),
      "Sporos::exact_sum: sums: expected memory separate from that of values, "
      "got memory that overlaps it");
  CHECK(workspace.bytes() == 0);
}

}  // namespace ExactSumTest
