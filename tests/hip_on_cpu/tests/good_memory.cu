// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads, stores and atomics of all widths, in global memory, LDS, private
// memory and through generic addresses.
#include "check.hpp"
#include <cstdint>
#include <cstring>

// Each thread copies the element of its neighbour through LDS.
template <class T>
__global__ void copy(T *out, const T *in) {
  __shared__ T s[128];
  const int t = threadIdx.x, i = t + 128 * blockIdx.x;
  s[t] = in[i];
  __syncthreads();
  out[i] = s[127 - t];
}
// Copies through pointers to LDS or to global memory.
template <class T>
__device__ __attribute__((noinline)) void copy_one(T *to, const T *from) {
  *to = *from;
}
template <class T>
__global__ void copy_generic(T *out, const T *in) {
  __shared__ T s[128];
  const int t = threadIdx.x, i = t + 128 * blockIdx.x;
  copy_one(&s[t], &in[i]);
  __syncthreads();
  copy_one(&out[i], &s[127 - t]);
}
template <class T>
bool equal(const T &a, const T &b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}
template <class T>
void check_copy() {
  std::vector<T> in(256);
  auto *bytes = reinterpret_cast<unsigned char *>(in.data());
  for (std::size_t k = 0; k < 256 * sizeof(T); ++k) bytes[k] = 37 * k + k / 251;
  for (auto *kernel : {copy<T>, copy_generic<T>}) {
    T *out = device(in);
    kernel<<<2, 128>>>(out, device(in));
    const auto r = host(out, 256);
    for (int i = 0; i < 256; ++i)
      CHECK(equal(r[i], in[i / 128 * 128 + 127 - i % 128]));
  }
}
struct Three {
  int a, b, c;
};
struct alignas(16) Four {
  int a, b, c, d;
};

__global__ void signed_loads(int *out, const signed char *a, const short *b) {
  __shared__ short s[64];
  const int t = threadIdx.x;
  s[t]        = b[t];
  __syncthreads();
  out[t] = a[t] + 3 * b[t] + 5 * s[63 - t];
}
void check_signed_loads() {
  std::vector<signed char> a(64);
  std::vector<short> b(64);
  for (int t = 0; t < 64; ++t) a[t] = 20 - 3 * t, b[t] = 900 * (t - 30);
  int *out = device(std::vector<int>(64));
  signed_loads<<<1, 64>>>(out, device(a), device(b));
  const auto r = host(out, 64);
  for (int t = 0; t < 64; ++t) CHECK(r[t] == a[t] + 3 * b[t] + 5 * b[63 - t]);
}

// Two words that are 1 or 2 elements apart, or 2 times 64.
using Triple = int __attribute__((ext_vector_type(3)));
__global__ void triples(int *out, const int *in) {
  Triple x;
  asm volatile(
      "flat_load_dwordx3 %0, %1\n"
      "s_waitcnt vmcnt(0) lgkmcnt(0)\n"
      "flat_store_dwordx3 %2, %0"
      : "=&v"(x)
      : "v"(in + 3 * threadIdx.x), "v"(out + 3 * threadIdx.x)
      : "memory");
}
using Words = int __attribute__((ext_vector_type(4)));
__global__ void wide_pairs(int *out, const int64_t *in) {
  __shared__ int64_t s[256];
  const int t     = threadIdx.x;
  const int start = static_cast<int>(reinterpret_cast<uintptr_t>(s));
  Words both;
  asm volatile(
      "ds_write2_b64 %1, %2, %3 offset0:1 offset1:2\n"
      "s_waitcnt lgkmcnt(0)\n"
      "ds_read2_b64 %0, %1 offset0:1 offset1:2\n"
      "s_waitcnt lgkmcnt(0)"
      : "=&v"(both)
      : "v"(start + 16 * t), "v"(in[t]), "v"(in[63 - t])
      : "memory");
  out[t] = both.x + 3 * both.y + 5 * both.z + 7 * both.w;
}
__global__ void pairs(int *out, const int *in) {
  __shared__ int s[512];
  const int t     = threadIdx.x;
  const int start = static_cast<int>(reinterpret_cast<uintptr_t>(s));
  int64_t both;
  asm volatile(
      "ds_write2_b32 %1, %2, %3 offset0:1 offset1:2\n"
      "s_waitcnt lgkmcnt(0)\n"
      "ds_read2_b32 %0, %1 offset0:1 offset1:2\n"
      "s_waitcnt lgkmcnt(0)"
      : "=&v"(both)
      : "v"(start + 8 * t), "v"(in[t]), "v"(in[63 - t])
      : "memory");
  out[t] = static_cast<int>(both) - static_cast<int>(both >> 32);
  __syncthreads();
  asm volatile(
      "ds_write2st64_b32 %0, %1, %2 offset0:1 offset1:3\n"
      "s_waitcnt lgkmcnt(0)"
      :
      : "v"(start + 4 * t), "v"(in[t]), "v"(3 * in[t])
      : "memory");
  __syncthreads();
  out[64 + t] = s[64 + t] - s[192 + t];
}
void check_pairs() {
  std::vector<int> in(64);
  for (int l = 0; l < 64; ++l) in[l] = l * l + 1;
  int *out = device(std::vector<int>(128));
  pairs<<<1, 64>>>(out, device(in));
  const auto r = host(out, 128);
  for (int l = 0; l < 64; ++l)
    CHECK(r[l] == in[l] - in[63 - l] && r[64 + l] == -2 * in[l]);
  int *triple = device(std::vector<int>(63));
  triples<<<1, 21>>>(triple, device(in));
  CHECK(host(triple, 63) == std::vector<int>(in.begin(), in.begin() + 63));
  std::vector<int64_t> wide(64);
  for (int l = 0; l < 64; ++l) wide[l] = (l + 1ll) << 32 | (2 * l);
  wide_pairs<<<1, 64>>>(out, device(wide));
  const auto w = host(out, 64);
  for (int l = 0; l < 64; ++l)
    CHECK(w[l] == 2 * l + 3 * (l + 1) + 10 * (63 - l) + 7 * (64 - l));
}

