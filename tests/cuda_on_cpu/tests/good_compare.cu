// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons, ordered and unordered, with NaN; selections by them.
#include "instruction.hpp"

float flush(float x) {
  return std::fabs(x) < std::numeric_limits<float>::min()
             ? std::copysign(0.f, x)
             : x;
}
#define SETP(opcode, T, ...)                                                 \
  TEXT_2(opcode,                                                             \
         "{.reg .pred p; " opcode " p, %1, %2; selp.u32 %0, 1, 0, p;}", u32, \
         T, T, __VA_ARGS__)
// Both results, and a third condition.
#define SETP_WITH(opcode, T, ...)                                              \
  TEXT_3(opcode,                                                               \
         "{.reg .pred p, q, r; .reg .u32 t; setp.ne.u32 r, %3, 0; " opcode     \
         " p|q, %1, %2, r; selp.u32 %0, 1, 0, p; selp.u32 t, 2, 0, q; or.b32 " \
         "%0, %0, t;}",                                                        \
         u32, T, T, u32, [&](bool r) {                                         \
           const bool p = __VA_ARGS__;                                         \
           return combined(opcode, p, r) + 2 * combined(opcode, !p, r);        \
         }(c != 0))
u32 combined(const char *opcode, bool p, bool r) {
  if (std::strstr(opcode, ".and.")) return p && r;
  if (std::strstr(opcode, ".xor.")) return p != r;
  return p || r;
}

SETP("setp.eq.u16", u16, a == b)
SETP("setp.ne.u16", u16, a != b)
SETP("setp.lt.u16", u16, a < b)
SETP("setp.le.u16", u16, a <= b)
SETP("setp.gt.u16", u16, a > b)
SETP("setp.ge.u16", u16, a >= b)
SETP("setp.lo.u16", u16, a < b)
SETP("setp.ls.u16", u16, a <= b)
SETP("setp.hi.u16", u16, a > b)
SETP("setp.hs.u16", u16, a >= b)
SETP("setp.eq.s16", i16, a == b)
SETP("setp.ne.s16", i16, a != b)
SETP("setp.lt.s16", i16, a < b)
SETP("setp.le.s16", i16, a <= b)
SETP("setp.gt.s16", i16, a > b)
SETP("setp.ge.s16", i16, a >= b)
SETP("setp.eq.b16", u16, a == b)
SETP("setp.ne.b16", u16, a != b)
SETP("setp.eq.u32", u32, a == b)
SETP("setp.ne.u32", u32, a != b)
SETP("setp.lt.u32", u32, a < b)
SETP("setp.le.u32", u32, a <= b)
SETP("setp.gt.u32", u32, a > b)
SETP("setp.ge.u32", u32, a >= b)
SETP("setp.lo.u32", u32, a < b)
SETP("setp.ls.u32", u32, a <= b)
SETP("setp.hi.u32", u32, a > b)
SETP("setp.hs.u32", u32, a >= b)
SETP("setp.eq.s32", i32, a == b)
SETP("setp.ne.s32", i32, a != b)
SETP("setp.lt.s32", i32, a < b)
SETP("setp.le.s32", i32, a <= b)
SETP("setp.gt.s32", i32, a > b)
SETP("setp.ge.s32", i32, a >= b)
SETP("setp.eq.b32", u32, a == b)
SETP("setp.ne.b32", u32, a != b)
SETP("setp.eq.u64", u64, a == b)
SETP("setp.ne.u64", u64, a != b)
SETP("setp.lt.u64", u64, a < b)
SETP("setp.le.u64", u64, a <= b)
SETP("setp.gt.u64", u64, a > b)
SETP("setp.ge.u64", u64, a >= b)
SETP("setp.lo.u64", u64, a < b)
SETP("setp.ls.u64", u64, a <= b)
SETP("setp.hi.u64", u64, a > b)
SETP("setp.hs.u64", u64, a >= b)
SETP("setp.eq.s64", i64, a == b)
SETP("setp.ne.s64", i64, a != b)
SETP("setp.lt.s64", i64, a < b)
SETP("setp.le.s64", i64, a <= b)
SETP("setp.gt.s64", i64, a > b)
SETP("setp.ge.s64", i64, a >= b)
SETP("setp.eq.b64", u64, a == b)
SETP("setp.ne.b64", u64, a != b)
SETP("setp.eq.f32", float, !(a != a || b != b) && a == b)
SETP("setp.equ.f32", float, (a != a || b != b) || a == b)
SETP("setp.ne.f32", float, !(a != a || b != b) && a != b)
SETP("setp.neu.f32", float, (a != a || b != b) || a != b)
SETP("setp.lt.f32", float, !(a != a || b != b) && a < b)
SETP("setp.ltu.f32", float, (a != a || b != b) || a < b)
SETP("setp.le.f32", float, !(a != a || b != b) && a <= b)
SETP("setp.leu.f32", float, (a != a || b != b) || a <= b)
SETP("setp.gt.f32", float, !(a != a || b != b) && a > b)
SETP("setp.gtu.f32", float, (a != a || b != b) || a > b)
SETP("setp.ge.f32", float, !(a != a || b != b) && a >= b)
SETP("setp.geu.f32", float, (a != a || b != b) || a >= b)
SETP("setp.num.f32", float, !(a != a || b != b))
SETP("setp.nan.f32", float, (a != a || b != b))
SETP_WITH("setp.lt.and.f32", float, a < b)
SETP_WITH("setp.neu.and.f32", float, a != b)
SETP_WITH("setp.lt.or.f32", float, a < b)
SETP_WITH("setp.neu.or.f32", float, a != b)
SETP_WITH("setp.lt.xor.f32", float, a < b)
SETP_WITH("setp.neu.xor.f32", float, a != b)
TEST_2("set.lt.u32.f32", u32, float, float, a < b ? ~0u : 0u)
TEST_2("set.geu.f32.f32", float, float, float,
       (a != a || b != b) || a >= b ? 1.f : 0.f)
