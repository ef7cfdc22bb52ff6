// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels: their registration by the program, and launches.
#include "runtime.hpp"
#include <algorithm>
#include <set>

namespace ptxrun::runtime {

Tables &tables() {
  static auto *t = new Tables;
  return *t;
}

namespace {

struct FatHeader {
  u32 magic;
  u16 version, header_size;
  u64 size;
};
struct FatEntry {
  u16 kind, attributes;
  u32 header_size;
  u64 size;
  u32 compressed_size, options;
  u16 minor, major;
  u32 arch, name_offset, name_size;
  u64 flags, zero, uncompressed_size;
};

struct Configuration {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
};
thread_local std::vector<Configuration> configurations;
u64 launches = 0;

Func *resolve(Kernel &k) {
  k.funcs.resize(settings.devices);
  Func *&func = k.funcs[current_device];
  if (func) return func;
  for (auto &m : k.binary->modules(current_device))
    if (Func *f = m->function(k.name))
      if (!f->body.empty()) return func = f;
  die("kernel %s is not in the program as PTX: compile with -gencode "
      "arch=compute_75,code=compute_75 -no-compress",
      k.name);
}

// Why a device would not take a launch; cudaSuccess if it does.
cudaError_t refuse(Func &f, dim3 grid, dim3 block, size_t shared) {
  u64 threads = static_cast<u64>(block.x) * block.y * block.z;
  u32 limit   = std::max(48u << 10, f.max_dynamic_shared + f.static_shared);
  if (!threads || threads > 1024 || block.x > 1024 || block.y > 1024 ||
      block.z > 64 || !grid.x || !grid.y || !grid.z || grid.x > 0x7fffffff ||
      grid.y > 65535 || grid.z > 65535 ||
      shared + f.static_shared > std::min(limit, 64u << 10) ||
      threads > f.max_threads) {
    note(
        "launch of %s with grid (%u,%u,%u), block (%u,%u,%u), %zu bytes of "
        "shared memory is refused",
        pretty_name(f).c_str(), grid.x, grid.y, grid.z, block.x, block.y,
        block.z, shared);
    return (threads > f.max_threads && threads <= 1024
                ? cudaErrorInvalidValue
                : cudaErrorInvalidConfiguration);
  }
  return cudaSuccess;
}

struct AtExit {
  ~AtExit() {
    if (settings.profile) print_profiles();
    if (settings.opcodes) write_opcodes();
  }
} at_exit;

}  // namespace

Binary::Modules &Binary::modules(int device) {
  of_device.resize(settings.devices);
  Modules &made = of_device[device];
  if (made.empty())
    for (std::string_view text : texts) {
      made.push_back(std::make_unique<Module>());
      made.back()->text    = text;
      made.back()->device  = device;
      made.back()->managed = managed;
    }
  return made;
}

Func *kernel(const void *host) {
  std::lock_guard lock(calls());
  auto f = tables().kernels.find(host);
  return f == tables().kernels.end() ? nullptr : resolve(f->second);
}

cudaError_t launch(Func *f, dim3 grid, dim3 block, void **args, size_t shared,
                   cudaStream_t stream) {
  std::lock_guard lock(calls());  // one launch at a time
  if (sticky != cudaSuccess) return give(sticky);
  decode(*f);
  if (cudaError_t e = refuse(*f, grid, block, shared)) return give(e);
  int device = device_of(stream);
  if (device >= 0 && device != current_device)
    return wrong(cudaErrorInvalidResourceHandle,
                 strprintf("launch of %s in a stream of device %d, but device "
                           "%d is the current one",
                           pretty_name(*f).c_str(), device, current_device));
  auto kept        = std::make_shared<Launch>();
  Launch &l        = *kept;
  l.func           = f;
  l.grid           = {grid.x, grid.y, grid.z};
  l.block          = {block.x, block.y, block.z};
  l.dynamic_shared = shared;
  l.device         = current_device;
  l.id             = ++launches & 0xffffff;
  std::shared_ptr<u8[]> memory(new u8[f->param_bytes + 320]());
  l.params = reinterpret_cast<u8 *>(
      (reinterpret_cast<u64>(memory.get()) + 255) / 256 * 256);
  l.param_size = f->param_bytes;
  for (size_t k = 0; k < f->params.size(); ++k)
    memcpy(l.params + f->params[k].offset, args[k], f->params[k].size);
  return submit(stream, [kept, memory] {
    try {
      run_launch(*kept);
    } catch (Fault &e) {
      report(e);
      sticky = static_cast<cudaError_t>(e.error);
    }
  });
}

}  // namespace ptxrun::runtime

