// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT lanes write different values to one place
__global__ void k(int *p) {
  __shared__ int s[64];
  s[threadIdx.x / 2] = threadIdx.x;
  __syncthreads();
  p[threadIdx.x] = s[threadIdx.x / 2];
}
int main() {
  int *p;
  cudaMalloc(&p, 400);
  k<<<1, 64>>>(p);
  return cudaDeviceSynchronize();
}