SETP("setp.eq.f64", double, !(a != a || b != b) && a == b)
SETP("setp.equ.f64", double, (a != a || b != b) || a == b)
SETP("setp.ne.f64", double, !(a != a || b != b) && a != b)
SETP("setp.neu.f64", double, (a != a || b != b) || a != b)
SETP("setp.lt.f64", double, !(a != a || b != b) && a < b)
SETP("setp.ltu.f64", double, (a != a || b != b) || a < b)
SETP("setp.le.f64", double, !(a != a || b != b) && a <= b)
SETP("setp.leu.f64", double, (a != a || b != b) || a <= b)
SETP("setp.gt.f64", double, !(a != a || b != b) && a > b)
SETP("setp.gtu.f64", double, (a != a || b != b) || a > b)
SETP("setp.ge.f64", double, !(a != a || b != b) && a >= b)
SETP("setp.geu.f64", double, (a != a || b != b) || a >= b)
SETP("setp.num.f64", double, !(a != a || b != b))
SETP("setp.nan.f64", double, (a != a || b != b))
SETP_WITH("setp.lt.and.f64", double, a < b)
SETP_WITH("setp.neu.and.f64", double, a != b)
SETP_WITH("setp.lt.or.f64", double, a < b)
SETP_WITH("setp.neu.or.f64", double, a != b)
SETP_WITH("setp.lt.xor.f64", double, a < b)
SETP_WITH("setp.neu.xor.f64", double, a != b)
TEST_2("set.lt.u32.f64", u32, double, double, a < b ? ~0u : 0u)
TEST_2("set.geu.f32.f64", float, double, double,
       (a != a || b != b) || a >= b ? 1.f : 0.f)
