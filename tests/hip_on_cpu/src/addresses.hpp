// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses of loads, stores and atomics.
#pragma once
#include "ops.hpp"

namespace gcn {

// The host addresses of what the active lanes access, each checked. size: bytes
// for a lane.
struct Addresses {
  u8 *p[lanes_of_wave];
};
// FLAT and GLOBAL: the operands at, and base (of scalar registers, or absent).
void resolve(Wave &w, const Ins &i, int at, int base, u32 size, Access access,
             Addresses &a);
// BUFFER: operands at: offset of the lane, resource, offset of the wave.
void resolve_buffer(Wave &w, const Ins &i, int at, u32 size, Access access,
                    Addresses &a);
// LDS: operand at, and an offset.
void resolve_lds(Wave &w, const Ins &i, int at, i64 offset, u32 size,
                 Access access, Addresses &a);

// Before a store: tells the detectors (watch.cpp). data: the registers.
void watch_store(const Wave &w, const Ins &i, const Addresses &a, u32 size,
                 const u32 (*data)[lanes_of_wave]);
// The functions above do it for loads and atomics; and for all with
// PTXRUN_PROFILE.
void watch(const Wave &w, const Ins &i, const Addresses &a, u32 size,
           Access access);
void count(const Wave &w, const Addresses &a, u32 size, Access access);
inline bool watches() { return settings.race | settings.init; }

}  // namespace gcn
