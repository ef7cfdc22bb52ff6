// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PACKSHUFFLE_HPP
#define SPOROS_PACKSHUFFLE_HPP

/// \file Sporos_PackShuffle.hpp
/// Operations across the lanes of packs: slices, transposes, sums.

#include <Sporos_PackType.hpp>

namespace Sporos {
namespace Impl {

template <int First, int N, class T, int W, int... I>
SPOROS_ALWAYS_INLINE Pack<T, N> slice(const Pack<T, W>& a,
                                      std::integer_sequence<int, I...>) {
  Pack<T, N> r;
#ifdef SPOROS_PACK_SHUFFLES
  if constexpr (Pack<T, W>::registers == 1) {
    r.v[0] = __builtin_shufflevector(a.v[0], a.v[0], (First + I)...);
    return r;
  }
#endif
  for (int i = 0; i < N; ++i) r.set(i, a[First + i]);
  return r;
}

/// Lanes First .. First + N - 1 of a.
template <int First, int N, class T, int W>
SPOROS_ALWAYS_INLINE Pack<T, N> slice(const Pack<T, W>& a) {
  return slice<First, N>(a, std::make_integer_sequence<int, N>{});
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

KOKKOS_FUNCTION constexpr int next_power_of_two(int n) {
  int p = 1;
  while (p < n) p *= 2;
  return p;
}
KOKKOS_FUNCTION constexpr int previous_power_of_two(int n) {
  const int p = next_power_of_two(n);
  return p == n ? p : p / 2;
}

/// Perfect shuffles until the N packs hold the transpose, row after row.
template <int N, class T, int W>
SPOROS_ALWAYS_INLINE void transpose(Pack<T, W> (&p)[N]) {
  constexpr auto lanes = std::make_integer_sequence<int, W>{};
  for (int stage = 1; stage < N; stage *= 2) {
    Pack<T, W> q[N];
    static_for<N / 2>([&](int i) SPOROS_INLINE_LAMBDA {
      q[2 * i]     = zip<0>(p[i], p[i + N / 2], lanes);
      q[2 * i + 1] = zip<1>(p[i], p[i + N / 2], lanes);
    });
    static_for<N>([&](int i) SPOROS_INLINE_LAMBDA { p[i] = q[i]; });
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
  for (int first = 0; first < Impl::next_power_of_two(N); first += M) {
    Pack<T, W> t[M];
    for (int i = 0; i < M; ++i)
      t[i] = first + i < N ? components[first + i] : Pack<T, W>(T(0));
    Impl::transpose<M>(t);
    Impl::static_for<W>([&](auto row) SPOROS_INLINE_LAMBDA {
      Impl::slice<(row * M) % W, M>(t[(row * M) / W])
          .store(p + row * stride + first);
    });
  }
}

namespace Impl {

/// Lanes l and l + W / 2 added until N are left.
template <int N, class T, int W>
SPOROS_ALWAYS_INLINE Pack<T, N> fold_lanes(const Pack<T, W>& a) {
  if constexpr (N == W)
    return a;
  else
    return fold_lanes<N>(slice<0, W / 2>(a) + slice<W / 2, W / 2>(a));
}

}  // namespace Impl

/// Sum of all lanes, by halves (a fixed tree).
template <class T, int W>
SPOROS_ALWAYS_INLINE T sum(const Pack<T, W>& a) {
  return Impl::fold_lanes<1>(a)[0];
}

namespace Impl {

/// p[i] and p[i + N / 2], for i < N / 2: their lanes l and l + W / 2 are added,
/// and lie next to one another in p[i]; until one pack is left.
template <int N, class T, int W>
SPOROS_ALWAYS_INLINE void add_pairs(Pack<T, W>* p) {
  constexpr auto lanes = std::make_integer_sequence<int, W>{};
  if constexpr (N > 1) {
    static_for<N / 2>([&](int i) SPOROS_INLINE_LAMBDA {
      const Pack<T, W> b = p[i + N / 2];
      p[i]               = zip<0>(p[i], b, lanes) + zip<1>(p[i], b, lanes);
    });
    add_pairs<N / 2>(p);
  }
}

}  // namespace Impl

/// Lane i of the result is the sum of all lanes of p[i], for N <= W packs, a
/// power of two; by halves as sum(), with 2 shuffles and an add for each two
/// packs. Overwrites p.
template <class T, int W, int N>
SPOROS_ALWAYS_INLINE Pack<T, N> sum_each(Pack<T, W> (&p)[N]) {
  Impl::add_pairs<N>(p);
  return Impl::fold_lanes<N>(p[0]);
}

}  // namespace Sporos

#endif
