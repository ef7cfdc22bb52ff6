// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer arithmetic of the lanes.
#include "ops.hpp"

namespace gcn {
namespace {

// d, carry = F(a, b, carry in): the 33rd bit is the carry. Operands: d, carry,
// a, b and perhaps the carry in.
template <class F>
Handler with_carry(F) {
  return [](Wave &w, const Ins &i) {
    no_clamp(w, i);
    Source<u32> a(w, i.o[2]), b(w, i.o[3]);
    Target<u32> d(w, i.o[0]);
    const u64 in = i.operands > 4 ? scalar<u64>(w, i.o[4]) : 0;
    u64 out      = 0;
    each_lane(w.exec(), [&](int l) {
      const u64 r = F{}(u64{a[l]}, u64{b[l]}, in >> l & 1);
      d.set(l, static_cast<u32>(r));
      out |= (r >> 32 & 1) << l;
    });
    set_scalar(w, i.o[1], out);
  };
}

// d, carry = a * b + c of 64 bits
template <class T, class W>
Handler multiply_add() {
  return [](Wave &w, const Ins &i) {
    Source<T> a(w, i.o[2]), b(w, i.o[3]);
    Source<u64> c(w, i.o[4]);
    Target<u64> d(w, i.o[0]);
    u64 out = 0;
    each_lane(w.exec(), [&](int l) {
      const u64 product = static_cast<u64>(W{a[l]} * W{b[l]}), z = c[l];
      const u64 r = product + z;
      bool over   = r < product;
      if constexpr (std::is_signed_v<T>) {
        i64 s;
        over = __builtin_add_overflow(static_cast<i64>(product),
                                      static_cast<i64>(z), &s);
      }
      d.set(l, r);
      out |= u64{over} << l;
    });
    set_scalar(w, i.o[1], out);
  };
}

u32 u24(u32 a) { return a & 0xffffff; }
i32 i24(u32 a) { return static_cast<i32>(a << 8) >> 8; }

void add_carries(Table &t) {
  t["v_add_co_u32"] = with_carry([](u64 a, u64 b, u64) { return a + b; });
  t["v_addc_co_u32"] =
      with_carry([](u64 a, u64 b, u64 c) { return a + b + c; });
  t["v_sub_co_u32"] = with_carry([](u64 a, u64 b, u64) { return a - b; });
  t["v_subb_co_u32"] =
      with_carry([](u64 a, u64 b, u64 c) { return a - b - c; });
  t["v_subrev_co_u32"] = with_carry([](u64 a, u64 b, u64) { return b - a; });
  t["v_subbrev_co_u32"] =
      with_carry([](u64 a, u64 b, u64 c) { return b - a - c; });
  t["v_mad_u64_u32"] = multiply_add<u32, u64>();
  t["v_mad_i64_i32"] = multiply_add<i32, i64>();
}

}  // namespace

void add_integer(Table &t) {
  add_carries(t);
  t["v_add_u32"]    = binary<u32, u32, u32>([](u32 a, u32 b) { return a + b; });
  t["v_sub_u32"]    = binary<u32, u32, u32>([](u32 a, u32 b) { return a - b; });
  t["v_subrev_u32"] = binary<u32, u32, u32>([](u32 a, u32 b) { return b - a; });
  t["v_add_i32"]    = t["v_add_u32"];
  t["v_sub_i32"]    = t["v_sub_u32"];
  t["v_add_u16"]    = binary<u16, u16, u16>(
      [](u16 a, u16 b) { return static_cast<u16>(a + b); });
  t["v_sub_u16"] = binary<u16, u16, u16>(
      [](u16 a, u16 b) { return static_cast<u16>(a - b); });
  t["v_subrev_u16"] = binary<u16, u16, u16>(
      [](u16 a, u16 b) { return static_cast<u16>(b - a); });
  t["v_mul_lo_u16"] = binary<u16, u16, u16>(
      [](u16 a, u16 b) { return static_cast<u16>(u32{a} * b); });
  t["v_mad_u16"] = ternary<u16, u16, u16, u16>(
      [](u16 a, u16 b, u16 c) { return static_cast<u16>(u32{a} * b + c); });
  t["v_mad_legacy_u16"] = t["v_mad_u16"];
  t["v_mul_lo_u32"] = binary<u32, u32, u32>([](u32 a, u32 b) { return a * b; });
  t["v_mul_hi_u32"] = binary<u32, u32, u32>(
      [](u32 a, u32 b) { return static_cast<u32>(u64{a} * b >> 32); });
  t["v_mul_hi_i32"] = binary<i32, i32, i32>(
      [](i32 a, i32 b) { return static_cast<i32>(i64{a} * b >> 32); });
  t["v_mul_u32_u24"] =
      binary<u32, u32, u32>([](u32 a, u32 b) { return u24(a) * u24(b); });
  t["v_mul_i32_i24"] = binary<u32, u32, u32>(
      [](u32 a, u32 b) { return static_cast<u32>(i64{i24(a)} * i24(b)); });
  t["v_mul_hi_i32_i24"] = binary<u32, u32, u32>([](u32 a, u32 b) {
    return static_cast<u32>(i64{i24(a)} * i24(b) >> 32);
  });
  t["v_mul_hi_u32_u24"] = binary<u32, u32, u32>([](u32 a, u32 b) {
    return static_cast<u32>(u64{u24(a)} * u24(b) >> 32);
  });
  t["v_mad_u32_u24"]    = ternary<u32, u32, u32, u32>(
      [](u32 a, u32 b, u32 c) { return u24(a) * u24(b) + c; });
  t["v_mad_i32_i24"] = ternary<u32, u32, u32, u32>([](u32 a, u32 b, u32 c) {
    return static_cast<u32>(i64{i24(a)} * i24(b)) + c;
  });
  t["v_add3_u32"]    = ternary<u32, u32, u32, u32>(
      [](u32 a, u32 b, u32 c) { return a + b + c; });
  t["v_lshl_add_u32"] = ternary<u32, u32, u32, u32>(
      [](u32 a, u32 b, u32 c) { return (a << (b & 31)) + c; });
  t["v_add_lshl_u32"] = ternary<u32, u32, u32, u32>(
      [](u32 a, u32 b, u32 c) { return (a + b) << (c & 31); });
  t["v_xad_u32"] = ternary<u32, u32, u32, u32>(
      [](u32 a, u32 b, u32 c) { return (a ^ b) + c; });
  t["v_sad_u32"] = ternary<u32, u32, u32, u32>(
      [](u32 a, u32 b, u32 c) { return (a > b ? a - b : b - a) + c; });
  t["v_min_i32"] =
      binary<i32, i32, i32>([](i32 a, i32 b) { return a < b ? a : b; });
  t["v_max_i32"] =
      binary<i32, i32, i32>([](i32 a, i32 b) { return a > b ? a : b; });
  t["v_min_u32"] =
      binary<u32, u32, u32>([](u32 a, u32 b) { return a < b ? a : b; });
  t["v_max_u32"] =
      binary<u32, u32, u32>([](u32 a, u32 b) { return a > b ? a : b; });
  t["v_min_i16"] =
      binary<i16, i16, i16>([](i16 a, i16 b) { return a < b ? a : b; });
  t["v_max_i16"] =
      binary<i16, i16, i16>([](i16 a, i16 b) { return a > b ? a : b; });
  t["v_min_u16"] =
      binary<u16, u16, u16>([](u16 a, u16 b) { return a < b ? a : b; });
  t["v_max_u16"] =
      binary<u16, u16, u16>([](u16 a, u16 b) { return a > b ? a : b; });
  t["v_min3_i32"] = ternary<i32, i32, i32, i32>(
      [](i32 a, i32 b, i32 c) { return std::min(a, std::min(b, c)); });
  t["v_max3_i32"] = ternary<i32, i32, i32, i32>(
      [](i32 a, i32 b, i32 c) { return std::max(a, std::max(b, c)); });
  t["v_min3_u32"] = ternary<u32, u32, u32, u32>(
      [](u32 a, u32 b, u32 c) { return std::min(a, std::min(b, c)); });
  t["v_max3_u32"] = ternary<u32, u32, u32, u32>(
      [](u32 a, u32 b, u32 c) { return std::max(a, std::max(b, c)); });
  t["v_med3_i32"] = ternary<i32, i32, i32, i32>([](i32 a, i32 b, i32 c) {
    return std::max(std::min(a, b), std::min(std::max(a, b), c));
  });
  t["v_med3_u32"] = ternary<u32, u32, u32, u32>([](u32 a, u32 b, u32 c) {
    return std::max(std::min(a, b), std::min(std::max(a, b), c));
  });
}

}  // namespace gcn
