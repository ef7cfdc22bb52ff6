// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEVICES 2
// Two devices: memory, variables and streams of each, copies between them, and
// memory that both reach.
#include "check.hpp"
#include <thread>
__device__ int symbol = 5;
__constant__ int constant;
__managed__ int managed = 3;
__global__ void add(int *to, const int *n) { *to += *n; }
__global__ void add_symbols(int *to) {
  *to += 100 * symbol + 10 * constant + managed;
  symbol = 6;
  ++managed;
}

int current() {
  int d = -1;
  RUN(cudaGetDevice(&d));
  return d;
}
int device_of(const void *p) {
  cudaPointerAttributes a;
  RUN(cudaPointerGetAttributes(&a, p));
  return a.device;
}

void devices() {
  int n = 0, peer = 1;
  cudaDeviceProp p;
  RUN(cudaGetDeviceCount(&n));
  CHECK(n == 2);
  CHECK(current() == 0);
  CHECK(cudaSetDevice(2) == cudaErrorInvalidDevice);
  CHECK(cudaSetDevice(-1) == cudaErrorInvalidDevice);
  CHECK(cudaGetDeviceProperties(&p, 2) == cudaErrorInvalidDevice);
  cudaGetLastError();
  RUN(cudaGetDeviceProperties(&p, 1));
  CHECK(p.major == 7);
  RUN(cudaDeviceCanAccessPeer(&peer, 0, 1));
  CHECK(peer == 0);
  CHECK(cudaDeviceEnablePeerAccess(1, 0) == cudaErrorPeerAccessUnsupported);
  cudaGetLastError();
  RUN(cudaSetDevice(1));
  CHECK(current() == 1);
  std::thread([] { CHECK(current() == 0); }).join();  // each thread has its own
  RUN(cudaSetDevice(0));
}

// Each device computes with memory of its own; copies go between them.
void memory() {
  int *p[2], *pinned, *both, two = 2, result = 0;
  RUN(cudaMallocHost(&pinned, sizeof *pinned));
  RUN(cudaMallocManaged(&both, sizeof *both));
  *pinned = 40;
  *both   = 500;
  for (int d = 0; d < 2; ++d) {
    RUN(cudaSetDevice(d));
    RUN(cudaMalloc(&p[d], sizeof(int)));
    CHECK(device_of(p[d]) == d);
  }
  RUN(cudaMemcpy(p[0], &two, sizeof two, cudaMemcpyHostToDevice));
  RUN(cudaMemcpy(p[1], p[0], sizeof two, cudaMemcpyDeviceToDevice));
  add<<<1, 1>>>(p[1], pinned);
  add<<<1, 1>>>(p[1], both);
  RUN(cudaDeviceSynchronize());
  RUN(cudaMemcpyPeer(p[0], 0, p[1], 1, sizeof two));
  RUN(cudaSetDevice(0));
  add<<<1, 1>>>(p[0], pinned);
  RUN(cudaMemcpy(&result, p[0], sizeof result, cudaMemcpyDeviceToHost));
  CHECK(result == 582);
  for (int *q : {p[0], p[1], both}) RUN(cudaFree(q));
  RUN(cudaFreeHost(pinned));
}

// Variables and constants are those of the device, managed ones of all.
void variables() {
  int *p[2], result[2] = {0, 0};
  for (int d = 0; d < 2; ++d) {
    const int c = d + 1;
    RUN(cudaSetDevice(d));
    RUN(cudaMalloc(&p[d], sizeof(int)));
    RUN(cudaMemset(p[d], 0, sizeof(int)));
    RUN(cudaMemcpyToSymbol(constant, &c, sizeof c));
  }
  for (int d = 0; d < 2; ++d) {
    RUN(cudaSetDevice(d));
    add_symbols<<<1, 1>>>(p[d]);
    RUN(cudaMemcpy(&result[d], p[d], sizeof(int), cudaMemcpyDeviceToHost));
    RUN(cudaFree(p[d]));
  }
  CHECK(result[0] == 513);
  CHECK(result[1] == 524);
  CHECK(managed == 5);
  RUN(cudaSetDevice(0));
}

// Streams belong to the device that was the current one; other streams and
// events may wait for their work.
void streams() {
  int *p[2], *pinned, device = -1;
  cudaStream_t s[2];
  cudaEvent_t done;
  RUN(cudaMallocHost(&pinned, sizeof *pinned));
  *pinned = 7;
  for (int d = 0; d < 2; ++d) {
    RUN(cudaSetDevice(d));
    RUN(cudaStreamCreate(&s[d]));
    RUN(cudaStreamGetDevice(s[d], &device));
    CHECK(device == d);
    RUN(cudaMallocAsync(reinterpret_cast<void **>(&p[d]), sizeof(int), s[d]));
    RUN(cudaMemsetAsync(p[d], 0, sizeof(int), s[d]));
  }
  RUN(cudaEventCreate(&done));
  add<<<1, 1, 0, s[1]>>>(p[1], pinned);
  RUN(cudaEventRecord(done, s[1]));
  RUN(cudaSetDevice(0));
  RUN(cudaStreamWaitEvent(s[0], done));
  RUN(cudaMemcpyAsync(p[0], p[1], sizeof(int), cudaMemcpyDefault, s[0]));
  add<<<1, 1, 0, s[0]>>>(p[0], pinned);
  RUN(cudaMemcpyAsync(pinned, p[0], sizeof(int), cudaMemcpyDefault, s[0]));
  RUN(cudaStreamSynchronize(s[0]));
  CHECK(*pinned == 14);
  RUN(cudaEventDestroy(done));
  for (int d = 0; d < 2; ++d) {
    RUN(cudaStreamDestroy(s[d]));
    RUN(cudaFree(p[d]));
  }
  RUN(cudaFreeHost(pinned));
}

int main() {
  devices();
  memory();
  variables();
  streams();
  return failures;
}
