// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells the detectors of races and of reads of what nothing wrote about the
// accesses of a wave. Its lanes run in step, so that they are one thread, and
// are in each other's way within one store alone.
#include "addresses.hpp"
#include <algorithm>

namespace gcn {
namespace {

struct WaveAccessor final : Accessor {
  const Wave &w;
  const Ins &i;
  WaveAccessor(const Wave &wave, const Ins &ins)
      : Accessor(wave.index, 0, &ins), w(wave), i(ins) {}
  bool ordered(u16, u32) const override { return false; }
  std::string where(const void *at) const override {
    return gcn::where(w, *static_cast<const Ins *>(at));
  }
  void report(const std::string &text) const override {
    found_race(located(w, i, w.exec(), text));
  }
};

bool in_lds(const Wave &w, const u8 *p) {
  return p >= w.block->lds && p < w.block->lds + w.block->lds_bytes;
}
bool in_scratch(const Wave &w, const u8 *p) {
  return p >= w.scratch &&
         p < w.scratch + u64{lanes_of_wave} * w.scratch_stride;
}

void check_written(const Wave &w, const Ins &i, int lane, u32 at, u32 size,
                   Access access) {
  u8 *v = w.block->written + at;
  if (access == WRITE) {
    memset(v, 1, size);
    return;
  }
  if (memchr(v, 0, size) && first_race(&i, nullptr))
    found_race(located(
        w, i, u64{1} << lane,
        strprintf("uninitialised shared memory is read at offset 0x%x", at)));
  if (access == ATOMIC) memset(v, 1, size);
}

void one_access(const Wave &w, const Ins &i, int lane, u8 *p, u32 size,
                Access access, bool same) {
  if (in_scratch(w, p)) return;
  Block &b = *w.block;
  if (in_lds(w, p)) {
    if (settings.init) check_written(w, i, lane, p - b.lds, size, access);
    if (settings.race)
      shared_access(b.races, WaveAccessor(w, i), p - b.lds, size, access, same);
  } else if (settings.race > 1)
    global_access(b.races, WaveAccessor(w, i), i.hit, p, size, access,
                  same || (access == READ && i.glc));
}

// Two lanes that write to one place in one store must write the same.
void check_lanes(const Wave &w, const Ins &i, const Addresses &a, u32 size,
                 const u8 (*values)[16]) {
  int lanes[lanes_of_wave], n = 0;
  each_lane(w.exec(), [&](int l) {
    if (!in_scratch(w, a.p[l])) lanes[n++] = l;
  });
  std::sort(lanes, lanes + n, [&](int k, int l) { return a.p[k] < a.p[l]; });
  for (int k = 1; k < n; ++k) {
    const int l = lanes[k - 1], m = lanes[k];
    if (a.p[l] + size <= a.p[m]) continue;
    if (a.p[l] == a.p[m] && memcmp(values[l], values[m], size) == 0) continue;
    if (first_race(&i, &i))
      found_race(located(w, i, u64{1} << l | u64{1} << m,
                         "race within an instruction: lanes write different "
                         "values to one place"));
  }
}

}  // namespace

void watch(const Wave &w, const Ins &i, const Addresses &a, u32 size,
           Access access) {
  each_lane(w.exec(),
            [&](int l) { one_access(w, i, l, a.p[l], size, access, false); });
}

void count(const Wave &w, const Addresses &a, u32 size, Access access) {
  const u64 lanes = w.exec();
  if (!lanes) return;
  const u8 *first = a.p[__builtin_ctzll(lanes)];
  Profile &f      = w.block->launch->kernel->profile;
  if (in_lds(w, first))
    count_banks(f, lanes, size, a.p);
  else if (!in_scratch(w, first))
    count_sectors(f, lanes, size, access, a.p);
}

void watch_store(const Wave &w, const Ins &i, const Addresses &a, u32 size,
                 const u32 (*data)[lanes_of_wave]) {
  u8 values[lanes_of_wave][16];
  each_lane(w.exec(), [&](int l) {
    for (u32 k = 0; k < size; k += 4) memcpy(values[l] + k, &data[k / 4][l], 4);
  });
  if (settings.race) check_lanes(w, i, a, size, values);
  each_lane(w.exec(), [&](int l) {
    one_access(w, i, l, a.p[l], size, WRITE,
               memcmp(a.p[l], values[l], size) == 0);
  });
}

}  // namespace gcn
