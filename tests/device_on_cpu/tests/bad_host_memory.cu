// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT out of bounds
__global__ void k(int *p) { *p = 1; }
int main() {
  int x[4];
  k<<<1, 1>>>(x);
  return cudaDeviceSynchronize();
}
