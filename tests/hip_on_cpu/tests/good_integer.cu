// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer instructions of the vector unit: carries, products, shifts, fields.
#include "instruction.hpp"
#include <algorithm>

template <class T>
T least(T a, T b) {
  return b < a ? b : a;
}
template <class T>
T most(T a, T b) {
  return a < b ? b : a;
}
u32 low24(u32 a) { return a % (1u << 24); }
i64 signed24(u32 a) {
  const i64 low = low24(a);
  return low < (1 << 23) ? low : low - (1 << 24);
}
u32 reversed(u32 a) {
  u32 r = 0;
  for (int k = 0; k < 32; ++k) r = r * 2 + (a >> k) % 2;
  return r;
}
u32 ones(u32 a) {
  u32 n = 0;
  for (; a; a /= 2) n += a % 2;
  return n;
}
u32 zeros_before(u32 a) {
  for (int k = 31; k >= 0; --k)
    if (a >> k & 1) return 31 - k;
  return ~0u;
}
u32 zeros_behind(u32 a) {
  for (int k = 0; k < 32; ++k)
    if (a >> k & 1) return k;
  return ~0u;
}
u32 field(u32 a, u32 at, u32 n, bool sign) {
  at %= 32, n %= 32;
  u32 r = 0;
  for (u32 k = 0; k < 32; ++k) {
    const u32 from = sign && n ? at + std::min(k, n - 1) : at + k;
    const bool in  = k < n || (sign && n);
    const u32 bit  = from < 32 ? a >> from & 1 : sign ? a >> 31 : 0;
    if (in) r |= bit << k;
  }
  return r;
}
u32 permuted(u32 a, u32 b, u32 c) {
  u32 r = 0;
  for (int k = 0; k < 4; ++k) {
    const u32 s       = c >> 8 * k & 255,
              byte[8] = {b & 255, b >> 8 & 255, b >> 16 & 255, b >> 24,
                         a & 255, a >> 8 & 255, a >> 16 & 255, a >> 24};
    const u32 v       = s < 8     ? byte[s]
                        : s < 12  ? (byte[2 * (s - 8) + 1] > 127 ? 255 : 0)
                        : s == 12 ? 0
                                  : 255;
    r |= v << 8 * k;
  }
  return r;
}

TEST_1("v_mov_b32", u32, u32, a)
TEST_1("v_not_b32", u32, u32, ~a)
TEST_1("v_bfrev_b32", u32, u32, reversed(a))
TEST_1("v_ffbh_u32", u32, u32, zeros_before(a))
TEST_1("v_ffbl_b32", u32, u32, zeros_behind(a))
TEST_1("v_ffbh_i32", u32, i32,
       a == 0 || a == -1 ? ~0u : zeros_before(a < 0 ? ~u32(a) : u32(a)))
TEST_2("v_add_u32", u32, u32, u32, a + b)
TEST_2("v_sub_u32", u32, u32, u32, a - b)
TEST_2("v_subrev_u32", u32, u32, u32, b - a)
TEST_2("v_mul_lo_u32", u32, u32, u32, a *b)
TEST_2("v_mul_hi_u32", u32, u32, u32, u64(a) * b >> 32)
TEST_2("v_mul_hi_i32", i32, i32, i32, i64(a) * b >> 32)
TEST_2("v_mul_u32_u24", u32, u32, u32, low24(a) * low24(b))
TEST_2("v_mul_i32_i24", u32, u32, u32, signed24(a) * signed24(b))
TEST_2("v_mul_hi_i32_i24", u32, u32, u32, signed24(a) * signed24(b) >> 32)
TEST_2("v_mul_hi_u32_u24", u32, u32, u32, u64(low24(a)) * low24(b) >> 32)
TEST_2("v_and_b32", u32, u32, u32, a &b)
TEST_2("v_or_b32", u32, u32, u32, a | b)
TEST_2("v_xor_b32", u32, u32, u32, a ^ b)
TEST_2("v_xnor_b32", u32, u32, u32, ~(a ^ b))
TEST_2("v_min_i32", i32, i32, i32, least<i32>(a, b))
TEST_2("v_max_i32", i32, i32, i32, most<i32>(a, b))
TEST_2("v_min_u32", u32, u32, u32, least<u32>(a, b))
TEST_2("v_max_u32", u32, u32, u32, most<u32>(a, b))
TEST_2("v_lshlrev_b32", u32, u32, u32, b << a % 32)
TEST_2("v_lshrrev_b32", u32, u32, u32, b >> a % 32)
TEST_2("v_ashrrev_i32", i32, u32, i32, b >> a % 32)
TEST_2("v_lshlrev_b64", u64, u32, u64, b << a % 64)
TEST_2("v_lshrrev_b64", u64, u32, u64, b >> a % 64)
TEST_2("v_ashrrev_i64", i64, u32, i64, b >> a % 64)
TEST_2("v_bfm_b32", u32, u32, u32, ((1u << a % 32) - 1) << b % 32)
TEST_2("v_bcnt_u32_b32", u32, u32, u32, ones(a) + b)
TEST_3("v_add3_u32", u32, u32, u32, u32, a + b + c)
TEST_3("v_or3_b32", u32, u32, u32, u32, a | b | c)
TEST_3("v_and_or_b32", u32, u32, u32, u32, (a & b) | c)
TEST_3("v_xad_u32", u32, u32, u32, u32, (a ^ b) + c)
TEST_3("v_lshl_add_u32", u32, u32, u32, u32, (a << b % 32) + c)
TEST_3("v_lshl_or_b32", u32, u32, u32, u32, (a << b % 32) | c)
TEST_3("v_add_lshl_u32", u32, u32, u32, u32, (a + b) << c % 32)
TEST_3("v_mad_u32_u24", u32, u32, u32, u32, low24(a) * low24(b) + c)
TEST_3("v_mad_i32_i24", u32, u32, u32, u32, signed24(a) * signed24(b) + c)
TEST_3("v_min3_i32", i32, i32, i32, i32, std::min({i32(a), i32(b), i32(c)}))
TEST_3("v_max3_i32", i32, i32, i32, i32, std::max({i32(a), i32(b), i32(c)}))
TEST_3("v_min3_u32", u32, u32, u32, u32, std::min({u32(a), u32(b), u32(c)}))
TEST_3("v_max3_u32", u32, u32, u32, u32, std::max({u32(a), u32(b), u32(c)}))
TEST_3("v_med3_i32", i32, i32, i32, i32,
       most<i32>(least<i32>(a, b), least<i32>(most<i32>(a, b), c)))
