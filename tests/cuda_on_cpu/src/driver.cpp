// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libcuda.so.1: the few functions of the driver that programs call next to the
// runtime. There is one device with one context.
#include <cstddef>
#include <cstring>

namespace {
void *const the_context = reinterpret_cast<void *>(16);

int give_context(void **context) {
  if (context) *context = the_context;
  return 0;
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
int cuDeviceGetCount(int *count) { return give_number(count, 1); }
int cuDeviceGet(int *device, int n) {
  *device = n;
  return n == 0 ? 0 : 101;
}
int cuDeviceGetName(char *name, int size, int) {
  strncpy(name, "executor of PTX on the processor", size);
  return 0;
}
int cuCtxGetCurrent(void **context) { return give_context(context); }
int cuCtxSetCurrent(void *) { return 0; }
int cuCtxPushCurrent_v2(void *) { return 0; }
int cuCtxPopCurrent_v2(void **context) { return give_context(context); }
int cuCtxGetDevice(int *device) { return give_number(device, 0); }
int cuCtxSynchronize() { return 0; }
int cuStreamGetCtx(void *, void **context) { return give_context(context); }
int cuStreamGetCtx_v2(void *, void **context, void **green_context) {
  if (green_context) *green_context = nullptr;
  return give_context(context);
}
int cuDevicePrimaryCtxRetain(void **context, int) {
  return give_context(context);
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
