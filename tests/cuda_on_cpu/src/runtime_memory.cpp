// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory: allocations, copies, symbols.
#include "runtime.hpp"
#include <algorithm>

namespace {

bool on_device(const void *p) {
  Allocation *a = find_allocation(p);
  return a && a->kind != MemoryKind::host && a->kind != MemoryKind::registered;
}

// Do both lie in memory of devices, and not of the same one?
bool between_devices(const void *p, const void *q) {
  Allocation *a = find_allocation(p), *b = find_allocation(q);
  return a && b && a->device != b->device && !reaches(a->device, *b) &&
         !reaches(b->device, *a);
}

enum class Wait { no, yes };

// The host waits for copies between host and host, and with Wait::yes for those
// between host and device.
cudaError_t copy(void *to, const void *from, size_t n, cudaStream_t s = nullptr,
                 Wait wait = Wait::yes) {
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
  // The default stream orders copies between devices with all work of both.
  bool ordered = wait == Wait::yes && between_devices(to, from);
  if (ordered)
    for (const void *p : {const_cast<const void *>(to), from})
      finish_device(find_allocation(p)->device);
  cudaError_t e = submit(s, [=] {
    Opened opened;
    memmove(to, from, n);
  });
  if (e != cudaSuccess) return e;
  int ends = on_device(to) + on_device(from);
  return ends == 0 || (ends == 1 && wait == Wait::yes) || ordered ? finish(s)
                                                                  : e;
}
cudaError_t copy_2d(void *to, size_t pitch_to, const void *from,
                    size_t pitch_from, size_t width, size_t height,
                    cudaStream_t s = nullptr, Wait wait = Wait::yes) {
  for (size_t k = 0; k < height; ++k)
    if (cudaError_t e = copy(static_cast<u8 *>(to) + k * pitch_to,
                             static_cast<const u8 *>(from) + k * pitch_from,
                             width, s, wait))
      return e;
  return cudaSuccess;
}
// The host waits if the memory is its own.
cudaError_t set(void *p, int v, size_t n, cudaStream_t s, Wait wait) {
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
    int device = device_of(s);
    if (device >= 0 && !reaches(device, *a))
      return wrong(cudaErrorInvalidValue,
                   strprintf("cudaMemset on device %d of memory of device %d, "
                             "without peer access: starts %s",
                             device, a->device, describe_address(p).c_str()));
  }
  cudaError_t e = submit(s, [=] {
    Opened opened;
    memset(p, v, n);
  });
  if (e != cudaSuccess) return e;
  return wait == Wait::yes && !on_device(p) ? finish(s) : e;
}

cudaError_t allocate_for(void **p, size_t n, MemoryKind kind, const char *what,
                         int device = current_device) {
  if (!p) return give(cudaErrorInvalidValue);
  if (n == 0) {
    *p = nullptr;
    return cudaSuccess;
  }
  if (n > 64ull << 30) return give(cudaErrorMemoryAllocation);
  Allocation *a = allocate(n, kind, what);
  if (!a) return give(cudaErrorMemoryAllocation);
  a->device = device;
  *p        = a->lo;
  return cudaSuccess;
}
cudaError_t free_memory(void *p) {
  if (!p) return cudaSuccess;
  Allocation *a = find_allocation(p);
  for (int d = 0; d < settings.devices; ++d)
    if (a && reaches(d, *a)) finish_device(d);
  if (release(p)) return cudaSuccess;
  fprintf(stderr,
          "ptxrun: ERROR: free of %p, which is not the start of an allocation: "
          "%s\n",
          p, describe_address(p).c_str());
  return give(cudaErrorInvalidValue);
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void **p, size_t n) {
  return allocate_for(p, n, MemoryKind::device, nullptr);
}
cudaError_t cudaMallocAsync(void **p, size_t n, cudaStream_t s) {
  int device = device_of(s);
  if (device < 0) return give(cudaErrorInvalidResourceHandle);
  return allocate_for(p, n, MemoryKind::device, nullptr, device);
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
cudaError_t cudaFreeAsync(void *p, cudaStream_t s) {
  return submit(s, [=] { release(p); });
}
cudaError_t cudaFreeHost(void *p) { return free_memory(p); }
cudaError_t cudaHostRegister(void *p, size_t n, unsigned) {
  adopt(p, n, MemoryKind::registered, "registered");
  return cudaSuccess;
}
cudaError_t cudaHostUnregister(void *p) {
  for (int d = 0; d < settings.devices; ++d) finish_device(d);
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
                            cudaStream_t s) {
  return copy(a, b, n, s, Wait::no);
}
cudaError_t cudaMemcpyPeer(void *a, int, const void *b, int, size_t n) {
  return copy(a, b, n);
}
cudaError_t cudaMemcpyPeerAsync(void *a, int, const void *b, int, size_t n,
                                cudaStream_t s) {
  return copy(a, b, n, s, Wait::no);
}
cudaError_t cudaMemcpy2D(void *a, size_t pa, const void *b, size_t pb, size_t w,
                         size_t h, cudaMemcpyKind) {
  return copy_2d(a, pa, b, pb, w, h);
}
cudaError_t cudaMemcpy2DAsync(void *a, size_t pa, const void *b, size_t pb,
                              size_t w, size_t h, cudaMemcpyKind,
                              cudaStream_t s) {
  return copy_2d(a, pa, b, pb, w, h, s, Wait::no);
}
cudaError_t cudaMemset(void *p, int v, size_t n) {
  return set(p, v, n, nullptr, Wait::yes);
}
cudaError_t cudaMemsetAsync(void *p, int v, size_t n, cudaStream_t s) {
  return set(p, v, n, s, Wait::no);
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
                                    size_t offset, cudaMemcpyKind,
                                    cudaStream_t t) {
  Allocation *a = variable(s);
  if (!a) return give(cudaErrorInvalidSymbol);
  return copy(a->lo + offset, from, n, t, Wait::no);
}
cudaError_t cudaMemcpyFromSymbol(void *to, const void *s, size_t n,
                                 size_t offset, cudaMemcpyKind) {
  Allocation *a = variable(s);
  if (!a) return give(cudaErrorInvalidSymbol);
  return copy(to, a->lo + offset, n);
}
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *s, size_t n,
                                      size_t offset, cudaMemcpyKind,
                                      cudaStream_t t) {
  Allocation *a = variable(s);
  if (!a) return give(cudaErrorInvalidSymbol);
  return copy(to, a->lo + offset, n, t, Wait::no);
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
  p->device     = a ? a->device : 0;
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
}