TEST_3("v_sad_u32", u32, u32, u32, u32, (a > b ? a - b : b - a) + c)
TEST_3("v_bfe_u32", u32, u32, u32, u32, field(a, b, c, false))
TEST_3("v_bfe_i32", u32, u32, u32, u32, field(a, b, c, true))
TEST_3("v_bfi_b32", u32, u32, u32, u32, (a & b) | (~a & c))
TEST_3("v_alignbit_b32", u32, u32, u32, u32, (u64(a) << 32 | b) >> c % 32)
TEST_3("v_alignbyte_b32", u32, u32, u32, u32, (u64(a) << 32 | b) >> 8 * (c % 4))
TEST_3("v_perm_b32", u32, u32, u32, u32, permuted(a, b, c))
TEST_2("v_add_u16", u16, u16, u16, a + b)
TEST_2("v_sub_u16", u16, u16, u16, a - b)
TEST_2("v_subrev_u16", u16, u16, u16, b - a)
TEST_2("v_mul_lo_u16", u16, u16, u16, u32(a) * b)
TEST_2("v_lshlrev_b16", u16, u16, u16, b << a % 16)
TEST_2("v_lshrrev_b16", u16, u16, u16, b >> a % 16)
TEST_2("v_ashrrev_i16", i16, u16, i16, b >> a % 16)
TEST_2("v_min_i16", i16, i16, i16, least<i16>(a, b))
TEST_2("v_max_u16", u16, u16, u16, most<u16>(a, b))

// With carries: where there is one, the result is 63.
TEXT_2("v_add_co_u32",
       "v_add_co_u32 %0, vcc, %1, %2\n"
       "v_cndmask_b32 %0, %0, 63, vcc",
       u32, u32, u32, (u64(a) + b) >> 32 ? 63u : a + b)
TEXT_2("v_sub_co_u32",
       "v_sub_co_u32 %0, vcc, %1, %2\n"
       "v_cndmask_b32 %0, %0, 63, vcc",
       u32, u32, u32, a < b ? 63u : a - b)
TEXT_2("v_subrev_co_u32",
       "v_subrev_co_u32 %0, vcc, %1, %2\n"
       "v_cndmask_b32 %0, %0, 63, vcc",
       u32, u32, u32, b < a ? 63u : b - a)
TEXT_3("v_addc_co_u32",
       "v_cmp_eq_u32 vcc, 1, %3\n"
       "v_addc_co_u32 %0, vcc, %1, %2, vcc\n"
       "v_cndmask_b32 %0, %0, 63, vcc",
       u32, u32, u32, u32,
       (u64(a) + b + (c == 1)) >> 32 ? 63u : a + b + (c == 1))
TEXT_3("v_subb_co_u32",
       "v_cmp_eq_u32 vcc, 1, %3\n"
       "v_subb_co_u32 %0, vcc, %1, %2, vcc\n"
       "v_cndmask_b32 %0, %0, 63, vcc",
       u32, u32, u32, u32, u64(a) < u64(b) + (c == 1) ? 63u : a - b - (c == 1))
TEXT_3("v_subbrev_co_u32",
       "v_cmp_eq_u32 vcc, 1, %3\n"
       "v_subbrev_co_u32 %0, vcc, %1, %2, vcc\n"
       "v_cndmask_b32 %0, %0, 63, vcc",
       u32, u32, u32, u32, u64(b) < u64(a) + (c == 1) ? 63u : b - a - (c == 1))
TEXT_3("v_mad_u64_u32", "v_mad_u64_u32 %0, vcc, %1, %2, %3", u64, u32, u32, u64,
       u64(a) * b + c)
TEXT_3("v_mad_i64_i32", "v_mad_i64_i32 %0, vcc, %1, %2, %3", u64, i32, i32, u64,
       u64(i64(a) * b) + c)
// Accumulation registers of MI100.
TEXT_1("v_accvgpr_write_b32",
       "v_accvgpr_write_b32 a0, %1\n"
       "s_nop 4\n"
       "v_accvgpr_read_b32 %0, a0",
       u32, u32, a)
// Parts of a register as operands.
TEXT_2("v_add_u32_sdwa",
       "v_add_u32_sdwa %0, %1, sext(%2) dst_sel:DWORD dst_unused:UNUSED_PAD "
       "src0_sel:BYTE_1 src1_sel:WORD_1",
       u32, u32, u32, (a >> 8 & 255) + u32(i32(i16(b >> 16))))
