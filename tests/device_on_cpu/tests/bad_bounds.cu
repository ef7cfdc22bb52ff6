// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT out of bounds
__global__ void k(int *p) { p[threadIdx.x] = 1; }
int main() {
  int *p;
  cudaMalloc(&p, 400);
  k<<<1, 128>>>(p);
  return cudaDeviceSynchronize();
}
