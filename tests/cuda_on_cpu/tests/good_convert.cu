// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions between all widths and kinds of numbers: rounding modes,
// saturation, NaN.
#include "instruction.hpp"

float flush(float x) {
  return std::fabs(x) < std::numeric_limits<float>::min()
             ? std::copysign(0.f, x)
             : x;
}
template <class T>
T saturate(T x) {
  return x > 0 ? (x < 1 ? x : T(1)) : T(0);
}
template <class T>
T integral(T x, int mode) {
  return rounded(mode, [&] { return std::nearbyint(x); });
}
// The text of the PTX ISA: out of range gives the nearest number; NaN gives 0,
// but the top bit alone where a type of 64 bits is involved.
template <class I, class F>
I to_integer(F x, int mode) {
  constexpr int bits = 8 * sizeof(I);
  if (x != x) {
    const bool zero = sizeof(F) < 8 && bits < 64;
    return zero ? I(0) : I(u64(1) << (bits - 1));
  }
  x           = integral(x, mode);
  using L     = std::numeric_limits<I>;
  const F end = std::ldexp(F(1), L::digits);  // L::max() + 1
  if (x >= end) return L::max();
  if (x <= F(L::min())) return L::min();
  return I(x);
}
template <class To, class From>
To clamped(From x) {
  using L          = std::numeric_limits<To>;
  const __int128 v = x;
  return v < L::min() ? L::min() : v > L::max() ? L::max() : To(v);
}
// A narrow number is extended to the width of its register.
template <class Register, class Narrow>
Register extended(Narrow x) {
  return Register(
      std::conditional_t<std::is_signed<Narrow>::value, i64, u64>(x));
}

// Between integers: Narrow in a register of type Register.
#define INTEGERS(to, To, ToRegister, from, From, FromRegister) \
  TEST_1("cvt." to "." from, ToRegister, FromRegister,         \
         extended<ToRegister, To>(To(From(a))))                \
  TEST_1("cvt.sat." to "." from, ToRegister, FromRegister,     \
         extended<ToRegister, To>(clamped<To>(From(a))))
#define FROM_INTEGERS(...)               \
  INTEGERS(__VA_ARGS__, "u8", u8, u32)   \
  INTEGERS(__VA_ARGS__, "s8", i8, u32)   \
  INTEGERS(__VA_ARGS__, "u16", u16, u16) \
  INTEGERS(__VA_ARGS__, "s16", i16, i16) \
  INTEGERS(__VA_ARGS__, "u32", u32, u32) \
  INTEGERS(__VA_ARGS__, "s32", i32, i32) \
  INTEGERS(__VA_ARGS__, "u64", u64, u64) \
  INTEGERS(__VA_ARGS__, "s64", i64, i64)

// Between an integer and a floating point type, both ways.
#define REAL(mode, fenv, type, Real, integer, Integer, Register)          \
  TEST_1("cvt." mode "i." integer "." type, Register, Real,               \
         extended<Register, Integer>(to_integer<Integer, Real>(a, fenv))) \
  TEST_1("cvt." mode "." type "." integer, Real, Register,                \
         rounded(fenv, [&] { return Real(Integer(a)); }))
#define MODES(...)                       \
  REAL("rn", FE_TONEAREST, __VA_ARGS__)  \
  REAL("rz", FE_TOWARDZERO, __VA_ARGS__) \
  REAL("rm", FE_DOWNWARD, __VA_ARGS__)   \
  REAL("rp", FE_UPWARD, __VA_ARGS__)
#define REALS(...) \
  MODES("f32", float, __VA_ARGS__) MODES("f64", double, __VA_ARGS__)

#define FLOATS(mode, fenv)                                                   \
  TEST_1("cvt." mode "i.f32.f32", float, float, integral<float>(a, fenv))    \
  TEST_1("cvt." mode "i.f64.f64", double, double, integral<double>(a, fenv)) \
  TEST_1("cvt." mode ".f32.f64", float, double,                              \
         rounded(fenv, [&] { return float(a); }))                            \
  TEST_1("cvt." mode ".ftz.f32.f64", float, double,                          \
         flush(rounded(fenv, [&] { return float(a); })))                     \
  TEST_1("cvt." mode "i.ftz.s32.f32", i32, float,                            \
         to_integer<i32>(flush(a), fenv))

FROM_INTEGERS("u8", u8, u32)
REALS("u8", u8, u32)
FROM_INTEGERS("s8", i8, u32)
REALS("s8", i8, u32)
FROM_INTEGERS("u16", u16, u16)
REALS("u16", u16, u16)
FROM_INTEGERS("s16", i16, i16)
REALS("s16", i16, i16)
FROM_INTEGERS("u32", u32, u32)
REALS("u32", u32, u32)
FROM_INTEGERS("s32", i32, i32)
REALS("s32", i32, i32)
FROM_INTEGERS("u64", u64, u64)
REALS("u64", u64, u64)
FROM_INTEGERS("s64", i64, i64)
REALS("s64", i64, i64)

FLOATS("rn", FE_TONEAREST)
FLOATS("rz", FE_TOWARDZERO)
FLOATS("rm", FE_DOWNWARD)
FLOATS("rp", FE_UPWARD)
TEST_1("cvt.f64.f32", double, float, a)
TEST_1("cvt.ftz.f64.f32", double, float, flush(a))
TEST_1("cvt.sat.f32.f32", float, float, saturate<float>(a))
TEST_1("cvt.rn.sat.f32.f64", float, double, float(saturate<double>(a)))
TEST_1("cvt.sat.f64.f64", double, double, saturate<double>(a))
