// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What orders the lanes of a warp for the race detector: collectives order
// those that take part (a clock for each pair of lanes).
#include "ptxrun.hpp"
#include <algorithm>

namespace ptxrun {
namespace {

struct Lane final : Accessor {
  Warp &w;
  const Ins &i;
  int lane;
  Lane(Warp &warp, const Ins &ins, int l)
      : Accessor(rank_of(warp, l), warp.clock[l][l], &ins),
        w(warp),
        i(ins),
        lane(l) {}
  bool ordered(u16 other, u32 clock_of_other) const override {
    return other / 32 == w.index && w.clock[lane][other % 32] >= clock_of_other;
  }
  std::string where(const void *at) const override {
    return ptxrun::where(*w.func, *static_cast<const Ins *>(at));
  }
  void report(const std::string &text) const override {
    found_race(located(w, i, text));
  }
};

thread_local auto *clocks = new u32[32][32][32];  // of warp, lane, other lane

}  // namespace

std::string located(Warp &w, const Ins &i, const std::string &text) {
  const Block &b = *w.block;
  return strprintf("%s\n  kernel %s, block (%u,%u,%u)\n  %s", text.c_str(),
                   pretty_name(*b.launch->func).c_str(), b.index.x, b.index.y,
                   b.index.z, where(*w.func, i).c_str());
}

void races_start_block(Block &b) {
  on_cpu::races_start_block(b.races, b.launch->id, b.linear,
                            b.launch->released);
  for (u32 n = 0; n < b.warps; ++n) {
    b.warp[n].clock = clocks[n];
    memset(clocks[n], 0, sizeof clocks[n]);
    for (int l = 0; l < 32; ++l) clocks[n][l][l] = 1;
  }
}

void races_collective(Warp &w, u32 set) {
  u32 m[32] = {};
  for (u32 q = set; q; q &= q - 1) {
    int l = __builtin_ctz(q);
    for (int k = 0; k < 32; ++k) m[k] = std::max(m[k], w.clock[l][k]);
  }
  for (u32 q = set; q; q &= q - 1) {
    int l = __builtin_ctz(q);
    memcpy(w.clock[l], m, sizeof m);
  }
  for (u32 q = set; q; q &= q - 1) {
    int l = __builtin_ctz(q);
    ++w.clock[l][l];
  }
}

void shared_access(Warp &w, const Ins &i, int lane, u32 offset, u32 size,
                   Access access, bool same) {
  shared_access(w.block->races, Lane(w, i, lane), offset, size, access, same);
}

void global_access(Warp &w, const Ins &i, int lane, Allocation *a, u8 *p,
                   u32 size, Access access, bool strong) {
  global_access(w.block->races, Lane(w, i, lane), a, p, size, access, strong);
}

}  // namespace ptxrun