namespace on_cpu::runtime {
Part variable(const void *host) {
  std::lock_guard lock(calls());
  auto f = tables().variables.find(host);
  if (f == tables().variables.end()) return {};
  for (auto &m : f->second.binary->modules(current_device)) {
    m->load();
    if (Variable *v = m->variable(f->second.name))
      return {v->memory->lo, v->memory->hi};
  }
  return {};
}
}  // namespace on_cpu::runtime

namespace ptxrun {
Func *function_at(u64 v) {
  static std::set<u64> known;
  if (known.count(v)) return reinterpret_cast<Func *>(v);
  for (auto &[host, k] : tables().kernels) {
    (void)host;
    for (auto &modules : k.binary->of_device)
      for (auto &m : modules)
        if (m->indexed)
          for (auto &[n, f] : m->functions) {
            (void)n;
            known.insert(reinterpret_cast<u64>(f.get()));
          }
  }
  return known.count(v) ? reinterpret_cast<Func *>(v) : nullptr;
}
}  // namespace ptxrun

extern "C" {

void **__cudaRegisterFatBinary(void *wrapper) {
  struct Wrapper {
    int magic, version;
    const u8 *data;
    void *other;
  } *w    = static_cast<Wrapper *>(wrapper);
  auto *b = new Binary;
  auto *h = reinterpret_cast<const FatHeader *>(w->data);
  if (h->magic != 0xba55ed50)
    die("fat binary with magic number 0x%x", h->magic);
  const u8 *p = w->data + h->header_size, *end = p + h->size;
  while (p < end) {
    auto *e = reinterpret_cast<const FatEntry *>(p);
    if (e->kind == 1) {
      const char *text = reinterpret_cast<const char *>(p + e->header_size);
      if (e->flags & 0xf000 ||
          (e->compressed_size && strncmp(text, "//", 2) &&
           strncmp(text, "\n//", 3) && text[0] != '.' && text[0] != '\n'))
        die("compressed PTX: compile with -no-compress");
      b->texts.emplace_back(text, strnlen(text, e->size));
    }
    p += e->header_size + e->size;
  }
  return reinterpret_cast<void **>(b);
}
void __cudaRegisterFatBinaryEnd(void **) {}
void __cudaUnregisterFatBinary(void **) {}
char __cudaInitModule(void **h) {
  for (auto &m : reinterpret_cast<Binary *>(h)->modules(current_device))
    m->load();
  return 1;
}
void __cudaRegisterFunction(void **h, const char *host, char *,
                            const char *name, int, uint3 *, uint3 *, dim3 *,
                            dim3 *, int *) {
  std::lock_guard lock(calls());
  tables().kernels[host] = {{}, reinterpret_cast<Binary *>(h), name};
}
void __cudaRegisterVar(void **h, char *host, char *, const char *name, int,
                       size_t size, int, int) {
  std::lock_guard lock(calls());
  tables().variables[host] = {reinterpret_cast<Binary *>(h), name, size};
}
void __cudaRegisterManagedVar(void **h, void **host, char *, const char *name,
                              int, size_t size, int, int) {
  std::lock_guard lock(calls());
  auto *b = reinterpret_cast<Binary *>(h);
  void *p = aligned_alloc(512, (size + 1023) / 512 * 512);
  memset(p, 0, size);
  *host                    = p;
  b->managed[name]         = {p, size};
  tables().variables[host] = {b, name, size};
}
void __cudaRegisterTexture(void **, const void *, const void **, const char *,
                           int, int, int) {}
void __cudaRegisterSurface(void **, const void *, const void **, const char *,
                           int, int) {}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared,
                                     struct CUstream_st *stream) {
  configurations.push_back({grid, block, shared, stream});
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared,
                                       void *stream) {
  if (configurations.empty()) return cudaErrorMissingConfiguration;
  auto &c                              = configurations.back();
  *grid                                = c.grid;
  *block                               = c.block;
  *shared                              = c.shared;
  *static_cast<cudaStream_t *>(stream) = c.stream;
  configurations.pop_back();
  return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t *k, const void *host) {
  *k = reinterpret_cast<cudaKernel_t>(const_cast<void *>(host));
  return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t k, dim3 grid, dim3 block,
                               void **args, size_t shared,
                               cudaStream_t stream) {
  Func *f = kernel(k);
  if (!f) return give(cudaErrorInvalidDeviceFunction);
  return launch(f, grid, block, args, shared, stream);
}
cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t k, dim3 grid, dim3 block,
                                    void **args, size_t shared,
                                    cudaStream_t s) {
  return __cudaLaunchKernel(k, grid, block, args, shared, s);
}
cudaError_t cudaLaunchKernel(const void *host, dim3 grid, dim3 block,
                             void **args, size_t shared, cudaStream_t stream) {
  Func *f = kernel(host);
  if (!f) return give(cudaErrorInvalidDeviceFunction);
  return launch(f, grid, block, args, shared, stream);
}
cudaError_t cudaLaunchCooperativeKernel(const void *host, dim3 grid, dim3 block,
                                        void **args, size_t shared,
                                        cudaStream_t s) {
  if (static_cast<u64>(grid.x) * grid.y * grid.z > 1)
    return give(cudaErrorNotSupported);
  return cudaLaunchKernel(host, grid, block, args, shared, s);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *c, const void *host,
                                void **args) {
  return cudaLaunchKernel(host, c->gridDim, c->blockDim, args,
                          c->dynamicSmemBytes, c->stream);
}
cudaError_t cudaGetKernel(cudaKernel_t *k, const void *host) {
  return __cudaGetKernel(k, host);
}
cudaError_t cudaLaunchHostFunc(cudaStream_t s, cudaHostFn_t fn, void *data) {
  return submit(s, [=] { fn(data); });
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *a, const void *host) {
  Func *f = kernel(host);
  if (!f) return give(cudaErrorInvalidDeviceFunction);
  decode(*f);
  memset(a, 0, sizeof *a);
  a->sharedSizeBytes    = f->static_shared;
  a->localSizeBytes     = f->local_bytes;
  a->maxThreadsPerBlock = f->max_threads;
  a->numRegs            = 32;
  a->ptxVersion         = 75;
  a->binaryVersion      = 75;
  a->maxDynamicSharedSizeBytes =
      f->max_dynamic_shared ? f->max_dynamic_shared
                            : (48 << 10) - static_cast<int>(f->static_shared);
  a->preferredShmemCarveout = -1;
  return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void *host, cudaFuncAttribute what,
                                 int value) {
  Func *f = kernel(host);
  if (!f) return give(cudaErrorInvalidDeviceFunction);
  if (what == cudaFuncAttributeMaxDynamicSharedMemorySize) {
    decode(*f);
    if (value < 0 || value + f->static_shared > 64u << 10)
      return give(cudaErrorInvalidValue);
    f->max_dynamic_shared = value;
  }
  return cudaSuccess;
}
cudaError_t cudaFuncSetCacheConfig(const void *, cudaFuncCache) {
  return cudaSuccess;
}
cudaError_t cudaFuncGetName(const char **name, const void *host) {
  Func *f = kernel(host);
  if (!f) return give(cudaErrorInvalidDeviceFunction);
  static std::set<std::string> names;
  *name = names.insert(std::string(f->name)).first->c_str();
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *n,
                                                          const void *host,
                                                          int threads,
                                                          size_t shared) {
  Func *f = kernel(host);
  if (!f) return give(cudaErrorInvalidDeviceFunction);
  decode(*f);
  size_t s  = shared + f->static_shared;
  u32 limit = std::max(48u << 10, f->max_dynamic_shared + f->static_shared);
  if (threads <= 0 || threads > static_cast<int>(f->max_threads) || s > limit)
    *n = 0;
  else
    *n = std::min({16, 1024 / std::max(32, (threads + 31) / 32 * 32),
                   s ? static_cast<int>((64 << 10) / s) : 16});
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *n, const void *host, int threads, size_t shared, unsigned) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(n, host, threads,
                                                       shared);
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *n, const void *,
                                                      int, int) {
  *n = 48 << 10;
  return cudaSuccess;
}

cudaError_t cudaGetDriverEntryPoint(const char *, void **p, unsigned long long,
                                    cudaDriverEntryPointQueryResult *r) {
  *p = nullptr;
  if (r) *r = cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}
cudaError_t cudaGetDriverEntryPointByVersion(
    const char *, void **p, unsigned, unsigned long long,
    cudaDriverEntryPointQueryResult *r) {
  *p = nullptr;
  if (r) *r = cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}
cudaError_t cudaProfilerStart() { return cudaSuccess; }
cudaError_t cudaProfilerStop() { return cudaSuccess; }
}
