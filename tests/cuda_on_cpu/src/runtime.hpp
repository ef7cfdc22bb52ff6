// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the parts of the CUDA runtime share: kernels and variables of programs.
#pragma once
#include "ptxrun.hpp"
#include "runtime_common.hpp"
#include <memory>

namespace ptxrun::runtime {

using namespace on_cpu::runtime;

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
};
Tables &tables();

// The kernel of the current device by the address that stands for it in the
// host's code; null if none does.
Func *kernel(const void *host);

cudaError_t launch(Func *f, dim3 grid, dim3 block, void **args, size_t shared,
                   cudaStream_t stream);

}  // namespace ptxrun::runtime

using namespace ptxrun;
using namespace ptxrun::runtime;
