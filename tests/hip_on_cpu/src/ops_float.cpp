// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point arithmetic of the lanes. Approximations (v_rcp, v_rsq, v_exp)
// are more exact than on a device.
#include "ops.hpp"
#include <cfenv>

namespace gcn {
namespace {

template <class T>
constexpr int mantissa = std::is_same_v<T, double> ? 52 : 23;
template <class T>
constexpr int largest_exponent = std::is_same_v<T, double> ? 2047 : 255;

template <class T>
int exponent(T x) {  // with its bias
  return static_cast<int>(as<Bits<T>>(x) >> mantissa<T>) & largest_exponent<T>;
}
template <class T>
bool denormal(T x) {
  return x != 0 && exponent(x) == 0;
}
template <class T>
T smaller(T a, T b) {
  if (a != a) return b;
  if (b != b) return a;
  return a < b || (a == b && std::signbit(a)) ? a : b;
}
template <class T>
T larger(T a, T b) {
  if (a != a) return b;
  if (b != b) return a;
  return a > b || (a == b && std::signbit(b)) ? a : b;
}
template <class T>
constexpr int scale = std::is_same_v<T, double> ? 128 : 64;

// One of numerator and denominator (a is the one), scaled so that the steps of
// a division neither overflow nor lose bits; needs: the quotient is scaled
// back.
template <class T>
T scaled(T a, T denominator, T numerator, bool &needs) {
  constexpr int far  = std::is_same_v<T, double> ? 768 : 96;
  constexpr int tiny = std::is_same_v<T, double> ? 53 : 23;
  const int n = exponent(numerator), d = exponent(denominator);
  needs = false;
  if (numerator == 0 || denominator == 0)
    return std::numeric_limits<T>::quiet_NaN();
  const bool is_denominator = as<Bits<T>>(a) == as<Bits<T>>(denominator);
  const bool is_numerator   = as<Bits<T>>(a) == as<Bits<T>>(numerator);
  const bool inverse_small  = denormal(T(1) / denominator);
  const bool quotient_small = denormal(numerator / denominator);
  if (n - d >= far) {
    needs = true;
    return is_denominator ? std::ldexp(a, scale<T>) : a;
  }
  if (denormal(denominator)) return std::ldexp(a, scale<T>);
  if (inverse_small && quotient_small) {  // up, as the manual has it, it would
    needs = true;                         // be infinite
    return is_denominator ? std::ldexp(a, -scale<T>) : a;
  }
  if (inverse_small) return std::ldexp(a, -scale<T>);
  if (quotient_small) {
    needs = true;
    return is_numerator ? std::ldexp(a, scale<T>) : a;
  }
  return n <= tiny ? std::ldexp(a, scale<T>) : a;
}

template <class T>
void div_scale(Wave &w, const Ins &i) {
  Source<T> a(w, i.o[2]), b(w, i.o[3]), c(w, i.o[4]);
  Target<T> d(w, i.o[0]);
  u64 out = 0;
  each_lane(w.exec(), [&](int l) {
    bool needs;
    d.set(l, scaled<T>(a[l], b[l], c[l], needs));
    out |= u64{needs} << l;
  });
  set_scalar(w, i.o[1], out);
}

// (a * b + c) * 2^n, rounded once: in a wider type the last bit says whether
// more would follow.
template <class T>
T scaled_fma(T a, T b, T c, int n) {
  using Wide = std::conditional_t<sizeof(T) == 8, long double, double>;
  fesetround(FE_TOWARDZERO);
  feclearexcept(FE_INEXACT);
  volatile Wide x = a, y = b, z = c;
  volatile Wide cut  = std::fma(static_cast<Wide>(x), static_cast<Wide>(y),
                                static_cast<Wide>(z));
  const bool inexact = fetestexcept(FE_INEXACT);
  fesetround(FE_TONEAREST);
  Wide r = cut;
  u64 bits;  // of the mantissa
  memcpy(&bits, &r, 8);
  bits |= inexact;
  memcpy(&r, &bits, 8);
  return static_cast<T>(std::ldexp(r, n));
}

template <class T>
void div_fmas(Wave &w, const Ins &i) {
  Source<T> a(w, i.o[1]), b(w, i.o[2]), c(w, i.o[3]);
  Target<T> d(w, i.o[0]);
  const u64 vcc = w.pair(VCC);
  each_lane(w.exec(), [&](int l) {
    const int n =
        exponent(c[l]) > largest_exponent<T> / 2 ? scale<T> : -scale<T>;
    d.set(l, vcc >> l & 1 ? scaled_fma(a[l], b[l], c[l], n)
                          : std::fma(a[l], b[l], c[l]));
  });
}

template <class T>
T fixed_up(T quotient, T denominator, T numerator) {
  constexpr int least = std::is_same_v<T, double> ? -1075 : -150;
  const T sign = std::signbit(denominator) != std::signbit(numerator) ? -1 : 1;
  if (numerator != numerator) return numerator;
  if (denominator != denominator) return denominator;
  const bool infinite_n = std::isinf(numerator),
             infinite_d = std::isinf(denominator);
  if ((denominator == 0 && numerator == 0) || (infinite_n && infinite_d))
    return std::numeric_limits<T>::quiet_NaN();
  if (denominator == 0 || infinite_n)
    return std::copysign(std::numeric_limits<T>::infinity(), sign);
  if (infinite_d || numerator == 0) return std::copysign(T(0), sign);
  if (exponent(numerator) - exponent(denominator) < least)
    return std::copysign(T(0), sign);
  if (quotient != quotient)  // it overflowed on the way
    return std::copysign(std::numeric_limits<T>::infinity(), sign);
  return std::copysign(quotient, sign);
}

// What float and double have in common.
template <class T>
void add_both(Table &t, const std::vector<const char *> &n) {
  t[n[0]] = binary<T, T, T>([](T a, T b) { return a + b; });
  t[n[1]] = binary<T, T, T>([](T a, T b) { return a * b; });
  t[n[2]] = binary<T, T, T>([](T a, T b) { return smaller(a, b); });
  t[n[3]] = binary<T, T, T>([](T a, T b) { return larger(a, b); });
  t[n[4]] =
      ternary<T, T, T, T>([](T a, T b, T c) { return std::fma(a, b, c); });
  t[n[5]] = [](Wave &w, const Ins &i) {
    Source<T> a(w, i.o[1]), b(w, i.o[2]), c(w, i.o[0]);
    Target<T> d(w, i.o[0]);
    const bool z = flushes<T>(w);
    each_lane(w.exec(), [&](int l) {
      d.set(l, result_value<T>(
                   i, z,
                   std::fma(operand_value(z, a[l]), operand_value(z, b[l]),
                            operand_value(z, c[l]))));
    });
  };
  t[n[6]]  = unary<T, T>([](T a) { return std::trunc(a); });
  t[n[7]]  = unary<T, T>([](T a) { return std::floor(a); });
  t[n[8]]  = unary<T, T>([](T a) { return std::ceil(a); });
  t[n[9]]  = unary<T, T>([](T a) { return std::nearbyint(a); });
  t[n[10]] = unary<T, T>([](T a) { return T(1) / a; });
  t[n[11]] = unary<T, T>([](T a) { return T(1) / std::sqrt(a); });
  t[n[12]] = unary<T, T>([](T a) { return std::sqrt(a); });
  t[n[13]] = binary<T, T, i32>([](T a, i32 b) {
    return std::ldexp(a, b < -5000 ? -5000 : b > 5000 ? 5000 : b);
  });
  t[n[14]] = div_scale<T>;
  t[n[15]] = div_fmas<T>;
  t[n[16]] =
      ternary<T, T, T, T>([](T q, T d, T n) { return fixed_up(q, d, n); });
  t[n[17]] = unary<T, T>([](T a) {
    const T below = std::nextafter(T(1), T(0)), f = a - std::floor(a);
    return f > below ? below : f;
  });
  t[n[18]] = unary<T, T>([](T a) {
    int e;
    return std::isfinite(a) ? std::frexp(a, &e) : a;
  });
  t[n[19]] = unary<i32, T>([](T a) {
    int e = 0;
    if (std::isfinite(a)) std::frexp(a, &e);
    return e;
  });
}

// a * b + c in two roundings; denormal numbers are zeros in any mode.
float multiply_add(float a, float b, float c) {
  return flush(flush(flush(a) * flush(b)) + flush(c));
}

}  // namespace

void add_float(Table &t) {
  add_both<float>(t,
                  {"v_add_f32",        "v_mul_f32",          "v_min_f32",
                   "v_max_f32",        "v_fma_f32",          "v_fmac_f32",
                   "v_trunc_f32",      "v_floor_f32",        "v_ceil_f32",
                   "v_rndne_f32",      "v_rcp_f32",          "v_rsq_f32",
                   "v_sqrt_f32",       "v_ldexp_f32",        "v_div_scale_f32",
                   "v_div_fmas_f32",   "v_div_fixup_f32",    "v_fract_f32",
                   "v_frexp_mant_f32", "v_frexp_exp_i32_f32"});
  add_both<double>(t,
                   {"v_add_f64",        "v_mul_f64",          "v_min_f64",
                    "v_max_f64",        "v_fma_f64",          "v_fmac_f64",
                    "v_trunc_f64",      "v_floor_f64",        "v_ceil_f64",
                    "v_rndne_f64",      "v_rcp_f64",          "v_rsq_f64",
                    "v_sqrt_f64",       "v_ldexp_f64",        "v_div_scale_f64",
                    "v_div_fmas_f64",   "v_div_fixup_f64",    "v_fract_f64",
                    "v_frexp_mant_f64", "v_frexp_exp_i32_f64"});
  t["v_rcp_iflag_f32"] = t["v_rcp_f32"];
  t["v_fmamk_f32"] = t["v_fmaak_f32"] = t["v_fma_f32"];
  t["v_sub_f32"] =
      binary<float, float, float>([](float a, float b) { return a - b; });
  t["v_subrev_f32"] =
      binary<float, float, float>([](float a, float b) { return b - a; });
  t["v_mad_f32"] = ternary<float, float, float, float>(
      [](float a, float b, float c) { return multiply_add(a, b, c); });
  t["v_madmk_f32"] = t["v_madak_f32"] = t["v_mad_f32"];
  t["v_mac_f32"]                      = [](Wave &w, const Ins &i) {
    Source<float> a(w, i.o[1]), b(w, i.o[2]), c(w, i.o[0]);
    Target<float> d(w, i.o[0]);
    each_lane(w.exec(), [&](int l) {
      d.set(l, result_value<float>(i, false, multiply_add(a[l], b[l], c[l])));
    });
  };
  t["v_exp_f32"] = unary<float, float>([](float a) { return std::exp2(a); });
  t["v_log_f32"] = unary<float, float>([](float a) { return std::log2(a); });
  constexpr double turn = 6.283185307179586;
  t["v_sin_f32"]        = unary<float, float>([](float a) {
    return static_cast<float>(std::sin(turn * (a - std::floor(a))));
  });
  t["v_cos_f32"]        = unary<float, float>([](float a) {
    return static_cast<float>(std::cos(turn * (a - std::floor(a))));
  });
}

}  // namespace gcn
