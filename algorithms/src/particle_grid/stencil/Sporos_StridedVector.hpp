// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_STRIDEDVECTOR_HPP
#define SPOROS_STRIDEDVECTOR_HPP

/// \file Sporos_StridedVector.hpp
/// One component of per-point values as pointer and stride, so that one kernel
/// serves every layout.

#include <Sporos_KokkosCompat.hpp>

#include <cstddef>

namespace Sporos {
namespace Impl {

template <class T>
struct StridedVector {
  using value_type = T;
  T* data;
  std::ptrdiff_t stride;

  explicit StridedVector(T* data_) : data(data_), stride(1) {}
  /// Component c of a view of shape (n) or (n, components).
  template <class View>
  StridedVector(const View& view, int c)
      : data(view.data()), stride(std::ptrdiff_t(view.stride(0))) {
    if constexpr (view_rank_v<View> == 2)
      data += std::ptrdiff_t(view.stride(1)) * c;
  }
  KOKKOS_FORCEINLINE_FUNCTION T& operator()(int i) const {
    return data[i * stride];
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
