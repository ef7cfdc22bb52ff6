// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The programs of this folder are written for CUDA; hipcc compiles them, too,
// with this file included before them.
#pragma once
#ifdef __HIP__
#include <hip/hip_runtime.h>
#define cudaDeviceSynchronize hipDeviceSynchronize
#define cudaError_t hipError_t
#define cudaEventCreate hipEventCreate
#define cudaEventDestroy hipEventDestroy
#define cudaEventRecord hipEventRecord
#define cudaEventSynchronize hipEventSynchronize
#define cudaEvent_t hipEvent_t
#define cudaFree hipFree
#define cudaFreeHost hipHostFree
#define cudaGetErrorString hipGetErrorString
#define cudaMalloc hipMalloc
#define cudaMallocHost(...) hipHostMalloc(__VA_ARGS__, 0)
#define cudaMemcpy hipMemcpy
#define cudaMemcpyAsync hipMemcpyAsync
#define cudaMemcpyDeviceToDevice hipMemcpyDeviceToDevice
#define cudaMemcpyDeviceToHost hipMemcpyDeviceToHost
#define cudaMemcpyFromSymbol(to, symbol, ...) \
  hipMemcpyFromSymbol(to, HIP_SYMBOL(symbol), __VA_ARGS__)
#define cudaMemcpyHostToDevice hipMemcpyHostToDevice
#define cudaMemcpyToSymbol(symbol, ...) \
  hipMemcpyToSymbol(HIP_SYMBOL(symbol), __VA_ARGS__)
#define cudaMemset hipMemset
#define cudaSetDevice hipSetDevice
#define cudaStreamCreate hipStreamCreate
#define cudaStreamCreateWithFlags hipStreamCreateWithFlags
#define cudaStreamDestroy hipStreamDestroy
#define cudaStreamNonBlocking hipStreamNonBlocking
#define cudaStreamSynchronize hipStreamSynchronize
#define cudaStreamWaitEvent(stream, event) hipStreamWaitEvent(stream, event, 0)
#define cudaStream_t hipStream_t
#define cudaSuccess hipSuccess
#define __syncwarp() static_cast<void>(0)  // lanes run in step
#define __trap() __builtin_trap()
using cudaHostFn_t = void (*)(void *);
inline hipError_t cudaLaunchHostFunc(hipStream_t s, cudaHostFn_t f, void *p) {
  struct Call {
    cudaHostFn_t f;
    void *p;
  };
  const hipStreamCallback_t callback = [](hipStream_t, hipError_t, void *c) {
    auto *call = static_cast<Call *>(c);
    call->f(call->p);
    delete call;
  };
  return hipStreamAddCallback(s, callback, new Call{f, p}, 0);
}
#endif
