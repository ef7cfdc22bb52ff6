// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT race in shared memory
// The sweeps of a tree reduction with no barrier between them.
__global__ void k(int *p) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t]        = t;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2)
    if (t < half) s[t] += s[t + half];
  __syncthreads();
  if (t == 0) *p = s[0];
}
int main() {
  int *p;
  cudaMalloc(&p, 4);
  k<<<1, 128>>>(p);
  return cudaDeviceSynchronize();
}
