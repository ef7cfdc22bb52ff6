// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory: allocations, copies, symbols.
#include "runtime_common.hpp"
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
API(Error_t)
copy(void *to, const void *from, size_t n, API(Stream_t) s = nullptr,
     Wait wait = Wait::yes) {
  if (sticky != API(Success)) return give(sticky);
  if (n && (!to || !from)) return give(API(ErrorInvalidValue));
  if (settings.check)  // both ends, if they are in known memory
    for (const void *p : {const_cast<const void *>(to), from})
      if (Allocation *a = find_allocation(p))
        if (static_cast<const u8 *>(p) + n > a->hi) {
          fprintf(stderr,
                  "ptxrun: ERROR: copy of %zu bytes beyond the end of an "
                  "allocation: starts %s\n",
                  n, describe_address(p).c_str());
          if (!settings.keep_going) abort();
          return give(API(ErrorInvalidValue));
        }
  // The default stream orders copies between devices with all work of both.
  bool ordered = wait == Wait::yes && between_devices(to, from);
  if (ordered)
    for (const void *p : {const_cast<const void *>(to), from})
      finish_device(find_allocation(p)->device);
  API(Error_t)
  e = submit(s, [=] {
    Opened opened;
    memmove(to, from, n);
  });
  if (e != API(Success)) return e;
  int ends = on_device(to) + on_device(from);
  return ends == 0 || (ends == 1 && wait == Wait::yes) || ordered ? finish(s)
                                                                  : e;
}
API(Error_t)
copy_2d(void *to, size_t pitch_to, const void *from, size_t pitch_from,
        size_t width, size_t height, API(Stream_t) s = nullptr,
        Wait wait = Wait::yes) {
  for (size_t k = 0; k < height; ++k)
    if (API(Error_t) e = copy(static_cast<u8 *>(to) + k * pitch_to,
                              static_cast<const u8 *>(from) + k * pitch_from,
                              width, s, wait))
      return e;
  return API(Success);
}
// The host waits if the memory is its own.
API(Error_t) set(void *p, int v, size_t n, API(Stream_t) s, Wait wait) {
  if (sticky != API(Success)) return give(sticky);
  if (settings.check && n) {
    Allocation *a = find_allocation(p);
    if (!a || static_cast<u8 *>(p) + n > a->hi) {
      fprintf(stderr,
              "ptxrun: ERROR: memset of %zu bytes beyond an allocation: "
              "starts %s\n",
              n, describe_address(p).c_str());
      if (!settings.keep_going) abort();
      return give(API(ErrorInvalidValue));
    }
    int device = device_of(s);
    if (device >= 0 && !reaches(device, *a))
      return wrong(
          API(ErrorInvalidValue),
          strprintf(API_NAME "Memset on device %d of memory of device %d, "
                             "without peer access: starts %s",
                    device, a->device, describe_address(p).c_str()));
  }
  API(Error_t)
  e = submit(s, [=] {
    Opened opened;
    memset(p, v, n);
  });
  if (e != API(Success)) return e;
  return wait == Wait::yes && !on_device(p) ? finish(s) : e;
}

API(Error_t)
allocate_for(void **p, size_t n, MemoryKind kind, const char *what,
             int device = current_device) {
  if (!p) return give(API(ErrorInvalidValue));
  if (n == 0) {
    *p = nullptr;
    return API(Success);
  }
  if (n > 64ull << 30) return give(API(ErrorMemoryAllocation));
  Allocation *a = allocate(n, kind, what);
  if (!a) return give(API(ErrorMemoryAllocation));
  a->device = device;
  *p        = a->lo;
  return API(Success);
}
API(Error_t) free_memory(void *p) {
  if (!p) return API(Success);
  Allocation *a = find_allocation(p);
  for (int d = 0; d < settings.devices; ++d)
    if (a && reaches(d, *a)) finish_device(d);
  if (release(p)) return API(Success);
  fprintf(stderr,
          "ptxrun: ERROR: free of %p, which is not the start of an allocation: "
          "%s\n",
          p, describe_address(p).c_str());
  return give(API(ErrorInvalidValue));
}

}  // namespace

