// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector addition, constants, symbols, managed variables, switch, recursion,
// virtual functions, lambdas, printf.
#include "check.hpp"
#include <functional>
__constant__ double factor = 2.5;
__device__ int table[4]    = {1, 2, 3, 4};
__managed__ int counter    = 3;
struct Base {
  __device__ virtual int f(int x) const { return x; }
};
struct Derived : Base {
  __device__ int f(int x) const override { return 2 * x; }
};
__device__ __noinline__ int apply(const Base *b, int x) { return b->f(x); }
__device__ __noinline__ int fib(int n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
struct Big {
  int a[5];
  double d;
};
__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
__global__ void mix(int *out, double *real, Big s, int n) {
  int i = threadIdx.x;
  Derived d;
  Base b;
  const Base *p = i % 2 ? static_cast<const Base *>(&d) : &b;
  int v         = apply(p, i);
  switch (i % 7) {
    case 0: v += 10; break;
    case 1: v += 200; break;
    case 2: v -= 5; break;
    case 3: v *= 3; break;
    case 4: v ^= 77; break;
    case 5: v += fib(i % 11); break;
  }
  int local[8];
  for (int k = 0; k < 8; ++k) local[k] = k * i;
  out[i]  = v + table[i & 3] + s.a[i % 5] + local[i & 7];
  real[i] = factor * s.d + i;
  if (i == 0)
    printf("hello %d %s %.3f %c %lld %5u|\n", 42, "text", 1.5, 'x', 1ll << 40,
           7u);
  atomicAdd(&counter, 1);
}
template <class F>
__global__ void call(F f, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) f(i);
}
int fib_host(int n) { return n < 2 ? n : fib_host(n - 1) + fib_host(n - 2); }
int main() {
  int n = 1000;
  std::vector<float> a(n), b(n);
  for (int i = 0; i < n; ++i) a[i] = i * .5f, b[i] = i * i * .25f;
  float *da = device(a), *db = device(b), *dc = device(a);
  add<<<(n + 127) / 128, 128>>>(da, db, dc, n);
  auto c = host(dc, n);
  for (int i = 0; i < n; ++i) CHECK(c[i] == a[i] + b[i]);
  Big s{{1, 2, 3, 4, 5}, 2};
  std::vector<int> zi(256);
  std::vector<double> zd(256);
  int *o    = device(zi);
  double *r = device(zd);
  double f  = 4;
  RUN(cudaMemcpyToSymbol(factor, &f, 8));
  int t[4] = {5, 6, 7, 8};
  RUN(cudaMemcpyToSymbol(table, t, 16));
  mix<<<1, 256>>>(o, r, s, n);
  auto ho = host(o, 256);
  auto hr = host(r, 256);
  for (int i = 0; i < 256; ++i) {
    int v = i % 2 ? 2 * i : i;
    switch (i % 7) {
      case 0: v += 10; break;
      case 1: v += 200; break;
      case 2: v -= 5; break;
      case 3: v *= 3; break;
      case 4: v ^= 77; break;
      case 5: v += fib_host(i % 11); break;
    }
    CHECK(ho[i] == v + t[i & 3] + s.a[i % 5] + (i & 7) * i);
    CHECK(hr[i] == 8 + i);
  }
  CHECK(counter == 259);
  call<<<8, 128>>>([=] __device__(int i) { dc[i] = 3.f * i; }, n);
  c = host(dc, n);
  for (int i = 0; i < n; ++i) CHECK(c[i] == 3.f * i);
  add<<<1, 2000>>>(da, db, dc, n);  // refused
  CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
  CHECK(cudaGetLastError() == cudaSuccess);
  return failures;
}
