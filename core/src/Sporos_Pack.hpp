// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PACK_HPP
#define SPOROS_PACK_HPP

/// \file Sporos_Pack.hpp
/// W lanes of an arithmetic type that compilers keep in SIMD registers on
/// hosts.
///
/// A kernel that is a template over its real type runs W elements at once when
/// it is called with `Pack<double, W>`. Built on the vector extensions of GCC
/// and Clang; other compilers and CUDA sources see an array of W scalars.

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

#if (defined(__GNUC__) || defined(__clang__)) && !defined(__CUDACC__) && \
    !defined(__HIPCC__)
#define SPOROS_PACK_VECTOR_EXTENSIONS
#if defined(__SSE2__)
#include <immintrin.h>
#endif
#endif

#if defined(__GNUC__) || defined(__clang__)
#define SPOROS_ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define SPOROS_ALWAYS_INLINE inline
#endif
#ifdef SPOROS_PACK_VECTOR_EXTENSIONS
#define SPOROS_PREFETCH(address) __builtin_prefetch(address)
#else
#define SPOROS_PREFETCH(address) (void)(address)
#endif

namespace Sporos {

/// Bytes in one SIMD register of the architecture that is compiled for.
#if defined(__AVX512F__)
constexpr int simd_register_bytes = 64;
constexpr int simd_registers      = 32;
#elif defined(__AVX__)
constexpr int simd_register_bytes = 32;
constexpr int simd_registers      = 16;
#else
constexpr int simd_register_bytes = 16;
constexpr int simd_registers      = 16;
#endif

/// Lanes of T in one SIMD register.
template <class T>
constexpr int native_pack_width = simd_register_bytes / int(sizeof(T));

template <class T, int W>
struct Pack;

namespace Impl {

/// f(integral_constant<int, 0>), ..., f(integral_constant<int, N - 1>)
template <class F, int... I>
SPOROS_ALWAYS_INLINE void static_for(std::integer_sequence<int, I...>, F&& f) {
  (f(std::integral_constant<int, I>{}), ...);
}
template <int N, class F>
SPOROS_ALWAYS_INLINE void static_for(F&& f) {
  static_for(std::make_integer_sequence<int, N>{}, f);
}

template <class T>
struct IsPack : std::false_type {};
template <class T, int W>
struct IsPack<Pack<T, W>> : std::true_type {};

#ifdef SPOROS_PACK_VECTOR_EXTENSIONS

/// One register's worth (or less) of lanes; a Pack is an array of these.
template <class T, int N>
struct Register {
  typedef T type __attribute__((vector_size(N * sizeof(T))));
  typedef T unaligned __attribute__((vector_size(N * sizeof(T)),
                                     aligned(alignof(T)), may_alias));
  template <int... I>
  static SPOROS_ALWAYS_INLINE type broadcast(T s,
                                             std::integer_sequence<int, I...>) {
    return type{((void)I, s)...};
  }
  static SPOROS_ALWAYS_INLINE type broadcast(T s) {
    return broadcast(s, std::make_integer_sequence<int, N>{});
  }
};

template <class T, int N>
using Vector = typename Register<T, N>::type;

template <class V>
SPOROS_ALWAYS_INLINE V vector_fma(V a, V b, V c) {
  return a * b + c;
}
template <class T, class V>
SPOROS_ALWAYS_INLINE V vector_sqrt(V a) {
  V r;
  for (unsigned i = 0; i < sizeof(V) / sizeof(T); ++i)
    r[i] = T(__builtin_sqrt(double(a[i])));
  return r;
}
// Contraction depends on compiler flags; the instruction does not.
#ifdef __FMA__
template <>
SPOROS_ALWAYS_INLINE Vector<double, 2> vector_fma(Vector<double, 2> a,
                                                  Vector<double, 2> b,
                                                  Vector<double, 2> c) {
  return _mm_fmadd_pd(a, b, c);
}
template <>
SPOROS_ALWAYS_INLINE Vector<float, 4> vector_fma(Vector<float, 4> a,
                                                 Vector<float, 4> b,
                                                 Vector<float, 4> c) {
  return _mm_fmadd_ps(a, b, c);
}
template <>
SPOROS_ALWAYS_INLINE Vector<double, 4> vector_fma(Vector<double, 4> a,
                                                  Vector<double, 4> b,
                                                  Vector<double, 4> c) {
  return _mm256_fmadd_pd(a, b, c);
}
template <>
SPOROS_ALWAYS_INLINE Vector<float, 8> vector_fma(Vector<float, 8> a,
                                                 Vector<float, 8> b,
                                                 Vector<float, 8> c) {
  return _mm256_fmadd_ps(a, b, c);
}
#endif
#ifdef __SSE2__
template <>
SPOROS_ALWAYS_INLINE Vector<double, 2> vector_sqrt<double>(
    Vector<double, 2> a) {
  return _mm_sqrt_pd(a);
}
template <>
SPOROS_ALWAYS_INLINE Vector<float, 4> vector_sqrt<float>(Vector<float, 4> a) {
  return _mm_sqrt_ps(a);
}
#endif
#ifdef __AVX__
template <>
SPOROS_ALWAYS_INLINE Vector<double, 4> vector_sqrt<double>(
    Vector<double, 4> a) {
  return _mm256_sqrt_pd(a);
}
template <>
SPOROS_ALWAYS_INLINE Vector<float, 8> vector_sqrt<float>(Vector<float, 8> a) {
  return _mm256_sqrt_ps(a);
}
#endif
#ifdef __AVX512F__
template <>
SPOROS_ALWAYS_INLINE Vector<double, 8> vector_fma(Vector<double, 8> a,
                                                  Vector<double, 8> b,
                                                  Vector<double, 8> c) {
  return _mm512_fmadd_pd(a, b, c);
}
template <>
SPOROS_ALWAYS_INLINE Vector<float, 16> vector_fma(Vector<float, 16> a,
                                                  Vector<float, 16> b,
                                                  Vector<float, 16> c) {
  return _mm512_fmadd_ps(a, b, c);
}
template <>
SPOROS_ALWAYS_INLINE Vector<double, 8> vector_sqrt<double>(
    Vector<double, 8> a) {
  return _mm512_maskz_sqrt_pd(__mmask8(-1), a);
}
template <>
SPOROS_ALWAYS_INLINE Vector<float, 16> vector_sqrt<float>(Vector<float, 16> a) {
  return _mm512_maskz_sqrt_ps(__mmask16(-1), a);
}
#endif

#else

/// Fallback: an array with element-wise operators.
template <class T, int N>
struct ArrayRegister {
  T v[N];
  KOKKOS_INLINE_FUNCTION T operator[](int i) const { return v[i]; }
  KOKKOS_INLINE_FUNCTION T& operator[](int i) { return v[i]; }
};
template <class T, int N>
using Vector = ArrayRegister<T, N>;

#endif

}  // namespace Impl

/// W lanes of T. W is a power of two; Pack<T, 1> is allowed. Lane-wise
/// arithmetic; scalars convert to a pack with equal lanes.
template <class T, int W>
struct Pack {
  static_assert(W > 0 && (W & (W - 1)) == 0,
                "Sporos::Pack: the number of lanes must be a power of two");
  using value_type           = T;
  static constexpr int width = W;
  /// lanes in one register and registers in this pack
  static constexpr int lanes =
      W < native_pack_width<T> ? W : native_pack_width<T>;
  static constexpr int registers = W / lanes;
  using vector_type              = Impl::Vector<T, lanes>;