extern "C" {

API(Error_t) API(Malloc)(void **p, size_t n) {
  return allocate_for(p, n, MemoryKind::device, nullptr);
}
API(Error_t) API(MallocAsync)(void **p, size_t n, API(Stream_t) s) {
  int device = device_of(s);
  if (device < 0) return give(API(ErrorInvalidResourceHandle));
  return allocate_for(p, n, MemoryKind::device, nullptr, device);
}
API(Error_t) API(MallocManaged)(void **p, size_t n, unsigned) {
  return allocate_for(p, n, MemoryKind::managed, nullptr);
}
API(Error_t) API(MallocHost)(void **p, size_t n) {
  return allocate_for(p, n, MemoryKind::host, nullptr);
}
API(Error_t) API(HostAlloc)(void **p, size_t n, unsigned) {
  return allocate_for(p, n, MemoryKind::host, nullptr);
}
API(Error_t)
API(MallocPitch)(void **p, size_t *pitch, size_t width, size_t height) {
  *pitch = (width + 511) / 512 * 512;
  return API(Malloc)(p, *pitch * height);
}
API(Error_t) API(Free)(void *p) { return free_memory(p); }
API(Error_t) API(FreeAsync)(void *p, API(Stream_t) s) {
  return submit(s, [=] { release(p); });
}
API(Error_t) API(FreeHost)(void *p) { return free_memory(p); }
API(Error_t) API(HostRegister)(void *p, size_t n, unsigned) {
  adopt(p, n, MemoryKind::registered, "registered");
  return API(Success);
}
API(Error_t) API(HostUnregister)(void *p) {
  for (int d = 0; d < settings.devices; ++d) finish_device(d);
  return release(p) ? API(Success) : give(API(ErrorHostMemoryNotRegistered));
}
API(Error_t) API(HostGetDevicePointer)(void **d, void *h, unsigned) {
  *d = h;
  return API(Success);
}
API(Error_t) API(HostGetFlags)(unsigned *f, void *) {
  *f = 0;
  return API(Success);
}
API(Error_t) API(Memcpy)(void *a, const void *b, size_t n, API(MemcpyKind)) {
  return copy(a, b, n);
}
API(Error_t)
API(MemcpyAsync)
(void *a, const void *b, size_t n, API(MemcpyKind), API(Stream_t) s) {
  return copy(a, b, n, s, Wait::no);
}
API(Error_t) API(MemcpyPeer)(void *a, int, const void *b, int, size_t n) {
  return copy(a, b, n);
}
API(Error_t)
API(MemcpyPeerAsync)
(void *a, int, const void *b, int, size_t n, API(Stream_t) s) {
  return copy(a, b, n, s, Wait::no);
}
API(Error_t)
API(Memcpy2D)
(void *a, size_t pa, const void *b, size_t pb, size_t w, size_t h,
 API(MemcpyKind)) {
  return copy_2d(a, pa, b, pb, w, h);
}
API(Error_t)
API(Memcpy2DAsync)
(void *a, size_t pa, const void *b, size_t pb, size_t w, size_t h,
 API(MemcpyKind), API(Stream_t) s) {
  return copy_2d(a, pa, b, pb, w, h, s, Wait::no);
}
API(Error_t) API(Memset)(void *p, int v, size_t n) {
  return set(p, v, n, nullptr, Wait::yes);
}
API(Error_t) API(MemsetAsync)(void *p, int v, size_t n, API(Stream_t) s) {
  return set(p, v, n, s, Wait::no);
}
API(Error_t) API(Memset2D)(void *p, size_t pitch, int v, size_t w, size_t h) {
  for (size_t k = 0; k < h; ++k)
    if (API(Error_t) e = API(Memset)(static_cast<u8 *>(p) + k * pitch, v, w))
      return e;
  return API(Success);
}
API(Error_t)
API(MemcpyToSymbol)
(const void *s, const void *from, size_t n, size_t offset, API(MemcpyKind)) {
  const Part a = variable(s);
  if (!a.lo) return give(API(ErrorInvalidSymbol));
  return copy(a.lo + offset, from, n);
}
API(Error_t)
API(MemcpyToSymbolAsync)
(const void *s, const void *from, size_t n, size_t offset, API(MemcpyKind),
 API(Stream_t) t) {
  const Part a = variable(s);
  if (!a.lo) return give(API(ErrorInvalidSymbol));
  return copy(a.lo + offset, from, n, t, Wait::no);
}
API(Error_t)
API(MemcpyFromSymbol)
(void *to, const void *s, size_t n, size_t offset, API(MemcpyKind)) {
  const Part a = variable(s);
  if (!a.lo) return give(API(ErrorInvalidSymbol));
  return copy(to, a.lo + offset, n);
}
API(Error_t)
API(MemcpyFromSymbolAsync)
(void *to, const void *s, size_t n, size_t offset, API(MemcpyKind),
 API(Stream_t) t) {
  const Part a = variable(s);
  if (!a.lo) return give(API(ErrorInvalidSymbol));
  return copy(to, a.lo + offset, n, t, Wait::no);
}
API(Error_t) API(GetSymbolAddress)(void **p, const void *s) {
  const Part a = variable(s);
  if (!a.lo) return give(API(ErrorInvalidSymbol));
  *p = a.lo;
  return API(Success);
}
API(Error_t) API(GetSymbolSize)(size_t *n, const void *s) {
  const Part a = variable(s);
  if (!a.lo) return give(API(ErrorInvalidSymbol));
  *n = a.hi - a.lo;
  return API(Success);
}
API(Error_t) API(MemGetInfo)(size_t *free_, size_t *total) {
  if (total) *total = 8ull << 30;
  if (free_)
    *free_ = (8ull << 30) - std::min<size_t>(allocated_bytes(), 7ull << 30);
  return API(Success);
}
}
