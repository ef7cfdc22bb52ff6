// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is no race between blocks: partial sums that the last block adds up,
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
int main() {
  int *p = device(std::vector<int>(20)), *r = device(std::vector<int>(1));
  unsigned *d = device(std::vector<unsigned>(1));
  sums<<<20, 1>>>(p, d, r);
  CHECK(host(r, 1)[0] == 570);
  return failures;
}
