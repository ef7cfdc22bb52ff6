// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the parts that run warps and blocks share.
#pragma once
#include "ptxrun.hpp"

namespace ptxrun {

// ---- messages (faults.cpp)
// ---------------------------------------------------

bool first_time(const void *at, int what);  // that a note is made
std::string control_name(const Ins &i);
std::string stuck(Block &b);  // where the threads of a block wait

// ---- collectives of a warp, barriers of a block (collectives.cpp)
// ---------------------------

// The lanes of set have all arrived, perhaps at different instructions of the
// same kind.
void collective(Warp &w, u32 set);
// Completes what can be completed among the lanes that wait at collectives, and
// says whether something was.
bool try_collectives(Warp &w);
void arrive(Warp &w, const Ins &i, u32 lanes);  // at a barrier of the block
void exit_lanes(Warp &w, u32 lanes);

// ---- calls (calls.cpp)
// -------------------------------------------------------

void call_functions(Warp &w, const Ins &i, u32 lanes);
void leave(Warp &w, u32 lanes);

// ---- warps (warp.cpp)
// --------------------------------------------------------

// Runs lanes of a warp until none can run, or it should be another warp's turn.
void run_warp(Warp &w, u64 limit);  // limit: instructions

}  // namespace ptxrun
