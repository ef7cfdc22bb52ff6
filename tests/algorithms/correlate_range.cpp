// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What fft does to large, small, few and far values, and what automatic
// promises of them; spectra that are kept.

#include "Sporos_CorrelateCases.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

namespace CorrelateRange {

using namespace Sporos;
using Test::Spaces;

template <class Exec, class T>
using Matrices = Kokkos::View<T***, Kokkos::LayoutRight, Exec>;
template <class Exec, class T>
using Results = Kokkos::View<T****, Kokkos::LayoutRight, Exec>;

constexpr int side = 64;

template <class Exec, class T, class F>
Matrices<Exec, T> matrices(int n, const F& element) {
  const Matrices<Exec, T> m("matrices", n, side, side);
  const auto host = Kokkos::create_mirror_view(m);
  for (int i = 0; i < n; ++i)
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x) host(i, y, x) = element(i, y, x);
  Kokkos::deep_copy(m, host);
  return m;
}

template <class Exec, class T>
std::vector<T> correlated(const Matrices<Exec, T>& left,
                          const Matrices<Exec, T>& right,
                          const CorrelateOptions& options,
                          CorrelateAlgorithm* chosen = nullptr) {
  const CrossCorrelatePlan<Exec, T> plan(
      Exec(),
      {int(left.extent(0)), int(right.extent(0)), side, side, side, side},
      options);
  const Results<Exec, T> out("out", left.extent(0), right.extent(0),
                             plan.shifts().rows(), plan.shifts().columns());
  Kokkos::deep_copy(out, T(77));
  cross_correlate(plan, left, right, out);
  if (chosen != nullptr) *chosen = plan.algorithm();
  return Test::host_values(out);
}

CorrelateOptions all_pairs(CorrelateAlgorithm algorithm) {
  CorrelateOptions o;
  o.pairing   = Pairing::n_to_m;
  o.algorithm = algorithm;
  return o;
}

template <class T>
double largest_difference(const std::vector<T>& a, const std::vector<T>& b,
                          double unit) {
  double worst = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    worst = Test::larger_error(
        worst, double(std::abs(Test::widen(a[k]) - Test::widen(b[k]))) / unit);
  return worst;
}

/// Compares correlations at scale 1 with those at 2^a and 2^b.
template <class Exec, class T>
void check_scales(int a, int b) {
  using R         = Impl::real_of<T>;
  const auto make = [](int scale, int which) {
    return matrices<Exec, T>(2, [=](int i, int y, int x) {
      return Test::correlate_value<T>(i, y, x, which) * std::ldexp(R(1), scale);
    });
  };
  const auto o        = all_pairs(CorrelateAlgorithm::fft);
  const auto expected = correlated(make(0, 0), make(0, 5), o);
  auto scaled         = correlated(make(a, 0), make(b, 5), o);
  for (T& v : scaled) v *= std::ldexp(R(1), -(a + b));
  INFO("2^" << a << " and 2^" << b << ", bytes " << sizeof(T));
  // norms are about 1400
  CHECK(largest_difference(scaled, expected, 1400) <
        30 * double(std::numeric_limits<R>::epsilon()));
}

TEMPLATE_LIST_TEST_CASE("fft neither overflows nor vanishes", "[correlate]",
                        Spaces) {
  using Exec = TestType;
  if (!Impl::has_correlate_fft<Exec>) return;
  check_scales<Exec, float>(53, 53);
  check_scales<Exec, float>(126, -120);
  check_scales<Exec, float>(-50, -50);
  check_scales<Exec, double>(490, 500);
  check_scales<Exec, double>(-1000, 990);
  check_scales<Exec, Kokkos::complex<float>>(50, 52);
  const auto ones = matrices<Exec, float>(
      1, [](int, int, int) { return std::ldexp(1.f, 53); });
  const auto out =
      correlated(ones, ones, all_pairs(CorrelateAlgorithm::automatic));
  CHECK(out[out.size() / 2] == Approx(std::ldexp(4096.f, 106)));
  // numbers without exponents of their own
  const auto tiny  = matrices<Exec, float>(1, [](int, int, int) {
    return std::numeric_limits<float>::denorm_min();
  });
  const auto large = matrices<Exec, float>(
      1, [](int, int, int) { return std::ldexp(1.f, 120); });
  const auto both = correlated(tiny, large, all_pairs(CorrelateAlgorithm::fft));
  CHECK(both[both.size() / 2] == Approx(std::ldexp(4096.f, 120 - 149)));
}

TEMPLATE_LIST_TEST_CASE("automatic keeps the digits of wide ranges",
                        "[correlate]", Spaces) {
  using Exec = TestType;
  // matrices of ones, and in the second a row of 1e18
  const auto left = matrices<Exec, double>(
      2, [](int i, int y, int) { return i == 1 && y == 0 ? 1e18 : 1.; });
  const auto right =
      matrices<Exec, double>(1, [](int, int, int) { return 1.; });
  CorrelateOptions o     = all_pairs(CorrelateAlgorithm::automatic);
  const auto exact       = correlated(left, right, o);
  const std::size_t pair = exact.size() / 2, shifts = 2 * side - 1;
  const std::size_t last_row = pair + (shifts - 1) * shifts;
  CHECK(exact[last_row + side - 1] == 64);
  CHECK(exact[pair + (side - 1) * shifts + side - 1] == Approx(64e18));
  CorrelateAlgorithm chosen{};
  o.exactness         = CorrelateExactness::by_definition;
  const auto expected = correlated(left, right, o, &chosen);
  CHECK(chosen != CorrelateAlgorithm::fft);
  for (std::size_t k = pair; k < exact.size(); ++k)
    if (exact[k] != expected[k]) {
      CHECK(exact[k] == expected[k]);  // the same algorithm
      break;
    }
  o.exactness      = CorrelateExactness::relative_to_norms;
  const auto norms = correlated(left, right, o, &chosen);
  CHECK(largest_difference(norms, expected, 64e18 * 64) < 1e-13);
  if (!Impl::has_correlate_fft<Exec>) return;
  if (Impl::is_host_space_v<Exec>) CHECK(chosen == CorrelateAlgorithm::fft);
  // the first pair is done by fft in any case
  CHECK(largest_difference(exact, norms, 64e18 * 64) < 1e-13);
  o.algorithm = CorrelateAlgorithm::fft;
  o.exactness = CorrelateExactness::by_definition;
  CHECK_THROWS_WITH(correlated(left, right, o),
                    Catch::Contains("options.exactness"));
}

