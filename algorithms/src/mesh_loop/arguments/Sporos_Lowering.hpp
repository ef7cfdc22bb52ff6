// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_LOWERING_HPP
#define SPOROS_LOWERING_HPP

/// \file Sporos_Lowering.hpp
/// Arguments that stand for others, as those of matrices stand for increments
/// of their non-zeros: loops and plans run with the others, and the kernel sees
/// what it was promised.

#include <Sporos_KokkosCompat.hpp>

#include <type_traits>

namespace Sporos {
namespace Impl {

/// What an argument stands for. Most stand for themselves.
template <class Arg>
struct Lowering {
  static constexpr bool changes = false;
  /// What the kernel receives in place of an accessor.
  template <class Accessor>
  using seen = Accessor;

  template <class Exec>
  static const Arg& argument(const Exec&, const Arg& arg) {
    return arg;
  }
};

/// Does one of the arguments stand for another one?
template <class... Args>
constexpr bool lowers_v = (Lowering<Args>::changes || ...);

/// A kernel for the arguments that Args stand for.
template <class Kernel, class... Args>
struct LoweredKernel {
  Kernel kernel;

  template <
      class... Accessors,
      class = std::enable_if_t<std::is_invocable_v<
          const Kernel&, typename Lowering<Args>::template seen<Accessors>...>>>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Accessors... accessors) const {
    kernel(typename Lowering<Args>::template seen<Accessors>(accessors)...);
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
