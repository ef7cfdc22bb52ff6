// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions of the scalar unit: arithmetic, bits, comparisons, moves.
#include "ops.hpp"

namespace gcn {
namespace {

enum Flag { KEEPS, NOT_ZERO };  // what happens to SCC

template <class T, Flag flag, class F>
Handler scalar1(F) {
  return [](Wave &w, const Ins &i) {
    const auto r = F{}(scalar<T>(w, i.o[1]));
    set_scalar(w, i.o[0], r);
    if (flag == NOT_ZERO) w.scc = r != 0;
  };
}
template <class T, Flag flag, class F>
Handler scalar2(F) {
  return [](Wave &w, const Ins &i) {
    const T r = static_cast<T>(F{}(scalar<T>(w, i.o[1]), scalar<T>(w, i.o[2])));
    set_scalar(w, i.o[0], r);
    if (flag == NOT_ZERO) w.scc = r != 0;
  };
}
// The shift is of 32 bits.
template <class T, class F>
Handler shift(F) {
  return [](Wave &w, const Ins &i) {
    const u32 n = scalar<u32>(w, i.o[2]) & (8 * sizeof(T) - 1);
    const T r   = static_cast<T>(F{}(scalar<T>(w, i.o[1]), n));
    set_scalar(w, i.o[0], r);
    w.scc = r != 0;
  };
}
template <class T, class F>
Handler compare(F) {
  return [](Wave &w, const Ins &i) {
    w.scc = F{}(scalar<T>(w, i.o[0]), scalar<T>(w, i.o[1]));
  };
}
// The second operand is the instruction's value of 16 bits.
template <class T, class F>
Handler compare_short(F) {
  return [](Wave &w, const Ins &i) {
    const u16 k = i.o[1].bits32;
    w.scc =
        F{}(scalar<T>(w, i.o[0]),
            std::is_signed_v<T> ? static_cast<T>(static_cast<i16>(k)) : T{k});
  };
}
i32 short_value(const Operand &o) { return static_cast<i16>(o.bits32); }

// EXEC = F(operand, EXEC); the register gets the old EXEC.
template <class F>
Handler save_exec(F) {
  return [](Wave &w, const Ins &i) {
    const u64 old = w.exec(), r = F{}(scalar<u64>(w, i.o[1]), old);
    set_scalar(w, i.o[0], old);
    w.set_pair(EXEC, r);
    w.scc = r != 0;
  };
}

template <class T>
void add_logic(Table &t, bool wide) {
  const auto name = [&](const char *narrow, const char *w) {
    return wide ? w : narrow;
  };
  t[name("s_and_b32", "s_and_b64")] =
      scalar2<T, NOT_ZERO>([](T a, T b) { return a & b; });
  t[name("s_or_b32", "s_or_b64")] =
      scalar2<T, NOT_ZERO>([](T a, T b) { return a | b; });
  t[name("s_xor_b32", "s_xor_b64")] =
      scalar2<T, NOT_ZERO>([](T a, T b) { return a ^ b; });
  t[name("s_andn2_b32", "s_andn2_b64")] =
      scalar2<T, NOT_ZERO>([](T a, T b) { return a & ~b; });
  t[name("s_orn2_b32", "s_orn2_b64")] =
      scalar2<T, NOT_ZERO>([](T a, T b) { return a | ~b; });
  t[name("s_nand_b32", "s_nand_b64")] =
      scalar2<T, NOT_ZERO>([](T a, T b) { return ~(a & b); });
  t[name("s_nor_b32", "s_nor_b64")] =
      scalar2<T, NOT_ZERO>([](T a, T b) { return ~(a | b); });
  t[name("s_xnor_b32", "s_xnor_b64")] =
      scalar2<T, NOT_ZERO>([](T a, T b) { return ~(a ^ b); });
  t[name("s_not_b32", "s_not_b64")] =
      scalar1<T, NOT_ZERO>([](T a) { return ~a; });
  t[name("s_mov_b32", "s_mov_b64")] = scalar1<T, KEEPS>([](T a) { return a; });
  t[name("s_lshl_b32", "s_lshl_b64")] =
      shift<T>([](T a, u32 n) { return a << n; });
  t[name("s_lshr_b32", "s_lshr_b64")] =
      shift<T>([](T a, u32 n) { return a >> n; });
  using S = std::make_signed_t<T>;
  t[name("s_ashr_i32", "s_ashr_i64")] =
      shift<S>([](S a, u32 n) { return a >> n; });
  t[name("s_cselect_b32", "s_cselect_b64")] = [](Wave &w, const Ins &i) {
    set_scalar(w, i.o[0], scalar<T>(w, i.o[w.scc ? 1 : 2]));
  };
  t[name("s_cmov_b32", "s_cmov_b64")] = [](Wave &w, const Ins &i) {
    if (w.scc) set_scalar(w, i.o[0], scalar<T>(w, i.o[1]));
  };
}

template <class T>
void add_compares(Table &t, const char *const *names) {
  t[names[0]] = compare<T>([](T a, T b) { return a == b; });
  t[names[1]] = compare<T>([](T a, T b) { return a != b; });
  t[names[2]] = compare<T>([](T a, T b) { return a > b; });
  t[names[3]] = compare<T>([](T a, T b) { return a >= b; });
  t[names[4]] = compare<T>([](T a, T b) { return a < b; });
  t[names[5]] = compare<T>([](T a, T b) { return a <= b; });
}
template <class T>
void add_short_compares(Table &t, const char *const *names) {
  t[names[0]] = compare_short<T>([](T a, T b) { return a == b; });
  t[names[1]] = compare_short<T>([](T a, T b) { return a != b; });
  t[names[2]] = compare_short<T>([](T a, T b) { return a > b; });
  t[names[3]] = compare_short<T>([](T a, T b) { return a >= b; });
  t[names[4]] = compare_short<T>([](T a, T b) { return a < b; });
  t[names[5]] = compare_short<T>([](T a, T b) { return a <= b; });
}

void add_arithmetic(Table &t) {
  t["s_add_u32"] = [](Wave &w, const Ins &i) {
    const u64 r = u64{scalar<u32>(w, i.o[1])} + scalar<u32>(w, i.o[2]);
    set_scalar(w, i.o[0], static_cast<u32>(r));
    w.scc = r >> 32;
  };
  t["s_addc_u32"] = [](Wave &w, const Ins &i) {
    const u64 r = u64{scalar<u32>(w, i.o[1])} + scalar<u32>(w, i.o[2]) + w.scc;
    set_scalar(w, i.o[0], static_cast<u32>(r));
    w.scc = r >> 32;
  };
  t["s_sub_u32"] = [](Wave &w, const Ins &i) {
    const u32 a = scalar<u32>(w, i.o[1]), b = scalar<u32>(w, i.o[2]);
    set_scalar(w, i.o[0], a - b);
    w.scc = b > a;
  };
  t["s_subb_u32"] = [](Wave &w, const Ins &i) {
    const u64 a = scalar<u32>(w, i.o[1]),
              b = u64{scalar<u32>(w, i.o[2])} + w.scc;
    set_scalar(w, i.o[0], static_cast<u32>(a - b));
    w.scc = b > a;
  };
  t["s_add_i32"] = [](Wave &w, const Ins &i) {
    i32 r;
    w.scc = __builtin_add_overflow(scalar<i32>(w, i.o[1]),
                                   scalar<i32>(w, i.o[2]), &r);
    set_scalar(w, i.o[0], r);
  };
  t["s_sub_i32"] = [](Wave &w, const Ins &i) {
    i32 r;
    w.scc = __builtin_sub_overflow(scalar<i32>(w, i.o[1]),
                                   scalar<i32>(w, i.o[2]), &r);
    set_scalar(w, i.o[0], r);
  };
  t["s_addk_i32"] = [](Wave &w, const Ins &i) {
    i32 r;
    w.scc =
        __builtin_add_overflow(scalar<i32>(w, i.o[0]), short_value(i.o[1]), &r);
    set_scalar(w, i.o[0], r);
  };
  t["s_mulk_i32"] = [](Wave &w, const Ins &i) {
    set_scalar(w, i.o[0],
               scalar<u32>(w, i.o[0]) * static_cast<u32>(short_value(i.o[1])));
  };
  t["s_movk_i32"] = [](Wave &w, const Ins &i) {
    set_scalar(w, i.o[0], short_value(i.o[1]));
  };
  t["s_mul_i32"] = scalar2<u32, KEEPS>([](u32 a, u32 b) { return a * b; });
  t["s_mul_hi_u32"] =
      scalar2<u32, KEEPS>([](u32 a, u32 b) { return u64{a} * b >> 32; });
  t["s_mul_hi_i32"] =
      scalar2<i32, KEEPS>([](i32 a, i32 b) { return i64{a} * b >> 32; });
  t["s_min_u32"] = [](Wave &w, const Ins &i) {
    const u32 a = scalar<u32>(w, i.o[1]), b = scalar<u32>(w, i.o[2]);
    w.scc = a < b;
    set_scalar(w, i.o[0], w.scc ? a : b);
  };
  t["s_min_i32"] = [](Wave &w, const Ins &i) {
    const i32 a = scalar<i32>(w, i.o[1]), b = scalar<i32>(w, i.o[2]);
    w.scc = a < b;
    set_scalar(w, i.o[0], w.scc ? a : b);
  };
  t["s_max_u32"] = [](Wave &w, const Ins &i) {
    const u32 a = scalar<u32>(w, i.o[1]), b = scalar<u32>(w, i.o[2]);
    w.scc = a > b;
    set_scalar(w, i.o[0], w.scc ? a : b);
  };
  t["s_max_i32"] = [](Wave &w, const Ins &i) {
    const i32 a = scalar<i32>(w, i.o[1]), b = scalar<i32>(w, i.o[2]);
    w.scc = a > b;
    set_scalar(w, i.o[0], w.scc ? a : b);
  };
  t["s_abs_i32"] = scalar1<u32, NOT_ZERO>(
      [](u32 a) { return static_cast<i32>(a) < 0 ? 0 - a : a; });
}

u32 reverse(u32 a) {
  u32 r = 0;
  for (int k = 0; k < 32; ++k) r |= (a >> k & 1) << (31 - k);
  return r;
}

void add_fields(Table &t) {
  t["s_brev_b32"] = scalar1<u32, KEEPS>([](u32 a) { return reverse(a); });
  t["s_bcnt1_i32_b32"] =
      scalar1<u32, NOT_ZERO>([](u32 a) { return __builtin_popcount(a); });
  t["s_bcnt1_i32_b64"] =
      scalar1<u64, NOT_ZERO>([](u64 a) { return __builtin_popcountll(a); });
  t["s_ff1_i32_b32"] =
      scalar1<u32, KEEPS>([](u32 a) { return a ? __builtin_ctz(a) : -1; });
  t["s_ff1_i32_b64"] =
      scalar1<u64, KEEPS>([](u64 a) { return a ? __builtin_ctzll(a) : -1; });
  t["s_flbit_i32_b32"] =
      scalar1<u32, KEEPS>([](u32 a) { return a ? __builtin_clz(a) : -1; });
  t["s_flbit_i32_b64"] =
      scalar1<u64, KEEPS>([](u64 a) { return a ? __builtin_clzll(a) : -1; });
  t["s_flbit_i32"] = scalar1<i32, KEEPS>(
      [](i32 a) { return a == 0 || a == -1 ? -1 : __builtin_clrsb(a) + 1; });
  t["s_sext_i32_i8"] =
      scalar1<u32, KEEPS>([](u32 a) { return i32{static_cast<i8>(a)}; });
  t["s_sext_i32_i16"] =
      scalar1<u32, KEEPS>([](u32 a) { return i32{static_cast<i16>(a)}; });
  t["s_bfm_b32"] = scalar2<u32, KEEPS>(
      [](u32 a, u32 b) { return ((1u << (a & 31)) - 1) << (b & 31); });
  t["s_bfm_b64"] = [](Wave &w, const Ins &i) {
    const u32 a = scalar<u32>(w, i.o[1]) & 63, b = scalar<u32>(w, i.o[2]) & 63;
    set_scalar(w, i.o[0], ((u64{1} << a) - 1) << b);
  };
  t["s_bfe_u32"] = scalar2<u32, NOT_ZERO>([](u32 a, u32 b) {
    const u32 at = b & 31, n = b >> 16 & 127;
    return n >= 32 ? a >> at : (a >> at) & ((1u << n) - 1);
  });
  t["s_bfe_i32"] = scalar2<u32, NOT_ZERO>([](u32 a, u32 b) {
    const u32 at = b & 31, n = b >> 16 & 127;
    const i32 v = static_cast<i32>(a);
    if (n == 0) return 0;
    if (n + at >= 32) return v >> at;
    return static_cast<i32>(a << (32 - n - at)) >> (32 - n);
  });
  t["s_bfe_u64"] = [](Wave &w, const Ins &i) {
    const u64 a = scalar<u64>(w, i.o[1]);
    const u32 b = scalar<u32>(w, i.o[2]), at = b & 63, n = b >> 16 & 127;
    const u64 r = n >= 64 ? a >> at : (a >> at) & ((u64{1} << n) - 1);
    set_scalar(w, i.o[0], r);
    w.scc = r != 0;
  };
  t["s_bitcmp0_b32"] = [](Wave &w, const Ins &i) {
    w.scc = !(scalar<u32>(w, i.o[0]) >> (scalar<u32>(w, i.o[1]) & 31) & 1);
  };
  t["s_bitcmp1_b32"] = [](Wave &w, const Ins &i) {
    w.scc = scalar<u32>(w, i.o[0]) >> (scalar<u32>(w, i.o[1]) & 31) & 1;
  };
  t["s_bitset0_b32"] = [](Wave &w, const Ins &i) {
    set_scalar(w, i.o[0],
               scalar<u32>(w, i.o[0]) & ~(1u << (scalar<u32>(w, i.o[1]) & 31)));
  };
  t["s_bitset1_b32"] = [](Wave &w, const Ins &i) {
    set_scalar(w, i.o[0],
               scalar<u32>(w, i.o[0]) | 1u << (scalar<u32>(w, i.o[1]) & 31));
  };
  t["s_lshl1_add_u32"] = [](Wave &w, const Ins &i) {
    const u64 r = (u64{scalar<u32>(w, i.o[1])} << 1) + scalar<u32>(w, i.o[2]);
    set_scalar(w, i.o[0], static_cast<u32>(r));
    w.scc = r >> 32 != 0;
  };
  t["s_lshl2_add_u32"] = [](Wave &w, const Ins &i) {
    const u64 r = (u64{scalar<u32>(w, i.o[1])} << 2) + scalar<u32>(w, i.o[2]);
    set_scalar(w, i.o[0], static_cast<u32>(r));
    w.scc = r >> 32 != 0;
  };
  t["s_lshl3_add_u32"] = [](Wave &w, const Ins &i) {
    const u64 r = (u64{scalar<u32>(w, i.o[1])} << 3) + scalar<u32>(w, i.o[2]);
    set_scalar(w, i.o[0], static_cast<u32>(r));
    w.scc = r >> 32 != 0;
  };
  t["s_pack_ll_b32_b16"] =
      scalar2<u32, KEEPS>([](u32 a, u32 b) { return (a & 0xffff) | b << 16; });
}

}  // namespace

void add_scalar(Table &t) {
  add_logic<u32>(t, false);
  add_logic<u64>(t, true);
  add_arithmetic(t);
  add_fields(t);
  static const char *const signed_names[] = {"s_cmp_eq_i32", "s_cmp_lg_i32",
                                             "s_cmp_gt_i32", "s_cmp_ge_i32",
                                             "s_cmp_lt_i32", "s_cmp_le_i32"};
  static const char *const names[]        = {"s_cmp_eq_u32", "s_cmp_lg_u32",
                                             "s_cmp_gt_u32", "s_cmp_ge_u32",
                                             "s_cmp_lt_u32", "s_cmp_le_u32"};
  static const char *const short_signed[] = {"s_cmpk_eq_i32", "s_cmpk_lg_i32",
                                             "s_cmpk_gt_i32", "s_cmpk_ge_i32",
                                             "s_cmpk_lt_i32", "s_cmpk_le_i32"};
  static const char *const shorts[]       = {"s_cmpk_eq_u32", "s_cmpk_lg_u32",
                                             "s_cmpk_gt_u32", "s_cmpk_ge_u32",
                                             "s_cmpk_lt_u32", "s_cmpk_le_u32"};
  add_compares<i32>(t, signed_names);
  add_compares<u32>(t, names);
  add_short_compares<i32>(t, short_signed);
  add_short_compares<u32>(t, shorts);
  t["s_cmp_eq_u64"]         = compare<u64>([](u64 a, u64 b) { return a == b; });
  t["s_cmp_lg_u64"]         = compare<u64>([](u64 a, u64 b) { return a != b; });
  t["s_and_saveexec_b64"]   = save_exec([](u64 a, u64 e) { return a & e; });
  t["s_or_saveexec_b64"]    = save_exec([](u64 a, u64 e) { return a | e; });
  t["s_xor_saveexec_b64"]   = save_exec([](u64 a, u64 e) { return a ^ e; });
  t["s_andn2_saveexec_b64"] = save_exec([](u64 a, u64 e) { return a & ~e; });
  t["s_orn2_saveexec_b64"]  = save_exec([](u64 a, u64 e) { return a | ~e; });
  t["s_andn1_saveexec_b64"] = save_exec([](u64 a, u64 e) { return ~a & e; });
  t["s_orn1_saveexec_b64"]  = save_exec([](u64 a, u64 e) { return ~a | e; });
}

}  // namespace gcn
