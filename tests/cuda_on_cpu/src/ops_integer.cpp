// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer arithmetic, logic and shifts.
#include "ops.hpp"
#include <algorithm>
#include <limits>
#include <type_traits>

namespace ptxrun {
namespace {

using i128 = __int128;
using u128 = unsigned __int128;

template <class T>
using Unsigned = std::make_unsigned_t<T>;
template <class T>
struct WideOf;
template <>
struct WideOf<u16> {
  using type = u32;
};
template <>
struct WideOf<i16> {
  using type = i32;
};
template <>
struct WideOf<u32> {
  using type = u64;
};
template <>
struct WideOf<i32> {
  using type = i64;
};
template <>
struct WideOf<u64> {
  using type = u128;
};
template <>
struct WideOf<i64> {
  using type = i128;
};
template <class T>
using Wide = typename WideOf<T>::type;

template <class T>
T mul_hi(T a, T b) {
  return static_cast<T>((static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b)) >>
                        (8 * sizeof(T)));
}
template <class T>
T mul_lo(T a, T b) {
  return static_cast<T>(static_cast<u64>(a) * static_cast<u64>(b));
}

// with carry: w.cc holds a bit for each lane
template <class T, int Kind, bool In, bool Out>
void carry(Warp &w, const Ins &i,
           u32 active) {  // Kind 0 add, 1 sub, 2 mad.lo, 3 mad.hi
  T *d       = column<T>(w, i.d);
  const T *a = column<T>(w, i.a), *b = column<T>(w, i.b),
          *c = Kind >= 2 ? column<T>(w, i.c) : nullptr;
  u32 cc     = w.cc;
  for (u32 m = active; m; m &= m - 1) {
    int l = __builtin_ctz(m);
    u128 x, y;
    u32 in = In ? cc >> l & 1 : 0;
    bool out;
    if (Kind == 1) {
      x    = a[l];
      y    = static_cast<u128>(b[l]) + in;
      out  = x < y;
      d[l] = static_cast<T>(x - y);
    } else {
      if (Kind == 0)
        x = a[l], y = b[l];
      else
        x = Kind == 2 ? mul_lo<T>(a[l], b[l]) : mul_hi<T>(a[l], b[l]), y = c[l];
      u128 r = x + y + in;
      out    = (r >> (8 * sizeof(T))) != 0;
      d[l]   = static_cast<T>(r);
    }
    if (Out) cc = (cc & ~(1u << l)) | (static_cast<u32>(out) << l);
  }
  w.cc = cc;
}
template <class T, int Kind>
Handler pick_carry(bool in, bool out) {
  return in ? (out ? carry<T, Kind, true, true> : carry<T, Kind, true, false>)
            : carry<T, Kind, false, true>;
}

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

template <int Op>
void predicates(Warp &w, const Ins &i, u32 active) {
  u32 a = predicate(w, i.a), b = Op < 3 ? predicate(w, i.b) : 0;
  set_predicate(w, i.d,
                Op == 0   ? a & b
                : Op == 1 ? a | b
                : Op == 2 ? a ^ b
                          : ~a,
                active);
}

template <class T>
Handler arithmetic(const Opcode &o) {
  using U  = Unsigned<T>;
  auto n   = o.name;
  bool sat = o.has("sat");
  if (n == "add" || n == "sub") {
    if (o.has("cc"))
      return n == "add" ? pick_carry<U, 0>(false, true)
                        : pick_carry<U, 1>(false, true);
    if (sat) {
      if (n == "add")
        return same2<T>([](T a, T b) {
          T r;
          return __builtin_add_overflow(a, b, &r)
                     ? (a < 0 ? std::numeric_limits<T>::min()
                              : std::numeric_limits<T>::max())
                     : r;
        });
      return same2<T>([](T a, T b) {
        T r;
        return __builtin_sub_overflow(a, b, &r)
                   ? (a < 0 ? std::numeric_limits<T>::min()
                            : std::numeric_limits<T>::max())
                   : r;
      });
    }
    if (n == "add")
      return same2<U>([](U a, U b) { return static_cast<U>(a + b); });
    return same2<U>([](U a, U b) { return static_cast<U>(a - b); });
  }
  if (n == "addc") return pick_carry<U, 0>(true, o.has("cc"));
  if (n == "subc") return pick_carry<U, 1>(true, o.has("cc"));
  if (n == "madc")
    return o.has("hi") ? pick_carry<U, 3>(true, o.has("cc"))
                       : pick_carry<U, 2>(true, o.has("cc"));
  if (n == "mad" && o.has("cc")) {
    if (o.has("hi"))
      return std::is_signed_v<T> ? nullptr : pick_carry<U, 3>(false, true);
    return pick_carry<U, 2>(false, true);
  }
  if (n == "mul") {
    if (o.has("hi")) return same2<T>([](T a, T b) { return mul_hi<T>(a, b); });
    if (o.has("wide")) {
      if constexpr (sizeof(T) < 8)
        return binary<Wide<T>, T, T>([](T a, T b) {
          return static_cast<Wide<T>>(static_cast<Wide<T>>(a) *
                                      static_cast<Wide<T>>(b));
        });
      return nullptr;
    }
    return same2<U>(
        [](U a, U b) { return static_cast<U>(static_cast<u64>(a) * b); });
  }
  if (n == "mad") {
    if (o.has("hi"))
      return same3<T>([](T a, T b, T c) {
        return static_cast<T>(static_cast<U>(mul_hi<T>(a, b)) +
                              static_cast<U>(c));
      });
    if (o.has("wide")) {
      if constexpr (sizeof(T) < 8)
        return ternary<Wide<T>, T, T, Wide<T>>([](T a, T b, Wide<T> c) {
          using W = Unsigned<Wide<T>>;
          return static_cast<Wide<T>>(static_cast<W>(static_cast<Wide<T>>(a) *
                                                     static_cast<Wide<T>>(b)) +
                                      static_cast<W>(c));
        });
      return nullptr;
    }
    return same3<U>([](U a, U b, U c) {
      return static_cast<U>(static_cast<u64>(a) * b + c);
    });
  }
  if (n == "mul24" || n == "mad24") return nullptr;
  if (n == "div")
    return same2<T>([](T a, T b) -> T {
      if (b == 0) return static_cast<T>(~U{});
      if constexpr (std::is_signed_v<T>)
        if (b == -1) return static_cast<T>(U{} - static_cast<U>(a));
      return a / b;
    });
  if (n == "rem")
    return same2<T>([](T a, T b) -> T {
      if (b == 0) return a;
      if constexpr (std::is_signed_v<T>)
        if (b == -1) return 0;
      return a % b;
    });
  if (n == "abs")
    return same1<T>([](T a) -> T {
      return a < 0 ? static_cast<T>(U{} - static_cast<U>(a)) : a;
    });
  if (n == "neg") return same1<U>([](U a) { return static_cast<U>(U{} - a); });
  if (n == "min") return same2<T>([](T a, T b) { return a < b ? a : b; });
  if (n == "max") return same2<T>([](T a, T b) { return a < b ? b : a; });
  if (n == "sad")
    return same3<T>([](T a, T b, T c) {
      return static_cast<T>(static_cast<U>(c) +
                            (a < b ? static_cast<U>(b) - static_cast<U>(a)
                                   : static_cast<U>(a) - static_cast<U>(b)));
    });
  if (n == "shr")
    return binary<T, T, u32>([](T a, u32 s) -> T {
      constexpr u32 bits = 8 * sizeof(T);
      if (s >= bits)
        return std::is_signed_v<T> && a < 0 ? static_cast<T>(-1) : T{0};
      return a >> s;
    });
  if (n == "bfe")
    return ternary<T, T, u32, u32>(
        [](T a, u32 b, u32 c) { return bfe<T>(a, b, c); });
  if (n == "bfind")
    return o.has("shiftamt")
               ? unary<u32, T>([](T a) { return bfind<T, true>(a); })
               : unary<u32, T>([](T a) { return bfind<T, false>(a); });
  return nullptr;
}

template <class U>
Handler logic(const Opcode &o) {
  auto n = o.name;
  if (n == "and")
    return same2<U>([](U a, U b) { return static_cast<U>(a & b); });
  if (n == "or")
    return same2<U>([](U a, U b) { return static_cast<U>(a | b); });
  if (n == "xor")
    return same2<U>([](U a, U b) { return static_cast<U>(a ^ b); });
  if (n == "not") return same1<U>([](U a) { return static_cast<U>(~a); });
  if (n == "cnot") return same1<U>([](U a) { return static_cast<U>(a == 0); });
  if (n == "shl")
    return binary<U, U, u32>([](U a, u32 s) {
      return s >= 8 * sizeof(U) ? U{0} : static_cast<U>(a << s);
    });
  return nullptr;
}

}  // namespace

Handler pick_integer(const Opcode &o) {
  auto n = o.name;
  if (o.type == PRED) {
    if (n == "and") return predicates<0>;
    if (n == "or") return predicates<1>;
    if (n == "xor") return predicates<2>;
    if (n == "not") return predicates<3>;
    return nullptr;
  }
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
  if (n == "szext") return nullptr;
  Handler h = nullptr;
  switch (size) {
    case 2: h = logic<u16>(o); break;
    case 4: h = logic<u32>(o); break;
    case 8: h = logic<u64>(o); break;
  }
  if (h) return h;
  switch (o.type) {
    case U16:
    case B16: return arithmetic<u16>(o);
    case S16: return arithmetic<i16>(o);
    case U32:
    case B32: return arithmetic<u32>(o);
    case S32: return arithmetic<i32>(o);
    case U64:
    case B64: return arithmetic<u64>(o);
    case S64: return arithmetic<i64>(o);
    default: return nullptr;
  }
}

}  // namespace ptxrun
