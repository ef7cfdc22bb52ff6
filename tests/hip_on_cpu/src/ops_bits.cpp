// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bits of the lanes: logic, shifts, fields, moves.
#include "ops.hpp"

namespace gcn {
namespace {

u32 reverse(u32 a) {
  u32 r = 0;
  for (int k = 0; k < 32; ++k) r |= (a >> k & 1) << (31 - k);
  return r;
}

// The shift is the first operand.
template <class T>
void add_shifts(Table &t, const char *left, const char *right,
                const char *arithmetic) {
  using N            = std::conditional_t<sizeof(T) == 8, u32, T>;
  using S            = std::make_signed_t<T>;
  constexpr u32 most = 8 * sizeof(T) - 1;
  t[left] =
      binary<T, N, T>([](N n, T a) { return static_cast<T>(a << (n & most)); });
  t[right] =
      binary<T, N, T>([](N n, T a) { return static_cast<T>(a >> (n & most)); });
  t[arithmetic] =
      binary<S, N, S>([](N n, S a) { return static_cast<S>(a >> (n & most)); });
}

void add_fields(Table &t) {
  t["v_bfe_u32"] = ternary<u32, u32, u32, u32>([](u32 a, u32 b, u32 c) {
    return (a >> (b & 31)) & ((1u << (c & 31)) - 1);
  });
  t["v_bfe_i32"] = ternary<u32, u32, u32, u32>([](u32 a, u32 b, u32 c) {
    const u32 at = b & 31, n = c & 31;
    if (n == 0) return 0u;
    if (n + at >= 32) return static_cast<u32>(static_cast<i32>(a) >> at);
    return static_cast<u32>(static_cast<i32>(a << (32 - n - at)) >> (32 - n));
  });
  t["v_bfi_b32"] = ternary<u32, u32, u32, u32>(
      [](u32 a, u32 b, u32 c) { return (a & b) | (~a & c); });
  t["v_bfm_b32"] = binary<u32, u32, u32>(
      [](u32 a, u32 b) { return ((1u << (a & 31)) - 1) << (b & 31); });
  t["v_alignbit_b32"]  = ternary<u32, u32, u32, u32>([](u32 a, u32 b, u32 c) {
    return static_cast<u32>((u64{a} << 32 | b) >> (c & 31));
  });
  t["v_alignbyte_b32"] = ternary<u32, u32, u32, u32>([](u32 a, u32 b, u32 c) {
    return static_cast<u32>((u64{a} << 32 | b) >> (8 * (c & 3)));
  });
  t["v_perm_b32"]      = ternary<u32, u32, u32, u32>([](u32 a, u32 b, u32 c) {
    const u64 all = u64{a} << 32 | b;
    u32 r         = 0;
    for (int k = 0; k < 4; ++k) {
      const u32 s = c >> (8 * k) & 255;
      u32 byte    = 0xff;
      if (s < 8)
        byte = all >> (8 * s) & 255;
      else if (s < 12)  // the sign of a half
        byte = all >> (16 * (s - 8) + 15) & 1 ? 0xff : 0;
      else if (s == 12)
        byte = 0;
      r |= byte << (8 * k);
    }
    return r;
  });
  t["v_bfrev_b32"]     = unary<u32, u32>([](u32 a) { return reverse(a); });
  t["v_ffbh_u32"]      = unary<u32, u32>(
      [](u32 a) { return a ? static_cast<u32>(__builtin_clz(a)) : ~0u; });
  t["v_ffbl_b32"] = unary<u32, u32>(
      [](u32 a) { return a ? static_cast<u32>(__builtin_ctz(a)) : ~0u; });
  t["v_ffbh_i32"] = unary<i32, i32>(
      [](i32 a) { return a == 0 || a == -1 ? -1 : __builtin_clrsb(a) + 1; });
  t["v_bcnt_u32_b32"] = binary<u32, u32, u32>(
      [](u32 a, u32 b) { return __builtin_popcount(a) + b; });
}

}  // namespace

void add_bits(Table &t) {
  t["v_mov_b32"]           = unary<u32, u32>([](u32 a) { return a; });
  t["v_accvgpr_write_b32"] = t["v_accvgpr_read_b32"] = t["v_mov_b32"];
  t["v_accvgpr_write"] = t["v_accvgpr_read"] = t["v_mov_b32"];
  t["v_not_b32"] = unary<u32, u32>([](u32 a) { return ~a; });
  t["v_and_b32"] = binary<u32, u32, u32>([](u32 a, u32 b) { return a & b; });
  t["v_or_b32"]  = binary<u32, u32, u32>([](u32 a, u32 b) { return a | b; });
  t["v_xor_b32"] = binary<u32, u32, u32>([](u32 a, u32 b) { return a ^ b; });
  t["v_xnor_b32"] =
      binary<u32, u32, u32>([](u32 a, u32 b) { return ~(a ^ b); });
  t["v_and_or_b32"] = ternary<u32, u32, u32, u32>(
      [](u32 a, u32 b, u32 c) { return (a & b) | c; });
  t["v_or3_b32"] = ternary<u32, u32, u32, u32>(
      [](u32 a, u32 b, u32 c) { return a | b | c; });
  t["v_lshl_or_b32"] = ternary<u32, u32, u32, u32>(
      [](u32 a, u32 b, u32 c) { return (a << (b & 31)) | c; });
  add_shifts<u16>(t, "v_lshlrev_b16", "v_lshrrev_b16", "v_ashrrev_i16");
  add_shifts<u32>(t, "v_lshlrev_b32", "v_lshrrev_b32", "v_ashrrev_i32");
  add_shifts<u64>(t, "v_lshlrev_b64", "v_lshrrev_b64", "v_ashrrev_i64");
  add_fields(t);
  t["v_cndmask_b32"] = [](Wave &w, const Ins &i) {
    Source<u32> a(w, i.o[1]), b(w, i.o[2]);
    Target<u32> d(w, i.o[0]);
    const u64 mask = scalar<u64>(w, i.o[3]);
    each_lane(w.exec(), [&](int l) { d.set(l, mask >> l & 1 ? b[l] : a[l]); });
  };
}

}  // namespace gcn
