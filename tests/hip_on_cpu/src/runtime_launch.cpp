// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels: their registration by the program, and launches.
#include "runtime.hpp"
#include <algorithm>

namespace gcn::runtime {
namespace {

constexpr u32 lds_bytes = 64 << 10;

struct Binary {  // each device has its own copy, with variables of its own
  std::string_view file;
  std::vector<std::unique_ptr<CodeObject>> of_device;
  CodeObject &code() {
    of_device.resize(settings.devices);
    auto &c = of_device[current_device];
    if (!c) {
      c         = std::make_unique<CodeObject>();
      c->file   = file;
      c->device = current_device;
      c->load();
    }
    return *c;
  }
};
struct Known {
  Binary *binary = nullptr;
  std::string name;
};
struct Tables {
  std::map<const void *, Known> kernels, variables;
};
Tables &tables() {
  static auto *t = new Tables;
  return *t;
}

struct Configuration {
  dim3 grid, block;
  size_t shared;
  hipStream_t stream;
};
thread_local std::vector<Configuration> configurations;
u64 launches = 0;

// Why a device would not take a launch; hipSuccess if it does.
hipError_t refuse(Kernel &k, dim3 grid, dim3 block, size_t shared) {
  const u64 threads = u64{block.x} * block.y * block.z;
  if (threads && threads <= k.most_threads && threads <= 1024 && grid.x &&
      grid.y && grid.z && u64{grid.x} * block.x < u64{1} << 32 &&
      shared + k.static_lds <= lds_bytes)
    return hipSuccess;
  note(
      "launch of %s with grid (%u,%u,%u), block (%u,%u,%u), %zu bytes of "
      "shared memory is refused",
      pretty_name(k).c_str(), grid.x, grid.y, grid.z, block.x, block.y, block.z,
      shared);
  return hipErrorInvalidConfiguration;
}

hipError_t launch(Kernel *k, dim3 grid, dim3 block, void **args, size_t shared,
                  hipStream_t stream) {
  std::lock_guard lock(calls());  // one launch at a time
  if (sticky != hipSuccess) return give(sticky);
  if (hipError_t e = refuse(*k, grid, block, shared)) return give(e);
  const int device = device_of(stream);
  if (device >= 0 && device != current_device)
    return wrong(hipErrorInvalidHandle,
                 strprintf("launch of %s in a stream of device %d, but device "
                           "%d is the current one",
                           pretty_name(*k).c_str(), device, current_device));
  auto kept     = std::make_shared<Launch>();
  Launch &l     = *kept;
  l.kernel      = k;
  l.grid        = {grid.x, grid.y, grid.z};
  l.block       = {block.x, block.y, block.z};
  l.dynamic_lds = shared;
  l.device      = current_device;
  l.id          = ++launches & 0xffffff;
  l.kernarg.resize(k->kernarg_size);
  size_t n = 0;
  for (const Argument &a : k->arguments)
    if (!a.hidden) memcpy(l.kernarg.data() + a.offset, args[n++], a.size);
  return submit(stream, [kept] {
    try {
      run_launch(*kept);
    } catch (Fault &e) {
      report(e);
      sticky = static_cast<hipError_t>(e.error);
    }
  });
}

struct AtExit {
  ~AtExit() {
    if (!settings.profile) return;
    std::vector<NamedProfile> all;
    for (const Kernel *k : launched)
      all.push_back({k->code->function_at(k->entry), &k->profile});
    print_profiles(std::move(all));
  }
} at_exit;

}  // namespace

Kernel *kernel(const void *host) {
  std::lock_guard lock(calls());
  auto f = tables().kernels.find(host);
  if (f == tables().kernels.end()) return nullptr;
  auto &kernels = f->second.binary->code().kernels;
  auto k        = kernels.find(f->second.name);
  if (k == kernels.end())
    die("kernel %s is not in the program", f->second.name.c_str());
  return k->second.get();
}

}  // namespace gcn::runtime

namespace on_cpu::runtime {
Part variable(const void *host) {
  std::lock_guard lock(calls());
  auto f = tables().variables.find(host);
  if (f == tables().variables.end()) return {};
  CodeObject &c = f->second.binary->code();
  auto s        = c.symbols.find(f->second.name);
  if (s == c.symbols.end()) return {};
  u8 *at = c.memory + s->second.first;
  return {at, at + s->second.second};
}
}  // namespace on_cpu::runtime

extern "C" {

void **__hipRegisterFatBinary(const void *wrapper) {
  struct Wrapper {
    u32 magic, version;
    const u8 *bundle;
    void *other;
  };
  auto *w = static_cast<const Wrapper *>(wrapper);
  if (w->magic != 0x48495046)
    die("fat binary with magic number 0x%x", w->magic);
  auto *b = new Binary;
  b->file = find_code_object(w->bundle);
  return reinterpret_cast<void **>(b);
}
void __hipUnregisterFatBinary(void **) {}
void __hipRegisterFunction(void **h, const void *host, char *, const char *name,
                           unsigned, void *, void *, void *, void *, int *) {
  std::lock_guard lock(calls());
  tables().kernels[host] = {reinterpret_cast<Binary *>(h), name};
}
void __hipRegisterVar(void **h, void *host, char *, char *name, int, size_t,
                      int, int) {
  std::lock_guard lock(calls());
  tables().variables[host] = {reinterpret_cast<Binary *>(h), name};
}
hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared,
                                      hipStream_t stream) {
  configurations.push_back({grid, block, shared, stream});
  return hipSuccess;
}
hipError_t __hipPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared,
                                     hipStream_t *stream) {
  if (configurations.empty()) return hipErrorMissingConfiguration;
  const Configuration c = configurations.back();
  configurations.pop_back();
  *grid = c.grid, *block = c.block, *shared = c.shared, *stream = c.stream;
  return hipSuccess;
}
hipError_t hipLaunchKernel(const void *host, dim3 grid, dim3 block, void **args,
                           size_t shared, hipStream_t stream) {
  Kernel *k = kernel(host);
  if (!k) return give(hipErrorInvalidDeviceFunction);
  return launch(k, grid, block, args, shared, stream);
}
hipError_t hipFuncGetAttributes(hipFuncAttributes *a, const void *host) {
  Kernel *k = kernel(host);
  if (!k) return give(hipErrorInvalidDeviceFunction);
  memset(a, 0, sizeof *a);
  a->sharedSizeBytes           = k->static_lds;
  a->localSizeBytes            = k->private_bytes;
  a->maxThreadsPerBlock        = k->most_threads;
  a->numRegs                   = k->vgprs;
  a->maxDynamicSharedSizeBytes = lds_bytes - k->static_lds;
  return hipSuccess;
}
hipError_t hipFuncSetAttribute(const void *, hipFuncAttribute, int) {
  return hipSuccess;
}
hipError_t hipFuncSetCacheConfig(const void *, hipFuncCache_t) {
  return hipSuccess;
}
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int *n,
                                                        const void *host,
                                                        int threads,
                                                        size_t shared) {
  Kernel *k = kernel(host);
  if (!k) return give(hipErrorInvalidDeviceFunction);
  const size_t lds = shared + k->static_lds;
  const int waves  = (threads + lanes_of_wave - 1) / lanes_of_wave;
  if (threads <= 0 || threads > static_cast<int>(k->most_threads) ||
      lds > lds_bytes)
    *n = 0;
  else
    *n = std::min(
        {16, 40 / waves, lds ? static_cast<int>(lds_bytes / lds) : 16});
  return hipSuccess;
}
}
