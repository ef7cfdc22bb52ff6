// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of the CUDA runtime that programs use, as functions of the host. All
// work is done at once, in launch order.
#include "ptxrun.hpp"
#include <algorithm>
#include <chrono>
#include <cuda_runtime_api.h>
#include <memory>
#include <mutex>
#include <set>

using namespace ptxrun;

namespace {

struct Binary {  // a registered fat binary
  std::vector<std::unique_ptr<Module>> modules;
};

struct Kernel {
  Func *func       = nullptr;
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
Tables &tables() {
  static auto *t = new Tables;
  return *t;
}

struct Configuration {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
};
thread_local std::vector<Configuration> configurations;
thread_local cudaError_t last_error = cudaSuccess;
cudaError_t sticky                  = cudaSuccess;
u64 launches                        = 0;

cudaError_t give(cudaError_t e) {
  if (e != cudaSuccess) last_error = e;
  return e;
}

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

Func *resolve(Kernel &k) {
  if (k.func) return k.func;
  for (auto &m : k.binary->modules)
    if (Func *f = m->function(k.name))
      if (!f->body.empty()) return k.func = f;
  die("kernel %s is not in the program as PTX: compile with -gencode "
      "arch=compute_75,code=compute_75 -no-compress",
      k.name);
}
Func *kernel(const void *host) {
  std::lock_guard lock(tables().mutex);
  auto f = tables().kernels.find(host);
  return f == tables().kernels.end() ? nullptr : resolve(f->second);
}

Allocation *variable(const void *host) {
  std::lock_guard lock(tables().mutex);
  auto f = tables().variables.find(host);
  if (f == tables().variables.end()) return nullptr;
  for (auto &m : f->second.binary->modules) {
    m->load();
    if (Variable *v = m->variable(f->second.name)) return v->memory;
  }
  return nullptr;
}

cudaError_t run(Func *f, dim3 grid, dim3 block, void **args, size_t shared) {
  std::lock_guard lock(tables().mutex);  // one launch at a time
  if (sticky != cudaSuccess) return give(sticky);
  u64 threads = static_cast<u64>(block.x) * block.y * block.z;
  decode(*f);
  u32 limit = std::max(48u << 10, f->max_dynamic_shared + f->static_shared);
  if (!threads || threads > 1024 || block.x > 1024 || block.y > 1024 ||
      block.z > 64 || !grid.x || !grid.y || !grid.z || grid.x > 0x7fffffff ||
      grid.y > 65535 || grid.z > 65535 ||
      shared + f->static_shared > std::min(limit, 64u << 10) ||
      threads > f->max_threads) {
    note(
        "launch of %s with grid (%u,%u,%u), block (%u,%u,%u), %zu bytes of "
        "shared memory is refused",
        pretty_name(*f).c_str(), grid.x, grid.y, grid.z, block.x, block.y,
        block.z, shared);
    return give(threads > f->max_threads && threads <= 1024
                    ? cudaErrorInvalidValue
                    : cudaErrorInvalidConfiguration);
  }
  Launch l;
  l.func           = f;
  l.grid           = {grid.x, grid.y, grid.z};
  l.block          = {block.x, block.y, block.z};
  l.dynamic_shared = shared;
  l.id             = ++launches & 0xffffff;
  std::unique_ptr<u8[]> memory(new u8[f->param_bytes + 320]());
  l.params = reinterpret_cast<u8 *>(
      (reinterpret_cast<u64>(memory.get()) + 255) / 256 * 256);
  l.param_size = f->param_bytes;
  for (size_t k = 0; k < f->params.size(); ++k)
    memcpy(l.params + f->params[k].offset, args[k], f->params[k].size);
  try {
    run_launch(l);
  } catch (Fault &e) {
    fflush(stdout);
    fprintf(stderr, "ptxrun: ERROR: %s\n", e.text.c_str());
    fflush(stderr);
    if (!settings.keep_going) {
      fprintf(stderr,
              "ptxrun: abort (PTXRUN_ERRORS=continue gives the error to the "
              "program instead)\n");
      abort();
    }
    sticky = static_cast<cudaError_t>(e.error);
    return give(sticky);
  }
  return cudaSuccess;
}

struct AtExit {
  ~AtExit() {
    if (settings.profile) print_profiles();
    if (settings.opcodes) write_opcodes();
  }
} at_exit;

cudaError_t copy(void *to, const void *from, size_t n) {
  if (sticky != cudaSuccess) return give(sticky);
  if (n && (!to || !from)) return give(cudaErrorInvalidValue);
  if (settings.check)  // both ends, if they are in known memory
    for (const void *p : {const_cast<const void *>(to), from})
      if (Allocation *a = find_allocation(p))
        if (static_cast<const u8 *>(p) + n > a->hi) {
          fprintf(stderr,
                  "ptxrun: ERROR: copy of %zu bytes beyond the end of an "
                  "allocation: starts %s\n",
                  n, describe_address(p).c_str());
          if (!settings.keep_going) abort();
          return give(cudaErrorInvalidValue);
        }
  memmove(to, from, n);
  return cudaSuccess;
}

cudaError_t allocate_for(void **p, size_t n, MemoryKind kind,
                         const char *what) {
  if (!p) return give(cudaErrorInvalidValue);
  if (n == 0) {
    *p = nullptr;
    return cudaSuccess;
  }
  if (n > 64ull << 30) return give(cudaErrorMemoryAllocation);
  Allocation *a = allocate(n, kind, what);
  if (!a) return give(cudaErrorMemoryAllocation);
  *p = a->lo;
  return cudaSuccess;
}
cudaError_t free_memory(void *p) {
  if (!p) return cudaSuccess;
  if (release(p)) return cudaSuccess;
  fprintf(stderr,
          "ptxrun: ERROR: free of %p, which is not the start of an allocation: "
          "%s\n",
          p, describe_address(p).c_str());
  return give(cudaErrorInvalidValue);
}

struct Stream {
  int unused;
};
struct Event {
  std::chrono::steady_clock::time_point at;
};

}  // namespace

namespace ptxrun {
Func *function_at(u64 v) {
  static std::set<u64> known;
  if (known.count(v)) return reinterpret_cast<Func *>(v);
  for (auto &[host, k] : tables().kernels) {
    (void)host;
    for (auto &m : k.binary->modules)
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

// ---- registration
// ------------------------------------------------------------------------------------------------

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
      auto m  = std::make_unique<Module>();
      m->text = std::string_view(text, strnlen(text, e->size));
      b->modules.push_back(std::move(m));
    }
    p += e->header_size + e->size;
  }
  return reinterpret_cast<void **>(b);
}
void __cudaRegisterFatBinaryEnd(void **) {}
void __cudaUnregisterFatBinary(void **) {}
char __cudaInitModule(void **h) {
  for (auto &m : reinterpret_cast<Binary *>(h)->modules) m->load();
  return 1;
}
void __cudaRegisterFunction(void **h, const char *host, char *,
                            const char *name, int, uint3 *, uint3 *, dim3 *,
                            dim3 *, int *) {
  std::lock_guard lock(tables().mutex);
  tables().kernels[host] = {nullptr, reinterpret_cast<Binary *>(h), name};
}
void __cudaRegisterVar(void **h, char *host, char *, const char *name, int,
                       size_t size, int, int) {
  std::lock_guard lock(tables().mutex);
  tables().variables[host] = {reinterpret_cast<Binary *>(h), name, size};
}
void __cudaRegisterManagedVar(void **h, void **host, char *, const char *name,
                              int, size_t size, int, int) {
  std::lock_guard lock(tables().mutex);
  auto *b = reinterpret_cast<Binary *>(h);
  void *p = aligned_alloc(512, (size + 1023) / 512 * 512);
  memset(p, 0, size);
  *host = p;
  for (auto &m : b->modules) m->managed[name] = {p, size};
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
                               void **args, size_t shared, cudaStream_t) {
  Func *f = kernel(k);
  if (!f) return give(cudaErrorInvalidDeviceFunction);
  return run(f, grid, block, args, shared);
}
cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t k, dim3 grid, dim3 block,
                                    void **args, size_t shared,
                                    cudaStream_t s) {
  return __cudaLaunchKernel(k, grid, block, args, shared, s);
}
cudaError_t cudaLaunchKernel(const void *host, dim3 grid, dim3 block,
                             void **args, size_t shared, cudaStream_t) {
  Func *f = kernel(host);
  if (!f) return give(cudaErrorInvalidDeviceFunction);
  return run(f, grid, block, args, shared);
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
cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t fn, void *data) {
  fn(data);
  return cudaSuccess;
}

