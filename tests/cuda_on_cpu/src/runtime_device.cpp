// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors, and what the device says of itself.
#include "runtime.hpp"
#include <algorithm>

static bool is_device(int d) { return 0 <= d && d < settings.devices; }

extern "C" {

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
    case cudaErrorInvalidResourceHandle:
      return "cudaErrorInvalidResourceHandle";
    case cudaErrorInvalidDeviceFunction:
      return "cudaErrorInvalidDeviceFunction";
    default: return "cudaError";
  }
}
const char *cudaGetErrorString(cudaError_t e) {
  return e == cudaSuccess ? "no error" : cudaGetErrorName(e);
}

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
  if (!is_device(d)) return give(cudaErrorInvalidDevice);
  properties(p);
  p->pciBusID = d + 1;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties_v2(cudaDeviceProp *p, int d) {
  return cudaGetDeviceProperties(p, d);
}
cudaError_t cudaGetDeviceCount(int *n) {
  *n = settings.devices;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int *d) {
  *d = current_device;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int d) {
  if (!is_device(d)) return give(cudaErrorInvalidDevice);
  current_device = d;
  return cudaSuccess;
}
cudaError_t cudaInitDevice(int, unsigned, unsigned) { return cudaSuccess; }
cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
cudaError_t cudaDeviceSynchronize() { return finish_device(current_device); }
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
cudaError_t cudaDeviceEnablePeerAccess(int d, unsigned) {
  return give(is_device(d) && d != current_device
                  ? cudaErrorPeerAccessUnsupported
                  : cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceGetAttribute(int *v, cudaDeviceAttr a, int d) {
  if (!is_device(d)) return give(cudaErrorInvalidDevice);
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
}
