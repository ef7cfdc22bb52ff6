// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Normalised cross-correlation: coefficients within [-1, 1], integers with a
// large offset, and what counts as constant.

#include "Sporos_CorrelateCases.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace CorrelateNormalize {

using namespace Sporos;
using Test::Spaces;

/// Correlates one matrix of element(y, x) with itself.
template <class T, class A, class Exec, class Element>
std::vector<A> with_itself(int h, int w, const CorrelateOptions& options,
                           const Element& element) {
  const Kokkos::View<T**, Kokkos::LayoutRight, Exec> matrix("matrix", h, w);
  const Kokkos::View<A**, Kokkos::LayoutRight, Exec> out("out", 2 * h - 1,
                                                         2 * w - 1);
  const auto host = Kokkos::create_mirror_view(matrix);
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) host(y, x) = element(y, x);
  Kokkos::deep_copy(matrix, host);
  cross_correlate(matrix, matrix, out, options);
  return Test::host_values(out);
}

template <class A, class Exec>
void check_bound() {
  for (const int n : {2, 3, 6, 9, 14, 31})
    for (const int kind : {0, 1, 2, 3}) {
      if (Test::slow_run && n > 6) continue;
      const auto element = [=](int y, int x) {
        const auto any = Test::correlate_value<A>(0, y, x, kind);
        if (kind == 0) return any;
        if (kind == 1) return A(30000) + any;
        if (kind == 2) return A((y * 7 + x) % 5 == 0 ? 1 : 0);
        return y == n / 2 && x == n / 2 ? A(1000) : A(Impl::real_of<A>(.1));
      };
      for (const auto algorithm :
           {CorrelateAlgorithm::automatic, CorrelateAlgorithm::basic,
            CorrelateAlgorithm::tile, CorrelateAlgorithm::lane_group_per_shift,
            CorrelateAlgorithm::fft}) {
        if (algorithm == CorrelateAlgorithm::fft &&
            !Impl::has_correlate_fft<Exec>)
          continue;
        CorrelateOptions options;
        options.normalize = Normalize::whole;
        options.algorithm = algorithm;
        const auto out    = with_itself<A, A, Exec>(n, n + 1, options, element);
        double most       = 0;
        for (const A& c : out)
          most = Test::larger_error(most, std::abs(Test::widen(c)));
        INFO(n << ", elements " << kind << ", algorithm " << int(algorithm));
        CHECK(most <= 1);
        CHECK(most >= 1 - 1e-5);
      }
    }
}

TEMPLATE_LIST_TEST_CASE("coefficients are at most 1", "[correlate]", Spaces) {
  check_bound<float, TestType>();
  check_bound<double, TestType>();
  check_bound<Kokkos::complex<float>, TestType>();
}

/// Small differences around a large number.
template <class T, class A, class Exec>
void check_offset(T offset) {
  CorrelateOptions options;
  options.normalize = Normalize::whole;
  const auto small  = [](int y, int x) { return (y * 31 + x * 17) % 16; };
  const auto far    = with_itself<T, A, Exec>(
      12, 9, options, [=](int y, int x) { return T(offset + T(small(y, x))); });
  const auto near = with_itself<T, A, Exec>(
      12, 9, options, [=](int y, int x) { return T(small(y, x)); });
  double worst = 0;
  for (std::size_t k = 0; k < far.size(); ++k)
    worst = Test::larger_error(worst, std::fabs(double(far[k] - near[k])));
  INFO("offset " << double(offset) << ", bytes " << sizeof(T) << " and "
                 << sizeof(A));
  CHECK(worst < 1e-6);
  CHECK(far[far.size() / 2] == Approx(1).epsilon(1e-6));
}

TEMPLATE_LIST_TEST_CASE("integers far from 0 are normalised", "[correlate]",
                        Spaces) {
  using Exec = TestType;
  check_offset<int, float, Exec>(1000000000);
  check_offset<int, float, Exec>(-2147483647 - 1);
  check_offset<unsigned, double, Exec>(4294967280u);
  check_offset<std::int64_t, double, Exec>(9223372036854775000);
  check_offset<std::int16_t, float, Exec>(32752);
  // from the lowest to the highest
  CorrelateOptions options;
  options.normalize = Normalize::whole;
  const auto out =
      with_itself<std::int64_t, double, Exec>(4, 6, options, [](int, int x) {
        return x % 2 ? std::numeric_limits<std::int64_t>::max()
                     : std::numeric_limits<std::int64_t>::min();
      });
  CHECK(out[out.size() / 2] == Approx(1));
}

template <class A, class Exec>
void check_least(double scale) {
  // a chessboard of deviation `scale`
  const auto element = [=](int y, int x) {
    return A(scale * ((y + x) % 2 ? 3 : 1));
  };
  CorrelateOptions options;
  options.normalize = Normalize::whole;
  for (const double least : {0., .99, 1.01, 1e30}) {
    options.least_deviation = least * scale;
    const auto out          = with_itself<A, A, Exec>(10, 8, options, element);
    INFO("least " << least << ", scale " << scale);
    CHECK(out[out.size() / 2] == Approx(least < 1 ? 1 : 0).margin(1e-6));
  }
}

TEMPLATE_LIST_TEST_CASE("small deviations count as constant", "[correlate]",
                        Spaces) {
  using Exec = TestType;
  for (const double scale : {1., 0.003, 1e-30, 1e30})
    check_least<float, Exec>(scale);
  for (const double scale : {1., 1e-250, 1e250})
    check_least<double, Exec>(scale);
  using Plan = CrossCorrelatePlan<Exec, float>;
  CorrelateOptions options;
  options.least_deviation = 1;
  const auto plan         = [&] { Plan(Exec(), {1, 1, 4, 4, 4, 4}, options); };
  CHECK_THROWS_WITH(plan(), Catch::Contains("options.least_deviation"));
  options.normalize = Normalize::whole;
  plan();
  for (const double bad : {-1., std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::quiet_NaN()}) {
    options.least_deviation = bad;
    CHECK_THROWS_WITH(plan(), Catch::Contains("options.least_deviation"));
  }
}

}  // namespace CorrelateNormalize
