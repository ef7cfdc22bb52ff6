// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT uninitialised
__global__ void k(int *p) {
  __shared__ int s[64];
  if (threadIdx.x < 8) s[threadIdx.x] = 1;
  __syncthreads();
  p[threadIdx.x] = s[threadIdx.x];
}
int main() {
  int *p;
  cudaMalloc(&p, 400);
  k<<<1, 32>>>(p);
  return cudaDeviceSynchronize();
}
