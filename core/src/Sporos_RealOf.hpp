// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_REALOF_HPP
#define SPOROS_REALOF_HPP

/// \file Sporos_RealOf.hpp
/// Real and complex types of numbers.

#include <Sporos_KokkosCompat.hpp>

#include <type_traits>

namespace Sporos {
namespace Impl {

/// The real type of a real or complex type, and how many reals a number has.
template <class T>
struct RealOf {
  using type                 = T;
  static constexpr int parts = 1;
};
template <class T>
struct RealOf<Kokkos::complex<T>> {
  using type                 = T;
  static constexpr int parts = 2;
};
template <class T>
using real_of = typename RealOf<T>::type;
template <class T>
inline constexpr bool is_complex_v = RealOf<T>::parts == 2;

}  // namespace Impl
}  // namespace Sporos

#endif
