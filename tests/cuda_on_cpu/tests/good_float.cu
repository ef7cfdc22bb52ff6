// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating point instructions: rounding modes, NaN, infinities, signed zeros,
// denormal numbers.
#include "instruction.hpp"

#define MODE_2(opcode, T, mode, op) \
  TEST_2(opcode, T, T, T, rounded(mode, [&]() -> T { return a op b; }))
#define MODE_FMA(opcode, T, mode) \
  TEST_3(opcode, T, T, T, T,      \
         rounded(mode, [&]() -> T { return std::fma(T(a), T(b), T(c)); }))
#define MODE_SQRT(opcode, T, mode) \
  TEST_1(opcode, T, T, rounded(mode, [&]() -> T { return std::sqrt(T(a)); }))
#define MODE_RCP(opcode, T, mode) \
  TEST_1(opcode, T, T, rounded(mode, [&]() -> T { return T(1) / a; }))

float flush(float x) {
  return std::fabs(x) < std::numeric_limits<float>::min()
             ? std::copysign(0.f, x)
             : x;
}
template <class T>
T saturate(T x) {
  return x > 0 ? (x < 1 ? x : T(1)) : T(0);  // NaN: 0
}
template <class T>
T least(T a, T b) {
  if (a != a) return b;
  if (b != b) return a;
  if (a == 0 && b == 0) return std::signbit(a) ? a : b;
  return std::min(a, b);
}
template <class T>
T greatest(T a, T b) {
  return -least<T>(-a, -b);
}

TEST_2("add.f32", float, float, float, a + b)
TEST_2("add.rn.f32", float, float, float, a + b)
MODE_2("add.rz.f32", float, FE_TOWARDZERO, +)
MODE_2("add.rm.f32", float, FE_DOWNWARD, +)
MODE_2("add.rp.f32", float, FE_UPWARD, +)
TEST_2("sub.f32", float, float, float, a - b)
TEST_2("sub.rn.f32", float, float, float, a - b)
MODE_2("sub.rz.f32", float, FE_TOWARDZERO, -)
MODE_2("sub.rm.f32", float, FE_DOWNWARD, -)
MODE_2("sub.rp.f32", float, FE_UPWARD, -)
TEST_2("mul.f32", float, float, float, a *b)
TEST_2("mul.rn.f32", float, float, float, a *b)
MODE_2("mul.rz.f32", float, FE_TOWARDZERO, *)
MODE_2("mul.rm.f32", float, FE_DOWNWARD, *)
MODE_2("mul.rp.f32", float, FE_UPWARD, *)
MODE_2("div.rn.f32", float, FE_TONEAREST, /)
MODE_FMA("fma.rn.f32", float, FE_TONEAREST)
MODE_SQRT("sqrt.rn.f32", float, FE_TONEAREST)
MODE_RCP("rcp.rn.f32", float, FE_TONEAREST)
MODE_2("div.rz.f32", float, FE_TOWARDZERO, /)
MODE_FMA("fma.rz.f32", float, FE_TOWARDZERO)
MODE_SQRT("sqrt.rz.f32", float, FE_TOWARDZERO)
MODE_RCP("rcp.rz.f32", float, FE_TOWARDZERO)
MODE_2("div.rm.f32", float, FE_DOWNWARD, /)
MODE_FMA("fma.rm.f32", float, FE_DOWNWARD)
MODE_SQRT("sqrt.rm.f32", float, FE_DOWNWARD)
MODE_RCP("rcp.rm.f32", float, FE_DOWNWARD)
MODE_2("div.rp.f32", float, FE_UPWARD, /)
MODE_FMA("fma.rp.f32", float, FE_UPWARD)
MODE_SQRT("sqrt.rp.f32", float, FE_UPWARD)
MODE_RCP("rcp.rp.f32", float, FE_UPWARD)
TEST_1("neg.f32", float, float, -a)
TEST_1("abs.f32", float, float, std::fabs(float(a)))
TEST_2("min.f32", float, float, float, least<float>(a, b))
TEST_2("max.f32", float, float, float, greatest<float>(a, b))
TEST_2("copysign.f32", float, float, float, std::copysign(float(b), float(a)))
TEXT_1("testp.finite.f32",
       "{.reg .pred p; testp.finite.f32 p, %1; selp.u32 %0, 1, 0, p;}", u32,
       float, std::isfinite(float(a)))
TEXT_1("testp.infinite.f32",
       "{.reg .pred p; testp.infinite.f32 p, %1; selp.u32 %0, 1, 0, p;}", u32,
       float, std::isinf(float(a)))
TEXT_1("testp.number.f32",
       "{.reg .pred p; testp.number.f32 p, %1; selp.u32 %0, 1, 0, p;}", u32,
       float, a == a)
TEXT_1("testp.notanumber.f32",
       "{.reg .pred p; testp.notanumber.f32 p, %1; selp.u32 %0, 1, 0, p;}", u32,
       float, a != a)
TEXT_1("testp.normal.f32",
       "{.reg .pred p; testp.normal.f32 p, %1; selp.u32 %0, 1, 0, p;}", u32,
       float, a == 0 || std::isnormal(float(a)))
TEXT_1("testp.subnormal.f32",
       "{.reg .pred p; testp.subnormal.f32 p, %1; selp.u32 %0, 1, 0, p;}", u32,
       float, std::fpclassify(float(a)) == FP_SUBNORMAL)
