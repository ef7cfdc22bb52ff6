// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams and events: there is nothing to wait for.
#include "runtime.hpp"
#include <chrono>

namespace {

struct Stream {
  int unused;
};
struct Event {
  std::chrono::steady_clock::time_point at;
};

}  // namespace

extern "C" {

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
}
