// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEVICES 2
// FAILS WITH PTXRUN_LAZY=1
__global__ void k(int *p) { *p = 1; }
int main() {  // waits for the other device
  int *p;
  cudaSetDevice(1);
  cudaMallocHost(&p, sizeof *p);
  *p = 0;
  k<<<1, 1>>>(p);
  cudaSetDevice(0);
  cudaDeviceSynchronize();
  return *p != 1;
}
