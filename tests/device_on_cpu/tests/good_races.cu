// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is no race: between blocks, partial sums that the last block adds up,
// after a fence and an atomic counter.
#include "check.hpp"
__global__ void sums(int *part, unsigned *done, int *result) {
  part[blockIdx.x] = blockIdx.x * 3;
  __threadfence();
  if (atomicAdd(done, 1u) == gridDim.x - 1) {
    int s = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) s += part[b];
    *result = s;
  }
}
// Threads of a block exchange values through global memory, with a barrier;
// lanes of a warp with __syncwarp.
__global__ void exchange(int *p, int *q) {
  int t = threadIdx.x;
  p[t]  = t + 1;
  __syncthreads();
  q[t] = p[127 - t];
  __syncthreads();
  p[t] = 2 * t + 1;
  __syncwarp();
  q[t] += p[t ^ 31];
}
int main() {
  int *p2 = device(std::vector<int>(128)), *q = device(std::vector<int>(128));
  exchange<<<1, 128>>>(p2, q);
  const auto exchanged = host(q, 128);
  for (int t = 0; t < 128; ++t)
    CHECK(exchanged[t] == 128 - t + 2 * (t ^ 31) + 1);
  int *p = device(std::vector<int>(20)), *r = device(std::vector<int>(1));
  unsigned *d = device(std::vector<unsigned>(1));
  sums<<<20, 1>>>(p, d, r);
  CHECK(host(r, 1)[0] == 570);
  return failures;
}
