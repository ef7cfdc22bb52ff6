// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer instructions: overflow, shifts by the width and beyond, division by
// zero (which gives what devices give), bit fields.
#include "instruction.hpp"

using i128 = __int128;
using u128 = unsigned __int128;

template <class T>
T shift_left(T a, u32 n) {
  return n >= 8 * sizeof(T) ? T(0) : T(a << n);
}
template <class T>
T shift_right(T a, u32 n) {
  if (n >= 8 * sizeof(T)) return a < 0 ? T(-1) : T(0);
  return T(a >> n);
}
template <class T>
T quotient(T a, T b) {
  if (b == 0) return T(-1);
  return std::is_signed<T>::value && b == T(-1) ? T(0 - u64(a)) : T(a / b);
}
template <class T>
T remainder_of(T a, T b) {
  if (b == 0) return a;
  return std::is_signed<T>::value && b == T(-1) ? T(0) : T(a % b);
}
template <class T>
T absolute_difference(T a, T b) {
  return a < b ? T(u64(b) - u64(a)) : T(u64(a) - u64(b));
}
// The text of the PTX ISA: bit by bit.
template <class T>
T extract(T a, u32 b, u32 c) {
  const u32 msb = 8 * sizeof(T) - 1, pos = b & 255, len = c & 255;
  const bool sign = std::is_signed<T>::value && len &&
                    (u64(a) >> std::min(pos + len - 1, msb) & 1);
  u64 d = 0;
  for (u32 i = 0; i <= msb; ++i)
    d |= u64(i < len && pos + i <= msb ? u64(a) >> (pos + i) & 1 : sign) << i;
  return T(d);
}
template <class T>
T insert(T a, T b, u32 c, u32 d) {
  const u32 msb = 8 * sizeof(T) - 1, pos = c & 255, len = d & 255;
  u64 f = b;
  for (u32 i = 0; i < len && pos + i <= msb; ++i)
    f = (f & ~(u64(1) << (pos + i))) | (u64(a) >> i & 1) << (pos + i);
  return T(f);
}
template <class T>
u32 leading(T a, bool from_top) {
  T v = std::is_signed<T>::value && a < 0 ? T(~a) : a;
  for (int i = 8 * sizeof(T) - 1; i >= 0; --i)
    if (v >> i & 1) return from_top ? 8 * sizeof(T) - 1 - i : i;
  return ~0u;
}
template <class T>
T reversed(T a) {
  T r = 0;
  for (u32 i = 0; i < 8 * sizeof(T); ++i)
    r |= T(a >> i & 1) << (8 * sizeof(T) - 1 - i);
  return r;
}
template <class T>
u32 ones(T a) {
  u32 n = 0;
  for (; a; a &= a - 1) ++n;
  return n;
}
template <class T>
u32 zeros_before(T a) {
  u32 n = 0;
  for (int i = 8 * sizeof(T) - 1; i >= 0 && !(a >> i & 1); --i) ++n;
  return n;
}
u32 permute(u32 a, u32 b, u32 c) {
  const u64 bytes = u64(b) << 32 | a;
  u32 r           = 0;
  for (int k = 0; k < 4; ++k) {
    const u32 s = c >> 4 * k & 15, byte = bytes >> 8 * (s & 7) & 255;
    r |= (s & 8 ? (byte & 128 ? 255u : 0u) : byte) << 8 * k;
  }
  return r;
}
u32 pick(u32 a, u32 b, const int (&table)[4][4], u32 c) {  // bytes 3 2 1 0
  const u64 bytes = u64(b) << 32 | a;
  u32 r           = 0;
  for (int k = 0; k < 4; ++k) r = r << 8 | (bytes >> 8 * table[c & 3][k] & 255);
  return r;
}
constexpr int f4e[4][4] = {
    {3, 2, 1, 0}, {4, 3, 2, 1}, {5, 4, 3, 2}, {6, 5, 4, 3}};
constexpr int b4e[4][4] = {
    {5, 6, 7, 0}, {6, 7, 0, 1}, {7, 0, 1, 2}, {0, 1, 2, 3}};
constexpr int rc8[4][4] = {
    {0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}};