// ---- errors
// --------------------------------------------------------------------------------------------------------

cudaError_t cudaGetLastError() {
  cudaError_t e = sticky != cudaSuccess ? sticky : last_error;
  last_error    = cudaSuccess;
  return e;
}
cudaError_t cudaPeekAtLastError() {
  return sticky != cudaSuccess ? sticky : last_error;
}
const char *cudaGetErrorName(cudaError_t e) {
  switch (e) {
    case cudaSuccess: return "cudaSuccess";
    case cudaErrorInvalidValue: return "cudaErrorInvalidValue";
    case cudaErrorMemoryAllocation: return "cudaErrorMemoryAllocation";
    case cudaErrorInvalidConfiguration: return "cudaErrorInvalidConfiguration";
    case cudaErrorIllegalAddress: return "cudaErrorIllegalAddress";
    case cudaErrorLaunchFailure: return "cudaErrorLaunchFailure";
    case cudaErrorAssert: return "cudaErrorAssert";
    case cudaErrorMisalignedAddress: return "cudaErrorMisalignedAddress";
    case cudaErrorNotSupported: return "cudaErrorNotSupported";
    case cudaErrorInvalidDeviceFunction:
      return "cudaErrorInvalidDeviceFunction";
    default: return "cudaError";
  }
}
const char *cudaGetErrorString(cudaError_t e) {
  return e == cudaSuccess ? "no error" : cudaGetErrorName(e);
}

