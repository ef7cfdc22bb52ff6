// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bit fields, permutations of bytes, counts of bits.
#include "ops.hpp"
#include <algorithm>
#include <type_traits>

namespace ptxrun {
namespace {

template <class T>
using Unsigned = std::make_unsigned_t<T>;

u32 prmt(u32 a, u32 b, u32 s, int mode) {
  u64 ab = static_cast<u64>(b) << 32 | a;
  u32 r  = 0;
  for (int k = 0; k < 4; ++k) {
    u32 sel;
    switch (mode) {
      case 0: sel = s >> (4 * k) & 15; break;
      case 1: sel = (s & 3) + k; break;              // f4e
      case 2: sel = ((s & 3) - k) & 7; break;        // b4e
      case 3: sel = s & 3; break;                    // rc8
      case 4: sel = std::max<u32>(s & 3, k); break;  // ecl
      case 5: sel = std::min<u32>(s & 3, k); break;  // ecr
      default: sel = (s & 1) * 2 + (k & 1); break;   // rc16
    }
    u32 byte = ab >> (8 * (sel & 7)) & 255;
    if (mode == 0 && sel & 8) byte = byte & 128 ? 255 : 0;
    r |= byte << (8 * k);
  }
  return r;
}
template <int Mode>
Handler pick_prmt() {
  return same3<u32>([](u32 a, u32 b, u32 c) { return prmt(a, b, c, Mode); });
}

template <class T>
T bfe(T a, u32 b, u32 c) {
  using U            = Unsigned<T>;
  constexpr int bits = 8 * sizeof(T);
  u32 pos = b & 255, len = c & 255;
  U v = 0;
  if (len) {
    u32 n  = std::min<u32>(len, bits);
    v      = pos < bits ? static_cast<U>(a) >> pos : 0;
    U mask = n >= bits ? ~U{} : (U{1} << n) - 1;
    v &= mask;
    if (std::is_signed_v<T>) {
      u32 top   = std::min<u32>(pos + len - 1, bits - 1);
      bool sign = static_cast<U>(a) >> top & 1;
      u32 have  = pos < bits ? std::min<u32>(n, bits - pos) : 0;
      if (sign && have < bits) v |= ~U{} << have;
    }
  }
  return static_cast<T>(v);
}
template <class U>
U bfi(U a, U b, u32 c, u32 d) {
  constexpr u32 bits = 8 * sizeof(U);
  u32 pos = c & 255, len = d & 255;
  if (pos >= bits || len == 0) return b;
  U mask = len >= bits ? ~U{} : (U{1} << len) - 1;
  mask <<= pos;
  return (b & ~mask) | ((a << pos) & mask);
}
template <class U>
void bfi_handler(Warp &w, const Ins &i, u32 active) {
  U *d       = column<U>(w, i.d);
  const U *a = column<U>(w, i.a), *b = column<U>(w, i.b);
  const u32 *c = column<u32>(w, i.c), *e = column<u32>(w, i.e);
  lanes(active, [=](int l) { d[l] = bfi<U>(a[l], b[l], c[l], e[l]); });
}
template <class T, bool Shift>
u32 bfind(T a) {
  using U            = Unsigned<T>;
  constexpr int bits = 8 * sizeof(T);
  U v                = a;
  if (std::is_signed_v<T> && a < 0) v = ~v;
  if (v == 0) return ~0u;
  u32 r = bits - 1 -
          (sizeof(T) == 8 ? __builtin_clzll(v)
                          : __builtin_clz(static_cast<u32>(v)));
  return Shift ? bits - 1 - r : r;
}
u32 brev(u32 v) {
  v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
  v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
  v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
  return __builtin_bswap32(v);
}

void lop3(Warp &w, const Ins &i, u32 active) {
  u32 *d       = column<u32>(w, i.d);
  const u32 *a = column<u32>(w, i.a), *b = column<u32>(w, i.b),
            *c = column<u32>(w, i.c);
  u32 m[8];
  for (int k = 0; k < 8; ++k) m[k] = i.imm >> k & 1 ? ~0u : 0;
  lanes(active, [=](int l) {
    u32 x = a[l], y = b[l], z = c[l];
    d[l] = (~x & ~y & ~z & m[0]) | (~x & ~y & z & m[1]) | (~x & y & ~z & m[2]) |
           (~x & y & z & m[3]) | (x & ~y & ~z & m[4]) | (x & ~y & z & m[5]) |
           (x & y & ~z & m[6]) | (x & y & z & m[7]);
  });
}

template <class T>
Handler fields(const Opcode &o) {
  auto n = o.name;
  if (n == "bfe")
    return ternary<T, T, u32, u32>(
        [](T a, u32 b, u32 c) { return bfe<T>(a, b, c); });
  if (n == "bfind")
    return o.has("shiftamt")
               ? unary<u32, T>([](T a) { return bfind<T, true>(a); })
               : unary<u32, T>([](T a) { return bfind<T, false>(a); });
  return nullptr;
}

}  // namespace

Handler pick_bits(const Opcode &o) {
  auto n   = o.name;
  int size = type_size(o.type);
  if (n == "lop3") return lop3;
  if (n == "clz")
    return size == 8 ? unary<u32, u64>([](u64 a) {
      return a ? static_cast<u32>(__builtin_clzll(a)) : 64u;
    })
                     : unary<u32, u32>([](u32 a) {
                         return a ? static_cast<u32>(__builtin_clz(a)) : 32u;
                       });
  if (n == "popc")
    return size == 8 ? unary<u32, u64>([](u64 a) {
      return static_cast<u32>(__builtin_popcountll(a));
    })
                     : unary<u32, u32>([](u32 a) {
                         return static_cast<u32>(__builtin_popcount(a));
                       });
  if (n == "brev")
    return size == 8 ? same1<u64>([](u64 a) {
      return static_cast<u64>(brev(static_cast<u32>(a))) << 32 |
             brev(static_cast<u32>(a >> 32));
    })
                     : same1<u32>([](u32 a) { return brev(a); });
  if (n == "bfi") return size == 8 ? bfi_handler<u64> : bfi_handler<u32>;
  if (n == "prmt") {
    if (o.has("f4e")) return pick_prmt<1>();
    if (o.has("b4e")) return pick_prmt<2>();
    if (o.has("rc8")) return pick_prmt<3>();
    if (o.has("ecl")) return pick_prmt<4>();
    if (o.has("ecr")) return pick_prmt<5>();
    if (o.has("rc16")) return pick_prmt<6>();
    return pick_prmt<0>();
  }
  if (n == "shf") {
    if (o.has("l"))
      return o.has("clamp") ? same3<u32>([](u32 a, u32 b, u32 c) {
        c = c > 32 ? 32 : c;
        return static_cast<u32>((static_cast<u64>(b) << 32 | a) << c >> 32) |
               (c == 32 ? 0 : 0);
      })
                            : same3<u32>([](u32 a, u32 b, u32 c) {
                                c &= 31;
                                return static_cast<u32>(
                                    (static_cast<u64>(b) << 32 | a) << c >> 32);
                              });
    return o.has("clamp") ? same3<u32>([](u32 a, u32 b, u32 c) {
      c = c > 32 ? 32 : c;
      return static_cast<u32>((static_cast<u64>(b) << 32 | a) >> c);
    })
                          : same3<u32>([](u32 a, u32 b, u32 c) {
                              c &= 31;
                              return static_cast<u32>(
                                  (static_cast<u64>(b) << 32 | a) >> c);
                            });
  }
  if (n == "dp4a") {
    bool sa = o.type2 == S32, sb = o.type == S32;
    if (sa && sb)
      return same3<u32>([](u32 a, u32 b, u32 c) {
        for (int k = 0; k < 32; k += 8)
          c += static_cast<i8>(a >> k) * static_cast<i8>(b >> k);
        return c;
      });
    if (sa)
      return same3<u32>([](u32 a, u32 b, u32 c) {
        for (int k = 0; k < 32; k += 8)
          c += static_cast<i8>(a >> k) *
               static_cast<int>(static_cast<u8>(b >> k));
        return c;
      });
    if (sb)
      return same3<u32>([](u32 a, u32 b, u32 c) {
        for (int k = 0; k < 32; k += 8)
          c += static_cast<int>(static_cast<u8>(a >> k)) *
               static_cast<i8>(b >> k);
        return c;
      });
    return same3<u32>([](u32 a, u32 b, u32 c) {
      for (int k = 0; k < 32; k += 8)
        c +=
            static_cast<u32>(static_cast<u8>(a >> k)) * static_cast<u8>(b >> k);
      return c;
    });
  }
  if (n == "fns")
    return same3<u32>([](u32 mask, u32 base, u32 offset) -> u32 {
      i32 k = static_cast<i32>(offset);
      if (k == 0) return base < 32 && mask >> base & 1 ? base : ~0u;
      int step = k > 0 ? 1 : -1, left = k > 0 ? k : -k;
      for (int p = static_cast<int>(base); p >= 0 && p < 32; p += step)
        if (mask >> p & 1 && --left == 0) return p;
      return ~0u;
    });
  if (n == "bmsk")
    return o.has("clamp") ? same2<u32>([](u32 a, u32 b) -> u32 {
      if (a > 31 || b == 0) return 0;
      u64 m = b > 31 ? ~0ull : (1ull << b) - 1;
      return static_cast<u32>(m << a);
    })
                          : same2<u32>([](u32 a, u32 b) -> u32 {
                              a &= 31;
                              b &= 31;
                              return ((1u << b) - 1) << a;
                            });
  if (n == "bfe" || n == "bfind") switch (o.type) {
      case U32:
      case B32: return fields<u32>(o);
      case S32: return fields<i32>(o);
      case U64:
      case B64: return fields<u64>(o);
      case S64: return fields<i64>(o);
      default: return nullptr;
    }
  return nullptr;
}

}  // namespace ptxrun
