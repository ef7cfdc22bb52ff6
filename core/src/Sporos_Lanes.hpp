// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_LANES_HPP
#define SPOROS_LANES_HPP

/// \file Sporos_Lanes.hpp
/// Lane groups: one source for the lanes of a GPU warp and of a SIMD register
/// on hosts.
///
/// On a GPU a value of a group is a scalar per lane. Lanes exchange values by
/// shuffles, and all lanes of the warp must make each call. On a host a value
/// is an array of all lanes in registers (a Pack for arithmetic types), and one
/// thread has all lanes. Launch kernels with groups by a TeamPolicy with vector
/// length lane_count<Exec, T>::vector; each thread of the team is a lane group.
/// Only CUDA and HIP are supported as devices.
///
/// \code
///   using Group = Sporos::LaneGroup<Exec, float>;
///   const Group lanes;
///   auto v   = lanes.load(row, 1, first, n);      // 0 outside of [0, n)
///   auto sum = lanes.fma(v, lanes.shift_down(v, next, 1), lanes.fill(0));
/// \endcode

#include <Sporos_KokkosCompat.hpp>
#include <Sporos_Pack.hpp>

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace Sporos {

/// The number of lanes of a group of Exec for values of type T: those of a
/// warp, or of a SIMD register of T (for other types than numbers, of its real
/// type).
template <class Exec, class T, bool = Impl::is_host_space_v<Exec>>
struct lane_count {  // hosts
  /// bytes of a lane
  static constexpr int bytes = std::is_arithmetic<T>::value ? sizeof(T) : 8;
  /// number of lanes
  static constexpr int value  = simd_register_bytes / bytes;
  static constexpr int vector = 1;  ///< vector length of a TeamPolicy
};
/// \cond
template <class Exec, class T>
struct lane_count<Exec, T, false> {  // devices
  static_assert(Impl::has_device_lanes<Exec>::value,
                "Sporos::LaneGroup: execution spaces of hosts, CUDA and HIP "
                "only");
  static constexpr int value  = Impl::warp_threads;
  static constexpr int vector = value;
};
/// \endcond

namespace Impl {

/// Stands for all hosts: lane groups of hosts do not depend on the back end, so
/// kernels made of them need to be compiled only once.
struct HostLaneSpace {};
template <>
struct is_host_space<HostLaneSpace> : std::true_type {};
template <class Exec>
using lane_space =
    std::conditional_t<is_host_space_v<Exec>, HostLaneSpace, Exec>;

#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define SPOROS_IMPL_DEVICE_LANES
#endif

// for the mask of shuffles of CUDA, and sums by halves
static_assert(warp_threads == 32 || warp_threads == 64,
              "Sporos::LaneGroup: warps of 32 or 64 threads");

/// Lane number of the caller (devices).
KOKKOS_INLINE_FUNCTION int device_lane() {
#ifdef SPOROS_IMPL_DEVICE_LANES
  return int(threadIdx.x);
#else
  return 0;
#endif
}

/// What another lane passes, for any trivially copyable type (devices): each
/// lane passes its first value, or its second if `second`. Word by word, so
/// that nothing needs an address and with it local memory.
template <class T>
KOKKOS_INLINE_FUNCTION T shuffle([[maybe_unused]] const T& v,
                                 [[maybe_unused]] const T& w,
                                 [[maybe_unused]] bool second,
                                 [[maybe_unused]] int lane) {
  static_assert(std::is_trivially_copyable<T>::value &&
                    (sizeof(T) % 4 == 0 || sizeof(T) < 4),
                "Sporos::LaneGroup: trivially copyable types only");
#ifdef SPOROS_IMPL_DEVICE_LANES
  constexpr int words = sizeof(T) < 4 ? 1 : int(sizeof(T) / 4);
  unsigned a[words] = {}, b[words] = {};
  memcpy(a, &v, sizeof(T));
  memcpy(b, &w, sizeof(T));
  SPOROS_UNROLL
  for (int i = 0; i < words; ++i)
#ifdef __CUDA_ARCH__
    a[i] = __shfl_sync(0xffffffffu, second ? b[i] : a[i], lane);
#else
    a[i] = unsigned(__shfl(int(second ? b[i] : a[i]), lane));
#endif
  T result;
  memcpy(&result, a, sizeof(T));
  return result;
#else
  return v;
#endif
}

template <class T>
KOKKOS_INLINE_FUNCTION T shuffle(const T& v, int lane) {
  return shuffle(v, v, false, lane);
}

/// What a host keeps of T in W lanes: packs for numbers, arrays for others.
template <class T, int W>
struct alignas(64) LaneArray {
  T v[W];
  KOKKOS_FUNCTION T operator[](int i) const { return v[i]; }
  KOKKOS_FUNCTION void set(int i, const T& s) { v[i] = s; }
  KOKKOS_FUNCTION static LaneArray load(const T* p) {
    LaneArray a;
    for (int i = 0; i < W; ++i) a.v[i] = p[i];
    return a;
  }
  KOKKOS_FUNCTION void store(T* p) const {
    for (int i = 0; i < W; ++i) p[i] = v[i];
  }
};
template <class T, int W>
using HostLanes = std::conditional_t<std::is_arithmetic<T>::value, Pack<T, W>,
                                     LaneArray<T, W>>;

}  // namespace Impl

/// Operations on values of type T in a group of lanes of Exec.
template <class Exec, class T, bool = Impl::is_host_space_v<Exec>>
class LaneGroup {  // hosts: one thread has all lanes
 public:
  static constexpr int width = lane_count<Exec, T>::value;  ///< number of lanes
  using scalar               = T;                           ///< value of a lane
  /// value of all lanes: a register array on hosts, a scalar per thread on
  /// devices
  using value = Impl::HostLanes<T, width>;

  /// x in all lanes.
  KOKKOS_FUNCTION value fill(const T& s) const {
    return generate([&](int) { return s; });
  }
  /// Lane l gets f(l).
  template <class F>
  KOKKOS_FUNCTION value generate(const F& f) const {
    value a;
    for (int l = 0; l < width; ++l) a.set(l, f(l));
    return a;
  }
  /// Lane l gets p[(first + l) * stride] as T, and 0 where first + l is not in
  /// [0, n); p may be null if n is 0.
  template <class From>
  KOKKOS_FUNCTION value load(const From* p, std::ptrdiff_t stride, int first,
                             int n) const {
    if constexpr (std::is_same<From, T>::value)
      if (stride == 1 && first >= 0 && first + width <= n)
        return value::load(p + first);
    T some[width];
    load_some(p, stride, first, n, some);
    return value::load(some);
  }
  /// p[(first + l) * stride] gets v of lane l where first + l is in [0, n).
  template <class To>
  KOKKOS_FUNCTION void store(const value& v, To* p, std::ptrdiff_t stride,
                             int first, int n) const {
    T all[width];
    v.store(all);
    store_some(all, p, stride, first, n);
  }
  /// Lane l gets lane l + k of v, and beyond the last lane those of next from 0
  /// on; 0 <= k <= width.
  KOKKOS_FUNCTION value shift_down(const value& v, const value& next,
                                   int k) const {
    alignas(64) T both[2 * width];
    v.store(both);
    next.store(both + width);
    return value::load(both + k);
  }
  /// Lane l of v in all lanes.
  KOKKOS_FUNCTION value broadcast(const value& v, int l) const {
    return fill(v[l]);
  }
  /// a b + c, fused where there is an instruction.
  KOKKOS_FUNCTION value fma(const value& a, const value& b,
                            const value& c) const {
    if constexpr (std::is_arithmetic<T>::value) {
      using Sporos::fma;
      return fma(a, b, c);
    } else {
      return generate([&](int l) { return a[l] * b[l] + c[l]; });
    }
  }
  /// f(a, b) lane by lane: any function of scalars.
  template <class F>
  KOKKOS_FUNCTION value combine(const value& a, const value& b, const value& c,
                                const F& f) const {
    return generate([&](int l) { return f(a[l], b[l], c[l]); });
  }
  /// Sum of all lanes by a fixed tree of halves; all lanes get it.
  KOKKOS_FUNCTION T sum(const value& v) const {
    T part[width];
    for (int l = 0; l < width; ++l) part[l] = v[l];
    for (int half = width / 2; half > 0; half /= 2)
      for (int l = 0; l < half; ++l) part[l] = part[l] + part[l + half];
    return part[0];
  }

 private:
  // not inlined into kernels that load many rows
  template <class From>
  [[gnu::noinline]] KOKKOS_FUNCTION static void load_some(const From* p,
                                                          std::ptrdiff_t stride,
                                                          int first, int n,
                                                          T* to) {
    for (int l = 0; l < width; ++l) {
      const int i = first + l;
      to[l]       = i >= 0 && i < n ? T(p[i * stride]) : T(0);
    }
  }
  template <class To>
  [[gnu::noinline]] KOKKOS_FUNCTION static void store_some(
      const T* from, To* p, std::ptrdiff_t stride, int first, int n) {
    for (int l = 0; l < width; ++l) {
      const int i = first + l;
      if (i >= 0 && i < n) p[i * stride] = To(from[l]);
    }
  }
};

/// \cond
/// Devices: a scalar per lane.
template <class Exec, class T>
class LaneGroup<Exec, T, false> {
 public:
  static constexpr int width = lane_count<Exec, T>::value;
  using scalar               = T;
  using value                = T;

  KOKKOS_FUNCTION value fill(const T& s) const { return s; }
  template <class F>
  KOKKOS_FUNCTION value generate(const F& f) const {
    return f(Impl::device_lane());
  }
  template <class From>
  KOKKOS_FUNCTION value load(const From* p, std::ptrdiff_t stride, int first,
                             int n) const {
    const int i = first + Impl::device_lane();
    return i >= 0 && i < n ? T(p[i * stride]) : T(0);
  }
  template <class To>
  KOKKOS_FUNCTION void store(const value& v, To* p, std::ptrdiff_t stride,
                             int first, int n) const {
    const int i = first + Impl::device_lane();
    if (i >= 0 && i < n) p[i * stride] = To(v);
  }
  KOKKOS_FUNCTION value shift_down(const value& v, const value& next,
                                   int k) const {
    const int l = Impl::device_lane();
    return Impl::shuffle(v, next, l < k, (l + k) & (width - 1));
  }
  KOKKOS_FUNCTION value broadcast(const value& v, int l) const {
    return Impl::shuffle(v, l);
  }
  KOKKOS_FUNCTION value fma(const value& a, const value& b,
                            const value& c) const {
    return a * b + c;
  }
  template <class F>
  KOKKOS_FUNCTION value combine(const value& a, const value& b, const value& c,
                                const F& f) const {
    return f(a, b, c);
  }
  KOKKOS_FUNCTION T sum(value v) const {
    for (int half = width / 2; half > 0; half /= 2)
      v = v + Impl::shuffle(v, Impl::device_lane() ^ half);
    return v;
  }
};

/// \endcond

}  // namespace Sporos

#endif
