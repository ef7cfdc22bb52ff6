// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT deadlock
__global__ void k(int *p) {
  int l = threadIdx.x;
  if (l < 16)
    p[l] = __shfl_sync(~0u, l, 3);
  else {
    __syncthreads();
    p[l] = 2;
  }
}
int main() {
  int *p;
  cudaMalloc(&p, 400);
  k<<<1, 32>>>(p);
  return cudaDeviceSynchronize();
}
