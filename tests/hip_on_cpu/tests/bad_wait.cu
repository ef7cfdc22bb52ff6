// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT used without s_waitcnt for it
// What a load gives is used at once.
__global__ void k(int *p) {
  int x;
  asm volatile(
      "global_load_dword %0, %1, off\n"
      "v_add_u32 %0, 1, %0"
      : "=&v"(x)
      : "v"(p));
  p[1] = x;
}
int main() {
  int *p;
  cudaMalloc(&p, 400);
  k<<<1, 1>>>(p);
  return cudaDeviceSynchronize();
}