// ---- devices
// -------------------------------------------------------------------------------------------------------

static void properties(cudaDeviceProp *p) {
  memset(p, 0, sizeof *p);
  strcpy(p->name, "executor of PTX on the processor");
  p->totalGlobalMem     = 8ull << 30;
  p->sharedMemPerBlock  = 48 << 10;
  p->regsPerBlock       = 65536;
  p->warpSize           = 32;
  p->memPitch           = 0x7fffffff;
  p->maxThreadsPerBlock = 1024;
  p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
  p->maxThreadsDim[2]                       = 64;
  p->maxGridSize[0]                         = 0x7fffffff;
  p->maxGridSize[1] = p->maxGridSize[2] = 65535;
  p->totalConstMem                      = 65536;
  p->major                              = 7;
  p->minor                              = 5;
  p->textureAlignment                   = 512;
  p->texturePitchAlignment              = 32;
  p->multiProcessorCount                = settings.sms;
  p->canMapHostMemory                   = 1;
  p->concurrentKernels                  = 1;
  p->asyncEngineCount                   = 1;
  p->unifiedAddressing                  = 1;
  p->memoryBusWidth                     = 256;
  p->l2CacheSize                        = 4 << 20;
  p->maxThreadsPerMultiProcessor        = 1024;
  p->streamPrioritiesSupported          = 1;
  p->globalL1CacheSupported = p->localL1CacheSupported = 1;
  p->sharedMemPerMultiprocessor                        = 64 << 10;
  p->regsPerMultiprocessor                             = 65536;
  p->managedMemory                                     = 1;
  p->concurrentManagedAccess                           = 1;
  p->computePreemptionSupported                        = 1;
  p->cooperativeLaunch                                 = 0;
  p->sharedMemPerBlockOptin                            = 64 << 10;
  p->maxBlocksPerMultiProcessor                        = 16;
  p->hostNativeAtomicSupported                         = 1;
  p->memoryPoolsSupported                              = 0;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int d) {
  if (d != 0) return give(cudaErrorInvalidDevice);
  properties(p);
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties_v2(cudaDeviceProp *p, int d) {
  return cudaGetDeviceProperties(p, d);
}
cudaError_t cudaGetDeviceCount(int *n) {
  *n = 1;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int *d) {
  *d = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int d) {
  return d == 0 ? cudaSuccess : give(cudaErrorInvalidDevice);
}
cudaError_t cudaInitDevice(int, unsigned, unsigned) { return cudaSuccess; }
cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
cudaError_t cudaDeviceSynchronize() {
  fflush(stdout);
  return sticky;
}
cudaError_t cudaDeviceReset() { return cudaSuccess; }
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *c) {
  *c = cudaFuncCachePreferNone;
  return cudaSuccess;
}
cudaError_t cudaDeviceSetLimit(cudaLimit, size_t) { return cudaSuccess; }
cudaError_t cudaDeviceGetLimit(size_t *v, cudaLimit l) {
  *v = l == cudaLimitStackSize        ? 65536
       : l == cudaLimitPrintfFifoSize ? 1 << 20
                                      : 8 << 20;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int *a, int *b) {
  if (a) *a = 0;
  if (b) *b = 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int *v, int, int) {
  *v = 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return cudaSuccess; }
