// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT misaligned
__global__ void k(char *p) { *reinterpret_cast<int *>(p + 2) = 1; }
int main() {
  char *p;
  cudaMalloc(&p, 400);
  k<<<1, 1>>>(p);
  return cudaDeviceSynchronize();
}