TEMPLATE_LIST_TEST_CASE("automatic does not spread what is not finite",
                        "[correlate]", Spaces) {
  using Exec      = TestType;
  const auto left = matrices<Exec, float>(1, [](int, int y, int x) {
    return y == 2 && x == 1 ? std::numeric_limits<float>::quiet_NaN() : 1.f;
  });
  const auto right =
      matrices<Exec, float>(1, [](int, int, int) { return 1.f; });
  const auto out =
      correlated(left, right, all_pairs(CorrelateAlgorithm::automatic));
  const std::size_t shifts = 2 * side - 1;
  CHECK(std::isnan(out[(side - 1) * shifts + side - 1]));
  CHECK(out[(shifts - 1) * shifts + shifts - 1] == 1);
  CHECK(out[(side + 30) * shifts + side + 30] == 33 * 33);
}

TEMPLATE_LIST_TEST_CASE("shifts without overlap are 0", "[correlate]", Spaces) {
  using Exec = TestType;
  if (!Impl::has_correlate_fft<Exec>) return;
  const auto any     = matrices<Exec, float>(2, [](int i, int y, int x) {
    return Test::correlate_value<float>(i, y, x, 3);
  });
  CorrelateOptions o = all_pairs(CorrelateAlgorithm::fft);
  o.mode             = CorrelateMode::window;
  o.window           = {-67, 70, 40, 80};
  const auto out     = correlated(any, any, o);
  std::size_t k      = 0;
  int wrong          = 0;
  for (int pair = 0; pair < 4; ++pair)
    for (int dy = -67; dy < 70; ++dy)
      for (int dx = 40; dx < 80; ++dx, ++k) {
        const bool meets = dy > -side && dy < side && dx < side;
        wrong += (out[k] == 0) == meets;
      }
  CHECK(wrong == 0);
}

#ifdef SPOROS_HAVE_FFTW
/// All pairs of n left and m right matrices, own: of each left one, give the
/// same bits whatever is kept and whether threads share matrices.
template <class Exec>
void check_blocks(int n, int m, int h, int w, bool own, bool whiten) {
  using Space = Impl::FftwWorkspace<Exec, float>;
  const Matrices<Exec, float> left("left", n, h, w);
  const Kokkos::View<float****, Kokkos::LayoutRight, Exec> right(
      "right", own ? n : 1, m, h, w);
  const Results<Exec, float> out("out", n, m, 2 * h - 1, 2 * w - 1);
  for (std::size_t k = 0; k < left.span(); ++k)
    left.data()[k] = Test::correlate_value<float>(0, 0, int(k), 0);
  for (std::size_t k = 0; k < right.span(); ++k)
    right.data()[k] = Test::correlate_value<float>(0, 0, int(k), 5);
  Impl::CorrelateProblem<float, float> p;
  p.shape               = {{n, m, h, w, h, w}, {1 - h, h, 1 - w, w}, whiten};
  p.left                = {left.data(), h * w, 0, w, 1};
  p.right               = {right.data(), own ? m * h * w : 0, h * w, w, 1};
  p.out                 = {out.data(), std::ptrdiff_t(out.stride(0)),
                           std::ptrdiff_t(out.stride(1)), std::ptrdiff_t(out.stride(2)), 1};
  const Pairing pairing = own ? Pairing::n_to_mn : Pairing::n_to_m;
  std::vector<float> expected;
  for (const int kept : {0, 1, 4, 5, 100}) {
    Space space;
    space.plan(Exec(), p.shape, pairing, false, kept * 5000);
    const std::size_t one = space.transforms.spectrum_size * sizeof(float);
    for (const int threads : {1, 1000}) {
      Kokkos::deep_copy(out, 77);
      Impl::correlate_fft(Exec(), p, space, threads);
      const auto got = Test::host_values(out);
      if (expected.empty()) expected = got;
      INFO("own " << own << ", kept " << kept << ", threads " << threads);
      CHECK(got == expected);
    }
    if (kept == 0) continue;
    const std::size_t most =
        std::max(std::size_t(kept) * 5000,
                 one * std::size_t(space.workers(Exec(), p.shape)));
    CHECK(space.left.bytes() <= most + 8);
    CHECK(space.right.bytes() <= most + 8);
  }
}

TEMPLATE_LIST_TEST_CASE("spectra are kept for a block of matrices",
                        "[correlate]", Spaces) {
  if constexpr (Impl::is_host_space_v<TestType>)
    for (const bool whiten : {false, true}) {
      check_blocks<TestType>(23, 17, 9, 8, false, whiten);
      check_blocks<TestType>(23, 17, 9, 8, true, whiten);
      check_blocks<TestType>(1, 1, 200, 190, false, whiten);  // by all threads
    }
}
#endif

}  // namespace CorrelateRange
