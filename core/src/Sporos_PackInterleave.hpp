// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PACKINTERLEAVE_HPP
#define SPOROS_PACKINTERLEAVE_HPP

/// \file Sporos_PackInterleave.hpp
/// Between C packs and C W consecutive values in which component c of lane l
/// is number l C + c.

#include <Sporos_PackType.hpp>

namespace Sporos {
namespace Impl {

/// Lane l of the result: lane from(l) % W of in[from(l) / W].
template <int C, class From, class T, int W, int... I>
SPOROS_ALWAYS_INLINE Pack<T, W> gather_lanes(const Pack<T, W> (&in)[C],
                                             std::integer_sequence<int, I...>) {
  if constexpr (C == 1) return in[0];
#ifdef SPOROS_PACK_SHUFFLES
  if constexpr (Pack<T, W>::registers == 1 && W > 1) {
    Pack<T, W> r = in[0];
    // lanes of in[0] and in[1], then those of in[2] in place of what is wrong
    static_for<C - 1>([&](auto k) SPOROS_INLINE_LAMBDA {
      constexpr int now = k + 1;
      r.v[0] =
          __builtin_shufflevector(r.v[0], in[now].v[0],
                                  (From::at(I) / W == now ? W + From::at(I) % W
                                   : now == 1             ? From::at(I) % W
                                                          : I)...);
    });
    return r;
  }
#endif
  return Pack<T, W>::generate(
      [&](int l) { return in[From::at(l) / W][From::at(l) % W]; });
}

template <int C, int W, int Component>
struct LanesOfComponent {
  static constexpr int at(int l) { return l * C + Component; }
};
template <int C, int W, int Part>
struct LanesOfPart {
  static constexpr int at(int l) {
    return (Part * W + l) % C * W + (Part * W + l) / C;
  }
};

/// out[c] lane l = p[l C + c]
template <int C, class T, int W>
SPOROS_ALWAYS_INLINE void load_interleaved(Pack<T, W> (&out)[C], const T* p) {
  Pack<T, W> in[C];
  for (int r = 0; r < C; ++r) in[r] = Pack<T, W>::load(p + r * W);
  static_for<C>([&](auto c) SPOROS_INLINE_LAMBDA {
    out[c] = gather_lanes<C, LanesOfComponent<C, W, c>>(
        in, std::make_integer_sequence<int, W>{});
  });
}

/// p[l C + c] += in[c] lane l
template <int C, class T, int W>
SPOROS_ALWAYS_INLINE void add_interleaved(const Pack<T, W> (&in)[C], T* p) {
  static_for<C>([&](auto r) SPOROS_INLINE_LAMBDA {
    const Pack<T, W> part = gather_lanes<C, LanesOfPart<C, W, r>>(
        in, std::make_integer_sequence<int, W>{});
    (Pack<T, W>::load(p + r * W) + part).store(p + r * W);
  });
}

}  // namespace Impl
}  // namespace Sporos

#endif