TEST_2("add.f64", double, double, double, a + b)
TEST_2("add.rn.f64", double, double, double, a + b)
MODE_2("add.rz.f64", double, FE_TOWARDZERO, +)
MODE_2("add.rm.f64", double, FE_DOWNWARD, +)
MODE_2("add.rp.f64", double, FE_UPWARD, +)
TEST_2("sub.f64", double, double, double, a - b)
TEST_2("sub.rn.f64", double, double, double, a - b)
MODE_2("sub.rz.f64", double, FE_TOWARDZERO, -)
MODE_2("sub.rm.f64", double, FE_DOWNWARD, -)
MODE_2("sub.rp.f64", double, FE_UPWARD, -)
TEST_2("mul.f64", double, double, double, a *b)
TEST_2("mul.rn.f64", double, double, double, a *b)
MODE_2("mul.rz.f64", double, FE_TOWARDZERO, *)
MODE_2("mul.rm.f64", double, FE_DOWNWARD, *)
MODE_2("mul.rp.f64", double, FE_UPWARD, *)
MODE_2("div.rn.f64", double, FE_TONEAREST, /)
MODE_FMA("fma.rn.f64", double, FE_TONEAREST)
MODE_SQRT("sqrt.rn.f64", double, FE_TONEAREST)
MODE_RCP("rcp.rn.f64", double, FE_TONEAREST)
MODE_2("div.rz.f64", double, FE_TOWARDZERO, /)
MODE_FMA("fma.rz.f64", double, FE_TOWARDZERO)
MODE_SQRT("sqrt.rz.f64", double, FE_TOWARDZERO)
MODE_RCP("rcp.rz.f64", double, FE_TOWARDZERO)
MODE_2("div.rm.f64", double, FE_DOWNWARD, /)
MODE_FMA("fma.rm.f64", double, FE_DOWNWARD)
MODE_SQRT("sqrt.rm.f64", double, FE_DOWNWARD)
MODE_RCP("rcp.rm.f64", double, FE_DOWNWARD)
MODE_2("div.rp.f64", double, FE_UPWARD, /)
MODE_FMA("fma.rp.f64", double, FE_UPWARD)
MODE_SQRT("sqrt.rp.f64", double, FE_UPWARD)
MODE_RCP("rcp.rp.f64", double, FE_UPWARD)
TEST_1("neg.f64", double, double, -a)
TEST_1("abs.f64", double, double, std::fabs(double(a)))
TEST_2("min.f64", double, double, double, least<double>(a, b))
TEST_2("max.f64", double, double, double, greatest<double>(a, b))
TEST_2("copysign.f64", double, double, double,
       std::copysign(double(b), double(a)))
TEXT_1("testp.finite.f64",
       "{.reg .pred p; testp.finite.f64 p, %1; selp.u32 %0, 1, 0, p;}", u32,
       double, std::isfinite(double(a)))
TEXT_1("testp.infinite.f64",
       "{.reg .pred p; testp.infinite.f64 p, %1; selp.u32 %0, 1, 0, p;}", u32,
       double, std::isinf(double(a)))
TEXT_1("testp.number.f64",
       "{.reg .pred p; testp.number.f64 p, %1; selp.u32 %0, 1, 0, p;}", u32,
       double, a == a)
TEXT_1("testp.notanumber.f64",
       "{.reg .pred p; testp.notanumber.f64 p, %1; selp.u32 %0, 1, 0, p;}", u32,
       double, a != a)
TEXT_1("testp.normal.f64",
       "{.reg .pred p; testp.normal.f64 p, %1; selp.u32 %0, 1, 0, p;}", u32,
       double, a == 0 || std::isnormal(double(a)))
TEXT_1("testp.subnormal.f64",
       "{.reg .pred p; testp.subnormal.f64 p, %1; selp.u32 %0, 1, 0, p;}", u32,
       double, std::fpclassify(double(a)) == FP_SUBNORMAL)

// Two instructions round twice, fma once.
TEXT_3("mul.f32, add.f32",
       "{.reg .f32 t; mul.f32 t, %1, %2; add.f32 %0, t, %3;}", float, float,
       float, float, [&] {
         volatile float t = a * b;
         return t + c;
       }())
TEXT_3("mul.f64, add.f64",
       "{.reg .f64 t; mul.f64 t, %1, %2; add.f64 %0, t, %3;}", double, double,
       double, double, [&] {
         volatile double t = a * b;
         return t + c;
       }())

TEST_2("add.ftz.f32", float, float, float, flush(flush(a) + flush(b)))
TEST_2("sub.ftz.f32", float, float, float, flush(flush(a) - flush(b)))
TEST_2("mul.ftz.f32", float, float, float, flush(flush(a) * flush(b)))
TEST_2("add.sat.f32", float, float, float, saturate<float>(a + b))
TEST_2("mul.ftz.sat.f32", float, float, float,
       saturate<float>(flush(a) * flush(b)))
TEST_3("fma.rn.sat.f32", float, float, float, float,
       saturate<float>(std::fma(float(a), float(b), float(c))))
TEST_3("fma.rn.ftz.f32", float, float, float, float,
       flush(std::fma(flush(a), flush(b), flush(c))))
TEST_2("div.rn.ftz.f32", float, float, float, flush(flush(a) / flush(b)))
TEST_1("neg.ftz.f32", float, float, -flush(a))
TEST_1("abs.ftz.f32", float, float, std::fabs(flush(a)))
TEST_2("min.ftz.f32", float, float, float, least(flush(a), flush(b)))
TEST_2("max.ftz.f32", float, float, float, greatest(flush(a), flush(b)))
