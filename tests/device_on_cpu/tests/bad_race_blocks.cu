// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT RACE
__global__ void k(int *p) { p[threadIdx.x] = blockIdx.x; }
int main() {
  int *p;
  cudaMalloc(&p, 400);
  k<<<4, 32>>>(p);
  return cudaDeviceSynchronize();
}
