// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the parts of the CUDA runtime share. All work is done at once, in the
// order of the calls; with PTXRUN_LAZY once something waits for it.
#pragma once
#include "ptxrun.hpp"
#include <cuda_runtime_api.h>
#include <functional>
#include <memory>
#include <mutex>

namespace ptxrun::runtime {

struct Binary {  // a registered fat binary
  using Modules = std::vector<std::unique_ptr<Module>>;
  std::vector<std::string_view> texts;
  decltype(Module::managed) managed;
  std::vector<Modules> of_device;
  Modules &modules(int device);  // each device has variables of its own
};

struct Kernel {
  std::vector<Func *> funcs;  // of each device
  Binary *binary   = nullptr;
  const char *name = nullptr;
};
struct Global {
  Binary *binary = nullptr;
  std::string name;
  size_t size = 0;
};

struct Tables {
  std::map<const void *, Kernel> kernels;
  std::map<const void *, Global> variables;
  std::recursive_mutex mutex;
};
Tables &tables();

extern thread_local int current_device;
extern thread_local cudaError_t last_error;
extern cudaError_t sticky;  // after a fault: what all calls give

inline cudaError_t give(cudaError_t e) {
  if (e != cudaSuccess) last_error = e;
  return e;
}

// An error of the program that a device may not notice.
inline cudaError_t wrong(cudaError_t e, const std::string &text) {
  fprintf(stderr, "ptxrun: ERROR: %s\n", text.c_str());
  if (!settings.keep_going) abort();
  return give(e);
}

// The kernel, or variable, of the current device by the address that stands for
// it in the host's code; null if none does.
Func *kernel(const void *host);
Allocation *variable(const void *host);

cudaError_t launch(Func *f, dim3 grid, dim3 block, void **args, size_t shared,
                   cudaStream_t stream);

// runtime_streams.cpp
cudaError_t submit(cudaStream_t stream, std::function<void()> work);
cudaError_t finish(cudaStream_t stream);  // what was submitted to it
cudaError_t finish_device(int device);    // work of all streams of a device
int device_of(cudaStream_t stream);       // -1: there is no such stream

}  // namespace ptxrun::runtime

using namespace ptxrun;
using namespace ptxrun::runtime;
