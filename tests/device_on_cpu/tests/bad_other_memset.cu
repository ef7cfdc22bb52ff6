// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEVICES 2
// EXPECT .*Memset on device 1 of memory of device 0, without peer access
int main() {
  int *p;
  cudaMalloc(&p, 400);
  cudaSetDevice(1);
  return cudaMemset(p, 0, 400);
}
