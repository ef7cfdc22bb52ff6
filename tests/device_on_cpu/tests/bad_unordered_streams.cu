// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FAILS WITH PTXRUN_LAZY=1
// A stream that does not block reads what the default stream writes.
__global__ void copy(int *to, const int *from) { *to = *from; }
int main() {
  int *p, result = 0;
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaMalloc(&p, 2 * sizeof *p);
  cudaMemset(p, 1, sizeof *p);
  copy<<<1, 1, 0, s>>>(p + 1, p);
  cudaStreamSynchronize(s);
  cudaMemcpy(&result, p + 1, sizeof *p, cudaMemcpyDeviceToHost);
  return result != 0x01010101;
}
