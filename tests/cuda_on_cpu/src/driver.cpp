// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libcuda.so.1: the few functions of the driver that programs call next to the
// runtime. Each device has one context.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

extern "C" {  // the runtime's
int cudaGetDeviceCount(int *count);
int cudaGetDevice(int *device);
int cudaSetDevice(int device);
int cudaStreamGetDevice(void *stream, int *device);
}

namespace {
thread_local std::vector<int> pushed;  // the current devices before

int give_context(void **context, int device) {
  if (context) *context = reinterpret_cast<void *>(16 * (device + 1ull));
  return 0;
}
int give_context(void **context) {
  int device = 0;
  cudaGetDevice(&device);
  return give_context(context, device);
}
int give_context_of(void *stream, void **context) {
  int device      = 0;
  const int error = cudaStreamGetDevice(stream, &device);
  return error == 0 ? give_context(context, device) : error;
}
int set_context(void *context) {
  return cudaSetDevice(int(reinterpret_cast<uintptr_t>(context) / 16) - 1);
}
int give_text(const char **text, const char *value) {
  *text = value;
  return 0;
}
int give_number(int *number, int value) {
  *number = value;
  return 0;
}
}  // namespace

extern "C" {
int cuInit(unsigned) { return 0; }
int cuDriverGetVersion(int *version) { return give_number(version, 13000); }
int cuDeviceGetCount(int *count) { return cudaGetDeviceCount(count); }
int cuDeviceGet(int *device, int n) {
  int count = 0;
  cudaGetDeviceCount(&count);
  *device = n;
  return 0 <= n && n < count ? 0 : 101;
}
int cuDeviceGetName(char *name, int size, int) {
  strncpy(name, "executor of PTX on the processor", size);
  return 0;
}
int cuCtxGetCurrent(void **context) { return give_context(context); }
int cuCtxSetCurrent(void *context) { return set_context(context); }
int cuCtxPushCurrent_v2(void *context) {
  int before = 0;
  cudaGetDevice(&before);
  pushed.push_back(before);
  return set_context(context);
}
int cuCtxPopCurrent_v2(void **context) {
  give_context(context);
  if (pushed.empty()) return 201;
  cudaSetDevice(pushed.back());
  pushed.pop_back();
  return 0;
}
int cuCtxGetDevice(int *device) { return cudaGetDevice(device); }
int cuCtxSynchronize() { return 0; }
int cuStreamGetCtx(void *stream, void **context) {
  return give_context_of(stream, context);
}
int cuStreamGetCtx_v2(void *stream, void **context, void **green_context) {
  if (green_context) *green_context = nullptr;
  return give_context_of(stream, context);
}
int cuDevicePrimaryCtxRetain(void **context, int device) {
  return give_context(context, device);
}
int cuDevicePrimaryCtxRelease_v2(int) { return 0; }
int cuGetErrorName(int, const char **text) {
  return give_text(text, "CUDA_ERROR");
}
int cuGetErrorString(int, const char **text) {
  return give_text(text, "an error of the driver");
}
int cuPointerGetAttribute(void *, int, unsigned long long) { return 1; }
int cuGetProcAddress_v2(const char *, void **function, int, unsigned long long,
                        void *) {
  *function = nullptr;
  return 500;
}
}
