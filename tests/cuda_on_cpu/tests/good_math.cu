// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libdevice in double and single precision, integer division, 64-bit and
// 128-bit arithmetic, conversions, bits.
#include "check.hpp"
#include <cstdint>
__host__ __device__ double many(double x, int k) {
  switch (k) {
    case 0: return sin(x);
    case 1: return cos(x);
    case 2: return exp(x);
    case 3: return log(fabs(x) + 1e-3);
    case 4: return pow(fabs(x), 1.7);
    case 5: return sqrt(fabs(x));
    case 6: return atan2(x, 2.);
    case 7: return erf(x);
    case 8: return tgamma(fabs(x) + .5);
    case 9: return cbrt(x);
    case 10: return fmod(x, .7);
    case 11: return sinh(x);
    case 12: return floor(x) + ceil(x) + rint(x) + trunc(x);
    case 13: return 1 / x;
    case 14: return hypot(x, 3.);
    default: return log1p(fabs(x));
  }
}
__host__ __device__ float manyf(float x, int k) {
  switch (k) {
    case 0: return sinf(x);
    case 1: return cosf(x);
    case 2: return expf(x);
    case 3: return logf(fabsf(x) + 1e-3f);
    case 4: return powf(fabsf(x), 1.7f);
    case 5: return sqrtf(fabsf(x));
    case 6: return atanf(x);
    case 7: return erff(x);
    case 8: return x / 3.f;
    case 9: return tanf(x);
    case 10: return fmodf(x, .7f);
    case 11: return tanhf(x);
    case 12: return roundf(x);
    case 13: return 1 / x;
    case 14: return exp2f(x);
    default: return log2f(fabsf(x) + 1e-3f);
  }
}
__host__ __device__ uint64_t ints(uint64_t s, int k) {
  int32_t a = static_cast<int32_t>(s), b = static_cast<int32_t>(s >> 32) | 1;
  int64_t q =
      static_cast<int64_t>(s * 6364136223846793005ull + 1442695040888963407ull);
  switch (k) {
    case 0: return a / (b == -1 ? 3 : b);
    case 1: return static_cast<uint32_t>(a) % static_cast<uint32_t>(b);
    case 2: return q / b;
    case 3: return static_cast<uint64_t>(q) % static_cast<uint32_t>(b);
    case 4:
      return static_cast<uint64_t>(
          (static_cast<unsigned __int128>(s) * static_cast<uint64_t>(q)) >> 64);
    case 5: return static_cast<uint64_t>((static_cast<__int128>(q) + s) >> 3);
    case 6:
      return static_cast<int16_t>(a) * static_cast<int8_t>(b) +
             static_cast<uint16_t>(a >> 3);
    case 7: return (s << (b & 63)) ^ (q >> (a & 63));
    case 8: return a < b ? q : s;
    case 9: return static_cast<uint64_t>(static_cast<double>(q));
    case 10: return static_cast<uint32_t>(static_cast<float>(a));
    case 11: return static_cast<int64_t>(static_cast<float>(s));
    default: return static_cast<uint8_t>(a) + static_cast<int8_t>(b);
  }
}
__global__ void reals(const double *x, double *y, float *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = 0; k < 16; ++k)
      y[i * 16 + k]            = many(x[i], k),
                 z[i * 16 + k] = manyf(static_cast<float>(x[i]), k);
}
__global__ void integers(const uint64_t *x, uint64_t *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = 0; k < 13; ++k) y[i * 13 + k] = ints(x[i], k);
}
__global__ void bits(const uint32_t *x, uint32_t *y) {
  int i      = threadIdx.x;
  uint32_t a = x[i], b = x[(i + 1) & 63];
  uint32_t *o = y + 16 * i;
  o[0]        = __popc(a);
  o[1]        = __clz(a);
  o[2]        = __brev(a);
  o[3]        = __ffs(a);
  o[4]        = __byte_perm(a, b, 0x3715);
  o[5]        = __funnelshift_l(a, b, 11);
  o[6]        = __funnelshift_r(a, b, 35);
  o[7]        = __umulhi(a, b);
  o[8]        = __sad(a, b, 3);
  o[9]        = __dp4a(static_cast<int>(a), static_cast<int>(b), 9);
  o[10]       = __vadd4(a, b);
  o[11]       = __float_as_uint(__fmul_rz(1.1f + a % 7, 1.3f));
  o[12]       = __double2uint_rd(a * 1.5 / 3);
  o[13]       = __float2int_ru(a % 1000 / 7.f);
  o[14]       = __fns(a, 0, 3);
  o[15]       = __hadd(static_cast<int>(a), static_cast<int>(b));
}
int main() {
  int n = 2000;
  std::vector<double> x(n);
  for (int i = 0; i < n; ++i) x[i] = (i - 1000) * .0173 + .001;
  std::vector<double> zy(16 * n);
  std::vector<float> zz(16 * n);
  double *dx = device(x), *dy = device(zy);
  float *dz = device(zz);
  reals<<<(n + 63) / 64, 64>>>(dx, dy, dz, n);
  auto y = host(dy, 16 * n);
  auto z = host(dz, 16 * n);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 16; ++k) {
      double e = many(x[i], k);
      float f  = manyf(static_cast<float>(x[i]), k);
      CHECK(std::fabs(y[i * 16 + k] - e) <= 1e-13 * std::fabs(e) + 1e-15);
      CHECK(std::fabs(z[i * 16 + k] - f) <= 2e-6f * std::fabs(f) + 1e-6f);
    }
  std::vector<uint64_t> s(n);
  for (int i = 0; i < n; ++i) s[i] = (i + 1) * 0x9e3779b97f4a7c15ull;
  auto *ds = device(s);
  std::vector<uint64_t> zo(13 * n);
  auto *dо = device(zo);
  integers<<<(n + 63) / 64, 64>>>(ds, dо, n);
  auto o = host(dо, 13 * n);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 13; ++k)
      if (k != 9 && k != 10 && k != 11) CHECK(o[i * 13 + k] == ints(s[i], k));
  std::vector<uint32_t> b(64);
  for (int i = 0; i < 64; ++i) b[i] = (i + 1) * 2654435761u;
  auto *db = device(b);
  std::vector<uint32_t> zb(1024);
  auto *dr = device(zb);
  bits<<<1, 64>>>(db, dr);
  auto r = host(dr, 1024);
  for (int i = 0; i < 64; ++i) {
    uint32_t a = b[i], c = b[(i + 1) & 63], *q = &r[16 * i];
    uint64_t cat = static_cast<uint64_t>(c) << 32 | a;
    CHECK(q[0] == static_cast<uint32_t>(__builtin_popcount(a)));
    CHECK(q[1] == static_cast<uint32_t>(a ? __builtin_clz(a) : 32));
    CHECK(q[3] == static_cast<uint32_t>(__builtin_ffs(a)));
    CHECK(q[4] == ((cat >> 40 & 255) | (cat >> 8 & 255) << 8 |
                   (cat >> 56) << 16 | (cat >> 24 & 255) << 24));
    CHECK(q[5] == static_cast<uint32_t>(cat << 11 >> 32));
    CHECK(q[6] == static_cast<uint32_t>(cat >> 3));
    CHECK(q[7] == static_cast<uint32_t>(static_cast<uint64_t>(a) * c >> 32));
    int d = 9;
    for (int k = 0; k < 32; k += 8)
      d += static_cast<int8_t>(a >> k) * static_cast<int8_t>(c >> k);
    CHECK(q[9] == static_cast<uint32_t>(d));
    uint32_t v = 0;
    for (int k = 0; k < 32; k += 8) v |= ((a >> k) + (c >> k) & 255) << k;
    CHECK(q[10] == v);
    CHECK(q[12] == static_cast<uint32_t>(std::floor(a * 1.5 / 3)));
    CHECK(static_cast<int>(q[13]) ==
          static_cast<int>(std::ceil(a % 1000 / 7.f)));
  }
  return failures;
}
