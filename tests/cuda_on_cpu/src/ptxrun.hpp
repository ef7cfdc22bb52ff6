// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the parts of the executor share: the state of blocks and warps, the
// choice of what runs an instruction; and code.hpp.
#pragma once
#include "code.hpp"

namespace ptxrun {

constexpr u32 dynamic_shared_at = 1024;
constexpr u32 static_shared_at  = 0x20000;
constexpr u32 module_shared_at  = 0x40000;
constexpr u32 shared_window     = 0x100000;

struct Dim {
  u32 x = 1, y = 1, z = 1;
};

enum LaneState : u8 { RUN, AT_BARRIER, AT_COLLECTIVE, EXITED };

struct CallRecord {
  const Ins *resume;
  Func *func;
  u32 frame, local;
};

struct Block;

struct alignas(64) Warp {
  u8 *base[2];    // of the frame, of the constants
  u8 *registers;  // of the warp
  Block *block;
  u8 *local;  // of lane 0; the next lane's is local_stride further
  u64 local_stride;
  u32 local_at;            // of the running group
  u32 cc             = 0;  // carry flags
  u32 group          = 0;  // lanes that run together now
  u32 exists         = 0;  // lanes that the block has
  u32 index          = 0;  // in the block
  u32 first_thread   = 0;
  Func *func         = nullptr;
  const Ins *current = nullptr;
  const Ins *pc[32];
  Func *funcs[32];
  u32 frame[32], top[32], local_base[32], depth[32];
  LaneState state[32];
  u32 want[32];  // mask of the collective that a lane waits at
  u32 tid[3][32];
  std::vector<CallRecord> stack[32];
  u32 runnable() const;
  u32 in_state(LaneState s) const;
  u32 live() const;
  u64 age = 0;
  // race detection: clock[l][k] is what lane l knows of lane k's progress
  u32 (*clock)[32] = nullptr;
};

struct Launch {
  Func *func;
  Dim grid, block;
  u32 dynamic_shared;
  u8 *params;
  u32 param_size;
  int device;
  u64 id;
  std::vector<u8>
      released;  // PTXRUN_RACE=2: blocks that did an atomic after a fence
};

struct Barrier {
  u32 arrived = 0, expected = 0;  // expected 0: all live threads
  u32 op = 0, count = 0;          // bar.red: threads whose predicate holds
  const Ins *first = nullptr;
};

struct Worker;

struct Block {
  Launch *launch;
  Worker *worker;
  u8 *shared;  // window
  Dim index;
  u64 linear;
  u32 threads, warps, live;
  Warp *warp;
  Barrier barriers[16];
  BlockRaces races;
  u64 executed = 0, issues = 0;
  u32 dynamic_end, static_end, module_end;
};

struct Worker {  // memory of one host thread that runs blocks
  u8 *shared             = nullptr;
  u8 *registers          = nullptr;
  size_t register_stride = 0;
  u8 *local              = nullptr;
  size_t local_size      = 0;
  std::vector<Warp> warps;
  std::vector<u64> shadow;  // of shared memory, see race.cpp
  std::vector<u8> shared_written;
  u64 random = 88172645463325252ull;
  u64 next() {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    return random * 2685821657736338717ull >> 16;
  }
};

void run_launch(Launch &launch);  // throws Fault
void print_profiles();
void write_opcodes();  // of all functions decoded so far
extern std::vector<Func *> launched;

template <class T>
inline T *column(Warp &w, u32 operand) {
  return reinterpret_cast<T *>(w.base[operand & 1] + (operand & ~3u));
}
inline u32 predicate(Warp &w, u32 operand) {
  u32 v = *reinterpret_cast<u32 *>(w.base[operand & 1] + (operand & ~3u));
  return operand & 2 ? ~v : v;
}
inline void set_predicate(Warp &w, u32 operand, u32 value, u32 active) {
  if (operand == none) return;
  u32 *p = reinterpret_cast<u32 *>(w.base[0] + operand);
  *p     = (*p & ~active) | (value & active);
}

[[noreturn]] void fault(Warp &w, const Ins &i, u32 lanes, int error,
                        const char *format, ...)
    __attribute__((format(printf, 5, 6)));
std::string where(Func &f, const Ins &i);
std::string threads_text(Warp &w, u32 lanes);
u32 rank_of(Warp &w, int lane);

// races.cpp
void shared_access(Warp &w, const Ins &i, int lane, u32 offset, u32 size,
                   Access access, bool strong);
void global_access(Warp &w, const Ins &i, int lane, Allocation *a, u8 *p,
                   u32 size, Access access, bool strong);
void races_start_block(Block &b);
void races_collective(Warp &w, u32 lanes);
// A message with its kernel, block and instruction.
std::string located(Warp &w, const Ins &i, const std::string &text);

// ops: choose the handler of an instruction
struct Opcode;
Handler pick_integer(const Opcode &o);
Handler pick_bits(const Opcode &o);
Handler pick_atomic(const Opcode &o);
Handler pick_float(const Opcode &o);
Handler pick_half(const Opcode &o, Ins &i);
Handler pick_convert(const Opcode &o, Ins &i);
Handler pick_memory(const Opcode &o, Ins &i);
Handler pick_data(const Opcode &o, Ins &i);

struct Opcode {
  std::string_view name;                // add
  std::vector<std::string_view> parts;  // after the name
  bool has(std::string_view s) const {
    for (auto p : parts)
      if (p == s) return true;
    return false;
  }
  Type type = NOTYPE, type2 = NOTYPE;  // the last, and (if there are two) the
                                       // one before: cvt.type2.type
  int dest_size = 0, source_size = 0;  // of the registers
};

void call_builtin(Warp &w, const Ins &i, u32 active, const CallInfo &call);
int builtin_number(std::string_view name);

}  // namespace ptxrun
