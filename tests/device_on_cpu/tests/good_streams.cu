// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work in streams, in every order that is one: each piece appends a digit to a
// number on the device.
#include "check.hpp"
__device__ int symbol;
__global__ void append(int *number, int digit) {
  *number = 10 * *number + digit;
}
__global__ void append_symbol(int *number) { *number = 10 * *number + symbol; }

struct Streams {
  cudaStream_t a, b, apart;  // the last does not block with the default stream
  int *number, *pinned;
  Streams() {
    RUN(cudaStreamCreate(&a));
    RUN(cudaStreamCreate(&b));
    RUN(cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking));
    RUN(cudaMalloc(&number, sizeof *number));
    RUN(cudaMemset(number, 0, sizeof *number));
    RUN(cudaMallocHost(&pinned, sizeof *pinned));
    RUN(cudaDeviceSynchronize());
  }
  ~Streams() {
    for (cudaStream_t s : {a, b, apart}) RUN(cudaStreamDestroy(s));
    RUN(cudaFree(number));
    RUN(cudaFreeHost(pinned));
  }
  int read() const {
    int result = 0;
    RUN(cudaMemcpy(&result, number, sizeof result, cudaMemcpyDeviceToHost));
    return result;
  }
};

void one_stream() {
  Streams s;
  *s.pinned = 7;
  RUN(cudaMemcpyAsync(s.number, s.pinned, sizeof(int), cudaMemcpyHostToDevice,
                      s.apart));
  append<<<1, 1, 0, s.apart>>>(s.number, 1);
  RUN(cudaMemcpyAsync(s.pinned, s.number, sizeof(int), cudaMemcpyDeviceToHost,
                      s.apart));
  RUN(cudaStreamSynchronize(s.apart));
  CHECK(*s.pinned == 71);
}

// The default stream and those that block with it.
void default_stream() {
  Streams s;
  append<<<1, 1, 0, s.a>>>(s.number, 1);
  append<<<1, 1>>>(s.number, 2);
  append<<<1, 1, 0, s.b>>>(s.number, 3);
  append<<<1, 1>>>(s.number, 4);
  append<<<1, 1, 0, s.a>>>(s.number, 5);
  CHECK(s.read() == 12345);
  append<<<1, 1, 0, s.b>>>(s.number, 6);
  RUN(cudaStreamSynchronize(nullptr));
  append<<<1, 1>>>(s.number, 7);
  append<<<1, 1, 0, s.a>>>(s.number, 8);
  RUN(cudaStreamSynchronize(s.a));
  CHECK(s.read() == 12345678);
}

void events() {
  Streams s;
  cudaEvent_t first, second;
  RUN(cudaEventCreate(&first));
  RUN(cudaEventCreate(&second));
  append<<<1, 1, 0, s.apart>>>(s.number, 1);
  RUN(cudaEventRecord(first, s.apart));
  RUN(cudaStreamWaitEvent(s.a, first));
  append<<<1, 1, 0, s.a>>>(s.number, 2);
  RUN(cudaEventRecord(first, s.a));
  RUN(cudaStreamWaitEvent(s.apart, first));
  RUN(cudaEventDestroy(first));
  append<<<1, 1, 0, s.apart>>>(s.number, 3);
  RUN(cudaMemcpyAsync(s.pinned, s.number, sizeof(int), cudaMemcpyDeviceToHost,
                      s.apart));
  RUN(cudaEventRecord(second, s.apart));
  RUN(cudaEventSynchronize(second));
  CHECK(*s.pinned == 123);
  RUN(cudaEventDestroy(second));
}

void functions_of_the_host() {
  Streams s;
  const cudaHostFn_t append_4 = [](void *p) {
    auto &n = *static_cast<int *>(p);
    n       = 10 * n + 4;
  };
  *s.pinned = 0;
  append<<<1, 1, 0, s.a>>>(s.pinned, 3);
  RUN(cudaLaunchHostFunc(s.a, append_4, s.pinned));
  append<<<1, 1, 0, s.a>>>(s.pinned, 5);
  RUN(cudaDeviceSynchronize());
  CHECK(*s.pinned == 345);
}

// Copies that wait; memory that is freed while work needs it.
void memory() {
  Streams s;
  int digit = 8, back = 0, *more;
  RUN(cudaMemcpyToSymbol(symbol, &digit, sizeof digit));
  digit = 0;
  append_symbol<<<1, 1, 0, s.a>>>(s.number);
  RUN(cudaMemcpyFromSymbol(&back, symbol, sizeof back));
  CHECK(back == 8);
  RUN(cudaMalloc(&more, sizeof *more));
  RUN(cudaMemcpyAsync(more, s.number, sizeof *more, cudaMemcpyDeviceToDevice,
                      s.a));
  append<<<1, 1, 0, s.a>>>(more, 9);
  RUN(cudaMemcpyAsync(s.number, more, sizeof *more, cudaMemcpyDeviceToDevice,
                      s.a));
  RUN(cudaFree(more));
  CHECK(s.read() == 89);
}

int main() {
  one_stream();
  default_stream();
  events();
  functions_of_the_host();
  memory();
  return failures;
}
