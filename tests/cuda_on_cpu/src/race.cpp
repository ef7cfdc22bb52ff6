// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Race detection. Within a block, for each byte the last writer and two readers
// with their epochs: barriers of the block start a new epoch; within a warp,
// collectives order the lanes that take part (a clock for each pair of lanes).
#include "ptxrun.hpp"
#include <mutex>
#include <set>

namespace ptxrun {
namespace {

struct Entry {  // who accessed a byte
  u32 epoch     = 0;
  u16 thread    = 0;
  u16 flags     = 0;  // 1 atomic, 2 strong
  u32 clock     = 0;
  const Ins *at = nullptr;
};
struct Byte {
  Entry writer, reader[2];
};

struct State {
  std::vector<Byte> shared;
  u32 epoch_base = 0, last = 0;
  u32 clocks[32][32][32];  // of warp, lane, other lane
};
State &state() {
  static thread_local State *s = new State;
  return *s;
}
std::mutex mutex;
std::set<std::pair<const void *, const void *>> reported;
u64 count = 0;

u32 epoch(Block &b) {
  State &s      = state();
  return s.last = s.epoch_base + b.epoch;
}

bool ordered(Warp &w, const Entry &e, int lane) {
  u32 t = rank_of(w, lane);
  if (e.thread == t) return true;
  if (e.thread / 32 == w.index) return w.clock[lane][e.thread % 32] >= e.clock;
  return false;
}

void race(Warp &w, const Ins &i, int lane, const Entry &e, const char *what,
          u64 at, const char *memory) {
  {
    std::lock_guard lock(mutex);
    if (!reported.insert({&i, e.at}).second) return;
  }
  std::string other = e.at ? where(*w.func, *e.at) : "";
  report_race(w, i,
              strprintf("race in %s memory, byte 0x%llx: %s without a barrier "
                        "between; now thread %u, before it thread %u %s",
                        memory, static_cast<unsigned long long>(at), what,
                        rank_of(w, lane), e.thread, other.c_str()));
}

// One thread accesses a byte; what other threads of its block did to it since
// the last barrier that both reached is a race. same: the write changes
// nothing.
void access_in_block(Warp &w, const Ins &i, int lane, Byte &b, u32 now,
                     Access access, bool same, u64 at, const char *memory) {
  if (access == WRITE && same) return;
  const u16 t = rank_of(w, lane), atomic = access == ATOMIC;
  const auto conflicts = [&](const Entry &e) {
    return e.epoch == now && !(atomic & e.flags & 1) && !ordered(w, e, lane);
  };
  if (conflicts(b.writer))
    race(w, i, lane, b.writer,
         access == READ ? "read after write" : "write after write", at, memory);
  const Entry e{now, t, atomic, w.clock[lane][lane], &i};
  if (access != READ) {
    for (const Entry &r : b.reader)
      if (conflicts(r)) race(w, i, lane, r, "write after read", at, memory);
    b.writer = e;
  } else if (b.reader[0].epoch != now || b.reader[0].thread == t ||
             ordered(w, b.reader[0], lane))
    b.reader[0] = e;
  else
    b.reader[1] = e;
}

// What the threads of a block did to the bytes of an allocation; null for very
// large ones.
Byte *bytes_in_block(Allocation *a) {
  if (!a->in_block && a->hi - a->lo <= 16 << 20)
    a->in_block = calloc(a->hi - a->lo, sizeof(Byte));
  return static_cast<Byte *>(a->in_block);
}

}  // namespace

void report_race(Warp &w, const Ins &i, const std::string &text) {
  {
    std::lock_guard lock(mutex);
    if (!reported.insert({&i, nullptr}).second) return;
    ++count;
  }
  Block &b = *w.block;
  std::string t =
      strprintf("%s\n  kernel %s, block (%u,%u,%u)\n  %s", text.c_str(),
                pretty_name(*b.launch->func).c_str(), b.index.x, b.index.y,
                b.index.z, where(*w.func, i).c_str());
  if (settings.races_fatal) throw Fault{t, 719};
  fflush(stdout);
  fprintf(stderr, "ptxrun: RACE: %s\n", t.c_str());
}

void races_start_block(Block &b) {
  State &s = state();
  if (s.shared.empty()) s.shared.resize(shared_window);
  s.epoch_base = s.last + 1;
  b.epoch      = 1;
  for (u32 n = 0; n < b.warps; ++n) {
    b.warp[n].clock = s.clocks[n];
    memset(s.clocks[n], 0, sizeof s.clocks[n]);
    for (int l = 0; l < 32; ++l) s.clocks[n][l][l] = 1;
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
  const u32 now = epoch(*w.block);
  for (u32 k = 0; k < size; ++k)
    access_in_block(w, i, lane, state().shared[offset + k], now, access, same,
                    offset + k, "shared");
}

// Between threads of a block as in shared memory; between blocks of a launch by
// the launch and block of the last write and read of each byte.
void global_access(Warp &w, const Ins &i, int lane, Allocation *a, u8 *p,
                   u32 size, Access access, bool strong) {
  if (!a || p < a->lo || p >= a->hi) a = find_allocation(p);
  if (!a || a->kind == MemoryKind::constant) return;
  if (!a->shadow) {
    if (a->hi - a->lo > 64 << 20) return;
    a->shadow = static_cast<u64 *>(calloc(a->hi - a->lo, 16));
    if (!a->shadow) return;
  }
  Block &b = *w.block;
  if (access == ATOMIC) {  // after a fence it hands over what the block wrote;
                           // what others handed over may be read then
    if (b.fenced) b.launch->released[b.linear] = 1;
    b.acquired = true;
  }
  if (!strong) {
    const u32 now = epoch(b);
    if (Byte *const bytes = bytes_in_block(a))
      for (u32 k = 0; k < size; ++k)
        access_in_block(w, i, lane, bytes[p + k - a->lo], now, access, false,
                        p + k - a->lo, "global");
  }
  // launch 24 bits, block 38 bits, atomic, strong
  u64 mine = b.launch->id << 40 | (b.linear & 0x3fffffffffull) << 2 |
             static_cast<u64>(access == ATOMIC) << 1 | strong;
  u64 launch = mine >> 40;
  for (u32 k = 0; k < size; ++k) {
    u64 *s    = a->shadow + 2 * (p + k - a->lo);
    u64 write = s[0], read = s[1];
    auto conflict = [&](u64 o) {
      return o >> 40 == launch && o >> 2 != mine >> 2 &&
             (o >> 2 & 0x3fffffffff) != (mine >> 2 & 0x3fffffffff) &&
             !(o & 2 && mine & 2) && !(o & 1) && !strong &&
             !(b.acquired && b.launch->released[o >> 2 & 0x3fffffffff]);
    };
    Entry e;
    e.thread = 0;
    if (conflict(write) && !(write & 2 && access == READ)) {
      report_race(
          w, i,
          strprintf("race in global memory between blocks: %s of byte %lld of "
                    "%s that block %llu wrote in the same launch, by thread %u",
                    access == READ ? "read" : "write",
                    static_cast<long long>(p + k - a->lo), a->name.c_str(),
                    static_cast<unsigned long long>(write >> 2 & 0x3fffffffff),
                    rank_of(w, lane)));
    }
    if (access != READ && conflict(read))
      report_race(
          w, i,
          strprintf(
              "race in global memory between blocks: write of byte %lld of %s "
              "that block %llu read in the same launch, by thread %u",
              static_cast<long long>(p + k - a->lo), a->name.c_str(),
              static_cast<unsigned long long>(read >> 2 & 0x3fffffffff),
              rank_of(w, lane)));
    if (access == READ)
      s[1] = mine;
    else
      s[0] = mine;
  }
}

}  // namespace ptxrun
