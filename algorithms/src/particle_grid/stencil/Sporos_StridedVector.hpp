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
    if (data == nullptr) return;  // no points
    data += c % real_parts_v<View>;
    if constexpr (view_rank_v<View> == 2)
      data += std::ptrdiff_t(view.stride(1)) * (c - c % real_parts_v<View>);
  }
  KOKKOS_FORCEINLINE_FUNCTION T& operator()(int i) const {
    return data[i * stride];
  }
  /// Becomes another component of the same values.
  KOKKOS_FORCEINLINE_FUNCTION void move_to(const StridedVector& component) {
    data = component.data;
  }
};

/// A StridedVector for points of which those from number `split` on have their
/// values in another array.
template <class T>
struct SplitVector : StridedVector<T> {
  StridedVector<T> rest;
  int split = 0;

  KOKKOS_FORCEINLINE_FUNCTION T& operator()(int i) const {
    T* const at         = i < split ? this->data : rest.data;
    const int place     = i < split ? i : i - split;
    const auto distance = i < split ? this->stride : rest.stride;
    return at[place * distance];
  }
  KOKKOS_FORCEINLINE_FUNCTION void move_to(const SplitVector& component) {
    this->data = component.data;
    rest.data  = component.rest.data;
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
