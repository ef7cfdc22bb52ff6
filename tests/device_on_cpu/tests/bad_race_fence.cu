// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT race in global memory
// Blocks write their parts, and the last one adds them up: there is no fence
// between the part and the count.
__global__ void last_block(int *parts, unsigned *count, int *sum) {
  if (threadIdx.x != 0) return;
  parts[blockIdx.x] = blockIdx.x + 1;
  if (atomicAdd(count, 1u) != gridDim.x - 1) return;
  int s = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) s += parts[b];
  *sum = s;
}
int sum_of_blocks(int blocks) {
  int *parts, *sum, result = 0;
  unsigned *count;
  cudaMalloc(&parts, blocks * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMalloc(&count, sizeof(unsigned));
  cudaMemset(count, 0, sizeof(unsigned));
  last_block<<<blocks, 32>>>(parts, count, sum);
  cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
  return result;
}
int main() { return sum_of_blocks(10) != 55; }
