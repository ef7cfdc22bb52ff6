// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FAILS WITH PTXRUN_LAZY=1
// The host reads what a kernel writes, and waits for another stream.
__global__ void k(int *p) { *p = 1; }
int main() {
  int *p;
  cudaStream_t s, other;
  cudaStreamCreate(&s);
  cudaStreamCreate(&other);
  cudaMallocHost(&p, sizeof *p);
  *p = 0;
  k<<<1, 1, 0, s>>>(p);
  cudaStreamSynchronize(other);
  return *p != 1;
}
