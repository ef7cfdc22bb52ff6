// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_HOSTCOPY_HPP
#define SPOROS_HOSTCOPY_HPP

/// \file Sporos_HostCopy.hpp
/// Host arrays in the memory of another space.

#include <Sporos_KokkosCompat.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace Sporos {
namespace Impl {

/// A host array in other memory, on the device of exec; waits for the copy.
/// Itself, if that is memory of the host.
template <class Memory, class Exec, class T>
Kokkos::View<T*, Memory> to_memory(
    const Exec& exec, const char* label,
    const Kokkos::View<T*, Kokkos::HostSpace>& v) {
  if constexpr (std::is_same_v<Memory, Kokkos::HostSpace>) {
    return v;
  } else {
    using Copy       = Kokkos::View<T*, Memory>;
    const auto space = instance_for<Copy>(exec);
    const auto copy  = new_view<Copy>(space, label, v.extent(0));
    Kokkos::deep_copy(space, copy, v);
    fence(space, "Sporos::to_memory");
    return copy;
  }
}

/// Copies n values between memories and waits.
template <class To, class From, class Exec, class T>
void copy_values(const Exec& exec, T* to, T* from, std::size_t n,
                 const char* label = "Sporos::copy_values") {
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  Kokkos::deep_copy(exec, make_view<Kokkos::View<T*, To, Unmanaged>>(to, n),
                    make_view<Kokkos::View<T*, From, Unmanaged>>(from, n));
  fence(exec, label);
}

/// A host array of n numbers, not initialised.
template <class T>
[[gnu::cold, gnu::noinline]] Kokkos::View<T*, Kokkos::HostSpace> host_array(
    const char* label, std::size_t n) {
  return make_view<Kokkos::View<T*, Kokkos::HostSpace>>(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(label)), n);
}

/// Numbers in other memory, on the device of exec; waits for the copy.
template <class Memory, class Exec, class T>
[[gnu::cold, gnu::noinline]] Kokkos::View<T*, Memory> to_memory(
    const Exec& exec, const char* label, const std::vector<T>& values) {
  const auto v = host_array<T>(label, values.size());
  std::copy(values.begin(), values.end(), v.data());
  return to_memory<Memory>(exec, label, v);
}

}  // namespace Impl
}  // namespace Sporos

#endif
