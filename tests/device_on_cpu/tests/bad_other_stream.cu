// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEVICES 2
// EXPECT in a stream of device 1, but device 0 is the current one
__global__ void k() {}
int main() {
  cudaStream_t s;
  cudaSetDevice(1);
  cudaStreamCreate(&s);
  cudaSetDevice(0);
  k<<<1, 1, 0, s>>>();
  return cudaDeviceSynchronize();
}
