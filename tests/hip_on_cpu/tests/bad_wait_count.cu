// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT used without s_waitcnt for it
// Waits for the first of two loads, and uses the second.
__global__ void k(int *p) {
  int x, y;
  asm volatile(
      "global_load_dword %0, %2, off\n"
      "global_load_dword %1, %2, off offset:4\n"
      "s_waitcnt vmcnt(1)\n"
      "v_add_u32 %0, 1, %0\n"
      "v_add_u32 %0, %0, %1"
      : "=&v"(x), "=&v"(y)
      : "v"(p));
  p[1] = x;
}
int main() {
  int *p;
  cudaMalloc(&p, 400);
  k<<<1, 1>>>(p);
  return cudaDeviceSynchronize();
}