cudaError_t cudaDeviceGetAttribute(int *v, cudaDeviceAttr a, int) {
  cudaDeviceProp p;
  properties(&p);
  switch (a) {
    case cudaDevAttrMaxThreadsPerBlock: *v = 1024; break;
    case cudaDevAttrMaxBlockDimX:
    case cudaDevAttrMaxBlockDimY: *v = 1024; break;
    case cudaDevAttrMaxBlockDimZ: *v = 64; break;
    case cudaDevAttrMaxGridDimX: *v = p.maxGridSize[0]; break;
    case cudaDevAttrMaxGridDimY:
    case cudaDevAttrMaxGridDimZ: *v = 65535; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *v = p.sharedMemPerBlock; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *v = p.sharedMemPerBlockOptin;
      break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      *v = p.sharedMemPerMultiprocessor;
      break;
    case cudaDevAttrReservedSharedMemoryPerBlock: *v = 0; break;
    case cudaDevAttrTotalConstantMemory: *v = 65536; break;
    case cudaDevAttrWarpSize: *v = 32; break;
    case cudaDevAttrMaxRegistersPerBlock:
    case cudaDevAttrMaxRegistersPerMultiprocessor: *v = 65536; break;
    case cudaDevAttrMultiProcessorCount: *v = p.multiProcessorCount; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      *v = p.maxThreadsPerMultiProcessor;
      break;
    case cudaDevAttrMaxBlocksPerMultiprocessor: *v = 16; break;
    case cudaDevAttrComputeCapabilityMajor: *v = 7; break;
    case cudaDevAttrComputeCapabilityMinor: *v = 5; break;
    case cudaDevAttrConcurrentManagedAccess:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrConcurrentKernels: *v = 1; break;
    case cudaDevAttrClockRate:
    case cudaDevAttrMemoryClockRate: *v = 1000000; break;
    case cudaDevAttrL2CacheSize: *v = p.l2CacheSize; break;
    case cudaDevAttrTextureAlignment: *v = 512; break;
    default: *v = 0;
  }
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int *v) {
  *v = 13000;
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int *v) {
  *v = 13000;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetByPCIBusId(int *d, const char *) {
  *d = 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *p, int) {
  *p = nullptr;
  return cudaSuccess;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *) {
  return cudaSuccess;
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *) {
  return cudaErrorNotSupported;
}

// ---- memory
// --------------------------------------------------------------------------------------------------------

cudaError_t cudaMalloc(void **p, size_t n) {
  return allocate_for(p, n, MemoryKind::device, nullptr);
}
cudaError_t cudaMallocAsync(void **p, size_t n, cudaStream_t) {
  return allocate_for(p, n, MemoryKind::device, nullptr);
}
cudaError_t cudaMallocManaged(void **p, size_t n, unsigned) {
  return allocate_for(p, n, MemoryKind::managed, nullptr);
}
cudaError_t cudaMallocHost(void **p, size_t n) {
  return allocate_for(p, n, MemoryKind::host, nullptr);
}
cudaError_t cudaHostAlloc(void **p, size_t n, unsigned) {
  return allocate_for(p, n, MemoryKind::host, nullptr);
}
cudaError_t cudaMallocPitch(void **p, size_t *pitch, size_t width,
                            size_t height) {
  *pitch = (width + 511) / 512 * 512;
  return cudaMalloc(p, *pitch * height);
}
cudaError_t cudaFree(void *p) { return free_memory(p); }
cudaError_t cudaFreeAsync(void *p, cudaStream_t) { return free_memory(p); }
cudaError_t cudaFreeHost(void *p) { return free_memory(p); }
cudaError_t cudaHostRegister(void *p, size_t n, unsigned) {
  adopt(p, n, MemoryKind::registered, "registered");
  return cudaSuccess;
}
cudaError_t cudaHostUnregister(void *p) {
  return release(p) ? cudaSuccess : give(cudaErrorHostMemoryNotRegistered);
}
cudaError_t cudaHostGetDevicePointer(void **d, void *h, unsigned) {
  *d = h;
  return cudaSuccess;
}
cudaError_t cudaHostGetFlags(unsigned *f, void *) {
  *f = 0;
  return cudaSuccess;
}
cudaError_t cudaMemcpy(void *a, const void *b, size_t n, cudaMemcpyKind) {
  return copy(a, b, n);
}
cudaError_t cudaMemcpyAsync(void *a, const void *b, size_t n, cudaMemcpyKind,
                            cudaStream_t) {
  return copy(a, b, n);
}
cudaError_t cudaMemcpyPeer(void *a, int, const void *b, int, size_t n) {
  return copy(a, b, n);
}
cudaError_t cudaMemcpyPeerAsync(void *a, int, const void *b, int, size_t n,
                                cudaStream_t) {
  return copy(a, b, n);
}
cudaError_t cudaMemcpy2D(void *a, size_t pa, const void *b, size_t pb, size_t w,
                         size_t h, cudaMemcpyKind) {
  for (size_t k = 0; k < h; ++k)
    if (cudaError_t e = copy(static_cast<u8 *>(a) + k * pa,
                             static_cast<const u8 *>(b) + k * pb, w))
      return e;
  return cudaSuccess;
}
cudaError_t cudaMemcpy2DAsync(void *a, size_t pa, const void *b, size_t pb,
                              size_t w, size_t h, cudaMemcpyKind k,
                              cudaStream_t) {
  return cudaMemcpy2D(a, pa, b, pb, w, h, k);
}
cudaError_t cudaMemset(void *p, int v, size_t n) {
  if (sticky != cudaSuccess) return give(sticky);
  if (settings.check && n) {
    Allocation *a = find_allocation(p);
    if (!a || static_cast<u8 *>(p) + n > a->hi) {
      fprintf(stderr,
              "ptxrun: ERROR: cudaMemset of %zu bytes beyond an allocation: "
              "starts %s\n",
              n, describe_address(p).c_str());
      if (!settings.keep_going) abort();
      return give(cudaErrorInvalidValue);
    }
  }
  memset(p, v, n);
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void *p, int v, size_t n, cudaStream_t) {
  return cudaMemset(p, v, n);
}
cudaError_t cudaMemset2D(void *p, size_t pitch, int v, size_t w, size_t h) {
  for (size_t k = 0; k < h; ++k)
    if (cudaError_t e = cudaMemset(static_cast<u8 *>(p) + k * pitch, v, w))
      return e;
  return cudaSuccess;
}
cudaError_t cudaMemcpyToSymbol(const void *s, const void *from, size_t n,
                               size_t offset, cudaMemcpyKind) {
  Allocation *a = variable(s);
  if (!a) return give(cudaErrorInvalidSymbol);
  return copy(a->lo + offset, from, n);
}
cudaError_t cudaMemcpyToSymbolAsync(const void *s, const void *from, size_t n,
                                    size_t offset, cudaMemcpyKind k,
                                    cudaStream_t) {
  return cudaMemcpyToSymbol(s, from, n, offset, k);
}
cudaError_t cudaMemcpyFromSymbol(void *to, const void *s, size_t n,
                                 size_t offset, cudaMemcpyKind) {
  Allocation *a = variable(s);
  if (!a) return give(cudaErrorInvalidSymbol);
  return copy(to, a->lo + offset, n);
}
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *s, size_t n,
                                      size_t offset, cudaMemcpyKind k,
                                      cudaStream_t) {
  return cudaMemcpyFromSymbol(to, s, n, offset, k);
}
cudaError_t cudaGetSymbolAddress(void **p, const void *s) {
  Allocation *a = variable(s);
  if (!a) return give(cudaErrorInvalidSymbol);
  *p = a->lo;
  return cudaSuccess;
}
cudaError_t cudaGetSymbolSize(size_t *n, const void *s) {
  Allocation *a = variable(s);
  if (!a) return give(cudaErrorInvalidSymbol);
  *n = a->hi - a->lo;
  return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *p, const void *q) {
  memset(p, 0, sizeof *p);
  Allocation *a = find_allocation(q);
  p->device     = 0;
  if (!a) {
    p->type        = cudaMemoryTypeUnregistered;
    p->device      = -2;
    p->hostPointer = const_cast<void *>(q);
    return cudaSuccess;
  }
  switch (a->kind) {
    case MemoryKind::managed: p->type = cudaMemoryTypeManaged; break;
    case MemoryKind::host:
    case MemoryKind::registered: p->type = cudaMemoryTypeHost; break;
    default: p->type = cudaMemoryTypeDevice;
  }
  p->devicePointer = const_cast<void *>(q);
  p->hostPointer =
      p->type == cudaMemoryTypeDevice ? nullptr : const_cast<void *>(q);
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(size_t *free_, size_t *total) {
  if (total) *total = 8ull << 30;
  if (free_)
    *free_ = (8ull << 30) - std::min<size_t>(allocated_bytes(), 7ull << 30);
  return cudaSuccess;
}
cudaError_t cudaMemPrefetchAsync(const void *, size_t, cudaMemLocation,
                                 unsigned, cudaStream_t) {
  return cudaSuccess;
}
cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise,
                          cudaMemLocation) {
  return cudaSuccess;
}

