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
  if (Handler h = pick_bits(o)) return h;
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
