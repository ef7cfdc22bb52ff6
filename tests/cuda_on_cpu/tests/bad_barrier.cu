// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT deadlock
__global__ void k(int *p) {
  int l = threadIdx.x;
  if (l < 20) {
    __syncwarp(~0u);
    p[l] = 1;
  } else
    __syncthreads();
}
int main() {
  int *p;
  cudaMalloc(&p, 400);
  k<<<1, 64>>>(p);
  return cudaDeviceSynchronize();
}
