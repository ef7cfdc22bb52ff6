// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions of the lanes. To integers they round towards zero; what is out of
// range becomes the nearest integer, NaN becomes zero.
#include "ops.hpp"

namespace gcn {
namespace {

template <class I, class T>
I saturated(T x) {
  using L = std::numeric_limits<I>;
  if (x != x) return 0;
  if (static_cast<double>(x) <= static_cast<double>(L::min())) return L::min();
  if (static_cast<double>(x) >= static_cast<double>(L::max())) return L::max();
  return static_cast<I>(x);
}
template <class D, class A>
Handler converted() {
  return unary<D, A>([](A a) {
    if constexpr (std::is_integral_v<D>)
      return saturated<D>(a);
    else
      return static_cast<D>(a);
  });
}

}  // namespace

void add_convert(Table &t) {
  t["v_cvt_u32_f32"] = converted<u32, float>();
  t["v_cvt_i32_f32"] = converted<i32, float>();
  t["v_cvt_u32_f64"] = converted<u32, double>();
  t["v_cvt_i32_f64"] = converted<i32, double>();
  t["v_cvt_f32_u32"] = converted<float, u32>();
  t["v_cvt_f32_i32"] = converted<float, i32>();
  t["v_cvt_f64_u32"] = converted<double, u32>();
  t["v_cvt_f64_i32"] = converted<double, i32>();
  t["v_cvt_f64_f32"] = converted<double, float>();
  t["v_cvt_f32_f64"] = converted<float, double>();
  t["v_cvt_f32_ubyte0"] =
      unary<float, u32>([](u32 a) { return float(a & 255); });
  t["v_cvt_f32_ubyte1"] =
      unary<float, u32>([](u32 a) { return float(a >> 8 & 255); });
  t["v_cvt_f32_ubyte2"] =
      unary<float, u32>([](u32 a) { return float(a >> 16 & 255); });
  t["v_cvt_f32_ubyte3"] =
      unary<float, u32>([](u32 a) { return float(a >> 24); });
}

}  // namespace gcn