constexpr int ecl[4][4] = {
    {3, 2, 1, 0}, {3, 2, 1, 1}, {3, 2, 2, 2}, {3, 3, 3, 3}};
constexpr int ecr[4][4] = {
    {0, 0, 0, 0}, {1, 1, 1, 0}, {2, 2, 1, 0}, {3, 2, 1, 0}};
constexpr int rc16[4][4] = {
    {1, 0, 1, 0}, {3, 2, 3, 2}, {1, 0, 1, 0}, {3, 2, 3, 2}};

TEST_2("add.u16", u16, u16, u16, u64(a) + u64(b))
TEST_2("sub.u16", u16, u16, u16, u64(a) - u64(b))
TEST_2("mul.lo.u16", u16, u16, u16, u64(a) * u64(b))
TEST_2("mul.hi.u16", u16, u16, u16, u32(a) * u32(b) >> 16)
TEST_3("mad.lo.u16", u16, u16, u16, u16, u64(a) * u64(b) + u64(c))
TEST_3("mad.hi.u16", u16, u16, u16, u16, u64(u32(a) * u32(b) >> 16) + u64(c))
TEST_2("div.u16", u16, u16, u16, quotient<u16>(a, b))
TEST_2("rem.u16", u16, u16, u16, remainder_of<u16>(a, b))
TEST_2("min.u16", u16, u16, u16, a < b ? a : b)
TEST_2("max.u16", u16, u16, u16, a < b ? b : a)
TEST_3("sad.u16", u16, u16, u16, u16,
       u64(c) + u64(absolute_difference<u16>(a, b)))
TEST_2("shr.u16", u16, u16, u32, shift_right<u16>(a, b))
TEST_2("mul.wide.u16", u32, u16, u16, u32(a) * u32(b))
TEST_3("mad.wide.u16", u32, u16, u16, u32, u64(u32(a) * u32(b)) + u64(c))

TEST_2("add.s16", i16, i16, i16, u64(a) + u64(b))
TEST_2("sub.s16", i16, i16, i16, u64(a) - u64(b))
TEST_2("mul.lo.s16", i16, i16, i16, u64(a) * u64(b))
TEST_2("mul.hi.s16", i16, i16, i16, i32(a) * i32(b) >> 16)
TEST_3("mad.lo.s16", i16, i16, i16, i16, u64(a) * u64(b) + u64(c))
TEST_3("mad.hi.s16", i16, i16, i16, i16, u64(i32(a) * i32(b) >> 16) + u64(c))
TEST_2("div.s16", i16, i16, i16, quotient<i16>(a, b))
TEST_2("rem.s16", i16, i16, i16, remainder_of<i16>(a, b))
TEST_2("min.s16", i16, i16, i16, a < b ? a : b)
TEST_2("max.s16", i16, i16, i16, a < b ? b : a)
TEST_3("sad.s16", i16, i16, i16, i16,
       u64(c) + u64(absolute_difference<i16>(a, b)))
TEST_2("shr.s16", i16, i16, u32, shift_right<i16>(a, b))
TEST_2("mul.wide.s16", i32, i16, i16, i32(a) * i32(b))
TEST_3("mad.wide.s16", i32, i16, i16, i32, u64(i32(a) * i32(b)) + u64(c))
TEST_1("neg.s16", i16, i16, 0 - u64(a))
TEST_1("abs.s16", i16, i16, a < 0 ? 0 - u64(a) : u64(a))

TEST_2("add.u32", u32, u32, u32, u64(a) + u64(b))
TEST_2("sub.u32", u32, u32, u32, u64(a) - u64(b))
TEST_2("mul.lo.u32", u32, u32, u32, u64(a) * u64(b))
TEST_2("mul.hi.u32", u32, u32, u32, u64(a) * u64(b) >> 32)
TEST_3("mad.lo.u32", u32, u32, u32, u32, u64(a) * u64(b) + u64(c))
TEST_3("mad.hi.u32", u32, u32, u32, u32, u64(u64(a) * u64(b) >> 32) + u64(c))
TEST_2("div.u32", u32, u32, u32, quotient<u32>(a, b))
TEST_2("rem.u32", u32, u32, u32, remainder_of<u32>(a, b))
TEST_2("min.u32", u32, u32, u32, a < b ? a : b)
TEST_2("max.u32", u32, u32, u32, a < b ? b : a)
TEST_3("sad.u32", u32, u32, u32, u32,
       u64(c) + u64(absolute_difference<u32>(a, b)))
