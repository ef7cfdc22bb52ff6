// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT trap
__global__ void k(int *p) {
  if (threadIdx.x == 40) __trap();
  p[0] = 1;
}
int main() {
  int *p;
  cudaMalloc(&p, 400);
  k<<<1, 64>>>(p);
  return cudaDeviceSynchronize();
}
