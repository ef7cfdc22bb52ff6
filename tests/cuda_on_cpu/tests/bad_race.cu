// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT RACE
__global__ void k(int *p) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t]  = t;
  p[t]  = s[63 - t];
}
int main() {
  int *p;
  cudaMalloc(&p, 400);
  k<<<1, 64>>>(p);
  return cudaDeviceSynchronize();
}
