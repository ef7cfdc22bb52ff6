// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shuffles of each kind for all distances, widths and lanes; votes, matches,
// barriers that reduce, the mask of active lanes; parameters of kernels and
// functions.
#include "check.hpp"
#include <cstdint>
#include <cstring>

using u32 = std::uint32_t;

// ---- shuffles ---------------------------------------------------------------

template <int Kind>
__global__ void shuffle(u32 *out, u32 b, u32 c) {
  u32 r, p, v = 1000 + threadIdx.x;
#define SHUFFLE(kind)                                                      \
  asm volatile("{.reg .pred q; shfl.sync." kind                            \
               ".b32 %0|q, %2, %3, %4, 0xffffffff; selp.u32 %1, 1, 0, q;}" \
               : "=r"(r), "=r"(p)                                          \
               : "r"(v), "r"(b), "r"(c))
  if (Kind == 0) SHUFFLE("up");
  if (Kind == 1) SHUFFLE("down");
  if (Kind == 2) SHUFFLE("bfly");
  if (Kind == 3) SHUFFLE("idx");
  out[2 * threadIdx.x]     = r;
  out[2 * threadIdx.x + 1] = p;
}

// The text of the PTX ISA.
void expect_shuffle(int kind, u32 b, u32 c, const std::vector<u32> &r) {
  for (int lane = 0; lane < 32; ++lane) {
    const int segment = c >> 8 & 31, clamp = c & 31, delta = b & 31;
    const int most  = (lane & segment) | (clamp & ~segment);
    const int least = lane & segment;
    int from        = 0;
    bool valid      = false;
    if (kind == 0) from = lane - delta, valid = from >= most;
    if (kind == 1) from = lane + delta, valid = from <= most;
    if (kind == 2) from = lane ^ delta, valid = from <= most;
    if (kind == 3) from = least | (delta & ~segment), valid = from <= most;
    if (!valid) from = lane;
    CHECK(r[2 * lane] == 1000u + from);
    CHECK(r[2 * lane + 1] == u32(valid));
  }
}

template <int Kind>
void check_shuffles() {
  u32 *d = device(std::vector<u32>(64));
  for (u32 width = 1; width <= 32; width *= 2)
    for (u32 clamp : {0u, width - 1, 31u})
      for (u32 b : {0u, 1u, 2u, 3u, 7u, 8u, 15u, 16u, 17u, 31u, 32u, 33u}) {
        const u32 c = (32 - width) << 8 | clamp;
        shuffle<Kind><<<1, 32>>>(d, b, c);
        expect_shuffle(Kind, b, c, host(d, 64));
      }
}

// ---- votes, matches, barriers -----------------------------------------------

__global__ void votes(u32 pattern, u32 mask, u32 *out) {
  const u32 lane = threadIdx.x;
  const bool p   = pattern >> lane & 1;
  if (!(mask >> lane & 1)) return;
  out[8 * lane]     = __all_sync(mask, p);
  out[8 * lane + 1] = __any_sync(mask, p);
  out[8 * lane + 2] = __uni_sync(mask, p);
  out[8 * lane + 3] = __ballot_sync(mask, p);
  int all           = 7;
  out[8 * lane + 4] = __match_any_sync(mask, pattern >> lane & 3);
  out[8 * lane + 5] = __match_all_sync(mask, int(p), &all);
  out[8 * lane + 6] = all;
  out[8 * lane + 7] =
      __match_any_sync(mask, (1ull << 40) * (pattern >> lane & 1));
}
void check_votes(u32 pattern, u32 mask) {
  u32 *d = device(std::vector<u32>(256));
  votes<<<1, 32>>>(pattern, mask, d);
  const auto r       = host(d, 256);
  const u32 ballot   = pattern & mask;
  const bool uniform = ballot == mask || ballot == 0;
  for (u32 lane = 0; lane < 32; ++lane) {
    if (!(mask >> lane & 1)) continue;
    u32 two = 0, one = 0;
    for (u32 k = 0; k < 32; ++k) {
      two |= u32((pattern >> k & 3) == (pattern >> lane & 3)) << k & mask;
      one |= u32((pattern >> k & 1) == (pattern >> lane & 1)) << k & mask;
    }
    const u32 expected[] = {ballot == mask, ballot != 0, uniform,
                            ballot,         two,         uniform ? mask : 0,
                            uniform,        one};
    for (int k = 0; k < 8; ++k) CHECK(r[8 * lane + k] == expected[k]);
  }
}

