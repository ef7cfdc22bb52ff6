// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT out of bounds
__global__ void k(int *p) {
  extern __shared__ int s[];
  s[threadIdx.x] = 1;
  p[0]           = s[0];
}
int main() {
  int *p;
  cudaMalloc(&p, 400);
  k<<<1, 64, 128>>>(p);
  return cudaDeviceSynchronize();
}
