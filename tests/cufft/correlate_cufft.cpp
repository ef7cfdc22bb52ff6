// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cross_correlate, algorithm fft on CUDA, with a stand-in for cuFFT that says
// what it was asked to do.

#include "Sporos_CufftStandIn.hpp"
#include "Sporos_Test.hpp"

#include <Sporos_CrossCorrelate.hpp>

#include <algorithm>
#include <stdexcept>

namespace CorrelateCufft {

using namespace Sporos;
using Test::cufft_stand_in;
using Exec = Kokkos::Cuda;
template <class T>
using Matrices = Kokkos::View<T***, Kokkos::LayoutRight, Exec>;
template <class T>
using Results = Kokkos::View<T****, Kokkos::LayoutRight, Exec>;

template <class T>
void set(T& to, int k) {
  to = T(k % 19 - 9);
}
template <class R>
void set(Kokkos::complex<R>& to, int k) {
  to = Kokkos::complex<R>(R(k % 19 - 9), R(k % 7 - 3));
}

template <class View>
View filled(const View& m) {
  const auto host = Kokkos::create_mirror_view(m);
  for (std::size_t k = 0; k < host.span(); ++k)
    set(host.data()[k], int(k * k % 1013));
  Kokkos::deep_copy(m, host);
  return m;
}
template <class T>
Matrices<T> matrices(int n, int h, int w) {
  return filled(Matrices<T>("matrices", n, h, w));
}

template <class View>
double difference(const View& a, const View& b) {
  const auto x = Test::host_copy(a);
  const auto y = Test::host_copy(b);
  double worst = 0;
  for (std::size_t k = 0; k < x.span(); ++k) {
    using std::abs;
    worst = Test::larger_error(worst, double(abs(x.data()[k] - y.data()[k])));
  }
  return worst;
}

/// All with all: n left, m right matrices.
template <class T>
struct AllPairs {
  CorrelateExtents e;
  Matrices<T> left, right;
  Results<T> out, expected;

