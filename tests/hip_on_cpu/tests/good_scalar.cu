// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions of the scalar unit. Where they set SCC, the result is 77 if it
// is set.
#define SCALAR_UNIT
#include "instruction.hpp"
#include <algorithm>

#define SCC "\ns_cselect_b32 %0, 77, %0"
#define SCC64 "\ns_cselect_b64 %0, 77, %0"
// What an instruction gives if SCC says that the result is not zero.
#define NOT_ZERO_1(name, T, A, ...)                                  \
  TEXT_1(name, name " %0, %1\ns_cselect_b32 %0, %0, 99", T, A, [&] { \
    const T r = static_cast<T>(__VA_ARGS__);                         \
    return r != 0 ? r : T(99);                                       \
  }())
#define NOT_ZERO_2(name, T, A, B, ...)                                      \
  TEXT_2(name, name " %0, %1, %2\ns_cselect_b32 %0, %0, 99", T, A, B, [&] { \
    const T r = static_cast<T>(__VA_ARGS__);                                \
    return r != 0 ? r : T(99);                                              \
  }())
#define NOT_ZERO64_2(name, A, B, ...)                                         \
  TEXT_2(name, name " %0, %1, %2\ns_cselect_b64 %0, %0, 99", u64, A, B, [&] { \
    const u64 r = static_cast<u64>(__VA_ARGS__);                              \
    return r != 0 ? r : u64(99);                                              \
  }())
#define COMPARES_2(name, T, ...) \
  TEXT_2(name, name " %1, %2\ns_cselect_b32 %0, 1, 0", u32, T, T, __VA_ARGS__)

u32 reversed(u32 a) {
  u32 r = 0;
  for (int k = 0; k < 32; ++k) r = r * 2 + (a >> k) % 2;
  return r;
}
template <class T>
u32 ones(T a) {
  u32 n = 0;
  for (; a; a /= 2) n += a % 2;
  return n;
}
template <class T>
u32 zeros_before(T a) {
  for (int k = 8 * sizeof(T) - 1; k >= 0; --k)
    if (a >> k & 1) return 8 * sizeof(T) - 1 - k;
  return ~0u;
}
template <class T>
u32 zeros_behind(T a) {
  for (u32 k = 0; k < 8 * sizeof(T); ++k)
    if (a >> k & 1) return k;
  return ~0u;
}
template <class T>
T field(T a, u32 how, bool sign) {
  const u32 bits = 8 * sizeof(T), at = how % bits, n = how >> 16 & 127;
  T r = 0;
  for (u32 k = 0; k < bits; ++k) {
    const u32 from = sign && n ? at + std::min(k, n - 1) : at + k;
    const T bit = from < bits ? a >> from & 1 : sign ? a >> (bits - 1) & 1 : 0;
    if (k < n || (sign && n)) r |= bit << k;
  }
  return r;
}
bool overflows(i64 r) { return r != i32(r); }

