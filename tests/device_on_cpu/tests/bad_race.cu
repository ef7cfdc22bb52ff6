// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT RACE
__global__ void k(int *p) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t]  = t;
  p[t]  = s[127 - t];
}
int main() {
  int *p;
  cudaMalloc(&p, 512);
  k<<<1, 128>>>(p);
  return cudaDeviceSynchronize();
}
