// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTXRUN_PROFILE: what kernels did.
#include "ptxrun.hpp"
#include <algorithm>

namespace ptxrun {

void print_profiles() {
  std::vector<Func *> order = launched;
  std::sort(order.begin(), order.end(), [](Func *a, Func *b) {
    return a->profile.instructions > b->profile.instructions;
  });
  u64 all        = 0;
  double seconds = 0;
  for (auto *f : order)
    all += f->profile.instructions, seconds += f->profile.seconds;
  fprintf(stderr,
          "ptxrun: %zu kernels, %.4g thread instructions in %.3g s (%.3g "
          "million per second)\n",
          order.size(), static_cast<double>(all), seconds, all / seconds / 1e6);
  for (auto *f : order) {
    const Profile &p = f->profile;
    fprintf(
        stderr,
        "%s\n  launches %llu, blocks %llu, threads %llu, thread instructions "
        "%.4g, lanes per instruction %.3g, block barriers %llu, %.3g s\n",
        whole_name(*f).c_str(), static_cast<unsigned long long>(p.launches),
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

}  // namespace ptxrun
