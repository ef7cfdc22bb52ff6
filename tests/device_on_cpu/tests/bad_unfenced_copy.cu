// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FAILS WITH PTXRUN_LAZY=1
// The host writes to a buffer before it was copied.
int main() {
  int *p, *buffer, result = 0;
  cudaMalloc(&p, sizeof *p);
  cudaMallocHost(&buffer, sizeof *buffer);
  *buffer = 1;
  cudaMemcpyAsync(p, buffer, sizeof *p, cudaMemcpyHostToDevice);
  *buffer = 2;
  cudaMemcpy(&result, p, sizeof *p, cudaMemcpyDeviceToHost);
  return result != 1;
}
