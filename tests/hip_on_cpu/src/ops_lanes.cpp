// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Between lanes: reads and writes of single lanes, counts of masks, permutes.
#include "ops.hpp"

namespace gcn {
namespace {

const u32 *column(const Wave &w, const Operand &o) {
  return (o.kind == Operand::ACCUMULATOR ? w.a : w.v)[o.number];
}

}  // namespace

void add_lanes(Table &t) {
  t["v_readfirstlane_b32"] = [](Wave &w, const Ins &i) {
    const u64 exec = w.exec();
    const int lane = exec ? __builtin_ctzll(exec) : 0;
    set_scalar(w, i.o[0],
               i.o[1].kind == Operand::VECTOR ? column(w, i.o[1])[lane]
                                              : scalar<u32>(w, i.o[1]));
  };
  t["v_readlane_b32"] = [](Wave &w, const Ins &i) {
    set_scalar(w, i.o[0], column(w, i.o[1])[scalar<u32>(w, i.o[2]) & 63]);
  };
  t["v_writelane_b32"] = [](Wave &w, const Ins &i) {
    w.v[i.o[0].number][scalar<u32>(w, i.o[2]) & 63] = scalar<u32>(w, i.o[1]);
  };
  t["v_mbcnt_lo_u32_b32"] = [](Wave &w, const Ins &i) {
    Source<u32> a(w, i.o[1]), b(w, i.o[2]);
    Target<u32> d(w, i.o[0]);
    each_lane(w.exec(), [&](int l) {
      const u32 below = l < 32 ? (1u << l) - 1 : ~0u;
      d.set(l, __builtin_popcount(a[l] & below) + b[l]);
    });
  };
  t["v_mbcnt_hi_u32_b32"] = [](Wave &w, const Ins &i) {
    Source<u32> a(w, i.o[1]), b(w, i.o[2]);
    Target<u32> d(w, i.o[0]);
    each_lane(w.exec(), [&](int l) {
      const u32 below = l < 32 ? 0 : (1u << (l - 32)) - 1;
      d.set(l, __builtin_popcount(a[l] & below) + b[l]);
    });
  };
  t["ds_bpermute_b32"] =
      [](Wave &w, const Ins &i) {  // a lane that is masked out gives 0
        u32 in[lanes_of_wave] = {};
        const u64 exec        = w.exec();
        Source<u32> at(w, i.o[1]), value(w, i.o[2]);
        Target<u32> d(w, i.o[0]);
        each_lane(exec, [&](int l) { in[l] = value[l]; });
        each_lane(exec, [&](int l) {
          d.set(l, in[(at[l] + static_cast<u32>(i.offset)) >> 2 & 63]);
        });
      };
  t["ds_permute_b32"] = [](Wave &w, const Ins &i) {
    u32 out[lanes_of_wave] = {};
    const u64 exec         = w.exec();
    Source<u32> at(w, i.o[1]), value(w, i.o[2]);
    Target<u32> d(w, i.o[0]);
    each_lane(exec, [&](int l) {
      out[(at[l] + static_cast<u32>(i.offset)) >> 2 & 63] = value[l];
    });
    each_lane(exec, [&](int l) { d.set(l, out[l]); });
  };
}

}  // namespace gcn
