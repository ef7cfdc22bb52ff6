// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_COMPOSITE_HPP
#define SPOROS_COMPOSITE_HPP

/// \file Sporos_Composite.hpp
/// Another delta function in each direction.

#include <Sporos_DeltaFunctions.hpp>
#include <Sporos_KokkosCompat.hpp>
#include <Sporos_Pack.hpp>
#include <particle_grid/stencil/Sporos_DerivedWeights.hpp>
#include <particle_grid/stencil/Sporos_Weights.hpp>

#include <algorithm>

namespace Sporos {

namespace Impl {

/// Puts Own weights among All, the others of which are 0. Where one number is
/// odd and the other even, the point's cell and fraction differ in one half of
/// a cell.
template <int All, int Own>
struct PaddedWeights {
  static_assert(Own <= All, "the support of all is the largest");
  static constexpr bool same_parity = All % 2 == Own % 2;
  /// The first grid point of fractions below the limit; else one more, unless
  /// parities are the same.
  static constexpr int first =
      (All - 1) / 2 - (Own - 1) / 2 - (All % 2 && !same_parity ? 1 : 0);
  static constexpr float limit = All % 2 ? 0.f : .5f;

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T choose(const T& r, const T& below,
                                              const T& above) {
    if constexpr (IsPack<T>::value)
      return select_less(r, T(scalar_of<T>(limit)), below, above);
    else
      return r < T(limit) ? below : above;
  }
  /// The fraction of the narrower function
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T fraction(const T& r) {
    if constexpr (same_parity)
      return r;
    else if constexpr (All % 2 != 0)
      return choose(r, r + T(scalar_of<T>(1)), r);
    else
      return choose(r, r, r - T(scalar_of<T>(1)));
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static void place(const T& r, const T* own,
                                                T* all) {
    const T zero = T(scalar_of<T>(0));
    SPOROS_UNROLL
    for (int j = 0; j < All; ++j) {
      const int i   = j - first;
      const T below = i >= 0 && i < Own ? own[i] : zero;
      if constexpr (same_parity)
        all[j] = below;
      else
        all[j] = choose(r, below, i >= 1 && i <= Own ? own[i - 1] : zero);
    }
  }
};

/// Delta functions of directions one after another, the first for direction 0.
template <class... Phis>
struct PhiList {
  template <bool Derives, int All, class T>
  KOKKOS_FORCEINLINE_FUNCTION void scalar(int, const T&, T*) const {}
  template <bool Derives, int All, class T>
  SPOROS_ALWAYS_INLINE void pack(int, const T&, T*) const {}
};
template <class Phi, class... Rest>
struct PhiList<Phi, Rest...> {
  Phi phi;
  PhiList<Rest...> rest;

  /// Weights of direction d, or their derivatives
  template <bool Derives, int All, class T>
  KOKKOS_FORCEINLINE_FUNCTION void scalar(int d, const T& r, T* w) const {
    using Padded = PaddedWeights<All, Phi::support>;
    if (d != 0) return rest.template scalar<Derives, All>(d - 1, r, w);
    T own[Phi::support];
    if constexpr (Derives)
      scalar_weights(DerivativesOf<Phi>{phi}, Padded::fraction(r), own);
    else
      scalar_weights(phi, Padded::fraction(r), own);
    Padded::place(r, own, w);
  }
  template <bool Derives, int All, class P>
  SPOROS_ALWAYS_INLINE void pack(int d, const P& r, P* w) const {
    using Padded = PaddedWeights<All, Phi::support>;
    if (d != 0) return rest.template pack<Derives, All>(d - 1, r, w);
    P own[Phi::support];
    if constexpr (Derives)
      pack_weights(DerivativesOf<Phi>{phi}, Padded::fraction(r), own);
    else
      pack_weights(phi, Padded::fraction(r), own);
    Padded::place(r, own, w);
  }
};

}  // namespace Impl

/// A delta function for each direction of the grid: the product of
/// phi_d(x_d / h_d) / h_d, as the composite B-splines of marker-and-cell grids
/// are, whose normal direction has another spline than the tangents. For plans
/// and all that takes a delta function; it has derivatives if all have. The
/// support is the largest one; narrower functions have weights of 0 there.
///
/// \code
///   using Normal = Sporos::BSpline<4>; using Tangent = Sporos::BSpline<3>;
///   Sporos::ParticleGridPlan plan(
///       exec, grid, Sporos::Composite<Normal, Tangent>{}, positions);
/// \endcode
template <class... Phis>
class Composite {
  static_assert(sizeof...(Phis) >= 1 && sizeof...(Phis) <= 3,
                "Sporos::Composite: one to three delta functions, one for each "
                "direction");

 public:
  /// The largest number of grid points per direction.
  static constexpr int support = std::max({int(Phis::support)...});
  /// Do the weights of all sum to 1?
  static constexpr bool sums_to_one = (Impl::sums_to_one_v<Phis> && ...);

  Composite() = default;
  /// \param phis the delta functions of directions 0, 1, ...
  explicit Composite(const Phis&... phis) : m_phis(list(phis...)) {}

  /// For the implementation.
  static constexpr int directions = int(sizeof...(Phis));
  /// For the implementation: from now on, directions are internal ones: number
  /// k is direction dir[k].
  template <int Dim>
  void orient(const int (&dir)[Dim]) {
    static_assert(Dim == directions,
                  "Sporos::Composite: as many delta functions as the grid has "
                  "dimensions");
    for (int k = 0; k < Dim; ++k) m_direction[k] = dir[k];
  }
  /// For the implementation.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION void scalar(int, int k, T r, T* w) const {
    m_phis.template scalar<false, support>(m_direction[k], r, w);
  }
  /// For the implementation.
  template <class P>
  SPOROS_ALWAYS_INLINE void pack(int, int k, const P& r, P* w) const {
    m_phis.template pack<false, support>(m_direction[k], r, w);
  }
  /// For the implementation.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION void scalar_slopes(int k, T r, T* w) const {
    m_phis.template scalar<true, support>(m_direction[k], r, w);
  }
  /// For the implementation.
  template <class P>
  SPOROS_ALWAYS_INLINE void pack_slopes(int k, const P& r, P* w) const {
    m_phis.template pack<true, support>(m_direction[k], r, w);
  }

 private:
  static auto list() { return Impl::PhiList<>{}; }
  template <class Phi, class... Rest>
  static auto list(const Phi& phi, const Rest&... rest) {
    return Impl::PhiList<Phi, Rest...>{phi, list(rest...)};
  }

  Impl::PhiList<Phis...> m_phis;
  int m_direction[3] = {0, 1, 2};
};

namespace Impl {
template <class... Phis>
inline constexpr bool is_directional_v<Composite<Phis...>> = true;
template <class... Phis>
inline constexpr bool has_derivatives_v<Composite<Phis...>> =
    (has_derivatives_v<Phis> && ...);
}  // namespace Impl

}  // namespace Sporos

#endif
