// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT unknown instruction: v_sad_u8
__global__ void k(int *p) {
  int x;
  asm volatile("v_sad_u8 %0, %1, %1, %1" : "=v"(x) : "v"(p[0]));
  p[1] = x;
}
int main() {
  int *p;
  cudaMalloc(&p, 400);
  k<<<1, 1>>>(p);
  return cudaDeviceSynchronize();
}
