// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory of allocations. PTXRUN_PROTECT: that of the device lies in a range
// of addresses that is closed to the program.
#include "common.hpp"
#include <csignal>
#include <cstdlib>
#include <execinfo.h>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>

namespace on_cpu {
namespace {

constexpr size_t range_size = 1ull << 38, page = 4096;
std::mutex mutex;
u8 *range = nullptr, *end = nullptr;  // of what was taken so far
int opened = 0;
// Sizes of all blocks in the range; blocks to be taken again.
auto &sizes    = *new std::map<u8 *, size_t>;
auto &returned = *new std::multimap<size_t, u8 *>;
struct sigaction handler_of_program;

void give_access(int protection) {
  if (end > range) mprotect(range, end - range, protection);
}

// Says what happened, then leaves the access to the handler that was there.
void on_fault(int, siginfo_t *info, void *) {
  const u8 *p = static_cast<u8 *>(info->si_addr);
  if (p >= range && p < end) {
    fflush(stdout);
    fprintf(stderr,
            "ptxrun: ERROR: the host accesses memory of the device %s, from\n",
            describe_address(p).c_str());
    void *frames[32];
    backtrace_symbols_fd(frames, backtrace(frames, 32), STDERR_FILENO);
  }
  sigaction(SIGSEGV, &handler_of_program, nullptr);
}

// Installs the handler of faults; again after each access, since test
// frameworks set handlers of their own.
void catch_faults() {
  struct sigaction ours   = {};
  struct sigaction before = {};
  ours.sa_sigaction       = on_fault;
  ours.sa_flags           = SA_SIGINFO;
  sigaction(SIGSEGV, &ours, &before);
  if (before.sa_sigaction != on_fault) handler_of_program = before;
}

}  // namespace

Opened::Opened() {
  if (!settings.protect) return;
  std::lock_guard lock(mutex);
  if (opened++ == 0) give_access(PROT_READ | PROT_WRITE);
}
Opened::~Opened() {
  if (!settings.protect) return;
  std::lock_guard lock(mutex);
  if (--opened > 0) return;
  give_access(PROT_NONE);
  catch_faults();
}

u8 *take_block(size_t size, size_t alignment, MemoryKind kind) {
  if (!settings.protect || kind != MemoryKind::device)
    return static_cast<u8 *>(aligned_alloc(alignment, size));
  std::lock_guard lock(mutex);
  size     = (size + page - 1) / page * page;
  auto fit = returned.lower_bound(size);
  if (fit != returned.end() && fit->first <= 2 * size) {
    u8 *block = fit->second;
    returned.erase(fit);
    return block;
  }
  if (!range) {
    void *p = mmap(nullptr, range_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
                   -1, 0);
    if (p == MAP_FAILED) die("no addresses for PTXRUN_PROTECT");
    range = end = static_cast<u8 *>(p);
  }
  u8 *block = end;
  if (size > static_cast<size_t>(range + range_size - end) ||
      mprotect(block, size, PROT_READ | PROT_WRITE) != 0)
    return nullptr;
  end += size;
  sizes[block] = size;
  return block;
}

void return_block(u8 *block) {
  std::lock_guard lock(mutex);
  auto f = sizes.find(block);
  if (f == sizes.end())
    free(block);
  else
    returned.emplace(f->second, block);
}

}  // namespace on_cpu
