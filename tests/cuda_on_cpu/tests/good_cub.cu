// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Algorithms of the toolkit's CCCL: cub and thrust.
#include "check.hpp"
#include <algorithm>
#include <cub/cub.cuh>
#include <numeric>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
int main() {
  int n = 20000;
  std::vector<unsigned> keys(n);
  for (int i = 0; i < n; ++i) keys[i] = (i + 1) * 2654435761u;
  auto *in        = device(keys);
  auto *out       = device(keys);
  size_t bytes    = 0;
  void *temporary = nullptr;
  RUN(cub::DeviceRadixSort::SortKeys(temporary, bytes, in, out, n));
  RUN(cudaMalloc(&temporary, bytes));
  RUN(cub::DeviceRadixSort::SortKeys(temporary, bytes, in, out, n));
  auto h    = host(out, n);
  auto want = keys;
  std::sort(want.begin(), want.end());
  CHECK(h == want);
  bytes      = 0;
  void *t2   = nullptr;
  auto *sums = device(keys);
  RUN(cub::DeviceScan::InclusiveSum(t2, bytes, in, sums, n));
  RUN(cudaMalloc(&t2, bytes));
  RUN(cub::DeviceScan::InclusiveSum(t2, bytes, in, sums, n));
  auto hs = host(sums, n);
  std::partial_sum(keys.begin(), keys.end(), want.begin());
  CHECK(hs == want);
  thrust::device_vector<int> v(5000);
  thrust::sequence(v.begin(), v.end());
  CHECK(thrust::reduce(v.begin(), v.end()) == 4999 * 5000 / 2);
  thrust::device_vector<double> d(777, .5);
  CHECK(thrust::reduce(d.begin(), d.end()) == 388.5);
  thrust::sort(v.begin(), v.end(), thrust::greater<int>());
  CHECK(v[0] == 4999);
  CHECK(v[4999] == 0);
  return failures;
}