SETP_WITH("setp.le.and.s32", i32, a <= b)
SETP_WITH("setp.gt.and.u64", u64, a > b)
SETP_WITH("setp.le.or.s32", i32, a <= b)
SETP_WITH("setp.gt.or.u64", u64, a > b)
SETP_WITH("setp.le.xor.s32", i32, a <= b)
SETP_WITH("setp.gt.xor.u64", u64, a > b)
SETP("setp.eq.ftz.f32", float, flush(a) == flush(b))
SETP("setp.ne.ftz.f32", float, flush(a) != flush(b) && a == a && b == b)
SETP("setp.lt.ftz.f32", float, flush(a) < flush(b))
SETP("setp.le.ftz.f32", float, flush(a) <= flush(b))
SETP("setp.gt.ftz.f32", float, flush(a) > flush(b))
SETP("setp.ge.ftz.f32", float, flush(a) >= flush(b))
TEXT_3("selp.u16",
       "{.reg .pred p; setp.ne.u32 p, %3, 0; selp.u16 %0, %1, %2, p;}", u16,
       u16, u16, u32, c ? a : b)
TEST_3("slct.u16.s32", u16, u16, u16, i32, c >= 0 ? a : b)
TEST_3("slct.u16.f32", u16, u16, u16, float, c >= 0 ? a : b)
TEXT_3("selp.s16",
       "{.reg .pred p; setp.ne.u32 p, %3, 0; selp.s16 %0, %1, %2, p;}", i16,
       i16, i16, u32, c ? a : b)
TEST_3("slct.s16.s32", i16, i16, i16, i32, c >= 0 ? a : b)
TEST_3("slct.s16.f32", i16, i16, i16, float, c >= 0 ? a : b)
TEXT_3("selp.b16",
       "{.reg .pred p; setp.ne.u32 p, %3, 0; selp.b16 %0, %1, %2, p;}", u16,
       u16, u16, u32, c ? a : b)
TEST_3("slct.b16.s32", u16, u16, u16, i32, c >= 0 ? a : b)
TEST_3("slct.b16.f32", u16, u16, u16, float, c >= 0 ? a : b)
TEXT_3("selp.u32",
       "{.reg .pred p; setp.ne.u32 p, %3, 0; selp.u32 %0, %1, %2, p;}", u32,
       u32, u32, u32, c ? a : b)
TEST_3("slct.u32.s32", u32, u32, u32, i32, c >= 0 ? a : b)
TEST_3("slct.u32.f32", u32, u32, u32, float, c >= 0 ? a : b)
TEXT_3("selp.s32",
       "{.reg .pred p; setp.ne.u32 p, %3, 0; selp.s32 %0, %1, %2, p;}", i32,
       i32, i32, u32, c ? a : b)
TEST_3("slct.s32.s32", i32, i32, i32, i32, c >= 0 ? a : b)
TEST_3("slct.s32.f32", i32, i32, i32, float, c >= 0 ? a : b)
TEXT_3("selp.b32",
       "{.reg .pred p; setp.ne.u32 p, %3, 0; selp.b32 %0, %1, %2, p;}", u32,
       u32, u32, u32, c ? a : b)
TEST_3("slct.b32.s32", u32, u32, u32, i32, c >= 0 ? a : b)
TEST_3("slct.b32.f32", u32, u32, u32, float, c >= 0 ? a : b)
TEXT_3("selp.u64",
       "{.reg .pred p; setp.ne.u32 p, %3, 0; selp.u64 %0, %1, %2, p;}", u64,
       u64, u64, u32, c ? a : b)
TEST_3("slct.u64.s32", u64, u64, u64, i32, c >= 0 ? a : b)
TEST_3("slct.u64.f32", u64, u64, u64, float, c >= 0 ? a : b)
TEXT_3("selp.s64",
       "{.reg .pred p; setp.ne.u32 p, %3, 0; selp.s64 %0, %1, %2, p;}", i64,
       i64, i64, u32, c ? a : b)
TEST_3("slct.s64.s32", i64, i64, i64, i32, c >= 0 ? a : b)
TEST_3("slct.s64.f32", i64, i64, i64, float, c >= 0 ? a : b)
TEXT_3("selp.b64",
       "{.reg .pred p; setp.ne.u32 p, %3, 0; selp.b64 %0, %1, %2, p;}", u64,
       u64, u64, u32, c ? a : b)
