// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT RACE
__global__ void k(int *p) {
  __shared__ volatile int s[64];
  int t     = threadIdx.x;
  s[t]      = t;
  s[t + 32] = t;
  s[t] += s[t + 8];
  s[t] += s[t + 4];
  p[t] = s[t];
}
int main() {
  int *p;
  cudaMalloc(&p, 400);
  k<<<1, 32>>>(p);
  return cudaDeviceSynchronize();
}
