// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT assertion failed
#include <cassert>
__global__ void k(int *p) {
  assert(threadIdx.x < 3);
  p[0] = 1;
}
int main() {
  int *p;
  cudaMalloc(&p, 400);
  k<<<1, 64>>>(p);
  return cudaDeviceSynchronize();
}
