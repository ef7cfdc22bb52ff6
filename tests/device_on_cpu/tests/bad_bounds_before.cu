// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT out of bounds
// One element before an allocation, through a negative index.
__global__ void k(int *p, int before) { p[threadIdx.x - before] = 1; }
int main() {
  int *p;
  cudaMalloc(&p, 128);
  k<<<1, 32>>>(p, 1);
  return cudaDeviceSynchronize();
}