TEST_2("shr.u32", u32, u32, u32, shift_right<u32>(a, b))
TEST_2("mul.wide.u32", u64, u32, u32, u64(a) * u64(b))
TEST_3("mad.wide.u32", u64, u32, u32, u64, u64(u64(a) * u64(b)) + u64(c))
TEST_3("bfe.u32", u32, u32, u32, u32, extract<u32>(a, b, c))
TEST_1("bfind.u32", u32, u32, leading<u32>(a, false))
TEST_1("bfind.shiftamt.u32", u32, u32, leading<u32>(a, true))

TEST_2("add.s32", i32, i32, i32, u64(a) + u64(b))
TEST_2("sub.s32", i32, i32, i32, u64(a) - u64(b))
TEST_2("mul.lo.s32", i32, i32, i32, u64(a) * u64(b))
TEST_2("mul.hi.s32", i32, i32, i32, i64(a) * i64(b) >> 32)
TEST_3("mad.lo.s32", i32, i32, i32, i32, u64(a) * u64(b) + u64(c))
TEST_3("mad.hi.s32", i32, i32, i32, i32, u64(i64(a) * i64(b) >> 32) + u64(c))
TEST_2("div.s32", i32, i32, i32, quotient<i32>(a, b))
TEST_2("rem.s32", i32, i32, i32, remainder_of<i32>(a, b))
TEST_2("min.s32", i32, i32, i32, a < b ? a : b)
TEST_2("max.s32", i32, i32, i32, a < b ? b : a)
TEST_3("sad.s32", i32, i32, i32, i32,
       u64(c) + u64(absolute_difference<i32>(a, b)))
TEST_2("shr.s32", i32, i32, u32, shift_right<i32>(a, b))
TEST_2("mul.wide.s32", i64, i32, i32, i64(a) * i64(b))
TEST_3("mad.wide.s32", i64, i32, i32, i64, u64(i64(a) * i64(b)) + u64(c))
TEST_1("neg.s32", i32, i32, 0 - u64(a))
TEST_1("abs.s32", i32, i32, a < 0 ? 0 - u64(a) : u64(a))
TEST_3("bfe.s32", i32, i32, u32, u32, extract<i32>(a, b, c))
TEST_1("bfind.s32", u32, i32, leading<i32>(a, false))
TEST_1("bfind.shiftamt.s32", u32, i32, leading<i32>(a, true))

TEST_2("add.u64", u64, u64, u64, u64(a) + u64(b))
TEST_2("sub.u64", u64, u64, u64, u64(a) - u64(b))
TEST_2("mul.lo.u64", u64, u64, u64, u64(a) * u64(b))
TEST_2("mul.hi.u64", u64, u64, u64, u128(a) * u128(b) >> 64)
TEST_3("mad.lo.u64", u64, u64, u64, u64, u64(a) * u64(b) + u64(c))
TEST_3("mad.hi.u64", u64, u64, u64, u64, u64(u128(a) * u128(b) >> 64) + u64(c))
TEST_2("div.u64", u64, u64, u64, quotient<u64>(a, b))
TEST_2("rem.u64", u64, u64, u64, remainder_of<u64>(a, b))
TEST_2("min.u64", u64, u64, u64, a < b ? a : b)
TEST_2("max.u64", u64, u64, u64, a < b ? b : a)
TEST_3("sad.u64", u64, u64, u64, u64,
       u64(c) + u64(absolute_difference<u64>(a, b)))
TEST_2("shr.u64", u64, u64, u32, shift_right<u64>(a, b))
TEST_3("bfe.u64", u64, u64, u32, u32, extract<u64>(a, b, c))
TEST_1("bfind.u64", u32, u64, leading<u64>(a, false))
TEST_1("bfind.shiftamt.u64", u32, u64, leading<u64>(a, true))

