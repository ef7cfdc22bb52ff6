// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the device says of itself, names of errors, and calls that only HIP has.
#include "runtime.hpp"

namespace {

bool is_device(int d) { return 0 <= d && d < settings.devices; }

}  // namespace

extern "C" {

const char *hipGetErrorName(hipError_t e) {
  switch (e) {
    case hipSuccess: return "hipSuccess";
    case hipErrorInvalidValue: return "hipErrorInvalidValue";
    case hipErrorOutOfMemory: return "hipErrorOutOfMemory";
    case hipErrorInvalidConfiguration: return "hipErrorInvalidConfiguration";
    case hipErrorIllegalAddress: return "hipErrorIllegalAddress";
    case hipErrorLaunchFailure: return "hipErrorLaunchFailure";
    case hipErrorNotSupported: return "hipErrorNotSupported";
    case hipErrorInvalidHandle: return "hipErrorInvalidHandle";
    case hipErrorInvalidDeviceFunction: return "hipErrorInvalidDeviceFunction";
    default: return "hipError";
  }
}
const char *hipGetErrorString(hipError_t e) {
  return e == hipSuccess ? "no error" : hipGetErrorName(e);
}
hipError_t hipGetDeviceProperties(hipDeviceProp_t *p, int d) {
  if (!is_device(d)) return give(hipErrorInvalidDevice);
  memset(p, 0, sizeof *p);
  strcpy(p->name, "executor of AMDGCN code on the processor");
  strcpy(p->gcnArchName, "gfx908");
  p->gcnArch            = 908;
  p->totalGlobalMem     = 8ull << 30;
  p->sharedMemPerBlock  = 64 << 10;
  p->regsPerBlock       = 65536;
  p->warpSize           = lanes_of_wave;
  p->maxThreadsPerBlock = 1024;
  p->maxThreadsDim[0] = p->maxThreadsDim[1] = p->maxThreadsDim[2] = 1024;
  p->maxGridSize[0] = p->maxGridSize[1] = p->maxGridSize[2] = 0x7fffffff;
  p->major                                                  = 9;
  p->minor                                                  = 0;
  p->multiProcessorCount                                    = settings.sms;
  p->l2CacheSize                                            = 4 << 20;
  p->maxThreadsPerMultiProcessor                            = 2560;
  p->concurrentKernels                                      = 1;
  p->totalConstMem                                          = 0x7fffffff;
  p->maxSharedMemoryPerMultiProcessor                       = 64 << 10;
  p->canMapHostMemory                                       = 1;
  p->clockRate = p->memoryClockRate = 1000000;
  p->memoryBusWidth                 = 256;
  p->managedMemory                  = 1;
  p->pciBusID                       = d + 1;
  return hipSuccess;
}
hipError_t hipGetDeviceCount(int *n) {
  *n = settings.devices;
  return hipSuccess;
}
hipError_t hipGetDevice(int *d) {
  *d = current_device;
  return hipSuccess;
}
hipError_t hipSetDevice(int d) {
  if (!is_device(d)) return give(hipErrorInvalidDevice);
  current_device = d;
  return hipSuccess;
}
hipError_t hipDeviceSynchronize() { return finish_device(current_device); }
hipError_t hipDeviceReset() { return hipSuccess; }
hipError_t hipDeviceSetCacheConfig(hipFuncCache_t) { return hipSuccess; }
hipError_t hipRuntimeGetVersion(int *v) {
  *v = 50200000;
  return hipSuccess;
}
hipError_t hipDriverGetVersion(int *v) { return hipRuntimeGetVersion(v); }

hipError_t hipHostMalloc(void **p, size_t n, unsigned flags) {
  return hipHostAlloc(p, n, flags);
}
hipError_t hipHostFree(void *p) { return hipFree(p); }
hipError_t hipPointerGetAttributes(hipPointerAttribute_t *p, const void *q) {
  memset(p, 0, sizeof *p);
  Allocation *a = find_allocation(q);
  if (!a) return give(hipErrorInvalidValue);
  const bool of_host =
      a->kind == MemoryKind::host || a->kind == MemoryKind::registered;
  p->memoryType    = of_host ? hipMemoryTypeHost : hipMemoryTypeDevice;
  p->device        = a->device;
  p->devicePointer = const_cast<void *>(q);
  p->hostPointer   = of_host ? const_cast<void *>(q) : nullptr;
  p->isManaged     = a->kind == MemoryKind::managed;
  return hipSuccess;
}
}