TEST_1("s_mov_b32", u32, u32, a)
TEST_1("s_mov_b64", u64, u64, a)
TEST_1("s_brev_b32", u32, u32, reversed(a))
TEST_1("s_ff1_i32_b32", u32, u32, zeros_behind<u32>(a))
TEST_1("s_ff1_i32_b64", u32, u64, zeros_behind<u64>(a))
TEST_1("s_flbit_i32_b32", u32, u32, zeros_before<u32>(a))
TEST_1("s_flbit_i32_b64", u32, u64, zeros_before<u64>(a))
TEST_1("s_sext_i32_i8", i32, u32, i8(a))
TEST_1("s_sext_i32_i16", i32, u32, i16(a))
NOT_ZERO_1("s_not_b32", u32, u32, ~a)
NOT_ZERO_1("s_bcnt1_i32_b32", u32, u32, ones<u32>(a))
NOT_ZERO_1("s_bcnt1_i32_b64", u32, u64, ones<u64>(a))
NOT_ZERO_1("s_abs_i32", u32, i32, a < 0 ? 0 - u32(a) : u32(a))
NOT_ZERO_2("s_and_b32", u32, u32, u32, a &b)
NOT_ZERO_2("s_or_b32", u32, u32, u32, a | b)
NOT_ZERO_2("s_xor_b32", u32, u32, u32, a ^ b)
NOT_ZERO_2("s_andn2_b32", u32, u32, u32, a & ~b)
NOT_ZERO_2("s_orn2_b32", u32, u32, u32, a | ~b)
NOT_ZERO_2("s_nand_b32", u32, u32, u32, ~(a &b))
NOT_ZERO_2("s_nor_b32", u32, u32, u32, ~(a | b))
NOT_ZERO_2("s_xnor_b32", u32, u32, u32, ~(a ^ b))
NOT_ZERO64_2("s_and_b64", u64, u64, a &b)
NOT_ZERO64_2("s_or_b64", u64, u64, a | b)
NOT_ZERO64_2("s_xor_b64", u64, u64, a ^ b)
NOT_ZERO64_2("s_andn2_b64", u64, u64, a & ~b)
NOT_ZERO64_2("s_orn2_b64", u64, u64, a | ~b)
NOT_ZERO64_2("s_nand_b64", u64, u64, ~(a &b))
NOT_ZERO64_2("s_nor_b64", u64, u64, ~(a | b))
NOT_ZERO64_2("s_xnor_b64", u64, u64, ~(a ^ b))
NOT_ZERO_2("s_lshl_b32", u32, u32, u32, a << b % 32)
NOT_ZERO_2("s_lshr_b32", u32, u32, u32, a >> b % 32)
NOT_ZERO_2("s_ashr_i32", i32, i32, u32, a >> b % 32)
NOT_ZERO64_2("s_lshl_b64", u64, u32, a << b % 64)
NOT_ZERO64_2("s_lshr_b64", u64, u32, a >> b % 64)
NOT_ZERO64_2("s_ashr_i64", i64, u32, a >> b % 64)
NOT_ZERO_2("s_bfe_u32", u32, u32, u32, field<u32>(a, b, false))
NOT_ZERO_2("s_bfe_i32", u32, u32, u32, field<u32>(a, b, true))
NOT_ZERO64_2("s_bfe_u64", u64, u32, field<u64>(a, b, false))
TEST_2("s_bfm_b32", u32, u32, u32, ((1u << a % 32) - 1) << b % 32)
TEST_2("s_bfm_b64", u64, u32, u32, ((u64(1) << a % 64) - 1) << b % 64)
TEST_2("s_mul_i32", u32, u32, u32, a *b)
TEST_2("s_mul_hi_u32", u32, u32, u32, u64(a) * b >> 32)
TEST_2("s_mul_hi_i32", i32, i32, i32, i64(a) * b >> 32)
TEST_2("s_pack_ll_b32_b16", u32, u32, u32, a % 65536 | b << 16)
TEXT_2("s_add_u32", "s_add_u32 %0, %1, %2" SCC, u32, u32, u32,
       (u64(a) + b) >> 32 ? 77u : a + b)
TEXT_2("s_sub_u32", "s_sub_u32 %0, %1, %2" SCC, u32, u32, u32,
       a < b ? 77u : a - b)
TEXT_3("s_addc_u32",
       "s_cmp_eq_u32 %3, 1\n"
       "s_addc_u32 %0, %1, %2" SCC,
       u32, u32, u32, u32,
       (u64(a) + b + (c == 1)) >> 32 ? 77u : a + b + (c == 1))
TEXT_3("s_subb_u32",
       "s_cmp_eq_u32 %3, 1\n"
       "s_subb_u32 %0, %1, %2" SCC,
       u32, u32, u32, u32, u64(a) < u64(b) + (c == 1) ? 77u : a - b - (c == 1))
TEXT_2("s_add_i32", "s_add_i32 %0, %1, %2" SCC, i32, i32, i32,
       overflows(i64(a) + b) ? 77 : a + b)
TEXT_2("s_sub_i32", "s_sub_i32 %0, %1, %2" SCC, i32, i32, i32,
       overflows(i64(a) - b) ? 77 : a - b)
TEXT_1("s_addk_i32",
       "s_mov_b32 %0, %1\n"
       "s_addk_i32 %0, 0xff00" SCC,
       i32, i32, overflows(i64(a) - 256) ? 77 : a - 256)
TEXT_1("s_mulk_i32",
       "s_mov_b32 %0, %1\n"
       "s_mulk_i32 %0, 0xff00",
       u32, u32, a * -256u)
