// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Race detection. Within a block, for each byte the last writer and two readers
// with their epochs: barriers of the block start a new epoch, and executors say
// what else orders two threads. Between blocks, for each byte the launch and
// block of the last write and read.
#include "race.hpp"
#include <mutex>
#include <cstdlib>
#include <set>

namespace on_cpu {
namespace {

struct Entry {  // who accessed a byte
  u32 epoch      = 0;
  u16 thread     = 0;
  u16 atomic     = 0;
  u32 clock      = 0;
  const void *at = nullptr;
};
struct Byte {
  Entry writer, reader[2];
};

struct State {
  std::vector<Byte> shared;
  u32 epoch_base = 0, last = 0;
};
State &state() {
  static thread_local State *s = new State;
  return *s;
}
std::mutex mutex;
std::set<std::pair<const void *, const void *>> reported;

u32 epoch(const BlockRaces &b) {
  State &s      = state();
  return s.last = s.epoch_base + b.epoch;
}

bool ordered(const Accessor &a, const Entry &e) {
  return e.thread == a.thread || a.ordered(e.thread, e.clock);
}

void race(const Accessor &a, const Entry &e, const char *what, u64 at,
          const char *memory) {
  if (!first_race(a.at, e.at)) return;
  const std::string other = e.at ? a.where(e.at) : "";
  a.report(
      strprintf("race in %s memory, byte 0x%llx: %s without a barrier "
                "between; now thread %u, before it thread %u %s",
                memory, static_cast<unsigned long long>(at), what, a.thread,
                e.thread, other.c_str()));
}

// One thread accesses a byte; what other threads of its block did to it since
// the last barrier that both reached is a race.
void access_in_block(const Accessor &a, Byte &b, u32 now, Access access,
                     bool same, u64 at, const char *memory) {
  if (access == WRITE && same) return;
  const u16 atomic     = access == ATOMIC;
  const auto conflicts = [&](const Entry &e) {
    return e.epoch == now && !(atomic & e.atomic) && !ordered(a, e);
  };
  if (conflicts(b.writer))
    race(a, b.writer, access == READ ? "read after write" : "write after write",
         at, memory);
  const Entry e{now, a.thread, atomic, a.clock, a.at};
  if (access != READ) {
    for (const Entry &r : b.reader)
      if (conflicts(r)) race(a, r, "write after read", at, memory);
    b.writer = e;
  } else if (b.reader[0].epoch != now || ordered(a, b.reader[0]))
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

bool first_race(const void *at, const void *other) {
  std::lock_guard lock(mutex);
  return reported.insert({at, other}).second;
}

void found_race(const std::string &text) {
  if (settings.races_fatal) throw Fault{text, 719};
  fflush(stdout);
  fprintf(stderr, "ptxrun: RACE: %s\n", text.c_str());
}

void races_start_block(BlockRaces &b, u64 launch, u64 block,
                       std::vector<u8> &released) {
  State &s     = state();
  s.epoch_base = s.last + 1;
  b            = {launch, block, &released};
}

void shared_access(BlockRaces &b, const Accessor &a, u32 offset, u32 size,
                   Access access, bool same) {
  const u32 now = epoch(b);
  State &s      = state();
  if (offset + size > s.shared.size()) s.shared.resize(2 * (offset + size));
  for (u32 k = 0; k < size; ++k)
    access_in_block(a, s.shared[offset + k], now, access, same, offset + k,
                    "shared");
}

void global_access(BlockRaces &b, const Accessor &accessor, Allocation *a,
                   u8 *p, u32 size, Access access, bool strong) {
  if (!a || p < a->lo || p >= a->hi) a = find_allocation(p);
  if (!a || a->kind == MemoryKind::constant) return;
  if (!a->shadow) {
    if (a->hi - a->lo > 64 << 20) return;
    a->shadow = static_cast<u64 *>(calloc(a->hi - a->lo, 16));
    if (!a->shadow) return;
  }
  if (access == ATOMIC) {  // after a fence it hands over what the block wrote;
                           // what others handed over may be read then
    if (b.fenced) (*b.released)[b.block] = 1;
    b.acquired = true;
  }
  if (!strong) {
    const u32 now = epoch(b);
    if (Byte *const bytes = bytes_in_block(a))
      for (u32 k = 0; k < size; ++k)
        access_in_block(accessor, bytes[p + k - a->lo], now, access, false,
                        p + k - a->lo, "global");
  }
  // launch 24 bits, block 38 bits, atomic, strong
  const u64 mine = b.launch << 40 | (b.block & 0x3fffffffffull) << 2 |
                   static_cast<u64>(access == ATOMIC) << 1 | strong;
  const u64 launch = mine >> 40;
  const auto block = [](u64 o) { return o >> 2 & 0x3fffffffff; };
  for (u32 k = 0; k < size; ++k) {
    u64 *s    = a->shadow + 2 * (p + k - a->lo);
    u64 write = s[0], read = s[1];
    auto conflict = [&](u64 o) {
      return o >> 40 == launch && block(o) != block(mine) &&
             !(o & 2 && mine & 2) && !(o & 1) && !strong &&
             !(b.acquired && (*b.released)[block(o)]);
    };
    auto found = [&](const char *what, const char *did, u64 o) {
      if (!first_race(accessor.at, nullptr)) return;
      accessor.report(strprintf(
          "race in global memory between blocks: %s of byte %lld of %s that "
          "block %llu %s in the same launch, by thread %u",
          what, static_cast<long long>(p + k - a->lo), a->name.c_str(),
          static_cast<unsigned long long>(block(o)), did, accessor.thread));
    };
    if (conflict(write) && !(write & 2 && access == READ))
      found(access == READ ? "read" : "write", "wrote", write);
    if (access != READ && conflict(read)) found("write", "read", read);
    if (access == READ)
      s[1] = mine;
    else
      s[0] = mine;
  }
}

}  // namespace on_cpu
