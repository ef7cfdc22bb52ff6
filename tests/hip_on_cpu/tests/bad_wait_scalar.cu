// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT used without s_waitcnt for it
// Scalar loads arrive in any order: a count other than 0 says nothing.
__global__ void k(int *p) {
  int x, y;
  asm volatile(
      "s_load_dword %0, %2, 0x0\n"
      "s_load_dword %1, %2, 0x4\n"
      "s_waitcnt lgkmcnt(1)\n"
      "s_add_u32 %0, %0, 1\n"
      "s_waitcnt lgkmcnt(0)"
      : "=&s"(x), "=&s"(y)
      : "s"(p)
      : "scc");
  p[1] = x + y;
}
int main() {
  int *p;
  cudaMalloc(&p, 400);
  k<<<1, 1>>>(p);
  return cudaDeviceSynchronize();
}
