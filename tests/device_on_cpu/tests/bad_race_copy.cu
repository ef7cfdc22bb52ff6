// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT race in shared memory
// A tile is loaded again before all have read what was there.
__global__ void k(const int *in, int *out) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  int sum     = 0;
  for (int tile = 0; tile < 3; ++tile) {
    s[t] = in[128 * tile + t];
    __syncthreads();
    for (int j = 0; j < 128; ++j) sum += s[j];
  }
  out[t] = sum;
}
int main() {
  int *in, *out, values[384];
  for (int i = 0; i < 384; ++i) values[i] = i;
  cudaMalloc(&in, sizeof values);
  cudaMalloc(&out, sizeof values);
  cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
  k<<<1, 128>>>(in, out);
  return cudaDeviceSynchronize();
}
