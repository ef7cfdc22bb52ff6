// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEVICES 2
// EXPECT memory of device 0 by a kernel on device 1, without peer access: write of 4 bytes .* of 400 bytes
__global__ void k(int *p) { p[7] = 1; }
int main() {
  int *p;
  cudaMalloc(&p, 400);
  cudaSetDevice(1);
  k<<<1, 1>>>(p);
  return cudaDeviceSynchronize();
}
