// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cvt: conversions between all numbers.
#include "half.hpp"
#include <cfenv>
#include <cmath>
#include <limits>
#include <type_traits>

namespace ptxrun {

namespace {

enum Mode { RN, RZ, RM, RP, RNA };

template <class T>
T integral(T x, Mode m) {
  switch (m) {
    case RZ: return std::trunc(x);
    case RM: return std::floor(x);
    case RP: return std::ceil(x);
    default: return std::nearbyint(x);
  }
}

// source_bytes: of the instruction's type, which may be narrower than F
template <class I, class F>
I to_integer(F x, Mode m, size_t source_bytes = sizeof(F)) {
  if (std::isnan(x))
    return source_bytes < 8 && sizeof(I) < 8
               ? I{0}
               : static_cast<I>(u64{1} << (8 * sizeof(I) - 1));
  x                  = integral(x, m);
  constexpr int bits = std::numeric_limits<I>::digits;
  const F top        = std::ldexp(F{1}, bits);
  if (x >= top) return std::numeric_limits<I>::max();
  if (std::is_signed_v<I> ? x < -top : x < 0)
    return std::numeric_limits<I>::min();
  return static_cast<I>(x);
}

template <class D, class S, Mode M>
Handler float_to_int() {
  return unary<D, S>([](S a) { return to_integer<D, S>(a, M); });
}
template <class D, class S>
Handler float_to_int(Mode m) {
  switch (m) {
    case RZ: return float_to_int<D, S, RZ>();
    case RM: return float_to_int<D, S, RM>();
    case RP: return float_to_int<D, S, RP>();
    default: return float_to_int<D, S, RN>();
  }
}

int host_mode(Mode m) {
  return m == RZ   ? FE_TOWARDZERO
         : m == RM ? FE_DOWNWARD
         : m == RP ? FE_UPWARD
                   : FE_TONEAREST;
}

// Any conversion, lane by lane: i.x destination type, i.y source type, i.z
// sizes of the registers (d | s << 4), i.imm: mode | sat << 8 | ftz << 9
void any(Warp &w, const Ins &i, u32 active) {
  Type dt = static_cast<Type>(i.x), st = static_cast<Type>(i.y);
  int ds = i.z & 15, ss = i.z >> 4;
  Mode mode = static_cast<Mode>(i.imm & 255);
  bool sat = i.imm >> 8 & 1, ftz = i.imm >> 9 & 1;
  u8 *dp       = column<u8>(w, i.d);
  const u8 *sp = column<u8>(w, i.a);
  auto flush   = [&](float x) {
    return ftz && std::fabs(x) < std::numeric_limits<float>::min()
                 ? std::copysign(0.f, x)
                 : x;
  };
  for (u32 m = active; m; m &= m - 1) {
    int l = __builtin_ctz(m);
    u64 v = 0;
    memcpy(&v, sp + l * ss, ss);
    bool source_float = st == F16 || st == BF16 || st == F32 || st == F64;
    bool dest_float   = dt == F16 || dt == BF16 || dt == F32 || dt == F64;
    u64 r             = 0;
    double x          = 0;
    i64 n             = 0;
    bool negative     = false;
    if (source_float) {
      float f;
      if (st == F64)
        memcpy(&x, &v, 8);
      else {
        if (st == F32)
          memcpy(&f, &v, 4), f = flush(f);
        else
          f = st == F16 ? half_to_float(v) : bf16_to_float(v);
        x = f;
      }
    } else {
      switch (st) {
        case S8: n = static_cast<i8>(v); break;
        case S16: n = static_cast<i16>(v); break;
        case S32: n = static_cast<i32>(v); break;
        case U8:
        case B8: n = static_cast<u8>(v); break;
        case U16:
        case B16: n = static_cast<u16>(v); break;
        case U32:
        case B32: n = static_cast<u32>(v); break;
        default: n = v;
      }
      negative = n < 0 && (st == S8 || st == S16 || st == S32 || st == S64);
    }
    if (dest_float) {
      if (source_float) {
        bool integer = i.imm >> 10 & 1;
        if (integer) x = integral(x, mode);
      } else {
        int before = fegetround();
        fesetround(host_mode(mode));
        volatile i64 a = n;
        volatile u64 b = n;
        if (dt == F32) {  // rounded once
          volatile float y;
          if (negative)
            y = static_cast<float>(a);
          else
            y = static_cast<float>(b);
          x = y;
        } else {
          volatile double y;
          if (negative)
            y = static_cast<double>(a);
          else
            y = static_cast<double>(b);
          x = y;
        }
        fesetround(before);
      }
      if (sat) x = x > 0 ? (x < 1 ? x : 1) : 0;
      if (dt == F64)
        memcpy(&r, &x, 8);
      else if (dt == F32) {
        int before = fegetround();
        fesetround(host_mode(mode));
        volatile double z = x;
        volatile float y  = static_cast<float>(z);
        fesetround(before);
        float q = flush(y);
        memcpy(&r, &q, 4);
      } else if (dt == F16)
        r = double_to_half(x, host_mode(mode));
      else
        r = float_to_bf16(static_cast<float>(x), mode == RZ);
      if (i.imm >> 11 & 1) {  // relu
        if (std::signbit(x) && !std::isnan(x)) r = 0;
      }
    } else {
      if (source_float) {
        switch (dt) {
          case S8: r = to_integer<i8>(x, mode, type_size(st)); break;
          case S16: r = to_integer<i16>(x, mode, type_size(st)); break;
          case S32: r = to_integer<i32>(x, mode, type_size(st)); break;
          case S64: r = to_integer<i64>(x, mode, type_size(st)); break;
          case U8: r = to_integer<u8>(x, mode, type_size(st)); break;
          case U16: r = to_integer<u16>(x, mode, type_size(st)); break;
          case U32: r = to_integer<u32>(x, mode, type_size(st)); break;
          default: r = to_integer<u64>(x, mode, type_size(st));
        }
      } else {
        r = n;
        if (sat) {
          auto clamp = [&](i64 lo, u64 hi) {
            if (negative)
              r = n < lo ? lo : n;
            else
              r = static_cast<u64>(n) > hi ? hi : n;
          };
          switch (dt) {
            case S8: clamp(-128, 127); break;
            case S16: clamp(-32768, 32767); break;
            case S32: clamp(INT32_MIN, INT32_MAX); break;
            case S64: clamp(INT64_MIN, INT64_MAX); break;
            case U8: clamp(0, 255); break;
            case U16: clamp(0, 65535); break;
            case U32: clamp(0, UINT32_MAX); break;
            default: clamp(0, UINT64_MAX);
          }
        }
        switch (dt) {  // as the type, then to the width of the register
          case S8: r = static_cast<i64>(static_cast<i8>(r)); break;
          case S16: r = static_cast<i64>(static_cast<i16>(r)); break;
          case S32: r = static_cast<i64>(static_cast<i32>(r)); break;
          case U8:
          case B8: r = static_cast<u8>(r); break;
          case U16:
          case B16: r = static_cast<u16>(r); break;
          case U32:
          case B32: r = static_cast<u32>(r); break;
          default: break;
        }
      }
    }
    memcpy(dp + l * ds, &r, ds);
  }
}

// two floats to a pair of 16-bit numbers
void pack2(Warp &w, const Ins &i, u32 active) {
  u32 *d         = column<u32>(w, i.d);
  const float *a = column<float>(w, i.a), *b = column<float>(w, i.b);
  for (u32 m = active; m; m &= m - 1) {
    int l    = __builtin_ctz(m);
    auto one = [&](float x) -> u32 {
      return i.x == F16X2 ? double_to_half(x, host_mode(static_cast<Mode>(i.y)))
                          : float_to_bf16(x, i.y == RZ);
    };
    d[l] = one(a[l]) << 16 | one(b[l]);
  }
}

template <class S>
Handler widths(Type d) {
  switch (d) {
    case U16:
    case S16:
    case B16: return unary<u16, S>([](S a) { return static_cast<u16>(a); });
    case U32:
    case S32:
    case B32: return unary<u32, S>([](S a) { return static_cast<u32>(a); });
    default: return unary<u64, S>([](S a) { return static_cast<u64>(a); });
  }
}

}  // namespace

Handler pick_convert(const Opcode &o, Ins &i) {
  Type d = o.type2, s = o.type;
  Mode m       = RN;
  bool integer = false;
  for (auto p : o.parts) {
    if (p == "rz" || p == "rzi") m = RZ;
    if (p == "rm" || p == "rmi") m = RM;
    if (p == "rp" || p == "rpi") m = RP;
    if (p == "rni" || p == "rzi" || p == "rmi" || p == "rpi") integer = true;
  }
  bool sat = o.has("sat"), ftz = o.has("ftz");
  bool exact = o.dest_size == type_size(d) && o.source_size == type_size(s);
  if (d == F16X2 || d == BF16X2) {
    if (i.b == none || s != F32) return nullptr;
    i.x = d;
    i.y = m;
    return pack2;
  }
  for (Type t : {d, s})
    if (t == PRED || t == NOTYPE) return nullptr;
  bool df = d == F32 || d == F64, sf = s == F32 || s == F64;
  bool plain = exact && !sat && !ftz;
  if (plain && !df && !sf && d != F16 && s != F16 && d != BF16 && s != BF16)
    switch (s) {
      case U16:
      case B16: return widths<u16>(d);
      case S16: return widths<i16>(d);
      case U32:
      case B32: return widths<u32>(d);
      case S32: return widths<i32>(d);
      case U64:
      case B64:
      case S64: return widths<u64>(d);
      default: break;
    }
  if (plain && df && !sf && m == RN) {
    if (d == F64) switch (s) {
        case S32:
          return unary<double, i32>(
              [](i32 a) { return static_cast<double>(a); });
        case U32:
          return unary<double, u32>(
              [](u32 a) { return static_cast<double>(a); });
        case S64:
          return unary<double, i64>(
              [](i64 a) { return static_cast<double>(a); });
        case U64:
          return unary<double, u64>(
              [](u64 a) { return static_cast<double>(a); });
        default: break;
      }
    else
      switch (s) {
        case S32:
          return unary<float, i32>([](i32 a) { return static_cast<float>(a); });
        case U32:
          return unary<float, u32>([](u32 a) { return static_cast<float>(a); });
        case S64:
          return unary<float, i64>([](i64 a) { return static_cast<float>(a); });
        case U64:
          return unary<float, u64>([](u64 a) { return static_cast<float>(a); });
        default: break;
      }
  }
  if (plain && sf && !df) {
    bool f = s == F32;
    switch (d) {
      case S32:
        return f ? float_to_int<i32, float>(m) : float_to_int<i32, double>(m);
      case U32:
        return f ? float_to_int<u32, float>(m) : float_to_int<u32, double>(m);
      case S64:
        return f ? float_to_int<i64, float>(m) : float_to_int<i64, double>(m);
      case U64:
        return f ? float_to_int<u64, float>(m) : float_to_int<u64, double>(m);
      default: break;
    }
  }
  if (plain && d == F64 && s == F32)
    return unary<double, float>([](float a) { return static_cast<double>(a); });
  if (plain && d == F32 && s == F64 && m == RN)
    return unary<float, double>([](double a) { return static_cast<float>(a); });
  if (plain && d == F64 && s == F64) switch (m) {
      case RZ: return same1<double>([](double a) { return std::trunc(a); });
      case RM: return same1<double>([](double a) { return std::floor(a); });
      case RP: return same1<double>([](double a) { return std::ceil(a); });
      default: return same1<double>([](double a) { return std::nearbyint(a); });
    }
  i.x   = d;
  i.y   = s;
  i.z   = o.dest_size | o.source_size << 4;
  i.imm = m | sat << 8 | ftz << 9 | integer << 10 | o.has("relu") << 11;
  return any;
}

}  // namespace ptxrun
