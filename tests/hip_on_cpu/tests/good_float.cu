// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point instructions, comparisons and conversions. Approximations
// (v_rcp, v_rsq, v_sqrt) are those of the host here.
#include "instruction.hpp"
#include <algorithm>

template <class T>
T flushed(T x) {
  return x != 0 && std::fabs(x) < std::numeric_limits<T>::min()
             ? std::copysign(T(0), x)
             : x;
}
template <class T>
T least(T a, T b) {
  if (a != a) return b;
  if (b != b) return a;
  if (a == 0 && b == 0) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
template <class T>
T most(T a, T b) {
  return -least(T(-a), T(-b));
}
template <class I, class T>
I to_integer(T a) {
  using L = std::numeric_limits<I>;
  if (a != a) return 0;
  if (a <= T(L::min())) return L::min();
  if (double(a) >= double(L::max())) return L::max();
  return I(a);
}
// v_div_scale and v_div_fmas by themselves are steps of a division.
float quotient(float a, float b) { return a / b; }

TEST_2("v_add_f32", float, float, float, a + b)
TEST_2("v_sub_f32", float, float, float, a - b)
TEST_2("v_subrev_f32", float, float, float, b - a)
TEST_2("v_mul_f32", float, float, float, a *b)
TEST_2("v_min_f32", float, float, float, least<float>(a, b))
TEST_2("v_max_f32", float, float, float, most<float>(a, b))
TEST_3("v_fma_f32", float, float, float, float, std::fma(a, b, c))
TEXT_3("v_fmac_f32", "v_mov_b32 %0, %3\nv_fmac_f32 %0, %1, %2", float, float,
       float, float, std::fma(a, b, c))
TEST_3("v_mad_f32", float, float, float, float,
       flushed<float>(flushed<float>(flushed<float>(a) * flushed<float>(b)) +
                      flushed<float>(c)))
TEXT_3("v_mac_f32", "v_mov_b32 %0, %3\nv_mac_f32 %0, %1, %2", float, float,
       float, float,
       flushed<float>(flushed<float>(flushed<float>(a) * flushed<float>(b)) +
                      flushed<float>(c)))
TEST_1("v_trunc_f32", float, float, std::trunc(a))
TEST_1("v_floor_f32", float, float, std::floor(a))
TEST_1("v_ceil_f32", float, float, std::ceil(a))
TEST_1("v_rndne_f32", float, float, std::nearbyint(a))
TEST_1("v_rcp_f32", float, float, 1 / a)
TEST_1("v_rcp_iflag_f32", float, float, 1 / a)
TEST_1("v_sqrt_f32", float, float, std::sqrt(a))
TEST_1("v_rsq_f32", float, float, 1 / std::sqrt(a))
TEST_2("v_add_f64", double, double, double, a + b)
TEST_2("v_mul_f64", double, double, double, a *b)
TEST_2("v_min_f64", double, double, double, least<double>(a, b))
TEST_2("v_max_f64", double, double, double, most<double>(a, b))
TEST_3("v_fma_f64", double, double, double, double, std::fma(a, b, c))
TEST_1("v_trunc_f64", double, double, std::trunc(a))
TEST_1("v_floor_f64", double, double, std::floor(a))
TEST_1("v_ceil_f64", double, double, std::ceil(a))
TEST_1("v_rndne_f64", double, double, std::nearbyint(a))
TEST_1("v_rcp_f64", double, double, 1 / a)
TEST_1("v_rsq_f64", double, double, 1 / std::sqrt(a))
TEST_1("v_sqrt_f64", double, double, std::sqrt(a))
TEST_2("v_ldexp_f64", double, double, i32,
       std::ldexp(a, std::max(-5000, std::min(5000, i32(b)))))
// Signs and magnitudes of operands, and results in [0, 1].
TEXT_2("negated", "v_add_f32 %0, -%1, |%2|", float, float, float,
       std::fabs(b) - a)
TEXT_2("negated", "v_add_f64 %0, -%1, -|%2|", double, double, double,
       -a - std::fabs(b))
TEXT_2("clamp", "v_add_f64 %0, %1, %2 clamp", double, double, double,
       a + b > 0 ? std::min(a + b, 1.) : 0.)
TEXT_1("constant", "v_mul_f64 %0, 0.5, %1", double, double, a / 2)
TEXT_1("constant", "v_add_f32 %0, 0x3fc00000, %1", float, float, a + 1.5f)

TEST_1("v_cvt_u32_f32", u32, float, to_integer<u32>(float(a)))
TEST_1("v_cvt_i32_f32", i32, float, to_integer<i32>(float(a)))
TEST_1("v_cvt_u32_f64", u32, double, to_integer<u32>(double(a)))
TEST_1("v_cvt_i32_f64", i32, double, to_integer<i32>(double(a)))
TEST_1("v_cvt_f32_u32", float, u32, float(a))
TEST_1("v_cvt_f32_i32", float, i32, float(a))
TEST_1("v_cvt_f64_u32", double, u32, double(a))
TEST_1("v_cvt_f64_i32", double, i32, double(a))
TEST_1("v_cvt_f64_f32", double, float, double(a))
TEST_1("v_cvt_f32_f64", float, double, float(a))
TEST_1("v_cvt_f32_ubyte0", float, u32, float(a & 255))
TEST_1("v_cvt_f32_ubyte1", float, u32, float(a >> 8 & 255))
TEST_1("v_cvt_f32_ubyte2", float, u32, float(a >> 16 & 255))
TEST_1("v_cvt_f32_ubyte3", float, u32, float(a >> 24))

#define COMPARES(name, T, ...)                                              \
  TEXT_2(name, name " vcc, %1, %2\nv_cndmask_b32 %0, 0, 1, vcc", u32, T, T, \
         __VA_ARGS__)
#define COMPARES_FLOATS(suffix, T)                    \
  COMPARES("v_cmp_lt_" suffix, T, a < b)              \
  COMPARES("v_cmp_eq_" suffix, T, a == b)             \
  COMPARES("v_cmp_le_" suffix, T, a <= b)             \
  COMPARES("v_cmp_gt_" suffix, T, a > b)              \
  COMPARES("v_cmp_lg_" suffix, T, a<b || a> b)        \
  COMPARES("v_cmp_ge_" suffix, T, a >= b)             \
  COMPARES("v_cmp_o_" suffix, T, a == a && b == b)    \
  COMPARES("v_cmp_u_" suffix, T, a != a || b != b)    \
  COMPARES("v_cmp_nge_" suffix, T, !(a >= b))         \
  COMPARES("v_cmp_nlg_" suffix, T, !(a < b || a > b)) \
  COMPARES("v_cmp_ngt_" suffix, T, !(a > b))          \
  COMPARES("v_cmp_nle_" suffix, T, !(a <= b))         \
  COMPARES("v_cmp_neq_" suffix, T, a != b)            \
  COMPARES("v_cmp_nlt_" suffix, T, !(a < b))
COMPARES_FLOATS("f32", float)
COMPARES_FLOATS("f64", double)
#define COMPARES_INTEGERS(suffix, T)      \
  COMPARES("v_cmp_lt_" suffix, T, a < b)  \
  COMPARES("v_cmp_eq_" suffix, T, a == b) \
  COMPARES("v_cmp_le_" suffix, T, a <= b) \
  COMPARES("v_cmp_gt_" suffix, T, a > b)  \
  COMPARES("v_cmp_ne_" suffix, T, a != b) \
  COMPARES("v_cmp_ge_" suffix, T, a >= b)
COMPARES_INTEGERS("i16", i16)
COMPARES_INTEGERS("u16", u16)
COMPARES_INTEGERS("i32", i32)
COMPARES_INTEGERS("u32", u32)
COMPARES_INTEGERS("i64", i64)
COMPARES_INTEGERS("u64", u64)

template <class T>
u32 in_class(T a, u32 mask) {
  const bool minus = std::signbit(a);
  u32 bit          = 0;
  switch (std::fpclassify(a)) {
    case FP_NAN: bit = 1; break;  // quiet
    case FP_INFINITE: bit = minus ? 2 : 9; break;
    case FP_NORMAL: bit = minus ? 3 : 8; break;
    case FP_SUBNORMAL: bit = minus ? 4 : 7; break;
    default: bit = minus ? 5 : 6;
  }
  return mask >> bit & 1;
}
TEXT_2("v_cmp_class_f32",
       "v_cmp_class_f32 vcc, %1, %2\nv_cndmask_b32 %0, 0, 1, vcc", u32, float,
       u32, in_class<float>(a, b))
TEXT_2("v_cmp_class_f64",
       "v_cmp_class_f64 vcc, %1, %2\nv_cndmask_b32 %0, 0, 1, vcc", u32, double,
       u32, in_class<double>(a, b))

// Divisions and square roots of the compiler, which are exact.
template <class T>
__global__ void divide(const T *a, const T *b, T *q, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i] = a[i] / b[i];
}
template <class T>
void check_division() {
  std::vector<T> a, b;
  for (T x : edges<T>(false))
    for (T y : edges<T>(false)) a.push_back(x), b.push_back(y);
  const int n = static_cast<int>(a.size());
  T *q        = device(a);
  divide<<<(n + 127) / 128, 128>>>(device(a), device(b), q, n);
  const std::vector<T> r = host(q, n);
  for (int i = 0, bad = 0; i < n; ++i)
    if (!same<T>(r[i], a[i] / b[i]) && ++failures && ++bad < 8) {
      std::printf("division:");
      print("a", a[i]);
      print("b", b[i]);
      print("gave", r[i]);
      print("expected", T(a[i] / b[i]));
      std::puts("");
    }
}
const bool divisions = [] {
  tests().push_back(check_division<double>);
  tests().push_back(check_division<float>);
  return true;
}();