TEXT_1("s_movk_i32", "s_movk_i32 %0, 0xff00", i32, i32, a * 0 - 256)
TEXT_2("s_min_u32", "s_min_u32 %0, %1, %2" SCC, u32, u32, u32, a < b ? 77u : b)
TEXT_2("s_max_u32", "s_max_u32 %0, %1, %2" SCC, u32, u32, u32, a > b ? 77u : b)
TEXT_2("s_min_i32", "s_min_i32 %0, %1, %2" SCC, i32, i32, i32, a < b ? 77 : b)
TEXT_2("s_max_i32", "s_max_i32 %0, %1, %2" SCC, i32, i32, i32, a > b ? 77 : b)
TEXT_2("s_lshl1_add_u32", "s_lshl1_add_u32 %0, %1, %2" SCC, u32, u32, u32,
       (u64(a) * 2 + b) >> 32 ? 77u : 2 * a + b)
TEXT_2("s_lshl3_add_u32", "s_lshl3_add_u32 %0, %1, %2" SCC, u32, u32, u32,
       (u64(a) * 8 + b) >> 32 ? 77u : 8 * a + b)
COMPARES_2("s_cmp_eq_i32", i32, a == b)
COMPARES_2("s_cmp_lg_i32", i32, a != b)
COMPARES_2("s_cmp_gt_i32", i32, a > b)
COMPARES_2("s_cmp_ge_i32", i32, a >= b)
COMPARES_2("s_cmp_lt_i32", i32, a < b)
COMPARES_2("s_cmp_le_i32", i32, a <= b)
COMPARES_2("s_cmp_eq_u32", u32, a == b)
COMPARES_2("s_cmp_lg_u32", u32, a != b)
COMPARES_2("s_cmp_gt_u32", u32, a > b)
COMPARES_2("s_cmp_ge_u32", u32, a >= b)
COMPARES_2("s_cmp_lt_u32", u32, a < b)
COMPARES_2("s_cmp_le_u32", u32, a <= b)
COMPARES_2("s_cmp_eq_u64", u64, a == b)
COMPARES_2("s_cmp_lg_u64", u64, a != b)
COMPARES_2("s_bitcmp1_b32", u32, a >> b % 32 & 1)
COMPARES_2("s_bitcmp0_b32", u32, !(a >> b % 32 & 1))
#define COMPARES_SHORT(name, T, k, ...) \
  TEXT_1(name, name " %1, " #k "\ns_cselect_b32 %0, 1, 0", u32, T, __VA_ARGS__)
COMPARES_SHORT("s_cmpk_eq_i32", i32, 0xff81, a == -127)
COMPARES_SHORT("s_cmpk_lg_i32", i32, 0xff80, a != -128)
COMPARES_SHORT("s_cmpk_gt_i32", i32, 0xff80, a > -128)
COMPARES_SHORT("s_cmpk_ge_i32", i32, 0xff80, a >= -128)
COMPARES_SHORT("s_cmpk_lt_i32", i32, 0xff80, a < -128)
COMPARES_SHORT("s_cmpk_le_i32", i32, 0xff80, a <= -128)
COMPARES_SHORT("s_cmpk_eq_u32", u32, 0xffff, a == 65535)
COMPARES_SHORT("s_cmpk_gt_u32", u32, 0xffff, a > 65535)
COMPARES_SHORT("s_cmpk_lt_u32", u32, 0xffff, a < 65535)
TEXT_2("s_bitset1_b32",
       "s_mov_b32 %0, %1\n"
       "s_bitset1_b32 %0, %2",
       u32, u32, u32, a | 1u << b % 32)
TEXT_2("s_bitset0_b32",
       "s_mov_b32 %0, %1\n"
       "s_bitset0_b32 %0, %2",
       u32, u32, u32, a & ~(1u << b % 32))
TEXT_2("s_cmov_b32",
       "s_mov_b32 %0, %1\n"
       "s_cmp_lg_u32 %2, 0\n"
       "s_cmov_b32 %0, %2",
       u32, u32, u32, b ? b : a)
// EXEC and what it was before: with one thread, bit 0 alone counts.
#define SAVES_EXEC(name, ...)                       \
  TEXT_1(name,                                      \
         "s_mov_b64 vcc, exec\n" name               \
         " %0, %1\n"                                \
         "s_mov_b64 %0, exec\ns_mov_b64 exec, vcc", \
         u64, u64, __VA_ARGS__)
SAVES_EXEC("s_and_saveexec_b64", a & 1)
SAVES_EXEC("s_or_saveexec_b64", a | 1)
SAVES_EXEC("s_xor_saveexec_b64", a ^ 1)
SAVES_EXEC("s_andn2_saveexec_b64", a & ~u64(1))
SAVES_EXEC("s_orn2_saveexec_b64", a | ~u64(1))