  vector_type v[registers];

  Pack() = default;
  SPOROS_ALWAYS_INLINE Pack(T s) {
#ifdef SPOROS_PACK_VECTOR_EXTENSIONS
    for (int r = 0; r < registers; ++r)
      v[r] = Impl::Register<T, lanes>::broadcast(s);
#else
    for (int i = 0; i < W; ++i) set(i, s);
#endif
  }

  SPOROS_ALWAYS_INLINE T operator[](int i) const {
    return v[i / lanes][i % lanes];
  }
  SPOROS_ALWAYS_INLINE void set(int i, T s) { v[i / lanes][i % lanes] = s; }

  /// W consecutive values; p needs the alignment of T only.
  static SPOROS_ALWAYS_INLINE Pack load(const T* p) {
    Pack a;
#ifdef SPOROS_PACK_VECTOR_EXTENSIONS
    using U = typename Impl::Register<T, lanes>::unaligned;
    for (int r = 0; r < registers; ++r)
      a.v[r] = *reinterpret_cast<const U*>(p + r * lanes);
#else
    for (int i = 0; i < W; ++i) a.set(i, p[i]);
#endif
    return a;
  }
  SPOROS_ALWAYS_INLINE void store(T* p) const {
#ifdef SPOROS_PACK_VECTOR_EXTENSIONS
    using U = typename Impl::Register<T, lanes>::unaligned;
    for (int r = 0; r < registers; ++r)
      *reinterpret_cast<U*>(p + r * lanes) = v[r];
#else
    for (int i = 0; i < W; ++i) p[i] = (*this)[i];
#endif
  }
  /// Lane i is f(i).
  template <class F>
  static SPOROS_ALWAYS_INLINE Pack generate(F&& f) {
#ifdef SPOROS_PACK_VECTOR_EXTENSIONS
    if constexpr (registers == 1)
      return generate(f, std::make_integer_sequence<int, W>{});
#endif
    Pack a;
    for (int i = 0; i < W; ++i) a.set(i, f(i));
    return a;
  }

