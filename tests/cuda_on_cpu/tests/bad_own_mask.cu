// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT does not name it
__global__ void k(int *p) {
  int l = threadIdx.x;
  p[l]  = __shfl_sync(15u, l, 3);
}
int main() {
  int *p;
  cudaMalloc(&p, 400);
  k<<<1, 32>>>(p);
  return cudaDeviceSynchronize();
}