TEST_2("add.s64", i64, i64, i64, u64(a) + u64(b))
TEST_2("sub.s64", i64, i64, i64, u64(a) - u64(b))
TEST_2("mul.lo.s64", i64, i64, i64, u64(a) * u64(b))
TEST_2("mul.hi.s64", i64, i64, i64, i128(a) * i128(b) >> 64)
TEST_3("mad.lo.s64", i64, i64, i64, i64, u64(a) * u64(b) + u64(c))
TEST_3("mad.hi.s64", i64, i64, i64, i64, u64(i128(a) * i128(b) >> 64) + u64(c))
TEST_2("div.s64", i64, i64, i64, quotient<i64>(a, b))
TEST_2("rem.s64", i64, i64, i64, remainder_of<i64>(a, b))
TEST_2("min.s64", i64, i64, i64, a < b ? a : b)
TEST_2("max.s64", i64, i64, i64, a < b ? b : a)
TEST_3("sad.s64", i64, i64, i64, i64,
       u64(c) + u64(absolute_difference<i64>(a, b)))
TEST_2("shr.s64", i64, i64, u32, shift_right<i64>(a, b))
TEST_1("neg.s64", i64, i64, 0 - u64(a))
TEST_1("abs.s64", i64, i64, a < 0 ? 0 - u64(a) : u64(a))
TEST_3("bfe.s64", i64, i64, u32, u32, extract<i64>(a, b, c))
TEST_1("bfind.s64", u32, i64, leading<i64>(a, false))
TEST_1("bfind.shiftamt.s64", u32, i64, leading<i64>(a, true))

TEST_2("and.b16", u16, u16, u16, a& b)
TEST_2("or.b16", u16, u16, u16, a | b)
TEST_2("xor.b16", u16, u16, u16, a ^ b)
TEST_1("not.b16", u16, u16, ~a)
TEST_1("cnot.b16", u16, u16, a == 0)
TEST_2("shl.b16", u16, u16, u32, shift_left<u16>(a, b))
TEST_2("shr.b16", u16, u16, u32, shift_right<u16>(a, b))

TEST_2("and.b32", u32, u32, u32, a& b)
TEST_2("or.b32", u32, u32, u32, a | b)
TEST_2("xor.b32", u32, u32, u32, a ^ b)
TEST_1("not.b32", u32, u32, ~a)
TEST_1("cnot.b32", u32, u32, a == 0)
TEST_2("shl.b32", u32, u32, u32, shift_left<u32>(a, b))
TEST_2("shr.b32", u32, u32, u32, shift_right<u32>(a, b))
TEST_1("popc.b32", u32, u32, ones<u32>(a))
TEST_1("clz.b32", u32, u32, zeros_before<u32>(a))
TEST_1("brev.b32", u32, u32, reversed<u32>(a))
TEXT_3("bfi.b32", "bfi.b32 %0, %1, 0x12345678, %2, %3;", u32, u32, u32, u32,
       insert<u32>(a, 0x12345678, b, c))
TEXT_3("bfi.b32", "bfi.b32 %0, 0x89abcdef, %1, %2, %3;", u32, u32, u32, u32,
       insert<u32>(u32(0x89abcdef), a, b, c))

TEST_2("and.b64", u64, u64, u64, a& b)
TEST_2("or.b64", u64, u64, u64, a | b)
TEST_2("xor.b64", u64, u64, u64, a ^ b)
TEST_1("not.b64", u64, u64, ~a)
TEST_1("cnot.b64", u64, u64, a == 0)
TEST_2("shl.b64", u64, u64, u32, shift_left<u64>(a, b))
TEST_2("shr.b64", u64, u64, u32, shift_right<u64>(a, b))
TEST_1("popc.b64", u32, u64, ones<u64>(a))
TEST_1("clz.b64", u32, u64, zeros_before<u64>(a))
TEST_1("brev.b64", u64, u64, reversed<u64>(a))
TEXT_3("bfi.b64", "bfi.b64 %0, %1, 0x12345678, %2, %3;", u64, u64, u32, u32,
       insert<u64>(a, 0x12345678, b, c))
TEXT_3("bfi.b64", "bfi.b64 %0, 0x89abcdef, %1, %2, %3;", u64, u64, u32, u32,
       insert<u64>(u64(0x89abcdef), a, b, c))