  AllPairs(int n, int m)
      : e{n, m, 9, 6, 5, 8},
        left(matrices<T>(n, 9, 6)),
        right(matrices<T>(m, 5, 8)),
        out("out", n, m, 13, 13),
        expected("expected", n, m, 13, 13) {
    cross_correlate(left, right, expected, options(CorrelateAlgorithm::basic));
  }
  static CorrelateOptions options(CorrelateAlgorithm a) {
    CorrelateOptions o;
    o.pairing   = Pairing::n_to_m;
    o.algorithm = a;
    return o;
  }
  CrossCorrelatePlan<Exec, T> plan() const {
    return {Exec(), e, options(CorrelateAlgorithm::fft)};
  }
  /// Runs it; transforms are counted from 0.
  double error(const CrossCorrelatePlan<Exec, T>& plan) const {
    Kokkos::deep_copy(out, T(77));
    cufft_stand_in().forward = cufft_stand_in().inverse = 0;
    cross_correlate(plan, left, right, out);
    return difference(out, expected);
  }
};

TEMPLATE_TEST_CASE("each matrix is transformed once", "[cufft]", float, double,
                   Kokkos::complex<float>, Kokkos::complex<double>) {
  auto& seen = cufft_stand_in();
  for (const auto& size : {std::pair<int, int>{10, 10}, {1, 7}, {3, 1}}) {
    const AllPairs<TestType> a(size.first, size.second);
    INFO(size.first << " x " << size.second);
    CHECK(a.error(a.plan()) < 1e-2);
    CHECK(seen.forward == size.first + size.second);
    CHECK(seen.inverse == size.first * size.second);
  }
  // each left matrix has its own
  const int n = 2, m = 3;
  const Matrices<TestType> left = matrices<TestType>(n, 4, 4);
  const Kokkos::View<TestType****, Kokkos::LayoutRight, Exec> right("right", n,
                                                                    m, 4, 4);
  Kokkos::deep_copy(right, TestType(2));
  const Results<TestType> out("out", n, m, 7, 7), expected("e", n, m, 7, 7);
  CorrelateOptions o;
  o.pairing   = Pairing::n_to_mn;
  o.algorithm = CorrelateAlgorithm::basic;
  cross_correlate(left, right, expected, o);
  o.algorithm  = CorrelateAlgorithm::fft;
  seen.forward = seen.inverse = 0;
  cross_correlate(left, right, out, o);
  CHECK(difference(out, expected) < 1e-3);
  CHECK(seen.forward == n + n * m);
  CHECK(seen.inverse == n * m);
  CHECK(seen.plans == 0);
  CHECK(seen.misuse.empty());
}

TEMPLATE_TEST_CASE("signals and volumes are transformed once", "[cufft]", float,
                   Kokkos::complex<float>) {
  using Right      = Kokkos::LayoutRight;
  using T          = TestType;
  auto& seen       = cufft_stand_in();
  const auto check = [&](const auto& left, const auto& right, const auto& out,
                         const auto& expected, CorrelateOperand operand) {
    CorrelateOptions o;
    o.operand   = operand;
    o.pairing   = Pairing::n_to_m;
    o.algorithm = CorrelateAlgorithm::basic;
    cross_correlate(left, right, expected, o);
    o.algorithm  = CorrelateAlgorithm::fft;
    seen.forward = seen.inverse = 0;
    cross_correlate(left, right, out, o);
    INFO("operand " << int(operand));
    CHECK(difference(out, expected) < 1e-2);
    CHECK(seen.forward == 3 + 2);
    CHECK(seen.inverse == 3 * 2);
    CHECK(seen.misuse.empty());
  };
  const Kokkos::View<T***, Right, Exec> of_signals("out", 3, 2, 69),
      expected_of_signals("expected", 3, 2, 69);
  check(filled(Kokkos::View<T**, Right, Exec>("left", 3, 50)),
        filled(Kokkos::View<T**, Right, Exec>("right", 2, 20)), of_signals,
        expected_of_signals, CorrelateOperand::signal);
  const Kokkos::View<T*****, Right, Exec> of_volumes("out", 3, 2, 7, 8, 10),
      expected_of_volumes("expected", 3, 2, 7, 8, 10);
  check(filled(Kokkos::View<T****, Right, Exec>("left", 3, 5, 4, 7)),
        filled(Kokkos::View<T****, Right, Exec>("right", 2, 3, 5, 4)),
        of_volumes, expected_of_volumes, CorrelateOperand::volume);
}

TEST_CASE("several batches", "[cufft]") {
  using By   = Impl::CorrelateFftBy<Exec, float, float,
                                  Impl::DeviceFftWorkspace<Exec, float>>;
  auto& seen = cufft_stand_in();
  const AllPairs<float> a(3, 7);
  const auto plan             = a.plan();
  auto& state                 = plan.state();
  const std::int64_t spectrum = 16 * 9 * 8;
  for (const std::int64_t matrices : {1, 2, 5, 20}) {
    state.fft = std::make_unique<By>(Exec(), state.shape, Pairing::n_to_m, true,
                                     matrices * spectrum);
    INFO(matrices << " matrices at once");
    CHECK(a.error(plan) < 1e-2);
    CHECK(seen.forward >= 10);
    CHECK(seen.forward <= 12);
    CHECK(seen.inverse >= 21);
    CHECK(seen.inverse <= 25);
  }
  // spectra of some of the matrices are kept
  for (const std::int64_t kept : {1, 2, 3, 6}) {
    state.fft = std::make_unique<By>(Exec(), state.shape, Pairing::n_to_m, true,
                                     2 * spectrum, kept * spectrum);
    INFO(kept << " spectra kept");
    CHECK(a.error(plan) < 1e-2);
    CHECK(seen.inverse >= 21);
    CHECK((seen.forward > 12) == (kept < 6));
  }
  CHECK(seen.misuse.empty());
}

TEST_CASE("work areas belong to the plan", "[cufft]") {
  auto& seen     = cufft_stand_in();
  seen.most_work = 0;
  const AllPairs<double> a(4, 5);
  const auto plan = a.plan();
  CHECK(seen.most_work > 0);
  CHECK(plan.bytes() >= seen.most_work);
  CHECK(a.error(plan) < 1e-9);
  CHECK(seen.misuse.empty());
}

TEST_CASE("failures while planning leave nothing behind", "[cufft]") {
  auto& seen = cufft_stand_in();
  const AllPairs<float> a(2, 3);
  int failed = 0;
  for (int call = 0;; ++call) {
    seen.fail_after = call;
    try {
      a.plan();
      break;
    } catch (const std::runtime_error&) {
      ++failed;
      CHECK(seen.plans == 0);
    }
  }
  seen.fail_after = -1;
  CHECK(failed >= 3);
  CHECK(seen.plans == 0);
  CHECK(seen.misuse.empty());
}

TEST_CASE("plans are on the device of the instance", "[cufft]") {
  auto& seen = cufft_stand_in();
  const AllPairs<float> a(2, 3);
  seen.current_device = 1;  // the instance has device 0
  {
    const auto plan = a.plan();
    CHECK(seen.current_device == 1);
    Kokkos::deep_copy(a.out, 77.f);
    cross_correlate(plan, a.left, a.right, a.out);
    CHECK(seen.current_device == 1);
  }
  seen.current_device = -1;
  CHECK(difference(a.out, a.expected) < 1e-3);
  CHECK(seen.plans == 0);
  CHECK(seen.misuse.empty());
}

}  // namespace CorrelateCufft
