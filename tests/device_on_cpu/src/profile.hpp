// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTXRUN_PROFILE: what kernels did.
#pragma once
#include "race.hpp"

namespace on_cpu {

struct Profile {
  u64 launches = 0, blocks = 0, threads = 0, instructions = 0, issues = 0;
  u64 load_bytes = 0, load_sectors = 0, load_requests = 0;
  u64 store_bytes = 0, store_sectors = 0, store_requests = 0;
  u64 atomics = 0, shared_requests = 0, shared_wavefronts = 0, barriers = 0;
  u64 block_threads = 0, block_shared = 0;  // of the largest block
  double seconds = 0;
};

// Accesses of the lanes (bits) of a warp or a wave, at most 64: to global
// memory in sectors of 32 bytes, and to the 32 banks of shared memory.
void count_sectors(Profile &f, u64 lanes, u32 size, Access access,
                   u8 *const *p);
void count_banks(Profile &f, u64 lanes, u32 size, u8 *const *p);

struct NamedProfile {
  std::string name;  // of the kernel
  const Profile *profile;
};
void print_profiles(std::vector<NamedProfile> all);

}  // namespace on_cpu
