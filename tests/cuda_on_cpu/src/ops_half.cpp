// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating point of 16 bits: formats, and arithmetic through wider ones.
#include "half.hpp"
#include <algorithm>
#include <cfenv>
#include <cmath>

namespace ptxrun {

float half_to_float(u16 h) {
  u32 sign = static_cast<u32>(h & 0x8000) << 16, e = h >> 10 & 31, m = h & 1023;
  float f;
  if (e == 0) {
    f = std::ldexp(static_cast<float>(m), -24);
    return sign ? -f : f;
  }
  u32 v =
      e == 31 ? sign | 0x7f800000 | m << 13 : sign | (e + 112) << 23 | m << 13;
  memcpy(&f, &v, 4);
  return f;
}
u16 double_to_half(double x, int mode) {  // FE_ mode
  u16 sign = std::signbit(x) ? 0x8000 : 0;
  if (std::isnan(x)) return 0x7fff;
  double a = std::fabs(x);
  if (std::isinf(a)) return sign | 0x7c00;
  int before = fegetround();
  fesetround(sign ? (mode == FE_UPWARD     ? FE_DOWNWARD
                     : mode == FE_DOWNWARD ? FE_UPWARD
                                           : mode)
                  : mode);
  int e;
  std::frexp(a, &e);
  e        = std::max(e - 11, -24);
  double q = std::nearbyint(std::ldexp(a, -e));  // an integer up to 2048
  fesetround(before);
  double r = std::ldexp(q, e);
  if (r >= 65536) return sign | (mode == FE_TOWARDZERO ? 0x7bff : 0x7c00);
  if (r < std::ldexp(1., -14))
    return sign | static_cast<u16>(std::ldexp(r, 24));
  std::frexp(r, &e);
  return sign | static_cast<u16>((e - 1 + 15) << 10) |
         (static_cast<u16>(std::ldexp(r, 11 - e)) & 1023);
}
float bf16_to_float(u16 h) {
  u32 v = static_cast<u32>(h) << 16;
  float f;
  memcpy(&f, &v, 4);
  return f;
}
u16 float_to_bf16(float x, bool zero) {
  u32 v;
  memcpy(&v, &x, 4);
  if (std::isnan(x)) return 0x7fff;
  if (!zero) v += 0x7fff + (v >> 16 & 1);
  return v >> 16;
}

// Arithmetic: i.x operation, i.y bfloat, i.z pair.
namespace {

enum HalfOp { HADD, HSUB, HMUL, HFMA, HNEG, HABS, HMIN, HMAX, HEX2, HTANH };

u16 half_op(const Ins &i, u16 a, u16 b, u16 c) {
  auto get = [&](u16 x) -> float {
    return i.y ? bf16_to_float(x) : half_to_float(x);
  };
  auto put = [&](double x) -> u16 {
    return i.y ? float_to_bf16(static_cast<float>(x), false)
               : double_to_half(x, FE_TONEAREST);
  };
  switch (i.x) {
    case HNEG: return a ^ 0x8000;
    case HABS: return a & 0x7fff;
    case HADD: return put(static_cast<double>(get(a)) + get(b));
    case HSUB: return put(static_cast<double>(get(a)) - get(b));
    case HMUL: return put(static_cast<double>(get(a)) * get(b));
    case HFMA:
      return put(std::fma(static_cast<double>(get(a)),
                          static_cast<double>(get(b)),
                          static_cast<double>(get(c))));
    case HMIN:
      return std::isnan(get(a))                                    ? b
             : std::isnan(get(b))                                  ? a
             : get(a) < get(b) || (get(a) == get(b) && a & 0x8000) ? a
                                                                   : b;
    case HMAX:
      return std::isnan(get(a))                                    ? b
             : std::isnan(get(b))                                  ? a
             : get(b) < get(a) || (get(a) == get(b) && b & 0x8000) ? a
                                                                   : b;
    case HEX2: return put(std::exp2(get(a)));
    default: return put(std::tanh(get(a)));
  }
}
void half(Warp &w, const Ins &i, u32 active) {
  for (u32 m = active; m; m &= m - 1) {
    int l = __builtin_ctz(m);
    if (i.z) {
      u32 a = column<u32>(w, i.a)[l],
          b = i.b == none ? 0 : column<u32>(w, i.b)[l],
          c = i.c == none ? 0 : column<u32>(w, i.c)[l];
      column<u32>(w, i.d)[l] =
          half_op(i, a, b, c) |
          static_cast<u32>(half_op(i, a >> 16, b >> 16, c >> 16)) << 16;
    } else
      column<u16>(w, i.d)[l] = half_op(
          i, column<u16>(w, i.a)[l], i.b == none ? 0 : column<u16>(w, i.b)[l],
          i.c == none ? 0 : column<u16>(w, i.c)[l]);
  }
}
void half_setp(Warp &w, const Ins &i,
               u32 active) {  // i.y bfloat, i.z comparison
  u32 r = 0;
  for (u32 m = active; m; m &= m - 1) {
    int l = __builtin_ctz(m);
    u16 a = column<u16>(w, i.a)[l], b = column<u16>(w, i.b)[l];
    float x = i.y ? bf16_to_float(a) : half_to_float(a),
          y = i.y ? bf16_to_float(b) : half_to_float(b);
    bool un = std::isnan(x) || std::isnan(y), v = false;
    switch (i.z & 15) {
      case 0: v = x == y; break;
      case 1: v = !un && x != y; break;
      case 2: v = x < y; break;
      case 3: v = x <= y; break;
      case 4: v = x > y; break;
      case 5: v = x >= y; break;
      case 6: v = !un; break;
      case 7: v = un; break;
    }
    if (i.z & 16) v |= un;
    r |= static_cast<u32>(v) << l;
  }
  u32 q = ~r;
  if (i.x) {
    u32 c = predicate(w, i.c);
    r     = i.x == 1 ? r & c : i.x == 2 ? r | c : r ^ c;
    q     = i.x == 1 ? q & c : i.x == 2 ? q | c : q ^ c;
  }
  set_predicate(w, i.d, r, active);
  set_predicate(w, i.e, q, active);
}

}  // namespace

Handler pick_half(const Opcode &o, Ins &i) {
  i.y       = o.type == BF16 || o.type == BF16X2;
  bool pair = o.type == F16X2 || o.type == BF16X2;
  if (o.name == "setp") {
    if (pair) return nullptr;
    static const char *names[]     = {"eq", "ne", "lt",  "le",
                                      "gt", "ge", "num", "nan"};
    static const char *unordered[] = {"equ", "neu", "ltu", "leu", "gtu", "geu"};
    for (int k = 0; k < 8; ++k)
      if (o.has(names[k])) i.z = k;
    for (int k = 0; k < 6; ++k)
      if (o.has(unordered[k])) i.z = k | 16;
    return half_setp;
  }
  if (o.has("sat") || o.has("relu") || o.has("NaN")) return nullptr;
  i.z                                             = pair;
  static const std::pair<const char *, int> ops[] = {
      {"add", HADD}, {"sub", HSUB},  {"mul", HMUL}, {"fma", HFMA},
      {"neg", HNEG}, {"abs", HABS},  {"min", HMIN}, {"max", HMAX},
      {"ex2", HEX2}, {"tanh", HTANH}};
  for (auto &[n, x] : ops)
    if (o.name == n) {
      i.x = x;
      return half;
    }
  return nullptr;
}

}  // namespace ptxrun
