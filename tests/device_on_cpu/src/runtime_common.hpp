// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the runtimes of CUDA and HIP share. All work is done at once, in the
// order of the calls; with PTXRUN_LAZY once something waits for it.
#pragma once
#include "api.hpp"  // API(Malloc) is cudaMalloc or hipMalloc
#include "common.hpp"
#include <functional>
#include <mutex>
#include <vector>

namespace on_cpu::runtime {

std::recursive_mutex &calls();  // one call at a time

extern thread_local int current_device;
extern thread_local API(Error_t) last_error;
extern API(Error_t) sticky;  // after a fault: what all calls give

inline API(Error_t) give(API(Error_t) e) {
  if (e != API(Success)) last_error = e;
  return e;
}

// An error of the program that a device may not notice.
inline API(Error_t) wrong(API(Error_t) e, const std::string &text) {
  fprintf(stderr, "ptxrun: ERROR: %s\n", text.c_str());
  if (!settings.keep_going) abort();
  return give(e);
}

// The variable of the current device by the address that stands for it in the
// host's code; null if none does.
struct Part {
  u8 *lo, *hi;
};
Part variable(const void *host);

// runtime_streams.cpp
API(Error_t) submit(API(Stream_t) stream, std::function<void()> work);
API(Error_t) finish(API(Stream_t) stream);  // what was submitted to it
API(Error_t) finish_device(int device);     // work of all streams of a device
int device_of(API(Stream_t) stream);        // -1: there is no such stream

// After a fault of a kernel.
void report(const Fault &e);

}  // namespace on_cpu::runtime

using namespace on_cpu;
using namespace on_cpu::runtime;
