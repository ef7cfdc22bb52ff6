// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_STRIDEDVECTOR_HPP
#define SPOROS_STRIDEDVECTOR_HPP

/// \file Sporos_StridedVector.hpp
/// One real component of per-point values as pointer and stride, so that one
/// kernel serves every layout, and complex numbers.

#include <Sporos_KokkosCompat.hpp>
#include <particle_grid/stencil/Sporos_RealParts.hpp>

#include <cstddef>

namespace Sporos {
namespace Impl {

template <class T>
struct StridedVector {
  T* data               = nullptr;
  std::ptrdiff_t stride = 1;

  StridedVector() = default;
  /// Real component c of a view of shape (n) or (n, components).
  template <class View>
  StridedVector(const View& view, int c)
      : data(real_data<T>(view)),
        stride(std::ptrdiff_t(view.stride(0)) * real_parts_v<View>) {
    data += c % real_parts_v<View>;
    if constexpr (view_rank_v<View> == 2)
      data += std::ptrdiff_t(view.stride(1)) * (c - c % real_parts_v<View>);
  }
  KOKKOS_FORCEINLINE_FUNCTION T& operator()(int i) const {
    return data[i * stride];
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
