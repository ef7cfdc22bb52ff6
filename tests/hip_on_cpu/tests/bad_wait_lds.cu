// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT used without s_waitcnt for it
// Waits for the first of two loads from LDS, and uses the second.
__global__ void k(int *p) {
  __shared__ int s[64];
  int x, y;
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  asm volatile(
      "ds_read_b32 %0, %2\n"
      "ds_read_b32 %1, %2 offset:4\n"
      "s_waitcnt lgkmcnt(1)\n"
      "v_add_u32 %0, 1, %0\n"
      "v_add_u32 %0, %0, %1"
      : "=&v"(x), "=&v"(y)
      : "v"(0));
  p[threadIdx.x] = x + s[63 - threadIdx.x];
}
int main() {
  int *p;
  cudaMalloc(&p, 400);
  k<<<1, 64>>>(p);
  return cudaDeviceSynchronize();
}
