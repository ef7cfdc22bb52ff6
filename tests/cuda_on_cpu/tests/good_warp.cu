// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shuffles, votes, matches, partial masks, divergence, reductions and scans in
// shared memory, atomics, barriers with counts.
#include "check.hpp"
#include <numeric>
__global__ void shuffles(int *out) {
  int l       = threadIdx.x;
  int v       = l * l;
  out[l]      = __shfl_xor_sync(~0u, v, 5);
  out[32 + l] = __shfl_down_sync(~0u, v, 3, 8);
  out[64 + l] = __shfl_up_sync(~0u, v, 2, 16);
  out[96 + l] = __shfl_sync(~0u, v, l + 3, 4);
  unsigned m  = __ballot_sync(~0u, l % 3 == 0);
  if (l % 3 == 0) {  // partial mask, and a divergent path to it
    int s = v;
    if (l % 2)
      s += 1000;
    else
      s -= 1;
    for (int o = 0; o < 32; o += 3)
      if (o == l) s += __popc(m & ((1u << l) - 1));
    out[128 + l] = __shfl_sync(m, s, 6);
    out[160 + l] = __match_any_sync(m, l & 1);
  } else {
    out[128 + l] = __any_sync(~m, l == 1) + 2 * __all_sync(~m, l > 0);
    int p;
    out[160 + l] = __match_all_sync(~m, 5, &p) + p;
  }
}
template <int N>
__global__ void reduce(const int *in, int *out, int *last, unsigned *done) {
  extern __shared__ int s[];
  __shared__ bool am_last;
  int t = threadIdx.x;
  s[t]  = in[blockIdx.x * N + t];
  __syncthreads();
  for (int k = N / 2; k > 0; k /= 2) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) {
    out[blockIdx.x] = s[0];
    __threadfence();
    am_last = atomicAdd(done, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (am_last && t == 0) {
    int sum = 0;
    for (unsigned b = 0; b < gridDim.x; ++b)
      sum += static_cast<volatile int *>(out)[b];
    *last = sum;
  }
}
__global__ void scan(const int *in, int *out) {  // of a block, by warps
  __shared__ int sums[32];
  int t = threadIdx.x, l = t & 31, w = t >> 5, v = in[t];
  for (int k = 1; k < 32; k *= 2) {
    int u = __shfl_up_sync(~0u, v, k);
    if (l >= k) v += u;
  }
  if (l == 31) sums[w] = v;
  __syncthreads();
  if (w == 0) {
    int s = l < blockDim.x / 32 ? sums[l] : 0;
    for (int k = 1; k < 32; k *= 2) {
      int u = __shfl_up_sync(~0u, s, k);
      if (l >= k) s += u;
    }
    sums[l] = s;
  }
  __syncthreads();
  out[t] = v + (w ? sums[w - 1] : 0);
}
__global__ void atomics(int *i, unsigned *u, float *f, double *d,
                        unsigned long long *q) {
  int t = threadIdx.x + blockIdx.x * blockDim.x;
  atomicAdd(i, t);
  atomicMax(i + 1, t);
  atomicMin(i + 2, -t);
  atomicXor(i + 3, t);
  atomicOr(i + 4, 1 << (t & 31));
  atomicInc(u, 99);
  atomicAdd(f, 1.f);
  atomicAdd(d, .5);
  atomicAdd(q, 1ull << 33);
  // lock-free maximum; a plain read would be a race with the others' atomics
  int old = *static_cast<volatile int *>(i + 5), seen;
  do {
    seen = old;
    old  = atomicCAS(i + 5, seen, seen < t ? t : seen);
  } while (old != seen);
  __shared__ int s;
  if (threadIdx.x == 0) s = 0;
  __syncthreads();
  atomicAdd(&s, 1);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(i + 6, s);
}
__global__ void locks(
    int *lock,
    int *count) {  // threads of a warp compete: needs independent progress
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      ++*static_cast<volatile int *>(count);
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}
__global__ void counts(
    int *out) {  // barriers of parts of a block, and barriers that count
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t < 64) {
    s[t] = t;
    asm volatile("bar.sync 1, 64;");
    out[t] = s[63 - t];
  } else
    out[t] = -1;
  out[128 + t] = __syncthreads_count(t % 3 == 0) +
                 1000 * __syncthreads_and(t >= 0) +
                 10000 * __syncthreads_or(t == 7);
}
int main() {
  std::vector<int> z(256, -7);
  int *o = device(z);
  shuffles<<<1, 32>>>(o);
  auto h     = host(o, 192);
  unsigned m = 0;
  for (int l = 0; l < 32; l += 3) m |= 1u << l;
  for (int l = 0; l < 32; ++l) {
    CHECK(h[l] == (l ^ 5) * (l ^ 5));
    int j = (l & 7) + 3 < 8 ? l + 3 : l;
    CHECK(h[32 + l] == j * j);
    j = (l & 15) >= 2 ? l - 2 : l;
    CHECK(h[64 + l] == j * j);
    j = (l & ~3) | ((l + 3) & 3);
    CHECK(h[96 + l] == j * j);
    if (l % 3 == 0) {
      CHECK(h[128 + l] == 36 - 1 + 2);
      unsigned same = 0;
      for (int k = 0; k < 32; k += 3)
        if ((k & 1) == (l & 1)) same |= 1u << k;
      CHECK(static_cast<unsigned>(h[160 + l]) == same);
    } else {
      CHECK(h[128 + l] == 3);
      CHECK(static_cast<unsigned>(h[160 + l]) == ~m + 1);
    }
  }
  std::vector<int> in(256 * 8);
  for (size_t i = 0; i < in.size(); ++i) in[i] = i * 7 % 31;
  int *di = device(in), *part = device(z), *last = device(z);
  std::vector<unsigned> zero(1);
  unsigned *done = device(zero);
  reduce<256><<<8, 256, 1024>>>(di, part, last, done);
  CHECK(host(last, 1)[0] == std::accumulate(in.begin(), in.end(), 0));
  scan<<<1, 1024>>>(di, di + 1024);
  auto sc = host(di + 1024, 1024);
  int run = 0;
  for (int i = 0; i < 1024; ++i) {
    run += in[i];
    CHECK(sc[i] == run);
  }
  std::vector<int> zi(8);
  std::vector<unsigned> zu(1);
  std::vector<float> zf(1);
  std::vector<double> zd(1);
  std::vector<unsigned long long> zq(1);
  int *ai      = device(zi);
  unsigned *au = device(zu);
  float *af    = device(zf);
  double *ad   = device(zd);
  auto *aq     = device(zq);
  atomics<<<4, 96>>>(ai, au, af, ad, aq);
  auto hi = host(ai, 8);
  int x   = 0;
  for (int t = 0; t < 384; ++t) x ^= t;
  CHECK(hi[0] == 383 * 384 / 2);
  CHECK(hi[1] == 383);
  CHECK(hi[2] == -383);
  CHECK(hi[3] == x);
  CHECK(hi[4] == -1);
  CHECK(hi[5] == 383);
  CHECK(hi[6] == 384);
  CHECK(host(au, 1)[0] == 84);
  CHECK(host(af, 1)[0] == 384);
  CHECK(host(ad, 1)[0] == 192);
  CHECK(host(aq, 1)[0] == 384ull << 33);
  int *lock = device(std::vector<int>(2));
  locks<<<2, 64>>>(lock, lock + 1);
  CHECK(host(lock, 2)[1] == 128);
  counts<<<1, 128>>>(o);
  auto hc = host(o, 256);
  for (int t = 0; t < 128; ++t) {
    CHECK(hc[t] == (t < 64 ? 63 - t : -1));
    CHECK(hc[128 + t] == 43 + 1000 + 10000);
  }
  return failures;
}
