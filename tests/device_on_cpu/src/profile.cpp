// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTXRUN_PROFILE: what kernels did.
#include "profile.hpp"
#include <algorithm>

namespace on_cpu {

void count_sectors(Profile &f, u64 active, u32 size, Access access,
                   u8 *const *p) {
  u64 s[64 * 2];
  int n = 0;
  for (u64 m = active; m; m &= m - 1) {
    u64 a = reinterpret_cast<u64>(p[__builtin_ctzll(m)]);
    for (u64 k = a >> 5; k <= (a + size - 1) >> 5; ++k) s[n++] = k;
  }
  std::sort(s, s + n);
  n         = std::unique(s, s + n) - s;
  u64 bytes = static_cast<u64>(size) * __builtin_popcountll(active);
  if (access == READ)
    f.load_bytes += bytes, f.load_sectors += n, ++f.load_requests;
  else if (access == WRITE)
    f.store_bytes += bytes, f.store_sectors += n, ++f.store_requests;
  else
    f.atomics += __builtin_popcountll(active);
}

void count_banks(Profile &f, u64 active, u32 size, u8 *const *p) {
  // 32 lanes of 4 bytes at a time: wider accesses take more rounds of fewer
  // lanes
  u32 per_round = std::max(1u, 128 / std::max(4u, size));
  u64 words[32][32];
  int n[32];
  u32 in_round = 0;
  auto flush   = [&] {
    if (!in_round) return;
    int worst = 1;
    for (int b = 0; b < 32; ++b) worst = std::max(worst, n[b]);
    f.shared_wavefronts += worst;
    ++f.shared_requests;
    in_round = 0;
  };
  for (u64 m = active; m; m &= m - 1) {
    if (!in_round) memset(n, 0, sizeof n);
    u64 a = reinterpret_cast<u64>(p[__builtin_ctzll(m)]) >> 2;
    for (u32 k = 0; k < std::max(1u, size / 4); ++k) {
      int b     = (a + k) & 31;
      bool seen = false;
      for (int j = 0; j < n[b]; ++j) seen |= words[b][j] == a + k;
      if (!seen && n[b] < 32) words[b][n[b]++] = a + k;
    }
    if (++in_round == per_round) flush();
  }
  flush();
}

void print_profiles(std::vector<NamedProfile> order) {
  std::sort(order.begin(), order.end(),
            [](const NamedProfile &a, const NamedProfile &b) {
              return a.profile->instructions > b.profile->instructions;
            });
  u64 all        = 0;
  double seconds = 0;
  for (const NamedProfile &f : order)
    all += f.profile->instructions, seconds += f.profile->seconds;
  fprintf(stderr,
          "ptxrun: %zu kernels, %.4g thread instructions in %.3g s (%.3g "
          "million per second)\n",
          order.size(), static_cast<double>(all), seconds, all / seconds / 1e6);
  for (const NamedProfile &f : order) {
    const Profile &p = *f.profile;
    fprintf(
        stderr,
        "%s\n  launches %llu, blocks %llu, threads %llu, thread instructions "
        "%.4g, lanes per instruction %.3g, block barriers %llu, %.3g s\n",
        f.name.c_str(), static_cast<unsigned long long>(p.launches),
        static_cast<unsigned long long>(p.blocks),
        static_cast<unsigned long long>(p.threads),
        static_cast<double>(p.instructions),
        p.issues ? static_cast<double>(p.instructions) / p.issues : 0.,
        static_cast<unsigned long long>(p.barriers), p.seconds);
    fprintf(stderr, "  largest block: %llu threads, %llu shared bytes\n",
            static_cast<unsigned long long>(p.block_threads),
            static_cast<unsigned long long>(p.block_shared));
    if (p.load_requests)
      fprintf(stderr,
              "  global loads: %llu requests, %.3g sectors each, %.0f%% of the "
              "sectors' bytes used\n",
              static_cast<unsigned long long>(p.load_requests),
              static_cast<double>(p.load_sectors) / p.load_requests,
              100. * p.load_bytes / (32. * p.load_sectors));
    if (p.store_requests)
      fprintf(stderr,
              "  global stores: %llu requests, %.3g sectors each, %.0f%% of "
              "the sectors' bytes used\n",
              static_cast<unsigned long long>(p.store_requests),
              static_cast<double>(p.store_sectors) / p.store_requests,
              100. * p.store_bytes / (32. * p.store_sectors));
    if (p.atomics)
      fprintf(stderr, "  global atomics: %llu lanes\n",
              static_cast<unsigned long long>(p.atomics));
    if (p.shared_requests)
      fprintf(stderr, "  shared memory: %llu requests, %.3g wavefronts each\n",
              static_cast<unsigned long long>(p.shared_requests),
              static_cast<double>(p.shared_wavefronts) / p.shared_requests);
  }
}

}  // namespace on_cpu
