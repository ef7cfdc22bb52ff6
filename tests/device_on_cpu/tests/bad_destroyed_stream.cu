// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT use of a stream after its destruction
__global__ void k() {}
int main() {
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaStreamDestroy(s);
  k<<<1, 1, 0, s>>>();
  return cudaDeviceSynchronize();
}
