// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT the host accesses memory of the device at byte 8 of device memory
int main() {
  int *p;
  cudaMalloc(&p, 400);
  cudaMemset(p, 0, 400);
  return p[2];
}
