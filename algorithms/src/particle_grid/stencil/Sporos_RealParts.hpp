// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_REALPARTS_HPP
#define SPOROS_REALPARTS_HPP

/// \file Sporos_RealParts.hpp
/// Complex numbers as two real components, so that kernels know real numbers
/// only.

#include <Kokkos_Core.hpp>
#include <Sporos_Grid.hpp>
#include <Sporos_RealOf.hpp>
#include <Sporos_ViewChecks.hpp>

#include <cstddef>
#include <type_traits>

namespace Sporos {
namespace Impl {

template <class View>
struct ValueOfView {
  static_assert(Kokkos::is_view<View>::value,
                "Sporos: fields and values of points must be Views; several "
                "fields, a Kokkos::Array of Views");
  using type = typename View::non_const_value_type;
};
template <class View>
using RealPartOf = real_of<typename ValueOfView<View>::type>;
template <class View>
constexpr int real_parts_v = RealOf<typename ValueOfView<View>::type>::parts;

/// Number of real components of a view whose extent D counts components; of a
/// view without this extent: those of one number.
template <int D, class View>
int real_components(const View& view) {
  if constexpr ((view_rank_v < View >> D))
    return real_parts_v<View> * int(view.extent(D));
  else
    return real_parts_v<View>;
}

/// Throws unless an int can hold that number.
template <int D, class View>
void check_components(const char* function, const char* argument,
                      const View& view) {
  if constexpr ((view_rank_v < View >> D))
    check(view.extent(D) < std::size_t(1) << 30, function, argument,
          "fewer than 2^30 components", extents(view));
}

/// The real type of a View, or of several.
template <class Field>
struct RealPartOfFields {
  using type = RealPartOf<Field>;
};
template <class Field, std::size_t N>
struct RealPartOfFields<Kokkos::Array<Field, N>> {
  using type = RealPartOf<Field>;
};
template <class Field, std::size_t N>
struct RealPartOfFields<OnFaces<Field, N>> {
  using type = RealPartOf<Field>;
};
template <class Field>
using RealOfField = typename RealPartOfFields<Field>::type;

/// Are the values real or complex numbers of float or double?
template <class View>
constexpr bool is_floating_view_v = std::is_same_v<RealPartOf<View>, float> ||
                                    std::is_same_v<RealPartOf<View>, double>;

/// The first real number of a view; T: RealPartOf<View>, const or not.
template <class T, class View>
T* real_data(const View& view) {
  if constexpr (real_parts_v<View> == 1)
    return view.data();
  else  // an array of complex numbers may be read as one of real numbers
    return reinterpret_cast<T*>(view.data());
}

}  // namespace Impl
}  // namespace Sporos

#endif
