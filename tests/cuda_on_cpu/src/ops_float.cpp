// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating point arithmetic. Compiled without contraction and with rounding
// modes taken seriously.
#include "ops.hpp"
#include <cfenv>
#include <cmath>
#include <limits>
#include <type_traits>

namespace ptxrun {
namespace {

template <class T, bool Flush>
inline T in(T x) {
  if constexpr (Flush && std::is_same_v<T, float>) return flush(x);
  return x;
}
template <class T, bool Flush, bool Sat>
inline T out(T x) {
  if constexpr (Sat)
    return x > T{0} ? (x < T{1} ? x : T{1}) : T{0};  // NaN gives 0
  if constexpr (Flush && std::is_same_v<T, float>) return flush(x);
  return x;
}

// Rounding other than to nearest: the mode of the host is set around the loop.
struct Rounding {
  int before;
  explicit Rounding(int mode) : before(fegetround()) { fesetround(mode); }
  ~Rounding() { fesetround(before); }
};

template <class T, int Op>
__attribute__((noinline)) T operation(T a, T b, T c) {
  volatile T x = a, y = b, z = c;
  volatile T r;
  if (Op == 0) r = x + y;
  if (Op == 1) r = x - y;
  if (Op == 2) r = x * y;
  if (Op == 3)
    r = std::fma(static_cast<T>(x), static_cast<T>(y), static_cast<T>(z));
  if (Op == 4) r = x / y;
  if (Op == 5) r = std::sqrt(static_cast<T>(x));
  if (Op == 6) r = T{1} / x;
  return r;
}
template <class T, int Op, int Mode, bool Flush, bool Sat>
void rounded(Warp &w, const Ins &i, u32 active) {
  T *d       = column<T>(w, i.d);
  const T *a = column<T>(w, i.a), *b = Op < 5 ? column<T>(w, i.b) : a,
          *c = Op == 3 ? column<T>(w, i.c) : a;
  Rounding r(Mode);
  for (u32 m = active; m; m &= m - 1) {
    int l = __builtin_ctz(m);
    d[l]  = out<T, Flush, Sat>(operation<T, Op>(
        in<T, Flush>(a[l]), in<T, Flush>(b[l]), in<T, Flush>(c[l])));
  }
}
template <class T, int Op, bool Flush, bool Sat>
Handler nearest() {
  if constexpr (Op == 0)
    return same2<T>([](T a, T b) {
      return out<T, Flush, Sat>(in<T, Flush>(a) + in<T, Flush>(b));
    });
  if constexpr (Op == 1)
    return same2<T>([](T a, T b) {
      return out<T, Flush, Sat>(in<T, Flush>(a) - in<T, Flush>(b));
    });
  if constexpr (Op == 2)
    return same2<T>([](T a, T b) {
      return out<T, Flush, Sat>(in<T, Flush>(a) * in<T, Flush>(b));
    });
  if constexpr (Op == 3)
    return same3<T>([](T a, T b, T c) {
      return out<T, Flush, Sat>(
          std::fma(in<T, Flush>(a), in<T, Flush>(b), in<T, Flush>(c)));
    });
  if constexpr (Op == 4)
    return same2<T>([](T a, T b) {
      return out<T, Flush, Sat>(in<T, Flush>(a) / in<T, Flush>(b));
    });
  if constexpr (Op == 5)
    return same1<T>(
        [](T a) { return out<T, Flush, Sat>(std::sqrt(in<T, Flush>(a))); });
  return same1<T>(
      [](T a) { return out<T, Flush, Sat>(T{1} / in<T, Flush>(a)); });
}
template <class T, int Op, bool Flush, bool Sat>
Handler by_mode(const Opcode &o) {
  if (o.has("rz")) return rounded<T, Op, FE_TOWARDZERO, Flush, Sat>;
  if (o.has("rm")) return rounded<T, Op, FE_DOWNWARD, Flush, Sat>;
  if (o.has("rp")) return rounded<T, Op, FE_UPWARD, Flush, Sat>;
  return nearest<T, Op, Flush, Sat>();
}
template <class T, int Op>
Handler modes(const Opcode &o) {
  bool ftz = o.has("ftz"), sat = o.has("sat");
  if constexpr (std::is_same_v<T, float>) {
    if (ftz)
      return sat ? by_mode<T, Op, true, true>(o)
                 : by_mode<T, Op, true, false>(o);
    return sat ? by_mode<T, Op, false, true>(o)
               : by_mode<T, Op, false, false>(o);
  }
  return by_mode<T, Op, false, false>(o);
}

template <class T>
T minimum(T a, T b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
template <class T>
T maximum(T a, T b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? b : a;
  return a < b ? b : a;
}

template <class T>
void testp(Warp &w, const Ins &i, u32 active) {
  const T *a = column<T>(w, i.a);
  u32 r      = 0;
  for (u32 m = active; m; m &= m - 1) {
    int l  = __builtin_ctz(m);
    T x    = a[l];
    bool v = false;
    switch (i.x) {
      case 0: v = std::isfinite(x); break;
      case 1: v = std::isinf(x); break;
      case 2: v = !std::isnan(x); break;
      case 3: v = std::isnan(x); break;
      case 4: v = std::isnormal(x) || x == 0; break;
      case 5: v = std::fpclassify(x) == FP_SUBNORMAL; break;
    }
    r |= static_cast<u32>(v) << l;
  }
  set_predicate(w, i.d, r, active);
}
template <class T, int K>
void testp_handler(Warp &w, const Ins &i, u32 active) {
  Ins j = i;
  j.x   = K;
  testp<T>(w, j, active);
}

// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 give the upper half of the result
// only
double upper(double x) {
  u64 v;
  memcpy(&v, &x, 8);
  v &= 0xffffffff00000000ull;
  memcpy(&x, &v, 8);
  return x;
}

template <class T>
Handler pick(const Opcode &o) {
  auto n = o.name;
  if (n == "add") return modes<T, 0>(o);
  if (n == "sub") return modes<T, 1>(o);
  if (n == "mul") return modes<T, 2>(o);
  if (n == "fma" || n == "mad") return modes<T, 3>(o);
  if (n == "div") return modes<T, 4>(o);
  if (n == "sqrt") return modes<T, 5>(o);
  if (n == "rcp") {
    if (sizeof(T) == 8 && o.has("approx"))
      return same1<double>([](double a) {
        return upper(1 / (std::fabs(a) < 2.3e-308 ? std::copysign(0., a) : a));
      });
    return modes<T, 6>(o);
  }
  if (n == "rsqrt") {
    if (sizeof(T) == 8)
      return o.has("ftz")
                 ? same1<double>(
                       [](double a) { return upper(1 / std::sqrt(a)); })
                 : same1<double>([](double a) { return 1 / std::sqrt(a); });
    return o.has("ftz") ? same1<float>([](float a) {
      return static_cast<float>(1 / std::sqrt(static_cast<double>(flush(a))));
    })
                        : same1<float>([](float a) {
                            return static_cast<float>(
                                1 / std::sqrt(static_cast<double>(a)));
                          });
  }
  bool ftz = o.has("ftz");
  if (n == "abs")
    return ftz ? same1<T>([](T a) { return in<T, true>(std::fabs(a)); })
               : same1<T>([](T a) { return std::fabs(a); });
  if (n == "neg")
    return ftz ? same1<T>([](T a) { return in<T, true>(-a); })
               : same1<T>([](T a) { return -a; });
  if (n == "min") {
    if (o.has("NaN"))
      return same2<T>([](T a, T b) {
        return std::isnan(a) || std::isnan(b)
                   ? std::numeric_limits<T>::quiet_NaN()
                   : minimum(a, b);
      });
    return ftz ? same2<T>([](T a, T b) {
      return minimum(in<T, true>(a), in<T, true>(b));
    })
               : same2<T>([](T a, T b) { return minimum(a, b); });
  }
  if (n == "max") {
    if (o.has("NaN"))
      return same2<T>([](T a, T b) {
        return std::isnan(a) || std::isnan(b)
                   ? std::numeric_limits<T>::quiet_NaN()
                   : maximum(a, b);
      });
    return ftz ? same2<T>([](T a, T b) {
      return maximum(in<T, true>(a), in<T, true>(b));
    })
               : same2<T>([](T a, T b) { return maximum(a, b); });
  }
  if (n == "copysign")
    return same2<T>([](T a, T b) { return std::copysign(b, a); });
  if (n == "testp") {
    if (o.has("finite")) return testp_handler<T, 0>;
    if (o.has("infinite")) return testp_handler<T, 1>;
    if (o.has("number")) return testp_handler<T, 2>;
    if (o.has("notanumber")) return testp_handler<T, 3>;
    if (o.has("normal")) return testp_handler<T, 4>;
    return testp_handler<T, 5>;
  }
  if constexpr (std::is_same_v<T, float>) {
    // the .approx functions, through double precision
    if (n == "sin")
      return ftz ? same1<float>([](float a) {
        return flush(
            static_cast<float>(std::sin(static_cast<double>(flush(a)))));
      })
                 : same1<float>([](float a) {
                     return static_cast<float>(
                         std::sin(static_cast<double>(a)));
                   });
    if (n == "cos")
      return same1<float>([](float a) {
        return static_cast<float>(std::cos(static_cast<double>(a)));
      });
    if (n == "lg2")
      return ftz ? same1<float>([](float a) {
        return flush(
            static_cast<float>(std::log2(static_cast<double>(flush(a)))));
      })
                 : same1<float>([](float a) {
                     return static_cast<float>(
                         std::log2(static_cast<double>(a)));
                   });
    if (n == "ex2")
      return ftz ? same1<float>([](float a) {
        return flush(
            static_cast<float>(std::exp2(static_cast<double>(flush(a)))));
      })
                 : same1<float>([](float a) {
                     return static_cast<float>(
                         std::exp2(static_cast<double>(a)));
                   });
    if (n == "tanh")
      return same1<float>([](float a) {
        return static_cast<float>(std::tanh(static_cast<double>(a)));
      });
  }
  return nullptr;
}

}  // namespace

Handler pick_float(const Opcode &o) {
  return o.type == F32 ? pick<float>(o) : pick<double>(o);
}

}  // namespace ptxrun
