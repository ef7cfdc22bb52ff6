// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results of loads, used after waits that suffice.
#include "check.hpp"
__global__ void k(int *p) {
  int x, y, z;
  asm volatile(
      "global_load_dword %0, %3, off\n"
      "global_load_dword %1, %3, off offset:4\n"
      "global_load_dword %2, %3, off offset:8\n"
      "s_waitcnt vmcnt(1)\n"
      "v_add_u32 %0, %0, %1\n"
      "s_waitcnt vmcnt(0)\n"
      "v_add_u32 %0, %0, %2"
      : "=&v"(x), "=&v"(y), "=&v"(z)
      : "v"(p));
  p[3] = x;
}
int main() {
  int *p = device(std::vector<int>{1, 20, 300, 0});
  k<<<1, 1>>>(p);
  CHECK(host(p, 4)[3] == 321);
  return failures;
}