// Bytes of private memory, atomics of LDS, atomics of either memory.
__device__ __attribute__((noinline)) void count(unsigned *p) {
  atomicInc(p, 6u);
}
__global__ void bytes_and_counts(unsigned *out, int n) {
  __shared__ unsigned s[3];
  unsigned char own[1024];
  const int t = threadIdx.x;
  for (int k = 0; k < n; ++k) own[k] = 3 * k + t;
  if (t < 3) s[t] = 0;
  __syncthreads();
  atomicAdd(&s[0], 3u);
  atomicOr(&s[1], 1u << t % 32);
  count(&s[2]);
  count(&out[64]);
  __syncthreads();
  out[t] = own[7 * t % n] + s[0] + s[1] + s[2];
}
void check_bytes_and_counts() {
  unsigned *out = device(std::vector<unsigned>(65));
  bytes_and_counts<<<1, 64>>>(out, 64);
  const auto r = host(out, 65);
  for (unsigned t = 0; t < 64; ++t)
    CHECK(r[t] == (3 * (7 * t % 64) + t) % 256 + 192 + ~0u + 1);
  CHECK(r[64] == 1);
}

__device__ __attribute__((noinline)) int sum(const int *p, int n) {
  int s = 0;
  for (int k = 0; k < n; ++k) s += p[k];
  return s;
}
__device__ __attribute__((noinline)) void fill(int *p, int n, int v) {
  for (int k = 0; k < n; ++k) p[k] = v + k;
}
__global__ void generic(int *out, const int *in) {
  __shared__ int s[64];
  int own[16];
  const int t = threadIdx.x;
  if (t == 0) fill(s, 64, 5);
  fill(own, 16, t);
  __syncthreads();
  out[t] = sum(s, 64) + 3 * sum(own, 16) + 7 * sum(in, 4);
}

// In one wave: headers make some of a plain load and a loop.
template <class T>
__global__ void atomics(T *p, T *q) {
  __shared__ T s[8];
  const int t = threadIdx.x;
  const T v   = static_cast<T>(t + 1);
  if (t < 8) s[t] = t == 2 ? 1000 : 0;
  __syncthreads();
  for (T *to : {p, s}) {
    atomicAdd(&to[0], v);
    atomicMax(&to[1], v);
    atomicMin(&to[2], v);
    atomicOr(&to[3], v);
    atomicXor(&to[4], v);
    atomicCAS(&to[5], T(0), T(9));
    atomicExch(&to[6], T(4));
    T old = 0, seen;
    do {
      seen = old;
      old  = atomicCAS(&to[7], seen, T(seen + 2));
    } while (old != seen);
  }
  __syncthreads();
  if (t < 8) q[t] = s[t];
}
template <class T>
void check_atomics() {
  std::vector<T> start(8);
  start[2] = 1000;
  T *p = device(start), *q = device(start);
  atomics<<<1, 64>>>(p, q);
  T x = 0;
  for (int t = 1; t <= 64; ++t) x ^= static_cast<T>(t);
  for (const auto &r : {host(p, 8), host(q, 8)})
    CHECK(r[0] == 2080 && r[1] == 64 && r[2] == 1 && r[3] == 127 && r[4] == x &&
          r[5] == 9 && r[6] == 4 && r[7] == 128);
}
__global__ void more_atomics(unsigned *p, float *f, double *d) {
  atomicInc(&p[0], 6u);
  atomicDec(&p[1], 6u);
  atomicSub(&p[2], 3u);
  atomicAnd(&p[3], 0xfffffff0u | threadIdx.x);
  atomicAdd(f, .5f);
  atomicAdd(d, .25);
}

int main() {
  check_copy<unsigned char>();
  check_copy<short>();
  check_copy<int>();
  check_copy<double>();
  check_copy<Three>();
  check_copy<Four>();
  check_signed_loads();
  check_pairs();
  check_bytes_and_counts();
  int *out = device(std::vector<int>(100));
  generic<<<1, 100>>>(out, device(std::vector<int>{1, 2, 3, 4}));
  const auto r = host(out, 100);
  for (int t = 0; t < 100; ++t)
    CHECK(r[t] == 64 * 5 + 2016 + 3 * (16 * t + 120) + 70);
  check_atomics<int>();
  check_atomics<unsigned>();
  check_atomics<unsigned long long>();
  unsigned *p = device(std::vector<unsigned>{0, 0, 1000, ~0u});
  float *f    = device(std::vector<float>{1});
  double *d   = device(std::vector<double>{1});
  more_atomics<<<1, 64>>>(p, f, d);
  const auto q = host(p, 4);
  CHECK(q[0] == 1 && q[1] == 6 && q[2] == 808 && q[3] == 0xfffffff0u);
  CHECK(host(f, 1)[0] == 33 && host(d, 1)[0] == 17);
  return failures;
}
