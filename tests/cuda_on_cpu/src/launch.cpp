// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the blocks of a launch, and the warps of a block in turn.
#include "exec.hpp"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <numeric>
#include <sys/mman.h>
#include <thread>

namespace ptxrun {

namespace {

void run_block(Worker &worker, Launch &launch, u64 linear) {
  Func &f = *launch.func;
  Block b{};
  b.launch      = &launch;
  b.worker      = &worker;
  b.shared      = worker.shared;
  b.linear      = linear;
  b.index       = {static_cast<u32>(linear % launch.grid.x),
                   static_cast<u32>(linear / launch.grid.x % launch.grid.y),
                   static_cast<u32>(linear / launch.grid.x / launch.grid.y)};
  b.threads     = launch.block.x * launch.block.y * launch.block.z;
  b.live        = b.threads;
  b.warps       = (b.threads + 31) / 32;
  b.warp        = worker.warps.data();
  b.dynamic_end = dynamic_shared_at + launch.dynamic_shared;
  b.static_end  = static_shared_at + f.static_shared;
  b.module_end  = next_module_shared;
  if (settings.init) worker.shared_written.resize(shared_window);
  auto forget = [&](u32 from, u32 to) {  // what blocks before have left
    if (to <= from) return;
    memset(b.shared + from, 0xff, to - from);
    if (settings.init) memset(&worker.shared_written[from], 0, to - from);
  };
  forget(dynamic_shared_at, b.dynamic_end);
  forget(static_shared_at, b.static_end);
  forget(module_shared_at, b.module_end);
  for (u32 n = 0; n < b.warps; ++n) {
    Warp &w        = b.warp[n];
    w.block        = &b;
    w.index        = n;
    w.first_thread = 32 * n;
    w.registers    = worker.registers + n * worker.register_stride;
    w.local_stride = worker.local_size / 1024;
    w.local        = worker.local + 32ull * n * w.local_stride;
    w.exists       = 0;
    w.cc           = 0;
    for (int l = 0; l < 32; ++l) {
      u32 t      = 32 * n + l;
      w.state[l] = t < b.threads ? RUN : EXITED;
      if (t < b.threads) w.exists |= 1u << l;
      w.pc[l]         = f.code.data();
      w.funcs[l]      = &f;
      w.frame[l]      = 0;
      w.top[l]        = f.register_bytes;
      w.local_base[l] = 0;
      w.depth[l]      = 0;
      w.stack[l].clear();
      w.tid[0][l] = t % launch.block.x;
      w.tid[1][l] = t / launch.block.x % launch.block.y;
      w.tid[2][l] = t / launch.block.x / launch.block.y;
    }
  }
  if (settings.race) races_start_block(b);
  std::vector<u32> order(b.warps);
  std::iota(order.begin(), order.end(), 0);
  while (b.live) {
    if (settings.random)
      for (u32 n = b.warps; n > 1; --n)
        std::swap(order[n - 1], order[worker.next() % n]);
    bool any = false;
    for (u32 n : order) {
      Warp &w = b.warp[n];
      if (!w.runnable()) continue;
      any = true;
      run_warp(w, settings.random ? 100 + worker.next() % 5000 : 1000000);
    }
    if (!any) {
      throw Fault{
          strprintf("deadlock: all threads of a block wait\n  kernel %s\n  "
                    "block (%u,%u,%u) of (%u,%u,%u), %u threads%s",
                    pretty_name(f).c_str(), b.index.x, b.index.y, b.index.z,
                    launch.grid.x, launch.grid.y, launch.grid.z, b.threads,
                    stuck(b).c_str()),
          719};
    }
    if (settings.max_instructions && b.executed > settings.max_instructions)
      throw Fault{
          strprintf("more than PTXRUN_MAX instructions in a block of kernel %s",
                    pretty_name(f).c_str()),
          702};
  }
  f.profile.instructions += b.executed;
  f.profile.issues += b.issues;
}

void prepare(Worker &k, Func &f) {
  auto map = [](size_t n) {
    void *p = mmap(nullptr, n, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) die("no memory for registers or stacks");
    return static_cast<u8 *>(p);
  };
  if (k.warps.empty()) {
    k.warps.resize(32);
    k.shared = map(shared_window);
    k.random ^= settings.seed * 0x9e3779b97f4a7c15ull;
    for (int n = 0; n < 8; ++n) k.next();
  }
  size_t need = std::max<size_t>(16u << 20, f.register_bytes + (8u << 20));
  if (need > k.register_stride) {
    if (k.registers) munmap(k.registers, 32 * k.register_stride);
    k.register_stride = (need + 4095) / 4096 * 4096 + 4096;
    k.registers       = map(32 * k.register_stride);
  }
  size_t stride =
      (std::max<size_t>(64u << 10, f.local_bytes + (64u << 10)) + 255) / 256 *
          256 +
      256;
  if (stride * 1024 > k.local_size) {
    if (k.local) munmap(k.local, k.local_size);
    k.local_size = stride * 1024;
    k.local      = map(k.local_size);
  }
}

std::vector<std::unique_ptr<Worker>> workers;

}  // namespace

std::vector<Func *> launched;

void print_profiles() {
  std::vector<NamedProfile> all;
  for (Func *f : launched) all.push_back({whole_name(*f), &f->profile});
  on_cpu::print_profiles(std::move(all));
}

void run_launch(Launch &launch) {
  Opened opened;
  Func &f = *launch.func;
  decode(f);
  if (settings.race > 1)
    launch.released.assign(
        static_cast<u64>(launch.grid.x) * launch.grid.y * launch.grid.z, 0);
  if (!f.profile.launches) launched.push_back(&f);
  u64 blocks = static_cast<u64>(launch.grid.x) * launch.grid.y * launch.grid.z;
  u64 threads =
      static_cast<u64>(launch.block.x) * launch.block.y * launch.block.z;
  ++f.profile.launches;
  f.profile.blocks += blocks;
  f.profile.threads += blocks * threads;
  f.profile.block_threads = std::max(f.profile.block_threads, threads);
  f.profile.block_shared  = std::max<u64>(
      f.profile.block_shared, f.static_shared + launch.dynamic_shared);
  if (settings.trace)
    fprintf(stderr,
            "ptxrun: launch %llu: %s, grid (%u,%u,%u), block (%u,%u,%u), %u "
            "bytes\n",
            static_cast<unsigned long long>(launch.id), pretty_name(f).c_str(),
            launch.grid.x, launch.grid.y, launch.grid.z, launch.block.x,
            launch.block.y, launch.block.z, launch.dynamic_shared);
  auto start = std::chrono::steady_clock::now();
  std::vector<u64> order;
  if (settings.random) {
    order.resize(blocks);
    std::iota(order.begin(), order.end(), 0);
  }
  int n = std::min<u64>(settings.threads, blocks);
  while (static_cast<int>(workers.size()) < std::max(1, n)) {
    workers.push_back(std::make_unique<Worker>());
    workers.back()->random += workers.size() * 7919;
  }
  for (int k = 0; k < std::max(1, n); ++k) prepare(*workers[k], f);
  if (settings.random)
    for (u64 k = blocks; k > 1; --k)
      std::swap(order[k - 1], order[workers[0]->next() % k]);
  if (n <= 1) {
    for (u64 k = 0; k < blocks; ++k)
      run_block(*workers[0], launch, settings.random ? order[k] : k);
  } else {
    std::atomic<u64> next{0};
    std::exception_ptr failed;
    std::mutex m;
    std::vector<std::thread> pool;
    for (int t = 0; t < n; ++t)
      pool.emplace_back([&, t] {
        try {
          for (u64 k; (k = next++) < blocks;)
            run_block(*workers[t], launch, settings.random ? order[k] : k);
        } catch (...) {
          std::lock_guard lock(m);
          if (!failed) failed = std::current_exception();
          next = blocks;
        }
      });
    for (auto &t : pool) t.join();
    if (failed) std::rethrow_exception(failed);
  }
  f.profile.seconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
}

}  // namespace ptxrun