  SPOROS_ALWAYS_INLINE Pack& operator+=(const Pack& b) {
    return *this = *this + b;
  }
  SPOROS_ALWAYS_INLINE Pack& operator-=(const Pack& b) {
    return *this = *this - b;
  }
  SPOROS_ALWAYS_INLINE Pack& operator*=(const Pack& b) {
    return *this = *this * b;
  }

 private:
#ifdef SPOROS_PACK_VECTOR_EXTENSIONS
  template <class F, int... I>
  static SPOROS_ALWAYS_INLINE Pack generate(F&& f,
                                            std::integer_sequence<int, I...>) {
    Pack a;
    a.v[0] = vector_type{f(I)...};
    return a;
  }
#endif

  template <class F>
  static SPOROS_ALWAYS_INLINE Pack lanewise(F&& f) {
    Pack a;
#ifdef SPOROS_PACK_VECTOR_EXTENSIONS
    for (int r = 0; r < registers; ++r) a.v[r] = f(r);
#else
    for (int r = 0; r < registers; ++r)
      for (int i = 0; i < lanes; ++i) a.v[r][i] = f(r, i);
#endif
    return a;
  }

#ifdef SPOROS_PACK_VECTOR_EXTENSIONS
#define SPOROS_IMPL_LANE(a) (a).v[r]
#define SPOROS_IMPL_INDEX int r
#else
#define SPOROS_IMPL_LANE(a) (a).v[r][i]
#define SPOROS_IMPL_INDEX int r, int i
#endif

