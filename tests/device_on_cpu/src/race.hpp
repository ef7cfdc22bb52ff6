// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Race detection in shared and global memory, for any instruction set.
#pragma once
#include "common.hpp"
#include <vector>

namespace on_cpu {

enum Access : u8 { READ = 0, WRITE = 1, ATOMIC = 2 };

// What the detector knows of the block that runs.
struct BlockRaces {
  u64 launch, block;          // their numbers
  std::vector<u8> *released;  // of the launch: blocks that did an atomic
                              // after a fence
  u32 epoch   = 1;            // each barrier starts a new one
  bool fenced = false, acquired = false;  // did a fence, an atomic
};

// A thread that accesses memory. Lanes that run in step are one thread.
struct Accessor {
  u16 thread;
  u32 clock;       // counts what orders it with threads of its block
  const void *at;  // its instruction
  Accessor(u16 t, u32 c, const void *i) : thread(t), clock(c), at(i) {}
  Accessor(const Accessor &) = delete;
  // Does it know what another thread of its block did up to that clock?
  virtual bool ordered(u16 other, u32 clock_of_other) const = 0;
  virtual std::string where(const void *instruction) const  = 0;
  virtual void report(const std::string &text) const        = 0;

 protected:
  ~Accessor() = default;
};

void races_start_block(BlockRaces &b, u64 launch, u64 block,
                       std::vector<u8> &released);
// same: a write changes nothing. strong: volatile or relaxed.
void shared_access(BlockRaces &b, const Accessor &a, u32 offset, u32 size,
                   Access access, bool same);
void global_access(BlockRaces &b, const Accessor &a, Allocation *hit, u8 *p,
                   u32 size, Access access, bool strong);
// Is the race of two instructions (other may be null) the first one?
bool first_race(const void *at, const void *other);
// Reports it, and ends the launch where races are fatal.
void found_race(const std::string &text);

}  // namespace on_cpu