TEST_3("prmt.b32", u32, u32, u32, u32, permute(a, b, c))
TEST_3("prmt.b32.f4e", u32, u32, u32, u32, pick(a, b, f4e, c))
TEST_3("prmt.b32.b4e", u32, u32, u32, u32, pick(a, b, b4e, c))
TEST_3("prmt.b32.rc8", u32, u32, u32, u32, pick(a, b, rc8, c))
TEST_3("prmt.b32.ecl", u32, u32, u32, u32, pick(a, b, ecl, c))
TEST_3("prmt.b32.ecr", u32, u32, u32, u32, pick(a, b, ecr, c))
TEST_3("prmt.b32.rc16", u32, u32, u32, u32, pick(a, b, rc16, c))
TEST_3("shf.l.wrap.b32", u32, u32, u32, u32,
       (u64(b) << 32 | a) << (c & 31) >> 32)
TEST_3("shf.r.wrap.b32", u32, u32, u32, u32, (u64(b) << 32 | a) >> (c & 31))
TEST_3("shf.l.clamp.b32", u32, u32, u32, u32,
       (u64(b) << 32 | a) << (c < 32 ? c : 32) >> 32)
TEST_3("shf.r.clamp.b32", u32, u32, u32, u32,
       (u64(b) << 32 | a) >> (c < 32 ? c : 32))
TEST_2("add.sat.s32", i32, i32, i32,
       std::max(std::min(i64(a) + i64(b), i64(INT32_MAX)), i64(INT32_MIN)))
TEST_2("sub.sat.s32", i32, i32, i32,
       std::max(std::min(i64(a) - i64(b), i64(INT32_MAX)), i64(INT32_MIN)))
TEXT_3("lop3.b32", "lop3.b32 %0, %1, %2, %3, 0xca;", u32, u32, u32, u32,
       (a & b) | (~a & c))
TEXT_3("lop3.b32", "lop3.b32 %0, %1, %2, %3, 0x96;", u32, u32, u32, u32,
       a ^ b ^ c)
TEXT_3("lop3.b32", "lop3.b32 %0, %1, %2, %3, 0x1b;", u32, u32, u32, u32,
       (~a & ~b) | (~a & b & c) | (a & ~b & ~c))

// Carries from one instruction to the next.
TEXT_2("add.cc.u32, addc.u32",
       "{.reg .u32 t; add.cc.u32 t, %1, %2; addc.u32 %0, %1, 0;}", u32, u32,
       u32, a + (u64(a) + b >> 32))
TEXT_2("sub.cc.u32, subc.u32",
       "{.reg .u32 t; sub.cc.u32 t, %1, %2; subc.u32 %0, %1, 0;}", u32, u32,
       u32, a - (a < b ? 1 : 0))
TEXT_2("add.cc.u64, addc.u64",
       "{.reg .u64 t; add.cc.u64 t, %1, %2; addc.u64 %0, %1, 0;}", u64, u64,
       u64, a + u64(u128(a) + b >> 64))
TEXT_3("addc.cc.u32",
       "{.reg .u32 t; add.cc.u32 t, %1, %2; addc.cc.u32 t, %2, %3; addc.u32 "
       "%0, 0, 0;}",
       u32, u32, u32, u32, u64(b) + c + (u64(a) + b >> 32) >> 32)
TEXT_3(
    "mad.lo.cc.u32, madc.hi.u32",
    "{.reg .u32 t; mad.lo.cc.u32 t, %1, %2, %3; madc.hi.u32 %0, %1, %2, %3;}",
    u32, u32, u32, u32,
    (u64(a) * b >> 32) + c + ((u64(a) * b & 0xffffffff) + c >> 32))
TEST_3("dp4a.s32.s32", i32, i32, i32, i32, [&] {
  u32 r = c;
  for (int k = 0; k < 32; k += 8) r += u32(i8(a >> k) * i8(b >> k));
  return r;
}())
TEST_3("dp4a.u32.s32", i32, i32, i32, i32, [&] {
  u32 r = c;
  for (int k = 0; k < 32; k += 8) r += u32(u8(a >> k) * i8(b >> k));
  return r;
}())