TEST_3("slct.b64.s32", u64, u64, u64, i32, c >= 0 ? a : b)
TEST_3("slct.b64.f32", u64, u64, u64, float, c >= 0 ? a : b)
TEXT_3("selp.f32",
       "{.reg .pred p; setp.ne.u32 p, %3, 0; selp.f32 %0, %1, %2, p;}", float,
       float, float, u32, c ? a : b)
TEST_3("slct.f32.s32", float, float, float, i32, c >= 0 ? a : b)
TEST_3("slct.f32.f32", float, float, float, float, c >= 0 ? a : b)
TEXT_3("selp.f64",
       "{.reg .pred p; setp.ne.u32 p, %3, 0; selp.f64 %0, %1, %2, p;}", double,
       double, double, u32, c ? a : b)
TEST_3("slct.f64.s32", double, double, double, i32, c >= 0 ? a : b)
TEST_3("slct.f64.f32", double, double, double, float, c >= 0 ? a : b)
TEXT_2("and.pred",
       "{.reg .pred p, q; setp.ne.u32 p, %1, 1; setp.ne.u32 q, %2, 2; and.pred "
       "p, p, q; selp.u32 %0, 1, 0, p;}",
       u32, u32, u32, [](bool p, bool q) { return p && q; }(a != 1, b != 2))
TEXT_2("or.pred",
       "{.reg .pred p, q; setp.ne.u32 p, %1, 1; setp.ne.u32 q, %2, 2; or.pred "
       "p, p, q; selp.u32 %0, 1, 0, p;}",
       u32, u32, u32, [](bool p, bool q) { return p || q; }(a != 1, b != 2))
TEXT_2("xor.pred",
       "{.reg .pred p, q; setp.ne.u32 p, %1, 1; setp.ne.u32 q, %2, 2; xor.pred "
       "p, p, q; selp.u32 %0, 1, 0, p;}",
       u32, u32, u32, [](bool p, bool q) { return p != q; }(a != 1, b != 2))
TEXT_1("not.pred",
       "{.reg .pred p; setp.ne.u32 p, %1, 1; not.pred p, p; selp.u32 %0, 1, 0, "
       "p;}",
       u32, u32, a == 1)
TEXT_1("mov.pred",
       "{.reg .pred p, q; setp.ne.u32 p, %1, 1; mov.pred q, p; selp.u32 %0, 1, "
       "0, q;}",
       u32, u32, a != 1)
TEXT_2("@p, @!p",
       "{.reg .pred p; setp.lt.s32 p, %1, %2; @p mov.u32 %0, 3; @!p mov.u32 "
       "%0, 4;}",
       u32, i32, i32, a < b ? 3 : 4)
TEXT_2("bra",
       "{.reg .pred p; setp.lt.s32 p, %1, %2; mov.u32 %0, 7; @p bra done; "
       "mov.u32 %0, 8; bra.uni done; mov.u32 %0, 9; done:}",
       u32, i32, i32, a < b ? 7 : 8)
TEXT_2("mov.b64", "mov.b64 %0, {%1, %2};", u64, u32, u32, u64(b) << 32 | a)
TEXT_1("mov.b64", "{.reg .b32 t, u; mov.b64 {t, u}, %1; sub.u32 %0, t, u;}",
       u32, u64, u32(a) - u32(a >> 32))
TEXT_2("mov.b32", "mov.b32 %0, {%1, %2};", u32, u16, u16, u32(b) << 16 | a)
TEXT_1("mov.b32", "{.reg .b16 t, u; mov.b32 {t, u}, %1; sub.u16 %0, t, u;}",
       u16, u32, u16(a) - u16(a >> 16))
TEXT_1("mov.b32", "mov.b32 %0, %1;", float, u32, [&] {
  u32 v = a;
  float f;
  std::memcpy(&f, &v, 4);
  return f;
}())
TEST_1("mov.u16", u16, u16, a)
TEST_1("mov.u32", u32, u32, a)
TEST_1("mov.u64", u64, u64, a)
TEST_1("mov.f32", float, float, a)
TEST_1("mov.f64", double, double, a)
