// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT RACE: race in global memory, .*read after write
// The threads of a block exchange values through global memory without a
// barrier.
__global__ void k(int *p, int *q) {
  int t = threadIdx.x;
  p[t]  = t + 1;
  q[t]  = p[127 - t];
}
int main() {
  int *p;
  cudaMalloc(&p, 1200);
  k<<<1, 128>>>(p, p + 150);
  return cudaDeviceSynchronize();
}