// ---- streams and events
// ----------------------------------------------------------------------------------------------

cudaError_t cudaStreamCreate(cudaStream_t *s) {
  *s = reinterpret_cast<cudaStream_t>(new Stream);
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned) {
  return cudaStreamCreate(s);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *s, unsigned, int) {
  return cudaStreamCreate(s);
}
cudaError_t cudaStreamDestroy(cudaStream_t s) {
  if (reinterpret_cast<u64>(s) > 2) delete reinterpret_cast<Stream *>(s);
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t) {
  fflush(stdout);
  return sticky;
}
cudaError_t cudaStreamQuery(cudaStream_t) { return sticky; }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) {
  return cudaSuccess;
}
cudaError_t cudaStreamGetPriority(cudaStream_t, int *p) {
  *p = 0;
  return cudaSuccess;
}
cudaError_t cudaStreamGetFlags(cudaStream_t, unsigned *f) {
  *f = 0;
  return cudaSuccess;
}
cudaError_t cudaStreamGetId(cudaStream_t s, unsigned long long *id) {
  *id = reinterpret_cast<u64>(s);
  return cudaSuccess;
}
cudaError_t cudaStreamGetDevice(cudaStream_t, int *d) {
  *d = 0;
  return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus *s) {
  *s = cudaStreamCaptureStatusNone;
  return cudaSuccess;
}
cudaError_t cudaStreamAddCallback(cudaStream_t s, cudaStreamCallback_t f,
                                  void *d, unsigned) {
  f(s, cudaSuccess, d);
  return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t *e) {
  *e = reinterpret_cast<cudaEvent_t>(new Event);
  return cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, unsigned) {
  return cudaEventCreate(e);
}
cudaError_t cudaEventDestroy(cudaEvent_t e) {
  delete reinterpret_cast<Event *>(e);
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t) {
  reinterpret_cast<Event *>(e)->at = std::chrono::steady_clock::now();
  return cudaSuccess;
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t e, cudaStream_t s, unsigned) {
  return cudaEventRecord(e, s);
}
cudaError_t cudaEventSynchronize(cudaEvent_t) { return sticky; }
cudaError_t cudaEventQuery(cudaEvent_t) { return sticky; }
cudaError_t cudaEventElapsedTime(float *t, cudaEvent_t a, cudaEvent_t b) {
  *t = std::chrono::duration<float, std::milli>(
           reinterpret_cast<Event *>(b)->at - reinterpret_cast<Event *>(a)->at)
           .count();
  return cudaSuccess;
}

// ---- kernels
// ---------------------------------------------------------------------------------------------------------

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
