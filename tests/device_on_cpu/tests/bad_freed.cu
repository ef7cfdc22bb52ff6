// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT freed
__global__ void k(int *p) { *p = 1; }
int main() {
  int *p;
  cudaMalloc(&p, 400);
  cudaFree(p);
  k<<<1, 1>>>(p);
  return cudaDeviceSynchronize();
}
