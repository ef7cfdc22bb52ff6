// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Catch2, version 2 or 3, and the types that tests run over:
///   TEMPLATE_LIST_TEST_CASE("...", "[tag]", Sporos::Test::SpacesReals) {
///     using Exec   = typename TestType::execution_space;
///     using Real   = typename TestType::real_type;
///     using Layout = typename TestType::layout;
///     ...
/// For device compilers the kernels of a test stand in function templates of
/// their own (with external linkage), not in the body of the test case.

#ifndef SPOROS_TEST_HPP
#define SPOROS_TEST_HPP

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
// What version 2 has in the global namespace.
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif

#include "Sporos_SlowRun.hpp"

#include <Kokkos_Core.hpp>

#include <cmath>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace Sporos {
namespace Test {

template <class... Lists>
using concatenate = decltype(std::tuple_cat(std::declval<Lists>()...));

/// The execution spaces to test: what the build chose, else all enabled ones.
#ifdef SPOROS_TEST_EXECUTION_SPACES
using Spaces = std::tuple<SPOROS_TEST_EXECUTION_SPACES>;
#else
using Spaces = concatenate<
#ifdef KOKKOS_ENABLE_SERIAL
    std::tuple<Kokkos::Serial>,
#endif
#ifdef KOKKOS_ENABLE_OPENMP
    std::tuple<Kokkos::OpenMP>,
#endif
#ifdef KOKKOS_ENABLE_CUDA
    std::tuple<Kokkos::Cuda>,
#endif
#ifdef KOKKOS_ENABLE_HIP
    std::tuple<
#if KOKKOS_VERSION >= 40000
        Kokkos::HIP
#else
        Kokkos::Experimental::HIP
#endif
        >,
#endif
    std::tuple<>>;
#endif

/// The last of the spaces is the one with the most threads.
using LastSpace = std::tuple_element_t<std::tuple_size_v<Spaces> - 1, Spaces>;

/// Memory that the host and a space reach: managed memory where there is some.
template <class Exec>
struct SharedMemory {
  using type = typename Exec::memory_space;
};
#ifdef KOKKOS_ENABLE_CUDA
template <>
struct SharedMemory<Kokkos::Cuda> {
  using type = Kokkos::CudaUVMSpace;
};
#endif

/// One combination; layout is void where a test does not vary it.
template <class Exec, class Real, class Layout = void>
struct Case {
  using execution_space = Exec;
  using memory_space    = typename Exec::memory_space;
  using real_type       = Real;
  using layout          = Layout;
};

namespace Impl {

template <class List>
struct Products;

template <class... Execs>
struct Products<std::tuple<Execs...>> {
  using reals =
      concatenate<std::tuple<Case<Execs, float>, Case<Execs, double>>...>;
  using reals_layouts =
      concatenate<std::tuple<Case<Execs, float, Kokkos::LayoutLeft>,
                             Case<Execs, float, Kokkos::LayoutRight>,
                             Case<Execs, double, Kokkos::LayoutLeft>,
                             Case<Execs, double, Kokkos::LayoutRight>>...>;
};

}  // namespace Impl

/// Execution spaces x {float, double}.
using SpacesReals = Impl::Products<Spaces>::reals;

/// Execution spaces x {float, double} x {LayoutLeft, LayoutRight}.
using SpacesRealsLayouts = Impl::Products<Spaces>::reals_layouts;

/// Are there to be few types? (Sporos_TEST_REDUCED of CMake)
#ifdef SPOROS_TEST_REDUCED
constexpr bool reduced = true;
#else
constexpr bool reduced = false;
#endif

/// The larger of two errors; NaN if one of them is NaN, which std::max and
/// std::fmax may drop.
inline double larger_error(double worst, double error) {
  return error > worst || std::isnan(error) ? error : worst;
}

/// A view in the memory of the host, itself if it is there.
template <class View>
auto host_copy(const View& view) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
}

/// The elements of a view without gaps, in the order of its memory.
template <class View>
std::vector<typename View::non_const_value_type> host_values(const View& view) {
  const auto host = host_copy(view);
  return {host.data(), host.data() + host.span()};
}

/// Always, and More unless types are to be few.
template <class Always, class More>
using unless_reduced =
    std::conditional_t<reduced, Always, concatenate<Always, More>>;

}  // namespace Test
}  // namespace Sporos

#endif