  friend SPOROS_ALWAYS_INLINE Pack operator+(const Pack& a, const Pack& b) {
    return lanewise([&](SPOROS_IMPL_INDEX) {
      return SPOROS_IMPL_LANE(a) + SPOROS_IMPL_LANE(b);
    });
  }
  friend SPOROS_ALWAYS_INLINE Pack operator-(const Pack& a, const Pack& b) {
    return lanewise([&](SPOROS_IMPL_INDEX) {
      return SPOROS_IMPL_LANE(a) - SPOROS_IMPL_LANE(b);
    });
  }
  friend SPOROS_ALWAYS_INLINE Pack operator*(const Pack& a, const Pack& b) {
    return lanewise([&](SPOROS_IMPL_INDEX) {
      return SPOROS_IMPL_LANE(a) * SPOROS_IMPL_LANE(b);
    });
  }
  friend SPOROS_ALWAYS_INLINE Pack operator/(const Pack& a, const Pack& b) {
    return lanewise([&](SPOROS_IMPL_INDEX) {
      return SPOROS_IMPL_LANE(a) / SPOROS_IMPL_LANE(b);
    });
  }
  friend SPOROS_ALWAYS_INLINE Pack operator-(const Pack& a) {
    return lanewise([&](SPOROS_IMPL_INDEX) { return -SPOROS_IMPL_LANE(a); });
  }
  /// a where x < y, else b (lane by lane)
  friend SPOROS_ALWAYS_INLINE Pack select_less(const Pack& x, const Pack& y,
                                               const Pack& a, const Pack& b) {
    return lanewise([&](SPOROS_IMPL_INDEX) {
      return SPOROS_IMPL_LANE(x) < SPOROS_IMPL_LANE(y) ? SPOROS_IMPL_LANE(a)
                                                       : SPOROS_IMPL_LANE(b);
    });
  }
  /// a where x is not 0, else 0 (lane by lane): drops NaN from unused lanes
  friend SPOROS_ALWAYS_INLINE Pack where_nonzero(const Pack& x, const Pack& a) {
    const Pack zero(T(0));
    return lanewise([&](SPOROS_IMPL_INDEX) {
      return SPOROS_IMPL_LANE(x) != SPOROS_IMPL_LANE(zero)
                 ? SPOROS_IMPL_LANE(a)
                 : SPOROS_IMPL_LANE(zero);
    });
  }
  /// a b + c, fused where the architecture has the instruction
  friend SPOROS_ALWAYS_INLINE Pack fma(const Pack& a, const Pack& b,
                                       const Pack& c) {
#ifdef SPOROS_PACK_VECTOR_EXTENSIONS
    return lanewise([&](int r) {
      return Impl::vector_fma<vector_type>(a.v[r], b.v[r], c.v[r]);
    });
#else
    return a * b + c;
#endif
  }
  friend SPOROS_ALWAYS_INLINE Pack sqrt(const Pack& a) {
#ifdef SPOROS_PACK_VECTOR_EXTENSIONS
    return lanewise(
        [&](int r) { return Impl::vector_sqrt<T, vector_type>(a.v[r]); });
#else
    return lanewise([&](int r, int i) { return T(::sqrt(double(a.v[r][i]))); });
#endif
  }
#undef SPOROS_IMPL_LANE
#undef SPOROS_IMPL_INDEX
};

namespace Impl {

#if defined(SPOROS_PACK_VECTOR_EXTENSIONS) && \
    (defined(__clang__) || __GNUC__ >= 12)
#define SPOROS_PACK_SHUFFLES
#endif

/// Lanes First, First + 1, ..., First + N - 1 of the 2 W lanes of (a, b).
template <int First, int N, class T, int W, int... I>
SPOROS_ALWAYS_INLINE Pack<T, N> slice(const Pack<T, W>& a, const Pack<T, W>& b,
                                      std::integer_sequence<int, I...>) {
  Pack<T, N> r;
#ifdef SPOROS_PACK_SHUFFLES
  if constexpr (Pack<T, W>::registers == 1) {
    r.v[0] = __builtin_shufflevector(a.v[0], b.v[0], (First + I)...);
    return r;
  }
#endif
  for (int i = 0; i < N; ++i)
    r.set(i, First + i < W ? a[First + i] : b[First + i - W]);
  return r;
}

/// Lanes First .. First + N - 1 of a.
template <int First, int N, class T, int W>
SPOROS_ALWAYS_INLINE Pack<T, N> slice(const Pack<T, W>& a) {
  return slice<First, N>(a, a, std::make_integer_sequence<int, N>{});
}

/// Lanes move down by K, zeros come in at the top.
template <int K, class T, int W>
SPOROS_ALWAYS_INLINE Pack<T, W> shift_down(const Pack<T, W>& a) {
  return slice<K, W>(a, Pack<T, W>(T(0)), std::make_integer_sequence<int, W>{});
}

/// a0 b0 a1 b1 ... of the lower (Half 0) or upper (Half 1) lanes.
template <int Half, class T, int W, int... I>
SPOROS_ALWAYS_INLINE Pack<T, W> zip(const Pack<T, W>& a, const Pack<T, W>& b,
                                    std::integer_sequence<int, I...>) {
  Pack<T, W> r;
#ifdef SPOROS_PACK_SHUFFLES
  if constexpr (Pack<T, W>::registers == 1) {
    r.v[0] = __builtin_shufflevector(
        a.v[0], b.v[0], (Half * W / 2 + I / 2 + (I % 2 ? W : 0))...);
    return r;
  }
#endif
  for (int i = 0; i < W; ++i)
    r.set(i, i % 2 ? b[Half * W / 2 + i / 2] : a[Half * W / 2 + i / 2]);
  return r;
}

constexpr int next_power_of_two(int n) {
  int p = 1;
  while (p < n) p *= 2;
  return p;
}

/// Perfect shuffles until the N packs hold the transpose, row after row.
template <int N, class T, int W>
SPOROS_ALWAYS_INLINE void transpose(Pack<T, W> (&p)[N]) {
  constexpr auto lanes = std::make_integer_sequence<int, W>{};
  for (int stage = 1; stage < N; stage *= 2) {
    Pack<T, W> q[N];
    static_for<N / 2>([&](auto i) {
      q[2 * i]     = zip<0>(p[i], p[i + N / 2], lanes);
      q[2 * i + 1] = zip<1>(p[i], p[i + N / 2], lanes);
    });
    static_for<N>([&](auto i) { p[i] = q[i]; });
  }
}

}  // namespace Impl

/// Writes lane l of components[0 .. N) to the row p + l * stride, for all W
/// lanes; rows are written up to the next power of two of N, with zeros (so
/// stride is at least that). Register transposes, no scatter.
template <int N, class T, int W>
SPOROS_ALWAYS_INLINE void store_transposed(const Pack<T, W>* components, T* p,
                                           int stride) {
  constexpr int M =
      Impl::next_power_of_two(N) < W ? Impl::next_power_of_two(N) : W;
  for (int first = 0; first < N; first += M) {
    Pack<T, W> t[M];
    for (int i = 0; i < M; ++i)
      t[i] = first + i < N ? components[first + i] : Pack<T, W>(T(0));
    Impl::transpose<M>(t);
    Impl::static_for<W>([&](auto row) {
      Impl::slice<(row * M) % W, M>(t[(row * M) / W])
          .store(p + row * stride + first);
    });
  }
}

/// Sum of all lanes, by halves (a fixed tree).
template <class T, int W>
SPOROS_ALWAYS_INLINE T sum(const Pack<T, W>& a) {
  if constexpr (W == 1) {
    return a[0];
  } else {
    return sum(Impl::slice<0, W / 2>(a) + Impl::slice<W / 2, W / 2>(a));
  }
}

namespace Impl {

/// Lanes folded onto the lanes of one register: the sum of all registers.
template <class T, int W>
SPOROS_ALWAYS_INLINE auto fold_registers(const Pack<T, W>& a) {
  constexpr int L = Pack<T, W>::lanes;
  Pack<T, L> r;
  r.v[0] = a.v[0];
  static_for<Pack<T, W>::registers - 1>([&](auto i) {
    Pack<T, L> next;
    next.v[0] = a.v[i + 1];
    r += next;
  });
  return r;
}

}  // namespace Impl

/// Lane i of the result is the sum of all lanes of p[i], i = 0 .. W - 1; by
/// halves, with 2 shuffles and an add for each two packs. Overwrites p.
template <class T, int W>
SPOROS_ALWAYS_INLINE Pack<T, W> sum_each(Pack<T, W> (&p)[W]) {
  constexpr auto lanes = std::make_integer_sequence<int, W>{};
  for (int half = W / 2; half > 0; half /= 2)
    for (int i = 0; i < half; ++i)
      p[i] = Impl::zip<0>(p[i], p[i + half], lanes) +
             Impl::zip<1>(p[i], p[i + half], lanes);
  return p[0];
}

}  // namespace Sporos

#endif
