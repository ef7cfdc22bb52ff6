// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sporos_EngineTest.hpp"
#include "Sporos_Test.hpp"

#include <Sporos_EngineConstants.hpp>
#include <Sporos_KokkosCompat.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace CompatTest {

namespace Compat = Sporos::Impl;
using Sporos::Test::Spaces;
using Sporos::Test::SpacesReals;
using Sporos::Test::to_vector;
using Sporos::Test::to_view;

template <class Exec, class Real>
struct MathKernel {
  Kokkos::View<Real*, Exec> m_in;
  Kokkos::View<Real* [3], Exec> m_out;

  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    namespace Math = Sporos::Impl::Math;
    const Real x   = m_in(i);
    m_out(i, 0)    = Math::floor(x);
    m_out(i, 1)    = Math::sqrt(Math::fabs(x));
    m_out(i, 2)    = Math::max(x, Real(1)) + Math::min(x, Real(2));
  }
};

TEMPLATE_LIST_TEST_CASE("math functions in kernels", "[compat]", SpacesReals) {
  using Exec             = typename TestType::execution_space;
  using Real             = typename TestType::real_type;
  std::vector<Real> in   = {0, Real(2.5), Real(-2.5), 7};
  const std::size_t size = in.size();
  Kokkos::View<Real*, Exec> view("in", size);
  Kokkos::View<Real* [3], Exec> out("out", size);
  to_view(view, in);
  const Exec exec{};
  Kokkos::parallel_for("test", Kokkos::RangePolicy<Exec>(exec, 0, int(size)),
                       MathKernel<Exec, Real>{view, out});
  Compat::fence(exec, "test::fence");
  const auto column = [&](int c) {
    return to_vector(Kokkos::subview(out, Kokkos::ALL, c));
  };
  for (std::size_t i = 0; i < size; ++i) {
    CHECK(column(0)[i] == std::floor(in[i]));
    CHECK(column(1)[i] == Approx(std::sqrt(std::fabs(in[i]))));
    CHECK(column(2)[i] == std::max(in[i], Real(1)) + std::min(in[i], Real(2)));
  }
}

template <class Exec, class U>
struct BitsKernel {
  Kokkos::View<U*, Exec> m_in;
  Kokkos::View<int* [3], Exec> m_out;

  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    m_out(i, 0) = Sporos::Impl::bit_width(m_in(i));
    m_out(i, 1) = Sporos::Impl::popcount(m_in(i));
    m_out(i, 2) = Sporos::Impl::countr_zero(m_in(i));
  }
};

template <class Exec, class U>
void check_bits() {
  std::vector<U> in;
  for (int bit = 0; bit < std::numeric_limits<U>::digits; ++bit) {
    in.push_back(static_cast<U>(U(1) << bit));
    in.push_back(static_cast<U>(~U(0) << bit));
    in.push_back(static_cast<U>((U(1) << bit) - 1));
    in.push_back(static_cast<U>(U(0x9e3779b97f4a7c15u) * U(bit)));
  }
  const std::size_t size = in.size();
  Kokkos::View<U*, Exec> view("in", size);
  Kokkos::View<int* [3], Exec> out("out", size);
  to_view(view, in);
  Kokkos::parallel_for("test", Kokkos::RangePolicy<Exec>(0, int(size)),
                       BitsKernel<Exec, U>{view, out});
  std::vector<std::vector<int>> expected(3);
  for (U x : in) {
    int width = 0, count = 0, zeros = std::numeric_limits<U>::digits;
    for (int bit = std::numeric_limits<U>::digits - 1; bit >= 0; --bit)
      if ((x >> bit & 1) != 0) {
        width = std::max(width, bit + 1);
        zeros = bit;
        ++count;
      }
    expected[0].push_back(width);
    expected[1].push_back(count);
    expected[2].push_back(zeros);
  }
  for (int c = 0; c < 3; ++c)
    CHECK((to_vector(Kokkos::subview(out, Kokkos::ALL, c)) ==
           expected[std::size_t(c)]));
}

TEMPLATE_LIST_TEST_CASE("bits are counted", "[compat]", Spaces) {
  check_bits<TestType, std::uint32_t>();
  check_bits<TestType, std::uint64_t>();
}

TEST_CASE("what a host is", "[compat]") {
#ifdef KOKKOS_ENABLE_SERIAL
  CHECK(Compat::is_host_space_v<Kokkos::Serial>);
#endif
#ifdef KOKKOS_ENABLE_OPENMP
  CHECK(Compat::is_host_space_v<Kokkos::OpenMP>);
  CHECK(Compat::EngineTuning<Kokkos::OpenMP>::sort_team_size == 1);
#endif
#ifdef KOKKOS_ENABLE_CUDA
  CHECK(!Compat::is_host_space_v<Kokkos::Cuda>);
#endif
}

template <class Exec>
void check_new_views() {
  const Exec exec{};
  using Rows      = Kokkos::View<double** [3], Exec>;
  using Host      = Kokkos::View<int*, Kokkos::HostSpace>;
  const auto rows = Compat::new_view<Rows>(exec, "rows", 4, 5);
  CHECK((rows.extent(0) == 4 && rows.extent(1) == 5 && rows.extent(2) == 3));
  CHECK(rows.label() == "rows");
  CHECK(Compat::new_view<Host>(exec, "host", 7).extent(0) == 7);
  CHECK((std::is_same_v<decltype(Compat::instance_for<Rows>(exec)), Exec>));
  CHECK((Compat::is_accessible_v<decltype(Compat::instance_for<Host>(exec)),
                                 Host>));
  if (Compat::is_host_space_v<Exec>) CHECK(Compat::device_of(exec) == 0);
}

TEMPLATE_LIST_TEST_CASE("new views are made for an instance", "[compat]",
                        Spaces) {
  check_new_views<TestType>();
}

TEST_CASE("ranks and quotients", "[compat]") {
  CHECK(Compat::view_rank_v<Kokkos::View<int>> == 0);
  CHECK(Compat::view_rank_v<Kokkos::View<double*>> == 1);
  CHECK(Compat::view_rank_v<Kokkos::View<double** [3]>> == 3);
  CHECK(Compat::ceil_div(0, 4) == 0);
  CHECK(Compat::ceil_div(1, 4) == 1);
  CHECK(Compat::ceil_div(8, 4) == 2);
  CHECK(Compat::ceil_div(std::numeric_limits<int>::max(), 2) == 1 << 30);
}

}  // namespace CompatTest
