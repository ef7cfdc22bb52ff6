// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What the tests of the engine share.

#ifndef SPOROS_ENGINETEST_HPP
#define SPOROS_ENGINETEST_HPP

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <vector>

namespace Sporos {
namespace Test {

/// Copies values to a view of rank 1, strided or not, of any memory space.
template <class View, class T>
void to_view(const View& view, const std::vector<T>& values) {
  Kokkos::View<T*, typename View::execution_space> contiguous("contiguous",
                                                              values.size());
  const auto mirror = Kokkos::create_mirror_view(contiguous);
  for (std::size_t i = 0; i < values.size(); ++i) mirror(i) = values[i];
  const typename View::execution_space exec{};
  Kokkos::deep_copy(exec, contiguous, mirror);
  Kokkos::deep_copy(exec, view, contiguous);
  exec.fence();
}

/// The values of a view on the host.
template <class View>
std::vector<typename View::non_const_value_type> to_vector(const View& view) {
  using T = typename View::non_const_value_type;
  const typename View::execution_space exec{};
  Kokkos::View<T*, typename View::execution_space> contiguous("contiguous",
                                                              view.extent(0));
  const auto mirror = Kokkos::create_mirror_view(contiguous);
  Kokkos::deep_copy(exec, contiguous, view);
  Kokkos::deep_copy(exec, mirror, contiguous);
  exec.fence();
  return std::vector<T>(mirror.data(), mirror.data() + mirror.extent(0));
}

/// The value of a view of rank 0.
template <class View>
typename View::non_const_value_type to_value(const View& view) {
  const typename View::execution_space exec{};
  const auto mirror = Kokkos::create_mirror_view(view);
  Kokkos::deep_copy(exec, mirror, view);
  exec.fence();
  return mirror();
}

}  // namespace Test
}  // namespace Sporos

#endif
