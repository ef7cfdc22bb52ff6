// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "api.hpp"
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>
inline int failures = 0;
#define CHECK(x)                                                         \
  do {                                                                   \
    if (!(x)) {                                                          \
      if (failures++ < 5) printf("%s:%d: %s\n", __FILE__, __LINE__, #x); \
    }                                                                    \
  } while (0)
#define RUN(x)                                                           \
  do {                                                                   \
    cudaError_t e_ = (x);                                                \
    if (e_ != cudaSuccess)                                               \
      printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)), \
          exit(1);                                                       \
  } while (0)
template <class T>
T *device(const std::vector<T> &h) {
  T *p;
  RUN(cudaMalloc(&p, h.size() * sizeof(T)));
  RUN(cudaMemcpy(p, h.data(), h.size() * sizeof(T), cudaMemcpyHostToDevice));
  return p;
}
template <class T>
std::vector<T> host(const T *p, size_t n) {
  std::vector<T> h(n);
  RUN(cudaDeviceSynchronize());
  RUN(cudaMemcpy(h.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
  return h;
}