__global__ void block_votes(int above, u32 *out) {
  const int t    = threadIdx.x;
  out[3 * t]     = __syncthreads_count(t >= above);
  out[3 * t + 1] = __syncthreads_and(t >= above) != 0;
  out[3 * t + 2] = __syncthreads_or(t >= above) != 0;
}
void check_block_votes() {
  u32 *d = device(std::vector<u32>(3 * 96));
  for (int above : {0, 1, 31, 32, 50, 95, 96}) {
    block_votes<<<1, 96>>>(above, d);
    const auto r = host(d, 3 * 96);
    for (int t = 0; t < 96; ++t) {
      CHECK(r[3 * t] == u32(96 - above));
      CHECK(r[3 * t + 1] == u32(above == 0));
      CHECK(r[3 * t + 2] == u32(above < 96));
    }
  }
}

__global__ void active(u32 *out) {
  if (threadIdx.x % 3 == 1) {
    __syncwarp(0x92492492u);
    out[threadIdx.x] = __activemask();
  }
}

// ---- parameters
// ---------------------------------------------------------------

struct Parameters {
  uchar4 bytes;
  float2 pair;
  signed char small;
  short half;
  int number;
  float real;
  double wide;
  long long longest;
  int4 four;
};
__noinline__ __device__ double called(Parameters p, int k) {
  const double values[] = {
      double(p.bytes.z), p.pair.y, double(p.small), double(p.half),
      double(p.number),  p.real,   p.wide,          double(p.longest),
      double(p.four.w)};
  return values[k];
}
__noinline__ __device__ long long factorial(int n) {
  return n < 2 ? 1 : n * factorial(n - 1);
}
__global__ void parameters(Parameters p, uchar4 bytes, float real, int number,
                           float2 pair, unsigned char byte, short half,
                           double *out) {
  out[0] = bytes.x + 256. * bytes.w;
  out[1] = real;
  out[2] = static_cast<double>(static_cast<long long>(number) << 33);
  out[3] = pair.x - pair.y;
  out[4] = byte;
  out[5] = half;
  out[6] = factorial(threadIdx.x + 15);
  out[7] = p.bytes.y;
  for (int k = 0; k < 9; ++k) out[8 + k] = called(p, k);
}
void check_parameters() {
  const Parameters p{{1, 200, 255, 4}, {1.5f, -2.5f}, -7,    -30000,
                     -2000000000,      1e-40f,        1e300, -(1ll << 40),
                     {1, 2, 3, -4}};
  double *d = device(std::vector<double>(17));
  parameters<<<1, 1>>>(p, {255, 0, 0, 254}, -0.1f, -5, {.5f, .25f}, 200, -9, d);
  const auto r            = host(d, 17);
  const double expected[] = {255 + 256. * 254,
                             -0.1f,
                             -5 * 8589934592.,
                             .25,
                             200,
                             -9,
                             1307674368000.,
                             200,
                             255,
                             -2.5f,
                             -7,
                             -30000,
                             -2000000000,
                             1e-40f,
                             1e300,
                             -double(1ll << 40),
                             -4};
  for (int k = 0; k < 17; ++k) CHECK(r[k] == expected[k]);
}

// An int that becomes an offset of 64 bits when it is loaded.
__global__ void offset(long long *out, int n) { out[0] = n; }
void check_offset() {
  long long *d = device(std::vector<long long>(1));
  offset<<<1, 1>>>(d, -5);
  CHECK(host(d, 1)[0] == -5);
}

int main() {
  check_offset();
  check_shuffles<0>();
  check_shuffles<1>();
  check_shuffles<2>();
  check_shuffles<3>();
  for (u32 mask : {0xffffffffu, 0x1u, 0x80000000u, 0xffff0000u, 0x12345678u})
    for (u32 pattern :
         {0u, ~0u, 0x1u, 0x80000000u, 0xaaaaaaaau, 0x0ff0a53cu, 0xffff0000u})
      check_votes(pattern, mask);
  check_block_votes();
  u32 *d = device(std::vector<u32>(32));
  active<<<1, 32>>>(d);
  const auto r = host(d, 32);
  for (int lane = 1; lane < 32; lane += 3) {
    CHECK(r[lane] >> lane & 1);
    CHECK((r[lane] & ~0x92492492u) == 0);
  }
  check_parameters();
  return failures != 0;
}
